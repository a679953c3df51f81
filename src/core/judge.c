/* The verdict: the largest of an operation's times under each roof it touches; and the sum over operations that makes a
 * phase. Formula: docs/model.md, "One operation". */
#include <math.h>
#include <stdio.h>

#include "core/judge.h"
#include "core/machine.h"

/* Inlined into its callers whatever the compiler thinks: sweeps spend a third of their time here. */
#ifdef __GNUC__
#define INLINED static inline __attribute__((__always_inline__))
#else
#define INLINED static inline
#endif

/* Times and bound of one operation: all that a sum needs. */
typedef struct judged {
    double compute, memory, link, launch, seconds; /* seconds: the largest of the first three, and launch */
    double peak;                                   /* of the compute roof; 0 without FLOPs */
    roof_unit unit, under;                         /* under: whose roof it is */
    roof_dtype dtype;
    roof_level level;
    roof_bound bound;
} judged;

const char *roof_bound_name(roof_bound bound) {
    static const char *const names[] = {"none", "compute", "memory", "link", "latency"};
    return bound >= ROOF_BOUND_NONE && bound <= ROOF_BOUND_LATENCY ? names[bound] : "none";
}

/* Whose roofs are they? By its name: the id of a measured machine says where its file is, not what it is. */
static const char *call(const roof_machine *machine) {
    return machine->name ? machine->name : machine->id ? machine->id : "the machine";
}

static int no_roof(const roof_machine *machine, const roof_operation *operation, const char *variant,
                   roof_error *error) {
    roof_dtype dtype = operation->matrix_dtype;
    const char *name = roof_dtype_name(dtype);
    roof_fail(error, ROOF_EUNSUPPORTED, "%s has no %s%s peak; %s work cannot be judged", call(machine), variant, name,
              name);
    if (variant[0]) {
        roof_hint(error, "the dense %s roof is published: leave the %svariant out", name, variant);
        return -1;
    }
    roof_dtype other = roof_machine_substitute(machine, ROOF_MATRIX, dtype);
    if (other != ROOF_DTYPE_NONE) {
        roof_hint(error, "%s is the usual substitute", roof_dtype_name(other));
        roof_suggest(error, ROOF_REMEDY_DTYPE, roof_dtype_name(other));
    }
    return -1;
}

/* The matrix roof of the operation, in FLOP/s, or NULL after filling `error`. */
INLINED const roof_figure *matrix_roof(const roof_machine *machine, const roof_operation *operation,
                                       roof_error *error) {
    roof_dtype math = dtype_of(operation->matrix_dtype)->math;
    const roof_figure *roof;
    if (operation->sparse || operation->narrow_accumulate) {
        roof = operation->sparse ? &machine->sparse[math] : &machine->narrow[math];
        if (figure_known(roof))
            return roof;
        no_roof(machine, operation, operation->sparse ? "sparse " : "f16-accumulate ", error);
        return NULL;
    }
    roof = machine_peak(machine, ROOF_MATRIX, math);
    if (!roof)
        no_roof(machine, operation, "", error);
    return roof;
}

/* Vector work runs under its own dtype's vector roof, or f32's; where neither is published it costs nothing here and
 * the bound stays a bound. */
INLINED double vector_peak(const roof_machine *machine, roof_dtype dtype) {
    const roof_figure *roof = machine_peak(machine, ROOF_VECTOR, dtype);
    if (!roof)
        roof = machine_peak(machine, ROOF_VECTOR, ROOF_F32);
    return roof ? roof->value : HUGE_VAL;
}

/* The slower of matrix and vector work decides the unit. */
INLINED int time_compute(const roof_machine *machine, const roof_operation *operation, judged *out, roof_error *error) {
    out->peak = out->compute = 0;
    out->unit = out->under = ROOF_MATRIX;
    out->dtype = operation->matrix_dtype;
    if (operation->matrix_flops > 0) {
        const roof_figure *roof = matrix_roof(machine, operation, error);
        if (!roof)
            return -1;
        out->peak = roof->value;
        out->compute = operation->matrix_flops / roof->value;
        if (roof == &machine->peak[ROOF_VECTOR][dtype_of(operation->matrix_dtype)->math])
            out->under = ROOF_VECTOR;
    }
    if (!(operation->vector_flops > 0))
        return 0;
    double peak = vector_peak(machine, operation->vector_dtype);
    double seconds = operation->vector_flops / peak;
    if (seconds > out->compute || operation->matrix_flops <= 0) {
        out->compute = seconds;
        out->peak = peak;
        out->unit = out->under = ROOF_VECTOR;
        out->dtype = operation->vector_dtype;
    }
    return 0;
}

