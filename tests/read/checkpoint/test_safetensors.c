/* safetensors: files, indexes and folders written here; packed weights; and the must-fail files of bad_safetensors/. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc/alloc.h"
#include "read/checkpoint/weights.h"
#include "read/config/configs.h"
#include "roofline_read.h"

typedef struct tensor {
    const char *name, *type;
    unsigned shape[4], rank;
} tensor;

static unsigned bits_of(const char *type) {
    if (strcmp(type, "BOOL") == 0 || strcmp(type, "U8") == 0 || strcmp(type, "I8") == 0 || strncmp(type, "F8", 2) == 0)
        return 8;
    return strcmp(type, "F4") == 0                                 ? 4
           : strcmp(type, "BF16") == 0 || strcmp(type, "F16") == 0 ? 16
           : strcmp(type, "I64") == 0                              ? 64
                                                                   : 32;
}

static char text[1 << 16];

/* The header as JSON in `text`; *data: bytes of the data section. */
static size_t header(const tensor *tensors, size_t count, size_t *data) {
    size_t n = (size_t)sprintf(text, "{\"__metadata__\":{\"format\":\"pt\"}");
    *data = 0;
    for (size_t i = 0; i < count; i++) {
        size_t elements = 1;
        n += (size_t)sprintf(text + n, ",\"%s\":{\"dtype\":\"%s\",\"shape\":[", tensors[i].name, tensors[i].type);
        for (unsigned k = 0; k < tensors[i].rank; k++) {
            n += (size_t)sprintf(text + n, "%s%u", k ? "," : "", tensors[i].shape[k]);
            elements *= tensors[i].shape[k];
        }
        size_t bytes = elements * bits_of(tensors[i].type) / 8;
        n += (size_t)sprintf(text + n, "],\"data_offsets\":[%zu,%zu]}", *data, *data + bytes);
        *data += bytes;
    }
    return n + (size_t)sprintf(text + n, "}");
}

static const char *folder(void) {
    static char name[64];
    snprintf(name, sizeof name, "safetensors-test-%ld", (long)getpid());
    return name;
}

static const char *in_folder(const char *name) {
    static char paths[4][160];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder(), name);
    return path;
}

static void save_text(const char *name, const char *content) {
    FILE *file = fopen(in_folder(name), "wb");
    assert_non_null(file);
    assert_true(fputs(content, file) >= 0);
    fclose(file);
}

/* `words`: what the data section begins with (the shapes of compressed-tensors are read from it). */
static void save_tensors(const char *name, const tensor *tensors, size_t count, const uint64_t *words,
                         size_t word_count) {
    size_t data, n = header(tensors, count, &data);
    unsigned char length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (unsigned char)((uint64_t)n >> (8 * i));
    FILE *file = fopen(in_folder(name), "wb");
    assert_non_null(file);
    fwrite(length, 1, 8, file);
    fwrite(text, 1, n, file);
    if (word_count > 0)
        fwrite(words, 8, word_count, file);
    fflush(file);
    assert_int_equal(ftruncate(fileno(file), (off_t)(8 + n + data)), 0);
    fclose(file);
}

static int make_folder(void **state) {
    (void)state;
    return mkdir(folder(), 0700);
}

static int remove_folder(void **state) {
    (void)state;
    DIR *all = opendir(folder());
    for (struct dirent *entry; all && (entry = readdir(all));)
        if (entry->d_name[0] != '.')
            unlink(in_folder(entry->d_name));
    if (all)
        closedir(all);
    return rmdir(folder());
}

static roof_model_file *read_folder(void) {
    roof_error error = {0};
    roof_model_file *file = roof_read_model(folder(), &error);
    if (!file)
        fail_msg("refused: %s", error.what);
    return file;
}

/* A llama of two layers: 2 * 16 * 8 + 2 (4 * 64 + 3 * 96 + 16) + 8 = 1384 weights. */
static const char small_config[] =
    CONFIG("model_type"
           : "llama", "hidden_size" : 8, "num_hidden_layers" : 2, "num_attention_heads" : 2, "vocab_size" : 16,
             "intermediate_size" : 12, "torch_dtype"
           : "bfloat16", "tie_word_embeddings"
           : false);

