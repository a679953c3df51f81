/* Faster than a roof allows: one of the numbers is not what it is taken for. Each hypothesis is tried with the numbers,
 * and those that fit are told, best first. The list is one for every door: kernels of a profile, one operation, a
 * graph, a phase of a model. docs/profiles/placed.md, "Above the roof". */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "advice/hypotheses.h"
#include "advice/placed.h"
#include "advice/text.h"
#include "core/machine.h"

typedef struct suspect {
    const placing *p;
    const placed_roof *roof;
    double ratio; /* of the rate reached to the roof, > PLACED_ABOVE */
    double calls;
} suspect;

static double score_of(hypothesis which) {
    return hypothesis_rows[which].score;
}

static const char *word(advice_word *keep, advice_word made) {
    *keep = made;
    return keep->text;
}

/* The operands fit a cache, so they need not cross DRAM. Counters of DRAM cannot be wrong in this way; bytes that a
 * program states of itself can. */
static void say_cached(const suspect *s, roof_level level, double one, double size, roof_hypothesis *out) {
    bool computed = s->roof->certainty == ROOF_CERTAINTY_COMPUTED;
    advice_word bytes, room;
    out->score = score_of(computed ? CACHE : CACHE_COUNTED);
    snprintf(out->words, sizeof out->words, "%sthe %s of a call fit the %s (%s): judge at %s%s",
             computed ? "" : "unless DRAM counters gave them, ", word(&bytes, advice_quantity(one, "B")),
             roof_level_name(level), word(&room, advice_quantity(size, "B")), roof_level_name(level),
             figure_known(&s->p->machine->bandwidth[level]) ? "" : ", whose bandwidth is unknown");
}

/* What a cache keeps from call to call need not cross DRAM again; the rest may fit under the roof. */
static void say_partly_cached(const suspect *s, roof_level level, double one, double size, roof_hypothesis *out) {
    double left = s->ratio * (one - size) / one;
    if (left > PLACED_ABOVE || s->roof->certainty != ROOF_CERTAINTY_COMPUTED || out->score > 0)
        return;
    advice_word room, bytes, share;
    out->score = score_of(PARTLY_CACHED);
    snprintf(out->words, sizeof out->words, "up to %s of the %s of a call may stay in the %s: at least %s of the roof",
             word(&room, advice_quantity(size, "B")), word(&bytes, advice_quantity(one, "B")), roof_level_name(level),
             word(&share, advice_percent(left)));
}

