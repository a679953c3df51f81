/* The answer of `roofline measure` in words: compute, memory, what disturbed it, and where it was saved. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/measure/measure.h"
#include "cli/out/number.h"
#include "cli/out/table.h"
#include "cli/say/explain.h"

enum { SENTENCE = 400 };

/* ---- which series ---- */

static bool is_device(const roof_measurement *measurement) {
    return measure_cores(measurement) != measurement->threads;
}

/* Told apart by node: not what the tables are about. */
static bool is_plain(const roof_sample *sample) {
    return sample->from_node < 0 && sample->to_node < 0;
}

static bool same_work(const roof_sample *a, const roof_sample *b) {
    return a->pattern == b->pattern && a->unit == b->unit && a->dtype == b->dtype && strcmp(a->isa, b->isa) == 0;
}

/* The best series of the same work with so many threads. */
static const roof_sample *find_work(const roof_measurement *measurement, const roof_sample *like, int threads) {
    const roof_sample *best = NULL;
    for (size_t i = 0; i < measurement->sample_count; i++) {
        const roof_sample *sample = &measurement->samples[i];
        if (is_plain(sample) && sample->threads == threads && same_work(sample, like) &&
            (!best || sample->value > best->value))
            best = sample;
    }
    return best;
}

static const roof_sample *find_memory(const roof_measurement *measurement, roof_pattern pattern, roof_level level,
                                      int threads) {
    const roof_sample *best = NULL;
    for (size_t i = 0; i < measurement->sample_count; i++) {
        const roof_sample *sample = &measurement->samples[i];
        bool time = roof_pattern_is_time(pattern);
        if (is_plain(sample) && sample->threads == threads && sample->pattern == pattern && sample->level == level &&
            (!best || (time ? sample->value < best->value : sample->value > best->value)))
            best = sample;
    }
    return best;
}

/* ---- compute ---- */

/* G/s; a star before what became the roof. */
static void sample_cell(table_grid *table, const roof_measurement *measurement, const roof_sample *sample) {
    char number[NUMBER_SIZE];
    bool roof = sample && measure_is_roof(measurement, sample);
    if (sample)
        table_cell_add(table, roof ? PAINT_BOLD : PAINT_NONE, "%s%s", roof ? "*" : "",
                       number_three(sample->value * 1e-9, number));
    else
        table_cell_add(table, PAINT_DIM, "-");
}

/* The FMA row of a data type: what other tools call its peak. The best of them. */
static bool is_best_fma(const roof_measurement *measurement, const roof_sample *sample) {
    if (sample->pattern != ROOF_PATTERN_FMA)
        return false;
    for (size_t i = 0; i < measurement->sample_count; i++) {
        const roof_sample *other = &measurement->samples[i];
        if (is_plain(other) && other->threads == sample->threads && other->pattern == sample->pattern &&
            other->unit == sample->unit && other->dtype == sample->dtype && other->value > sample->value)
            return false;
    }
    return true;
}

typedef struct work_list {
    const roof_sample **items; /* one of each work, with the most threads */
    size_t count;
} work_list;

static int by_dtype(const void *a, const void *b) {
    const roof_sample *x = *(const roof_sample *const *)a, *y = *(const roof_sample *const *)b;
    if (x->unit != y->unit)
        return x->unit < y->unit ? -1 : 1;
    if (x->dtype != y->dtype)
        return x->dtype < y->dtype ? -1 : 1;
    return x->value > y->value ? -1 : x->value < y->value;
}

static bool is_listed(const work_list *list, const roof_sample *sample) {
    for (size_t i = 0; i < list->count; i++)
        if (same_work(list->items[i], sample))
            return true;
    return false;
}

/* The work that became a roof, and plain FMA. */
static work_list best_work(const roof_measurement *measurement) {
    work_list list = {keep_or_die(calloc(measurement->sample_count + 1, sizeof *list.items)), 0};
    for (size_t i = 0; i < measurement->sample_count; i++) {
        const roof_sample *sample = &measurement->samples[i];
        if (!roof_pattern_is_compute(sample->pattern) || !is_plain(sample) || is_listed(&list, sample) ||
            !(measure_is_roof(measurement, sample) || is_best_fma(measurement, sample)))
            continue;
        const roof_sample *all = find_work(measurement, sample, measure_cores(measurement));
        list.items[list.count++] = all ? all : sample;
    }
    qsort(list.items, list.count, sizeof *list.items, by_dtype);
    return list;
}

