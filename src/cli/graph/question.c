/* A graph read once for each combination of its dimensions, every reading judged on every machine. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/graph/graph.h"
#include "cli/out/files.h"
#include "cli/say/above.h"
#include "roofline_read.h"

/* ---- dimensions ---- */

static int read_dimension(graph_question *question, const char *text, roof_error *error) {
    static const range_rule rule = {QUANTITY_COUNT, true, 0, 1e12};
    const char *equals = strchr(text, '=');
    char *name = question->names[question->dimension_count];
    size_t size = sizeof question->names[0];
    if (!equals || equals == text || (size_t)(equals - text) >= size) {
        roof_fail(error, ROOF_EARGUMENT, "--dim '%.60s' is not NAME=VALUE", text);
        roof_hint(error, "write it like --dim batch=8, or --dim batch=1,8,64");
        return -1;
    }
    snprintf(name, size, "%.*s", (int)(equals - text), text);
    for (size_t i = 0; i < question->dimension_count; i++)
        if (strcmp(question->names[i], name) == 0)
            return roof_fail(error, ROOF_EARGUMENT, "--dim gives '%s' twice", name);
    return range_parse(name, equals + 1, &rule, &question->values[question->dimension_count++], error);
}

static size_t readings(const graph_question *question, const range *lists[GRAPH_DIMENSIONS], roof_error *error) {
    for (size_t i = 0; i < question->dimension_count; i++)
        lists[i] = &question->values[i];
    size_t count = range_points(lists, question->dimension_count, error);
    if (count <= GRAPH_READINGS)
        return count;
    roof_fail(error, ROOF_EARGUMENT, "the lists of --dim make %zu readings of the graph, more than %d", count,
              GRAPH_READINGS);
    return 0;
}

static bool is_eager(const cli_settings *settings) {
    return engine_asked(settings, ROOF_ENGINE_GRAPH) == ROOF_ENGINE_EAGER || settings->model.no_fuse;
}

static roof_graph_options options_of(const graph_question *question) {
    return (roof_graph_options){.eager = is_eager(question->settings), .dtype = question->settings->dtype};
}

static int name_graph_file(const char *path, roof_error *error) {
    if (!strstr(error->what, path))
        name_file(path, error);
    return -1;
}

static int read_one(graph_question *question, const roof_dimension *dimensions, roof_error *error) {
    roof_graph_options options = options_of(question);
    options.dimensions = dimensions;
    options.dimension_count = question->dimension_count;
    size_t at = question->reading_count;
    question->graphs[at] = roof_read_graph(question->path, &options, error);
    if (!question->graphs[at])
        return name_graph_file(question->path, error);
    question->reading_count++;
    const roof_graph_info *info = roof_graph_about(question->graphs[at]);
    if (info->most_flops <= info->least_flops && info->most_bytes <= info->least_bytes)
        return 0;
    options.most = true;
    question->most[at] = roof_read_graph(question->path, &options, error);
    return question->most[at] ? 0 : name_graph_file(question->path, error);
}

static int read_graphs(graph_question *question, roof_error *error) {
    const range *lists[GRAPH_DIMENSIONS];
    const text_list *given = &question->settings->model.dimensions;
    for (size_t i = 0; i < given->count; i++)
        if (read_dimension(question, given->items[i], error))
            return -1;
    size_t count = readings(question, lists, error);
    if (count == 0)
        return -1;
    question->graphs = keep_or_die(calloc(count, sizeof *question->graphs));
    question->most = keep_or_die(calloc(count, sizeof *question->most));
    for (size_t i = 0; i < count; i++) {
        double values[GRAPH_DIMENSIONS] = {0};
        roof_dimension dimensions[GRAPH_DIMENSIONS];
        range_point(lists, question->dimension_count, i, values);
        for (size_t k = 0; k < question->dimension_count; k++)
            dimensions[k] = (roof_dimension){question->names[k], values[k]};
        if (read_one(question, dimensions, error))
            return -1;
    }
    return 0;
}

static bool is_swept(const graph_question *question, const char *name) {
    for (size_t i = 0; i < question->dimension_count; i++)
        if (strcmp(question->names[i], name) == 0)
            return question->values[i].count > 1;
    return false;
}

void graph_dimensions_text(const graph_question *question, const roof_graph *graph, bool swept, char *buffer,
                           size_t size) {
    const roof_dimension *dimension;
    char number[NUMBER_SIZE];
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; (dimension = roof_graph_dimension(graph, i)) && used < size; i++)
        if (!swept || is_swept(question, dimension->name))
            used += (size_t)snprintf(buffer + used, size - used, "%s%s=%s", used ? " " : "", dimension->name,
                                     number_plain(dimension->value, number));
}