static int no_bandwidth(const roof_machine *machine, roof_error *error) {
    return roof_fail(error, ROOF_EUNSUPPORTED, "%s has no %s bandwidth, so traffic to memory cannot be judged on it",
                     call(machine), roof_level_name(ROOF_DRAM));
}

/* Traffic above DRAM is judged only where the roof is known. */
static void time_caches(const roof_machine *machine, const roof_operation *operation, judged *out) {
    for (int level = ROOF_DRAM + 1; level < ROOF_LEVEL_COUNT; level++) {
        if (!(operation->bytes[level] > 0) || !figure_known(&machine->bandwidth[level]))
            continue;
        double seconds = operation->bytes[level] / machine->bandwidth[level].value;
        if (seconds > out->memory) {
            out->memory = seconds;
            out->level = (roof_level)level;
        }
    }
}

INLINED int time_memory(const roof_machine *machine, const roof_operation *operation, judged *out, roof_error *error) {
    const double *bytes = operation->bytes;
    out->memory = 0;
    out->level = ROOF_DRAM;
    if (bytes[ROOF_DRAM] > 0) {
        if (!figure_known(&machine->bandwidth[ROOF_DRAM]))
            return no_bandwidth(machine, error);
        out->memory = bytes[ROOF_DRAM] / machine->bandwidth[ROOF_DRAM].value;
    }
    if (bytes[ROOF_L3] + bytes[ROOF_L2] + bytes[ROOF_L1] > 0)
        time_caches(machine, operation, out);
    return 0;
}

static int no_link(const roof_machine *machine, roof_error *error) {
    roof_fail(error, ROOF_EUNSUPPORTED, "%s has no device-to-device link, so a collective cannot be judged on it",
              call(machine));
    roof_hint(error, "give its bandwidth in one direction");
    roof_suggest(error, ROOF_REMEDY_LINK, "64GB/s");
    return -1;
}

INLINED int time_link(const roof_machine *machine, const roof_operation *operation, judged *out, roof_error *error) {
    out->link = 0;
    if (!(operation->link_bytes + operation->link_steps > 0))
        return 0;
    if (!figure_known(&machine->link))
        return no_link(machine, error);
    double latency = figure_known(&machine->link_latency) ? machine->link_latency.value : 0;
    out->link = operation->link_bytes / machine->link.value + operation->link_steps * latency;
    return 0;
}

INLINED double larger(double a, double b) {
    return a > b ? a : b;
}

/* The first of the largest times. */
INLINED roof_bound largest(const judged *times) {
    double most = larger(larger(times->compute, times->memory), larger(times->link, times->launch));
    if (!(most > 0))
        return ROOF_BOUND_NONE;
    if (times->compute >= most)
        return ROOF_BOUND_COMPUTE;
    if (times->memory >= most)
        return ROOF_BOUND_MEMORY;
    return times->link >= most ? ROOF_BOUND_LINK : ROOF_BOUND_LATENCY;
}

INLINED int judge_times(const roof_machine *machine, const roof_operation *operation, judged *out, roof_error *error) {
    if (time_compute(machine, operation, out, error) || time_memory(machine, operation, out, error) ||
        time_link(machine, operation, out, error))
        return -1;
    out->launch = figure_known(&machine->launch) ? machine->launch.value : 0;
    out->seconds = larger(out->compute, larger(out->memory, out->link)) + out->launch;
    out->bound = largest(out);
    return 0;
}

