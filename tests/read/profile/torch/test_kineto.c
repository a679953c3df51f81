/* PyTorch traces. The texts are ours, in the shape of what Kineto writes. */
#include <stdlib.h>

#include "alloc/alloc.h"
#include "reading.h"
#include "roofline_profile.h"
#include "json/pull.h"

#ifdef ROOFLINE_HAVE_ZLIB
#include <zlib.h>
#endif

/* ---- texts ---- */

#define TRACE(...)                                                                                                     \
    "{\"schemaVersion\": 1, \"deviceProperties\": [{\"id\": 0, \"name\": \"NVIDIA H100 80GB "                          \
    "HBM3\"}],\n\"traceEvents\": [\n" __VA_ARGS__ "\n]}\n"
#define NO_GPU(...) "{\"schemaVersion\": 1, \"deviceProperties\": [],\n\"traceEvents\": [\n" __VA_ARGS__ "\n]}\n"
#define OP_ON(PID, ID, NAME, TS, DUR, DIMS, TYPES, SETTINGS)                                                           \
    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"" NAME "\", \"pid\": " PID ", \"tid\": 1, \"ts\": " TS           \
    ", \"dur\": " DUR ", \"args\": {\"External id\": " ID ", \"Input Dims\": [" DIMS "], \"Input type\": [" TYPES      \
    "], \"Concrete Inputs\": [" SETTINGS "]}}"
#define OP(ID, NAME, TS, DIMS, TYPES, SETTINGS) OP_ON("1", ID, NAME, TS, "20", DIMS, TYPES, SETTINGS)
#define KERNEL(ID, CORRELATION, NAME, TS, DUR)                                                                         \
    "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"" NAME "\", \"pid\": 0, \"tid\": 7, \"ts\": " TS                 \
    ", \"dur\": " DUR ", \"args\": {\"External id\": " ID                                                              \
    ", \"device\": 0, \"stream\": 7, \"correlation\": " CORRELATION                                                    \
    ", \"grid\": [4, 1, 1], \"est. achieved occupancy\": 50}}"
#define BF "\"c10::BFloat16\""
#define NEXT ",\n"
#define MM(ID, TS) OP(ID, "aten::mm", TS, "[16, 4096], [4096, 4096]", BF ", " BF, "\"\", \"\"")

/* ---- reading ---- */

static roof_profile *read_bytes(const void *text, size_t length, const roof_profile_options *options,
                                roof_error *error) {
    return roof_read_profile_bytes(text, length, options, error);
}

static roof_profile *good_bytes(const void *text, size_t length) {
    roof_error error = {0};
    roof_profile *profile = read_bytes(text, length, NULL, &error);
    if (!profile)
        fail_msg("%s", error.what);
    return profile;
}

static roof_profile *good(const char *text) {
    return good_bytes(text, strlen(text));
}

static double flops_of(const roof_measured *at, roof_unit unit) {
    double sum = 0;
    for (size_t i = 0; i < at->flop_count; i++)
        sum += at->flops[i].unit == unit ? at->flops[i].count.value : 0;
    return sum;
}

static void refused(const char *text, const char *part) {
    roof_error error = {0};
    roof_profile *profile = read_bytes(text, strlen(text), NULL, &error);
    if (profile)
        fail_msg("read, but should be refused for '%s'", part);
    if (!strstr(error.what, part))
        fail_msg("'%s' does not say '%s'", error.what, part);
}

/* ---- a trace of the field: a raw control byte, and it ends inside the fifth event ---- */

/* Shape and numbers as in the issues that report such files: pytorch/pytorch 33961, 113001, 130622, 167707. */
static const char broken[] =
    "{\n \"schemaVersion\": 1,\n \"deviceProperties\": [{\"id\": 0, \"name\": \"NVIDIA H100 80GB HBM3\"}],\n "
    "\"traceEvents\": [\n" OP("7", "aten::mm", "1000.0", "[4096, 4096], [4096, 11008]", BF ", " BF, "") NEXT
    "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"sm90_xmma_gemm_bf16bf16_bf16f32\", \"pid\": 0, \"tid\": 7, "
    "\"ts\": 1030.0, \"dur\": 560.0, "
    "\"args\": {\"External id\": 7, \"stream\": 7, \"device\": 0}}" NEXT MM("8", "1700.0") NEXT
    "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"bad\001name gemv\", \"pid\": 0, \"tid\": 7, \"ts\": 1730.0, "
    "\"dur\": 14.0, "
    "\"args\": {\"External id\": 8, \"stream\": 7, \"device\": 0}}" NEXT
    "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mm\", \"pid\": 1, \"tid\": 1, \"ts\": 1800.0, \"dur\": "
    "20.0, \"args\": {\"External id\": 9, \"Inp";

