/* One operation, or a sweep over its parameters, on one machine or several: from words to judged rows.
 *
 *     gemm m=1..4096*4 ...  ->  given[] (a list a parameter)  ->  rows[] (a point on a machine each)  ->  advice */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/errors.h"
#include "cli/op/op.h"
#include "cli/say/above.h"
#include "core/names.h"

/* ---- reading the arguments ---- */

static const char *parameter_at(const void *context, size_t index) {
    return ((const roof_kind_info *)context)->parameters[index].name;
}

static int find_parameter(const roof_kind_info *info, const char *name, size_t *index, roof_error *error) {
    for (*index = 0; *index < info->parameter_count; ++*index)
        if (name_equal(info->parameters[*index].name, name))
            return 0;
    name_list names = {info->parameter_count, parameter_at, info};
    char what[48];
    snprintf(what, sizeof what, "%s parameter", info->name);
    unknown_name(&names, what, name, ROOF_REMEDY_NONE, error);
    roof_suggest(error, ROOF_REMEDY_LIST_PARAMETERS, info->name);
    return -1;
}

static int read_dtypes(const char *name, const char *value, range *out, roof_error *error) {
    char item[40];
    for (const char *at = value;; at++) {
        size_t length = strcspn(at, ",");
        snprintf(item, sizeof item, "%.*s", (int)length, at);
        roof_dtype dtype = roof_dtype_parse(item);
        if (dtype == ROOF_DTYPE_NONE)
            return fail_dtype(name, item, error);
        range_append(out, dtype);
        at += length;
        if (!*at)
            return 0;
    }
}

static int read_flag(const char *name, const char *value, range *out, roof_error *error) {
    static const char *const words[2][4] = {{"0", "no", "false", "off"}, {"1", "yes", "true", "on"}};
    for (int i = 0; i < 8; i++)
        if (strcmp(words[i / 4][i % 4], value) == 0) {
            range_one(out, i / 4);
            return 0;
        }
    return roof_fail(error, ROOF_EARGUMENT, "%s '%.40s' must be yes or no", name, value);
}

static int read_value(const roof_parameter *parameter, const char *value, range *out, roof_error *error) {
    if (parameter->type == ROOF_PARAMETER_DTYPE)
        return read_dtypes(parameter->name, value, out, error);
    if (parameter->type == ROOF_PARAMETER_FLAG)
        return read_flag(parameter->name, value, out, error);
    range_rule rule = {QUANTITY_AMOUNT, parameter->type == ROOF_PARAMETER_COUNT, parameter->least, parameter->most};
    return range_parse(parameter->name, value, &rule, out, error);
}

/* "m=8", or the bare name of a flag. */
static int read_argument(op_question *question, const char *word, roof_error *error) {
    const char *equals = strchr(word, '=');
    char name[48];
    size_t index;
    snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - word) : (int)strlen(word), word);
    if (find_parameter(question->info, name, &index, error))
        return -1;
    const roof_parameter *parameter = &question->info->parameters[index];
    if (!equals && parameter->type != ROOF_PARAMETER_FLAG) {
        roof_fail(error, ROOF_EARGUMENT, "'%.40s' has no value", word);
        roof_hint(error, "write %s=VALUE: %s", parameter->name, parameter->summary);
        return -1;
    }
    if (question->given[index].count > 0)
        return roof_fail(error, ROOF_EARGUMENT, "%s is given twice: '%.40s' comes second", parameter->name, word);
    return read_value(parameter, equals ? equals + 1 : "yes", &question->given[index], error);
}

/* --dtype is the parameter of that name, unless it was given as one. */
static int read_dtype_option(op_question *question, roof_error *error) {
    size_t index;
    if (question->settings->dtype == ROOF_DTYPE_NONE || find_parameter(question->info, "dtype", &index, error))
        return question->settings->dtype == ROOF_DTYPE_NONE ? 0 : -1;
    if (!question->given[index].count)
        range_one(&question->given[index], question->settings->dtype);
    return 0;
}

