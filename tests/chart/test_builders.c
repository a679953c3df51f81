/* The words a builder writes: true sentences for every mix of bounds, phases and batches. */
#include "check.h"
#include "roofline_chart.h"
#include "test.h"

#define TIMES "\xC3\x97"
#define FIGURE(v)                                                                                                      \
    { .value = (v), .origin = ROOF_ORIGIN_DATASHEET }

static const roof_machine machine = {
    .id = "h100-sxm",
    .name = "NVIDIA H100 SXM 80 GB",
    .vendor = "NVIDIA",
    .memory_kind = "HBM3",
    .peak = {[ROOF_MATRIX] = {[ROOF_BF16] = FIGURE(1000e12), [ROOF_FP8] = FIGURE(2000e12)},
             [ROOF_VECTOR] = {[ROOF_F32] = FIGURE(60e12)}},
    .bandwidth = {[ROOF_DRAM] = FIGURE(4e12)},
    .size = {[ROOF_DRAM] = FIGURE(80e9)},
};
static const roof_plan plan = {
    .batch = 1, .prompt = 1024, .generate = 256, .activations = ROOF_BF16, .kv_cache = ROOF_BF16, .tensor = 1};

/* A point made from its numbers; everything memory-bound or compute-bound sits on its roof. */
static roof_point point_of(roof_phase phase, double batch, roof_bound bound, double intensity, double seconds) {
    double attainable = fmin(1000e12, intensity * 4e12), flops = attainable * seconds;
    roof_point point = {.phase = phase,
                        .batch = batch,
                        .prompt = 1024,
                        .bound = bound,
                        .seconds = seconds,
                        .intensity = intensity,
                        .attainable = attainable,
                        .tokens_per_second = batch * (phase == ROOF_PHASE_PREFILL ? 1024 : 1) / seconds};
    point.sum = (roof_sum){.seconds = seconds, .flops = flops, .matrix_flops = flops, .bytes = flops / intensity};
    point.sum.bound_seconds[bound] = seconds;
    point.sum.cache_bytes = point.sum.bytes * 0.3;
    point.sum.weight_bytes = point.sum.bytes * 0.6;
    return point;
}

static roof_drawing drawn; /* large */

static void build(const roof_point *prefill, size_t prefills, const roof_point *decode, size_t decodes,
                  const roof_chart_idea *ideas, size_t count) {
    roof_chart_request request = {.machine = &machine,
                                  .model = "Llama-3.1-8B",
                                  .plan = &plan,
                                  .prefill = prefill,
                                  .prefill_count = prefills,
                                  .decode = decode,
                                  .decode_count = decodes,
                                  .ideas = ideas,
                                  .idea_count = count};
    roof_error error = {0};
    if (roof_chart_of_points(&request, &drawn, &error))
        fail_msg("%s", error.what);
    for (int width = 500; width <= 1600; width += 550) {
        drawing svg = drawing_of(&drawn.chart, width);
        check_xml(svg.bytes);
        drawing_free(&svg);
    }
}