static void cores_columns(const roof_measurement *measurement, const char *group, table_grid *table) {
    int most = measure_cores(measurement);
    if (most > 1)
        table_column_add(table, group, "w", "1 core");
    if (is_device(measurement))
        table_column_add(table, group, "w", "device");
    else
        table_column_add(table, group, most > 1 ? "" : "w", "%d core%s", most, most > 1 ? "s" : "");
}

static void compute_row(const roof_measurement *measurement, const roof_sample *work, table_grid *table) {
    char number[NUMBER_SIZE];
    int most = measure_cores(measurement);
    const roof_sample *one = find_work(measurement, work, 1), *all = find_work(measurement, work, most);
    const roof_sample *timed = one ? one : work;
    table_row(table);
    table_cell_add(table, PAINT_NONE, "%s%s", roof_dtype_name(work->dtype), work->unit == ROOF_MATRIX ? " matrix" : "");
    table_cell_add(table, PAINT_NONE, "%s %s", work->isa, roof_pattern_name(work->pattern));
    if (most > 1)
        sample_cell(table, measurement, one);
    sample_cell(table, measurement, all);
    table_text(table, timed->per_cycle > 0 ? number_three(timed->per_cycle, number) : "-");
    table_text(table, timed->clock > 0 ? number_three(timed->clock * 1e-9, number) : "-");
}

static void compute_table(const roof_measurement *measurement, text_out *out) {
    work_list list = best_work(measurement);
    table_grid table = {0};
    table_heads(&table, "l:compute", "ls:by");
    cores_columns(measurement, "GFLOP/s (GOP/s)", &table);
    if (!is_device(measurement)) {
        table_column_add(&table, "one core", "w", "a cycle");
        table_column_add(&table, "one core", "", "GHz");
    }
    for (size_t i = 0; i < list.count; i++)
        compute_row(measurement, list.items[i], &table);
    if (list.count > 0) {
        table_print(&table, out);
        text_add(out, "\n");
    }
    table_free(&table);
    free(list.items);
}

/* ---- memory ---- */

enum { MEMORY_RATES = 5 };
static const char *const rate_names[MEMORY_RATES] = {"load", "store", "copy", "triad", "update"};

typedef struct memory_row {
    const char *name;
    roof_pattern rates[MEMORY_RATES]; /* COUNT: has none */
} memory_row;

static const memory_row plain_stores = {
    "", {ROOF_PATTERN_LOAD, ROOF_PATTERN_STORE, ROOF_PATTERN_COPY, ROOF_PATTERN_TRIAD, ROOF_PATTERN_UPDATE}};
static const memory_row streaming = {
    " nt",
    {ROOF_PATTERN_COUNT, ROOF_PATTERN_STORE_NT, ROOF_PATTERN_COPY_NT, ROOF_PATTERN_TRIAD_NT, ROOF_PATTERN_COUNT}};

static void add_memory_row(const roof_measurement *measurement, const memory_row *row, roof_level level, int threads,
                           table_grid *table) {
    const roof_sample *found[MEMORY_RATES], *any = NULL;
    char set[NUMBER_SIZE], time[NUMBER_SIZE];
    for (size_t i = 0; i < MEMORY_RATES; i++) {
        roof_pattern pattern = row->rates[i];
        found[i] = pattern == ROOF_PATTERN_COUNT ? NULL : find_memory(measurement, pattern, level, threads);
        any = any ? any : found[i];
    }
    if (!any)
        return;
    bool alone = row->rates[0] != ROOF_PATTERN_COUNT && threads <= 1;
    const roof_sample *chase = alone ? find_memory(measurement, ROOF_PATTERN_CHASE, level, threads) : NULL;
    table_row(table);
    table_cell_add(table, PAINT_NONE, "%s%s", roof_level_name(level), row->name);
    table_cell_add(table, PAINT_NONE, is_device(measurement) ? "-" : "%d", threads);
    table_text(table, any->set_bytes > 0 ? number_si(any->set_bytes, "B", set) : "-");
    for (size_t i = 0; i < MEMORY_RATES; i++)
        sample_cell(table, measurement, found[i]);
    table_text(table, chase ? number_three(chase->value * 1e9, time) : "");
}

