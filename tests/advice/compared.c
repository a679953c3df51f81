/* Two profiles side by side: who is paired with whom, in which order, and what is said to have moved. */
#include <stdlib.h>

#include "advice/fixtures.h"
#include "roofline_profile.h"

enum { MOST = 8 };

typedef struct profile {
    roof_measured measured[MOST];
    roof_placement placed[MOST];
    size_t count;
} profile;

static void add(profile *to, const char *name, double calls, double seconds, double flops, double bytes) {
    roof_measured *m = &to->measured[to->count++];
    *m = (roof_measured){.name = name, .calls = calls, .matrix_active = -1, .line = -1};
    m->seconds = (roof_count){.value = seconds, .certainty = ROOF_CERTAINTY_COUNTED};
    if (flops > 0) {
        m->flops[0].unit = ROOF_VECTOR;
        m->flops[0].dtype = ROOF_F32;
        m->flops[0].count = (roof_count){.value = flops, .certainty = ROOF_CERTAINTY_COUNTED};
        m->flop_count = 1;
    }
    if (bytes > 0)
        m->bytes[ROOF_DRAM] = (roof_count){.value = bytes, .certainty = ROOF_CERTAINTY_COUNTED};
}

static void place(profile *p) {
    roof_machine on;
    assert_int_equal(roof_machine_find("h100-sxm", &on, NULL, 0, NULL), 0);
    assert_int_equal(roof_place(&on, p->measured, p->count, p->placed, NULL), 0);
}

static size_t compare(profile *before, profile *after, roof_moved *out, size_t capacity) {
    place(before);
    place(after);
    size_t scratch[4 * MOST];
    return roof_compare(before->placed, before->count, after->placed, after->count, out, capacity, scratch);
}

/* 3.35 TB/s: 2.077 GB in 1 ms are 62 %; half of it in 1 / 1.8 ms is 55.8 %. */
static void test_faster(void **state) {
    (void)state;
    profile before = {.count = 0}, after = {.count = 0};
    roof_moved moved[MOST];
    add(&before, "axpy", 10, 10e-3, 1e9, 20.77e9);
    add(&after, "axpy", 10, 10e-3 / 1.8, 1e9, 20.77e9 / 2);
    assert_int_equal(compare(&before, &after, moved, MOST), 1);
    assert_near(moved[0].speedup, 1.8, 1e-12);
    assert_string_equal(moved[0].words,
                        "1.80x faster; half the DRAM bytes; still memory-bound (62% -> 55.8% of the roof)");
}

static void test_calls_and_bound(void **state) {
    (void)state;
    profile before = {.count = 0}, after = {.count = 0};
    roof_moved moved[MOST];
    add(&before, "stencil", 10, 10e-3, 10 * 20e9, 10 * 3e9); /* 90 % of DRAM, 30 % of f32 */
    add(&after, "stencil", 20, 20e-3, 20 * 40e9, 20 * 1e9);  /* 30 % and 60 % */
    assert_int_equal(compare(&before, &after, moved, MOST), 1);
    assert_near(moved[0].speedup, 1, 1e-12);
    assert_string_equal(moved[0].words, "as fast as before; 10 -> 20 calls; 0.333x the DRAM bytes; twice the FLOPs; "
                                        "memory-bound (89.6%), then compute-bound (59.8%)");
}

