/* The three batches: against sums over the operations at that batch and the one before it, and against hand arithmetic.
 */
#include "advice/fixtures.h"

static roof_batching batching(const roof_machine *machine, const roof_model *model, roof_plan plan) {
    roof_batching out;
    roof_error error;
    if (roof_model_batching(machine, model, &plan, &out, &error))
        fail_msg("%s", error.what);
    return out;
}

/* Compute over memory time of the gemms with stored weights in one decode step. */
static double matrices(const roof_machine *machine, const roof_model *model, roof_plan plan, double batch) {
    static roof_operation operations[256];
    plan.batch = batch;
    size_t count = roof_model_operations(model, &plan, ROOF_PHASE_DECODE, operations, 256);
    double compute = 0, memory = 0;
    for (size_t i = 0; i < count; i++) {
        roof_verdict verdict;
        assert_int_equal(roof_judge(machine, &operations[i], &verdict, NULL), 0);
        if ((operations[i].kind != ROOF_KIND_GEMM && operations[i].kind != ROOF_KIND_GROUPED_GEMM) ||
            operations[i].weight_bytes <= 0)
            continue;
        compute += operations[i].count * verdict.compute_seconds;
        memory += operations[i].count * verdict.memory_seconds;
    }
    return compute / memory;
}

static double cache_to_weights(const roof_machine *machine, const roof_model *model, roof_plan plan, double batch) {
    roof_sum sum;
    plan.batch = batch;
    assert_int_equal(roof_model_judge(machine, model, &plan, ROOF_PHASE_DECODE, &sum, NULL), 0);
    return sum.cache_bytes / sum.weight_bytes;
}

static bool fits(const roof_machine *machine, const roof_model *model, roof_plan plan, double batch) {
    plan.batch = batch;
    return roof_model_memory(machine, model, &plan).fits;
}

/* Each number is the batch at which its crossing has happened, and one sequence less has not crossed yet. */
static void least_batches(void **state) {
    (void)state;
    void (*const models[])(example *) = {example_llama,   example_llama_70b, example_qwen3,  example_gpt2,
                                         example_mixtral, example_deepseek,  example_gpt_oss};
    roof_machine machines[] = {example_h100(), a100()};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        for (size_t k = 0; k < 2; k++)
            for (double context = 100; context < 40000; context *= 7) {
                example e;
                models[m](&e);
                roof_plan plan = plan_of(&e.model, (roof_plan){.context = context});
                roof_batching b = batching(&machines[k], &e.model, plan);
                assert_true((b.ridge_batch == 0) == (b.ridge_why != NULL));
                assert_true((b.kv_equals_weights_batch == 0) == (b.kv_why != NULL));
                assert_true((b.capacity_batch == 0) == (b.capacity_why != NULL));
                assert_non_null(b.first);
                assert_true(matrices(&machines[k], &e.model, plan, b.ridge_batch) >= 1);
                assert_true(b.ridge_batch == 1 || matrices(&machines[k], &e.model, plan, b.ridge_batch - 1) < 1);
                assert_true(cache_to_weights(&machines[k], &e.model, plan, b.kv_equals_weights_batch) >= 1);
                assert_true(b.kv_equals_weights_batch == 1 ||
                            cache_to_weights(&machines[k], &e.model, plan, b.kv_equals_weights_batch - 1) < 1);
                assert_true(b.capacity_batch == 0 || fits(&machines[k], &e.model, plan, b.capacity_batch));
                assert_false(fits(&machines[k], &e.model, plan, b.capacity_batch + 1));
            }
}

/* Llama-3.1-8B by hand: W bytes of weights, A bytes of activations and F FLOPs a sequence; F B / peak = (W + A B) /
 * bandwidth. */
