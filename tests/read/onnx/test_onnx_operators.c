/* One operator at a time: FLOPs and bytes against numbers worked out by hand from the operator's definition (the ONNX
 * operator pages; ONNX Runtime's ContribOperators.md), and against the published cost of the same shape elsewhere. */
#include "onnx_writer.h"

#include "read/onnx/run.h"
#include "roofline_read.h"

typedef struct cost {
    const char *name;
    double count, matrix, vector, bytes, weights;
} cost;

/* The operations of a model, in order. -1 in a field: not compared. */
static void expect(model *m, int opset, const roof_graph_options *options, const cost *costs, size_t count) {
    output(m, "y");
    finish(m, opset);
    roof_graph *graph = read_model_with(m, options);
    size_t got;
    const roof_operation *operations = roof_graph_operations(graph, &got);
    assert_int_equal(got, count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(operations[i].name, costs[i].name);
        assert_exact(operations[i].count, costs[i].count);
        assert_exact(operations[i].matrix_flops, costs[i].matrix);
        if (costs[i].vector >= 0)
            assert_exact(operations[i].vector_flops, costs[i].vector);
        if (costs[i].bytes >= 0)
            assert_exact(operations[i].bytes[ROOF_DRAM], costs[i].bytes);
        assert_exact(operations[i].weight_bytes, costs[i].weights);
    }
    roof_graph_free(graph);
    discard(m);
}

#define EXPECT(m, opset, options, ...)                                                                                 \
    expect(m, opset, options, (cost[]){__VA_ARGS__}, sizeof((cost[]){__VA_ARGS__}) / sizeof(cost))

static void convolutions(void **state) {
    (void)state;
    model m = {0};
    input(&m, "x", FLOAT, "2,4,6,6"); /* depthwise with a multiplier of 2 */
    weights(&m, "w", FLOAT, "8,1,3,3");
    weights(&m, "b", FLOAT, "8");
    node(&m, "Conv", "x w b", "y", "group=4");
    EXPECT(&m, 11, NULL,
           {"Conv", 1, 2.0 * 2 * 8 * 9 * 16, 2 * 8 * 16, 4.0 * (2 * 4 * 36 + 72 + 8 + 2 * 8 * 16), 4 * 80});

    input(&m, "x", FLOAT, "1,1,28,28"); /* padded to 28 x 28: five on one side, none lost */
    weights(&m, "w", FLOAT, "8,1,5,5");
    node(&m, "Conv", "x w", "y", "auto_pad='SAME_LOWER'");
    EXPECT(&m, 11, NULL, {"Conv", 1, 2.0 * 8 * 25 * 784, 0, 4.0 * (784 + 200 + 8 * 784), 800});

    input(&m, "x", FLOAT, "1,3,9"); /* one axis; pads of 1 and 2 make an odd sum: (9 + 3 - 5) / 2 + 1 = 4 */
    weights(&m, "w", FLOAT, "6,3,3");
    node(&m, "Conv", "x w", "y", "pads=[1,2] strides=[2] dilations=[2]");
    EXPECT(&m, 11, NULL, {"Conv", 1, 2.0 * 6 * 9 * 4, 0, 4.0 * (27 + 54 + 24), 216});

    input(&m, "x", FLOAT, "2,3,4,5");
    weights(&m, "w", FLOAT, "3,3,3,3");
    node(&m, "ConvTranspose", "x w", "y",
         "strides=[3,2] output_padding=[1,1] pads=[1,1,1,1]"); /* 3*3+3-2+1 = 11, 4*2+3-2+1 = 10 */
    EXPECT(&m, 11, NULL, {"ConvTranspose", 1, 2.0 * 2 * 20 * 3 * 3 * 9, 0, 4.0 * (120 + 81 + 2 * 3 * 110), 324});

    input(&m, "x", FLOAT, "1,2,3,3,3,3"); /* four axes have no kind; the count is the same product */
    weights(&m, "w", FLOAT, "5,2,2,2,2,2");
    node(&m, "Conv", "x w", "y", "");
    EXPECT(&m, 11, NULL, {"Conv", 1, 2.0 * 5 * 2 * 16 * 16, 0, 4.0 * (162 + 160 + 80), 0});

    input(&m, "x", UINT8, "1,1,7,7"); /* test_qlinearconv of ONNX: 49 products */
    weights(&m, "w", UINT8, "1,1,1,1");
    for (const char *s = "abcdef"; *s; s++)
        weights(&m, (char[]){*s, '\0'}, *s == 'b' || *s == 'd' || *s == 'f' ? UINT8 : FLOAT, "");
    node(&m, "QLinearConv", "x a b w c d e f", "y", "");
    EXPECT(&m, 11, NULL, {"QLinearConv", 1, 98, 0, 49 + 1 + 49 + 3 * 4 + 3, 1});
}

