/* Tests of readers whose result is runs of a model. */
#ifndef ROOFLINE_TESTS_RUNS_H
#define ROOFLINE_TESTS_RUNS_H

#include <stdlib.h>

#include "reading.h"

static inline size_t run_count(const roof_profile *profile) {
    size_t count;
    roof_profile_runs(profile, &count);
    return count;
}

static inline const roof_model_run *run_at(const roof_profile *profile, size_t index) {
    size_t count;
    const roof_model_run *runs = roof_profile_runs(profile, &count);
    assert_true(index < count);
    return &runs[index];
}

static inline void assert_warns(const roof_profile *profile, const char *words) {
    if (!warns(profile, words))
        fail_msg("no warning says '%s'; the first is '%s'", words,
                 roof_profile_warning(profile, 0) ? roof_profile_warning(profile, 0) : "");
}

static inline void assert_quiet(const roof_profile *profile) {
    if (roof_profile_warning(profile, 0))
        fail_msg("a warning: %s", roof_profile_warning(profile, 0));
}

static inline void assert_refused(const char *text, const roof_profile_options *options, const char *words, long line) {
    roof_error error = {0};
    roof_profile *profile = read_text(text, options, &error);
    if (profile)
        fail_msg("not refused: %s", words);
    if (!strstr(error.what, words))
        fail_msg("'%s' does not say '%s'", error.what, words);
    assert_int_equal(error.line, line);
}

/* A figure of a cut file: the whole file's or none, unless a warning says that the last one may be cut. */
static inline void compare_figure(const roof_profile *cut, double part, double whole, size_t length, const char *name) {
    if (part != 0 && fabs(part / whole - 1) > 1e-12 && !warns(cut, "may be cut"))
        fail_msg("cut at %zu: %s is %.9g, and %.9g of the whole", length, name, part, whole);
}

static inline void compare_runs(const roof_profile *cut, const roof_profile *whole, size_t length) {
    assert_true(run_count(cut) <= run_count(whole));
    for (size_t i = 0; i < run_count(cut); i++) {
        const roof_model_run *part = run_at(cut, i), *full = run_at(whole, i);
        assert_int_equal(part->line, full->line);
        compare_figure(cut, part->prefill_rate, full->prefill_rate, length, "prefill_rate");
        compare_figure(cut, part->decode_rate, full->decode_rate, length, "decode_rate");
        compare_figure(cut, part->output_rate, full->output_rate, length, "output_rate");
        compare_figure(cut, part->model_bytes, full->model_bytes, length, "model_bytes");
        compare_figure(cut, part->parameters, full->parameters, length, "parameters");
        compare_figure(cut, part->ttft, full->ttft, length, "ttft");
        compare_figure(cut, part->tpot, full->tpot, length, "tpot");
    }
}

/* Cut the text at every byte: an error with words, or an answer whose figures are those of the whole file; where a row
 * is lost in the middle, somebody says so. Returns how many cuts gave an answer. */
static inline int cut_everywhere(const char *text) {
    size_t length = strlen(text);
    int answers = 0;
    roof_profile *whole = read_good(text);
    for (size_t n = 0; n < length; n++) {
        char *cut = malloc(n ? n : 1); /* of its own, so that a byte read behind it is found */
        roof_error error = {0};
        assert_non_null(cut);
        memcpy(cut, text, n);
        roof_profile *profile = roof_read_profile_bytes(cut, n, NULL, &error);
        if (!profile && !error.what[0])
            fail_msg("cut at %zu: no answer and no error", n);
        if (profile) {
            const roof_profile_info *about = roof_profile_about(profile);
            bool inside = text[n - 1] != '\n' && text[n - 1] != '=' && text[n] != '\n' && text[n] != '\r';
            answers++;
            compare_runs(profile, whole, n);
            if (inside && run_count(profile) < run_count(whole) && !about->ended_early && !(about->dropped > 0) &&
                !warns(profile, "may be cut"))
                fail_msg("cut at %zu: a run is lost without a word", n);
            roof_profile_free(profile);
        }
        free(cut);
    }
    roof_profile_free(whole);
    return answers;
}

#endif
