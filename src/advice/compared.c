/* Two profiles side by side: which kernel became which, and what moved. docs/profiles/placed.md, "Before and after".
 *
 * Pairing goes rule by rule, strictest first. Under one rule the kernels that are still alone are sorted by what the
 * rule looks at, each side by itself, and both sides are walked together: the first of each kind with the first.
 *
 *     scratch  [ order: before | after ][ partner of each before ][ rule that paired each after ]
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "advice/placed.h"
#include "advice/rank.h"
#include "advice/text.h"

/* ---- names ---- */

/* Step over a bracketed part, nested ones included; an unclosed one goes to the end. */
static const char *past_brackets(const char *at, char open, char close) {
    int depth = 0;
    for (; *at; at++) {
        depth += *at == open;
        depth -= *at == close;
        if (depth == 0)
            return at + 1;
    }
    return at;
}

/* Length of a run that a compiler makes up: digits, or six and more hexadecimal ones with a digit among them. */
static size_t made_up(const char *at) {
    size_t length = 0, digits = 0;
    while (isxdigit((unsigned char)at[length]))
        digits += isdigit((unsigned char)at[length++]) != 0;
    if (length >= 6 && digits > 0)
        return length;
    for (length = 0; isdigit((unsigned char)at[length]);)
        length++;
    return length;
}

/* The next character of the name without template arguments, parameter lists, digits and hashes; '\0' at the end. */
static char next_plain(const char **at) {
    for (;;) {
        size_t skip;
        if (**at == '<')
            *at = past_brackets(*at, '<', '>');
        else if (**at == '(')
            *at = past_brackets(*at, '(', ')');
        else if ((skip = made_up(*at)) > 0)
            *at += skip;
        else
            return **at ? *(*at)++ : '\0';
    }
}

/* ---- the rules ---- */

/* What a rule looks at, as an order: below, at or above zero. */
typedef int (*comparison)(const roof_measured *a, const roof_measured *b);

static const char *text_of(const char *text) {
    return text ? text : "";
}

static int compare_names(const roof_measured *a, const roof_measured *b) {
    return strcmp(text_of(a->name), text_of(b->name));
}

static int compare_names_and_places(const roof_measured *a, const roof_measured *b) {
    int names = compare_names(a, b);
    return names ? names : strcmp(text_of(a->where), text_of(b->where));
}

static int compare_plain_names(const roof_measured *a, const roof_measured *b) {
    const char *x = text_of(a->name), *y = text_of(b->name);
    for (;;) {
        char next_x = next_plain(&x), next_y = next_plain(&y);
        if (next_x != next_y || !next_x)
            return (unsigned char)next_x - (unsigned char)next_y;
    }
}

static int compare_shapes(const roof_measured *a, const roof_measured *b) {
    const roof_operation *x = &a->operation, *y = &b->operation;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    for (int i = 0; i < ROOF_SHAPE_MAX; i++)
        if (x->shape[i] < y->shape[i] || x->shape[i] > y->shape[i])
            return x->shape[i] < y->shape[i] ? -1 : 1;
    return 0;
}

/* A name of digits and brackets alone says nothing. */
static bool has_letters(const roof_measured *measured) {
    const char *at = text_of(measured->name);
    for (char next; (next = next_plain(&at)) != '\0';)
        if (isalpha((unsigned char)next))
            return true;
    return false;
}

static bool has_shape(const roof_measured *measured) {
    return measured->has_operation;
}

static const struct rule {
    comparison compare;
    bool (*takes)(const roof_measured *measured); /* NULL: every one */
} rules[] = {
    {compare_names_and_places, NULL},
    {compare_names, NULL},
    {compare_plain_names, has_letters},
    {compare_shapes, has_shape},
};
enum { RULES = sizeof rules / sizeof *rules, GONE = RULES, NEW };

/* ---- what moved ---- */

static const double SAME = 0.02; /* judgement: what repeated runs of one kernel differ by */

static double one_call(const roof_placement *p) {
    return p->seconds / placed_calls(p->measured);
}

/* DRAM bytes of one call; 0: not known. */
static double call_bytes(const roof_placement *p) {
    const roof_measured *m = p->measured;
    const roof_count *count = &m->bytes[ROOF_DRAM];
    if (count->certainty == ROOF_CERTAINTY_MISSING)
        return m->has_operation ? m->operation.bytes[ROOF_DRAM] : 0;
    return count->certainty == ROOF_CERTAINTY_AT_LEAST ? 0 : count->value / placed_calls(m);
}

