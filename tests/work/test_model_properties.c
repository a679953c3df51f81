/* Properties that hold for every model and plan: costs grow, FLOPs add over the batch, verdicts scale. */
#include "model_test.h"

static void (*const makers[])(example *) = {example_llama,   example_qwen3,    example_gpt2,
                                            example_mixtral, example_deepseek, example_gpt_oss};
enum { MAKERS = sizeof makers / sizeof *makers };

typedef void (*property)(const roof_machine *machine, example *e, roof_plan plan, roof_phase phase);

/* Every model, phase and engine, one device and four. */
static void for_all(property holds) {
    roof_machine machine = example_h100();
    example e;
    for (size_t i = 0; i < MAKERS; i++) {
        makers[i](&e);
        for (unsigned bits = 0; bits < 8; bits++) {
            roof_plan plan = plan_of(&e, 3, 300);
            plan.eager = bits & 1;
            plan.tensor = bits & 2 ? 4 : 1;
            holds(&machine, &e, plan, bits & 4 ? ROOF_PHASE_DECODE : ROOF_PHASE_PREFILL);
        }
    }
}

static void assert_no_less(const roof_sum *more, const roof_sum *less) {
    assert_true(more->seconds >= less->seconds);
    assert_true(more->flops >= less->flops);
    assert_true(more->bytes >= less->bytes);
}

static void grows_with_batch(const roof_machine *machine, example *e, roof_plan plan, roof_phase phase) {
    roof_sum before = judged_sum(machine, e, &plan, phase);
    for (plan.batch = 4; plan.batch < 3000; plan.batch = ceil(plan.batch * 1.7)) {
        roof_sum sum = judged_sum(machine, e, &plan, phase);
        assert_no_less(&sum, &before);
        assert_true(sum.seconds > before.seconds);
        before = sum;
    }
}

static void grows_with_context(const roof_machine *machine, example *e, roof_plan plan, roof_phase phase) {
    roof_sum before = judged_sum(machine, e, &plan, phase);
    for (plan.context = 301; plan.context < 1e5; plan.context = ceil(plan.context * 1.7)) {
        plan.prompt = plan.context;
        roof_sum sum = judged_sum(machine, e, &plan, phase);
        assert_no_less(&sum, &before);
        before = sum;
    }
}

static void grows_with_layers(const roof_machine *machine, example *e, roof_plan plan, roof_phase phase) {
    roof_sum before = judged_sum(machine, e, &plan, phase);
    double parameters = roof_model_parameters(&e->model, &plan).total;
    e->layers[0].count++;
    roof_sum sum = judged_sum(machine, e, &plan, phase);
    assert_no_less(&sum, &before);
    assert_true(sum.seconds > before.seconds);
    assert_true(roof_model_parameters(&e->model, &plan).total > parameters);
    e->layers[0].count--;
}

static void flops_add_over_batch(const roof_machine *machine, example *e, roof_plan plan, roof_phase phase) {
    plan.batch = 1;
    roof_sum one = judged_sum(machine, e, &plan, phase);
    plan.batch = 5;
    roof_sum five = judged_sum(machine, e, &plan, phase);
    assert_near(five.flops, 5 * one.flops, 1e-12);
    assert_near(five.matrix_flops, 5 * one.matrix_flops, 1e-12);
}

static void twice_the_machine_is_half_the_time(const roof_machine *machine, example *e, roof_plan plan,
                                               roof_phase phase) {
    roof_machine twice = *machine;
    for (int dtype = 0; dtype < ROOF_DTYPE_COUNT; dtype++)
        for (int unit = 0; unit < ROOF_UNIT_COUNT; unit++)
            twice.peak[unit][dtype].value *= 2;
    twice.bandwidth[ROOF_DRAM].value *= 2;
    twice.link.value *= 2;
    roof_sum slow = judged_sum(machine, e, &plan, phase), fast = judged_sum(&twice, e, &plan, phase);
    assert_near(fast.seconds, slow.seconds / 2, 1e-12);
    assert_int_equal(roof_sum_bound(&fast), roof_sum_bound(&slow));
}

static void parts_stay_inside_the_whole(const roof_machine *machine, example *e, roof_plan plan, roof_phase phase) {
    (void)machine;
    operations all;
    operations_of(e, &plan, phase, &all);
    for (size_t i = 0; i < all.count; i++) {
        const roof_operation *o = &all.list[i];
        double bytes = o->bytes[ROOF_DRAM];
        assert_true(o->count >= 1 && o->name);
        assert_true(o->matrix_flops >= 0 && o->vector_flops >= 0 && bytes > 0);
        assert_true(o->weight_bytes >= 0 && o->cache_bytes >= 0 && o->weight_bytes + o->cache_bytes <= bytes);
        assert_true(o->least_bytes <= bytes && bytes <= o->most_bytes);
    }
}

static void eager_is_never_faster(const roof_machine *machine, example *e, roof_plan plan, roof_phase phase) {
    plan.eager = false;
    roof_sum fused = judged_sum(machine, e, &plan, phase);
    plan.eager = true;
    roof_sum eager = judged_sum(machine, e, &plan, phase);
    assert_true(eager.seconds > fused.seconds && eager.bytes > fused.bytes);
    assert_near(eager.matrix_flops, fused.matrix_flops, 1e-12);
}

static void smaller_weights_and_caches_are_never_slower(const roof_machine *machine, example *e, roof_plan plan,
                                                        roof_phase phase) {
    roof_sum before = judged_sum(machine, e, &plan, phase);
    plan.kv_cache = ROOF_FP8;
    roof_sum cache = judged_sum(machine, e, &plan, phase);
    assert_true(cache.seconds <= before.seconds && cache.cache_bytes < before.cache_bytes);
    plan.weights = roof_format_plain(ROOF_FP8);
    roof_sum both = judged_sum(machine, e, &plan, phase);
    assert_true(both.seconds < cache.seconds && both.weight_bytes < cache.weight_bytes);
}

#define PROPERTY(name)                                                                                                 \
    static void all_##name(void **state) {                                                                             \
        (void)state;                                                                                                   \
        for_all(name);                                                                                                 \
    }
PROPERTY(grows_with_batch)
PROPERTY(grows_with_context)
PROPERTY(grows_with_layers)
PROPERTY(flops_add_over_batch)
PROPERTY(twice_the_machine_is_half_the_time)
PROPERTY(parts_stay_inside_the_whole)
PROPERTY(eager_is_never_faster)
PROPERTY(smaller_weights_and_caches_are_never_slower)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_grows_with_batch),
        cmocka_unit_test(all_grows_with_context),
        cmocka_unit_test(all_grows_with_layers),
        cmocka_unit_test(all_flops_add_over_batch),
        cmocka_unit_test(all_twice_the_machine_is_half_the_time),
        cmocka_unit_test(all_parts_stay_inside_the_whole),
        cmocka_unit_test(all_eager_is_never_faster),
        cmocka_unit_test(all_smaller_weights_and_caches_are_never_slower),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
