/* roofline ops: the kinds of operations; one of them in full. */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/errors.h"
#include "cli/out/answer.h"
#include "cli/out/table.h"

static const char *type_name(roof_parameter_type type) {
    static const char *const names[] = {"count", "number", "flag", "dtype"};
    return names[type];
}

/* What an absent parameter is taken for. */
static void preset_text(const roof_parameter *parameter, char *buffer, size_t size) {
    char number[NUMBER_SIZE];
    if (parameter->required)
        snprintf(buffer, size, "needed");
    else if (parameter->type == ROOF_PARAMETER_FLAG)
        snprintf(buffer, size, "%s", parameter->preset != 0 ? "yes" : "no");
    else if (parameter->type == ROOF_PARAMETER_DTYPE)
        snprintf(buffer, size, "%s", parameter->preset > 0 ? roof_dtype_name((roof_dtype)parameter->preset) : "-");
    else
        snprintf(buffer, size, "%s", number_plain(parameter->preset, number));
}

/* ---- all kinds ---- */

static void list_text(const void *context, text_out *out) {
    table_grid table = {0};
    (void)context;
    text_title(out, "Operations", PAINT_NONE, "%d kinds", ROOF_KIND_COUNT);
    text_add(out, "\n");
    table_heads(&table, "l:kind", "l:needs", "lf:what it is");
    for (int kind = 0; kind < ROOF_KIND_COUNT; kind++) {
        const roof_kind_info *info = roof_kind_describe((roof_kind)kind);
        char needs[TABLE_CELL] = "";
        for (size_t i = 0; i < info->parameter_count; i++) {
            size_t used = strlen(needs);
            if (info->parameters[i].required)
                snprintf(needs + used, sizeof needs - used, "%s%s", used ? " " : "", info->parameters[i].name);
        }
        table_row(&table);
        table_cell_add(&table, PAINT_BOLD, "%s", info->name);
        table_text(&table, needs);
        table_text(&table, info->summary);
    }
    table_print(&table, out);
    table_free(&table);
    text_add(out, "\n'roofline ops KIND' shows every parameter and the formulas.\n");
}

static void list_csv(const void *context, text_out *out) {
    (void)context;
    text_add(out, "kind,aliases,summary,flops,bytes,source,example\n");
    for (int kind = 0; kind < ROOF_KIND_COUNT; kind++) {
        const roof_kind_info *info = roof_kind_describe((roof_kind)kind);
        const char *cells[] = {info->name,  info->alias,  info->summary, info->flops,
                               info->bytes, info->source, info->example};
        for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
            csv_text(out, cells[i]);
        csv_end(out);
    }
}

static void kind_members(const roof_kind_info *info, emit *json) {
    emit_string(json, "name", info->name);
    emit_string(json, "aliases", info->alias);
    emit_string(json, "summary", info->summary);
    emit_string(json, "flops", info->flops);
    emit_string(json, "bytes", info->bytes);
    emit_string(json, "source", info->source);
    emit_string(json, "example", info->example);
    emit_array(json, "parameters");
    for (size_t i = 0; i < info->parameter_count; i++) {
        const roof_parameter *parameter = &info->parameters[i];
        char preset[48];
        preset_text(parameter, preset, sizeof preset);
        emit_row(json, NULL);
        emit_string(json, "name", parameter->name);
        emit_string(json, "type", type_name(parameter->type));
        emit_bool(json, "required", parameter->required);
        if (!parameter->required)
            emit_string(json, "default", preset);
        emit_string(json, "summary", parameter->summary);
        emit_end(json);
    }
    emit_end(json);
}

static void list_json(const void *context, emit *json) {
    (void)context;
    emit_array(json, "operations");
    for (int kind = 0; kind < ROOF_KIND_COUNT; kind++) {
        emit_object(json, NULL);
        kind_members(roof_kind_describe((roof_kind)kind), json);
        emit_end(json);
    }
    emit_end(json);
}

/* ---- one kind ---- */

static void labelled(const char *label, const char *value, text_out *out) {
    if (!value)
        return;
    text_add(out, "  %-9s", label);
    text_wrap(out, 11, 11, value);
}

static void kind_text(const void *context, text_out *out) {
    const roof_kind_info *info = context;
    table_grid table = {0};
    text_title(out, info->name, PAINT_NONE, "%s", info->alias ? info->alias : "");
    text_add(out, "\n");
    labelled("computes", info->summary, out);
    labelled("FLOPs", info->flops, out);
    labelled("bytes", info->bytes, out);
    labelled("source", info->source, out);
    text_add(out, "\n");
    table_heads(&table, "l:parameter", "l:type", "l:default", "lf:what it means");
    for (size_t i = 0; i < info->parameter_count; i++) {
        const roof_parameter *parameter = &info->parameters[i];
        char preset[TABLE_CELL];
        preset_text(parameter, preset, sizeof preset);
        table_row(&table);
        table_cell_add(&table, PAINT_BOLD, "%s", parameter->name);
        table_text(&table, type_name(parameter->type));
        table_cell_add(&table, parameter->required ? PAINT_NONE : PAINT_DIM, "%s", preset);
        table_text(&table, parameter->summary);
    }
    table_print(&table, out);
    table_free(&table);
    char example[200];
    snprintf(example, sizeof example, "roofline op %s %s --on h100-sxm", info->name, info->example);
    text_add(out, "\n  ");
    text_wrap(out, 2, 4, example);
}

static void kind_csv(const void *context, text_out *out) {
    const roof_kind_info *info = context;
    text_add(out, "parameter,type,required,default,summary\n");
    for (size_t i = 0; i < info->parameter_count; i++) {
        const roof_parameter *parameter = &info->parameters[i];
        char preset[48];
        preset_text(parameter, preset, sizeof preset);
        csv_text(out, parameter->name);
        csv_text(out, type_name(parameter->type));
        csv_bool(out, parameter->required);
        csv_text(out, parameter->required ? "" : preset);
        csv_text(out, parameter->summary);
        csv_end(out);
    }
}

static void kind_json(const void *context, emit *json) {
    kind_members(context, json);
}

int verb_ops(cli_settings *settings) {
    roof_error error = {0};
    roof_kind kind;
    cli_answer all = {.text = list_text, .csv = list_csv, .json = list_json};
    if (answer_check(settings, false, &error) || fail_extra(settings, 1, &error))
        return complain(&error);
    if (settings->word_count == 0)
        return answer_print(settings, &all, &error) ? complain(&error) : EXIT_ANSWERED;
    if (roof_kind_find(settings->words[0], &kind, &error))
        return complain(&error);
    cli_answer one = {.context = roof_kind_describe(kind), .text = kind_text, .csv = kind_csv, .json = kind_json};
    return answer_print(settings, &one, &error) ? complain(&error) : EXIT_ANSWERED;
}
