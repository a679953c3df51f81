/* A model and its plans on its machines: from words to judged rows.
 *
 *     --tensor, --prompt, ... --batch (the axes)  ->  rows[] (a plan on a machine each)  ->  last: the row that advice,
 *     --ops and --explain are about */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/errors.h"
#include "cli/model/model.h"
#include "cli/models/architecture.h"
#include "cli/out/weight_format.h"
#include "cli/say/above.h"

/* ---- the axes of a sweep ---- */

const char *model_axis_name(int axis) {
    static const char *const names[] = {"tensor", "prompt", "generate", "context", "source", "batch"};
    return names[axis];
}

const range *model_axis(const cli_settings *settings, int axis) {
    const range *const axes[] = {&settings->model.tensor,  &settings->model.prompt, &settings->model.generate,
                                 &settings->model.context, &settings->model.source, &settings->model.batch};
    return axes[axis];
}

double model_axis_value(const roof_plan *plan, int axis) {
    const double values[] = {plan->tensor, plan->prompt, plan->generate, plan->context, plan->source, plan->batch};
    return values[axis];
}

int model_phase(const model_question *question, size_t n) {
    static const roof_phase order[] = {ROOF_PHASE_VISION, ROOF_PHASE_ENCODE, ROOF_PHASE_PREFILL, ROOF_PHASE_DECODE};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (question->asked[order[i]] && n-- == 0)
            return (int)order[i];
    return -1;
}

roof_phase model_main_phase(const model_question *question) {
    int last = ROOF_PHASE_DECODE, phase;
    for (size_t n = 0; (phase = model_phase(question, n)) >= 0; n++)
        last = phase;
    return (roof_phase)last;
}

/* ---- reading ---- */

int model_unnamed(roof_error *error) {
    roof_fail(error, ROOF_EARGUMENT, "no model is named");
    roof_hint(error, "roofline model llama-3.1-8b --on h100-sxm; 'roofline models' lists all");
    return -1;
}

/* Embedding and head are part of every step. */
static int fail_vocabulary(const model_question *question, const char *word, roof_error *error) {
    roof_fail(error, ROOF_EUNSUPPORTED, "'%.80s' states no vocabulary, so a whole step cannot be judged",
              question->source.name);
    roof_hint(error, "for what it does state: roofline model %.80s --layers", word);
    return -1;
}

/* What a file is stored in that is said to run in `dtype`; NONE: the dtype is a format of weights. */
static roof_dtype storage_of(roof_dtype dtype) {
    if (dtype == ROOF_TF32)
        return ROOF_F32; /* 19 bits in the unit, 32 in memory */
    bool whole = dtype == ROOF_F64 || dtype == ROOF_F32 || dtype == ROOF_F16 || dtype == ROOF_BF16;
    return whole ? dtype : ROOF_DTYPE_NONE;
}

static int read_model(model_question *question, roof_error *error) {
    const cli_settings *settings = question->settings;
    if (settings->word_count == 0)
        return model_unnamed(error);
    if (model_source_read(settings->words[0], &question->source, error) || fail_extra(settings, 1, error))
        return -1;
    if (question->source.model->vocab <= 0)
        return fail_vocabulary(question, settings->words[0], error);
    roof_dtype stored = storage_of(settings->dtype);
    return stored != ROOF_DTYPE_NONE ? roof_model_file_convert(question->source.file, stored, error) : 0;
}

/* What --dtype means for a model: from 16 bits on everything that is not quantised is stored in it and runs in it;
 * below it is a format of weights and cache, and activations stay as they are. */
static void run_in(roof_dtype dtype, roof_plan *plan) {
    if (dtype == ROOF_DTYPE_NONE)
        return;
    plan->kv_cache = dtype;
    if (roof_dtype_bits(dtype) >= 16)
        plan->activations = dtype;
    if (storage_of(dtype) == ROOF_DTYPE_NONE) {
        plan->weights = roof_format_plain(dtype);
        plan->weights_head = roof_dtype_bits(dtype) >= 16;
    }
}

