/* The formulas of an operation with its numbers put in. Each kind has a text in kinds.c in this notation:
 *   {m*k*a.B+n}   the value of a sum of products (and quotients) of parameters, sizes in bytes (a.B), costs and numbers
 *   {a.t}         the name of a dtype
 *   <x&!y|text>   text only where x is not zero and y is; may nest
 * Lines longer than 80 columns are folded. */
#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work/kinds.h"
#include "work/ops.h"

enum { LINE_MAX_LENGTH = 1024, COLUMNS = 80, INDENT = 4, NAME_LENGTH = 32 };

typedef struct writer {
    const roof_operation *operation;
    const roof_kind_info *info;
    char *buffer;
    size_t size, length;
    char line[LINE_MAX_LENGTH];
    size_t used;
} writer;

/* ---------------------------------------------------------------- output -- */

static void put(writer *w, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++, w->length++)
        if (w->length + 1 < w->size)
            w->buffer[w->length] = text[i];
}

/* Where to fold `text`: the last blank at or before `room`, or the first one after it. */
static size_t fold(const char *text, size_t room) {
    size_t at = room;
    while (at > 0 && text[at] != ' ')
        at--;
    return at > 0 ? at : strcspn(text, " ");
}

static void flush_line(writer *w) {
    const char *text = w->line;
    size_t left = w->used, room = COLUMNS;
    w->line[left] = '\0';
    while (left > room) {
        size_t length = fold(text, room);
        put(w, text, length);
        if (length == left)
            break;
        put(w, "\n    ", 1 + INDENT);
        text += length + 1;
        left -= length + 1;
        room = COLUMNS - INDENT;
    }
    if (left <= room)
        put(w, text, left);
    put(w, "\n", 1);
    w->used = 0;
}

static void say(writer *w, const char *text) {
    for (; *text; text++) {
        if (*text == '\n')
            flush_line(w);
        else if (w->used + 1 < sizeof w->line)
            w->line[w->used++] = *text;
    }
}

/* 1,234,567 when whole (or large enough for the fraction not to matter), else six digits. */
static void say_number(writer *w, double value) {
    char digits[32], out[48];
    bool whole = floor(value) == value || fabs(value) >= 1e6;
    if (!whole || fabs(value) >= 1e15 || value < 0) {
        snprintf(out, sizeof out, "%.6g", value);
        say(w, out);
        return;
    }
    int length = snprintf(digits, sizeof digits, "%.0f", value), n = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            out[n++] = ',';
        out[n++] = digits[i];
    }
    out[n] = '\0';
    say(w, out);
}

/* ---------------------------------------------------------------- values -- */

static double pairs(const roof_operation *operation) {
    const double *s = operation->shape;
    return roof_attention_pairs(s[ATTENTION_Q_LEN], s[ATTENTION_KV_LEN], s[ATTENTION_CAUSAL] > 0, s[ATTENTION_WINDOW],
                                s[ATTENTION_CHUNK]);
}

static double rows(const roof_operation *operation) {
    const double *s = operation->shape;
    return work_attention_rows(s[ATTENTION_Q_LEN], s[ATTENTION_KV_LEN], s[ATTENTION_CAUSAL] > 0, s[ATTENTION_WINDOW],
                               s[ATTENTION_CHUNK]);
}

static double touched(const roof_operation *operation) {
    const double *s = operation->shape;
    return s[GROUPED_TOUCHED] > 0 ? s[GROUPED_TOUCHED]
                                  : roof_experts_touched(s[GROUPED_EXPERTS], s[GROUPED_TOP_K], s[GROUPED_TOKENS]);
}

static double most_touched(const roof_operation *operation) {
    const double *s = operation->shape;
    return fmin(s[GROUPED_EXPERTS], s[GROUPED_TOP_K] * s[GROUPED_TOKENS]);
}

static double token_bytes(const roof_operation *operation) {
    return operation->bytes[ROOF_DRAM] - operation->cache_bytes;
}

