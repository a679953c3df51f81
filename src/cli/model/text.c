/* The answer of `roofline model` in words. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/model/model.h"
#include "cli/out/table.h"
#include "cli/say/explain.h"
#include "roofline_read.h"

/* ---- title and notes ---- */

static void weights_text(const model_question *question, char *buffer, size_t size) {
    const roof_plan *plan = &question->rows[0].plan;
    roof_dtype stored =
        question->source.model->stored != ROOF_DTYPE_NONE ? question->source.model->stored : plan->activations;
    bool given = plan->weights.dtype != ROOF_DTYPE_NONE;
    const char *format = question->main_format[0] ? question->main_format : NULL;
    const char *name = given    ? (plan->weights.name ? plan->weights.name : roof_dtype_name(plan->weights.dtype))
                       : format ? format
                                : roof_dtype_name(stored);
    if (plan->kv_cache != plan->activations)
        snprintf(buffer, size, "%s, %s KV", name, roof_dtype_name(plan->kv_cache));
    else
        snprintf(buffer, size, "%s", name);
}

static void verdict_text(const model_question *question, roof_phase phase, char *buffer, size_t size) {
    roof_bound first = ROOF_BOUND_NONE, last = ROOF_BOUND_NONE;
    for (size_t i = 0; i < question->row_count; i++) {
        if (!question->rows[i].fits)
            continue;
        last = question->rows[i].point[phase].bound;
        if (first == ROOF_BOUND_NONE)
            first = last;
    }
    if (first == last)
        snprintf(buffer, size, "%s %s-bound", roof_phase_name(phase), roof_bound_name(last));
    else
        snprintf(buffer, size, "%s %s- to %s-bound", roof_phase_name(phase), roof_bound_name(first),
                 roof_bound_name(last));
}

static void title(const model_question *question, text_out *out) {
    char weights[64], verdict[64], line[200], on[96];
    roof_phase phase = model_main_phase(question);
    const roof_machine *machine = question->machines.list;
    weights_text(question, weights, sizeof weights);
    verdict_text(question, phase, verdict, sizeof verdict);
    if (question->machines.count > 1)
        snprintf(on, sizeof on, "%zu machines", question->machines.count);
    else
        snprintf(on, sizeof on, "%s", machine->name ? machine->name : machine->id);
    snprintf(line, sizeof line, "%s %s on %s", question->source.name, weights, on);
    text_title(out, line, text_bound_paint(question->last->point[phase].bound), "%s", verdict);
}

/* The longest sequence asked for, when the model was not made for it. */
static void note_length(const model_question *question, text_out *out) {
    double most = question->source.model->context_max, longest = 0;
    char line[160], tokens[NUMBER_SIZE], made[NUMBER_SIZE];
    for (size_t i = 0; i < question->row_count; i++)
        longest = fmax(longest, question->source.model->bidirectional ? question->rows[i].plan.source
                                                                      : roof_plan_tokens(&question->rows[i].plan));
    if (!(most > 0) || longest <= most)
        return;
    snprintf(line, sizeof line, "a sequence of %s tokens is longer than the %s that the model was made for",
             number_whole(longest, tokens), number_whole(most, made));
    text_note(out, PAINT_YELLOW, line);
}

/* Weights kept wider than they are multiplied in: half of every read is for nothing. */
static void note_width(const model_question *question, text_out *out) {
    roof_dtype stored = question->source.model->stored;
    if (question->source.model->layer_count == 0)
        return;
    const roof_plan *plan = &question->rows[0].plan;
    char line[160];
    const roof_format *matrices =
        question->source.model->layers->format; /* stored is the dtype of norms: do they share it? */
    bool same = matrices[ROOF_ROLE_DOWN].dtype == stored || matrices[ROOF_ROLE_STATE].dtype == stored;
    if (plan->weights.dtype != ROOF_DTYPE_NONE || !same ||
        roof_dtype_bits(stored) <= roof_dtype_bits(plan->activations))
        return;
    snprintf(line, sizeof line,
             "weights are read as stored, in %s, and multiplied in %s: --dtype %s narrows them, --dtype %s runs "
             "everything in that type",
             roof_dtype_name(stored), roof_dtype_name(plan->activations), roof_dtype_name(plan->activations),
             roof_dtype_name(stored));
    text_note(out, PAINT_YELLOW, line);
}