static void memory_table(const roof_measurement *measurement, text_out *out) {
    table_grid table = {0};
    int most = measure_cores(measurement);
    table_heads(&table, "l:memory", ":cores", ":set");
    for (size_t i = 0; i < MEMORY_RATES; i++)
        table_column_add(&table, "GB/s", i == 0 ? "w" : "", "%s", rate_names[i]);
    table_column_add(&table, "latency", "", "ns");
    for (int level = ROOF_LEVEL_COUNT - 1; level >= 0; level--)
        for (int all = most > 1 ? 0 : 1; all < 2; all++) {
            int threads = all ? most : 1;
            add_memory_row(measurement, &plain_stores, (roof_level)level, threads, &table);
            add_memory_row(measurement, &streaming, (roof_level)level, threads, &table);
        }
    if (table.row_count > 0) {
        table_print(&table, out);
        text_add(out, "\n");
    }
    table_free(&table);
}

/* ---- lines ---- */

static void fact(text_out *out, const char *label, const char *value) {
    text_add(out, "  ");
    text_paint(out, PAINT_BOLD, "%-11s", label);
    text_add(out, " ");
    text_wrap(out, 14, 14, value);
}

static double roof_of(const roof_figure *figure) {
    return figure->origin != ROOF_ORIGIN_UNKNOWN ? figure->value : 0;
}

/* "f64 1.70, f32 3.40 FLOP/B": at fewer FLOPs a byte than that, memory is the limit. */
static void ridge_line(const roof_machine *machine, text_out *out) {
    char line[SENTENCE] = "", number[NUMBER_SIZE];
    size_t used = 0;
    for (int i = 1; i < ROOF_DTYPE_COUNT && used < sizeof line; i++) {
        double ridge = roof_machine_ridge(machine, ROOF_MATRIX, (roof_dtype)i);
        if (ridge > 0 && roof_dtype_math((roof_dtype)i) == (roof_dtype)i)
            used += (size_t)snprintf(line + used, sizeof line - used, "%s%s %s", used ? ", " : "",
                                     roof_dtype_name((roof_dtype)i), number_three(ridge, number));
    }
    if (used > 0 && used + 10 < sizeof line) {
        snprintf(line + used, sizeof line - used, " FLOP/B");
        fact(out, "ridge", line);
    }
}

static size_t add_share(char *line, size_t size, size_t used, const char *what, double one, double all) {
    char percent[NUMBER_SIZE];
    if (one <= 0 || all <= 0 || used >= size)
        return used;
    return used + (size_t)snprintf(line + used, size - used, "%s%s of the %s", used ? ", " : "gets ",
                                   number_percent(one / all, percent), what);
}

static void one_core_line(const roof_measurement *measurement, text_out *out) {
    const roof_machine *all = &measurement->machine, *one = &measurement->one;
    char line[SENTENCE];
    size_t used = 0;
    if (measurement->threads < 2)
        return;
    used = add_share(line, sizeof line, used, "DRAM bandwidth", roof_of(&one->bandwidth[ROOF_DRAM]),
                     roof_of(&all->bandwidth[ROOF_DRAM]));
    used = add_share(line, sizeof line, used, "f64 peak", roof_of(&one->peak[ROOF_VECTOR][ROOF_F64]),
                     roof_of(&all->peak[ROOF_VECTOR][ROOF_F64]));
    if (used > 0)
        fact(out, "one core", line);
}

