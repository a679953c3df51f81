/* The operators: what each does to shapes, values and costs. Vector FLOPs count a sum, a product, a comparison or an
 * elementary function (exp, log, tanh, erf, sqrt ...) as one; composed activations count their parts (docs/onnx.md). */
#include <stdio.h>
#include <string.h>

#include "read/onnx/cost.h"
#include "read/onnx/fold.h"
#include "read/onnx/shape.h"

#define UNARY(name, flops)                                                                                             \
    { name, onnx_shape_same, NULL, onnx_cost_elementwise, flops, NULL }
#define UNARY_OF(name, apply)                                                                                          \
    { name, onnx_shape_same, onnx_fold_unary, onnx_cost_elementwise, 1, apply }
#define BINARY(name, flops)                                                                                            \
    { name, onnx_shape_broadcast, NULL, onnx_cost_elementwise, flops, NULL }
#define BINARY_OF(name, apply)                                                                                         \
    { name, onnx_shape_broadcast, onnx_fold_binary, onnx_cost_elementwise, -1, apply }
#define COMPARE(name, apply)                                                                                           \
    { name, onnx_shape_compare, onnx_fold_binary, onnx_cost_elementwise, 1, apply }
#define FREE(name, shape)                                                                                              \
    { name, shape, onnx_fold_copy, NULL, 0, NULL }
#define REDUCE(name, flops, fold, apply)                                                                               \
    { name, onnx_shape_reduce, fold, onnx_cost_reduction, flops, apply }
#define ROW(name, shape, cost, flops)                                                                                  \
    { name, shape, NULL, cost, flops, NULL }
#define MOVE(name, shape, fold, cost)                                                                                  \
    { name, shape, fold, cost, 0, NULL }

