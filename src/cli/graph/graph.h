/* roofline model FILE.onnx: a graph of operations, its dimensions bound in every way asked for. */
#ifndef ROOFLINE_CLI_GRAPH_GRAPH_H
#define ROOFLINE_CLI_GRAPH_GRAPH_H

#include "cli/machine/choose.h"
#include "cli/options.h"
#include "cli/out/answer.h"
#include "cli/out/require.h"
#include "cli/out/text.h"
#include "cli/say/advice_lines.h"
#include "cli/say/expected.h"
#include "cli/say/sums.h"
#include "roofline_chart.h"
#include "roofline_read.h"

enum { GRAPH_DIMENSIONS = TEXTS_MAX, GRAPH_READINGS = 256 };

typedef struct graph_row { /* one reading on one machine */
    const roof_machine *machine;
    const roof_graph *graph;
    roof_expected expected;
    roof_sum sum, most; /* most: with the larger branch of every If that cannot be decided; else the same */
} graph_row;

typedef struct graph_question {
    const cli_settings *settings;
    machine_set machines, others;
    engine_constants constants;
    const char *path, *name;          /* name: the path without its folders */
    char names[GRAPH_DIMENSIONS][64]; /* of --dim, as they stand on the command line */
    range values[GRAPH_DIMENSIONS];
    size_t dimension_count;
    roof_graph **graphs, **most; /* one a combination of the values; most: NULL where nothing is open */
    size_t reading_count;
    graph_row *rows; /* machines, then readings */
    size_t row_count;
    advice_set advice; /* about the last reading on the first machine */
    double measured_seconds;
    fact_list facts;
} graph_question;

/* Read, judge, weigh the ideas; with --layers only read. Freed also after -1. */
int graph_ask(graph_question *question, roof_error *error);
void graph_free(graph_question *question);

/* What advice, --ops and --explain are about. */
const graph_row *graph_last_row(const graph_question *question);
/* Judged; freed by the caller. */
judged_operation *graph_operations(const graph_question *question, const graph_row *row, size_t *count);
/* "batch=8 sequence=128": dimensions of the reading; only the swept ones when `swept`. */
void graph_dimensions_text(const graph_question *question, const roof_graph *graph, bool swept, char *buffer,
                           size_t size);
/* The dtype most FLOPs run in. */
roof_dtype graph_math(const roof_graph *graph);

int graph_answer(const cli_settings *settings, const char *path);

void graph_facts(graph_question *question); /* what --require may ask */
void graph_text(const void *question, text_out *out);
void graph_json(const void *question, emit *json);
void graph_csv(const void *question, text_out *out);
int graph_chart(const void *question, roof_drawing *out, roof_error *error);

#endif
