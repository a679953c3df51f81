/* A kernel faster than a roof allows: one of its numbers is not what it is taken for. Each hypothesis is tried with the
 * numbers, and those that fit are told, best first. docs/profiles/placed.md, "Above the roof". */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advice/placed.h"
#include "advice/text.h"
#include "core/machine.h"

enum { CLAUSE = 176, FITS = 12 };

/* One hypothesis that the numbers allow: the higher the score, the earlier it is told. */
typedef struct fit {
    double score;
    char clause[CLAUSE];
} fit;

typedef struct suspect {
    const placing *p;
    const placed_roof *roof;
    double ratio; /* of the rate reached to the roof, > PLACED_ABOVE */
    double calls;
} suspect;

static bool within(double x, double low, double high) {
    return x >= low && x <= high;
}

static const char *word(advice_word *keep, advice_word made) {
    *keep = made;
    return keep->text;
}

/* The operands fit a cache, so they need not cross DRAM. Counters of DRAM cannot be wrong in this way; bytes that a
 * program states of itself can. */
static void say_cached(const suspect *s, roof_level level, double one, double size, fit *out) {
    bool computed = s->roof->certainty == ROOF_CERTAINTY_COMPUTED;
    advice_word bytes, room;
    out->score = computed ? 0.95 : 0.5;
    snprintf(out->clause, CLAUSE, "%sthe %s of a call fit the %s (%s): judge at %s%s",
             computed ? "" : "unless DRAM counters gave them, ", word(&bytes, advice_quantity(one, "B")),
             roof_level_name(level), word(&room, advice_quantity(size, "B")), roof_level_name(level),
             figure_known(&s->p->machine->bandwidth[level]) ? "" : ", whose bandwidth is not known");
}

/* What a cache keeps from call to call need not cross DRAM again; the rest may fit under the roof. */
static void say_partly_cached(const suspect *s, roof_level level, double one, double size, fit *out) {
    double left = s->ratio * (one - size) / one;
    if (left > PLACED_ABOVE || s->roof->certainty != ROOF_CERTAINTY_COMPUTED || out->score > 0)
        return;
    advice_word room, bytes, share;
    out->score = 0.72;
    snprintf(out->clause, CLAUSE, "up to %s of the %s of a call may stay in the %s: at least %s of the roof",
             word(&room, advice_quantity(size, "B")), word(&bytes, advice_quantity(one, "B")), roof_level_name(level),
             word(&share, advice_percent(left)));
}

static void try_cache(const suspect *s, fit *out) {
    static const roof_level caches[] = {ROOF_L2, ROOF_L3};
    if (s->roof->bound != ROOF_BOUND_MEMORY || s->roof->level != ROOF_DRAM)
        return;
    double one = s->roof->work / s->calls;
    for (size_t i = 0; i < sizeof caches / sizeof *caches; i++) {
        const roof_figure *size = figure_known(&s->p->machine->size[caches[i]]);
        if (size && one <= size->value) {
            say_cached(s, caches[i], one, size->value, out);
            return;
        }
        if (size)
            say_partly_cached(s, caches[i], one, size->value, out);
    }
}

/* Everything but DRAM and links runs at the clock of the cores. */
static void try_clock(const suspect *s, fit *out) {
    double clock = s->p->measured->clock, full = placed_clock(s->p->machine, s->roof);
    if (s->roof->bound == ROOF_BOUND_LINK || (s->roof->bound == ROOF_BOUND_MEMORY && s->roof->level == ROOF_DRAM))
        return;
    advice_word ran, made, share;
    if (clock > 0 && full > 0) {
        if (clock <= full * PLACED_ABOVE || s->ratio * full / clock > PLACED_ABOVE)
            return;
        out->score = 0.97;
        snprintf(out->clause, CLAUSE, "it ran at %s, the machine's clock is %s: %s of the roof at that clock",
                 word(&ran, advice_quantity(clock, "Hz")), word(&made, advice_quantity(full, "Hz")),
                 word(&share, advice_percent(s->ratio * full / clock)));
    } else if (s->ratio <= 1.2) {
        out->score = 0.75;
        if (full > 0)
            snprintf(out->clause, CLAUSE, "catalogue clock: if the roof is for its %s, %s would give this rate",
                     word(&made, advice_quantity(full, "Hz")), word(&ran, advice_quantity(full * s->ratio, "Hz")));
        else
            snprintf(out->clause, CLAUSE, "a clock %.2fx that of the roof would give this rate", s->ratio);
    }
}