static void try_cache(const suspect *s, roof_hypothesis *out) {
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
static void try_clock(const suspect *s, roof_hypothesis *out) {
    double clock = s->p->measured->clock, full = placed_clock(s->p->machine, s->roof);
    if (s->roof->bound == ROOF_BOUND_LINK || (s->roof->bound == ROOF_BOUND_MEMORY && s->roof->level == ROOF_DRAM))
        return;
    advice_word ran, made, share;
    if (clock > 0 && full > 0) {
        if (clock <= full * PLACED_ABOVE || s->ratio * full / clock > PLACED_ABOVE)
            return;
        out->score = score_of(CLOCK_MEASURED);
        snprintf(out->words, sizeof out->words, "it ran at %s, the machine's clock is %s: %s of the roof at that clock",
                 word(&ran, advice_quantity(clock, "Hz")), word(&made, advice_quantity(full, "Hz")),
                 word(&share, advice_percent(s->ratio * full / clock)));
    } else if (hypothesis_takes(CLOCK_CATALOGUE, s->ratio)) {
        out->score = score_of(CLOCK_CATALOGUE);
        if (full > 0)
            snprintf(out->words, sizeof out->words,
                     "catalogue clock: if the roof is for its %s, %s would give this rate",
                     word(&made, advice_quantity(full, "Hz")), word(&ran, advice_quantity(full * s->ratio, "Hz")));
        else
            snprintf(out->words, sizeof out->words, "a clock %.2fx that of the roof would give this rate", s->ratio);
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

static void try_dtype(const suspect *s, roof_hypothesis *out) {
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
    out->score = score_of(hypothesis_takes(OTHER_ROOF, share) ? OTHER_ROOF : OTHER_ROOF_FAR);
    snprintf(out->words, sizeof out->words, "fits the %s%s %s roof (%s) at %s: use that one if it ran so", best.variant,
             roof_dtype_name(best.dtype), roof_unit_name(best.unit),
             word(&limit, advice_quantity(best.limit, advice_rate_unit(best.dtype))),
             word(&percent, advice_percent(share)));
}

/* ---- the counts ---- */

/* Hardware and shapes count right more often than a program's own figures do. */
static void try_flops_twice(const suspect *s, roof_hypothesis *out) {
    advice_word share;
    bool computed = s->roof->certainty == ROOF_CERTAINTY_COMPUTED, near = !hypothesis_takes(FLOPS_TWICE, s->ratio);
    if (s->roof->bound != ROOF_BOUND_COMPUTE || s->ratio > hypothesis_rows[FLOPS_TWICE].high)
        return;
    out->score = score_of(computed ? (near ? SHAPES_TWICE_NEAR : SHAPES_TWICE) : near ? FLOPS_TWICE_NEAR : FLOPS_TWICE);
    snprintf(out->words, sizeof out->words, "FLOPs counted twice (an FMA's 2 doubled again) would leave %s of the roof",
             word(&share, advice_percent(s->ratio / hypothesis_rows[FLOPS_TWICE].factor)));
}

/* Factors that a count of bytes is easily wrong by, and how. */
static void try_bytes(const suspect *s, roof_hypothesis *out) {
    static const struct {
        hypothesis which;
        const char *saying;
    } rows[] = {
        {KB_AS_KIB, "KB taken as KiB"},
        {MB_AS_MIB, "MB taken as MiB"},
        {GB_AS_GIB, "GB taken as GiB"},
        {BYTES_TWICE, "bytes counted twice (reads and writes added to a total that has both)"},
        {BITS, "bits taken as bytes"},
        {SECTORS, "bytes multiplied by a sector's 32 once too often"},
    };
    if (s->roof->bound != ROOF_BOUND_MEMORY || s->roof->certainty == ROOF_CERTAINTY_COMPUTED)
        return;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        advice_word share;
        if (!hypothesis_takes(rows[i].which, s->ratio) || score_of(rows[i].which) <= out->score)
            continue;
        out->score = score_of(rows[i].which);
        snprintf(out->words, sizeof out->words, "%s: %s of the roof without", rows[i].saying,
                 word(&share, advice_percent(s->ratio / hypothesis_rows[rows[i].which].factor)));
    }
}

/* Both counts are of all calls and the time is of one, or the time is in another unit. */
static void try_seconds(const suspect *s, roof_hypothesis *out) {
    static const double units[] = {1e3, 1e6, 1e9};
    advice_word share;
    if (s->calls >= 2 && hypothesis_takes(ONE_CALL, s->ratio / s->calls)) {
        out->score = score_of(ONE_CALL);
        snprintf(out->words, sizeof out->words, "the time may be of one call and the counts of %s; then %s of the roof",
                 advice_number(s->calls).text, word(&share, advice_percent(s->ratio / s->calls)));
        return;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (hypothesis_takes(TIME_UNIT, s->ratio / units[i])) {
            out->score = score_of(TIME_UNIT);
            snprintf(out->words, sizeof out->words, "time in the wrong unit: %.0fx longer would be %s of the roof",
                     units[i], word(&share, advice_percent(s->ratio / units[i])));
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
        if (!related || same(here->id, other.id) || !hypothesis_takes(card ? VARIANT : ARCHITECTURE, share))
            continue;
        used += (size_t)snprintf(names + used, size - used, "%s%s (%s)", found ? ", " : "", other.id,
                                 advice_percent(share).text);
        used = used < size ? used : size - 1;
        found++;
    }
    return found;
}

static void try_variant(const suspect *s, roof_hypothesis *out) {
    char names[128];
    if (s->roof->variant[0])
        return;
    out->score = list_variants(s, true, names, sizeof names)    ? score_of(VARIANT)
                 : list_variants(s, false, names, sizeof names) ? score_of(ARCHITECTURE)
                                                                : 0;
    snprintf(out->words, sizeof out->words, "another machine: under the roof of %s", names);
}

/* Counters often cover the whole system, where the machine's roofs are those of one socket. */
static void try_sockets(const suspect *s, roof_hypothesis *out) {
    double sockets = ceil(s->ratio / PLACED_ABOVE);
    if (!same(s->p->machine->scope, "socket") || sockets > hypothesis_rows[SOCKETS].high)
        return;
    advice_word share;
    out->score = score_of(SOCKETS);
    snprintf(out->words, sizeof out->words, "counts of %.0f sockets beside the roof of one: %s of %.0f roofs", sockets,
             word(&share, advice_percent(s->ratio / sockets)), sockets);
}

static void try_measured_roof(const suspect *s, roof_hypothesis *out) {
    const roof_machine *m = s->p->machine;
    const placed_roof *roof = s->roof;
    const roof_figure *figure = roof->bound == ROOF_BOUND_COMPUTE  ? roof_machine_peak(m, roof->unit, roof->dtype)
                                : roof->bound == ROOF_BOUND_MEMORY ? &m->bandwidth[roof->level]
                                                                   : &m->link;
    if (!figure || figure->origin != ROOF_ORIGIN_MEASURED || !hypothesis_takes(MEASURED_ROOF, s->ratio))
        return;
    out->score = score_of(MEASURED_ROOF);
    snprintf(out->words, sizeof out->words,
             "the roof was measured, and its loop may have missed the peak: measure it again");
}

size_t above_list(const placing *p, roof_hypothesis *out) {
    static void (*const tries[])(const suspect *, roof_hypothesis *) = {
        try_cache,   try_clock,   try_dtype,   try_flops_twice,  try_bytes,
        try_seconds, try_sockets, try_variant, try_measured_roof};
    suspect s = {
        .p = p, .roof = p->binding, .ratio = placed_fraction(p, p->binding), .calls = placed_calls(p->measured)};
    size_t count = 0;
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        roof_hypothesis made = {0};
        tries[i](&s, &made);
        if (made.score > 0)
            out[count++] = made;
    }
    hypotheses_sort(out, count);
    return count;
}

void placed_say_above(const placing *p, clauses *to) {
    roof_hypothesis found[ROOF_HYPOTHESES];
    size_t count = above_list(p, found);
    const placed_roof *roof = p->binding;
    char name[48];
    clauses_add(
        to, "%sx the %s roof (%s)", advice_number(placed_fraction(p, roof)).text,
        roof->bound == ROOF_BOUND_LINK ? "link" : placed_roof_name(roof, name, sizeof name),
        advice_quantity(roof->limit, roof->bound == ROOF_BOUND_COMPUTE ? advice_rate_unit(roof->dtype) : "B/s").text);
    for (size_t i = 0; i < count; i++)
        clauses_add(to, i ? "or %s" : "%s", found[i].words);
    if (count == 0)
        clauses_add(to, "no usual mistake fits: check the counts, the time and the machine");
}

/* ---- a phase of a model ---- */

typedef struct phase_list {
    roof_hypothesis *out;
    size_t count;
} phase_list;

static void suppose(phase_list *list, hypothesis which, const char *format, ...) ROOF_PRINTF(3, 4);

static void suppose(phase_list *list, hypothesis which, const char *format, ...) {
    roof_hypothesis *made = &list->out[list->count++];
    va_list rest;
    va_start(rest, format);
    vsnprintf(made->words, sizeof made->words, format, rest);
    va_end(rest);
    made->score = score_of(which);
}

static void suppose_prefill(const above_phase *a, phase_list *list) {
    const roof_figure *narrow = figure_known(&a->machine->narrow[roof_dtype_math(a->math)]);
    double share = narrow && a->peak > 0 ? a->attained / narrow->value : HUGE_VAL;
    /* llama.cpp, for one, sums f16 in f16, which consumer GPUs do at twice the rate */
    if (a->limit == ROOF_BOUND_COMPUTE && share <= PLACED_ABOVE)
        suppose(list, RUN_HALF_SUMS, "with f16 sums the roof is %s, of which this is %s",
                advice_quantity(narrow->value, advice_rate_unit(a->math)).text, advice_percent(share).text);
    suppose(list, RUN_OTHER, "a prefix cache, another machine, %s",
            a->known ? "another model" : "a mixture of experts");
}

static void suppose_decode(const above_phase *a, phase_list *list) {
    double cache = 0;
    for (int level = ROOF_L3; level < ROOF_LEVEL_COUNT; level++)
        if (figure_known(&a->machine->size[level]))
            cache = fmax(cache, a->machine->size[level].value);
    if (a->bytes > 0 && cache * hypothesis_rows[RUN_CACHED].low > a->bytes / a->devices)
        suppose(list, RUN_CACHED, "a good part of the %s may stay in the cache of %s",
                advice_quantity(a->bytes, "B").text, advice_quantity(cache, "B").text);
    if (a->devices <= 1 && a->over > hypothesis_rows[RUN_DEVICES].low)
        suppose(list, RUN_DEVICES, "split over %.0f or more devices", ceil(a->over));
    if (a->over > hypothesis_rows[RUN_SPECULATION].low)
        suppose(list, RUN_SPECULATION, "speculative decoding that yields %s tokens per step or more",
                advice_number(a->over).text);
    if (!a->stated && a->over > hypothesis_rows[RUN_BATCH].low)
        suppose(list, RUN_BATCH, "a larger batch, whose sequences share the weights");
    if (!a->known && hypothesis_takes(RUN_TABLE, a->over))
        suppose(list, RUN_TABLE, "an embedding table beside the head, which is not read");
    if (!a->known)
        suppose(list, RUN_EXPERTS, "a mixture of experts, which reads only some of the weights");
}

size_t above_phase_list(const above_phase *a, roof_hypothesis *out) {
    phase_list list = {.out = out};
    if (a->phase == ROOF_PHASE_DECODE)
        suppose_decode(a, &list);
    else
        suppose_prefill(a, &list);
    if (a->bytes > 0 && a->limit == ROOF_BOUND_MEMORY && (a->phase == ROOF_PHASE_DECODE || !a->stated))
        suppose(&list, a->stated ? RUN_BYTES : RUN_QUANTISED, "weights of %s or less",
                advice_quantity(a->bytes / a->over, "B").text);
    hypotheses_sort(out, list.count);
    return list.count;
}

size_t roof_phase_hypotheses(const roof_machine *machine, const roof_model *model, const roof_plan *plan,
                             const roof_point *point, double seconds, roof_hypothesis out[ROOF_HYPOTHESES]) {
    roof_parameters weights = roof_model_parameters(model, plan);
    roof_dtype math = roof_model_math(model, plan);
    const roof_figure *peak = placed_compute_roof(machine, ROOF_MATRIX, &math);
    above_phase a = {.machine = machine,
                     .known = true,
                     .phase = point->phase,
                     .limit = point->bound,
                     .over = point->seconds / seconds,
                     .bytes = weights.bytes_unknown ? 0 : weights.bytes,
                     .devices = fmax(plan->tensor, 1),
                     .attained = point->sum.flops / seconds,
                     .math = math,
                     .peak = peak ? peak->value : 0};
    return a.over > PLACED_ABOVE ? above_phase_list(&a, out) : 0;
}
