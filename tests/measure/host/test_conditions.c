/* What disturbed a measurement, in words: each condition appears where it should, and on a quiet machine none does. */
#include <time.h>

#include "made_tree.h"
#include "measure/host/host.h"
#include "test.h"

/* Eight cores of bare hardware, nothing in the way. */
static host quiet_host(void) {
    host h = {.cpu = "AMD EPYC 7763",
              .allowed_count = 8,
              .core_count = 8,
              .online = 8,
              .node_count = 1,
              .caches_from = "hwloc",
              .cache = {[ROOF_L1] = 32768, [ROOF_L2] = 524288, [ROOF_L3] = 33554432, [ROOF_DRAM] = 64e9},
              .sharing = {[ROOF_L1] = 1, [ROOF_L2] = 1, [ROOF_L3] = 8},
              .available = 60e9,
              .available_why = "MemAvailable",
              .swap = 0,
              .huge_mode = "madvise",
              .governor = "performance",
              .driver = "acpi-cpufreq"};
    return h;
}

/* Lower case start, no full stop, nothing cut off, nothing empty. */
static void check_style(const roof_measurement *m) {
    for (size_t i = 0; i < m->condition_count; i++) {
        const char *texts[] = {m->conditions[i].what, m->conditions[i].cause, m->conditions[i].remedy};
        for (size_t k = 0; k < 3; k++) {
            size_t length = strlen(texts[k]);
            assert_in_range(length, 8, 158);
            assert_true(texts[k][length - 1] != '.');
            assert_true(!(texts[k][0] >= 'A' && texts[k][0] <= 'Z'));
        }
    }
}

static void expect(const roof_measurement *m, const char *what) {
    check_style(m);
    if (m->condition_count != 1 || strcmp(m->conditions[0].what, what) != 0)
        fail_msg("%zu conditions, the first '%s', not '%s'", m->condition_count, m->conditions[0].what, what);
}

static void quiet(void **state) {
    (void)state;
    roof_measurement m = {0};
    host h = quiet_host();
    host_conditions(&h, 8, &m);
    host_load load = {.total = 100, .idle = 50, .known = true, .throttled = -1, .thermal = 7, .waiting = 3};
    host_load after = {
        .total = 180, .idle = 60, .other = 0.5, .known = true, .throttled = -1, .thermal = 7, .waiting = 3.1};
    load_conditions(&h, &load, &after, 10, &m);
    check_style(&m);
    if (m.condition_count)
        fail_msg("%s", m.conditions[0].what);
}

typedef void (*change)(host *h);
static void virtual_named(host *h) {
    strcpy(h->hypervisor, "KVM");
}
static void virtual_unknown(host *h) {
    strcpy(h->hypervisor, "unknown");
}
static void no_caches(host *h) {
    h->caches_from = "", h->cache[ROOF_L1] = h->cache[ROOF_L2] = h->cache[ROOF_L3] = 0;
}
static void no_first_cache(host *h) {
    h->cache[ROOF_L1] = 0;
}
static void half_a_cpu(host *h) {
    h->quota = 0.5;
}
static void whole_quota(host *h) {
    h->quota = 6;
}
static void few_allowed(host *h) {
    h->allowed_count = h->core_count = 2;
}
static void very_many(host *h) {
    h->allowed_count = h->core_count = HOST_CPUS_MAX, h->left_out = 512, h->online = 1536;
}
static void siblings(host *h) {
    h->core_count = 4;
}
static void huge_off(host *h) {
    strcpy(h->huge_mode, "never");
}
static void little_memory(host *h) {
    h->available = 100e6, h->available_why = "cgroup memory limit";
}
static void little_unknown(host *h) {
    h->available = 200e6, h->cache[ROOF_L3] = h->cache[ROOF_L2] = 0;
}
static void nothing_known(host *h) {
    h->available = 0, h->available_why = "";
}
static void small_machine(host *h) {
    h->cache[ROOF_DRAM] = 1e9, h->available = 9e8;
}
static void powersave(host *h) {
    strcpy(h->governor, "powersave");
}
static void large_and_small(host *h) {
    h->weakest = 0.44;
}
static void nearly_alike(host *h) {
    h->weakest = 0.95, h->core_count = 4;
}
static void many_caches(host *h) {
    h->sharing[ROOF_L3] = 2, h->available = 500e6;
}

