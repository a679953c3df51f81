/* Attention: pairs and rows against a brute-force mask, FLOPs and bytes against their definitions, errors peers make.
 */
#include "work/line.h"
#include "work/ops.h"

/* ------------------------------------------------- an oracle: the mask itself -- */

typedef struct attention_mask {
    int q_len, kv_len, causal, window, chunk;
} attention_mask;

static bool sees(const attention_mask *mask, int query, int key) {
    int p = mask->kv_len - mask->q_len + query;
    if (mask->causal && key > p)
        return false;
    if (mask->chunk && key / mask->chunk != p / mask->chunk)
        return false;
    if (!mask->window)
        return true;
    if (mask->causal)
        return p - key < mask->window;
    int before = (mask->window - 1) / 2;
    return key >= p - before && key <= p + (mask->window - 1 - before);
}

static int count_pairs(const attention_mask *mask, int *oldest) {
    int pairs = 0;
    *oldest = mask->kv_len;
    for (int query = 0; query < mask->q_len; query++)
        for (int key = 0; key < mask->kv_len; key++)
            if (sees(mask, query, key)) {
                pairs++;
                *oldest = key < *oldest ? key : *oldest;
            }
    return pairs;
}

static void check_mask(const attention_mask *mask) {
    int oldest, want = count_pairs(mask, &oldest);
    double pairs = roof_attention_pairs(mask->q_len, mask->kv_len, mask->causal, mask->window, mask->chunk);
    double rows = work_attention_rows(mask->q_len, mask->kv_len, mask->causal, mask->window, mask->chunk);
    if (pairs != want || rows != mask->kv_len - oldest)
        fail_msg("q %d kv %d causal %d window %d chunk %d: %g pairs, %g rows, not %d, %d", mask->q_len, mask->kv_len,
                 mask->causal, mask->window, mask->chunk, pairs, rows, want, mask->kv_len - oldest);
}

static void test_every_small_mask(void **state) {
    (void)state;
    attention_mask mask;
    for (mask.kv_len = 1; mask.kv_len <= 11; mask.kv_len++)
        for (mask.q_len = 1; mask.q_len <= mask.kv_len; mask.q_len++)
            for (mask.causal = 0; mask.causal < 2; mask.causal++)
                for (mask.window = 0; mask.window < 13; mask.window++)
                    for (mask.chunk = 0; mask.chunk < 13; mask.chunk++)
                        check_mask(&mask);
}

static void test_pairs_at_the_edges(void **state) {
    (void)state;
    assert_exact(roof_attention_pairs(0, 100, true, 0, 0), 0);
    assert_exact(roof_attention_pairs(100, 0, false, 0, 0), 0);
    assert_exact(roof_attention_pairs(1, 1e15, true, 0, 0), 1e15); /* no cancellation */
    assert_exact(roof_attention_pairs(1, 1e15, true, 4096, 0), 4096);
    assert_exact(roof_attention_pairs(7, 5, false, 0, 0), 35); /* cross attention */
}

/* ------------------------------------------------------------ costs -- */

static void test_parts_add_up(void **state) {
    (void)state;
    roof_operation operation = operation_of(
        "attention batch=3 heads=8 kv_heads=2 q_len=5 kv_len=100 qk_width=64 v_width=32 causal=1 append=1 kv=fp8");
    double pairs = 5 * 95 + 15; /* 96 + ... + 100 */
    assert_exact(operation.matrix_flops, 2 * pairs * (64 + 32) * 8 * 3);
    assert_exact(operation.vector_flops, 5 * pairs * 8 * 3);
    assert_exact(operation.cache_bytes, 3 * (100 + 5) * 2 * (64 + 32));
    assert_exact(dram_bytes(&operation), operation.cache_bytes + 3 * 8 * 5 * (64 + 32) * 2);
    assert_exact(operation.least_bytes, dram_bytes(&operation));
    assert_exact(operation.most_bytes, dram_bytes(&operation));
    assert_exact(operation.weight_bytes, 0);
    assert_int_equal(operation.matrix_dtype, ROOF_BF16);
    assert_int_equal(operation.vector_dtype, ROOF_F32);
}

static void test_math_is_16_bits_at_least(void **state) {
    (void)state;
    assert_int_equal(operation_of("attention heads=1 q_len=1 qk_width=64 dtype=fp8").matrix_dtype, ROOF_BF16);
    assert_int_equal(operation_of("attention heads=1 q_len=1 qk_width=64 q=f16 kv=fp8").matrix_dtype, ROOF_F16);
    assert_int_equal(operation_of("attention heads=1 q_len=1 qk_width=64 dtype=fp8 math=fp8").matrix_dtype, ROOF_FP8);
}

/* Peers: fused attention that reads the KV heads once a query head, or that sizes PV by the KV heads. */
static void test_shared_kv_heads(void **state) {
    (void)state;
    roof_operation all = operation_of("attention heads=32 q_len=1 kv_len=4096 qk_width=128 causal=1");
    roof_operation shared = operation_of("attention heads=32 kv_heads=8 q_len=1 kv_len=4096 qk_width=128 causal=1");
    assert_exact(shared.matrix_flops, all.matrix_flops);
    assert_exact(shared.vector_flops, all.vector_flops);
    assert_exact(all.cache_bytes, 4 * shared.cache_bytes);
}

