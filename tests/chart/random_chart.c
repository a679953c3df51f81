/* Pseudo-random charts: machines from micro-controllers to racks, points spread, piled up, on verticals and off the
 * axes. */
#include "random_chart.h"

#include "roofline_chart.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct random_source {
    unsigned long long state;
} random_source;

/* Steele, Lea and Flood's SplitMix64: well mixed for every seed. */
static unsigned long long next(random_source *source) {
    unsigned long long z = source->state += 0x9E3779B97F4A7C15ull;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}

static double uniform(random_source *source, double low, double high) {
    return low + (double)(next(source) >> 11) / 9007199254740992.0 * (high - low);
}

static int below(random_source *source, int limit) {
    return (int)(next(source) % (unsigned)limit);
}

static bool chance(random_source *source, double probability) {
    return uniform(source, 0, 1) < probability;
}

static roof_figure figure(double value) {
    return (roof_figure){.value = value, .origin = ROOF_ORIGIN_DATASHEET};
}

static void make_machine(random_chart *out, random_source *source) {
    static const char *const kinds[] = {"HBM3", "HBM2e", "DDR5-4800", "GDDR6X", "LPDDR5", NULL, "192 MB stream"};
    double peak = pow(10, uniform(source, 6, 18)), ridge = pow(10, uniform(source, -1, 3.2));
    out->machine = (roof_machine){.id = "random",
                                  .name = "a machine",
                                  .vendor = chance(source, 0.5) ? "NVIDIA" : "AMD",
                                  .memory_kind = kinds[below(source, 7)]};
    out->machine.peak[ROOF_MATRIX][ROOF_BF16] = figure(peak);
    out->machine.peak[ROOF_MATRIX][ROOF_FP8] = figure(peak * (chance(source, 0.3) ? 1 : 2));
    out->machine.peak[ROOF_MATRIX][ROOF_FP4] = figure(peak * uniform(source, 3, 4.2));
    out->machine.peak[ROOF_MATRIX][ROOF_INT8] = figure(peak * uniform(source, 1.5, 2.5));
    out->machine.peak[ROOF_MATRIX][ROOF_F64] = figure(peak / uniform(source, 2, 40));
    out->machine.bandwidth[ROOF_DRAM] = figure(peak / ridge);
    if (chance(source, 0.5))
        out->machine.bandwidth[ROOF_L2] = figure(peak / ridge * uniform(source, 1.5, 6));
    if (chance(source, 0.5))
        out->machine.bandwidth[ROOF_L1] = figure(peak / ridge * uniform(source, 6, 30));
    static const roof_dtype dtypes[] = {ROOF_FP8, ROOF_FP4, ROOF_INT8, ROOF_F64, ROOF_F16};
    out->chart.unit = ROOF_MATRIX;
    out->chart.dtype = ROOF_BF16;
    out->chart.other_count = (size_t)below(source, 4);
    for (size_t i = 0; i < out->chart.other_count; i++)
        out->chart.others[i] = dtypes[below(source, 5)];
    out->chart.level_count = (size_t)below(source, 4);
    for (size_t i = 0; i < out->chart.level_count; i++)
        out->chart.levels[i] = (roof_level)(1 + (int)i);
    out->chart.machine = &out->machine;
}

static void make_words(char *out, random_source *source, int most) {
    static const char *const words[] = {"batch",
                                        "decode,",
                                        "gate_up",
                                        "256",
                                        "\xC3\xA9t\xC3\xA9",
                                        "<&>",
                                        "15.3k",
                                        "tok/s,",
                                        "17",
                                        "ms",
                                        "a",
                                        "q",
                                        "\xE6\xB3\xA8\xE6\x84\x8F",
                                        "shared-experts-down-projection",
                                        "m=128",
                                        "\"k\""};
    int count = 1 + below(source, most);
    out[0] = '\0';
    for (int i = 0; i < count; i++) {
        size_t used = strlen(out);
        snprintf(out + used, 200 - used, "%s%s", i ? " " : "", words[below(source, 16)]);
    }
}

static double roof_at(const random_chart *out, double intensity) {
    return fmin(out->machine.peak[ROOF_MATRIX][ROOF_BF16].value, intensity * out->machine.bandwidth[ROOF_DRAM].value);
}