/* What work costs beside its roofs: copies to a device and back, a start; threads that are woken, or meet. */
static void other_lines(const roof_measurement *measurement, text_out *out) {
    static const char *const means[ROOF_PATTERN_COUNT] = {
        [ROOF_PATTERN_WAKE] = " to wake all threads and wait for them",
        [ROOF_PATTERN_MEET] = " for all threads to meet while they run",
    };
    char value[NUMBER_SIZE], line[96];
    for (size_t i = 0; i < measurement->sample_count; i++) {
        const roof_sample *sample = &measurement->samples[i];
        bool time = roof_pattern_is_time(sample->pattern);
        if (sample->pattern <= ROOF_PATTERN_CHASE)
            continue;
        const char *meaning = means[sample->pattern];
        snprintf(line, sizeof line, "%s%s", number_si(sample->value, time ? "s" : "B/s", value),
                 meaning ? meaning : "");
        fact(out, roof_pattern_name(sample->pattern), line);
    }
}

static void footnotes(const roof_measurement *measurement, text_out *out) {
    bool allocates = false;
    if (measurement->sample_count == 0)
        return;
    for (size_t i = 0; i < measurement->sample_count; i++)
        allocates |= measurement->samples[i].moved > 1;
    text_add(out, "  *: became the roof.");
    if (allocates)
        text_wrap(out, 22, 5,
                  " Bytes are those the pattern names; plain stores that miss also read the lines they write (not "
                  "counted). nt: non-temporal stores, which read none.");
    else
        text_add(out, "\n");
    text_add(out, "\n");
}

static void conditions(const roof_measurement *measurement, text_out *out) {
    for (size_t i = 0; i < measurement->condition_count; i++) {
        const roof_condition *condition = &measurement->conditions[i];
        char line[sizeof *condition + 8];
        snprintf(line, sizeof line, "%s%s%s%s%s", condition->what, condition->cause[0] ? ": " : "", condition->cause,
                 condition->remedy[0] ? "; " : "", condition->remedy);
        text_note(out, PAINT_YELLOW, line);
    }
    if (measurement->condition_count > 0)
        text_add(out, "\n");
}

/* ---- saved and new ---- */

static void diff_table(const measure_question *question, text_out *out) {
    table_grid table = {0};
    char before[NUMBER_SIZE], after[NUMBER_SIZE], ratio[NUMBER_SIZE];
    table_heads(&table, "l:roof", ":cores", "w:saved", ":new", ":ratio");
    for (size_t i = 0; i < question->change_count; i++) {
        const saved_change *change = &question->changes[i];
        bool both = change->before > 0 && change->after > 0;
        table_row(&table);
        table_text(&table, change->name);
        table_cell_add(&table, PAINT_NONE, "%d", change->cores);
        table_text(&table, change->before > 0 ? number_si(change->before, change->unit, before) : "-");
        table_text(&table, change->after > 0 ? number_si(change->after, change->unit, after) : "-");
        table_cell_add(&table, saved_is_worse(change) ? PAINT_RED : PAINT_NONE, "%s",
                       both ? number_factor(change->after / change->before, ratio) : "-");
    }
    text_paint(out, PAINT_BOLD, "Saved %.10s against new\n", question->before->date);
    table_print(&table, out);
    table_free(&table);
    if (strcmp(question->before->cpu, question->result->cpu) != 0) {
        char line[240];
        snprintf(line, sizeof line, "the saved one was measured on %.95s, and this is %.95s", question->before->cpu,
                 question->result->cpu);
        text_note(out, PAINT_YELLOW, line);
    }
    text_add(out, "\n");
}

/* Up to so many of the roofs that are lower now, by name. */
static void worse_line(const measure_question *question, char *line, size_t size) {
    enum { NAMED = 3 };
    size_t worse = measure_worse(question), named = 0;
    char before[NUMBER_SIZE], after[NUMBER_SIZE];
    size_t used = (size_t)snprintf(line, size, "%zu roof%s of this run %s more than 3%% lower than saved: ", worse,
                                   worse == 1 ? "" : "s", worse == 1 ? "is" : "are");
    for (size_t i = 0; i < question->change_count && named < NAMED && used < size; i++) {
        const saved_change *change = &question->changes[i];
        if (!saved_is_worse(change))
            continue;
        used += (size_t)snprintf(line + used, size - used, "%s%s of %d core%s %s, saved %s", named ? "; " : "",
                                 change->name, change->cores, change->cores == 1 ? "" : "s",
                                 change->after > 0 ? number_si(change->after, change->unit, after) : "not measured",
                                 number_si(change->before, change->unit, before));
        named++;
    }
    if (worse > named && used < size)
        used += (size_t)snprintf(line + used, size - used, "; and %zu more", worse - named);
    if (used < size)
        snprintf(line + used, size - used, ". The saved figure%s; --replace saves this run alone",
                 worse == 1 ? " stays" : "s stay");
}