int model_base_plan(const cli_settings *settings, roof_plan *plan, roof_error *error) {
    run_in(settings->dtype, plan);
    if (settings->model.weights && format_parse(settings->model.weights, &plan->weights, error))
        return -1;
    if (settings->model.activations != ROOF_DTYPE_NONE)
        plan->activations = settings->model.activations;
    if (settings->model.kv_cache != ROOF_DTYPE_NONE)
        plan->kv_cache = settings->model.kv_cache;
    plan->math = settings->model.math;
    plan->eager = engine_asked(settings, ROOF_ENGINE_SERVING) == ROOF_ENGINE_EAGER || settings->model.no_fuse;
    plan->all_logits = settings->model.all_logits;
    plan->sparse = settings->model.sparse;
    plan->draft = settings->model.draft;
    plan->acceptance = settings->model.acceptance;
    plan->experts_touched = settings->model.experts_touched;
    plan->utilisation = settings->model.utilisation;
    plan->kv_block = settings->model.kv_block;
    plan->images = settings->model.images;
    plan->patches = settings->model.image_tokens;
    if (settings->model.draft > 0 && !(settings->model.acceptance > 0)) {
        roof_fail(error, ROOF_EARGUMENT, "--draft needs the chance that a drafted token is accepted");
        roof_hint(error, "--acceptance 0.7 is usual for a small draft model of the same family");
        return -1;
    }
    return 0;
}

/* A measured number of experts has to be one that the model's layers can touch. */
static int check_experts(const model_question *question, roof_error *error) {
    double touched = question->settings->model.experts_touched, most = 0, least = 0;
    for (size_t i = 0; i < question->source.model->layer_count; i++) {
        const roof_mlp_block *mlp = &question->source.model->layers[i].mlp;
        if (mlp->kind != ROOF_MLP_MOE)
            continue;
        most = fmax(most, mlp->experts);
        least = fmax(least, mlp->top_k);
    }
    if (!(touched > 0) || (touched >= least && touched <= most && most > 0))
        return 0;
    if (most == 0)
        return roof_fail(error, ROOF_EARGUMENT, "--experts-touched %g: '%.80s' has no experts", touched,
                         question->source.name);
    return roof_fail(error, ROOF_EARGUMENT, "--experts-touched %g is out of range: a token of '%.80s' uses %g of %g",
                     touched, question->source.name, least, most);
}

/* ---- judging ---- */

/* Drafts change what a step gives, and serving counts steps: it says nothing of them. */
static int expect_row(const model_question *question, model_row *row, roof_error *error) {
    const roof_constants *constants = engine_constants_on(&question->constants, row->machine);
    const roof_model *model = question->source.model;
    for (int phase = 0; phase < ROOF_PHASE_COUNT; phase++)
        if (question->asked[phase] && roof_expect_phase(row->machine, constants, model, &row->plan, (roof_phase)phase,
                                                        &row->expected[phase], error))
            return -1;
    row->serves =
        question->asked[ROOF_PHASE_DECODE] && roof_model_has_phase(model, ROOF_PHASE_PREFILL) && !(row->plan.draft > 0);
    return row->serves ? roof_model_serving(row->machine, constants, model, &row->plan, &row->serving, error) : 0;
}

double model_expected_rate(const model_row *row, roof_phase phase) {
    const roof_point *point = &row->point[phase];
    return point->tokens_per_second * point->seconds / row->expected[phase].seconds;
}

static int judge_row(const model_question *question, model_row *row, roof_error *error) {
    roof_plan_complete(question->source.model, &row->plan);
    roof_plan_engine(row->machine, question->constants.engine, &row->plan);
    for (int phase = 0; phase < ROOF_PHASE_COUNT; phase++)
        if (question->asked[phase] && roof_model_point(row->machine, question->source.model, &row->plan,
                                                       (roof_phase)phase, &row->point[phase], error))
            return -1;
    row->memory = row->point[model_main_phase(question)].memory; /* that of the plan, the same in every phase */
    row->fits = row->memory.fits || row->memory.unknown;
    return expect_row(question, row, error);
}

/* An encoder is asked about the longest it was made for, where that is less than the usual prompt. */
static void encoder_length(const model_question *question, roof_plan *plan) {
    const roof_model *model = question->source.model;
    if (model->bidirectional && model->context_max > 0 && !(plan->source > 0) && !(plan->prompt > 0))
        plan->source = fmin(model->context_max, 1024);
}

