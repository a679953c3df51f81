/* GGUF: headers written by gguf_writer.h, read as models; and the must-fail files of bad_gguf/. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "alloc/alloc.h"
#include "gguf_writer.h"
#include "read/config/configs.h"
#include "read/gguf/gguf.h"
#include "roofline_read.h"

enum { F32 = 0, F16 = 1, Q8_0 = 8, Q4_K = 12, Q6_K = 14, BF16 = 30 };

static gguf_writer writer;

static gguf_writer *begin(const char *arch) {
    memset(&writer, 0, sizeof writer);
    writer.version = 3;
    put_text(&writer, "general.architecture", arch);
    return &writer;
}

/* Bytes of `n` elements: from blocks of the five types used here. */
static uint64_t size_of(unsigned type, uint64_t n) {
    switch (type) {
    case F16:
    case BF16:
        return 2 * n;
    case Q8_0:
        return n / 32 * 34;
    case Q4_K:
        return n / 256 * 144;
    case Q6_K:
        return n / 256 * 210;
    default:
        return 4 * n;
    }
}

static void matrix(gguf_writer *w, const char *name, unsigned type, uint64_t inputs, uint64_t outputs) {
    uint64_t shape[2] = {inputs, outputs};
    put_tensor(w, name, type, 2, shape, size_of(type, inputs * outputs));
}

static void vector(gguf_writer *w, const char *name, uint64_t n) {
    put_tensor(w, name, F32, 1, &n, 4 * n);
}

static void in_layer(gguf_writer *w, unsigned layer, const char *name, unsigned type, uint64_t inputs,
                     uint64_t outputs) {
    char full[64];
    snprintf(full, sizeof full, "blk.%u.%s.weight", layer, name);
    if (outputs > 0)
        matrix(w, full, type, inputs, outputs);
    else
        vector(w, full, inputs);
}

static void llama_layer(gguf_writer *w, unsigned layer, unsigned type, unsigned down, uint64_t hidden, uint64_t kv,
                        uint64_t ffn) {
    in_layer(w, layer, "attn_q", type, hidden, hidden);
    in_layer(w, layer, "attn_k", type, hidden, kv);
    in_layer(w, layer, "attn_v", down, hidden, kv);
    in_layer(w, layer, "attn_output", type, hidden, hidden);
    in_layer(w, layer, "ffn_gate", type, hidden, ffn);
    in_layer(w, layer, "ffn_up", type, hidden, ffn);
    in_layer(w, layer, "ffn_down", down, ffn, hidden);
    in_layer(w, layer, "attn_norm", F32, hidden, 0);
    in_layer(w, layer, "ffn_norm", F32, hidden, 0);
}

static void llama_keys(gguf_writer *w, uint64_t layers, uint64_t hidden, uint64_t ffn, uint64_t heads,
                       uint64_t kv_heads) {
    put_u32(w, "llama.block_count", layers);
    put_u32(w, "llama.embedding_length", hidden);
    put_u32(w, "llama.feed_forward_length", ffn);
    put_u32(w, "llama.attention.head_count", heads);
    put_u32(w, "llama.attention.head_count_kv", kv_heads);
}

static roof_model_file *read_bytes(const unsigned char *bytes, size_t length, roof_error *error) {
    static source s;
    source_memory(&s, bytes, length);
    return gguf_read_model(&s, NULL, error);
}

/* The header alone, as a model. */
static roof_model_file *read_header(gguf_writer *w) {
    roof_error error = {0};
    size_t length;
    const unsigned char *bytes = gguf_bytes(w, false, &length);
    roof_model_file *file = read_bytes(bytes, length, &error);
    if (!file)
        fail_msg("refused: %s", error.what);
    return file;
}

static double kv_at(const roof_model_file *file, double context) {
    roof_plan plan = {.kv_cache = ROOF_F16};
    roof_plan_complete(roof_model_file_model(file), &plan);
    return roof_model_kv_bytes(roof_model_file_model(file), &plan, context);
}