static void products(void **state) {
    (void)state;
    model m = {0};
    input(&m, "x", FLOAT, "4,3,10"); /* 12 rows through one matrix */
    weights(&m, "w", FLOAT, "10,8");
    node(&m, "MatMul", "x w", "y", "");
    EXPECT(&m, 13, NULL, {"MatMul", 1, 2.0 * 12 * 8 * 10, 0, 4.0 * (120 + 80 + 96), 320});

    input(&m, "a", FLOAT16, "2,5,3,4"); /* batches of 2 x 5 */
    input(&m, "b", FLOAT16, "5,4,6");
    node(&m, "MatMul", "a b", "y", "");
    EXPECT(&m, 13, NULL, {"MatMul", 1, 2.0 * 10 * 3 * 6 * 4, 0, 2.0 * (120 + 120 + 180), 0});

    input(&m, "a", FLOAT, "3"); /* vector times matrix */
    input(&m, "b", FLOAT, "3,2");
    node(&m, "MatMul", "a b", "y", "");
    EXPECT(&m, 13, NULL, {"MatMul", 1, 12, 0, 4.0 * (3 + 6 + 2), 0});

    input(&m, "a", FLOAT, "4,3"); /* test_gemm_all_attributes of ONNX */
    input(&m, "b", FLOAT, "5,4");
    input(&m, "c", FLOAT, "1,5");
    node(&m, "Gemm", "a b c", "y", "transA=1 transB=1 alpha=0.25 beta=0.35");
    EXPECT(&m, 11, NULL, {"Gemm", 1, 2.0 * 3 * 5 * 4, 15 + 15 + 5, 4.0 * (12 + 20 + 5 + 15), 0});

    input(&m, "a", INT8, "4,3");
    weights(&m, "b", INT8, "3,2");
    node(&m, "MatMulInteger", "a b", "y", "");
    EXPECT(&m, 10, NULL, {"MatMulInteger", 1, 48, 0, 12 + 6 + 4 * 8, 6});

    input(&m, "a", FLOAT16, "1,3,64"); /* 4-bit codes in blocks of 32 with a scale and a zero point */
    weights(&m, "q", UINT8, "16,2,16");
    weights(&m, "s", FLOAT16, "32");
    weights(&m, "z", UINT8, "16");
    node(&m, "com.microsoft:MatMulNBits", "a q s z", "y", "K=64 N=16 bits=4 block_size=32");
    EXPECT(&m, 13, NULL, {"MatMulNBits", 1, 2.0 * 3 * 16 * 64, 0, 2 * 3 * 64 + 512 + 64 + 16 + 2 * 48, 592});

    input(&m, "a", FLOAT, "5,2,3"); /* test_einsum_batch_matmul of ONNX */
    input(&m, "b", FLOAT, "5,3,4");
    node(&m, "Einsum", "a b", "y", "equation='bij,bjk->bik'");
    EXPECT(&m, 12, NULL, {"Einsum", 1, 2.0 * 5 * 2 * 3 * 4, 0, 4.0 * (30 + 60 + 40), 0});

    input(&m, "a", FLOAT, "2,7,3,4"); /* an ellipsis, and no output given: i and k in order */
    input(&m, "b", FLOAT, "2,7,4,5");
    node(&m, "Einsum", "a b", "y", "equation='...ij,...jk'");
    EXPECT(&m, 12, NULL, {"Einsum", 1, 2.0 * 14 * 3 * 4 * 5, 0, 4.0 * (168 + 280 + 210), 0});

    input(&m, "a", FLOAT, "2,3"); /* from left to right: 2x3x4, then 2x4x5 */
    input(&m, "b", FLOAT, "3,4");
    input(&m, "c", FLOAT, "4,5");
    node(&m, "Einsum", "a b c", "y", "equation='ij,jk,kl->il'");
    EXPECT(&m, 12, NULL, {"Einsum", 1, 2.0 * (24 + 40), 0, 4.0 * (6 + 12 + 20 + 10), 0});
}

