/* A chart of a model's phases from judged points: the finding as a title, the lever as a note, every number in a label.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chart/words.h"
#include "roofline_chart.h"

#define DOT " \xC2\xB7 "
#define TIMES "\xC3\x97"

/* ---- what a sweep varies ---- */

typedef struct sweep {
    bool batch, length, devices; /* more than one value of it among a phase's points */
} sweep;

/* The length a phase is judged at: decode's context, else the prompt. */
static double length_of(const roof_point *point) {
    return point->phase == ROOF_PHASE_DECODE ? point->context : point->prompt;
}

static sweep find_sweep(const roof_point *points, size_t count) {
    sweep found = {false, false, false};
    for (size_t i = 1; i < count; i++) {
        found.batch |= fabs(points[i].batch - points[0].batch) > 0.5;
        found.length |= fabs(length_of(&points[i]) - length_of(&points[0])) > 0.5;
        found.devices |= fabs(points[i].tensor - points[0].tensor) > 0.5;
    }
    return found;
}

static bool varies(sweep found) {
    return found.batch || found.length || found.devices;
}

static bool by_batch_alone(const roof_point *points, size_t count) {
    sweep found = find_sweep(points, count);
    return !found.length && !found.devices;
}

/* "batch 8", "prompt 512", "batch 8, context 1,024", "4 devices": what tells the point from the others. */
static void say_place(char *out, size_t size, const roof_point *point, sweep varied) {
    char number[NUMBER_SIZE];
    const char *gap = "";
    if (varied.batch) {
        chart_append(out, size, "batch %s", number_whole(point->batch, number));
        gap = ", ";
    }
    if (varied.length) {
        chart_append(out, size, "%s%s %s", gap, point->phase == ROOF_PHASE_DECODE ? "context" : "prompt",
                     number_whole(length_of(point), number));
        gap = ", ";
    }
    if (varied.devices)
        chart_append(out, size, "%s%s devices", gap, number_whole(point->tensor, number));
}

/* "batch size", "context", "prompt length", "plan" */
static const char *swept_word(const roof_point *points, size_t count) {
    sweep found = find_sweep(points, count);
    if (found.batch + found.length + found.devices > 1)
        return "plan";
    if (found.length)
        return points[0].phase == ROOF_PHASE_DECODE ? "context" : "prompt length";
    return found.devices ? "degree" : "batch size"; /* nothing varies: one plan, or one plan often */
}

/* ---- the finding ---- */

/* Where the bound changes: the index from which it is another one. count: nowhere; 0: more than once. */
static size_t find_flip(const roof_point *points, size_t count) {
    size_t flip = count;
    for (size_t i = 1; i < count; i++) {
        if (points[i].bound == points[i - 1].bound)
            continue;
        if (flip != count)
            return 0;
        flip = i;
    }
    return flip;
}

static void say_bounds(char *out, size_t size, const char *phase, const roof_point *points, size_t count) {
    const char *bound = roof_bound_name(points[0].bound), *word = swept_word(points, count);
    size_t flip = find_flip(points, count), same = 0;
    if (flip == count) {
        chart_append(out, size, "%s is %s-bound", phase, bound);
        if (varies(find_sweep(points, count)))
            chart_append(out, size, " at every %s", word);
        return;
    }
    if (flip > 0) {
        sweep varied = find_sweep(points, count);
        chart_append(out, size, "%s is %s-bound %s ", phase, bound, flip == 1 ? "at" : "up to");
        say_place(out, size, &points[flip - 1], varied);
        chart_append(out, size, " and %s-bound from ", roof_bound_name(points[flip].bound));
        say_place(out, size, &points[flip], varied);
        return;
    }
    for (size_t i = 0; i < count; i++)
        same += points[i].bound == points[0].bound;
    chart_append(out, size, "%s is %s-bound at %zu of %zu %ss", phase, bound, same, count, word);
}

