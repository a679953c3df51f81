/* The weights of raw events: the table is whole and sorted, and weights that vendors print hold. */
#include <ctype.h>
#include <stdlib.h>

#include "roofline_profile.h"
#include "test.h"

static void test_every_name_is_found(void **state) {
    (void)state;
    char upper[128];
    for (size_t i = 0; roof_event_at(i); i++) {
        const roof_event *event = roof_event_at(i);
        size_t length = strlen(event->name);
        assert_true(length < sizeof upper);
        for (size_t k = 0; k <= length; k++)
            upper[k] = (char)toupper((unsigned char)event->name[k]);
        assert_ptr_equal(roof_event_find(event->name), event);
        assert_ptr_equal(roof_event_find(upper), event);
    }
    assert_true(roof_event_at(100) != NULL);
    assert_null(roof_event_at(100000));
}

static void test_rows_are_whole(void **state) {
    (void)state;
    for (size_t i = 0; roof_event_at(i); i++) {
        const roof_event *event = roof_event_at(i);
        bool family = event->name[strlen(event->name) - 1] == '*';
        assert_true(event->source && event->source[0]);
        assert_true(event->vendor && event->vendor[0]);
        assert_true(family ? event->unit == ROOF_MATRIX : (event->flops != 0) != (event->bytes != 0));
    }
}

static void test_unknown_names(void **state) {
    (void)state;
    static const char *const names[] = {"",   "*", "dram__bytes", "dram__bytes.sum.per_second", "SQ_INSTS_VALU_FMA_F",
                                        "zzz"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_null(roof_event_find(names[i]));
    assert_null(roof_event_find(NULL));
}

/* Intel SDM volume 3, table of events: "software may treat each count as N FLOPs"; FMA counts twice already.
 * NVIDIA's section files: ffma x2, hfma x4. ROCm Compute Profiler: 64 lanes, 512 FLOPs an MFMA MOP. */
static void test_weights(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double flops;
        roof_dtype dtype;
        roof_unit unit;
    } known[] = {
        {"FP_ARITH_INST_RETIRED.SCALAR_DOUBLE", 1, ROOF_F64, ROOF_VECTOR},
        {"fp_arith_inst_retired.256b_packed_double", 4, ROOF_F64, ROOF_VECTOR},
        {"fp_arith_inst_retired.512b_packed_single", 16, ROOF_F32, ROOF_VECTOR},
        {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 2, ROOF_F32, ROOF_VECTOR},
        {"sm__sass_thread_inst_executed_op_hfma_pred_on.sum", 4, ROOF_F16, ROOF_VECTOR},
        {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", 1, ROOF_F64, ROOF_VECTOR},
        {"sm__ops_path_tensor_src_bf16_dst_fp32.sum", 1, ROOF_BF16, ROOF_MATRIX},
        {"SQ_INSTS_VALU_FMA_F64", 128, ROOF_F64, ROOF_VECTOR},
        {"SQ_INSTS_VALU_MFMA_MOPS_BF16", 512, ROOF_BF16, ROOF_MATRIX},
        {"fp_ret_sse_avx_ops.all", 1, ROOF_DTYPE_NONE, ROOF_VECTOR},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const roof_event *event = roof_event_find(known[i].name);
        assert_non_null(event);
        assert_exact(event->flops, known[i].flops);
        assert_int_equal(event->dtype, known[i].dtype);
        assert_int_equal(event->unit, known[i].unit);
    }
}

/* gfx942: 128 x BUBBLE + 64 x (RDREQ - BUBBLE - RDREQ_32B) + 32 x RDREQ_32B, and writes of 32 or 64 bytes. */
static void test_bytes_of_requests_add_up(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double count;
    } counts[] = {{"TCC_EA0_RDREQ_sum", 100},
                  {"TCC_EA0_RDREQ_32B_sum", 10},
                  {"TCC_BUBBLE_sum", 30},
                  {"TCC_EA0_WRREQ_sum", 50},
                  {"TCC_EA0_WRREQ_64B_sum", 20}};
    double bytes = 0;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        bytes += counts[i].count * roof_event_find(counts[i].name)->bytes;
    assert_exact(bytes, 128 * 30 + 64 * (100 - 30 - 10) + 32 * 10 + 64 * 20 + 32 * 30);
}

/* docs/profiles/events.md explains every source key. */
static void test_sources_are_explained(void **state) {
    (void)state;
    static char page[1 << 16];
    FILE *file = fopen(TEST_DATA "/../../docs/profiles/events.md", "rb");
    assert_non_null(file);
    page[fread(page, 1, sizeof page - 1, file)] = '\0';
    fclose(file);
    for (size_t i = 0; roof_event_at(i); i++) {
        char row[64];
        snprintf(row, sizeof row, "\n| `%s` |", roof_event_at(i)->source);
        if (!strstr(page, row))
            fail_msg("the source '%s' of %s is not explained", roof_event_at(i)->source, roof_event_at(i)->name);
    }
}

static void test_families(void **state) {
    (void)state;
    const roof_event *event = roof_event_find("sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_active");
    assert_non_null(event);
    assert_int_equal(event->unit, ROOF_MATRIX);
    assert_exact(event->flops, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_name_is_found),
        cmocka_unit_test(test_rows_are_whole),
        cmocka_unit_test(test_unknown_names),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_bytes_of_requests_add_up),
        cmocka_unit_test(test_families),
        cmocka_unit_test(test_sources_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
