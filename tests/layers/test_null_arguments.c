/* The pointers that the public headers let a caller leave out: the error everywhere, an array of no elements, a buffer
 * of no bytes, and what a comment names. null_arguments.sh sees that no function which takes an array or a buffer is
 * missing here; the sanitizers see what is done with the NULL. */
#include <stdlib.h>

#include "read/onnx/onnx_writer.h"
#include "roofline_chart.h"
#include "roofline_expected.h"
#include "roofline_measure.h"
#include "roofline_profile.h"
#include "roofline_read.h"
#include "test.h"

static roof_machine h100;
static roof_operation gemm;
static roof_constants alone, serving;
static roof_model_file *file;
static const roof_model *llama;
static roof_plan plan;
static roof_point point;

static int set_up(void **state) {
    const roof_argument shape[] = {
        {.name = "m", .value = 8}, {.name = "n", .value = 14336}, {.name = "k", .value = 4096}};
    const roof_named_model *named = roof_named_model_find("llama-3.1-8b", NULL);
    (void)state;
    assert_int_equal(roof_machine_find("h100-sxm", &h100, NULL, 0, NULL), 0);
    assert_int_equal(roof_operation_build(ROOF_KIND_GEMM, shape, 3, &gemm, NULL), 0);
    roof_constants_of(&h100, ROOF_ENGINE_ALONE, &alone);
    roof_constants_of(&h100, ROOF_ENGINE_SERVING, &serving);
    file = roof_read_config(named->config, strlen(named->config), NULL, 0, NULL);
    assert_non_null(file);
    llama = roof_model_file_model(file);
    roof_plan_complete(llama, &plan);
    assert_int_equal(roof_model_point(&h100, llama, &plan, ROOF_PHASE_DECODE, &point, NULL), 0);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    roof_model_file_free(file);
    return 0;
}

static int count_bytes(void *context, const char *text, size_t length) {
    (void)text;
    if (context)
        *(size_t *)context += length;
    return 0;
}

/* What fails without an error to fill fails all the same. */
static void no_error(void **state) {
    roof_machine machine;
    roof_kind kind;
    roof_engine engine;
    roof_constant constant;
    double value;
    roof_weights weights;
    (void)state;
    assert_int_equal(roof_fail(NULL, ROOF_EIO, "%s", "x"), -1);
    roof_hint(NULL, "%s", "x");
    roof_suggest(NULL, ROOF_REMEDY_NONE, "");
    assert_int_equal(roof_machine_find("no such machine", &machine, NULL, 0, NULL), -1);
    assert_null(roof_named_model_find("no such model", NULL));
    assert_int_equal(roof_kind_find("no such kind", &kind, NULL), -1);
    assert_int_equal(roof_engine_find("no such engine", &engine, NULL), -1);
    assert_int_equal(roof_constant_find("no such constant", &constant, NULL), -1);
    assert_int_equal(roof_operation_parameter(&gemm, "no such parameter", &value, NULL), -1);
    assert_null(roof_read_model("/nonexistent", NULL));
    assert_int_equal(roof_read_weights("/nonexistent", &weights, NULL), -1);
    assert_null(roof_read_graph("/nonexistent", NULL, NULL));
    assert_null(roof_read_profile("/nonexistent", NULL, NULL));
    const roof_machine bare = {.id = "bare"};
    roof_verdict verdict;
    assert_int_equal(roof_judge(&bare, &gemm, &verdict, NULL), -1);
    roof_placement placed;
    assert_int_equal(roof_place(&bare, NULL, 0, &placed, NULL), -1);
    assert_null(roof_measure(&(roof_measure_options){.device = "no such device"}, NULL));
}

/* Nothing to read is an error, not a crash. */
static void no_bytes(void **state) {
    (void)state;
    assert_null(roof_read_config(NULL, 0, NULL, 0, NULL));
    assert_null(roof_read_machine(NULL, 0, NULL));
    assert_null(roof_read_graph_bytes(NULL, 0, NULL, NULL));
    assert_null(roof_read_profile_bytes(NULL, 0, NULL, NULL));
    assert_int_equal(roof_chart_raster(NULL, 0, "png", 1, count_bytes, NULL, NULL), -1);
}

