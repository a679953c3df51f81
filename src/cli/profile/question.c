/* What profilers and benchmarks wrote, placed under a machine's roofs.
 *
 *     files -> measured[] (all kernels) -> placed[] (each under its roof) -> order[] (by seconds to gain)
 *           -> runs[] (of models, each with its bound and its expected time) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/errors.h"
#include "cli/out/files.h"
#include "cli/profile/profile.h"

/* ---- reading ---- */

static int read_options(const cli_settings *settings, roof_profile_options *out, roof_error *error) {
    const char *mark = settings->decimal;
    *out = (roof_profile_options){
        .format = settings->format, .strict = settings->strict, .launches = settings->profile.launches};
    if (mark && strcmp(mark, ".") != 0 && strcmp(mark, ",") != 0)
        return roof_fail(error, ROOF_EARGUMENT, "--decimal '%.20s' is not one of . and ,", mark);
    out->decimal = mark ? mark[0] : 0;
    return 0;
}

/* An unknown --format is misuse; whatever a file holds is bad input. */
static void fail_file(const char *path, roof_error *error) {
    bool misuse = error->code == ROOF_ENOTFOUND && strstr(error->what, "unknown format");
    if (misuse)
        return;
    name_file(path, error);
    if (error->code == ROOF_ENOTFOUND || error->code == ROOF_EARGUMENT)
        error->code = ROOF_EFORMAT;
}

roof_profile *profile_read(const cli_settings *settings, const char *word, const char **path, roof_error *error) {
    bool pipe = strcmp(word, "-") == 0;
    roof_profile_options options;
    *path = pipe ? "stdin" : word;
    if (read_options(settings, &options, error))
        return NULL;
    roof_profile *profile = roof_read_profile(pipe ? "/dev/stdin" : word, &options, error);
    if (!profile)
        fail_file(*path, error);
    return profile;
}

static int read_file(profile_question *question, const char *word, roof_error *error) {
    profile_file *file = &question->files[question->file_count];
    file->profile = profile_read(question->settings, word, &file->path, error);
    if (!file->profile)
        return -1;
    question->file_count++;
    file->first = question->count;
    roof_profile_points(file->profile, &file->count);
    question->count += file->count;
    return 0;
}

static int read_files(profile_question *question, roof_error *error) {
    const cli_settings *settings = question->settings;
    if (settings->word_count == 0) {
        roof_fail(error, ROOF_EARGUMENT, "no profile is named");
        roof_hint(error,
                  "roofline profile kernels.csv --on h100-sxm; 'roofline profile --formats' lists what it reads");
        return -1;
    }
    if (settings->profile.compare && settings->word_count != 2) {
        roof_fail(error, ROOF_EARGUMENT, "--compare takes two files, before and after, and %zu %s named",
                  settings->word_count, settings->word_count == 1 ? "is" : "are");
        roof_hint(error, "roofline profile --compare before.csv after.csv --on h100-sxm");
        return -1;
    }
    for (size_t i = 0; i < settings->word_count; i++)
        if (read_file(question, settings->words[i], error))
            return -1;
    return 0;
}

/* Of several files each point says which it is of. */
static char *place_of(const profile_file *file, const char *where) {
    text_out out = {0};
    text_add(&out, "%s%s%s", profile_base(file->path), where ? ": " : "", where ? where : "");
    return out.bytes;
}

static void gather(profile_question *question) {
    bool several = question->file_count > 1 && !question->settings->profile.compare;
    question->measured = keep_or_die(calloc(question->count + 1, sizeof *question->measured));
    question->places = keep_or_die(calloc(question->count + 1, sizeof *question->places));
    for (size_t i = 0; i < question->file_count; i++) {
        const profile_file *file = &question->files[i];
        size_t count;
        const roof_measured *points = roof_profile_points(file->profile, &count);
        for (size_t k = 0; k < count; k++) {
            roof_measured *to = &question->measured[file->first + k];
            *to = points[k];
            if (several)
                to->where = question->places[file->first + k] = place_of(file, to->where);
        }
    }
}

/* ---- the machine ---- */

const roof_machine *profile_file_machine(const profile_question *question) {
    for (size_t i = 0; i < question->file_count; i++)
        if (roof_profile_machine(question->files[i].profile))
            return roof_profile_machine(question->files[i].profile);
    return NULL;
}

