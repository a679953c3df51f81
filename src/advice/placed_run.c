/* A language model as it was run (llama-bench, a serving benchmark) beside what the machine allows: the prefill, the
 * decode step, and what the distance means. docs/profiles/placed.md, "Runs of a model". */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "advice/placed.h"
#include "advice/text.h"
#include "core/machine.h"

typedef struct roof_run_phase phase_placed;

/* Work of one pass and the least time it takes, on one device. */
typedef struct pass {
    double flops, bytes, tokens, seconds; /* tokens: of all requests together */
    roof_bound limit;
} pass;

typedef struct judging {
    const roof_machine *machine;
    const roof_model *model; /* NULL: only its size is known */
    const roof_model_run *run;
    double requests, devices;
    double parameters, bytes; /* of the model; 0: not known */
    roof_dtype math;          /* of the compute roof */
    double peak, bandwidth;   /* of one device; 0: not known */
    bool experts;             /* no model, and the name says that a token reads a part of the weights only */
    roof_error *error;
} judging;

static const double ALIKE = 0.8; /* judgement: two rates that one cause may give, 4 to 5 */
static const double APART = 0.2; /* judgement: more than prefills of short prompts take from decode */

static double at_least_one(double value) {
    return value > 1 ? value : 1;
}

/* ---- what is known of the weights ---- */

/* The next word of a list of words, ended by spaces: its length, 0 at the end. */
static size_t next_word(const char **at) {
    *at += strspn(*at, " ");
    return strcspn(*at, " ");
}

/* ggml's block formats, with or without the model before them: "Q4_K - Medium", "llama 7B mostly IQ2_XS". */
static bool is_ggml(const char *weights) {
    size_t length;
    for (const char *at = weights; at && (length = next_word(&at)) > 0; at += length) {
        const char *q = strncasecmp(at, "iq", 2) == 0 || strncasecmp(at, "tq", 2) == 0 ? at + 1 : at;
        if ((*q == 'q' || *q == 'Q') && q[1] >= '0' && q[1] <= '9')
            return true;
    }
    return false;
}

/* The dtype that the weights' name is, or has as a word: "F16", "qwen3 4B F16". */
static roof_dtype stored_dtype(const char *weights) {
    roof_dtype found = roof_dtype_parse(weights);
    size_t length;
    for (const char *at = weights; at && found == ROOF_DTYPE_NONE && (length = next_word(&at)) > 0; at += length) {
        char word[24];
        if (length >= sizeof word)
            continue;
        memcpy(word, at, length);
        word[length] = '\0';
        found = roof_dtype_parse(word);
    }
    return is_ggml(weights) ? ROOF_DTYPE_NONE : found;
}

/* The dtype the linear layers can multiply in. ggml multiplies its block formats as int8 where the machine can. */
static roof_dtype math_of(const roof_machine *machine, const char *weights) {
    if (is_ggml(weights) && roof_machine_peak(machine, ROOF_MATRIX, ROOF_INT8))
        return ROOF_INT8;
    roof_dtype stored = roof_dtype_math(stored_dtype(weights));
    bool runs =
        stored == ROOF_FP8 || stored == ROOF_FP4 || stored == ROOF_INT8 || stored == ROOF_F32 || stored == ROOF_F16;
    return runs ? stored : ROOF_BF16;
}

static double model_bytes(const roof_model_run *run) {
    if (run->model_bytes > 0)
        return run->model_bytes;
    return run->parameters > 0 ? run->parameters * roof_dtype_bytes(stored_dtype(run->weights)) : 0;
}

/* "30B-A3B", "26B.A4B", "8x7B", "MoE" */
static bool names_experts(const char *name) {
    for (const char *at = name; at && *at; at++) {
        bool begins = at == name || !isalnum((unsigned char)at[-1]);
        const char *digits = begins && tolower((unsigned char)*at) == 'a'                                      ? at + 1
                             : begins && isdigit((unsigned char)at[0]) && tolower((unsigned char)at[1]) == 'x' ? at + 2
                                                                                                               : NULL;
        size_t length = digits ? strspn(digits, "0123456789.") : 0;
        if (length > 0 && tolower((unsigned char)digits[length]) == 'b' && !isalnum((unsigned char)digits[length + 1]))
            return true;
        if (begins && strncasecmp(at, "moe", 3) == 0 && !isalnum((unsigned char)at[3]))
            return true;
    }
    return false;
}

