/* The micro-kernels that this CPU can run compute what plain C says, for many counts of iterations, sizes and passes,
 * and write nothing else; and the proofs catch kernels that do not. Kernels of other CPUs: the emulated runs beside
 * this. */
#include "test.h"

#include <stdlib.h>

#include "measure/host/host.h"

static bool can_run(feature_set needs) {
    return (needs & ~host_features()) == 0;
}

/* A number of a type by its definition (IEEE 754; bfloat16: the upper half of a float). */
static double value_at(roof_dtype dtype, const unsigned char *place) {
    float single;
    double wide;
    int32_t integer;
    uint16_t half;
    switch (dtype) {
    case ROOF_F64:
        return memcpy(&wide, place, sizeof wide), wide;
    case ROOF_F32:
        return memcpy(&single, place, sizeof single), (double)single;
    case ROOF_INT32:
        return memcpy(&integer, place, sizeof integer), integer;
    case ROOF_INT8:
        return *(const signed char *)place;
    default:
        break;
    }
    memcpy(&half, place, sizeof half);
    if (dtype == ROOF_BF16) {
        uint32_t bits = (uint32_t)half << 16;
        return memcpy(&single, &bits, sizeof single), (double)single;
    }
    int exponent = half >> 10 & 31, mantissa = half & 1023;
    double normal = exponent == 31 ? HUGE_VAL : ldexp(1024 + mantissa, exponent - 25);
    double size = exponent == 0 ? ldexp(mantissa, -24) : normal;
    return half >> 15 ? -size : size;
}

static const unsigned char *lane_of(const compute_kernel *kernel, const compute_state *state, int index, int lane) {
    int size = vector_bytes(kernel) / compute_lanes(kernel);
    return state->accumulators + index * vector_bytes(kernel) + lane * size;
}

static void check_results(const compute_kernel *kernel, uint64_t iterations) {
    compute_state before, after;
    compute_prepare(kernel, &before);
    after = before;
    kernel->run(&after, iterations);
    for (int index = 0; index < kernel->accumulators; index++)
        for (int lane = 0; lane < compute_lanes(kernel); lane++) {
            double got = value_at(kernel->result, lane_of(kernel, &after, index, lane));
            double want = compute_expected(kernel, &before, index, lane, iterations);
            if (got != want)
                fail_msg("%s: %g instead of %g after %d iterations", kernel->name, got, want, (int)iterations);
        }
    assert_memory_equal(&after, &before, offsetof(compute_state, accumulators));
    assert_memory_equal(after.tiles, before.tiles, sizeof before.tiles);
}

static void every_kernel_computes_what_it_says(void **state) {
    (void)state;
    static const uint64_t iterations[] = {1, 2, 5, 64, 99, 100};
    const compute_kernel *kernel;
    for (size_t i = 0; (kernel = compute_kernel_at(i)) != NULL; i++) {
        if (!can_run(kernel->needs))
            continue;
        if (compute_prove(kernel) != 0)
            fail_msg("%s: the proof fails", kernel->name);
        for (size_t n = 0; n < sizeof iterations / sizeof *iterations; n++)
            check_results(kernel, iterations[n]);
    }
}

/* One update by its definition, in C: compute_expected() against a sum of single updates. */
static void expected_results_are_sums_of_single_updates(void **state) {
    (void)state;
    const compute_kernel *kernel;
    for (size_t i = 0; (kernel = compute_kernel_at(i)) != NULL; i++) {
        if (kernel->columns != 0 || !can_run(kernel->needs))
            continue;
        compute_state before;
        compute_prepare(kernel, &before);
        int size = (int)roof_dtype_bytes(kernel->dtype);
        for (int lane = 0; lane < compute_lanes(kernel); lane++) {
            double first = value_at(kernel->result, lane_of(kernel, &before, 0, lane)), value = first, dot = 0;
            double x = value_at(kernel->dtype, before.x + lane * kernel->terms * size);
            for (int term = 0; term < kernel->terms; term++)
                dot += value_at(kernel->dtype, before.x + (lane * kernel->terms + term) * size) *
                       value_at(kernel->dtype, before.y + (lane * kernel->terms + term) * size);
            bool is_mul = kernel->pattern == ROOF_PATTERN_MUL || kernel->pattern == ROOF_PATTERN_MUL_ADD;
            for (int update = 0; update < 3 * kernel->times; update++)
                value = is_mul ? value * x : value + (kernel->pattern == ROOF_PATTERN_ADD ? x : dot);
            assert_exact(compute_expected(kernel, &before, 0, lane, 3), value);
        }
    }
}