static int read_arguments(op_question *question, roof_error *error) {
    const cli_settings *settings = question->settings;
    if (settings->word_count == 0) {
        roof_fail(error, ROOF_EARGUMENT, "no operation is named");
        roof_hint(error, "roofline op gemm m=8 n=14336 k=4096 --on h100-sxm; 'roofline ops' lists all");
        return -1;
    }
    if (roof_kind_find(settings->words[0], &question->kind, error))
        return -1;
    question->info = roof_kind_describe(question->kind);
    for (size_t i = 1; i < settings->word_count; i++)
        if (read_argument(question, settings->words[i], error))
            return -1;
    return read_dtype_option(question, error);
}

static int read_measured(op_question *question, roof_error *error) {
    const char *text = question->settings->measured;
    double rate, *measured = &question->rows[0].measured;
    if (!text || number_parse(text, QUANTITY_SECONDS, measured) == 0)
        return text && !(*measured > 0) ? roof_fail(error, ROOF_EARGUMENT, "--measured '%.40s' is not above zero", text)
                                        : 0;
    double flops = roof_operation_flops(&question->rows[0].operation);
    if (number_parse(text, QUANTITY_RATE, &rate) == 0 && rate > 0 && flops > 0) {
        *measured = flops / rate;
        return 0;
    }
    roof_fail(error, ROOF_EARGUMENT, "--measured '%.40s' must be a time or a rate", text);
    roof_hint(error, "write it like 50us or 20TFLOP/s");
    return -1;
}

/* ---- judging ---- */

/* After the machines have the figures of the command line, and where a run found its data. */
static int expect_rows(op_question *question, roof_error *error) {
    engine_constants_of(question->settings, ROOF_ENGINE_ALONE, &question->machines, &question->constants);
    for (size_t i = 0; i < question->row_count; i++) {
        op_row *row = &question->rows[i];
        if (roof_expect(row->machine, engine_constants_on(&question->constants, row->machine), &row->operation,
                        &row->expected, error))
            return -1;
    }
    return 0;
}

static size_t fill_arguments(const op_question *question, const double *values, roof_argument *out) {
    size_t count = 0;
    for (size_t i = 0; i < question->info->parameter_count; i++) {
        if (!question->given[i].count)
            continue;
        bool dtype = question->info->parameters[i].type == ROOF_PARAMETER_DTYPE;
        out[count++] = (roof_argument){question->info->parameters[i].name, dtype ? 0 : values[i],
                                       dtype ? (roof_dtype)values[i] : ROOF_DTYPE_NONE};
    }
    return count;
}

static int judge_rows(op_question *question, roof_error *error) {
    const range *lists[PARAMETER_MAX];
    size_t parameters = question->info->parameter_count;
    for (size_t i = 0; i < parameters; i++)
        lists[i] = &question->given[i];
    size_t points = range_points(lists, parameters, error);
    if (points == 0)
        return -1;
    question->rows = keep_or_die(calloc(points * question->machines.count, sizeof *question->rows));
    for (size_t i = 0; i < points; i++) {
        roof_argument arguments[PARAMETER_MAX];
        op_row first = {0};
        range_point(lists, parameters, i, first.values);
        if (roof_operation_build(question->kind, arguments, fill_arguments(question, first.values, arguments),
                                 &first.operation, error))
            return -1;
        if (i == 0 && machines_override(&question->machines, question->settings, first.operation.dtype[0], error))
            return -1;
        for (size_t k = 0; k < question->machines.count; k++) {
            op_row *row = &question->rows[question->row_count++];
            *row = first;
            row->machine = &question->machines.list[k];
            if (!question->settings->op.run && roof_judge(row->machine, &row->operation, &row->verdict, error))
                return -1;
        }
    }
    return 0;
}

const op_row *op_last_row(const op_question *question) {
    return &question->rows[question->row_count - 1];
}

static int ask_advice(op_question *question, roof_error *error) {
    const op_row *row = op_last_row(question);
    machine_set *others = &question->others;
    roof_machine machine;
    roof_operation operation;
    op_as_asked(row, &machine, &operation);
    if (others->count == 0 && roof_machine_step_up(row->machine, &others->list[0]) == 0)
        others->count = 1;
    if (row->level != ROOF_DRAM)
        others->count = 0; /* what lies in a cache here cannot be compared with another machine's memory */
    int count = roof_advise_operation_in(question->constants.engine, &machine, &operation, others->list, others->count,
                                         question->advice.items, error);
    question->advice.count = count > 0 ? (size_t)count : 0;
    return count < 0 ? -1 : 0;
}

