/* Expected times as JSON (docs/json.md), CSV and facts for --require. */
#include <math.h>
#include <stdio.h>

#include "cli/out/csv.h"
#include "cli/say/expected.h"

void expected_json(const roof_expected *expected, double count, bool known, emit *json) {
    if (!known || !(expected->seconds > 0)) {
        emit_null(json, "expected");
        return;
    }
    emit_row(json, "expected");
    emit_number(json, "seconds", expected->seconds * count);
    emit_number(json, "low", expected->low * count);
    emit_number(json, "high", expected->high * count);
    emit_number(json, "confidence", expected->confidence);
    emit_number(json, "kernels", expected->kernels * count);
    emit_row_array(json, "terms");
    for (int i = 0; i < ROOF_TERM_COUNT; i++) {
        if (!expected_has(expected, (roof_term)i))
            continue;
        emit_row(json, NULL);
        emit_string(json, "name", roof_term_name((roof_term)i));
        emit_number(json, "seconds", expected->term[i] * count);
        emit_end(json);
    }
    emit_end(json);
    emit_end(json);
}

static void constant_json(const roof_machine *machine, roof_constant constant, const roof_figure *figure, emit *json) {
    if (figure->origin == ROOF_ORIGIN_UNKNOWN)
        return;
    emit_row(json, NULL);
    if (machine)
        emit_string(json, "machine", machine->id);
    emit_string(json, "name", roof_constant_name(constant));
    emit_number(json, "value", figure->value);
    emit_string(json, "unit", roof_constant_unit(constant));
    emit_string(json, "origin", roof_origin_name(figure->origin));
    emit_string(json, "source", figure->source);
    emit_end(json);
}

void engine_json(const engine_constants *constants, emit *json) {
    size_t machines = constants->machines->count;
    emit_string(json, "engine", roof_engine_name(constants->engine));
    emit_array(json, "constants");
    for (size_t k = 0; k < machines; k++)
        for (int i = 0; i < ROOF_CONSTANT_COUNT; i++)
            constant_json(machines > 1 ? &constants->machines->list[k] : NULL, (roof_constant)i,
                          &constants->list[k].value[i], json);
    emit_end(json);
}

void expected_csv_heads(text_out *out) {
    csv_text(out, "expected_seconds");
    csv_text(out, "expected_low");
    csv_text(out, "expected_high");
}

void expected_csv(const roof_expected *expected, bool known, text_out *out) {
    known = known && expected->seconds > 0;
    csv_number(out, known ? expected->seconds : HUGE_VAL);
    csv_number(out, known ? expected->low : HUGE_VAL);
    csv_number(out, known ? expected->high : HUGE_VAL);
}

void expected_facts(fact_list *facts, const char *prefix, const roof_expected *expected, bool known) {
    static const char *const joints[] = {"expected.", "expected_"};
    known = known && expected->seconds > 0;
    for (int i = 0; i < 2; i++) {
        char key[FACT_NAME];
        snprintf(key, sizeof key, "%s%s", prefix, joints[i]);
        fact_number(facts, key, "seconds", known ? expected->seconds : (double)NAN);
        fact_number(facts, key, "low", known ? expected->low : (double)NAN);
        fact_number(facts, key, "high", known ? expected->high : (double)NAN);
    }
}