/* The weights as the run says they are stored, for a model whose file has them in 16 bits; NONE: as the file says. */
static roof_format run_format(const roof_machine *machine, const roof_model *model, const roof_model_run *run) {
    roof_dtype stored = stored_dtype(run->weights);
    const roof_layer *first = model->layer_count ? &model->layers[0] : NULL;
    if (!run->weights || !first || first->format[ROOF_ROLE_OUTPUT].bits < 16)
        return (roof_format){0};
    if (stored != ROOF_DTYPE_NONE)
        return roof_format_plain(stored);
    if (!(run->model_bytes > 0 && run->parameters > 0))
        return (roof_format){0};
    double bits = run->model_bytes * 8 / run->parameters;
    return (roof_format){.name = "as its size says",
                         .dtype = bits > 6 ? ROOF_INT8 : ROOF_INT4,
                         .bits = bits,
                         .block_rows = 1,
                         .math = math_of(machine, run->weights) == ROOF_INT8 ? ROOF_INT8 : ROOF_DTYPE_NONE};
}

roof_plan placed_run_plan(const roof_machine *machine, const roof_model *model, const roof_model_run *run,
                          double requests) {
    roof_plan plan = {.batch = requests,
                      .prompt = run->prompt,
                      .generate = run->generate,
                      .context = run->depth + (run->apart ? 0 : run->prompt) + run->generate / 2,
                      .tensor = at_least_one(run->tensor),
                      .kv_cache = run->kv_cache,
                      .weights = run_format(machine, model, run)};
    plan.weights_head = plan.weights.dtype != ROOF_DTYPE_NONE && stored_dtype(run->weights) == ROOF_DTYPE_NONE;
    roof_plan_complete(model, &plan);
    roof_dtype math = roof_model_math(model, &plan), used = math;
    if (placed_compute_roof(machine, ROOF_MATRIX, &used) && used != math)
        plan.activations = plan.math = used;
    return plan;
}

/* ---- the bound of one pass ---- */

static int model_pass(const judging *j, roof_phase phase, double requests, pass *out) {
    roof_plan plan = placed_run_plan(j->machine, j->model, j->run, requests);
    roof_point point;
    if (roof_model_point(j->machine, j->model, &plan, phase, &point, j->error))
        return -1;
    *out = (pass){.flops = point.sum.flops,
                  .bytes = point.sum.bytes,
                  .tokens = requests * (phase == ROOF_PHASE_DECODE ? 1 : plan.prompt),
                  .seconds = point.seconds,
                  .limit = point.bound};
    return 0;
}

/* The whole model read once, and a multiply-add of every parameter for each token. */
static int size_pass(const judging *j, double tokens, pass *out) {
    *out = (pass){.flops = 2 * j->parameters * tokens / j->devices, .bytes = j->bytes / j->devices, .tokens = tokens};
    double compute = j->peak > 0 ? out->flops / j->peak : 0, memory = j->bandwidth > 0 ? out->bytes / j->bandwidth : 0;
    out->seconds = fmax(compute, memory);
    out->limit = !(out->seconds > 0) ? ROOF_BOUND_NONE : compute >= memory ? ROOF_BOUND_COMPUTE : ROOF_BOUND_MEMORY;
    return 0;
}

static int best_pass(const judging *j, roof_phase phase, double requests, pass *out) {
    if (j->model && (phase == ROOF_PHASE_DECODE || j->run->prompt > 0))
        return model_pass(j, phase, requests, out);
    if (phase == ROOF_PHASE_DECODE || j->run->prompt > 0)
        return size_pass(j, requests * (phase == ROOF_PHASE_DECODE ? 1 : j->run->prompt), out);
    judging endless = *j; /* a prompt of unknown length: so long that reading the weights does not matter */
    endless.bytes = 0;
    return size_pass(&endless, requests, out);
}