static bool all_bound(const roof_point *points, size_t count, roof_bound bound) {
    for (size_t i = 0; i < count; i++)
        if (points[i].bound != bound)
            return false;
    return count > 0;
}

/* The phase that is not decode: prefill, or what a model without one has. */
static const char *first_phase(const roof_chart_request *request) {
    return roof_phase_name(request->prefill_count ? request->prefill[0].phase : ROOF_PHASE_PREFILL);
}

static void say_title(const roof_chart_request *request, roof_drawing *out) {
    const roof_point *decode = request->decode, *prefill = request->prefill;
    size_t decodes = request->decode_count, prefills = request->prefill_count;
    char *title = out->title, first_word[16];
    snprintf(first_word, sizeof first_word, "%s", first_phase(request));
    first_word[0] = (char)(first_word[0] - 'a' + 'A');
    if (decodes && prefills && all_bound(decode, decodes, prefill[0].bound) &&
        all_bound(prefill, prefills, prefill[0].bound)) {
        const char *word = swept_word(decode, decodes);
        chart_append(title, sizeof out->title, "Decode and prefill are both %s-bound",
                     roof_bound_name(prefill[0].bound));
        if (decodes > 1)
            chart_append(title, sizeof out->title, " at every %s", strcmp(word, "context") == 0 ? "length" : word);
        return;
    }
    if (decodes)
        say_bounds(title, sizeof out->title, "Decode", decode, decodes);
    if (decodes && prefills)
        chart_append(title, sizeof out->title, "; ");
    if (all_bound(prefill, prefills, ROOF_BOUND_COMPUTE) && decodes)
        chart_append(title, sizeof out->title, "prefill runs into the compute roof");
    else if (prefills)
        say_bounds(title, sizeof out->title, decodes ? "prefill" : first_word, prefill, prefills);
}

/* "1,024-token prompts", or from the shortest to the longest. */
static void say_prompts(const roof_chart_request *request, roof_drawing *out) {
    double least = request->plan->prompt, most = least;
    char a[NUMBER_SIZE], b[NUMBER_SIZE];
    for (size_t i = 0; i < request->decode_count + request->prefill_count; i++) {
        double prompt =
            i < request->decode_count ? request->decode[i].prompt : request->prefill[i - request->decode_count].prompt;
        least = fmin(least, prompt);
        most = fmax(most, prompt);
    }
    if (most - least > 0.5)
        chart_append(out->subtitle, sizeof out->subtitle, DOT "prompts of %s to %s tokens", number_whole(least, a),
                     number_whole(most, b));
    else
        chart_append(out->subtitle, sizeof out->subtitle, DOT "%s-token prompts", number_whole(most, a));
}

static void say_subtitle(const roof_chart_request *request, roof_drawing *out) {
    const roof_plan *plan = request->plan;
    char name[24], number[NUMBER_SIZE];
    size_t size = sizeof out->subtitle;
    const char *machine = out->machine.name ? out->machine.name : "this machine";
    roof_dtype stated = request->dtype != ROOF_DTYPE_NONE && plan->weights.dtype == ROOF_DTYPE_NONE ? request->dtype
                                                                                                    : plan->activations;
    chart_dtype_name(stated, name);
    chart_append(out->subtitle, size, "%.80s in %s", request->model ? request->model : "a model", name);
    if (plan->weights.dtype != ROOF_DTYPE_NONE && plan->weights.dtype != plan->activations) {
        chart_dtype_name(plan->weights.dtype, name);
        chart_append(out->subtitle, size, " with %s weights", name);
    }
    if (plan->kv_cache != ROOF_DTYPE_NONE && plan->kv_cache != plan->activations) {
        chart_dtype_name(plan->kv_cache, name);
        chart_append(out->subtitle, size, ", %s KV cache", name);
    }
    if (plan->tensor > 1)
        chart_append(out->subtitle, size, " on %s " TIMES " %.80s, one of them drawn",
                     number_whole(plan->tensor, number), machine);
    else
        chart_append(out->subtitle, size, " on one %.80s", machine);
    const roof_point *only = request->decode_count == 1    ? request->decode
                             : request->prefill_count == 1 ? request->prefill
                                                           : NULL;
    if (only)
        chart_append(out->subtitle, size, DOT "batch %s", number_whole(only->batch, number));
    say_prompts(request, out);
    if (request->decode_count)
        chart_append(out->subtitle, size, ", %s generated tokens", number_whole(plan->generate, number));
    chart_append(out->subtitle, size, DOT "upper bound from the model, not a measurement");
}

