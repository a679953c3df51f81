/* The table of kinds: every row is complete, builds its example, explains itself, and refuses what it should. */
#include "work/kinds.h"
#include "work/line.h"
#include "work/ops.h"

static roof_operation example_of(roof_kind kind) {
    char line[256];
    const roof_kind_info *info = roof_kind_describe(kind);
    snprintf(line, sizeof line, "%s %s", info->name, info->example);
    return operation_of(line);
}

static void test_every_row_is_complete(void **state) {
    (void)state;
    for (int kind = 0; kind < ROOF_KIND_COUNT; kind++) {
        const roof_kind_info *info = roof_kind_describe((roof_kind)kind);
        assert_non_null(info);
        assert_string_equal(info->name, roof_kind_name((roof_kind)kind));
        assert_true(info->summary[0] && info->flops[0] && info->bytes[0] && info->source[0] && info->example[0]);
        size_t dtypes = 0, first = info->parameter_count;
        for (size_t i = 0; i < info->parameter_count; i++) {
            const roof_parameter *parameter = &info->parameters[i];
            assert_true(parameter->name[0] && parameter->summary[0] && parameter->least <= parameter->most);
            assert_true(parameter->preset >= parameter->least && parameter->preset <= parameter->most);
            if (parameter->type == ROOF_PARAMETER_DTYPE && dtypes++ == 0)
                first = i;
        }
        assert_true(dtypes >= 1 && dtypes <= ROOF_OPERAND_MAX);
        assert_true(info->parameter_count - dtypes <= ROOF_SHAPE_MAX);
        assert_string_equal(info->parameters[first].name, "dtype"); /* the main one comes first */
        assert_int_not_equal((int)info->parameters[first].preset, ROOF_DTYPE_NONE);
    }
    assert_null(roof_kind_describe(ROOF_KIND_COUNT));
}

static void test_names_are_unique_within_a_kind(void **state) {
    (void)state;
    for (int kind = 0; kind < ROOF_KIND_COUNT; kind++) {
        const roof_kind_info *info = roof_kind_describe((roof_kind)kind);
        for (size_t i = 0; i < info->parameter_count; i++)
            for (size_t j = 0; j < i; j++)
                assert_string_not_equal(info->parameters[i].name, info->parameters[j].name);
    }
}

/* Every parameter that stands in shape[], by kind and in the order of the kind's table, and the name its place has in
 * the code. */
