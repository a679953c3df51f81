/* The verdict: the largest of an operation's times under each roof it touches. Formula: docs/model.md, "One operation". */
#include <math.h>
#include <stdio.h>

#include "roofline.h"

const char *roof_bound_name(roof_bound bound) {
    static const char *const names[] = {"none", "compute", "memory", "link", "latency"};
    return bound >= ROOF_BOUND_NONE && bound <= ROOF_BOUND_LATENCY ? names[bound] : "none";
}

static bool is_known(const roof_figure *figure) {
    return figure->origin != ROOF_UNKNOWN && figure->value > 0;
}

static int no_roof(const roof_machine *machine, const roof_operation *operation, const char *variant, roof_error *error) {
    roof_dtype dtype = operation->matrix_dtype;
    const char *name = roof_dtype_name(dtype);
    roof_fail(error, ROOF_EUNSUPPORTED, "%s has no %s%s roof, so %s work cannot be judged on it", machine->id ? machine->id : "the machine",
              variant, name, name);
    if (variant[0]) {
        roof_hint(error, "the dense %s roof is published: leave the %s variant out", name, variant);
        return -1;
    }
    roof_dtype other = roof_machine_substitute(machine, ROOF_MATRIX, dtype);
    if (other != ROOF_DTYPE_NONE)
        roof_hint(error, "--dtype %s is the usual substitute", roof_dtype_name(other));
    return -1;
}

/* The matrix roof of the operation, in FLOP/s, or NULL after filling `error`. */
static const roof_figure *matrix_roof(const roof_machine *machine, const roof_operation *operation, roof_error *error) {
    roof_dtype math = roof_dtype_math(operation->matrix_dtype);
    const roof_figure *roof;
    if (operation->sparse || operation->narrow_accumulate) {
        roof = operation->sparse ? &machine->sparse[math] : &machine->narrow[math];
        if (is_known(roof))
            return roof;
        no_roof(machine, operation, operation->sparse ? "sparse " : "f16-accumulate ", error);
        return NULL;
    }
    roof = roof_machine_peak(machine, ROOF_MATRIX, math);
    if (!roof)
        no_roof(machine, operation, "", error);
    return roof;
}

/* Vector work runs under its own dtype's vector roof, or f32's; where neither is published it costs nothing here and the
 * bound stays a bound. */
static double vector_peak(const roof_machine *machine, roof_dtype dtype) {
    const roof_figure *roof = roof_machine_peak(machine, ROOF_VECTOR, dtype);
    if (!roof)
        roof = roof_machine_peak(machine, ROOF_VECTOR, ROOF_F32);
    return roof ? roof->value : HUGE_VAL;
}

typedef struct compute_time {
    double seconds, peak;
    roof_unit unit;
    roof_dtype dtype;
} compute_time;

static int time_compute(const roof_machine *machine, const roof_operation *operation, compute_time *out, roof_error *error) {
    *out = (compute_time){0, 0, ROOF_MATRIX, operation->matrix_dtype};
    if (operation->matrix_flops > 0) {
        const roof_figure *roof = matrix_roof(machine, operation, error);
        if (!roof)
            return -1;
        out->peak = roof->value;
        out->seconds = operation->matrix_flops / roof->value;
    }
    if (operation->vector_flops > 0) {
        double peak = vector_peak(machine, operation->vector_dtype);
        double seconds = operation->vector_flops / peak;
        if (seconds > out->seconds || operation->matrix_flops <= 0)
            *out = (compute_time){seconds, peak, ROOF_VECTOR, operation->vector_dtype};
    }
    return 0;
}