static double out_depth(const roof_operation *operation) {
    return work_conv_output(operation, 0);
}
static double out_height(const roof_operation *operation) {
    return work_conv_output(operation, 1);
}
static double out_width(const roof_operation *operation) {
    return work_conv_output(operation, 2);
}
/* Names in capitals: costs, and what several parameters make together. */
static const struct {
    const char *name;
    size_t offset;
} costs[] = {
    {"MATRIX", offsetof(roof_operation, matrix_flops)}, {"VECTOR", offsetof(roof_operation, vector_flops)},
    {"BYTES", offsetof(roof_operation, bytes)},         {"WEIGHTS", offsetof(roof_operation, weight_bytes)},
    {"CACHE", offsetof(roof_operation, cache_bytes)},   {"LEAST", offsetof(roof_operation, least_bytes)},
    {"MOST", offsetof(roof_operation, most_bytes)},     {"LINK", offsetof(roof_operation, link_bytes)},
    {"STEPS", offsetof(roof_operation, link_steps)},
};

static const struct {
    const char *name;
    double (*value)(const roof_operation *);
} derived[] = {
    {"FLOPS", roof_operation_flops},
    {"PAIRS", pairs},
    {"ROWS", rows},
    {"TOUCHED", touched},
    {"MOST_TOUCHED", most_touched},
    {"PAIRS_IN_CHUNKS", work_recurrence_pairs},
    {"TOKEN_BYTES", token_bytes},
    {"BLOCKS", work_format_blocks},
    {"OD", out_depth},
    {"OH", out_height},
    {"OW", out_width},
};

static double derived_value(const writer *w, const char *name) {
    if (strcmp(name, "MANY") == 0) { /* more or less than one batch, so that the factor is worth showing */
        int at = work_parameter_place(w->info, "batch");
        return at >= 0 && w->operation->shape[at] != 1;
    }
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        if (strcmp(costs[i].name, name) == 0)
            return *(const double *)(const void *)((const char *)w->operation + costs[i].offset);
    for (size_t i = 0; i < sizeof derived / sizeof *derived; i++)
        if (strcmp(derived[i].name, name) == 0)
            return derived[i].value(w->operation);
    return nan("");
}

static double value_of(const writer *w, const char *name) {
    char *dot = strchr(name, '.');
    if (isdigit((unsigned char)*name))
        return strtod(name, NULL);
    if (isupper((unsigned char)*name))
        return derived_value(w, name);
    if (dot)
        *dot = '\0';
    int at = work_parameter_place(w->info, name);
    if (at < 0)
        return nan("");
    return dot ? roof_dtype_bytes(w->operation->dtype[at]) : w->operation->shape[at];
}

/* Copy a name or number that starts at `text`; returns its end. */
static const char *take_name(const char *text, char name[NAME_LENGTH]) {
    size_t n = 0;
    for (; isalnum((unsigned char)*text) || *text == '_' || *text == '.'; text++)
        if (n + 1 < NAME_LENGTH)
            name[n++] = *text;
    name[n] = '\0';
    return text;
}

static double evaluate(const writer *w, const char *text, const char *end) {
    double sum = 0, product = 1;
    char sign = '*', name[NAME_LENGTH];
    while (text < end) {
        text = take_name(text, name);
        double value = value_of(w, name);
        product = sign == '/' ? product / value : product * value;
        if (text >= end || *text == '+') {
            sum += product;
            product = 1;
        }
        sign = *text == '/' ? '/' : '*';
        text++;
    }
    return sum;
}

/* --------------------------------------------------------------- notation -- */

static void say_value(writer *w, const char *text, const char *end) {
    if (end - text > 2 && end[-1] == 't' && end[-2] == '.') {
        char name[NAME_LENGTH];
        take_name(text, name);
        *strchr(name, '.') = '\0';
        int at = work_parameter_place(w->info, name);
        say(w, at >= 0 ? roof_dtype_name(w->operation->dtype[at]) : "?");
        return;
    }
    say_number(w, evaluate(w, text, end));
}

