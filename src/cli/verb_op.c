/* roofline op: one operation, or a sweep over its parameters, on one machine or several. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/advice_lines.h"
#include "cli/answer.h"
#include "cli/cli.h"
#include "cli/explain.h"
#include "cli/on.h"
#include "cli/require.h"
#include "core/names.h"

enum { PARAMETER_MAX = ROOF_SHAPE_MAX + ROOF_OPERAND_MAX, TITLE = 120 };

typedef struct op_row {
    const roof_machine *machine;
    double values[PARAMETER_MAX]; /* of the given parameters; a dtype is its number */
    roof_operation operation;
    roof_verdict verdict;
} op_row;

typedef struct op_question {
    const settings *settings;
    machine_set machines, others;
    roof_kind kind;
    const roof_kind_info *info;
    range given[PARAMETER_MAX]; /* by index of the kind's parameters */
    op_row *rows;
    size_t row_count;
    advice_set advice;          /* for the last row */
    double measured_seconds;    /* 0: not given */
    fact_list facts;
} op_question;

/* ---- reading the arguments ---- */

static const char *parameter_at(const void *context, size_t index) {
    return ((const roof_kind_info *)context)->parameters[index].name;
}

static int find_parameter(const roof_kind_info *info, const char *name, size_t *index, roof_error *error) {
    for (*index = 0; *index < info->parameter_count; ++*index)
        if (name_equal(info->parameters[*index].name, name))
            return 0;
    name_list names = {info->parameter_count, parameter_at, info};
    char lister[64], what[48];
    snprintf(lister, sizeof lister, "roofline ops %s", info->name);
    snprintf(what, sizeof what, "%s parameter", info->name);
    return unknown_name(&names, what, name, lister, error);
}

static int read_dtypes(const char *name, const char *value, range *out, roof_error *error) {
    static const range_rule any = {QUANTITY_COUNT, true, 0, ROOF_DTYPE_COUNT};
    char list[256] = "", item[40];
    for (const char *at = value;; at++) {
        size_t length = strcspn(at, ",");
        snprintf(item, sizeof item, "%.*s", (int)length, at);
        roof_dtype dtype = roof_dtype_parse(item);
        if (dtype == ROOF_DTYPE_NONE)
            return fail_dtype(name, item, error);
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%d", used ? "," : "", (int)dtype);
        at += length;
        if (!*at)
            return range_parse(name, list, &any, out, error);
    }
}

static int read_flag(const char *name, const char *value, range *out, roof_error *error) {
    static const char *const words[2] = {" 0 no false off ", " 1 yes true on "};
    char key[16];
    snprintf(key, sizeof key, " %.10s ", value);
    for (int i = 0; i < 2; i++)
        if (strstr(words[i], key)) {
            range_one(out, i);
            return 0;
        }
    return roof_fail(error, ROOF_EARGUMENT, "%s '%.40s' is neither yes nor no", name, value);
}

static int read_value(const roof_parameter *parameter, const char *value, range *out, roof_error *error) {
    if (parameter->type == ROOF_PARAMETER_DTYPE)
        return read_dtypes(parameter->name, value, out, error);
    if (parameter->type == ROOF_PARAMETER_FLAG)
        return read_flag(parameter->name, value, out, error);
    range_rule rule = {QUANTITY_ANY, parameter->type == ROOF_PARAMETER_COUNT, parameter->least, parameter->most};
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
    const settings *settings = question->settings;
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
    double rate;
    if (!text || number_parse(text, QUANTITY_SECONDS, &question->measured_seconds) == 0)
        return text && !(question->measured_seconds > 0) ? roof_fail(error, ROOF_EARGUMENT, "--measured '%.40s' is not above zero", text) : 0;
    double flops = roof_operation_flops(&question->rows[0].operation);
    if (number_parse(text, QUANTITY_RATE, &rate) == 0 && rate > 0 && flops > 0) {
        question->measured_seconds = flops / rate;
        return 0;
    }
    roof_fail(error, ROOF_EARGUMENT, "--measured '%.40s' is neither a time nor FLOP/s", text);
    roof_hint(error, "write it like 50us or 20TFLOP/s");
    return -1;
}

/* ---- judging ---- */

