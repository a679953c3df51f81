/* The answer of `roofline profile` as text: the list a person works through, why each stands where it stands, and where
 * to work. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/out/table.h"
#include "cli/profile/profile.h"
#include "cli/say/explain.h"

enum { PLACE = 12, SAID = 6, HELPS = 3, WASTES = 2 };

/* ---- the title ---- */

static void say_finding(const profile_question *question, char *finding, size_t size, paint *colour) {
    profile_sums sums = profile_sum(question, 0, question->count);
    const double *share = sums.share;
    char number[NUMBER_SIZE];
    *colour = PAINT_NONE;
    if (question->count == 0 && question->run_count > 0) {
        const roof_run_verdict *run = &question->runs[0].placed;
        const struct roof_run_phase *phase = run->has_decode ? &run->decode : &run->prefill;
        if (phase->fraction > 0)
            snprintf(finding, size, "%s at %s of its roof", run->has_decode ? "decode" : "prefill",
                     number_percent(phase->fraction, number));
        else
            snprintf(finding, size, "no bound");
    } else if (!(share[ROOF_STANDING_NEAR] + share[ROOF_STANDING_BELOW] + share[ROOF_STANDING_ABOVE] > 0)) {
        snprintf(finding, size, "nothing could be placed");
    } else if (share[ROOF_STANDING_ABOVE] > 0.3 && share[ROOF_STANDING_ABOVE] > share[ROOF_STANDING_NEAR]) {
        snprintf(finding, size, "%s of the time above its roof", number_percent(share[ROOF_STANDING_ABOVE], number));
        *colour = PAINT_RED;
    } else if (share[ROOF_STANDING_UNKNOWN] > 0.5) {
        snprintf(finding, size, "%s of the time could not be placed",
                 number_percent(share[ROOF_STANDING_UNKNOWN], number));
    } else if (share[ROOF_STANDING_NEAR] > 0) {
        snprintf(finding, size, "%s%s of the time near its roof", share[ROOF_STANDING_NEAR] < 0.1 ? "only " : "",
                 number_percent(share[ROOF_STANDING_NEAR], number));
    } else {
        snprintf(finding, size, "no kernel near its roof");
    }
}

static void say_title(const profile_question *question, text_out *title) {
    char number[NUMBER_SIZE], count[NUMBER_SIZE];
    const char *machine = question->machine->name ? question->machine->name : question->machine->id;
    if (question->file_count == 1)
        text_add(title, "%s: ", profile_base(question->files[0].path));
    else
        text_add(title, "%zu files: ", question->file_count);
    if (question->count > 0) {
        profile_sums sums = profile_sum(question, 0, question->count);
        text_add(title, "%s %s%s, ", number_whole((double)question->count, count),
                 question->settings->profile.launches ? "launch" : "kernel",
                 question->count == 1                   ? ""
                 : question->settings->profile.launches ? "es"
                                                        : "s");
        text_add(title, "%s", sums.seconds > 0 ? number_si(sums.seconds, "s", number) : "no times");
    }
    if (question->run_count > 0)
        text_add(title, "%s%s run%s of a model", question->count > 0 ? ", " : "",
                 number_whole((double)question->run_count, count), question->run_count == 1 ? "" : "s");
    text_add(title, " on %s", machine ? machine : "the machine");
}

static void print_title(const profile_question *question, text_out *out) {
    char finding[64];
    paint colour;
    text_out title = {0};
    say_title(question, &title);
    say_finding(question, finding, sizeof finding, &colour);
    text_title(out, title.bytes, colour, "%s", finding);
    text_free(&title);
}

/* ---- the table ---- */

typedef struct columns {
    bool calls, where;
    number_unit time;
    size_t shown;
} columns;

static columns choose_columns(const profile_question *question) {
    const profile_labels *labels = &question->labels;
    size_t top = question->settings->profile.top > 0 ? (size_t)question->settings->profile.top : PROFILE_TOP;
    return (columns){.calls = labels->calls,
                     .where = labels->where,
                     .time = number_for(labels->longest),
                     .shown = question->count <= top + 1 ? question->count : top};
}

