/* Runs of a language model as what page 13 fits constants on: which time is which regime, and what is no time of its
 * own. docs/calibrate.md, "What is read". */
#include <math.h>

#include "advice/placed.h"

typedef struct observing {
    const roof_machine *machine;
    const roof_model *model;
    const roof_model_run *run;
    roof_engine engine;
    double requests;
    roof_observation *out;
    size_t count;
    clauses *left_out;
} observing;

static bool is_llama(const observing *o) {
    return o->engine == ROOF_ENGINE_LLAMA_CPP || o->engine == ROOF_ENGINE_MLX;
}

/* One batch whose phases were timed apart, with no other requests coming in. */
static bool is_static(const roof_model_run *run) {
    return run->apart || run->prefill_rate > 0;
}

static void observe(observing *o, roof_regime regime, double requests, double seconds) {
    if (!(seconds > 0) || !isfinite(seconds) || o->count == ROOF_RUN_TIMES)
        return;
    roof_plan plan = placed_run_plan(o->machine, o->model, o->run, requests);
    roof_plan_engine(o->machine, o->engine, &plan);
    o->out[o->count++] = (roof_observation){
        .machine = o->machine,
        .model = o->model,
        .plan = plan,
        .regime = regime,
        .prefix = regime == ROOF_REGIME_PREFILL || regime == ROOF_REGIME_LLAMA_PREFILL ? o->run->depth : 0,
        .seconds = seconds};
}

/* ---- the prefill ---- */

static void observe_prefill(observing *o) {
    const roof_model_run *run = o->run;
    roof_regime regime = is_llama(o) ? ROOF_REGIME_LLAMA_PREFILL : ROOF_REGIME_PREFILL;
    if (!(run->prefill_rate > 0) && !(run->ttft > 0))
        return;
    if (!(run->prompt > 0))
        clauses_add(o->left_out, "a prefill of unknown length");
    else if (run->prefill_rate > 0)
        observe(o, regime, o->requests, o->requests * run->prompt / run->prefill_rate);
    else if (o->requests > 1)
        clauses_add(o->left_out, "a TTFT with %.0f at once has waiting in it", o->requests);
    else
        observe(o, regime, 1, run->ttft);
}

/* ---- decode ---- */

/* A step that llama-bench timed without a prompt stands behind its own tokens alone. */
static void observe_step(observing *o, double seconds) {
    const roof_model_run *run = o->run;
    bool alone = is_static(run) || !(o->requests > 1), own = run->decode_rate > 0 && run->generate > 0;
    if (alone && !(run->prompt > 0) && !run->apart && !own)
        clauses_add(o->left_out, "a decode step after an unknown context");
    else if (alone)
        observe(o, is_llama(o) ? ROOF_REGIME_LLAMA_DECODE : ROOF_REGIME_DECODE, o->requests, seconds);
    else if (!(run->prompt > 0) || !(run->generate > 1))
        clauses_add(o->left_out, "a TPOT without the lengths of prompt and answer");
    else
        observe(o, ROOF_REGIME_TPOT, o->requests, seconds);
}

/* From the first prompt token to the last output token: of llama-bench's pg rows, of a batch, or of the requests in
 * flight by the rate of all of them. */
static void observe_whole(observing *o) {
    const roof_model_run *run = o->run;
    double tokens = run->output_rate > 0 ? run->generate : run->prompt + run->generate;
    double rate = run->output_rate > 0 ? run->output_rate : run->total_rate;
    if (!(rate > 0))
        return;
    if (!(run->prompt > 0) || !(run->generate > 1))
        clauses_add(o->left_out, "a throughput without the lengths of prompt and answer");
    else if (!(run->concurrency > 0))
        clauses_add(o->left_out, "a throughput of an unknown number of requests at once");
    else
        observe(o, ROOF_REGIME_RUN, o->requests, o->requests * tokens / rate);
}

static void observe_decode(observing *o) {
    const roof_model_run *run = o->run;
    if (run->tpot > 0)
        observe_step(o, run->tpot);
    else if (run->decode_rate > 0)
        observe_step(o, 1 / run->decode_rate);
    else if (!(run->prefill_rate > 0))
        observe_whole(o);
}

size_t roof_run_observations(const roof_machine *machine, const roof_model *model, const roof_model_run *run,
                             roof_engine engine, roof_observation out[ROOF_RUN_TIMES], char *left_out, size_t size) {
    roof_model_run clean = placed_run_sane(run);
    clauses words = {.text = left_out, .size = size};
    observing o = {.machine = machine,
                   .model = model,
                   .run = &clean,
                   .engine = engine,
                   .requests = clean.concurrency > 1 ? clean.concurrency : 1,
                   .out = out,
                   .left_out = &words};
    if (size > 0)
        left_out[0] = '\0';
    observe_prefill(&o);
    observe_decode(&o);
    if (o.count == 0 && words.used == 0)
        clauses_add(&words, "no time of a phase");
    return o.count;
}