/* github.com/gpustack/gguf-parser-go issue 31: the first layer has no KV heads. */
static void kv_heads_by_layer(void **state) {
    (void)state;
    static const uint32_t kv[] = {0, 0, 8, 0, 0, 8, 0, 0, 8, 0, 8, 0, 8, 0, 8, 0};
    gguf_writer *w = begin("lfm2");
    put_u32(w, "lfm2.block_count", 16);
    put_u32(w, "lfm2.embedding_length", 2048);
    put_u32(w, "lfm2.context_length", 128000);
    put_u32(w, "lfm2.attention.head_count", 32);
    put_u32_list(w, "lfm2.attention.head_count_kv", kv, 16);
    roof_model_file *file = read_header(w);
    assert_exact(kv_at(file, 4096), 50331648.0);
    assert_exact(kv_at(file, 32768), 402653184.0);
    assert_true(has_warning(file, "no tensors"));
    assert_true(parameters_of(file).bytes_unknown);
    roof_model_file_free(file);
}

/* Weights that one decode step reads: every matrix and norm, and one row of the embedding table, apart. */
static double decode_weight_bytes(const roof_model *model, double *row) {
    roof_operation operations[64];
    roof_plan plan = {0};
    double bytes = 0;
    roof_plan_complete(model, &plan);
    size_t n = roof_model_operations(model, &plan, ROOF_PHASE_DECODE, operations, 64);
    assert_true(n <= 64);
    for (size_t i = 0; i < n; i++) {
        bytes += operations[i].weight_bytes * operations[i].count;
        if (strcmp(operations[i].name, "embedding") == 0)
            *row = operations[i].bytes[ROOF_DRAM] - 2 * model->hidden; /* it is written in 16 bits */
    }
    return bytes;
}

/* Q4_K_M: bytes come from the tensors' types. Sums of the table follow from 144, 210 and 34 bytes a block. */
static void effective_bits(void **state) {
    (void)state;
    gguf_writer *w = begin("llama");
    llama_keys(w, 1, 2048, 5632, 32, 8);
    matrix(w, "token_embd.weight", Q6_K, 2048, 32000);
    llama_layer(w, 0, Q4_K, Q6_K, 2048, 512, 5632);
    vector(w, "output_norm.weight", 2048);
    matrix(w, "output.weight", Q8_0, 2048, 32000);
    roof_model_file *file = read_header(w);
    const roof_model *model = roof_model_file_model(file);
    roof_parameters p = parameters_of(file);
    assert_exact(p.total, 176166912.0);
    assert_near(p.bytes, 152023040.0, 1e-15);
    assert_near(8 * p.bytes / p.total, 6.903591067089829, 1e-15);
    double row = 0;
    assert_near(decode_weight_bytes(model, &row), 98263040.0, 1e-15);
    assert_exact(row, 1680.0);
    assert_string_equal(model->layers[0].format[ROOF_ROLE_QKV].name, "q4_k+q6_k");
    assert_string_equal(model->layers[0].format[ROOF_ROLE_DOWN].name, "q6_k");
    assert_exact(model->layers[0].format[ROOF_ROLE_UP].bits, 4.5);
    assert_int_equal(model->layers[0].format[ROOF_ROLE_UP].math,
                     ROOF_DTYPE_NONE); /* multiplied in the activations' dtype */
    assert_int_equal(roof_model_file_warnings(file), 1);
    assert_true(has_warning(file, "the data section is missing"));
    assert_true(has_note(file, "176166912 in 12 tensors, 152023040 bytes, 6.9036 bits"));
    roof_model_file_free(file);
}

