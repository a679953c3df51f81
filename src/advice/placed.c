/* Measured kernels under a machine's roofs: the time each roof allows, the one that binds, what reaching it would save.
 * Rules and thresholds: docs/profiles/placed.md. */
#include <math.h>
#include <stdio.h>

#include "advice/placed.h"
#include "advice/trial.h"
#include "core/machine.h"

const char *roof_standing_name(roof_standing standing) {
    static const char *const names[] = {"unknown", "near its roof", "below its roof", "above the roof"};
    return standing >= ROOF_STANDING_UNKNOWN && standing <= ROOF_STANDING_ABOVE ? names[standing] : "unknown";
}

static bool known(const roof_count *count) {
    return count->certainty != ROOF_CERTAINTY_MISSING && isfinite(count->value) && count->value >= 0;
}

static void add(placing *p, placed_roof roof) {
    roof.seconds = roof.work / roof.limit;
    if (roof.seconds > 0 && p->count < PLACED_ROOFS)
        p->roofs[p->count++] = roof;
}

static void add_compute(placing *p, roof_unit unit, roof_dtype dtype, double flops, roof_certainty certainty) {
    roof_dtype used = dtype;
    const roof_figure *roof = placed_compute_roof(p->machine, unit, &used);
    p->out->flops += flops;
    if (!roof) {
        p->roofless |= flops > 0;
        p->untyped |= flops > 0 && dtype == ROOF_DTYPE_NONE;
        return;
    }
    add(p, (placed_roof){.bound = ROOF_BOUND_COMPUTE,
                         .unit = unit,
                         .dtype = used,
                         .asked = dtype,
                         .variant = "",
                         .certainty = certainty,
                         .work = flops,
                         .limit = roof->value});
}

/* The work of the shapes, in place of counters that are not there. */
static void operation_flops(placing *p) {
    const roof_operation *one = &p->measured->operation;
    double calls = placed_calls(p->measured);
    const roof_figure *special = one->sparse              ? &p->machine->sparse[roof_dtype_math(one->matrix_dtype)]
                                 : one->narrow_accumulate ? &p->machine->narrow[roof_dtype_math(one->matrix_dtype)]
                                                          : NULL;
    p->count = 0;
    p->out->flops = 0;
    p->roofless = p->untyped = p->matrix_missing = false;
    p->flops = one->at_least ? ROOF_CERTAINTY_AT_LEAST : ROOF_CERTAINTY_COMPUTED;
    add_compute(p, ROOF_MATRIX, one->matrix_dtype, one->matrix_flops * calls, p->flops);
    if (special && figure_known(special) && p->count) {
        p->roofs[0].limit = special->value;
        p->roofs[0].seconds = p->roofs[0].work / special->value;
        p->roofs[0].variant = one->sparse ? "sparse " : "f16-accumulate ";
    }
    add_compute(p, ROOF_VECTOR, one->vector_dtype == ROOF_DTYPE_NONE ? ROOF_F32 : one->vector_dtype,
                one->vector_flops * calls, p->flops);
}

static bool counts_matrix(const struct roof_measured_flops *entry) {
    return entry->unit == ROOF_MATRIX && known(&entry->count) && entry->count.value > 0;
}

static void compute_side(placing *p) {
    const roof_measured *m = p->measured;
    bool any = false, part = false, matrix = false;
    for (size_t i = 0; i < m->flop_count && i < ROOF_MEASURED_FLOPS; i++) {
        const struct roof_measured_flops *entry = &m->flops[i];
        part |= !known(&entry->count) || entry->count.certainty == ROOF_CERTAINTY_AT_LEAST;
        if (!known(&entry->count))
            continue;
        any = true;
        matrix |= counts_matrix(entry);
        add_compute(p, entry->unit, entry->dtype, entry->count.value, entry->count.certainty);
    }
    p->matrix_missing = m->matrix_active > 0 && !matrix;
    p->flops = !any                        ? ROOF_CERTAINTY_MISSING
               : part || p->matrix_missing ? ROOF_CERTAINTY_AT_LEAST
                                           : ROOF_CERTAINTY_COUNTED;
    if (m->has_operation && p->flops != ROOF_CERTAINTY_COUNTED && roof_operation_flops(&m->operation) > 0)
        operation_flops(p);
}