/* Cache that every device of a group holds again: what giving each device sequences of its own would save. */
static void note_copies(const model_question *question, text_out *out) {
    const roof_model *model = question->source.model;
    roof_plan plan = question->rows[0].plan;
    double devices = plan.tensor, split = roof_model_kv_bytes_per_token(model, &plan);
    char line[200], times[NUMBER_SIZE];
    plan.tensor = 1;
    double whole = roof_model_kv_bytes_per_token(model, &plan);
    if (!(devices > 1) || !(split > 0) || split * devices < 1.01 * whole)
        return;
    snprintf(line, sizeof line,
             "tensor parallelism %s the KV cache over the %.0f devices; attention data-parallel would hold %s of it",
             split > 0.99 * whole ? "does not split" : "splits only a part of", devices,
             number_factor(split * devices / whole, times));
    text_note(out, PAINT_YELLOW, line);
}

static void notes(const model_question *question, text_out *out) {
    roof_error misfit;
    char line[600];
    bool said = false, at_least = false, no_size = false;
    for (size_t i = 0; i < question->row_count; i++) {
        const model_row *row = &question->rows[i];
        for (int phase = 0; phase < ROOF_PHASE_COUNT; phase++)
            at_least |= row->point[phase].sum.at_least; /* of phases not asked: zero */
        no_size |= !(row->memory.capacity > 0);
        if (row->fits || said)
            continue;
        fail_fit(row, &misfit);
        snprintf(line, sizeof line, "%s; %s", misfit.what, misfit.hint);
        text_note(out, PAINT_RED, line);
        said = true;
    }
    machines_notes(&question->machines, out);
    for (size_t i = 0; i < roof_model_file_warnings(question->source.file); i++)
        text_note(out, PAINT_YELLOW, roof_model_file_warning(question->source.file, i));
    note_width(question, out);
    note_copies(question, out);
    note_length(question, out);
    if (question->source.model->not_counted) {
        snprintf(line, sizeof line, "not counted: %s", question->source.model->not_counted);
        text_note(out, PAINT_YELLOW, line);
    }
    if (question->no_patches)
        text_note(out, PAINT_YELLOW,
                  "the vision tower is not judged, since images have no fixed size: --image-tokens 1024 gives one");
    if (at_least && !question->parameters.bytes_unknown)
        text_note(out, PAINT_YELLOW, "some costs are unknown and left out: true times are longer");
    if (question->parameters.bytes_unknown)
        text_note(out, PAINT_YELLOW, "a weight format is unknown: true bytes and times are larger");
    if (no_size)
        text_note(out, PAINT_YELLOW,
                  "the memory size is unknown, so the fit cannot be checked; --capacity 64GB sets it");
}

/* ---- the table ---- */

static bool shows_axis(const model_question *question, int axis) {
    return axis == AXIS_BATCH || model_axis(question->settings, axis)->count > 1;
}

typedef struct column_scale { /* how a column of rates is written: "62.6k" when all are large */
    double factor;
    const char *suffix;
} column_scale;

/* Tokens a second; images of a vision tower. */
static double rate_of(const model_row *row, int phase) {
    double rate = row->point[phase].tokens_per_second;
    return phase == ROOF_PHASE_VISION && row->plan.patches > 0 ? rate / row->plan.patches : rate;
}

static column_scale rate_scale(const model_question *question, roof_phase phase, bool expected) {
    double least = HUGE_VAL;
    for (size_t i = 0; i < question->row_count; i++) {
        const model_row *row = &question->rows[i];
        double slower = expected ? row->point[phase].seconds / row->expected[phase].seconds : 1;
        if (row->fits)
            least = fmin(least, rate_of(row, phase) * slower);
    }
    if (least >= 1e7)
        return (column_scale){1e-6, "M"};
    return least >= 1e4 ? (column_scale){1e-3, "k"} : (column_scale){1, ""};
}

/* That of the expected times: a step of next to no work has a bound that is far below what launches alone take. */
static number_unit time_unit(const model_question *question, roof_phase phase) {
    double *values = keep_or_die(calloc(question->row_count, sizeof *values));
    for (size_t i = 0; i < question->row_count; i++)
        values[i] = question->rows[i].fits ? question->rows[i].expected[phase].seconds : 0;
    number_unit unit = number_column(values, question->row_count);
    free(values);
    return unit;
}