static int judge_rows(model_question *question, const roof_plan *base, roof_error *error) {
    const range *lists[AXIS_COUNT];
    for (int i = 0; i < AXIS_COUNT; i++)
        lists[i] = model_axis(question->settings, i);
    size_t points = range_points(lists, AXIS_COUNT, error);
    if (points == 0)
        return -1;
    question->rows = keep_or_die(calloc(points * question->machines.count, sizeof *question->rows));
    for (size_t k = 0; k < question->machines.count; k++)
        for (size_t i = 0; i < points; i++) {
            double values[AXIS_COUNT] = {0};
            model_row *row = &question->rows[question->row_count++];
            range_point(lists, AXIS_COUNT, i, values);
            row->machine = &question->machines.list[k];
            row->plan = *base;
            row->plan.tensor = values[AXIS_TENSOR];
            row->plan.prompt = values[AXIS_PROMPT];
            row->plan.generate = values[AXIS_GENERATE];
            row->plan.context = values[AXIS_CONTEXT];
            row->plan.source = values[AXIS_SOURCE];
            row->plan.batch = values[AXIS_BATCH];
            encoder_length(question, &row->plan);
            if (judge_row(question, row, error))
                return -1;
            if (row->fits && row->machine == question->machines.list)
                question->last = row; /* advice is about the first machine */
            else if (row->fits && !question->last)
                question->last = row;
        }
    return 0;
}

static int ask_advice(model_question *question, roof_error *error) {
    const model_row *row = question->last;
    if (!row)
        return 0;
    roof_machine *others = keep_or_die(calloc(MACHINES_BESIDE, sizeof *others));
    size_t other_count = machines_beside(&question->machines, &question->others, row->machine, others);
    int result = 0;
    if (roof_model_has_phase(question->source.model, ROOF_PHASE_DECODE))
        result = roof_model_batching(row->machine, question->source.model, &row->plan, &question->batching, error);
    for (int phase = 0; result == 0 && phase < ROOF_PHASE_COUNT; phase++) {
        if (!question->asked[phase])
            continue;
        int count = roof_advise_model_in(question->constants.engine, row->machine, question->source.model, &row->plan,
                                         (roof_phase)phase, others, other_count, question->advice[phase].items, error);
        question->advice[phase].count = count > 0 ? (size_t)count : 0;
        result = count < 0 ? -1 : 0;
    }
    free(others);
    return result;
}

judged_operation *model_operations(const model_question *question, const model_row *row, roof_phase phase,
                                   size_t *count) {
    *count = roof_model_operations(question->source.model, &row->plan, phase, NULL, 0);
    roof_operation *operations = keep_or_die(calloc(*count + 1, sizeof *operations));
    roof_model_operations(question->source.model, &row->plan, phase, operations, *count);
    judged_operation *out =
        judge_each(row->machine, engine_constants_on(&question->constants, row->machine), operations, *count);
    free(operations);
    return out;
}

/* ---- what does not fit ---- */

int fail_fit(const model_row *row, roof_error *error) {
    const roof_memory *memory = &row->memory;
    char batch[NUMBER_SIZE], weights[NUMBER_SIZE], cache[NUMBER_SIZE], activations[NUMBER_SIZE], allowed[NUMBER_SIZE],
        capacity[NUMBER_SIZE], tokens[NUMBER_SIZE], number[NUMBER_SIZE], share[NUMBER_SIZE];
    bool much = memory->activations > 0.01 * memory->total;
    roof_fail(error, ROOF_EUNSUPPORTED, "batch %s does not fit: weights %s + KV cache %s%s%s > %s, %s of the %s on %s",
              number_whole(row->plan.batch, batch), number_si(memory->weights, "B", weights),
              number_si(memory->kv_cache, "B", cache), much ? " + activations " : "",
              much ? number_si(memory->activations, "B", activations) : "", number_si(memory->allowed, "B", allowed),
              number_percent(row->plan.utilisation, share), number_si(memory->capacity, "B", capacity),
              row->machine->id);
    if (memory->batch_max >= 1)
        roof_hint(error, "the largest that fits at %s tokens is %s (with %s kept free)",
                  number_whole(roof_plan_tokens(&row->plan), tokens), number_whole(memory->batch_max, number),
                  number_percent(1 - row->plan.utilisation, share));
    else if (memory->devices > 0)
        roof_hint(error, "%s devices hold it: --tensor %s", number_whole(memory->devices, number),
                  number_whole(memory->devices, tokens));
    else
        roof_hint(error, "no tensor-parallel degree up to 1024 holds it; smaller weights might: --weights int4-g128");
    return -1;
}

void model_row_place(const model_question *question, const model_row *row, char *buffer, size_t size) {
    size_t used = 0;
    char number[NUMBER_SIZE];
    buffer[0] = '\0';
    for (int axis = AXIS_COUNT; axis-- > 0 && used < size;)
        if (model_axis(question->settings, axis)->count > 1)
            used += (size_t)snprintf(buffer + used, size - used, "%s%s %s", used ? ", " : "at ", model_axis_name(axis),
                                     number_whole(model_axis_value(&row->plan, axis), number));
    if (question->machines.count > 1 && used < size)
        snprintf(buffer + used, size - used, "%son %s", used ? " " : "", row->machine->id);
}

