/* Knees, names of levels and working sets, on curves that were measured and on made-up ones. */
#include "test.h"

#include "measure/plan/sweep.h"

/* One core of a Zen 4 guest (EPYC 9xx4; 32 KiB, 1 MiB, 32 MiB shared with others) under heavy load: AVX2 loads, bytes
 * and GB/s. The dips are other programs. Measured with this sweep; the cache sizes are the data sheet's. */
static const double zen4[][2] = {
    {8192, 104.18},    {9216, 123.52},    {10240, 121.17},   {11264, 100.45},   {13312, 150.96},   {14336, 151.00},
    {16384, 176.30},   {18432, 176.51},   {20480, 175.90},   {23552, 175.72},   {25600, 177.08},   {29696, 177.31},
    {32768, 175.00},   {36864, 91.60},    {40960, 91.62},    {46080, 91.65},    {52224, 91.67},    {58368, 91.70},
    {65536, 91.69},    {73728, 91.70},    {82944, 91.71},    {93184, 91.62},    {104448, 91.73},   {116736, 91.74},
    {131072, 91.74},   {147456, 91.75},   {164864, 91.72},   {185344, 91.75},   {207872, 91.78},   {233472, 85.55},
    {262144, 91.78},   {293888, 91.76},   {330752, 91.76},   {370688, 91.77},   {415744, 91.24},   {466944, 91.73},
    {524288, 91.71},   {588800, 90.23},   {660480, 88.73},   {741376, 83.93},   {832512, 80.45},   {933888, 78.01},
    {1048576, 76.65},  {1176576, 74.83},  {1320960, 75.08},  {1482752, 74.92},  {1664000, 76.24},  {1868800, 76.54},
    {2097152, 77.03},  {2354176, 77.79},  {2641920, 78.00},  {2965504, 77.77},  {3329024, 78.05},  {3736576, 78.16},
    {4194304, 78.17},  {4708352, 78.28},  {5284864, 77.92},  {5932032, 77.75},  {6658048, 77.97},  {7473152, 78.20},
    {8388608, 63.77},  {9415680, 67.05},  {10568704, 48.60}, {11863040, 55.37}, {13316096, 64.46}, {14946304, 61.91},
    {16777216, 56.36}, {18831360, 30.11}, {21138432, 45.43}, {23726080, 41.28}, {26632192, 40.35}, {29893632, 27.50},
    {33554432, 23.73}, {42275840, 25.40}, {53264384, 30.63}, {67108864, 31.55}, {84551680, 28.55}, {106528768, 24.15},
    {134217728, 31.49}};

enum { KIB = 1024, MIB = 1024 * 1024 };
static const double none[ROOF_LEVEL_COUNT];

typedef struct found {
    plateau list[PLATEAU_MAX];
    size_t count;
    double most;
} found;

/* A step of the hierarchy: the rate up to `size`, from where it falls to the next one's within `fall` octaves. */
typedef struct step {
    double size, rate, fall;
} step;

static double rate_at(const step *steps, size_t count, double size) {
    double rate = steps[count - 1].rate;
    for (size_t i = count - 1; i-- > 0;) {
        double way = log2(size / steps[i].size) / steps[i].fall;
        way = way < 0 ? 0 : way > 1 ? 1 : way;
        rate = exp((1 - way) * log(steps[i].rate) + way * log(rate));
    }
    return rate;
}

/* Every third point or so loses up to `dips` of its rate, the same ones every time. */
static found sweep_of(const step *steps, size_t count, double most, double dips) {
    double sizes[SWEEP_MAX], rates[SWEEP_MAX];
    uint32_t random = 12345;
    size_t points = sweep_sizes(8192, most, sizes);
    for (size_t i = 0; i < points; i++) {
        random = random * 1664525u + 1013904223u;
        double lost = random >> 30 == 0 ? dips * (double)(random & 0xffffff) / 0xffffff : 0;
        rates[i] = rate_at(steps, count, sizes[i]) * (1 - lost);
    }
    found out = {.most = sizes[points - 1]};
    out.count = find_plateaus(sizes, rates, points, out.list);
    return out;
}

static level_plans named(const found *at, const double *reported) {
    level_plans out;
    name_levels(at->list, at->count, at->most, reported, &out);
    return out;
}