/* Peers: a fused output of S x S. Doubling the length must double, not quadruple, the bytes. */
static void test_fused_bytes_grow_with_the_length(void **state) {
    (void)state;
    roof_operation one = operation_of("attention heads=32 q_len=2048 qk_width=128 causal=1");
    roof_operation two = operation_of("attention heads=32 q_len=4096 qk_width=128 causal=1");
    roof_operation eager = operation_of("attention heads=32 q_len=2048 qk_width=128 causal=1 unfused=1");
    assert_exact(dram_bytes(&two), 2 * dram_bytes(&one));
    assert_exact(dram_bytes(&eager) - dram_bytes(&one), 4.0 * 32 * 2048 * 2048 * 2);
    assert_exact(eager.matrix_flops, one.matrix_flops);
}

/* Peers: chunked or cached causal attention refused, or halved; the parts of a prefill must add up to the whole. */
static void test_a_chunked_prefill_adds_up(void **state) {
    (void)state;
    roof_operation whole = operation_of("attention heads=4 q_len=1000 qk_width=64 causal=1");
    double flops = 0;
    const char *parts[] = {"attention heads=4 q_len=400 kv_len=400 qk_width=64 causal=1",
                           "attention heads=4 q_len=400 kv_len=800 qk_width=64 causal=1",
                           "attention heads=4 q_len=200 kv_len=1000 qk_width=64 causal=1"};
    for (int i = 0; i < 3; i++)
        flops += operation_of(parts[i]).matrix_flops;
    assert_exact(flops, whole.matrix_flops);
}

/* Peers: the cache length missing from decode FLOPs; the whole cache read and written each token. */
static void test_decode_reads_the_cache_once(void **state) {
    (void)state;
    roof_operation one =
        operation_of("attention heads=32 kv_heads=8 q_len=1 kv_len=1000 qk_width=128 causal=1 append=1");
    roof_operation two =
        operation_of("attention heads=32 kv_heads=8 q_len=1 kv_len=2000 qk_width=128 causal=1 append=1");
    assert_exact(two.matrix_flops, 2 * one.matrix_flops);
    double row = 8 * 256 * 2;
    assert_exact(one.cache_bytes, 1001 * row); /* 1,000 read, 1 written */
    assert_exact(two.cache_bytes - one.cache_bytes, 1000 * row);
}

static void test_a_window_bounds_the_cache(void **state) {
    (void)state;
    roof_operation early = operation_of("attention heads=8 q_len=1 kv_len=100 qk_width=64 window=128 causal=1");
    roof_operation late = operation_of("attention heads=8 q_len=1 kv_len=100000 qk_width=64 window=128 causal=1");
    roof_operation several = operation_of("attention heads=8 q_len=4 kv_len=100000 qk_width=64 window=128 causal=1");
    double row = 8 * 128 * 2;
    assert_exact(early.cache_bytes, 100 * row);
    assert_exact(late.cache_bytes, 128 * row);
    assert_exact(several.cache_bytes, (128 + 4 - 1) * row);
}

static void test_latent_rows_serve_keys_and_values(void **state) {
    (void)state;
    roof_operation operation =
        operation_of("attention batch=2 heads=128 q_len=1 kv_len=1000 qk_width=576 v_width=512 latent=1 causal=1");
    assert_exact(operation.cache_bytes, 2 * 1000 * 576 * 2); /* 1,152 B a token and layer: DeepSeek-V3 */
    assert_exact(operation.matrix_flops, 2.0 * 2 * 128 * 1000 * (576 + 512));
}

static void test_nothing_to_do(void **state) {
    (void)state;
    roof_operation operation = operation_of("attention heads=32 q_len=0 qk_width=128 causal=1");
    assert_exact(roof_operation_flops(&operation), 0);
    assert_exact(dram_bytes(&operation), 0);
    operation = operation_of("attention batch=0 heads=32 q_len=5 qk_width=128 unfused=1 append=1");
    assert_exact(roof_operation_flops(&operation), 0);
    assert_exact(dram_bytes(&operation), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_small_mask),
        cmocka_unit_test(test_pairs_at_the_edges),
        cmocka_unit_test(test_parts_add_up),
        cmocka_unit_test(test_math_is_16_bits_at_least),
        cmocka_unit_test(test_shared_kv_heads),
        cmocka_unit_test(test_fused_bytes_grow_with_the_length),
        cmocka_unit_test(test_a_chunked_prefill_adds_up),
        cmocka_unit_test(test_decode_reads_the_cache_once),
        cmocka_unit_test(test_a_window_bounds_the_cache),
        cmocka_unit_test(test_latent_rows_serve_keys_and_values),
        cmocka_unit_test(test_nothing_to_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
