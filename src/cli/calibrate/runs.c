/* Files of runs as observations; what is left out is kept with the reason. docs/calibrate.md, "What is read". */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/calibrate/calibrate.h"
#include "cli/out/weight_format.h"

/* Less than this share of the bound was measured otherwise than it says. */
static const double ABOVE = 0.995;

/* ---- what is left out ---- */

static void leave_out(calibrate_question *question, size_t file, long line, const char *why) {
    for (size_t i = 0; i < question->reason_count; i++) {
        calibrate_reason *reason = &question->reasons[i];
        if (reason->file == file && strncmp(reason->why, why, sizeof reason->why - 1) == 0) {
            reason->count++;
            return;
        }
    }
    question->reasons =
        keep_or_die(realloc(question->reasons, (question->reason_count + 1) * sizeof *question->reasons));
    calibrate_reason *reason = &question->reasons[question->reason_count++];
    *reason = (calibrate_reason){.file = file, .count = 1, .line = line};
    snprintf(reason->why, sizeof reason->why, "%s", why);
}

/* ---- one time ---- */

static bool same_plan(const roof_plan *a, const roof_plan *b) {
    return a->batch == b->batch && a->prompt == b->prompt && a->generate == b->generate && a->tensor == b->tensor &&
           a->weights.bits == b->weights.bits && a->weights.dtype == b->weights.dtype && a->kv_cache == b->kv_cache;
}

/* Times of the same work are left out together, else one would predict the other. */
static bool same_work(const roof_observation *a, const roof_observation *b) {
    if (a->model != b->model)
        return false;
    if (a->model)
        return a->prefix == b->prefix && same_plan(&a->plan, &b->plan);
    return a->operations->kind == b->operations->kind &&
           memcmp(a->operations->shape, b->operations->shape, sizeof a->operations->shape) == 0 &&
           memcmp(a->operations->dtype, b->operations->dtype, sizeof a->operations->dtype) == 0;
}

static size_t group_of(const calibrate_question *question, const roof_observation *of) {
    for (size_t i = 0; i < question->count; i++)
        if (same_work(&question->observations[i], of))
            return question->observations[i].group;
    return question->groups;
}

static void keep(calibrate_question *question, const roof_observation *of) {
    if (question->count == question->room) {
        question->room = question->room ? 2 * question->room : 64;
        question->observations =
            keep_or_die(realloc(question->observations, question->room * sizeof *question->observations));
    }
    size_t group = group_of(question, of);
    question->groups += group == question->groups;
    question->observations[question->count] = *of;
    question->observations[question->count++].group = group;
}

/* Keep it, unless the model cannot say a time for it or no machine could have been so fast. */
static bool take(calibrate_question *question, size_t file, long line, const roof_observation *of) {
    roof_time span;
    roof_error error = {0};
    char why[CALIBRATE_REASON], number[NUMBER_SIZE];
    if (roof_observation_expect(of, &question->before, &span, &error)) {
        snprintf(why, sizeof why, "%s", error.what);
    } else if (!(span.expected.seconds > 0) || !isfinite(span.expected.seconds)) {
        snprintf(why, sizeof why, "it has no expected time");
    } else if (of->seconds < ABOVE * span.bound) {
        snprintf(why, sizeof why,
                 "faster than its bound (%s of it): another model, weights or machine, or several tokens per step",
                 number_percent(of->seconds / span.bound, number));
    } else {
        keep(question, of);
        question->files[file].times++;
        return true;
    }
    leave_out(question, file, line, why);
    return false;
}

/* ---- runs of models ---- */

static bool ran_elsewhere(calibrate_question *question, const char *device, char *why, size_t size) {
    roof_machine like;
    if (!device || !profile_device_differs(device, &question->machine, &like))
        return false;
    if (question->reason_count == 0)
        question->like = like.id;
    snprintf(why, size, "it ran on '%.60s', which is not %.40s", device, question->machine.id);
    return true;
}

static bool is_of_llama(const calibrate_file *file) {
    return strncmp(roof_profile_about(file->profile)->format->id, "llama", 5) == 0;
}

/* The class of the engine that a run names; false: it names none that is known. llama-bench names its backend. */
static bool named_engine(const calibrate_file *file, const roof_model_run *run, roof_engine *out) {
    roof_error ignored = {0};
    *out = ROOF_ENGINE_LLAMA_CPP;
    return is_of_llama(file) || (run->engine && roof_engine_find(run->engine, out, &ignored) == 0);
}

/* MLX is measured with llama-bench's columns too, so the two local engines pass for each other there. */
static bool ran_otherwise(const calibrate_question *question, const calibrate_file *file, const roof_model_run *run,
                          char *why, size_t size) {
    if (question->engine == ROOF_ENGINE_ALONE) {
        snprintf(why, size, "a model in an engine is not single operations: --engine names the engine");
        return true;
    }
    roof_engine engine;
    if (!named_engine(file, run, &engine) || engine == question->engine)
        return false;
    if (is_of_llama(file) && question->engine == ROOF_ENGINE_MLX)
        return false;
    snprintf(why, size, "it ran in an engine of the class %s, not %s", roof_engine_name(engine),
             roof_engine_name(question->engine));
    return true;
}

/* Weights that a run names and its plan does not know: those of the model's file would be a guess. */
static bool know_weights(const roof_model *model, const roof_model_run *run, roof_plan *plan) {
    roof_error ignored = {0};
    const roof_format *stored = model->layer_count ? &model->layers[0].format[ROOF_ROLE_OUTPUT] : NULL;
    bool as_stored = !run->weights || strcmp(run->weights, "auto") == 0 || !stored || stored->bits < 16;
    if (as_stored || plan->weights.bits > 0)
        return true;
    return format_parse(run->weights, &plan->weights, &ignored) == 0;
}