static const struct {
    roof_kind kind;
    const char *name;
    int place;
} places[] = {
    {ROOF_KIND_GEMM, "m", GEMM_M},
    {ROOF_KIND_GEMM, "n", GEMM_N},
    {ROOF_KIND_GEMM, "k", GEMM_K},
    {ROOF_KIND_GEMM, "batch", GEMM_BATCH},
    {ROOF_KIND_GEMM, "bias", GEMM_BIAS},
    {ROOF_KIND_GEMM, "weights", GEMM_WEIGHTS},
    {ROOF_KIND_GEMM, "bits", GEMM_FORMAT + FORMAT_BITS},
    {ROOF_KIND_GEMM, "block_rows", GEMM_FORMAT + FORMAT_BLOCK_ROWS},
    {ROOF_KIND_GEMM, "block_cols", GEMM_FORMAT + FORMAT_BLOCK_COLS},
    {ROOF_KIND_GEMM, "scale_bits", GEMM_FORMAT + FORMAT_SCALE_BITS},
    {ROOF_KIND_GEMM, "zero_bits", GEMM_FORMAT + FORMAT_ZERO_BITS},
    {ROOF_KIND_GEMM, "f16_accumulate", GEMM_NARROW},
    {ROOF_KIND_GEMV, "m", GEMV_M},
    {ROOF_KIND_GEMV, "n", GEMV_N},
    {ROOF_KIND_GEMV, "batch", GEMV_BATCH},
    {ROOF_KIND_GROUPED_GEMM, "tokens", GROUPED_TOKENS},
    {ROOF_KIND_GROUPED_GEMM, "experts", GROUPED_EXPERTS},
    {ROOF_KIND_GROUPED_GEMM, "top_k", GROUPED_TOP_K},
    {ROOF_KIND_GROUPED_GEMM, "n", GROUPED_N},
    {ROOF_KIND_GROUPED_GEMM, "k", GROUPED_K},
    {ROOF_KIND_GROUPED_GEMM, "matrices", GROUPED_MATRICES},
    {ROOF_KIND_GROUPED_GEMM, "touched", GROUPED_TOUCHED},
    {ROOF_KIND_GROUPED_GEMM, "bias", GROUPED_BIAS},
    {ROOF_KIND_GROUPED_GEMM, "bits", GROUPED_FORMAT + FORMAT_BITS},
    {ROOF_KIND_GROUPED_GEMM, "block_rows", GROUPED_FORMAT + FORMAT_BLOCK_ROWS},
    {ROOF_KIND_GROUPED_GEMM, "block_cols", GROUPED_FORMAT + FORMAT_BLOCK_COLS},
    {ROOF_KIND_GROUPED_GEMM, "scale_bits", GROUPED_FORMAT + FORMAT_SCALE_BITS},
    {ROOF_KIND_GROUPED_GEMM, "zero_bits", GROUPED_FORMAT + FORMAT_ZERO_BITS},
    {ROOF_KIND_ATTENTION, "batch", ATTENTION_BATCH},
    {ROOF_KIND_ATTENTION, "heads", ATTENTION_HEADS},
    {ROOF_KIND_ATTENTION, "kv_heads", ATTENTION_KV_HEADS},
    {ROOF_KIND_ATTENTION, "q_len", ATTENTION_Q_LEN},
    {ROOF_KIND_ATTENTION, "kv_len", ATTENTION_KV_LEN},
    {ROOF_KIND_ATTENTION, "qk_width", ATTENTION_QK_WIDTH},
    {ROOF_KIND_ATTENTION, "v_width", ATTENTION_V_WIDTH},
    {ROOF_KIND_ATTENTION, "window", ATTENTION_WINDOW},
    {ROOF_KIND_ATTENTION, "chunk", ATTENTION_CHUNK},
    {ROOF_KIND_ATTENTION, "causal", ATTENTION_CAUSAL},
    {ROOF_KIND_ATTENTION, "unfused", ATTENTION_UNFUSED},
    {ROOF_KIND_ATTENTION, "latent", ATTENTION_LATENT},
    {ROOF_KIND_ATTENTION, "append", ATTENTION_APPEND},
    {ROOF_KIND_RECURRENCE, "batch", RECURRENCE_BATCH},
    {ROOF_KIND_RECURRENCE, "tokens", RECURRENCE_TOKENS},
    {ROOF_KIND_RECURRENCE, "heads", RECURRENCE_HEADS},
    {ROOF_KIND_RECURRENCE, "key_heads", RECURRENCE_KEY_HEADS},
    {ROOF_KIND_RECURRENCE, "key_width", RECURRENCE_KEY_WIDTH},
    {ROOF_KIND_RECURRENCE, "value_width", RECURRENCE_VALUE_WIDTH},
    {ROOF_KIND_RECURRENCE, "decay", RECURRENCE_DECAY},
    {ROOF_KIND_RECURRENCE, "delta", RECURRENCE_DELTA},
    {ROOF_KIND_RECURRENCE, "chunk", RECURRENCE_CHUNK},
    {ROOF_KIND_RECURRENCE, "resume", RECURRENCE_RESUME},
    {ROOF_KIND_CONV, "batch", CONVOLUTION_BATCH},
    {ROOF_KIND_CONV, "in", CONVOLUTION_IN},
    {ROOF_KIND_CONV, "out", CONVOLUTION_OUT},
    {ROOF_KIND_CONV, "d", CONVOLUTION_SIZE},
    {ROOF_KIND_CONV, "h", CONVOLUTION_SIZE + 1},
    {ROOF_KIND_CONV, "w", CONVOLUTION_SIZE + 2},
    {ROOF_KIND_CONV, "kd", CONVOLUTION_KERNEL},
    {ROOF_KIND_CONV, "kh", CONVOLUTION_KERNEL + 1},
    {ROOF_KIND_CONV, "kw", CONVOLUTION_KERNEL + 2},
    {ROOF_KIND_CONV, "stride", CONVOLUTION_STRIDE},
    {ROOF_KIND_CONV, "stride_d", CONVOLUTION_STRIDE + 1},
    {ROOF_KIND_CONV, "stride_h", CONVOLUTION_STRIDE + 2},
    {ROOF_KIND_CONV, "stride_w", CONVOLUTION_STRIDE + 3},
    {ROOF_KIND_CONV, "dilation", CONVOLUTION_DILATION},
    {ROOF_KIND_CONV, "dilation_d", CONVOLUTION_DILATION + 1},
    {ROOF_KIND_CONV, "dilation_h", CONVOLUTION_DILATION + 2},
    {ROOF_KIND_CONV, "dilation_w", CONVOLUTION_DILATION + 3},
    {ROOF_KIND_CONV, "padding", CONVOLUTION_PADDING},
    {ROOF_KIND_CONV, "padding_d", CONVOLUTION_PADDING + 1},
    {ROOF_KIND_CONV, "padding_h", CONVOLUTION_PADDING + 2},
    {ROOF_KIND_CONV, "padding_w", CONVOLUTION_PADDING + 3},
    {ROOF_KIND_CONV, "groups", CONVOLUTION_GROUPS},
    {ROOF_KIND_CONV, "bias", CONVOLUTION_BIAS},
    {ROOF_KIND_CONV_TRANSPOSED, "batch", CONVOLUTION_BATCH},
    {ROOF_KIND_CONV_TRANSPOSED, "in", CONVOLUTION_IN},
    {ROOF_KIND_CONV_TRANSPOSED, "out", CONVOLUTION_OUT},
    {ROOF_KIND_CONV_TRANSPOSED, "d", CONVOLUTION_SIZE},
    {ROOF_KIND_CONV_TRANSPOSED, "h", CONVOLUTION_SIZE + 1},
    {ROOF_KIND_CONV_TRANSPOSED, "w", CONVOLUTION_SIZE + 2},
    {ROOF_KIND_CONV_TRANSPOSED, "kd", CONVOLUTION_KERNEL},
    {ROOF_KIND_CONV_TRANSPOSED, "kh", CONVOLUTION_KERNEL + 1},
    {ROOF_KIND_CONV_TRANSPOSED, "kw", CONVOLUTION_KERNEL + 2},
    {ROOF_KIND_CONV_TRANSPOSED, "stride", CONVOLUTION_STRIDE},
    {ROOF_KIND_CONV_TRANSPOSED, "stride_d", CONVOLUTION_STRIDE + 1},
    {ROOF_KIND_CONV_TRANSPOSED, "stride_h", CONVOLUTION_STRIDE + 2},
    {ROOF_KIND_CONV_TRANSPOSED, "stride_w", CONVOLUTION_STRIDE + 3},
    {ROOF_KIND_CONV_TRANSPOSED, "dilation", CONVOLUTION_DILATION},
    {ROOF_KIND_CONV_TRANSPOSED, "dilation_d", CONVOLUTION_DILATION + 1},
    {ROOF_KIND_CONV_TRANSPOSED, "dilation_h", CONVOLUTION_DILATION + 2},
    {ROOF_KIND_CONV_TRANSPOSED, "dilation_w", CONVOLUTION_DILATION + 3},
    {ROOF_KIND_CONV_TRANSPOSED, "padding", CONVOLUTION_PADDING},
    {ROOF_KIND_CONV_TRANSPOSED, "padding_d", CONVOLUTION_PADDING + 1},
    {ROOF_KIND_CONV_TRANSPOSED, "padding_h", CONVOLUTION_PADDING + 2},
    {ROOF_KIND_CONV_TRANSPOSED, "padding_w", CONVOLUTION_PADDING + 3},
    {ROOF_KIND_CONV_TRANSPOSED, "groups", CONVOLUTION_GROUPS},
    {ROOF_KIND_CONV_TRANSPOSED, "bias", CONVOLUTION_BIAS},
    {ROOF_KIND_CONV_TRANSPOSED, "output_padding", CONVOLUTION_OUTPUT_PADDING},
    {ROOF_KIND_CONV_TRANSPOSED, "output_padding_d", CONVOLUTION_OUTPUT_PADDING + 1},
    {ROOF_KIND_CONV_TRANSPOSED, "output_padding_h", CONVOLUTION_OUTPUT_PADDING + 2},
    {ROOF_KIND_CONV_TRANSPOSED, "output_padding_w", CONVOLUTION_OUTPUT_PADDING + 3},
    {ROOF_KIND_RMS_NORM, "rows", NORM_ROWS},
    {ROOF_KIND_RMS_NORM, "width", NORM_WIDTH},
    {ROOF_KIND_RMS_NORM, "residual", NORM_RESIDUAL},
    {ROOF_KIND_RMS_NORM, "plain", NORM_PLAIN},
    {ROOF_KIND_LAYER_NORM, "rows", NORM_ROWS},
    {ROOF_KIND_LAYER_NORM, "width", NORM_WIDTH},
    {ROOF_KIND_LAYER_NORM, "residual", NORM_RESIDUAL},
    {ROOF_KIND_LAYER_NORM, "plain", NORM_PLAIN},
    {ROOF_KIND_SOFTMAX, "rows", SOFTMAX_ROWS},
    {ROOF_KIND_SOFTMAX, "width", SOFTMAX_WIDTH},
    {ROOF_KIND_REDUCTION, "rows", REDUCTION_ROWS},
    {ROOF_KIND_REDUCTION, "width", REDUCTION_WIDTH},
    {ROOF_KIND_ELEMENTWISE, "n", ELEMENTWISE_N},
    {ROOF_KIND_ELEMENTWISE, "inputs", ELEMENTWISE_INPUTS},
    {ROOF_KIND_ELEMENTWISE, "outputs", ELEMENTWISE_OUTPUTS},
    {ROOF_KIND_ELEMENTWISE, "flops", ELEMENTWISE_FLOPS},
    {ROOF_KIND_EMBEDDING, "tokens", EMBEDDING_TOKENS},
    {ROOF_KIND_EMBEDDING, "width", EMBEDDING_WIDTH},
    {ROOF_KIND_COPY, "n", STREAM_N},
    {ROOF_KIND_COPY, "write_allocate", STREAM_ALLOCATES},
    {ROOF_KIND_SCALE, "n", STREAM_N},
    {ROOF_KIND_SCALE, "write_allocate", STREAM_ALLOCATES},
    {ROOF_KIND_ADD, "n", STREAM_N},
    {ROOF_KIND_ADD, "write_allocate", STREAM_ALLOCATES},
    {ROOF_KIND_TRIAD, "n", STREAM_N},
    {ROOF_KIND_TRIAD, "write_allocate", STREAM_ALLOCATES},
    {ROOF_KIND_DOT, "n", STREAM_N},
    {ROOF_KIND_AXPY, "n", STREAM_N},
    {ROOF_KIND_SPMV, "rows", SPMV_ROWS},
    {ROOF_KIND_SPMV, "nnz", SPMV_NNZ},
    {ROOF_KIND_SPMV, "cols", SPMV_COLS},
    {ROOF_KIND_STENCIL, "points", STENCIL_POINTS},
    {ROOF_KIND_STENCIL, "nx", STENCIL_NX},
    {ROOF_KIND_STENCIL, "ny", STENCIL_NY},
    {ROOF_KIND_STENCIL, "nz", STENCIL_NZ},
    {ROOF_KIND_STENCIL, "inputs", STENCIL_INPUTS},
    {ROOF_KIND_STENCIL, "flops", STENCIL_FLOPS},
    {ROOF_KIND_STENCIL, "write_allocate", STENCIL_ALLOCATES},
    {ROOF_KIND_FFT, "n", FFT_N},
    {ROOF_KIND_FFT, "batch", FFT_BATCH},
    {ROOF_KIND_FFT, "passes", FFT_PASSES},
    {ROOF_KIND_FFT, "real", FFT_REAL},
    {ROOF_KIND_ALL_REDUCE, "devices", COLLECTIVE_DEVICES},
    {ROOF_KIND_ALL_REDUCE, "bytes", COLLECTIVE_BYTES},
    {ROOF_KIND_ALL_REDUCE, "tree", COLLECTIVE_TREE},
    {ROOF_KIND_ALL_REDUCE, "two_shot", COLLECTIVE_TWO_SHOT},
    {ROOF_KIND_ALL_GATHER, "devices", COLLECTIVE_DEVICES},
    {ROOF_KIND_ALL_GATHER, "bytes", COLLECTIVE_BYTES},
    {ROOF_KIND_REDUCE_SCATTER, "devices", COLLECTIVE_DEVICES},
    {ROOF_KIND_REDUCE_SCATTER, "bytes", COLLECTIVE_BYTES},
    {ROOF_KIND_ALL_TO_ALL, "devices", COLLECTIVE_DEVICES},
    {ROOF_KIND_ALL_TO_ALL, "bytes", COLLECTIVE_BYTES},
    {ROOF_KIND_POINT_TO_POINT, "bytes", POINT_BYTES},
    {ROOF_KIND_CUSTOM, "flops", CUSTOM_FLOPS},
    {ROOF_KIND_CUSTOM, "bytes", CUSTOM_BYTES},
    {ROOF_KIND_CUSTOM, "vector", CUSTOM_VECTOR},
    {ROOF_KIND_CUSTOM, "l3", CUSTOM_L3},
    {ROOF_KIND_CUSTOM, "l2", CUSTOM_L2},
    {ROOF_KIND_CUSTOM, "l1", CUSTOM_L1},
    {ROOF_KIND_CUSTOM, "link", CUSTOM_LINK},
    {ROOF_KIND_CUSTOM, "steps", CUSTOM_STEPS},
};

