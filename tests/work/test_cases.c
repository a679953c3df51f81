/* Questions people brought to public trackers, with the numbers that answer them; each names where it was asked. */
#include "work/line.h"

/* MAC or FLOP: facebookresearch/fvcore issues 69 and 133, sovrasov/flops-counter.pytorch issue 16. */
static void test_a_multiply_add_is_two(void **state) {
    (void)state;
    roof_operation conv = operation_of("conv in=3 out=64 h=224 w=224 kh=7 kw=7 stride=2 padding=3 dtype=f32");
    assert_exact(roof_operation_flops(&conv), 236027904);
    assert_exact(roof_operation_flops(&conv) / 118013952, 2);
    assert_exact(operation_of("gemm m=512 n=256 k=1024").matrix_flops, 268435456);
}

/* Counters that say 0, or credit the masked half: pytorch/pytorch issue 195460, AI-Hypercomputer/maxtext issue 1972,
 * NVIDIA/Megatron-LM issue 831. */
static void test_attention_counts(void **state) {
    (void)state;
    assert_exact(operation_of("attention heads=12 q_len=64 qk_width=64").matrix_flops, 12582912);
    assert_exact(operation_of("attention heads=12 q_len=64 qk_width=64 causal=1").matrix_flops, 6389760);
    assert_exact(operation_of("attention heads=12 kv_heads=4 q_len=64 qk_width=64").matrix_flops, 12582912);
}

/* Input size, and groups once: sovrasov/flops-counter.pytorch issue 149, deepspeedai/DeepSpeed pull 8323. */
static void test_transposed_convolutions(void **state) {
    (void)state;
    roof_operation a = operation_of("conv-transposed in=3 out=1 h=2 w=2 kh=2 kw=2 stride=2");
    roof_operation b =
        operation_of("conv-transposed batch=2 in=4 out=4 h=8 w=8 kh=3 kw=3 stride=2 padding=1 output_padding=1 "
                     "groups=4 bias=1");
    roof_operation c = operation_of("conv-transposed batch=2 in=6 out=6 h=8 w=8 kh=2 kw=2 stride=2 groups=3 bias=1");
    assert_exact(a.matrix_flops, 2 * 48);
    assert_exact(b.matrix_flops, 2 * 4608);
    assert_exact(roof_operation_flops(&b), 11264);
    assert_exact(c.matrix_flops, 2 * 6144);
    assert_exact(roof_operation_flops(&c), 15360);
}

/* A counter that misses attention: allenai/olmoearth_pretrain pull 605, MrYxJ/calculate-flops.pytorch issue 48. */
static double encoder_block(double tokens, double *linear) {
    char line[128];
    const double shapes[4][2] = {{576, 192}, {192, 192}, {768, 192}, {192, 768}}; /* qkv, out, up, down of width 192 */
    *linear = 0;
    for (int i = 0; i < 4; i++) {
        snprintf(line, sizeof line, "gemm m=%.0f n=%.0f k=%.0f", tokens, shapes[i][0], shapes[i][1]);
        *linear += operation_of(line).matrix_flops;
    }
    snprintf(line, sizeof line, "attention heads=3 q_len=%.0f qk_width=64", tokens);
    return *linear + operation_of(line).matrix_flops;
}

static void test_attention_is_not_linear_in_tokens(void **state) {
    (void)state;
    double linear, more;
    double total = encoder_block(1024, &linear);
    assert_exact(linear, 2 * 452984832.0);
    assert_exact(total, 1711276032);
    assert_near(total / linear, 1 + 1024 / (6 * 192.0), 1e-15);
    assert_exact(encoder_block(2048, &more), 2 * 2516582400.0);
    assert_exact(more, 2 * linear);
}

