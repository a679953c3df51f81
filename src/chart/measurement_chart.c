/* A chart of measured roofs: the peak, the bandwidth of each level, and the ceilings that work without FMA, or in
 * narrower instructions, runs into. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chart/words.h"
#include "roofline_measure.h"

#define DOT " \xC2\xB7 "

enum { CEILING_MAX = 3 };
static const double distinct = 0.92; /* a ceiling nearer to the one above it says nothing */

/* ---- the bold roof ---- */

/* Engineers compare in FP64 where it is measured; else in the widest type that is. */
static int choose_roof(roof_drawing *out) {
    static const roof_dtype order[] = {ROOF_F64, ROOF_F32, ROOF_F16, ROOF_BF16, ROOF_INT32, ROOF_INT8};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        for (int unit = 0; unit < ROOF_UNIT_COUNT; unit++)
            if (out->machine.peak[unit][order[i]].origin != ROOF_ORIGIN_UNKNOWN) {
                out->chart.unit = (roof_unit)unit;
                out->chart.dtype = order[i];
                return 0;
            }
    return -1;
}

static const char *last_word(const roof_drawing *out) {
    return out->chart.dtype >= ROOF_INT32 ? "OP/s" : "FLOP/s";
}

/* ---- ceilings ---- */

static bool is_plain(roof_pattern pattern) {
    return pattern == ROOF_PATTERN_MUL || pattern == ROOF_PATTERN_ADD || pattern == ROOF_PATTERN_MUL_ADD;
}

/* The best compute sample of the bold dtype on all cores, among those `accepted`. */
static const roof_sample *best_sample(const roof_measurement *measurement, const roof_drawing *drawing,
                                      bool (*accepted)(const roof_sample *, const void *), const void *context) {
    const roof_sample *best = NULL;
    for (size_t i = 0; i < measurement->sample_count; i++) {
        const roof_sample *sample = &measurement->samples[i];
        if (roof_pattern_is_compute(sample->pattern) && sample->dtype == drawing->chart.dtype &&
            sample->unit == drawing->chart.unit && sample->threads == measurement->threads &&
            (!best || sample->value > best->value) && accepted(sample, context))
            best = sample;
    }
    return best;
}

static bool is_scalar(const roof_sample *sample, const void *context) {
    (void)context;
    return strcmp(sample->isa, "scalar") == 0;
}

static bool is_fma(const roof_sample *sample, const void *context) {
    return sample->pattern == ROOF_PATTERN_FMA && !is_scalar(sample, context);
}

static bool is_without_fma(const roof_sample *sample, const void *context) {
    return is_plain(sample->pattern) && !is_scalar(sample, context);
}

static bool is_one_sided(const roof_sample *sample, const void *context) {
    return is_without_fma(sample, context) && sample->pattern != ROOF_PATTERN_MUL_ADD;
}

static void add_ceiling(roof_drawing *out, const roof_sample *sample, const char *name) {
    size_t at = out->chart.ceiling_count;
    double above = at > 0 ? out->ceilings[at - 1].value
                          : roof_machine_peak(&out->machine, out->chart.unit, out->chart.dtype)->value;
    if (!sample || at == CEILING_MAX || !(sample->value < above * distinct))
        return;
    snprintf(out->ceiling_names[at], sizeof out->ceiling_names[at], "%s", name);
    out->ceilings[at] = (roof_chart_ceiling){out->ceiling_names[at], sample->value};
    out->chart.ceiling_count++;
}

/* From the peak down. "no FMA" is the ceiling of the original paper; balanced multiplies and adds may reach it, one of
 * the two alone stays below where a core has pipes for each. */
static void find_ceilings(const roof_measurement *measurement, roof_drawing *out) {
    static const struct {
        bool (*accepted)(const roof_sample *, const void *);
        const char *name;
    } ceilings[] = {{is_fma, "FMA alone"},
                    {is_without_fma, "no FMA,"},
                    {is_one_sided, "multiplies or adds alone,"},
                    {is_scalar, "scalar,"}};
    for (size_t i = 0; i < sizeof ceilings / sizeof ceilings[0]; i++)
        add_ceiling(out, best_sample(measurement, out, ceilings[i].accepted, NULL), ceilings[i].name);
}

