/* Two profiles side by side: which kernel became which, and what moved. docs/profiles/placed.md, "Before and after". */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "advice/placed.h"
#include "advice/text.h"

/* Which kernels have found their partner; further ones stay alone. */
enum { PAIRED_MAX = 32768 };
typedef struct paired {
    unsigned char bits[PAIRED_MAX / 8];
} paired;

static bool is_paired(const paired *set, size_t i) {
    return i >= PAIRED_MAX || set->bits[i / 8] & 1u << i % 8;
}

static void pair_up(paired *set, size_t i) {
    if (i < PAIRED_MAX)
        set->bits[i / 8] |= (unsigned char)(1u << i % 8);
}

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

static bool same_plain(const char *a, const char *b) {
    char x, y;
    size_t letters = 0;
    do {
        x = next_plain(&a);
        y = next_plain(&b);
        letters += isalpha((unsigned char)x) != 0;
    } while (x == y && x);
    return x == y && letters > 0;
}

static const char *text_of(const char *text) {
    return text ? text : "";
}

static bool by_name_and_place(const roof_measured *a, const roof_measured *b) {
    return strcmp(text_of(a->name), text_of(b->name)) == 0 && strcmp(text_of(a->where), text_of(b->where)) == 0;
}

static bool by_name(const roof_measured *a, const roof_measured *b) {
    return strcmp(text_of(a->name), text_of(b->name)) == 0;
}

static bool by_plain_name(const roof_measured *a, const roof_measured *b) {
    return same_plain(text_of(a->name), text_of(b->name));
}

static bool by_shape(const roof_measured *a, const roof_measured *b) {
    if (!a->has_operation || !b->has_operation || a->operation.kind != b->operation.kind)
        return false;
    for (int i = 0; i < ROOF_SHAPE_MAX; i++)
        if (a->operation.shape[i] < b->operation.shape[i] || a->operation.shape[i] > b->operation.shape[i])
            return false;
    return true;
}

/* ---- what moved ---- */

static double one_call(const roof_placed *p) {
    return p->seconds / placed_calls(p->measured);
}

/* DRAM bytes of one call; 0: not known. */
static double call_bytes(const roof_placed *p) {
    const roof_measured *m = p->measured;
    const roof_count *count = &m->bytes[ROOF_DRAM];
    if (count->certainty == ROOF_CERTAINTY_MISSING)
        return m->has_operation ? m->operation.bytes[ROOF_DRAM] : 0;
    return count->certainty == ROOF_CERTAINTY_AT_LEAST ? 0 : count->value / placed_calls(m);
}

static double call_flops(const roof_placed *p) {
    return p->flops / placed_calls(p->measured);
}

/* "half the DRAM bytes", "1.25x the FLOPs"; nothing when it stayed within 2 % or is not known on both sides. */
static void say_ratio(clauses *to, double before, double after, const char *what) {
    double ratio = before > 0 && after > 0 ? after / before : 1;
    if (fabs(ratio - 1) <= 0.02)
        return;
    if (fabs(ratio - 0.5) <= 0.01)
        clauses_add(to, "half the %s", what);
    else if (fabs(ratio - 2) <= 0.04)
        clauses_add(to, "twice the %s", what);
    else
        clauses_add(to, "%sx the %s", advice_number(ratio).text, what);
}

/* "memory-bound"; "L2-bound" where a cache binds. */
static advice_word bound_word(const roof_placed *p) {
    static const char *const words[] = {"no bound", "compute-bound", "memory-bound", "link-bound", "latency-bound"};
    advice_word word;
    if (p->bound == ROOF_BOUND_MEMORY && p->level != ROOF_DRAM)
        snprintf(word.text, sizeof word.text, "%s-bound", roof_level_name(p->level));
    else
        snprintf(word.text, sizeof word.text, "%s", words[p->bound <= ROOF_BOUND_LATENCY ? p->bound : ROOF_BOUND_NONE]);
    return word;
}

static double fraction(const roof_placed *p) {
    return p->headroom > 0 ? 1 / p->headroom : 0;
}

static void say_bound(clauses *to, const roof_placed *before, const roof_placed *after) {
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
    else if (fabs(speedup - 1) <= 0.02)
        clauses_add(to, "as fast as before");
    else if (speedup > 1)
        clauses_add(to, "%sx faster", advice_number(speedup).text);
    else
        clauses_add(to, "%sx slower", advice_number(1 / speedup).text);
}

static void say_moved(roof_moved *moved) {
    clauses to = {.text = moved->words, .size = sizeof moved->words};
    const roof_placed *before = moved->before, *after = moved->after;
    if (!before || !after) {
        const roof_placed *alone = before ? before : after;
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

/* ---- the list ---- */

typedef struct moved_list {
    roof_moved *out;
    size_t capacity, count; /* count: of all, written or not */
} moved_list;

/* Seconds of the whole run that this one changed. */
static double changed(const roof_moved *moved) {
    return fabs((moved->before ? moved->before->seconds : 0) - (moved->after ? moved->after->seconds : 0));
}

static void insert(moved_list *list, const roof_placed *before, const roof_placed *after) {
    roof_moved moved = {.before = before, .after = after};
    size_t written = list->count < list->capacity ? list->count : list->capacity, place = written;
    list->count++;
    while (place > 0 && changed(&moved) > changed(&list->out[place - 1]))
        place--;
    if (place == list->capacity)
        return;
    if (before && after && before->seconds > 0 && after->seconds > 0)
        moved.speedup = one_call(before) / one_call(after);
    say_moved(&moved);
    size_t last = written < list->capacity ? written : written - 1;
    memmove(&list->out[place + 1], &list->out[place], (last - place) * sizeof moved);
    list->out[place] = moved;
}

size_t roof_compare(const roof_placed *before, size_t before_count, const roof_placed *after, size_t after_count,
                    roof_moved *out, size_t capacity) {
    static bool (*const rules[])(const roof_measured *, const roof_measured *) = {by_name_and_place, by_name,
                                                                                  by_plain_name, by_shape};
    paired left = {{0}}, right = {{0}};
    moved_list list = {.out = out, .capacity = capacity};
    for (size_t rule = 0; rule < sizeof rules / sizeof *rules; rule++)
        for (size_t i = 0; i < before_count; i++)
            for (size_t j = 0; j < after_count && !is_paired(&left, i); j++)
                if (!is_paired(&right, j) && rules[rule](before[i].measured, after[j].measured)) {
                    pair_up(&left, i);
                    pair_up(&right, j);
                    insert(&list, &before[i], &after[j]);
                }
    for (size_t i = 0; i < before_count; i++)
        if (i >= PAIRED_MAX || !is_paired(&left, i))
            insert(&list, &before[i], NULL);
    for (size_t j = 0; j < after_count; j++)
        if (j >= PAIRED_MAX || !is_paired(&right, j))
            insert(&list, NULL, &after[j]);
    return list.count;
}