/* Bits a weight as the README of llama.cpp's quantize tool and the comments of ggml-common.h give them. */
static void every_type(void **state) {
    (void)state;
    static const struct {
        unsigned number;
        const char *name;
        double bits;
    } rows[] = {
        {0, "f32", 32},          {1, "f16", 16},        {2, "q4_0", 4.5},        {3, "q4_1", 5},
        {6, "q5_0", 5.5},        {7, "q5_1", 6},        {8, "q8_0", 8.5},        {9, "q8_1", 9},
        {10, "q2_k", 2.625},     {11, "q3_k", 3.4375},  {12, "q4_k", 4.5},       {13, "q5_k", 5.5},
        {14, "q6_k", 6.5625},    {15, "q8_k", 9.125},   {16, "iq2_xxs", 2.0625}, {17, "iq2_xs", 2.3125},
        {18, "iq3_xxs", 3.0625}, {19, "iq1_s", 1.5625}, {20, "iq4_nl", 4.5},     {21, "iq3_s", 3.4375},
        {22, "iq2_s", 2.5625},   {23, "iq4_xs", 4.25},  {24, "i8", 8},           {25, "i16", 16},
        {26, "i32", 32},         {27, "i64", 64},       {28, "f64", 64},         {29, "iq1_m", 1.75},
        {30, "bf16", 16},        {34, "tq1_0", 1.6875}, {35, "tq2_0", 2.0625},   {39, "mxfp4", 4.25},
        {40, "nvfp4", 4.5},      {41, "q1_0", 1.125},   {42, "q2_0", 2.25},
    };
    size_t known = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const gguf_type *type = gguf_type_at(rows[i].number);
        assert_non_null(type);
        assert_string_equal(type->name, rows[i].name);
        assert_exact(8.0 * type->bytes / type->block, rows[i].bits);
        assert_true(256 % type->block == 0);
    }
    for (unsigned i = 0; gguf_type_at(i); i++)
        known += !gguf_type_at(i)->removed;
    assert_int_equal(known, sizeof rows / sizeof rows[0]);
}

static void layers_of_two_kinds(void **state) {
    (void)state;
    gguf_writer *w = begin("llama");
    llama_keys(w, 4, 256, 512, 4, 2);
    matrix(w, "token_embd.weight", Q8_0, 256, 100);
    for (unsigned i = 0; i < 4; i++)
        llama_layer(w, i, Q4_K, i == 1 || i == 3 ? Q6_K : Q4_K, 256, 128, 512);
    vector(w, "output_norm.weight", 256);
    roof_model_file *file = read_header(w);
    const roof_model *model = roof_model_file_model(file);
    assert_int_equal(model->layer_count, 2);
    assert_exact(model->layers[0].count, 2);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(model->order[i], i % 2);
    assert_true(model->tied); /* no output.weight */
    assert_exact(parameters_of(file).total,
                 100 * 256 + 4 * (2 * 256 * 256 + 2 * 256 * 128 + 3 * 256 * 512 + 2 * 256) + 256.0);
    roof_model_file_free(file);
}

static void experts(void **state) {
    (void)state;
    static const char *const names[] = {"blk.0.ffn_gate_exps.weight", "blk.0.ffn_up_exps.weight",
                                        "blk.0.ffn_down_exps.weight"};
    gguf_writer *w = begin("llama");
    llama_keys(w, 1, 256, 512, 4, 2);
    put_u32(w, "llama.expert_count", 8);
    put_u32(w, "llama.expert_used_count", 2);
    matrix(w, "token_embd.weight", F16, 256, 100);
    in_layer(w, 0, "attn_q", Q8_0, 256, 256);
    in_layer(w, 0, "attn_k", Q8_0, 256, 128);
    in_layer(w, 0, "attn_v", Q8_0, 256, 128);
    in_layer(w, 0, "attn_output", Q8_0, 256, 256);
    in_layer(w, 0, "ffn_gate_inp", F32, 256, 8);
    for (int i = 0; i < 3; i++) {
        uint64_t shape[3] = {i == 2 ? 512 : 256, i == 2 ? 256 : 512, 8};
        put_tensor(w, names[i], Q4_K, 3, shape, size_of(Q4_K, 256 * 512 * 8));
    }
    in_layer(w, 0, "attn_norm", F32, 256, 0);
    in_layer(w, 0, "ffn_norm", F32, 256, 0);
    vector(w, "output_norm.weight", 256);
    matrix(w, "output.weight", F16, 256, 100);
    roof_model_file *file = read_header(w);
    const roof_mlp_block *mlp = &roof_model_file_model(file)->layers[0].mlp;
    assert_int_equal(mlp->kind, ROOF_MLP_MOE);
    assert_exact(mlp->experts, 8);
    assert_exact(mlp->top_k, 2);
    assert_exact(mlp->width, 512);
    assert_true(mlp->gated);
    assert_int_equal(roof_model_file_warnings(file), 1); /* the data */
    roof_model_file_free(file);
}

