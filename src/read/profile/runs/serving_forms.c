/* Serving benchmarks as JSON (vLLM, SGLang, InferenceX: a file, a list or a line each), as the text they print, as CSV,
 * and the exports of genai-perf and aiperf. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "read/profile/figures.h"
#include "read/profile/objects.h"
#include "read/profile/runs/serving.h"

/* ---- genai-perf and aiperf: a figure is an object with its unit ---- */

static const struct metric {
    const char *json, *csv; /* NULL: no such row */
    const char *key;        /* as serving.c knows it */
    bool time;              /* its unit is one of time */
} metrics[] = {
    {"time_to_first_token", "time to first token", "ttft", true},
    {"inter_token_latency", "inter token latency", "tpot", true},
    {"request_latency", "request latency", "e2el", true},
    {"benchmark_duration", "benchmark duration", "duration", true},
    {"output_token_throughput", "output token throughput", "output_throughput", false},
    {"total_token_throughput", "total token throughput", "total_token_throughput", false},
    {"request_throughput", "request throughput", "request_throughput", false},
    {"output_sequence_length", "output sequence length", "mean_output_tokens", false},
    {"input_sequence_length", "input sequence length", "mean_input_tokens", false},
    {"request_count", "request count", "completed", false},
};
enum { METRICS = sizeof metrics / sizeof metrics[0] };

/* Medians of latencies, means of the rest; a time in seconds whatever its unit was. false: a unit that is not known. */
static bool put_metric(record *to, const struct metric *metric, double median, double mean, const char *unit) {
    static const char *const names[][2] = {
        {"median_ttft_s", "mean_ttft_s"}, {"median_tpot_s", "mean_tpot_s"}, {"median_e2el_s", "mean_e2el_s"}};
    double factor = metric->time ? unit_factor(unit ? unit : "?") : 1;
    bool latency = metric < metrics + 3, middle = latency && isfinite(median);
    double value = middle ? median : mean;
    if (!isfinite(value))
        return true;
    if (!(factor > 0) || (metric->time && !(unit && unit[0])))
        return false;
    record_figure(to, latency ? names[metric - metrics][!middle] : metric->key, value * factor);
    return true;
}

static const json_node *walk(const json_node *from, const char *path) {
    char key[64];
    while (from && *path) {
        size_t length = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, path);
        from = json_kind_of(from) == JSON_NODE_LIST ? json_at(from, 0) : json_get(from, key);
        path += length + (path[length] == '.');
    }
    return json_kind_of(from) == JSON_NODE_LIST ? json_at(from, 0) : from;
}

static void put_config(record *to, const json_node *root) {
    static const char *const models[] = {"input_config.model_names", "input_config.model", "input_config.models.0.name",
                                         "input_config.endpoint.model_names", "metadata.model"};
    static const char *const concurrencies[] = {"input_config.loadgen.concurrency", "input_config.concurrency",
                                                "input_config.perf_analyzer.stimulus.concurrency",
                                                "input_config.stimulus.concurrency"};
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        const char *name = json_text(walk(root, models[i]));
        if (name)
            record_text(to, "model", name);
    }
    for (size_t i = 0; i < sizeof concurrencies / sizeof concurrencies[0]; i++) {
        double count = json_number(walk(root, concurrencies[i]), 0);
        if (count > 0)
            record_figure(to, "max_concurrency", count);
    }
}

static const json_node *export_of(const json_node *root) {
    static const char *const inside[] = {"records", "llm_metrics"};
    for (size_t i = 0; i < 2; i++)
        if (json_kind_of(json_get(root, inside[i])) == JSON_NODE_OBJECT)
            return json_get(root, inside[i]);
    return root;
}

static void put_export(record *to, const json_node *root, builder *out) {
    const json_node *figures = export_of(root);
    for (size_t i = 0; i < METRICS; i++) {
        const json_node *figure = json_get(figures, metrics[i].json);
        if (json_kind_of(figure) != JSON_NODE_OBJECT)
            continue;
        const char *unit = json_text(json_get(figure, "unit"));
        if (!put_metric(to, &metrics[i], json_number(json_get(figure, "p50"), (double)NAN),
                        json_number(json_get(figure, "avg"), (double)NAN), unit))
            build_warning(out, "%s has %s%.20s%s: left out", metrics[i].json, unit ? "the unit '" : "no unit",
                          unit ? unit : "", unit ? "', which is none of time" : "");
    }
    put_config(to, root);
}