/* ---- a measurement ---- */

static int read_measured(model_question *question, roof_error *error) {
    const char *text = question->settings->measured;
    double value;
    if (!text)
        return 0;
    if (question->row_count != 1)
        return roof_fail(error, ROOF_EARGUMENT, "--measured is one measurement, and the lists make %zu points",
                         question->row_count);
    const model_row *row = &question->rows[0];
    question->measured_phase = model_main_phase(question);
    const roof_point *point = &row->point[question->measured_phase];
    if (number_parse(text, QUANTITY_TOKENS, &value) == 0 && value > 0)
        question->measured_seconds = point->seconds * point->tokens_per_second / value;
    else if (number_parse(text, QUANTITY_SECONDS, &value) == 0 && value > 0)
        question->measured_seconds = value;
    else {
        roof_fail(error, ROOF_EARGUMENT, "--measured '%.40s' must be a rate or a time", text);
        roof_hint(error, "write it like 180tok/s or 4.6ms");
        return -1;
    }
    return 0;
}

/* A weight format under which the measurement would be possible: the usual reason why a figure beats the roof. */
static const char *explaining_format(const model_question *question) {
    static const char *const formats[] = {"fp8", "int4-g128"};
    for (size_t i = 0; i < 2; i++) {
        model_row row = {.machine = question->rows[0].machine, .plan = question->rows[0].plan};
        roof_point point;
        if (format_parse(formats[i], &row.plan.weights, NULL))
            continue;
        row.plan.math = row.plan.activations; /* weight-only: the roof of the multiplication does not move */
        if (roof_model_point(row.machine, question->source.model, &row.plan, question->measured_phase, &point, NULL) ==
                0 &&
            point.seconds <= question->measured_seconds)
            return formats[i];
    }
    return NULL;
}

static int check_measured(const model_question *question, roof_error *error) {
    char measured[NUMBER_SIZE], batch[NUMBER_SIZE], roof[NUMBER_SIZE], why[96], bytes[NUMBER_SIZE], rate[NUMBER_SIZE];
    roof_hypothesis found[ROOF_HYPOTHESES];
    char words[200]; /* of a hint; the option that would say so has to follow */
    if (!(question->measured_seconds > 0))
        return 0;
    const model_row *row = &question->rows[0];
    const roof_point *point = &row->point[question->measured_phase];
    if (question->measured_seconds >= point->seconds * 0.995)
        return 0;
    bool weights = point->sum.weight_bytes > 0.5 * point->sum.bytes && row->plan.batch == 1;
    if (point->bound == ROOF_BOUND_MEMORY)
        snprintf(why, sizeof why, "%s%s per %s at %s",
                 number_si(weights ? point->sum.weight_bytes : point->sum.bytes, "B", bytes),
                 weights ? " of weights" : "",
                 question->measured_phase == ROOF_PHASE_PREFILL ? "prefill"
                 : weights                                      ? "token"
                                                                : "step",
                 number_si(row->machine->bandwidth[ROOF_DRAM].value, "B/s", rate));
    else
        snprintf(why, sizeof why, "%s in %s at the roof", number_si(point->sum.flops, "FLOP", bytes),
                 number_si(point->seconds, "s", rate));
    roof_fail(error, ROOF_EFORMAT, "%s tok/s is above the roof: batch %s in %s cannot pass %s tok/s on %s (%s)",
              number_three(point->tokens_per_second * point->seconds / question->measured_seconds, measured),
              number_whole(row->plan.batch, batch),
              row->plan.weights.name && row->plan.weights.dtype ? row->plan.weights.name
                                                                : roof_dtype_name(row->plan.activations),
              number_three(point->tokens_per_second, roof), row->machine->id, why);
    const char *format = explaining_format(question);
    size_t count = roof_phase_hypotheses(row->machine, question->source.model, &row->plan, point,
                                         question->measured_seconds, found);
    above_words(found, count, words, sizeof words);
    roof_hint(error, format ? "%s; say --weights %s" : "%s", words, format);
    return -1;
}

/* ---- the whole question ---- */

static int fail_phase(const model_question *question, roof_phase wanted, roof_error *error) {
    char names[64] = "";
    for (int phase = ROOF_PHASE_PREFILL; phase < ROOF_PHASE_COUNT; phase++)
        if (roof_model_has_phase(question->source.model, (roof_phase)phase))
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", names[0] ? ", " : "",
                     roof_phase_name((roof_phase)phase));
    roof_fail(error, ROOF_EARGUMENT, "'%.80s' has no phase %s", question->source.name, roof_phase_name(wanted));
    roof_hint(error, "it has: %s", names);
    return -1;
}

