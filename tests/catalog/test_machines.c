/* The catalogue of machines: every row obeys the lint, known figures have their published values, names are found. */
#include <ctype.h>
#include <stdlib.h>

#include "lint.h"
#include "test.h"

#include "core/names.h"

static roof_machine get(const char *id) {
    roof_machine machine;
    roof_error error;
    if (roof_machine_find(id, &machine, NULL, 0, &error))
        fail_msg("%s: %s", id, error.what);
    return machine;
}

static double matrix(const char *id, roof_dtype dtype) {
    roof_machine machine = get(id);
    return machine.peak[ROOF_MATRIX][dtype].value;
}

static void every_row_passes_the_lint(void **state) {
    (void)state;
    char why[LINT_SIZE];
    roof_machine machine;
    size_t compared = 0;
    assert_true(roof_machine_count() >= 105);
    for (size_t i = 0; i < roof_machine_count(); i++) {
        assert_int_equal(roof_machine_at(i, &machine), 0);
        if (lint_machine(&machine, why) || lint_rates(&machine, &compared, why))
            fail_msg("%s", why);
    }
    assert_true(compared >= 480); /* the rate check must not go quiet */
    assert_int_equal(roof_machine_at(roof_machine_count(), &machine), -1);
    assert_string_equal(roof_machine_aliases(roof_machine_count()), "");
}

/* Errors that public tables have made, put into our rows: each must be caught. */
static void the_lint_catches_broken_rows(void **state) {
    (void)state;
    char why[LINT_SIZE];
    size_t compared = 0;
    roof_machine a40 = get("a40"), a100 = get("a100-sxm-80"), h100 = get("h100-sxm"), broken;

    broken = a40; /* the TF32 figure taken for BF16 */
    broken.peak[ROOF_MATRIX][ROOF_BF16].value = 74.8e12;
    assert_non_null(lint_machine(&broken, why));
    broken.peak[ROOF_MATRIX][ROOF_F16].value = 74.8e12;
    assert_non_null(lint_machine(&broken, why));
    broken = a100;
    broken.peak[ROOF_MATRIX][ROOF_BF16].value = broken.peak[ROOF_MATRIX][ROOF_F16].value = 156e12;
    assert_non_null(lint_machine(&broken, why));
    broken = h100; /* every figure with sparsity: the ladder holds, the rates do not */
    for (int i = 0; i < ROOF_DTYPE_COUNT; i++)
        broken.peak[ROOF_MATRIX][i].value *= 2;
    assert_non_null(lint_rates(&broken, &compared, why));
    assert_non_null(lint_machine(&broken, why)); /* f16 accumulate below f32 accumulate */
    broken = h100;
    broken.sparse[ROOF_FP8].value = 1e15;
    assert_non_null(lint_machine(&broken, why));
    broken = h100; /* GB/s for TB/s */
    broken.bandwidth[ROOF_DRAM].value = 3.35e9;
    assert_non_null(lint_machine(&broken, why));
    broken = h100;
    broken.bandwidth[ROOF_DRAM].source = "hearsay";
    assert_non_null(lint_machine(&broken, why));
    broken.bandwidth[ROOF_DRAM].source = NULL;
    assert_non_null(lint_machine(&broken, why));
    broken = h100;
    broken.usable.value = 90e9;
    assert_non_null(lint_machine(&broken, why));
    broken = h100;
    broken.units.value = 114; /* the SMs of the PCIe card */
    assert_non_null(lint_rates(&broken, &compared, why));
    assert_null(lint_machine(&h100, why));
}

/* Next name of a comma-separated list; NULL at its end. */
static const char *next_name(const char **list, char out[128]) {
    while (**list == ',' || **list == ' ')
        ++*list;
    size_t length = strcspn(*list, ",");
    if (length == 0)
        return NULL;
    assert_true(length < 128);
    memcpy(out, *list, length);
    out[length] = '\0';
    *list += length;
    return out;
}

/* Every name leads to its own row, so no two rows share one. */
static void every_name_finds_its_own_row(void **state) {
    (void)state;
    for (size_t i = 0; i < roof_machine_count(); i++) {
        roof_machine machine, found;
        char alias[128], prefixed[160];
        roof_machine_at(i, &machine);
        found = get(machine.id);
        assert_string_equal(found.id, machine.id);
        found = get(machine.name);
        assert_string_equal(found.id, machine.id);
        snprintf(prefixed, sizeof prefixed, "%s-%s", machine.vendor, machine.id);
        found = get(prefixed);
        assert_string_equal(found.id, machine.id);
        for (const char *list = roof_machine_aliases(i); next_name(&list, alias);) {
            found = get(alias);
            assert_string_equal(found.id, machine.id);
        }
    }
}