/* Hidden 3, input 4, 1 step, 2 sequences: four gates of 3 x 4 and 3 x 3 (test_lstm_with_peepholes of ONNX). */
static void recurrences(void **state) {
    (void)state;
    model m = {0};
    const roof_graph_options eager = {.eager = true};
    input(&m, "x", FLOAT, "1,2,4");
    weights(&m, "w", FLOAT, "1,12,4");
    weights(&m, "r", FLOAT, "1,12,3");
    weights(&m, "b", FLOAT, "1,24");
    weights(&m, "p", FLOAT, "1,9");
    node(&m, "LSTM", "x w r b _ _ _ p", "y", "hidden_size=3");
    EXPECT(&m, 14, NULL, {"LSTM", 1, 2.0 * 2 * 12 * 4, 0, 4.0 * (8 + 48 + 24), 192},
           {"LSTM", 1, 2.0 * 2 * 12 * 3, (26 + 6) * 2.0 * 3, 4.0 * (24 + 36 + 24 + 9 + 6), 4.0 * (36 + 24 + 9)});

    input(&m, "x", FLOAT16, "50,1,64"); /* both directions, 50 steps */
    weights(&m, "w", FLOAT16, "2,384,64");
    weights(&m, "r", FLOAT16, "2,384,128");
    node(&m, "GRU", "x w r", "y", "hidden_size=128 direction='bidirectional'");
    EXPECT(&m, 14, NULL, {"GRU", 1, 2.0 * 50 * 768 * 64, 0, -1, 2.0 * 768 * 64},
           {"GRU", 2, 2.0 * 50 * 384 * 128, -1, -1, 2.0 * 384 * 128});

    input(&m, "x", FLOAT16, "50,1,64");
    weights(&m, "w", FLOAT16, "1,128,64");
    weights(&m, "r", FLOAT16, "1,128,128");
    node(&m, "RNN", "x w r", "y", "hidden_size=128");
    EXPECT(&m, 14, &eager, {"RNN", 1, 2.0 * 50 * 128 * 64, 0, -1, 2.0 * 128 * 64}, /* every step reads R */
           {"RNN", 50, 2.0 * 128 * 128, 3 * 128, 2.0 * (128 + 128 * 128 + 4 * 128), 2.0 * 128 * 128});
}

/* The same attention three ways: 2 sequences, 8 heads of 64, 3 new tokens after 5. Pairs of causal attention:
 * 6 + 7 + 8 = 21 a head; all pairs: 24. */
static void attention(void **state) {
    (void)state;
    model m = {0};
    const double causal = 2.0 * 2 * 8 * 21 * 128, full = 2.0 * 2 * 8 * 24 * 128;
    input(&m, "q", FLOAT16, "2,8,3,64");
    input(&m, "k", FLOAT16, "2,8,3,64");
    input(&m, "v", FLOAT16, "2,8,3,64");
    input(&m, "pk", FLOAT16, "2,8,5,64");
    input(&m, "pv", FLOAT16, "2,8,5,64");
    node(&m, "Attention", "q k v _ pk pv", "y z1 z2", "is_causal=1");
    EXPECT(&m, 23, NULL, {"Attention", 1, causal, 5.0 * 2 * 8 * 21, 2.0 * 2 * 8 * (3 * 128 + 8 * 128 + 3 * 128), 0});

    input(&m, "q", FLOAT16, "2,3,512");
    input(&m, "k", FLOAT16, "2,3,128");
    input(&m, "v", FLOAT16, "2,3,128");
    input(&m, "pk", FLOAT16, "2,2,5,64");
    input(&m, "pv", FLOAT16, "2,2,5,64");
    input(&m, "lens", INT32, "2");
    input(&m, "total", INT32, "");
    node(&m, "com.microsoft:GroupQueryAttention", "q k v pk pv lens total", "y z1 z2", "num_heads=8 kv_num_heads=2");
    EXPECT(&m, 14, NULL, {"GroupQueryAttention", 1, causal, -1, -1, 0});

    input(&m, "q", FLOAT16, "2,3,512");
    input(&m, "k", FLOAT16, "2,8,512");
    input(&m, "v", FLOAT16, "2,8,512");
    node(&m, "com.microsoft:MultiHeadAttention", "q k v", "y", "num_heads=8");
    EXPECT(&m, 14, NULL, {"MultiHeadAttention", 1, full, -1, 2.0 * 2 * (3 * 512 + 2 * 8 * 512 + 3 * 512), 0});

    input(&m, "x", FLOAT16, "2,3,256"); /* the projection is part of the operator */
    weights(&m, "w", FLOAT16, "256,1536");
    weights(&m, "b", FLOAT16, "1536");
    input(&m, "past", FLOAT16, "2,2,8,5,64");
    node(&m, "com.microsoft:Attention", "x w b _ past", "y z", "num_heads=8 unidirectional=1");
    EXPECT(&m, 14, NULL,
           {"Attention", 1, 2.0 * 6 * 256 * 1536, 6 * 1536, 2.0 * (6 * 256 + 257 * 1536 + 6 * 1536), 2.0 * 257 * 1536},
           {"Attention", 1, causal, -1, -1, 0});
}