/* A buffer of no bytes: the length that a whole one would need. */
static void no_buffer(void **state) {
    char text[4096];
    roof_verdict verdict;
    roof_sum sum = {0};
    (void)state;
    assert_int_equal(roof_judge(&h100, &gemm, &verdict, NULL), 0);
    roof_sum_add(&sum, &gemm, &verdict);
    assert_null(roof_verdict_roof(&verdict, NULL, 0));
    assert_null(roof_measure_host(NULL, 0));
    assert_null(roof_measure_cpu(NULL, 0));
    assert_int_equal(roof_operation_explain(&gemm, NULL, 0), roof_operation_explain(&gemm, text, sizeof text));
    assert_int_equal(roof_operation_explain(&gemm, text, sizeof text), strlen(text));
    assert_int_equal(roof_count_diagnose(&sum, 1e9, NULL, 0), roof_count_diagnose(&sum, 1e9, text, sizeof text));
    assert_int_equal(roof_count_diagnose(&sum, 1e9, text, sizeof text), strlen(text));
    assert_int_equal(roof_point_because(&h100, llama, &plan, &point, NULL, 0),
                     roof_point_because(&h100, llama, &plan, &point, text, sizeof text));
    assert_int_equal(roof_point_because(&h100, llama, &plan, &point, text, sizeof text), strlen(text));
    /* A run without times has no observation, and nowhere to say why. */
    roof_observation times[ROOF_RUN_TIMES];
    assert_int_equal(roof_run_observations(&h100, llama, &(roof_model_run){0}, ROOF_ENGINE_SERVING, times, NULL, 0), 0);
    assert_int_equal(roof_run_observations(&h100, llama,
                                           &(roof_model_run){.ttft = 0.1, .prompt = 100, .concurrency = 16},
                                           ROOF_ENGINE_SERVING, times, NULL, 0),
                     0);
}

/* Arrays of no elements. */
static void no_elements(void **state) {
    roof_operation built;
    roof_sum sum;
    roof_expected expected;
    roof_advice advice[ROOF_ADVICE_MAX];
    roof_hypothesis found[ROOF_HYPOTHESES];
    (void)state;
    assert_int_equal(roof_operation_build(ROOF_KIND_GEMM, NULL, 0, &built, NULL), -1); /* m is required */
    assert_true(roof_model_operations(llama, &plan, ROOF_PHASE_DECODE, NULL, 0) > 0);
    assert_int_equal(roof_judge_operations(&h100, NULL, 0, &sum, NULL), 0);
    assert_int_equal(sum.operations, 0);
    assert_int_equal(roof_expect_operations(&h100, &alone, NULL, 0, &expected, NULL), 0);
    assert_exact(expected.seconds, 0);
    assert_true(roof_advise_model(&h100, llama, &plan, ROOF_PHASE_DECODE, NULL, 0, advice, NULL) > 0);
    assert_true(roof_advise_operation(&h100, &gemm, NULL, 0, advice, NULL) > 0);
    assert_true(roof_advise_operations(&h100, &gemm, 1, NULL, 0, NULL, 0, advice, NULL) > 0);
    assert_int_equal(roof_advise_operations(&h100, NULL, 0, NULL, 0, NULL, 0, advice, NULL), 0);
    roof_engine in = ROOF_ENGINE_SERVING;
    assert_true(roof_advise_model_in(in, &h100, llama, &plan, ROOF_PHASE_DECODE, NULL, 0, advice, NULL) > 0);
    assert_true(roof_advise_operation_in(in, &h100, &gemm, NULL, 0, advice, NULL) > 0);
    assert_true(roof_advise_operations_in(in, &h100, &gemm, 1, NULL, 0, NULL, 0, advice, NULL) > 0);
    assert_int_equal(roof_advise_operations_in(in, &h100, NULL, 0, NULL, 0, NULL, 0, advice, NULL), 0);
    assert_int_equal(roof_place(&h100, NULL, 0, NULL, NULL), 0);
    roof_rank(NULL, 0, NULL);
    assert_int_equal(roof_compare(NULL, 0, NULL, 0, NULL, 0, NULL), 0);
    assert_int_equal(roof_operations_hypotheses(&h100, NULL, 0, 1e-6, found), 0);
    roof_fit_report report;
    roof_constants fitted = serving;
    assert_int_equal(roof_fit(NULL, 0, NULL, 0, &fitted, &report, NULL, NULL), -1); /* nothing was measured */
    assert_int_equal(roof_fit_rest(NULL, 0, ROOF_NO_GROUP, NULL, 0, &fitted, NULL), -1);
}