static void test_every_place_has_a_name(void **state) {
    (void)state;
    size_t row = 0, rows = sizeof places / sizeof *places;
    for (int kind = 0; kind < ROOF_KIND_COUNT; kind++) {
        const roof_kind_info *info = roof_kind_describe((roof_kind)kind);
        int place = 0;
        for (size_t i = 0; i < info->parameter_count; i++) {
            if (info->parameters[i].type == ROOF_PARAMETER_DTYPE)
                continue;
            size_t at = 0;
            while (at < rows &&
                   !((int)places[at].kind == kind && strcmp(places[at].name, info->parameters[i].name) == 0))
                at++;
            if (at == rows || places[at].place != place)
                fail_msg("%s of %s stands at %d, and its enumerator says %d", info->parameters[i].name, info->name,
                         place, at < rows ? places[at].place : -1);
            place++;
            row++;
        }
    }
    assert_int_equal(row, rows);
}

static void test_places_of_dtypes(void **state) {
    (void)state;
    assert_int_equal(work_parameter_place(roof_kind_describe(ROOF_KIND_GEMM), "c"), DTYPE_C);
    assert_int_equal(work_parameter_place(roof_kind_describe(ROOF_KIND_GEMM), "math"), DTYPE_GEMM_MATH);
    assert_int_equal(work_parameter_place(roof_kind_describe(ROOF_KIND_ATTENTION), "kv"), DTYPE_KV);
    assert_int_equal(work_parameter_place(roof_kind_describe(ROOF_KIND_ATTENTION), "math"), DTYPE_ATTENTION_MATH);
}