/* ---- judging ---- */

static int judge(const roof_machine *machine, const roof_graph *graph, roof_sum *sum, roof_error *error) {
    size_t count;
    const roof_operation *operations = roof_graph_operations(graph, &count);
    return roof_judge_operations(machine, operations, count, sum, error);
}

static int expect(const graph_question *question, graph_row *row, roof_error *error) {
    size_t count;
    const roof_operation *operations = roof_graph_operations(row->graph, &count);
    return roof_expect_operations(row->machine, engine_constants_on(&question->constants, row->machine), operations,
                                  count, &row->expected, error);
}

static int judge_rows(graph_question *question, roof_error *error) {
    question->row_count = question->machines.count * question->reading_count;
    question->rows = keep_or_die(calloc(question->row_count, sizeof *question->rows));
    engine_constants_of(question->settings, ROOF_ENGINE_GRAPH, &question->machines, &question->constants);
    for (size_t i = 0; i < question->row_count; i++) {
        graph_row *row = &question->rows[i];
        size_t reading = i % question->reading_count;
        row->machine = &question->machines.list[i / question->reading_count];
        row->graph = question->graphs[reading];
        if (judge(row->machine, row->graph, &row->sum, error) || expect(question, row, error))
            return -1;
        row->most = row->sum;
        if (question->most[reading] && judge(row->machine, question->most[reading], &row->most, error))
            return -1;
    }
    return 0;
}

const graph_row *graph_last_row(const graph_question *question) {
    return &question->rows[question->reading_count - 1];
}

judged_operation *graph_operations(const graph_question *question, const graph_row *row, size_t *count) {
    const roof_operation *operations = roof_graph_operations(row->graph, count);
    return judge_each(row->machine, engine_constants_on(&question->constants, row->machine), operations, *count);
}

roof_dtype graph_math(const roof_graph *graph) {
    size_t count;
    const roof_operation *operations = roof_graph_operations(graph, &count);
    double flops[ROOF_DTYPE_COUNT] = {0};
    roof_dtype best = ROOF_DTYPE_NONE;
    for (size_t i = 0; i < count; i++) {
        roof_dtype dtype = operations[i].matrix_flops > 0 ? operations[i].matrix_dtype : operations[i].vector_dtype;
        flops[dtype] += operations[i].count * roof_operation_flops(&operations[i]);
        if (flops[dtype] > flops[best])
            best = dtype;
    }
    return best;
}

/* ---- advice: the graph read again in another way ---- */

static bool is_batch(const char *name) {
    static const char *const names[] = {"n", "b", "bs"};
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(name, names[i]) == 0)
            return true;
    for (size_t i = 0; i + 5 <= length; i++)
        if (strncasecmp(name + i, "batch", 5) == 0)
            return true;
    return length > 2 && strcmp(name + length - 2, ".0") == 0; /* the first axis of an input without names */
}

typedef struct variant_set {
    roof_variant items[8];
    roof_graph *graphs[8];
    char names[8][64];
    size_t count;
} variant_set;

/* A reading that cannot be made is no idea. */
static void try_reading(const graph_question *question, const roof_graph_options *options, const char *idea,
                        double work, bool cost, variant_set *set) {
    roof_graph *graph = roof_read_graph(question->path, options, NULL);
    if (!graph)
        return;
    roof_variant *variant = &set->items[set->count];
    set->graphs[set->count] = graph;
    snprintf(set->names[set->count], sizeof *set->names, "%s", idea);
    *variant = (roof_variant){.idea = set->names[set->count], .work = work, .cost = cost};
    variant->operations = roof_graph_operations(graph, &variant->count);
    set->count++;
}

/* All batch dimensions doubled together: inputs share a batch. */
static void try_batch(const graph_question *question, roof_dimension *dimensions, const roof_graph_options *as_asked,
                      variant_set *set) {
    char idea[64];
    double batch = 0;
    for (size_t i = 0; i < as_asked->dimension_count; i++)
        if (is_batch(dimensions[i].name)) {
            batch = dimensions[i].value *= 2;
        }
    if (!(batch > 0))
        return;
    roof_graph_options options = *as_asked;
    snprintf(idea, sizeof idea, "batch %.0f", batch);
    try_reading(question, &options, idea, 2, false, set);
    for (size_t i = 0; i < as_asked->dimension_count; i++)
        if (is_batch(dimensions[i].name))
            dimensions[i].value /= 2;
}

