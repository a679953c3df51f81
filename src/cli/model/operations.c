/* --ops: where the time of a phase goes; --explain: every formula of it with its numbers. */
#include <stdlib.h>

#include "cli/model/model.h"
#include "cli/say/explain.h"
#include "roofline_read.h"

void model_operations_table(const model_question *question, const model_row *row, roof_phase phase, text_out *out) {
    size_t count;
    judged_operation *operations = model_operations(question, row, phase, &count);
    char place[FACT_PLACE];
    model_row_place(question, row, place, sizeof place);
    text_add(out, "\n  ");
    text_paint(out, PAINT_BOLD, "%s", roof_phase_name(phase));
    text_add(out, "%s%s: where the time goes\n", place[0] ? " " : "", place);
    sums_table(operations, count, &row->point[phase].sum, row->expected[phase].seconds, 0, false, out);
    free(operations);
}

/* The bills of the phases and of serving; `all` is both. */
static void explain_expected(const model_question *question, const model_row *row, expected_bill *all, text_out *out) {
    const roof_serving *serving = &row->serving;
    expected_bill phases = {0}, served = {0};
    int phase;
    for (size_t n = 0; (phase = model_phase(question, n)) >= 0; n++)
        bill_add(&phases, roof_phase_name((roof_phase)phase), &row->expected[phase]);
    if (row->serves) {
        bill_add(&served, "TTFT", &serving->ttft.expected);
        bill_add(&served, "TPOT", &serving->tpot.expected);
        bill_add(&served, "one batch", &serving->run.expected);
        bill_add(&served, "full load", &serving->load.expected);
    }
    text_paint(out, PAINT_BOLD, "\nexpected times, term by term\n");
    bill_print(&phases, out);
    if (served.count > 0)
        text_add(out, "\n");
    bill_print(&served, out);
    *all = phases;
    for (size_t i = 0; i < served.count; i++)
        bill_add(all, served.names[i], served.items[i]);
}

void model_explain(const model_question *question, const model_row *row, text_out *out) {
    used_figures used = {0};
    int phase;
    for (size_t n = 0; (phase = model_phase(question, n)) >= 0; n++) {
        size_t count;
        judged_operation *operations = model_operations(question, row, (roof_phase)phase, &count);
        text_add(out, "\n");
        text_paint(out, PAINT_BOLD, "%s, operation by operation\n", roof_phase_name((roof_phase)phase));
        for (size_t i = 0; i < count; i++)
            explain_judged(&operations[i], NULL, row->machine, &used, out);
        free(operations);
    }
    expected_bill bill = {0};
    explain_expected(question, row, &bill, out);
    bill_sources(&bill, &question->constants, row->machine, &used, out);
    if (roof_model_file_notes(question->source.file) > 0)
        text_paint(out, PAINT_BOLD, "\nread from the model's file\n");
    for (size_t i = 0; i < roof_model_file_notes(question->source.file); i++)
        text_paragraph(out, 2, 4, roof_model_file_note(question->source.file, i));
}
