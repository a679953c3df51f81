/* Quantisation: bytes as stored, modules left as they are, and the dtype the multiplication runs in. Byte counts follow
 * from the formats' layouts; real checkpoints are named where their size is known. */
#include "read/config/configs.h"
#include "roofline_read.h"

/* JSON as macro arguments, tables */
/* clang-format off */

/* 6 291 456 linear weights, table and head 8 388 608 B together at bf16, norms 5 120 B. */
#define TINY_LLAMA(...)                                                                                                \
    "{\"model_type\": \"llama\", \"hidden_size\": 512, \"num_hidden_layers\": 2, \"num_attention_heads\": 8, "         \
    "\"num_key_value_heads\": 4, \"head_dim\": 64, \"intermediate_size\": 1536, \"vocab_size\": 4096, "                \
    "\"hidden_act\": \"silu\", \"tie_word_embeddings\": false, \"torch_dtype\": \"bfloat16\", "                       \
    "\"quantization_config\": " #__VA_ARGS__ "}"

enum { OUTPUTS = 5120, LINEAR = 6291456, REST = 8388608 + 5120, ATTENTION = 2 * 786432, MLP = 2 * 2359296 };

typedef struct row {
    const char *config, *name;
    double linear; /* bytes of the linear weights */
    roof_dtype math;
} row;

static const row rows[] = {
    {TINY_LLAMA({"quant_method": "compressed-tensors", "format": "pack-quantized", "config_groups": {"group_0":
        {"targets": ["Linear"], "weights":
        {"num_bits": 4, "type": "int", "symmetric": true, "strategy": "group", "group_size": 128},
            "input_activations": null}}, "ignore": ["lm_head"]}),
     "ct-int4-g128", 3145728 + 98304, ROOF_DTYPE_NONE},
    {TINY_LLAMA({"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": true, "version": "gemm",
        "modules_to_not_convert": null}),
     "awq-int4-g128", 3145728 + 98304 + 24576, ROOF_DTYPE_NONE},
    {TINY_LLAMA({"quant_method": "fp8", "fmt": "e4m3", "activation_scheme": "dynamic", "weight_block_size": [128, 128],
        "modules_to_not_convert": ["lm_head"]}), "fp8-128x128", LINEAR + 1536, ROOF_FP8},
    {TINY_LLAMA({"quant_method": "fp8", "activation_scheme": "static", "weight_block_size": null}), "fp8",
        LINEAR + 14 * 4, ROOF_FP8},
    {TINY_LLAMA({"quant_method": "gptq", "bits": 4, "group_size": 128, "desc_act": false, "sym": true}),
        "gptq-int4-g128", 3145728 + 98304 + 24576,
     ROOF_DTYPE_NONE},
    {TINY_LLAMA({"quant_method": "gptq", "bits": 3, "group_size": -1, "desc_act": true}), "gptq-int3",
        LINEAR * 3 / 8 + 2 * OUTPUTS * 19 / 8.0,
     ROOF_DTYPE_NONE},
    {TINY_LLAMA({"quant_method": "bitsandbytes", "load_in_4bit": true, "bnb_4bit_quant_type": "nf4"}), "bnb-4bit",
        3145728 + LINEAR / 64 * 4,
     ROOF_DTYPE_NONE},
    {TINY_LLAMA({"quant_method": "bitsandbytes", "load_in_8bit": true}), "bnb-int8", LINEAR + 2 * OUTPUTS * 4,
        ROOF_INT8},
    {TINY_LLAMA({"quant_method": "modelopt", "quant_algo": "NVFP4", "group_size": 16, "ignore": ["lm_head"]}),
        "nvfp4", LINEAR * 4.5 / 8, ROOF_FP4},
    {TINY_LLAMA({"quant_algo": "FP8", "kv_cache_quant_algo": "FP8", "exclude_modules": ["lm_head"]}), "fp8",
        LINEAR + 14 * 4, ROOF_FP8},
    {TINY_LLAMA({"quant_method": "compressed-tensors", "config_groups": {"g": {"targets": ["Linear"], "weights":
        {"num_bits": 8, "type": "int",
        "strategy": "channel"}, "input_activations": {"num_bits": 8, "type": "int", "dynamic": true}}}, "ignore":
            ["re:.*lm_head"]}), "ct-int8",
     LINEAR + 2 * OUTPUTS * 2, ROOF_INT8},
    {TINY_LLAMA({"quant_method": "compressed-tensors", "config_groups": {"g": {"targets": ["Linear"], "weights":
        {"num_bits": 8, "type": "float",
        "strategy": "tensor"}, "input_activations": {"num_bits": 8, "type": "float"}}}, "ignore": ["lm_head"]}),
            "ct-fp8-tensor", LINEAR + 14 * 2,
     ROOF_FP8},
    {TINY_LLAMA({"quant_method": "auto-round", "bits": 4, "group_size": 128, "data_type": "int", "sym": true}),
        "auto-round-int4-g128",
     3145728 + 98304 + 24576, ROOF_DTYPE_NONE},
    {TINY_LLAMA({"quant_method": "quark", "exclude": ["lm_head"], "global_quant_config": {"weight": {"dtype":
        "fp8_e4m3", "qscheme": "per_tensor"},
        "input_tensors": {"dtype": "fp8_e4m3"}}}), "quark-fp8", LINEAR + 14 * 4, ROOF_FP8},
};

