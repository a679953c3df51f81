/* Whole networks, written layer by layer, against published counts. MACs: the authors' papers as counted from the
 * original graphs (batch 1, 224 x 224, products of convolutions and linear layers only); parameters: torchvision's
 * model cards and the Caffe model zoo (AlexNet 60,965,224; VGG-19 143,667,240; ResNet-50 25,557,032; SqueezeNet 1.1
 * 1,235,496). */
#include "onnx_writer.h"
#include "roofline_read.h"

static int serial; /* of the layer being written, for its names */

static const char *numbered(const char *stem, int number, char *buffer) {
    sprintf(buffer, "%s%d", stem, number);
    return buffer;
}

typedef struct chain { /* a network in the making: the tensor at its end and its channels */
    model m;
    char at[16];
    int channels;
} chain;

static void after(chain *c, const char *op, const char *more, const char *attributes) {
    char inputs[128], to[16];
    sprintf(inputs, "%s%s%s", c->at, *more ? " " : "", more);
    node(&c->m, op, inputs, numbered("t", ++serial, to), attributes);
    strcpy(c->at, to);
}

static void conv(chain *c, int out, int kernel, int stride, int pad, int groups, bool bias) {
    char names[64], dims[64], attributes[128];
    sprintf(names, "w%d", ++serial);
    sprintf(dims, "%d,%d,%d,%d", out, c->channels / groups, kernel, kernel);
    weights(&c->m, names, FLOAT, dims);
    if (bias) {
        char b[16];
        sprintf(b, "b%d", serial);
        sprintf(dims, "%d", out);
        weights(&c->m, b, FLOAT, dims);
        sprintf(names + strlen(names), " b%d", serial);
    }
    sprintf(attributes, "strides=[%d,%d] pads=[%d,%d,%d,%d] group=%d", stride, stride, pad, pad, pad, pad, groups);
    after(c, "Conv", names, attributes);
    c->channels = out;
}

static void pool(chain *c, int kernel, int stride, int pad, bool ceil_mode) {
    char attributes[128];
    sprintf(attributes, "kernel_shape=[%d,%d] strides=[%d,%d] pads=[%d,%d,%d,%d] ceil_mode=%d", kernel, kernel, stride,
            stride, pad, pad, pad, pad, ceil_mode);
    after(c, "MaxPool", "", attributes);
}

static void linear(chain *c, int out, int in) {
    char names[64], dims[64];
    sprintf(dims, "%d,%d", out, in);
    sprintf(names, "w%d", ++serial);
    weights(&c->m, names, FLOAT, dims);
    sprintf(dims, "%d", out);
    sprintf(names, "b%d", serial);
    weights(&c->m, names, FLOAT, dims);
    sprintf(names, "w%d b%d", serial, serial);
    after(c, "Gemm", names, "transB=1");
}

static void batch_norm(chain *c) {
    char names[128] = "", name[16], dims[16];
    sprintf(dims, "%d", c->channels);
    ++serial;
    for (int i = 0; i < 4; i++) {
        sprintf(name, "n%d_%d", serial, i);
        weights(&c->m, name, FLOAT, dims);
        sprintf(names + strlen(names), "%s%s", i ? " " : "", name);
    }
    after(c, "BatchNormalization", names, "");
}

static chain begin(void) {
    chain c = {.at = "x", .channels = 3};
    serial = 0;
    input(&c.m, "x", FLOAT, "1,3,224,224");
    return c;
}

static roof_graph *end(chain *c) {
    output(&c->m, c->at);
    return read_model(&c->m, 9);
}

static void check(roof_graph *graph, double macs, double parameters) {
    const roof_graph_info *info = roof_graph_about(graph);
    assert_exact(info->macs, macs);
    assert_exact(info->parameters, parameters);
    assert_false(info->at_least);
    assert_exact(info->unknown_nodes, 0);
    assert_null(roof_graph_warning(graph, 0));
    roof_graph_free(graph);
}

static void alexnet(void **state) {
    (void)state;
    chain c = begin();
    static const struct {
        int out, kernel, stride, pad, groups;
        bool norm, pool;
    } layers[] = {{96, 11, 4, 0, 1, true, true},
                  {256, 5, 1, 2, 2, true, true},
                  {384, 3, 1, 1, 1, false, false},
                  {384, 3, 1, 1, 2, false, false},
                  {256, 3, 1, 1, 2, false, true}};
    for (size_t i = 0; i < 5; i++) {
        conv(&c, layers[i].out, layers[i].kernel, layers[i].stride, layers[i].pad, layers[i].groups, true);
        after(&c, "Relu", "", "");
        if (layers[i].norm)
            after(&c, "LRN", "", "size=5");
        if (layers[i].pool)
            pool(&c, 3, 2, 0, i == 4); /* the light net pads its last pool at one end: 12 x 12 to 6 x 6 */
    }
    after(&c, "Flatten", "", "axis=1");
    static const int widths[] = {256 * 36, 4096, 4096, 1000};
    for (int i = 0; i < 3; i++)
        linear(&c, widths[i + 1], widths[i]);
    after(&c, "Softmax", "", "");
    check(end(&c), 654560384, 60965224);
}

static void vgg19(void **state) {
    (void)state;
    chain c = begin();
    static const int stages[5][2] = {{64, 2}, {128, 2}, {256, 4}, {512, 4}, {512, 4}},
                     widths[] = {25088, 4096, 4096, 1000};
    for (int s = 0; s < 5; s++) {
        for (int i = 0; i < stages[s][1]; i++) {
            conv(&c, stages[s][0], 3, 1, 1, 1, true);
            after(&c, "Relu", "", "");
        }
        pool(&c, 2, 2, 0, false);
    }
    numbers(&c.m, "flat", "0,-1");
    after(&c, "Reshape", "flat", "");
    for (int i = 0; i < 3; i++) {
        linear(&c, widths[i + 1], widths[i]);
        after(&c, i < 2 ? "Relu" : "Softmax", "", "");
    }
    check(end(&c), 19632062464, 143667240);
}