/* Every type of value, arrays in arrays, another alignment, version 2, keys behind the architecture's. */
static void metadata_of_every_type(void **state) {
    (void)state;
    gguf_writer *w = begin("llama");
    w->version = 2;
    w->alignment = 64;
    put_u32(w, "general.alignment", 64);
    static const size_t widths[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    for (unsigned type = 0; type < 13; type++) {
        char key[32];
        snprintf(key, sizeof key, "test.type%u", type);
        if (widths[type] > 0)
            put_scalar(w, key, type, type == 6 ? 0x40490fdb : 1, widths[type]);
    }
    unsigned char *at = put_key(w, "test.nested", 9), *start = at;
    at += put_le(at, 9, 4);
    at += put_le(at, 2, 8);
    for (int i = 0; i < 2; i++) {
        at += put_le(at, 8, 4);
        at += put_le(at, 1, 8);
        at += put_string(at, "inner");
    }
    w->pair_length += (size_t)(at - start);
    put_scalar(w, "llama.block_count", 10, 1, 8); /* u64 */
    put_scalar(w, "llama.embedding_length", 2, 64, 2);
    put_u32(w, "llama.feed_forward_length", 128);
    put_scalar(w, "llama.attention.head_count", 0, 4, 1);
    put_tokens(w, 50);
    roof_model_file *file = read_header(w);
    assert_exact(roof_model_file_model(file)->vocab, 50);
    assert_exact(roof_model_file_model(file)->layers[0].attention.kv_heads, 4);
    roof_model_file_free(file);
}

static const char *folder(void) {
    static char name[64];
    snprintf(name, sizeof name, "gguf-test-%ld", (long)getpid());
    return name;
}

/* Write the header to disk and make the file as long as its data would be: a hole. */
static void save(const char *path, gguf_writer *w, uint64_t data) {
    size_t length;
    const unsigned char *bytes = gguf_bytes(w, false, &length);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(ftruncate(fileno(file), (off_t)(length + data)), 0);
    fclose(file);
}

static long peak_kilobytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* Llama-3.1-405B: 405,853,388,800 parameters by the checkpoint's own metadata (Hub, safetensors total). */
static void hundreds_of_gigabytes(void **state) {
    (void)state;
    char path[80];
    gguf_writer *w = begin("llama");
    llama_keys(w, 126, 16384, 53248, 128, 8);
    put_u32(w, "llama.attention.key_length", 128);
    matrix(w, "token_embd.weight", BF16, 16384, 128256);
    for (unsigned i = 0; i < 126; i++)
        llama_layer(w, i, BF16, BF16, 16384, 1024, 53248);
    vector(w, "output_norm.weight", 16384);
    matrix(w, "output.weight", BF16, 16384, 128256);
    snprintf(path, sizeof path, "%s.gguf", folder());
    save(path, w, w->data);
    roof_error error = {0};
    long before = peak_kilobytes();
    roof_model_file *file = roof_read_model(path, &error);
    long used = peak_kilobytes() - before;
    unlink(path);
    if (!file)
        fail_msg("%s", error.what);
    assert_exact(parameters_of(file).total, 405853388800.0);
    assert_int_equal(roof_model_file_warnings(file), 0);
    assert_true(used < 10 * 1024);
    roof_model_file_free(file);
}

static void put_split(gguf_writer *w, unsigned number, unsigned count, unsigned tensors) {
    put_scalar(w, "split.no", 2, number, 2);
    put_scalar(w, "split.count", 2, count, 2);
    put_scalar(w, "split.tensors.count", 5, tensors, 4);
}

static void split_files(void **state) {
    (void)state;
    char first[96], second[96];
    snprintf(first, sizeof first, "%s-00001-of-00002.gguf", folder());
    snprintf(second, sizeof second, "%s-00002-of-00002.gguf", folder());
    gguf_writer *w = begin("llama");
    llama_keys(w, 1, 256, 512, 4, 2);
    put_split(w, 0, 2, 12);
    matrix(w, "token_embd.weight", Q8_0, 256, 100);
    llama_layer(w, 0, Q4_K, Q6_K, 256, 128, 512);
    save(first, w, w->data);
    roof_error error = {0};
    assert_null(roof_read_model(first, &error));
    assert_int_equal(error.code, ROOF_ENOTFOUND);
    assert_non_null(strstr(error.what, "-00002-of-00002.gguf' of 2 is missing"));
    w = begin("llama");
    put_split(w, 1, 2, 12);
    vector(w, "output_norm.weight", 256);
    matrix(w, "output.weight", Q8_0, 256, 100);
    save(second, w, w->data);
    for (int i = 0; i < 2; i++) { /* whichever part is named */
        roof_model_file *file = roof_read_model(i ? second : first, &error);
        if (!file)
            fail_msg("%s", error.what);
        assert_exact(parameters_of(file).total, 2 * 25600 + 2 * 65536 + 2 * 32768 + 3 * 131072 + 3 * 256.0);
        assert_int_equal(roof_model_file_warnings(file), 0);
        roof_model_file_free(file);
    }
    roof_weights sum;
    assert_int_equal(roof_read_weights(first, &sum, &error), 0);
    assert_exact(sum.tensors, 12);
    assert_exact(sum.files, 2);
    assert_exact(sum.parameters, 2 * 25600 + 2 * 65536 + 2 * 32768 + 3 * 131072 + 3 * 256.0);
    assert_string_equal(sum.types[0].name, "q4_k");
    save(second, w, w->data - 32);
    assert_null(roof_read_model(first, &error));
    assert_non_null(strstr(error.what, "-00002-of-00002.gguf: truncated at byte"));
    unlink(first);
    unlink(second);
}

/* Headers that the Python package gguf 0.19 wrote, with the weights and bytes its reader counts (of "llama" and "phi3"
 * without four rotary factors). Each model read from them must hold exactly as much. */
static void families(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double weights, bytes;
    } rows[] = {
        {"llama", 19232, 18856},    {"mixtral", 22016, 24256}, {"gpt2", 25312, 77184},      {"deepseek2", 24707, 40924},
        {"falcon", 11520, 14496},   {"olmo", 21120, 24320},    {"phi2", 9194, 12712},       {"phi3", 10976, 13824},
        {"bloom", 8992, 11904},     {"gemma2", 19040, 22016},  {"command-r", 10624, 12416}, {"chatglm", 10016, 12992},
        {"stablelm", 11072, 14208}, {"mpt", 8608, 10368},      {"starcoder", 23728, 75360}, {"qwen3moe", 19328, 17024},
        {"gpt-oss", 39024, 47808},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char path[1024];
        roof_error error = {0};
        snprintf(path, sizeof path, "%s/../../fuzz/corpus/gguf/%s", TEST_DATA, rows[i].name);
        roof_model_file *file = roof_read_model(path, &error);
        if (!file)
            fail_msg("%s: %s", rows[i].name, error.what);
        assert_exact(parameters_of(file).total, rows[i].weights);
        assert_near(parameters_of(file).bytes, rows[i].bytes, 1e-14);
        assert_int_equal(roof_model_file_warnings(file), 1); /* the data section is cut off */
        roof_model_file_free(file);
    }
}