static size_t fill_arguments(const op_question *question, const double *values, roof_argument *out) {
    size_t count = 0;
    for (size_t i = 0; i < question->info->parameter_count; i++) {
        if (!question->given[i].count)
            continue;
        bool dtype = question->info->parameters[i].type == ROOF_PARAMETER_DTYPE;
        out[count++] = (roof_argument){question->info->parameters[i].name, dtype ? 0 : values[i], dtype ? (roof_dtype)values[i] : ROOF_DTYPE_NONE};
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
        if (roof_operation_build(question->kind, arguments, fill_arguments(question, first.values, arguments), &first.operation, error))
            return -1;
        if (i == 0 && machines_override(&question->machines, question->settings, first.operation.dtype[0], error))
            return -1;
        for (size_t k = 0; k < question->machines.count; k++) {
            op_row *row = &question->rows[question->row_count++];
            *row = first;
            row->machine = &question->machines.list[k];
            if (roof_judge(row->machine, &row->operation, &row->verdict, error))
                return -1;
        }
    }
    return 0;
}

static const op_row *last_row(const op_question *question) {
    return &question->rows[question->row_count - 1];
}

static int ask_advice(op_question *question, roof_error *error) {
    const op_row *row = last_row(question);
    machine_set *others = &question->others;
    if (others->count == 0 && roof_machine_step_up(row->machine, &others->list[0]) == 0)
        others->count = 1;
    int count = roof_advise_operation(row->machine, &row->operation, others->list, others->count, question->advice.items, error);
    question->advice.count = count > 0 ? (size_t)count : 0;
    return count < 0 ? -1 : 0;
}

/* ---- words ---- */

static void value_text(const roof_parameter *parameter, double value, char *buffer, size_t size) {
    char number[NUMBER_SIZE];
    if (parameter->type == ROOF_PARAMETER_DTYPE)
        snprintf(buffer, size, "%s", roof_dtype_name((roof_dtype)value));
    else if (parameter->type == ROOF_PARAMETER_FLAG)
        snprintf(buffer, size, "%s", value != 0 ? "yes" : "no");
    else
        snprintf(buffer, size, "%s", number_plain(value, number));
}

static bool swept(const op_question *question, size_t index) {
    return question->given[index].count > 1;
}

static bool is_main_dtype(const roof_parameter *parameter) {
    return strcmp(parameter->name, "dtype") == 0;
}

/* Up to three required counts and nothing else: "8x14336x4096" says it all. */
static bool shape_is_short(const op_question *question) {
    size_t required = 0;
    for (size_t i = 0; i < question->info->parameter_count; i++) {
        const roof_parameter *parameter = &question->info->parameters[i];
        if (question->given[i].count && !parameter->required && parameter->type != ROOF_PARAMETER_DTYPE)
            return false;
        required += parameter->required;
    }
    return required >= 2 && required <= 3;
}

/* The parameters that were given, but not those that are swept nor the main dtype. */
static void shape_text(const op_question *question, const op_row *row, char *buffer, size_t size) {
    bool brief = shape_is_short(question), any = false;
    char value[48];
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < question->info->parameter_count && used < size; i++) {
        const roof_parameter *parameter = &question->info->parameters[i];
        if (!question->given[i].count || is_main_dtype(parameter) || (swept(question, i) && !brief))
            continue;
        bool plain = brief && parameter->required;
        value_text(parameter, row->values[i], value, sizeof value);
        used += (size_t)snprintf(buffer + used, size - used, "%s%s%s%s", any && plain ? "x" : " ", plain ? "" : parameter->name,
                                 plain ? "" : "=", swept(question, i) ? parameter->name : value);
        any = true;
    }
}

static void title_text(const op_question *question, const op_row *row, char *buffer, size_t size) {
    char shape[TITLE], on[96];
    shape_text(question, row, shape, sizeof shape);
    const roof_machine *machine = question->machines.list;
    if (question->machines.count > 1)
        snprintf(on, sizeof on, "%zu machines", question->machines.count);
    else
        snprintf(on, sizeof on, "%s", machine->name ? machine->name : machine->id);
    bool dtypes = false;
    for (size_t i = 0; i < question->info->parameter_count; i++)
        dtypes |= is_main_dtype(&question->info->parameters[i]) && swept(question, i);
    snprintf(buffer, size, "%s%s%s%s on %s", question->info->name, shape, dtypes ? "" : " ",
             dtypes ? "" : roof_dtype_name(row->operation.dtype[0]), on);
}

