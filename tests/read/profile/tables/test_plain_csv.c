/* Our own CSV, and what every reader shares with it: streams, lines, fields, groups. Files are made here. */
#include <stdlib.h>
#include <unistd.h>

#include "alloc/alloc.h"
#include "read/profile/lines.h"
#include "reading.h"
#include "roofline_profile.h"

static void expect_fail(const char *text, const char *words, long line) {
    roof_error error = {.line = -1};
    assert_null(read_text(text, NULL, &error));
    if (!strstr(error.what, words))
        fail_msg("'%s' does not say '%s'", error.what, words);
    if (line > 0)
        assert_int_equal(error.line, line);
}

/* ---- columns ---- */

static void test_all_columns(void **state) {
    (void)state;
    roof_profile *profile =
        read_good("bytes_l1, Name ,where,calls,seconds,least_seconds,most_seconds,flops,matrix_flops,dtype,bytes_dram,"
                  "bytes_l3,bytes_l2,clock,matrix_active,extra\n"
                  "8e9,gemm,GPU 0,4,0.5,0.1,0.2,3e12,2.5e12,bf16,1e9,2e9,4e9,1.7e9,0.4,whatever\n");
    const roof_measured *m = point(profile, 0);
    assert_string_equal(m->name, "gemm");
    assert_string_equal(m->where, "GPU 0");
    assert_exact(m->calls, 4);
    assert_exact(m->seconds.value, 0.5);
    assert_exact(m->least_seconds, 0.1);
    assert_exact(m->most_seconds, 0.2);
    assert_int_equal(m->flop_count, 2);
    assert_int_equal(m->flops[0].unit, ROOF_MATRIX);
    assert_int_equal(m->flops[0].dtype, ROOF_BF16);
    assert_exact(m->flops[0].count.value, 2.5e12);
    assert_int_equal(m->flops[1].unit, ROOF_VECTOR);
    assert_near(m->flops[1].count.value, 5e11, 1e-12);
    assert_exact(m->bytes[ROOF_DRAM].value, 1e9);
    assert_exact(m->bytes[ROOF_L3].value, 2e9);
    assert_exact(m->bytes[ROOF_L2].value, 4e9);
    assert_exact(m->bytes[ROOF_L1].value, 8e9);
    assert_exact(m->clock, 1.7e9);
    assert_exact(m->matrix_active, 0.4);
    assert_int_equal(m->line, 2);
    roof_profile_free(profile);
}

static void test_missing_is_not_zero(void **state) {
    (void)state;
    roof_profile *profile = read_good("name,seconds,flops,dtype,bytes_dram\na,1,,f32,\nb,n/a,0,f32,0\n");
    const roof_measured *a = point(profile, 0), *b = point(profile, 1);
    assert_int_equal(a->flop_count, 0);
    assert_int_equal(a->bytes[ROOF_DRAM].certainty, ROOF_CERTAINTY_MISSING);
    assert_int_equal(b->seconds.certainty, ROOF_CERTAINTY_MISSING);
    assert_int_equal(b->flop_count, 1);
    assert_int_equal(b->flops[0].count.certainty, ROOF_CERTAINTY_COUNTED);
    assert_int_equal(b->bytes[ROOF_DRAM].certainty, ROOF_CERTAINTY_COUNTED);
    roof_profile_free(profile);
}

static void test_flops_by_dtype(void **state) {
    (void)state;
    roof_profile *profile =
        read_good("name,seconds,flops,matrix_flops,matrix_flops_bf16,flops_f64,flops_f32,at_least,computed\n"
                  "mixed,1,1000,600,600,100,200,flops,seconds\n");
    const roof_measured *m = point(profile, 0);
    double f64 = 0, f32 = 0, bf16 = 0, rest = 0;
    for (size_t i = 0; i < m->flop_count; i++) {
        assert_int_equal(m->flops[i].count.certainty, ROOF_CERTAINTY_AT_LEAST);
        double *to = m->flops[i].dtype == ROOF_F64    ? &f64
                     : m->flops[i].dtype == ROOF_F32  ? &f32
                     : m->flops[i].dtype == ROOF_BF16 ? &bf16
                                                      : &rest;
        *to = m->flops[i].count.value;
    }
    assert_exact(f64, 100);
    assert_exact(f32, 200);
    assert_exact(bf16, 600);
    assert_exact(rest, 100); /* what no column has is of no stated dtype */
    assert_int_equal(m->seconds.certainty, ROOF_CERTAINTY_COMPUTED);
    roof_profile_free(profile);
}

