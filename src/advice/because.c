/* Why a phase is bound by what it is, in one line with the numbers. */
#include <stdio.h>

#include "advice/model_ideas.h"
#include "advice/text.h"

enum { CLAUSE = 320 };

static const double MOST_BYTES = 0.8;  /* judgement: other traffic below a fifth needs no words */
static const double ALMOST_ALL = 0.75; /* judgement: a bound with less of the time shares it with another */

typedef struct sentence {
    const roof_machine *machine;
    const roof_point *point;
    const char *cache;   /* what `cache_bytes` are: "KV cache", "state" */
    const char *subject; /* "each step", "it" */
    double ridge;
    char clause[CLAUSE];
} sentence;

static double part_of(const roof_point *point, roof_bound bound) {
    return point->sum.seconds > 0 ? point->sum.bound_seconds[bound] / point->sum.seconds : 0;
}

/* "reads 15.0 GB of weights and 151 MB of KV cache"; where other traffic counts, or the cache is written, "moves 27.1
 * GB, among it 15.0 GB of weights," */
static void say_traffic(const roof_point *point, const char *kept, char *out, size_t size) {
    const roof_sum *sum = &point->sum;
    char named[112] = "";
    advice_word weights = advice_quantity(sum->weight_bytes, "B"), cache = advice_quantity(sum->cache_bytes, "B");
    if (sum->weight_bytes > 0 && sum->cache_bytes > 0)
        snprintf(named, sizeof named, "%s of weights and %s of %s", weights.text, cache.text, kept);
    else if (sum->weight_bytes > 0)
        snprintf(named, sizeof named, "%s of weights", weights.text);
    else if (sum->cache_bytes > 0)
        snprintf(named, sizeof named, "%s of %s", cache.text, kept);
    if (point->phase == ROOF_PHASE_DECODE && sum->weight_bytes + sum->cache_bytes >= MOST_BYTES * sum->bytes)
        snprintf(out, size, "reads %s", named);
    else if (named[0])
        snprintf(out, size, "moves %s, among it %s,", advice_quantity(sum->bytes, "B").text, named);
    else
        snprintf(out, size, "moves %s", advice_quantity(sum->bytes, "B").text);
}

/* The whole phase can lie on the other side of the ridge than the operations that take most of its time. */
static void across(sentence *s, const char *side) {
    snprintf(s->clause, sizeof s->clause,
             "%s of its time goes to operations %s the ridge at %s, though the whole does %s FLOP/B",
             advice_percent(part_of(s->point, s->point->bound)).text, side, advice_number(s->ridge).text,
             advice_number(s->point->intensity).text);
}

static void memory_clause(sentence *s) {
    char traffic[160];
    if (s->point->intensity >= s->ridge) {
        across(s, "below");
        return;
    }
    say_traffic(s->point, s->cache, traffic, sizeof traffic);
    snprintf(s->clause, sizeof s->clause, "%s %s for %s: %s FLOP/B, the ridge is at %s", s->subject, traffic,
             advice_quantity(s->point->sum.flops, "FLOP").text, advice_number(s->point->intensity).text,
             advice_number(s->ridge).text);
}

static void compute_clause(sentence *s) {
    if (s->point->intensity < s->ridge) {
        across(s, "above");
        return;
    }
    snprintf(s->clause, sizeof s->clause, "%s does %s on %s: %s FLOP/B, %.1fx the ridge at %s", s->subject,
             advice_quantity(s->point->sum.flops, "FLOP").text, advice_quantity(s->point->sum.bytes, "B").text,
             advice_number(s->point->intensity).text, s->point->intensity / s->ridge, advice_number(s->ridge).text);
}

static void link_clause(sentence *s) {
    snprintf(s->clause, sizeof s->clause, "%s sends %s over a link of %s, which takes %s of its time", s->subject,
             advice_quantity(s->point->sum.link_bytes, "B").text, advice_quantity(s->machine->link.value, "B/s").text,
             advice_percent(part_of(s->point, ROOF_BOUND_LINK)).text);
}

static void latency_clause(sentence *s) {
    snprintf(s->clause, sizeof s->clause, "for %s of its time a launch of %s is longer than the work it starts",
             advice_percent(part_of(s->point, ROOF_BOUND_LATENCY)).text,
             advice_quantity(s->machine->launch.value, "s").text);
}

/* "", or how the time is shared when no bound has three quarters of it. */
static void say_mixture(const roof_point *point, char *out, size_t size) {
    double first = part_of(point, point->bound), second = 0;
    roof_bound other = ROOF_BOUND_NONE;
    out[0] = '\0';
    for (int i = ROOF_BOUND_COMPUTE; i <= ROOF_BOUND_LATENCY; i++)
        if ((roof_bound)i != point->bound && part_of(point, (roof_bound)i) > second) {
            other = (roof_bound)i;
            second = part_of(point, other);
        }
    if (first < ALMOST_ALL && second > 0)
        snprintf(out, size, " (%s of the time, %s %s)", advice_percent(first).text, roof_bound_name(other),
                 advice_percent(second).text);
}

static double ridge_of(const roof_machine *machine, const roof_model *model, const roof_plan *plan) {
    roof_dtype math = roof_model_math(model, plan);
    double ridge = roof_machine_ridge(machine, ROOF_MATRIX, math);
    const roof_figure *dense = roof_machine_peak(machine, ROOF_MATRIX, math),
                      *sparse = &machine->sparse[roof_dtype_math(math)];
    return plan->sparse && dense && sparse->origin != ROOF_ORIGIN_UNKNOWN ? ridge * sparse->value / dense->value
                                                                          : ridge;
}

size_t roof_point_because(const roof_machine *machine, const roof_model *model, const roof_plan *plan,
                          const roof_point *point, char *buffer, size_t size) {
    static void (*const clauses[])(sentence *) = {NULL, compute_clause, memory_clause, link_clause, latency_clause};
    const char *phase = roof_phase_name(point->phase);
    if (point->bound <= ROOF_BOUND_NONE || point->bound > ROOF_BOUND_LATENCY)
        return (size_t)snprintf(buffer, size, "%s has no work whose time is known", phase);
    roof_plan complete = *plan;
    roof_plan_complete(model, &complete);
    sentence s = {.machine = machine,
                  .point = point,
                  .subject = point->phase == ROOF_PHASE_DECODE ? "each step" : "it",
                  .ridge = ridge_of(machine, model, &complete)};
    char mixture[128];
    bool grows = roof_model_kv_bytes_per_token(model, &complete) > 0,
         states = roof_model_state_bytes(model, &complete) > 0;
    s.cache = !states ? "KV cache" : grows ? "KV cache and state" : "state";
    clauses[point->bound](&s);
    say_mixture(point, mixture, sizeof mixture);
    bool steady = point->phase == ROOF_PHASE_DECODE && states && !grows;
    return (size_t)snprintf(buffer, size, "%s is %s%s-bound%s because %s%s%s", phase, mixture[0] ? "mostly " : "",
                            roof_bound_name(point->bound), mixture, s.clause,
                            steady ? "; the context does not matter to it" : "",
                            point->sum.at_least ? " (at least: some costs are unknown)" : "");
}