static void add_memory(placing *p, roof_level level, const roof_count *bytes) {
    p->bytes = true;
    p->dram |= level == ROOF_DRAM;
    p->bytes_at_least |= bytes->certainty == ROOF_CERTAINTY_AT_LEAST;
    if (figure_known(&p->machine->bandwidth[level]))
        add(p, (placed_roof){.bound = ROOF_BOUND_MEMORY,
                             .level = level,
                             .variant = "",
                             .certainty = bytes->certainty,
                             .work = bytes->value,
                             .limit = p->machine->bandwidth[level].value});
    else if (level == ROOF_DRAM)
        p->levelless = bytes->value > 0;
    if (p->flops != ROOF_CERTAINTY_MISSING && p->out->flops > 0 && bytes->value > 0)
        p->out->intensity[level] = p->out->flops / bytes->value;
}

static void memory_side(placing *p) {
    const roof_measured *m = p->measured;
    for (int level = ROOF_DRAM; level < ROOF_LEVEL_COUNT; level++) {
        roof_count bytes = m->bytes[level];
        if (!known(&bytes) && level == ROOF_DRAM && m->has_operation && m->operation.bytes[ROOF_DRAM] > 0)
            bytes =
                (roof_count){.value = m->operation.bytes[ROOF_DRAM] * placed_calls(m),
                             .certainty = m->operation.at_least ? ROOF_CERTAINTY_AT_LEAST : ROOF_CERTAINTY_COMPUTED};
        if (known(&bytes))
            add_memory(p, (roof_level)level, &bytes);
    }
}

/* Collectives: what the shapes send over the link. */
static void link_side(placing *p) {
    const roof_measured *m = p->measured;
    if (!m->has_operation || !figure_known(&p->machine->link))
        return;
    add(p, (placed_roof){.bound = ROOF_BOUND_LINK,
                         .variant = "",
                         .certainty = ROOF_CERTAINTY_COMPUTED,
                         .work = m->operation.link_bytes * placed_calls(m),
                         .limit = p->machine->link.value});
}

/* Incomplete FLOPs give no verdict about compute, unless even they are more than the roof allows. */
static bool may_bind(const placing *p, const placed_roof *roof) {
    return roof->bound != ROOF_BOUND_COMPUTE || p->flops == ROOF_CERTAINTY_COUNTED ||
           p->flops == ROOF_CERTAINTY_COMPUTED || placed_fraction(p, roof) > PLACED_ABOVE;
}

static placed_roof *find_binding(placing *p) {
    placed_roof *most = NULL;
    for (size_t i = 0; i < p->count; i++)
        if (may_bind(p, &p->roofs[i]) && (!most || p->roofs[i].seconds > most->seconds))
            most = &p->roofs[i];
    return most;
}

/* Bytes that every operand crosses once (computed from shapes) need not cross DRAM when a cache holds them all: they
 * are judged at the outermost cache that does, where its bandwidth is known. */
static void judge_at_cache(placing *p, placed_roof *roof) {
    static const roof_level caches[] = {ROOF_L3, ROOF_L2};
    double one = roof->work / placed_calls(p->measured);
    for (size_t i = 0; i < sizeof caches / sizeof *caches && placed_fraction(p, roof) > PLACED_ABOVE; i++) {
        const roof_figure *size = &p->machine->size[caches[i]], *bandwidth = &p->machine->bandwidth[caches[i]];
        if (!figure_known(size) || !figure_known(bandwidth) || one > size->value ||
            p->measured->bytes[caches[i]].certainty != ROOF_CERTAINTY_MISSING)
            continue;
        if (p->moved_from <= 0)
            p->moved_from = placed_fraction(p, roof);
        roof->level = caches[i];
        roof->limit = bandwidth->value;
        roof->seconds = roof->work / roof->limit;
    }
}

