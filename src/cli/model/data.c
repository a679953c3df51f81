/* The answer of `roofline model` as JSON (docs/json.md), CSV and a chart. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/model/model.h"
#include "roofline_chart.h"
#include "roofline_read.h"

/* ---- JSON ---- */

static void known(emit *json, const char *key, double value, bool is_known) {
    emit_number(json, key, is_known ? value : HUGE_VAL);
}

static void memory_json(const roof_memory *memory, emit *json) {
    emit_row(json, "memory");
    emit_number(json, "weights", memory->weights);
    emit_number(json, "kv_cache", memory->kv_cache);
    if (memory->state > 0)
        emit_number(json, "state", memory->state);
    emit_number(json, "activations", memory->activations);
    emit_number(json, "total", memory->total);
    known(json, "capacity", memory->capacity, memory->capacity > 0);
    known(json, "allowed", memory->allowed, memory->allowed > 0);
    if (memory->unknown)
        emit_null(json, "fits");
    else
        emit_bool(json, "fits", memory->fits);
    known(json, "batch_max", memory->batch_max, !memory->unknown);
    known(json, "devices", memory->devices, memory->devices > 0);
    emit_end(json);
}

static void operation_json(const judged_operation *item, double total, bool fits, emit *json) {
    const roof_operation *operation = &item->operation;
    emit_row(json, NULL);
    emit_string(json, "name", operation->name);
    emit_string(json, "kind", roof_kind_name(operation->kind));
    emit_number(json, "layers", operation->count);
    judged_json(item, total, json);
    emit_number(json, "margin", item->verdict.margin);
    expected_json(&item->expected, operation->count, fits, json);
    emit_end(json);
}

static void point_json(const model_question *question, const model_row *row, roof_phase phase, emit *json) {
    const roof_point *point = &row->point[phase];
    size_t count;
    judged_operation *operations = model_operations(question, row, phase, &count);
    emit_object(json, NULL);
    emit_string(json, "phase", roof_phase_name(phase));
    if (question->machines.count > 1)
        emit_string(json, "machine", row->machine->id);
    emit_number(json, "batch", row->plan.batch);
    emit_number(json, "prompt", row->plan.prompt);
    emit_number(json, "generate", row->plan.generate);
    emit_number(json, "context", row->plan.context);
    emit_number(json, "tensor", row->plan.tensor);
    if (roof_model_has_phase(question->source.model, ROOF_PHASE_ENCODE))
        emit_number(json, "source", row->plan.source);
    if (phase == ROOF_PHASE_VISION) {
        emit_number(json, "images", row->plan.images);
        emit_number(json, "image_tokens", row->plan.patches);
    }
    emit_number(json, "flops", point->sum.flops);
    emit_number(json, "matrix_flops", point->sum.matrix_flops);
    emit_number(json, "bytes", point->sum.bytes);
    emit_number(json, "weight_bytes", point->sum.weight_bytes);
    emit_number(json, "cache_bytes", point->sum.cache_bytes);
    emit_number(json, "link_bytes", point->sum.link_bytes);
    known(json, "seconds", point->seconds, row->fits);
    known(json, "tokens_per_second", point->tokens_per_second, row->fits);
    expected_json(&row->expected[phase], 1, row->fits, json);
    known(json, "expected_tokens_per_second", model_expected_rate(row, phase), row->fits);
    emit_string(json, "bound", roof_bound_name(point->bound));
    emit_number(json, "intensity", point->intensity);
    known(json, "attainable", point->attainable, row->fits);
    emit_bool(json, "at_least", point->sum.at_least);
    memory_json(&row->memory, json);
    if (phase == ROOF_PHASE_DECODE)
        model_serving_json(row, json);
    emit_array(json, "operations");
    for (size_t i = 0; i < count; i++)
        operation_json(&operations[i], point->sum.seconds, row->fits, json);
    emit_end(json);
    emit_end(json);
    free(operations);
}