/* ---- text ---- */

static void evidence(text_out *out, const char *name, const char *value, const char *note) {
    text_add(out, "  %-12s  %-12s", name, value);
    if (*note) {
        text_add(out, "  ");
        int used = 2 + 12 + 2 + (int)(strlen(value) > 12 ? strlen(value) : 12) + 2;
        text_wrap(out, used, 30, note);
    } else {
        text_add(out, "\n");
    }
}

static void time_line(const op_row *row, text_out *out) {
    char time[NUMBER_SIZE], flops[NUMBER_SIZE], bytes[NUMBER_SIZE], link[NUMBER_SIZE], note[200] = "";
    const roof_operation *operation = &row->operation;
    double work = roof_operation_flops(operation);
    size_t used = 0;
    if (work > 0)
        used += (size_t)snprintf(note + used, sizeof note - used, "%s, ", number_si(work, "FLOP", flops));
    used += (size_t)snprintf(note + used, sizeof note - used, "%s%s of %s traffic", operation->at_least ? "at least " : "",
                             number_si(operation->bytes[ROOF_DRAM], "B", bytes), machine_memory(row->machine));
    if (operation->link_bytes > 0)
        snprintf(note + used, sizeof note - used, ", %s over the link", number_si(operation->link_bytes, "B", link));
    evidence(out, "least time", number_si(row->verdict.seconds, "s", time), note);
}

static void intensity_line(const roof_verdict *verdict, text_out *out) {
    char value[NUMBER_SIZE + 8], number[NUMBER_SIZE], ridge[NUMBER_SIZE], factor[NUMBER_SIZE], note[96] = "";
    if (!(verdict->intensity > 0) || !isfinite(verdict->intensity))
        return;
    double ratio = verdict->ridge / verdict->intensity;
    if (verdict->ridge > 0)
        snprintf(note, sizeof note, "ridge is %s, %sx to the %s", number_three(verdict->ridge, ridge),
                 number_three(ratio >= 1 ? ratio : 1 / ratio, factor), ratio >= 1 ? "right" : "left");
    snprintf(value, sizeof value, "%s FLOP/B", number_three(verdict->intensity, number));
    evidence(out, "intensity", value, note);
}

/* The compute roof the verdict used, in FLOP/s; 0 when no FLOPs were judged. */
static double compute_roof(const op_row *row) {
    double flops = row->verdict.unit == ROOF_MATRIX ? row->operation.matrix_flops : row->operation.vector_flops;
    return row->verdict.compute_seconds > 0 ? flops / row->verdict.compute_seconds : 0;
}

static void attainable_line(const op_row *row, text_out *out) {
    char value[NUMBER_SIZE], share[NUMBER_SIZE], peak[NUMBER_SIZE], note[96] = "";
    double roof = compute_roof(row);
    if (!(row->verdict.attainable > 0))
        return;
    if (roof > 0)
        snprintf(note, sizeof note, "%s%% of the %s %s peak", number_three(100 * row->verdict.attainable / roof, share),
                 number_si(roof, "FLOP/s", peak), roof_dtype_name(roof_dtype_math(row->verdict.dtype)));
    evidence(out, "attainable", number_si(row->verdict.attainable, "FLOP/s", value), note);
}

static void margin_line(const roof_verdict *verdict, text_out *out) {
    static const char *const names[] = {"compute", "memory", "link", "launch"};
    const double times[] = {verdict->compute_seconds, verdict->memory_seconds, verdict->link_seconds, verdict->launch_seconds};
    char factor[NUMBER_SIZE], time[NUMBER_SIZE], note[96];
    int next = -1;
    for (int i = 0; i < 4; i++)
        if (i + 1 != (int)verdict->bound && times[i] > 0 && (next < 0 || times[i] > times[next]))
            next = i;
    if (next < 0)
        return;
    snprintf(note, sizeof note, "%s is the next limit, at %s", names[next], number_si(times[next], "s", time));
    evidence(out, "margin", number_factor(verdict->margin, factor), note);
}