/* Put the pass beside the seconds it took. */
static void put(const judging *j, const pass *best, double seconds, phase_placed *out) {
    *out = (phase_placed){.measured = best->tokens / seconds, .seconds = seconds, .least_seconds = best->seconds};
    out->limit = best->limit;
    out->attained = best->flops / seconds;
    if (j->peak > 0)
        out->compute_fraction = out->attained / j->peak;
    if (!(best->seconds > 0))
        return;
    out->bound = best->tokens / best->seconds;
    out->headroom = seconds / best->seconds;
    out->fraction = best->seconds / seconds;
    out->rate = best->limit == ROOF_BOUND_COMPUTE ? out->attained : best->bytes / seconds;
}

/* ---- words ---- */

static void say_compute(const judging *j, const phase_placed *phase, clauses *to) {
    if (!(phase->attained > 0) || !(j->peak > 0))
        return;
    clauses_add(to, "%s, %s of the %s matrix roof", advice_quantity(phase->attained, advice_rate_unit(j->math)).text,
                advice_percent(phase->compute_fraction).text, roof_dtype_name(j->math));
}

static void say_memory(const judging *j, const pass *best, double seconds, clauses *to) {
    if (best->bytes > 0 && j->bandwidth > 0)
        clauses_add(to, "%s, %s of DRAM's %s", advice_quantity(best->bytes / seconds, "B/s").text,
                    advice_percent(best->bytes / seconds / j->bandwidth).text,
                    advice_quantity(j->bandwidth, "B/s").text);
}

static void say_rate(const judging *j, const phase_placed *phase, clauses *to) {
    if (phase->bound > 0)
        clauses_add(to, "%s tok/s of %s at the roof (%s)", advice_number(phase->measured).text,
                    advice_number(phase->bound).text, advice_percent(phase->fraction).text);
    else
        clauses_add(to, "%s tok/s; %s, so there is no bound", advice_number(phase->measured).text,
                    j->experts ? "a token reads some of its experts only" : "the model's size is unknown");
}

static void say_source(const judging *j, clauses *to) {
    if (!j->model && j->parameters > 0)
        clauses_add(to, "2 FLOPs per parameter and token, without attention");
}

/* ---- the two phases ---- */

/* Seconds of the measured prefill and the requests it was of; 0 requests: not measured. A TTFT is of one request. */
static double prefill_seconds(const judging *j, double *requests) {
    const roof_model_run *run = j->run;
    *requests = 1;
    if (run->prefill_rate > 0) {
        *requests = j->requests;
        return j->requests * at_least_one(run->prompt) / run->prefill_rate;
    }
    return run->prompt > 0 && run->ttft > 0 ? run->ttft : 0;
}

static int place_prefill(const judging *j, roof_run_verdict *out) {
    double requests, seconds = prefill_seconds(j, &requests);
    pass best;
    if (!(seconds > 0))
        return 0;
    if (best_pass(j, ROOF_PHASE_PREFILL, requests, &best))
        return -1;
    put(j, &best, seconds, &out->prefill);
    out->has_prefill = true;
    clauses to = {.text = out->prefill.words, .size = sizeof out->prefill.words};
    say_rate(j, &out->prefill, &to);
    say_compute(j, &out->prefill, &to);
    if (best.limit == ROOF_BOUND_MEMORY)
        say_memory(j, &best, seconds, &to);
    if (!(j->run->prefill_rate > 0))
        clauses_add(&to, "from the TTFT of %s, waiting included", advice_quantity(seconds, "s").text);
    say_source(j, &to);
    return 0;
}

/* Seconds of one decode step: as measured, else from the rate of one sequence, else from that of all. */
static double step_seconds(const judging *j) {
    const roof_model_run *run = j->run;
    if (run->tpot > 0)
        return run->tpot;
    if (run->decode_rate > 0)
        return 1 / run->decode_rate;
    return run->output_rate > 0 ? j->requests / run->output_rate : 0;
}

static int place_decode(const judging *j, roof_run_verdict *out) {
    double seconds = step_seconds(j);
    pass best;
    if (!(seconds > 0))
        return 0;
    if (best_pass(j, ROOF_PHASE_DECODE, j->requests, &best))
        return -1;
    put(j, &best, seconds, &out->decode);
    out->has_decode = true;
    clauses to = {.text = out->decode.words, .size = sizeof out->decode.words};
    say_rate(j, &out->decode, &to);
    say_memory(j, &best, seconds, &to);
    if (best.bytes > 0)
        clauses_add(&to, "%s per step%s", advice_quantity(best.bytes, "B").text, j->devices > 1 ? " and device" : "");
    if (best.limit == ROOF_BOUND_COMPUTE)
        say_compute(j, &out->decode, &to);
    if (!(j->run->tpot > 0) && !(j->run->decode_rate > 0))
        clauses_add(&to, "from the output of all requests, prefills included");
    return 0;
}