static void try_dtypes(const graph_question *question, const roof_graph_options *as_asked, roof_dtype now,
                       variant_set *set) {
    static const roof_dtype dtypes[] = {ROOF_TF32, ROOF_BF16, ROOF_F16, ROOF_FP8};
    char idea[64];
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        roof_graph_options options = *as_asked;
        options.dtype = dtypes[i];
        if (now != ROOF_F32 && roof_dtype_bits(dtypes[i]) >= roof_dtype_bits(now))
            continue;
        if (!roof_machine_peak(graph_last_row(question)->machine, ROOF_MATRIX, dtypes[i]))
            continue;
        snprintf(idea, sizeof idea, dtypes[i] == ROOF_TF32 ? "%s math" : "%s throughout", roof_dtype_name(dtypes[i]));
        try_reading(question, &options, idea, 1, roof_dtype_bits(dtypes[i]) < 16, set);
    }
}

static int ask_advice(graph_question *question, roof_error *error) {
    const graph_row *row = graph_last_row(question);
    roof_dimension dimensions[64];
    const roof_dimension *dimension;
    variant_set set = {.count = 0};
    roof_graph_options options = options_of(question);
    size_t operation_count;
    for (size_t i = 0; i < 64 && (dimension = roof_graph_dimension(row->graph, i)); i++)
        dimensions[options.dimension_count++] = *dimension;
    options.dimensions = dimensions;
    try_batch(question, dimensions, &options, &set);
    try_dtypes(question, &options, graph_math(row->graph), &set);
    options.eager = !options.eager;
    try_reading(question, &options, options.eager ? "nothing fused" : "elementwise chains fused", 1, false, &set);
    roof_machine *others = keep_or_die(calloc(MACHINES_BESIDE, sizeof *others));
    size_t other_count = machines_beside(&question->machines, &question->others, row->machine, others);
    const roof_operation *operations = roof_graph_operations(row->graph, &operation_count);
    int count = roof_advise_operations_in(question->constants.engine, row->machine, operations, operation_count,
                                          set.items, set.count, others, other_count, question->advice.items, error);
    question->advice.count = count > 0 ? (size_t)count : 0;
    free(others);
    for (size_t i = 0; i < set.count; i++)
        roof_graph_free(set.graphs[i]);
    return count < 0 ? -1 : 0;
}

/* ---- what was measured, and conditions ---- */

static int read_measured(graph_question *question, roof_error *error) {
    const char *text = question->settings->measured;
    char measured[NUMBER_SIZE], least[NUMBER_SIZE];
    if (!text)
        return 0;
    if (question->row_count != 1)
        return roof_fail(error, ROOF_EARGUMENT, "--measured is one measurement, and the lists make %zu points",
                         question->row_count);
    if (number_parse(text, QUANTITY_SECONDS, &question->measured_seconds) || !(question->measured_seconds > 0)) {
        roof_fail(error, ROOF_EARGUMENT, "--measured '%.40s' is not a time", text);
        roof_hint(error, "write it like 1.2ms");
        return -1;
    }
    double seconds = question->rows[0].sum.seconds;
    if (question->measured_seconds >= 0.995 * seconds)
        return 0;
    roof_fail(error, ROOF_EFORMAT, "%s is below the least time of %s: %s cannot run faster on %s",
              number_si(question->measured_seconds, "s", measured), number_si(seconds, "s", least), question->name,
              question->rows[0].machine->id);
    size_t count;
    const roof_operation *operations = roof_graph_operations(question->rows[0].graph, &count);
    roof_hypothesis found[ROOF_HYPOTHESES];
    char words[sizeof error->hint];
    size_t fits =
        roof_operations_hypotheses(question->rows[0].machine, operations, count, question->measured_seconds, found);
    roof_hint(error, "%s", above_words(found, fits, words, sizeof words));
    return -1;
}

int graph_ask(graph_question *question, roof_error *error) {
    const cli_settings *settings = question->settings;
    if (read_graphs(question, error))
        return -1;
    if (settings->model.layers)
        return 0;
    return machines_named(settings, error) || machines_asked(settings, &question->machines, &question->others, error) ||
                   machines_override(&question->machines, settings, graph_math(question->graphs[0]), error) ||
                   judge_rows(question, error) || read_measured(question, error) || ask_advice(question, error)
               ? -1
               : 0;
}

void graph_free(graph_question *question) {
    for (size_t i = 0; i < question->reading_count; i++) {
        roof_graph_free(question->graphs[i]);
        roof_graph_free(question->most[i]);
    }
    for (size_t i = 0; i < question->dimension_count; i++)
        range_free(&question->values[i]);
    free(question->graphs);
    free(question->most);
    free(question->rows);
    machines_free(&question->machines);
    machines_free(&question->others);
    facts_free(&question->facts);
    free(question);
}