/* ---- another compute roof ---- */

typedef struct other_roof {
    const char *variant; /* "2:4 sparse ", "f16-accumulate " */
    roof_unit unit;
    roof_dtype dtype;
    double limit;
} other_roof;

/* What the same source may have run in: narrower, or on the matrix unit. */
static const roof_dtype *narrower(roof_dtype math) {
    static const roof_dtype dbl[] = {ROOF_F64, ROOF_F32, ROOF_DTYPE_NONE};
    static const roof_dtype single[] = {ROOF_F32, ROOF_TF32, ROOF_BF16, ROOF_F16, ROOF_DTYPE_NONE};
    static const roof_dtype tf[] = {ROOF_TF32, ROOF_BF16, ROOF_F16, ROOF_DTYPE_NONE};
    static const roof_dtype half[] = {ROOF_BF16, ROOF_F16, ROOF_FP8, ROOF_INT8, ROOF_DTYPE_NONE};
    static const roof_dtype byte[] = {ROOF_FP8, ROOF_FP6, ROOF_FP4, ROOF_DTYPE_NONE};
    static const roof_dtype integer[] = {ROOF_INT8, ROOF_INT4, ROOF_DTYPE_NONE};
    static const roof_dtype none[] = {ROOF_DTYPE_NONE};
    switch (math) {
    case ROOF_F64:
        return dbl;
    case ROOF_F32:
        return single;
    case ROOF_TF32:
        return tf;
    case ROOF_F16:
    case ROOF_BF16:
        return half;
    case ROOF_FP8:
        return byte;
    case ROOF_INT8:
        return integer;
    default:
        return none;
    }
}

/* Keep `roof` when it is lower than the best so far and the rate fits under it. */
static void consider(const suspect *s, other_roof roof, const roof_figure *figure, other_roof *best) {
    double share = figure_known(figure) ? s->ratio * s->roof->limit / figure->value : HUGE_VAL;
    if (share > PLACED_ABOVE || (best->limit > 0 && figure->value >= best->limit))
        return;
    *best = roof;
    best->limit = figure->value;
}

static void try_dtype(const suspect *s, fit *out) {
    if (s->roof->bound != ROOF_BOUND_COMPUTE)
        return;
    const roof_machine *m = s->p->machine;
    roof_dtype math = roof_dtype_math(s->roof->dtype);
    other_roof best = {0};
    if (s->roof->unit == ROOF_MATRIX) {
        consider(s, (other_roof){.variant = "f16-accumulate ", .unit = ROOF_MATRIX, .dtype = math}, &m->narrow[math],
                 &best);
        consider(s, (other_roof){.variant = "2:4 sparse ", .unit = ROOF_MATRIX, .dtype = math}, &m->sparse[math],
                 &best);
    }
    for (const roof_dtype *next = narrower(math); *next != ROOF_DTYPE_NONE; next++) {
        consider(s, (other_roof){.variant = "", .unit = ROOF_VECTOR, .dtype = *next}, &m->peak[ROOF_VECTOR][*next],
                 &best);
        consider(s, (other_roof){.variant = "", .unit = ROOF_MATRIX, .dtype = *next}, &m->peak[ROOF_MATRIX][*next],
                 &best);
    }
    if (!(best.limit > 0))
        return;
    double share = s->ratio * s->roof->limit / best.limit;
    advice_word percent, limit;
    out->score = share >= 0.5 ? 0.7 : 0.4;
    snprintf(out->clause, CLAUSE, "fits the %s%s %s roof (%s) at %s: use that one if it ran so", best.variant,
             roof_dtype_name(best.dtype), roof_unit_name(best.unit),
             word(&limit, advice_quantity(best.limit, advice_rate_unit(best.dtype))),
             word(&percent, advice_percent(share)));
}

