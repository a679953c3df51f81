/* helps / little / waste. An idea stands under the line of its effect, best first; one that makes it worse says so, and
 * so does one that the bound alone would put on another line. */
#include "cli/say/advice_lines.h"

#include <stdio.h>
#include <string.h>

#include "cli/out/number.h"

enum { LABEL = ADVICE_COLUMN, GAP = 3, LINE_MOST = 6 }; /* ideas named on a line; the rest are counted */

static bool on_line(const roof_advice *advice, roof_effect effect) {
    return advice->effect == effect || (effect == ROOF_EFFECT_WASTE && advice->effect == ROOF_EFFECT_WORSE);
}

double advice_factor(const roof_advice *advice) {
    return advice->expected > 0 ? advice->expected : advice->speedup;
}

/* The class of an idea by the bound alone is another one than by the expected time. */
static bool is_disputed(const roof_advice *advice) {
    return advice->expected > 0 && advice->effect != roof_effect_of(advice->speedup);
}

typedef struct advice_item { /* "fp8 KV cache*", "1.53x", " (bound 1.08x), does not fit" */
    char name[80], factor[NUMBER_SIZE], tail[64];
} advice_item;

static void say_bound(const roof_advice *advice, char *text, size_t size) {
    char factor[NUMBER_SIZE];
    text[0] = '\0';
    if (is_disputed(advice))
        snprintf(text, size, " (bound %s)", number_factor(advice->speedup, factor));
}

static advice_item item_of(const roof_advice *advice) {
    advice_item item;
    const char *last = advice->idea + strlen(advice->idea) - 1;
    bool digit = last >= advice->idea && *last >= '0' && *last <= '9'; /* "m = 326: 37.0x" */
    snprintf(item.name, sizeof item.name, "%s%s", advice->idea,
             advice->cost && advice->effect == ROOF_EFFECT_HELPS ? "*"
             : digit                                             ? ":"
                                                                 : "");
    char bound[32];
    say_bound(advice, bound, sizeof bound);
    number_factor(advice_factor(advice), item.factor);
    snprintf(item.tail, sizeof item.tail, "%s%s%s", bound, advice->effect == ROOF_EFFECT_WORSE ? ", worse" : "",
             advice->fits ? "" : ", does not fit");
    return item;
}

void advice_begin(roof_effect effect, paint colour, text_out *out) {
    const char *word = roof_effect_name(effect);
    text_add(out, "  ");
    text_paint(out, colour, "%s", word);
    text_add(out, "%*s", LABEL - 2 - (int)strlen(word), "");
}

/* Items are kept whole: a line break falls between them. The column at which one of so many begins. */
static int begin_item(int width, int column, text_out *out) {
    if (column > LABEL && column + GAP + width > TEXT_COLUMNS) {
        text_add(out, "\n%*s", LABEL, "");
        return LABEL;
    }
    text_add(out, "%*s", column > LABEL ? GAP : 0, "");
    return column > LABEL ? column + GAP : column;
}

int advice_put(const char *item, int column, text_out *out) {
    int width = (int)text_width(item, strlen(item));
    column = begin_item(width, column, out);
    text_add(out, "%s", item);
    return column + width;
}

static int print_item(const advice_item *item, paint colour, int column, text_out *out) {
    int width = (int)(strlen(item->name) + 1 + strlen(item->factor) + strlen(item->tail));
    column = begin_item(width, column, out);
    text_add(out, "%s ", item->name);
    text_paint(out, colour, "%s", item->factor);
    text_add(out, "%s", item->tail);
    return column + width;
}

/* The rest of a line that is full, by number. */
static void print_more(int more, int column, text_out *out) {
    char words[48];
    snprintf(words, sizeof words, "and %d more: --explain", more);
    begin_item((int)strlen(words), column, out);
    text_paint(out, PAINT_DIM, "%s", words);
}

static void print_line(const advice_set *advice, roof_effect effect, paint colour, text_out *out) {
    int column = LABEL, named = 0, more = 0;
    bool price = false;
    advice_begin(effect, colour, out);
    for (size_t i = 0; i < advice->count; i++) {
        if (!on_line(&advice->items[i], effect))
            continue;
        if (named == LINE_MOST) {
            more++;
            continue;
        }
        named++;
        advice_item item = item_of(&advice->items[i]);
        column = print_item(&item, colour, column, out);
        price |= advice->items[i].cost && effect == ROOF_EFFECT_HELPS;
    }
    text_add(out, "%s", column == LABEL ? "nothing that was tried" : "");
    if (more)
        print_more(more, column, out);
    text_add(out, "\n");
    if (price) {
        text_add(out, "%*s", LABEL, "");
        text_paint(out, PAINT_DIM, "* at a price: answer quality or other hardware");
        text_add(out, "\n");
    }
}

/* What the factors are of. */
static void print_legend(const advice_set *advice, text_out *out) {
    bool expected = false, disputed = false;
    for (size_t i = 0; i < advice->count; i++) {
        expected |= advice->items[i].expected > 0;
        disputed |= is_disputed(&advice->items[i]);
    }
    if (!expected)
        return;
    text_add(out, "%*s", LABEL, "");
    text_paint(out, PAINT_DIM, "speedups of the expected time");
    if (disputed)
        text_paint(out, PAINT_DIM, "; (bound): the bound's, if it disagrees");
    text_add(out, "\n");
}

void advice_print(const advice_set *advice, text_out *out) {
    print_line(advice, ROOF_EFFECT_HELPS, PAINT_GREEN, out);
    print_line(advice, ROOF_EFFECT_LITTLE, PAINT_YELLOW, out);
    print_line(advice, ROOF_EFFECT_WASTE, PAINT_DIM, out);
    print_legend(advice, out);
}

/* One column, or two where the expected factor was judged. */
static int print_factors(const roof_advice *item, text_out *out) {
    char factor[NUMBER_SIZE];
    if (!(item->expected > 0)) {
        text_add(out, "  %7s  ", number_factor(item->speedup, factor));
        return 11;
    }
    text_add(out, "  %8s", number_factor(item->expected, factor));
    text_add(out, "  %7s  ", number_factor(item->speedup, factor));
    return 21;
}

void advice_explain(const advice_set *advice, text_out *out) {
    if (advice->count > 0 && advice->items[0].expected > 0)
        text_add(out, "  expected    bound\n");
    for (size_t i = 0; i < advice->count; i++) {
        const roof_advice *item = &advice->items[i];
        int column = print_factors(item, out);
        text_add(out, "%s: ", item->idea);
        text_wrap(out, column + 2 + (int)strlen(item->idea), column, item->reason);
    }
}

void advice_json(const advice_set *advice, const char *phase, double batch, emit *json) {
    for (size_t i = 0; i < advice->count; i++) {
        const roof_advice *item = &advice->items[i];
        emit_object(json, NULL);
        if (phase) {
            emit_string(json, "phase", phase);
            emit_number(json, "batch", batch);
        }
        emit_string(json, "idea", item->idea);
        emit_string(json, "effect", roof_effect_name(item->effect));
        emit_number(json, "speedup", item->speedup);
        if (item->expected > 0)
            emit_number(json, "expected", item->expected);
        else
            emit_null(json, "expected");
        emit_string(json, "note", item->reason);
        emit_string(json, "bound", roof_bound_name(item->bound));
        emit_bool(json, "fits", item->fits);
        emit_bool(json, "cost", item->cost);
        emit_bool(json, "hardware", item->hardware);
        emit_end(json);
    }
}
