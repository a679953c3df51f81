/* Advice for operations: factors against the operation built here with the changed arguments, and published cases. */
#include "advice/fixtures.h"

typedef struct answer {
    roof_advice list[ROOF_ADVICE_MAX];
    int count;
} answer;

enum { MAX_ARGUMENTS = 12 };
typedef struct request {
    roof_kind kind;
    roof_argument arguments[MAX_ARGUMENTS];
} request;

static size_t length(const request *r) {
    size_t n = 0;
    while (n < MAX_ARGUMENTS && r->arguments[n].name)
        n++;
    return n;
}

static roof_operation build(const request *r) {
    roof_operation operation;
    roof_error error;
    if (roof_operation_build(r->kind, r->arguments, length(r), &operation, &error))
        fail_msg("%s", error.what);
    return operation;
}

/* The request with one more argument; the last one said wins. */
static request with(request r, const char *name, double value, roof_dtype dtype) {
    size_t n = length(&r);
    assert_true(n < MAX_ARGUMENTS);
    r.arguments[n] = (roof_argument){.name = name, .value = value, .dtype = dtype};
    return r;
}

static double seconds(const roof_machine *machine, const roof_operation *operation) {
    roof_verdict verdict;
    roof_error error;
    if (roof_judge(machine, operation, &verdict, &error))
        fail_msg("%s", error.what);
    return verdict.seconds;
}

static double seconds_of(const roof_machine *machine, const request *r) {
    roof_operation operation = build(r);
    return seconds(machine, &operation);
}

static answer ask(const roof_machine *machine, const roof_operation *operation) {
    roof_machine others[] = {h200(), a100()};
    answer a;
    roof_error error;
    a.count = roof_advise_operation(machine, operation, others, 2, a.list, &error);
    if (a.count < 0)
        fail_msg("%s", error.what);
    for (int i = 0; i < a.count; i++) {
        assert_int_equal(a.list[i].effect, roof_effect_of(a.list[i].speedup));
        assert_true(a.list[i].fits && a.list[i].reason[0] && a.list[i].speedup > 0);
        assert_true(i == 0 || a.list[i - 1].speedup >= a.list[i].speedup);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(a.list[i].idea, a.list[j].idea);
    }
    return a;
}

static answer ask_for(const roof_machine *machine, const request *r) {
    roof_operation operation = build(r);
    return ask(machine, &operation);
}

static const roof_advice *get(const answer *a, const char *idea) {
    const roof_advice *found = find_advice(a->list, a->count, idea);
    if (!found)
        fail_msg("no idea '%s'", idea);
    return found;
}

static request gemm(double m, double n, double k) {
    return (request){ROOF_KIND_GEMM, {{"m", m, 0}, {"n", n, 0}, {"k", k, 0}}};
}

/* The sketch everybody knows: 8 x 14336 x 4096 in bf16. Its ridge lies at m n k / (m k + k n + m n) = 295.3, m = 325.5.
 */
static void a_thin_gemm(void **state) {
    (void)state;
    roof_machine h100 = example_h100();
    request r = gemm(8, 14336, 4096), at = gemm(326, 14336, 4096), below = gemm(325, 14336, 4096);
    answer a = ask_for(&h100, &r);
    assert_near(get(&a, "8-bit weights")->speedup, 2.0, 5e-3);
    assert_near(get(&a, "4-bit weights")->speedup, 4.0, 1e-2);
    assert_near(get(&a, "m = 326")->speedup, 326.0 / 8 * seconds_of(&h100, &r) / seconds_of(&h100, &at), 1e-12);
    assert_int_equal(get(&a, "m = 326")->bound, ROOF_BOUND_COMPUTE);
    roof_operation under = build(&below);
    roof_verdict verdict;
    assert_int_equal(roof_judge(&h100, &under, &verdict, NULL), 0);
    assert_int_equal(verdict.bound, ROOF_BOUND_MEMORY);
    assert_exact(get(&a, "fp8 math")->speedup, 1);
    assert_exact(get(&a, "2x the FLOP/s")->speedup, 1);
    assert_near(get(&a, "2x the bandwidth")->speedup, 2, 1e-12);
    assert_near(get(&a, "h200-sxm instead")->speedup, 4.8 / 3.35, 1e-12);
    assert_string_equal(get(&a, "8-bit weights")->reason, "moves 59.0 MB instead of 118 MB");
    assert_string_equal(get(&a, "2x the FLOP/s")->reason, "compute needs 950 ns of the 35.1 us");
}

