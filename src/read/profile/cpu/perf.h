/* One row of 'perf stat' in any of its three shapes, taken apart (perf_rows.c) for the reader (perf.c). */
#ifndef ROOFLINE_READ_PROFILE_CPU_PERF_H
#define ROOFLINE_READ_PROFILE_CPU_PERF_H

#include "read/profile/build.h"

typedef struct perf_row {
    const char *event, *value, *unit; /* event NULL: not a row with a count */
    const char *time;                 /* of -I: seconds since the start; NULL */
    const char *running;              /* share of the time the counter ran, in percent; NULL */
    const char *runtime;              /* nanoseconds that it ran; NULL */
    const char *metric, *metric_unit; /* "224.588", "CPUs utilized"; NULL */
    bool part;                        /* of one CPU, core or thread, as a column before the count says */
} perf_row;

/* All split `line` in place. false: it holds no count. */
bool perf_text_row(char *line, perf_row *out);
bool perf_csv_row(char *line, char separator, perf_row *out);
/* `broken`: it begins as an object of perf's and does not end as one. */
bool perf_json_row(char *line, perf_row *out, bool *broken);

/* Has the line a number such as 100,00 where JSON allows none? perf writes it where the locale has a decimal comma. */
bool perf_json_comma(const char *line);

/* The separator of -x by the lines of the head, and how many of them are rows. 0: none. */
char perf_separator(const char *head, int *rows);
/* Factor to bytes, where the unit is one of bytes; 0. */
double perf_bytes(const char *unit);

#endif