/* What is written for a part that was not counted reads back so: it is no zero, and the other parts stay whole. */
static void test_parts_not_counted(void **state) {
    (void)state;
    roof_profile *profile =
        read_good("name,seconds,flops,matrix_flops,flops_f32,flops_f64,bytes_dram,matrix_active,at_least,missing\n"
                  "part,1,5,,5,n/a,,,flops,with another run\n"
                  "bound,1,5,,5,n/a,,,flops flops_f32,with another run\n"
                  "busy,1,5,,5,,,0.5,flops,\n"
                  "whole,1,5,0,5,,,,,\n");
    const roof_measured *part = point_named(profile, "part"), *whole = point_named(profile, "whole");
    assert_count(flops_on(part, ROOF_VECTOR, ROOF_F32), 5, ROOF_CERTAINTY_COUNTED);
    assert_int_equal(part->flop_count, 2);
    assert_int_equal(flops_on(part, ROOF_VECTOR, ROOF_F64).certainty, ROOF_CERTAINTY_MISSING);
    assert_string_equal(part->missing, "with another run");
    assert_int_equal(flops_on(point_named(profile, "bound"), ROOF_VECTOR, ROOF_F32).certainty, ROOF_CERTAINTY_AT_LEAST);
    assert_string_equal(point_named(profile, "bound")->missing, "with another run");
    assert_int_equal(flops_on(point_named(profile, "busy"), ROOF_VECTOR, ROOF_F32).certainty, ROOF_CERTAINTY_COUNTED);
    assert_null(point_named(profile, "busy")->missing);
    assert_count(flops_on(whole, ROOF_MATRIX, ROOF_DTYPE_NONE), 0, ROOF_CERTAINTY_COUNTED);
    assert_int_equal(flops_on(part, ROOF_MATRIX, ROOF_DTYPE_NONE).certainty, ROOF_CERTAINTY_MISSING);
    roof_profile_free(profile);
}

static void test_unit_column(void **state) {
    (void)state;
    roof_profile *profile =
        read_good("name,seconds,flops,unit,dtype\na,1,5,matrix,f16\nb,1,5,vector,f16\nc,1,5,,f16\n");
    assert_int_equal(point(profile, 0)->flops[0].unit, ROOF_MATRIX);
    assert_int_equal(point(profile, 1)->flops[0].unit, ROOF_VECTOR);
    assert_int_equal(point(profile, 2)->flops[0].unit, ROOF_VECTOR);
    roof_profile_free(profile);
}

static void test_refusals(void **state) {
    (void)state;
    expect_fail("name,seconds,flops\na,1,abc\n", "flops 'abc'", 2);
    expect_fail("name,seconds\na,1\nb,-2\n", "seconds '-2'", 3);
    expect_fail("name,seconds,calls\na,1,0\n", "calls '0'", 2);
    expect_fail("name,seconds,flops,dtype\na,1,5,f33\n", "dtype 'f33'", 2);
    expect_fail("name,seconds,flops,unit\na,1,5,tensor\n", "unit 'tensor'", 2);
    expect_fail("name,seconds,flops,matrix_flops\na,1,5,6\n", "matrix_flops '6'", 2);
    expect_fail("name,seconds,clock\na,1,fast\n", "clock 'fast'", 2);
    expect_fail("name,seconds,matrix_flops_bf16\na,1,x\n", "'x'", 2);
    expect_fail("name,seconds,matrix_active\na,1,1.5\n", "matrix_active '1.5'", 2);
    expect_fail("name,seconds,flops\na,1,1e300\n", "flops '1e300'", 2);
    expect_fail("name,seconds\n", "holds no measurement", 0);
    expect_fail("name,flops\na,1\n", "not a recognised profile", 0);
    expect_fail("", "is empty", 0);
    expect_fail("a,b,c\n1,2,3\n", "table with unknown columns", 0);
    expect_fail("{\"a\": 1}", "JSON in an unknown format", 0);
    expect_fail("\x01\x02\x03\x04\x05 binary", "binary", 0);
    roof_error error = {0};
    assert_null(read_text("a,b\n1,2\n", &(roof_profile_options){.format = "csv"}, &error));
    assert_non_null(strstr(error.what, "no column 'name'"));
    assert_null(read_text("name,seconds\na,1\n", &(roof_profile_options){.format = "cvs"}, &error));
    assert_non_null(strstr(error.what, "unknown format 'cvs'"));
}