static void measured_line(const op_question *question, const op_row *row, text_out *out) {
    char value[NUMBER_SIZE], share[NUMBER_SIZE], factor[NUMBER_SIZE], bandwidth[NUMBER_SIZE], rate[NUMBER_SIZE], note[160];
    double seconds = question->measured_seconds, flops = roof_operation_flops(&row->operation);
    if (!(seconds > 0))
        return;
    int used = snprintf(note, sizeof note, "%s%% of the roof, %s headroom; %s", number_three(100 * row->verdict.seconds / seconds, share),
                        number_factor(seconds / row->verdict.seconds, factor),
                        number_si(row->operation.bytes[ROOF_DRAM] / seconds, "B/s", bandwidth));
    if (flops > 0)
        snprintf(note + used, sizeof note - (size_t)used, ", %s", number_si(flops / seconds, "FLOP/s", rate));
    evidence(out, "measured", number_si(seconds, "s", value), note);
}

static void against_line(const op_question *question, const op_row *row, text_out *out) {
    char line[256];
    roof_sum sum = {0};
    if (!(question->settings->against > 0))
        return;
    roof_sum_add(&sum, &row->operation, &row->verdict);
    roof_count_diagnose(&sum, question->settings->against, line, sizeof line);
    text_add(out, "\n  ");
    text_wrap(out, 2, 2, line);
}

static void explain(const op_question *question, text_out *out) {
    if (!question->settings->explain)
        return;
    used_figures used = {0};
    const op_row *row = last_row(question);
    text_add(out, "\n");
    explain_operation(&row->operation, out);
    explain_verdict(row->machine, &row->operation, &row->verdict, out);
    used_by(&row->verdict, &row->operation, &used);
    text_add(out, "\n");
    explain_sources(row->machine, &used, out);
    text_add(out, "\n");
    advice_explain(&question->advice, out);
}

static void print_block(const op_question *question, text_out *out) {
    const op_row *row = last_row(question);
    time_line(row, out);
    intensity_line(&row->verdict, out);
    attainable_line(row, out);
    margin_line(&row->verdict, out);
    measured_line(question, row, out);
    against_line(question, row, out);
}

static void table_columns(const op_question *question, const number_unit *time, const number_unit *rate, table_grid *table) {
    if (question->machines.count > 1)
        table_column_add(table, NULL, "ls", "machine");
    for (size_t i = 0; i < question->info->parameter_count; i++)
        if (swept(question, i))
            table_column_add(table, NULL, "", "%s", question->info->parameters[i].name);
    table_column_add(table, NULL, "lw", "bound");
    table_column_add(table, NULL, "", "%ss", time->prefix);
    table_column_add(table, NULL, "", "FLOP/B");
    table_column_add(table, NULL, "", "%sFLOP/s", rate->prefix);
    table_column_add(table, NULL, "", "of peak");
    table_column_add(table, NULL, "", "margin");
}

static void table_cells(const op_question *question, const op_row *row, number_unit time, number_unit rate, table_grid *table) {
    char number[NUMBER_SIZE];
    double roof = compute_roof(row);
    const roof_verdict *verdict = &row->verdict;
    table_row(table);
    if (question->machines.count > 1)
        table_cell_add(table, PAINT_NONE, "%s", row->machine->id);
    for (size_t i = 0; i < question->info->parameter_count; i++) {
        char value[48];
        if (!swept(question, i))
            continue;
        value_text(&question->info->parameters[i], row->values[i], value, sizeof value);
        table_cell_add(table, PAINT_NONE, "%s", value);
    }
    table_cell_add(table, text_bound_paint(verdict->bound), "%s", roof_bound_name(verdict->bound));
    table_cell_add(table, PAINT_NONE, "%s", number_three(verdict->seconds * time.factor, number));
    table_cell_add(table, PAINT_NONE, "%s", isfinite(verdict->intensity) ? number_three(verdict->intensity, number) : "-");
    table_cell_add(table, PAINT_NONE, "%s", number_three(verdict->attainable * rate.factor, number));
    if (roof > 0)
        table_cell_add(table, PAINT_NONE, "%s%%", number_three(100 * verdict->attainable / roof, number));
    else
        table_cell_add(table, PAINT_NONE, "-");
    table_cell_add(table, PAINT_NONE, "%s", isfinite(verdict->margin) ? number_factor(verdict->margin, number) : "-");
}