static void each_scheme(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        roof_model_file *file = read_text(rows[i].config);
        const roof_layer *layer = roof_model_file_model(file)->layers;
        assert_string_equal(layer->format[ROOF_ROLE_DOWN].name, rows[i].name);
        assert_int_equal(layer->format[ROOF_ROLE_DOWN].math, rows[i].math);
        assert_near(parameters_of(file).bytes, rows[i].linear + REST, 1e-12);
        assert_int_equal(roof_model_file_warnings(file), 0);
        roof_model_file_free(file);
    }
}

/* MLX quantises table and head too: 4 bits, and 16-bit scale and bias a group. */
static void mlx_quantises_everything(void **state) {
    (void)state;
    roof_model_file *file = read_text(TINY_LLAMA({"group_size": 64, "bits": 4}));
    assert_near(parameters_of(file).bytes, (LINEAR + 2 * 4096 * 512) * 4.5 / 8 + 5120, 1e-12);
    roof_model_file_free(file);
}

static void unknown_is_never_a_guess(void **state) {
    (void)state;
    static const char *const configs[] = {
        TINY_LLAMA({"quant_method": "brandnew", "level": 3}),
        TINY_LLAMA({"quant_method": "modelopt", "quant_algo": "MIXED_PRECISION"}),
        TINY_LLAMA({"quant_method": "bitsandbytes"}),
        TINY_LLAMA({"quant_method": "compressed-tensors"}),
        TINY_LLAMA({"quant_method": "auto-round", "bits": 4, "data_type": "mx_fp"}),
        TINY_LLAMA({"bits": 4, "group_size": 64, "model.layers.0.mlp": {"bits": 8}}),
        TINY_LLAMA({"quant_method": "gptq", "bits": 77}),
    };
    for (size_t i = 0; i < sizeof configs / sizeof configs[0]; i++) {
        roof_model_file *file = read_text(configs[i]);
        assert_true(parameters_of(file).bytes_unknown);
        assert_true(has_warning(file, "bytes of the weights are unknown"));
        roof_model_file_free(file);
    }
}

/* Two precisions in one file: the experts of DeepSeek V4 in fp4, a scale of 8 bits a 32, the rest in fp8. */
static void experts_of_their_own(void **state) {
    (void)state;
    roof_error error = {0};
    roof_model_file *file = read_text(roof_named_model_find("deepseek-v4-flash", &error)->config);
    const roof_layer *layer = roof_model_file_model(file)->layers;
    assert_int_equal(layer->format[ROOF_ROLE_EXPERTS_UP].dtype, ROOF_MXFP4);
    assert_int_equal(layer->format[ROOF_ROLE_EXPERTS_DOWN].math, ROOF_FP8);
    assert_int_equal(layer->format[ROOF_ROLE_SHARED_UP].dtype, ROOF_FP8);
    assert_int_equal(layer->format[ROOF_ROLE_QKV].dtype, ROOF_FP8);
    roof_model_file_free(file);
}