static void bind(placing *p) {
    placed_roof *roof = find_binding(p);
    if (roof && roof->bound == ROOF_BOUND_MEMORY && roof->level == ROOF_DRAM &&
        roof->certainty == ROOF_CERTAINTY_COMPUTED && placed_fraction(p, roof) > PLACED_ABOVE) {
        judge_at_cache(p, roof);
        roof = find_binding(p);
    }
    p->binding = roof;
}

static void fill_fractions(placing *p) {
    for (size_t i = 0; i < p->count; i++) {
        const placed_roof *roof = &p->roofs[i];
        double *to =
            roof->bound == ROOF_BOUND_MEMORY ? &p->out->level_fraction[roof->level] : &p->out->compute_fraction;
        /* vector work alone says nothing about a kernel whose matrix work is not counted */
        if (roof->bound != ROOF_BOUND_LINK && !(roof->bound == ROOF_BOUND_COMPUTE && p->matrix_missing))
            *to = fmax(*to, placed_fraction(p, roof));
    }
}

static roof_standing standing(const placing *p) {
    if (!p->binding)
        return ROOF_STANDING_UNKNOWN;
    double fraction = placed_fraction(p, p->binding);
    if (fraction > PLACED_ABOVE)
        return ROOF_STANDING_ABOVE;
    return fraction >= PLACED_NEAR ? ROOF_STANDING_NEAR : ROOF_STANDING_BELOW;
}

static void fill_verdict(placing *p) {
    roof_placement *out = p->out;
    const placed_roof *roof = p->binding;
    out->standing = standing(p);
    if (!roof)
        return;
    out->bound = roof->bound;
    out->unit = roof->unit;
    out->dtype = roof->dtype;
    out->level = roof->level;
    out->least_seconds = roof->seconds;
    out->headroom = out->seconds / roof->seconds;
    out->gain = fmax(0, out->seconds - roof->seconds);
}

/* Every roof that the kernel's work runs under. */
static void gather(placing *p) {
    const roof_measured *m = p->measured;
    *p->out = (roof_placement){.measured = m};
    compute_side(p);
    memory_side(p);
    link_side(p);
    p->out->one_sided = !p->dram || p->bytes_at_least || p->levelless || p->flops == ROOF_CERTAINTY_MISSING ||
                        p->flops == ROOF_CERTAINTY_AT_LEAST || p->roofless;
    if (known(&m->seconds) && m->seconds.value > 0) {
        p->out->seconds = m->seconds.value;
        p->out->attained = p->out->flops / p->out->seconds;
    }
}

static void place(placing *p) {
    gather(p);
    if (p->out->seconds > 0) {
        bind(p);
        fill_fractions(p);
        /* busy matrix pipes may well be what holds it: being far from the memory roof proves nothing */
        if (p->binding && p->matrix_missing && placed_fraction(p, p->binding) < PLACED_NEAR)
            p->binding = NULL;
        fill_verdict(p);
    }
    placed_say(p);
}

static bool has_roofs(const roof_machine *machine) {
    for (int level = ROOF_DRAM; level < ROOF_LEVEL_COUNT; level++)
        if (figure_known(&machine->bandwidth[level]))
            return true;
    for (int dtype = ROOF_DTYPE_NONE; dtype < ROOF_DTYPE_COUNT; dtype++)
        if (roof_machine_peak(machine, ROOF_MATRIX, (roof_dtype)dtype))
            return true;
    return false;
}