static void print_table(const op_question *question, text_out *out) {
    double *values = keep_or_die(malloc(question->row_count * sizeof *values));
    for (size_t i = 0; i < question->row_count; i++)
        values[i] = question->rows[i].verdict.seconds;
    number_unit time = number_column(values, question->row_count);
    for (size_t i = 0; i < question->row_count; i++)
        values[i] = question->rows[i].verdict.attainable;
    number_unit rate = number_column(values, question->row_count);
    free(values);
    table_grid table = {0};
    table_columns(question, &time, &rate, &table);
    for (size_t i = 0; i < question->row_count; i++)
        table_cells(question, &question->rows[i], time, rate, &table);
    table_print(&table, out);
    table_free(&table);
}

/* "at m=4096 on mi300x": the row the advice is about. */
static void row_place(const op_question *question, const op_row *row, char *buffer, size_t size) {
    char value[48];
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < question->info->parameter_count && used < size; i++) {
        if (!swept(question, i))
            continue;
        value_text(&question->info->parameters[i], row->values[i], value, sizeof value);
        used += (size_t)snprintf(buffer + used, size - used, "%s%s=%s", used ? " " : "at ", question->info->parameters[i].name, value);
    }
    if (question->machines.count > 1 && used < size)
        snprintf(buffer + used, size - used, "%son %s", used ? " " : "", row->machine->id);
}

static void op_text(const void *context, text_out *out) {
    const op_question *question = context;
    const op_row *row = last_row(question);
    char title[TITLE * 2], place[FACT_PLACE];
    bool one = question->row_count == 1;
    title_text(question, row, title, sizeof title);
    if (one)
        text_title(out, title, text_bound_paint(row->verdict.bound), "%s-bound", roof_bound_name(row->verdict.bound));
    else
        text_title(out, title, PAINT_NONE, "least times");
    machines_notes(&question->machines, out);
    text_add(out, "\n");
    (one ? print_block : print_table)(question, out);
    explain(question, out);
    row_place(question, row, place, sizeof place);
    text_add(out, "\n");
    if (place[0])
        text_add(out, "  %s:\n", place);
    advice_print(&question->advice, out);
}

/* ---- JSON and CSV ---- */

static void operation_json(const roof_operation *operation, const roof_kind_info *info, emit *json) {
    size_t value_at = 0, dtype_at = 0;
    emit_object(json, "operation");
    emit_string(json, "kind", info->name);
    emit_object(json, "shape");
    for (size_t i = 0; i < info->parameter_count; i++) {
        const roof_parameter *parameter = &info->parameters[i];
        if (parameter->type == ROOF_PARAMETER_DTYPE)
            emit_string(json, parameter->name, roof_dtype_name(operation->dtype[dtype_at++]));
        else
            emit_number(json, parameter->name, operation->shape[value_at++]);
    }
    emit_end(json);
    emit_string(json, "dtype", roof_dtype_name(operation->dtype[0]));
    emit_number(json, "flops", roof_operation_flops(operation));
    emit_number(json, "matrix_flops", operation->matrix_flops);
    emit_object(json, "bytes");
    emit_number(json, "dram", operation->bytes[ROOF_DRAM]);
    emit_number(json, "link", operation->link_bytes);
    emit_end(json);
    emit_bool(json, "at_least", operation->at_least);
    emit_end(json);
}

static void verdict_json(const roof_verdict *verdict, emit *json) {
    char roof[48];
    emit_object(json, "verdict");
    emit_string(json, "bound", roof_bound_name(verdict->bound));
    emit_string(json, "roof", roof_verdict_roof(verdict, roof, sizeof roof));
    emit_number(json, "seconds", verdict->seconds);
    emit_number(json, "compute_seconds", verdict->compute_seconds);
    emit_number(json, "memory_seconds", verdict->memory_seconds);
    emit_number(json, "link_seconds", verdict->link_seconds);
    emit_number(json, "launch_seconds", verdict->launch_seconds);
    emit_number(json, "intensity", verdict->intensity);
    emit_number(json, "ridge", verdict->ridge > 0 ? verdict->ridge : HUGE_VAL);
    emit_number(json, "attainable", verdict->attainable);
    emit_number(json, "margin", verdict->margin);
    emit_end(json);
}