/* Experts of a small batch: inference-sim pull 790, tile-ai/TileOPs pull 2127. */
static void test_experts_of_a_small_batch(void **state) {
    (void)state;
    const double batch[] = {1, 3, 8, 32}, touched[] = {2.0, 4.625, 7.1990966796875, 7.999196380594235};
    for (int i = 0; i < 4; i++)
        assert_near(roof_experts_touched(8, 2, batch[i]), touched[i], 1e-14);
    assert_near(roof_experts_touched(256, 8, 32), 163.31384595038296, 1e-14);
    /* Mixtral 8x7B, 32 layers, one step of 3 sequences: gate and up, then down */
    roof_operation up = operation_of("grouped-gemm tokens=3 experts=8 top_k=2 n=14336 k=4096 matrices=2");
    roof_operation down = operation_of("grouped-gemm tokens=3 experts=8 top_k=2 n=4096 k=14336");
    assert_near(32 * (up.weight_bytes + down.weight_bytes), 52143587328.0, 1e-14);
    assert_near(32 * 8 / 4.625 * (up.weight_bytes + down.weight_bytes), 90194313216.0, 1e-14); /* all experts */
}

/* Peers charge top_k experts at any batch, or all of them always. */
static void test_experts_between_top_k_and_all(void **state) {
    (void)state;
    roof_operation one = operation_of("grouped-gemm tokens=1 experts=8 top_k=2 n=14336 k=4096 matrices=2");
    roof_operation many = operation_of("grouped-gemm tokens=256 experts=8 top_k=2 n=14336 k=4096 matrices=2");
    assert_exact(one.weight_bytes, 2 * 234881024.0);
    assert_near(many.weight_bytes, 8 * 234881024.0, 1e-12);
}

static roof_figure given(double value) {
    return (roof_figure){.value = value, .origin = ROOF_ORIGIN_GIVEN};
}

static roof_machine accelerator(double bf16, double fp8, double bandwidth) {
    roof_machine machine = {.id = "accelerator", .bandwidth[ROOF_DRAM] = given(bandwidth)};
    machine.peak[ROOF_MATRIX][ROOF_BF16] = given(bf16);
    if (fp8 > 0)
        machine.peak[ROOF_MATRIX][ROOF_FP8] = given(fp8);
    return machine;
}

/* Time of a product when only its weights cross memory. */
static double weights_only(const roof_machine *machine, double batch, const char *dtypes) {
    char line[160];
    roof_verdict verdict;
    snprintf(line, sizeof line, "gemm m=%.0f n=4096 k=4096 weights=1 %s", batch, dtypes);
    roof_operation operation = operation_of(line);
    operation.bytes[ROOF_DRAM] = operation.weight_bytes;
    assert_int_equal(roof_judge(machine, &operation, &verdict, NULL), 0);
    return verdict.seconds;
}

/* Until which batch do INT4 weights pay: casper-hansen/AutoAWQ issue 106, vllm-project/vllm issues 25915 and 2268. */
static void test_int4_weights_pay_until_the_ridge(void **state) {
    (void)state;
    roof_machine h100 = accelerator(989e12, 1979e12, 3.35e12), a100 = accelerator(312e12, 0, 2.039e12);
    const char int4[] = "a=bf16 b=int4 c=bf16", bf16[] = "dtype=bf16";
    const double batch[] = {1, 8, 64, 128, 256, 512};
    const double speedup[] = {4.0, 4.0, 4.0, 2.306436567164179, 1.1532182835820894, 1.0};
    for (int i = 0; i < 6; i++)
        assert_near(weights_only(&h100, batch[i], bf16) / weights_only(&h100, batch[i], int4), speedup[i], 1e-12);
    assert_near(weights_only(&a100, 256, bf16) / weights_only(&a100, 256, int4), 1.0, 1e-12);
    assert_near(weights_only(&h100, 64, bf16) / weights_only(&h100, 64, "a=fp8 b=fp8"), 2.0, 1e-12);
}