static void ridge_in_closed_form(void **state) {
    (void)state;
    const double shapes[][3] = {
        {6144, 4096, 32}, {4096, 4096, 32}, {28672, 4096, 32}, {4096, 14336, 32}, {128256, 4096, 1}}; /* n, k, count */
    double weights = 0, activations = 0, flops = 0;
    for (int i = 0; i < 5; i++) {
        weights += 2 * shapes[i][0] * shapes[i][1] * shapes[i][2];
        activations += 2 * (shapes[i][0] + shapes[i][1]) * shapes[i][2];
        flops += 2 * shapes[i][0] * shapes[i][1] * shapes[i][2];
    }
    double least = weights / 3.35e12 / (flops / 989.4e12 - activations / 3.35e12);
    example e;
    example_llama(&e);
    roof_machine h100 = example_h100();
    roof_batching b = batching(&h100, &e.model, (roof_plan){0});
    assert_exact(b.ridge_batch, ceil(least));
    assert_exact(b.ridge_batch, 326);
    assert_near(weights, 15.01e9, 1e-3);                                        /* the embedding table is not read */
    assert_exact(b.kv_equals_weights_batch, ceil(weights / (131072 * 1152.0))); /* 99.4: 131072 bytes a token */
    assert_exact(batching(&h100, &e.model, (roof_plan){.context = 8192}).kv_equals_weights_batch, 14);
    assert_string_equal(b.first, "kv cache");
}

static void which_comes_first(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine h100 = example_h100();
    assert_string_equal(batching(&h100, &e.model, (roof_plan){.prompt = 16, .generate = 16}).first, "ridge");
    roof_machine small = h100;
    small.size[ROOF_DRAM].value = 20e9;
    assert_string_equal(batching(&small, &e.model, (roof_plan){0}).first, "capacity");
    /* fp8 weights multiplied in bf16: half the bytes, half the batch; fp8 math: the ridge doubles again */
    roof_plan only = {.weights = roof_format_plain(ROOF_FP8), .weights_head = true, .math = ROOF_BF16}, math = only;
    math.math = ROOF_FP8;
    assert_near(batching(&h100, &e.model, only).ridge_batch, 163, 1e-2);
    assert_in_range(batching(&h100, &e.model, math).ridge_batch, 300, 360);
    /* speculation verifies five tokens a sequence, so a fifth of the sequences is as much work */
    assert_exact(batching(&h100, &e.model, (roof_plan){.draft = 4, .acceptance = 0.7}).ridge_batch, 66);
}

static void batches_that_do_not_exist(void **state) {
    (void)state;
    example e;
    example_llama_70b(&e);
    roof_machine h100 = example_h100();
    roof_batching b = batching(&h100, &e.model, (roof_plan){0});
    assert_exact(b.capacity_batch, 0);
    assert_string_equal(b.capacity_why, "not even one sequence fits");
    assert_string_equal(b.first, "capacity");
    roof_machine slow = h100; /* two hidden widths of traffic for a FLOP or so: memory never lets go */
    slow.bandwidth[ROOF_DRAM].value = 1e9;
    b = batching(&slow, &e.model, (roof_plan){0});
    assert_exact(b.ridge_batch, 0);
    assert_non_null(b.ridge_why);
    slow.size[ROOF_DRAM] = (roof_figure){0};
    b = batching(&slow, &e.model, (roof_plan){0});
    assert_string_equal(b.capacity_why, "the machine's memory size is unknown");
    assert_string_equal(b.first, "kv cache");
    e.layers[0].attention.kind = ROOF_ATTENTION_NONE;
    b = batching(&h100, &e.model, (roof_plan){0});
    assert_exact(b.kv_equals_weights_batch, 0);
    assert_non_null(b.kv_why);
    roof_machine bare = {.id = "bare"};
    roof_plan plan = {0};
    roof_error error = {0};
    assert_int_equal(roof_model_batching(&bare, &e.model, &plan, &b, &error), -1);
    assert_true(strlen(error.what) > 0);
}

/* Both crossings weigh something against the weights; a part of them would give a wrong batch. */
static void unknown_weights_have_no_batches(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine h100 = example_h100();
    e.layers[0].format[ROOF_ROLE_UP].unknown = true;
    roof_batching b = batching(&h100, &e.model, (roof_plan){0});
    assert_exact(b.ridge_batch + b.kv_equals_weights_batch + b.capacity_batch, 0);
    assert_string_equal(b.ridge_why, "the weight format is unknown");
    assert_string_equal(b.kv_why, b.ridge_why);
    assert_string_equal(b.capacity_why, b.ridge_why);
    assert_null(b.first);
    b = batching(&h100, &e.model, (roof_plan){.weights = roof_format_plain(ROOF_FP8)}); /* said: known again */
    assert_true(b.ridge_batch > 0 && b.kv_equals_weights_batch > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(least_batches),
        cmocka_unit_test(ridge_in_closed_form),
        cmocka_unit_test(which_comes_first),
        cmocka_unit_test(batches_that_do_not_exist),
        cmocka_unit_test(unknown_weights_have_no_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
