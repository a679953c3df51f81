/* What printing a profile costs: the comparisons of strings grow with the kernels, not with their square. Counted in
 * the whole program (the linker puts our strcmp() before the library's), so reading and judging are in it. */
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli.h"
#include "test.h"

static size_t comparisons;

int __real_strcmp(const char *a, const char *b);
int __wrap_strcmp(const char *a, const char *b);
int __wrap_strcmp(const char *a, const char *b) {
    comparisons++;
    return __real_strcmp(a, b);
}

/* Kernels that each have a place of their own, and something missing from the second half on. */
static void write_profile(const char *path, int kernels) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "name,where,seconds,flops,dtype,bytes_dram,missing\n");
    for (int i = 0; i < kernels; i++)
        fprintf(file, "kernel_%d,layer_%d.py,%d.5e-6,1e9,f32,1e8,%s\n", i, i, 500 + i,
                i < kernels / 2 ? "" : "counters of the L2 cache");
    assert_int_equal(fclose(file), 0);
}

static size_t work_of(int kernels) {
    char in[] = "/tmp/roofline-test-XXXXXX", csv[64], text[64];
    assert_non_null(mkdtemp(in));
    snprintf(csv, sizeof csv, "%s/kernels.csv", in);
    snprintf(text, sizeof text, "%s/answer.txt", in);
    write_profile(csv, kernels);
    char words[][64] = {"roofline", "profile", "", "--on", "a100-sxm-80", "--top", "", "-o", ""};
    char *line[sizeof words / sizeof *words];
    snprintf(words[2], sizeof words[2], "%s", csv);
    snprintf(words[6], sizeof words[6], "%d", kernels);
    snprintf(words[8], sizeof words[8], "%s", text);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        line[i] = words[i];
    comparisons = 0;
    assert_int_equal(cli_main(sizeof words / sizeof *words, line), 0);
    size_t work = comparisons;
    assert_int_equal(access(text, R_OK), 0);
    remove(csv);
    remove(text);
    rmdir(in);
    return work;
}

static void test_linear(void **state) {
    (void)state;
    size_t once = work_of(1000), twice = work_of(2000);
    assert_true(once > 1000); /* the wrapper counts */
    if (twice > 2.2 * once)
        fail_msg("1,000 kernels cost %zu comparisons, 2,000 cost %zu", once, twice);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_linear)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
