/* Whatever was read of measurements must be whole: counts finite and not negative, missing ones zero, texts readable.
 */
#ifndef ROOFLINE_FUZZ_USE_PROFILE_H
#define ROOFLINE_FUZZ_USE_PROFILE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "roofline_profile.h"

static inline void use_count(const roof_count *count) {
    if (!(count->value >= 0) || !isfinite(count->value) ||
        (count->certainty == ROOF_CERTAINTY_MISSING && count->value != 0))
        abort();
}

static inline size_t use_text(const char *text) {
    for (const char *at = text; at && *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7F)
            abort();
    return text ? strlen(text) : 0;
}

static inline size_t use_point(const roof_measured *m) {
    if (!(m->calls > 0) || m->flop_count > ROOF_MEASURED_FLOPS || !(m->clock >= 0) || !(m->least_seconds >= 0))
        abort();
    use_count(&m->seconds);
    for (int level = 0; level < ROOF_LEVEL_COUNT; level++)
        use_count(&m->bytes[level]);
    for (size_t i = 0; i < m->flop_count; i++)
        use_count(&m->flops[i].count);
    return use_text(m->name) + use_text(m->where) + use_text(m->missing);
}

static inline void use_profile(const uint8_t *data, size_t size, const roof_profile_options *options) {
    roof_error error = {0};
    roof_profile *profile = roof_read_profile_bytes(data, size, options, &error);
    size_t length = 0, count;
    if (!profile && !error.what[0])
        abort();
    if (profile) {
        const roof_measured *points = roof_profile_points(profile, &count);
        for (size_t i = 0; i < count; i++)
            length += use_point(&points[i]);
        const roof_model_run *runs = roof_profile_runs(profile, &count);
        for (size_t i = 0; i < count; i++)
            length += use_text(runs[i].model) + use_text(runs[i].engine);
        for (size_t i = 0; roof_profile_warning(profile, i); i++)
            length += use_text(roof_profile_warning(profile, i));
        if (!(roof_profile_about(profile)->rows >= 0) || length > SIZE_MAX / 2)
            abort();
    }
    roof_profile_free(profile);
}

#endif