static void check_broken(const roof_profile *profile) {
    const roof_measured *gemm = point_named(profile, "sm90_xmma_gemm_bf16bf16_bf16f32");
    const roof_measured *small = point_named(profile, "bad name gemv");
    const roof_profile_info *info = roof_profile_about(profile);
    assert_int_equal(point_count(profile), 2);
    assert_exact(flops_of(gemm, ROOF_MATRIX), 2.0 * 4096 * 4096 * 11008); /* 369,367,187,456 */
    assert_near(gemm->seconds.value, 560e-6, 1e-15);
    assert_int_equal(gemm->flops[0].count.certainty, ROOF_CERTAINTY_COMPUTED);
    assert_int_equal(gemm->flops[0].dtype, ROOF_BF16);
    assert_exact(flops_of(small, ROOF_MATRIX), 536870912.0);
    assert_exact(small->bytes[ROOF_DRAM].value, 33816576.0);
    assert_int_equal(small->bytes[ROOF_DRAM].certainty, ROOF_CERTAINTY_COMPUTED);
    assert_near(small->seconds.value, 14e-6, 1e-15);
    assert_true(small->has_operation && small->operation.kind == ROOF_KIND_GEMM);
    assert_string_equal(info->device, "NVIDIA H100 80GB HBM3");
    assert_true(info->ended_early);
    assert_exact(info->rows, 4.0);
    assert_exact(info->dropped, 1.0);
    assert_near(info->total_seconds, 744e-6, 1e-9);
    assert_true(warns(profile, "ends early: 4 rows or events kept, 1 dropped"));
    assert_true(warns(profile, "idle at least 22.8%")); /* 1 - 574 / 744 */
}

static void keeps_what_was_whole(void **state) {
    (void)state;
    roof_profile *profile = good_bytes(broken, sizeof broken - 1);
    check_broken(profile);
    roof_profile_free(profile);
    roof_error error = {0};
    assert_null(read_bytes(broken, sizeof broken - 1, &(roof_profile_options){.strict = true}, &error));
    assert_non_null(strstr(error.what, "ends early"));
}

static void each_cut_answers(const char *text, size_t length) {
    for (size_t n = 0; n <= length; n++) {
        char *cut = malloc(n ? n : 1);
        memcpy(cut, text, n);
        roof_error error = {0};
        roof_profile *profile = read_bytes(cut, n, NULL, &error);
        if (!profile && !error.what[0])
            fail_msg("cut at %zu: no word", n);
        if (profile && n < length - 3 && !roof_profile_about(profile)->ended_early)
            fail_msg("cut at %zu: read as if it were whole", n);
        size_t count = 0;
        const roof_measured *points = profile ? roof_profile_points(profile, &count) : NULL;
        for (size_t i = 0; i < count; i++)
            if (!(points[i].seconds.value > 0))
                fail_msg("cut at %zu: a kernel of no time", n);
        roof_profile_free(profile);
        free(cut);
    }
}

static const char whole[] = TRACE(MM("7", "1000") NEXT KERNEL("7", "90", "gemm", "1030", "14.5") NEXT MM("8", "1100")
                                      NEXT KERNEL("8", "91", "gemm", "1130", "\"15.5\""));

static void every_cut(void **state) {
    (void)state;
    each_cut_answers(whole, sizeof whole - 1);
    each_cut_answers(broken, sizeof broken - 1);
}

#ifdef ROOFLINE_HAVE_ZLIB
static size_t pack(const char *text, size_t length, char *out, size_t room) {
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)(uintptr_t)text;
    z.avail_in = (unsigned)length;
    z.next_out = (unsigned char *)out;
    z.avail_out = (unsigned)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return room - z.avail_out;
}

static void gzip_cut_anywhere(void **state) {
    (void)state;
    char packed[4096];
    size_t length = pack(broken, sizeof broken - 1, packed, sizeof packed);
    roof_profile *profile = good_bytes(packed, length);
    check_broken(profile);
    roof_profile_free(profile);
    for (size_t n = 3; n < length; n++) {
        roof_error error = {0};
        profile = read_bytes(packed, n, NULL, &error);
        if (!profile && !error.what[0])
            fail_msg("cut at %zu: no word", n);
        if (profile && !roof_profile_about(profile)->ended_early)
            fail_msg("cut at %zu: read as if it were whole", n);
        roof_profile_free(profile);
    }
}
#endif

/* ---- matching ---- */