static const onnx_operator table[] = {
    /* elementwise, one input */
    UNARY_OF("Abs", onnx_abs),
    UNARY_OF("Ceil", onnx_ceil),
    UNARY_OF("Exp", onnx_exp),
    UNARY_OF("Floor", onnx_floor),
    UNARY_OF("Log", onnx_log),
    UNARY_OF("Neg", onnx_neg),
    UNARY_OF("Reciprocal", onnx_reciprocal),
    UNARY_OF("Relu", onnx_relu),
    UNARY_OF("Round", onnx_round),
    UNARY_OF("Sign", onnx_sign),
    UNARY_OF("Sqrt", onnx_sqrt),
    UNARY("Acos", 1),
    UNARY("Acosh", 1),
    UNARY("Asin", 1),
    UNARY("Asinh", 1),
    UNARY("Atan", 1),
    UNARY("Atanh", 1),
    UNARY("BitwiseNot", 1),
    UNARY("Celu", 4),
    UNARY("Cos", 1),
    UNARY("Cosh", 1),
    UNARY("Elu", 3),
    UNARY("Erf", 1),
    UNARY("Gelu", 4),
    UNARY("HardSigmoid", 4),
    UNARY("HardSwish", 5),
    UNARY("LeakyRelu", 2),
    UNARY("Mish", 5),
    UNARY("Selu", 4),
    UNARY("Shrink", 3),
    UNARY("Sigmoid", 4),
    UNARY("Sin", 1),
    UNARY("Sinh", 1),
    UNARY("Softplus", 3),
    UNARY("Softsign", 3),
    UNARY("Swish", 4),
    UNARY("Tan", 1),
    UNARY("Tanh", 1),
    UNARY("ThresholdedRelu", 1),
    UNARY("CumSum", 1),
    UNARY("Affine", 2),
    UNARY("ParametricSoftplus", 5),
    UNARY("ScaledTanh", 3),
    UNARY("Bernoulli", 1),
    UNARY("com.microsoft:Gelu", 4),
    UNARY("com.microsoft:QuickGelu", 5),
    UNARY("com.microsoft:FastGelu", 4),
    UNARY("com.microsoft:BiasGelu", 5),
    UNARY("com.microsoft:BiasAdd", 2),
    UNARY("com.microsoft:BiasSplitGelu", 5),
    UNARY("com.microsoft:RotaryEmbedding", 3),
    UNARY("RotaryEmbedding", 3),
    UNARY("ai.onnx.ml:Scaler", 2),
    UNARY("ai.onnx.ml:Normalizer", 3),
    UNARY("ai.onnx.ml:Binarizer", 1),
    UNARY("ai.onnx.ml:Imputer", 1),
    {"Not", onnx_shape_test, onnx_fold_unary, onnx_cost_elementwise, 1, onnx_not},
    ROW("IsNaN", onnx_shape_test, onnx_cost_elementwise, 1),
    ROW("IsInf", onnx_shape_test, onnx_cost_elementwise, 1),
    {"Clip", onnx_shape_first, onnx_fold_clip, onnx_cost_elementwise, 2, NULL},
    {"Cast", onnx_shape_cast, onnx_fold_cast, onnx_cost_elementwise, 0, NULL},
    {"CastLike", onnx_shape_cast, onnx_fold_cast, onnx_cost_elementwise, 0, NULL},

    /* elementwise, more inputs; -1: one FLOP for every input but the first */
    BINARY_OF("Add", onnx_add),
    BINARY_OF("Sub", onnx_sub),
    BINARY_OF("Mul", onnx_mul),
    BINARY_OF("Div", onnx_div),
    BINARY_OF("Pow", onnx_pow),
    BINARY_OF("Mod", onnx_mod),
    BINARY_OF("Min", onnx_min),
    BINARY_OF("Max", onnx_max),
    BINARY_OF("Sum", onnx_add),
    BINARY("Mean", -1),
    BINARY("PRelu", 2),
    BINARY("BitShift", 1),
    BINARY("BitwiseAnd", 1),
    BINARY("BitwiseOr", 1),
    BINARY("BitwiseXor", 1),
    COMPARE("And", onnx_and),
    COMPARE("Or", onnx_or),
    COMPARE("Xor", onnx_xor),
    COMPARE("Equal", onnx_equal),
    COMPARE("Less", onnx_less),
    COMPARE("Greater", onnx_greater),
    COMPARE("LessOrEqual", onnx_less_equal),
    COMPARE("GreaterOrEqual", onnx_greater_equal),
    {"Where", onnx_shape_where, onnx_fold_where, onnx_cost_elementwise, 1, NULL},
    ROW("com.microsoft:QLinearAdd", onnx_shape_first, onnx_cost_elementwise, 6),
    ROW("com.microsoft:QLinearMul", onnx_shape_first, onnx_cost_elementwise, 6),
    ROW("com.microsoft:QLinearLeakyRelu", onnx_shape_first, onnx_cost_elementwise, 6),
    ROW("com.microsoft:QLinearSigmoid", onnx_shape_first, onnx_cost_elementwise, 8),

    /* matrix work */
    ROW("Conv", onnx_shape_conv, onnx_cost_conv, 0),
    ROW("ConvInteger", onnx_shape_conv, onnx_cost_conv, 0),
    ROW("QLinearConv", onnx_shape_conv, onnx_cost_conv, 0),
    ROW("com.microsoft:FusedConv", onnx_shape_conv, onnx_cost_conv, 0),
    ROW("ConvTranspose", onnx_shape_conv_transposed, onnx_cost_conv_transposed, 0),
    ROW("Gemm", onnx_shape_gemm, onnx_cost_matmul, 0),
    ROW("com.microsoft:FusedGemm", onnx_shape_gemm, onnx_cost_matmul, 0),
    ROW("MatMul", onnx_shape_matmul, onnx_cost_matmul, 0),
    ROW("MatMulInteger", onnx_shape_matmul, onnx_cost_matmul, 0),
    ROW("QLinearMatMul", onnx_shape_matmul, onnx_cost_matmul, 0),
    ROW("com.microsoft:FusedMatMul", onnx_shape_matmul, onnx_cost_matmul, 0),
    ROW("com.microsoft:TransposeMatMul", onnx_shape_matmul, onnx_cost_matmul, 0),
    ROW("com.microsoft:MatMulIntegerToFloat", onnx_shape_matmul, onnx_cost_matmul, 0),
    ROW("com.microsoft:DynamicQuantizeMatMul", onnx_shape_matmul, onnx_cost_matmul, 0),
    ROW("com.microsoft:MatMulNBits", onnx_shape_matmul_bits, onnx_cost_matmul_bits, 0),
    ROW("Einsum", onnx_shape_einsum, onnx_cost_einsum, 1),
    ROW("LSTM", onnx_shape_rnn, onnx_cost_rnn, 4),
    ROW("GRU", onnx_shape_rnn, onnx_cost_rnn, 3),
    ROW("RNN", onnx_shape_rnn, onnx_cost_rnn, 1),
    ROW("Attention", onnx_shape_attention, onnx_cost_attention, 0),
    ROW("com.microsoft:Attention", onnx_shape_ms_attention, onnx_cost_ms_attention, 0),
    ROW("com.microsoft:MultiHeadAttention", onnx_shape_multi_head, onnx_cost_multi_head, 0),
    ROW("com.microsoft:DecoderMaskedMultiHeadAttention", onnx_shape_multi_head, onnx_cost_multi_head, 0),
    ROW("com.microsoft:GroupQueryAttention", onnx_shape_grouped_query, onnx_cost_grouped_query, 0),

    /* norms, softmax, pooling, reductions */
    ROW("BatchNormalization", onnx_shape_batch_norm, onnx_cost_batch_norm, 2),
    ROW("LayerNormalization", onnx_shape_norm, onnx_cost_norm, 7),
    ROW("InstanceNormalization", onnx_shape_first, onnx_cost_group_norm, 7),
    ROW("GroupNormalization", onnx_shape_first, onnx_cost_group_norm, 7),
    ROW("com.microsoft:GroupNorm", onnx_shape_first, onnx_cost_group_norm, 7),
    ROW("RMSNormalization", onnx_shape_norm, onnx_cost_norm, 4),
    ROW("SimplifiedLayerNormalization", onnx_shape_norm, onnx_cost_norm, 4),
    ROW("com.microsoft:SimplifiedLayerNormalization", onnx_shape_norm, onnx_cost_norm, 4),
    ROW("com.microsoft:SkipLayerNormalization", onnx_shape_norm, onnx_cost_skip_norm, 7),
    ROW("com.microsoft:SkipSimplifiedLayerNormalization", onnx_shape_norm, onnx_cost_skip_norm, 4),
    ROW("com.microsoft:EmbedLayerNormalization", onnx_shape_embed_norm, onnx_cost_embed_norm, 7),
    ROW("MeanVarianceNormalization", onnx_shape_same, onnx_cost_elementwise, 7),
    ROW("LpNormalization", onnx_shape_same, onnx_cost_elementwise, 3),
    ROW("LRN", onnx_shape_first, onnx_cost_lrn, 0),
    ROW("Softmax", onnx_shape_same, onnx_cost_softmax, 5),
    ROW("LogSoftmax", onnx_shape_same, onnx_cost_softmax, 5),
    ROW("Hardmax", onnx_shape_same, onnx_cost_softmax, 5),
    ROW("com.microsoft:BiasSoftmax", onnx_shape_first, onnx_cost_softmax, 5),
    ROW("MaxPool", onnx_shape_pool, onnx_cost_pool, 1),
    ROW("AveragePool", onnx_shape_pool, onnx_cost_pool, 1),
    ROW("LpPool", onnx_shape_pool, onnx_cost_pool, 2),
    ROW("com.microsoft:QLinearAveragePool", onnx_shape_pool, onnx_cost_pool, 1),
    ROW("GlobalAveragePool", onnx_shape_global_pool, onnx_cost_global_pool, 1),
    ROW("GlobalMaxPool", onnx_shape_global_pool, onnx_cost_global_pool, 1),
    ROW("GlobalLpPool", onnx_shape_global_pool, onnx_cost_global_pool, 2),
    ROW("com.microsoft:QLinearGlobalAveragePool", onnx_shape_global_pool, onnx_cost_global_pool, 1),
    REDUCE("ReduceSum", 1, onnx_fold_reduce, onnx_add),
    REDUCE("ReduceProd", 1, onnx_fold_reduce, onnx_mul),
    REDUCE("ReduceMax", 1, onnx_fold_reduce, onnx_max),
    REDUCE("ReduceMin", 1, onnx_fold_reduce, onnx_min),
    REDUCE("ReduceMean", 1, onnx_fold_mean, NULL),
    REDUCE("ReduceL1", 2, NULL, NULL),
    REDUCE("ReduceL2", 2, NULL, NULL),
    REDUCE("ReduceLogSum", 1, NULL, NULL),
    REDUCE("ReduceLogSumExp", 2, NULL, NULL),
    REDUCE("ReduceSumSquare", 2, NULL, NULL),
    ROW("ArgMax", onnx_shape_arg, onnx_cost_reduction, 1),
    ROW("ArgMin", onnx_shape_arg, onnx_cost_reduction, 1),

    /* quantisation: divide, round, add, clip twice; subtract, multiply */
    ROW("QuantizeLinear", onnx_shape_quantize, onnx_cost_quantize, 5),
    ROW("DequantizeLinear", onnx_shape_dequantize, onnx_cost_dequantize, 2),
    ROW("com.microsoft:QuantizeLinear", onnx_shape_quantize, onnx_cost_quantize, 5),
    ROW("com.microsoft:DequantizeLinear", onnx_shape_dequantize, onnx_cost_dequantize, 2),
    ROW("DynamicQuantizeLinear", onnx_shape_dynamic_quantize, onnx_cost_elementwise, 7),
    ROW("onnx.brevitas:Quant", onnx_shape_first, onnx_cost_elementwise, 7),
    ROW("qonnx.custom_op.general:Quant", onnx_shape_first, onnx_cost_elementwise, 7),
    ROW("finn.custom_op.general:Quant", onnx_shape_first, onnx_cost_elementwise, 7),

    /* no work: the output lies where the input lies */
    FREE("Identity", onnx_shape_same),
    FREE("Reshape", onnx_shape_reshape),
    FREE("Flatten", onnx_shape_flatten),
    FREE("Squeeze", onnx_shape_squeeze),
    FREE("Unsqueeze", onnx_shape_unsqueeze),
    FREE("Dropout", onnx_shape_dropout),
    {"Constant", onnx_shape_constant, NULL, onnx_cost_nothing, 0, NULL},
    {"Shape", onnx_shape_shape, NULL, onnx_cost_nothing, 0, NULL},
    {"Size", onnx_shape_size, NULL, onnx_cost_nothing, 0, NULL},

    /* data movement */
    MOVE("ConstantOfShape", onnx_shape_constant_of, onnx_fold_constant_of, onnx_cost_write),
    MOVE("Transpose", onnx_shape_transpose, onnx_fold_transpose, onnx_cost_copy),
    MOVE("Concat", onnx_shape_concat, onnx_fold_concat, onnx_cost_copy),
    MOVE("Split", onnx_shape_split, onnx_fold_split, onnx_cost_part),
    MOVE("Slice", onnx_shape_slice, onnx_fold_slice, onnx_cost_part),
    MOVE("Gather", onnx_shape_gather, onnx_fold_gather, onnx_cost_gather),
    MOVE("GatherElements", onnx_shape_gather_elements, NULL, onnx_cost_part),
    MOVE("GatherND", onnx_shape_gather_nd, NULL, onnx_cost_part),
    MOVE("Scatter", onnx_shape_first, NULL, onnx_cost_scatter),
    MOVE("ScatterElements", onnx_shape_first, NULL, onnx_cost_scatter),
    MOVE("ScatterND", onnx_shape_first, NULL, onnx_cost_scatter),
    MOVE("TensorScatter", onnx_shape_first, NULL, onnx_cost_scatter),
    MOVE("Pad", onnx_shape_pad, NULL, onnx_cost_copy),
    MOVE("Expand", onnx_shape_expand, onnx_fold_expand, onnx_cost_copy),
    MOVE("Tile", onnx_shape_tile, onnx_fold_tile, onnx_cost_copy),
    MOVE("Range", onnx_shape_range, onnx_fold_range, onnx_cost_write),
    MOVE("OneHot", onnx_shape_one_hot, NULL, onnx_cost_copy),
    MOVE("EyeLike", onnx_shape_same, NULL, onnx_cost_write),
    MOVE("Trilu", onnx_shape_first, NULL, onnx_cost_copy),
    MOVE("ReverseSequence", onnx_shape_first, NULL, onnx_cost_copy),
    MOVE("DepthToSpace", onnx_shape_depth_to_space, NULL, onnx_cost_copy),
    MOVE("SpaceToDepth", onnx_shape_space_to_depth, NULL, onnx_cost_copy),
    MOVE("TopK", onnx_shape_top_k, NULL, onnx_cost_copy),
    MOVE("NonZero", onnx_shape_non_zero, onnx_fold_non_zero, onnx_cost_copy),
    MOVE("Resize", onnx_shape_resize, NULL, onnx_cost_resize),
    MOVE("Upsample", onnx_shape_upsample, NULL, onnx_cost_resize),
    MOVE("RandomNormal", onnx_shape_random, NULL, onnx_cost_write),
    MOVE("RandomUniform", onnx_shape_random, NULL, onnx_cost_write),
    MOVE("RandomNormalLike", onnx_shape_same, NULL, onnx_cost_write),
    MOVE("RandomUniformLike", onnx_shape_same, NULL, onnx_cost_write),
    MOVE("GridSample", onnx_shape_grid_sample, NULL, onnx_cost_copy),
    MOVE("RoiAlign", onnx_shape_roi_align, NULL, onnx_cost_copy),
    MOVE("ai.onnx.ml:LabelEncoder", onnx_shape_same, NULL, onnx_cost_copy),

    /* control flow: flow.c */
    {"If", onnx_if, NULL, onnx_cost_nothing, 0, NULL},
    {"Loop", onnx_loop, NULL, onnx_cost_nothing, 0, NULL},
    {"Scan", onnx_scan, NULL, onnx_cost_nothing, 0, NULL},
};

/* "com.microsoft:Attention" is operator Attention of domain com.microsoft; ONNX Runtime writes its simplified norms
 * into the standard domain too. */
static bool is_row(const onnx_operator *row, const onnx_node *node) {
    size_t length = strlen(node->domain);
    if (length == 0)
        return row->name[0] == node->op[0] && strcmp(row->name, node->op) == 0;
    return strncmp(row->name, node->domain, length) == 0 && row->name[length] == ':' &&
           strcmp(row->name + length + 1, node->op) == 0;
}

void onnx_cost_nothing(onnx_call *call) {
    (void)call;
}

const onnx_operator *onnx_operator_at(size_t index) {
    return index < sizeof table / sizeof *table ? &table[index] : NULL;
}

const onnx_operator *onnx_operator_find(const onnx_node *node) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (is_row(&table[i], node))
            return &table[i];
    return NULL;
}
