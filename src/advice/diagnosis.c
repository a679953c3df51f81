/* What holds a measured kernel that is not at its roof, or what is missing to say so. docs/profiles/placed.md. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "advice/placed.h"
#include "advice/text.h"
#include "core/machine.h"

static const double TRACE = 0.0005; /* judgement: shares too small to be worth telling */
static const double SLOWED = 0.9;   /* judgement: of the machine's clock; less explains a good part of the distance */
static const double BUSIER = 0.2;   /* judgement: the pipe did more than this share beside the FLOPs of its roof */
static const double BINDS = 0.3;    /* judgement: a cache that is used less than this is not what holds a kernel */

/* Machines whose work is started kernel by kernel. */
static bool is_gpu(const roof_machine *machine) {
    return machine->scope && (strstr(machine->scope, "GPU") || strstr(machine->scope, "die"));
}

static void say_missing(const placing *p, clauses *to) {
    if (p->measured->missing && p->out->one_sided)
        clauses_add(to, "to collect: %s", p->measured->missing);
}

/* "12% of DRAM", "at least 3.0% of f32 vector". */
static void say_fraction(const placing *p, const placed_roof *roof, clauses *to) {
    char name[48];
    bool least = roof->certainty == ROOF_CERTAINTY_AT_LEAST ||
                 (roof->bound == ROOF_BOUND_COMPUTE && p->flops == ROOF_CERTAINTY_AT_LEAST);
    const char *joint = to->used ? ", " : "";
    int length = snprintf(to->text + to->used, to->size - to->used, "%s%s%s of %s", joint, least ? "at least " : "",
                          advice_percent(placed_fraction(p, roof)).text, placed_roof_name(roof, name, sizeof name));
    if (length > 0 && to->used + (size_t)length < to->size)
        to->used += (size_t)length;
    else
        to->text[to->used] = '\0';
}

/* The share of every roof that it has one of, the binding one first. Returns how many. */
static size_t list_fractions(const placing *p, char *text, size_t size) {
    clauses to = {.text = text, .size = size};
    size_t count = 0;
    text[0] = '\0';
    if (p->binding)
        say_fraction(p, p->binding, &to);
    for (size_t i = 0; i < p->count; i++) {
        if (p->roofs[i].bound == ROOF_BOUND_COMPUTE && p->matrix_missing)
            continue;
        count++;
        if (&p->roofs[i] != p->binding && placed_fraction(p, &p->roofs[i]) >= TRACE)
            say_fraction(p, &p->roofs[i], &to);
    }
    return count;
}

static void say_fractions(const placing *p, clauses *to) {
    char text[160];
    if (list_fractions(p, text, sizeof text) > 0)
        clauses_add(to, "it attains %s", text);
}

static void say_substitute(const placing *p, clauses *to) {
    const placed_roof *roof = p->binding;
    if (roof && roof->bound == ROOF_BOUND_COMPUTE && roof_dtype_math(roof->asked) != roof_dtype_math(roof->dtype))
        clauses_add(to, "%s has no %s %s roof; its %s roof is used instead",
                    p->machine->id ? p->machine->id : "the machine", roof_dtype_name(roof->asked),
                    roof_unit_name(roof->unit), roof_dtype_name(roof->dtype));
}

/* All FLOPs of no stated dtype ran on the matrix unit. */
static bool is_untyped_matrix(const roof_measured *measured) {
    bool matrix = false, vector = false;
    for (size_t i = 0; i < measured->flop_count; i++)
        if (measured->flops[i].dtype == ROOF_DTYPE_NONE && measured->flops[i].count.value > 0)
            *(measured->flops[i].unit == ROOF_MATRIX ? &matrix : &vector) = true;
    return matrix && !vector;
}