static void calls_of_one_shape_are_summed(void **state) {
    (void)state;
    roof_profile *profile = good(whole);
    const roof_measured *gemm = point_named(profile, "gemm");
    assert_int_equal(point_count(profile), 1);
    assert_exact(gemm->calls, 2.0);
    assert_near(gemm->seconds.value, 30e-6, 1e-15);
    assert_near(gemm->least_seconds, 14.5e-6, 1e-15);
    assert_near(gemm->most_seconds, 15.5e-6, 1e-15);
    assert_exact(flops_of(gemm, ROOF_MATRIX), 2 * 536870912.0);
    assert_exact(roof_operation_flops(&gemm->operation), 536870912.0);
    assert_string_equal(gemm->where, "GPU 0");
    roof_profile_free(profile);
    profile = roof_read_profile_bytes(whole, sizeof whole - 1, &(roof_profile_options){.launches = true}, NULL);
    assert_int_equal(point_count(profile), 2);
    roof_profile_free(profile);
}

static void one_operator_of_three_kernels_counts_once(void **state) {
    (void)state;
    roof_profile *profile = good(TRACE(MM("7", "1000") NEXT KERNEL("7", "90", "fill", "1030", "2") NEXT KERNEL(
        "7", "91", "split_k_gemm", "1040", "30") NEXT KERNEL("7", "92", "reduce", "1080", "4")));
    assert_exact(flops_of(point_named(profile, "split_k_gemm"), ROOF_MATRIX), 536870912.0);
    assert_int_equal(point_named(profile, "fill")->flop_count, 0);
    assert_int_equal(point_named(profile, "reduce")->flop_count, 0);
    assert_int_equal(point_named(profile, "reduce")->bytes[ROOF_DRAM].certainty, ROOF_CERTAINTY_MISSING);
    assert_null(point_named(profile, "reduce")->missing); /* nothing to collect: the work is told elsewhere */
    assert_true(warns(profile, "2 kernels share their operator with a longer one"));
    roof_profile_free(profile);
}

static void events_in_any_order(void **state) {
    (void)state;
    roof_profile *profile = good(TRACE(KERNEL("7", "90", "gemm", "1030", "14") NEXT MM("7", "1000")));
    assert_exact(flops_of(point_named(profile, "gemm"), ROOF_MATRIX), 536870912.0);
    roof_profile_free(profile);
    /* args before the name, a bare list, the device's properties behind the events */
    profile = good("[{\"args\": {\"Input type\": [" BF "," BF
                   "], \"Input Dims\": [[8,4],[4,2]], \"External id\": \"5\"}, \"dur\": 3, "
                   "\"ts\": \"10.5\", \"ph\": \"X\", \"name\": \"aten::mm\", \"cat\": \"cpu_op\"},"
                   "{\"args\": {\"External id\": 5.0, \"device\": 3}, \"dur\": 1.5e0, \"ts\": 12, \"ph\": \"X\", "
                   "\"name\": \"k\", \"cat\": \"kernel\"}]");
    assert_exact(flops_of(point_named(profile, "k"), ROOF_MATRIX), 2.0 * 8 * 4 * 2);
    assert_near(point_named(profile, "k")->seconds.value, 1.5e-6, 1e-15);
    assert_string_equal(point_named(profile, "k")->where, "GPU 3");
    roof_profile_free(profile);
    profile = good("{\"traceEvents\": [" KERNEL("7", "90", "gemm", "1030",
                                                "14") "], \"deviceProperties\": [{\"name\": \"AMD Instinct MI300X\"}], "
                                                      "\"displayTimeUnit\": \"ms\"}");
    assert_string_equal(roof_profile_about(profile)->device, "AMD Instinct MI300X");
    assert_non_null(strstr(point_named(profile, "gemm")->missing, "rocprof"));
    roof_profile_free(profile);
}

static void kernels_without_operators_are_said(void **state) {
    (void)state;
    roof_profile *profile = good(TRACE(MM("7", "1000") NEXT KERNEL("7", "90", "gemm", "1030", "30") NEXT KERNEL(
        "900", "91", "graph", "1070", "5") NEXT KERNEL("900", "92", "graph", "1080", "5")));
    assert_exact(point_named(profile, "graph")->calls, 2.0);
    assert_int_equal(point_named(profile, "graph")->flop_count, 0);
    assert_non_null(strstr(point_named(profile, "graph")->missing, "ncu"));
    assert_true(warns(profile, "2 of 3 kernels (25% of their time) found no operator"));
    roof_profile_free(profile);
}

/* Profilers of 2023 write the number of the launch as the External id of a kernel; operators happen to have the same.
 */
static void a_launch_is_no_operator(void **state) {
    (void)state;
    roof_profile *profile = good(TRACE(MM("11", "1000") NEXT KERNEL("11", "11", "copy", "1030", "30")));
    assert_int_equal(point_named(profile, "copy")->flop_count, 0);
    assert_true(warns(profile, "names its launch, not its operator"));
    roof_profile_free(profile);
    /* a launch that names its operator helps */
    profile =
        good(TRACE(MM("7", "1000") NEXT
                   "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 1, \"tid\": 1, "
                   "\"ts\": 1002, \"dur\": 2, \"args\": {\"External id\": 7, \"correlation\": 44}}" NEXT
                   "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"gemm\", \"ts\": 1010, \"dur\": 9, \"args\": "
                   "{\"correlation\": 44}}"));
    assert_exact(flops_of(point_named(profile, "gemm"), ROOF_MATRIX), 536870912.0);
    roof_profile_free(profile);
}