static void test_names(void **state) {
    (void)state;
    profile before = {.count = 0}, after = {.count = 0};
    roof_moved moved[MOST];
    add(&before, "void reduce<float, 4>(float const*, int)", 1, 8e-3, 1e9, 1e9);
    add(&before, "triton_poi_fused_add_0d1e4f3a_17", 1, 7e-3, 1e9, 1e9);
    add(&before, "softmax", 1, 6e-3, 1e9, 1e9);
    add(&before, "softmax", 1, 1e-3, 1e9, 1e9);
    add(&after, "softmax", 1, 5e-3, 1e9, 1e9); /* the first with the first */
    add(&after, "softmax", 1, 2e-3, 1e9, 1e9);
    add(&after, "triton_poi_fused_add_77c0ffee_3", 1, 3.5e-3, 1e9, 1e9);
    add(&after, "void reduce<double, 8>(double const*, long)", 1, 2e-3, 1e9, 1e9);
    assert_int_equal(compare(&before, &after, moved, MOST), 4);
    for (int i = 0; i < 4; i++)
        assert_true(moved[i].before && moved[i].after);
    assert_ptr_equal(moved[0].after, &after.placed[3]); /* 6 ms changed, then 3.5 */
    assert_near(moved[0].speedup, 4, 1e-12);
    assert_ptr_equal(moved[1].before, &before.placed[1]);
    assert_near(moved[1].speedup, 2, 1e-12);
    assert_near(moved[2].speedup, 1.2, 1e-12);
    assert_string_equal(moved[3].words, "2x slower; still memory-bound (29.9% -> 14.9% of the roof)");
}

/* An exact name wins over a similar one that comes first. */
static void test_exact_first(void **state) {
    (void)state;
    profile before = {.count = 0}, after = {.count = 0};
    roof_moved moved[MOST];
    add(&before, "gemm_128", 1, 3e-3, 1e9, 1e9);
    add(&before, "gemm_256", 1, 1e-3, 1e9, 1e9);
    add(&after, "gemm_256", 1, 2e-3, 1e9, 1e9);
    assert_int_equal(compare(&before, &after, moved, MOST), 2);
    assert_ptr_equal(moved[0].before, &before.placed[0]);
    assert_null(moved[0].after);
    assert_string_equal(moved[0].words, "gone: it took 3.00 ms");
    assert_ptr_equal(moved[1].before, &before.placed[1]);
}

static void test_shape(void **state) {
    (void)state;
    profile before = {.count = 0}, after = {.count = 0};
    roof_moved moved[MOST];
    roof_gemm_shape shape = {.batch = 1, .m = 512, .n = 512, .k = 512, .a = ROOF_F32, .b = ROOF_F32, .c = ROOF_F32};
    add(&before, "ampere_sgemm", 1, 1e-3, 1e9, 1e9);
    before.measured[0].has_operation = true;
    roof_gemm(&shape, &before.measured[0].operation);
    add(&after, "cutlass_kernel", 1, 0.5e-3, 1e9, 1e9);
    after.measured[0].has_operation = true;
    roof_gemm(&shape, &after.measured[0].operation);
    assert_int_equal(compare(&before, &after, moved, MOST), 1);
    assert_near(moved[0].speedup, 2, 1e-12);
    shape.k = 1024;
    roof_gemm(&shape, &after.measured[0].operation);
    assert_int_equal(compare(&before, &after, moved, MOST), 2);
}

static void test_gone_and_new(void **state) {
    (void)state;
    profile before = {.count = 0}, after = {.count = 0};
    roof_moved moved[MOST];
    add(&before, "<<<", 1, 1e-3, 1e9, 1e9); /* nothing is left of these without brackets: they are not alike */
    add(&after, "(((", 1, 4e-3, 1e9, 1e9);
    assert_int_equal(compare(&before, &after, moved, MOST), 2);
    assert_string_equal(moved[0].words, "new: it takes 4.00 ms");
    assert_null(moved[0].before);
    assert_exact(moved[0].speedup, 0);
    assert_string_equal(moved[1].words, "gone: it took 1.00 ms");
}

static void test_missing_time(void **state) {
    (void)state;
    profile before = {.count = 0}, after = {.count = 0};
    roof_moved moved[MOST];
    add(&before, "k", 1, 1e-3, 1e9, 1e9);
    add(&after, "k", 1, 1e-3, 1e9, 1e9);
    after.measured[0].seconds = (roof_count){0};
    assert_int_equal(compare(&before, &after, moved, MOST), 1);
    assert_exact(moved[0].speedup, 0);
    assert_string_equal(moved[0].words, "no time is known on both sides; memory-bound, then no bound");
}