/* What --on takes: "this", "this-opencl-0", or the file. */
static void name_for_on(const measure_question *question, char *buffer, size_t size) {
    const char *device = question->settings->measure.device;
    bool cpu = !device || strcmp(device, "cpu") == 0;
    if (question->settings->save) {
        snprintf(buffer, size, "%.200s", question->path);
        return;
    }
    snprintf(buffer, size, "this%s%s", cpu ? "" : "-", cpu ? "" : device);
    for (char *at = strchr(buffer, ':'); at; at = strchr(at, ':'))
        *at = '-';
}

static void use_line(const measure_question *question, text_out *out) {
    char line[SENTENCE], name[224];
    bool here = !question->settings->save && !question->settings->measure.device;
    name_for_on(question, name, sizeof name);
    if (here)
        snprintf(line, sizeof line, "roofline op triad n=1e8 dtype=f64 (--on this is the default%s)",
                 question->result->threads > 1 ? ", --on this:1 one core" : "");
    else
        snprintf(line, sizeof line, "roofline op triad n=1e8 dtype=f64 --on %s", name);
    fact(out, "use", line);
}

static void outcome(const measure_question *question, text_out *out) {
    char line[SAVED_PATH + SENTENCE];
    switch (question->outcome) {
    case MEASURE_SAVED:
    case MEASURE_MERGED:
        snprintf(line, sizeof line, "%s%s%s", question->path,
                 question->outcome == MEASURE_MERGED ? ", the higher of this run and those before for each roof" : "",
                 question->settings->diff && !question->before ? "; there was none before to compare with" : "");
        fact(out, "saved", line);
        if (question->outcome == MEASURE_MERGED && measure_worse(question) > 0) {
            worse_line(question, line, sizeof line);
            fact(out, "lower", line);
        }
        if (!measure_lacks_memory(question))
            use_line(question, out);
        else
            fact(out, "lacks",
                 "the DRAM bandwidth, which most questions need: measure again on a quiet machine, or "
                 "with more memory");
        return;
    case MEASURE_COMPARED:
        snprintf(line, sizeof line, "%s, as it was; --keep-best or --replace saves", question->path);
        fact(out, "kept", line);
        return;
    case MEASURE_NOT_ASKED:
    case MEASURE_FAILED:
        fact(out, "saved", "nothing");
        return;
    }
}

/* ---- every series ---- */

static void series_row(const roof_measurement *measurement, const roof_sample *sample, table_grid *table) {
    char number[NUMBER_SIZE];
    bool time = roof_pattern_is_time(sample->pattern), computes = roof_pattern_is_compute(sample->pattern);
    table_row(table);
    const char *of = computes                                ? roof_dtype_name(sample->dtype)
                     : sample->pattern <= ROOF_PATTERN_CHASE ? roof_level_name(sample->level)
                                                             : "";
    table_cell_add(table, PAINT_NONE, "%s%s%s %s", of, *of ? " " : "", sample->isa, roof_pattern_name(sample->pattern));
    if (is_plain(sample))
        table_cell_add(table, PAINT_NONE, "%d", sample->threads);
    else
        table_cell_add(table, PAINT_NONE, "%d %d>%d", sample->threads, sample->from_node, sample->to_node);
    table_text(table, sample->set_bytes > 0 ? number_si(sample->set_bytes, "B", number) : "");
    table_cell_add(table, PAINT_NONE, "%s%s", measure_is_roof(measurement, sample) ? "*" : "",
                   number_three(sample->value * (time ? 1e9 : 1e-9), number));
    table_text(table, sample->median > 0 ? number_three(sample->median * (time ? 1e9 : 1e-9), number) : "-");
    table_text(table, sample->spread >= 0 ? number_percent(sample->spread, number) : "-");
    table_cell_add(table, PAINT_NONE, "%zu", sample->window_count);
    table_text(table, sample->window_seconds > 0 ? number_three(sample->window_seconds * 1e6, number) : "-");
    table_cell_add(table, sample->stable ? PAINT_NONE : PAINT_YELLOW, "%s", sample->stable ? "yes" : "no");
}