static double flops_by_definition(const compute_kernel *kernel) {
    double lanes = compute_lanes(kernel), adds = kernel->adds ? kernel->adds : kernel->accumulators / 2;
    double updates = kernel->accumulators * kernel->times;
    double added = adds * (kernel->adds ? kernel->add_times : kernel->times);
    double others = (kernel->accumulators - adds) * kernel->times;
    switch (kernel->pattern) {
    case ROOF_PATTERN_FMA:
    case ROOF_PATTERN_DOT:
        return lanes * updates * 2 * kernel->terms;
    case ROOF_PATTERN_FMA_ADD:
        return lanes * (2 * others + added);
    case ROOF_PATTERN_MUL_ADD:
        return lanes * (others + added);
    default:
        return lanes * updates;
    }
}

/* Bytes for each counted one when the lines that are written are read first. Of AArch64 that is not known: the least.
 */
static double moved_by(roof_pattern pattern) {
    static const double moved[ROOF_PATTERN_COUNT] = {
        [ROOF_PATTERN_STORE] = 2, [ROOF_PATTERN_COPY] = 1.5, [ROOF_PATTERN_TRIAD] = 4.0 / 3};
#if defined __x86_64__
    return moved[pattern] > 0 ? moved[pattern] : 1;
#else
    return (void)moved, (void)pattern, 1;
#endif
}

static void rows_are_sound(void **state) {
    (void)state;
    const compute_kernel *kernel, *other;
    for (size_t i = 0; (kernel = compute_kernel_at(i)) != NULL; i++) {
        if (kernel->lanes == 0 && !can_run(kernel->needs))
            continue; /* no SVE, no length */
        assert_true(kernel->accumulators <= ACCUMULATORS_MAX && roof_pattern_is_compute(kernel->pattern));
        assert_true(kernel->accumulators * vector_bytes(kernel) <= (int)sizeof(((compute_state *)0)->accumulators));
        assert_exact(compute_flops(kernel), flops_by_definition(kernel));
        for (size_t j = 0; j < i && (other = compute_kernel_at(j)) != NULL; j++)
            assert_string_not_equal(kernel->name, other->name);
    }
    const stream_kernel *stream;
    for (size_t i = 0; (stream = stream_kernel_at(i)) != NULL; i++) {
        assert_true(stream->step % 64 == 0 && stream->step <= 2048 && roof_pattern_is_memory(stream->pattern));
        assert_exact(stream->moved, moved_by(stream->pattern));
        assert_true(stream->arrays >= 1 && stream->arrays <= 3);
        bool in_place = stream->pattern == ROOF_PATTERN_UPDATE;
        assert_int_equal(stream_counted(stream), in_place ? 2 : stream->arrays);
    }
}

/* Slow numbers make a loop lie: after a long run everything is still finite, and normal or zero. */
static void long_runs_stay_normal(void **state) {
    (void)state;
    const compute_kernel *kernel;
    for (size_t i = 0; (kernel = compute_kernel_at(i)) != NULL; i++) {
        if (!can_run(kernel->needs))
            continue;
        compute_state now;
        compute_prepare(kernel, &now);
        kernel->run(&now, kernel->columns ? 200 : 20000);
        double least = kernel->result == ROOF_F16 ? ldexp(1, -14) : kernel->result == ROOF_F32 ? ldexp(1, -126) : 0;
        for (int index = 0; index < kernel->accumulators; index++)
            for (int lane = 0; lane < compute_lanes(kernel); lane++) {
                double value = fabs(value_at(kernel->result, lane_of(kernel, &now, index, lane)));
                if (!(value < HUGE_VAL) || (value != 0 && value < least))
                    fail_msg("%s: %g after a long run", kernel->name, value);
            }
    }
}

/* Kernels that are wrong in the ways that matter: C doing the work of a row of two accumulators. */
static void update(compute_state *state, int index, double times) {
    double *accumulators = (double *)(void *)state->accumulators, *x = (double *)(void *)state->x;
    for (; times > 0; times--)
        accumulators[index] *= x[0];
}

static void run_right(compute_state *state, uint64_t iterations) {
    update(state, 0, (double)iterations);
    update(state, 1, (double)iterations);
}

static void run_nothing(compute_state *state, uint64_t iterations) {
    (void)state;
    (void)iterations;
}

static void run_one_less(compute_state *state, uint64_t iterations) {
    run_right(state, iterations);
    update(state, 1, -1);
    ((double *)(void *)state->accumulators)[1] /= ((double *)(void *)state->x)[0];
}

static void run_twice_more(compute_state *state, uint64_t iterations) { /* multiplying by -1 twice more is not seen */
    run_right(state, iterations + 2);
}

static void run_once_only(compute_state *state, uint64_t iterations) {
    (void)iterations;
    run_right(state, 1);
}

