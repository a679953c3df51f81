/* How far a long answer is: one line on stderr, drawn again and again, where stderr is a terminal. And how it is ended.
 */
#ifndef ROOFLINE_CLI_OUT_PROGRESS_H
#define ROOFLINE_CLI_OUT_PROGRESS_H

#include <stdbool.h>

typedef struct progress {
    bool shown; /* stderr is a terminal that can go back to the start of a line */
    bool drawn;
} progress;

progress progress_start(void); /* from now on SIGINT and SIGTERM only end what is going on */
/* As in roof_measure_options; `context` is a progress. Nonzero once a signal came. */
int progress_step(void *context, double done, const char *what);
/* Wipe the line. True when a signal came. */
bool progress_end(progress *at);
void progress_release(void); /* signals do again what they did */

#endif