static void a_fat_gemm(void **state) {
    (void)state;
    roof_machine h100 = example_h100();
    request r = gemm(4096, 14336, 4096);
    answer a = ask_for(&h100, &r);
    assert_near(get(&a, "2x the FLOP/s")->speedup, 2, 1e-12);
    assert_exact(get(&a, "2x the bandwidth")->speedup, 1);
    assert_exact(get(&a, "4-bit weights")->speedup, 1);
    assert_near(get(&a, "fp8 math")->speedup, 1978.9 / 989.4, 1e-12);
    for (int i = 0; i < a.count; i++)
        assert_null(strstr(a.list[i].idea, "m = ")); /* past the ridge already */
    roof_machine other = a100();
    a = ask_for(&other, &r);
    assert_null(find_advice(a.list, a.count, "fp8 math")); /* no fp8 roof */
    assert_near(get(&a, "int8 math")->speedup, 2, 1e-12);
}

/* Weights alone, as in a matrix so large that its activations vanish: int4 over bf16 is 4.00x up to batch 64, 2.31x at
 * 128, 1.15x at 256, nothing from the ridge on (casper-hansen/AutoAWQ issue 106, vllm-project/vllm issue 2268). */
static void four_bits_until_the_ridge(void **state) {
    (void)state;
    const double side = 1 << 22;
    const double expected[][2] = {{1, 4},  {8, 4}, {64, 4}, {128, 2.306436567164179}, {256, 1.1532182835820894},
                                  {512, 1}};
    roof_machine h100 = example_h100();
    h100.peak[ROOF_MATRIX][ROOF_BF16].value = 989e12;
    h100.peak[ROOF_MATRIX][ROOF_FP8].value = 1979e12;
    for (size_t i = 0; i < 6; i++) {
        request r = gemm(expected[i][0], side, side);
        answer a = ask_for(&h100, &r);
        assert_near(get(&a, "4-bit weights")->speedup, expected[i][1], 1e-3);
    }
    /* the batch at which each becomes compute-bound: 295.2 in bf16, 295.4 in fp8, 73.8 and, on an A100, 38.3 in int4 */
    roof_machine other = a100();
    request r = gemm(1, side, side), narrow = with(r, "b", 0, ROOF_INT4), fp8 = with(r, "dtype", 0, ROOF_FP8);
    answer wide = ask_for(&h100, &r), four = ask_for(&h100, &narrow), eight = ask_for(&h100, &fp8),
           old = ask_for(&other, &narrow);
    get(&wide, "m = 296");
    get(&eight, "m = 296");
    get(&four, "m = 74");
    get(&old, "m = 39");
    request full = gemm(256, side, side);
    answer late = ask_for(&other, &full);
    assert_exact(get(&late, "4-bit weights")->speedup, 1);
}