static void model_member(const model_question *question, emit *json) {
    const roof_model *model = question->source.model;
    const roof_parameters *parameters = &question->parameters;
    emit_object(json, "model");
    emit_string(json, "id", question->source.id);
    emit_string(json, "name", question->source.name);
    emit_string(json, "family", model->family);
    emit_row(json, "parameters");
    emit_number(json, "total", parameters->total);
    emit_number(json, "active", parameters->active);
    known(json, "prediction", model->prediction_parameters, model->prediction_parameters > 0);
    emit_end(json);
    known(json, "weight_bytes", parameters->bytes, !parameters->bytes_unknown);
    emit_number(json, "kv_bytes_per_token", roof_model_kv_bytes_per_token(model, &question->rows[0].plan));
    if (roof_model_state_bytes(model, &question->rows[0].plan) > 0)
        emit_number(json, "state_bytes", roof_model_state_bytes(model, &question->rows[0].plan));
    emit_number(json, "layers", roof_model_layers(model));
    known(json, "context_max", model->context_max, model->context_max > 0);
    emit_string(json, "not_counted", model->not_counted);
    emit_end(json);
}

static void batching_member(const roof_batching *batching, emit *json) {
    emit_object(json, "batching");
    known(json, "ridge_batch", batching->ridge_batch, batching->ridge_batch > 0);
    known(json, "capacity_batch", batching->capacity_batch, batching->capacity_batch > 0);
    known(json, "kv_equals_weights_batch", batching->kv_equals_weights_batch, batching->kv_equals_weights_batch > 0);
    emit_string(json, "ridge_why", batching->ridge_why);
    emit_string(json, "capacity_why", batching->capacity_why);
    emit_string(json, "kv_why", batching->kv_why);
    emit_string(json, "first", batching->first);
    emit_end(json);
}

static void measured_member(const model_question *question, emit *json) {
    double seconds = question->measured_seconds;
    if (!(seconds > 0))
        return;
    const roof_point *point = &question->rows[0].point[question->measured_phase];
    emit_object(json, "measured");
    emit_string(json, "phase", roof_phase_name(question->measured_phase));
    emit_number(json, "seconds", seconds);
    emit_number(json, "tokens_per_second", point->tokens_per_second * point->seconds / seconds);
    emit_number(json, "headroom", seconds / point->seconds);
    emit_number(json, "of_expected", seconds / question->rows[0].expected[question->measured_phase].seconds);
    emit_end(json);
}

void model_json(const void *context, emit *json) {
    const model_question *question = context;
    int phase;
    model_member(question, json);
    machines_json(&question->machines, json);
    engine_json(&question->constants, json);
    emit_array(json, "points");
    for (size_t i = 0; i < question->row_count; i++)
        for (size_t n = 0; (phase = model_phase(question, n)) >= 0; n++)
            point_json(question, &question->rows[i], (roof_phase)phase, json);
    emit_end(json);
    batching_member(&question->batching, json);
    measured_member(question, json);
    emit_array(json, "advice");
    for (size_t n = ROOF_PHASE_COUNT; question->last && n-- > 0;)
        if ((phase = model_phase(question, n)) >= 0)
            advice_json(&question->advice[phase], roof_phase_name((roof_phase)phase), question->last->plan.batch, json);
    emit_end(json);
    emit_array(json, "warnings");
    for (size_t i = 0; i < roof_model_file_warnings(question->source.file); i++)
        emit_string(json, NULL, roof_model_file_warning(question->source.file, i));
    emit_end(json);
}

/* ---- CSV ---- */