static void ranks_that_share_numbers_are_not_mixed(void **state) {
    (void)state;
    roof_profile *profile =
        good(TRACE(OP_ON("1", "7", "aten::mm", "1000", "20", "[16, 4096], [4096, 4096]", BF "," BF, "")
                       NEXT OP_ON("2", "7", "aten::mm", "1000", "20", "[8, 8], [8, 8]", BF "," BF, "")
                           NEXT KERNEL("7", "90", "gemm", "1030", "30")));
    assert_int_equal(point_named(profile, "gemm")->flop_count, 0);
    roof_profile_free(profile);
}

static void the_window_is_bounded(void **state) {
    (void)state; /* number 7 has left when its kernel comes, 524288 operators later */
    roof_profile *profile = good(TRACE(MM("7", "1000") NEXT MM("524295", "1001") NEXT KERNEL(
        "7", "90", "old", "1030", "30") NEXT KERNEL("524295", "91", "new", "1070", "5")));
    assert_int_equal(point_named(profile, "old")->flop_count, 0);
    assert_exact(flops_of(point_named(profile, "new"), ROOF_MATRIX), 536870912.0);
    assert_true(warns(profile, "1 kernels come more than 524288 operators after theirs"));
    roof_profile_free(profile);
}

static void without_shapes_it_says_record_shapes(void **state) {
    (void)state;
    roof_profile *profile = good(TRACE(
        "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mm\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 2, "
        "\"args\": {\"External id\": 7}}" NEXT KERNEL("7", "90", "gemm", "3", "5")));
    assert_non_null(strstr(point_named(profile, "gemm")->missing, "record_shapes=True"));
    assert_true(warns(profile, "record_shapes=True"));
    roof_profile_free(profile);
}

/* ---- odd texts ---- */

static void odd_words_are_missing(void **state) {
    (void)state;
    static const char *const words[] = {"NaN", "Infinity", "-Infinity", "nan", "-nan", "inf", "-inf"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "{\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"a NaN, inf: k\", \"ts\": 5, "
                 "\"dur\": 7, \"args\": "
                 "{\"est. achieved occupancy %%\": %s, \"list\": [%s,%s], \"External id\": 3}}, {\"ph\": \"X\", "
                 "\"cat\": \"kernel\", "
                 "\"name\": \"b\", \"ts\": 20, \"dur\": 3}, {\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"c\", "
                 "\"ts\": 30, \"dur\": %s}]}",
                 words[i], words[i], words[i], words[i]);
        roof_profile *profile = good(text);
        assert_near(point_named(profile, "a NaN, inf: k")->seconds.value, 7e-6, 1e-15);
        assert_near(point_named(profile, "b")->seconds.value, 3e-6, 1e-15);
        assert_int_equal(point_count(profile), 2);
        assert_exact(roof_profile_about(profile)->dropped, 1.0); /* a time that is no number */
        assert_false(roof_profile_about(profile)->ended_early);
        roof_profile_free(profile);
    }
}

/* The word lies across the ends of what is read at once. */
static void odd_words_anywhere(void **state) {
    (void)state;
    enum { ROOM = 70000 };
    char *text = malloc(ROOM + 400);
    for (size_t shift = 65400; shift < 65560; shift++) {
        int length = snprintf(text, 200, "{\"traceEvents\": [");
        memset(text + length, ' ', shift - (size_t)length);
        snprintf(text + shift, 400,
                 "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"ts\": 5, \"dur\": 7, \"args\": "
                 "{\"x\":-Infinity,\"y\": nan}}]}");
        roof_profile *profile = good(text);
        assert_near(point_named(profile, "k")->seconds.value, 7e-6, 1e-15);
        assert_exact(roof_profile_about(profile)->dropped, 0.0);
        roof_profile_free(profile);
    }
    free(text);
}

static void a_damaged_event_is_dropped(void **state) {
    (void)state;
    roof_profile *profile = good(TRACE(
        KERNEL("1", "90", "a", "10", "5") NEXT
        "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"C:\\Users\\x\", \"ts\": 1, \"dur\": 2}" NEXT KERNEL(
            "2", "91", "b", "20", "6") NEXT
        "{\"ph\": \"X\", \"name\": \"an \"inner\" quote\"}" NEXT KERNEL("3", "92", "c", "30", "7")));
    assert_int_equal(point_count(profile), 3);
    assert_exact(roof_profile_about(profile)->dropped, 2.0);
    assert_false(roof_profile_about(profile)->ended_early);
    roof_profile_free(profile);
}