static void place_point(random_chart *out, roof_chart_point *point, random_source *source, int pattern, double centre) {
    double ridge = out->machine.peak[ROOF_MATRIX][ROOF_BF16].value / out->machine.bandwidth[ROOF_DRAM].value;
    double spread = pattern == 0   ? uniform(source, -3, 2)
                    : pattern == 1 ? 0
                    : pattern == 2 ? uniform(source, -0.2, 0.2)
                                   : uniform(source, -4, 4);
    point->intensity = ridge * pow(10, pattern == 0 || pattern == 3 ? spread : centre + spread);
    point->attainable = roof_at(out, point->intensity) * (chance(source, 0.5) ? 1 : pow(10, uniform(source, -3, 0)));
    if (chance(source, 0.02))
        *point = (roof_chart_point){.label = point->label,
                                    .detail = point->detail,
                                    .intensity = HUGE_VAL,
                                    .attainable = roof_at(out, ridge) * uniform(source, 0.01, 1)};
    else if (chance(source, 0.02))
        point->intensity = point->attainable = 0;
    if (chance(source, 0.01))
        point->attainable = 0;
}

static void make_points(random_chart *out, random_source *source) {
    int kind = below(source, 20), pattern = below(source, 4);
    bool shares = chance(source, 0.6), measured = chance(source, 0.3);
    double centre = uniform(source, -2, 2);
    out->chart.point_count = (size_t)(kind == 0 ? 40 : kind == 1 ? 64 : kind < 4 ? 1 : 1 + below(source, 14));
    for (size_t i = 0; i < out->chart.point_count; i++) {
        roof_chart_point *point = &out->points[i];
        make_words(out->labels[i], source, chance(source, 0.1) ? 20 : 3);
        make_words(out->details[i], source, 4);
        *point = (roof_chart_point){.label = out->labels[i], .detail = chance(source, 0.8) ? out->details[i] : NULL};
        place_point(out, point, source, pattern, centre);
        if (i && chance(source, 0.1)) {
            point->intensity = out->points[i - 1].intensity;
            point->attainable = out->points[i - 1].attainable;
        }
        point->share = shares ? uniform(source, 0, 1) : 0;
        point->bound = (roof_bound)below(source, 5);
        point->shape = chance(source, 0.3);
        point->measured = measured && chance(source, 0.7);
    }
    out->chart.points = out->points;
}

static void make_changes(random_chart *out, random_source *source) {
    static const char *const labels[] = {"FP8 KV cache: 1.53\xC3\x97 decode", "FP8 GEMMs: 1.82\xC3\x97 prefill",
                                         "larger batch",
                                         "speculative decoding with four drafted tokens: 2.31\xC3\x97 decode", NULL};
    out->chart.change_count = (size_t)below(source, 4);
    for (size_t i = 0; i < out->chart.change_count; i++) {
        roof_chart_change *change = &out->changes[i];
        change->from = (size_t)below(source, (int)out->chart.point_count);
        change->label = labels[below(source, 5)];
        change->intensity = out->points[change->from].intensity * uniform(source, 0.8, 4);
        change->attainable =
            fmax(out->points[change->from].attainable, roof_at(out, change->intensity) * uniform(source, 0.3, 1));
    }
    out->chart.changes = out->changes;
}

void make_random_chart(random_chart *out, unsigned seed) {
    static const char *const texts[] = {
        NULL,
        "",
        "Decode is memory-bound at every batch size; prefill runs into the compute roof",
        "Short",
        "A title that somebody wrote without any thought of how wide a screen might be, so that it needs several lines "
        "of large type and more",
        "Averyveryverylongwordwithoutanyspacewhichcannotbebrokenanywhereatallandisfarwiderthanthenarrowestchartthatcanb"
        "edrawnsoitmustbecut",
        "Parts \xC2\xB7 between \xC2\xB7 middle dots \xC2\xB7 that would like to stay whole, each of them, although "
        "some of them are rather long"};
    random_source source = {seed};
    memset(out, 0, sizeof *out);
    make_machine(out, &source);
    make_points(out, &source);
    make_changes(out, &source);
    const char **fields[] = {&out->chart.title, &out->chart.subtitle, &out->chart.note_title, &out->chart.note,
                             &out->chart.under, &out->chart.foot,     &out->chart.peaks};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        *fields[i] = texts[below(&source, 7)];
}