void model_csv(const void *context, text_out *out) {
    const model_question *question = context;
    bool encodes = roof_model_has_phase(question->source.model, ROOF_PHASE_ENCODE);
    int phase;
    text_add(out, "machine,phase,batch,prompt,generate,context,tensor,bound,flops,matrix_flops,bytes,seconds,tokens_"
                  "per_second,intensity,"
                  "memory_weights,memory_kv_cache,memory_activations,memory_total,memory_capacity,fits");
    text_add(out, encodes ? ",source" : "");
    expected_csv_heads(out);
    csv_end(out);
    for (size_t i = 0; i < question->row_count; i++)
        for (size_t n = 0; (phase = model_phase(question, n)) >= 0; n++) {
            const model_row *row = &question->rows[i];
            const roof_point *point = &row->point[phase];
            const roof_memory *memory = &row->memory;
            csv_text(out, row->machine->id);
            csv_text(out, roof_phase_name((roof_phase)phase));
            const double plan[] = {row->plan.batch, row->plan.prompt, row->plan.generate, row->plan.context,
                                   row->plan.tensor};
            for (size_t k = 0; k < sizeof plan / sizeof *plan; k++)
                csv_number(out, plan[k]);
            csv_text(out, roof_bound_name(point->bound));
            const double costs[] = {point->sum.flops,
                                    point->sum.matrix_flops,
                                    point->sum.bytes,
                                    row->fits ? point->seconds : HUGE_VAL,
                                    row->fits ? point->tokens_per_second : HUGE_VAL,
                                    point->intensity,
                                    memory->weights,
                                    memory->kv_cache,
                                    memory->activations,
                                    memory->total,
                                    memory->capacity > 0 ? memory->capacity : HUGE_VAL};
            for (size_t k = 0; k < sizeof costs / sizeof *costs; k++)
                csv_number(out, costs[k]);
            csv_text(out, memory->unknown ? "" : memory->fits ? "true" : "false");
            if (encodes)
                csv_number(out, row->plan.source);
            expected_csv(&row->expected[phase], row->fits, out);
            csv_end(out);
        }
}

/* ---- the chart ---- */

/* Ideas of one phase that help, fit and keep the machine (its roofs are the ones drawn), as changes of the phase's last
 * point. */
static size_t phase_ideas(const model_question *question, roof_phase phase, size_t from, roof_chart_idea *out) {
    size_t count = 0;
    const advice_set *advice = &question->advice[phase];
    for (size_t i = 0; i < advice->count; i++)
        if (advice->items[i].effect == ROOF_EFFECT_HELPS && advice->items[i].fits && !advice->items[i].hardware &&
            advice->items[i].after.seconds > 0)
            out[count++] =
                (roof_chart_idea){.idea = advice->items[i].idea, .from = from, .after = advice->items[i].after};
    return count;
}

/* The phase drawn beside decode: prefill; where there is none, encode or vision. */
static roof_phase first_phase(const model_question *question) {
    if (question->asked[ROOF_PHASE_PREFILL])
        return ROOF_PHASE_PREFILL;
    return question->asked[ROOF_PHASE_ENCODE] ? ROOF_PHASE_ENCODE : ROOF_PHASE_VISION;
}

/* The points are drawn decode first. */
static void add_expected(const model_question *question, roof_phase phase, size_t first, roof_drawing *out) {
    for (size_t i = 0; question->asked[phase] && i < question->row_count; i++)
        if (question->rows[i].fits)
            expected_detail(&question->rows[i].expected[phase], 2, out, first++);
}

int model_chart(const void *context, roof_drawing *out, roof_error *error) {
    const model_question *question = context;
    if (machines_refuse_many(&question->machines, error))
        return -1;
    roof_point *points[2] = {NULL, NULL};
    roof_chart_idea *ideas = keep_or_die(calloc(2 * ROOF_ADVICE_MAX, sizeof *ideas));
    size_t counts[2] = {0, 0}, idea_count = 0;
    for (int place = ROOF_PHASE_PREFILL; place <= ROOF_PHASE_DECODE; place++) {
        roof_phase phase = place == ROOF_PHASE_PREFILL ? first_phase(question) : ROOF_PHASE_DECODE;
        points[place] = keep_or_die(calloc(question->row_count + 1, sizeof **points));
        for (size_t i = 0; question->asked[phase] && i < question->row_count; i++)
            if (question->rows[i].fits)
                points[place][counts[place]++] = question->rows[i].point[phase];
        if (question->last && counts[place] > 0)
            idea_count += phase_ideas(question, phase, counts[place] - 1, ideas + idea_count);
    }
    const roof_plan *plan = question->last ? &question->last->plan : &question->rows[0].plan;
    roof_chart_request request = {
        .machine = question->machines.list,
        .model = question->source.name,
        .plan = plan,
        .dtype = roof_model_math(question->source.model, plan),
        .prefill = points[ROOF_PHASE_PREFILL],
        .prefill_count = counts[ROOF_PHASE_PREFILL],
        .decode = points[ROOF_PHASE_DECODE],
        .decode_count = counts[ROOF_PHASE_DECODE],
        .ideas = ideas,
        .idea_count = idea_count,
    };
    int result = roof_chart_of_points(&request, out, error);
    if (result == 0) {
        add_expected(question, ROOF_PHASE_DECODE, 0, out);
        add_expected(question, first_phase(question), counts[ROOF_PHASE_DECODE], out);
    }
    free(points[0]);
    free(points[1]);
    free(ideas);
    return result;
}

