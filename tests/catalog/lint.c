/* Lint of one machine: sources, order of dense and sparse, ladders between data types, ridge points. */
#include "lint.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const roof_figure *figure_number(const roof_machine *machine, size_t index) {
    return (const roof_figure *)(const void *)((const char *)machine + FIGURES_FIRST) + index;
}

static const char *lint_source(const roof_machine *machine, const char *source, char buffer[LINT_SIZE]) {
    char copy[256], *save = NULL;
    if (!source || !source[0] || strlen(source) >= sizeof copy) {
        snprintf(buffer, LINT_SIZE, "%s: a figure has no source", machine->id);
        return buffer;
    }
    strcpy(copy, source);
    for (char *key = copy; key; key = save) {
        save = strchr(key, ' ');
        if (save)
            *save++ = '\0';
        if (!roof_source_text(key)) {
            snprintf(buffer, LINT_SIZE, "%s: source key '%.60s' is unknown", machine->id, key);
            return buffer;
        }
    }
    return NULL;
}

static const char *lint_figures(const roof_machine *machine, char buffer[LINT_SIZE]) {
    for (size_t i = 0; i < FIGURES_COUNT; i++) {
        const roof_figure *figure = figure_number(machine, i);
        if (figure->origin == ROOF_ORIGIN_UNKNOWN) {
            if (figure->value != 0 || figure->source || figure->unchecked) {
                snprintf(buffer, LINT_SIZE, "%s: an unknown figure carries something", machine->id);
                return buffer;
            }
            continue;
        }
        if (!(figure->value > 0) || !isfinite(figure->value)) {
            snprintf(buffer, LINT_SIZE, "%s: a figure is %g", machine->id, figure->value);
            return buffer;
        }
        if (lint_source(machine, figure->source, buffer))
            return buffer;
    }
    return NULL;
}

static const char *lint_words(const roof_machine *machine, char buffer[LINT_SIZE]) {
    for (const char *c = machine->id; *c; c++)
        if (!(islower((unsigned char)*c) || isdigit((unsigned char)*c) || *c == '-')) {
            snprintf(buffer, LINT_SIZE, "%s: '%c' in an id", machine->id, *c);
            return buffer;
        }
    if (strncmp(machine->name, machine->vendor, strlen(machine->vendor)) == 0 && machine->architecture &&
        machine->scope && machine->memory_kind && machine->year >= 2015)
        return NULL;
    snprintf(buffer, LINT_SIZE,
             "%s: the name must start with the vendor; architecture, scope, memory kind and year must be there",
             machine->id);
    return buffer;
}

static const char *lint_order(const roof_machine *machine, char buffer[LINT_SIZE]) {
    for (int i = 0; i < ROOF_DTYPE_COUNT; i++) {
        double dense = machine->peak[ROOF_MATRIX][i].value;
        const roof_figure *sparse = &machine->sparse[i], *narrow = &machine->narrow[i];
        if (sparse->origin != ROOF_ORIGIN_UNKNOWN && !(sparse->value >= dense && dense > 0)) {
            snprintf(buffer, LINT_SIZE, "%s: %s with sparsity is below dense", machine->id,
                     roof_dtype_name((roof_dtype)i));
            return buffer;
        }
        if (narrow->origin != ROOF_ORIGIN_UNKNOWN && !(narrow->value >= dense && dense > 0)) {
            snprintf(buffer, LINT_SIZE, "%s: %s with f16 accumulate is below f32 accumulate", machine->id,
                     roof_dtype_name((roof_dtype)i));
            return buffer;
        }
    }
    if (machine->usable.value > machine->size[ROOF_DRAM].value * 1.0001) {
        snprintf(buffer, LINT_SIZE, "%s: more usable than installed memory", machine->id);
        return buffer;
    }
    return NULL;
}

typedef struct exception {
    const char *id;
    roof_dtype from, to;
    double ratio;
    const char *why;
} exception;

