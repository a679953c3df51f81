/* What a serving benchmark says of a run: which latency is in which unit, how many requests ran at once, and what does
 * not go together. */
#include "read/profile/runs/serving.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- latencies ---- */

typedef struct latency {
    double value; /* as written; 0: not there */
    double unit;  /* factor to seconds that the key states; 0: it states none */
    const char *key;
    bool median;
} latency;

/* The first of median, p50, mean and bare, as milliseconds, seconds or without a unit. `bases` are tried in order. */
static latency find_latency(record *from, const char *bases) {
    static const struct {
        const char *before;
        bool median;
    } kinds[] = {{"median_", true}, {"p50_", true}, {"mean_", false}, {"avg_", false}, {"", false}};
    static const struct {
        const char *behind;
        double unit;
    } units[] = {{"_ms", 1e-3}, {"_s", 1}, {"_sec", 1}, {"_seconds", 1}, {"_us", 1e-6}, {"", 0}};
    char name[64];
    for (const char *base = bases; *base;) {
        int length = (int)strcspn(base, "|");
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
            for (size_t u = 0; u < sizeof units / sizeof units[0]; u++) {
                snprintf(name, sizeof name, "%s%.*s%s", kinds[k].before, length, base, units[u].behind);
                double value = record_number(from, name);
                if (value > 0 && isfinite(value))
                    return (latency){value, units[u].unit, from->fields[record_find(from, name)].key, kinds[k].median};
                if (value <= 0) /* nothing was timed: a mean beside it would tell no more */
                    return (latency){0};
            }
        base += length + (base[length] == '|');
    }
    return (latency){0};
}

typedef struct result {
    record *from;
    builder *out;
    latency ttft, tpot, whole;
    roof_model_run run;
    double completed, requests; /* requests a second */
} result;

/* Could the latencies be right in this unit? Sequences that decode at once (time of a token x tokens a second of all)
 * are no more than may run at once, and not next to none of them; else no request is longer than the run. The band is
 * narrower than 1000, so that at most one of seconds and milliseconds is in it. */
static bool fits(const result *r, double ttft, double tpot, double whole) {
    const roof_model_run *run = &r->run;
    double longest = fmax(whole, ttft + tpot * fmax(run->generate - 1, 0));
    if (tpot > 0 && run->output_rate > 0 && run->concurrency > 0) {
        double share = tpot * run->output_rate / run->concurrency;
        return share > 1.0 / 300 && share < 10.0 / 3;
    }
    if (!(run->seconds > 0) || !(longest > 0))
        return true;
    return longest <= run->seconds * 1.05 && longest * fmax(r->completed, 1) * 30 >= run->seconds;
}

static bool fits_unit(const result *r, double unit) {
    return fits(r, r->ttft.value * unit, r->tpot.value * unit, r->whole.value * unit);
}

static void forget(result *r) {
    r->ttft.value = r->tpot.value = r->whole.value = 0;
}

/* Latencies whose keys name no unit: seconds or milliseconds, if only one of them can be. */
static void decide_unit(result *r, const latency *any) {
    bool seconds = fits_unit(r, 1), milliseconds = fits_unit(r, 1e-3);
    if (seconds == milliseconds) {
        build_warning(r->out,
                      "line %ld: %.40s %g: neither its name nor the rates beside it tell whether these are seconds "
                      "or milliseconds; latencies are left out",
                      r->from->line, any->key, any->value);
        forget(r);
        return;
    }
    double unit = seconds ? 1 : 1e-3;
    build_warning(r->out, "%.40s names no unit: %s, as the rates beside it say", any->key,
                  seconds ? "seconds" : "milliseconds");
    r->ttft.value *= unit;
    r->tpot.value *= unit;
    r->whole.value *= unit;
}

/* A unit that is stated is believed, unless it cannot be: more sequences than may run, a request longer than the run,
 * or more than ten thousand tokens a second of one sequence, each where a factor of 1000 would put it right. */
static bool cannot_be(const result *r, double ttft, double tpot, double whole) {
    const roof_model_run *run = &r->run;
    bool many = tpot * run->output_rate > run->concurrency * 10 / 3 && run->concurrency > 0;
    bool longer = run->seconds > 0 && fmax(ttft, whole) > run->seconds * 1.05;
    if (many || longer)
        return fits(r, ttft * 1e-3, tpot * 1e-3, whole * 1e-3);
    return tpot > 0 && tpot < 1e-4 && fits(r, ttft * 1e3, tpot * 1e3, whole * 1e3);
}

static void state_unit(result *r, const latency *any) {
    double ttft = r->ttft.value * r->ttft.unit, tpot = r->tpot.value * r->tpot.unit,
           whole = r->whole.value * r->whole.unit;
    if (cannot_be(r, ttft, tpot, whole)) {
        build_warning(
            r->out,
            "line %ld: %.40s %g cannot be beside these rates, and could in a unit 1000 times another: latencies are "
            "left out",
            r->from->line, any->key, any->value);
        forget(r);
        return;
    }
    r->ttft.value = ttft;
    r->tpot.value = tpot;
    r->whole.value = whole;
}

