/* What one row of llama-bench says, which rows belong together, and what its settings mean for a roof. */
#include "read/profile/runs/llama_bench.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { PAIR_WINDOW = 1024 };

struct llama_row {
    roof_model_run run;
    uint64_t settings;
    bool paired;
};

/* ---- the test's name ---- */

static const char *take_count(const char *at, const char *word, double *count) {
    size_t length = strlen(word);
    if (strncmp(at, word, length) != 0)
        return NULL;
    at += length + strspn(at + length, " ");
    if (!isdigit((unsigned char)*at))
        return NULL;
    char *end;
    *count += (double)strtoull(at, &end, 10);
    return end;
}

bool llama_test(const char *text, double *prompt, double *generate, double *depth) {
    *prompt = *generate = *depth = 0;
    bool behind = false; /* behind '@': tokens that are in the cache already */
    for (const char *at = text + strspn(text, " "); *at;) {
        const char *next = take_count(at, "pp", behind ? depth : prompt);
        next = next ? next : take_count(at, "tg", generate);
        next = next || !behind ? next : take_count(at, "d", depth);
        if (!next)
            return false;
        at = next + strspn(next, " ");
        behind |= *at == '@';
        if (*at == '@' || *at == '+')
            at += 1 + strspn(at + 1, " ");
        else if (*at)
            return false;
    }
    return *prompt + *generate > 0;
}

/* ---- words ---- */

/* "Q4_K", "IQ2_XS", "TQ1_0", "BF16", "MXFP4": how the weights are stored. */
static bool is_storage(const char *word, size_t length) {
    static const char *const names[] = {"F16", "BF16", "F32", "F64", "MXFP4", "NVFP4"};
    const char *q = *word == 'I' || *word == 'T' ? word + 1 : word;
    if (*q == 'Q' && isdigit((unsigned char)q[1]))
        return true;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strlen(names[i]) == length && strncmp(word, names[i], length) == 0)
            return true;
    return false;
}

/* The end of "qwen3 4B Q4_K - Medium" that tells it; NULL. */
static const char *storage_of(const char *type) {
    for (const char *at = type; at && *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        if (is_storage(at, length))
            return at;
        at += length;
    }
    return NULL;
}

/* Before 2024 a row told its backend by one flag each, in this order of precedence. */
static const char *old_backend(record *row) {
    static const struct {
        const char *flag, *name;
    } flags[] = {{"cuda", "CUDA"},   {"vulkan", "Vulkan"}, {"kompute", "Kompute"},   {"opencl", "OpenCL"},
                 {"metal", "Metal"}, {"sycl", "SYCL"},     {"gpu_blas", "GPU BLAS"}, {"blas", "BLAS"}};
    bool any = false;
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        double set = record_number(row, flags[i].flag);
        if (set > 0)
            return flags[i].name;
        any |= set == 0;
    }
    return any ? "CPU" : NULL;
}

static const char *device_of(const llama_file *file, record *row) {
    const char *gpu = record_word(row, "gpu_info"), *cpu = record_word(row, "cpu_info");
    if (!gpu && file->device[0])
        gpu = file->device;
    return gpu && record_number(row, "n_gpu_layers|ngl") != 0 ? gpu : cpu ? cpu : gpu;
}

/* ggml's types of the cache; NONE: not stated, or one that no dtype here stands for. */
static roof_dtype cache_dtype(const char *type) {
    static const struct {
        const char *name;
        roof_dtype dtype;
    } types[] = {{"f32", ROOF_F32},   {"f16", ROOF_F16},   {"bf16", ROOF_BF16},  {"q8_0", ROOF_INT8},
                 {"q4_0", ROOF_INT4}, {"q4_1", ROOF_INT4}, {"iq4_nl", ROOF_INT4}};
    for (size_t i = 0; type && i < sizeof types / sizeof types[0]; i++)
        if (strcasecmp(type, types[i].name) == 0)
            return types[i].dtype;
    return ROOF_DTYPE_NONE;
}

/* A table leaves out a column whose value is the default, and that of the cache has always been f16. */
static roof_dtype unnamed_cache(record *row) {
    double half = record_number(row, "f16_kv");
    return half == 0 ? ROOF_F32 : half == 1 || record_find(row, "test") >= 0 ? ROOF_F16 : ROOF_DTYPE_NONE;
}