/* ---- what must fail ---- */

static size_t load(const char *path, unsigned char *bytes, size_t size) {
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("no file %s", path);
    size_t n = fread(bytes, 1, size, file);
    fclose(file);
    return n;
}

static void check_bad(const char *name, int code, long offset, const char *message) {
    static unsigned char bytes[1 << 16];
    char path[1024];
    snprintf(path, sizeof path, "%s/gguf/bad/%s", TEST_DATA, name);
    size_t n = load(path, bytes, sizeof bytes);
    unsigned char *exact = malloc(n ? n : 1); /* the sanitizer sees reads past the end */
    assert_non_null(exact);
    memcpy(exact, bytes, n);
    roof_error error = {0};
    roof_model_file *file = read_bytes(exact, n, &error);
    if (file)
        fail_msg("%s was read", name);
    if (strcmp(error.what, message) != 0 || (int)error.code != code || error.offset != offset)
        fail_msg("%s: got %d | %ld | %s", name, (int)error.code, error.offset, error.what);
    assert_null(read_bytes(exact, n, NULL));
    free(exact);
}

static void each_is_refused_as_expected(void **state) {
    (void)state;
    static char text[1 << 14];
    size_t rows = 0, files = 0;
    text[load(TEST_DATA "/gguf/bad/EXPECTED", (unsigned char *)text, sizeof text - 1)] = '\0';
    for (char *line = text, *next; line && *line; line = next) {
        char name[64];
        int code, at = 0;
        long offset;
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        if (*line == '#')
            continue;
        if (sscanf(line, "%63s | %d | %ld | %n", name, &code, &offset, &at) != 3 || at == 0)
            fail_msg("bad row: %s", line);
        check_bad(name, code, offset, line + at);
        rows++;
    }
    DIR *all = opendir(TEST_DATA "/gguf/bad");
    for (struct dirent *entry; all && (entry = readdir(all));)
        files += strstr(entry->d_name, ".gguf") != NULL;
    closedir(all);
    assert_int_equal(rows, files);
}