static void other_work(void **state) {
    (void)state;
    model m = {0};
    input(&m, "x", FLOAT, "2,3,8,8");
    node(&m, "MaxPool", "x", "y", "kernel_shape=[3,3] strides=[2,2]");
    EXPECT(&m, 12, NULL, {"MaxPool", 1, 0, 2.0 * 3 * 9 * 8, 4.0 * (2 * 3 * 64 + 2 * 3 * 9), 0});

    input(&m, "x", FLOAT, "2,3,8");
    node(&m, "Softmax", "x", "y", "");
    EXPECT(&m, 13, NULL, {"Softmax", 1, 0, 5 * 48, 2 * 4 * 48, 0});

    input(&m, "x", FLOAT, "2,3,8");
    weights(&m, "g", FLOAT, "8");
    weights(&m, "b", FLOAT, "8");
    node(&m, "LayerNormalization", "x g b", "y", "");
    EXPECT(&m, 17, NULL, {"LayerNormalization", 1, 0, 7 * 48, 4.0 * (2 * 48 + 16), 64});

    input(&m, "x", FLOAT, "2,3,8"); /* with the sum kept: four passes */
    input(&m, "s", FLOAT, "2,3,8");
    weights(&m, "g", FLOAT, "8");
    node(&m, "com.microsoft:SkipSimplifiedLayerNormalization", "x s g", "y _ _ sum", "");
    EXPECT(&m, 14, NULL, {"SkipSimplifiedLayerNormalization", 1, 0, 5 * 48, 4.0 * (4 * 48 + 8), 32});

    input(&m, "x", FLOAT, "4,10");
    numbers(&m, "axes", "1");
    node(&m, "ReduceSum", "x axes", "y", "keepdims=0");
    EXPECT(&m, 13, NULL, {"ReduceSum", 1, 0, 36, 4.0 * 44, 0});

    input(&m, "ids", INT64, "2,5"); /* ten rows of the table, not the table */
    weights(&m, "table", FLOAT16, "1000,64");
    node(&m, "Gather", "table ids", "y", "");
    EXPECT(&m, 13, NULL, {"Gather", 1, 0, 0, 10 * 64 * 4.0 + 80, 0});

    input(&m, "x", FLOAT, "1,1,4,4"); /* two taps along two axes: 4 products and 3 sums an element */
    numbers(&m, "sizes", "1,1,8,8");
    node(&m, "Resize", "x _ _ sizes", "y", "mode='linear'");
    EXPECT(&m, 13, NULL, {"Resize", 1, 0, 7 * 64, 4.0 * (16 + 64), 0});

    input(&m, "x", FLOAT, "2,6"); /* only what is kept is read */
    numbers(&m, "s", "0");
    numbers(&m, "e", "2");
    numbers(&m, "a", "1");
    node(&m, "Slice", "x s e a", "y", "");
    EXPECT(&m, 13, NULL, {"Slice", 1, 0, 0, 4.0 * 8, 0});

    input(&m, "x", FLOAT, "2,6"); /* names for the same memory are no work */
    numbers(&m, "s", "3,4");
    node(&m, "Reshape", "x s", "t", "");
    node(&m, "Identity", "t", "u", "");
    node(&m, "Transpose", "u", "y", "");
    EXPECT(&m, 13, NULL, {"Transpose", 1, 0, 0, 4.0 * 24, 0});
}

/* x * sigmoid(x) after a product: both readers of x are in the chain, so all of it rides with the product. */
static void chains(void **state) {
    (void)state;
    model m = {0};
    input(&m, "a", FLOAT, "2,3");
    weights(&m, "w", FLOAT, "3,4");
    node(&m, "MatMul", "a w", "x", "");
    node(&m, "Sigmoid", "x", "s", "");
    node(&m, "Mul", "x s", "y", "");
    EXPECT(&m, 13, NULL, {"MatMul+Sigmoid+Mul", 1, 48, 5 * 8, 4.0 * (6 + 12 + 8), 48});

    input(&m, "a", FLOAT, "2,3"); /* x leaves the graph too, so it must be written: Relu reads it again */
    weights(&m, "w", FLOAT, "3,4");
    node(&m, "MatMul", "a w", "x", "");
    node(&m, "Relu", "x", "y", "");
    output(&m, "x");
    EXPECT(&m, 13, NULL, {"MatMul", 1, 48, 0, 4.0 * (6 + 12 + 8), 48}, {"Relu", 1, 0, 8, 4.0 * 16, 0});

    input(&m, "a", FLOAT, "2,4"); /* the residual joins the later product, which then reads it */
    weights(&m, "w", FLOAT, "4,4");
    node(&m, "MatMul", "a w", "b", "");
    node(&m, "MatMul", "b w", "c", "");
    node(&m, "Add", "c b", "d", "");
    node(&m, "Relu", "d", "y", "");
    EXPECT(&m, 13, NULL, {"MatMul", 1, 64, 0, 4.0 * (8 + 16 + 8), 64},
           {"MatMul+Add+Relu", 1, 64, 16, 4.0 * (8 + 16 + 8), 64});

    input(&m, "a", FLOAT, "2,4"); /* a broadcast has more elements than what it reads: a new operation */
    input(&m, "b", FLOAT, "3,2,4");
    node(&m, "Exp", "a", "c", "");
    node(&m, "Add", "c b", "y", "");
    EXPECT(&m, 13, NULL, {"Exp", 1, 0, 8, 64, 0}, {"Add", 1, 0, 24, 4.0 * (8 + 24 + 24), 0});
}