/* What of a phase's table there is room for. */
typedef struct phase_columns {
    roof_phase phase;
    column_scale rate, expected_rate;
    number_unit time;
    bool intensity, range, memory;
} phase_columns;

static void add_axes(const model_question *question, const phase_columns *columns, table_grid *table) {
    static const char *const groups[] = {"prefill", "decode ", "encode ", "vision "};
    const char *group = groups[columns->phase];
    if (question->machines.count > 1)
        table_column_add(table, group, "ls", "machine");
    for (int axis = 0; axis < AXIS_COUNT; axis++)
        if (shows_axis(question, axis))
            table_column_add(table, group, "", "%s", model_axis_name(axis));
}

static void add_memory(const model_question *question, table_grid *table) {
    char capacity[NUMBER_SIZE];
    if (question->machines.count > 1 || !(question->rows[0].memory.capacity > 0))
        table_column_add(table, "memory", "w", "GB");
    else
        table_column_add(table, "memory", "w", "of %s GB",
                         number_three(question->rows[0].memory.capacity * 1e-9, capacity));
}

static void add_columns(const model_question *question, const phase_columns *columns, table_grid *table) {
    static const char bound[] = "at most", expected[] = "expected";
    const char *rate = columns->phase == ROOF_PHASE_VISION ? "images/s" : " tok/s";
    char time[16];
    snprintf(time, sizeof time, columns->phase == ROOF_PHASE_DECODE ? "%ss/step" : "     %ss", columns->time.prefix);
    add_axes(question, columns, table);
    table_column_add(table, NULL, "lw", "bound  ");
    if (columns->intensity)
        table_column_add(table, NULL, "", "FLOP/B");
    table_column_add(table, bound, "w", "%s", rate);
    table_column_add(table, bound, "", "%s", time);
    table_column_add(table, expected, "w", "%s", rate);
    table_column_add(table, expected, "", "%s", time);
    if (columns->range)
        table_column_add(table, expected, "l", "80%% interval");
    if (columns->memory)
        add_memory(question, table);
}

static void rate_cell(column_scale scale, double rate, table_grid *table) {
    char number[NUMBER_SIZE];
    table_cell_add(table, PAINT_NONE, "%s%s", number_three(rate * scale.factor, number), scale.suffix);
}

static void time_cell(const phase_columns *columns, double seconds, table_grid *table) {
    char number[NUMBER_SIZE];
    table_text(table, number_three(seconds * columns->time.factor, number));
}

static void misfit_cells(const phase_columns *columns, table_grid *table) {
    table_cell_add(table, PAINT_RED, "does not fit");
    for (int i = 0; i < 4 + columns->intensity + columns->range; i++)
        table_text(table, "");
}

static void phase_cells(const model_row *row, const phase_columns *columns, table_grid *table) {
    char number[EXPECTED_SIZE];
    const roof_point *point = &row->point[columns->phase];
    const roof_expected *expected = &row->expected[columns->phase];
    double rate = rate_of(row, columns->phase);
    table_cell_add(table, text_bound_paint(point->bound), "%s", roof_bound_name(point->bound));
    if (columns->intensity)
        table_text(table, isfinite(point->intensity) ? number_three(point->intensity, number) : "-");
    rate_cell(columns->rate, rate, table);
    time_cell(columns, point->seconds, table);
    rate_cell(columns->expected_rate, rate * point->seconds / expected->seconds, table);
    time_cell(columns, expected->seconds, table);
    if (columns->range)
        table_cell_add(table, PAINT_NONE, "%.40s", expected_range(expected, columns->time.factor, number));
}

static void add_row(const model_question *question, const model_row *row, const phase_columns *columns,
                    table_grid *table) {
    char number[NUMBER_SIZE];
    table_row(table);
    if (question->machines.count > 1)
        table_text(table, row->machine->id);
    for (int axis = 0; axis < AXIS_COUNT; axis++)
        if (shows_axis(question, axis))
            table_text(table, number_whole(model_axis_value(&row->plan, axis), number));
    if (row->fits)
        phase_cells(row, columns, table);
    else
        misfit_cells(columns, table);
    if (columns->memory)
        table_cell_add(table, row->fits ? PAINT_NONE : PAINT_RED, "%s%s",
                       question->parameters.bytes_unknown ? ">=" : "", number_three(row->memory.total * 1e-9, number));
}