static void test_a_parameter_by_name(void **state) {
    (void)state;
    roof_operation gemm = operation_of("gemm m=8 n=14336 k=4096 dtype=f16");
    roof_error error = {0};
    double value = -1;
    assert_int_equal(roof_operation_parameter(&gemm, "k", &value, &error), 0);
    assert_true(value == 4096);
    assert_int_equal(roof_operation_parameter(&gemm, "dtype", &value, NULL), 0);
    assert_int_equal((int)value, ROOF_F16);
    assert_int_equal(roof_operation_parameter(&gemm, "heads", &value, &error), -1);
    assert_int_equal(error.code, ROOF_EARGUMENT);
    assert_non_null(strstr(error.what, "gemm has no parameter 'heads'"));
    assert_non_null(strstr(error.hint, "gemm takes"));
    assert_int_equal((int)value, ROOF_F16); /* untouched */
    gemm.kind = ROOF_KIND_COUNT;
    assert_int_equal(roof_operation_parameter(&gemm, "m", &value, NULL), -1);
}

static void test_examples_build(void **state) {
    (void)state;
    for (int kind = 0; kind < ROOF_KIND_COUNT; kind++) {
        roof_operation operation = example_of((roof_kind)kind);
        assert_int_equal(operation.kind, kind);
        assert_exact(operation.count, 1);
        assert_true(roof_operation_flops(&operation) >= 0 && dram_bytes(&operation) > 0);
        assert_true(operation.matrix_flops == 0 || operation.matrix_dtype != ROOF_DTYPE_NONE);
        assert_true(operation.vector_flops == 0 || operation.vector_dtype != ROOF_DTYPE_NONE);
    }
}

