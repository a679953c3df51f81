/* Properties over pseudo-random shapes (fixed seed): costs are finite, never negative and never fall when a count
 * rises; work adds over the batch; twice the machine takes half the time with the same verdict. */
#include "work/kinds.h"
#include "work/line.h"
#include "work/ops.h"

enum { ROUNDS = 300 };

static uint64_t random_state;

static double next_random(void) { /* xorshift64, Marsaglia 2003; 0 <= x < 1 */
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (double)(random_state >> 11) / 9007199254740992.0;
}

/* What a parameter may be in a random shape: sizes spread over their order of magnitude, small where they are divisors.
 */
static double random_value(const roof_parameter *parameter) {
    if (parameter->type == ROOF_PARAMETER_FLAG)
        return next_random() < 0.5;
    if (strcmp(parameter->name, "groups") == 0 || strncmp(parameter->name, "k", 1) != 0)
        return fmin(floor(exp2(next_random() * 14)), parameter->most);
    return floor(1 + next_random() * 7); /* kernels */
}

static bool is_one_of(const char *name, const char *list) {
    char pattern[48];
    snprintf(pattern, sizeof pattern, " %s ", name);
    return strstr(list, pattern) != NULL;
}

/* Parameters that are not sizes (formats, algorithms, axes); and those that rightly lower a cost when they rise. */
static const char fixed_parameters[] =
    " bits block_rows block_cols scale_bits zero_bits tree two_shot touched window chunk kv_heads "
    " v_width kv_len groups stride stride_d stride_h stride_w dilation dilation_d dilation_h "
    " dilation_w padding padding_d padding_h padding_w output_padding output_padding_d "
    " output_padding_h output_padding_w latent cols causal key_heads decay f16_accumulate ";
static const char not_monotone[] = " top_k kd kh kw points flops plain real vector devices ";

static size_t random_arguments(const roof_kind_info *info, roof_argument *out) {
    size_t count = 0;
    for (size_t i = 0; i < info->parameter_count; i++) {
        const roof_parameter *parameter = &info->parameters[i];
        if (parameter->type == ROOF_PARAMETER_DTYPE ||
            (!parameter->required && is_one_of(parameter->name, fixed_parameters)))
            continue;
        out[count++] = (roof_argument){.name = parameter->name, .value = random_value(parameter)};
    }
    return count;
}

static void check_sane(const roof_operation *operation) {
    const double costs[] = {operation->matrix_flops, operation->vector_flops, operation->weight_bytes,
                            operation->cache_bytes,  dram_bytes(operation),   operation->least_bytes,
                            operation->most_bytes,   operation->link_bytes,   operation->link_steps};
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        assert_true(isfinite(costs[i]) && costs[i] >= 0);
    assert_true(operation->least_bytes <= dram_bytes(operation) && dram_bytes(operation) <= operation->most_bytes);
    assert_true(operation->weight_bytes + operation->cache_bytes <= dram_bytes(operation) * (1 + 1e-15));
}

static void check_explanation(const roof_operation *operation) {
    char text[8192];
    size_t length = roof_operation_explain(operation, text, sizeof text);
    assert_true(length > 0 && length < sizeof text);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        if (strcspn(line, "\n") > 80)
            fail_msg("more than 80 columns:\n%s", text);
    if (strstr(text, "nan") || strstr(text, "{") || strstr(text, "|"))
        fail_msg("a hole:\n%s", text);
}

static void check_no_less(const roof_operation *small, const roof_operation *large, const char *name) {
    bool less = large->matrix_flops < small->matrix_flops || large->vector_flops < small->vector_flops ||
                dram_bytes(large) < dram_bytes(small) || large->link_bytes < small->link_bytes ||
                large->weight_bytes < small->weight_bytes || large->cache_bytes < small->cache_bytes;
    if (less)
        fail_msg("%s costs less with more %s", small->name, name);
}

static void check_kind(roof_kind kind) {
    const roof_kind_info *info = roof_kind_describe(kind);
    roof_argument arguments[WORK_ARGUMENT_MAX];
    roof_operation small, large;
    int built = 0;
    for (int round = 0; round < ROUNDS; round++) {
        size_t count = random_arguments(info, arguments);
        if (roof_operation_build(kind, arguments, count, &small, NULL))
            continue; /* a kernel that does not fit, more choices than experts */
        built++;
        check_sane(&small);
        check_explanation(&small);
        roof_argument *changed = &arguments[(size_t)(next_random() * (double)count)];
        if (is_one_of(changed->name, not_monotone))
            continue;
        changed->value = changed->value == 0 ? 1 : changed->value + 1;
        if (roof_operation_build(kind, arguments, count, &large, NULL))
            continue; /* a flag above 1 */
        check_no_less(&small, &large, changed->name);
    }
    if (built < ROUNDS / 10)
        fail_msg("only %d of %d random shapes of %s were built", built, ROUNDS, info->name);
}

static void test_costs_are_sane_and_monotone(void **state) {
    (void)state;
    random_state = 20090401;
    for (int kind = 0; kind < ROOF_KIND_COUNT; kind++)
        check_kind((roof_kind)kind);
}

