/* Parameter counts against published ones, and bytes against formats. */
#include "model_test.h"

typedef void (*example_maker)(example *);

/* Hub metadata (safetensors totals) and model cards; GPT-2 and Qwen3-4B as summed over their checkpoints. */
static void counts_match_published_ones(void **state) {
    (void)state;
    static const struct {
        example_maker make;
        double total, active;
    } published[] = {
        {example_llama, 8030261248, 8030261248},
        {example_llama_70b, 70553706496, 70553706496},
        {example_qwen3, 4022468096, 4022468096},
        {example_gpt2, 124439808, 124439808},
        {example_mixtral, 46702792704, 12879925248},
        {example_gpt_oss, 20914757184, 4187440704}, /* the card says 20.9 B; its 3.6 B active leave the embedding out */
    };
    example e;
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        published[i].make(&e);
        roof_parameters p = roof_model_parameters(&e.model, NULL);
        assert_exact(p.total, published[i].total);
        assert_exact(p.active, published[i].active);
        assert_exact(p.embedding + p.head + p.attention + p.mlp + p.norms, p.total);
        assert_false(p.bytes_unknown);
    }
}

static void deepseek_v3_is_671_billion(void **state) {
    (void)state;
    example e;
    example_deepseek(&e);
    roof_parameters p = roof_model_parameters(&e.model, NULL);
    assert_near(p.total, 671026419200, 0.001);
    assert_near(p.active, 37552297472, 0.001);
    e.model.layer_count = 1;
    e.layers[0].count = 1;
    p = roof_model_parameters(&e.model, NULL);
    assert_exact(p.attention, 187107328); /* one layer, its inner norms included */
    assert_exact(p.mlp, 396361728);
}

static void biases_sinks_gates_and_projections_are_counted(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    double before = roof_model_parameters(&e.model, NULL).total;
    e.layers[0].attention.qkv_bias = true;
    e.layers[0].attention.sinks = true;
    assert_exact(roof_model_parameters(&e.model, NULL).total - before, 32 * (4096 + 2 * 1024 + 32));
    e.layers[0].attention.qkv_bias = e.layers[0].attention.sinks = false;
    e.layers[0].attention.output_gate = true;
    assert_exact(roof_model_parameters(&e.model, NULL).total - before, 32.0 * 4096 * 4096);
    e.layers[0].attention.output_gate = false;
    e.model.embedding_width = 512; /* as OPT-350M: a narrow table and head, two projections */
    assert_exact(roof_model_parameters(&e.model, NULL).total - before, 2 * 128256.0 * (512 - 4096) + 2 * 512.0 * 4096);
    e.model.embedding_width = 0;
    e.model.head_bias = true;
    e.model.positions = 2048;
    assert_exact(roof_model_parameters(&e.model, NULL).total - before, 128256 + 2048.0 * 4096);
}

static void shared_and_dense_experts_are_always_active(void **state) {
    (void)state;
    example e;
    example_mixtral(&e);
    roof_parameters before = roof_model_parameters(&e.model, NULL);
    e.layers[0].mlp.shared_width = 1024;
    e.layers[0].mlp.shared_gate = true;
    e.layers[0].mlp.dense_width = 512;
    roof_parameters after = roof_model_parameters(&e.model, NULL);
    double more = 32 * (3.0 * 4096 * (1024 + 512) + 4096);
    assert_exact(after.total - before.total, more);
    assert_exact(after.active - before.active, more);
}

static void bytes_follow_each_role_s_format(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_plan plan = plan_of(&e, 1, 1024);
    assert_exact(roof_model_parameters(&e.model, &plan).bytes, 16060522496);
    plan.weights = roof_format_plain(ROOF_FP8);
    /* linear layers at one byte; embedding, head and norms stay */
    double linear = 32 * (4096.0 * (4096 + 2 * 1024) + 4096.0 * 4096 + 3 * 4096.0 * 14336);
    assert_exact(roof_model_parameters(&e.model, &plan).bytes, 16060522496 - linear);
    plan.weights_head = true;
    assert_exact(roof_model_parameters(&e.model, &plan).bytes, 16060522496 - linear - 128256.0 * 4096);
    e.model.tied = true; /* the head is the table, and the table keeps its format */
    assert_exact(roof_model_parameters(&e.model, &plan).bytes, 16060522496 - linear - 2 * 128256.0 * 4096);
}

