/* The next machine of the catalogue: checked over every row. */
#include "test.h"

static void known_steps(void **state) {
    (void)state;
    const char *const steps[][2] = {{"h100-sxm", "h200-sxm"}, {"a100-sxm-80", "h100-sxm"}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        roof_machine from, to;
        assert_int_equal(roof_machine_find(steps[i][0], &from, NULL, 0, NULL), 0);
        assert_int_equal(roof_machine_step_up(&from, &to), 0);
        assert_string_equal(to.id, steps[i][1]);
    }
}

/* A step keeps vendor and age, gains at least a fifth; and no row in between would have been a smaller one. */
static void every_step_is_the_smallest(void **state) {
    (void)state;
    roof_machine from, to, other;
    size_t found = 0;
    for (size_t i = 0; roof_machine_at(i, &from) == 0; i++) {
        if (roof_machine_step_up(&from, &to))
            continue;
        found++;
        double least = 1.2 * from.bandwidth[ROOF_DRAM].value;
        assert_true(to.bandwidth[ROOF_DRAM].value >= least);
        assert_string_equal(to.vendor, from.vendor);
        assert_true(to.year >= from.year);
        assert_true((strstr(to.memory_kind, "HBM") == NULL) == (strstr(from.memory_kind, "HBM") == NULL));
        assert_true((strstr(to.memory_kind, "GDDR") == NULL) == (strstr(from.memory_kind, "GDDR") == NULL));
        for (size_t j = 0; roof_machine_at(j, &other) == 0; j++)
            if (strcmp(other.vendor, from.vendor) == 0 && other.year >= from.year &&
                strcmp(other.memory_kind, from.memory_kind) == 0 && other.bandwidth[ROOF_DRAM].value >= least)
                assert_true(other.bandwidth[ROOF_DRAM].value >= to.bandwidth[ROOF_DRAM].value);
    }
    assert_true(found > 20);
}

static void none_above_the_top(void **state) {
    (void)state;
    roof_machine machine = {.id = "mine", .vendor = "NVIDIA", .memory_kind = "HBM9", .year = 2020}, to;
    machine.bandwidth[ROOF_DRAM] = (roof_figure){.value = 1e15, .origin = ROOF_ORIGIN_GIVEN};
    assert_int_equal(roof_machine_step_up(&machine, &to), -1);
    machine.bandwidth[ROOF_DRAM].value = 3.35e12;
    assert_int_equal(roof_machine_step_up(&machine, &machine), 0); /* the answer may overwrite the question */
    assert_true(machine.bandwidth[ROOF_DRAM].value >= 1.2 * 3.35e12);
    machine.vendor = NULL;
    assert_int_equal(roof_machine_step_up(&machine, &to), -1);
    machine.vendor = "NVIDIA";
    machine.bandwidth[ROOF_DRAM] = (roof_figure){0};
    assert_int_equal(roof_machine_step_up(&machine, &to), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_steps),
        cmocka_unit_test(every_step_is_the_smallest),
        cmocka_unit_test(none_above_the_top),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