static void add_columns(const columns *plan, table_grid *table) {
    table_column_add(table, NULL, "ls", "kernel");
    if (plan->where)
        table_column_add(table, NULL, "ls", "where");
    if (plan->calls)
        table_column_add(table, NULL, "", "calls");
    table_column_add(table, NULL, "", "%ss", plan->time.prefix);
    table_heads(table, ":share", "l:bound", ":of roof", ":headroom");
    table_column_add(table, NULL, "", "gain %ss", plan->time.prefix);
}

static paint standing_paint(roof_standing standing) {
    static const paint colours[] = {PAINT_DIM, PAINT_GREEN, PAINT_YELLOW, PAINT_RED};
    return colours[standing];
}

static void bound_cell(const roof_placement *placed, table_grid *table) {
    const char *mark = placed->standing == ROOF_STANDING_ABOVE ? "!" : placed->one_sided ? "*" : "";
    if (placed->bound == ROOF_BOUND_NONE)
        table_cell_add(table, PAINT_DIM, "unknown");
    else if (placed->bound == ROOF_BOUND_MEMORY && placed->level != ROOF_DRAM)
        table_cell_add(table, text_bound_paint(placed->bound), "%s%s", roof_level_name(placed->level), mark);
    else
        table_cell_add(table, text_bound_paint(placed->bound), "%s%s", roof_bound_name(placed->bound), mark);
}

/* Seconds in the column's unit; what is nothing beside the others is 0. */
static const char *column_time(double seconds, number_unit unit, char buffer[NUMBER_SIZE]) {
    double value = seconds * unit.factor;
    if (value > 0 && value < 0.001)
        return "<0.001";
    return number_three(value, buffer);
}

static const char *column_share(double share, char buffer[NUMBER_SIZE]) {
    return share > 0 && share < 1e-4 ? "<0.01%" : number_percent(share, buffer);
}

static void add_row(const profile_question *question, const columns *plan, size_t rank, table_grid *table) {
    const roof_placement *placed = &question->placed[question->order[rank]];
    char name[PROFILE_LABEL], number[NUMBER_SIZE];
    double fraction = profile_fraction(placed);
    table_row(table);
    table_cell_add(table, PAINT_NONE, "%.90s", profile_name(question, rank, name));
    if (plan->where)
        table_cell_add(table, PAINT_DIM, "%.90s", profile_place(question, placed, PLACE, name));
    if (plan->calls)
        table_text(table, number_whole(placed->measured->calls, number));
    table_text(table, placed->seconds > 0 ? column_time(placed->seconds, plan->time, number) : "-");
    table_text(table, placed->seconds > 0 ? column_share(placed->share, number) : "-");
    bound_cell(placed, table);
    if (placed->bound == ROOF_BOUND_NONE)
        return;
    bool above = placed->standing == ROOF_STANDING_ABOVE;
    table_cell_add(table, standing_paint(placed->standing), "%s",
                   fraction > 9.995 ? number_factor(fraction, number) : number_percent(fraction, number));
    table_text(table, above ? "-" : number_factor(placed->headroom, number));
    table_text(table, above ? "-" : column_time(placed->gain, plan->time, number));
}

static void add_rest(const profile_question *question, const columns *plan, table_grid *table) {
    double calls = 0, seconds = 0, share = 0, gain = 0;
    char number[NUMBER_SIZE];
    for (size_t i = plan->shown; i < question->count; i++) {
        const roof_placement *placed = &question->placed[question->order[i]];
        calls += placed->measured->calls;
        seconds += placed->seconds;
        share += placed->share;
        gain += placed->gain;
    }
    table_row(table);
    table_cell_add(table, PAINT_DIM, "%s more", number_whole((double)(question->count - plan->shown), number));
    if (plan->where)
        table_text(table, "");
    if (plan->calls)
        table_text(table, number_whole(calls, number));
    table_text(table, column_time(seconds, plan->time, number));
    table_text(table, number_percent(share, number));
    for (int i = 0; i < 3; i++)
        table_text(table, "");
    table_text(table, column_time(gain, plan->time, number));
}

static void print_marks(const profile_question *question, size_t shown, text_out *out) {
    bool one_sided = false, above = false;
    for (size_t i = 0; i < shown; i++) {
        const roof_placement *placed = &question->placed[question->order[i]];
        above |= placed->standing == ROOF_STANDING_ABOVE;
        one_sided |= placed->one_sided && placed->bound != ROOF_BOUND_NONE && placed->standing != ROOF_STANDING_ABOVE;
    }
    if (one_sided)
        text_remark(out, "* FLOPs or DRAM bytes are incomplete: headroom and gain are upper limits");
    if (above)
        text_remark(out, "! faster than its roof allows; explained below");
}