static void titles_are_true(void **state) {
    const roof_bound M = ROOF_BOUND_MEMORY, C = ROOF_BOUND_COMPUTE, L = ROOF_BOUND_LINK;
    const struct {
        roof_bound decode[3], prefill[3];
        size_t decodes, prefills;
        const char *title;
    } cases[] = {
        {{M, M, M}, {C, C, C}, 3, 3, "Decode is memory-bound at every batch size; prefill runs into the compute roof"},
        {{M, M, C},
         {C, C, C},
         3,
         3,
         "Decode is memory-bound up to batch 8 and compute-bound from batch 64; prefill runs into the compute roof"},
        {{M, C, C},
         {C, C, C},
         3,
         3,
         "Decode is memory-bound at batch 1 and compute-bound from batch 8; prefill runs into the compute roof"},
        {{M, C, M},
         {C, C, C},
         3,
         3,
         "Decode is memory-bound at 2 of 3 batch sizes; prefill runs into the compute roof"},
        {{M, M, M}, {M, M, M}, 3, 3, "Decode and prefill are both memory-bound at every batch size"},
        {{M, M, M},
         {M, C, C},
         3,
         3,
         "Decode is memory-bound at every batch size; prefill is memory-bound at batch 1 and compute-bound from batch "
         "8"},
        {{M}, {C}, 1, 1, "Decode is memory-bound; prefill runs into the compute roof"},
        {{C}, {C}, 1, 1, "Decode and prefill are both compute-bound"},
        {{M, M}, {M}, 2, 0, "Decode is memory-bound at every batch size"},
        {{M}, {C, C}, 0, 2, "Prefill is compute-bound at every batch size"},
        {{L, L}, {C, C}, 2, 2, "Decode is link-bound at every batch size; prefill runs into the compute roof"},
    };
    static const double batches[] = {1, 8, 64};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        roof_point decode[3], prefill[3];
        for (int j = 0; j < 3; j++) {
            decode[j] = point_of(ROOF_PHASE_DECODE, batches[j], cases[i].decode[j],
                                 cases[i].decode[j] == C ? 300 + j : 2 + 20 * j, 0.005 * (1 + j));
            prefill[j] = point_of(ROOF_PHASE_PREFILL, batches[j], cases[i].prefill[j],
                                  cases[i].prefill[j] == C ? 600 + 100 * j : 200, 0.02 * batches[j]);
        }
        build(prefill, cases[i].prefills, decode, cases[i].decodes, NULL, 0);
        assert_string_equal(drawn.title, cases[i].title);
        assert_int_equal(drawn.chart.point_count, cases[i].decodes + cases[i].prefills);
    }
}

static void notes_carry_the_lever(void **state) {
    roof_point decode[2] = {point_of(ROOF_PHASE_DECODE, 1, ROOF_BOUND_MEMORY, 1, 0.00453),
                            point_of(ROOF_PHASE_DECODE, 256, ROOF_BOUND_MEMORY, 70, 0.01675)};
    roof_point prefill[2] = {point_of(ROOF_PHASE_PREFILL, 1, ROOF_BOUND_COMPUTE, 590, 0.0164),
                             point_of(ROOF_PHASE_PREFILL, 256, ROOF_BOUND_COMPUTE, 1499, 4.1)};
    (void)state;
    decode[1].sum.cache_bytes = 0.691 * decode[1].sum.bytes;
    prefill[1].attainable *= 0.918;
    prefill[1].sum.bound_seconds[ROOF_BOUND_MEMORY] = 0.08 * prefill[1].seconds;
    prefill[1].sum.bound_seconds[ROOF_BOUND_COMPUTE] = 0.92 * prefill[1].seconds;
    build(prefill, 2, decode, 2, NULL, 0);
    assert_string_equal(drawn.note_title,
                        "Batch 1 \xE2\x86\x92 256: 69" TIMES " the tokens/s for 3.7" TIMES " the step time.");
    assert_string_equal(drawn.note, "At batch 256 the KV cache is 69.1% of HBM traffic, so a larger batch no longer "
                                    "amortises the weights: shrink the KV cache "
                                    "instead.");
    assert_string_equal(drawn.under, "prefill attains 91.8% of the roof: memory-bound operations take 8% of its time");
    assert_string_equal(
        drawn.subtitle,
        "Llama-3.1-8B in BF16 on one NVIDIA H100 SXM 80 GB \xC2\xB7 1,024-token prompts, 256 generated tokens \xC2\xB7 "
        "upper bound from the model, not a measurement");
    assert_string_equal(drawn.peaks, "Peaks: vendor figures, dense. Each operation reads and writes HBM once.");
    assert_string_equal(drawn.points[0].label, "decode, batch 1");
    assert_string_equal(drawn.points[0].detail, "221 tok/s, 4.5 ms per step");
    assert_string_equal(drawn.points[1].label, "batch 256");
    assert_string_equal(drawn.points[1].detail, "15.3k tok/s, 17 ms");
    assert_near(drawn.points[1].share + drawn.points[3].share, 1, 1e-12);
    assert_near(drawn.points[0].share, 0.986, 0.01);
}