/* ---- what the outputs share ---- */

bool op_is_swept(const op_question *question, size_t index) {
    return question->given[index].count > 1;
}

void op_value_text(const roof_parameter *parameter, double value, char *buffer, size_t size) {
    char number[NUMBER_SIZE];
    if (parameter->type == ROOF_PARAMETER_DTYPE)
        snprintf(buffer, size, "%s", roof_dtype_name((roof_dtype)value));
    else if (parameter->type == ROOF_PARAMETER_FLAG)
        snprintf(buffer, size, "%s", value != 0 ? "yes" : "no");
    else
        snprintf(buffer, size, "%s", number_plain(value, number));
}

/* The compute roof the verdict used, in FLOP/s; 0 when no FLOPs were judged. */
double op_compute_roof(const op_row *row) {
    double flops = row->verdict.unit == ROOF_MATRIX ? row->operation.matrix_flops : row->operation.vector_flops;
    return row->verdict.compute_seconds > 0 ? flops / row->verdict.compute_seconds : 0;
}

/* "at m=4096 on mi300x": the row the advice is about. */
void op_row_place(const op_question *question, const op_row *row, char *buffer, size_t size) {
    char value[48];
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < question->info->parameter_count && used < size; i++) {
        if (!op_is_swept(question, i))
            continue;
        op_value_text(&question->info->parameters[i], row->values[i], value, sizeof value);
        used += (size_t)snprintf(buffer + used, size - used, "%s%s=%s", used ? " " : "at ",
                                 question->info->parameters[i].name, value);
    }
    if (question->machines.count > 1 && used < size)
        snprintf(buffer + used, size - used, "%son %s", used ? " " : "", row->machine->id);
}

/* ---- what was measured elsewhere ---- */

/* A measurement that beats the least time says that something was not as told: half a percent is rounding. */
static int check_measured(const op_question *question, roof_error *error) {
    char measured[NUMBER_SIZE], least[NUMBER_SIZE], why[NUMBER_SIZE], rate[NUMBER_SIZE];
    const op_row *row = op_last_row(question);
    roof_hypothesis found[ROOF_HYPOTHESES];
    char words[sizeof error->hint];
    if (!question->settings->measured || row->measured >= row->verdict.seconds * 0.995)
        return 0;
    bool memory = row->verdict.bound == ROOF_BOUND_MEMORY;
    roof_fail(error, ROOF_EFORMAT, "%s is above the roof: %s in %s cannot take less than %s on %s (%s at %s)",
              number_si(row->measured, "s", measured), question->info->name, roof_dtype_name(row->operation.dtype[0]),
              number_si(row->verdict.seconds, "s", least), row->machine->id,
              memory ? number_si(row->operation.bytes[ROOF_DRAM], "B", why)
                     : number_si(roof_operation_flops(&row->operation), "FLOP", why),
              memory ? number_si(row->machine->bandwidth[ROOF_DRAM].value, "B/s", rate)
                     : number_si(op_compute_roof(row), "FLOP/s", rate));
    size_t count = roof_operations_hypotheses(row->machine, &row->operation, 1, row->measured, found);
    roof_hint(error, "%s", above_words(found, count, words, sizeof words));
    return -1;
}

static int check_single(const op_question *question, roof_error *error) {
    if (!question->settings->measured || question->row_count == 1)
        return 0;
    return roof_fail(error, ROOF_EARGUMENT, "--measured is one measurement, and the lists make %zu points",
                     question->row_count);
}

int op_ask(op_question *question, roof_error *error) {
    const cli_settings *settings = question->settings;
    return read_arguments(question, error) || machines_named(settings, error) ||
                   machines_asked(settings, &question->machines, &question->others, error) ||
                   op_run_check(question, error) || judge_rows(question, error) || op_run_rows(question, error) ||
                   expect_rows(question, error) || check_single(question, error) || read_measured(question, error) ||
                   check_measured(question, error) || ask_advice(question, error)
               ? -1
               : 0;
}

void op_free(op_question *question) {
    for (size_t i = 0; i < PARAMETER_MAX; i++)
        range_free(&question->given[i]);
    machines_free(&question->machines);
    machines_free(&question->others);
    facts_free(&question->facts);
    free(question->rows);
    free(question);
}