/* ---- the lever ---- */

static void say_lever(const roof_chart_request *request, roof_drawing *out) {
    const roof_point *first = request->decode, *last = first + request->decode_count - 1;
    char a[NUMBER_SIZE], b[NUMBER_SIZE], c[NUMBER_SIZE], d[NUMBER_SIZE];
    if (request->decode_count > 1 && !by_batch_alone(first, request->decode_count))
        return;
    if (request->decode_count > 1 && first->tokens_per_second > 0 && first->seconds > 0)
        chart_append(out->note_title, sizeof out->note_title,
                     "Batch %s \xE2\x86\x92 %s: %s" TIMES " the tokens/s for %s" TIMES " the step time.",
                     number_whole(first->batch, a), number_whole(last->batch, b),
                     chart_factor(c, last->tokens_per_second / first->tokens_per_second),
                     chart_factor(d, last->seconds / first->seconds));
    else if (request->decode_count == 1 && last->sum.bytes > 0) {
        char quantity[CHART_NAME];
        chart_append(out->note_title, sizeof out->note_title, "A decode step moves %s through %s.",
                     number_quantity(last->sum.bytes, "B", 3, true, quantity), chart_memory(&out->machine));
    }
}

/* What the largest batch spends its bytes on, and what follows from it. */
static void say_traffic(const roof_chart_request *request, roof_drawing *out) {
    const roof_point *last = request->decode + request->decode_count - 1;
    char batch[NUMBER_SIZE], share[NUMBER_SIZE];
    const char *memory = chart_memory(&out->machine);
    double cache = last->sum.bytes > 0 ? last->sum.cache_bytes / last->sum.bytes : 0;
    double weights = last->sum.bytes > 0 ? last->sum.weight_bytes / last->sum.bytes : 0;
    number_whole(last->batch, batch);
    if (last->bound == ROOF_BOUND_COMPUTE)
        chart_append(out->note, sizeof out->note,
                     "At batch %s decode is compute-bound: a larger batch costs as much time as it brings tokens.",
                     batch);
    else if (last->bound == ROOF_BOUND_MEMORY && cache >= 0.5)
        chart_append(out->note, sizeof out->note,
                     "At batch %s the KV cache is %s of %s traffic, so a larger batch no longer amortises the weights: "
                     "shrink the KV cache instead.",
                     batch, number_percent(cache, share), memory);
    else if (last->bound == ROOF_BOUND_MEMORY && weights >= 0.5)
        chart_append(out->note, sizeof out->note,
                     "At batch %s the weights are %s of %s traffic: a larger batch shares them among more tokens.",
                     batch, number_percent(weights, share), memory);
}

static const char *bound_words(roof_bound bound) {
    return bound == ROOF_BOUND_MEMORY ? "memory-bound operations take"
           : bound == ROOF_BOUND_LINK ? "collectives take"
                                      : "kernel launch overhead takes";
}

/* Why a phase sits under its roof: the largest other bound's share of its time. */
static void say_under(const roof_chart_request *request, const chart_roofs *roofs, roof_drawing *out) {
    if (!request->prefill_count)
        return;
    const roof_point *last = request->prefill + request->prefill_count - 1;
    char reach[NUMBER_SIZE], share[NUMBER_SIZE];
    double roof = chart_roof_at(roofs, last->intensity), most = 0;
    roof_bound other = ROOF_BOUND_NONE;
    for (int i = ROOF_BOUND_MEMORY; i <= ROOF_BOUND_LATENCY; i++)
        if (last->sum.bound_seconds[i] > most) {
            most = last->sum.bound_seconds[i];
            other = (roof_bound)i;
        }
    if (last->bound != ROOF_BOUND_COMPUTE || last->attainable > 0.97 * roof || most < 0.01 * last->seconds)
        return;
    chart_append(out->under, sizeof out->under, "%s attains %s of the roof: %s %s of its time", first_phase(request),
                 number_percent(last->attainable / roof, reach), bound_words(other),
                 number_percent(most / last->seconds, share));
}