static bool is_export(const json_node *root) {
    return json_get(json_get(export_of(root), "time_to_first_token"), "unit") ||
           json_get(json_get(export_of(root), "request_latency"), "unit") ||
           json_get(json_get(export_of(root), "output_token_throughput"), "unit");
}

/* ---- JSON ---- */

typedef struct json_file {
    profile_job *job;
    double results, others;
    roof_error first;   /* why the first object that cannot be read cannot */
    const char *reason; /* why the first that is no result is none */
} json_file;

/* What a JSON object that belongs to a benchmark and is no result of one is. */
static const char *not_a_result(const json_node *root) {
    if (json_get(root, "engine_kwargs") || json_get(root, "engine_args"))
        return "these are the settings of a run (engine_kwargs) and no result: no rate and no latency";
    if (json_get(root, "metadata") && json_get(root, "metrics"))
        return "these are records of single requests: read the summary instead (profile_export_aiperf.json)";
    if (json_get(root, "avg_latency") && json_get(root, "latencies"))
        return "vllm bench latency says neither the batch nor the tokens of what it timed: use vllm bench serve";
    return "no rate (output_throughput) and no latency (median_ttft_ms, median_tpot_ms)";
}

static void put_server(record *to, const json_node *root) {
    const json_node *server = json_get(root, "server_info");
    if (json_kind_of(server) == JSON_NODE_OBJECT)
        record_json(to, server);
}

static int take_root(json_file *file, const json_node *root, long line) {
    record result;
    record_begin(&result, file->job, line);
    if (is_export(root))
        put_export(&result, root, file->job->out);
    else
        record_json(&result, root);
    put_server(&result, root);
    bool batch = record_find(&result, "prefill_latency") >= 0 && record_find(&result, "prefill_throughput") >= 0;
    if (!serving_is_result(&result) && !batch) {
        file->others++;
        if (!file->reason)
            file->reason = not_a_result(root);
        return 0;
    }
    file->results++;
    return serving_take(file->job, &result);
}

static int take_text(json_file *file, const char *text, size_t length, long line) {
    roof_error error = {0};
    json_node *root = json_read(text, length, &error);
    if (root) {
        int result = take_root(file, root, line);
        json_free(root);
        return result;
    }
    error.line = line + (error.line > 0 ? error.line - 1 : 0);
    if (error.code == ROOF_ENOMEM || error.code == ROOF_EUNSUPPORTED) {
        if (file->job->error)
            *file->job->error = error;
        return -1;
    }
    build_info(file->job->out)->dropped++;
    if (!file->first.what[0])
        file->first = error;
    return 0;
}

static int json_end(json_file *file, bool cut) {
    roof_profile_info *info = build_info(file->job->out);
    info->ended_early |= cut;
    if (file->results > 0) {
        info->dropped += file->others;
        if (file->others > 0)
            build_warning(file->job->out, "%.0f JSON objects are not results: %s", file->others, file->reason);
        return 0;
    }
    if (file->first.what[0]) {
        if (file->job->error)
            *file->job->error = file->first;
        return -1;
    }
    if (file->reason) {
        roof_fail(file->job->error, ROOF_EFORMAT, "%s", file->reason);
        return -1;
    }
    return cut ? roof_fail(file->job->error, ROOF_EFORMAT,
                           "the file ends inside its only JSON object: the result was not "
                           "written to the end")
               : 0;
}

static int read_json(profile_job *job) {
    json_file file = {.job = job};
    objects *from = objects_of(job->in, job->error);
    int result = from ? 0 : -1;
    const char *text;
    size_t length;
    bool failed = false;
    while (result == 0 && (text = objects_next(from, &length, &failed)) != NULL)
        result = take_text(&file, text, length, objects_line(from));
    if (result == 0 && !failed)
        result = json_end(&file, objects_cut(from));
    else
        result = -1;
    objects_free(from);
    return result;
}

static bool has_any(const char *head, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strstr(head, words[i]))
            return true;
    return false;
}

