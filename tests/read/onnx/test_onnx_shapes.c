/* Shapes that graphs compute: folding, all forms of attributes and inputs over the opsets, open dimensions. The
 * patterns are those that exporters write; what they come to is worked out by hand from the operator pages of ONNX. */
#include "onnx_writer.h"
#include "roofline_read.h"

static void is_shape(roof_graph *graph, const char *name, const char *shape) {
    const char *got = shape_of(graph, name);
    if (strcmp(got, shape) != 0)
        fail_msg("%s is [%s], not [%s]", name, got, shape);
}

/* x.view(x.size(0), -1) as PyTorch writes it. */
static void reshape_of_shape(void **state) {
    (void)state;
    model m = {0};
    const roof_dimension n = {"batch", 6};
    input(&m, "x", FLOAT, "batch,4,5");
    scalar(&m, "zero", "0");
    numbers(&m, "axes", "0");
    numbers(&m, "rest", "-1");
    node(&m, "Shape", "x", "s", "");
    node(&m, "Gather", "s zero", "g", "axis=0");
    node(&m, "Unsqueeze", "g axes", "u", "");
    node(&m, "Concat", "u rest", "c", "axis=0");
    node(&m, "Reshape", "x c", "y", "");
    output(&m, "y");
    finish(&m, 13);
    roof_graph *graph = read_model_with(&m, &(roof_graph_options){.dimensions = &n, .dimension_count = 1});
    is_shape(graph, "y", "6,20");
    size_t count;
    (void)roof_graph_operations(graph, &count);
    assert_int_equal(count, 0); /* arithmetic on shapes is no work */
    assert_string_equal(roof_graph_dimension(graph, 0)->name, "batch");
    assert_exact(roof_graph_dimension(graph, 0)->value, 6);
    assert_null(roof_graph_dimension(graph, 1));
    roof_graph_free(graph);
    discard(&m);
}

/* Twice the height and width by Slice, Mul and Concat (upsampling as tf2onnx and PyTorch write it). */
static void computed_sizes(void **state) {
    (void)state;
    model m = {0};
    input(&m, "x", FLOAT, "1,3,5,7");
    numbers(&m, "two", "2,2");
    numbers(&m, "a", "0");
    numbers(&m, "b", "2");
    numbers(&m, "e", "4");
    node(&m, "Shape", "x", "s", "");
    node(&m, "Slice", "s a b a", "head", "");
    node(&m, "Slice", "s b e a", "tail", "");
    node(&m, "Mul", "tail two", "grown", "");
    node(&m, "Concat", "head grown", "sizes", "axis=0");
    node(&m, "Resize", "x _ _ sizes", "y", "");
    roof_graph *graph = read_model(&m, 11);
    is_shape(graph, "y", "1,3,10,14");
    roof_graph_free(graph);
}

static void integers(void **state) {
    (void)state;
    model m = {0};
    numbers(&m, "a", "-7,7,10");
    numbers(&m, "b", "2,2,-3");
    scalar(&m, "start", "2");
    scalar(&m, "limit", "12");
    scalar(&m, "step", "3");
    node(&m, "Div", "a b", "d", ""); /* -3, 3, -3: towards zero */
    node(&m, "Abs", "d", "p", "");
    node(&m, "ConstantOfShape", "p", "y1", "");
    node(&m, "Range", "start limit step", "r", ""); /* 2 5 8 11 */
    node(&m, "ConstantOfShape", "r", "y2", "");
    node(&m, "Greater", "a b", "g", "");
    node(&m, "Where", "g a b", "w", "");
    node(&m, "ConstantOfShape", "w", "y3", "");
    node(&m, "NonZero", "g", "z", ""); /* [[1, 2]] */
    node(&m, "Squeeze", "z", "zs", "");
    node(&m, "ConstantOfShape", "zs", "y4", "");
    node(&m, "Equal", "a b", "q", "");
    node(&m, "Min", "a b", "least", "");
    node(&m, "Max", "a b", "most", "");
    node(&m, "Sub", "most least", "gap", ""); /* 9 5 13 */
    node(&m, "ConstantOfShape", "gap", "y5", "");
    node(&m, "Sqrt", "gap", "root", ""); /* 3, 2.2, 3.6 */
    node(&m, "Floor", "root", "whole", "");
    node(&m, "Cast", "whole", "cut", "to=7");
    node(&m, "ConstantOfShape", "cut", "y6", "");
    node(&m, "ReduceProd", "cut", "all", "keepdims=1"); /* 18 */
    node(&m, "ConstantOfShape", "all", "y7", "");
    roof_graph *graph = read_model(&m, 11);
    is_shape(graph, "y1", "3,3,3");
    is_shape(graph, "y2", "2,5,8,11");
    is_shape(graph, "y3", "2,7,10");
    is_shape(graph, "z", "1,2");
    is_shape(graph, "y4", "1,2");
    is_shape(graph, "y5", "9,5,13");
    is_shape(graph, "y6", "3,2,3");
    is_shape(graph, "y7", "18");
    roof_graph_free(graph);
}

