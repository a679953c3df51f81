/* Seconds of collectives: by hand over links, a bus and several domains; the engine decides whose kernels they are. */
#include "test.h"

#include "roofline_expected.h"

#define LINK 100e9
#define HOST 10e9

static roof_figure figure(double value) {
    return (roof_figure){.value = value, .origin = ROOF_ORIGIN_MEASURED};
}

static roof_machine eight_with_a_switch(void) {
    return (roof_machine){
        .link_kind = "NVLink", .link = figure(LINK), .link_devices = figure(8), .host_link = figure(HOST)};
}

static roof_constants constants_by_hand(void) {
    roof_constants out = {.engine = ROOF_ENGINE_SERVING};
    out.value[ROOF_CONSTANT_LINK] = figure(0.5);
    out.value[ROOF_CONSTANT_LINK_LATENCY] = figure(4e-6);
    out.value[ROOF_CONSTANT_LINK_PEER] = figure(1e-6);
    out.value[ROOF_CONSTANT_LINK_TWO_SHOT] = figure(12e-6);
    return out;
}

/* Small sums go to all peers at once: 4 + 3 us and 3 * 1 KB at 50 GB/s. Large ones are scattered and gathered:
 * 4 + 3 + 12 us and 2 * 3/4 of 100 MB. */
static void sums_take_the_faster_way(void **state) {
    (void)state;
    roof_machine machine = eight_with_a_switch();
    roof_constants constants = constants_by_hand();
    assert_near(roof_collective_seconds(&machine, &constants, ROOF_KIND_ALL_REDUCE, 1e3, 4), 7e-6 + 3e3 / 50e9, 1e-12);
    assert_near(roof_collective_seconds(&machine, &constants, ROOF_KIND_ALL_REDUCE, 1e8, 4), 19e-6 + 1.5e8 / 50e9,
                1e-12);
    /* as fast where 12 us are (3 - 1.5) bytes / 50 GB/s */
    double same = 12e-6 * 50e9 / 1.5;
    assert_near(roof_collective_seconds(&machine, &constants, ROOF_KIND_ALL_REDUCE, same, 4), 7e-6 + 3 * same / 50e9,
                1e-12);
}

static void parts_come_from_all_peers(void **state) {
    (void)state;
    roof_machine machine = eight_with_a_switch();
    roof_constants constants = constants_by_hand();
    static const roof_kind kinds[] = {ROOF_KIND_ALL_GATHER, ROOF_KIND_REDUCE_SCATTER, ROOF_KIND_ALL_TO_ALL};
    for (size_t i = 0; i < 3; i++)
        assert_near(roof_collective_seconds(&machine, &constants, kinds[i], 8e6, 8), 11e-6 + 7e6 / 50e9, 1e-12);
    assert_near(roof_collective_seconds(&machine, &constants, ROOF_KIND_POINT_TO_POINT, 8e6, 2), 5e-6 + 8e6 / 50e9,
                1e-12);
    assert_exact(roof_collective_seconds(&machine, &constants, ROOF_KIND_ALL_REDUCE, 8e6, 1), 0);
}

/* What all devices send goes over one bus: 2 * 3 times the bytes of a sum, 3 times those of a gather. */
static void a_bus_is_shared(void **state) {
    (void)state;
    roof_machine machine = {.host_link = figure(HOST)};
    roof_constants constants = constants_by_hand();
    constants.engine = ROOF_ENGINE_ALONE;
    assert_near(roof_collective_seconds(&machine, &constants, ROOF_KIND_ALL_REDUCE, 1e6, 4), 7e-6 + 6e6 / 5e9, 1e-12);
    assert_near(roof_collective_seconds(&machine, &constants, ROOF_KIND_ALL_GATHER, 1e6, 4), 7e-6 + 3e6 / 5e9, 1e-12);
    assert_near(roof_collective_seconds(&machine, &constants, ROOF_KIND_ALL_REDUCE, 1e6, 2), 5e-6 + 1e6 / 5e9, 1e-12);
    machine.link = figure(4 * HOST); /* given by hand: the bus */
    assert_near(roof_collective_seconds(&machine, &constants, ROOF_KIND_ALL_REDUCE, 1e6, 4), 7e-6 + 6e6 / 20e9, 1e-12);
    /* pairs with a bridge: two over the bridge, four over the bus */
    roof_machine pairs = eight_with_a_switch();
    pairs.link_devices = figure(2);
    assert_near(roof_collective_seconds(&pairs, &constants, ROOF_KIND_ALL_REDUCE, 1e6, 2), 5e-6 + 1e6 / 50e9, 1e-12);
    assert_near(roof_collective_seconds(&pairs, &constants, ROOF_KIND_ALL_REDUCE, 1e6, 4), 7e-6 + 6e6 / 5e9, 1e-12);
    /* hosts that serve models have switches: a way for each device */
    constants.engine = ROOF_ENGINE_SERVING;
    assert_near(roof_collective_seconds(&pairs, &constants, ROOF_KIND_ALL_GATHER, 1e6, 4), 7e-6 + 0.75e6 / 5e9, 1e-12);
    roof_machine alone = {.name = "alone"};
    assert_exact(roof_collective_seconds(&alone, &constants, ROOF_KIND_ALL_REDUCE, 1e6, 4), 0);
}