static int recognise_json(const char *head, size_t length) {
    static const char *const sure[] = {"\"median_ttft",    "\"mean_ttft",           "\"median_tpot",
                                       "\"mean_tpot",      "\"output_throughput\"", "\"total_token_throughput\"",
                                       "\"tput_per_gpu\"", "\"median_itl",          "\"prefill_throughput\""};
    static const char *const exports[] = {"\"time_to_first_token\"", "\"inter_token_latency\"",
                                          "\"output_token_throughput\""};
    static const char *const others[] = {"\"engine_kwargs\"", "\"requests_per_second\"", "\"avg_latency\"",
                                         "\"request_throughput\""};
    (void)length;
    if (!strchr(head, '{'))
        return 0;
    if (has_any(head, sure, sizeof sure / sizeof sure[0]))
        return 60;
    if (has_any(head, exports, sizeof exports / sizeof exports[0]) && strstr(head, "\"unit\""))
        return 60;
    return has_any(head, others, sizeof others / sizeof others[0]) ? 30 : 0;
}

/* ---- the text that benchmarks print ---- */

static const struct label {
    const char *text, *key;
} labels[] = {
    {"Backend:", "backend"},
    {"Successful requests:", "completed"},
    {"Failed requests:", "failed"},
    {"Maximum request concurrency:", "max_concurrency"},
    {"Max request concurrency:", "max_concurrency"},
    {"Benchmark duration (s):", "duration"},
    {"Total input tokens:", "total_input_tokens"},
    {"Total generated tokens:", "total_output_tokens"},
    {"Request throughput (req/s):", "request_throughput"},
    {"Output token throughput (tok/s):", "output_throughput"},
    {"Total token throughput (tok/s):", "total_token_throughput"},
    {"Accept length:", "accept_length"},
    {"Mean TTFT (ms):", "mean_ttft_ms"},
    {"Median TTFT (ms):", "median_ttft_ms"},
    {"Mean TPOT (ms):", "mean_tpot_ms"},
    {"Median TPOT (ms):", "median_tpot_ms"},
    {"Mean ITL (ms):", "mean_itl_ms"},
    {"Median ITL (ms):", "median_itl_ms"},
    {"Mean E2E Latency (ms):", "mean_e2e_latency_ms"},
    {"Median E2E Latency (ms):", "median_e2e_latency_ms"},
    {"Mean E2EL (ms):", "mean_e2el_ms"},
    {"Median E2EL (ms):", "median_e2el_ms"},
};

#define TITLE "Serving Benchmark Result"

typedef struct printed {
    profile_job *job;
    record result;
    char words[64][64]; /* values of the result at hand */
    double concurrency; /* said before the result */
    bool open;
} printed;

static bool begins_with(const char *text, const char *start) {
    for (; *start; text++, start++)
        if (tolower((unsigned char)*text) != tolower((unsigned char)*start))
            return false;
    return true;
}

/* A value that the line end cuts may lack digits, so a last line without its end is not used. */
static void take_label(printed *p, const char *line, bool whole) {
    record *to = &p->result;
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        const char *value = line + strlen(labels[i].text);
        if (!begins_with(line, labels[i].text))
            continue;
        value += strspn(value, " \t");
        bool before = strcmp(labels[i].key, "max_concurrency") == 0;
        if (before && whole)
            p->concurrency = record_parse(to, labels[i].key, value);
        if (!p->open || !whole || before || to->count >= 64)
            return;
        char *word = p->words[to->count];
        snprintf(word, sizeof p->words[0], "%.60s", value);
        for (size_t length = strlen(word); length > 0 && isspace((unsigned char)word[length - 1]); length--)
            word[length - 1] = '\0';
        record_text(to, labels[i].key, word);
        return;
    }
}

static int close_result(printed *p) {
    int result = 0;
    if (!p->open)
        return 0;
    if (p->concurrency > 0)
        record_figure(&p->result, "max_concurrency", p->concurrency);
    if (serving_is_result(&p->result))
        result = serving_take(p->job, &p->result);
    else
        build_info(p->job->out)->dropped++;
    p->open = false;
    p->concurrency = 0; /* each result says its own */
    return result;
}

/* The text ends inside a result: a mean stands before its median, and would be taken for it. */
static int close_cut(printed *p) {
    build_info(p->job->out)->ended_early = true;
    for (size_t i = 0; i < p->result.count; i++)
        if (strncmp(p->result.fields[i].key, "mean_", 5) == 0)
            p->result.fields[i].key = "";
    return close_result(p);
}

