/* Sentences: why a phase is bound as it is, what is wrong with someone else's count, numbers as words. */
#include "advice/fixtures.h"
#include "advice/text.h"

/* ---- because ---- */

static const char *because(const roof_machine *machine, const roof_model *model, roof_plan plan, roof_phase phase) {
    static char line[400];
    roof_point point;
    roof_error error;
    plan = plan_of(model, plan);
    if (roof_model_point(machine, model, &plan, phase, &point, &error))
        fail_msg("%s", error.what);
    size_t length = roof_point_because(machine, model, &plan, &point, line, sizeof line);
    assert_int_equal(length, strlen(line));
    char start[20];
    assert_int_equal(roof_point_because(machine, model, &plan, &point, start, sizeof start), length); /* as snprintf */
    assert_memory_equal(start, line, sizeof start - 1);
    return line;
}

static void every_bound_has_a_sentence(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine h100 = example_h100(), linked = h100, launching = h100;
    linked.link.value = 2e9;
    launching.launch = example_figure(50e-6);
    assert_string_equal(
        because(&h100, &e.model, (roof_plan){0}, ROOF_PHASE_DECODE),
        "decode is memory-bound because each step reads 15.0 GB of weights and 151 MB of KV cache for 15.6 GFLOP: "
        "1.03 FLOP/B, the ridge is at 295");
    assert_string_equal(
        because(&h100, &e.model, (roof_plan){.prompt = 2048}, ROOF_PHASE_PREFILL),
        "prefill is compute-bound because it does 29.7 TFLOP on 35.7 GB: 831 FLOP/B, 2.8x the ridge at 295");
    assert_says(because(&h100, &e.model, (roof_plan){.prompt = 10}, ROOF_PHASE_PREFILL),
                "prefill is memory-bound because it moves 15.1 GB, among it 15.0 GB of weights and ");
    assert_string_equal(
        because(&linked, &e.model, (roof_plan){.batch = 64, .tensor = 8}, ROOF_PHASE_DECODE),
        "decode is link-bound because each step sends 59.6 MB over a link of 2.00 GB/s, which takes 96.8% of its time");
    assert_string_equal(
        because(&launching, &e.model, (roof_plan){.batch = 64}, ROOF_PHASE_DECODE),
        "decode is mostly latency-bound (57.3% of the time, memory 42.7%) because for 57.3% of its time a "
        "launch of 50.0 us is "
        "longer than the work it starts");
    assert_says(because(&h100, &e.model, (roof_plan){.batch = 600, .context = 100}, ROOF_PHASE_DECODE),
                "decode is mostly compute-bound (73.2% of the time, memory 26.8%) because each step does 9.04 TFLOP on "
                "29.0 GB: ");
}

/* The sum can lie on the other side of the ridge than what takes most of its time; the sentence must not contradict
 * itself. */
static void the_whole_can_disagree(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine h100 = example_h100();
    assert_string_equal(
        because(&h100, &e.model, (roof_plan){.batch = 330, .context = 1}, ROOF_PHASE_DECODE),
        "decode is mostly compute-bound (73.6% of the time, memory 26.4%) because 73.6% of its time goes to "
        "operations above the "
        "ridge at 295, though the whole does 269 FLOP/B");
}

static void the_ridge_is_that_of_the_math(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine h100 = example_h100();
    roof_plan fp8 = {.weights = roof_format_plain(ROOF_FP8)},
              only = {.weights = roof_format_plain(ROOF_FP8), .math = ROOF_BF16};
    assert_says(because(&h100, &e.model, fp8, ROOF_PHASE_DECODE), "the ridge is at 591");
    assert_says(because(&h100, &e.model, only, ROOF_PHASE_DECODE), "the ridge is at 295");
    assert_non_null(
        strstr(because(&h100, &e.model, (roof_plan){.sparse = true}, ROOF_PHASE_DECODE), "the ridge is at 591"));
    e.layers[0].format[ROOF_ROLE_DOWN].unknown = true;
    assert_non_null(
        strstr(because(&h100, &e.model, (roof_plan){0}, ROOF_PHASE_DECODE), " (at least: some costs are unknown)"));
}