static table_grid phase_table(const model_question *question, const phase_columns *columns) {
    table_grid table = {0};
    add_columns(question, columns, &table);
    for (size_t i = 0; i < question->row_count; i++)
        add_row(question, &question->rows[i], columns, &table);
    return table;
}

/* What goes first where columns are short: of several rows the range, which is the same share of each time; of one the
 * intensity, which the sentence below says, too. */
static bool narrower(const model_question *question, phase_columns *columns) {
    bool one = question->row_count == 1, *first = one ? &columns->intensity : &columns->range,
         *second = one ? &columns->range : &columns->intensity, any = *first || *second;
    if (!*first)
        *second = false;
    *first = false;
    return any;
}

static int width_of(const model_question *question, const phase_columns *columns) {
    table_grid table = phase_table(question, columns);
    int width = table_width(&table);
    table_free(&table);
    return width;
}

/* A table a phase, in the order in which they run, all with the same columns; the last says what the plan takes of
 * memory. */
static void print_tables(const model_question *question, text_out *out) {
    phase_columns columns[ROOF_PHASE_COUNT];
    size_t count = 0;
    int phase;
    for (; (phase = model_phase(question, count)) >= 0; count++)
        columns[count] = (phase_columns){.phase = (roof_phase)phase,
                                         .rate = rate_scale(question, (roof_phase)phase, false),
                                         .expected_rate = rate_scale(question, (roof_phase)phase, true),
                                         .time = time_unit(question, (roof_phase)phase),
                                         .intensity = true,
                                         .range = true,
                                         .memory = model_phase(question, count + 1) < 0};
    for (size_t i = 0; i < count; i++)
        while (width_of(question, &columns[i]) > TEXT_COLUMNS && narrower(question, &columns[i]))
            for (size_t k = 0; k < count; k++) {
                columns[k].range = columns[i].range;
                columns[k].intensity = columns[i].intensity;
            }
    for (size_t i = 0; i < count; i++) {
        table_grid table = phase_table(question, &columns[i]);
        text_add(out, i ? "\n" : "");
        table_print(&table, out);
        table_free(&table);
    }
}

/* ---- the lines under it ---- */

/* "engine: serving (vLLM ...) (change with --engine); measured runs fall within 0.68-1.46x in prefill (80% interval)"
 */
static void engine_line(const model_question *question, text_out *out) {
    const engine_constants *of = &question->constants;
    text_out line = {0};
    int phase;
    text_add(&line, "%s (%s)%s%s%s; measured runs fall within ", roof_engine_name(of->engine),
             roof_engine_summary(of->engine), of->why ? ", " : "", of->why ? of->why : "",
             of->given ? "" : " (change with --engine)");
    for (size_t n = 0; (phase = model_phase(question, n)) >= 0; n++) {
        const roof_expected *expected = &question->last->expected[phase];
        text_add(&line, "%s%.2f-%.2fx in %s", n ? ", " : "", expected->low / expected->seconds,
                 expected->high / expected->seconds, roof_phase_name((roof_phase)phase));
    }
    text_add(&line, " (80%% interval)");
    if (!engine_constants_on(of, question->last->machine)->known_machine)
        text_add(&line, ", wide because no runs on such a machine were available");
    text_add(out, "  engine: ");
    text_wrap(out, 10, 4, line.bytes);
    text_free(&line);
}

/* Where a state takes memory the parts are told apart: it does not grow with the context, a cache does. */
static void memory_line(const model_question *question, text_out *out) {
    const roof_memory *memory = &question->last->memory;
    char weights[NUMBER_SIZE], state[NUMBER_SIZE], cache[NUMBER_SIZE], activations[NUMBER_SIZE], line[240],
        each[NUMBER_SIZE];
    double batch = question->last->plan.batch, grows = memory->kv_cache - memory->state;
    if (!(memory->state > 0))
        return;
    int used = snprintf(line, sizeof line, "%s of weights, %s of state (%s per sequence at any context)",
                        number_si(memory->weights, "B", weights), number_si(memory->state, "B", state),
                        number_si(memory->state / batch, "B", each));
    if (grows > 0)
        used += snprintf(line + used, sizeof line - (size_t)used, ", %s of KV cache", number_si(grows, "B", cache));
    snprintf(line + used, sizeof line - (size_t)used, ", %s of activations",
             number_si(memory->activations, "B", activations));
    text_add(out, "  memory: ");
    text_wrap(out, 10, 4, line);
}