/* Does the condition hold that starts at `*text`? Leaves `*text` behind its bar. */
static bool condition(const writer *w, const char **text) {
    bool holds = true;
    char name[NAME_LENGTH];
    for (;;) {
        bool negated = **text == '!';
        *text = take_name(*text + negated, name);
        holds &= (value_of(w, name) != 0) != negated;
        if (*(*text)++ == '|')
            return holds;
    }
}

/* Expand `text` up to its end or an unmatched '>'; returns where it stopped. `shown`: false only skips. */
static const char *expand(writer *w, const char *text, bool shown) {
    for (; *text && *text != '>'; text++) {
        if (*text == '<') {
            text++;
            bool holds = condition(w, &text);
            text = expand(w, text, shown && holds);
        } else if (*text == '{') {
            const char *end = strchr(text, '}');
            if (shown)
                say_value(w, text + 1, end);
            text = end;
        } else if (shown) {
            say(w, (char[]){*text, '\0'});
        }
    }
    return text;
}

/* ------------------------------------------------------------------ extras -- */

/* The operation that kind, shape and dtypes make, without what a fused kernel does on the way. */
static roof_operation bare(const work_kind *kind, const roof_operation *operation) {
    roof_operation out;
    work_start(&out, operation->kind);
    memcpy(out.shape, operation->shape, sizeof out.shape);
    memcpy(out.dtype, operation->dtype, sizeof out.dtype);
    kind->cost(&out);
    return out;
}

/* A difference of sums that is not rounding. */
static bool differs(double whole, double part) {
    return fabs(whole - part) > 1e-9 * fmax(fabs(whole), fabs(part));
}

static void say_extra(writer *w, double whole, double part, const char *unit, bool *any) {
    if (!differs(whole, part))
        return;
    say(w, *any ? ", " : "also fused in: ");
    say_number(w, whole - part);
    say(w, unit);
    *any = true;
}

/* What was added to an operation after it was built (or taken off it), and the sums with it. */
static void say_extras(writer *w, const roof_operation *whole, const roof_operation *part) {
    bool any = false;
    say_extra(w, whole->matrix_flops, part->matrix_flops, " matrix FLOPs", &any);
    say_extra(w, whole->vector_flops, part->vector_flops, " vector FLOPs", &any);
    say_extra(w, whole->bytes[ROOF_DRAM], part->bytes[ROOF_DRAM], " B", &any);
    if (!any)
        return;
    say(w, "\n");
    expand(w, "total: {FLOPS} FLOPs ({MATRIX} matrix, {VECTOR} vector), {BYTES} B\n", true);
}

size_t roof_operation_explain(const roof_operation *operation, char *buffer, size_t size) {
    const work_kind *kind = work_kind_of(operation->kind);
    roof_operation part = kind && !operation->at_least ? bare(kind, operation) : *operation;
    writer w = {.operation = &part, .info = kind ? &kind->info : NULL, .buffer = buffer, .size = size};
    bool any = roof_operation_flops(operation) > 0 || operation->bytes[ROOF_DRAM] > 0 || operation->link_bytes > 0;
    if (kind && any)
        expand(&w, kind->explain, true);
    else
        say(&w, "nothing to do: 0 FLOPs, 0 bytes\n");
    w.operation = operation;
    if (kind && any)
        say_extras(&w, operation, &part);
    if (kind && roof_operation_flops(operation) > 0 && operation->bytes[ROOF_DRAM] > 0)
        expand(&w, "intensity = FLOPs / bytes = {FLOPS/BYTES} FLOP/B\n", true);
    if (operation->at_least)
        say(&w, "some cost is unknown and left out: every total is at least this\n");
    if (size > 0)
        buffer[w.length < size ? w.length : size - 1] = '\0';
    return w.length;
}