/* ---- bytes of a table ---- */

static void test_quotes_and_ends(void **state) {
    (void)state;
    roof_profile *profile = read_good("\xEF\xBB\xBF\"name\",\"seconds\",calls\r\n"
                                      "\"a, \"\"quoted\"\" <b,c>\",0.25,2\r\n"
                                      "\r\n"
                                      "# a remark\r\n"
                                      "\"two\nlines\",\"1\" , 3\r\n"
                                      "plain,2,1");
    assert_int_equal(point_count(profile), 3);
    assert_string_equal(point(profile, 0)->name, "a, \"quoted\" <b,c>");
    assert_string_equal(point(profile, 1)->name, "two lines");
    assert_exact(point(profile, 1)->calls, 3);
    assert_string_equal(point(profile, 2)->name, "plain");
    assert_non_null(strstr(roof_profile_warning(profile, 0), "no end"));
    roof_profile_free(profile);
}

static void test_names_are_cleaned(void **state) {
    (void)state;
    roof_profile *profile = read_good("name,seconds\nbad\x1b[31m\xff,1\n");
    assert_string_equal(point(profile, 0)->name, "bad?[31m?");
    roof_profile_free(profile);
}

static void test_separators(void **state) {
    (void)state;
    roof_profile *tabs = read_good("name\tseconds\tflops\na b, c\t0.5\t1e9\n");
    assert_string_equal(point(tabs, 0)->name, "a b, c");
    assert_exact(point(tabs, 0)->flops[0].count.value, 1e9);
    roof_profile_free(tabs);
    roof_profile *semicolons = read_good("name;seconds;flops\na;0,5;1.500.000,5\n");
    assert_exact(point(semicolons, 0)->seconds.value, 0.5);
    assert_exact(point(semicolons, 0)->flops[0].count.value, 1500000.5);
    roof_profile_free(semicolons);
}

static void test_locales(void **state) {
    (void)state;
    static const char *const same[] = {
        "name,seconds,bytes_dram\na,0.0125,12345678\n",           "name;seconds;bytes_dram\na;0,0125;12.345.678\n",
        "name,seconds,bytes_dram\na,\"0,0125\",\"12.345.678\"\n", "name,seconds,bytes_dram\na,0.0125,\"12,345,678\"\n",
        "name;seconds;bytes_dram\na;0,0125;12 345 678\n",
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        roof_profile *profile = read_good(same[i]);
        assert_exact(point(profile, 0)->seconds.value, 0.0125);
        assert_exact(point(profile, 0)->bytes[ROOF_DRAM].value, 12345678);
        roof_profile_free(profile);
    }
    expect_fail("name;seconds\na;1.234\n", "nothing in the file says which", 0);
    expect_fail("name;seconds;flops\na;1,5;2.5\n", "both '.' and ','", 0);
    roof_error error = {0};
    roof_profile_options comma = {.decimal = ','}, dot = {.decimal = '.'};
    roof_profile *as_comma = read_text("name;seconds\na;1.234\n", &comma, &error),
                 *as_dot = read_text("name;seconds\na;1.234\n", &dot, &error);
    assert_exact(point(as_comma, 0)->seconds.value, 1234);
    assert_exact(point(as_dot, 0)->seconds.value, 1.234);
    roof_profile_free(as_comma);
    roof_profile_free(as_dot);
}