static const exception exceptions[] = {
    {"mi100", ROOF_F16, ROOF_BF16, 0.5, "CDNA1 runs BF16 at half rate"},
    {"gaudi3", ROOF_F16, ROOF_BF16, 3.66, "the datasheet lists FP16 with TF32"},
    {"gaudi3", ROOF_TF32, ROOF_BF16, 3.66, "same"},
    {"gaudi3", ROOF_BF16, ROOF_FP8, 1, "FP8 runs at the BF16 rate"},
    {"inferentia2", ROOF_TF32, ROOF_BF16, 1, "one rate for TF32, BF16 and FP8"},
    {"inferentia2", ROOF_BF16, ROOF_FP8, 1, "same"},
    {"trainium1", ROOF_TF32, ROOF_BF16, 1, "same core"},
    {"trainium1", ROOF_BF16, ROOF_FP8, 1, "same core"},
    {"trainium2", ROOF_TF32, ROOF_BF16, 1, "same"},
    {"trainium3", ROOF_BF16, ROOF_FP8, 3.75, "MXFP8 at almost four times BF16"},
    {"trainium3", ROOF_FP8, ROOF_FP4, 1, "MXFP4 at the MXFP8 rate"},
    {"tpu-v5p", ROOF_BF16, ROOF_FP8, 1, "no FP8 gain before TPU7x"},
    {"tpu-v6e", ROOF_BF16, ROOF_FP8, 1, "same"},
    {"tpu-v4", ROOF_BF16, ROOF_INT8, 1, "INT8 at the BF16 rate"},
    {"mi210", ROOF_BF16, ROOF_INT8, 1, "CDNA2 runs INT8 at the BF16 rate"},
    {"mi250x", ROOF_BF16, ROOF_INT8, 1, "same"},
    {"mi250x-gcd", ROOF_BF16, ROOF_INT8, 1, "same"},
    {"rx-7900-xtx", ROOF_BF16, ROOF_INT8, 1, "RDNA3 runs INT8 at the FP16 rate"},
    {"ryzen-ai-max-395", ROOF_BF16, ROOF_INT8, 1, "same"},
    {"n150", ROOF_BF16, ROOF_FP8, 3.54, "FP8 at the lowest math fidelity, BF16 at the highest"},
    {"n300", ROOF_BF16, ROOF_FP8, 3.56, "same"},
    {"p150a", ROOF_BF16, ROOF_FP8, 4, "same"},
    {"b300-sxm", ROOF_BF16, ROOF_INT8, 0.068, "Blackwell Ultra gave up INT8 for FP4"},
    {"gb300", ROOF_BF16, ROOF_INT8, 0.066, "same"},
    {"b300-sxm", ROOF_FP8, ROOF_FP4, 3.11, "same"},
    {"gb300", ROOF_FP8, ROOF_FP4, 3, "same"},
    {"a10g", ROOF_BF16, ROOF_INT8, 2, "not on a datasheet we saw"},
    {"l40", ROOF_BF16, ROOF_INT8, 2, "sold at half the rate of the L40S for every type"},
};

/* How much faster `to` is than `from`. GeForce halves FP16, BF16 and FP8 with F32 accumulate but not the types that
 * accumulate in integers or that are FP4: there the step is twice as large. */
static double expected_step(const roof_machine *machine, roof_dtype from, roof_dtype to) {
    for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++)
        if (strcmp(exceptions[i].id, machine->id) == 0 && exceptions[i].from == from && exceptions[i].to == to)
            return exceptions[i].ratio;
    bool halved = machine->narrow[ROOF_F16].value > 1.9 * machine->peak[ROOF_MATRIX][ROOF_F16].value;
    if (from == ROOF_F16 && to == ROOF_BF16)
        return 1;
    return halved && (to == ROOF_INT8 || to == ROOF_FP4) ? 4 : 2;
}

static const char *lint_ladder(const roof_machine *machine, char buffer[LINT_SIZE]) {
    static const struct {
        roof_dtype from, to;
    } steps[] = {{ROOF_TF32, ROOF_BF16},
                 {ROOF_F16, ROOF_BF16},
                 {ROOF_BF16, ROOF_FP8},
                 {ROOF_BF16, ROOF_INT8},
                 {ROOF_FP8, ROOF_FP4}};
    for (int unit = 0; unit < ROOF_UNIT_COUNT; unit++)
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
            roof_dtype from = steps[i].from, to = steps[i].to;
            double low = machine->peak[unit][from].value, high = machine->peak[unit][to].value;
            double step = expected_step(machine, from, to);
            if (low <= 0 || high <= 0 || unit == ROOF_VECTOR) /* vector units have no such ladder */
                continue;
            if (fabs(high / low / step - 1) > 0.07) {
                snprintf(buffer, LINT_SIZE, "%s: %s is %.3g times %s, not %.3g", machine->id, roof_dtype_name(to),
                         high / low, roof_dtype_name(from), step);
                return buffer;
            }
        }
    return NULL;
}

static const char *lint_ridge(const roof_machine *machine, char buffer[LINT_SIZE]) {
    for (int i = 0; i < ROOF_DTYPE_COUNT; i++) {
        double ridge = roof_machine_ridge(machine, ROOF_MATRIX, (roof_dtype)i);
        bool half = i == ROOF_F16 || i == ROOF_BF16;
        if (ridge > 0 && (ridge < (half ? 2 : 0.1) || ridge > (half ? 1000 : 4000))) {
            snprintf(buffer, LINT_SIZE, "%s: %s ridge point %g is out of range", machine->id,
                     roof_dtype_name((roof_dtype)i), ridge);
            return buffer;
        }
    }
    if (machine->bandwidth[ROOF_DRAM].origin != ROOF_ORIGIN_UNKNOWN)
        return NULL;
    snprintf(buffer, LINT_SIZE, "%s: no memory bandwidth", machine->id);
    return buffer;
}

const char *lint_machine(const roof_machine *machine, char buffer[LINT_SIZE]) {
    const char *(*const checks[])(const roof_machine *, char *) = {lint_words, lint_figures, lint_order, lint_ladder,
                                                                   lint_ridge};
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        if (checks[i](machine, buffer))
            return buffer;
    return NULL;
}