static gguf_writer *small_model(void) {
    gguf_writer *w = begin("llama");
    llama_keys(w, 2, 256, 512, 4, 2);
    put_text(w, "general.name", "small");
    put_tokens(w, 3);
    matrix(w, "token_embd.weight", Q8_0, 256, 100);
    for (unsigned i = 0; i < 2; i++)
        llama_layer(w, i, Q4_K, i ? Q6_K : Q4_K, 256, 128, 512);
    vector(w, "output_norm.weight", 256);
    return w;
}

/* Cut anywhere in the header it is refused, with the place. */
static void every_prefix(void **state) {
    (void)state;
    size_t length;
    const unsigned char *bytes = gguf_bytes(small_model(), false, &length);
    roof_model_file *whole = read_bytes(bytes, length, NULL);
    assert_non_null(whole);
    roof_model_file_free(whole);
    for (size_t n = 0; n + 32 < length; n++) {
        unsigned char *cut = malloc(n ? n : 1);
        roof_error error = {0};
        assert_non_null(cut);
        memcpy(cut, bytes, n);
        assert_null(read_bytes(cut, n, &error));
        assert_int_equal(error.code, ROOF_EFORMAT);
        assert_true(error.offset >= 0 && error.offset <= (long)n);
        free(cut);
    }
}

static void no_memory(void **state) {
    (void)state;
    size_t length;
    const unsigned char *bytes = gguf_bytes(small_model(), false, &length);
    ALLOC_FAIL_EACH(n, {
        roof_error error = {0};
        roof_model_file *file = read_bytes(bytes, length, &error);
        if (!file && error.code != ROOF_ENOMEM)
            fail_msg("allocation %zu: '%s'", n, error.what);
        roof_model_file_free(file);
        assert_int_equal(alloc_live(), 0);
    })
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kv_heads_by_layer),
        cmocka_unit_test(effective_bits),
        cmocka_unit_test(every_type),
        cmocka_unit_test(layers_of_two_kinds),
        cmocka_unit_test(experts),
        cmocka_unit_test(metadata_of_every_type),
        cmocka_unit_test(hundreds_of_gigabytes),
        cmocka_unit_test(split_files),
        cmocka_unit_test(families),
        cmocka_unit_test(each_is_refused_as_expected),
        cmocka_unit_test(every_prefix),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