static void row_json(const op_question *question, const op_row *row, emit *json) {
    machine_json(row->machine, "machine", json);
    operation_json(&row->operation, question->info, json);
    verdict_json(&row->verdict, json);
    if (question->measured_seconds > 0) {
        emit_object(json, "measured");
        emit_number(json, "seconds", question->measured_seconds);
        emit_number(json, "headroom", question->measured_seconds / row->verdict.seconds);
        emit_end(json);
    }
}

static void op_json(const void *context, emit *json) {
    const op_question *question = context;
    if (question->row_count == 1) {
        row_json(question, last_row(question), json);
    } else {
        emit_array(json, "points");
        for (size_t i = 0; i < question->row_count; i++) {
            emit_object(json, NULL);
            row_json(question, &question->rows[i], json);
            emit_end(json);
        }
        emit_end(json);
    }
    emit_array(json, "advice");
    advice_json(&question->advice, NULL, 0, json);
    emit_end(json);
}

static void op_csv(const void *context, text_out *out) {
    static const char *const heads[] = {"flops", "matrix_flops", "bytes", "link_bytes", "bound", "roof", "seconds", "intensity", "ridge",
                                        "attainable", "margin"};
    const op_question *question = context;
    char roof[48];
    csv_text(out, "machine");
    csv_text(out, "kind");
    for (size_t i = 0; i < question->info->parameter_count; i++)
        if (question->given[i].count)
            csv_text(out, question->info->parameters[i].name);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        csv_text(out, heads[i]);
    csv_end(out);
    for (size_t r = 0; r < question->row_count; r++) {
        const op_row *row = &question->rows[r];
        csv_text(out, row->machine->id);
        csv_text(out, question->info->name);
        for (size_t i = 0; i < question->info->parameter_count; i++) {
            if (!question->given[i].count)
                continue;
            if (question->info->parameters[i].type == ROOF_PARAMETER_DTYPE)
                csv_text(out, roof_dtype_name((roof_dtype)row->values[i]));
            else
                csv_number(out, row->values[i]);
        }
        csv_number(out, roof_operation_flops(&row->operation));
        csv_number(out, row->operation.matrix_flops);
        csv_number(out, row->operation.bytes[ROOF_DRAM]);
        csv_number(out, row->operation.link_bytes);
        csv_text(out, roof_bound_name(row->verdict.bound));
        csv_text(out, roof_verdict_roof(&row->verdict, roof, sizeof roof));
        csv_number(out, row->verdict.seconds);
        csv_number(out, row->verdict.intensity);
        csv_number(out, row->verdict.ridge > 0 ? row->verdict.ridge : HUGE_VAL);
        csv_number(out, row->verdict.attainable);
        csv_number(out, row->verdict.margin);
        csv_end(out);
    }
}

/* ---- charts ---- */

static int op_chart(const void *context, roof_drawing *out, roof_error *error) {
    const op_question *question = context;
    if (question->machines.count > 1) {
        roof_fail(error, ROOF_EARGUMENT, "a chart shows one machine, and --on names %zu", question->machines.count);
        return -1;
    }
    roof_operation *operations = keep_or_die(calloc(question->row_count, sizeof *operations));
    roof_verdict *verdicts = keep_or_die(calloc(question->row_count, sizeof *verdicts));
    for (size_t i = 0; i < question->row_count; i++) {
        operations[i] = question->rows[i].operation;
        verdicts[i] = question->rows[i].verdict;
    }
    int result = roof_chart_of_operations(question->machines.list, operations, verdicts, question->row_count, NULL, 0, out, error);
    free(operations);
    free(verdicts);
    return result;
}

/* ---- facts and the verb ---- */