/* Modules with settings of their own: MLX beside a default, ModelOpt without one. */
static void modules_of_their_own(void **state) {
    (void)state;
    roof_model_file *file = read_text(TINY_LLAMA({"group_size": 64, "bits": 4,
        "model.layers.1.mlp.down_proj": {"group_size": 64, "bits": 8}, "lm_head": false}));
    const roof_model *model = roof_model_file_model(file);
    assert_string_equal(model->layers[0].format[ROOF_ROLE_DOWN].name, "mlx-int4-g64");
    assert_string_equal(model->layers[1].format[ROOF_ROLE_DOWN].name, "mlx-int8-g64");
    assert_string_equal(model->layers[1].format[ROOF_ROLE_UP].name, "mlx-int4-g64");
    assert_int_equal(model->head.dtype, ROOF_BF16);
    roof_model_file_free(file);
    file = read_text(TINY_LLAMA({"quant_method": "modelopt", "quant_algo": "MIXED_PRECISION", "quantized_layers": {
        "model.layers.0.mlp.up_proj": {"quant_algo": "NVFP4", "group_size": 16},
        "model.layers.0.mlp.gate_proj": {"quant_algo": "NVFP4", "group_size": 16},
        "model.layers.0.self_attn.o_proj": {"quant_algo": "FP8"}}}));
    model = roof_model_file_model(file);
    assert_int_equal(model->layers[0].format[ROOF_ROLE_UP].dtype, ROOF_NVFP4);
    assert_int_equal(model->layers[0].format[ROOF_ROLE_OUTPUT].dtype, ROOF_FP8);
    assert_int_equal(model->layers[0].format[ROOF_ROLE_DOWN].dtype, ROOF_BF16);
    assert_int_equal(model->layers[1].format[ROOF_ROLE_UP].dtype, ROOF_BF16);
    roof_model_file_free(file);
}

static void lists_are_honoured(void **state) {
    (void)state;
    static const struct { const char *config; bool attention, mlp; } lists[] = {
        {TINY_LLAMA({"quant_method": "fp8", "modules_to_not_convert": ["self_attn"]}), false, true},
        {TINY_LLAMA({"quant_method": "fp8", "modules_to_not_convert": ["model.layers.*.mlp"]}), true, false},
        {TINY_LLAMA({"quant_method": "modelopt", "quant_algo": "FP8", "exclude_modules": ["*.mlp.*", "lm_head"]}),
            true, false},
        {TINY_LLAMA({"quant_method": "awq", "modules_to_not_convert": ["language_model.model.layers.0.mlp",
            "layers.1.mlp"]}), true, false},
        {TINY_LLAMA({"quant_method": "compressed-tensors", "config_groups": {"g": {"targets": ["Linear"], "weights":
            {"num_bits": 4, "type": "int",
            "group_size": 128}}}, "ignore": ["re:.*mlp\\.(gate|up|gate_up|down)_proj.*"]}), true, false},
        {TINY_LLAMA({"quant_method": "compressed-tensors", "config_groups": {"g": {"targets": ["re:.*self_attn.*"],
            "weights": {"num_bits": 4,
            "type": "int", "group_size": 128}}}}), true, false},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        roof_model_file *file = read_text(lists[i].config);
        const roof_model *model = roof_model_file_model(file);
        assert_int_equal(model->layer_count, 1);
        assert_int_equal(model->layers->format[ROOF_ROLE_QKV].dtype != ROOF_BF16, lists[i].attention);
        assert_int_equal(model->layers->format[ROOF_ROLE_DOWN].dtype != ROOF_BF16, lists[i].mlp);
        roof_model_file_free(file);
    }
}

static void a_list_for_one_layer_makes_two_kinds(void **state) {
    (void)state;
    roof_model_file *file = read_text(TINY_LLAMA({"quant_method": "fp8", "modules_to_not_convert":
        ["model.layers.1.mlp", "lm_head"]}));
    const roof_model *model = roof_model_file_model(file);
    assert_int_equal(model->layer_count, 2);
    assert_int_equal(model->layers[model->order[0]].format[ROOF_ROLE_DOWN].dtype, ROOF_FP8);
    assert_int_equal(model->layers[model->order[1]].format[ROOF_ROLE_DOWN].dtype, ROOF_BF16);
    roof_model_file_free(file);
}

/* Of the first role q_proj alone (a third of the attention here) is not quantised. */
static void a_mixed_role_is_averaged_and_said(void **state) {
    (void)state;
    roof_model_file *file = read_text(TINY_LLAMA({"quant_method": "modelopt", "quant_algo": "NVFP4",
        "exclude_modules": ["lm_head", "*.q_proj"]}));
    assert_true(has_warning(file, "query, key and value matrices are stored in more than one format"));
    assert_near(parameters_of(file).bytes, ATTENTION * (2.0 / 3 + 2 * 0.5625 / 3) + MLP * 0.5625 + REST, 1e-12);
    roof_model_file_free(file);
}

/* gpt-oss: the method says nothing but its name; experts are 4.25 bits, all else as stored. */
static void mxfp4_means_experts(void **state) {
    (void)state;
    roof_error error;
    const char *config = roof_named_model_find("gpt-oss-20b", &error)->config;
    roof_model_file *file = read_text(config);
    const roof_format *format = roof_model_file_model(file)->layers->format;
    assert_int_equal(format[ROOF_ROLE_EXPERTS_UP].dtype, ROOF_MXFP4);
    assert_int_equal(format[ROOF_ROLE_EXPERTS_UP].math, ROOF_DTYPE_NONE);
    assert_int_equal(format[ROOF_ROLE_QKV].dtype, ROOF_BF16);
    assert_int_equal(format[ROOF_ROLE_ROUTER].dtype, ROOF_BF16);
    assert_near(parameters_of(file).bytes, 13.76e9, 0.001); /* openai/gpt-oss-20b's safetensors: 13.76 GB */
    roof_model_file_free(file);
}