/* Codes and scales: both sides dequantised means int8 products; one side alone is widened. */
static void quantised(void **state) {
    (void)state;
    model m = {0};
    input(&m, "x", INT8, "4,64");
    weights(&m, "w", INT8, "64,16");
    weights(&m, "s", FLOAT, "");
    node(&m, "DequantizeLinear", "x s", "xf", "");
    node(&m, "DequantizeLinear", "w s", "wf", "");
    node(&m, "MatMul", "xf wf", "t", "");
    node(&m, "QuantizeLinear", "t s", "y", "output_dtype=3");
    output(&m, "y");
    finish(&m, 21);
    roof_graph *graph = read_model_with(&m, NULL);
    size_t count;
    const roof_operation *o = roof_graph_operations(graph, &count);
    assert_int_equal(count, 1);
    assert_string_equal(o->name, "MatMul+QuantizeLinear");
    assert_int_equal(o->matrix_dtype, ROOF_INT8);
    assert_exact(o->matrix_flops, 2.0 * 4 * 16 * 64);
    assert_exact(roof_graph_about(graph)->parameters, 64 * 16); /* scales are no weights */
    assert_true(o->bytes[ROOF_DRAM] < 4 * 64 + 64 * 16 + 4 * 16 + 16);
    roof_graph_free(graph);
    discard(&m);

    input(&m, "x", INT8, "4,64"); /* numbers that leave the graph must be made */
    weights(&m, "s", FLOAT, "");
    node(&m, "DequantizeLinear", "x s", "f", "");
    numbers(&m, "flat", "256");
    node(&m, "Reshape", "f flat", "y", "");
    EXPECT(&m, 13, NULL, {"DequantizeLinear", 1, 0, 2 * 256, 256 + 4 + 4.0 * 256, 4});

    input(&m, "x", FLOAT16, "4,64"); /* weights of 4 bits with a scale for every 32 */
    weights(&m, "w", INT4, "64,16");
    weights(&m, "s", FLOAT16, "2,16");
    node(&m, "DequantizeLinear", "w s", "wf", "axis=0 block_size=32");
    node(&m, "MatMul", "x wf", "y", "");
    EXPECT(&m, 21, NULL, {"MatMul", 1, 2.0 * 4 * 16 * 64, 2.0 * 64 * 16, 2.0 * 256 + 512 + 64 + 2.0 * 64, 512 + 64});
}

static void control_flow(void **state) {
    (void)state;
    model m = {0}, a = {0}, b = {0};
    for (int most = 0; most < 3; most++) { /* least, most, and the branch that an input's value decides */
        const roof_dimension yes = {"cond", 1};
        const roof_graph_options options = {.most = most == 1, .dimensions = &yes, .dimension_count = most == 2};
        input(&m, "cond", BOOL, "");
        input(&m, "x", FLOAT, "4,8");
        weights(&m, "w", FLOAT, "8,8");
        node(&a, "MatMul", "x w", "t", "");
        node(&a, "MatMul", "t w", "p", "");
        output(&a, "p");
        node(&b, "MatMul", "x w", "q", "");
        output(&b, "q");
        node_with_graphs(&m, "If", "cond", "y", "", "then_branch", &a, "else_branch", &b);
        output(&m, "y");
        finish(&m, 13);
        roof_graph *graph = read_model_with(&m, &options);
        const roof_graph_info *info = roof_graph_about(graph);
        assert_exact(info->macs, most ? 512 : 256);
        assert_exact(info->least_flops, most == 2 ? 1024 : 512);
        assert_exact(info->most_flops, 1024);
        assert_exact(info->parameters, 64);
        assert_string_equal(shape_of(graph, "y"), "4,8");
        roof_graph_free(graph);
        discard(&m);
    }
}