/* GPTQ/AWQ layout: a 16-bit scale and a 4-bit zero a group of 128; block FP8: one f32 scale a 128 x 128 block. */
static void block_quantisation_is_exact(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    e.model.layer_count = 1;
    e.layers[0].count = 1;
    double rest = 2 * (2 * 128256.0 * 4096 + 3 * 4096);
    double weights = 4096.0 * 6144 + 4096.0 * 4096 + 3 * 4096.0 * 14336;
    roof_plan plan = plan_of(&e, 1, 1024);
    plan.weights = (roof_format){.name = "int4-g128",
                                 .dtype = ROOF_INT4,
                                 .bits = 4,
                                 .block_rows = 1,
                                 .block_cols = 128,
                                 .scale_bits = 16,
                                 .zero_bits = 4};
    assert_exact(roof_model_parameters(&e.model, &plan).bytes, rest + weights / 2 + weights / 128 * 2.5);
    plan.weights = (roof_format){.name = "fp8-128x128",
                                 .dtype = ROOF_FP8,
                                 .bits = 8,
                                 .block_rows = 128,
                                 .block_cols = 128,
                                 .scale_bits = 32,
                                 .math = ROOF_FP8};
    assert_exact(roof_model_parameters(&e.model, &plan).bytes, rest + weights + weights / (128 * 128) * 4);
    plan.weights = roof_format_plain(ROOF_NVFP4);
    assert_exact(roof_model_parameters(&e.model, &plan).bytes, rest + weights * 4.5 / 8);
}

/* 2:4 keeps half the elements with a 2-bit index each: NVIDIA Ampere whitepaper. */
static void sparse_weights_keep_half_and_indices(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_plan plan = plan_of(&e, 1, 1024);
    double dense = roof_model_parameters(&e.model, &plan).bytes;
    plan.sparse = true;
    double linear = 32 * (4096.0 * (4096 + 2 * 1024) + 4096.0 * 4096 + 3 * 4096.0 * 14336);
    assert_exact(dense - roof_model_parameters(&e.model, &plan).bytes, linear * 2 * (1 - 9.0 / 16));
}

static void router_and_norms_keep_their_dtype(void **state) {
    (void)state;
    example e;
    example_mixtral(&e);
    roof_plan plan = plan_of(&e, 1, 1024);
    plan.weights = roof_format_plain(ROOF_FP8);
    double kept = 2 * (2 * 32000.0 * 4096 + 32 * 8.0 * 4096 + 65.0 * 4096);
    double linear = 46702792704 - kept / 2;
    assert_exact(roof_model_parameters(&e.model, &plan).bytes, kept + linear);
    e.model.stored = ROOF_F32; /* norms only: every format is stated */
    assert_exact(roof_model_parameters(&e.model, &plan).bytes, kept + linear + 2 * 65.0 * 4096);
}

static void unknown_formats_are_said(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    e.layers[0].format[ROOF_ROLE_DOWN] = (roof_format){.name = "mystery", .unknown = true};
    roof_plan plan = plan_of(&e, 1, 1024);
    roof_parameters p = roof_model_parameters(&e.model, &plan);
    assert_true(p.bytes_unknown);
    assert_exact(p.total, 8030261248); /* the count does not depend on it */
    assert_exact(p.bytes, 16060522496 - 2 * 32 * 4096.0 * 14336);
    plan.weights = roof_format_plain(ROOF_BF16); /* replaced, so known */
    assert_false(roof_model_parameters(&e.model, &plan).bytes_unknown);
}

static void formats_left_empty_are_of_the_stored_dtype(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    memset(e.layers[0].format, 0, sizeof e.layers[0].format);
    memset(&e.model.embedding, 0, sizeof e.model.embedding);
    memset(&e.model.head, 0, sizeof e.model.head);
    roof_plan plan = plan_of(&e, 1, 1024);
    assert_exact(roof_model_parameters(&e.model, &plan).bytes, 16060522496);
    e.model.stored = ROOF_F32;
    assert_exact(roof_model_parameters(&e.model, &plan).bytes, 2 * 16060522496.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_match_published_ones),
        cmocka_unit_test(deepseek_v3_is_671_billion),
        cmocka_unit_test(biases_sinks_gates_and_projections_are_counted),
        cmocka_unit_test(shared_and_dense_experts_are_always_active),
        cmocka_unit_test(bytes_follow_each_role_s_format),
        cmocka_unit_test(block_quantisation_is_exact),
        cmocka_unit_test(sparse_weights_keep_half_and_indices),
        cmocka_unit_test(router_and_norms_keep_their_dtype),
        cmocka_unit_test(unknown_formats_are_said),
        cmocka_unit_test(formats_left_empty_are_of_the_stored_dtype),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
