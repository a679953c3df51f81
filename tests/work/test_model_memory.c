/* The cache of known models, the memory a plan needs, the largest batch and the devices it takes. */
#include "model_test.h"

static const double GIB = 1073741824.0;

static double kv_per_token(double layers, double kv_heads, double head_width, double tensor) {
    example e;
    example_llama(&e);
    e.layers[0] = example_layer(layers, 64, kv_heads, head_width, 1024);
    roof_plan plan = plan_of(&e, 1, 1024);
    plan.tensor = tensor;
    return roof_model_kv_bytes_per_token(&e.model, &plan);
}

/* Structural fields of the public configs; figures are 2 * layers * KV heads * head width * 2 bytes. */
static void cache_per_token_of_known_models(void **state) {
    (void)state;
    assert_exact(kv_per_token(32, 8, 128, 1), 131072); /* Llama-3.1-8B */
    assert_exact(kv_per_token(36, 8, 128, 1), 147456); /* Qwen3-4B, not 92,160 by 2560 / 32 */
    assert_exact(kv_per_token(12, 12, 64, 1), 36864);  /* GPT-2 */
    assert_exact(kv_per_token(32, 1, 64, 1), 8192);    /* Falcon-7B, multi-query */
    assert_exact(kv_per_token(60, 8, 64, 1), 122880);  /* Falcon-40B */
    assert_exact(kv_per_token(28, 2, 128, 1), 28672);  /* ChatGLM2-6B and Qwen2-1.5B */
}

static void latent_cache_is_one_row_on_every_device(void **state) {
    (void)state;
    example e;
    example_deepseek(&e);
    roof_plan plan = plan_of(&e, 1, 1024);
    for (double tensor = 1; tensor <= 8; tensor *= 2) {
        plan.tensor = tensor;
        assert_exact(roof_model_kv_bytes_per_token(&e.model, &plan), 70272); /* (512 + 64) * 61 * 2 */
        assert_exact(roof_kv_sequences(&e.model, &plan, 20 * GIB, 1), 305595);
    }
    assert_exact(8 * roof_kv_sequences(&e.model, &plan, 20 * GIB, 1), 2444760); /* data-parallel attention */
}

/* gpt-oss-20b: 12 full layers and 12 of 128 tokens. */
static void windows_bound_the_cache_layer_by_layer(void **state) {
    (void)state;
    example e;
    example_gpt_oss(&e);
    roof_plan plan = plan_of(&e, 1, 1024);
    assert_exact(roof_model_kv_bytes(&e.model, &plan, 131072), 3224371200);
    assert_exact(roof_model_kv_bytes_per_token(&e.model, &plan) * 131072, 6442450944);
    assert_exact(roof_model_kv_bytes(&e.model, &plan, 100), 24 * 2048 * 100);
    e.layers[0].attention.window = 0; /* no window stated: the whole context */
    assert_exact(roof_model_kv_bytes(&e.model, &plan, 131072), 6442450944);
    e.layers[0].attention.kind = ROOF_ATTENTION_CHUNKED;
    e.layers[0].attention.window = 8192;
    assert_exact(roof_model_kv_bytes(&e.model, &plan, 131072), 12 * 2048.0 * (131072 + 8192));
}

/* vLLM on one 80 GB device: 79.19 GiB visible, 0.9 of it, 1.6 GiB of activations and other. */
static void tokens_and_sequences_a_budget_holds(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_plan plan = plan_of(&e, 1, 1024);
    plan.kv_block = 16;
    double budget = 0.9 * 79.19 * GIB - roof_model_parameters(&e.model, &plan).bytes - 1.6 * GIB;
    assert_near(budget, 58748144125, 1e-9);
    assert_exact(roof_kv_sequences(&e.model, &plan, budget, 16), 28013);
    assert_exact(roof_kv_sequences(&e.model, &plan, budget, 8192), 54);
    assert_exact(roof_kv_sequences(&e.model, &plan, budget, 800), 560);
    assert_exact(roof_kv_sequences(&e.model, &plan, budget, 801), floor(28013 / 51.0)); /* a block more */
    assert_exact(roof_kv_sequences(&e.model, &plan, -1, 16), 0);
}

static void memory_adds_up(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine machine = example_h100();
    roof_plan plan = {.batch = 64, .prompt = 1024, .generate = 256};
    roof_plan_complete(&e.model, &plan);
    roof_memory m = roof_model_memory(&machine, &e.model, &plan);
    assert_exact(m.weights, 16060522496);
    assert_exact(m.kv_cache, 64 * 1280.0 * 131072);
    /* residual, normed row and gate_up's output of 1,024 tokens */
    assert_exact(m.activations, 1024 * 2.0 * (4096 + 2 * 14336 + 14336));
    assert_exact(m.total, m.weights + m.kv_cache + m.activations);
    assert_exact(m.allowed, 0.95 * 80e9);
    assert_true(m.fits && !m.unknown);
    plan.all_logits = true;
    assert_exact(roof_model_memory(&machine, &e.model, &plan).activations, 1024 * 2.0 * (4096 + 128256));
}