static double call_flops(const roof_placement *p) {
    return p->flops / placed_calls(p->measured);
}

/* "half the DRAM bytes", "1.25x the FLOPs"; nothing when it stayed within 2 % or is not known on both sides. */
static void say_ratio(clauses *to, double before, double after, const char *what) {
    double ratio = before > 0 && after > 0 ? after / before : 1;
    if (fabs(ratio - 1) <= SAME)
        return;
    if (fabs(ratio - 0.5) <= SAME / 2)
        clauses_add(to, "half the %s", what);
    else if (fabs(ratio - 2) <= 2 * SAME)
        clauses_add(to, "twice the %s", what);
    else
        clauses_add(to, "%sx the %s", advice_number(ratio).text, what);
}

/* "memory-bound"; "L2-bound" where a cache binds. */
static advice_word bound_word(const roof_placement *p) {
    static const char *const words[] = {"no bound", "compute-bound", "memory-bound", "link-bound", "latency-bound"};
    advice_word word;
    if (p->bound == ROOF_BOUND_MEMORY && p->level != ROOF_DRAM)
        snprintf(word.text, sizeof word.text, "%s-bound", roof_level_name(p->level));
    else
        snprintf(word.text, sizeof word.text, "%s", words[p->bound <= ROOF_BOUND_LATENCY ? p->bound : ROOF_BOUND_NONE]);
    return word;
}

static double fraction(const roof_placement *p) {
    return p->headroom > 0 ? 1 / p->headroom : 0;
}

static void say_bound(clauses *to, const roof_placement *before, const roof_placement *after) {
    advice_word was = advice_percent(fraction(before)), is = advice_percent(fraction(after));
    if (before->bound == ROOF_BOUND_NONE && after->bound == ROOF_BOUND_NONE)
        return;
    if (before->bound == ROOF_BOUND_NONE || after->bound == ROOF_BOUND_NONE)
        clauses_add(to, "%s, then %s", bound_word(before).text, bound_word(after).text);
    else if (strcmp(bound_word(before).text, bound_word(after).text) != 0)
        clauses_add(to, "%s (%s), then %s (%s)", bound_word(before).text, was.text, bound_word(after).text, is.text);
    else
        clauses_add(to, "still %s (%s -> %s of the roof)", bound_word(after).text, was.text, is.text);
}

static void say_speed(clauses *to, double speedup) {
    if (!(speedup > 0))
        clauses_add(to, "no time is known on both sides");
    else if (fabs(speedup - 1) <= SAME)
        clauses_add(to, "as fast as before");
    else if (speedup > 1)
        clauses_add(to, "%sx faster", advice_number(speedup).text);
    else
        clauses_add(to, "%sx slower", advice_number(1 / speedup).text);
}

static void say_moved(roof_moved *moved) {
    clauses to = {.text = moved->words, .size = sizeof moved->words};
    const roof_placement *before = moved->before, *after = moved->after;
    if (!before || !after) {
        const roof_placement *alone = before ? before : after;
        clauses_add(&to, before ? "gone: it took %s" : "new: it takes %s", advice_quantity(alone->seconds, "s").text);
        return;
    }
    say_speed(&to, moved->speedup);
    double calls = placed_calls(before->measured), later = placed_calls(after->measured);
    if (calls < later || calls > later)
        clauses_add(&to, "%s -> %s calls", advice_number(calls).text, advice_number(later).text);
    say_ratio(&to, call_bytes(before), call_bytes(after), "DRAM bytes");
    say_ratio(&to, call_flops(before), call_flops(after), "FLOPs");
    say_bound(&to, before, after);
}

/* ---- pairing ---- */

#define ALONE ((size_t)-1)

typedef struct pairing {
    const roof_placement *before, *after;
    size_t before_count, after_count;
    size_t *order;   /* room for both sides */
    size_t *partner; /* of each before: its after, or ALONE */
    size_t *rule;    /* of each after: the rule that paired it, or ALONE */
} pairing;