/* What the comments of the charts let a caller leave out. */
static void no_chart(void **state) {
    static roof_drawing drawing;
    roof_verdict verdict;
    size_t length = 0;
    (void)state;
    assert_int_equal(roof_judge(&h100, &gemm, &verdict, NULL), 0);
    assert_int_equal(roof_chart_of_operations(&h100, NULL, NULL, 0, NULL, 0, &drawing, NULL), -1);
    assert_int_equal(roof_chart_of_operations(&h100, &gemm, &verdict, 1, NULL, 0, &drawing, NULL), 0);
    assert_int_equal(roof_chart_svg(&drawing.chart, 900, count_bytes, NULL, NULL), 0);
    assert_int_equal(roof_chart_html(NULL, NULL, count_bytes, &length, NULL), 0);
    assert_int_equal(roof_chart_html(&drawing.chart, NULL, count_bytes, &length, NULL), 0);
    assert_true(length > 0);
    assert_int_equal(roof_chart_of_profile(&h100, NULL, NULL, 0, false, &drawing, NULL), -1);
}

/* Handles: freeing none, options that are all defaults, counts that nobody wants. */
static void no_options(void **state) {
    static const char csv[] = "name,seconds,flops,bytes_dram\nk,1e-3,1e9,1e9\n";
    roof_run_verdict judged;
    roof_run run;
    (void)state;
    roof_model_file_free(NULL);
    roof_machine_file_free(NULL);
    roof_graph_free(NULL);
    roof_profile_free(NULL);
    roof_measurement_free(NULL);
    roof_profile *profile = roof_read_profile_bytes(csv, sizeof csv - 1, NULL, NULL);
    assert_non_null(profile);
    assert_string_equal(roof_profile_points(profile, NULL)->name, "k");
    (void)roof_profile_runs(profile, NULL);
    roof_profile_free(profile);
    const roof_model_run measured = {.decode_rate = 100, .parameters = 8e9, .model_bytes = 16e9};
    assert_int_equal(roof_judge_run(&h100, NULL, &measured, &judged, NULL), 0);
    assert_true(judged.has_decode);
    /* A device's operation cannot run here: the options are looked at after that. */
    const roof_operation collective = {.kind = ROOF_KIND_ALL_REDUCE, .name = "all-reduce", .count = 1};
    assert_int_equal(roof_run_operation(&h100, &collective, NULL, &run, NULL), -1);
}

static void no_count(void **state) {
    model m = {0};
    const char *name;
    roof_error error;
    (void)state;
    input(&m, "x", FLOAT, "2,3");
    node(&m, "Relu", "x", "y", "");
    output(&m, "y");
    finish(&m, 13);
    roof_graph *graph = roof_read_graph_bytes(m.file.data, m.file.length, NULL, &error);
    discard(&m);
    if (!graph)
        fail_msg("%s", error.what);
    assert_string_equal(roof_graph_operations(graph, NULL)->name, "Relu");
    assert_int_equal(roof_graph_tensor(graph, 0, &name, NULL, 0), 2);
    roof_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_error),    cmocka_unit_test(no_bytes), cmocka_unit_test(no_buffer),
        cmocka_unit_test(no_elements), cmocka_unit_test(no_chart), cmocka_unit_test(no_options),
        cmocka_unit_test(no_count),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