static size_t small_tensors(const char *type, tensor *out, char names[32][64]) {
    static const tensor layer[] = {
        {"self_attn.q_proj", "", {8, 8}, 2},      {"self_attn.k_proj", "", {8, 8}, 2},
        {"self_attn.v_proj", "", {8, 8}, 2},      {"self_attn.o_proj", "", {8, 8}, 2},
        {"mlp.gate_proj", "", {12, 8}, 2},        {"mlp.up_proj", "", {12, 8}, 2},
        {"mlp.down_proj", "", {8, 12}, 2},        {"input_layernorm", "", {8}, 1},
        {"post_attention_layernorm", "", {8}, 1},
    };
    size_t n = 0;
    out[n++] = (tensor){"model.embed_tokens.weight", type, {16, 8}, 2};
    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k < sizeof layer / sizeof layer[0]; k++) {
            snprintf(names[n], 64, "model.layers.%d.%s.weight", i, layer[k].name);
            out[n] = layer[k];
            out[n].name = names[n];
            out[n++].type = type;
        }
    out[n++] = (tensor){"model.norm.weight", type, {8}, 1};
    out[n++] = (tensor){"lm_head.weight", type, {16, 8}, 2};
    return n;
}

static void checked_against_config(void **state) {
    (void)state;
    tensor tensors[32];
    char names[32][64];
    size_t n = small_tensors("BF16", tensors, names);
    save_text("config.json", small_config);
    save_tensors("model.safetensors", tensors, n, NULL, 0);
    roof_model_file *file = read_folder();
    assert_int_equal(roof_model_file_warnings(file), 0);
    assert_true(has_note(file, "checked against the headers: 1384 parameters in 21 tensors, 2768 bytes (+0)"));
    roof_model_file_free(file);
    roof_error error = {0};
    file = roof_read_model(in_folder("model.safetensors"), &error); /* the file alone finds its config */
    assert_non_null(file);
    roof_model_file_free(file);
}

/* 4 bytes a weight where the config says bfloat16: the headers are right. */
static void bytes_come_from_headers(void **state) {
    (void)state;
    tensor tensors[32];
    char names[32][64];
    size_t n = small_tensors("F32", tensors, names);
    save_text("config.json", small_config);
    save_tensors("model.safetensors", tensors, n, NULL, 0);
    roof_model_file *file = read_folder();
    assert_true(has_warning(file, "the tensors take 5536 bytes, config.json makes 2768: counted as the headers say"));
    assert_exact(parameters_of(file).bytes, 5536.0);
    assert_string_equal(roof_model_file_model(file)->layers[0].format[ROOF_ROLE_UP].name, "F32");
    roof_model_file_free(file);
}

static void differences_in_numbers(void **state) {
    (void)state;
    tensor tensors[32];
    char names[32][64];
    size_t n = small_tensors("BF16", tensors, names);
    tensors[n++] = (tensor){"model.layers.0.mystery.weight", "BF16", {10, 10}, 2};
    tensors[n++] = (tensor){"vision_tower.conv.weight", "BF16", {7, 7}, 2};
    tensors[n++] = (tensor){"model.layers.0.self_attn.rotary_emb.inv_freq", "F32", {4}, 1};
    save_text("config.json", small_config);
    save_tensors("model.safetensors", tensors, n, NULL, 0);
    roof_model_file *file = read_folder();
    assert_true(has_warning(file, "the 22 tensors beside config.json hold 1484 parameters, it describes 1384: a "
                                  "difference of 100; unrecognised tensors: "
                                  "model.layers.0.mystery.weight"));
    assert_true(has_note(file, "tensors of other towers: 49 weights"));
    roof_model_file_free(file);
}

