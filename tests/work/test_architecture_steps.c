/* Properties of every architecture's steps: what is read is what is stored, costs grow as they should, explanations say
 * all that an operation costs. */
#include <math.h>

#include "test.h"

#include "architectures.h"
#include "model_test.h"

typedef void (*property)(const architecture_row *row, const roof_model *model, roof_plan plan, roof_phase phase);

static void for_all(property holds) {
    static architecture a;
    for (size_t i = 0; i < ARCHITECTURES; i++) {
        architectures[i].make(&a);
        for (int phase = 0; phase < ROOF_PHASE_COUNT; phase++) {
            roof_plan plan = {.batch = 3, .prompt = 300, .context = 3000, .source = 300};
            roof_plan_complete(&a.model, &plan);
            if (!roof_model_has_phase(&a.model, (roof_phase)phase))
                continue;
            holds(&architectures[i], &a.model, plan, (roof_phase)phase);
            plan.tensor = 4;
            plan.eager = true;
            holds(&architectures[i], &a.model, plan, (roof_phase)phase);
        }
    }
}

static roof_sum judged(const architecture_row *row, const roof_model *model, const roof_plan *plan, roof_phase phase) {
    roof_machine h100 = example_h100();
    roof_sum sum;
    roof_error error;
    if (roof_model_judge(&h100, model, plan, phase, &sum, &error))
        fail_msg("%s: %s", row->name, error.what);
    return sum;
}

/* A step reads every stored weight once, the tables it looks rows up in aside: counted in two places, found equal. */
static void reads_what_is_stored(const architecture_row *row, const roof_model *model, roof_plan plan,
                                 roof_phase phase) {
    if (plan.tensor > 1 || (phase == ROOF_PHASE_PREFILL && model->encoder))
        return;
    const roof_model *walked = phase == ROOF_PHASE_ENCODE && model->encoder ? model->encoder : model;
    for (size_t i = 0; i < walked->layer_count; i++)
        plan.experts_touched = fmax(plan.experts_touched, walked->layers[i].mlp.experts);
    plan.context = plan.prompt = 100000; /* enough to make every indexer choose */
    roof_parameters p = roof_model_parameters(walked, &plan);
    double tables = 2 * (walked->vocab * (walked->tied && !walked->headless ? 0 : walked->hidden) +
                         (walked->positions + walked->token_types) * walked->hidden);
    double cross = 0;
    for (size_t i = 0; i < walked->layer_count; i++) {
        const roof_layer *layer = &walked->layers[i];
        if (layer->cross.kind != ROOF_ATTENTION_NONE &&
            phase == ROOF_PHASE_DECODE) { /* keys and values are made once */
            double keys = layer->cross.kv_heads * layer->cross.head_width;
            cross += layer->count * 2 * (2 * keys * walked->encoder->hidden + (layer->cross.qkv_bias ? keys : 0));
        }
    }
    double bytes = p.bytes - (walked->encoder ? 2 * p.encoder : 0);
    roof_sum sum = judged(row, model, &plan, phase);
    if (fabs(sum.weight_bytes - (bytes - tables - cross)) > 0.5)
        fail_msg("%s, %s: reads %.0f B of weights, stores %.0f", row->name, roof_phase_name(phase), sum.weight_bytes,
                 bytes - tables - cross);
}

static void stays_inside_the_whole(const architecture_row *row, const roof_model *model, roof_plan plan,
                                   roof_phase phase) {
    static roof_operation list[OPERATIONS_MAX];
    size_t count = roof_model_operations(model, &plan, phase, list, OPERATIONS_MAX);
    assert_true(count > 0 && count <= OPERATIONS_MAX);
    for (size_t i = 0; i < count; i++) {
        const roof_operation *o = &list[i];
        double bytes = o->bytes[ROOF_DRAM];
        bool sane = o->count >= 1 && o->name && o->matrix_flops >= 0 && o->vector_flops >= 0 && bytes > 0 &&
                    o->weight_bytes >= 0 && o->cache_bytes >= 0 &&
                    o->weight_bytes + o->cache_bytes <= bytes * (1 + 1e-12) && o->least_bytes <= bytes &&
                    bytes <= o->most_bytes;
        if (!sane)
            fail_msg("%s, %s: %s does not hold together", row->name, roof_phase_name(phase), o->name);
    }
}

static void assert_no_less(const char *name, const roof_sum *more, const roof_sum *less) {
    bool fine = more->seconds >= less->seconds * (1 - 1e-12) && more->flops >= less->flops * (1 - 1e-12) &&
                more->bytes >= less->bytes * (1 - 1e-12);
    if (!fine)
        fail_msg("%s costs less for more", name);
}