static void what_is_refused(void **state) {
    (void)state;
    refused(TRACE(MM("7", "1000")), "no kernel in 1 events");
    refused(NO_GPU("{\"ph\": \"X\", \"cat\": \"python_function\", \"name\": \"f\", \"ts\": 1, \"dur\": 2}"),
            "no operator on the CPU");
    refused("{\"traceEvents\": ]", "not valid JSON: a value expected near ']'");
    refused("{\"traceEvents\": [{\"ph\": 1,, \"ts\"", "no kernel");
    roof_error error = {0};
    char deep[400];
    memset(deep, '[', sizeof deep);
    memcpy(deep, "{\"traceEvents\":", 15);
    assert_null(read_bytes(deep, sizeof deep, NULL, &error));
    assert_non_null(strstr(error.what, "nest deeper than 64"));
}

/* ---- costs by shape ---- */

static void cost(const char *name, const char *dims, const char *types, const char *settings, double matrix,
                 double vector, double bytes) {
    char text[4096];
    snprintf(text, sizeof text, TRACE(OP("7", "%s", "1", "%s", "%s", "%s") NEXT KERNEL("7", "90", "k", "30", "9")),
             name, dims, types, settings);
    roof_profile *profile = good(text);
    const roof_measured *k = point_named(profile, "k");
    if (bytes <= 0) {
        if (k->has_operation)
            fail_msg("%s %s should not be known", name, dims);
    } else {
        if (!k->has_operation)
            fail_msg("%s %s is unknown: %s", name, dims, k->missing);
        if (matrix != flops_of(k, ROOF_MATRIX) || vector != flops_of(k, ROOF_VECTOR) ||
            bytes != k->bytes[ROOF_DRAM].value)
            fail_msg("%s %s: %.0f %.0f FLOP, %.0f bytes", name, dims, flops_of(k, ROOF_MATRIX),
                     flops_of(k, ROOF_VECTOR), k->bytes[ROOF_DRAM].value);
    }
    roof_profile_free(profile);
}

#define BF2 BF ", " BF
#define BF3 BF ", " BF ", " BF
#define F "\"float\""

/* FLOPs of matrix work as torch.utils.flop_counter counts them: 2 m n k; 2 batch m n k; 2 batch out_points out
 * in/groups taps; attention 4 b h q k d. Bytes: every tensor once. */