/* Every dtype idea against the operation built from the changed arguments. */
static void factors_are_rebuilt(void **state) {
    (void)state;
    const request requests[] = {
        gemm(8, 14336, 4096),
        gemm(512, 512, 512),
        {ROOF_KIND_GEMM, {{"m", 4, 0}, {"n", 4096, 0}, {"k", 4096, 0}, {"batch", 3, 0}, {"bias", 1, 0}}},
        {ROOF_KIND_GEMM, {{"m", 4, 0}, {"n", 4096, 0}, {"k", 4096, 0}, {"weights", 1, 0}}},
        {ROOF_KIND_GROUPED_GEMM,
         {{"tokens", 64, 0}, {"experts", 8, 0}, {"top_k", 2, 0}, {"n", 14336, 0}, {"k", 4096, 0}}},
    };
    const struct {
        const char *idea;
        roof_dtype a, b, math;
    } ideas[] = {
        {"8-bit weights", 0, ROOF_FP8, ROOF_BF16},
        {"4-bit weights", 0, ROOF_INT4, ROOF_BF16},
        {"fp8 math", 0, 0, ROOF_FP8},
        {"fp8 operands and math", ROOF_FP8, ROOF_FP8, ROOF_FP8},
        {"int8 operands and math", ROOF_INT8, ROOF_INT8, ROOF_INT8},
    };
    roof_machine h100 = example_h100();
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        for (size_t j = 0; j < sizeof ideas / sizeof *ideas; j++) {
            request changed = with(requests[i], "math", 0, ideas[j].math);
            if (ideas[j].a)
                changed = with(changed, "a", 0, ideas[j].a);
            if (ideas[j].b)
                changed = with(changed, "b", 0, ideas[j].b);
            answer a = ask_for(&h100, &requests[i]);
            assert_near(get(&a, ideas[j].idea)->speedup, seconds_of(&h100, &requests[i]) / seconds_of(&h100, &changed),
                        1e-12);
        }
}

/* 4096 tokens in the cache, 32 query and 8 KV heads of 128: 16.8 MB of cache for a few kB of queries. */
static void attention_and_its_cache(void **state) {
    (void)state;
    roof_machine h100 = example_h100();
    request decode = {
        ROOF_KIND_ATTENTION,
        {{"heads", 32, 0}, {"kv_heads", 8, 0}, {"q_len", 1, 0}, {"kv_len", 4096, 0}, {"qk_width", 128, 0}}};
    answer a = ask_for(&h100, &decode);
    double queries = 2 * 32 * 128 * 2, cache = 2 * 4096 * 8 * 128 * 2;
    assert_near(get(&a, "fp8 KV cache")->speedup, (queries + cache) / (queries + cache / 2), 1e-12);
    assert_null(find_advice(a.list, a.count, "fused attention"));
    assert_null(find_advice(a.list, a.count, "8-bit weights"));
    request narrow = with(decode, "kv", 0, ROOF_FP8);
    a = ask_for(&h100, &narrow);
    assert_null(find_advice(a.list, a.count, "fp8 KV cache"));
    request prefill = {
        ROOF_KIND_ATTENTION,
        {{"heads", 32, 0}, {"q_len", 2048, 0}, {"qk_width", 128, 0}, {"causal", 1, 0}, {"unfused", 1, 0}}};
    request fused = with(prefill, "unfused", 0, ROOF_DTYPE_NONE);
    a = ask_for(&h100, &prefill);
    assert_near(get(&a, "fused attention")->speedup, seconds_of(&h100, &prefill) / seconds_of(&h100, &fused), 1e-12);
    assert_int_equal(get(&a, "fused attention")->effect, ROOF_EFFECT_HELPS);
}

