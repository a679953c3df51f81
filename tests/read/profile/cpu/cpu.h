/* What the tests of the CPU tools' readers share beside reading.h: refusals, counts, cutting a text at every byte. */
#ifndef ROOFLINE_TESTS_READ_PROFILE_CPU_H
#define ROOFLINE_TESTS_READ_PROFILE_CPU_H

#include <stdlib.h>

#include "reading.h"

static inline void assert_refused_with(const char *text, const roof_profile_options *options, const char *words) {
    roof_error error = {0};
    roof_profile *profile = roof_read_profile_bytes(text, strlen(text), options, &error);
    roof_profile_free(profile);
    if (profile || !strstr(error.what, words))
        fail_msg("'%s' is not in '%s'", words, profile ? "(no error)" : error.what);
}

static inline void assert_refused(const char *text, const char *words) {
    assert_refused_with(text, NULL, words);
}

static inline roof_count flops_of(const roof_measured *measured, roof_dtype dtype) {
    return flops_on(measured, ROOF_VECTOR, dtype);
}

static inline void assert_part(roof_count cut, roof_count whole, size_t length) {
    if (cut.certainty == ROOF_CERTAINTY_COUNTED && fabs(cut.value - whole.value) > 2e-3 * whole.value)
        fail_msg("cut at %zu: %g is called whole, and is %g", length, cut.value, whole.value);
    if (cut.certainty == ROOF_CERTAINTY_AT_LEAST && cut.value > whole.value * (1 + 1e-12))
        fail_msg("cut at %zu: %g is not at least %g", length, whole.value, cut.value);
    if (cut.certainty == ROOF_CERTAINTY_MISSING && cut.value != 0)
        fail_msg("cut at %zu: missing, and %g", length, cut.value);
}

/* At every byte: an answer that is no more than the whole one, or an error with words. */
static inline void cut_everywhere(const char *text, const char *format) {
    roof_profile_options options = {.format = format};
    roof_profile *whole = read_good(text);
    size_t answers = 0;
    for (size_t n = 0; n < strlen(text); n++) {
        char *cut = malloc(n ? n : 1);
        roof_error error = {0};
        assert_non_null(cut);
        memcpy(cut, text, n);
        roof_profile *profile = roof_read_profile_bytes(cut, n, n % 2 ? &options : NULL, &error);
        if (!profile && !error.what[0])
            fail_msg("cut at %zu: no answer and no error", n);
        for (size_t i = 0; profile && i < point_count(profile) && i < point_count(whole); i++) {
            const roof_measured *part = point(profile, i), *full = point(whole, i);
            if (strcmp(part->name, full->name) != 0)
                continue;
            if (part->seconds.certainty == ROOF_CERTAINTY_COUNTED && part->seconds.from && full->seconds.from &&
                strcmp(part->seconds.from, full->seconds.from) == 0)
                assert_part(part->seconds, full->seconds, n);
            for (int level = 0; level < ROOF_LEVEL_COUNT; level++)
                assert_part(part->bytes[level], full->bytes[level], n);
            for (int dtype = 0; dtype < ROOF_DTYPE_COUNT; dtype++)
                assert_part(flops_of(part, (roof_dtype)dtype), flops_of(full, (roof_dtype)dtype), n);
        }
        answers += profile != NULL;
        roof_profile_free(profile);
        free(cut);
    }
    if (format)
        assert_true(answers > 0);
    roof_profile_free(whole);
}

#endif