static void costs(void **state) {
    (void)state;
    cost("aten::mm", "[16, 4096], [4096, 4096]", BF2, "", 536870912.0, 0, 33816576.0);
    cost("aten::bmm", "[8, 16, 64], [8, 64, 32]", F ", " F, "", 2.0 * 8 * 16 * 64 * 32, 0,
         4.0 * 8 * (16 * 64 + 64 * 32 + 16 * 32));
    cost("aten::linear", "[2, 10, 64], [32, 64], []", BF2 ", \"\"", "", 2.0 * 20 * 64 * 32, 0,
         2.0 * (20 * 64 + 64 * 32 + 20 * 32));
    cost("aten::matmul", "[3, 1, 4, 8], [8, 5]", BF2, "", 2.0 * 3 * 4 * 8 * 5, 0,
         2.0 * (3 * 4 * 8 + 8 * 5 + 3 * 4 * 5));
    cost("aten::matmul", "[3, 4, 8], [7, 8, 5]", BF2, "", 0, 0, 0); /* do not fit */
    cost("aten::mm", "[16, 40], [41, 8]", BF2, "", 0, 0, 0);
    cost("aten::mm", "[16, 40], [40, 8]", "\"Scalar\", \"Scalar\"", "", 0, 0, 0);
    cost("aten::_scaled_mm", "[16, 64], [64, 32]", "\"c10::Float8_e4m3fn\", \"c10::Float8_e4m3fn\"",
         "\"\",\"\",\"\",\"\",\"\",\"\",\"15\"", 2.0 * 16 * 64 * 32, 0, 16.0 * 64 + 64 * 32 + 2 * 16 * 32);
    cost("aten::convolution", "[1, 3, 8, 8], [16, 3, 3, 3], [], [], [], [], [], [], []", F ", " F ", \"\"",
         "\"\", \"\", \"\", \"[2, 2]\", \"[1, 1]\", \"[1, 1]\", \"False\", \"[0, 0]\", \"1\"", 2.0 * 16 * 4 * 4 * 27, 0,
         4.0 * (3 * 64 + 16 * 27 + 16 * 16));
    cost("aten::cudnn_convolution", "[1, 4, 8, 8], [16, 2, 3, 3]", F ", " F,
         "\"\", \"\", \"[1, 1]\", \"[2, 2]\", \"[1, 1]\", \"2\", \"False\", \"False\", \"True\"", 2.0 * 16 * 16 * 18, 0,
         4.0 * (4 * 64 + 16 * 18 + 16 * 16));
    cost("aten::convolution", "[1, 3, 8, 8], [16, 3, 3, 3]", F ", " F, "", 0, 0,
         0); /* stride and groups are not told */
    cost("aten::_scaled_dot_product_flash_attention", "[1, 8, 141, 64], [1, 8, 141, 64], [1, 8, 141, 64]", BF3,
         "\"\", \"\", \"\", \"0.\", \"False\", \"False\", \"0.125\"", 4.0 * 8 * 141 * 141 * 64, 5.0 * 8 * 141 * 141,
         2.0 * 4 * 8 * 141 * 64);
    cost("aten::_flash_attention_forward", "[1, 141, 8, 64], [1, 141, 2, 64], [1, 141, 2, 64]", BF3,
         "\"\", \"\", \"\", \"\", \"\", \"141\", \"141\", \"0.\", \"True\"", 4.0 * 8 * (141 * 142 / 2) * 64,
         5.0 * 8 * (141 * 142 / 2), 2.0 * 2 * (8 + 2) * 141 * 64);
    cost("aten::scaled_dot_product_attention", "[1, 8, 4, 64], [1, 8, 90, 64], [1, 8, 90, 64]", BF3,
         "\"\",\"\",\"\",\"\",\"0.\",\"True\"", 0, 0, 0);
    cost("aten::_efficient_attention_forward", "[1, 8, 2, 64], [1, 8, 2, 64], [1, 8, 2, 64], [1, 2, 8, 8], [3], [3]",
         BF3 ", " BF ", \"int\", \"int\"", "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"0.\",\"0\"", 0, 0,
         0); /* lengths inside are not told */
    cost("aten::_efficient_attention_forward", "[1, 8, 2, 64], [1, 8, 2, 64], [1, 8, 2, 64], [1, 2, 8, 8], [], []",
         BF3 ", " BF ", \"\", \"\"", "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"0.\",\"0\"", 4.0 * 2 * 64 * 64,
         5.0 * 2 * 64, 2.0 * (4 * 8 * 2 * 64 + 2 * 64));
    cost("vllm::unified_attention", "[32, 4096], [32, 1024], [32, 1024]", BF3, "", 0, 0,
         0); /* the length of the cache is not told */
    cost("aten::native_layer_norm", "[1, 141, 512], [], [512], [512], []", BF ", \"ScalarList\", " BF2, "", 0,
         7.0 * 141 * 512, 2.0 * (2 * 141 * 512 + 2 * 512));
    cost("aten::_softmax", "[4, 10, 100]", F, "\"\", \"-1\", \"False\"", 0, 5.0 * 4000, 4.0 * 8000);
    cost("aten::add_", "[2, 3, 100], [100]", BF2, "", 0, 600, 2.0 * (600 + 100 + 600));
    cost("aten::mul", "[64], []", "\"long int\", \"Scalar\"", "", 0, 0, 2.0 * 64 * 8);
    cost("aten::eq", "[64], []", "\"long int\", \"Scalar\"", "", 0, 0, 64.0 * 8 + 64);
    cost("aten::copy_", "[64], [64]", "\"long int\", \"int\"", "", 0, 0, 64.0 * 12);
    cost("aten::embedding", "[30522, 512], [1, 141]", BF ", \"long int\"", "", 0, 0, 141.0 * 512 * 4 + 141 * 8);
    cost("aten::cat", "[[[2, 3], [4, 3]]], []", "\"TensorList\", \"Scalar\"", "", 0, 0, 0);
}

/* The bias of addmm is one add an element of the result. */
static void bias_and_addends(void **state) {
    (void)state;
    double m = 141, n = 512, k = 2048;
    cost("aten::addmm", "[512], [141, 2048], [2048, 512], [], []", BF3 ", \"Scalar\", \"Scalar\"", "", 2 * m * n * k,
         m * n, 2 * (n + m * k + k * n + m * n));
    cost("aten::addmm", "[141, 512], [141, 2048], [2048, 512]", BF3, "", 2 * m * n * k, m * n,
         2 * (m * n + m * k + k * n + m * n));
}

static void tf32_kernels_run_under_its_roof(void **state) {
    (void)state;
    roof_profile *profile = good(TRACE(OP("7", "aten::mm", "1", "[64, 64], [64, 64]", F ", " F, "")
                                           NEXT KERNEL("7", "90", "sm80_xmma_gemm_f32f32_tf32f32_f32_nn", "30", "9")));
    assert_int_equal(point_named(profile, "sm80_xmma_gemm_f32f32_tf32f32_f32_nn")->flops[0].dtype, ROOF_TF32);
    roof_profile_free(profile);
}

