/* Named arguments to an operation, by the table of kinds; and back. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/names.h"
#include "work/kinds.h"
#include "work/ops.h"

const roof_kind_info *roof_kind_describe(roof_kind kind) {
    const work_kind *row = work_kind_of(kind);
    return row ? &row->info : NULL;
}

static const char *kind_name_at(const void *context, size_t index) {
    (void)context;
    return roof_kind_describe((roof_kind)index)->name;
}

int roof_kind_find(const char *name, roof_kind *kind, roof_error *error) {
    for (int i = 0; i < ROOF_KIND_COUNT; i++) {
        const roof_kind_info *info = roof_kind_describe((roof_kind)i);
        if (name_equal(name, info->name) || (info->alias && name_in_list(name, info->alias))) {
            *kind = (roof_kind)i;
            return 0;
        }
    }
    name_list names = {ROOF_KIND_COUNT, kind_name_at, NULL};
    return unknown_name(&names, "operation", name, ROOF_REMEDY_LIST_OPERATIONS, error);
}

static bool is_dtype(const roof_parameter *parameter) {
    return parameter->type == ROOF_PARAMETER_DTYPE;
}

int work_parameter_place(const roof_kind_info *info, const char *name) {
    int places[2] = {0, 0}; /* next in shape[], next in dtype[] */
    for (size_t i = 0; i < info->parameter_count; i++) {
        int *place = &places[is_dtype(&info->parameters[i])];
        if (strcmp(info->parameters[i].name, name) == 0)
            return *place;
        ++*place;
    }
    return -1;
}

static const char *parameter_name_at(const void *context, size_t index) {
    return ((const roof_kind_info *)context)->parameters[index].name;
}

/* The hint lists every parameter, so that one look is enough. */
static void hint_parameters(const roof_kind_info *info, roof_error *error) {
    char list[200];
    size_t n = 0;
    list[0] = '\0';
    for (size_t i = 0; i < info->parameter_count && n < sizeof list; i++)
        n += (size_t)snprintf(list + n, sizeof list - n, " %s", info->parameters[i].name);
    roof_hint(error, "%s takes%s", info->name, list);
}

static int unknown_parameter(const roof_kind_info *info, const char *name, roof_error *error) {
    name_list names = {info->parameter_count, parameter_name_at, info};
    roof_fail(error, ROOF_EARGUMENT, "%s has no parameter '%.40s'", info->name, name);
    if (offer_names(&names, name, 1, error) == 0)
        hint_parameters(info, error);
    return -1;
}

int roof_operation_parameter(const roof_operation *operation, const char *name, double *value, roof_error *error) {
    const roof_kind_info *info = roof_kind_describe(operation->kind);
    if (!info)
        return roof_fail(error, ROOF_EARGUMENT, "there is no kind of operation %d", (int)operation->kind);
    int place = work_parameter_place(info, name);
    if (place < 0)
        return unknown_parameter(info, name, error);
    size_t i = 0;
    while (strcmp(info->parameters[i].name, name) != 0)
        i++;
    *value = is_dtype(&info->parameters[i]) ? (double)operation->dtype[place] : operation->shape[place];
    return 0;
}

static int check_value(const roof_kind_info *info, const roof_parameter *parameter, double value, roof_error *error) {
    const char *name = parameter->name;
    if (parameter->type == ROOF_PARAMETER_FLAG && value != 0 && value != 1)
        return roof_fail(error, ROOF_EARGUMENT, "%s %s=%g: it is a flag, 0 or 1", info->name, name, value);
    if (!(value >= parameter->least && value <= parameter->most))
        return roof_fail(error, ROOF_EARGUMENT, "%s %s=%g is out of range: %g to %g", info->name, name, value,
                         parameter->least, parameter->most);
    if (parameter->type == ROOF_PARAMETER_COUNT && floor(value) != value)
        return roof_fail(error, ROOF_EARGUMENT, "%s %s=%g: it is a count, so it must be a whole number", info->name,
                         name, value);
    return 0;
}