/* One bottleneck: 1 x 1, 3 x 3 (with the stride of its stage), 1 x 1, and a projection where shapes change. */
static void bottleneck(chain *c, int width, int stride, bool project) {
    chain side = *c;
    conv(c, width, 1, 1, 0, 1, false);
    batch_norm(c);
    after(c, "Relu", "", "");
    conv(c, width, 3, stride, 1, 1, false);
    batch_norm(c);
    after(c, "Relu", "", "");
    conv(c, 4 * width, 1, 1, 0, 1, false);
    batch_norm(c);
    if (project) {
        side.m = c->m;
        conv(&side, 4 * width, 1, stride, 0, 1, false);
        batch_norm(&side);
        c->m = side.m;
    }
    after(c, "Sum", side.at, "");
    after(c, "Relu", "", "");
}

static roof_graph *resnet50(const roof_graph_options *options) {
    chain c = begin();
    static const int blocks[4] = {3, 4, 6, 3};
    conv(&c, 64, 7, 2, 3, 1, false);
    batch_norm(&c);
    after(&c, "Relu", "", "");
    pool(&c, 3, 2, 1, false);
    for (int stage = 0; stage < 4; stage++)
        for (int i = 0; i < blocks[stage]; i++)
            bottleneck(&c, 64 << stage, i == 0 && stage > 0 ? 2 : 1, i == 0);
    after(&c, "GlobalAveragePool", "", "");
    after(&c, "Flatten", "", "");
    linear(&c, 1000, 2048);
    output(&c.m, c.at);
    finish(&c.m, 9);
    roof_graph *graph = read_model_with(&c.m, options);
    discard(&c.m);
    return graph;
}

static void resnet(void **state) {
    (void)state;
    check(resnet50(NULL), 4089184256, 25557032);
}

/* Fused: 53 convolutions with everything that follows them, pool, mean, linear layer. Not fused: every node. */
static void fusion(void **state) {
    (void)state;
    size_t fused, plain;
    roof_graph *a = resnet50(NULL), *b = resnet50(&(roof_graph_options){.eager = true});
    const roof_operation *first = roof_graph_operations(a, &fused);
    (void)roof_graph_operations(b, &plain);
    assert_int_equal(fused, 53 + 1 + 1 + 1);
    assert_int_equal(plain, 53 + 53 + 49 + 16 + 1 + 1 + 1);
    assert_string_equal(first[0].name, "Conv+BatchNormalization+Relu");
    assert_exact(first[0].matrix_flops, 2.0 * 64 * 147 * 112 * 112);
    assert_exact(first[0].vector_flops, 3.0 * 64 * 112 * 112); /* scale, shift, maximum */
    /* image, weights with four vectors of 64, and the result, once */
    assert_exact(first[0].bytes[ROOF_DRAM], 4.0 * (3 * 224 * 224 + 64 * 147 + 4 * 64 + 64 * 112 * 112));
    assert_true(roof_graph_about(a)->least_bytes < 0.6 * roof_graph_about(b)->least_bytes);
    assert_exact(roof_graph_about(a)->least_flops, roof_graph_about(b)->least_flops);
    roof_graph_free(a);
    roof_graph_free(b);
}

static void other_dtype(void **state) {
    (void)state;
    size_t count;
    roof_graph *a = resnet50(NULL), *b = resnet50(&(roof_graph_options){.dtype = ROOF_F16});
    const roof_operation *operations = roof_graph_operations(b, &count);
    assert_int_equal(operations[0].matrix_dtype, ROOF_F16);
    assert_exact(roof_graph_about(b)->least_bytes, roof_graph_about(a)->least_bytes / 2);
    assert_exact(roof_graph_about(b)->parameter_bytes,
                 2.0 * (25557032 + 2 * 26560)); /* 26,560 channels with statistics */
    roof_graph_free(a);
    roof_graph_free(b);
}

static void fire(chain *c, int squeeze, int expand) {
    conv(c, squeeze, 1, 1, 0, 1, true);
    after(c, "Relu", "", "");
    chain side = *c;
    conv(c, expand, 1, 1, 0, 1, true);
    after(c, "Relu", "", "");
    side.m = c->m;
    conv(&side, expand, 3, 1, 1, 1, true);
    after(&side, "Relu", "", "");
    c->m = side.m;
    after(c, "Concat", side.at, "axis=1");
    c->channels = 2 * expand;
}

static void squeezenet(void **state) {
    (void)state;
    chain c = begin();
    static const int widths[] = {16, 64, 16, 64, 0, 0, 32, 128, 32, 128, 0, 0, 48, 192, 48, 192, 64, 256, 64, 256};
    conv(&c, 64, 3, 2, 0, 1, true);
    after(&c, "Relu", "", "");
    pool(&c, 3, 2, 0, false);
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i += 2) {
        if (widths[i] == 0)
            pool(&c, 3, 2, 0, false);
        else
            fire(&c, widths[i], widths[i + 1]);
    }
    conv(&c, 1000, 1, 1, 0, 1, true);
    after(&c, "Relu", "", "");
    after(&c, "GlobalAveragePool", "", "");
    after(&c, "Softmax", "", "");
    check(end(&c), 349151936, 1235496);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alexnet), cmocka_unit_test(vgg19),       cmocka_unit_test(resnet),
        cmocka_unit_test(fusion),  cmocka_unit_test(other_dtype), cmocka_unit_test(squeezenet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