/* ---- what it means ---- */

/* llama-bench tells prefill and decode in rows of their own, so the decode rate may be known or only its bound. */
static void say_not_batched(const judging *j, const roof_run_verdict *out, clauses *to) {
    const roof_model_run *run = j->run;
    pass one;
    if (!(run->prefill_rate > 0) || !(run->prompt > 1))
        return;
    if (run->decode_rate > 0 && run->prefill_rate >= ALIKE * run->decode_rate &&
        run->prefill_rate <= run->decode_rate / ALIKE) {
        clauses_add(to,
                    "the prompt is not batched: its tokens are processed one at a time (%s tok/s beside %s in decode)",
                    advice_number(run->prefill_rate).text, advice_number(run->decode_rate).text);
        return;
    }
    if (run->decode_rate > 0 || best_pass(j, ROOF_PHASE_DECODE, 1, &one) || !(one.seconds > 0))
        return;
    if (run->prefill_rate <= one.tokens / one.seconds && out->prefill.bound >= 2 * one.tokens / one.seconds)
        clauses_add(to,
                    "the prompt looks not batched: %s tok/s, where one token at a time, the whole model read for each, "
                    "allows %s",
                    advice_number(run->prefill_rate).text, advice_number(one.tokens / one.seconds).text);
}

static void say_above(const judging *j, roof_phase phase, const phase_placed *of, clauses *to) {
    above_phase a = {.machine = j->machine,
                     .known = j->model != NULL,
                     .stated = true,
                     .phase = phase,
                     .limit = of->limit,
                     .over = of->fraction,
                     .bytes = j->bytes,
                     .devices = j->devices,
                     .attained = of->attained,
                     .peak = j->peak,
                     .math = j->math};
    roof_hypothesis found[ROOF_HYPOTHESES];
    size_t count = above_phase_list(&a, found);
    clauses_add(to, "%s is %sx faster than the roof", roof_phase_name(phase), advice_number(of->fraction).text);
    for (size_t i = 0; i < count; i++)
        clauses_add(to, i ? "or %s" : "%s", found[i].words);
}

static void say_prefill_above(const judging *j, roof_run_verdict *out, clauses *to) {
    if (!out->has_prefill || out->prefill.fraction <= PLACED_ABOVE)
        return;
    say_above(j, ROOF_PHASE_PREFILL, &out->prefill, to);
    if (!j->model)
        out->remedy = ROOF_REMEDY_MODEL;
}

static void say_decode_below(const judging *j, const roof_run_verdict *out, clauses *to) {
    const phase_placed *decode = &out->decode;
    if (decode->limit == ROOF_BOUND_MEMORY)
        clauses_add(to,
                    "decode is below the memory roof (%s of DRAM's %s): overhead- or kernel-bound, not memory-bound",
                    advice_percent(decode->rate / j->bandwidth).text, advice_quantity(j->bandwidth, "B/s").text);
    else
        clauses_add(to, "decode attains %s of its %s roof: limited by overhead or kernels",
                    advice_percent(decode->fraction).text, roof_bound_name(decode->limit));
}

/* Tokens/s of all requests and the time of a token ought to tell the same: requests / TPOT. */
static void say_throughput(const judging *j, const roof_run_verdict *out, clauses *to) {
    const roof_model_run *run = j->run;
    if (!(run->output_rate > 0) || !(j->requests > 1))
        return;
    double steps = run->tpot > 0 ? j->requests / run->tpot : run->decode_rate > 0 ? j->requests * run->decode_rate : 0;
    if (steps > 0 && fabs(run->output_rate / steps - 1) > APART)
        clauses_add(to, "output is %s tok/s, not the %s of %s requests at %s/token: %s",
                    advice_number(run->output_rate).text, advice_number(steps).text, advice_number(j->requests).text,
                    advice_quantity(j->requests / steps, "s").text,
                    run->output_rate < steps ? "fewer ran at once, or prefills take the rest"
                                             : "more ran at once, or some steps yield several tokens");
    if (out->decode.bound > 0 && run->output_rate < 0.5 * out->decode.bound)
        clauses_add(to, "all requests together attain %s of the batch's bound: scheduling, or other requests' prompts",
                    advice_percent(run->output_rate / out->decode.bound).text);
}