static size_t runs_of(const profile_question *question) {
    size_t all = 0, count;
    for (size_t i = 0; i < question->file_count; i++) {
        roof_profile_runs(question->files[i].profile, &count);
        all += count;
    }
    return all;
}

static const char *named_device(const profile_question *question) {
    const char *device = profile_device(question);
    for (size_t i = 0; !device && i < question->file_count; i++) {
        size_t count;
        const roof_model_run *runs = roof_profile_runs(question->files[i].profile, &count);
        for (size_t k = 0; !device && k < count; k++)
            device = runs[k].device;
    }
    return device;
}

/* No machine is named: offer the one that the file was made on. */
static void offer_device(const profile_question *question, roof_error *error) {
    const char *device = named_device(question);
    roof_machine like;
    if (!device)
        return;
    roof_error inner = *error;
    roof_fail(error, inner.code, "%.120s; the file says '%.60s'", inner.what, device);
    if (profile_device_machine(device, &like))
        roof_hint(error, "add --on %s", like.id);
    else
        error_keep_advice(error, &inner);
}

/* Formats that only GPUs have, or a device that the catalogue knows and that is no CPU. */
static bool is_of_gpu(const profile_question *question) {
    static const char *const formats[] = {"ncu", "nsys", "rocprof", "tracelens"};
    const char *device = named_device(question);
    roof_machine like;
    for (size_t i = 0; i < question->file_count; i++) {
        const char *id = roof_profile_about(question->files[i].profile)->format->id;
        for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
            if (strncmp(id, formats[k], strlen(formats[k])) == 0)
                return true;
    }
    return device && profile_device_machine(device, &like) && like.scope && strcmp(like.scope, "socket") != 0;
}

/* Nothing was said, and the machine at hand is a CPU: kernels of a GPU are not judged on it. */
static int refuse_gpu(const profile_question *question, roof_error *error) {
    roof_fail(error, ROOF_EARGUMENT, "no machine is named, and this profile is from a GPU, not from this CPU");
    roof_hint(error, "add --on h100-sxm, or another of 'roofline machines'");
    offer_device(question, error);
    return -1;
}

/* --peak without a dtype is that of the work. */
static roof_dtype work_dtype(const profile_question *question) {
    for (size_t i = 0; i < question->count; i++)
        for (size_t k = 0; k < question->measured[i].flop_count; k++)
            if (question->measured[i].flops[k].dtype != ROOF_DTYPE_NONE)
                return question->measured[i].flops[k].dtype;
    return ROOF_BF16;
}

static int find_machine(profile_question *question, roof_error *error) {
    const cli_settings *settings = question->settings;
    const roof_machine *own = profile_file_machine(question);
    bool work = question->count > 0 || runs_of(question) > 0;
    if (settings->on.count > 1)
        return roof_fail(error, ROOF_EARGUMENT, "a profile comes from one machine, and --on names %zu",
                         settings->on.count);
    if (settings->on.count == 0 && own) {
        question->own_machine = true;
        question->machine = work ? own : NULL;
        return 0;
    }
    if (settings->on.count == 0 && work && is_of_gpu(question))
        return refuse_gpu(question, error);
    if (machines_named(settings, error)) {
        offer_device(question, error);
        return -1;
    }
    if (machines_asked(settings, &question->machines, &(machine_set){0}, error) ||
        machines_override(&question->machines, settings, work_dtype(question), error))
        return -1;
    question->machine = work ? &question->machines.list[0] : NULL;
    return 0;
}

/* What was given and has no part in the answer is said. */
static void warn_unused(profile_question *question) {
    const cli_settings *settings = question->settings;
    const roof_machine *used = settings->on.count == 0 || !question->machine ? profile_file_machine(question) : NULL;
    size_t runs = runs_of(question);
    if (settings->named_model && runs == 0)
        profile_warn(&question->files[0], "--model %.80s is not used: %s no runs of a language model",
                     settings->named_model, question->file_count == 1 ? "the file holds" : "the files hold");
    for (size_t i = 0; i < question->file_count; i++) {
        const roof_machine *own = roof_profile_machine(question->files[i].profile);
        if (own && own != used)
            profile_warn(&question->files[i], "the roofs in this file are ignored: %s",
                         used ? "the first file with roofs is used"
                              : "--on names another machine (without --on they are used)");
    }
}