/* Less room than there is to tell: those that changed most, in order. */
static void test_capacity(void **state) {
    (void)state;
    profile before = {.count = 0}, after = {.count = 0};
    roof_moved moved[MOST];
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    for (int i = 0; i < 5; i++) {
        add(&before, names[i], 1, 1e-3, 1e9, 1e9);
        add(&after, names[i], 1, 1e-3 * (1 + (i * 2) % 5), 1e9, 1e9); /* changed by 0, 2, 4, 1, 3 ms */
    }
    assert_int_equal(compare(&before, &after, moved, 2), 5);
    assert_ptr_equal(moved[0].before, &before.placed[2]);
    assert_ptr_equal(moved[1].before, &before.placed[4]);
    assert_int_equal(compare(&before, &after, NULL, 0), 5);
    size_t scratch[1];
    assert_int_equal(roof_compare(NULL, 0, NULL, 0, NULL, 0, scratch), 0);
}

/* ---- many kernels ---- */

static size_t name_comparisons;

int __real_strcmp(const char *a, const char *b);
int __wrap_strcmp(const char *a, const char *b);

int __wrap_strcmp(const char *a, const char *b) {
    name_comparisons++;
    return __real_strcmp(a, b);
}

/* `count` kernels under different names, and the same in another order: 7 shares no factor with the counts used. */
typedef struct crowd {
    roof_measured *measured;
    roof_placement *before, *after;
    char (*names)[16];
    roof_moved *moved;
    size_t *scratch, count;
} crowd;

static crowd gather(size_t count) {
    crowd c = {.measured = calloc(count, sizeof *c.measured),
               .before = calloc(count, sizeof *c.before),
               .after = calloc(count, sizeof *c.after),
               .names = calloc(count, sizeof *c.names),
               .moved = calloc(2 * count, sizeof *c.moved),
               .scratch = calloc(4 * count, sizeof *c.scratch),
               .count = count};
    assert_true(c.measured && c.before && c.after && c.names && c.moved && c.scratch);
    for (size_t i = 0; i < count; i++) {
        for (size_t digit = 0, left = i; digit < 6; digit++, left /= 10) /* no digits, which a plain name leaves out */
            c.names[i][digit] = (char)('g' + left % 10);
        c.measured[i] = (roof_measured){.name = c.names[i], .calls = 1};
        c.before[i] = (roof_placement){.measured = &c.measured[i], .seconds = 2};
        c.after[i * 7 % count] = (roof_placement){.measured = &c.measured[i], .seconds = 1};
    }
    return c;
}

static size_t pair_crowd(crowd *c) {
    return roof_compare(c->before, c->count, c->after, c->count, c->moved, 2 * c->count, c->scratch);
}

static void leave(crowd *c) {
    free(c->measured);
    free(c->before);
    free(c->after);
    free(c->names);
    free(c->moved);
    free(c->scratch);
}

/* As many as no fixed table holds: every one finds its own. */
static void test_many(void **state) {
    (void)state;
    crowd c = gather(40000);
    assert_int_equal(pair_crowd(&c), c.count);
    for (size_t i = 0; i < c.count; i++) {
        assert_non_null(c.moved[i].before);
        assert_non_null(c.moved[i].after);
        assert_string_equal(c.moved[i].before->measured->name, c.moved[i].after->measured->name);
    }
    leave(&c);
}

static double work_of(size_t count) {
    crowd c = gather(count);
    name_comparisons = 0;
    assert_int_equal(pair_crowd(&c), count);
    leave(&c);
    return (double)name_comparisons;
}

/* n log n: twice the kernels compare 2.15 times as many names at these counts, not four times. */
static void test_scales(void **state) {
    (void)state;
    double one = work_of(2000), two = work_of(4000);
    assert_true(one >= 2000); /* the comparisons are counted at all */
    assert_in_range((size_t)(100 * two / one), 200, 230);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_faster),       cmocka_unit_test(test_calls_and_bound),
        cmocka_unit_test(test_names),        cmocka_unit_test(test_exact_first),
        cmocka_unit_test(test_shape),        cmocka_unit_test(test_gone_and_new),
        cmocka_unit_test(test_missing_time), cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_many),         cmocka_unit_test(test_scales),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