/* Lengths that the model has no use for. */
static int check_lengths(const model_question *question, roof_error *error) {
    const cli_settings *settings = question->settings;
    const roof_model *model = question->source.model;
    bool decodes = roof_model_has_phase(model, ROOF_PHASE_DECODE);
    if (settings->model.source.count > 0 && !roof_model_has_phase(model, ROOF_PHASE_ENCODE))
        return roof_fail(error, ROOF_EARGUMENT, "--source: '%.80s' has no encoder", question->source.name);
    if ((settings->model.images > 0 || settings->model.image_tokens > 0) && !model->vision)
        return roof_fail(error, ROOF_EARGUMENT, "--images: '%.80s' has no vision tower that is counted",
                         question->source.name);
    if (!decodes &&
        (settings->model.generate.count > 0 || settings->model.context.count > 0 || settings->model.draft > 0))
        return roof_fail(error, ROOF_EARGUMENT, "'%.80s' is an encoder: it generates nothing", question->source.name);
    return 0;
}

/* All the model has, or the one named. A vision tower whose images have no fixed size waits for --image-tokens. */
static int ask_phases(model_question *question, const roof_plan *base, roof_error *error) {
    static const roof_phase named[] = {[PHASE_PREFILL] = ROOF_PHASE_PREFILL,
                                       [PHASE_DECODE] = ROOF_PHASE_DECODE,
                                       [PHASE_ENCODE] = ROOF_PHASE_ENCODE,
                                       [PHASE_VISION] = ROOF_PHASE_VISION};
    const roof_model *model = question->source.model;
    int wanted = question->settings->model.phase;
    roof_plan plan = *base;
    roof_plan_complete(model, &plan);
    if (wanted != PHASE_BOTH && !roof_model_has_phase(model, named[wanted]))
        return fail_phase(question, named[wanted], error);
    for (int phase = 0; phase < ROOF_PHASE_COUNT; phase++)
        question->asked[phase] = roof_model_has_phase(model, (roof_phase)phase) &&
                                 (wanted == PHASE_BOTH || named[wanted] == (roof_phase)phase);
    if (question->asked[ROOF_PHASE_VISION] && !(plan.patches > 0)) {
        question->asked[ROOF_PHASE_VISION] = false;
        question->no_patches = true;
    }
    if (wanted == PHASE_VISION && question->no_patches) {
        roof_fail(error, ROOF_EARGUMENT, "images of '%.80s' have no fixed size", question->source.name);
        roof_hint(error, "give the rows per image: --image-tokens 1024");
        return -1;
    }
    return check_lengths(question, error);
}

/* The format that most weights are stored in, for the title. */
static void name_format(model_question *question, roof_dtype activations) {
    architecture facts;
    size_t most = 0;
    roof_plan as_stored = {.activations = activations};
    architecture_of(question->source.model, &as_stored, &facts);
    for (size_t i = 1; i < facts.format_count; i++)
        if (facts.formats[i].parameters > facts.formats[most].parameters)
            most = i;
    if (facts.format_count > 0)
        memcpy(question->main_format, facts.formats[most].name, sizeof question->main_format);
    architecture_free(&facts);
}

int model_ask(model_question *question, roof_error *error) {
    const cli_settings *settings = question->settings;
    roof_plan base = {0};
    if (read_model(question, error) || machines_named(settings, error) || model_base_plan(settings, &base, error) ||
        ask_phases(question, &base, error) || check_experts(question, error) ||
        machines_asked(settings, &question->machines, &question->others, error))
        return -1;
    roof_plan plan = base;
    roof_plan_complete(question->source.model, &plan);
    question->parameters = roof_model_parameters(question->source.model, &plan);
    name_format(question, plan.activations);
    if (machines_override(&question->machines, settings, plan.activations, error))
        return -1;
    const char *why;
    roof_engine usual = engine_usual(&question->machines, question->source.gguf, &why);
    engine_constants_of(settings, usual, &question->machines, &question->constants);
    question->constants.why = question->constants.given ? NULL : why;
    return judge_rows(question, &base, error) || read_measured(question, error) || check_measured(question, error) ||
                   ask_advice(question, error)
               ? -1
               : 0;
}

void model_free(model_question *question) {
    model_source_free(&question->source);
    machines_free(&question->machines);
    machines_free(&question->others);
    facts_free(&question->facts);
    free(question->rows);
    free(question);
}