/* ---- the counts ---- */

/* Hardware and shapes count right more often than a program's own figures do. */
static void try_flops_twice(const suspect *s, fit *out) {
    advice_word share;
    if (s->roof->bound != ROOF_BOUND_COMPUTE || s->ratio > 2 * 1.05)
        return;
    out->score = s->ratio >= 1.2 ? 0.6 : 0.3;
    if (s->roof->certainty == ROOF_CERTAINTY_COMPUTED)
        out->score -= 0.2;
    snprintf(out->clause, CLAUSE, "FLOPs counted twice (an FMA's 2 doubled again) would leave %s of the roof",
             word(&share, advice_percent(s->ratio / 2)));
}

/* A factor that a count of bytes is easily wrong by, and how. */
static const struct wrong_bytes {
    double factor, low, high; /* ratios for which it is plausible */
    double score;
    const char *saying;
} wrong_bytes[] = {
    {1.024, PLACED_ABOVE, 1.024 * PLACED_ABOVE, 0.65, "KB taken as KiB"},
    {1.048576, PLACED_ABOVE, 1.048576 * PLACED_ABOVE, 0.6, "MB taken as MiB"},
    {1.073741824, PLACED_ABOVE, 1.073741824 * PLACED_ABOVE, 0.55, "GB taken as GiB"},
    {2, 1.1, 2.1, 0.6, "bytes counted twice (reads and writes added to a total that has both)"},
    {8, 3.2, 8.4, 0.5, "bits taken as bytes"},
    {32, 9.6, 33.6, 0.6, "bytes multiplied by a sector's 32 once too often"},
};

static void try_bytes(const suspect *s, fit *out) {
    if (s->roof->bound != ROOF_BOUND_MEMORY || s->roof->certainty == ROOF_CERTAINTY_COMPUTED)
        return;
    for (size_t i = 0; i < sizeof wrong_bytes / sizeof *wrong_bytes; i++) {
        const struct wrong_bytes *row = &wrong_bytes[i];
        advice_word share;
        if (!within(s->ratio, row->low, row->high) || row->score <= out->score)
            continue;
        out->score = row->score;
        snprintf(out->clause, CLAUSE, "%s: %s of the roof without", row->saying,
                 word(&share, advice_percent(s->ratio / row->factor)));
    }
}