/* The binding time over the one after it. */
static double margin(const judged *times) {
    double all[] = {times->compute, times->memory, times->link, times->launch}, first = 0, second = 0;
    for (int i = 0; i < 4; i++) {
        if (all[i] > first) {
            second = first;
            first = all[i];
        } else if (all[i] > second) {
            second = all[i];
        }
    }
    return second > 0 ? first / second : HUGE_VAL;
}

int roof_judge(const roof_machine *machine, const roof_operation *operation, roof_verdict *verdict, roof_error *error) {
    judged times;
    *verdict = (roof_verdict){0};
    if (judge_times(machine, operation, &times, error))
        return -1;
    verdict->bound = times.bound;
    verdict->unit = times.unit;
    verdict->under = times.under;
    verdict->dtype = times.dtype;
    verdict->level = times.level;
    verdict->seconds = times.seconds;
    verdict->compute_seconds = times.compute;
    verdict->memory_seconds = times.memory;
    verdict->link_seconds = times.link;
    verdict->launch_seconds = times.launch;
    verdict->margin = margin(&times);

    double flops = roof_operation_flops(operation);
    double bytes = operation->bytes[ROOF_DRAM];
    verdict->intensity = bytes > 0 ? flops / bytes : (flops > 0 ? HUGE_VAL : 0);
    if (times.peak > 0 && isfinite(times.peak) && figure_known(&machine->bandwidth[times.level]))
        verdict->ridge = times.peak / machine->bandwidth[times.level].value;
    verdict->attainable = times.seconds > 0 ? flops / times.seconds : 0;
    return 0;
}

INLINED void add(roof_sum *sum, const roof_operation *operation, double seconds, roof_bound bound) {
    double count = operation->count;
    seconds *= count;
    sum->seconds += seconds;
    sum->bound_seconds[bound] += seconds;
    sum->flops += (operation->matrix_flops + operation->vector_flops) * count;
    sum->matrix_flops += operation->matrix_flops * count;
    if (operation->kind == ROOF_KIND_ATTENTION)
        sum->attention_flops += operation->matrix_flops * count;
    sum->bytes += operation->bytes[ROOF_DRAM] * count;
    sum->weight_bytes += operation->weight_bytes * count;
    sum->cache_bytes += operation->cache_bytes * count;
    sum->link_bytes += operation->link_bytes * count;
    sum->least_bytes += operation->least_bytes * count;
    sum->most_bytes += operation->most_bytes * count;
    sum->at_least |= operation->at_least;
    sum->operations++;
}

void roof_sum_add(roof_sum *sum, const roof_operation *operation, const roof_verdict *verdict) {
    add(sum, operation, verdict->seconds, verdict->bound);
}

int judge_add(const roof_machine *machine, const roof_operation *operation, roof_sum *sum, roof_error *error) {
    judged times;
    if (judge_times(machine, operation, &times, error))
        return -1;
    add(sum, operation, times.seconds, times.bound);
    return 0;
}

int roof_judge_operations(const roof_machine *machine, const roof_operation *operations, size_t count, roof_sum *sum,
                          roof_error *error) {
    *sum = (roof_sum){0};
    for (size_t i = 0; i < count; i++)
        if (judge_add(machine, &operations[i], sum, error))
            return -1;
    return 0;
}

const char *roof_verdict_roof(const roof_verdict *verdict, char *buffer, size_t size) {
    switch (verdict->bound) {
    case ROOF_BOUND_COMPUTE:
        snprintf(buffer, size, "%s %s", roof_dtype_name(dtype_of(verdict->dtype)->math),
                 roof_unit_name(verdict->under));
        break;
    case ROOF_BOUND_MEMORY:
        snprintf(buffer, size, "%s", roof_level_name(verdict->level));
        break;
    default:
        snprintf(buffer, size, "%s", roof_bound_name(verdict->bound));
    }
    return buffer;
}

int judge_apart(const roof_machine *machine, const roof_operation *operation, judge_parts *out, roof_error *error) {
    judged times;
    if (judge_times(machine, operation, &times, error))
        return -1;
    *out = (judge_parts){.compute = times.compute,
                         .memory = times.memory,
                         .link = times.link,
                         .seconds = times.seconds,
                         .unit = times.unit};
    return 0;
}