/* An operation says everything that makes it: its arguments build it again. */
static void test_arguments_build_it_again(void **state) {
    (void)state;
    const char *more[] = {
        "gemm m=8 n=4096 k=4096 bias=1 b=int4 bits=4 block_rows=1 block_cols=128 scale_bits=16 zero_bits=4",
        "conv in=3 out=64 h=224 w=224 kh=7 kw=7 stride=2 padding=3 padding_w=2",
        "layer-norm rows=8 width=64 plain=1",
        "attention heads=4 q_len=7 qk_width=64 v_width=32 kv=fp8 unfused=1",
    };
    for (size_t i = 0; i < ROOF_KIND_COUNT + sizeof more / sizeof *more; i++) {
        roof_operation again,
            once = i < ROOF_KIND_COUNT ? example_of((roof_kind)i) : operation_of(more[i - ROOF_KIND_COUNT]);
        roof_argument arguments[WORK_ARGUMENT_MAX];
        size_t count = work_arguments(&once, arguments);
        assert_int_equal(roof_operation_build(once.kind, arguments, count, &again, NULL), 0);
        assert_exact(roof_operation_flops(&again), roof_operation_flops(&once));
        assert_exact(dram_bytes(&again), dram_bytes(&once));
        assert_memory_equal(again.shape, once.shape, sizeof once.shape);
        assert_memory_equal(again.dtype, once.dtype, sizeof once.dtype);
    }
}

