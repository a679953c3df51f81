/* Every allocation fails once: the reading ends with "out of memory", and nothing leaks. */
#include "onnx_writer.h"

#include "alloc/alloc.h"
#include "roofline_read.h"

/* A graph with everything that allocates: branches, warnings, unknown operators, open dimensions, folding, chains. */
static model everything(void) {
    model m = {0}, a = {0}, b = {0};
    input(&m, "c", BOOL, "");
    input(&m, "x", FLOAT, "batch,4,8");
    input(&m, "e", FLOAT, "0,3");
    weights(&m, "w", FLOAT, "8,8");
    numbers(&m, "flat", "-1,8");
    node(&m, "Shape", "x", "s", "");
    node(&m, "Reshape", "x flat", "r", "");
    node(&m, "MatMul", "r w", "p", "");
    node(&m, "Sigmoid", "p", "q", "");
    node(&m, "Mul", "p q", "v", "");
    node(&m, "acme:Blur", "v", "u", "");
    node(&a, "MatMul", "v w", "a1", "");
    output(&a, "a1");
    node(&b, "Relu", "v", "b1", "");
    output(&b, "b1");
    node_with_graphs(&m, "If", "c", "y", "", "then_branch", &a, "else_branch", &b);
    for (int i = 0; i < 300; i++) { /* past the first blocks of every list */
        char from[16], to[16];
        sprintf(from, i ? "n%d" : "y", i);
        sprintf(to, "n%d", i + 1);
        node(&m, "Transpose", from, to, "");
    }
    output(&m, "n300");
    finish(&m, 13);
    return m;
}

static void each_allocation(void **state) {
    (void)state;
    model m = everything();
    const roof_dimension batch = {"batch", 2};
    const roof_graph_options options = {.dimensions = &batch, .dimension_count = 1};
    size_t failures = 0;
    ALLOC_FAIL_EACH(n, {
        roof_error error = {0};
        roof_graph *graph = roof_read_graph_bytes(m.file.data, m.file.length, &options, &error);
        assert_int_equal(graph == NULL, alloc_failed());
        if (!graph)
            assert_int_equal(error.code, ROOF_ENOMEM);
        roof_graph_free(graph);
        assert_int_equal(alloc_live(), 0);
        failures += alloc_failed();
    });
    assert_true(failures > 10);
    alloc_start(0);
    discard(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_allocation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
