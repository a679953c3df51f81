/* Runs of a language model as text: a block each, its phases under their bounds. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/errors.h"
#include "cli/out/table.h"
#include "cli/profile/profile.h"
#include "cli/say/expected.h"

enum { FEW = 3 };
static const double near = 0.6; /* as kernels: docs/profiles/placed.md */

/* "llama 8B Q4_K - Medium, prompt 512, generated 128, batch 16 on 2 devices" */
static void run_title(const roof_model_run *run, text_out *out) {
    char number[NUMBER_SIZE];
    text_add(out, "%s", run->model ? run->model : "a model");
    if (run->weights && (!run->model || !strstr(run->model, run->weights)))
        text_add(out, " %s", run->weights);
    if (run->engine)
        text_add(out, " in %s", run->engine);
    if (run->prompt > 0)
        text_add(out, ", prompt %s", number_whole(run->prompt, number));
    if (run->generate > 0)
        text_add(out, ", generated %s", number_whole(run->generate, number));
    if (run->depth > 0)
        text_add(out, ", depth %s", number_whole(run->depth, number));
    if (run->concurrency > 1)
        text_add(out, ", %s at once", number_whole(run->concurrency, number));
    if (run->tensor > 1)
        text_add(out, ", on %s devices", number_whole(run->tensor, number));
}

static void phase_row(const char *name, const struct roof_run_phase *phase, const profile_expected *expected,
                      bool expects, table_grid *table) {
    char number[NUMBER_SIZE];
    bool above = phase->fraction > 1.005;
    table_row(table);
    table_cell_add(table, PAINT_NONE, "  %s", name);
    table_text(table, number_three(phase->measured, number));
    if (!(phase->bound > 0))
        return;
    table_text(table, number_three(phase->bound, number));
    table_cell_add(table,
                   above                     ? PAINT_RED
                   : phase->fraction >= near ? PAINT_GREEN
                                             : PAINT_YELLOW,
                   "%s", number_percent(phase->fraction, number));
    table_text(table, above ? "-" : number_factor(phase->headroom, number));
    if (expects && expected->rate > 0) {
        char rate[NUMBER_SIZE], low[NUMBER_SIZE], high[NUMBER_SIZE];
        table_cell_add(table, PAINT_NONE, "%s (%s-%s)", number_three(expected->rate, rate),
                       number_three(expected->low, low), number_three(expected->high, high));
    } else if (expects) {
        table_text(table, "-");
    }
    table_cell_add(table, text_bound_paint(phase->limit), "%s%s", roof_bound_name(phase->limit), above ? "!" : "");
}

/* With many runs what a model is judged by is said once. */
static bool said_before(const profile_question *question, const profile_run *run) {
    const roof_model_run *of = run->placed.run;
    for (const profile_run *other = question->runs; question->run_count > FEW && other < run; other++)
        if (other->model == run->model && fabs(other->placed.run->parameters - of->parameters) < 1 &&
            fabs(other->placed.run->model_bytes - of->model_bytes) < 1)
            return true;
    return false;
}

static void say_judged_by(const profile_run *run, text_out *out) {
    char line[240], number[NUMBER_SIZE], size[NUMBER_SIZE];
    const roof_model_run *of = run->placed.run;
    if (!run->model && !(run->placed.prefill.bound > 0) && !(run->placed.decode.bound > 0))
        return; /* the words say why there is no bound */
    if (run->model)
        snprintf(line, sizeof line, "judged as %.80s, operation by operation; expected in engine %s", run->model->name,
                 roof_engine_name(run->engine));
    else if (of->model_bytes > 0 && of->parameters > 0)
        snprintf(line, sizeof line,
                 "judged by its size: %s per token and 2 x %s parameters; --model NAME is more exact",
                 number_si(of->model_bytes, "B", size), number_si(of->parameters, "", number));
    else if (of->parameters > 0)
        snprintf(line, sizeof line, "judged by its %s parameters; --model NAME is more exact",
                 number_si(of->parameters, "", number));
    else if (of->model_bytes > 0)
        snprintf(line, sizeof line, "judged by its size, %s per token; --model NAME is more exact",
                 number_si(of->model_bytes, "B", size));
    else
        return;
    text_add(out, "    ");
    text_start(out, PAINT_DIM);
    text_wrap(out, 4, 4, line);
    text_stop(out, PAINT_DIM);
}

