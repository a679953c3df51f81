/* What a plan gives when it serves: a table that says of each time what it includes, and the same as JSON. */
#include <math.h>
#include <stdio.h>

#include "cli/model/model.h"
#include "cli/out/table.h"

/* "4,836", "111k", "1.08M" */
static const char *rate_text(double rate, char buffer[NUMBER_SIZE]) {
    char number[NUMBER_SIZE];
    double factor = rate >= 1e6 ? 1e-6 : rate >= 1e4 ? 1e-3 : 1;
    snprintf(buffer, NUMBER_SIZE, "%.24s%s", number_three(rate * factor, number),
             rate >= 1e6   ? "M"
             : rate >= 1e4 ? "k"
                           : "");
    return buffer;
}

static void time_row(const char *name, const roof_time *span, const char *what, table_grid *table) {
    char expected[EXPECTED_SIZE], bound[NUMBER_SIZE];
    table_row(table);
    table_text(table, name);
    table_text(table, expected_text(&span->expected, expected));
    table_text(table, number_si(span->bound, "s", bound));
    table_text(table, what);
}

/* `tokens` of output in a span: its longest time is the lowest rate. */
static void rate_row(const char *name, double tokens, const roof_time *span, const char *what, table_grid *table) {
    char rate[NUMBER_SIZE], low[NUMBER_SIZE], high[NUMBER_SIZE];
    table_row(table);
    table_text(table, name);
    table_cell_add(table, PAINT_NONE, "%s tok/s (%s-%s)", rate_text(tokens / span->expected.seconds, rate),
                   rate_text(tokens / span->expected.high, low), rate_text(tokens / span->expected.low, high));
    table_cell_add(table, PAINT_NONE, "%s tok/s", rate_text(tokens / span->bound, rate));
    table_text(table, what);
}

static void load_row(const model_row *row, table_grid *table) {
    const roof_serving *serving = &row->serving;
    char batch[NUMBER_SIZE], what[TABLE_CELL];
    if (serving->load_batch >= 1) {
        snprintf(what, sizeof what, "%s sequences (all that fit), prefills included",
                 number_whole(serving->load_batch, batch));
        rate_row("full load", serving->load_batch * row->plan.generate, &serving->load, what, table);
        return;
    }
    table_row(table);
    table_text(table, "full load");
    table_text(table, "-");
    table_text(table, "-");
    table_text(table, row->memory.unknown ? "number of sequences that fit is unknown"
                                          : "no sequence fits beside the engine's own memory");
}

/* What runs before a prompt is in none of these times. */
static const char *before(const model_question *question) {
    if (roof_model_has_phase(question->source.model, ROOF_PHASE_ENCODE))
        return "; the encoder apart";
    return question->asked[ROOF_PHASE_VISION] ? "; images apart" : "";
}

void model_serving_text(const model_question *question, const model_row *row, text_out *out) {
    const roof_serving *serving = &row->serving;
    char prompt[NUMBER_SIZE], batch[NUMBER_SIZE], generate[NUMBER_SIZE], place[FACT_PLACE], what[TABLE_CELL];
    table_grid table = {0};
    if (!row->serves || !row->fits)
        return;
    model_row_place(question, row, place, sizeof place);
    number_whole(row->plan.prompt, prompt);
    number_whole(row->plan.batch, batch);
    number_whole(row->plan.generate, generate);
    text_add(out, "\n");
    if (place[0])
        text_add(out, "  %s:\n", place);
    table_heads(&table, "l:serving", "l:expected (80% interval)", "l:at best", "lf:assumes");
    snprintf(what, sizeof what, "%s-token prompt, empty queue%s", prompt, before(question));
    time_row("TTFT", &serving->ttft, what, &table);
    if (row->plan.batch > 1)
        snprintf(what, sizeof what, "a step of %s, interleaved with prefills", batch);
    else
        snprintf(what, sizeof what, "a step of one sequence, alone");
    time_row("TPOT", &serving->tpot, what, &table);
    if (row->plan.batch > 1)
        snprintf(what, sizeof what, "%s prompts together, then %s tokens each", batch, generate);
    else
        snprintf(what, sizeof what, "the prompt, then %s tokens", generate);
    rate_row("static batch", row->plan.batch * row->plan.generate, &serving->run, what, &table);
    load_row(row, &table);
    table_print(&table, out);
    table_free(&table);
}

/* ---- JSON and facts ---- */

static void span_json(const char *key, const roof_time *span, emit *json) {
    emit_object(json, key);
    emit_number(json, "seconds", span->bound);
    expected_json(&span->expected, 1, true, json);
    emit_end(json);
}

static void rate_json(double tokens, const roof_time *span, emit *json) {
    emit_number(json, "seconds", span->bound);
    emit_number(json, "tokens_per_second", tokens / span->bound);
    emit_number(json, "expected_tokens_per_second", tokens / span->expected.seconds);
    expected_json(&span->expected, 1, true, json);
}

void model_serving_json(const model_row *row, emit *json) {
    const roof_serving *serving = &row->serving;
    if (!row->serves || !row->fits) {
        emit_null(json, "serving");
        return;
    }
    emit_object(json, "serving");
    span_json("ttft", &serving->ttft, json);
    span_json("tpot", &serving->tpot, json);
    emit_object(json, "run");
    rate_json(row->plan.batch * row->plan.generate, &serving->run, json);
    emit_end(json);
    if (serving->load_batch >= 1) {
        emit_object(json, "load");
        emit_number(json, "batch", serving->load_batch);
        rate_json(serving->load_batch * row->plan.generate, &serving->load, json);
        emit_end(json);
    } else {
        emit_null(json, "load");
    }
    emit_end(json);
}