/* ---- points ---- */

/* Of the phase in a whole request. Both phases hold the same plans in the same order, or nothing is said. */
static double request_share(const roof_chart_request *request, const roof_point *point, size_t index) {
    if (request->prefill_count != request->decode_count)
        return 0;
    const roof_point *prefill = &request->prefill[index], *decode = &request->decode[index];
    if (!(decode->tokens_per_second > 0))
        return 0;
    double generating =
        request->plan->generate * decode->batch / decode->tokens_per_second; /* drafted tokens count as generated */
    double own = point->phase == ROOF_PHASE_DECODE ? generating : prefill->seconds;
    return own / (prefill->seconds + generating);
}

static void say_point(const roof_chart_request *request, const roof_point *point, size_t index, char *label,
                      size_t label_size, char *detail, size_t detail_size) {
    bool decode = point->phase == ROOF_PHASE_DECODE;
    sweep varied = find_sweep(decode ? request->decode : request->prefill,
                              decode ? request->decode_count : request->prefill_count);
    bool only = !varies(varied);
    const char *phase = roof_phase_name(point->phase);
    char number[NUMBER_SIZE];
    if (only)
        chart_append(label, label_size, "%s", phase);
    else {
        if (index == 0)
            chart_append(label, label_size, "%s, ", phase);
        say_place(label, label_size, point, varied);
    }
    chart_append(detail, detail_size, "%s tok/s", chart_rate(number, point->tokens_per_second));
    if (decode || only)
        chart_append(detail, detail_size, ", %s%s", number_quantity(point->seconds, "s", 2, false, number),
                     decode && index == 0 ? " per step" : "");
    if (point->memory.capacity > 0 && !point->memory.unknown && !point->memory.fits)
        chart_append(detail, detail_size, ", does not fit");
}

/* Vector FLOPs run beside the matrix unit, so the sum of both may pass the matrix roof by their share; it is drawn on
 * it. */
static double under_roof(const roof_point *point, double roof) {
    double share = point->sum.flops > 0 ? point->sum.matrix_flops / point->sum.flops : 1;
    return point->attainable > roof && point->attainable * share <= roof * 1.001 ? roof : point->attainable;
}

static void add_phase(const roof_chart_request *request, const chart_roofs *roofs, const roof_point *points,
                      size_t count, roof_drawing *out) {
    for (size_t i = 0; i < count; i++) {
        size_t at = out->chart.point_count++;
        roof_chart_point *drawn = &out->points[at];
        drawn->intensity = points[i].intensity;
        drawn->attainable = under_roof(&points[i], chart_roof_at(roofs, points[i].intensity));
        drawn->share = request_share(request, &points[i], i);
        drawn->bound = points[i].bound;
        drawn->shape = points[i].phase != ROOF_PHASE_DECODE;
        say_point(request, &points[i], i, out->labels[at], sizeof out->labels[at], out->details[at],
                  sizeof out->details[at]);
    }
}

/* ---- the bold roof ---- */

static double highest(const roof_chart_request *request) {
    double most = 0;
    for (size_t i = 0; i < request->decode_count + request->prefill_count; i++) {
        const roof_point *point =
            i < request->decode_count ? &request->decode[i] : &request->prefill[i - request->decode_count];
        double share = point->sum.flops > 0 ? point->sum.matrix_flops / point->sum.flops : 1;
        most = fmax(most, point->attainable * share);
    }
    return most;
}