static found zen4_sweep(void) {
    enum { COUNT = sizeof zen4 / sizeof *zen4 };
    double sizes[COUNT], rates[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        sizes[i] = zen4[i][0], rates[i] = 1e9 * zen4[i][1];
    found out = {.most = sizes[COUNT - 1]};
    out.count = find_plateaus(sizes, rates, COUNT, out.list);
    return out;
}

static void sizes_are_six_an_octave(void **state) {
    (void)state;
    double sizes[SWEEP_MAX];
    size_t count = sweep_sizes(8192, 1024.0 * MIB, sizes);
    assert_in_range(count, 80, SWEEP_MAX);
    assert_exact(sizes[0], 8192);
    assert_near(sizes[6] / sizes[0], 2, 0.001);
    assert_near(sizes[count - 1], 1024.0 * MIB, 0.001);
    for (size_t i = 1; i < count; i++) {
        assert_true(sizes[i] > sizes[i - 1]);
        assert_exact(fmod(sizes[i], 1024), 0);
    }
}

static void a_busy_zen4_has_four_levels(void **state) {
    (void)state;
    const double reported[ROOF_LEVEL_COUNT] = {[ROOF_L1] = 32 * KIB, [ROOF_L2] = MIB, [ROOF_L3] = 32.0 * MIB};
    found sweep = zen4_sweep();
    level_plans levels = named(&sweep, reported);
    for (int level = ROOF_DRAM; level < ROOF_LEVEL_COUNT; level++) {
        assert_true(levels.at[level].seen);
        assert_false(levels.at[level].refuted);
    }
    assert_near(levels.at[ROOF_L1].plateau.rate, 177e9, 0.01);
    assert_near(levels.at[ROOF_L2].plateau.rate, 91.7e9, 0.01);
    assert_near(levels.at[ROOF_L3].plateau.rate, 78e9, 0.01);
    assert_near(levels.at[ROOF_DRAM].plateau.rate, 31.5e9, 0.02);
    assert_in_range(levels.at[ROOF_L1].plateau.knee, 32768, 36864);
    assert_in_range(levels.at[ROOF_L2].plateau.knee, 600 * KIB, MIB);
    assert_exact(levels.at[ROOF_L3].size, 32.0 * MIB); /* between a third and all of it: the report stands */
}

/* Zen 5 guest: rates of 512-bit loads and where they were seen, published with its traps; 508 MB reported. */
static void reported_l3_that_is_not_there(void **state) {
    (void)state;
    static const step zen5[] = {{48 * KIB, 416e9, 0.3}, {MIB, 215e9, 0.5}, {12.0 * MIB, 93e9, 1.3}, {0, 28e9, 0}};
    const double reported[ROOF_LEVEL_COUNT] = {[ROOF_L1] = 48 * KIB, [ROOF_L2] = MIB, [ROOF_L3] = 508e6};
    for (int dips = 0; dips < 2; dips++) {
        found sweep = sweep_of(zen5, 4, 1024.0 * MIB, 0.4 * dips);
        level_plans levels = named(&sweep, reported);
        assert_true(levels.at[ROOF_L3].seen);
        assert_true(levels.at[ROOF_L3].refuted);
        assert_in_range(levels.at[ROOF_L3].size, 12 * MIB, 25 * MIB);
        assert_true(levels.at[ROOF_DRAM].seen);
        assert_near(levels.at[ROOF_DRAM].plateau.rate, 28e9, 0.02);
        assert_false(levels.at[ROOF_L1].refuted || levels.at[ROOF_L2].refuted);
        assert_exact(levels.at[ROOF_L1].size, 48 * KIB);
    }
}

/* 256 KiB of L2 and 8 MiB of L3, as Intel's desktop CPUs of 2011 to 2020 have. */
static void a_desktop_with_a_small_l2(void **state) {
    (void)state;
    static const step steps[] = {{32 * KIB, 230e9, 0.3}, {256 * KIB, 110e9, 0.8}, {6.0 * MIB, 60e9, 1}, {0, 18e9, 0}};
    const double reported[ROOF_LEVEL_COUNT] = {[ROOF_L1] = 32 * KIB, [ROOF_L2] = 256 * KIB, [ROOF_L3] = 8.0 * MIB};
    found sweep = sweep_of(steps, 4, 128.0 * MIB, 0.3);
    level_plans levels = named(&sweep, reported);
    for (int level = ROOF_DRAM; level < ROOF_LEVEL_COUNT; level++)
        assert_true(levels.at[level].seen && !levels.at[level].refuted);
    assert_in_range(levels.at[ROOF_L2].plateau.knee, 256 * KIB, 512 * KIB);
    assert_in_range(levels.at[ROOF_L3].plateau.knee, 6 * MIB, 12 * MIB);
}

static void no_l3(void **state) {
    (void)state;
    static const step steps[] = {{32 * KIB, 40e9, 0.3}, {512 * KIB, 20e9, 0.7}, {0, 4e9, 0}};
    const double reported[ROOF_LEVEL_COUNT] = {[ROOF_L1] = 32 * KIB, [ROOF_L2] = 512 * KIB};
    found sweep = sweep_of(steps, 3, 128.0 * MIB, 0);
    level_plans levels = named(&sweep, reported);
    assert_true(levels.at[ROOF_DRAM].seen && levels.at[ROOF_L1].seen && levels.at[ROOF_L2].seen);
    assert_false(levels.at[ROOF_L3].seen);
    assert_exact(levels.at[ROOF_L3].size, 0);
}

/* L3 so busy that it slopes all the way: it has no bandwidth, and its reported size does not make DRAM of it. */
static void a_slope_is_no_level(void **state) {
    (void)state;
    static const step steps[] = {{32 * KIB, 180e9, 0.3}, {700 * KIB, 92e9, 6.5}, {0, 20e9, 0}};
    const double reported[ROOF_LEVEL_COUNT] = {[ROOF_L1] = 32 * KIB, [ROOF_L2] = MIB, [ROOF_L3] = 32.0 * MIB};
    found sweep = sweep_of(steps, 3, 128.0 * MIB, 0);
    level_plans levels = named(&sweep, reported);
    assert_true(levels.at[ROOF_L1].seen && levels.at[ROOF_L2].seen);
    assert_false(levels.at[ROOF_L3].seen);
    assert_true(levels.at[ROOF_DRAM].seen);
    assert_near(levels.at[ROOF_DRAM].plateau.rate, 20e9, 0.1);
}

static void one_plateau_has_no_name(void **state) {
    (void)state;
    static const step steps[] = {{0, 30e9, 0}};
    found sweep = sweep_of(steps, 1, 128.0 * MIB, 0);
    level_plans levels = named(&sweep, none);
    assert_int_equal(sweep.count, 1);
    assert_false(levels.at[ROOF_DRAM].seen);
    assert_exact(levels.at[ROOF_L1].size, 0);
    /* As an emulator shows it: every load takes the same time. */
    const double reported[ROOF_LEVEL_COUNT] = {[ROOF_L1] = 32 * KIB, [ROOF_L2] = MIB, [ROOF_L3] = 32.0 * MIB};
    sweep = sweep_of(steps, 1, 64.0 * MIB, 0);
    levels = named(&sweep, reported);
    for (int level = ROOF_DRAM; level < ROOF_LEVEL_COUNT; level++)
        assert_false(levels.at[level].seen);
}

/* The sweep ends inside the L3: what it ends with is not memory, whatever is reported. */
static void a_short_sweep_never_shows_memory(void **state) {
    (void)state;
    static const step steps[] = {{32 * KIB, 180e9, 0.3}, {MIB, 92e9, 0.5}, {2.5 * MIB, 78e9, 0.3}, {0, 60e9, 0}};
    const double reported[ROOF_LEVEL_COUNT] = {[ROOF_L1] = 32 * KIB, [ROOF_L2] = MIB, [ROOF_L3] = 32.0 * MIB};
    found sweep = sweep_of(steps, 4, 20.0 * MIB, 0);
    level_plans levels = named(&sweep, reported);
    assert_false(levels.at[ROOF_DRAM].seen);
    levels = named(&sweep, none);
    assert_false(levels.at[ROOF_DRAM].seen);
}

static void nothing_reported(void **state) {
    (void)state;
    static const step steps[] = {{48 * KIB, 416e9, 0.3}, {2.0 * MIB, 215e9, 0.5}, {24.0 * MIB, 93e9, 1}, {0, 28e9, 0}};
    found sweep = sweep_of(steps, 4, 512.0 * MIB, 0.2);
    level_plans levels = named(&sweep, none);
    assert_true(levels.at[ROOF_DRAM].seen && levels.at[ROOF_L3].seen);
    assert_in_range(levels.at[ROOF_L1].size, 48 * KIB, 64 * KIB);
    assert_in_range(levels.at[ROOF_L2].size, 2 * MIB, 3 * MIB);
    assert_in_range(levels.at[ROOF_L3].size, 24 * MIB, 40 * MIB);
}

static level_plans sets_of(int threads, int sharing, double memory) {
    static host here; /* large */
    const double reported[ROOF_LEVEL_COUNT] = {[ROOF_L1] = 32 * KIB, [ROOF_L2] = MIB, [ROOF_L3] = 32.0 * MIB};
    static const step steps[] = {{32 * KIB, 180e9, 0.3}, {MIB, 110e9, 0.5}, {28.0 * MIB, 78e9, 0.7}, {0, 30e9, 0}};
    found sweep = sweep_of(steps, 4, 128.0 * MIB, 0);
    level_plans levels = named(&sweep, reported);
    here.sharing[ROOF_L1] = here.sharing[ROOF_L2] = 1;
    here.sharing[ROOF_L3] = sharing;
    choose_sets(&here, threads, memory, &levels);
    return levels;
}

static void sets_lie_where_they_should(void **state) {
    (void)state;
    level_plans levels = sets_of(2, 2, 4e9);
    assert_exact(levels.at[ROOF_L1].one, 16 * KIB);
    assert_exact(levels.at[ROOF_L2].all, 512 * KIB);
    assert_near(levels.at[ROOF_L3].all, 8.0 * MIB, 0.001);
    assert_true(levels.at[ROOF_DRAM].one >= 4 * 32.0 * MIB);
    assert_true(2 * levels.at[ROOF_DRAM].all >= 4 * 32.0 * MIB);
    assert_exact(levels.last_cache, 32.0 * MIB);
    levels = sets_of(16, 8, 4e9); /* two L3s */
    assert_exact(levels.last_cache, 64.0 * MIB);
    assert_true(16 * levels.at[ROOF_DRAM].all >= 4 * 64.0 * MIB);
    assert_true(levels.at[ROOF_L3].all * 8 <= 24.0 * MIB && levels.at[ROOF_L3].all >= 2.0 * MIB);
    levels = sets_of(32, 32, 4e9); /* 1 MiB of L3 a core beside 1 MiB of L2: no set of all cores lies in L3 */
    assert_exact(levels.at[ROOF_L3].all, 0);
    assert_near(levels.at[ROOF_L3].one, 16.0 * MIB, 0.001);
}

static void too_little_memory_is_no_dram_set(void **state) {
    (void)state;
    level_plans levels = sets_of(2, 2, 100e6);
    assert_exact(levels.at[ROOF_DRAM].one, 0);
    assert_exact(levels.at[ROOF_DRAM].all, 0);
    assert_exact(levels.needs, 4 * 32.0 * MIB);
    assert_exact(levels.at[ROOF_L2].one, 512 * KIB);
    levels = sets_of(16, 8, 200e6); /* enough for one L3, not for two */
    assert_true(levels.at[ROOF_DRAM].one > 0);
    assert_exact(levels.at[ROOF_DRAM].all, 0);
}

/* A busy machine's sweep shows no plateau past the caches. Nothing refutes what is reported then, and a set of four
 * times all of it is in memory whatever it is called; with nothing reported no set is known to be. */
static void unseen_memory_lies_past_what_is_reported(void **state) {
    (void)state;
    static host here; /* large */
    static const double sizes[] = {8.0 * MIB, 32.0 * MIB, 315e6};
    static const step slope[] = {{32 * KIB, 180e9, 0.3}, {MIB, 92e9, 12}, {0, 5e9, 0}};
    here.sharing[ROOF_L1] = here.sharing[ROOF_L2] = 1;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int threads = 1; threads <= 16; threads *= 4) {
            const double reported[ROOF_LEVEL_COUNT] = {[ROOF_L1] = 32 * KIB, [ROOF_L2] = MIB, [ROOF_L3] = sizes[i]};
            found sweep = sweep_of(slope, 3, 512.0 * MIB, 0);
            level_plans levels = named(&sweep, reported);
            here.sharing[ROOF_L3] = 8;
            choose_sets(&here, threads, 64e9, &levels);
            int instances = (threads + 7) / 8;
            const level_plan *dram = &levels.at[ROOF_DRAM];
            assert_true(dram->assumed == !dram->seen);
            assert_true(dram->one >= 4 * sizes[i]);
            assert_true(threads * dram->all >= 4 * sizes[i] * instances);
            choose_sets(&here, threads, 3.9 * sizes[i], &levels); /* not with less */
            assert_exact(dram->all, 0);
        }
    static const step flat[] = {{0, 30e9, 0}};
    found sweep = sweep_of(flat, 1, 128.0 * MIB, 0);
    level_plans levels = named(&sweep, none);
    choose_sets(&here, 2, 64e9, &levels);
    assert_false(levels.at[ROOF_DRAM].assumed);
    assert_exact(levels.at[ROOF_DRAM].one, 0);
    const double reported[ROOF_LEVEL_COUNT] = {[ROOF_L1] = 32 * KIB, [ROOF_L2] = MIB, [ROOF_L3] = 32.0 * MIB};
    levels = named(&sweep, reported); /* every load takes the same time: an emulator */
    choose_sets(&here, 2, 64e9, &levels);
    assert_true(levels.at[ROOF_DRAM].assumed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_six_an_octave),
        cmocka_unit_test(a_busy_zen4_has_four_levels),
        cmocka_unit_test(reported_l3_that_is_not_there),
        cmocka_unit_test(a_desktop_with_a_small_l2),
        cmocka_unit_test(no_l3),
        cmocka_unit_test(a_slope_is_no_level),
        cmocka_unit_test(one_plateau_has_no_name),
        cmocka_unit_test(a_short_sweep_never_shows_memory),
        cmocka_unit_test(nothing_reported),
        cmocka_unit_test(sets_lie_where_they_should),
        cmocka_unit_test(too_little_memory_is_no_dram_set),
        cmocka_unit_test(unseen_memory_lies_past_what_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
