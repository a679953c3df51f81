/* Every allocation fails once: for every n the n-th fails, the reading ends with "out of memory" or succeeds, and
 * nothing leaks (the sanitizer checks at exit). */
#include "read/config/configs.h"

#include "roofline_read.h"
#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

/* Allocations that still succeed, -1: all. */
static long ours = -1;

static int fails(long *left) {
    if (*left > 0)
        --*left;
    else if (*left == 0)
        return 1;
    return 0;
}

void *__wrap_malloc(size_t size) {
    return fails(&ours) ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return fails(&ours) ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
    return fails(&ours) ? NULL : __real_realloc(memory, size);
}

static long failures(const char *config, const char *quant) {
    size_t quant_length = quant ? strlen(quant) : 0;
    for (long n = 0; n < 100000; n++) {
        roof_error error = {0};
        ours = n;
        roof_model_file *file = roof_read_config(config, strlen(config), quant, quant_length, &error);
        ours = -1;
        roof_model_file_free(file);
        if (file)
            return n;
        if (error.code != ROOF_ENOMEM)
            fail_msg("allocation %ld: '%s', not out of memory", n, error.what);
    }
    return -1;
}

static void each_allocation_fails(const char *config, const char *quant) {
    assert_true(failures(config, quant) > 5);
}

static void config(void **state) {
    (void)state;
    roof_error error;
    each_allocation_fails(roof_named_model_find("deepseek-v3", &error)->config, NULL);
    each_allocation_fails(roof_named_model_find("gpt2", &error)->config, NULL);
    static const char *const more[] = {"nemotron-h-8b",     "kimi-linear-48b-a3b", "minimax-m1-456b",
                                       "recurrentgemma-2b", "deepseek-v4-flash",   "bert-base",
                                       "modernbert-base",   "whisper-tiny",        "flan-t5-small"};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        each_allocation_fails(roof_named_model_find(more[i], &error)->config, NULL);
    each_allocation_fails(
        "{\"model_type\": \"qwen2_5_vl\", \"num_hidden_layers\": 2, \"hidden_size\": 64, \"num_attention_heads\": 4, "
        "\"intermediate_size\": 96, \"vocab_size\": 100, \"torch_dtype\": \"bfloat16\", \"vision_config\": {\"depth\": "
        "2, "
        "\"hidden_size\": 32, \"intermediate_size\": 64, \"num_heads\": 2, \"patch_size\": 14, \"out_hidden_size\": "
        "64, "
        "\"fullatt_block_indexes\": [1]}, \"quantization\": {\"bits\": 4, \"group_size\": 32, "
        "\"model.layers.0.mlp.down_proj\": {\"bits\": 8, \"group_size\": 32}, \"lm_head\": false}}",
        NULL);
    each_allocation_fails(
        CONFIG("model_type"
               : "brandnew", "hidden_act"
               : "silu", "num_hidden_layers" : 8, "hidden_size" : 64, "num_attention_heads" : 4, "vocab_size" : 100,
                 "intermediate_size" : 96, "frobnication"
               : NaN, "wibble" : 2, "vision_config"
               : {"hidden_size" : 5}),
        CONFIG(
            "quantization"
            : {"quant_algo" : "NVFP4", "kv_cache_quant_algo" : "FP8", "exclude_modules" : [ "lm_head", "*.q_proj" ]}));
}

static void file(void **state) {
    (void)state;
    for (long n = 0;; n++) {
        roof_error error = {0};
        ours = n;
        roof_model_file *read = roof_read_model(TEST_DATA "/config/good", &error);
        ours = -1;
        if (read) {
            roof_model_file_free(read);
            break;
        }
        assert_true(n < 10000);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(config), cmocka_unit_test(file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