/* ---- words ---- */

static const char *cores_word(int threads, char *buffer, size_t size) {
    static const char *const words[] = {"No core", "One core", "Two cores", "Three cores", "Four cores"};
    if (threads >= 0 && threads <= 4)
        return words[threads];
    snprintf(buffer, size, "%d cores", threads);
    return buffer;
}

static void say_title(const roof_measurement *measurement, const chart_roofs *roofs, roof_drawing *out) {
    char peak[CHART_NAME], memory[CHART_NAME], number[NUMBER_SIZE], name[24], cores[24];
    chart_dtype_name(out->chart.dtype, name);
    chart_append(out->title, sizeof out->title,
                 "%s attain%s %s in %s and %s from %s: work below %s %s per byte is memory-bound",
                 cores_word(measurement->threads, cores, sizeof cores), measurement->threads == 1 ? "s" : "",
                 number_quantity(roofs->peak, last_word(out), 3, true, peak), name,
                 number_quantity(roofs->bandwidth, "B/s", 3, true, memory), roofs->memory_kind,
                 number_digits(roofs->ridge, 2, false, number), out->chart.dtype >= ROOF_INT32 ? "OP" : "FLOP");
}

static void say_latency(const roof_measurement *measurement, roof_drawing *out) {
    char time[NUMBER_SIZE];
    for (int level = ROOF_LEVEL_COUNT - 1; level >= 0; level--)
        for (size_t i = 0; i < measurement->sample_count; i++) {
            const roof_sample *sample = &measurement->samples[i];
            if (sample->pattern != ROOF_PATTERN_CHASE || sample->level != (roof_level)level)
                continue;
            chart_append(out->note, sizeof out->note, "%s%s %s",
                         out->note[0] ? ", " : "Random load: ", roof_level_name(sample->level),
                         number_quantity(sample->value, "s", 2, false, time));
            break;
        }
    if (out->note[0])
        chart_append(out->note, sizeof out->note, ".");
}

static void say_one_core(const roof_measurement *measurement, const chart_roofs *roofs, roof_drawing *out) {
    const roof_figure *one = &measurement->one.bandwidth[ROOF_DRAM];
    char share[NUMBER_SIZE];
    if (measurement->threads > 1 && one->origin != ROOF_ORIGIN_UNKNOWN && one->value > 0)
        chart_append(out->note_title, sizeof out->note_title, "One core alone gets %s of the %s bandwidth.",
                     number_percent(fmin(one->value / roofs->bandwidth, 1), share), roofs->memory_kind);
}

static void say_rest(const roof_measurement *measurement, const chart_roofs *roofs, roof_drawing *out) {
    chart_append(out->subtitle, sizeof out->subtitle, "%.80s" DOT "%d core%s" DOT "measured %.10s", measurement->cpu,
                 measurement->threads, measurement->threads == 1 ? "" : "s", measurement->date);
    if (roofs->level_count + roofs->peak_count > 0)
        chart_append(out->foot, sizeof out->foot,
                     "dashed: the caches' roofs and the ceilings of code that uses less of the core");
    chart_append(out->peaks, sizeof out->peaks,
                 "Roofs: measured, the 95th percentile of many short windows; %d core%s at once.", measurement->threads,
                 measurement->threads == 1 ? "" : "s");
}

int roof_chart_of_measurement(const roof_measurement *measurement, roof_drawing *out, roof_error *error) {
    chart_roofs roofs;
    chart_begin(out, &measurement->machine);
    if (choose_roof(out))
        return roof_fail(error, ROOF_EUNSUPPORTED, "no compute roof was measured, so there is no roofline to draw");
    for (int level = ROOF_L3; level < ROOF_LEVEL_COUNT; level++)
        out->chart.levels[out->chart.level_count++] = (roof_level)level;
    find_ceilings(measurement, out);
    if (chart_roofs_of(&out->chart, &roofs, error))
        return -1;
    say_title(measurement, &roofs, out);
    say_rest(measurement, &roofs, out);
    say_one_core(measurement, &roofs, out);
    say_latency(measurement, out);
    return 0;
}