static void print_table(const profile_question *question, text_out *out) {
    columns plan = choose_columns(question);
    table_grid table = {0};
    add_columns(&plan, &table);
    for (size_t i = 0; i < plan.shown; i++)
        add_row(question, &plan, i, &table);
    if (plan.shown < question->count)
        add_rest(question, &plan, &table);
    table_print(&table, out);
    table_free(&table);
    print_marks(question, plan.shown, out);
}

/* ---- why ---- */

static void say_why(const profile_question *question, size_t rank, text_out *out) {
    const roof_placement *placed = &question->placed[question->order[rank]];
    char name[PROFILE_LABEL];
    profile_label(question, rank, name);
    text_add(out, "  ");
    text_paint(out, placed->standing == ROOF_STANDING_ABOVE ? PAINT_RED : PAINT_BOLD, "%s", name);
    text_add(out, ": ");
    text_wrap(out, 4 + (int)text_width(name, strlen(name)), 4, placed->diagnosis);
}

/* Those above their roof first: what they say may be wrong altogether. --explain says each with its formulas. */
static void print_diagnoses(const profile_question *question, text_out *out) {
    static const roof_standing order[] = {ROOF_STANDING_ABOVE, ROOF_STANDING_BELOW};
    size_t said = 0, more = 0;
    if (question->settings->explain)
        return;
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        for (size_t i = 0; i < question->count; i++) {
            const roof_placement *placed = &question->placed[question->order[i]];
            if (placed->standing != order[k] || !placed->diagnosis[0])
                continue;
            if (said == SAID) {
                more++;
                continue;
            }
            if (said++ == 0)
                text_add(out, "\n");
            say_why(question, i, out);
        }
    if (more > 0) {
        char number[NUMBER_SIZE];
        text_remark(out, "and %s more: --explain", number_whole((double)more, number));
    }
}

typedef struct missing_kind {
    const char *what;
    size_t kernels;
} missing_kind;

/* What is missing, once a kind, in the order of the kernels; freed by the caller. */
static missing_kind *missing_kinds(const profile_question *question, size_t *count) {
    missing_kind *kinds = NULL;
    *count = 0;
    for (size_t i = 0; i < question->count; i++) {
        const char *missing = question->measured[i].missing;
        size_t k = 0;
        while (missing && k < *count && strcmp(kinds[k].what, missing) != 0)
            k++;
        if (missing && k == *count) {
            kinds = keep_or_die(realloc(kinds, (*count + 1) * sizeof *kinds));
            kinds[(*count)++] = (missing_kind){.what = missing};
        }
        if (missing)
            kinds[k].kernels++;
    }
    return kinds;
}

static void print_missing(const profile_question *question, text_out *out) {
    size_t count;
    missing_kind *kinds = missing_kinds(question, &count);
    for (size_t i = 0; i < count; i++) {
        text_out line = {0};
        char number[NUMBER_SIZE];
        text_add(&line, "%s (%s kernel%s)", kinds[i].what, number_whole((double)kinds[i].kernels, number),
                 kinds[i].kernels == 1 ? "" : "s");
        text_add(out, "%s  ", i ? "" : "\n");
        text_paint(out, PAINT_YELLOW, "collect");
        text_add(out, "   ");
        text_wrap(out, ADVICE_COLUMN + 2, ADVICE_COLUMN + 2, line.bytes);
        text_free(&line);
    }
    free(kinds);
}

/* ---- formulas ---- */

/* A count and where it came from, which may be the names of several counters: whole, on a second line where it must. */
static void end_line(text_out *line, const char *from, text_out *out) {
    if (from && from[0])
        text_add(line, " (%s)", from);
    text_paragraph(out, 4, 6, line->bytes);
    text_free(line);
}