static void causal_that_is_not_told_is_a_lower_bound(void **state) {
    (void)state;
    roof_profile *profile = good(TRACE(OP("7", "aten::_scaled_dot_product_flash_attention", "1",
                                          "[1, 8, 128, 64], [1, 8, 128, 64], [1, 8, 128, 64]", BF3, "")
                                           NEXT KERNEL("7", "90", "flash", "30", "9")));
    assert_exact(flops_of(point_named(profile, "flash"), ROOF_MATRIX), 4.0 * 8 * 64 * (128 * 129 / 2));
    assert_int_equal(point_named(profile, "flash")->flops[0].count.certainty, ROOF_CERTAINTY_AT_LEAST);
    roof_profile_free(profile);
}

/* ---- copies, ranges, CPU ---- */

static void copies(void **state) {
    (void)state;
#define COPY(CAT, NAME)                                                                                                \
    "{\"ph\": \"X\", \"cat\": \"" CAT "\", \"name\": \"" NAME                                                          \
    "\", \"ts\": 5, \"dur\": 7, \"args\": {\"device\": 0, \"bytes\": 1000}}"
    roof_profile *profile = good(TRACE(
        COPY("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)") NEXT COPY("gpu_memcpy", "Memcpy DtoD (Device -> Device)")
            NEXT COPY("gpu_memset", "Memset (Device)") NEXT COPY("gpu_memset", "Memset (Device)")));
    assert_int_equal(point_named(profile, "Memcpy HtoD (Pageable -> Device)")->bytes[ROOF_DRAM].certainty,
                     ROOF_CERTAINTY_MISSING);
    assert_true(warns(profile, "1 copy to or from the host"));
    assert_exact(point_named(profile, "Memcpy DtoD (Device -> Device)")->bytes[ROOF_DRAM].value, 2000.0);
    assert_exact(point_named(profile, "Memset (Device)")->bytes[ROOF_DRAM].value, 2000.0);
    assert_int_equal(point_named(profile, "Memset (Device)")->bytes[ROOF_DRAM].certainty, ROOF_CERTAINTY_COUNTED);
    roof_profile_free(profile);
}

/* Counters as one range of HolisticTraceAnalysis' cupti_profiler trace has them (its convolution kernel). */
static void counters_of_ranges(void **state) {
    (void)state;
    roof_profile *profile = good(TRACE("{\"ph\": \"X\", \"cat\": \"cuda_profiler_range\", \"name\": "
                                       "\"implicit_convolve_sgemm\", \"ts\": 5, \"dur\": 121431, "
                                       "\"args\": {\"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum\": "
                                       "9119334400, \"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum\": 24780800, "
                                       "\"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum\": 0}}"));
    const roof_measured *k = point_named(profile, "implicit_convolve_sgemm");
    assert_exact(flops_of(k, ROOF_VECTOR), 2 * 9119334400.0 + 24780800.0);
    assert_int_equal(k->flops[0].count.certainty, ROOF_CERTAINTY_AT_LEAST); /* tensor cores are not counted there */
    assert_int_equal(k->seconds.certainty, ROOF_CERTAINTY_MISSING);
    assert_non_null(strstr(k->missing, "times"));
    roof_profile_free(profile);
}

/* Any count of counters and of numbers under one name: what has no room is left out, and nothing is written past it. */
static void more_counters_than_there_is_room_for(void **state) {
    (void)state;
    enum { MOST = 40000, ROOM = MOST * 16 };
    char *text = malloc(ROOM);
    assert_non_null(text);
    for (int list = 0; list < 2; list++)
        for (int count = 1; count <= MOST; count = count < 40 ? count + 1 : count * 10) {
            size_t used = (size_t)snprintf(text, ROOM,
                                           "{\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"kernel\", "
                                           "\"name\": \"k\", \"ts\": 1, \"dur\": 5, \"args\": {%s",
                                           list ? "\"a__b\": [0" : "\"a__0\": 0");
            for (int i = 1; i < count && used < ROOM - 64; i++)
                used += (size_t)snprintf(text + used, ROOM - used, list ? ", 1.5" : ", \"a__%d\": 1.5", i);
            snprintf(text + used, ROOM - used, "%s}}]}", list ? "]" : "");
            roof_profile *profile = good(text);
            assert_int_equal(point_count(profile), 1);
            roof_profile_free(profile);
        }
    free(text);
}