static void read_latencies(result *r) {
    r->ttft = find_latency(r->from, "ttft|time_to_first_token");
    r->tpot = find_latency(r->from, "tpot|time_per_output_token|inter_token_latency|itl");
    r->whole = find_latency(r->from, "e2el|e2e_latency|request_latency");
    latency *all[] = {&r->tpot, &r->ttft, &r->whole}, *unsaid = NULL, *said = NULL;
    for (size_t i = 0; i < 3; i++) {
        latency **kind = all[i]->unit > 0 ? &said : &unsaid;
        if (all[i]->value > 0 && !*kind)
            *kind = all[i];
    }
    for (size_t i = 0; said && unsaid && i < 3; i++)
        if (!(all[i]->unit > 0)) /* some name their unit and some do not: only those that do are read */
            all[i]->value = 0;
    if (said)
        state_unit(r, said);
    else if (unsaid)
        decide_unit(r, unsaid);
    for (size_t i = 0; i < 2; i++)
        if (all[i]->value > 0 && !all[i]->median)
            build_warning(r->out, "%.40s is taken for the median, which is not there", all[i]->key);
}

/* ---- tokens and requests ---- */

static double per_request(record *from, const char *total, const char *each, double completed) {
    double sum = record_positive(from, total);
    return sum > 0 && completed > 0 ? sum / completed : record_positive(from, each);
}

/* "512_128": tokens in and out. */
static void read_pair(result *r) {
    const char *text = record_word(r->from, "input_output|io");
    double prompt, generate;
    int used = 0;
    if (!text || sscanf(text, "%lf_%lf%n", &prompt, &generate, &used) != 2 || text[used])
        return;
    if (!(r->run.prompt > 0) && prompt > 0)
        r->run.prompt = prompt;
    if (!(r->run.generate > 0) && generate > 0)
        r->run.generate = generate;
}

static void read_tokens(result *r) {
    roof_model_run *run = &r->run;
    r->completed = record_positive(r->from, "completed|successful_requests|request_count");
    run->prompt = per_request(r->from, "total_input_tokens|total_input",
                              "mean_input_tokens|isl|input_len|random_input_len|input_sequence_length", r->completed);
    run->generate =
        per_request(r->from, "total_output_tokens|total_output|total_generated_tokens",
                    "mean_output_tokens|osl|output_len|random_output_len|output_sequence_length", r->completed);
    read_pair(r);
}

/* Rates a device, as InferenceX tells them, are those of all only with the devices beside them. */
static double rate_of(result *r, const char *all, const char *each) {
    double rate = record_positive(r->from, all), one = record_positive(r->from, each);
    return rate > 0 ? rate : r->run.tensor > 0 ? one * r->run.tensor : 0;
}

static void read_rates(result *r) {
    roof_model_run *run = &r->run;
    run->tensor = record_positive(r->from, "tensor_parallel_size|tensor_parallel|tp_size|tp");
    run->output_rate = rate_of(r, "output_throughput|output_token_throughput|output_tokens_per_second|out_toks",
                               "output_tput_per_gpu");
    run->total_rate =
        rate_of(r, "total_token_throughput|total_throughput|total_tokens_per_second|tokens_per_second", "tput_per_gpu");
    if (!(run->total_rate > 0) && run->output_rate > 0) {
        double input = rate_of(r, "input_throughput", "input_tput_per_gpu");
        run->total_rate = input > 0 ? input + run->output_rate : 0;
    }
    run->seconds = record_positive(r->from, "duration|benchmark_duration|elapsed_time");
    r->requests = record_positive(r->from, "request_throughput|requests_per_second");
    run->concurrency =
        record_positive(r->from, "max_concurrency|maximum_request_concurrency|max_request_concurrency|conc|"
                                 "concurrency|batch_size");
    double total = run->generate * r->completed;
    if (!(run->output_rate > 0) && total > 0 && run->seconds > 0)
        run->output_rate = total / run->seconds;
    else if (total > 0 && run->seconds > 0 && fabs(run->output_rate * run->seconds / total - 1) > 0.1)
        build_warning(r->out, "line %ld: %.6g tok/s over %.4g s are not the %.0f tokens that were generated",
                      r->from->line, run->output_rate, run->seconds, total);
}