static int time_memory(const roof_machine *machine, const roof_operation *operation, roof_verdict *verdict, roof_error *error) {
    verdict->level = ROOF_DRAM;
    for (int level = ROOF_DRAM; level < ROOF_LEVEL_COUNT; level++) {
        if (!(operation->bytes[level] > 0))
            continue;
        if (!is_known(&machine->bandwidth[level])) {
            if (level != ROOF_DRAM)
                continue; /* traffic above DRAM is judged only where the roof is known */
            return roof_fail(error, ROOF_EUNSUPPORTED, "%s has no %s bandwidth, so traffic to memory cannot be judged on it",
                             machine->id ? machine->id : "the machine", roof_level_name(ROOF_DRAM));
        }
        double seconds = operation->bytes[level] / machine->bandwidth[level].value;
        if (seconds > verdict->memory_seconds) {
            verdict->memory_seconds = seconds;
            verdict->level = (roof_level)level;
        }
    }
    return 0;
}

static int time_link(const roof_machine *machine, const roof_operation *operation, roof_verdict *verdict, roof_error *error) {
    if (!(operation->link_bytes > 0 || operation->link_steps > 0))
        return 0;
    if (!is_known(&machine->link)) {
        roof_fail(error, ROOF_EUNSUPPORTED, "%s has no device-to-device link, so a collective cannot be judged on it",
                  machine->id ? machine->id : "the machine");
        roof_hint(error, "give one: --link 64GB/s (one direction)");
        return -1;
    }
    double latency = is_known(&machine->link_latency) ? machine->link_latency.value : 0;
    verdict->link_seconds = operation->link_bytes / machine->link.value + operation->link_steps * latency;
    return 0;
}

/* The largest time and the one after it decide bound and margin. */
static void decide(roof_verdict *verdict) {
    double times[] = {verdict->compute_seconds, verdict->memory_seconds, verdict->link_seconds, verdict->launch_seconds};
    double first = 0, second = 0;
    for (int i = 0; i < 4; i++) {
        if (times[i] > first) {
            second = first;
            first = times[i];
            verdict->bound = (roof_bound)(i + 1);
        } else if (times[i] > second) {
            second = times[i];
        }
    }
    verdict->margin = second > 0 ? first / second : HUGE_VAL;
}

int roof_judge(const roof_machine *machine, const roof_operation *operation, roof_verdict *verdict, roof_error *error) {
    compute_time compute;
    *verdict = (roof_verdict){0};
    if (time_compute(machine, operation, &compute, error) || time_memory(machine, operation, verdict, error) ||
        time_link(machine, operation, verdict, error))
        return -1;
    verdict->compute_seconds = compute.seconds;
    verdict->unit = compute.unit;
    verdict->dtype = compute.dtype;
    verdict->launch_seconds = is_known(&machine->launch) ? machine->launch.value : 0;
    decide(verdict);

    double flops = roof_operation_flops(operation);
    double bytes = operation->bytes[ROOF_DRAM];
    double work = fmax(verdict->compute_seconds, fmax(verdict->memory_seconds, verdict->link_seconds));
    verdict->seconds = work + verdict->launch_seconds;
    verdict->intensity = bytes > 0 ? flops / bytes : (flops > 0 ? HUGE_VAL : 0);
    if (compute.peak > 0 && isfinite(compute.peak) && is_known(&machine->bandwidth[verdict->level]))
        verdict->ridge = compute.peak / machine->bandwidth[verdict->level].value;
    verdict->attainable = verdict->seconds > 0 ? flops / verdict->seconds : 0;
    return 0;
}

const char *roof_verdict_roof(const roof_verdict *verdict, char *buffer, size_t size) {
    switch (verdict->bound) {
    case ROOF_BOUND_COMPUTE:
        snprintf(buffer, size, "%s %s", roof_dtype_name(roof_dtype_math(verdict->dtype)), roof_unit_name(verdict->unit));
        break;
    case ROOF_BOUND_MEMORY:
        snprintf(buffer, size, "%s", roof_level_name(verdict->level));
        break;
    default:
        snprintf(buffer, size, "%s", roof_bound_name(verdict->bound));
    }
    return buffer;
}
