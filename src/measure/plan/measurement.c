/* The memory of a measurement: one list of blocks, freed together. */
#include "measure/plan/measurement.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct block {
    struct block *next;
    max_align_t start[];
} block;

typedef struct holder {
    roof_measurement shown; /* first: the caller holds its address */
    block *blocks;
    roof_sample *samples;
    size_t room;
} holder;

static void *take(holder *owner, size_t size) {
    block *made = calloc(1, sizeof *made + size);
    if (!made)
        return NULL;
    made->next = owner->blocks;
    owner->blocks = made;
    return made->start;
}

roof_measurement *measurement_new(roof_error *error) {
    holder *owner = calloc(1, sizeof *owner);
    if (!owner) {
        roof_fail(error, ROOF_ENOMEM, "not enough memory for a measurement");
        return NULL;
    }
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(owner->shown.date, sizeof owner->shown.date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    snprintf(owner->shown.version, sizeof owner->shown.version, "%s", roof_version());
    return &owner->shown;
}

static int make_room(holder *owner) {
    if (owner->shown.sample_count < owner->room)
        return 0;
    size_t room = owner->room ? 2 * owner->room : 32;
    roof_sample *larger = realloc(owner->samples, room * sizeof *larger);
    if (!larger)
        return -1;
    owner->room = room;
    owner->shown.samples = owner->samples = larger;
    return 0;
}

roof_sample *measurement_add(roof_measurement *measurement, const roof_sample *sample, roof_error *error) {
    holder *owner = (holder *)measurement;
    size_t size = sample->windows ? sample->window_count * sizeof(float) : 0;
    float *windows = size ? take(owner, size) : NULL;
    if (make_room(owner) || (size && !windows)) {
        roof_fail(error, ROOF_ENOMEM, "not enough memory for the samples of a measurement");
        return NULL;
    }
    if (size)
        memcpy(windows, sample->windows, size);
    roof_sample *added = &owner->samples[measurement->sample_count++];
    *added = *sample;
    added->windows = windows;
    added->window_count = windows ? sample->window_count : 0;
    return added;
}

const char *measurement_text(roof_measurement *measurement, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return NULL;
    char *kept = take((holder *)measurement, strlen(text) + 1);
    if (kept)
        memcpy(kept, text, strlen(text) + 1);
    return kept;
}

void roof_measurement_free(roof_measurement *measurement) {
    if (!measurement)
        return;
    holder *owner = (holder *)measurement;
    for (block *at = owner->blocks, *next; at; at = next) {
        next = at->next;
        free(at);
    }
    free(owner->samples);
    free(owner);
}