static roof_dtype cache_of(const llama_file *file, record *row) {
    const char *k = record_word(row, "type_k"), *v = record_word(row, "type_v");
    if (!k && !v)
        return unnamed_cache(row);
    k = k ? k : "f16";
    v = v ? v : "f16";
    roof_dtype keys = cache_dtype(k), values = cache_dtype(v);
    if (keys == values && keys != ROOF_DTYPE_NONE)
        return keys;
    if (keys == ROOF_DTYPE_NONE || values == ROOF_DTYPE_NONE) {
        build_warning(file->job->out,
                      "a KV cache of %.20s and %.20s: no dtype here stands for it, so its bytes are those "
                      "of the model's own dtype where a bound needs them",
                      k, v);
        return ROOF_DTYPE_NONE;
    }
    build_warning(file->job->out, "keys are %.20s and values %.20s: both are taken as the narrower", k, v);
    return roof_dtype_bits(keys) < roof_dtype_bits(values) ? keys : values;
}

/* ---- settings that move a run away from the roofs of one device ---- */

static double devices_of(const llama_file *file, record *row) {
    const char *split = record_word(row, "tensor_split|ts"), *info = record_word(row, "gpu_info");
    double count = file->devices > 1 ? file->devices : 1, named = 1, parts = 1;
    for (const char *at = info; at && (at = strstr(at, ", ")) != NULL; at += 2)
        named++;
    for (const char *at = split; at && (at = strchr(at, '/')) != NULL; at++)
        parts++;
    return parts > 1 ? parts : named > count ? named : count;
}

/* Devices that work side by side: only rows of each matrix are split that way; layers are run one device after another.
 */
static double tensor_of(llama_file *file, record *row) {
    const char *mode = record_word(row, "split_mode|sm"), *backends = record_word(row, "backends|backend");
    double devices = devices_of(file, row);
    bool remote = backends && strstr(backends, "RPC"),
         side_by_side = mode && strcasecmp(mode, "layer") != 0 && strcasecmp(mode, "none") != 0;
    if (devices > 1 && side_by_side)
        return devices;
    if (devices > 1 && !(mode && strcasecmp(mode, "none") == 0))
        build_warning(
            file->job->out,
            "%.0f devices hold the layers and work one after another (split mode layer): the bound is that of "
            "one device",
            devices);
    if (remote)
        build_warning(file->job->out,
                      "backend %.40s: layers run on other machines too, one after another, and cross a "
                      "network between; the bound is that of one device",
                      backends);
    return 1;
}

static void say_settings(const llama_file *file, record *row) {
    builder *out = file->job->out;
    double layers = record_number(row, "n_gpu_layers|ngl"), experts = record_number(row, "n_cpu_moe|ncmoe");
    const char *overrides = record_word(row, "tensor_buft_overrides|ot");
    bool gpu = record_word(row, "gpu_info") || file->device[0];
    if (layers >= 0 && layers < 99 && gpu)
        build_warning(out,
                      "n_gpu_layers is %.0f: layers beyond that stay on the CPU, and no single machine's roofs "
                      "bound such a run",
                      layers);
    if (experts > 0)
        build_warning(out,
                      "n_cpu_moe is %.0f: experts of those layers stay on the CPU, and no single machine's roofs "
                      "bound such a run",
                      experts);
    if (overrides && strcasecmp(overrides, "none") != 0)
        build_warning(out, "tensors were placed by hand (%.60s): no single machine's roofs may bound such a run",
                      overrides);
    if (record_number(row, "no_kv_offload|nkvo") == 1)
        build_warning(out, "no_kv_offload: the KV cache is in host memory");
}

/* ---- one row ---- */

static uint64_t mix(uint64_t hash, const void *bytes, size_t length) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ at[i]) * 0x100000001B3u;
    return hash;
}

/* Everything but the test and its figures. */
static uint64_t settings_of(const record *row) {
    static const char varying[] = "|n_prompt|n_gen|test|t/s|test_time|avg_ns|stddev_ns|avg_ts|stddev_ts|";
    uint64_t hash = 0xCBF29CE484222325u;
    char name[64];
    for (size_t i = 0; i < row->count; i++) {
        const struct record_field *field = &row->fields[i];
        snprintf(name, sizeof name, "|%.48s|", field->key);
        if (strstr(varying, name))
            continue;
        hash = mix(hash, field->key, strlen(field->key) + 1);
        hash = field->text ? mix(hash, field->text, strlen(field->text) + 1)
                           : mix(hash, &field->number, sizeof field->number);
    }
    return hash;
}