/* How many decode at once: tokens a second of all times the time of one, whatever was allowed. */
static void read_concurrency(result *r) {
    roof_model_run *run = &r->run;
    double together = run->output_rate * r->tpot.value;
    if (!(together > 0))
        return;
    together = fmax(together, 1);
    if (!(run->concurrency > 0)) {
        build_warning(r->out,
                      "line %ld: the requests at once are not said: %.3g decode at once on average (output rate x "
                      "time per token)",
                      r->from->line, together);
        run->concurrency = together;
    } else if (together < 0.5 * run->concurrency) {
        build_warning(r->out,
                      "line %ld: up to %.4g requests at once, of which %.3g decode at once on average (output rate "
                      "x time per token): that many are taken",
                      r->from->line, run->concurrency, together);
        run->concurrency = together;
    }
}

/* ---- words ---- */

static roof_dtype cache_of(const record *from) {
    const char *word = record_word(from, "kv_cache_dtype|kv_dtype");
    if (word && (strncmp(word, "fp8_e4m3", 8) == 0 || strncmp(word, "fp8_inc", 7) == 0))
        word = "fp8";
    return word ? roof_dtype_parse(word) : ROOF_DTYPE_NONE;
}

static void read_words(result *r) {
    roof_model_run *run = &r->run;
    const record *from = r->from;
    run->model = record_word(from, "model_id|model|model_name|served_model_name|model_path|tokenizer_id");
    run->engine = record_word(from, "framework|engine|backend|endpoint_type");
    run->device = record_word(from, "hw|hardware|device|gpu|gpu_name|accelerator");
    run->weights = record_word(from, "quantization|precision|dtype|quant");
    run->kv_cache = cache_of(from);
    run->line = from->line;
}

static void warn(result *r) {
    double failed = record_positive(r->from, "failed|failed_requests"),
           accepted = record_positive(r->from, "accept_length");
    const char *drafts = record_word(r->from, "spec_decoding|speculative_algorithm");
    if (failed > 0)
        build_warning(r->out, "line %ld: %.0f requests failed and are in none of the figures", r->from->line, failed);
    if (accepted > 1)
        build_warning(r->out,
                      "line %ld: speculative decoding yields %.3g tokens per step: the time of a token is not that of "
                      "a step",
                      r->from->line, accepted);
    else if (drafts && strcmp(drafts, "none") != 0)
        build_warning(r->out, "line %ld: speculative decoding (%.30s): the time of a token is not that of a step",
                      r->from->line, drafts);
}

/* ---- one result ---- */

bool serving_is_result(const record *from) {
    return record_find(from, "median_ttft_ms|mean_ttft_ms|median_ttft|mean_ttft|ttft_ms|median_tpot_ms|mean_tpot_ms|"
                             "median_tpot|mean_tpot|tpot_ms|output_throughput|output_token_throughput|out_toks|"
                             "total_token_throughput|tput_per_gpu|tokens_per_second|total_throughput|median_ttft_s|"
                             "median_tpot_s|median_itl_ms|mean_itl_ms|median_itl") >= 0;
}

/* SGLang's bench_one_batch: one batch, prefill and decode timed apart, in seconds. Its rates prove the unit. */
static bool read_one_batch(result *r) {
    roof_model_run *run = &r->run;
    double batch = record_positive(r->from, "batch_size"), input = record_positive(r->from, "input_len");
    double prefill = record_positive(r->from, "prefill_latency"), rate = record_positive(r->from, "prefill_throughput");
    double step = record_positive(r->from, "median_decode_latency"),
           decode = record_positive(r->from, "median_decode_throughput");
    if (!(batch > 0) || !(prefill > 0) || !(rate > 0))
        return false;
    run->concurrency = batch;
    run->prompt = input;
    run->generate = record_positive(r->from, "output_len");
    run->seconds = record_positive(r->from, "total_latency");
    run->prefill_rate = rate;
    if (step > 0 && decode > 0 && fabs(step * decode / batch - 1) < 0.1)
        run->tpot = step;
    if (fabs(prefill * rate / (batch * input) - 1) > 0.1)
        build_warning(r->out,
                      "line %ld: prefill_latency %g s x prefill_throughput %g are not the %.0f tokens of the batch",
                      r->from->line, prefill, rate, batch * input);
    return true;
}

int serving_take(profile_job *job, record *from) {
    result r = {.from = from, .out = job->out};
    roof_profile_info *info = build_info(job->out);
    read_words(&r);
    if (!read_one_batch(&r)) {
        read_tokens(&r);
        read_rates(&r);
        read_latencies(&r);
        read_concurrency(&r);
        r.run.ttft = r.ttft.value;
        r.run.tpot = r.tpot.value;
    }
    if (from->refused)
        return -1;
    bool any =
        r.run.ttft > 0 || r.run.tpot > 0 || r.run.output_rate > 0 || r.run.total_rate > 0 || r.run.prefill_rate > 0;
    if (!any) {
        info->dropped++;
        build_warning(job->out, "line %ld: no rate and no latency above zero (did any request complete?)", from->line);
        return 0;
    }
    warn(&r);
    info->rows++;
    if (!info->device && r.run.device)
        info->device = build_text(job->out, r.run.device);
    return build_run(job->out, &r.run);
}