static void row_facts(op_question *question, const op_row *row) {
    fact_list *facts = &question->facts;
    char roof[48];
    row_place(question, row, facts->place, sizeof facts->place);
    for (int i = 0; i < 2; i++) { /* the JSON's own keys, and the short ones people type */
        const char *prefix = i ? "" : "verdict.";
        fact_number(facts, prefix, "seconds", row->verdict.seconds);
        fact_word(facts, prefix, "bound", roof_bound_name(row->verdict.bound));
        fact_word(facts, prefix, "roof", roof_verdict_roof(&row->verdict, roof, sizeof roof));
        fact_number(facts, prefix, "intensity", row->verdict.intensity);
        fact_number(facts, prefix, "ridge", row->verdict.ridge > 0 ? row->verdict.ridge : (double)NAN);
        fact_number(facts, prefix, "attainable", row->verdict.attainable);
        fact_number(facts, prefix, "margin", row->verdict.margin);
    }
    fact_number(facts, "operation.", "flops", roof_operation_flops(&row->operation));
    fact_number(facts, "operation.", "matrix_flops", row->operation.matrix_flops);
    fact_number(facts, "operation.", "bytes.dram", row->operation.bytes[ROOF_DRAM]);
    if (question->measured_seconds > 0)
        fact_number(facts, "measured.", "headroom", question->measured_seconds / row->verdict.seconds);
}

/* A measurement that beats the least time says that something was not as told: half a percent is rounding. */
static int check_measured(const op_question *question, roof_error *error) {
    char measured[NUMBER_SIZE], least[NUMBER_SIZE], why[NUMBER_SIZE], rate[NUMBER_SIZE];
    const op_row *row = last_row(question);
    if (!(question->measured_seconds > 0) || question->measured_seconds >= row->verdict.seconds * 0.995)
        return 0;
    bool memory = row->verdict.bound == ROOF_BOUND_MEMORY;
    roof_fail(error, ROOF_EFORMAT, "%s is above the roof: %s in %s cannot take less than %s on %s (%s at %s)",
              number_si(question->measured_seconds, "s", measured), question->info->name, roof_dtype_name(row->operation.dtype[0]),
              number_si(row->verdict.seconds, "s", least), row->machine->id,
              memory ? number_si(row->operation.bytes[ROOF_DRAM], "B", why) : number_si(roof_operation_flops(&row->operation), "FLOP", why),
              memory ? number_si(row->machine->bandwidth[ROOF_DRAM].value, "B/s", rate) : number_si(compute_roof(row), "FLOP/s", rate));
    roof_hint(error, memory ? "was part of the data in a cache, or in a smaller dtype? say dtype=..." : "was the dtype smaller? say dtype=...");
    return -1;
}

static int check_single(const op_question *question, roof_error *error) {
    if (!question->settings->measured || question->row_count == 1)
        return 0;
    return roof_fail(error, ROOF_EARGUMENT, "--measured is one measurement, and the lists make %zu points", question->row_count);
}

static int prepare(op_question *question, roof_error *error) {
    const settings *settings = question->settings;
    if (answer_check(settings, true, error) || read_arguments(question, error) || machines_named(settings, error) ||
        machines_load(&settings->on, "--on", &question->machines, error) ||
        machines_load(&settings->compare, "--compare", &question->others, error) || judge_rows(question, error) ||
        check_single(question, error) || read_measured(question, error) || check_measured(question, error) || ask_advice(question, error))
        return -1;
    for (size_t i = 0; settings->require.count > 0 && i < question->row_count; i++)
        row_facts(question, &question->rows[i]);
    return 0;
}

static void free_question(op_question *question) {
    for (size_t i = 0; i < PARAMETER_MAX; i++)
        range_free(&question->given[i]);
    machines_free(&question->machines);
    machines_free(&question->others);
    facts_free(&question->facts);
    free(question->rows);
    free(question);
}

int verb_op(settings *settings) {
    op_question *question = keep_or_die(calloc(1, sizeof *question));
    question->settings = settings;
    roof_error error = {0};
    answer answer = {.context = question, .text = op_text, .csv = op_csv, .json = op_json, .chart = op_chart};
    int code = prepare(question, &error) ? complain(&error) : answer_and_require(settings, &answer, &question->facts);
    free_question(question);
    return code;
}