static void explain_flops(const roof_machine *machine, const roof_placement *placed, used_figures *used,
                          text_out *out) {
    char count[NUMBER_SIZE], rate[NUMBER_SIZE], time[NUMBER_SIZE];
    const roof_measured *m = placed->measured;
    for (size_t i = 0; i < m->flop_count; i++) {
        const struct roof_measured_flops *entry = &m->flops[i];
        roof_dtype dtype = entry->dtype;
        const roof_figure *roof = roof_machine_peak(machine, entry->unit, dtype);
        if (!roof && dtype != ROOF_DTYPE_NONE) {
            dtype = roof_machine_substitute(machine, entry->unit, dtype);
            roof = dtype == ROOF_DTYPE_NONE ? NULL : roof_machine_peak(machine, entry->unit, dtype);
        }
        text_out line = {0};
        text_add(&line, "%s %s: ", roof_dtype_name(entry->dtype), roof_unit_name(entry->unit));
        if (entry->count.certainty == ROOF_CERTAINTY_MISSING) {
            text_add(&line, "not counted");
            end_line(&line, NULL, out);
            continue;
        }
        text_add(&line, "%s%s", entry->count.certainty == ROOF_CERTAINTY_AT_LEAST ? "at least " : "",
                 number_si(entry->count.value, "FLOP", count));
        if (roof) {
            used->peak[entry->unit][roof_dtype_math(dtype)] = true;
            text_add(&line, " / %s%s%s = %s", number_si(roof->value, "FLOP/s", rate),
                     dtype != entry->dtype ? " of " : "", dtype != entry->dtype ? roof_dtype_name(dtype) : "",
                     number_si(entry->count.value / roof->value, "s", time));
        } else {
            text_add(&line, ", under no known roof");
        }
        end_line(&line, entry->count.from, out);
    }
}

static void explain_bytes(const roof_machine *machine, const roof_placement *placed, used_figures *used,
                          text_out *out) {
    char count[NUMBER_SIZE], rate[NUMBER_SIZE], time[NUMBER_SIZE];
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++) {
        roof_count bytes = profile_bytes(placed, (roof_level)level);
        const roof_figure *roof = &machine->bandwidth[level];
        if (bytes.certainty == ROOF_CERTAINTY_MISSING)
            continue;
        text_out line = {0};
        text_add(&line, "%s: %s%s", roof_level_name((roof_level)level),
                 bytes.certainty == ROOF_CERTAINTY_AT_LEAST ? "at least " : "", number_si(bytes.value, "B", count));
        if (roof->origin != ROOF_ORIGIN_UNKNOWN) {
            used->memory[level] = true;
            text_add(&line, " / %s = %s", number_si(roof->value, "B/s", rate),
                     number_si(bytes.value / roof->value, "s", time));
        } else {
            text_add(&line, ", whose bandwidth is unknown");
        }
        end_line(&line, bytes.from, out);
    }
}

static void explain_point(const roof_machine *machine, const roof_placement *placed, double total, used_figures *used,
                          text_out *out) {
    char a[NUMBER_SIZE], b[NUMBER_SIZE], c[NUMBER_SIZE], d[NUMBER_SIZE], roof[48];
    const roof_measured *m = placed->measured;
    text_add(out, "  ");
    text_paint(out, PAINT_BOLD, "%s", "");
    text_wrap(out, 2, 4, m->name);
    text_add(out, "    measured: %s", placed->seconds > 0 ? number_si(placed->seconds, "s", a) : "no time");
    if (m->calls > 1)
        text_add(out, " in %s calls", number_whole(m->calls, b));
    if (m->calls > 1 && m->least_seconds > 0)
        text_add(out, " of %s to %s", number_si(m->least_seconds, "s", c), number_si(m->most_seconds, "s", d));
    text_add(out, "\n");
    explain_flops(machine, placed, used, out);
    explain_bytes(machine, placed, used, out);
    if (placed->bound != ROOF_BOUND_NONE) {
        text_add(out, "    %s binds: headroom = %s / %s = %s\n", profile_roof(placed, roof, sizeof roof),
                 number_si(placed->seconds, "s", a), number_si(placed->least_seconds, "s", b),
                 number_factor(placed->headroom, c));
        if (placed->seconds < placed->least_seconds) {
            text_add(out, "    gain: none, the kernel was faster than its roof\n");
        } else {
            text_add(out, "    gain = %s - %s = %s", number_si(placed->seconds, "s", a),
                     number_si(placed->least_seconds, "s", b), number_si(placed->gain, "s", c));
            text_add(out, ", %s of %s\n", number_percent(placed->saved, a), number_si(total, "s", b));
        }
    }
    if (placed->diagnosis[0])
        text_paragraph(out, 4, 4, placed->diagnosis);
}

