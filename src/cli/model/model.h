/* roofline model: what was asked, what was judged, and how it is shown. */
#ifndef ROOFLINE_CLI_MODEL_MODEL_H
#define ROOFLINE_CLI_MODEL_MODEL_H

#include "cli/machine/choose.h"
#include "cli/model/source.h"
#include "cli/options.h"
#include "cli/out/answer.h"
#include "cli/out/require.h"
#include "cli/out/text.h"
#include "cli/say/advice_lines.h"
#include "cli/say/expected.h"
#include "cli/say/sums.h"
#include "roofline_chart.h"

enum {
    AXIS_TENSOR,
    AXIS_PROMPT,
    AXIS_GENERATE,
    AXIS_CONTEXT,
    AXIS_SOURCE,
    AXIS_BATCH,
    AXIS_COUNT
}; /* the last varies fastest */

typedef struct model_row { /* one plan on one machine */
    const roof_machine *machine;
    roof_plan plan;                     /* complete */
    roof_point point[ROOF_PHASE_COUNT]; /* of the phases asked */
    roof_expected expected[ROOF_PHASE_COUNT];
    roof_serving serving;
    bool serves; /* serving is filled: prefill and decode, no drafts */
    roof_memory memory;
    bool fits;
} model_row;

typedef struct model_question {
    const cli_settings *settings;
    machine_set machines, others;
    model_source source;
    engine_constants constants;
    roof_parameters parameters;
    char main_format[32]; /* in which most weights are stored; "" when the file does not say */
    bool asked[ROOF_PHASE_COUNT];
    bool no_patches; /* a vision tower is not judged: how many rows an image has is not known */
    model_row *rows;
    size_t row_count;
    const model_row *last; /* the last row that fits: what advice, --ops and --explain are about; NULL when none does */
    advice_set advice[ROOF_PHASE_COUNT]; /* for that row */
    roof_batching batching;              /* of that row's plan */
    roof_phase measured_phase;
    double measured_seconds; /* of the phase; 0: not given */
    fact_list facts;
} model_question;

/* Read, judge, weigh the ideas. Freed also after -1. */
int model_ask(model_question *question, roof_error *error);
void model_free(model_question *question);
int model_unnamed(roof_error *error); /* "no model is named" */

/* The plan as the options say it, batch and lengths left to the lists. */
int model_base_plan(const cli_settings *settings, roof_plan *plan, roof_error *error);

/* Phases in the order in which they run: the n-th that was asked; -1 past the end. */
int model_phase(const model_question *question, size_t n);
roof_phase model_main_phase(const model_question *question); /* the last of them: what the verdict is about */

const range *model_axis(const cli_settings *settings, int axis);
double model_axis_value(const roof_plan *plan, int axis);
const char *model_axis_name(int axis);

/* Operations of one phase of a row, judged; freed by the caller. */
judged_operation *model_operations(const model_question *question, const model_row *row, roof_phase phase,
                                   size_t *count);

/* "batch 512 does not fit: weights 16.1 GB + ...", and in the hint what would. Returns -1. */
int fail_fit(const model_row *row, roof_error *error);
/* "at batch 8 on mi300x"; "" when there is one row only. */
void model_row_place(const model_question *question, const model_row *row, char *buffer, size_t size);

void model_facts(model_question *question); /* what --require may ask */
void model_text(const void *question, text_out *out);
void model_json(const void *question, emit *json);
void model_csv(const void *question, text_out *out);
int model_chart(const void *question, roof_drawing *out, roof_error *error);
void model_operations_table(const model_question *question, const model_row *row, roof_phase phase, text_out *out);
/* Tokens a second that the expected time gives. */
double model_expected_rate(const model_row *row, roof_phase phase);
void model_serving_text(const model_question *question, const model_row *row, text_out *out);
void model_serving_json(const model_row *row, emit *json); /* the member `serving` */
void model_explain(const model_question *question, const model_row *row, text_out *out);

#endif