/* The batch at which a weight matrix crosses the ridge: 2 B FLOPs a weight against its bytes. */
static void test_ridge_batch(void **state) {
    (void)state;
    roof_machine h100 = accelerator(989e12, 1979e12, 3.35e12), a100 = accelerator(312e12, 0, 2.039e12);
    double ridge = roof_machine_ridge(&h100, ROOF_MATRIX, ROOF_BF16);
    assert_near(ridge, 295.2238805970149, 1e-14);
    assert_near(ridge * roof_dtype_bytes(ROOF_BF16) / 2, 295.2238805970149, 1e-14);
    assert_near(roof_machine_ridge(&h100, ROOF_MATRIX, ROOF_FP8) * roof_dtype_bytes(ROOF_FP8) / 2, 295.3731343283582,
                1e-14);
    assert_near(ridge * roof_dtype_bytes(ROOF_INT4) / 2, 73.80597014925372, 1e-14);
    assert_near(roof_machine_ridge(&a100, ROOF_MATRIX, ROOF_BF16) * roof_dtype_bytes(ROOF_INT4) / 2, 38.254046101029914,
                1e-14);
}

/* FP8 weights beside a long cache: NVIDIA/TensorRT-LLM issue 2329. 7,504,924,672 weights: Llama-3.1-8B without its
 * table. */
static void test_fp8_weights_beside_a_long_cache(void **state) {
    (void)state;
    roof_operation attention =
        operation_of("attention batch=64 heads=32 kv_heads=8 q_len=1 kv_len=8192 qk_width=128 causal=1");
    double cache = 32 * attention.cache_bytes, weights = 2 * 7504924672.0;
    assert_exact(cache, 68719476736);
    assert_near((weights + cache) / (weights / 2 + cache), 1.0984582959442215, 1e-6);
}

/* Counted and moved bytes: JuliaPerf/STREAMBenchmark.jl pull 11, RRZE-HPC/likwid issue 262. */
static void test_write_allocate(void **state) {
    (void)state;
    roof_operation copy = operation_of("copy n=1000"), copied = operation_of("copy n=1000 write_allocate=1");
    roof_operation triad = operation_of("triad n=1000"), moved = operation_of("triad n=1000 write_allocate=1");
    assert_exact(dram_bytes(&copy), 16000);
    assert_exact(dram_bytes(&copied) / dram_bytes(&copy), 1.5);
    assert_exact(dram_bytes(&triad), 24000);
    assert_near(30.0 * dram_bytes(&moved) / dram_bytes(&triad), 40.0, 1e-15); /* GB/s printed, GB/s moved */
    assert_exact(roof_operation_flops(&moved) / dram_bytes(&moved), 0.0625);
}

/* Decode with shared KV heads: hahnyuan/LLM-Viewer issue 12, ml-explore/mlx issue 4076. */
static void test_decode_intensity_is_the_group(void **state) {
    (void)state;
    roof_operation shared =
        operation_of("attention heads=32 kv_heads=8 q_len=1 kv_len=4096 qk_width=128 causal=1 dtype=f16");
    roof_operation all = operation_of("attention heads=32 q_len=1 kv_len=4096 qk_width=128 causal=1 dtype=f16");
    assert_exact(shared.cache_bytes, 16777216);
    assert_exact(shared.matrix_flops, 67108864);
    assert_exact(shared.matrix_flops / shared.cache_bytes, 4.0);
    assert_exact(all.cache_bytes, 67108864);
}

/* Peers price a look-up as a product with the whole table. */
static void test_an_embedding_is_no_product(void **state) {
    (void)state;
    roof_operation operation = operation_of("embedding tokens=2048 width=4096");
    assert_exact(roof_operation_flops(&operation), 0);
    assert_exact(dram_bytes(&operation), 2 * 2048.0 * 4096 * 2);
}