/* Monotone where the sweep above holds them fixed: lengths of attention with its mask. */
static void test_attention_is_monotone_in_its_lengths(void **state) {
    (void)state;
    random_state = 7;
    for (int round = 0; round < 2000; round++) {
        roof_attention_shape shape = {.batch = 1,
                                      .heads = 8,
                                      .kv_heads = 2,
                                      .qk_width = 64,
                                      .v_width = 64,
                                      .causal = round & 1,
                                      .q = ROOF_BF16,
                                      .kv = ROOF_BF16,
                                      .out = ROOF_BF16,
                                      .append = round & 2,
                                      .unfused = round & 4};
        shape.q_len = floor(next_random() * 300);
        shape.kv_len = shape.q_len + floor(next_random() * 3000);
        shape.window = round & 8 ? floor(1 + next_random() * 400) : 0;
        roof_operation small, large;
        roof_attention(&shape, &small);
        check_sane(&small);
        shape.kv_len += 1;
        roof_attention(&shape, &large);
        check_no_less(&small, &large, "keys");
        shape.q_len += 1; /* one query more of the same sequence */
        roof_attention(&shape, &large);
        check_no_less(&small, &large, "queries");
        if (shape.window > 0) {
            shape.window += 1;
            roof_operation wider = large;
            roof_attention(&shape, &wider);
            check_no_less(&large, &wider, "window");
        }
    }
}

static void test_flops_add_over_the_batch(void **state) {
    (void)state;
    random_state = 42;
    for (int kind = 0; kind < ROOF_KIND_COUNT; kind++) {
        const roof_kind_info *info = roof_kind_describe((roof_kind)kind);
        roof_argument arguments[WORK_ARGUMENT_MAX];
        for (int round = 0; round < 50 && work_parameter_place(info, "batch") >= 0; round++) {
            size_t count = random_arguments(info, arguments), batch = 0;
            while (strcmp(arguments[batch].name, "batch") != 0)
                batch++;
            double flops[3], sizes[3] = {3, 4, 7};
            bool built = true;
            for (int i = 0; i < 3 && built; i++) {
                roof_operation operation;
                arguments[batch].value = sizes[i];
                built = roof_operation_build((roof_kind)kind, arguments, count, &operation, NULL) == 0;
                flops[i] = built ? roof_operation_flops(&operation) : 0;
            }
            if (built)
                assert_near(flops[2], flops[0] + flops[1], 1e-12);
        }
    }
}

/* More devices send more and wait longer, each (what one device holds of a gathered buffer falls). */
static void test_links_are_monotone_in_devices(void **state) {
    (void)state;
    const char *kinds[] = {"all-reduce", "all-gather", "reduce-scatter", "all-to-all"};
    for (int i = 0; i < 4; i++)
        for (double devices = 1, bytes = 0, steps = -1; devices <= 4096; devices++) {
            char line[64];
            snprintf(line, sizeof line, "%s devices=%.0f bytes=1e9", kinds[i], devices);
            roof_operation operation = operation_of(line);
            assert_true(operation.link_bytes >= bytes && operation.link_bytes < 2e9 && operation.link_steps > steps);
            bytes = operation.link_bytes;
            steps = operation.link_steps;
        }
}

/* ---------------------------------------------------------------- verdicts -- */

static roof_figure given(double value) {
    return (roof_figure){.value = value, .origin = ROOF_ORIGIN_GIVEN};
}

/* A machine with round numbers for every dtype. */
static roof_machine round_machine(double scale) {
    roof_machine machine = {.id = "round"};
    for (int dtype = ROOF_F64; dtype < ROOF_DTYPE_COUNT; dtype++) {
        machine.peak[ROOF_MATRIX][dtype] = given(scale * 1e15);
        machine.peak[ROOF_VECTOR][dtype] = given(scale * 5e13);
    }
    machine.bandwidth[ROOF_DRAM] = given(scale * 3e12);
    machine.link = given(scale * 4e11);
    return machine;
}

static void test_twice_the_machine_half_the_time(void **state) {
    (void)state;
    random_state = 1;
    roof_machine one = round_machine(1), two = round_machine(2);
    for (int kind = 0; kind < ROOF_KIND_COUNT; kind++) {
        const roof_kind_info *info = roof_kind_describe((roof_kind)kind);
        for (int round = 0; round < 100; round++) {
            roof_argument arguments[WORK_ARGUMENT_MAX];
            roof_operation operation;
            roof_verdict slow, fast;
            if (roof_operation_build((roof_kind)kind, arguments, random_arguments(info, arguments), &operation, NULL))
                continue;
            assert_int_equal(roof_judge(&one, &operation, &slow, NULL), 0);
            assert_int_equal(roof_judge(&two, &operation, &fast, NULL), 0);
            assert_exact(fast.seconds, slow.seconds / 2);
            assert_int_equal(fast.bound, slow.bound);
            assert_true(fast.margin == slow.margin); /* may be infinite */
            assert_true(fast.intensity == slow.intensity);
            assert_exact(fast.ridge, slow.ridge);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_costs_are_sane_and_monotone),
        cmocka_unit_test(test_attention_is_monotone_in_its_lengths),
        cmocka_unit_test(test_flops_add_over_the_batch),
        cmocka_unit_test(test_links_are_monotone_in_devices),
        cmocka_unit_test(test_twice_the_machine_half_the_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
