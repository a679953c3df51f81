/* helps / little / waste. An idea stands under the line of its effect, best first; one that makes it worse says so. */
#include "cli/advice_lines.h"

#include <stdio.h>
#include <string.h>

#include "cli/number.h"

enum { LABEL = 10, GAP = 3 };

static bool on_line(const roof_advice *advice, roof_effect effect) {
    return advice->effect == effect || (effect == ROOF_WASTE && advice->effect == ROOF_WORSE);
}

static void item_text(const roof_advice *advice, char *buffer, size_t size) {
    char factor[NUMBER_SIZE];
    const char *last = advice->idea + strlen(advice->idea) - 1;
    bool digit = last >= advice->idea && *last >= '0' && *last <= '9'; /* "m = 326: 37.0x" */
    snprintf(buffer, size, "%s%s %s%s%s", advice->idea, advice->cost && advice->effect == ROOF_HELPS ? "*" : digit ? ":" : "",
             number_factor(advice->speedup, factor), advice->effect == ROOF_WORSE ? ", worse" : "", advice->fits ? "" : ", does not fit");
}

/* Ideas are kept whole: a line break falls between them. */
static int print_item(const char *item, int column, text_out *out) {
    int width = (int)text_width(item, strlen(item));
    if (column > LABEL && column + GAP + width > TEXT_COLUMNS) {
        text_add(out, "\n%*s", LABEL, "");
        column = LABEL;
    } else if (column > LABEL) {
        text_add(out, "%*s", GAP, "");
        column += GAP;
    }
    text_add(out, "%s", item);
    return column + width;
}

static void print_line(const advice_set *advice, roof_effect effect, paint colour, text_out *out) {
    char item[128];
    int column = LABEL;
    bool price = false;
    text_add(out, "  ");
    text_paint(out, colour, "%s", roof_effect_name(effect));
    text_add(out, "%*s", LABEL - 2 - (int)strlen(roof_effect_name(effect)), "");
    for (size_t i = 0; i < advice->count; i++) {
        if (!on_line(&advice->items[i], effect))
            continue;
        item_text(&advice->items[i], item, sizeof item);
        column = print_item(item, column, out);
        price |= advice->items[i].cost && effect == ROOF_HELPS;
    }
    text_add(out, "%s\n", column == LABEL ? "nothing that was tried" : "");
    if (price) {
        text_add(out, "%*s", LABEL, "");
        text_paint(out, PAINT_DIM, "* at a price: answer quality or other hardware");
        text_add(out, "\n");
    }
}

void advice_print(const advice_set *advice, text_out *out) {
    print_line(advice, ROOF_HELPS, PAINT_GREEN, out);
    print_line(advice, ROOF_LITTLE, PAINT_YELLOW, out);
    print_line(advice, ROOF_WASTE, PAINT_DIM, out);
}

void advice_explain(const advice_set *advice, text_out *out) {
    char factor[NUMBER_SIZE];
    for (size_t i = 0; i < advice->count; i++) {
        const roof_advice *item = &advice->items[i];
        text_add(out, "  %7s  %s: ", number_factor(item->speedup, factor), item->idea);
        text_wrap(out, 13 + (int)strlen(item->idea), 11, item->reason);
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
        emit_string(json, "note", item->reason);
        emit_string(json, "bound", roof_bound_name(item->bound));
        emit_bool(json, "fits", item->fits);
        emit_bool(json, "cost", item->cost);
        emit_end(json);
    }
}