static void say(const judging *j, roof_run_verdict *out) {
    clauses to = {.text = out->diagnosis, .size = sizeof out->diagnosis};
    if (!out->has_prefill && !out->has_decode) {
        clauses_add(&to, "the run states no rate and no time of a phase");
        return;
    }
    if (j->experts || (!j->model && !(j->bytes > 0) && !(j->parameters > 0)))
        out->remedy = ROOF_REMEDY_MODEL;
    if (j->experts)
        clauses_add(&to,
                    "a mixture of experts by its name: the file does not say how many experts there are and how many "
                    "a token goes through, so its bytes and FLOPs per token are unknown");
    else if (!j->model && !(j->bytes > 0) && !(j->parameters > 0))
        clauses_add(&to, "the model's size is unknown");
    say_not_batched(j, out, &to);
    say_prefill_above(j, out, &to);
    if (out->has_decode && out->decode.fraction > PLACED_ABOVE)
        say_above(j, ROOF_PHASE_DECODE, &out->decode, &to);
    else if (out->has_decode && out->decode.fraction > 0 && out->decode.fraction < PLACED_NEAR)
        say_decode_below(j, out, &to);
    if (out->has_decode)
        say_throughput(j, out, &to);
}

/* A model that is known replaces what the run says of it; the roofs are those of one device. */
static int fill(judging *j) {
    if (j->model) {
        roof_plan plan = placed_run_plan(j->machine, j->model, j->run, j->requests);
        roof_parameters weights = roof_model_parameters(j->model, &plan);
        j->math = roof_model_math(j->model, &plan);
        j->parameters = weights.active;
        if (!weights.bytes_unknown)
            j->bytes = weights.bytes;
    }
    const roof_figure *peak = placed_compute_roof(j->machine, ROOF_MATRIX, &j->math),
                      *bandwidth = figure_known(&j->machine->bandwidth[ROOF_DRAM]);
    j->peak = peak ? peak->value : 0;
    j->bandwidth = bandwidth ? bandwidth->value : 0;
    if (peak || bandwidth)
        return 0;
    return roof_fail(j->error, ROOF_EUNSUPPORTED,
                     "%s has no known peak and no known DRAM bandwidth, so no run can be judged on it",
                     j->machine->id ? j->machine->id : "the machine");
}

/* A figure no run can have says nothing; this keeps products of figures finite, too. */
static double said(double value) {
    return value >= 1e-15 && value <= 1e15 ? value : 0;
}

roof_model_run placed_run_sane(const roof_model_run *run) {
    roof_model_run out = *run;
    double *const figures[] = {&out.parameters,  &out.model_bytes, &out.prompt,     &out.generate,
                               &out.depth,       &out.concurrency, &out.tensor,     &out.prefill_rate,
                               &out.decode_rate, &out.output_rate, &out.total_rate, &out.ttft,
                               &out.tpot,        &out.seconds};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        *figures[i] = said(*figures[i]);
    return out;
}

int roof_judge_run(const roof_machine *machine, const roof_model *model, const roof_model_run *run,
                   roof_run_verdict *out, roof_error *error) {
    *out = (roof_run_verdict){.run = run};
    roof_model_run clean = placed_run_sane(run);
    judging j = {.machine = machine,
                 .model = model,
                 .run = &clean,
                 .requests = at_least_one(clean.concurrency),
                 .devices = at_least_one(clean.tensor),
                 .parameters = clean.parameters,
                 .bytes = model_bytes(&clean),
                 .math = math_of(machine, run->weights),
                 .error = error};
    j.experts = !model && (names_experts(run->model) || names_experts(run->weights));
    if (j.experts) /* all of its bytes a token, or 2 FLOPs for each of its parameters, would be no bound */
        j.bytes = j.parameters = 0;
    if (fill(&j) || place_prefill(&j, out) || place_decode(&j, out))
        return -1;
    say(&j, out);
    return 0;
}