static void explain(const profile_question *question, text_out *out) {
    size_t top = question->settings->profile.top > 0 ? (size_t)question->settings->profile.top : PROFILE_TOP;
    used_figures used = {0};
    if (!question->settings->explain || question->count == 0)
        return;
    double total = profile_sum(question, 0, question->count).seconds;
    text_add(out, "\n");
    for (size_t i = 0; i < question->count && i < top; i++)
        explain_point(question->machine, &question->placed[question->order[i]], total, &used, out);
    text_add(out, "\n");
    explain_sources(question->machine, &used, out);
}

/* ---- where to work ---- */

typedef struct worth_rest { /* kernels worth fixing beyond those that are named */
    size_t count;
    double saved;
} worth_rest;

static worth_rest rest_of(const profile_question *question) {
    worth_rest rest = {0};
    int named = 0;
    for (size_t i = 0; i < question->count; i++) {
        const roof_placement *placed = &question->placed[question->order[i]];
        if (!profile_is_worth(placed) || named++ < HELPS)
            continue;
        rest.count++;
        rest.saved += placed->saved;
    }
    return rest;
}

static void print_helps(const profile_question *question, text_out *out) {
    char item[PROFILE_LABEL + 64], name[PROFILE_LABEL], number[NUMBER_SIZE];
    int column = ADVICE_COLUMN, named = 0;
    advice_begin(ROOF_EFFECT_HELPS, PAINT_GREEN, out);
    for (size_t i = 0; i < question->count && named < HELPS; i++) {
        const roof_placement *placed = &question->placed[question->order[i]];
        if (!profile_is_worth(placed))
            continue;
        snprintf(item, sizeof item, named == 0 ? "fixing %s saves up to %s of the run" : "%s up to %s",
                 profile_label(question, i, name), number_percent(placed->saved, number));
        column = advice_put(item, column, out);
        named++;
    }
    worth_rest rest = rest_of(question);
    if (rest.count > 0) {
        char count[NUMBER_SIZE];
        snprintf(item, sizeof item, "and %s more, together up to %s", number_whole((double)rest.count, count),
                 number_percent(rest.saved, number));
        advice_put(item, column, out);
    }
    text_add(out, "%s\n", named == 0 ? "no kernel below its roof takes 2% of the run" : "");
}

static bool nothing_judged(const profile_question *question) {
    return profile_sum(question, 0, question->count).points[ROOF_STANDING_UNKNOWN] == question->count;
}

/* Most of the time, or all, is of kernels that cannot be judged. */
static bool is_blind(const profile_question *question) {
    return nothing_judged(question) || profile_sum(question, 0, question->count).share[ROOF_STANDING_UNKNOWN] > 0.5;
}

static void print_blind(const profile_question *question, text_out *out) {
    double share = profile_sum(question, 0, question->count).share[ROOF_STANDING_UNKNOWN];
    char number[NUMBER_SIZE];
    advice_begin(ROOF_EFFECT_HELPS, PAINT_GREEN, out);
    text_add(out, "collect what is missing: %s%s cannot be judged\n",
             share > 0 ? number_percent(share, number) : "the kernels", share > 0 ? " of the time" : "");
}

/* Kernels below their roof that take too little of the run to matter. */
static void print_little(const profile_question *question, text_out *out) {
    size_t others = 0;
    double saved = 0;
    char number[NUMBER_SIZE], count[NUMBER_SIZE];
    for (size_t i = 0; i < question->count; i++) {
        const roof_placement *placed = &question->placed[question->order[i]];
        if (placed->standing != ROOF_STANDING_BELOW || profile_is_worth(placed))
            continue;
        others++;
        saved += placed->saved;
    }
    advice_begin(ROOF_EFFECT_LITTLE, PAINT_YELLOW, out);
    if (others == 0)
        text_add(out, "nothing else is below its roof\n");
    else
        text_add(out, "%s other%s below the roof, together up to %s\n", number_whole((double)others, count),
                 others == 1 ? "" : "s", number_percent(saved, number));
}