static void ideas_that_help_become_arrows(void **state) {
    roof_point decode = point_of(ROOF_PHASE_DECODE, 64, ROOF_BOUND_MEMORY, 40, 0.0075),
               prefill = point_of(ROOF_PHASE_PREFILL, 64, ROOF_BOUND_COMPUTE, 1500, 1);
    roof_chart_idea ideas[] = {
        {"fp8 weights", 0, point_of(ROOF_PHASE_DECODE, 64, ROOF_BOUND_MEMORY, 50, 0.0075 / 1.2)},
        {"fp8 KV cache", 0, point_of(ROOF_PHASE_DECODE, 64, ROOF_BOUND_MEMORY, 61, 0.0075 / 1.53)},
        {"twice the FLOP/s", 0, point_of(ROOF_PHASE_DECODE, 64, ROOF_BOUND_MEMORY, 40, 0.0075)},
        {"fp8 weights", 0, point_of(ROOF_PHASE_PREFILL, 64, ROOF_BOUND_COMPUTE, 1700, 1 / 1.82)},
    };
    (void)state;
    ideas[3].after.attainable = 1820e12;
    build(&prefill, 1, &decode, 1, ideas, 4);
    assert_int_equal(drawn.chart.change_count, 2);
    assert_string_equal(drawn.changes[0].label, "FP8 weights: 1.82" TIMES " prefill");
    assert_string_equal(drawn.changes[1].label, "FP8 KV cache: 1.53" TIMES " decode");
    assert_int_equal(drawn.changes[0].from, 1);
    assert_int_equal(drawn.changes[1].from, 0);
    assert_int_equal(drawn.chart.other_count, 1); /* the roof the ghost runs under */
    assert_int_equal(roof_dtype_math(drawn.chart.others[0]), ROOF_FP8);
    assert_non_null(strstr(drawn.subtitle, "batch 64"));
}

/* Work that ran in FP8 is drawn under the FP8 roof even when the plan does not say so; vector FLOPs may pass the roof.
 */
static void the_bold_roof_holds_all_points(void **state) {
    roof_point prefill = point_of(ROOF_PHASE_PREFILL, 8, ROOF_BOUND_COMPUTE, 900, 1);
    (void)state;
    prefill.attainable = 1600e12;
    prefill.sum.flops = prefill.sum.matrix_flops = 1600e12;
    build(&prefill, 1, NULL, 0, NULL, 0);
    assert_int_equal(roof_dtype_math(drawn.chart.dtype), ROOF_FP8);
    prefill.attainable = 1010e12;
    prefill.sum.flops = 1010e12;
    prefill.sum.matrix_flops = 1000e12;
    build(&prefill, 1, NULL, 0, NULL, 0);
    assert_int_equal(roof_dtype_math(drawn.chart.dtype), ROOF_BF16);
    assert_near(drawn.points[0].attainable, 1000e12, 1e-12);
}

static void plans_that_do_not_fit_say_so(void **state) {
    roof_point decode = point_of(ROOF_PHASE_DECODE, 512, ROOF_BOUND_MEMORY, 80, 0.03);
    (void)state;
    decode.memory = (roof_memory){.total = 102e9, .capacity = 80e9, .allowed = 76e9, .fits = false};
    build(NULL, 0, &decode, 1, NULL, 0);
    assert_non_null(strstr(drawn.points[0].detail, "does not fit"));
    roof_chart_request request = {.machine = &machine, .plan = &plan};
    roof_error error = {0};
    assert_int_equal(roof_chart_of_points(&request, &drawn, &error), -1);
    assert_int_equal(error.code, ROOF_EARGUMENT);
}

/* ---- operations ---- */