/* The decimal mark is decided by the first 64 KB: a later number that contradicts it stops the reader. */
static void test_late_contradiction(void **state) {
    (void)state;
    size_t room = 1 << 17, used;
    char *text = malloc(room);
    assert_non_null(text);
    used = (size_t)sprintf(text, "name;seconds\n");
    for (int i = 0; used < (1 << 16) + 4096; i++)
        used += (size_t)sprintf(text + used, "kernel %d;0,%d\n", i, i % 7 + 1);
    strcpy(text + used, "late;1.5\n");
    roof_error error = {0};
    assert_null(read_text(text, NULL, &error));
    assert_non_null(strstr(error.what, "'1.5'"));
    strcpy(text + used, "late;1.500\n");
    roof_profile *profile = read_text(text, NULL, &error);
    assert_exact(point(profile, point_count(profile) - 1)->seconds.value, 1500);
    roof_profile_free(profile);
    free(text);
}

static void test_name_like_a_number(void **state) {
    (void)state;
    roof_profile *profile = read_good("name;seconds\n1.234;0,5\n");
    assert_string_equal(point(profile, 0)->name, "1.234");
    assert_exact(point(profile, 0)->seconds.value, 0.5);
    roof_profile_free(profile);
}

/* ---- groups ---- */

static const char launches[] = "name,where,seconds,flops,dtype,bytes_dram\n"
                               "a,GPU 0,0.1,10,f32,100\n"
                               "b,GPU 0,0.2,20,f32,200\n"
                               "a,GPU 1,0.4,40,f32,400\n"
                               "a,GPU 0,0.3,30,f32,\n"
                               "b,GPU 0,0.2,20,f64,200\n";

static void test_groups(void **state) {
    (void)state;
    roof_profile *profile = read_good(launches);
    assert_int_equal(point_count(profile), 3);
    const roof_measured *a = point(profile, 0), *b = point(profile, 1);
    assert_exact(a->calls, 2);
    assert_near(a->seconds.value, 0.4, 1e-15);
    assert_exact(a->least_seconds, 0.1);
    assert_exact(a->most_seconds, 0.3);
    assert_exact(a->flops[0].count.value, 40);
    assert_int_equal(a->flops[0].count.certainty, ROOF_CERTAINTY_COUNTED);
    assert_exact(a->bytes[ROOF_DRAM].value, 100);
    assert_int_equal(a->bytes[ROOF_DRAM].certainty, ROOF_CERTAINTY_AT_LEAST); /* one launch did not say */
    assert_int_equal(b->flop_count, 2);
    assert_int_equal(b->flops[1].dtype, ROOF_F64);
    assert_int_equal(b->flops[0].count.certainty, ROOF_CERTAINTY_AT_LEAST); /* the second launch has no f32 count */
    assert_string_equal(point(profile, 2)->where, "GPU 1");
    roof_profile_free(profile);
}

static void test_each_launch(void **state) {
    (void)state;
    roof_error error = {0};
    roof_profile *profile = read_text(launches, &(roof_profile_options){.launches = true}, &error);
    assert_int_equal(point_count(profile), 5);
    assert_exact(point(profile, 3)->seconds.value, 0.3);
    roof_profile_free(profile);
}

/* A table that -o wrote: kernels of one name differ in what the columns do not hold, such as shapes. */
static void test_own_table(void **state) {
    (void)state;
    roof_profile *profile = read_good("name,where,calls,seconds,bytes_dram,share,standing\n"
                                      "a,GPU 0,4,0.4,40,0.8,below its roof\n"
                                      "a,GPU 0,1,0.1,5,0.2,near its roof\n");
    assert_int_equal(point_count(profile), 2);
    assert_exact(point(profile, 0)->calls, 4);
    assert_exact(point(profile, 1)->bytes[ROOF_DRAM].value, 5);
    roof_profile_free(profile);
}

static void test_many_groups(void **state) {
    (void)state;
    enum { KERNELS = 3000 };
    char *text = malloc(2 * KERNELS * 32 + 64);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "name,seconds\n");
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < KERNELS; i++)
            used += (size_t)sprintf(text + used, "kernel_%d,0.%d\n", i, i % 9 + 1);
    roof_profile *profile = read_good(text);
    assert_int_equal(point_count(profile), KERNELS);
    for (int i = 0; i < KERNELS; i++) {
        char name[32];
        sprintf(name, "kernel_%d", i);
        assert_string_equal(point(profile, (size_t)i)->name, name);
        assert_exact(point(profile, (size_t)i)->calls, 2);
    }
    roof_profile_free(profile);
    free(text);
}