/* Each layout as its tool writes it, with the weights it stands for. Sources: docs/files.md, "Packed weights". */
static void packed_weights(void **state) {
    (void)state;
    static const uint64_t shape[2] = {64, 256};
    static const struct {
        const char *what;
        double weights;
        tensor tensors[5];
    } rows[] = {
        {"gptq int4",
         256 * 64,
         {{"a.qweight", "I32", {32, 64}, 2},
          {"a.qzeros", "I32", {2, 8}, 2},
          {"a.scales", "F16", {2, 64}, 2},
          {"a.g_idx", "I32", {256}, 1}}},
        {"gptq int8, no order",
         256 * 64,
         {{"a.qweight", "I32", {64, 64}, 2}, {"a.qzeros", "I32", {2, 16}, 2}, {"a.scales", "F16", {2, 64}, 2}}},
        {"gptq int3",
         256 * 64,
         {{"a.qweight", "I32", {24, 64}, 2},
          {"a.qzeros", "I32", {2, 6}, 2},
          {"a.scales", "F16", {2, 64}, 2},
          {"a.g_idx", "I32", {256}, 1}}},
        {"awq",
         256 * 64,
         {{"a.qweight", "I32", {256, 8}, 2}, {"a.qzeros", "I32", {2, 8}, 2}, {"a.scales", "F16", {2, 64}, 2}}},
        {"compressed-tensors int4",
         64 * 256,
         {{"a.weight_shape", "I64", {2}, 1},
          {"a.weight_packed", "I32", {64, 32}, 2},
          {"a.weight_scale", "BF16", {64, 2}, 2}}},
        {"compressed-tensors int8",
         64 * 256,
         {{"a.weight_shape", "I64", {2}, 1},
          {"a.weight_packed", "I32", {64, 64}, 2},
          {"a.weight_scale", "BF16", {64, 2}, 2}}},
        {"compressed-tensors nvfp4",
         64 * 256,
         {{"a.weight_packed", "U8", {64, 128}, 2},
          {"a.weight_scale", "F8_E4M3", {64, 16}, 2},
          {"a.weight_global_scale", "F32", {1}, 1},
          {"a.input_global_scale", "F32", {1}, 1}}},
        {"modelopt nvfp4",
         64 * 256,
         {{"a.weight", "U8", {64, 128}, 2},
          {"a.weight_scale", "F8_E4M3", {64, 16}, 2},
          {"a.weight_scale_2", "F32", {0}, 0},
          {"a.input_scale", "F32", {0}, 0}}},
        {"fp8 by blocks", 64 * 256, {{"a.weight", "F8_E4M3", {64, 256}, 2}, {"a.weight_scale_inv", "F32", {1, 2}, 2}}},
        {"mxfp4",
         4 * 64 * 256,
         {{"x.gate_up_proj_blocks", "U8", {4, 64, 8, 16}, 4}, {"x.gate_up_proj_scales", "U8", {4, 64, 8}, 3}}},
        {"mlx 4 bits",
         100 * 256 + 256,
         {{"model.embed_tokens.weight", "U32", {100, 32}, 2},
          {"model.embed_tokens.scales", "F16", {100, 4}, 2},
          {"model.embed_tokens.biases", "F16", {100, 4}, 2},
          {"model.norm.weight", "F16", {256}, 1}}},
        {"nf4",
         64 * 256,
         {{"a.weight", "U8", {8192, 1}, 2},
          {"a.weight.absmax", "F32", {256}, 1},
          {"a.weight.quant_map", "F32", {16}, 1},
          {"a.weight.quant_state.bitsandbytes__nf4", "U8", {80}, 1}}},
        {"llm.int8", 64 * 256, {{"a.weight", "I8", {64, 256}, 2}, {"a.SCB", "F32", {64}, 1}}},
        {"fp4 elements", 64 * 256, {{"a.weight", "F4", {64, 256}, 2}, {"a.weight_scale", "F8_E8M0", {64, 8}, 2}}},
        {"buffers",
         12,
         {{"h.0.attn.bias", "BOOL", {1, 1, 8, 8}, 4},
          {"h.0.attn.masked_bias", "F32", {0}, 0},
          {"x.rotary_emb.inv_freq", "F32", {4}, 1},
          {"h.0.attn.c_attn.bias", "F32", {12}, 1}}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t n = 0, data;
        roof_error error = {0};
        roof_weights sum;
        while (n < 5 && rows[i].tensors[n].name)
            n++;
        save_tensors("packed.safetensors", rows[i].tensors, n, shape,
                     strstr(rows[i].what, "compressed-tensors int") ? 2 : 0);
        if (roof_read_weights(in_folder("packed.safetensors"), &sum, &error) != 0)
            fail_msg("%s: %s", rows[i].what, error.what);
        header(rows[i].tensors, n, &data);
        if (sum.parameters != rows[i].weights || sum.bytes != (double)data || sum.at_least)
            fail_msg("%s: %.0f weights in %.0f bytes, not %.0f", rows[i].what, sum.parameters, sum.bytes,
                     rows[i].weights);
    }
    unlink(in_folder("packed.safetensors"));
}

/* gemma-2b-it's index says 5,012,344,832 bytes: 2,506,172,416 parameters in bfloat16. Real indexes write the total as a
 * float, and one of them holds two documents. */
static void index_totals(void **state) {
    (void)state;
    save_text("config.json", CONFIG("model_type"
                                    : "gemma", "hidden_size" : 2048, "num_hidden_layers" : 18,
                                      "num_attention_heads" : 8, "num_key_value_heads" : 1, "head_dim" : 256,
                                      "intermediate_size" : 16384, "vocab_size" : 256000, "torch_dtype"
                                    : "bfloat16"));
    save_text(
        "model.safetensors.index.json",
        "{\"metadata\": {\"total_size\": 5012344832.0}, \"weight_map\": {\"a\": \"model-00001-of-00002.safetensors\","
        "\"b\": \"model-00002-of-00002.safetensors\", \"c\": \"model-00001-of-00002.safetensors\"}}\n{}");
    roof_model_file *file = read_folder();
    assert_true(has_note(file, "the index says 5012344832 bytes in 3 tensors, as config.json makes"));
    assert_true(has_warning(file, "2 of 2 shards are not there, the first 'model-00001-of-00002.safetensors'"));
    assert_true(has_warning(file, "text after the JSON of the index"));
    roof_model_file_free(file);
    unlink(in_folder("config.json"));
    roof_error error = {0};
    assert_null(roof_read_model(in_folder("model.safetensors.index.json"), &error));
    assert_int_equal(error.code, ROOF_EUNSUPPORTED);
    assert_non_null(strstr(error.what, "the index lists 3 tensors in 2 shards, 5012344832 bytes"));
    unlink(in_folder("model.safetensors.index.json"));
}

static void shards_and_pointers(void **state) {
    (void)state;
    tensor tensors[32];
    char names[32][64];
    size_t n = small_tensors("BF16", tensors, names);
    unlink(in_folder("model.safetensors"));
    save_text("config.json", small_config);
    save_text(
        "model.safetensors.index.json",
        "{\"metadata\":{\"total_size\":2768},\"weight_map\":{\"a\":\"one.safetensors\",\"b\":\"two.safetensors\"}}");
    save_tensors("one.safetensors", tensors, 10, NULL, 0);
    save_tensors("two.safetensors", tensors + 10, n - 10, NULL, 0);
    roof_model_file *file = read_folder();
    assert_true(has_note(file, "1384 parameters in 21 tensors"));
    assert_int_equal(roof_model_file_warnings(file), 0);
    roof_model_file_free(file);
    save_tensors("two.safetensors", tensors + 9, n - 9, NULL, 0); /* one tensor in both */
    roof_error error = {0};
    assert_null(roof_read_model(folder(), &error));
    assert_non_null(strstr(error.what, "appears twice"));
    save_text("two.safetensors", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 123456\n");
    file = read_folder();
    assert_true(has_warning(file, "1 of the checkpoint's files are git-LFS pointers: 123456 bytes are elsewhere"));
    roof_model_file_free(file);
    save_text("two.safetensors", "version https://git-lfs.github.com/spec/v1\noid sha256:00\n"); /* nor does it say 0 */
    assert_null(roof_read_model(folder(), &error));
    assert_says(error.what, "a git-LFS pointer without the size of its file");
    unlink(in_folder("model.safetensors.index.json"));
    unlink(in_folder("one.safetensors"));
    unlink(in_folder("two.safetensors"));
}

static void without_a_config(void **state) {
    (void)state;
    tensor tensors[32];
    char names[32][64];
    size_t n = small_tensors("BF16", tensors, names);
    roof_error error = {0};
    roof_weights sum;
    unlink(in_folder("config.json"));
    save_tensors("model.safetensors", tensors, n, NULL, 0);
    assert_null(roof_read_model(in_folder("model.safetensors"), &error));
    assert_int_equal(error.code, ROOF_EUNSUPPORTED);
    assert_string_equal(
        error.what,
        "21 tensors, 1384 parameters, 2768 bytes (BF16), and no config.json beside them says what they are");
    assert_null(roof_read_model(folder(), &error));
    assert_int_equal(roof_read_weights(folder(), &sum, &error), 0);
    assert_exact(sum.parameters, 1384);
    assert_exact(sum.largest_count, 5);
    assert_exact(sum.largest[0].bytes, 256);
    assert_exact(sum.types[0].tensors, 21);
}

/* Whoever names one file has its name in front of the message already; a shard needs it. */
static void bad_files_are_named_once(void **state) {
    (void)state;
    static const char broken[] = "\x08\0\0\0\0\0\0\0{\"a\": 1}";
    roof_error error = {0};
    FILE *stream = fopen(in_folder("model.safetensors"), "wb");
    assert_non_null(stream);
    fwrite(broken, 1, sizeof broken - 1, stream);
    fclose(stream);
    assert_null(roof_read_model(in_folder("model.safetensors"), &error));
    assert_null(strstr(error.what, "model.safetensors"));
    assert_non_null(strstr(error.what, "safetensors header, byte"));
    assert_null(roof_read_model(folder(), &error));
    assert_ptr_equal(strstr(error.what, "model.safetensors: "), error.what);
    unlink(in_folder("model.safetensors"));
}

static void folder_says_what_it_took(void **state) {
    (void)state;
    save_text("config.json", small_config);
    save_text("other.gguf", "GGUF");
    roof_model_file *file = read_folder();
    assert_true(has_warning(file, "the folder holds config.json and 'other.gguf': config.json was taken"));
    roof_model_file_free(file);
    unlink(in_folder("other.gguf"));
}

/* ---- what must fail ---- */

static int read_bytes(const void *bytes, size_t length, roof_error *error) {
    static source s;
    arena memory = {0};
    weight_set set;
    source_memory(&s, bytes, length);
    weights_begin(&set, &memory);
    int result = weights_read(&set, &s, error) != 0 || weights_sort(&set, error) != 0 ? -1 : 0;
    arena_free(&memory);
    return result;
}

/* A file of the header given, and `data` bytes behind it. */
static int read_header_of(const char *json, size_t data, roof_error *error) {
    size_t n = strlen(json);
    unsigned char *bytes = calloc(1, 8 + n + data);
    assert_non_null(bytes);
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)((uint64_t)n >> (8 * i));
    memcpy(bytes + 8, json, n);
    int result = read_bytes(bytes, 8 + n + data, error);
    free(bytes);
    return result;
}

#define T(name, shape, from, to)                                                                                       \
    "\"" name "\":{\"dtype\":\"F32\",\"shape\":" shape ",\"data_offsets\":[" #from "," #to "]}"

static void bad_headers(void **state) {
    (void)state;
    static const struct {
        const char *json;
        size_t data;
        long offset;
        const char *message;
    } rows[] = {
        {"{", 0, 9, "safetensors header, byte 9: the text ends inside the object that begins on line 1"},
        {"[]", 0, 8, "safetensors header, byte 8: an object expected"},
        {"{\"a\":1}", 0, 13, "safetensors header, byte 13: an object expected"},
        {"{\"a\":{}}", 0, 15, "safetensors header, byte 15: tensor 'a' lacks 'dtype'"},
        {"{\"a\":{\"dtype\":\"F32\",\"shape\":[1]}}", 0, 40,
         "safetensors header, byte 40: tensor 'a' lacks 'data_offsets'"},
        {"{\"a\":{\"dtype\":\"Q4\"}}", 0, 26,
         "safetensors header, byte 26: tensor 'a' has dtype 'Q4', which is unknown"},
        {"{" T("a", "[1]", 0, 4) "}x", 4, 62, "safetensors header, byte 62: text after the closing brace"},
        {"{" T("a", "[2]", 0, 4) "}", 4, 61,
         "safetensors header, byte 61: tensor 'a' has 2 elements of F32, and 4 bytes"},
        {"{" T("a", "[-1]", 0, 4) "}", 4, 37, "safetensors header, byte 37: a whole number expected"},
        {"{" T("a", "[1.5]", 0, 4) "}", 4, 37, "safetensors header, byte 37: a whole number expected"},
        {"{" T("a", "[1]", 4, 0) "}", 4, 61, "safetensors header, byte 61: tensor 'a' ends before it begins"},
        {"{" T("a", "[4]", 0, 16) "}", 4, 62,
         "safetensors header, byte 62: truncated: tensor 'a' ends at byte 16 of the data, which has 4"},
        {"{" T("a", "[1]", 0, 4) "," T("b", "[1]", 0, 4) "}", 8, 115,
         "safetensors header, byte 115: tensor 'b' begins at byte 0 of the data, inside the one that ends at byte 4"},
        {"{" T("a", "[1]", 4, 8) "}", 8, 62,
         "safetensors header, byte 62: tensor 'a' begins at byte 4 of the data, after a hole that begins at byte 0"},
        {"{" T("a", "[1]", 0, 4) "}", 8, 62,
         "safetensors header, byte 62: the tensors end at byte 4 of the data, which has 8"},
        {"{" T("a", "[1]", 0, 4) "," T("a", "[1]", 4, 8) "}", 8, -1, "tensor 'a' appears twice"},
        {"{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F32\"}}", 0, 41,
         "safetensors header, byte 41: tensor 'a' has 'dtype' twice"},
        {"{\"__metadata__\":3}", 0, 24, "safetensors header, byte 24: __metadata__ is not an object"},
        {"{" T("a", "[1099511627776,1099511627776]", 0, 4) "}", 4, 64,
         "safetensors header, byte 64: tensor 'a' has more than 2^50 elements or 64 dimensions"},
        {"{" T("a", "[99999999999999999999]", 0, 4) "}", 4, 37, "safetensors header, byte 37: a number above 2^64"},
        {"{\"a\\q\":1}", 0, 9, "safetensors header, byte 9: an escape that is not allowed in the text 'a\\q'"},
        {"{\"\\u12g4\":1}", 0, 9, "safetensors header, byte 9: an escape that is not allowed in the text '\\u12g4'"},
        {"{\"a", 0, 9, "safetensors header, byte 9: a text does not end: '\"a'"},
        {"{\"x\":{\"dtype\":\"F32\",\"y\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1", 0, 94,
         "safetensors header, byte 94: brackets nest deeper than 64 levels"},
    };
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        roof_error error = {0};
        int result = read_header_of(rows[i].json, rows[i].data, &error);
        if (result == 0 || strcmp(error.what, rows[i].message) != 0 || error.offset != rows[i].offset) {
            print_error("%s: %d, %ld, \"%s\"\n", rows[i].json, result, error.offset, error.what);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

static void bad_lengths(void **state) {
    (void)state;
    static const struct {
        unsigned char bytes[12];
        size_t n;
        const char *message;
    } rows[] = {
        {{0}, 0, "not a safetensors file: it has 0 bytes"},
        {{2, 0, 0}, 3, "not a safetensors file: it has 3 bytes"},
        {{0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, '{'},
         9,
         "not a safetensors file: its header would have 1099511627775 bytes; at most 100000000 are allowed"},
        {{9, 0, 0, 0, 0, 0, 0, 0, '{', '}'},
         10,
         "truncated at byte 10: the safetensors header needs 9 bytes, 2 are left"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        roof_error error = {0};
        assert_int_equal(read_bytes(rows[i].bytes, rows[i].n, &error), -1);
        assert_string_equal(error.what, rows[i].message);
        assert_int_equal(error.code, ROOF_EFORMAT);
    }
}

static void every_prefix(void **state) {
    (void)state;
    tensor tensors[32];
    char names[32][64];
    size_t data, n = header(tensors, small_tensors("BF16", tensors, names), &data);
    char *whole = malloc(n + 1);
    assert_non_null(whole);
    memcpy(whole, text, n + 1);
    assert_int_equal(read_header_of(whole, data, NULL), 0);
    while (n-- > 0) {
        roof_error error = {0};
        whole[n] = '\0';
        assert_int_equal(read_header_of(whole, data, &error), -1);
        assert_true(error.code == ROOF_EFORMAT && error.offset <= (long)n + 8);
    }
    free(whole);
}

static void no_memory(void **state) {
    (void)state;
    tensor tensors[32];
    char names[32][64];
    size_t n = small_tensors("F32", tensors, names);
    save_text("config.json", small_config);
    save_text("model.safetensors.index.json",
              "{\"metadata\":{\"total_size\":2768},\"weight_map\":{\"a\":\"model.safetensors\"}}");
    save_tensors("model.safetensors", tensors, n, NULL, 0);
    ALLOC_FAIL_EACH(i, {
        roof_error error = {0};
        roof_model_file *file = roof_read_model(folder(), &error);
        if (!file && error.code != ROOF_ENOMEM)
            fail_msg("allocation %zu: '%s'", i, error.what);
        roof_model_file_free(file);
        assert_int_equal(alloc_live(), 0);
    })
    ALLOC_FAIL_EACH(i, {
        roof_error error = {0};
        roof_weights sum;
        if (roof_read_weights(folder(), &sum, &error) != 0)
            assert_int_equal(error.code, ROOF_ENOMEM);
        assert_int_equal(alloc_live(), 0);
    })
    unlink(in_folder("model.safetensors.index.json"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checked_against_config),
        cmocka_unit_test(bytes_come_from_headers),
        cmocka_unit_test(differences_in_numbers),
        cmocka_unit_test(packed_weights),
        cmocka_unit_test(index_totals),
        cmocka_unit_test(shards_and_pointers),
        cmocka_unit_test(without_a_config),
        cmocka_unit_test(bad_files_are_named_once),
        cmocka_unit_test(folder_says_what_it_took),
        cmocka_unit_test(bad_headers),
        cmocka_unit_test(bad_lengths),
        cmocka_unit_test(every_prefix),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