static void no_work_no_reason(void **state) {
    (void)state;
    example e;
    example_llama(&e);
    roof_machine h100 = example_h100();
    roof_plan plan = {0};
    roof_point empty = {.phase = ROOF_PHASE_DECODE};
    char line[100];
    roof_point_because(&h100, &e.model, &plan, &empty, line, sizeof line);
    assert_string_equal(line, "decode has no work whose time is known");
}

/* ---- counts ---- */

static const char *diagnose(roof_sum ours, double claimed) {
    static char line[300];
    size_t length = roof_count_diagnose(&ours, claimed, line, sizeof line);
    assert_int_equal(length, strlen(line));
    return line;
}

/* A 7x7 convolution of 3 to 64 channels, 112 x 112 outputs: 118,013,952 MAC, often printed as 0.118 G
 * (facebookresearch/fvcore issue 69, sovrasov/flops-counter.pytorch issue 16). */
static void mac_counts(void **state) {
    (void)state;
    roof_sum conv = {.flops = 236027904, .matrix_flops = 236027904};
    assert_says(diagnose(conv, 0.118e9), "ratio 2.00: the claimed count looks like a MAC count");
    assert_says(diagnose(conv, 118013952), "ratio 2.00: the claimed count looks like a MAC count");
    assert_says(diagnose(conv, 0.236e9), "ratio 1.00: the claimed count agrees");
}

/* One encoder block, width 192, 1024 tokens: 452,984,832 MAC in linear layers, 402,653,184 in attention; hooks on
 * modules see the first only (allenai/olmoearth_pretrain pull request 605). 1 + 1024 / (6 * 192) = 1.8889. */
static void missing_attention(void **state) {
    (void)state;
    roof_sum block = {.flops = 1711276032, .matrix_flops = 1711276032, .attention_flops = 2 * 402653184.0};
    const char *line = diagnose(block, 452984832);
    assert_says(line, "MAC count of the linear layers only: attention is missing, a factor 1.89");
    assert_says(line, "ratio 3.78");
    assert_says(diagnose(block, 2 * 452984832.0),
                "ratio 1.89: the claimed count counts the linear layers only: attention is missing, a factor 1.89");
    assert_says(diagnose(block, 855638016), "looks like a MAC count (ours");
    assert_says(diagnose(block, 1711276032), "agrees");
}

/* Twelve heads, 64 tokens, width 64, causal: 6,389,760 FLOPs exactly, 12,582,912 with the masked half, 6,291,456 halved
 * (AI-Hypercomputer/maxtext issue 1972). */
static void masked_half(void **state) {
    (void)state;
    roof_sum attention = {.flops = 6389760, .matrix_flops = 6389760, .attention_flops = 6389760};
    assert_says(diagnose(attention, 12582912), "ratio 1.97: the claimed count credits the masked half");
    assert_says(diagnose(attention, 6291456), "ratio 1.02: the claimed count halves causal attention");
    assert_says(diagnose(attention, 6389760), "agrees");
    roof_sum model = {.flops = 12e9, .matrix_flops = 10e9, .attention_flops = 2e9};
    assert_says(diagnose(model, 12e9), "agrees, with norms"); /* the whole of ours, before any mistake */
    model.flops = 10e9;
    assert_says(diagnose(model, 12e9), "credits the masked half");
    assert_says(diagnose(model, 6e9), "looks like a MAC count that credits the masked half");
}

static void other_counts(void **state) {
    (void)state;
    roof_sum model = {.flops = 11e9, .matrix_flops = 10e9, .attention_flops = 2e9};
    assert_says(diagnose(model, 3e9),
                "ratio 3.33: the claimed count is neither ours, a MAC count nor one without attention");
    assert_string_equal(diagnose(model, 0), "there is no count to compare");
    assert_string_equal(diagnose(model, (double)NAN), "there is no count to compare");
    assert_string_equal(diagnose((roof_sum){0}, 1), "there is no count to compare");
    roof_sum linear = {.flops = 10e9, .matrix_flops = 10e9};
    assert_says(diagnose(linear, 9.8e9), "is neither"); /* no talk of causal attention where there is none */
}

/* ---- numbers ---- */

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bound_has_a_sentence),
        cmocka_unit_test(the_whole_can_disagree),
        cmocka_unit_test(the_ridge_is_that_of_the_math),
        cmocka_unit_test(no_work_no_reason),
        cmocka_unit_test(mac_counts),
        cmocka_unit_test(missing_attention),
        cmocka_unit_test(masked_half),
        cmocka_unit_test(other_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