/* A rate must be the tokens over the time, or one of the figures is not what its column says. The mean of rates and the
 * mean of times differ where repetitions do; not by a factor of two. */
static double rate_of(llama_file *file, record *row, double tokens, double *seconds) {
    double rate = record_positive(row, "avg_ts"), time = record_positive(row, "avg_ns") * 1e-9;
    *seconds = time;
    if (!(rate > 0) || !(time > 0))
        return time > 0 ? tokens / time : rate;
    double ratio = rate * time / tokens;
    if (fabs(ratio - 1) > 0.25)
        build_warning(file->job->out,
                      "line %ld: avg_ts %.6g tok/s over avg_ns (%.4g s) is %.4g tokens, not the %.0f of "
                      "the test",
                      row->line, rate, time, rate * time, tokens);
    return ratio > 0.5 && ratio < 2 ? rate : 0;
}

static void fill_sizes(record *row, roof_model_run *run) {
    run->model = record_word(row, "model_type|model");
    run->weights = storage_of(run->model);
    run->model_bytes = record_positive(row, "model_size");
    run->parameters = record_positive(row, "model_n_params");
    if (!run->model)
        run->model = record_word(row, "model_filename");
}

static void fill_rates(record *row, double rate, double seconds, roof_model_run *run) {
    double deviation = record_positive(row, "stddev_ts");
    run->seconds = seconds;
    run->spread = deviation / rate;
    if (run->prompt > 0 && run->generate > 0)
        run->total_rate = rate;
    else
        *(run->prompt > 0 ? &run->prefill_rate : &run->decode_rate) = rate;
}

int llama_drop(llama_file *file, long line, const char *why) {
    build_info(file->job->out)->dropped++;
    build_warning(file->job->out, "line %ld: %s; the row is left out", line, why);
    if (!file->lost[0])
        snprintf(file->lost, sizeof file->lost, "line %ld: %.120s", line, why);
    return 0;
}

static int keep_row(llama_file *file, const roof_model_run *run, uint64_t settings) {
    if (file->count == file->room) {
        size_t room = file->room ? file->room * 2 : 16;
        llama_row *larger = realloc(file->rows, room * sizeof *larger);
        if (!larger)
            return roof_fail(file->job->error, ROOF_ENOMEM, "out of memory while reading measurements");
        file->rows = larger;
        file->room = room;
    }
    llama_row *row = &file->rows[file->count++];
    *row = (llama_row){.run = *run, .settings = settings};
    const char **const words[] = {&row->run.model, &row->run.engine, &row->run.device, &row->run.weights};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *text = *words[i];
        *words[i] = build_text(file->job->out, text);
        if (text && !*words[i])
            return roof_fail(file->job->error, ROOF_ENOMEM, "out of memory while reading measurements");
    }
    return 0;
}

int llama_take(llama_file *file, record *row) {
    roof_profile_info *info = build_info(file->job->out);
    roof_model_run run = {.concurrency = 1,
                          .line = row->line,
                          .prompt = record_positive(row, "n_prompt"),
                          .generate = record_positive(row, "n_gen"),
                          .depth = record_positive(row, "n_depth")};
    double seconds, tokens = run.prompt + run.generate, rate = tokens > 0 ? rate_of(file, row, tokens, &seconds) : 0;
    if (row->refused)
        return -1;
    if (!(tokens > 0))
        return llama_drop(file, row->line, "neither n_prompt nor n_gen says how many tokens were run");
    if (!(rate > 0))
        return llama_drop(file, row->line, "it has no rate (avg_ts) that can be");
    fill_sizes(row, &run);
    fill_rates(row, rate, seconds, &run);
    run.engine = record_word(row, "backends|backend");
    if (!run.engine)
        run.engine = old_backend(row);
    run.device = device_of(file, row);
    run.kv_cache = cache_of(file, row);
    run.tensor = tensor_of(file, row);
    say_settings(file, row);
    record_clean(&run);
    if (row->refused)
        return -1;
    if (!info->device && run.device)
        info->device = build_text(file->job->out, run.device);
    info->rows++;
    return keep_row(file, &run, settings_of(row));
}