static void because(const model_question *question, text_out *out) {
    char line[600];
    const model_row *row = question->last;
    int phase;
    for (size_t n = 0; (phase = model_phase(question, n)) >= 0; n++) {
        roof_point_because(row->machine, question->source.model, &row->plan, &row->point[phase], line, sizeof line);
        text_paragraph(out, 2, 4, line);
    }
}

typedef struct batch_mark {
    double batch; /* 0: does not exist */
    const char *what, *never, *why;
} batch_mark;

static int by_batch(const void *a, const void *b) {
    double left = ((const batch_mark *)a)->batch, right = ((const batch_mark *)b)->batch;
    if (!(left > 0) || !(right > 0))
        return (left > 0 ? 0 : 1) - (right > 0 ? 0 : 1);
    return left < right ? -1 : left > right;
}

/* What a sequence keeps in memory. */
static const char *cache_word(const model_question *question) {
    const roof_model *model = question->source.model;
    const roof_plan *plan = &question->last->plan;
    if (!(roof_model_state_bytes(model, plan) > 0))
        return "KV cache";
    return roof_model_kv_bytes_per_token(model, plan) > 0 ? "KV cache with the state" : "state";
}

/* The three batches that matter, in the order in which a growing batch meets them. */
static void batching(const model_question *question, text_out *out) {
    const roof_batching *from = &question->batching;
    const char *cache = cache_word(question);
    char outweighs[64], never[64];
    snprintf(outweighs, sizeof outweighs, "the %s outweighs the weights", cache);
    snprintf(never, sizeof never, "the %s never outweighs the weights", cache);
    batch_mark marks[] = {
        {from->kv_equals_weights_batch, outweighs, never, from->kv_why},
        {from->ridge_batch, "the weight matrices turn compute-bound", "the weight matrices never turn compute-bound",
         from->ridge_why},
        {from->capacity_batch, "memory is full", "memory is full at no known batch", from->capacity_why}};
    text_out line = {0};
    char number[NUMBER_SIZE];
    if (!question->asked[ROOF_PHASE_DECODE])
        return;
    if (question->parameters.bytes_unknown) {
        text_add(out, "  batch: no limit is known, because the weight format is unknown\n");
        return;
    }
    qsort(marks, 3, sizeof *marks, by_batch);
    for (int i = 0; i < 3; i++) {
        text_add(&line, "%s", i ? "; " : "");
        if (marks[i].batch > 0)
            text_add(&line, "at %s %s", number_whole(marks[i].batch, number), marks[i].what);
        else
            text_add(&line, "%s (%s)", marks[i].never, marks[i].why ? marks[i].why : "unknown");
    }
    text_add(out, "  batch: ");
    text_wrap(out, 9, 4, line.bytes);
    text_free(&line);
}

static void measured(const model_question *question, text_out *out) {
    char rate[NUMBER_SIZE], share[NUMBER_SIZE], factor[NUMBER_SIZE], bandwidth[NUMBER_SIZE], flops[NUMBER_SIZE],
        times[NUMBER_SIZE], line[300];
    double seconds = question->measured_seconds;
    if (!(seconds > 0))
        return;
    const roof_point *point = &question->rows[0].point[question->measured_phase];
    const roof_expected *expected = &question->rows[0].expected[question->measured_phase];
    snprintf(line, sizeof line,
             "measured: %s tok/s in %s is %s of the roof, %s headroom, and takes %s the expected time; it moved %s and "
             "did %s",
             number_three(point->tokens_per_second * point->seconds / seconds, rate),
             roof_phase_name(question->measured_phase), number_percent(point->seconds / seconds, share),
             number_factor(seconds / point->seconds, factor), number_factor(seconds / expected->seconds, times),
             number_si(point->sum.bytes / seconds, "B/s", bandwidth),
             number_si(point->sum.flops / seconds, "FLOP/s", flops));
    text_paragraph(out, 2, 4, line);
}

static void against(const model_question *question, text_out *out) {
    char line[300];
    roof_phase phase = question->settings->model.phase == PHASE_BOTH && question->asked[ROOF_PHASE_PREFILL]
                           ? ROOF_PHASE_PREFILL
                           : model_main_phase(question);
    if (!(question->settings->against > 0))
        return;
    roof_count_diagnose(&question->last->point[phase].sum, question->settings->against, line, sizeof line);
    text_add(out, "  %s: ", roof_phase_name(phase));
    text_wrap(out, 4 + (int)strlen(roof_phase_name(phase)), 4, line);
}