static void say_phase(const char *name, const struct roof_run_phase *phase, text_out *out) {
    if (!phase->words[0])
        return;
    text_add(out, "    %s: ", name);
    text_wrap(out, 6 + (int)strlen(name), 6, phase->words);
}

static void print_block(const profile_question *question, const profile_run *run, text_out *out) {
    const roof_run_verdict *placed = &run->placed;
    text_out title = {0};
    table_grid table = {0};
    bool expects = run->prefill.rate > 0 || run->decode.rate > 0;
    run_title(placed->run, &title);
    text_add(out, "\n  ");
    text_start(out, PAINT_BOLD);
    text_wrap(out, 2, 4, title.bytes);
    text_stop(out, PAINT_BOLD);
    text_free(&title);
    table_column_add(&table, NULL, "l", "%s", "");
    table_heads(&table, ":tok/s", ":at the roof", ":of roof", ":headroom");
    if (expects)
        table_column_add(&table, NULL, "", "expected (80%%)");
    table_column_add(&table, NULL, "lw", "bound");
    if (placed->has_prefill)
        phase_row("prefill", &placed->prefill, &run->prefill, expects, &table);
    if (placed->has_decode)
        phase_row("decode", &placed->decode, &run->decode, expects, &table);
    if (table.row_count > 0)
        table_print(&table, out);
    table_free(&table);
    if (question->settings->explain || question->run_count <= FEW) {
        say_phase("prefill", &placed->prefill, out);
        say_phase("decode", &placed->decode, out);
    }
    if (!said_before(question, run))
        say_judged_by(run, out);
    if (placed->diagnosis[0]) {
        char words[sizeof placed->diagnosis + 80];
        int used = snprintf(words, sizeof words, "%s", placed->diagnosis);
        if (placed->remedy != ROOF_REMEDY_NONE)
            used += snprintf(words + used, sizeof words - (size_t)used, "; ");
        remedy_words(placed->remedy, "", words + used, sizeof words - (size_t)used);
        text_paragraph(out, 4, 4, words);
    }
}

/* ---- where to work ---- */

typedef struct worst_phase {
    const struct roof_run_phase *phase;
    const char *name;
} worst_phase;

static void keep(worst_phase *to, const struct roof_run_phase *phase, const char *name, bool largest) {
    if (phase->headroom > 0 && phase->fraction <= 1.005 &&
        (!to->phase || (phase->headroom > to->phase->headroom) == largest))
        *to = (worst_phase){phase, name};
}

static void print_signature(const profile_question *question, text_out *out) {
    worst_phase far = {0}, close = {0};
    char number[NUMBER_SIZE];
    for (size_t i = 0; i < question->run_count; i++) {
        const roof_run_verdict *placed = &question->runs[i].placed;
        if (placed->has_decode) {
            keep(&far, &placed->decode, "decode", true);
            keep(&close, &placed->decode, "decode", false);
        }
        if (placed->has_prefill) {
            keep(&far, &placed->prefill, "prefill", true);
            keep(&close, &placed->prefill, "prefill", false);
        }
    }
    text_add(out, "\n");
    advice_begin(ROOF_EFFECT_HELPS, PAINT_GREEN, out);
    if (far.phase && far.phase->fraction < near)
        text_add(out, "%s has %s to its %s roof\n", far.name, number_factor(far.phase->headroom, number),
                 roof_bound_name(far.phase->limit));
    else
        text_add(out, far.phase ? "no phase is far below its roof\n" : "naming the model: --model NAME\n");
    advice_begin(ROOF_EFFECT_WASTE, PAINT_DIM, out);
    if (close.phase && close.phase->fraction >= near)
        text_add(out, "%s is at %s of its %s roof\n", close.name, number_percent(close.phase->fraction, number),
                 roof_bound_name(close.phase->limit));
    else
        text_add(out, close.phase ? "no phase is near its roof\n" : "nothing could be judged\n");
}

void profile_run_text(const profile_question *question, text_out *out) {
    size_t top = question->settings->profile.top > 0 ? (size_t)question->settings->profile.top : PROFILE_TOP;
    char number[NUMBER_SIZE];
    for (size_t i = 0; i < question->run_count && i < top; i++)
        print_block(question, &question->runs[i], out);
    if (question->run_count > top) {
        text_add(out, "\n  ");
        text_paint(out, PAINT_DIM, "and %s more run%s: --top %zu",
                   number_whole((double)(question->run_count - top), number), question->run_count - top == 1 ? "" : "s",
                   question->run_count);
        text_add(out, "\n");
    }
    if (question->count == 0)
        print_signature(question, out);
}