static roof_graph *loop(const char *trips, const roof_graph_options *options) {
    model m = {0}, body = {0};
    if (*trips)
        scalar(&m, "n", trips);
    else
        input(&m, "n", INT64, "");
    input(&m, "x", FLOAT, "4,8");
    weights(&m, "w", FLOAT, "8,8");
    input(&body, "i", INT64, "");
    input(&body, "c", BOOL, "");
    input(&body, "s", FLOAT, "!");
    node(&body, "Identity", "c", "c2", "");
    node(&body, "MatMul", "s w", "s2", "");
    output(&body, "c2");
    output(&body, "s2");
    output(&body, "s2");
    node_with_graphs(&m, "Loop", "n _ x", "y all", "", "body", &body, NULL, NULL);
    output(&m, "y");
    finish(&m, 13);
    roof_graph *graph = read_model_with(&m, options);
    discard(&m);
    return graph;
}

static void loops(void **state) {
    (void)state;
    const roof_dimension seven = {"n", 7};
    roof_graph *graph = loop("3", NULL);
    assert_exact(roof_graph_about(graph)->macs, 3 * 256);
    assert_string_equal(shape_of(graph, "all"), "3,4,8");
    assert_false(roof_graph_about(graph)->at_least);
    roof_graph_free(graph);

    graph = loop("", &(roof_graph_options){.dimensions = &seven, .dimension_count = 1});
    assert_exact(roof_graph_about(graph)->macs, 7 * 256);
    roof_graph_free(graph);

    graph = loop("", NULL); /* not known: one iteration, said so */
    assert_exact(roof_graph_about(graph)->macs, 256);
    assert_true(roof_graph_about(graph)->at_least);
    assert_string_equal(shape_of(graph, "all"), "-1,4,8");
    assert_non_null(strstr(roof_graph_warning(graph, 0), "depends on data: one iteration is counted"));
    roof_graph_free(graph);
}

static void scan(void **state) {
    (void)state;
    model m = {0}, body = {0};
    input(&m, "state", FLOAT, "2");
    input(&m, "x", FLOAT, "3,2");
    input(&body, "s", FLOAT, "2");
    input(&body, "e", FLOAT, "2");
    node(&body, "Add", "s e", "sum", "");
    node(&body, "Identity", "sum", "copy", "");
    output(&body, "sum");
    output(&body, "copy");
    node_with_graphs(&m, "Scan", "state x", "y all", "num_scan_inputs=1", "body", &body, NULL, NULL);
    roof_graph *graph = read_model(&m, 9);
    size_t count;
    const roof_operation *o = roof_graph_operations(graph, &count);
    assert_int_equal(count, 1);
    assert_exact(o->count, 3);
    assert_exact(o->vector_flops, 2);
    assert_string_equal(shape_of(graph, "all"), "3,2");
    roof_graph_free(graph);
}

static void unknown_operators(void **state) {
    (void)state;
    model m = {0};
    input(&m, "x", FLOAT, "4,8");
    weights(&m, "w", FLOAT, "8,8");
    node(&m, "acme:Blur", "x", "t", "");
    node(&m, "MatMul", "t w", "u", "");
    node(&m, "MatMul", "x w", "y", "");
    node(&m, "NonZero", "y", "z", "");
    roof_graph *graph = read_model(&m, 13);
    const roof_graph_info *info = roof_graph_about(graph);
    assert_true(info->at_least);
    assert_exact(info->macs, 256);
    assert_exact(info->nodes, 4);
    assert_exact(info->unknown_nodes, 3);
    const roof_graph_unknown *first = roof_graph_unknown_at(graph, 0), *second = roof_graph_unknown_at(graph, 1);
    assert_string_equal(first->operation, "acme:Blur");
    assert_exact(first->share, 0.25);
    assert_string_equal(second->operation, "MatMul");
    assert_string_equal(second->why, "a shape is unknown");
    assert_null(roof_graph_unknown_at(graph, 3));
    roof_graph_free(graph);
}

/* A type that the file does not give has no bytes that could be counted; it is not nothing. */
static void unknown_types(void **state) {
    (void)state;
    model m = {0};
    input(&m, "x", FLOAT, "4,8");
    node(&m, "Cast", "x", "t", "to=77");
    node(&m, "Relu", "t", "y", "");
    node(&m, "Cast", "x", "h", "to='FLOAT16'");
    roof_graph *graph = read_model(&m, 5);
    assert_true(roof_graph_about(graph)->at_least);
    assert_exact(roof_graph_about(graph)->unknown_nodes, 2);
    assert_string_equal(roof_graph_unknown_at(graph, 0)->why, "an element type is unknown");
    assert_exact(roof_graph_about(graph)->least_bytes, 32 * 6);
    roof_graph_free(graph);
}