/* Every kind there is gives an answer in order; generic ideas only where they mean something. */
static void every_kind_has_advice(void **state) {
    (void)state;
    const request requests[] = {
        {ROOF_KIND_GEMV, {{"m", 4096, 0}, {"n", 4096, 0}}},
        {ROOF_KIND_CONV,
         {{"in", 64, 0}, {"out", 64, 0}, {"h", 56, 0}, {"w", 56, 0}, {"kh", 3, 0}, {"kw", 3, 0}, {"padding", 1, 0}}},
        {ROOF_KIND_RMS_NORM, {{"rows", 64, 0}, {"width", 4096, 0}}},
        {ROOF_KIND_SOFTMAX, {{"rows", 64, 0}, {"width", 4096, 0}}},
        {ROOF_KIND_ELEMENTWISE, {{"n", 1e6, 0}, {"inputs", 2, 0}}},
        {ROOF_KIND_COPY, {{"n", 1e8, 0}}},
        {ROOF_KIND_TRIAD, {{"n", 1e8, 0}}},
        {ROOF_KIND_CUSTOM, {{"flops", 1e9, 0}, {"bytes", 1e9, 0}}},
    };
    roof_machine h100 = example_h100();
    h100.launch = example_figure(3e-6);
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        answer a = ask_for(&h100, &requests[i]);
        roof_operation operation = build(&requests[i]);
        roof_machine bare = h100;
        bare.launch = (roof_figure){0};
        assert_near(get(&a, "no launch overhead")->speedup, seconds(&h100, &operation) / seconds(&bare, &operation),
                    1e-12);
        get(&a, "2x the FLOP/s");
        get(&a, "2x the bandwidth");
    }
    roof_machine quiet = example_h100();
    answer copy = ask_for(&quiet, &requests[5]);
    assert_near(get(&copy, "f32 operands")->speedup, 2, 1e-12); /* eight bytes an element become four */
    answer gemv = ask_for(&quiet, &requests[0]);
    assert_near(get(&gemv, "4-bit weights")->speedup, 4, 2e-3);
    request reduce = {ROOF_KIND_ALL_REDUCE, {{"devices", 8, 0}, {"bytes", 1e8, 0}}};
    answer linked = ask_for(&quiet, &reduce);
    assert_near(get(&linked, "2x the link")->speedup, 2, 1e-9);
    assert_string_equal(get(&linked, "h200-sxm instead")->reason, "the same link of 450 GB/s");
    assert_null(find_advice(linked.list, linked.count, "fp8 operands"));
}

/* An operation out of a model keeps its block format until the weights are changed. */
static void operations_of_a_model(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine h100 = example_h100();
    roof_plan plan = plan_of(&e.model, (roof_plan){.weights = roof_format_plain(ROOF_MXFP8), .math = ROOF_BF16});
    roof_operation operations[32];
    size_t count = roof_model_operations(&e.model, &plan, ROOF_PHASE_DECODE, operations, 32);
    for (size_t i = 0; i < count && i < 32; i++) {
        if (roof_operation_flops(&operations[i]) == 0)
            continue;
        answer a = ask(&h100, &operations[i]);
        if (strcmp(operations[i].name, "qkv") != 0)
            continue;
        double activations = 2 * (4096 + 6144), weights = 6144 * 4096.0;
        assert_near(get(&a, "4-bit weights")->speedup, (activations + weights * 8.25 / 8) / (activations + weights / 2),
                    1e-9);
    }
}

static void refusals(void **state) {
    (void)state;
    roof_machine h100 = example_h100(), bare = {.id = "bare"};
    request r = gemm(8, 8, 8);
    roof_operation operation = build(&r), empty = {.kind = ROOF_KIND_CUSTOM, .count = 1};
    roof_advice list[ROOF_ADVICE_MAX];
    roof_error error = {0};
    assert_int_equal(roof_advise_operation(&bare, &operation, NULL, 0, list, &error), -1);
    assert_true(strlen(error.what) > 0);
    assert_int_equal(roof_advise_operation(&h100, &empty, NULL, 0, list, &error), -1);
    assert_true(roof_advise_operation(&h100, &operation, &bare, 1, list, NULL) > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thin_gemm),
        cmocka_unit_test(a_fat_gemm),
        cmocka_unit_test(four_bits_until_the_ridge),
        cmocka_unit_test(factors_are_rebuilt),
        cmocka_unit_test(attention_and_its_cache),
        cmocka_unit_test(every_kind_has_advice),
        cmocka_unit_test(operations_of_a_model),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