static void hosts(void **state) {
    (void)state;
    static const struct {
        change change;
        int threads;
        const char *what;
    } cases[] = {
        {virtual_named, 8, "runs in a virtual machine (KVM)"},
        {virtual_unknown, 8, "runs in a virtual machine (the hypervisor does not say its name)"},
        {no_caches, 8, "the system reports no caches"},
        {no_first_cache, 8, "the system reports no L1 cache"},
        {half_a_cpu, 8, "the CPU quota is 0.5 CPUs for 8 cores"},
        {whole_quota, 6, "the CPU quota is 6 CPUs for 8 cores"},
        {few_allowed, 2, "2 of 8 CPUs may be used"},
        {very_many, HOST_CPUS_MAX, "1024 of 1536 CPUs were examined"}, /* and no mask is blamed */
        {siblings, 4, "8 CPUs are 4 cores"},
        {huge_off, 8, "transparent huge pages are off"},
        {little_memory, 8, "only 100 MB of memory may be used (cgroup memory limit), DRAM sets need 256 MB"},
        {little_unknown, 8, "only 200 MB of memory may be used (MemAvailable), DRAM sets need 256 MB"},
        {many_caches, 8,
         "only 500 MB of memory may be used (MemAvailable), DRAM sets need 537 MB"}, /* 4 x 4 x 32 MiB */
        {nothing_known, 8, "the usable memory is unknown"},
        {small_machine, 8, "1.00 GB of memory in all and no swap"},
        {large_and_small, 8, "the cores are not alike: the weakest has 44% of the capacity of the strongest"},
        {nearly_alike, 4, "8 CPUs are 4 cores"},
        {powersave, 8, "the frequency governor is powersave (driver acpi-cpufreq)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        roof_measurement m = {0};
        host h = quiet_host();
        cases[i].change(&h);
        host_conditions(&h, cases[i].threads, &m);
        expect(&m, cases[i].what);
    }
}

/* intel_pstate raises the clock by itself under this name. */
static void powersave_of_intel(void **state) {
    (void)state;
    roof_measurement m = {0};
    host h = quiet_host();
    strcpy(h.governor, "powersave");
    strcpy(h.driver, "intel_pstate");
    host_conditions(&h, 8, &m);
    assert_int_equal(m.condition_count, 0);
}

static void too_many_threads(void **state) {
    (void)state;
    roof_measurement m = {0};
    host h = quiet_host();
    host_conditions(&h, 16, &m);
    expect(&m, "16 threads on 8 cores");
}

static void loads(void **state) {
    (void)state;
    static const host_load before = {.total = 1000,
                                     .idle = 500,
                                     .steal = 10,
                                     .other = 100,
                                     .throttled = 2,
                                     .thermal = 5,
                                     .waiting = 1,
                                     .known = true};
    static const struct {
        double steal, other, throttled, thermal, waiting;
        const char *what;
    } cases[] = {
        {8, 0, 0, 0, 0, "10.0% of the CPU time was stolen (8 s of 80 s)"},
        {0, 15, 0, 0, 0, "other programs used 1.5 of 8 CPUs during the run"},
        {0, 0, 2.5, 0, 0, "the CPU quota held the process back for 2.5 s of 10 s"},
        {0, 0, 0, 3, 0, "thermal throttle counters rose by 3 during the run"},
        {0, 0, 0, 0, 4, "some program waited for a CPU for 4 s of 10 s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        roof_measurement m = {0};
        host h = quiet_host();
        host_load after = before;
        after.total += 80, after.steal += cases[i].steal, after.other += cases[i].other;
        after.throttled += cases[i].throttled, after.thermal += cases[i].thermal, after.waiting += cases[i].waiting;
        load_conditions(&h, &before, &after, 10, &m);
        expect(&m, cases[i].what);
        host_load unknown = {
            .throttled = -1, .thermal = -1, .waiting = -1}; /* what is not known before tells nothing */
        m.condition_count = 0;
        load_conditions(&h, &unknown, &after, 10, &m);
        assert_int_equal(m.condition_count, 0);
    }
}

/* Figures of proc(5)'s fields in ticks of 1/100 s: 400 of user, 100 of steal; our own name holds parentheses and
 * blanks. */
static void load_of_a_tree(void **state) {
    (void)state;
    made_tree tree;
    host_load load;
    made_begin(&tree);
    made_file(&tree, "cpu  200 100 100 500 50 10 40 100 60 0\ncpu0 1 2 3\n", "/proc/stat");
    made_file(&tree, "7 (a) b (c) R 1 7 7 0 -1 4194304 114 0 0 0 120 30 9 9 20 0 1 0 100 3133440 370\n",
              "/proc/self/stat");
    made_file(&tree,
              "some avg10=5.07 avg60=1.84 avg300=2.46 total=6500000\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
              "/proc/pressure/cpu");
    made_file(&tree, "0-1\n", "/sys/devices/system/cpu/online");
    for (int cpu = 0; cpu < 2; cpu++) {
        made_file(&tree, "3\n", "/sys/devices/system/cpu/cpu%d/thermal_throttle/core_throttle_count", cpu);
        made_file(&tree, "4\n", "/sys/devices/system/cpu/cpu%d/thermal_throttle/package_throttle_count", cpu);
    }
    host_load_read(tree.root, &load);
    made_end(&tree);
    assert_true(load.known);
    assert_near(load.total, 11.0, 1e-12);
    assert_near(load.idle, 5.5, 1e-12);
    assert_near(load.steal, 1.0, 1e-12);
    assert_near(load.other, 11 - 5.5 - 1 - 1.5, 1e-12);
    assert_near(load.waiting, 6.5, 1e-12);
    assert_exact(load.thermal, 14.0);
    assert_true(load.throttled < 0);
}

/* Our own work is not "other programs": after some of it, what is left out is what the process's own clock tells. */
static void own_work_is_not_others(void **state) {
    (void)state;
    host_load before, after;
    volatile double sum = 0;
    host_load_read("", &before);
    clock_t start = clock();
    while (clock() - start < CLOCKS_PER_SEC / 2)
        sum = sum + 1;
    host_load_read("", &after);
    double own = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (!before.known || !after.known)
        skip();
    double busy = (after.total - after.idle - after.steal) - (before.total - before.idle - before.steal);
    assert_near(busy - (after.other - before.other), own, 0.2); /* ticks of 10 ms */
}

static void full_list(void **state) {
    (void)state;
    roof_measurement m = {0};
    char text[400];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    for (int i = 0; i < ROOF_CONDITION_MAX + 5; i++)
        condition_add(&m, text, text, text);
    assert_int_equal(m.condition_count, ROOF_CONDITION_MAX);
    assert_int_equal(strlen(m.conditions[ROOF_CONDITION_MAX - 1].remedy), 159);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quiet),
        cmocka_unit_test(hosts),
        cmocka_unit_test(powersave_of_intel),
        cmocka_unit_test(too_many_threads),
        cmocka_unit_test(loads),
        cmocka_unit_test(load_of_a_tree),
        cmocka_unit_test(own_work_is_not_others),
        cmocka_unit_test(full_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