/* The lowest roof that is at least `least` and above `above`, or NONE. */
static roof_dtype lowest_roof(const roof_machine *machine, double least, double above) {
    roof_dtype best = ROOF_DTYPE_NONE;
    double value = HUGE_VAL;
    for (int i = ROOF_DTYPE_NONE + 1; i < ROOF_DTYPE_COUNT; i++) {
        const roof_figure *peak = roof_machine_peak(machine, ROOF_MATRIX, (roof_dtype)i);
        if (peak && peak->value * 1.001 >= least && peak->value > above && peak->value < value) {
            best = (roof_dtype)i;
            value = peak->value;
        }
    }
    return best;
}

static roof_dtype plan_dtype(const roof_chart_request *request) {
    const roof_plan *plan = request->plan;
    roof_dtype candidates[] = {request->dtype, plan->math, plan->weights.math, plan->activations};
    for (int i = 0; i < 4; i++)
        if (candidates[i] != ROOF_DTYPE_NONE)
            return candidates[i];
    return ROOF_BF16;
}

static void choose_roof(const roof_chart_request *request, roof_drawing *out) {
    roof_dtype dtype = plan_dtype(request), math = roof_dtype_math(dtype);
    if (request->plan->sparse && out->machine.sparse[math].origin != ROOF_ORIGIN_UNKNOWN)
        out->machine.peak[ROOF_MATRIX][math] = out->machine.sparse[math];
    const roof_figure *peak = roof_machine_peak(&out->machine, ROOF_MATRIX, dtype);
    double most = highest(request);
    roof_dtype other = peak && peak->value * 1.001 >= most ? dtype : lowest_roof(&out->machine, most, 0);
    out->chart.dtype = other != ROOF_DTYPE_NONE ? other : dtype;
}

/* ---- what-ifs ---- */

static const roof_point *idea_start(const roof_chart_request *request, const roof_chart_idea *idea) {
    bool decode = idea->after.phase == ROOF_PHASE_DECODE;
    if (idea->from >= (decode ? request->decode_count : request->prefill_count))
        return NULL;
    return decode ? &request->decode[idea->from] : &request->prefill[idea->from];
}

static double idea_speedup(const roof_chart_request *request, const roof_chart_idea *idea) {
    const roof_point *start = idea_start(request, idea);
    return start && start->tokens_per_second > 0 ? idea->after.tokens_per_second / start->tokens_per_second : 0;
}

/* "fp8 KV cache" reads "FP8 KV cache" on a chart. */
static void say_idea(char *out, size_t size, const char *idea) {
    while (*idea) {
        char word[64];
        size_t length = strcspn(idea, " ");
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), idea);
        bool name = roof_dtype_parse(word) != ROOF_DTYPE_NONE && strpbrk(word, "0123456789");
        for (char *at = word; *at && name; at++)
            *at = (char)toupper((unsigned char)*at);
        chart_append(out, size, "%s%s", word, idea[length] ? " " : "");
        idea += length + (idea[length] == ' ');
    }
}

/* A ghost above the bold roof needs the roof it would run under; a ghost above every roof of the machine has no place.
 */
static bool idea_roof(roof_drawing *out, const chart_roofs *roofs, const roof_point *after) {
    if (!chart_has_place(after->intensity, after->attainable) ||
        after->attainable > after->intensity * roofs->bandwidth * 1.001)
        return false;
    if (after->attainable <= roofs->peak * 1.001)
        return true;
    roof_dtype dtype = lowest_roof(&out->machine, after->attainable, roofs->peak);
    for (size_t i = 0; i < out->chart.other_count; i++)
        if (out->chart.others[i] == dtype)
            return true;
    if (dtype == ROOF_DTYPE_NONE || out->chart.other_count == 3)
        return false;
    out->chart.others[out->chart.other_count++] = dtype;
    return true;
}