/* Ranks of the kernels near their roof that take most time, the longest first; how many there are. */
static size_t longest_near(const profile_question *question, size_t best[WASTES]) {
    size_t count = 0;
    for (size_t i = 0; i < question->count; i++) {
        const roof_placement *placed = &question->placed[question->order[i]];
        if (placed->standing != ROOF_STANDING_NEAR)
            continue;
        size_t at = count < WASTES ? count++ : WASTES; /* one place past the end: dropped unless it moves up */
        for (; at > 0 && placed->share > question->placed[question->order[best[at - 1]]].share; at--)
            if (at < WASTES)
                best[at] = best[at - 1];
        if (at < WASTES)
            best[at] = i;
    }
    return count;
}

static void print_waste(const profile_question *question, text_out *out) {
    size_t best[WASTES], named = longest_near(question, best);
    size_t near = profile_sum(question, 0, question->count).points[ROOF_STANDING_NEAR];
    char item[PROFILE_LABEL + 64], name[PROFILE_LABEL], share[NUMBER_SIZE], part[NUMBER_SIZE];
    int column = ADVICE_COLUMN;
    advice_begin(ROOF_EFFECT_WASTE, PAINT_DIM, out);
    for (size_t i = 0; i < named; i++) {
        const roof_placement *placed = &question->placed[question->order[best[i]]];
        snprintf(item, sizeof item, "%s: %s of its roof, %s of the time", profile_label(question, best[i], name),
                 number_percent(profile_fraction(placed), share), number_percent(placed->share, part));
        column = advice_put(item, column, out);
    }
    if (near > named) {
        snprintf(item, sizeof item, "and %s more near theirs", number_whole((double)(near - named), share));
        advice_put(item, column, out);
    }
    text_add(out, "%s\n", near == 0 ? "no kernel is near its roof" : "");
}

/* ---- a file that holds roofs only ---- */

static void print_roofs(const profile_question *question, text_out *out) {
    const profile_file *file = &question->files[0];
    const roof_machine *machine = roof_profile_machine(file->profile);
    char number[NUMBER_SIZE];
    text_out title = {0};
    text_add(&title, "%s: the roofs of %s", profile_base(file->path), machine->name ? machine->name : "a machine");
    text_title(out, title.bytes, PAINT_NONE, "no kernels");
    text_free(&title);
    for (size_t i = 0; i < question->file_count; i++)
        profile_note_file(question, &question->files[i], out);
    text_add(out, "\n");
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++)
        if (machine->bandwidth[level].origin != ROOF_ORIGIN_UNKNOWN)
            text_add(out, "  %-12s %s\n", roof_level_name((roof_level)level),
                     number_si(machine->bandwidth[level].value, "B/s", number));
    for (int unit = 0; unit < ROOF_UNIT_COUNT; unit++)
        for (int dtype = 0; dtype < ROOF_DTYPE_COUNT; dtype++) {
            const roof_figure *figure = &machine->peak[unit][dtype];
            char name[40];
            if (figure->origin == ROOF_ORIGIN_UNKNOWN)
                continue;
            snprintf(name, sizeof name, "%s %s", roof_dtype_name((roof_dtype)dtype), roof_unit_name((roof_unit)unit));
            text_add(out, "  %-12s %s\n", name, number_si(figure->value, "FLOP/s", number));
        }
    text_out line = {0};
    text_add(&line, "'roofline profile %s -o machine.json' writes them as a machine file for --on machine.json.",
             profile_base(file->path));
    text_add(out, "\n");
    text_wrap(out, 0, 0, line.bytes);
    text_free(&line);
}

void profile_text(const void *context, text_out *out) {
    const profile_question *question = context;
    if (!question->machine) {
        print_roofs(question, out);
        return;
    }
    print_title(question, out);
    profile_notes(question, out);
    if (question->count > 0) {
        text_add(out, "\n");
        print_table(question, out);
        print_diagnoses(question, out);
        print_missing(question, out);
        explain(question, out);
    }
    if (question->run_count > 0)
        profile_run_text(question, out);
    if (question->count > 0) {
        text_add(out, "\n");
        (is_blind(question) ? print_blind : print_helps)(question, out);
        if (!nothing_judged(question)) {
            print_little(question, out);
            print_waste(question, out);
        }
    }
}