static void observe_run(calibrate_question *question, size_t at, const roof_model_run *run) {
    calibrate_file *file = &question->files[at];
    const char *device = run->device ? run->device : roof_profile_about(file->profile)->device;
    const model_source *model = run_models_find(&question->models, run);
    roof_observation times[ROOF_RUN_TIMES];
    char why[CALIBRATE_REASON];
    file->runs++;
    if (ran_elsewhere(question, device, why, sizeof why) || ran_otherwise(question, file, run, why, sizeof why)) {
        leave_out(question, at, run->line, why);
        return;
    }
    if (!model) {
        question->unknown_model |= question->reason_count == 0;
        snprintf(why, sizeof why, "unknown model '%.80s': add --model NAME", run->model ? run->model : "");
        leave_out(question, at, run->line, run->model ? why : "the run names no model: --model NAME");
        return;
    }
    size_t count =
        roof_run_observations(&question->machine, model->model, run, question->engine, times, why, sizeof why);
    if (why[0])
        leave_out(question, at, run->line, why);
    for (size_t i = 0; i < count; i++) {
        if (know_weights(model->model, run, &times[i].plan)) {
            take(question, at, run->line, &times[i]);
            continue;
        }
        snprintf(why, sizeof why, "unknown weight format '%.40s': use a data type, or --model FILE.gguf", run->weights);
        leave_out(question, at, run->line, why);
    }
}

/* ---- single operations ---- */

static void observe_point(calibrate_question *question, size_t at, const roof_measured *point) {
    char why[CALIBRATE_REASON];
    question->files[at].runs++;
    if (ran_elsewhere(question, roof_profile_about(question->files[at].profile)->device, why, sizeof why))
        leave_out(question, at, point->line, why);
    else if (!point->has_operation)
        leave_out(question, at, point->line, "a kernel whose operation and shape are not in the file");
    else if (question->engine != ROOF_ENGINE_ALONE)
        leave_out(question, at, point->line, "single operations belong to --engine alone");
    else if (!(point->calls > 0) || !(point->seconds.value > 0))
        leave_out(question, at, point->line, "an operation without a time");
    else
        take(question, at, point->line,
             &(roof_observation){.machine = &question->machine,
                                 .operations = &point->operation,
                                 .operation_count = 1,
                                 .seconds = point->seconds.value / point->calls});
}

/* ---- all files ---- */

int calibrate_read(calibrate_question *question, roof_error *error) {
    const cli_settings *settings = question->settings;
    if (settings->word_count == 0) {
        roof_fail(error, ROOF_EARGUMENT, "no file of runs is named");
        roof_hint(error, "roofline calibrate llama-bench.json --on h100-sxm --engine llama.cpp");
        return -1;
    }
    for (size_t i = 0; i < settings->word_count; i++) {
        for (size_t k = 0; k < i; k++)
            if (strcmp(settings->words[k], settings->words[i]) == 0)
                return roof_fail(error, ROOF_EARGUMENT, "'%.120s' is named twice", settings->words[i]);
        calibrate_file *file = &question->files[i];
        file->profile = profile_read(settings, settings->words[i], &file->path, error);
        if (!file->profile)
            return -1;
        question->file_count++;
    }
    return run_models_ask(&question->models, settings->named_model, error);
}

static int fail_engine(roof_error *error, const char *why) {
    roof_fail(error, ROOF_EARGUMENT, "%s", why);
    roof_hint(error, "add --engine serving, llama.cpp, cpp, graph, mlx, eager or alone (single operations)");
    return -1;
}

/* Without --engine: the class that every run is of. */
static int find_engine(calibrate_question *question, roof_error *error) {
    const char *asked = question->settings->calibrate.engine;
    bool found = false;
    if (asked)
        return roof_engine_find(asked, &question->engine, error);
    for (size_t i = 0; i < question->file_count; i++) {
        size_t runs, points;
        const roof_model_run *run = roof_profile_runs(question->files[i].profile, &runs);
        roof_profile_points(question->files[i].profile, &points);
        for (size_t k = 0; k < runs + (points > 0); k++) {
            roof_engine engine = ROOF_ENGINE_ALONE;
            if (k < runs && !named_engine(&question->files[i], &run[k], &engine))
                return fail_engine(error, "the files do not say which engine the runs used");
            if (found && engine != question->engine)
                return fail_engine(error, "the runs come from several engine classes");
            question->engine = engine;
            found = true;
        }
    }
    return found ? 0 : fail_engine(error, "the files hold no run");
}

int calibrate_observe(calibrate_question *question, roof_error *error) {
    if (find_engine(question, error))
        return -1;
    roof_constants_of(&question->machine, question->engine, &question->before);
    for (size_t i = 0; i < question->file_count; i++) {
        size_t runs, points;
        const roof_model_run *run = roof_profile_runs(question->files[i].profile, &runs);
        const roof_measured *point = roof_profile_points(question->files[i].profile, &points);
        for (size_t k = 0; k < runs; k++)
            observe_run(question, i, &run[k]);
        for (size_t k = 0; k < points; k++)
            observe_point(question, i, &point[k]);
    }
    if (question->count > 0)
        return 0;
    roof_fail(error, ROOF_EFORMAT, "no time in the files can be used: %.150s",
              question->reason_count ? question->reasons[0].why : "they hold no run");
    if (question->unknown_model)
        roof_hint(error, "add --model with one of 'roofline models', a config.json or a .gguf");
    else if (question->like)
        roof_hint(error, "for that machine: --on %s", question->like);
    else
        roof_hint(error, "docs/calibrate.md says what is read; 'roofline profile FILE' shows what a file holds");
    return -1;
}
