/* roofline measure: what was found, what was saved before, and what became of both. */
#ifndef ROOFLINE_CLI_MEASURE_MEASURE_H
#define ROOFLINE_CLI_MEASURE_MEASURE_H

#include "cli/machine/saved.h"
#include "cli/options.h"
#include "roofline_chart.h"
#include "roofline_read.h"
#include "json/write.h"

typedef enum measure_outcome {
    MEASURE_NOT_ASKED, /* --no-save */
    MEASURE_SAVED,
    MEASURE_MERGED,   /* with what was saved before */
    MEASURE_COMPARED, /* --diff alone */
    MEASURE_FAILED
} measure_outcome;

typedef struct measure_question {
    const cli_settings *settings;
    roof_measurement *fresh;
    roof_machine_file *file;        /* saved before, or NULL */
    const roof_measurement *before; /* in it */
    roof_measurement merged;
    const roof_measurement *result; /* what is shown: `fresh`, or `merged` */
    char path[SAVED_PATH];
    saved_change changes[SAVED_CHANGES_MAX];
    size_t change_count;
    measure_outcome outcome;
    roof_error failure; /* why it could not be saved */
} measure_question;

/* Measure, compare with what is saved, save. What goes wrong with saving is `failure`, and no reason to return -1. */
int measure_ask(measure_question *question, roof_error *error);
void measure_free(measure_question *question);
int measure_devices(const cli_settings *settings); /* --device list: the exit code */

/* Cores of the series that use the most: all of them. A device's series count as one core. */
int measure_cores(const roof_measurement *measurement);

void measure_text(const void *question, text_out *out);
void measure_csv(const void *question, text_out *out);
int measure_json(const void *question, roof_write write, void *to);
int measure_chart(const void *question, roof_drawing *out, roof_error *error);

size_t measure_worse(const measure_question *question); /* roofs more than 3% below the saved ones */
/* Is a file saved without the bandwidth of memory? Most questions need it. */
bool measure_lacks_memory(const measure_question *question);
/* Does this sample make the roof of its level or data type, for its number of cores? */
bool measure_is_roof(const roof_measurement *measurement, const roof_sample *sample);

#endif
