/* What the tests of readers of measurements share: reading a text, finding points and counts. */
#ifndef ROOFLINE_TESTS_READ_PROFILE_READING_H
#define ROOFLINE_TESTS_READ_PROFILE_READING_H

#include "roofline_profile.h"
#include "test.h"

static inline roof_profile *read_text(const char *text, const roof_profile_options *options, roof_error *error) {
    return roof_read_profile_bytes(text, strlen(text), options, error);
}

static inline roof_profile *read_good_with(const char *text, const roof_profile_options *options) {
    roof_error error = {0};
    roof_profile *profile = read_text(text, options, &error);
    if (!profile)
        fail_msg("%s (line %ld)", error.what, error.line);
    return profile;
}

static inline roof_profile *read_good(const char *text) {
    return read_good_with(text, NULL);
}

static inline size_t point_count(const roof_profile *profile) {
    size_t count;
    roof_profile_points(profile, &count);
    return count;
}

static inline const roof_measured *point(const roof_profile *profile, size_t index) {
    size_t count;
    const roof_measured *points = roof_profile_points(profile, &count);
    assert_true(index < count);
    return &points[index];
}

static inline const roof_measured *point_named(const roof_profile *profile, const char *name) {
    size_t count;
    const roof_measured *points = roof_profile_points(profile, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(points[i].name, name) == 0)
            return &points[i];
    fail_msg("no point '%s' of %zu", name, count);
    return NULL;
}

/* The FLOPs of a unit and dtype; a count that is missing where there are none. */
static inline roof_count flops_on(const roof_measured *measured, roof_unit unit, roof_dtype dtype) {
    for (size_t i = 0; i < measured->flop_count; i++)
        if (measured->flops[i].unit == unit && measured->flops[i].dtype == dtype)
            return measured->flops[i].count;
    return (roof_count){0, ROOF_CERTAINTY_MISSING, NULL};
}

static inline void assert_count(roof_count got, double value, roof_certainty certainty) {
    assert_near(got.value, value, 1e-12);
    assert_int_equal(got.certainty, certainty);
}

static inline bool warns(const roof_profile *profile, const char *part) {
    for (size_t i = 0; roof_profile_warning(profile, i); i++)
        if (strstr(roof_profile_warning(profile, i), part))
            return true;
    return false;
}

#endif