static void operators_of_a_cpu(void **state) {
    (void)state;
    roof_profile *profile = good(NO_GPU(
        OP_ON("1", "1", "aten::linear", "100", "60", "[32, 64], [16, 64], []", F ", " F, "")
            NEXT OP_ON("1", "2", "aten::t", "101", "5", "[16, 64]", F, "")
                NEXT OP_ON("1", "3", "aten::mm", "110", "40", "[32, 64], [64, 16]", F ", " F, "")
                    NEXT OP_ON("1", "4", "aten::resolve_conj", "112", "1", "[32, 64]", F, "")
                        NEXT OP_ON("1", "5", "aten::relu", "170", "8", "[32, 16]", F, "")
                            NEXT OP_ON("1", "6", "aten::clamp_min", "171", "6", "[32, 16], []", F ", \"Scalar\"", "")));
    assert_int_equal(point_count(profile), 2);
    assert_near(point_named(profile, "aten::mm")->seconds.value, 40e-6, 1e-15);
    assert_exact(flops_of(point_named(profile, "aten::mm"), ROOF_MATRIX), 2.0 * 32 * 64 * 16);
    assert_near(point_named(profile, "aten::clamp_min")->seconds.value, 6e-6, 1e-15);
    assert_string_equal(point_named(profile, "aten::mm")->where, "CPU");
    assert_true(warns(profile, "no GPU in this trace"));
    roof_profile_free(profile);
}

/* ---- memory, numbers ---- */

static void no_allocation_is_trusted(void **state) {
    (void)state;
    ALLOC_FAIL_EACH(n, {
        roof_error error = {0};
        roof_profile *profile = read_bytes(whole, sizeof whole - 1, NULL, &error);
        if (!profile && error.code != ROOF_ENOMEM)
            fail_msg("allocation %zu: '%s'", n, error.what);
        roof_profile_free(profile);
        assert_int_equal(alloc_live(), 0);
    });
    alloc_start(0);
}

static void figures(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
    } good_ones[] = {{"0", 0},
                     {"1419247332972.313", 1419247332972.313},
                     {"-12.5e-3", -0.0125},
                     {"4.066", 4.066},
                     {"9223372036854775807", 9223372036854775807.0},
                     {"1E6", 1e6},
                     {"0.00044642857142857143", 0.00044642857142857143}};
    double value;
    for (size_t i = 0; i < sizeof good_ones / sizeof good_ones[0]; i++) {
        assert_true(json_figure(good_ones[i].text, strlen(good_ones[i].text), &value));
        assert_near(value, good_ones[i].value, 4e-16);
    }
    static const char *const bad[] = {"", "-", "1,5", "1.2.3", "0x10", "1e", "e5", "nan", "12 ", "1e999"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (json_figure(bad[i], strlen(bad[i]), &value))
            fail_msg("'%s' is not a number", bad[i]);
}

static void name_of_any_length(void **state) {
    (void)state;
    enum { WHOLE = (1 << 15) - 1 };
    static char text[WHOLE + 1000], name[WHOLE + 2];
    for (size_t length = WHOLE; length <= WHOLE + 1; length++) {
        memset(name, 'k', length);
        snprintf(text, sizeof text,
                 "{\"schemaVersion\": 1, \"traceEvents\": [{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"%s\", "
                 "\"pid\": 0, \"tid\": 7, \"ts\": 1, \"dur\": 5, \"args\": {\"device\": 0, \"stream\": 7}}]}\n",
                 name);
        roof_profile *profile = good(text);
        assert_int_equal(strlen(point(profile, 0)->name), WHOLE);
        assert_int_equal(warns(profile, "cut after 32767 bytes"), length > WHOLE);
        roof_profile_free(profile);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(name_of_any_length),
        cmocka_unit_test(keeps_what_was_whole),
        cmocka_unit_test(every_cut),
#ifdef ROOFLINE_HAVE_ZLIB
        cmocka_unit_test(gzip_cut_anywhere),
#endif
        cmocka_unit_test(calls_of_one_shape_are_summed),
        cmocka_unit_test(one_operator_of_three_kernels_counts_once),
        cmocka_unit_test(events_in_any_order),
        cmocka_unit_test(kernels_without_operators_are_said),
        cmocka_unit_test(a_launch_is_no_operator),
        cmocka_unit_test(ranks_that_share_numbers_are_not_mixed),
        cmocka_unit_test(the_window_is_bounded),
        cmocka_unit_test(without_shapes_it_says_record_shapes),
        cmocka_unit_test(odd_words_are_missing),
        cmocka_unit_test(odd_words_anywhere),
        cmocka_unit_test(a_damaged_event_is_dropped),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(costs),
        cmocka_unit_test(bias_and_addends),
        cmocka_unit_test(tf32_kernels_run_under_its_roof),
        cmocka_unit_test(causal_that_is_not_told_is_a_lower_bound),
        cmocka_unit_test(copies),
        cmocka_unit_test(counters_of_ranges),
        cmocka_unit_test(more_counters_than_there_is_room_for),
        cmocka_unit_test(operators_of_a_cpu),
        cmocka_unit_test(no_allocation_is_trusted),
        cmocka_unit_test(figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