/* A function is walked as if written out, each call with its own attributes. */
static void functions(void **state) {
    (void)state;
    model m = {0}, body = {0};
    node(&body, "Gemm", "a b", "t", "transB=@turned");
    node(&body, "Relu", "t", "r", "");
    function(&m, "my", "Layer", "a b", "r", &body);
    input(&m, "x", FLOAT, "2,4");
    weights(&m, "w", FLOAT, "6,4");
    weights(&m, "v", FLOAT, "6,3");
    node(&m, "my:Layer", "x w", "h", "turned=1");
    node(&m, "my:Layer", "h v", "y", "turned=0");
    EXPECT(&m, 13, NULL, {"Gemm+Relu", 1, 2.0 * 2 * 6 * 4, 12, 4.0 * (8 + 24 + 12), 96},
           {"Gemm+Relu", 1, 2.0 * 2 * 3 * 6, 6, 4.0 * (12 + 18 + 6), 72});

    node(&body, "my:Again", "a", "r", ""); /* one that calls itself never ends */
    function(&m, "my", "Again", "a", "r", &body);
    input(&m, "x", FLOAT, "2,4");
    node(&m, "my:Again", "x", "y", "");
    finish(&m, 13);
    roof_error error = {0};
    assert_null(roof_read_graph_bytes(m.file.data, m.file.length, NULL, &error));
    assert_non_null(strstr(error.what, "functions are nested more than 24 deep"));
    discard(&m);
}

/* What rides does not depend on how long its name gets. */
static void long_chain(void **state) {
    (void)state;
    model m = {0};
    char from[16] = "x", to[16];
    input(&m, "x", FLOAT, "2,4");
    for (int i = 0; i < 100; i++) {
        sprintf(to, i < 99 ? "t%d" : "y", i);
        node(&m, "HardSwish", from, to, "");
        strcpy(from, to);
    }
    output(&m, "y");
    roof_graph *graph = read_model(&m, 14);
    size_t count;
    const roof_operation *o = roof_graph_operations(graph, &count);
    assert_int_equal(count, 1);
    assert_exact(o->vector_flops, 100 * 5 * 8);
    assert_exact(o->bytes[ROOF_DRAM], 64);
    assert_exact(o->shape[3], 500); /* FLOPs per element */
    assert_true(strlen(o->name) < 130);
    assert_string_equal(o->name + strlen(o->name) - 4, "+...");
    roof_graph_free(graph);
}