/* Several machines at the same plan: each beside the first. */
static void comparison(const model_question *question, text_out *out) {
    size_t points = question->row_count / question->machines.count;
    const model_row *first = question->last;
    text_out line = {0};
    char factor[NUMBER_SIZE], likely[NUMBER_SIZE];
    roof_phase phase = model_main_phase(question);
    bool more = false;
    if (question->machines.count < 2)
        return;
    text_add(&line, "%s at batch %s, %s is 1.00x: ", roof_phase_name(phase), number_whole(first->plan.batch, factor),
             first->machine->id);
    size_t at = (size_t)(first - question->rows) % points;
    for (size_t k = 0; k < question->machines.count; k++) {
        const model_row *row = &question->rows[k * points + at];
        if (row == first)
            continue;
        text_add(&line, "%s%s ", more ? ", " : "", row->machine->id);
        more = true;
        if (row->fits)
            text_add(&line, "%s (expected %s)",
                     number_factor(row->point[phase].tokens_per_second / first->point[phase].tokens_per_second, factor),
                     number_factor(model_expected_rate(row, phase) / model_expected_rate(first, phase), likely));
        else
            text_add(&line, "does not fit");
    }
    text_paragraph(out, 2, 4, line.bytes);
    text_free(&line);
}

/* ---- advice, last ---- */

/* Beside decode's full advice, the best ideas for prefill in one line. */
static void prefill_line(const model_question *question, text_out *out) {
    const advice_set *advice = &question->advice[ROOF_PHASE_PREFILL];
    text_out line = {0};
    char factor[NUMBER_SIZE];
    size_t named = 0;
    for (size_t i = 0; i < advice->count && named < 3; i++)
        if (advice->items[i].effect == ROOF_EFFECT_HELPS && advice->items[i].fits)
            text_add(&line, "%s%s %s", named++ ? ", " : "", advice->items[i].idea,
                     number_factor(advice_factor(&advice->items[i]), factor));
    text_add(out, "  prefill: ");
    if (named > 0)
        text_add(&line, named > 1 ? " help most" : " helps most");
    else
        text_add(&line, "nothing that was tried helps");
    text_add(&line, "; '--phase prefill' says more");
    text_wrap(out, 11, 4, line.bytes);
    text_free(&line);
}

static void advice_of(const model_question *question, roof_phase phase, text_out *out) {
    char place[FACT_PLACE];
    model_row_place(question, question->last, place, sizeof place);
    if (question->settings->explain) {
        text_add(out, "\n  ");
        text_paint(out, PAINT_BOLD, "%s%s%s, idea by idea", roof_phase_name(phase), place[0] ? " " : "", place);
        text_add(out, "\n");
        advice_explain(&question->advice[phase], out);
    }
    text_add(out, "\n");
    if (place[0])
        text_add(out, "  %s %s:\n", roof_phase_name(phase), place);
    if (question->parameters.bytes_unknown)
        text_add(out, "  no idea can be weighed without the weights' format: say it with --weights\n");
    else
        advice_print(&question->advice[phase], out);
}

void model_text(const void *context, text_out *out) {
    const model_question *question = context;
    roof_error error = {0};
    if (!question->last) { /* nothing fits */
        fail_fit(&question->rows[question->row_count - 1], &error);
        text_add(out, "  %s\n  %s\n", error.what, error.hint);
        return;
    }
    title(question, out);
    notes(question, out);
    text_add(out, "\n");
    print_tables(question, out);
    text_add(out, "\n");
    engine_line(question, out);
    model_serving_text(question, question->last, out);
    text_add(out, "\n");
    because(question, out);
    batching(question, out);
    memory_line(question, out);
    if (question->asked[ROOF_PHASE_PREFILL] && question->asked[ROOF_PHASE_DECODE] &&
        !question->parameters.bytes_unknown)
        prefill_line(question, out);
    comparison(question, out);
    measured(question, out);
    against(question, out);
    int phase;
    for (size_t n = 0; question->settings->model.ops && (phase = model_phase(question, n)) >= 0; n++)
        model_operations_table(question, question->last, (roof_phase)phase, out);
    if (question->settings->explain)
        model_explain(question, question->last, out);
    advice_of(question, model_main_phase(question), out);
}