/* The share of two roofs that FLOPs of no stated dtype may be under. */
static void say_untyped(const placing *p, clauses *to) {
    bool matrix = is_untyped_matrix(p->measured);
    roof_unit unit = matrix ? ROOF_MATRIX : ROOF_VECTOR;
    roof_dtype wide = matrix ? ROOF_BF16 : ROOF_F64, narrow = matrix ? ROOF_FP8 : ROOF_F32;
    const roof_figure *wider = roof_machine_peak(p->machine, unit, wide),
                      *narrower = roof_machine_peak(p->machine, unit, narrow);
    double rate = p->out->attained;
    const char *words = "FLOPs without a dtype have no roof", *name = roof_unit_name(unit);
    if (wider && narrower && p->out->seconds > 0)
        clauses_add(to, "%s: %s would be %s of %s %s, %s of %s %s", words, advice_quantity(rate, "FLOP/s").text,
                    advice_percent(rate / wider->value).text, roof_dtype_name(wide), name,
                    advice_percent(rate / narrower->value).text, roof_dtype_name(narrow), name);
    else if (wider && p->out->seconds > 0)
        clauses_add(to, "%s: %s would be %s of %s %s", words, advice_quantity(rate, "FLOP/s").text,
                    advice_percent(rate / wider->value).text, roof_dtype_name(wide), name);
    else
        clauses_add(to, "%s", words);
}

static void say_bytes_at_least(const placing *p, clauses *to) {
    bool said = false;
    for (int level = ROOF_DRAM; level < ROOF_LEVEL_COUNT; level++) {
        const roof_count *bytes = &p->measured->bytes[level];
        if (bytes->certainty == ROOF_CERTAINTY_AT_LEAST)
            clauses_add(to, "bytes at %s are at least %s", roof_level_name((roof_level)level),
                        advice_quantity(bytes->value, "B").text);
        said |= bytes->certainty == ROOF_CERTAINTY_AT_LEAST;
    }
    if (!said)
        clauses_add(to, "bytes are incomplete");
}

/* What is not known, and what that leaves. */
static void say_one_sided(const placing *p, clauses *to) {
    if (p->matrix_missing)
        clauses_add(to, "FLOPs incomplete: tensor work not counted (the matrix pipe was busy %s of the time)",
                    advice_percent(p->measured->matrix_active).text);
    else if (p->flops == ROOF_CERTAINTY_MISSING && p->bytes)
        clauses_add(to, "FLOPs are missing: judged on bandwidth alone");
    else if (p->flops == ROOF_CERTAINTY_AT_LEAST)
        clauses_add(to, "FLOPs are at least %s (%s): no verdict about compute",
                    advice_quantity(p->out->flops, "FLOP").text, advice_quantity(p->out->attained, "FLOP/s").text);
    else if (p->untyped)
        say_untyped(p, to);
    else if (p->roofless)
        clauses_add(to, "the machine has no roof for some of its FLOPs");
    if (p->levelless)
        clauses_add(to, "the machine's DRAM bandwidth is unknown: judged on compute alone");
    else if (!p->dram && p->flops != ROOF_CERTAINTY_MISSING)
        clauses_add(to, "%s",
                    p->bytes ? "bytes at DRAM are missing"
                    : p->roofless || p->flops == ROOF_CERTAINTY_AT_LEAST
                        ? "bytes are missing"
                        : "bytes are missing: judged on compute alone");
    else if (p->bytes_at_least)
        say_bytes_at_least(p, to);
}

static void say_unknown(const placing *p, clauses *to) {
    if (!(p->out->seconds > 0))
        clauses_add(to, "no time was measured, so no rate is known");
    else if (p->flops == ROOF_CERTAINTY_MISSING && !p->bytes)
        clauses_add(to, "neither FLOPs nor bytes are known");
    else if (p->count == 0 && p->out->flops <= 0 && p->flops == ROOF_CERTAINTY_COUNTED && p->dram)
        clauses_add(to, "0 FLOPs and 0 bytes were counted");
    else {
        if (p->flops == ROOF_CERTAINTY_AT_LEAST && !p->matrix_missing && !p->bytes)
            clauses_add(to, "FLOPs are at least %s (%s) and bytes are missing: no verdict",
                        advice_quantity(p->out->flops, "FLOP").text, advice_quantity(p->out->attained, "FLOP/s").text);
        else
            say_one_sided(p, to);
        say_fractions(p, to);
    }
}

/* ---- below its roof ---- */

static double call_seconds(const placing *p) {
    return p->out->seconds / placed_calls(p->measured);
}

static bool say_launch(const placing *p, clauses *to) {
    bool given = figure_known(&p->machine->launch) != NULL;
    double launch = given ? p->machine->launch.value : is_gpu(p->machine) ? PLACED_LAUNCH : 0, one = call_seconds(p);
    if (!(one < PLACED_LAUNCHES * launch))
        return false;
    return clauses_add(to, "launch-bound: %s per call, of which launch overhead is %s%s",
                       advice_quantity(one, "s").text, given ? "" : "about ",
                       advice_quantity(fmin(launch, one), "s").text);
}