/* Inputs that are left out, with an output whose shape the file gives: no cost is known, and nothing is read. */
static void missing_inputs(void **state) {
    (void)state;
    static const struct {
        const char *op, *inputs;
    } rows[] = {
        {"Conv", "_ w"},
        {"Conv", "x _"},
        {"Conv", "x"},
        {"ConvTranspose", "x _"},
        {"MatMul", "x _"},
        {"MatMul", "_ x"},
        {"Gemm", "x"},
        {"Gather", "x _"},
        {"LSTM", "x _ w"},
        {"LSTM", "x w _"},
        {"Softmax", "_"},
        {"MaxPool", "_"},
        {"Resize", "_ x"},
        {"Einsum", "x _"},
        {"LayerNormalization", "_ w"},
        {"QLinearConv", "x w w"},
        {"QLinearMatMul", "x w w"},
        {"Add", "_ x"},
        {"Split", "_"},
        {"Concat", "_ x"},
        {"com.microsoft:MatMulNBits", "x"},
        {"com.microsoft:Attention", "x"},
        {"com.microsoft:GroupQueryAttention", "x"},
        {"Attention", "x"},
        {"com.microsoft:EmbedLayerNormalization", "x"},
        {"BatchNormalization", "_ w"},
        {"Where", "_ x x"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        model m = {0};
        roof_error error = {0};
        input(&m, "x", FLOAT, "2,3,4");
        input(&m, "w", FLOAT, "2,3,4");
        declare(&m.graph, 12, "y", FLOAT, "2,3,4");
        node(&m, rows[i].op, rows[i].inputs, "y", "N=4 K=4 equation='abc,abc'");
        finish(&m, 13);
        roof_graph *graph = roof_read_graph_bytes(m.file.data, m.file.length, NULL, &error);
        if (graph && !roof_graph_about(graph)->at_least)
            fail_msg("%s of '%s' has a known cost", rows[i].op, rows[i].inputs);
        if (!graph && error.code != ROOF_EFORMAT)
            fail_msg("%s of '%s': %s", rows[i].op, rows[i].inputs, error.what);
        roof_graph_free(graph);
        discard(&m);
    }
}

/* Every operator with every pattern of up to four inputs present, of a few shapes, and with outputs declared or not: it
 * is read or refused, and nothing is touched that is not there. */
static void any_inputs(void **state) {
    (void)state;
    static const char *const shapes[] = {"", "0", "4", "2,3", "2,3,4", "1,4,4,4", "2,2,2,2,2"};
    size_t operators = 0;
    for (const onnx_operator *o; (o = onnx_operator_at(operators)) != NULL; operators++) {
        for (int pattern = 0; pattern < 32; pattern++) {
            for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
                model m = {0};
                char inputs[32] = "";
                for (int i = 0; i < 4; i++)
                    strcat(strcat(inputs, i ? " " : ""), pattern >> i & 1 ? (i % 2 ? "x" : "w") : "_");
                for (size_t length; (length = strlen(inputs)) > 0 && strchr(" _", inputs[length - 1]);)
                    inputs[length - 1] = '\0'; /* inputs left out at the end are not there */
                input(&m, "x", pattern & 16 ? INT64 : FLOAT, shapes[s]);
                weights(&m, "w", FLOAT, shapes[(s + (size_t)pattern) % 7]);
                if (pattern & 16)
                    declare(&m.graph, 12, "y", FLOAT, "2,3,4,4");
                node(
                    &m, o->name, inputs, pattern & 16 ? "y z" : "y",
                    "kernel_shape=[2,2] K=4 N=4 num_heads=2 q_num_heads=2 kv_num_heads=2 equation='ij,jk' blocksize=2");
                finish(&m, pattern & 8 ? 9 : 18);
                roof_error error = {0};
                roof_graph *graph = roof_read_graph_bytes(m.file.data, m.file.length, NULL, &error);
                if (!graph && error.code != ROOF_EFORMAT && error.code != ROOF_EUNSUPPORTED)
                    fail_msg("%s of '%s': %s", o->name, inputs, error.what);
                if (graph)
                    assert_true(roof_graph_about(graph)->least_bytes >= 0);
                roof_graph_free(graph);
                discard(&m);
            }
        }
    }
    assert_true(operators > 180);
}

/* The axis is counted as the shape beside it is written. */
static void kernel_longer_than_its_input(void **state) {
    (void)state;
    static const char *const operators[][2] = {{"Conv", "x w"}, {"MaxPool", "x"}};
    for (size_t i = 0; i < 2; i++) {
        model m = {0};
        roof_error error = {0};
        input(&m, "x", FLOAT, "1,1,40,33");
        weights(&m, "w", FLOAT, "1,1,1,64");
        node(&m, operators[i][0], operators[i][1], "y", "kernel_shape=[1,64]");
        declare(&m.graph, 12, "y", FLOAT, "1,1,40,1");
        finish(&m, 13);
        assert_null(roof_read_graph_bytes(m.file.data, m.file.length, NULL, &error));
        if (!strstr(error.what, "its kernel is longer than axis 3 of its input [1,1,40,33]"))
            fail_msg("%s: %s", operators[i][0], error.what);
        discard(&m);
    }
}

/* Statistics among the outputs, as exporters of opset 6 write them, change nothing. */
static void batch_norm(void **state) {
    (void)state;
    model m = {0};
    input(&m, "x", FLOAT, "1,4,5,5");
    for (const char *s = "abcd"; *s; s++)
        weights(&m, (char[]){*s, '\0'}, FLOAT, "4");
    node(&m, "BatchNormalization", "x a b c d", "y m1 v1 m2 v2", "");
    EXPECT(&m, 6, NULL, {"BatchNormalization", 1, 0, 200, 4.0 * (100 + 16 + 100), 64});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convolutions),
        cmocka_unit_test(products),
        cmocka_unit_test(recurrences),
        cmocka_unit_test(attention),
        cmocka_unit_test(other_work),
        cmocka_unit_test(chains),
        cmocka_unit_test(quantised),
        cmocka_unit_test(control_flow),
        cmocka_unit_test(loops),
        cmocka_unit_test(scan),
        cmocka_unit_test(unknown_operators),
        cmocka_unit_test(unknown_types),
        cmocka_unit_test(batch_norm),
        cmocka_unit_test(missing_inputs),
        cmocka_unit_test(any_inputs),
        cmocka_unit_test(functions),
        cmocka_unit_test(long_chain),
        cmocka_unit_test(kernel_longer_than_its_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