static const roof_argument *find_argument(const char *name, const roof_argument *arguments, size_t count) {
    for (size_t i = count; i-- > 0;) /* the last one said wins */
        if (name_equal(arguments[i].name, name))
            return &arguments[i];
    return NULL;
}

static int refuse_unknown(const roof_kind_info *info, const roof_argument *arguments, size_t count, roof_error *error) {
    for (size_t i = 0; i < count; i++) {
        bool known = false;
        for (size_t p = 0; p < info->parameter_count && !known; p++)
            known = name_equal(arguments[i].name, info->parameters[p].name);
        if (!known)
            return unknown_parameter(info, arguments[i].name, error);
    }
    return 0;
}

static int missing(const roof_kind_info *info, const roof_parameter *parameter, roof_error *error) {
    char example[160];
    roof_fail(error, ROOF_EARGUMENT, "%s needs %s (%s)", info->name, parameter->name, parameter->summary);
    snprintf(example, sizeof example, "%s %s", info->name, info->example);
    roof_suggest(error, ROOF_REMEDY_OPERATION, example);
    return -1;
}

/* An operand's dtype: said, else its own preset, else the main one; only `math` may stay open. */
static int read_dtype(const roof_kind_info *info, const roof_parameter *parameter, const roof_argument *argument,
                      roof_dtype main_dtype, roof_dtype *out, roof_error *error) {
    if (argument && argument->dtype == ROOF_DTYPE_NONE)
        return roof_fail(error, ROOF_EARGUMENT, "%s %s: a data type is needed, like bf16", info->name, parameter->name);
    *out = argument ? argument->dtype : (roof_dtype)parameter->preset;
    if (*out == ROOF_DTYPE_NONE && strcmp(parameter->name, "math") != 0)
        *out = main_dtype;
    return 0;
}

static int read_arguments(const roof_kind_info *info, const roof_argument *arguments, size_t count, roof_operation *out,
                          roof_error *error) {
    size_t value_at = 0, dtype_at = 0;
    for (size_t i = 0; i < info->parameter_count; i++) {
        const roof_parameter *parameter = &info->parameters[i];
        const roof_argument *argument = find_argument(parameter->name, arguments, count);
        if (!argument && parameter->required)
            return missing(info, parameter, error);
        if (is_dtype(parameter)) {
            if (read_dtype(info, parameter, argument, out->dtype[0], &out->dtype[dtype_at++], error))
                return -1;
            continue;
        }
        double value = argument ? argument->value : parameter->preset;
        if (argument && check_value(info, parameter, value, error))
            return -1;
        out->shape[value_at++] = value;
    }
    return 0;
}

int roof_operation_build(roof_kind kind, const roof_argument *arguments, size_t count, roof_operation *out,
                         roof_error *error) {
    const work_kind *row = work_kind_of(kind);
    if (!row)
        return roof_fail(error, ROOF_EARGUMENT, "there is no operation of kind %d", (int)kind);
    work_start(out, kind);
    if (refuse_unknown(&row->info, arguments, count, error) ||
        read_arguments(&row->info, arguments, count, out, error) || (row->check && row->check(out, error)))
        return -1;
    row->cost(out);
    return 0;
}

size_t work_arguments(const roof_operation *operation, roof_argument out[WORK_ARGUMENT_MAX]) {
    const roof_kind_info *info = roof_kind_describe(operation->kind);
    size_t value_at = 0, dtype_at = 0, n = 0;
    for (size_t i = 0; i < info->parameter_count; i++) {
        roof_argument argument = {.name = info->parameters[i].name};
        if (!is_dtype(&info->parameters[i]))
            argument.value = operation->shape[value_at++];
        else if ((argument.dtype = operation->dtype[dtype_at++]) == ROOF_DTYPE_NONE)
            continue; /* there is no such operand */
        out[n++] = argument;
    }
    return n;
}