static void add_idea(const roof_chart_request *request, const roof_chart_idea *idea, roof_drawing *out) {
    size_t at = out->chart.change_count++;
    bool decode = idea->after.phase == ROOF_PHASE_DECODE;
    char number[NUMBER_SIZE];
    out->changes[at].from = decode ? idea->from : request->decode_count + idea->from;
    out->changes[at].intensity = idea->after.intensity;
    out->changes[at].attainable = idea->after.attainable;
    say_idea(out->change_labels[at], sizeof out->change_labels[at], idea->idea);
    chart_append(out->change_labels[at], sizeof out->change_labels[at], ": %s" TIMES " %s",
                 number_digits(idea_speedup(request, idea), 3, false, number), roof_phase_name(idea->after.phase));
}

/* The best idea of each phase that helps and has a place. */
static void add_ideas(const roof_chart_request *request, const chart_roofs *roofs, roof_drawing *out) {
    bool done[2] = {false, false};
    double below = HUGE_VAL;
    while (out->chart.change_count < ROOF_CHART_CHANGE_MAX) {
        const roof_chart_idea *best = NULL;
        for (size_t i = 0; i < request->idea_count; i++) {
            double speedup = idea_speedup(request, &request->ideas[i]);
            if (roof_effect_of(speedup) == ROOF_EFFECT_HELPS && speedup < below &&
                (!best || speedup > idea_speedup(request, best)))
                best = &request->ideas[i];
        }
        if (!best)
            return;
        below = idea_speedup(request, best);
        bool *phase_done = &done[best->after.phase == ROOF_PHASE_DECODE];
        if (!*phase_done && idea_roof(out, roofs, &best->after)) {
            add_idea(request, best, out);
            *phase_done = true;
        }
    }
}

/* ---- all of it ---- */

static void say_foot(const roof_chart_request *request, roof_drawing *out) {
    bool at_least = false, shares = request->decode_count && request->prefill_count;
    for (size_t i = 0; i < request->decode_count; i++)
        at_least |= request->decode[i].sum.at_least;
    for (size_t i = 0; i < request->prefill_count; i++)
        at_least |= request->prefill[i].sum.at_least;
    chart_append(out->foot, sizeof out->foot, "%s%s%s%s%s" DOT "colour = what limits it%s%s",
                 request->decode_count ? "\xE2\x97\x8F decode step" : "", shares ? "  " : "",
                 request->prefill_count ? "\xE2\x97\x86 " : "", request->prefill_count ? first_phase(request) : "",
                 out->chart.change_count ? "  \xE2\x97\x8B what-if" : "",
                 shares ? DOT "area = share of the request\xE2\x80\x99s time" : "",
                 at_least ? DOT "some costs are unknown and left out" : "");
}

static int check_request(const roof_chart_request *request, roof_error *error) {
    size_t count = request->decode_count + request->prefill_count;
    if (!request->machine || !request->plan)
        return roof_fail(error, ROOF_EARGUMENT, "a chart of a model needs its machine and its plan");
    if (count == 0 || count > ROOF_CHART_POINT_MAX)
        return roof_fail(error, ROOF_EARGUMENT, "a chart of a model shows 1 to %d points, not %zu",
                         ROOF_CHART_POINT_MAX, count);
    return 0;
}

int roof_chart_of_points(const roof_chart_request *request, roof_drawing *out, roof_error *error) {
    chart_roofs roofs;
    if (check_request(request, error))
        return -1;
    chart_begin(out, request->machine);
    choose_roof(request, out);
    if (chart_roofs_of(&out->chart, &roofs, error))
        return -1;
    add_phase(request, &roofs, request->decode, request->decode_count, out);
    add_phase(request, &roofs, request->prefill, request->prefill_count, out);
    add_ideas(request, &roofs, out);
    say_title(request, out);
    say_subtitle(request, out);
    if (request->decode_count) {
        say_lever(request, out);
        say_traffic(request, out);
    }
    say_under(request, &roofs, out);
    say_foot(request, out);
    chart_say_peaks(out, request->plan->sparse ? "2:4 sparse" : "dense");
    return 0;
}