/* 16 devices in two domains of 8: a sum among 8 over links, then an eighth of it between two over the adapters. */
static void beyond_a_domain_each_device_has_an_adapter(void **state) {
    (void)state;
    roof_machine machine = eight_with_a_switch();
    roof_constants constants = constants_by_hand();
    double inside = 11e-6 + 12e-6 + 2 * 7.0 / 8 * 1e8 / 50e9, between = 5e-6 + 1e8 / 8 / 5e9;
    assert_near(roof_collective_seconds(&machine, &constants, ROOF_KIND_ALL_REDUCE, 1e8, 16), inside + between, 1e-12);
}

/* 7 links, one to each peer: two devices use one of them. */
static void devices_wired_one_by_one_use_the_links_of_those_that_take_part(void **state) {
    (void)state;
    roof_machine machine = eight_with_a_switch();
    roof_constants constants = constants_by_hand();
    machine.link_kind = "Infinity Fabric (7 links)";
    assert_near(roof_collective_seconds(&machine, &constants, ROOF_KIND_ALL_GATHER, 7e6, 8), 11e-6 + 49e6 / 8 / 50e9,
                1e-12);
    assert_near(roof_collective_seconds(&machine, &constants, ROOF_KIND_ALL_GATHER, 7e6, 2), 5e-6 + 3.5e6 * 7 / 50e9,
                1e-12);
}

/* Published: 3.8 us for 256 bytes and two A100 in a graph; a sum of 8 GiB on 8 H200 by the library, ring,
 * 365.6 GB/s of bus bandwidth; 13.4 ms for 256 MiB and two L40S. */
static void defaults_are_near_published_times(void **state) {
    (void)state;
    static const struct {
        const char *machine;
        roof_engine engine;
        double bytes, devices, seconds, tolerance;
    } cases[] = {
        {"a100-sxm-80", ROOF_ENGINE_SERVING, 256, 2, 3.8e-6, 0.15},
        {"a100-sxm-80", ROOF_ENGINE_EAGER, 256, 2, 21e-6, 0.25},
        {"h200-sxm", ROOF_ENGINE_ALONE, 8589934592.0, 8, 2 * 7.0 / 8 * 8589934592.0 / 365.6e9, 0.30},
        {"l40s", ROOF_ENGINE_ALONE, 268435456, 2, 13.37e-3, 0.25},
        {"l40s", ROOF_ENGINE_ALONE, 268435456, 4, 78.4e-3, 0.25},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        roof_machine machine;
        roof_constants constants;
        assert_int_equal(roof_machine_find(cases[i].machine, &machine, NULL, 0, NULL), 0);
        roof_constants_of(&machine, cases[i].engine, &constants);
        assert_near(
            roof_collective_seconds(&machine, &constants, ROOF_KIND_ALL_REDUCE, cases[i].bytes, cases[i].devices),
            cases[i].seconds, cases[i].tolerance);
    }
}

/* A transfer says nothing but its bytes: 6 us and 1 GB at 50 GB/s. */
static void a_transfer_has_two_ends(void **state) {
    (void)state;
    roof_machine machine = eight_with_a_switch();
    roof_constants constants = constants_by_hand();
    roof_argument bytes = {.name = "bytes", .value = 1e9};
    roof_operation transfer;
    roof_expected got;
    machine.bandwidth[ROOF_DRAM] = figure(1e15);
    assert_int_equal(roof_operation_build(ROOF_KIND_POINT_TO_POINT, &bytes, 1, &transfer, NULL), 0);
    assert_int_equal(roof_expect(&machine, &constants, &transfer, &got, NULL), 0);
    assert_near(got.seconds, 5e-6 + 1e9 / 50e9, 1e-12);
    assert_near(got.least, 1e9 / LINK, 1e-12);
}

/* A CPU beside the GPU on one memory is no faster way to another host. */
static void a_fast_bus_is_no_way_out(void **state) {
    (void)state;
    roof_machine machine = {
        .link_kind = "two cables", .link = figure(HOST), .link_devices = figure(2), .host_link = figure(LINK)};
    roof_constants constants = constants_by_hand();
    double got = roof_collective_seconds(&machine, &constants, ROOF_KIND_ALL_REDUCE, 1e9, 4);
    assert_near(got, 19e-6 + 1.5e9 / 5e9, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_take_the_faster_way),
        cmocka_unit_test(parts_come_from_all_peers),
        cmocka_unit_test(a_bus_is_shared),
        cmocka_unit_test(beyond_a_domain_each_device_has_an_adapter),
        cmocka_unit_test(devices_wired_one_by_one_use_the_links_of_those_that_take_part),
        cmocka_unit_test(defaults_are_near_published_times),
        cmocka_unit_test(a_transfer_has_two_ends),
        cmocka_unit_test(a_fast_bus_is_no_way_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
