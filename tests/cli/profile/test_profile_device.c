/* Which machine a device's own name means. The names are those that drivers and profilers report. */
#include "cli/profile/profile.h"
#include "test.h"

static void expect(const char *device, const char *id) {
    roof_machine machine = {0};
    bool found = profile_device_machine(device, &machine);
    if (found != (id != NULL) || (id && strcmp(machine.id, id) != 0))
        fail_msg("'%s' is %s, not %s", device, found ? machine.id : "nothing", id ? id : "nothing");
}

static void test_names(void **state) {
    (void)state;
    expect("NVIDIA H100 80GB HBM3", "h100-sxm");
    expect("NVIDIA H100 PCIe", "h100-pcie");
    expect("NVIDIA A100-SXM4-40GB", "a100-sxm-40");
    expect("NVIDIA A100-SXM4-80GB", "a100-sxm-80");
    expect("NVIDIA GeForce RTX 4090", "rtx-4090");
    expect("AMD Instinct MI300X", "mi300x");
    expect("AMD EPYC 7763 64-Core Processor", "epyc-7763");
    expect("NVIDIA GeForce RTX 4090 Laptop GPU", NULL);
    expect("Some GPU 1234", NULL);
    expect("", NULL);
}

static void test_differs(void **state) {
    (void)state;
    roof_machine h100, like, own = {.id = "mine", .name = "NVIDIA H100 at home"};
    assert_int_equal(roof_machine_find("h100-sxm", &h100, NULL, 0, NULL), 0);
    assert_false(profile_device_differs("NVIDIA H100 PCIe", &h100, &like)); /* another variant is no other machine */
    assert_true(profile_device_differs("NVIDIA A100-SXM4-80GB", &h100, &like));
    assert_string_equal(like.id, "a100-sxm-80");
    assert_false(profile_device_differs("NVIDIA H100 80GB HBM3", &own, &like));
    assert_false(profile_device_differs("cuda:0", &h100, &like));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_differs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