/* ---- damage ---- */

/* Whatever the cut: the rows before it as they are, the last one whole, doubted or dropped with a word; never a zero.
 */
static void test_every_cut(void **state) {
    (void)state;
    static const char text[] = "name,seconds,flops,dtype,bytes_dram\n"
                               "\"gemm<1, 2>\",0.25,123456789,f32,98765432\n"
                               "copy,0.5,,f32,24000000\n";
    char part[sizeof text];
    for (size_t length = 0; length < sizeof text - 1; length++) {
        roof_error error = {0};
        memcpy(part, text, length);
        part[length] = '\0';
        roof_profile *profile = read_text(part, NULL, &error);
        if (!profile) {
            assert_true(error.what[0] != '\0');
            continue;
        }
        bool whole_row = length > 0 && text[length - 1] == '\n';
        assert_true(whole_row || roof_profile_warning(profile, 0) != NULL);
        for (size_t i = 0; i < point_count(profile); i++) {
            assert_true(point(profile, i)->seconds.certainty == ROOF_CERTAINTY_MISSING ||
                        point(profile, i)->seconds.value > 0);
            for (size_t k = 0; k < point(profile, i)->flop_count; k++)
                assert_true(point(profile, i)->flops[k].count.value > 0);
        }
        roof_profile_free(profile);
        profile = read_text(part, &(roof_profile_options){.strict = true}, &error);
        roof_profile_free(profile);
    }
}

static void test_strict(void **state) {
    (void)state;
    roof_error error = {0};
    roof_profile_options strict = {.strict = true};
    assert_null(read_text("name,seconds,flops\na,1,2\nb,1", &strict, &error));
    assert_non_null(strstr(error.what, "which strict reading refuses"));
    assert_null(read_text("name,seconds\na,1\n,2\n", &strict, &error));
    assert_non_null(strstr(error.what, "which strict reading refuses"));
    roof_profile *profile = read_text("name,seconds\na,1\n", &strict, &error);
    assert_non_null(profile);
    roof_profile_free(profile);
}

static void test_open_quote(void **state) {
    (void)state;
    roof_profile *profile = read_good("name,seconds\na,1\n\"never closed,2\nc,3\n");
    assert_int_equal(point_count(profile), 1);
    assert_exact(roof_profile_about(profile)->dropped, 1);
    roof_profile_free(profile);
}

static void test_long_line(void **state) {
    (void)state;
    size_t length = (2 << 20) + 100;
    char *text = malloc(length + 64);
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "name,seconds\n");
    memset(text + used, 'x', length - used);
    strcpy(text + length, ",1\nnext,2\n");
    roof_profile *profile = read_good(text);
    assert_string_equal(point(profile, point_count(profile) - 1)->name,
                        "next"); /* the long one is dropped, not misread */
    assert_exact(roof_profile_about(profile)->dropped, 1);
    roof_profile_free(profile);
    free(text);
}

static void test_random_bytes(void **state) {
    (void)state;
    static const char alphabet[] = "name,seconds\n\r\t;\"0123456789.eE+-# \xff\xC2\xA0";
    uint32_t seed = 12345;
    char text[512];
    for (int round = 0; round < 20000; round++) {
        size_t length = (size_t)sprintf(text, "name,seconds\n");
        seed = seed * 1664525 + 1013904223;
        size_t more = seed >> 24;
        for (size_t i = 0; i < more; i++) {
            seed = seed * 1664525 + 1013904223;
            text[length++] = alphabet[(seed >> 20) % (sizeof alphabet - 1)];
        }
        text[length] = '\0';
        roof_error error = {0};
        roof_profile *profile = read_text(text, NULL, &error);
        assert_true(profile || error.what[0]);
        roof_profile_free(profile);
    }
}

/* ---- files ---- */