static bool say_small(const placing *p, clauses *to) {
    double least = p->out->least_seconds / placed_calls(p->measured);
    if (!is_gpu(p->machine) || least >= PLACED_SMALL)
        return false;
    return clauses_add(to, "too little work per call to fill the machine: %s at the roof, %s measured",
                       advice_quantity(least, "s").text, advice_quantity(call_seconds(p), "s").text);
}

static bool say_clock(const placing *p, clauses *to) {
    double clock = p->measured->clock, full = figure_known(&p->machine->clock) ? p->machine->clock.value : 0;
    if (p->binding->bound != ROOF_BOUND_COMPUTE || !(clock > 0) || !(clock < SLOWED * full))
        return false;
    if (!(placed_clock(p->machine, p->binding) > 0)) {
        clauses_add(to, "it ran at %s, the machine's clock is %s", advice_quantity(clock, "Hz").text,
                    advice_quantity(full, "Hz").text);
        return false;
    }
    double share = placed_fraction(p, p->binding) * full / clock;
    return clauses_add(to, "it ran at %s, the machine's clock is %s: %s of the roof at that clock",
                       advice_quantity(clock, "Hz").text, advice_quantity(full, "Hz").text,
                       advice_percent(share).text) &&
           share >= PLACED_NEAR;
}

static bool say_pipe(const placing *p, clauses *to) {
    double busy = p->measured->matrix_active;
    if (p->binding->bound != ROOF_BOUND_COMPUTE || p->binding->unit != ROOF_MATRIX ||
        busy < placed_fraction(p, p->binding) + BUSIER)
        return false;
    return clauses_add(to, "the matrix pipe was busy %s of the time: padding, or instructions slower than this roof's",
                       advice_percent(busy).text);
}

static bool say_level(const placing *p, clauses *to) {
    double dram = p->out->level_fraction[ROOF_DRAM];
    if (p->binding->bound != ROOF_BOUND_MEMORY || p->binding->level == ROOF_DRAM || !(dram > 0) ||
        placed_fraction(p, p->binding) < BINDS)
        return false;
    return clauses_add(to, "%s binds, not DRAM", roof_level_name(p->binding->level));
}

static void say_below(const placing *p, clauses *to) {
    static const char *const lead[] = {"its roof", "its roof", "both roofs", "all its roofs"};
    char shares[160];
    size_t count = list_fractions(p, shares, sizeof shares);
    say_one_sided(p, to);
    clauses_add(to, "below %s (%s)", lead[count < 3 ? count : 3], shares);
    bool level = say_level(p, to), clock = say_clock(p, to), pipe = say_pipe(p, to);
    if (say_launch(p, to) || say_small(p, to) || clock || pipe)
        return;
    bool flops = p->flops == ROOF_CERTAINTY_MISSING || p->flops == ROOF_CERTAINTY_AT_LEAST || p->roofless;
    clauses_add(to, "%slatency, occupancy or instruction overhead%s",
                !p->out->one_sided ? ""
                : flops            ? "compute, "
                                   : "memory, ",
                level ? " beside it" : "");
}

static void say_moved(const placing *p, clauses *to) {
    if (p->moved_from > 0)
        clauses_add(to, "%.2fx DRAM's bandwidth: the %s of a call fit the %s (%s), so judged there", p->moved_from,
                    advice_quantity(p->binding->work / placed_calls(p->measured), "B").text,
                    roof_level_name(p->binding->level),
                    advice_quantity(p->machine->size[p->binding->level].value, "B").text);
}

void placed_say(placing *p) {
    clauses to = {.text = p->out->diagnosis, .size = sizeof p->out->diagnosis};
    if (p->binding)
        say_moved(p, &to);
    switch (p->out->standing) {
    case ROOF_STANDING_ABOVE:
        placed_say_above(p, &to);
        break;
    case ROOF_STANDING_BELOW:
        say_below(p, &to);
        break;
    case ROOF_STANDING_NEAR:
        say_one_sided(p, &to);
        break;
    default:
        say_unknown(p, &to);
    }
    say_substitute(p, &to);
    say_missing(p, &to);
}
