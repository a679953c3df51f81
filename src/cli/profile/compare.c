/* Two profiles side by side as text: how the run moved, kernel by kernel, most seconds changed first. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/out/table.h"
#include "cli/profile/profile.h"

enum { NAME_WIDTH = 22, SAID = 6 };
static const double same = 1.02;

static profile_sums side(const profile_question *question, int which) {
    return profile_sum(question, question->files[which].first, question->files[which].count);
}

static void print_title(const profile_question *question, text_out *out) {
    char before[NUMBER_SIZE], after[NUMBER_SIZE], factor[NUMBER_SIZE];
    double was = side(question, 0).seconds, is = side(question, 1).seconds, speedup = is > 0 ? was / is : 0;
    const char *machine = question->machine->name ? question->machine->name : question->machine->id;
    text_out title = {0};
    text_add(&title, "%s to %s: %s to %s on %s", profile_base(question->files[0].path),
             profile_base(question->files[1].path), number_si(was, "s", before), number_si(is, "s", after),
             machine ? machine : "the machine");
    if (!(speedup > 0))
        text_title(out, title.bytes, PAINT_NONE, "times are unknown");
    else if (speedup < same && speedup > 1 / same)
        text_title(out, title.bytes, PAINT_NONE, "as fast as before");
    else if (speedup > 1)
        text_title(out, title.bytes, PAINT_GREEN, "%s faster", number_factor(speedup, factor));
    else
        text_title(out, title.bytes, PAINT_RED, "%s slower", number_factor(1 / speedup, factor));
    text_free(&title);
}

static void side_cells(const roof_placement *placed, number_unit unit, table_grid *table) {
    char number[NUMBER_SIZE];
    table_text(table, placed && placed->seconds > 0 ? number_three(placed->seconds * unit.factor, number) : "-");
    if (placed && placed->bound != ROOF_BOUND_NONE) {
        table_cell_add(table, text_bound_paint(placed->bound), "%s",
                       placed->bound == ROOF_BOUND_MEMORY && placed->level != ROOF_DRAM
                           ? roof_level_name(placed->level)
                           : roof_bound_name(placed->bound));
        table_text(table, number_percent(profile_fraction(placed), number));
    } else {
        table_cell_add(table, PAINT_DIM, "%s", placed ? "unknown" : "-");
        table_text(table, "-");
    }
}

static void add_row(const roof_moved *moved, number_unit unit, table_grid *table) {
    char name[PROFILE_LABEL], number[NUMBER_SIZE];
    const roof_placement *shown = moved->after ? moved->after : moved->before;
    table_row(table);
    table_cell_add(table, PAINT_NONE, "%.90s", profile_short_name(shown->measured->name, NAME_WIDTH, name));
    side_cells(moved->before, unit, table);
    side_cells(moved->after, unit, table);
    if (moved->speedup > 0)
        table_cell_add(table,
                       moved->speedup > same       ? PAINT_GREEN
                       : moved->speedup < 1 / same ? PAINT_RED
                                                   : PAINT_NONE,
                       "%s", number_factor(moved->speedup, number));
    else
        table_cell_add(table, PAINT_DIM, "%s", !moved->before ? "new" : !moved->after ? "gone" : "-");
}

static void print_table(const profile_question *question, size_t shown, text_out *out) {
    double most = 0;
    for (size_t i = 0; i < question->count; i++)
        most = fmax(most, question->placed[i].seconds);
    number_unit unit = number_for(most);
    table_grid table = {0};
    static const char *const groups[] = {"before", "after"};
    table_column_add(&table, NULL, "ls", "kernel");
    for (int i = 0; i < 2; i++) {
        table_column_add(&table, groups[i], "w", "%ss", unit.prefix);
        table_column_add(&table, groups[i], "l", "bound");
        table_column_add(&table, groups[i], "", "of roof");
    }
    table_column_add(&table, NULL, "w", "speedup");
    for (size_t i = 0; i < shown; i++)
        add_row(&question->moved[i], unit, &table);
    table_print(&table, out);
    table_free(&table);
    if (question->moved_count > shown) {
        char number[NUMBER_SIZE];
        text_remark(out, "and %s more that moved less: --top %zu",
                    number_whole((double)(question->moved_count - shown), number), question->moved_count);
    }
}

static void print_words(const profile_question *question, text_out *out) {
    char name[PROFILE_LABEL];
    size_t most = question->settings->explain ? question->moved_count : SAID;
    text_add(out, "\n");
    for (size_t i = 0; i < question->moved_count && i < most; i++) {
        const roof_moved *moved = &question->moved[i];
        profile_short_name((moved->after ? moved->after : moved->before)->measured->name, 40, name);
        text_add(out, "  ");
        text_paint(out, PAINT_BOLD, "%s", name);
        text_add(out, ": ");
        text_wrap(out, 4 + (int)text_width(name, strlen(name)), 4, moved->words);
    }
}

/* What to work on next is what came after says. */
static void print_next(const profile_question *question, text_out *out) {
    const profile_file *after = &question->files[1];
    const roof_placement *best = NULL;
    char name[PROFILE_LABEL], number[NUMBER_SIZE];
    for (size_t i = after->first; i < after->first + after->count; i++) {
        const roof_placement *placed = &question->placed[i];
        if (placed->standing == ROOF_STANDING_BELOW && (!best || placed->gain > best->gain))
            best = placed;
    }
    text_add(out, "\n");
    advice_begin(ROOF_EFFECT_HELPS, PAINT_GREEN, out);
    if (best)
        text_add(out, "next: fixing %s saves up to %s of what is left\n",
                 profile_short_name(best->measured->name, 30, name), number_percent(best->saved, number));
    else
        text_add(out, "no kernel is below its roof any more\n");
}

void profile_compare_text(const void *context, text_out *out) {
    const profile_question *question = context;
    size_t top = question->settings->profile.top > 0 ? (size_t)question->settings->profile.top : PROFILE_TOP;
    print_title(question, out);
    profile_notes(question, out);
    text_add(out, "\n");
    print_table(question, question->moved_count < top ? question->moved_count : top, out);
    print_words(question, out);
    print_next(question, out);
}
