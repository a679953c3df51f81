/* roofline calibrate: what was read, what was left out and why, and what the runs taught. */
#ifndef ROOFLINE_CLI_CALIBRATE_CALIBRATE_H
#define ROOFLINE_CLI_CALIBRATE_CALIBRATE_H

#include "cli/machine/choose.h"
#include "cli/machine/saved.h"
#include "cli/options.h"
#include "cli/out/answer.h"
#include "cli/out/text.h"
#include "cli/profile/profile.h"
#include "roofline_expected.h"

enum { CALIBRATE_REASON = 200, CALIBRATE_SOURCE = 400 };

typedef struct calibrate_reason { /* times that were left out, of one file and for one reason */
    size_t file;
    char why[CALIBRATE_REASON];
    size_t count;
    long line; /* of the first; -1 */
} calibrate_reason;

typedef struct calibrate_file {
    const char *path;
    roof_profile *profile;
    size_t runs, times; /* runs or kernels in it; times that are fitted on */
} calibrate_file;

typedef struct calibrate_question {
    const cli_settings *settings;
    machine_set machines;
    roof_machine machine; /* without its calibrations: what every figure here is relative to */
    roof_engine engine;
    calibrate_file files[WORDS_MAX];
    size_t file_count;
    run_models models;

    roof_observation *observations; /* of all files */
    size_t count, room, groups;
    calibrate_reason *reasons;
    size_t reason_count;
    const char *like;   /* the first that was left out ran on that machine; NULL */
    bool unknown_model; /* the first that was left out is of a model that is not known */

    roof_constants before, after;
    roof_fit_report report;
    const roof_calibration *old; /* of the same engine, before; NULL */
    double old_error;            /* of its constants on these runs; HUGE_VAL: not known, or it was fitted on them */

    roof_calibration list[ROOF_ENGINE_COUNT]; /* what the machine file is to hold: others as they were, and the new */
    size_t list_count;
    char date[32], source[CALIBRATE_SOURCE];
    char path[SAVED_PATH]; /* where it is saved */
    bool saved;
    roof_error failure; /* why it was not saved */
} calibrate_question;

/* Read, find the machine, fit; nothing is saved yet. Freed also after -1. */
int calibrate_ask(calibrate_question *question, roof_error *error);
void calibrate_save(calibrate_question *question); /* unless nothing was learnt: `saved`, or `failure` */
void calibrate_free(calibrate_question *question);
bool calibrate_error_known(double error); /* a median of something */

/* ---- reading (runs.c) ---- */

/* Fill files, engine, observations and reasons; the machine is known. */
int calibrate_read(calibrate_question *question, roof_error *error);
int calibrate_observe(calibrate_question *question, roof_error *error);

/* ---- outputs ---- */

void calibrate_text(const void *question, text_out *out);
void calibrate_csv(const void *question, text_out *out);
void calibrate_json(const void *question, emit *json);

#endif