int roof_place(const roof_machine *machine, const roof_measured *measured, size_t count, roof_placement *out,
               roof_error *error) {
    if (!has_roofs(machine)) {
        roof_fail(error, ROOF_EUNSUPPORTED,
                  "%s has no known peak and no known bandwidth, so nothing can be placed under it",
                  machine->id ? machine->id : "the machine");
        roof_hint(error, "choose another machine");
        roof_suggest(error, ROOF_REMEDY_LIST_MACHINES, "");
        return -1;
    }
    double total = 0;
    for (size_t i = 0; i < count; i++) {
        placing p = {.machine = machine, .measured = &measured[i], .out = &out[i]};
        place(&p);
        total += out[i].seconds;
    }
    for (size_t i = 0; i < count && total > 0; i++) {
        out[i].share = out[i].seconds / total;
        out[i].saved = out[i].gain / total;
    }
    return 0;
}

/* ---- why it is above a roof ---- */

static size_t list_above(const placing *p, roof_hypothesis *out) {
    return p->binding && placed_fraction(p, p->binding) > PLACED_ABOVE ? above_list(p, out) : 0;
}

/* Bytes are not moved to a cache here: that they fit one is the first hypothesis. */
size_t roof_hypotheses(const roof_machine *machine, const roof_measured *measured,
                       roof_hypothesis out[ROOF_HYPOTHESES]) {
    roof_placement placed;
    placing p = {.machine = machine, .measured = measured, .out = &placed};
    gather(&p);
    p.binding = placed.seconds > 0 ? find_binding(&p) : NULL;
    return list_above(&p, out);
}

static roof_measured measured_in(double seconds) {
    return (roof_measured){.calls = 1,
                           .seconds = {.value = seconds, .certainty = ROOF_CERTAINTY_COUNTED},
                           .matrix_active = -1,
                           .line = -1};
}

static size_t one_above(const roof_machine *machine, const roof_operation *operation, double seconds,
                        roof_hypothesis *out) {
    roof_measured one = measured_in(seconds);
    one.has_operation = true;
    one.operation = *operation;
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++)
        if (operation->bytes[level] > 0)
            one.bytes[level] = (roof_count){.value = operation->bytes[level], .certainty = ROOF_CERTAINTY_COMPUTED};
    return roof_hypotheses(machine, &one, out);
}

/* The roof that most of the least time of a list is under, with the work of all of it; false: none of DRAM or of a
 * peak. */
static bool roof_of_list(const roof_machine *machine, const roof_operation *operations, size_t count,
                         placed_roof *out) {
    roof_sum sum = {0};
    if (roof_judge_operations(machine, operations, count, &sum, NULL))
        return false;
    roof_dtype dtype = advice_main_math(operations, count);
    bool memory = roof_sum_bound(&sum) == ROOF_BOUND_MEMORY;
    const roof_figure *limit =
        memory ? figure_known(&machine->bandwidth[ROOF_DRAM]) : placed_compute_roof(machine, ROOF_MATRIX, &dtype);
    *out = (placed_roof){.bound = memory ? ROOF_BOUND_MEMORY : ROOF_BOUND_COMPUTE,
                         .unit = ROOF_MATRIX,
                         .dtype = dtype,
                         .asked = dtype,
                         .variant = "",
                         .level = ROOF_DRAM,
                         .certainty = ROOF_CERTAINTY_COMPUTED,
                         .work = memory ? sum.bytes : sum.flops,
                         .limit = limit ? limit->value : 0,
                         .seconds = sum.seconds};
    return limit && sum.seconds > 0 && (memory || roof_sum_bound(&sum) == ROOF_BOUND_COMPUTE);
}

size_t roof_operations_hypotheses(const roof_machine *machine, const roof_operation *operations, size_t count,
                                  double seconds, roof_hypothesis out[ROOF_HYPOTHESES]) {
    roof_placement placed = {.seconds = seconds};
    roof_measured all = measured_in(seconds);
    placing p = {.machine = machine, .measured = &all, .out = &placed, .binding = &p.roofs[0]};
    if (count == 1)
        return one_above(machine, operations, seconds, out);
    return seconds > 0 && roof_of_list(machine, operations, count, &p.roofs[0]) ? list_above(&p, out) : 0;
}