static roof_model_file *read_pair(const char *json, const char *quant, roof_error *error) {
    return roof_read_config(json, strlen(json), quant, strlen(quant), error);
}

static void the_file_beside_it(void **state) {
    (void)state;
    const char *plain = TINY_LLAMA(null), *stated = TINY_LLAMA({"quant_method": "fp8"});
    roof_error error = {0};
    roof_model_file *file = read_pair(plain, CONFIG("producer": {"name": "modelopt"}, "quantization": {"quant_algo":
        "NVFP4",
        "kv_cache_quant_algo": "FP8", "group_size": 16, "exclude_modules": ["lm_head"]}), &error);
    assert_non_null(file);
    assert_near(parameters_of(file).bytes, LINEAR * 4.5 / 8 + REST, 1e-12);
    assert_true(has_note(file, "kv_cache_quant_algo: FP8"));
    assert_true(has_note(file, "nvfp4, as the quantisation file beside it says"));
    roof_model_file_free(file);
    file = read_pair(plain, CONFIG("bits": 4, "group_size": 128, "desc_act": false, "sym": true), &error);
    assert_non_null(file);
    assert_string_equal(roof_model_file_model(file)->layers->format[ROOF_ROLE_DOWN].name, "gptq-int4-g128");
    roof_model_file_free(file);
    file = read_pair(stated, CONFIG("bits": 4, "group_size": 128, "desc_act": false), &error);
    assert_string_equal(roof_model_file_model(file)->layers->format[ROOF_ROLE_DOWN].name, "fp8");
    roof_model_file_free(file);
    assert_null(read_pair(plain, "{\"bits\": 4,", &error));
    assert_non_null(strstr(error.what, "quantisation file: not valid JSON"));
}

/* Lists of tens of thousands of names are normal for mixtures: every expert of every layer by name. */
static void long_lists(void **state) {
    (void)state;
    static char config[1 << 21];
    size_t at = (size_t)snprintf(config, sizeof config, "%s", "{\"model_type\": \"llama\", \"hidden_size\": 512, \"num_hidden_layers\": 60, "
        "\"num_attention_heads\": 8, \"intermediate_size\": 1536, \"vocab_size\": 4096, \"torch_dtype\": \"bfloat16\", "
        "\"quantization_config\": {\"quant_method\": \"fp8\", \"modules_to_not_convert\": [");
    for (int layer = 0; layer < 60; layer++)
        for (int expert = 0; expert < 500; expert++)
            at += (size_t)snprintf(config + at, sizeof config - at, "\"model.layers.%d.mlp.experts.%d.up\", ", layer, expert);
    snprintf(config + at, sizeof config - at, "%s", "\"model.layers.59.self_attn\"]}}");
    roof_model_file *file = read_text(config);
    const roof_model *model = roof_model_file_model(file);
    assert_int_equal(model->layer_count, 2);
    assert_int_equal(model->layers[model->order[59]].format[ROOF_ROLE_QKV].dtype, ROOF_BF16);
    assert_int_equal(model->layers[model->order[58]].format[ROOF_ROLE_QKV].dtype, ROOF_FP8);
    roof_model_file_free(file);
}

static void a_pattern_nobody_can_read(void **state) {
    (void)state;
    assert_refused(TINY_LLAMA({"quant_method": "compressed-tensors", "config_groups": {"g": {"weights": {"num_bits":
        4, "type": "int"}}},
        "ignore": ["re:(?!x).*"]}), ROOF_EUNSUPPORTED, "pattern '(?!x).*'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_scheme), cmocka_unit_test(mlx_quantises_everything),
            cmocka_unit_test(unknown_is_never_a_guess),
        cmocka_unit_test(experts_of_their_own), cmocka_unit_test(modules_of_their_own), cmocka_unit_test(lists_are_honoured), cmocka_unit_test(a_list_for_one_layer_makes_two_kinds),
        cmocka_unit_test(a_mixed_role_is_averaged_and_said), cmocka_unit_test(mxfp4_means_experts),
            cmocka_unit_test(the_file_beside_it),
        cmocka_unit_test(long_lists), cmocka_unit_test(a_pattern_nobody_can_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
