/* Every line of corpus.txt: an operation, its FLOPs and its bytes. */
#include "work/line.h"

static void check_line(char *line, int number) {
    char *flops = strchr(line, '|'), *bytes = flops ? strchr(flops + 1, '|') : NULL;
    roof_operation operation;
    roof_error error = {0};
    if (!bytes)
        fail_msg("line %d: not 'operation | FLOPs | bytes'", number);
    *flops = '\0';
    if (build_line(line, &operation, &error))
        fail_msg("line %d: %s", number, error.what);
    if (roof_operation_flops(&operation) != strtod(flops + 1, NULL))
        fail_msg("line %d: %s has %.17g FLOPs, not%s", number, line, roof_operation_flops(&operation), flops + 1);
    if (dram_bytes(&operation) != strtod(bytes + 1, NULL))
        fail_msg("line %d: %s moves %.17g bytes, not%s", number, line, dram_bytes(&operation), bytes + 1);
}

static void test_corpus(void **state) {
    (void)state;
    char line[512];
    int number = 0, checked = 0;
    FILE *file = fopen(TEST_DATA "/corpus.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        number++;
        if (line[0] == '#' || line[0] == '\n')
            continue;
        check_line(line, number);
        checked++;
    }
    fclose(file);
    assert_true(checked >= 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
