/* Why a measurement is above its roof: one list, whose words are the same from every door, and whose table the document
 * has.
 */
#include <math.h>
#include <stdbool.h>

#include "advice/fixtures.h"
#include "advice/hypotheses.h"
#include "document.h"

static roof_machine on(const char *id) {
    roof_machine machine;
    assert_int_equal(roof_machine_find(id, &machine, NULL, 0, NULL), 0);
    return machine;
}

static roof_operation product(double m, double n, double k) {
    roof_operation out;
    roof_gemm(&(roof_gemm_shape){.batch = 1, .m = m, .n = n, .k = k, .a = ROOF_BF16, .b = ROOF_BF16, .c = ROOF_BF16},
              &out);
    return out;
}

/* In order, best first, and every one of them in the text. */
static void assert_told(const char *text, const roof_hypothesis *found, size_t count) {
    assert_in_range(count, 1, ROOF_HYPOTHESES);
    for (size_t i = 0; i < count; i++) {
        assert_says(text, found[i].words);
        assert_true(i == 0 || found[i].score <= found[i - 1].score);
    }
}

/* A kernel of a profile and an operation that was timed are told the same. */
static void test_profile_and_operation(void **state) {
    (void)state;
    roof_machine machine = on("h100-sxm");
    roof_operation gemm = product(8192, 8192, 8192);
    roof_measured measured = {
        .name = "gemm", .calls = 1, .matrix_active = -1, .has_operation = true, .operation = gemm};
    measured.seconds = (roof_count){.value = 0.9e-3, .certainty = ROOF_CERTAINTY_COUNTED};
    roof_hypothesis kernel[ROOF_HYPOTHESES], operation[ROOF_HYPOTHESES];
    roof_placement placed;
    assert_int_equal(roof_place(&machine, &measured, 1, &placed, NULL), 0);
    size_t count = roof_hypotheses(&machine, &measured, kernel);
    assert_told(placed.diagnosis, kernel, count);
    assert_int_equal(roof_operations_hypotheses(&machine, &gemm, 1, 0.9e-3, operation), count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(operation[i].words, kernel[i].words);
    assert_int_equal(roof_operations_hypotheses(&machine, &gemm, 1, 2e-3, operation), 0); /* not above */
}

/* 118 MB at 3.35 TB/s are 35.1 us; in 20 us part of it came from the cache. */
static void test_cache(void **state) {
    (void)state;
    roof_machine machine = on("h100-sxm");
    roof_operation gemm = product(8, 14336, 4096);
    roof_hypothesis found[ROOF_HYPOTHESES];
    assert_int_equal(roof_operations_hypotheses(&machine, &gemm, 1, 20e-6, found), 1);
    assert_says(found[0].words, "of a call may stay in the L2");
    assert_exact(found[0].score, hypothesis_rows[PARTLY_CACHED].score);
}

/* A list is one measurement: its work is that of all operations, under the roof that most of its time is. */
static void test_list(void **state) {
    (void)state;
    roof_machine machine = on("h100-sxm");
    roof_operation list[] = {product(8192, 8192, 8192), product(8192, 8192, 8192)};
    roof_hypothesis found[ROOF_HYPOTHESES], one[ROOF_HYPOTHESES];
    size_t count = roof_operations_hypotheses(&machine, list, 2, 1.8e-3, found);
    assert_int_equal(roof_operations_hypotheses(&machine, list, 1, 0.9e-3, one), count);
    assert_in_range(count, 1, ROOF_HYPOTHESES);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(found[i].words, one[i].words);
    assert_int_equal(roof_operations_hypotheses(&machine, list, 2, 1, found), 0);
    assert_int_equal(roof_operations_hypotheses(&machine, list, 2, 0, found), 0);
}

/* A run that a file states, and a rate that somebody types: the words of what both may be are the same. */
static void test_run_and_phase(void **state) {
    (void)state;
    roof_machine machine = on("h100-sxm");
    example e;
    example_llama(&e);
    roof_model_run run = {.prompt = 128, .generate = 128, .concurrency = 1, .tensor = 1, .decode_rate = 700};
    roof_run_verdict placed;
    roof_plan plan = {.batch = 1, .prompt = 128, .generate = 128, .context = 192, .tensor = 1};
    roof_plan_complete(&e.model, &plan);
    roof_point point;
    roof_hypothesis found[ROOF_HYPOTHESES];
    assert_int_equal(roof_judge_run(&machine, &e.model, &run, &placed, NULL), 0);
    assert_int_equal(roof_model_point(&machine, &e.model, &plan, ROOF_PHASE_DECODE, &point, NULL), 0);
    size_t count = roof_phase_hypotheses(&machine, &e.model, &plan, &point, 1.0 / 700, found), shared = 0;
    assert_says(found[0].words, "weights of "); /* nobody said how they were stored */
    for (size_t i = 0; i < count; i++)
        shared += strstr(placed.diagnosis, found[i].words) != NULL;
    assert_int_equal(shared, count - 1); /* all but the larger batch, which the file states */
    assert_int_equal(roof_phase_hypotheses(&machine, &e.model, &plan, &point, 2 * point.seconds, found), 0);
}

static void print_range(const hypothesis_row *row, FILE *out) {
    if (row->low > 0 && isfinite(row->high))
        fprintf(out, "%.4g to %.4g", row->low, row->high);
    else if (row->low > 0)
        fprintf(out, "%.4g or more", row->low);
    else if (isfinite(row->high))
        fprintf(out, "up to %.4g", row->high);
}

static void print_hypotheses(FILE *out) {
    fputs("| hypothesis | score | r | fits when | source |\n|-|-|-|-|-|\n", out);
    for (int i = 0; i < HYPOTHESES; i++) {
        const hypothesis_row *row = &hypothesis_rows[i];
        fprintf(out, "| %s | %.4g | ", row->name, row->score);
        print_range(row, out);
        fprintf(out, " | %s | %s |\n", row->fits, row->source);
    }
}

static const document_table tables[] = {{"hypotheses", print_hypotheses}};

static void test_table(void **state) {
    (void)state;
    for (int i = 0; i < HYPOTHESES; i++) {
        assert_non_null(hypothesis_rows[i].name);
        assert_non_null(hypothesis_rows[i].source);
        assert_true(hypothesis_rows[i].score > 0 && hypothesis_rows[i].score < 1);
        assert_true(hypothesis_rows[i].low < hypothesis_rows[i].high);
    }
    assert_int_equal(document_check(DOCUMENT, tables, 1, false), 0);
}

int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_profile_and_operation), cmocka_unit_test(test_cache), cmocka_unit_test(test_list),
        cmocka_unit_test(test_run_and_phase),         cmocka_unit_test(test_table),
    };
    if (count > 1 && strcmp(arguments[1], "--update") == 0)
        return document_check(DOCUMENT, tables, 1, true);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