static int text_line(printed *p, const char *line, long number, bool whole) {
    line += strspn(line, " \t#");
    if (strstr(line, TITLE)) {
        int result = close_result(p);
        record_begin(&p->result, p->job, number);
        p->open = true;
        return result;
    }
    if (p->open && strncmp(line, "=====", 5) == 0)
        return close_result(p);
    if (*line == '=' && !whole) /* the begin of another title */
        build_info(p->job->out)->ended_early = true;
    take_label(p, line, whole);
    return 0;
}

static int read_text(profile_job *job) {
    printed p = {.job = job};
    lines *from = lines_of(job->in, job->error);
    size_t length;
    char *line;
    int result = from ? 0 : -1;
    record_begin(&p.result, job, 0);
    while (result == 0 && (line = lines_next(from, &length)) != NULL)
        result = text_line(&p, line, lines_number(from), lines_complete(from));
    if (result == 0 && p.open)
        result = close_cut(&p);
    lines_free(from);
    return result;
}

static int recognise_text(const char *head, size_t length) {
    (void)length;
    return strstr(head, TITLE) ? 70 : 0;
}

/* ---- CSV: a result a row ---- */

enum { SETS = 16 };

/* "tp2_" of "tp2_tpot_ms": columns of a run on that many devices. */
static int prefix_of(const char *name, double *devices) {
    int used = 0;
    unsigned count;
    if (sscanf(name, "tp%3u_%n", &count, &used) != 1 || used == 0)
        return 0;
    *devices = count;
    return used;
}

static int take_set(profile_job *job, const csv_row *header, const csv_row *row, double set) {
    record result;
    double devices;
    record_begin(&result, job, row->line);
    for (size_t i = 0; i < header->count; i++) {
        int used = prefix_of(header->fields[i], &devices);
        if (used == 0 || devices == set)
            record_text(&result, header->fields[i] + used, row->fields[i]);
    }
    if (set > 0)
        record_figure(&result, "tensor_parallel_size", set);
    return serving_is_result(&result) ? serving_take(job, &result) : 0;
}

static size_t sets_of(const csv_row *header, double sets[SETS]) {
    size_t count = 0;
    double devices;
    for (size_t i = 0; i < header->count && count < SETS; i++) {
        bool known = prefix_of(header->fields[i], &devices) == 0 || !(devices > 0);
        for (size_t k = 0; k < count; k++)
            known |= sets[k] == devices;
        if (!known)
            sets[count++] = devices;
    }
    return count;
}

static int take_row(profile_job *job, const csv_row *header, csv_row *row, bool last) {
    double sets[SETS];
    size_t count = sets_of(header, sets);
    if (row->count == 1 && row->fields[0][0] == '\0')
        return 0;
    if (row->count != header->count || row->cut) {
        build_info(job->out)->dropped++;
        build_info(job->out)->ended_early |= last;
        return 0;
    }
    if (last && !row->quoted[row->count - 1])
        build_warning(job->out, "line %ld, the last, has no end: its last figure may be cut", row->line);
    for (size_t i = 0; i < count; i++)
        if (take_set(job, header, row, sets[i]))
            return -1;
    return count == 0 ? take_set(job, header, row, 0) : 0;
}

/* genai-perf: "Time To First Token (ms)" and its statistics. */
static int take_metric(record *to, const csv_row *header, csv_row *row, builder *out) {
    char *name = row->fields[0], *bracket = strrchr(name, '('), unit[32] = "";
    int median = csv_column(header, "p50"), mean = csv_column(header, "avg|value");
    if (bracket) {
        snprintf(unit, sizeof unit, "%.*s", (int)strcspn(bracket + 1, ")"), bracket + 1);
        *bracket = '\0';
        for (size_t length = strlen(name); length > 0 && name[length - 1] == ' '; length--)
            name[length - 1] = '\0';
    }
    for (size_t i = 0; i < METRICS; i++) {
        if (!begins_with(name, metrics[i].csv) || name[strlen(metrics[i].csv)] != '\0')
            continue;
        double values[2] = {(double)NAN, (double)NAN};
        int columns[2] = {median, mean};
        for (int k = 0; k < 2; k++)
            if (columns[k] > 0 && (size_t)columns[k] < row->count)
                values[k] = record_parse(to, name, row->fields[columns[k]]);
        if (!put_metric(to, &metrics[i], values[0], values[1], unit))
            build_warning(out, "%.60s has no unit of time in brackets: left out", name);
    }
    return to->refused ? -1 : 0;
}