static void short_names_say_what_else_they_could_mean(void **state) {
    (void)state;
    static const struct {
        const char *name, *taken, *others;
    } cases[] = {
        {"H100", "h100-sxm", "h100-pcie, h100-nvl"},
        {"A100", "a100-sxm-80", "a100-sxm-40, a100-pcie-40, a100-pcie-80"},
        {"v100", "v100-sxm2-16", "v100-sxm2-32, v100-pcie"},
        {"h200", "h200-sxm", "h200-nvl"},
        {"b200", "b200-sxm", "gb200"},
        {"mi250x", "mi250x", "mi250x-gcd"},
        {"h100-sxm", "h100-sxm", ""},
        {"NVIDIA H100 80GB HBM3", "h100-sxm", ""},
        {"NVIDIA A100-SXM4-80GB", "a100-sxm-80", ""},
        {"l40", "l40", ""},
        {"geforce rtx 4090", "rtx-4090", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        roof_machine machine;
        roof_error error;
        char others[96];
        assert_int_equal(roof_machine_find(cases[i].name, &machine, others, sizeof others, &error), 0);
        assert_string_equal(machine.id, cases[i].taken);
        assert_string_equal(others, cases[i].others);
    }
    char small[16]; /* whole names only */
    roof_machine machine;
    assert_int_equal(roof_machine_find("h100", &machine, small, sizeof small, NULL), 0);
    assert_string_equal(small, "h100-pcie");
}

static void unknown_names_offer_the_nearest(void **state) {
    (void)state;
    roof_machine machine;
    roof_error error;
    char others[8] = "x";
    assert_int_equal(roof_machine_find("h1000", &machine, others, sizeof others, &error), -1);
    assert_int_equal(error.code, ROOF_ENOTFOUND);
    assert_string_equal(error.what, "unknown machine 'h1000'");
    assert_string_equal(error.hint, "did you mean 'h100-sxm' or 'h100-pcie'?");
    assert_int_equal(error.remedy, ROOF_REMEDY_LIST_MACHINES);
    assert_string_equal(others, "");
    assert_int_equal(roof_machine_find("", &machine, NULL, 0, NULL), -1);
}

/* Dense and sparse BF16 and the bandwidth, as the vendors' datasheets print them; each was got wrong in a public tool
 * (Megatron-LM issue 1565, pytorch-lightning pull 21743, ao pull 4002, LLM-Viewer issue 7). */
static void datasheet_values(void **state) {
    (void)state;
    static const struct {
        const char *id;
        double dense, sparse, bandwidth; /* 0: not checked here */
    } cases[] = {
        {"h100-sxm", 989.5e12, 1979e12, 3350e9}, {"h100-pcie", 756.5e12, 1513e12, 0},
        {"h100-nvl", 835.5e12, 1671e12, 0},      {"h200-sxm", 989.5e12, 1979e12, 4800e9},
        {"a100-sxm-80", 312e12, 624e12, 2039e9}, {"a100-pcie-80", 312e12, 624e12, 1935e9},
        {"a100-sxm-40", 312e12, 624e12, 1555e9}, {"a40", 149.7e12, 0, 0},
        {"mi300x", 1307.4e12, 0, 5300e9},        {"l4", 121e12, 242e12, 300e9},
        {"b200-sxm", 2250e12, 4500e12, 7700e9},  {"tpu-v5e", 197e12, 0, 819e9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        roof_machine machine = get(cases[i].id);
        assert_near(machine.peak[ROOF_MATRIX][ROOF_BF16].value, cases[i].dense, 0.005);
        if (cases[i].sparse > 0)
            assert_near(machine.sparse[ROOF_BF16].value, cases[i].sparse, 0.005);
        if (cases[i].bandwidth > 0)
            assert_near(machine.bandwidth[ROOF_DRAM].value, cases[i].bandwidth, 0.001);
    }
    assert_near(420e12 / matrix("h200-sxm", ROOF_BF16), 0.42446,
                0.001); /* not the 21.2 % that the sparse figure gives */
    assert_near(roof_bus_bandwidth(7680, 3996e6, 2), 7.67232e12, 1e-12); /* B200 as its driver reports it */
}

/* Sparse is not always twice dense, and F32 accumulate is the default. */
static void separate_roofs(void **state) {
    (void)state;
    roof_machine b300 = get("b300-sxm"), gb300 = get("gb300"), rtx4090 = get("rtx-4090"), trainium2 = get("trainium2");
    assert_near(b300.sparse[ROOF_FP4].value / b300.peak[ROOF_MATRIX][ROOF_FP4].value, 1.29, 0.01);
    assert_near(gb300.sparse[ROOF_FP4].value / gb300.peak[ROOF_MATRIX][ROOF_FP4].value, 1.33, 0.01);
    assert_near(rtx4090.peak[ROOF_MATRIX][ROOF_F16].value, 165.2e12, 0.001);
    assert_near(rtx4090.narrow[ROOF_F16].value, 330.3e12, 0.001);
    assert_int_equal(trainium2.sparse[ROOF_FP8].origin, ROOF_ORIGIN_UNKNOWN); /* 4:1, another thing */
    assert_near(get("l40").peak[ROOF_MATRIX][ROOF_BF16].value, 181e12, 0.001);
}

static void marks_travel(void **state) {
    (void)state;
    roof_machine a10g = get("a10g"), epyc = get("epyc-9654"), h100 = get("h100-sxm");
    assert_true(a10g.peak[ROOF_MATRIX][ROOF_BF16].unchecked);
    assert_false(a10g.bandwidth[ROOF_DRAM].unchecked);
    assert_int_equal(epyc.peak[ROOF_VECTOR][ROOF_F64].origin, ROOF_ORIGIN_DERIVED);
    assert_near(epyc.peak[ROOF_VECTOR][ROOF_F64].value, epyc.units.value * 16 * epyc.clock.value,
                0.001);                                                 /* two passes of 512 bits */
    assert_int_equal(epyc.size[ROOF_DRAM].origin, ROOF_ORIGIN_UNKNOWN); /* a socket has no capacity of its own */
    assert_int_equal(h100.peak[ROOF_MATRIX][ROOF_BF16].origin, ROOF_ORIGIN_DATASHEET);
    assert_int_equal(h100.sparse[ROOF_BF16].origin, ROOF_ORIGIN_DERIVED);
    assert_int_equal(h100.usable.origin, ROOF_ORIGIN_MEASURED);
}

/* FP64 FLOP a cycle and core: vendors' optimisation guides; Zen 4 and 5 numberworld.org; AMX 16x16x32 multiply-adds in
 * 16 cycles. */
static void socket_peaks_are_cores_times_cycles(void **state) {
    (void)state;
    static const struct {
        const char *id;
        double f64, amx;
    } sockets[] = {
        {"xeon-8380", 32, 0},
        {"xeon-8480plus", 32, 1024},
        {"xeon-8592plus", 32, 1024},
        {"xeon-6980p", 32, 1024},
        {"epyc-7763", 16, 0},
        {"epyc-9654", 16, 0},
        {"epyc-9755", 32, 0},
        {"epyc-9965", 32, 0},
        {"graviton3", 16, 0},
        {"graviton4", 16, 0},
        {"grace", 16, 0},
        {"a64fx", 32, 0},
        {"ryzen-7950x", 16, 0},
        {"ryzen-9950x", 32, 0},
    };
    for (size_t i = 0; i < sizeof sockets / sizeof sockets[0]; i++) {
        roof_machine machine = get(sockets[i].id);
        double cycles = machine.units.value * machine.clock.value;
        assert_near(machine.peak[ROOF_VECTOR][ROOF_F64].value, sockets[i].f64 * cycles, 0.001);
        assert_near(machine.peak[ROOF_VECTOR][ROOF_F32].value, 2 * sockets[i].f64 * cycles, 0.001);
        assert_int_equal(machine.peak[ROOF_VECTOR][ROOF_F64].origin, ROOF_ORIGIN_DERIVED);
        if (sockets[i].amx > 0) {
            assert_near(machine.peak[ROOF_MATRIX][ROOF_BF16].value, sockets[i].amx * cycles, 0.001);
            assert_near(machine.peak[ROOF_MATRIX][ROOF_INT8].value, 2 * sockets[i].amx * cycles, 0.001);
        } else {
            assert_int_equal(machine.peak[ROOF_MATRIX][ROOF_BF16].origin, ROOF_ORIGIN_UNKNOWN);
        }
    }
}

typedef struct ridge_row {
    const char *id;
    double f32, half, fp8, fp4, int8; /* 0: no such roof */
} ridge_row;

/* FLOP per byte, worked out by hand from the figures. Published and agreeing: H100 295, A100 80 GB 153, TPU v5e 240 and
 * v5p 166 (How to Scale Your Model, TPU chapter). */
static const ridge_row ridges[] = {
    {"v100-sxm2-32", 17.44, 138.9, 0, 0, 0},
    {"t4", 25.31, 203.1, 0, 0, 406.2},
    {"a10", 52, 208.3, 0, 0, 416.7},
    {"l4", 101, 403.3, 808.3, 0, 808.3},
    {"l40s", 106, 419, 848.4, 0, 848.4},
    {"a100-sxm-40", 12.54, 200.6, 0, 0, 401.3},
    {"a100-sxm-80", 9.564, 153, 0, 0, 306},
    {"h100-sxm", 19.97, 295.3, 590.7, 0, 590.7},
    {"h100-pcie", 25.6, 378, 756.5, 0, 756.5},
    {"h20", 11, 37, 74, 0, 74},
    {"h200-sxm", 13.94, 206.1, 412.3, 0, 412.3},
    {"b200-sxm", 9.74, 292.2, 584.4, 1169, 584.4},
    {"gb200", 10, 312.5, 625, 1250, 625},
    {"b300-sxm", 9.677, 290.3, 580.6, 1806, 19.81},
    {"gb300", 10, 312.5, 625, 1875, 20.62},
    {"rtx-3090", 38.03, 75.85, 0, 0, 303.4},
    {"rtx-4090", 81.94, 163.8, 327.7, 0, 655.4},
    {"rtx-5090", 58.48, 116.9, 233.8, 935.3, 467.6},
    {"rtx-pro-6000", 70.31, 281.1, 562.3, 1124, 562.3},
    {"dgx-spark", 113.6, 228.9, 457.9, 1832, 915.8},
    {"mi250x-gcd", 14.62, 116.9, 0, 0, 116.9},
    {"mi300x", 30.83, 246.7, 493.4, 0, 493.4},
    {"mi325x", 27.23, 217.9, 435.8, 0, 435.8},
    {"mi355x", 19.66, 314.6, 629.1, 1258, 629.1},
    {"rx-7900-xtx", 63.96, 128, 0, 0, 128},
    {"ryzen-ai-max-395", 116, 232, 0, 0, 232},
    {"gaudi2", 0, 175.6, 351.6, 0, 0},
    {"gaudi3", 3.896, 457.2, 457.2, 0, 0},
    {"max-1550", 15.99, 256, 0, 0, 512.1},
    {"tpu-v5e", 0, 240.5, 0, 0, 481.1},
    {"tpu-v5p", 0, 166, 166, 0, 332},
    {"tpu-v6e", 0, 560.4, 560.4, 0, 1121},
    {"tpu7x", 0, 313, 626.1, 0, 0},
    {"trainium2", 0, 230, 447.9, 0, 0},
    {"m2-ultra", 34, 34, 0, 0, 0},
    {"m4-max-40", 31.47, 31.47, 0, 0, 0},
    {"xeon-8480plus", 23.33, 373.3, 0, 0, 746.7},
    {"xeon-6980p", 19.39, 310.3, 0, 0, 620.6},
    {"epyc-9654", 16, 32, 0, 0, 64},
    {"epyc-9755", 36, 72, 0, 0, 144},
    {"grace", 14.28, 0, 0, 0, 0},
    {"a64fx", 6.6, 0, 0, 0, 0},
};

static void assert_ridge(const roof_machine *machine, roof_unit unit, roof_dtype dtype, double want) {
    if (want > 0)
        assert_near(roof_machine_ridge(machine, unit, dtype), want, 0.01);
}

static void ridge_points(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof ridges / sizeof ridges[0]; i++) {
        const ridge_row *row = &ridges[i];
        roof_machine machine = get(row->id);
        bool bf16 = roof_machine_peak(&machine, ROOF_MATRIX, ROOF_BF16) != NULL;
        assert_ridge(&machine, ROOF_VECTOR, ROOF_F32, row->f32);
        assert_ridge(&machine, ROOF_MATRIX, bf16 ? ROOF_BF16 : ROOF_F16, row->half);
        assert_ridge(&machine, ROOF_MATRIX, ROOF_FP8, row->fp8);
        assert_ridge(&machine, ROOF_MATRIX, ROOF_FP4, row->fp4);
        assert_ridge(&machine, ROOF_MATRIX, ROOF_INT8, row->int8);
    }
}

static roof_dtype widest_common(const roof_machine *machine) {
    static const roof_dtype order[] = {ROOF_BF16, ROOF_F16, ROOF_F32};
    for (int i = 0; i < 3; i++)
        if (roof_machine_peak(machine, ROOF_MATRIX, order[i]))
            return order[i];
    fail_msg("%s has no 16- or 32-bit roof", machine->id);
    return ROOF_DTYPE_NONE;
}

static void every_machine_judges_a_gemm(void **state) {
    (void)state;
    roof_machine machine;
    for (size_t i = 0; roof_machine_at(i, &machine) == 0; i++) {
        for (double m = 1; m <= 65536; m *= 256) {
            roof_operation gemm;
            roof_verdict verdict;
            roof_error error;
            roof_dtype dtype = widest_common(&machine);
            roof_gemm(&(roof_gemm_shape){.batch = 1, .m = m, .n = 8192, .k = 8192, .a = dtype, .b = dtype, .c = dtype},
                      &gemm);
            if (roof_judge(&machine, &gemm, &verdict, &error))
                fail_msg("%s: %s", machine.id, error.what);
            assert_true(verdict.seconds > 0 && isfinite(verdict.seconds));
            assert_true(verdict.margin >= 1);
            if (m == 1) /* one row is limited by memory everywhere: 1 FLOP per byte or less */
                assert_int_equal(verdict.bound, ROOF_BOUND_MEMORY);
            if (m == 65536) /* 3900 FLOP per byte or more */
                assert_int_equal(verdict.bound, ROOF_BOUND_COMPUTE);
        }
    }
}

/* The table of sources in the manual says what the library says, no more and no less. */
static void the_manual_lists_the_sources(void **state) {
    (void)state;
    FILE *file = fopen(TEST_DATA "/../../docs/catalog.md", "r");
    char line[1024], cited[4096] = " ";
    assert_non_null(file);
    size_t listed = 0;
    while (fgets(line, sizeof line, file)) {
        char key[64], text[512];
        if (sscanf(line, "| `%63[^`]` | %511[^|\n]", key, text) != 2)
            continue;
        text[strlen(text) - 1] = '\0'; /* the blank before the bar */
        if (!roof_source_text(key))
            fail_msg("the manual lists '%s', the library does not know it", key);
        assert_string_equal(text, roof_source_text(key));
        listed++;
        assert_true(strlen(cited) + strlen(key) + 2 < sizeof cited);
        strcat(strcat(cited, key), " ");
    }
    fclose(file);
    assert_true(listed > 60);
    roof_machine machine;
    for (size_t i = 0; roof_machine_at(i, &machine) == 0; i++)
        for (size_t j = 0; j < FIGURES_COUNT; j++) {
            char sources[256], padded[96];
            snprintf(sources, sizeof sources, "%s",
                     figure_number(&machine, j)->source ? figure_number(&machine, j)->source : "");
            for (char *key = strtok(sources, " "); key; key = strtok(NULL, " ")) {
                snprintf(padded, sizeof padded, " %s ", key);
                if (!strstr(cited, padded))
                    fail_msg("%s cites '%s', which the manual does not list", machine.id, key);
            }
        }
    assert_null(roof_source_text("hearsay"));
    assert_null(roof_source_text(NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_passes_the_lint),
        cmocka_unit_test(the_lint_catches_broken_rows),
        cmocka_unit_test(every_name_finds_its_own_row),
        cmocka_unit_test(short_names_say_what_else_they_could_mean),
        cmocka_unit_test(unknown_names_offer_the_nearest),
        cmocka_unit_test(datasheet_values),
        cmocka_unit_test(separate_roofs),
        cmocka_unit_test(marks_travel),
        cmocka_unit_test(socket_peaks_are_cores_times_cycles),
        cmocka_unit_test(ridge_points),
        cmocka_unit_test(every_machine_judges_a_gemm),
        cmocka_unit_test(the_manual_lists_the_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
