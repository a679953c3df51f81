/* roofline op: what was asked, what was judged, and how it is shown. */
#ifndef ROOFLINE_CLI_OP_OP_H
#define ROOFLINE_CLI_OP_OP_H

#include "cli/machine/choose.h"
#include "cli/options.h"
#include "cli/out/answer.h"
#include "cli/out/require.h"
#include "cli/out/text.h"
#include "cli/say/advice_lines.h"
#include "cli/say/expected.h"
#include "roofline_chart.h"
#include "roofline_measure.h"

enum { PARAMETER_MAX = ROOF_SHAPE_MAX + ROOF_OPERAND_MAX };

typedef struct op_row {
    const roof_machine *machine;
    double values[PARAMETER_MAX]; /* of the given parameters; a dtype is its number */
    roof_operation operation;
    roof_verdict verdict;
    roof_expected expected;
    double measured;  /* seconds; 0: not measured */
    roof_run run;     /* of --run: run.times is 0 without it */
    roof_level level; /* its bytes are judged at; DRAM unless --run found them in a cache */
} op_row;

typedef struct op_question {
    const cli_settings *settings;
    machine_set machines, others;
    roof_kind kind;
    const roof_kind_info *info;
    engine_constants constants;
    range given[PARAMETER_MAX]; /* by index of the kind's parameters */
    op_row *rows;
    size_t row_count;
    advice_set advice; /* for the last row */
    fact_list facts;
} op_question;

/* Read the arguments, judge every row, weigh the ideas. Freed also after -1. */
int op_ask(op_question *question, roof_error *error);
void op_free(op_question *question);

/* ---- what the outputs share ---- */

const op_row *op_last_row(const op_question *question);
bool op_is_swept(const op_question *question, size_t parameter);
double op_compute_roof(const op_row *row); /* the one the verdict used, in FLOP/s; 0 when no FLOPs were judged */
void op_value_text(const roof_parameter *parameter, double value, char *buffer, size_t size);
/* "at m=4096 on mi300x"; "" when there is one row only. */
void op_row_place(const op_question *question, const op_row *row, char *buffer, size_t size);

/* ---- --run (run.c) ---- */

/* Execute every row on this machine and judge it at the level where its data lie. */
int op_run_check(op_question *question, roof_error *error);
int op_run_rows(op_question *question, roof_error *error);
/* The machine as a row's data see it: their level's bandwidth as that of its memory, and the operation as asked. */
void op_as_asked(const op_row *row, roof_machine *machine, roof_operation *operation);

/* ---- outputs ---- */

void op_facts(op_question *question); /* what --require may ask */
void op_text(const void *question, text_out *out);
void op_json(const void *question, emit *json);
void op_csv(const void *question, text_out *out);
int op_chart(const void *question, roof_drawing *out, roof_error *error);

#endif