static const char *file_with(const void *bytes, size_t length) {
    static char path[64];
    strcpy(path, "plain_csv_XXXXXX");
    int handle = mkstemp(path);
    assert_true(handle >= 0);
    assert_int_equal(write(handle, bytes, length), (ssize_t)length);
    close(handle);
    return path;
}

#ifdef ROOFLINE_HAVE_ZLIB
#include <zlib.h>

static size_t pack(const char *text, unsigned char *out, size_t room) {
    z_stream packer = {0};
    assert_int_equal(deflateInit2(&packer, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    packer.next_in = (unsigned char *)(uintptr_t)text;
    packer.avail_in = (uInt)strlen(text);
    packer.next_out = out;
    packer.avail_out = (uInt)room;
    assert_int_equal(deflate(&packer, Z_FINISH), Z_STREAM_END);
    size_t length = packer.total_out;
    deflateEnd(&packer);
    return length;
}

static void test_gzip(void **state) {
    (void)state;
    unsigned char bytes[4096];
    size_t first = pack("name,seconds\na,1\n", bytes, sizeof bytes),
           all = first + pack("b,2\n", bytes + first, sizeof bytes - first);
    roof_error error = {0};
    roof_profile *profile = roof_read_profile_bytes(bytes, all, NULL, &error); /* two members joined */
    assert_int_equal(point_count(profile), 2);
    roof_profile_free(profile);
    const char *path = file_with(bytes, all);
    profile = roof_read_profile(path, NULL, &error);
    unlink(path);
    assert_int_equal(point_count(profile), 2);
    roof_profile_free(profile);
    for (size_t length = 0; length < all; length++) { /* every cut says so, or fails */
        profile = roof_read_profile_bytes(bytes, length, NULL, &error);
        if (profile && length != first)
            assert_true(roof_profile_about(profile)->ended_early || roof_profile_warning(profile, 0));
        roof_profile_free(profile);
    }
    bytes[first / 2] ^= 0x55;
    profile = roof_read_profile_bytes(bytes, all, NULL, &error);
    roof_profile_free(profile);
}
#endif

static void test_files(void **state) {
    (void)state;
    roof_error error = {0};
    assert_null(roof_read_profile("no such file.csv", NULL, &error));
    assert_non_null(strstr(error.what, "no such file or directory"));
    assert_null(roof_read_profile(".", NULL, &error));
    assert_non_null(strstr(error.what, "is a directory"));
    static const char text[] = "name,seconds\na,1\n";
    const char *path = file_with(text, sizeof text - 1);
    roof_profile *profile = roof_read_profile(path, NULL, &error);
    unlink(path);
    assert_non_null(profile);
    assert_string_equal(roof_profile_about(profile)->format->id, "csv");
    roof_profile_free(profile);
    roof_profile_free(NULL);
}

static void test_no_memory(void **state) {
    (void)state;
    ALLOC_FAIL_EACH(n, {
        roof_error error = {0};
        roof_profile *profile = read_text(launches, NULL, &error);
        if (!profile && error.code != ROOF_ENOMEM)
            fail_msg("allocation %zu: '%s'", n, error.what);
        roof_profile_free(profile);
        assert_int_equal(alloc_live(), 0);
    })
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_columns),
        cmocka_unit_test(test_missing_is_not_zero),
        cmocka_unit_test(test_flops_by_dtype),
        cmocka_unit_test(test_parts_not_counted),
        cmocka_unit_test(test_unit_column),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_quotes_and_ends),
        cmocka_unit_test(test_names_are_cleaned),
        cmocka_unit_test(test_separators),
        cmocka_unit_test(test_locales),
        cmocka_unit_test(test_late_contradiction),
        cmocka_unit_test(test_name_like_a_number),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_each_launch),
        cmocka_unit_test(test_own_table),
        cmocka_unit_test(test_own_table),
        cmocka_unit_test(test_many_groups),
        cmocka_unit_test(test_every_cut),
        cmocka_unit_test(test_strict),
        cmocka_unit_test(test_open_quote),
        cmocka_unit_test(test_long_line),
        cmocka_unit_test(test_random_bytes),
#ifdef ROOFLINE_HAVE_ZLIB
        cmocka_unit_test(test_gzip),
#endif
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
