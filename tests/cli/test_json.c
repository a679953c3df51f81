/* JSON outputs read back: the numbers are those of the library, the parts add up. (tests/json/oracle.py reads them with
 * a parser that nobody here wrote.) */
#include "test.h"

#include <stdlib.h>

#include "roofline_read.h"
#include "json/tree.h"

static json_node *golden(const char *name) {
    static char text[1 << 20];
    char path[600];
    roof_error error;
    snprintf(path, sizeof path, "%s/cases/%s.out", TEST_DATA, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    json_node *root = json_read(text, length, &error);
    if (!root)
        fail_msg("%s, line %ld: %s", path, error.line, error.what);
    assert_string_equal(json_text(json_get(root, "schema")), "roofline/1");
    return root;
}

static double number(const json_node *object, const char *key) {
    const json_node *value = json_get(object, key);
    if (json_kind_of(value) != JSON_NODE_NUMBER)
        fail_msg("'%s' is not a number", key);
    return json_number(value, 0);
}

static const char *text_of(const json_node *object, const char *key) {
    const char *text = json_text(json_get(object, key));
    if (!text)
        fail_msg("'%s' is no text", key);
    return text;
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

    json_node *root = golden("op-gemm-json");
    const json_node *operation_ = json_get(root, "operation"), *verdict_ = json_get(root, "verdict");
    assert_string_equal(text_of(json_get(root, "machine"), "id"), "h100-sxm");
    assert_string_equal(text_of(operation_, "kind"), "gemm");
    assert_exact(number(json_get(operation_, "shape"), "k"), 4096);
    assert_exact(number(operation_, "flops"), 2.0 * 8 * 14336 * 4096);
    assert_exact(number(json_get(operation_, "bytes"), "dram"), gemm.bytes[ROOF_DRAM]);
    assert_string_equal(text_of(verdict_, "bound"), "memory");
    assert_exact(number(verdict_, "seconds"), verdict.seconds);
    assert_exact(number(verdict_, "intensity"), verdict.intensity);
    assert_exact(number(verdict_, "ridge"), verdict.ridge);
    assert_exact(number(verdict_, "attainable"), verdict.attainable);
    assert_exact(number(verdict_, "margin"), verdict.margin);
    assert_true(json_size(json_get(root, "advice")) > 0);
    json_free(root);
}

static void point_adds_up(const json_node *point) {
    double share = 0, flops = 0, matrix_flops = 0, bytes = 0, seconds = 0;
    const json_node *operations = json_get(point, "operations");
    for (size_t i = 0; i < json_size(operations); i++) {
        const json_node *operation_ = json_at(operations, i);
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
    const json_node *memory = json_get(point, "memory");
    assert_near(number(memory, "weights") + number(memory, "kv_cache") + number(memory, "activations"),
                number(memory, "total"), 1e-12);
}

static void points_add_up(void **state) {
    static const char *const names[] = {"model-json", "model-moe-json"};
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        json_node *root = golden(names[k]);
        const json_node *points = json_get(root, "points");
        assert_true(json_size(points) >= 2);
        for (size_t i = 0; i < json_size(points); i++)
            point_adds_up(json_at(points, i));
        json_free(root);
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
    json_node *root = golden("model-json");
    const json_node *points = json_get(root, "points");
    assert_exact(number(json_get(json_get(root, "model"), "parameters"), "total"),
                 8030261248); /* the published count */
    assert_int_equal(json_size(points), 4);
    for (size_t i = 0; i < 4; i++) {
        const json_node *point_ = json_at(points, i);
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
        assert_exact(number(json_get(point_, "memory"), "kv_cache"), point.memory.kv_cache);
    }
    json_free(root);
    roof_model_file_free(file);
}

/* A plan that does not fit keeps its costs and has no throughput. */
static void misfit(void **state) {
    json_node *root = golden("model-does-not-fit-json");
    const json_node *point = json_at(json_get(root, "points"), 1);
    (void)state;
    assert_true(json_kind_of(json_get(point, "tokens_per_second")) == JSON_NODE_NULL);
    assert_true(!json_bool(json_get(json_get(point, "memory"), "fits"), true));
    assert_true(number(point, "bytes") > 0);
    json_free(root);
}

/* Every other JSON golden is at least JSON of our schema. */
static void listings(void **state) {
    static const char *const names[] = {"op-gemm-sweep-json", "machines-json", "machines-show-json",
                                        "models-json",        "ops-json",      "output-json"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        json_free(golden(names[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(operation), cmocka_unit_test(points_add_up),
                                       cmocka_unit_test(model), cmocka_unit_test(misfit), cmocka_unit_test(listings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