/* Both counts are of all calls and the time is of one, or the time is in another unit. */
static void try_seconds(const suspect *s, fit *out) {
    static const double units[] = {1e3, 1e6, 1e9};
    advice_word share;
    if (s->calls >= 2 && within(s->ratio / s->calls, 0.03, PLACED_ABOVE)) {
        out->score = 0.85;
        snprintf(out->clause, CLAUSE, "time of one call beside counts of all %s: %s of the roof if so",
                 advice_number(s->calls).text, word(&share, advice_percent(s->ratio / s->calls)));
        return;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (within(s->ratio / units[i], 0.05, PLACED_ABOVE)) {
            out->score = 0.8;
            snprintf(out->clause, CLAUSE, "time in the wrong unit: %.0fx longer would be %s of the roof", units[i],
                     word(&share, advice_percent(s->ratio / units[i])));
        }
}

/* ---- the roof ---- */

static double limit_of(const roof_machine *machine, const placed_roof *roof) {
    const roof_figure *figure = roof->bound == ROOF_BOUND_COMPUTE  ? roof_machine_peak(machine, roof->unit, roof->dtype)
                                : roof->bound == ROOF_BOUND_MEMORY ? figure_known(&machine->bandwidth[roof->level])
                                                                   : figure_known(&machine->link);
    return figure ? figure->value : 0;
}

static bool same(const char *a, const char *b) {
    return a && b && strcmp(a, b) == 0;
}

/* "h100-sxm" and "h100-pcie": one card's variants. */
static bool same_card(const char *a, const char *b) {
    size_t length = a ? strcspn(a, "-") : 0;
    return length && b && strcspn(b, "-") == length && strncmp(a, b, length) == 0;
}

/* Variants of the card, or machines of its architecture, whose roof is as high as the rate. */
static size_t list_variants(const suspect *s, bool card, char *names, size_t size) {
    const roof_machine *here = s->p->machine;
    double rate = s->ratio * s->roof->limit;
    roof_machine other;
    size_t found = 0, used = 0;
    names[0] = '\0';
    for (size_t i = 0; found < 2 && roof_machine_at(i, &other) == 0; i++) {
        double share = limit_of(&other, s->roof) > 0 ? rate / limit_of(&other, s->roof) : 0;
        bool related = card ? same_card(here->id, other.id)
                            : same(here->architecture, other.architecture) && same(here->vendor, other.vendor);
        if (!related || same(here->id, other.id) || !within(share, 0.5, PLACED_ABOVE))
            continue;
        used += (size_t)snprintf(names + used, size - used, "%s%s (%s)", found ? ", " : "", other.id,
                                 advice_percent(share).text);
        used = used < size ? used : size - 1;
        found++;
    }
    return found;
}

static void try_variant(const suspect *s, fit *out) {
    char names[128];
    if (s->roof->variant[0])
        return;
    out->score = list_variants(s, true, names, sizeof names)    ? 0.68
                 : list_variants(s, false, names, sizeof names) ? 0.35
                                                                : 0;
    snprintf(out->clause, CLAUSE, "another machine: under the roof of %s", names);
}

/* Counters often cover the whole system, where the machine's roofs are those of one socket. */
static void try_sockets(const suspect *s, fit *out) {
    double sockets = ceil(s->ratio / PLACED_ABOVE);
    if (!same(s->p->machine->scope, "socket") || sockets > 4)
        return;
    advice_word share;
    out->score = 0.62;
    snprintf(out->clause, CLAUSE, "counts of %.0f sockets beside the roof of one: %s of %.0f roofs", sockets,
             word(&share, advice_percent(s->ratio / sockets)), sockets);
}

static void try_measured_roof(const suspect *s, fit *out) {
    const roof_machine *m = s->p->machine;
    const placed_roof *roof = s->roof;
    const roof_figure *figure = roof->bound == ROOF_BOUND_COMPUTE  ? roof_machine_peak(m, roof->unit, roof->dtype)
                                : roof->bound == ROOF_BOUND_MEMORY ? &m->bandwidth[roof->level]
                                                                   : &m->link;
    if (!figure || figure->origin != ROOF_ORIGIN_MEASURED || s->ratio > 1.5)
        return;
    out->score = 0.66;
    snprintf(out->clause, CLAUSE, "the roof was measured, and its loop may have missed the peak: measure it again");
}

static int by_score(const void *a, const void *b) {
    const fit *x = a, *y = b;
    return (x->score < y->score) - (x->score > y->score);
}

void placed_say_above(const placing *p, clauses *to) {
    static void (*const tries[])(const suspect *, fit *) = {try_cache,       try_clock,   try_dtype,
                                                            try_flops_twice, try_bytes,   try_seconds,
                                                            try_sockets,     try_variant, try_measured_roof};
    suspect s = {
        .p = p, .roof = p->binding, .ratio = placed_fraction(p, p->binding), .calls = placed_calls(p->measured)};
    fit fits[FITS] = {0};
    size_t count = 0;
    for (size_t i = 0; i < sizeof tries / sizeof *tries && count < FITS; i++) {
        tries[i](&s, &fits[count]);
        count += fits[count].score > 0;
    }
    qsort(fits, count, sizeof *fits, by_score);
    char name[48];
    clauses_add(
        to, "%sx the %s roof (%s)", advice_number(s.ratio).text,
        s.roof->bound == ROOF_BOUND_LINK ? "link" : placed_roof_name(s.roof, name, sizeof name),
        advice_quantity(s.roof->limit, s.roof->bound == ROOF_BOUND_COMPUTE ? advice_rate_unit(s.roof->dtype) : "B/s")
            .text);
    for (size_t i = 0; i < count; i++)
        clauses_add(to, i ? "or %s" : "%s", fits[i].clause);
    if (count == 0)
        clauses_add(to, "no usual mistake fits: check the counts, the time and the machine");
}
