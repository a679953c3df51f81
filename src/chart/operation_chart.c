/* A chart of one operation, or of a sweep of one kind, from its verdicts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chart/words.h"
#include "roofline_chart.h"

#define DOT " \xC2\xB7 "
#define TIMES "\xC3\x97"

static const char *name_of(const roof_operation *operation) {
    return operation->name ? operation->name : roof_kind_name(operation->kind);
}

/* "m=8 n=14336 k=4096"; with `before`, only what differs from it. */
static void say_shape(const roof_operation *operation, const roof_operation *before, char *out, size_t size) {
    const roof_kind_info *info = roof_kind_describe(operation->kind);
    char number[NUMBER_SIZE];
    size_t shape = 0;
    for (size_t i = 0; info && i < info->parameter_count; i++) {
        const roof_parameter *parameter = &info->parameters[i];
        if (parameter->type == ROOF_PARAMETER_DTYPE)
            continue;
        double value = operation->shape[shape], old = before ? before->shape[shape] : 0;
        shape++;
        bool shown = before ? fabs(value - old) > 0 : parameter->required || fabs(value - parameter->preset) > 0;
        if (!shown || !isfinite(value))
            continue;
        chart_append(out, size, "%s%s=%s", out[0] ? " " : "", parameter->name,
                     parameter->type == ROOF_PARAMETER_COUNT && value < 1e15 ? number_coordinate(value, 1, number)
                                                                             : number_digits(value, 3, true, number));
    }
}

static void say_label(const roof_operation *operations, size_t at, char *out, size_t size) {
    const roof_operation *operation = &operations[at];
    if (at == 0) {
        char shape[96] = "";
        say_shape(operation, NULL, shape, sizeof shape);
        chart_append(out, size, "%s%s%s", name_of(operation), shape[0] ? " " : "", shape);
        return;
    }
    say_shape(operation, &operations[at - 1], out, size);
    if (!out[0])
        chart_append(out, size, "%s", name_of(operation));
}

/* ---- the roof ---- */

static const roof_figure *variant_roof(const roof_machine *machine, const roof_operation *operation, roof_dtype math) {
    return operation->sparse ? &machine->sparse[math] : operation->narrow_accumulate ? &machine->narrow[math] : NULL;
}

/* An operation without FLOPs has no compute roof: any published one gives the picture its shape. */
static void any_roof(roof_drawing *out) {
    for (int unit = ROOF_UNIT_COUNT - 1; unit >= 0; unit--)
        for (int i = ROOF_DTYPE_NONE + 1; i < ROOF_DTYPE_COUNT; i++)
            if (roof_machine_peak(&out->machine, (roof_unit)unit, (roof_dtype)i)) {
                out->chart.unit = (roof_unit)unit;
                out->chart.dtype = (roof_dtype)i;
                return;
            }
}

static void choose_roof(const roof_operation *operations, const roof_verdict *verdicts, size_t count,
                        roof_drawing *out) {
    double most = -1;
    for (size_t i = 0; i < count; i++) {
        roof_dtype math = roof_dtype_math(verdicts[i].dtype);
        const roof_figure *variant =
            verdicts[i].unit == ROOF_MATRIX ? variant_roof(&out->machine, &operations[i], math) : NULL;
        if (variant && variant->origin != ROOF_ORIGIN_UNKNOWN)
            out->machine.peak[ROOF_MATRIX][math] = *variant;
        const roof_figure *peak = roof_machine_peak(&out->machine, verdicts[i].unit, verdicts[i].dtype);
        if (!peak || peak->value <= most)
            continue;
        most = peak->value;
        out->chart.unit = verdicts[i].unit;
        out->chart.dtype = verdicts[i].dtype;
    }
    if (most < 0)
        any_roof(out);
}

/* ---- words ---- */

static void say_one(const roof_operation *operation, const roof_verdict *verdict, const chart_roofs *roofs,
                    roof_drawing *out) {
    char number[NUMBER_SIZE];
    const char *name = name_of(operation), *bound = roof_bound_name(verdict->bound);
    size_t size = sizeof out->title;
    if (verdict->bound == ROOF_BOUND_MEMORY && verdict->attainable > 0)
        chart_append(out->title, size, "This %s is memory-bound: at most %s of the compute roof", name,
                     number_percent(verdict->attainable / roofs->peak, number));
    else if (verdict->bound == ROOF_BOUND_COMPUTE && isfinite(verdict->margin))
        chart_append(out->title, size, "This %s is compute-bound: memory alone would take %s" TIMES " less time", name,
                     chart_factor(number, verdict->margin));
    else
        chart_append(out->title, size, "This %s is %s-bound", name, bound);
    if (verdict->bound == ROOF_BOUND_MEMORY && verdict->intensity > 0 && roofs->ridge > verdict->intensity)
        chart_append(out->note_title, sizeof out->note_title, "The ridge is %s" TIMES " more FLOP per byte away.",
                     chart_factor(number, roofs->ridge / verdict->intensity));
}