/* ---- what --require may ask ---- */

static void point_facts(model_question *question, const model_row *row, roof_phase phase) {
    fact_list *facts = &question->facts;
    const roof_point *point = &row->point[phase];
    char prefix[16];
    snprintf(prefix, sizeof prefix, "%s.", roof_phase_name(phase));
    fact_number(facts, prefix, "tokens_per_second", row->fits ? point->tokens_per_second : (double)NAN);
    fact_number(facts, prefix, "seconds", row->fits ? point->seconds : (double)NAN);
    fact_number(facts, prefix, "expected_tokens_per_second", row->fits ? model_expected_rate(row, phase) : (double)NAN);
    expected_facts(facts, prefix, &row->expected[phase], row->fits);
    fact_word(facts, prefix, "bound", roof_bound_name(point->bound));
    fact_number(facts, prefix, "intensity", point->intensity);
    fact_number(facts, prefix, "flops", point->sum.flops);
    fact_number(facts, prefix, "matrix_flops", point->sum.matrix_flops);
    fact_number(facts, prefix, "bytes", point->sum.bytes);
    fact_memory(facts, prefix, &row->memory);
}

static void batching_fact(fact_list *facts, const char *name, double value) {
    fact_number(facts, "batching.", name, value > 0 ? value : (double)NAN);
}

static void serving_facts(fact_list *facts, const model_row *row) {
    const roof_serving *serving = &row->serving;
    bool known = row->serves && row->fits, loads = known && serving->load_batch >= 1;
    expected_facts(facts, "serving.ttft.", &serving->ttft.expected, known);
    expected_facts(facts, "serving.tpot.", &serving->tpot.expected, known);
    expected_facts(facts, "serving.run.", &serving->run.expected, known);
    fact_number(facts, "serving.run.", "expected_tokens_per_second",
                known ? serving->run_tokens_per_second : (double)NAN);
    fact_number(facts, "serving.load.", "expected_tokens_per_second",
                loads ? serving->load_tokens_per_second : (double)NAN);
    fact_number(facts, "serving.load.", "batch", loads ? serving->load_batch : (double)NAN);
}

void model_facts(model_question *question) {
    fact_list *facts = &question->facts;
    for (size_t i = 0; i < question->row_count; i++) {
        model_row_place(question, &question->rows[i], facts->place, sizeof facts->place);
        for (int phase = 0; phase < ROOF_PHASE_COUNT; phase++)
            if (question->asked[phase])
                point_facts(question, &question->rows[i], (roof_phase)phase);
        if (question->asked[ROOF_PHASE_DECODE])
            serving_facts(facts, &question->rows[i]);
        fact_memory(facts, "", &question->rows[i].memory);
    }
    facts->place[0] = '\0';
    batching_fact(facts, "ridge_batch", question->batching.ridge_batch);
    batching_fact(facts, "capacity_batch", question->batching.capacity_batch);
    batching_fact(facts, "kv_equals_weights_batch", question->batching.kv_equals_weights_batch);
    fact_number(facts, "model.", "parameters.total", question->parameters.total);
    fact_number(facts, "model.", "weight_bytes", question->parameters.bytes);
    if (question->measured_seconds > 0)
        fact_number(facts, "measured.", "headroom",
                    question->measured_seconds / question->rows[0].point[question->measured_phase].seconds);
}
