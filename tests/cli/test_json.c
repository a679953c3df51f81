/* JSON outputs read back with an independent parser (jansson): the numbers are those of the library, the parts add up.
 */
#include "test.h"

#include <jansson.h>
#include <stdlib.h>

static json_t *golden(const char *name) {
    char path[600];
    json_error_t error;
    snprintf(path, sizeof path, "%s/cases/%s.out", TEST_DATA, name);
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        fail_msg("%s, line %d: %s", path, error.line, error.text);
    assert_string_equal(json_string_value(json_object_get(root, "schema")), "roofline/1");
    return root;
}

static double number(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value))
        fail_msg("'%s' is no number", key);
    return json_number_value(value);
}

static const char *text_of(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    if (!json_is_string(value))
        fail_msg("'%s' is no text", key);
    return json_string_value(value);
}

/* `roofline op gemm m=8 n=14336 k=4096 --on h100-sxm --json` */
static void operation(void **state) {
    const roof_argument arguments[] = {
        {"m", 8, ROOF_DTYPE_NONE}, {"n", 14336, ROOF_DTYPE_NONE}, {"k", 4096, ROOF_DTYPE_NONE}};
    roof_operation gemm;
    roof_machine machine;
    roof_verdict verdict;
    (void)state;
    assert_int_equal(roof_operation_build(ROOF_KIND_GEMM, arguments, 3, &gemm, NULL), 0);
    assert_int_equal(roof_machine_find("h100-sxm", &machine, NULL, 0, NULL), 0);
    assert_int_equal(roof_judge(&machine, &gemm, &verdict, NULL), 0);

    json_t *root = golden("op-gemm-json");
    const json_t *operation_ = json_object_get(root, "operation"), *verdict_ = json_object_get(root, "verdict");
    assert_string_equal(text_of(json_object_get(root, "machine"), "id"), "h100-sxm");
    assert_string_equal(text_of(operation_, "kind"), "gemm");
    assert_exact(number(json_object_get(operation_, "shape"), "k"), 4096);
    assert_exact(number(operation_, "flops"), 2.0 * 8 * 14336 * 4096);
    assert_exact(number(json_object_get(operation_, "bytes"), "dram"), gemm.bytes[ROOF_DRAM]);
    assert_string_equal(text_of(verdict_, "bound"), "memory");
    assert_exact(number(verdict_, "seconds"), verdict.seconds);
    assert_exact(number(verdict_, "intensity"), verdict.intensity);
    assert_exact(number(verdict_, "ridge"), verdict.ridge);
    assert_exact(number(verdict_, "attainable"), verdict.attainable);
    assert_exact(number(verdict_, "margin"), verdict.margin);
    assert_true(json_array_size(json_object_get(root, "advice")) > 0);
    json_decref(root);
}

static void point_adds_up(const json_t *point) {
    size_t i;
    const json_t *operation_;
    double share = 0, flops = 0, matrix_flops = 0, bytes = 0, seconds = 0;
    json_array_foreach(json_object_get(point, "operations"), i, operation_) {
        share += number(operation_, "share");
        flops += number(operation_, "flops");
        matrix_flops += number(operation_, "matrix_flops");
        bytes += number(operation_, "bytes");
        seconds += number(operation_, "seconds");
    }
    assert_near(share, 1, 1e-12);
    assert_near(flops, number(point, "flops"), 1e-12);
    assert_near(matrix_flops, number(point, "matrix_flops"), 1e-12);
    assert_near(bytes, number(point, "bytes"), 1e-12);
    assert_near(seconds, number(point, "seconds"), 1e-12);
    const json_t *memory = json_object_get(point, "memory");
    assert_near(number(memory, "weights") + number(memory, "kv_cache") + number(memory, "activations"),
                number(memory, "total"), 1e-12);
}

static void points_add_up(void **state) {
    static const char *const names[] = {"model-json", "model-moe-json"};
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        json_t *root = golden(names[k]);
        const json_t *points = json_object_get(root, "points");
        assert_true(json_array_size(points) >= 2);
        for (size_t i = 0; i < json_array_size(points); i++)
            point_adds_up(json_array_get(points, i));
        json_decref(root);
    }
}

/* `roofline model llama-3.1-8b --on h100-sxm --batch 1,64 --json`, judged again here. */
static void model(void **state) {
    const roof_named_model *named = roof_named_model_find("llama-3.1-8b", NULL);
    roof_machine machine;
    (void)state;
    assert_non_null(named);
    assert_int_equal(roof_machine_find("h100-sxm", &machine, NULL, 0, NULL), 0);
    roof_model_file *file = roof_read_config(named->config, strlen(named->config), NULL, 0, NULL);
    const roof_model *llama = roof_model_file_model(file);
    json_t *root = golden("model-json");
    const json_t *points = json_object_get(root, "points");
    assert_exact(number(json_object_get(json_object_get(root, "model"), "parameters"), "total"),
                 8030261248); /* the published count */
    assert_int_equal(json_array_size(points), 4);
    for (size_t i = 0; i < 4; i++) {
        const json_t *point_ = json_array_get(points, i);
        roof_plan plan = {.batch = i < 2 ? 1 : 64};
        roof_phase phase = i % 2 ? ROOF_PHASE_DECODE : ROOF_PHASE_PREFILL;
        roof_point point;
        roof_plan_complete(llama, &plan);
        assert_int_equal(roof_model_point(&machine, llama, &plan, phase, &point, NULL), 0);
        assert_string_equal(text_of(point_, "phase"), roof_phase_name(phase));
        assert_exact(number(point_, "batch"), plan.batch);
        assert_exact(number(point_, "context"), plan.context);
        assert_exact(number(point_, "flops"), point.sum.flops);
        assert_exact(number(point_, "bytes"), point.sum.bytes);
        assert_exact(number(point_, "seconds"), point.seconds);
        assert_exact(number(point_, "tokens_per_second"), point.tokens_per_second);
        assert_exact(number(json_object_get(point_, "memory"), "kv_cache"), point.memory.kv_cache);
    }
    json_decref(root);
    roof_model_file_free(file);
}

/* A plan that does not fit keeps its costs and has no throughput. */
static void misfit(void **state) {
    json_t *root = golden("model-does-not-fit-json");
    const json_t *point = json_array_get(json_object_get(root, "points"), 1);
    (void)state;
    assert_true(json_is_null(json_object_get(point, "tokens_per_second")));
    assert_true(json_is_false(json_object_get(json_object_get(point, "memory"), "fits")));
    assert_true(number(point, "bytes") > 0);
    json_decref(root);
}

/* Every other JSON golden is at least JSON of our schema. */
static void listings(void **state) {
    static const char *const names[] = {"op-gemm-sweep-json", "machines-json", "machines-show-json",
                                        "models-json",        "ops-json",      "output-json"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        json_decref(golden(names[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(operation), cmocka_unit_test(points_add_up),
                                       cmocka_unit_test(model), cmocka_unit_test(misfit), cmocka_unit_test(listings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