static void run_one_accumulator(compute_state *state, uint64_t iterations) {
    update(state, 0, (double)iterations);
}

static void run_and_write_operands(compute_state *state, uint64_t iterations) {
    run_right(state, iterations);
    state->y[VECTOR_BYTES_MAX - 1] ^= 1;
}

static void run_and_write_after(compute_state *state, uint64_t iterations) {
    run_right(state, iterations);
    state->accumulators[2 * sizeof(double)] ^= 1;
}

static void proofs_catch_wrong_kernels(void **state) {
    (void)state;
    compute_kernel row = {.name = "plain",
                          .pattern = ROOF_PATTERN_MUL,
                          .dtype = ROOF_F64,
                          .result = ROOF_F64,
                          .accumulators = 2,
                          .times = 1,
                          .lanes = 1,
                          .terms = 1,
                          .run = run_right};
    void (*const wrong[])(compute_state *, uint64_t) = {
        run_nothing,         run_one_less,           run_twice_more,      run_once_only,
        run_one_accumulator, run_and_write_operands, run_and_write_after,
    };
    assert_int_equal(compute_prove(&row), 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        row.run = wrong[i];
        if (compute_prove(&row) != -1)
            fail_msg("wrong kernel %d passes", (int)i);
    }
}

/* ---- streams ---- */

enum { STEPS = 40, GAP = 4096 };

/* One block with the arrays in it and gaps around them, so that a write anywhere else is seen. */
typedef struct stream_block {
    unsigned char *bytes;
    size_t size;
    unsigned char *array[3];
} stream_block;

static stream_block block_of(uint64_t bytes) {
    stream_block block = {.size = 3 * bytes + 4 * GAP};
    block.bytes = aligned_alloc(4096, (block.size + 4095) / 4096 * 4096);
    assert_non_null(block.bytes);
    for (size_t i = 0; i < block.size; i += sizeof(double)) {
        double value = (double)(i * 37 % 1021) / 8 - 60;
        memcpy(block.bytes + i, &value, sizeof value);
    }
    for (size_t i = 0; i < 3; i++)
        block.array[i] = block.bytes + GAP + i * (bytes + GAP);
    return block;
}

static void expect(roof_pattern pattern, const stream_block *block, uint64_t bytes, uint64_t passes, double s) {
    double *a = (double *)(void *)block->array[0];
    const double *b = (double *)(void *)block->array[1], *c = (double *)(void *)block->array[2];
    for (uint64_t i = 0; i < bytes / sizeof *a; i++) {
        if (pattern == ROOF_PATTERN_STORE || pattern == ROOF_PATTERN_STORE_NT)
            a[i] = s;
        else if (pattern == ROOF_PATTERN_COPY || pattern == ROOF_PATTERN_COPY_NT)
            a[i] = b[i];
        else if (pattern == ROOF_PATTERN_UPDATE)
            a[i] *= pow(s, (double)passes);
        else if (pattern != ROOF_PATTERN_LOAD)
            a[i] = b[i] + s * c[i];
    }
}

/* Lane by lane: the number of lanes in use is the only thing looked at in the result. */
static void check_sums(const stream_kernel *kernel, const stream_args *args) {
    uint64_t sum[32], want[32] = {0}, lanes = 32;
    memcpy(sum, args->sum, sizeof sum);
    while (lanes > 1 && sum[lanes - 1] == 0)
        lanes--;
    for (uint64_t at = 0; at < args->bytes / 8; at++) {
        uint64_t word;
        memcpy(&word, args->a + at * 8, sizeof word);
        want[at % lanes] += word * args->passes;
    }
    if (kernel->sums && memcmp(sum, want, sizeof want) != 0)
        fail_msg("%s: not the sums of %d bytes, %d passes", kernel->name, (int)args->bytes, (int)args->passes);
}

static void check_stream(const stream_kernel *kernel, uint64_t steps, uint64_t passes) {
    uint64_t bytes = steps * kernel->step;
    stream_block got = block_of(bytes), want = block_of(bytes);
    stream_args args = {.a = got.array[0],
                        .b = got.array[1],
                        .c = got.array[2],
                        .bytes = bytes,
                        .passes = passes,
                        .s = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}};
    expect(kernel->pattern, &want, bytes, passes, 0.5);
    kernel->run(&args);
    if (memcmp(got.bytes, want.bytes, got.size) != 0)
        fail_msg("%s: wrong after %d steps, %d passes", kernel->name, (int)steps, (int)passes);
    if (kernel->pattern == ROOF_PATTERN_LOAD)
        check_sums(kernel, &args);
    free(got.bytes);
    free(want.bytes);
}