/* "gemm is memory-bound up to m=256 and compute-bound from m=512". */
static void say_sweep(const roof_operation *operations, const roof_verdict *verdicts, size_t count, roof_drawing *out) {
    size_t flip = count, flips = 0;
    for (size_t i = 1; i < count; i++)
        if (verdicts[i].bound != verdicts[i - 1].bound) {
            flip = i;
            flips++;
        }
    const char *name = name_of(operations), *first = roof_bound_name(verdicts[0].bound);
    char before[64] = "", after[64] = "";
    if (flips == 1) {
        say_shape(&operations[flip - 1], &operations[flip], before, sizeof before);
        say_shape(&operations[flip], &operations[flip - 1], after, sizeof after);
    }
    if (flips == 0)
        chart_append(out->title, sizeof out->title, "This %s is %s-bound at every size drawn", name, first);
    else if (flips == 1 && before[0] && after[0])
        chart_append(out->title, sizeof out->title, "This %s is %s-bound up to %s and %s-bound from %s", name, first,
                     before, roof_bound_name(verdicts[flip].bound), after);
    else
        chart_append(out->title, sizeof out->title, "What limits this %s changes with its size", name);
}

static void say_subtitle(const roof_operation *operation, size_t count, roof_drawing *out) {
    char name[24], shape[160] = "";
    chart_dtype_name(operation->dtype[0] != ROOF_DTYPE_NONE ? operation->dtype[0] : out->chart.dtype, name);
    if (count == 1)
        say_shape(operation, NULL, shape, sizeof shape);
    chart_append(out->subtitle, sizeof out->subtitle,
                 "%s%s%s in %s on one %.80s" DOT "upper bound from the model, not a measurement", name_of(operation),
                 shape[0] ? " " : "", shape, name, out->machine.name ? out->machine.name : "machine");
}

static void add_point(const roof_operation *operations, const roof_verdict *verdicts, size_t at,
                      const chart_roofs *roofs, roof_drawing *out) {
    const roof_operation *operation = &operations[at];
    const roof_verdict *verdict = &verdicts[at];
    double roof = chart_roof_at(roofs, verdict->intensity), flops = roof_operation_flops(operation);
    double share = flops > 0 && verdict->unit == ROOF_MATRIX ? operation->matrix_flops / flops : 1;
    roof_chart_point *point = &out->points[out->chart.point_count++];
    point->intensity = verdict->intensity;
    /* vector FLOPs run beside the matrix unit: the sum may pass the roof by their share and is drawn on it */
    point->attainable =
        verdict->attainable > roof && verdict->attainable * share <= roof * 1.001 ? roof : verdict->attainable;
    point->bound = verdict->bound;
    char rate[CHART_NAME], time[NUMBER_SIZE];
    say_label(operations, at, out->labels[at], sizeof out->labels[at]);
    chart_append(out->details[at], sizeof out->details[at], "%s%s%s",
                 flops > 0 ? number_quantity(verdict->attainable, "FLOP/s", 3, true, rate) : "", flops > 0 ? ", " : "",
                 number_quantity(verdict->seconds, "s", 3, false, time));
}

int roof_chart_of_operations(const roof_machine *machine, const roof_operation *operations,
                             const roof_verdict *verdicts, size_t count, const roof_chart_change *changes,
                             size_t change_count, roof_drawing *out, roof_error *error) {
    chart_roofs roofs;
    if (count == 0 || count > ROOF_CHART_POINT_MAX || change_count > ROOF_CHART_CHANGE_MAX)
        return roof_fail(error, ROOF_EARGUMENT, "a chart of operations shows 1 to %d of them and at most %d what-ifs",
                         ROOF_CHART_POINT_MAX, ROOF_CHART_CHANGE_MAX);
    chart_begin(out, machine);
    choose_roof(operations, verdicts, count, out);
    if (chart_roofs_of(&out->chart, &roofs, error))
        return -1;
    for (size_t i = 0; i < count; i++)
        add_point(operations, verdicts, i, &roofs, out);
    for (size_t i = 0; i < change_count; i++) {
        out->changes[i] = changes[i];
        chart_append(out->change_labels[i], sizeof out->change_labels[i], "%s",
                     changes[i].label ? changes[i].label : "what-if");
        out->changes[i].label = out->change_labels[i];
    }
    out->chart.change_count = change_count;
    if (count == 1)
        say_one(operations, verdicts, &roofs, out);
    else
        say_sweep(operations, verdicts, count, out);
    say_subtitle(operations, count, out);
    chart_append(out->foot, sizeof out->foot, "\xE2\x97\x8F operation%s" DOT "colour = what limits it",
                 change_count ? "  \xE2\x97\x8B what-if" : "");
    chart_say_peaks(out, operations->sparse              ? "2:4 sparse"
                         : operations->narrow_accumulate ? "f16 accumulate"
                                                         : "dense");
    return 0;
}