/* ------------------------------------------------------------ explanations -- */

static void with_commas(double value, char *out) {
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%.0f", value);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
}

static void check_columns(const char *text) {
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        if (strcspn(line, "\n") > 80)
            fail_msg("too long: %.*s", (int)strcspn(line, "\n"), line);
}

static void test_explanations_hold_the_numbers(void **state) {
    (void)state;
    char text[4096], number[48];
    for (int kind = 0; kind < ROOF_KIND_COUNT; kind++) {
        roof_operation operation = example_of((roof_kind)kind);
        size_t length = roof_operation_explain(&operation, text, sizeof text);
        assert_int_equal(length, strlen(text));
        assert_int_equal(text[length - 1], '\n');
        check_columns(text);
        const double costs[] = {operation.matrix_flops, operation.vector_flops, dram_bytes(&operation),
                                operation.link_bytes};
        for (int i = 0; i < 4; i++) {
            with_commas(costs[i], number);
            if (costs[i] > 0 && !strstr(text, number))
                fail_msg("%s does not say %s:\n%s", roof_kind_name((roof_kind)kind), number, text);
        }
        if (strstr(text, "nan") || strstr(text, "?") || strstr(text, "{") || strstr(text, "<"))
            fail_msg("%s has a hole:\n%s", roof_kind_name((roof_kind)kind), text);
    }
}

static void test_an_explanation_in_full(void **state) {
    (void)state;
    char text[1024];
    roof_operation operation = operation_of("gemm m=8 n=14336 k=4096");
    roof_operation_explain(&operation, text, sizeof text);
    assert_string_equal(text, "FLOPs = 2 m n k = 2 x 8 x 14,336 x 4,096 = 939,524,096 (bf16)\n"
                              "A = m k a = 8 x 4,096 x 2 B = 65,536 B (bf16)\n"
                              "B = k n b = 4,096 x 14,336 x 2 B = 117,440,512 B (bf16)\n"
                              "C = m n c = 8 x 14,336 x 2 B = 229,376 B (bf16)\n"
                              "bytes = A + B + C = 117,735,424 B\n"
                              "intensity = FLOPs / bytes = 7.97996 FLOP/B\n");
}

static void expect_words(const char *line, const char *const words[], size_t count) {
    char text[4096];
    roof_operation operation = operation_of(line);
    roof_operation_explain(&operation, text, sizeof text);
    check_columns(text);
    for (char *at = text; (at = strstr(at, "\n    ")); at++) /* undo the folding */
        memmove(at, at + 4, strlen(at + 4) + 1), *at = ' ';
    for (size_t i = 0; i < count; i++)
        if (!strstr(text, words[i]))
            fail_msg("%s does not say '%s':\n%s", line, words[i], text);
}