static void every_stream_moves_what_it_says(void **state) {
    (void)state;
    static const uint64_t steps[] = {1, 2, 3, 7, STEPS}, passes[] = {1, 2, 5};
    const stream_kernel *kernel;
    for (size_t i = 0; (kernel = stream_kernel_at(i)) != NULL; i++) {
        if (!can_run(kernel->needs))
            continue;
        if (stream_prove(kernel) != 0)
            fail_msg("%s: the proof fails", kernel->name);
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
            for (size_t p = 0; p < sizeof passes / sizeof *passes; p++)
                check_stream(kernel, steps[s], passes[p]);
    }
}

static void copy_right(stream_args *args) {
    memcpy(args->a, args->b, args->bytes);
}

static void copy_short(stream_args *args) {
    memcpy(args->a, args->b, args->bytes - 8);
}

static void copy_beyond(stream_args *args) {
    copy_right(args);
    args->a[args->bytes] ^= 1;
}

static void copy_before(stream_args *args) {
    copy_right(args);
    args->a[-1] ^= 1;
}

static void update_times(stream_args *args, uint64_t passes) {
    for (; passes > 0; passes--)
        for (uint64_t at = 0; at < args->bytes / sizeof(double); at++)
            ((double *)(void *)args->a)[at] *= args->s[0];
}

static void update_right(stream_args *args) {
    update_times(args, args->passes);
}

static void update_once(stream_args *args) {
    update_times(args, 1);
}

static void update_short(stream_args *args) {
    args->bytes -= 8;
    update_right(args);
    args->bytes += 8;
}

static void load_words(stream_args *args, uint64_t bytes, uint64_t passes) {
    uint64_t sum = 0, word;
    for (uint64_t at = 0; at < bytes; at += sizeof word) {
        memcpy(&word, args->a + at, sizeof word);
        sum += word * passes;
    }
    memcpy(args->sum, &sum, sizeof sum);
}

static void load_right(stream_args *args) {
    load_words(args, args->bytes, args->passes);
}

static void load_short(stream_args *args) {
    load_words(args, args->bytes - 8, args->passes);
}

static void load_one_pass(stream_args *args) {
    load_words(args, args->bytes, 1);
}

static void proofs_catch_wrong_streams(void **state) {
    (void)state;
    static const struct {
        roof_pattern pattern;
        bool sums;
        void (*run)(stream_args *);
        int want;
    } cases[] = {
        {ROOF_PATTERN_COPY, false, copy_right, 0},      {ROOF_PATTERN_COPY, false, copy_short, -1},
        {ROOF_PATTERN_COPY, false, copy_beyond, -1},    {ROOF_PATTERN_COPY, false, copy_before, -1},
        {ROOF_PATTERN_TRIAD, false, copy_right, -1},    {ROOF_PATTERN_STORE, false, copy_right, -1},
        {ROOF_PATTERN_UPDATE, false, update_right, 0},  {ROOF_PATTERN_UPDATE, false, update_once, -1},
        {ROOF_PATTERN_UPDATE, false, update_short, -1}, {ROOF_PATTERN_UPDATE, false, copy_right, -1},
        {ROOF_PATTERN_LOAD, true, load_right, 0},       {ROOF_PATTERN_LOAD, true, load_short, -1},
        {ROOF_PATTERN_LOAD, true, load_one_pass, -1},   {ROOF_PATTERN_LOAD, true, copy_right, -1},
        {ROOF_PATTERN_LOAD, false, load_right, -1}, /* a sum is not a vector of the last step */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        stream_kernel row = {.name = "plain",
                             .pattern = cases[i].pattern,
                             .arrays = 2,
                             .step = 512,
                             .sums = cases[i].sums,
                             .run = cases[i].run};
        if (stream_prove(&row) != cases[i].want)
            fail_msg("case %d: not %d", (int)i, cases[i].want);
    }
}

static void chains_say_how_long_they_are(void **state) {
    (void)state;
    static const uint64_t counts[][2] = {{0, 0}, {1, 64}, {63, 64}, {64, 64}, {65, 128}, {1000, 1024}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        assert_int_equal(chain_adds(counts[i][0]), counts[i][1]);
        assert_int_equal(chain_multiplies(counts[i][0]), counts[i][1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_computes_what_it_says),
        cmocka_unit_test(expected_results_are_sums_of_single_updates),
        cmocka_unit_test(rows_are_sound),
        cmocka_unit_test(long_runs_stay_normal),
        cmocka_unit_test(proofs_catch_wrong_kernels),
        cmocka_unit_test(every_stream_moves_what_it_says),
        cmocka_unit_test(proofs_catch_wrong_streams),
        cmocka_unit_test(chains_say_how_long_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