static roof_operation gemm_of(double m) {
    const roof_argument arguments[] = {
        {"m", m, ROOF_DTYPE_NONE}, {"n", 14336, ROOF_DTYPE_NONE}, {"k", 4096, ROOF_DTYPE_NONE}};
    roof_operation operation;
    roof_error error = {0};
    if (roof_operation_build(ROOF_KIND_GEMM, arguments, 3, &operation, &error))
        fail_msg("%s", error.what);
    return operation;
}

static void operations_are_drawn(void **state) {
    roof_operation operations[3] = {gemm_of(8), gemm_of(128), gemm_of(2048)};
    roof_verdict verdicts[3];
    roof_error error = {0};
    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(roof_judge(&machine, &operations[i], &verdicts[i], &error), 0);
    assert_int_equal(roof_chart_of_operations(&machine, operations, verdicts, 1, NULL, 0, &drawn, &error), 0);
    assert_string_equal(drawn.title, "This gemm is memory-bound: at most 3.2% of the compute roof");
    assert_non_null(strstr(drawn.subtitle, "m=8 n=14336 k=4096"));
    assert_int_equal(drawn.chart.unit, ROOF_MATRIX);
    drawing svg = drawing_of(&drawn.chart, 620);
    check_xml(svg.bytes);
    drawing_free(&svg);
    assert_int_equal(roof_chart_of_operations(&machine, operations, verdicts, 3, NULL, 0, &drawn, &error), 0);
    assert_string_equal(drawn.title, "This gemm is memory-bound up to m=128 and compute-bound from m=2048");
    assert_string_equal(drawn.points[1].label, "m=128");
    svg = drawing_of(&drawn.chart, 1080);
    drawing_free(&svg);
    assert_int_equal(roof_chart_of_operations(&machine, operations, verdicts, 0, NULL, 0, &drawn, &error), -1);
}

/* A copy has no FLOPs, so no compute roof of its own; it is still drawn. */
static void an_operation_without_flops_is_drawn(void **state) {
    const roof_argument arguments[] = {{"n", 1e8, ROOF_DTYPE_NONE}};
    roof_operation operation;
    roof_verdict verdict;
    roof_error error = {0};
    (void)state;
    assert_int_equal(roof_operation_build(ROOF_KIND_COPY, arguments, 1, &operation, &error), 0);
    assert_int_equal(roof_judge(&machine, &operation, &verdict, &error), 0);
    assert_int_equal(roof_chart_of_operations(&machine, &operation, &verdict, 1, NULL, 0, &drawn, &error), 0);
    drawing svg = drawing_of(&drawn.chart, 620);
    assert_non_null(strstr(svg.bytes, "no FLOPs"));
    drawing_free(&svg);
}

/* A what-if of the usual length is whole on the narrowest usual chart. */
static void a_narrow_chart_names_the_idea(void **state) {
    roof_operation operations[2] = {gemm_of(8), gemm_of(128)};
    roof_verdict verdicts[2];
    const roof_chart_change change = {
        .from = 0, .label = "FP8 KV cache and weights: 1.67x decode", .intensity = 16, .attainable = 5e13};
    roof_error error = {0};
    (void)state;
    for (int i = 0; i < 2; i++)
        assert_int_equal(roof_judge(&machine, &operations[i], &verdicts[i], &error), 0);
    assert_int_equal(roof_chart_of_operations(&machine, operations, verdicts, 2, &change, 1, &drawn, &error), 0);
    drawing svg = drawing_of(&drawn.chart, 620);
    assert_non_null(strstr(svg.bytes, ">FP8 KV cache and weights<"));
    drawing_free(&svg);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_narrow_chart_names_the_idea),  cmocka_unit_test(titles_are_true),
        cmocka_unit_test(notes_carry_the_lever),          cmocka_unit_test(ideas_that_help_become_arrows),
        cmocka_unit_test(the_bold_roof_holds_all_points), cmocka_unit_test(plans_that_do_not_fit_say_so),
        cmocka_unit_test(operations_are_drawn),           cmocka_unit_test(an_operation_without_flops_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