static void test_variants_explain_themselves(void **state) {
    (void)state;
    const char *const causal[] = {"causal, counted exactly", "= 2,080 per head", "without a mask 4,096",
                                  "= 6,389,760 (bf16)"};
    expect_words("attention heads=12 q_len=64 qk_width=64 causal=1", causal, 4);
    const char *const window[] = {"min(keys so far, 128)", "rows = keys that some query sees = 227 of 4,100",
                                  "append =", "scores = 4 "};
    expect_words("attention heads=8 q_len=100 kv_len=4100 qk_width=64 window=128 causal=1 append=1 unfused=1", window,
                 4);
    const char *const latent[] = {"cache = rows qk_width kv = 4,096 x 576 x 2 B = 4,718,592 B"};
    expect_words("attention heads=128 kv_heads=1 q_len=1 kv_len=4096 qk_width=576 v_width=512 latent=1 causal=1",
                 latent, 1);
    const char *const int4[] = {"B = batch k n bits / 8 = 3 x 4,096 x 4,096 x 4 / 8 = 25,165,824 B (int4)",
                                "scales = batch blocks bits / 8 = 3 x 131,072 x 20 / 8 = 983,040 B",
                                "bytes = A + B + scales + bias + C"};
    expect_words(
        "gemm m=8 n=4096 k=4096 batch=3 bias=1 b=int4 bits=4 block_rows=1 block_cols=128 scale_bits=16 zero_bits=4",
        int4, 3);
    const char *const touched[] = {"experts touched = 170 of 256, as given"};
    expect_words("grouped-gemm tokens=32 experts=256 top_k=8 n=2048 k=7168 touched=170", touched, 1);
    const char *const stored[] = {"bytes = (3 + 1) n dtype", "counted 2,400 B, moved 3,200 B"};
    expect_words("triad n=100 write_allocate=1", stored, 2);
    const char *const tree[] = {"steps = 2 ceil(log2 g) = 6 (tree)"};
    expect_words("all-reduce devices=8 bytes=1000 tree=1", tree, 1);
    const char *const nothing[] = {"nothing to do: 0 FLOPs, 0 bytes"};
    expect_words("gemm m=0 n=4 k=4", nothing, 1);
}

static void test_a_small_buffer_is_cut(void **state) {
    (void)state;
    char small[10], none = 'x';
    roof_operation operation = operation_of("dot n=100");
    size_t length = roof_operation_explain(&operation, small, sizeof small);
    assert_true(length > sizeof small);
    assert_string_equal(small, "FLOPs = 2");
    assert_int_equal(roof_operation_explain(&operation, &none, 0), length);
    assert_int_equal(none, 'x');
}

/* ------------------------------------------------------------------- docs -- */

/* docs/model.md shows every row of the table as it is. */
static void test_the_docs_show_the_table(void **state) {
    (void)state;
    static char docs[1 << 17];
    char row[512];
    FILE *file = fopen(TEST_DATA "/../../docs/model.md", "r");
    assert_non_null(file);
    docs[fread(docs, 1, sizeof docs - 1, file)] = '\0';
    fclose(file);
    for (int kind = 0; kind < ROOF_KIND_COUNT; kind++) {
        const roof_kind_info *info = roof_kind_describe((roof_kind)kind);
        snprintf(row, sizeof row, "| `%s` | %s | %s | %s |\n", info->name, info->flops, info->bytes, info->source);
        if (!strstr(docs, row))
            fail_msg("docs/model.md should say\n%s", row);
    }
}

/* ----------------------------------------------------------------- errors -- */

static void expect_error(const char *line, roof_status code, const char *what, const char *hint) {
    roof_operation operation;
    roof_error error = {0};
    if (build_line(line, &operation, &error) == 0)
        fail_msg("%s was built", line);
    if (error.code != code || !strstr(error.what, what) || !strstr(error.hint, hint))
        fail_msg("%s: '%s' (hint '%s'), not '%s' (hint '%s')", line, error.what, error.hint, what, hint);
}

static void test_what_is_missing_is_shown(void **state) {
    (void)state;
    roof_operation operation;
    roof_error error = {0};
    assert_int_equal(build_line("gemm m=8 n=4", &operation, &error), -1);
    assert_int_equal(error.remedy, ROOF_REMEDY_OPERATION);
    assert_string_equal(error.subject, "gemm m=8 n=14336 k=4096");
}