static pairing begin(const roof_placement *before, size_t before_count, const roof_placement *after, size_t after_count,
                     size_t *scratch) {
    pairing p = {.before = before, .after = after, .before_count = before_count, .after_count = after_count};
    size_t both = before_count + after_count;
    p.order = scratch;
    p.partner = scratch + both;
    p.rule = p.partner + before_count;
    for (size_t i = 0; i < both; i++)
        p.partner[i] = ALONE; /* and p.rule, which lies behind */
    return p;
}

typedef struct side {
    const roof_placement *placed;
    comparison compare;
} side;

static bool is_earlier(const void *context, size_t a, size_t b) {
    const side *of = context;
    int order = of->compare(of->placed[a].measured, of->placed[b].measured);
    return order ? order < 0 : a < b;
}

/* The indices of one side that are alone and that the rule takes, sorted; returns how many. */
static size_t sort_side(const roof_placement *placed, size_t count, const size_t *found, const struct rule *rule,
                        size_t *order) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (found[i] == ALONE && (!rule->takes || rule->takes(placed[i].measured)))
            order[n++] = i;
    side of = {.placed = placed, .compare = rule->compare};
    rank_sort(order, n, is_earlier, &of);
    return n;
}

static void pair_by(const pairing *p, size_t which) {
    const struct rule *rule = &rules[which];
    size_t *left = p->order, *right = p->order + p->before_count;
    size_t lefts = sort_side(p->before, p->before_count, p->partner, rule, left);
    size_t rights = sort_side(p->after, p->after_count, p->rule, rule, right);
    for (size_t i = 0, j = 0; i < lefts && j < rights;) {
        int order = rule->compare(p->before[left[i]].measured, p->after[right[j]].measured);
        if (order == 0) {
            p->partner[left[i]] = right[j];
            p->rule[right[j]] = which;
        }
        i += order <= 0;
        j += order >= 0;
    }
}

/* ---- the list ---- */

/* An entry of the list is the index of a kernel before, or before_count and more: of one after that is new. */
static roof_moved moved_of(const pairing *p, size_t entry) {
    roof_moved moved = {0};
    if (entry >= p->before_count)
        moved.after = &p->after[entry - p->before_count];
    else {
        moved.before = &p->before[entry];
        moved.after = p->partner[entry] == ALONE ? NULL : &p->after[p->partner[entry]];
    }
    return moved;
}

/* Seconds of the whole run that this one changed. */
static double changed(const pairing *p, size_t entry) {
    roof_moved moved = moved_of(p, entry);
    return fabs((moved.before ? moved.before->seconds : 0) - (moved.after ? moved.after->seconds : 0));
}

static size_t rule_of(const pairing *p, size_t entry) {
    if (entry >= p->before_count)
        return NEW;
    return p->partner[entry] == ALONE ? GONE : p->rule[p->partner[entry]];
}

/* Ties: those paired first, then those gone, then the new ones, each as the files have them. */
static bool changes_more(const void *context, size_t a, size_t b) {
    const pairing *p = context;
    double x = changed(p, a), y = changed(p, b);
    if (x < y || x > y)
        return x > y;
    size_t rule_a = rule_of(p, a), rule_b = rule_of(p, b);
    return rule_a != rule_b ? rule_a < rule_b : a < b;
}

/* Every before, and the afters that are new; most changed first. */
static size_t list_entries(const pairing *p) {
    size_t n = 0;
    for (size_t i = 0; i < p->before_count; i++)
        p->order[n++] = i;
    for (size_t j = 0; j < p->after_count; j++)
        if (p->rule[j] == ALONE)
            p->order[n++] = p->before_count + j;
    rank_sort(p->order, n, changes_more, p);
    return n;
}

size_t roof_compare(const roof_placement *before, size_t before_count, const roof_placement *after, size_t after_count,
                    roof_moved *out, size_t capacity, size_t *scratch) {
    pairing p = begin(before, before_count, after, after_count, scratch);
    for (size_t rule = 0; rule < RULES; rule++)
        pair_by(&p, rule);
    size_t count = list_entries(&p);
    for (size_t i = 0; i < count && i < capacity; i++) {
        out[i] = moved_of(&p, p.order[i]);
        if (out[i].before && out[i].after && out[i].before->seconds > 0 && out[i].after->seconds > 0)
            out[i].speedup = one_call(out[i].before) / one_call(out[i].after);
        say_moved(&out[i]);
    }
    return count;
}
