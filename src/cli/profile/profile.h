/* roofline profile: what was read, how it stands under the roofs, and how it is shown. */
#ifndef ROOFLINE_CLI_PROFILE_PROFILE_H
#define ROOFLINE_CLI_PROFILE_PROFILE_H

#include "cli/machine/choose.h"
#include "cli/options.h"
#include "cli/out/answer.h"
#include "cli/out/require.h"
#include "cli/out/text.h"
#include "cli/profile/run_models.h"
#include "roofline_chart.h"
#include "roofline_profile.h"

enum { PROFILE_TOP = 20, PROFILE_LABEL = 120, PROFILE_WARNINGS = 8, PROFILE_NUMBERED = 100 };

typedef struct profile_file {
    const char *path; /* as it is shown: "stdin" for - */
    roof_profile *profile;
    size_t first, count; /* its points among all */
    char warnings[PROFILE_WARNINGS][240];
    size_t warning_count; /* of the question that was put; the reader's own are in `profile` */
} profile_file;

typedef struct profile_expected { /* of a phase of a run; 0: not known */
    double rate, low, high;       /* tokens/s; 80% of runs lie between */
    double of_expected;           /* measured rate over it */
} profile_expected;

typedef struct profile_run {
    roof_run_verdict placed;
    roof_engine engine;
    profile_expected prefill, decode;
    const profile_file *file;
    const model_source *model; /* NULL: judged by the model's size and parameters */
} profile_run;

/* How kernels are called, found once over all of them (labels.c). */
typedef struct profile_labels {
    bool calls, where;                           /* one ran more than once; their places differ */
    int width;                                   /* of a name, in columns */
    double longest;                              /* seconds of the longest kernel: the unit of the table */
    size_t place_start, place_end;               /* what all places have in common */
    char first[PROFILE_NUMBERED][PROFILE_LABEL]; /* short names by rank: of equal ones the later carry a number */
} profile_labels;

typedef struct profile_question {
    const cli_settings *settings;
    machine_set machines;
    const roof_machine *machine; /* NULL: the files hold machines only */
    bool own_machine;            /* the roofs come from the file itself */
    profile_file files[WORDS_MAX];
    size_t file_count;

    roof_measured *measured;
    char **places; /* `where` of each point, of several files; NULL */
    roof_placement *placed;
    size_t *order; /* by seconds to gain; of --compare: not used */
    size_t count;
    profile_labels labels;

    profile_run *runs;
    size_t run_count;
    run_models models;

    roof_moved *moved; /* --compare */
    size_t moved_count;
    fact_list facts;
    advice_set advice; /* of a page */
} profile_question;

/* Read, find the machine, place kernels and runs, pair two profiles. Freed also after -1. */
int profile_ask(profile_question *question, roof_error *error);
void profile_free(profile_question *question);
/* The machine that the first file to hold one holds; NULL. */
const roof_machine *profile_file_machine(const profile_question *question);

/* Read one file ("-": a pipe) as the options say; `path` is how it is shown. NULL: the error names it. */
roof_profile *profile_read(const cli_settings *settings, const char *word, const char **path, roof_error *error);

/* ---- what the outputs share (values.c) ---- */

/* FLOPs of all calls, and how sure they are; MISSING: none is known. */
roof_count profile_flops(const roof_placement *placed);
roof_count profile_matrix_flops(const roof_placement *placed);
roof_count profile_bytes(const roof_placement *placed, roof_level level);
const char *profile_level_key(roof_level level);              /* "dram", "l2" */
const char *profile_certainty_name(roof_certainty certainty); /* "missing", "at least", "counted", "computed" */
/* "f32 vector", "DRAM", "link"; "" when nothing binds. */
const char *profile_roof(const roof_placement *placed, char *buffer, size_t size);
double profile_fraction(const roof_placement *placed); /* of the binding roof; 0: none */

typedef struct profile_sums { /* of points [first, first + count) */
    double seconds, calls, gain, saved;
    double share[4]; /* of the time, by standing */
    size_t points[4];
} profile_sums;
profile_sums profile_sum(const profile_question *question, size_t first, size_t count);
/* Share of the time in kernels that reach `fraction` of their roof or more (`above`), or less. Kernels above their roof
 * are in neither: their numbers cannot be true. */
double profile_share(const profile_question *question, double fraction, bool above);
const char *profile_base(const char *path); /* without its folders */

/* Add a warning once; the reader's warnings, then those that were added, then NULL. */
void profile_warn(profile_file *file, const char *format, ...) ROOF_PRINTF(2, 3);
const char *profile_warning(const profile_file *file, size_t index);

/* A kernel's name in at most `width` columns (chart/kernel_name.h). */
const char *profile_short_name(const char *name, int width, char buffer[PROFILE_LABEL]);

bool profile_is_worth(const roof_placement *placed); /* below its roof, and fixing it matters to the run */

/* ---- names of kernels (labels.c); `rank` by seconds to gain ---- */

void profile_choose_labels(profile_question *question);
/* In the table: short, of equal ones the later with a number. */
const char *profile_name(const profile_question *question, size_t rank, char name[PROFILE_LABEL]);
/* Its place without what all places have in common; "-": none. */
const char *profile_place(const profile_question *question, const roof_placement *placed, int width,
                          char place[PROFILE_LABEL]);
/* In a sentence: the name, and the place beside it where places differ. */
const char *profile_label(const profile_question *question, size_t rank, char name[PROFILE_LABEL]);

/* ---- devices (device.c) ---- */

/* The machine of the catalogue that a device's own name means ("NVIDIA H100 80GB HBM3": h100-sxm). false: none is like
 * it. */
bool profile_device_machine(const char *device, roof_machine *out);
/* Does the device clearly not fit the machine? `out` is the one it fits. */
bool profile_device_differs(const char *device, const roof_machine *machine, roof_machine *out);
/* The first device that the files name; NULL. */
const char *profile_device(const profile_question *question);

/* ---- outputs ---- */

/* What the engine of a placed run is expected to take, where its model is known. */
void profile_expect_run(const profile_question *question, profile_run *run);

int profile_formats(const cli_settings *settings); /* --formats: the exit code */
int profile_facts(profile_question *question, roof_error *error);

void profile_text(const void *question, text_out *out);
void profile_run_text(const profile_question *question, text_out *out); /* the runs of models, block by block */
void profile_csv(const void *question, text_out *out);
void profile_json(const void *question, emit *json);
int profile_chart(const void *question, roof_drawing *out, roof_error *error);

void profile_advise(profile_question *question); /* the ideas of a page (advice.c) */
size_t profile_advice(const void *question, answer_advice out[ANSWER_ADVICE_MAX]);

void profile_compare_text(const void *question, text_out *out);
void profile_compare_csv(const void *question, text_out *out);
void profile_compare_json(const void *question, emit *json);

/* ---- notes under the title (notes.c) ---- */

void profile_note_file(const profile_question *question, const profile_file *file, text_out *out);
void profile_notes(const profile_question *question, text_out *out);

#endif
