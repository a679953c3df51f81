/* An answer as one page of HTML: what the verb has for its other formats, put beside its chart. */
#include "cli/out/page.h"

#include <string.h>

#include "cli/say/figures.h"
#include "roofline_chart.h"

enum { NOTES = 64 };

/* Columns of our CSV whose numbers have a unit; what begins with "bytes_" ends in a level. */
static const char usual_units[] =
    "seconds=s expected_low=s expected_high=s measured_seconds=s median=s worst=s gain=s bytes=B bytes_=B set_bytes=B "
    "memory_=B parameter_bytes=B "
    "flops=FLOP "
    "flops_=FLOP matrix_flops_=FLOP attainable=FLOP/s intensity=FLOP/B ridge=FLOP/B tokens_per_second=tok/s "
    "prefill_roof=tok/s decode_roof=tok/s clock=Hz share=% saved=% matrix_active=% margin=x headroom=x speedup=x "
    "value=unit";

/* ---- the command line ---- */

static bool is_plain(const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
    return *word && strspn(word, plain) == strlen(word);
}

/* As a shell would take it again. */
static void say_command(const cli_settings *settings, text_out *out) {
    text_add(out, "roofline");
    for (int i = 1; i < settings->line_count; i++) {
        const char *word = settings->line[i];
        text_add(out, " ");
        if (is_plain(word)) {
            text_add(out, "%s", word);
            continue;
        }
        text_add(out, "'");
        for (; *word; word++)
            text_add(out, *word == '\'' ? "'\\''" : "%c", *word);
        text_add(out, "'");
    }
}

/* ---- where figures come from ---- */

static void source_row(const char *key, const char *what, text_out *out) {
    csv_text(out, key);
    csv_text(out, what);
    csv_end(out);
}

static void say_sources(const roof_machine *machine, text_out *out) {
    figure_row rows[FIGURE_MAX];
    const roof_figure *figures[FIGURE_MAX];
    size_t count = figures_of(machine, rows);
    for (size_t i = 0; i < count; i++)
        figures[i] = rows[i].figure;
    text_add(out, "source,what it is\n");
    size_t head = out->length;
    figures_sources(figures, count, source_row, out);
    if (out->length == head)
        out->length = 0;
}

/* ---- the page ---- */

typedef struct page_texts {
    text_out title, notes, words, command, rows, figures, sources;
} page_texts;

static size_t split_notes(char *text, const char *out[NOTES]) {
    size_t count = 0;
    for (char *line = text; line && *line && count < NOTES;) {
        char *end = strchr(line, '\n');
        out[count++] = line;
        if (end)
            *end++ = '\0';
        line = end;
    }
    return count;
}

static void add_table(roof_page_table *tables, size_t *count, const char *title, const text_out *csv, const char *units,
                      bool closed) {
    if (csv->length > 0)
        tables[(*count)++] = (roof_page_table){
            .title = title, .csv = csv->bytes, .length = csv->length, .units = units, .closed = closed};
}

/* Everything the page says, before it is known whether there is a chart. */
static void say_all(const cli_settings *settings, const cli_answer *answer, const roof_machine *machine,
                    page_texts *texts) {
    texts->words.title = &texts->title;
    texts->words.notes = &texts->notes;
    answer->text(answer->context, &texts->words);
    answer->csv(answer->context, &texts->rows);
    say_command(settings, &texts->command);
    if (machine && !answer->csv_is_machine)
        machine_csv(machine, &texts->figures);
    if (machine)
        say_sources(machine, &texts->sources);
}

static void free_texts(page_texts *texts) {
    text_out *const parts[] = {&texts->title, &texts->notes,   &texts->words,  &texts->command,
                               &texts->rows,  &texts->figures, &texts->sources};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        text_free(parts[i]);
}

int page_write(const cli_settings *settings, const cli_answer *answer, const roof_drawing *drawing, const char *undrawn,
               text_out *out, roof_error *error) {
    page_texts texts = {.words = {.utf8 = out->utf8}};
    answer_advice sets[ANSWER_ADVICE_MAX];
    struct roof_page_advice advice[ANSWER_ADVICE_MAX];
    roof_page_table tables[3];
    const char *lines[NOTES];
    roof_page page = {.advice = advice, .tables = tables, .notes = lines};
    const roof_machine *machine = answer->machine && answer->machine->id ? answer->machine /* one was named */
                                  : drawing                              ? &drawing->machine
                                                                         : NULL;
    say_all(settings, answer, machine, &texts);
    if (!drawing)
        text_add(&texts.notes, "%s\n", undrawn);
    add_table(tables, &page.table_count, answer->csv_is_machine ? "The machine's figures" : "Every figure", &texts.rows,
              answer->units ? answer->units : usual_units, false);
    add_table(tables, &page.table_count, "The machine's figures", &texts.figures, usual_units, true);
    add_table(tables, &page.table_count, "Sources", &texts.sources, NULL, true);
    page.advice_count = answer->advice ? answer->advice(answer->context, sets) : 0;
    for (size_t i = 0; i < page.advice_count; i++)
        advice[i] = (struct roof_page_advice){sets[i].about, sets[i].set->items, sets[i].set->count};
    page.note_count = split_notes(texts.notes.bytes, lines);
    page.title = drawing ? NULL : texts.title.bytes;
    page.text = texts.words.bytes;
    page.command = texts.command.bytes;
    int result = roof_chart_html(drawing ? &drawing->chart : NULL, &page, text_write, out, error);
    free_texts(&texts);
    return result;
}