static void test_errors(void **state) {
    (void)state;
    expect_error("gem m=1", ROOF_ENOTFOUND, "unknown operation 'gem'", "did you mean 'gemm'");
    expect_error("gemm m=8 n=4 kk=4", ROOF_EARGUMENT, "gemm has no parameter 'kk'", "did you mean 'k'?");
    expect_error("gemm m=8 n=4 zebra=4", ROOF_EARGUMENT, "no parameter 'zebra'", "gemm takes m n k batch");
    expect_error("gemm m=8 n=4", ROOF_EARGUMENT, "gemm needs k (columns of A, rows of B)", "");
    expect_error("gemm m=8 n=4.5 k=4", ROOF_EARGUMENT, "n=4.5: it is a count, so it must be a whole number", "");
    expect_error("gemm m=-1 n=4 k=4", ROOF_EARGUMENT, "m=-1 is out of range: 0 to 1e+15", "");
    expect_error("gemm m=nan n=4 k=4", ROOF_EARGUMENT, "out of range", "");
    expect_error("gemm m=inf n=4 k=4", ROOF_EARGUMENT, "out of range", "");
    expect_error("gemm m=1 n=4 k=4 bias=2", ROOF_EARGUMENT, "bias=2: it is a flag, 0 or 1", "");
    expect_error("gemm m=1 n=4 k=4 dtype=zebra", ROOF_EARGUMENT, "gemm dtype: a data type is needed", "");
    expect_error("attention heads=8 kv_heads=3 q_len=1 qk_width=64", ROOF_EARGUMENT,
                 "kv_heads=3 does not divide heads=8", "");
    expect_error("attention heads=8 q_len=9 kv_len=5 qk_width=64 causal=1", ROOF_EARGUMENT,
                 "kv_len=5 is shorter than q_len=9", "kv_len=14");
    expect_error("attention heads=8 q_len=9 qk_width=64 v_width=128 latent=1", ROOF_EARGUMENT, "v_width=128", "");
    expect_error("grouped-gemm tokens=1 experts=4 top_k=5 n=1 k=1", ROOF_EARGUMENT, "top_k=5", "");
    expect_error("grouped-gemm tokens=1 experts=4 top_k=2 n=1 k=1 touched=9", ROOF_EARGUMENT, "touched=9", "");
    expect_error("conv in=6 out=4 w=8 kw=3 groups=3", ROOF_EARGUMENT, "groups=3 does not divide out=4", "");
    expect_error("conv in=6 out=6 w=3 kw=7", ROOF_EARGUMENT, "kw=7 (dilated) on w=3", "");
    expect_error("conv in=6 out=6 w=3 kw=3 stride=0", ROOF_EARGUMENT, "stride=0 is out of range", "");
    expect_error("all-reduce devices=0 bytes=5", ROOF_EARGUMENT, "devices=0 is out of range", "");
    expect_error("all-reduce devices=8 bytes=5 tree=1 two_shot=1", ROOF_EARGUMENT, "choose one", "");
    expect_error("custom flops=1e9", ROOF_EARGUMENT, "custom needs bytes", "");
    assert_int_equal(roof_operation_build(ROOF_KIND_COUNT, NULL, 0, &(roof_operation){0}, NULL), -1);
}

static void test_find(void **state) {
    (void)state;
    roof_kind kind;
    for (int i = 0; i < ROOF_KIND_COUNT; i++) {
        assert_int_equal(roof_kind_find(roof_kind_name((roof_kind)i), &kind, NULL), 0);
        assert_int_equal(kind, i);
    }
    assert_int_equal(roof_kind_find("MatMul", &kind, NULL), 0);
    assert_int_equal(kind, ROOF_KIND_GEMM);
    assert_int_equal(roof_kind_find("rms_norm", &kind, NULL), 0);
    assert_int_equal(kind, ROOF_KIND_RMS_NORM);
    assert_int_equal(roof_kind_find("zebra", &kind, NULL), -1);
    assert_int_equal(roof_kind_find("", &kind, NULL), -1);
}

static void test_dtypes_default_to_the_main_one(void **state) {
    (void)state;
    roof_operation operation = operation_of("gemm m=1 n=1 k=1 dtype=f32 b=int8");
    assert_exact(dram_bytes(&operation), 4 + 1 + 4);
    assert_int_equal(operation.matrix_dtype, ROOF_F32);
    operation = operation_of("gemm m=1 n=1 k=1 dtype=int8 c=int32");
    assert_exact(dram_bytes(&operation), 1 + 1 + 4);
    operation = operation_of("spmv rows=1 nnz=1 dtype=f32");
    assert_int_equal(operation.dtype[1], ROOF_INT32);        /* its own preset */
    operation = operation_of("dot n=1 dtype=f32 dtype=f64"); /* the last one said wins */
    assert_exact(dram_bytes(&operation), 16);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_is_complete),
        cmocka_unit_test(test_names_are_unique_within_a_kind),
        cmocka_unit_test(test_every_place_has_a_name),
        cmocka_unit_test(test_places_of_dtypes),
        cmocka_unit_test(test_a_parameter_by_name),
        cmocka_unit_test(test_examples_build),
        cmocka_unit_test(test_arguments_build_it_again),
        cmocka_unit_test(test_explanations_hold_the_numbers),
        cmocka_unit_test(test_an_explanation_in_full),
        cmocka_unit_test(test_variants_explain_themselves),
        cmocka_unit_test(test_a_small_buffer_is_cut),
        cmocka_unit_test(test_the_docs_show_the_table),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_what_is_missing_is_shown),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_dtypes_default_to_the_main_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