/* ---- judging ---- */

static int place_points(profile_question *question, roof_error *error) {
    question->placed = keep_or_die(calloc(question->count + 1, sizeof *question->placed));
    question->order = keep_or_die(calloc(question->count + 1, sizeof *question->order));
    if (!question->machine)
        return 0;
    for (size_t i = 0; i < question->file_count; i++) { /* of --compare the shares are those of each file */
        const profile_file *file = &question->files[i];
        size_t first = question->settings->profile.compare ? file->first : 0;
        size_t count = question->settings->profile.compare ? file->count : question->count;
        if (count > 0 && (question->settings->profile.compare || i == 0) &&
            roof_place(question->machine, question->measured + first, count, question->placed + first, error))
            return -1;
    }
    roof_rank(question->placed, question->count, question->order);
    profile_choose_labels(question);
    return 0;
}

/* A run that this machine cannot judge (split over devices, and no link is known) does not take the others with it. */
static void leave_out(profile_file *file, const roof_model_run *run, const roof_error *why) {
    char split[48] = "", advice[120];
    if (run->tensor > 1)
        snprintf(split, sizeof split, " split over %.0f devices", run->tensor);
    profile_warn(file, "runs of %.60s%s are left out: %.120s%s%s", run->model ? run->model : "a model", split,
                 why->what, *error_advice(why, advice, sizeof advice) ? "; " : "", advice);
}

static int place_run(profile_question *question, profile_file *file, const roof_model_run *of, roof_error *error) {
    profile_run *run = &question->runs[question->run_count];
    *run = (profile_run){.file = file, .model = run_models_find(&question->models, of)};
    if (roof_judge_run(question->machine, run->model ? run->model->model : NULL, of, &run->placed, error)) {
        if (error->code != ROOF_EUNSUPPORTED)
            return -1;
        leave_out(file, of, error);
        return 0;
    }
    profile_expect_run(question, run);
    question->run_count++;
    return 0;
}

static int place_runs(profile_question *question, roof_error *error) {
    size_t all = runs_of(question);
    question->runs = keep_or_die(calloc(all + 1, sizeof *question->runs));
    for (size_t i = 0; i < question->file_count; i++) {
        size_t count;
        const roof_model_run *runs = roof_profile_runs(question->files[i].profile, &count);
        for (size_t k = 0; k < count; k++)
            if (place_run(question, &question->files[i], &runs[k], error))
                return -1;
    }
    return all > 0 && question->run_count == 0 && question->count == 0 ? -1 : 0; /* the error is that of the last */
}

static int compare(profile_question *question, roof_error *error) {
    const profile_file *before = &question->files[0], *after = &question->files[1];
    if (!question->settings->profile.compare)
        return 0;
    if (before->count == 0 || after->count == 0)
        return roof_fail(error, ROOF_EFORMAT, "%.120s: it holds no kernels, and --compare pairs kernels",
                         before->count == 0 ? before->path : after->path);
    size_t most = before->count + after->count;
    question->moved = keep_or_die(calloc(most, sizeof *question->moved));
    size_t *scratch = keep_or_die(calloc(2 * most, sizeof *scratch));
    question->moved_count = roof_compare(question->placed + before->first, before->count,
                                         question->placed + after->first, after->count, question->moved, most, scratch);
    free(scratch);
    return 0;
}

/* ---- the whole question ---- */

int profile_ask(profile_question *question, roof_error *error) {
    if (read_files(question, error))
        return -1;
    gather(question);
    if (find_machine(question, error))
        return -1;
    warn_unused(question);
    return run_models_ask(&question->models, question->settings->named_model, error) || place_points(question, error) ||
                   (question->machine && place_runs(question, error)) || compare(question, error) ||
                   profile_facts(question, error)
               ? -1
               : 0;
}

void profile_free(profile_question *question) {
    for (size_t i = 0; i < question->count && question->places; i++)
        free(question->places[i]);
    for (size_t i = 0; i < question->file_count; i++)
        roof_profile_free(question->files[i].profile);
    run_models_free(&question->models);
    machines_free(&question->machines);
    facts_free(&question->facts);
    free(question->places);
    free(question->measured);
    free(question->placed);
    free(question->order);
    free(question->runs);
    free(question->moved);
    free(question);
}