/* One sequence more than the largest batch never fits. */
static void batch_max_is_the_last_that_fits(void **state) {
    (void)state;
    example e;
    roof_machine machine = example_h100();
    void (*const makers[])(example *) = {example_llama, example_qwen3, example_gpt2, example_gpt_oss};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        makers[i](&e);
        for (double tokens = 100; tokens <= 1e5; tokens *= 10) {
            roof_plan plan = {.prompt = tokens, .kv_block = 16, .draft = 3};
            roof_plan_complete(&e.model, &plan);
            double most = roof_model_memory(&machine, &e.model, &plan).batch_max;
            assert_true(most >= 1);
            plan.batch = most;
            assert_true(roof_model_memory(&machine, &e.model, &plan).fits);
            plan.batch = most + 1;
            assert_false(roof_model_memory(&machine, &e.model, &plan).fits);
        }
    }
}

/* Decode judged at a longer context than prompt and answer keeps that context in memory. */
static void memory_holds_the_context(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine machine = example_h100();
    roof_plan plan = {.batch = 256, .prompt = 1024, .generate = 256, .context = 32768};
    roof_plan_complete(&e.model, &plan);
    assert_exact(roof_plan_tokens(&plan), 32768);
    roof_memory m = roof_model_memory(&machine, &e.model, &plan);
    assert_exact(m.kv_cache, 256 * 32768.0 * 131072); /* 1.1 TB */
    assert_false(m.fits);
    assert_exact(m.batch_max, 13);
    plan.context = 100; /* memory is that of the last token whatever step is judged */
    assert_exact(roof_plan_tokens(&plan), 1280);
    assert_exact(roof_model_memory(&machine, &e.model, &plan).kv_cache, 256 * 1280.0 * 131072);
}

static void devices_is_the_least_degree_that_fits(void **state) {
    (void)state;
    example e;
    roof_machine machine = example_h100();
    example_llama_70b(&e);
    roof_plan plan = plan_of(&e, 1, 1024);
    roof_memory m = roof_model_memory(&machine, &e.model, &plan);
    assert_false(m.fits);
    assert_exact(m.batch_max, 0);
    assert_exact(m.devices, 2);
    plan.batch = 256;
    assert_exact(roof_model_memory(&machine, &e.model, &plan).devices, 4);
    plan.tensor = 4;
    assert_true(roof_model_memory(&machine, &e.model, &plan).fits);
    plan.tensor = 2;
    assert_false(roof_model_memory(&machine, &e.model, &plan).fits);
    example_deepseek(&e);
    plan = plan_of(&e, 1, 1024);
    assert_exact(roof_model_memory(&machine, &e.model, &plan).devices, 32); /* 1.34 TB over 76 GB each */
    plan.prompt = 1e9; /* the latent is not split: no degree helps */
    assert_exact(roof_model_memory(&machine, &e.model, &plan).devices, 0);
}

static void unknown_capacity_or_weights_are_said(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine machine = example_h100();
    machine.size[ROOF_DRAM] = (roof_figure){0};
    roof_plan plan = plan_of(&e, 1, 1024);
    roof_memory m = roof_model_memory(&machine, &e.model, &plan);
    assert_true(m.unknown && !m.fits);
    machine.size[ROOF_DRAM] = example_figure(1e40); /* absurd, but it must end */
    assert_true(roof_model_memory(&machine, &e.model, &plan).batch_max > 1e9);
    machine = example_h100();
    e.layers[0].format[ROOF_ROLE_DOWN].unknown = true;
    assert_true(roof_model_memory(&machine, &e.model, &plan).unknown);
}

static void eight_bit_caches_are_half(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_plan plan = plan_of(&e, 1, 1024);
    plan.kv_cache = ROOF_FP8;
    assert_exact(roof_model_kv_bytes_per_token(&e.model, &plan), 65536);
}

/* Weights of all devices together are those of one, when every width divides; norms are on each. */
static void shards_add_up(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine machine = example_h100();
    roof_plan plan = plan_of(&e, 1, 1024);
    plan.tensor = 8;
    double norms = 65 * 4096 * 2.0;
    assert_exact(8 * (roof_model_memory(&machine, &e.model, &plan).weights - norms), 16060522496 - norms);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cache_per_token_of_known_models),
        cmocka_unit_test(latent_cache_is_one_row_on_every_device),
        cmocka_unit_test(windows_bound_the_cache_layer_by_layer),
        cmocka_unit_test(tokens_and_sequences_a_budget_holds),
        cmocka_unit_test(memory_adds_up),
        cmocka_unit_test(batch_max_is_the_last_that_fits),
        cmocka_unit_test(memory_holds_the_context),
        cmocka_unit_test(devices_is_the_least_degree_that_fits),
        cmocka_unit_test(unknown_capacity_or_weights_are_said),
        cmocka_unit_test(eight_bit_caches_are_half),
        cmocka_unit_test(shards_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