/* The same operator before and after its attributes became inputs. */
static void opsets(void **state) {
    (void)state;
    static const struct {
        int opset;
        const char *op, *inputs, *attributes, *shape;
    } rows[] = {
        {5, "Reshape", "x list", "", "12,10"},
        {1, "Reshape", "x", "shape=[12,10]", "12,10"},
        {11, "Squeeze", "one", "axes=[1]", "4,5"},
        {13, "Squeeze", "one second", "", "4,5"},
        {13, "Squeeze", "one", "", "4,5"},
        {11, "Unsqueeze", "x", "axes=[0,-1]", "1,2,3,4,5,1"},
        {13, "Unsqueeze", "x second", "", "2,1,3,4,5"},
        {9, "Slice", "x", "starts=[1,-2] ends=[9,-1] axes=[1,3]", "2,2,4,1"},
        {10, "Slice", "x first last second", "", "2,2,4,5"},
        {9, "Upsample", "x", "scales=[1.0,1.0,2.0,2.5]", "2,3,8,12"},
        {2, "Pad", "x", "pads=[0,0,1,1,0,0,2,2]", "2,3,7,8"},
        {13, "Pad", "x pads", "", "2,3,6,6"},
        {11, "Clip", "x", "", "2,3,4,5"},
        {9, "ReduceMean", "x", "axes=[2,3] keepdims=0", "2,3"},
        {18, "ReduceMean", "x second", "", "2,1,4,5"},
        {13, "ReduceSum", "x", "", "1,1,1,1"},
        {13, "ReduceSum", "x", "noop_with_empty_axes=1", "2,3,4,5"},
        {9, "ArgMax", "x", "axis=1 keepdims=0", "2,4,5"},
        {6, "Tile", "x tiles", "", "2,6,4,15"},
        {8, "Expand", "one tiles", "", "1,4,4,5"},
        {11, "GatherND", "x where", "", "7,4,5"},
        {13, "Flatten", "x", "axis=-2", "6,20"},
        {11, "DepthToSpace", "deep", "blocksize=2", "1,2,6,6"},
        {13, "SpaceToDepth", "deep", "blocksize=3", "1,72,1,1"},
        {15, "Shape", "x", "start=1 end=-1", "2"},
        {12, "Einsum", "x x", "equation='abcd,abce->abde'", "2,3,5,5"},
        {13, "Transpose", "x", "perm=[0,3,1,2]", "2,5,3,4"},
        {10, "TopK", "x amount", "axis=3", "2,3,4,2"},
        {11, "MaxPool", "x", "kernel_shape=[3,3] strides=[2,2] ceil_mode=1", "2,3,2,2"},
        {11, "OneHot", "where amount pair", "", "7,2,2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        model m = {0};
        input(&m, "x", FLOAT, "2,3,4,5");
        input(&m, "one", FLOAT, "4,1,5");
        input(&m, "deep", FLOAT, "1,8,3,3");
        input(&m, "where", INT64, "7,2");
        input(&m, "pair", FLOAT, "2");
        numbers(&m, "list", "12,-1");
        numbers(&m, "second", "1");
        numbers(&m, "first", "1");
        numbers(&m, "last", "9");
        numbers(&m, "pads", "0,0,1,0,0,0,1,1");
        numbers(&m, "tiles", strcmp(rows[i].op, "Expand") == 0 ? "1,4,4,5" : "1,2,1,3");
        numbers(&m, "amount", "2");
        node(&m, rows[i].op, rows[i].inputs, "y", rows[i].attributes);
        roof_graph *graph = read_model(&m, rows[i].opset);
        if (strcmp(shape_of(graph, "y"), rows[i].shape) != 0)
            fail_msg("%s of opset %d with %s: [%s], not [%s]", rows[i].op, rows[i].opset, rows[i].attributes,
                     shape_of(graph, "y"), rows[i].shape);
        roof_graph_free(graph);
    }
}

static void outputs_that_split(void **state) {
    (void)state;
    model m = {0};
    input(&m, "x", FLOAT, "2,7");
    numbers(&m, "parts", "3,4");
    node(&m, "Split", "x parts", "a b", "axis=1");
    node(&m, "Split", "x", "c d e", "axis=-1 num_outputs=3"); /* 3, 3, 1 */
    roof_graph *graph = read_model(&m, 18);
    is_shape(graph, "a", "2,3");
    is_shape(graph, "b", "2,4");
    is_shape(graph, "c", "2,3");
    is_shape(graph, "e", "2,1");
    roof_graph_free(graph);
}

/* Opset 6: the second operand stretches from an axis on. */
static void old_broadcast(void **state) {
    (void)state;
    model m = {0};
    input(&m, "x", FLOAT, "2,3,4,5");
    weights(&m, "b", FLOAT, "3");
    node(&m, "Add", "x b", "y", "broadcast=1 axis=1");
    roof_graph *graph = read_model(&m, 6);
    is_shape(graph, "y", "2,3,4,5");
    roof_graph_free(graph);
}

static void zero_elements(void **state) {
    (void)state;
    model m = {0};
    input(&m, "x", FLOAT, "0,4");
    weights(&m, "w", FLOAT, "4,5");
    node(&m, "MatMul", "x w", "t", "");
    node(&m, "Relu", "t", "y", "");
    roof_graph *graph = read_model(&m, 13);
    is_shape(graph, "y", "0,5");
    assert_exact(roof_graph_about(graph)->macs, 0);
    assert_exact(roof_graph_about(graph)->least_bytes, 0);
    assert_non_null(strstr(roof_graph_warning(graph, 0), "has no elements"));
    roof_graph_free(graph);
}

static void open_dimensions(void **state) {
    (void)state;
    model m = {0};
    roof_error error = {0};
    input(&m, "x", FLOAT, "batch,-1,?,8");
    input(&m, "y", FLOAT, "batch,seq");
    node(&m, "Relu", "x", "z", "");
    finish(&m, 13);
    assert_null(roof_read_graph_bytes(m.file.data, m.file.length, NULL, &error));
    assert_int_equal(error.code, ROOF_EARGUMENT);
    assert_string_equal(error.what, "the graph leaves dimensions open: batch, x.1, x.2, seq");
    assert_int_equal(error.remedy, ROOF_REMEDY_DIMENSION);
    assert_string_equal(error.subject, "batch,x.1,x.2,seq");

    roof_dimension all[5] = {{"batch", 3}, {"x.1", 4}, {"x.2", 5}, {"seq", 6}, {"y.0", 9}};
    roof_graph_options options = {.dimensions = all, .dimension_count = 5};
    roof_graph *graph = read_model_with(&m, &options);
    is_shape(graph, "z", "3,4,5,8");
    is_shape(graph, "y", "9,6"); /* input and axis are more exact than a name */
    roof_graph_free(graph);

    all[4].name = "nothing";
    assert_null(roof_read_graph_bytes(m.file.data, m.file.length, &options, &error));
    assert_string_equal(error.what, "the graph has no open dimension 'nothing'");
    all[4] = (roof_dimension){"batch", 2.5};
    assert_null(roof_read_graph_bytes(m.file.data, m.file.length, &options, &error));
    assert_non_null(strstr(error.what, "dimension batch=2.5: it is a count"));
    discard(&m);
}

static void no_shape(void **state) {
    (void)state;
    model m = {0};
    input(&m, "x", FLOAT, "!");
    input(&m, "k", FLOAT, "2,2");
    node(&m, "Relu", "x", "t", "");
    node(&m, "MatMul", "t k", "y", "");
    roof_graph *graph = read_model(&m, 13);
    assert_true(roof_graph_about(graph)->at_least);
    is_shape(graph, "y", "?");
    assert_string_equal(roof_graph_warning(graph, 0), "input 'x' has no shape: what follows from it is unknown");
    assert_exact(roof_graph_about(graph)->unknown_nodes, 2);
    roof_graph_free(graph);
}

/* Tensors that are inputs too (before IR version 4) are weights, and their order among the inputs does not matter. */
static void tensors_among_inputs(void **state) {
    (void)state;
    model m = {0};
    input(&m, "w", FLOAT, "4,2");
    input(&m, "x", FLOAT, "3,4");
    weights(&m, "w", FLOAT, "4,2");
    node(&m, "MatMul", "x w", "y", "");
    roof_graph *graph = read_model(&m, 7);
    assert_exact(roof_graph_about(graph)->parameters, 8);
    assert_exact(roof_graph_about(graph)->macs, 24);
    roof_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reshape_of_shape),   cmocka_unit_test(computed_sizes),
        cmocka_unit_test(integers),           cmocka_unit_test(opsets),
        cmocka_unit_test(outputs_that_split), cmocka_unit_test(old_broadcast),
        cmocka_unit_test(zero_elements),      cmocka_unit_test(open_dimensions),
        cmocka_unit_test(no_shape),           cmocka_unit_test(tensors_among_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