static int read_export_csv(profile_job *job, lines *from) {
    csv_row header = {.count = 0}, row;
    record result;
    record_begin(&result, job, 1);
    while (csv_next(from, ',', &row)) {
        bool last = !lines_complete(from);
        if (csv_column(&row, "metric") == 0) {
            if (record_header(job->out, &row, &header))
                return roof_fail(job->error, ROOF_ENOMEM, "out of memory while reading measurements");
        } else if (header.count > 0 && row.count >= 2 && row.count <= header.count && !row.cut && !last) {
            result.line = row.line;
            if (take_metric(&result, &header, &row, job->out))
                return -1;
        } else if (row.count > 1 || last) {
            build_info(job->out)->dropped++;
            build_info(job->out)->ended_early |= last;
        }
    }
    result.line = 1;
    return serving_is_result(&result) || record_find(&result, "mean_ttft_s|mean_tpot_s|median_e2el_s") >= 0
               ? serving_take(job, &result)
               : 0;
}

static const char *const result_columns[] = {
    "tpot_ms|median_tpot_ms|mean_tpot_ms|ttft_ms|median_ttft_ms|mean_ttft_ms|median_tpot|mean_tpot|output_throughput|"
    "output_token_throughput|tp1_tpot_ms|tp2_tpot_ms|tp4_tpot_ms|tp8_tpot_ms"};
static const char *const export_columns[] = {"metric", "avg|value"};

static int read_result_csv(profile_job *job, lines *from) {
    csv_row header = {.count = 0}, row;
    int result = 0;
    while (result == 0 && csv_next(from, ',', &row)) {
        if (csv_column(&row, result_columns[0]) >= 0) {
            if (record_header(job->out, &row, &header))
                return roof_fail(job->error, ROOF_ENOMEM, "out of memory while reading measurements");
        } else if (header.count > 0) {
            result = take_row(job, &header, &row, !lines_complete(from));
        }
    }
    return result;
}

static int read_csv(profile_job *job) {
    lines *from = lines_of(job->in, job->error);
    int result = from ? read_result_csv(job, from) : -1;
    lines_free(from);
    return result;
}

static int read_genai_csv(profile_job *job) {
    lines *from = lines_of(job->in, job->error);
    int result = from ? read_export_csv(job, from) : -1;
    lines_free(from);
    return result;
}

static int recognise_csv(const char *head, size_t length) {
    (void)length;
    return record_header_line(head, ',', result_columns, 1) >= 0 ? 50 : 0;
}

static int recognise_genai_csv(const char *head, size_t length) {
    (void)length;
    return record_header_line(head, ',', export_columns, 2) >= 0 &&
                   (strstr(head, "Token") || strstr(head, "Request Latency"))
               ? 70
               : 0;
}

/* ---- readers ---- */

#define GIVES "runs of a model: TTFT, TPOT, rates, tokens and requests at once"

const profile_reader reader_serving_json = {
    .format = {"serving-json", "JSON of a serving benchmark (vLLM, SGLang, InferenceX, genai-perf, aiperf)",
               "vllm bench serve ... --save-result; python -m sglang.bench_serving ... --output-file out.jsonl", GIVES},
    .recognise = recognise_json,
    .read = read_json,
};
const profile_reader reader_serving_text = {
    .format = {"serving-text", "what a serving benchmark prints", "vllm bench serve ... | tee bench.txt", GIVES},
    .recognise = recognise_text,
    .read = read_text,
};
const profile_reader reader_serving_csv = {
    .format = {"serving-csv", "CSV of serving results, one per row",
               "columns as vLLM's JSON names them: model,max_concurrency,median_tpot_ms,output_throughput", GIVES},
    .recognise = recognise_csv,
    .read = read_csv,
};
const profile_reader reader_genai_csv = {
    .format = {"genai-perf-csv", "CSV export of genai-perf or aiperf",
               "genai-perf profile ... (profile_export_genai_perf.csv)", GIVES "; untried: written from documentation"},
    .recognise = recognise_genai_csv,
    .read = read_genai_csv,
};