/* Ring factors of NCCL's own benchmark (nccl-tests, doc/PERFORMANCE.md) and its latency steps. */
static void test_collectives(void **state) {
    (void)state;
    const struct {
        const char *line;
        double sent, steps;
    } want[] = {
        {"all-reduce devices=8 bytes=8000", 14000, 14},
        {"all-reduce devices=8 bytes=8000 tree=1", 16000, 6},
        {"all-reduce devices=8 bytes=8000 two_shot=1", 14000, 2},
        {"all-gather devices=8 bytes=8000", 7000, 7},
        {"reduce-scatter devices=8 bytes=8000", 7000, 7},
        {"all-to-all devices=8 bytes=8000", 7000, 7},
        {"point-to-point bytes=8000", 8000, 1},
        {"all-reduce devices=1 bytes=8000", 0, 0},
        {"all-reduce devices=8 bytes=0", 0, 0},
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        roof_operation operation = operation_of(want[i].line);
        assert_exact(operation.link_bytes, want[i].sent);
        assert_exact(operation.link_steps, want[i].steps);
    }
}

static void test_custom_is_what_was_said(void **state) {
    (void)state;
    roof_operation matrix = operation_of("custom flops=1e12 bytes=1e9 dtype=fp8 l2=5e9 link=7 steps=2");
    roof_operation vector = operation_of("custom flops=1e12 bytes=1e9 dtype=f32 vector=1");
    assert_exact(matrix.matrix_flops, 1e12);
    assert_int_equal(matrix.matrix_dtype, ROOF_FP8);
    assert_exact(matrix.bytes[ROOF_L2], 5e9);
    assert_exact(matrix.link_bytes, 7);
    assert_exact(matrix.link_steps, 2);
    assert_exact(vector.vector_flops, 1e12);
    assert_exact(vector.matrix_flops, 0);
}

/* Shapes of convolutions as PyTorch's Conv2d and ConvTranspose2d documentation defines them. */
static void test_convolution_axes(void **state) {
    (void)state;
    roof_operation same = operation_of("conv in=8 out=8 h=32 w=32 kh=3 kw=3 padding=1 dtype=f32");
    assert_exact(same.matrix_flops, 2.0 * 8 * 8 * 9 * 32 * 32);
    roof_operation one_axis = operation_of("conv in=8 out=8 w=100 kw=5 padding=2 stride=3 dtype=f32"); /* 34 outputs */
    assert_exact(one_axis.matrix_flops, 2.0 * 8 * 8 * 5 * 34);
    roof_operation own = operation_of("conv in=8 out=8 h=32 w=32 kh=1 kw=3 padding=1 padding_h=0 dtype=f32");
    assert_exact(own.matrix_flops, 2.0 * 8 * 8 * 3 * 32 * 32);
    roof_operation depthwise = operation_of("conv in=32 out=32 h=16 w=16 kh=3 kw=3 padding=1 groups=32 dtype=f32");
    assert_exact(depthwise.matrix_flops, 2.0 * 32 * 9 * 256);
    assert_exact(depthwise.weight_bytes, 32 * 9 * 4);
    roof_operation nothing = operation_of("conv batch=0 in=8 out=8 w=100 kw=5");
    assert_exact(dram_bytes(&nothing), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_multiply_add_is_two),
        cmocka_unit_test(test_attention_counts),
        cmocka_unit_test(test_transposed_convolutions),
        cmocka_unit_test(test_attention_is_not_linear_in_tokens),
        cmocka_unit_test(test_experts_of_a_small_batch),
        cmocka_unit_test(test_experts_between_top_k_and_all),
        cmocka_unit_test(test_int4_weights_pay_until_the_ridge),
        cmocka_unit_test(test_ridge_batch),
        cmocka_unit_test(test_fp8_weights_beside_a_long_cache),
        cmocka_unit_test(test_write_allocate),
        cmocka_unit_test(test_decode_intensity_is_the_group),
        cmocka_unit_test(test_an_embedding_is_no_product),
        cmocka_unit_test(test_collectives),
        cmocka_unit_test(test_custom_is_what_was_said),
        cmocka_unit_test(test_convolution_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