static void grows(const architecture_row *row, const roof_model *model, roof_plan plan, roof_phase phase) {
    roof_sum before = judged(row, model, &plan, phase);
    for (int i = 0; i < 12; i++) {
        plan.batch = ceil(plan.batch * 1.5);
        roof_sum sum = judged(row, model, &plan, phase);
        assert_no_less(row->name, &sum, &before);
        assert_true(sum.flops > before.flops);
        before = sum;
    }
    plan.batch = 3;
    before = judged(row, model, &plan, phase);
    for (int i = 0; i < 12; i++) {
        plan.context = ceil(plan.context * 1.5);
        plan.prompt = ceil(plan.prompt * 1.5);
        plan.source = ceil(plan.source * 1.5);
        roof_sum sum = judged(row, model, &plan, phase);
        assert_no_less(row->name, &sum, &before);
        before = sum;
    }
}

static bool attends(const roof_model *model) {
    for (size_t i = 0; i < model->layer_count; i++)
        if (model->layers[i].attention.kind != ROOF_ATTENTION_NONE)
            return true;
    return false;
}

/* Without attention a decode step does not know how long its context is, and a prefill is linear in its tokens. */
static void states_forget_the_length(const architecture_row *row, const roof_model *model, roof_plan plan,
                                     roof_phase phase) {
    if (attends(model) || plan.eager)
        return;
    roof_sum before = judged(row, model, &plan, phase);
    if (phase == ROOF_PHASE_DECODE) {
        plan.context = 1e6;
        roof_sum after = judged(row, model, &plan, phase);
        assert_exact(after.flops, before.flops);
        assert_exact(after.bytes, before.bytes);
        return;
    }
    plan.prompt *= 2;
    roof_sum twice = judged(row, model, &plan, phase);
    plan.prompt *= 2;
    roof_sum four = judged(row, model, &plan, phase);
    assert_near(four.flops - twice.flops, 2 * (twice.flops - before.flops), 1e-9);
    assert_near(four.bytes - twice.bytes, 2 * (twice.bytes - before.bytes), 1e-9);
}

static void fusing_pays(const architecture_row *row, const roof_model *model, roof_plan plan, roof_phase phase) {
    plan.eager = false;
    roof_sum fused = judged(row, model, &plan, phase);
    plan.eager = true;
    roof_sum eager = judged(row, model, &plan, phase);
    if (!(eager.seconds >= fused.seconds && eager.bytes >= fused.bytes))
        fail_msg("%s, %s: slower where it is fused", row->name, roof_phase_name(phase));
}

/* As explain.c writes numbers: whole or large ones with commas. */
static void written(double value, char *out) {
    char digits[40];
    if (floor(value) != value && fabs(value) < 1e6) {
        snprintf(out, 48, "%.6g", value);
        return;
    }
    int length = snprintf(digits, sizeof digits, "%.0f", value);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
}

static void explains_all(const architecture_row *row, const roof_model *model, roof_plan plan, roof_phase phase) {
    static roof_operation list[OPERATIONS_MAX];
    static char text[8192];
    size_t count = roof_model_operations(model, &plan, phase, list, OPERATIONS_MAX);
    for (size_t i = 0; i < count; i++) {
        roof_operation_explain(&list[i], text, sizeof text);
        const double costs[] = {list[i].matrix_flops, list[i].vector_flops, list[i].bytes[ROOF_DRAM]};
        for (int j = 0; j < 3; j++) {
            char number[48];
            written(costs[j], number);
            if (costs[j] > 0 && costs[j] < 1e15 && !strstr(text, number))
                fail_msg("%s, %s: %s does not say %s:\n%s", row->name, roof_phase_name(phase), list[i].name, number,
                         text);
        }
        if (strstr(text, "nan") || strstr(text, "?") || strstr(text, "{"))
            fail_msg("a hole in:\n%s", text);
    }
}

static void an_explanation_says_what_rides_along(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_plan plan = plan_of(&e, 1, 1024);
    operations all;
    operations_of(&e, &plan, ROOF_PHASE_PREFILL, &all);
    char text[4096];
    roof_operation_explain(named(&all, "attention"), text, sizeof text);
    assert_non_null(strstr(text, "also fused in: 15,728,640 vector FLOPs\n")); /* 3 x 1024 x (32 + 8) x 128: RoPE */
    roof_operation_explain(named(&all, "qkv"), text, sizeof text);
    assert_null(strstr(text, "also"));
}

#define PROPERTY(name)                                                                                                 \
    static void all_##name(void **state) {                                                                             \
        (void)state;                                                                                                   \
        for_all(name);                                                                                                 \
    }
PROPERTY(reads_what_is_stored)
PROPERTY(stays_inside_the_whole)
PROPERTY(grows)
PROPERTY(states_forget_the_length)
PROPERTY(fusing_pays)
PROPERTY(explains_all)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_reads_what_is_stored),
        cmocka_unit_test(all_stays_inside_the_whole),
        cmocka_unit_test(all_grows),
        cmocka_unit_test(all_states_forget_the_length),
        cmocka_unit_test(all_fusing_pays),
        cmocka_unit_test(all_explains_all),
        cmocka_unit_test(an_explanation_says_what_rides_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