/* ---- rows that belong together ---- */

static bool is_prefill(const llama_row *row) {
    return row->run.prefill_rate > 0 && !(row->run.decode_rate > 0);
}

static bool fits(const llama_row *prefill, const llama_row *decode) {
    return !prefill->paired && is_prefill(prefill) && prefill->settings == decode->settings &&
           prefill->run.depth == decode->run.depth;
}

/* The prefill row nearest before the decode row, else behind it. */
static llama_row *partner(llama_file *file, size_t decode) {
    const llama_row *row = &file->rows[decode];
    for (size_t back = 1; back <= decode && back <= PAIR_WINDOW; back++)
        if (fits(row - back, row))
            return &file->rows[decode - back];
    for (size_t i = decode + 1; i < file->count && i - decode <= PAIR_WINDOW; i++)
        if (fits(&file->rows[i], row))
            return &file->rows[i];
    return NULL;
}

/* The decode row is told with the prefill row, which stays where it is. */
static void pair(llama_file *file) {
    for (size_t i = 0; i < file->count; i++) {
        llama_row *row = &file->rows[i];
        llama_row *first = row->run.decode_rate > 0 && !row->paired ? partner(file, i) : NULL;
        if (!first)
            continue;
        first->run.generate = row->run.generate;
        first->run.decode_rate = row->run.decode_rate;
        first->run.seconds = first->run.seconds > 0 && row->run.seconds > 0 ? first->run.seconds + row->run.seconds : 0;
        first->run.spread = fmax(first->run.spread, row->run.spread);
        first->run.apart = true;
        first->paired = true;
        row->run.decode_rate = 0; /* told */
    }
}

static bool is_told(const llama_row *row) {
    return !(row->run.prefill_rate > 0) && !(row->run.decode_rate > 0) && !(row->run.total_rate > 0);
}

static int hand_over(llama_file *file) {
    if (file->count == 0 && file->trouble[0]) {
        roof_fail(file->job->error, ROOF_EFORMAT, "llama-bench has no result here; it says: %.200s", file->trouble);
        return -1;
    }
    if (file->count == 0 && file->lost[0])
        return roof_fail(file->job->error, ROOF_EFORMAT, "no row can be used: %s", file->lost);
    pair(file);
    for (size_t i = 0; i < file->count; i++)
        if (!is_told(&file->rows[i]) && build_run(file->job->out, &file->rows[i].run))
            return -1;
    return 0;
}

int llama_finish(llama_file *file, int result) {
    if (result == 0)
        result = hand_over(file);
    free(file->rows);
    file->rows = NULL;
    return result;
}

/* ---- a header with a column less than its rows ---- */

static bool is_time(const char *text) { /* 2023-09-23T12:09:01Z */
    static const char shape[] = "dddd-dd-ddTdd:dd:dd";
    for (size_t i = 0; shape[i]; i++)
        if (shape[i] == 'd' ? !isdigit((unsigned char)text[i]) : text[i] != shape[i])
            return false;
    return true;
}

bool llama_aligned(const record *row) {
    const char *time = record_word(row, "test_time");
    return !time || is_time(time);
}

/* The official README's CSV of 2023 names 26 columns over rows of 27. Counted from the end, its figures prove
 * themselves: a time is a time, and rate x time is the tokens. What lies before the words of the CPU is not used. */
int llama_shifted(const csv_row *header, const csv_row *row, const profile_job *job) {
    if (row->count != header->count + 1 || row->cut)
        return -1;
    record shifted;
    record_begin(&shifted, job, row->line);
    for (size_t i = 0; i < header->count; i++)
        record_text(&shifted, header->fields[i], row->fields[i + 1]);
    const char *time = record_word(&shifted, "test_time");
    double tokens = record_number(&shifted, "n_prompt") + record_number(&shifted, "n_gen");
    double run = record_number(&shifted, "avg_ts") * record_number(&shifted, "avg_ns") * 1e-9;
    double bytes = record_number(&shifted, "model_size") / record_number(&shifted, "model_n_params");
    bool proven =
        time && llama_aligned(&shifted) && tokens > 0 && fabs(run / tokens - 1) < 0.05 && bytes > 0.1 && bytes < 8.1;
    return proven ? csv_column(header, "cpu_info|model_filename|model_type") : -1;
}