static void every_series(const roof_measurement *measurement, text_out *out) {
    table_grid table = {0};
    if (measurement->sample_count == 0)
        return;
    text_paint(out, PAINT_BOLD, "Every series, in the order it ran\n");
    table_heads(&table, "ls:series", ":cores", ":set");
    table_column_add(&table, "G/s, or ns", "", "value");
    table_column_add(&table, "G/s, or ns", "", "median");
    table_column_add(&table, NULL, "", "spread");
    table_column_add(&table, "windows", "", "count");
    table_column_add(&table, "windows", "", "us");
    table_column_add(&table, NULL, "", "stable");
    for (size_t i = 0; i < measurement->sample_count; i++)
        series_row(measurement, &measurement->samples[i], &table);
    table_print(&table, out);
    table_free(&table);
    text_add(out, "\n");
}

static void source_line(const roof_figure *figure, const char *name, const char *unit, bool one, text_out *out) {
    char label[48];
    snprintf(label, sizeof label, "%s%s", name, one ? ", one" : "");
    if (figure->origin != ROOF_ORIGIN_UNKNOWN)
        explain_figure(label, figure, unit, 0, out);
}

/* Where each roof came from: of one core (the rows say so), then of all. */
static void sources(const roof_measurement *measurement, text_out *out) {
    char name[32];
    if (measurement->sample_count == 0)
        return;
    text_paint(out, PAINT_BOLD, "Roofs\n");
    for (int one = measure_cores(measurement) > 1; one >= 0; one--) {
        const roof_machine *machine = one ? &measurement->one : &measurement->machine;
        for (int unit = 0; unit < ROOF_UNIT_COUNT; unit++)
            for (int i = 0; i < ROOF_DTYPE_COUNT; i++) {
                snprintf(name, sizeof name, "%s %s", roof_dtype_name((roof_dtype)i), roof_unit_name((roof_unit)unit));
                source_line(&machine->peak[unit][i], name, i >= ROOF_INT32 ? "OP/s" : "FLOP/s", one, out);
            }
        for (int level = 0; level < ROOF_LEVEL_COUNT; level++)
            source_line(&machine->bandwidth[level], roof_level_name((roof_level)level), "B/s", one, out);
    }
    text_add(out, "\n");
}

/* ---- the whole ---- */

static void title(const roof_measurement *measurement, text_out *out) {
    const roof_machine *machine = &measurement->machine;
    const char *name = machine->name ? machine->name : "this machine";
    char number[NUMBER_SIZE];
    roof_dtype dtype = roof_machine_peak(machine, ROOF_VECTOR, ROOF_F64) ? ROOF_F64 : ROOF_F32;
    double ridge = roof_machine_ridge(machine, ROOF_VECTOR, dtype);
    if (ridge > 0)
        text_title(out, name, PAINT_NONE, "%s ridge %s FLOP/B", roof_dtype_name(dtype), number_three(ridge, number));
    else
        text_title(out, name, PAINT_NONE, "measured");
}

void measure_text(const void *context, text_out *out) {
    const measure_question *question = context;
    const roof_measurement *measurement = question->result;
    bool every = question->settings->measure.samples || question->settings->explain;
    title(measurement, out);
    text_add(out, "\n");
    compute_table(measurement, out);
    memory_table(measurement, out);
    footnotes(measurement, out);
    conditions(measurement, out);
    if (question->settings->explain)
        sources(measurement, out);
    if (every)
        every_series(measurement, out);
    if (question->settings->diff && question->before)
        diff_table(question, out);
    ridge_line(&measurement->machine, out);
    one_core_line(measurement, out);
    other_lines(measurement, out);
    outcome(question, out);
}
