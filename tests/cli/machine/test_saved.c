/* Saved measurements: where they lie, what may replace them, the best of two, and files that are whole or not there. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/machine/saved.h"
#include "cli/out/files.h"
#include "roofline_read.h"
#include "test.h"

static char folder[] = "/tmp/roofline-test-XXXXXX";

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

/* ---- where ---- */

static void the_environment_names_the_folder(void **state) {
    (void)state;
    static const struct {
        const char *data, *home, *want;
    } cases[] = {
        {"/data", "/home/a", "/data/roofline/machines/"},
        {NULL, "/home/a", "/home/a/.local/share/roofline/machines/"},
        {"", "/home/a", "/home/a/.local/share/roofline/machines/"},
        {"relative", "/home/a", "/home/a/.local/share/roofline/machines/"}, /* XDG Base Directory Specification */
        {NULL, NULL, NULL},
        {"relative", "also", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char got[SAVED_PATH];
        roof_error error = {0};
        cases[i].data ? setenv("XDG_DATA_HOME", cases[i].data, 1) : unsetenv("XDG_DATA_HOME");
        cases[i].home ? setenv("HOME", cases[i].home, 1) : unsetenv("HOME");
        assert_int_equal(saved_folder(got, &error), cases[i].want ? 0 : -1);
        if (cases[i].want)
            assert_string_equal(got, cases[i].want);
        else
            assert_string_equal(error.what, "no place for measurements: HOME is not set to a folder");
    }
}

static void each_machine_and_device_has_a_file(void **state) {
    (void)state;
    char cpu[SAVED_PATH], same[SAVED_PATH], device[SAVED_PATH], host[SAVED_NAME], want[SAVED_PATH + SAVED_NAME];
    setenv("XDG_DATA_HOME", "/data", 1);
    roof_measure_host(host, sizeof host - 16);
    assert_int_equal(saved_path(NULL, cpu, NULL), 0);
    assert_int_equal(saved_path("cpu", same, NULL), 0);
    assert_int_equal(saved_path("opencl:0", device, NULL), 0);
    assert_string_equal(cpu, same);
    snprintf(want, sizeof want, "/data/roofline/machines/%s.json", host);
    assert_string_equal(cpu, want);
    snprintf(want, sizeof want, "/data/roofline/machines/%s-opencl-0.json", host);
    assert_string_equal(device, want);
    assert_true(saved_is_name("this") && saved_is_name("this:1") && saved_is_name("this-opencl-0"));
    assert_false(saved_is_name("thistle") || saved_is_name("this.json") || saved_is_name("THIS"));
}

/* ---- old against new ---- */

static roof_measurement measurement(int threads, double f64, double dram, double one_f64) {
    roof_measurement out = {.date = "2026-11-30T15:20:00Z", .threads = threads};
    out.machine.id = out.machine.name = out.one.id = out.one.name = "this";
    out.machine.peak[ROOF_VECTOR][ROOF_F64] =
        (roof_figure){.value = f64, .origin = ROOF_ORIGIN_MEASURED, .source = "new"};
    out.machine.bandwidth[ROOF_DRAM] = (roof_figure){.value = dram, .origin = ROOF_ORIGIN_MEASURED, .source = "new"};
    out.one.peak[ROOF_VECTOR][ROOF_F64] =
        (roof_figure){.value = one_f64, .origin = ROOF_ORIGIN_MEASURED, .source = "new"};
    return out;
}

static void each_roof_is_compared(void **state) {
    (void)state;
    saved_change changes[SAVED_CHANGES_MAX];
    roof_measurement before = measurement(2, 100, 50, 40), after = measurement(2, 97.001, 48, 42);
    after.machine.peak[ROOF_VECTOR][ROOF_INT8] = (roof_figure){.value = 9, .origin = ROOF_ORIGIN_MEASURED};
    assert_int_equal(saved_changes(&before, &after, changes), 4);
    static const struct {
        const char *name, *unit;
        int cores;
        double before, after;
        bool worse;
    } want[] = {
        {"f64 vector", "FLOP/s", 1, 40, 42, false},
        {"f64 vector", "FLOP/s", 2, 100, 97.001, false}, /* within 3% */
        {"int8 vector", "OP/s", 2, 0, 9, false},
        {"DRAM", "B/s", 2, 50, 48, true},
    };
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(changes[i].name, want[i].name);
        assert_string_equal(changes[i].unit, want[i].unit);
        assert_int_equal(changes[i].cores, want[i].cores);
        assert_exact(changes[i].before, want[i].before);
        assert_exact(changes[i].after, want[i].after);
        assert_int_equal(saved_is_worse(&changes[i]), want[i].worse);
    }
    saved_change lost = {.before = 1, .after = 0};
    assert_true(saved_is_worse(&lost)); /* not found again */
}

static void a_machine_of_one_core_is_compared_once(void **state) {
    (void)state;
    saved_change changes[SAVED_CHANGES_MAX];
    roof_measurement before = measurement(1, 100, 50, 100), after = before;
    assert_int_equal(saved_changes(&before, &after, changes), 2);
    assert_int_equal(changes[0].cores, 1);
}

static void every_roof_has_room(void **state) {
    (void)state;
    static saved_change changes[SAVED_CHANGES_MAX];
    roof_measurement all = measurement(2, 1, 1, 1);
    for (size_t at = offsetof(roof_machine, peak); at < offsetof(roof_machine, calibration); at += sizeof(roof_figure))
        *(roof_figure *)(void *)((char *)&all.machine + at) = *(roof_figure *)(void *)((char *)&all.one + at) =
            (roof_figure){.value = 1, .origin = ROOF_ORIGIN_GIVEN};
    assert_int_equal(saved_changes(&all, &all, changes), SAVED_CHANGES_MAX);
}

/* What runs taught stays when the same CPU is measured again, and only then. */
static void calibrations_stay_with_the_cpu(void **state) {
    (void)state;
    roof_calibration list = {.engine = ROOF_ENGINE_ALONE, .runs = 3};
    roof_measurement before = measurement(2, 100, 50, 40), after = measurement(2, 90, 60, 42), best;
    before.machine.calibration = &list;
    before.machine.calibration_count = 1;
    saved_keep_calibrations(&before, &after);
    assert_ptr_equal(after.machine.calibration, &list);
    assert_int_equal(after.machine.calibration_count, 1);
    assert_int_equal(after.one.calibration_count, 0);
    after = measurement(2, 90, 60, 42);
    assert_int_equal(saved_merge(&before, &after, &best, NULL), 0);
    assert_ptr_equal(best.machine.calibration, &list);
    free((void *)best.samples);
    snprintf(after.cpu, sizeof after.cpu, "another");
    saved_keep_calibrations(&before, &after);
    assert_null(after.machine.calibration);
}

static void the_best_of_both_keeps_its_source(void **state) {
    (void)state;
    roof_error error = {0};
    roof_measurement before = measurement(2, 100, 50, 40), after = measurement(2, 90, 60, 42), best;
    before.machine.peak[ROOF_VECTOR][ROOF_F64].source = "old";
    before.machine.peak[ROOF_MATRIX][ROOF_INT8] =
        (roof_figure){.value = 7, .origin = ROOF_ORIGIN_MEASURED, .source = "old"};
    snprintf(after.date, sizeof after.date, "2027-01-01");
    assert_int_equal(saved_merge(&before, &after, &best, &error), 0);
    assert_exact(best.machine.peak[ROOF_VECTOR][ROOF_F64].value, 100);
    assert_string_equal(best.machine.peak[ROOF_VECTOR][ROOF_F64].source, "old");
    assert_exact(best.machine.bandwidth[ROOF_DRAM].value, 60);
    assert_string_equal(best.machine.bandwidth[ROOF_DRAM].source, "new");
    assert_exact(best.machine.peak[ROOF_MATRIX][ROOF_INT8].value, 7); /* not found again: still the best known */
    assert_exact(best.one.peak[ROOF_VECTOR][ROOF_F64].value, 42);
    free((void *)best.samples);
    before.one.peak[ROOF_VECTOR][ROOF_F64].value = 43;
    assert_int_equal(saved_merge(&before, &after, &best, &error), 0);
    assert_exact(best.one.peak[ROOF_VECTOR][ROOF_F64].value, 43);
    assert_string_equal(best.date, "2027-01-01");
    assert_exact(after.machine.peak[ROOF_VECTOR][ROOF_F64].value, 90);
    free((void *)best.samples);
}

static roof_sample series(roof_pattern pattern, const char *isa, roof_level level, int threads, double value) {
    return (roof_sample){.pattern = pattern, .isa = isa, .level = level, .threads = threads, .value = value};
}

/* Whatever two runs found: every roof of both is in the merged file, no lower, and so is each series, the better one.
 */
static void each_roof_keeps_its_series(void **state) {
    (void)state;
    const roof_sample old[] = {
        series(ROOF_PATTERN_LOAD, "avx2", ROOF_DRAM, 2, 50), series(ROOF_PATTERN_CHASE, "base", ROOF_DRAM, 1, 90e-9),
        series(ROOF_PATTERN_LOAD, "avx2", ROOF_L3, 1, 200),  series(ROOF_PATTERN_LOAD, "avx2", ROOF_DRAM, 1, 30),
        series(ROOF_PATTERN_LOAD, "avx2", ROOF_DRAM, 1, 25), /* without huge pages */
    };
    const roof_sample new[] = {
        series(ROOF_PATTERN_CHASE, "base", ROOF_DRAM, 1, 80e-9),
        series(ROOF_PATTERN_LOAD, "avx2", ROOF_DRAM, 1, 29),
        series(ROOF_PATTERN_LOAD, "avx2", ROOF_DRAM, 1, 26),
        series(ROOF_PATTERN_LOAD, "avx512", ROOF_L3, 1, 190),
    };
    static const double want[] = {80e-9, 30, 26, 190, 50, 200};
    roof_measurement before = measurement(2, 100, 50, 40), after = measurement(2, 90, 0, 42), best;
    after.machine.bandwidth[ROOF_DRAM] = (roof_figure){0}; /* not found again */
    before.samples = old, before.sample_count = sizeof old / sizeof *old;
    after.samples = new, after.sample_count = sizeof new / sizeof *new;
    assert_int_equal(saved_merge(&before, &after, &best, NULL), 0);
    assert_exact(best.machine.bandwidth[ROOF_DRAM].value, 50);
    assert_int_equal(best.sample_count, sizeof want / sizeof *want);
    for (size_t i = 0; i < best.sample_count; i++)
        assert_exact(best.samples[i].value, want[i]);
    roof_measurement again;
    assert_int_equal(saved_merge(&best, &after, &again, NULL), 0); /* once more changes nothing */
    assert_int_equal(again.sample_count, best.sample_count);
    for (size_t i = 0; i < best.sample_count; i++)
        assert_exact(again.samples[i].value, want[i]);
    free((void *)again.samples);
    free((void *)best.samples);
}

/* A cache has one size: two runs give the same one in either order. */
static void sizes_do_not_depend_on_the_order(void **state) {
    (void)state;
    static const roof_figure figures[] = {
        {0},
        {.value = 300e6, .origin = ROOF_ORIGIN_GIVEN, .source = "reported"},
        {.value = 60e6, .origin = ROOF_ORIGIN_MEASURED, .source = "sweep"},
        {.value = 40e6, .origin = ROOF_ORIGIN_MEASURED, .source = "sweep"},
    };
    enum { FIGURES = sizeof figures / sizeof *figures };
    for (size_t i = 0; i < FIGURES; i++)
        for (size_t j = 0; j < FIGURES; j++) {
            roof_measurement one = measurement(2, 1, 1, 1), other = one, merged, swapped;
            one.machine.size[ROOF_L3] = figures[i];
            other.machine.size[ROOF_L3] = figures[j];
            size_t want = i == 0 ? j : j == 0 || i < j ? i : j;
            assert_int_equal(saved_merge(&one, &other, &merged, NULL), 0);
            assert_int_equal(saved_merge(&other, &one, &swapped, NULL), 0);
            assert_exact(merged.machine.size[ROOF_L3].value, figures[want].value);
            assert_exact(swapped.machine.size[ROOF_L3].value, figures[want].value);
            free((void *)merged.samples);
            free((void *)swapped.samples);
        }
}

static void other_machines_do_not_mix(void **state) {
    (void)state;
    roof_error error = {0};
    roof_measurement before = measurement(4, 100, 50, 40), after = measurement(2, 90, 60, 42), best;
    assert_int_equal(saved_merge(&before, &after, &best, &error), -1);
    assert_string_equal(error.what, "the saved roofs used 4 cores and the new ones 2: they cannot be merged");
    assert_string_equal(error.hint,
                        "--replace saves the new ones, --threads 4 measures as before, --no-save only shows them");
    before.threads = 2;
    snprintf(before.cpu, sizeof before.cpu, "Another CPU");
    assert_int_equal(saved_merge(&before, &after, &best, &error), -1);
    assert_string_equal(error.what, "the saved measurement is from another CPU, 'Another CPU', and was not replaced");
    assert_int_equal(saved_same_cpu(&after, &after, &error), 0);
}

static void fewer_cpus_and_other_versions_are_noted(void **state) {
    (void)state;
    char note[200];
    roof_measurement saved = measurement(1, 100, 50, 40);
    saved_note(&saved, false, note, sizeof note);
    assert_string_equal(note, ""); /* a version that is not told is not another */
    snprintf(saved.version, sizeof saved.version, "%s", roof_version());
    saved_note(&saved, false, note, sizeof note);
    assert_string_equal(note, "");
    snprintf(saved.version, sizeof saved.version, "0.0.1");
    saved_note(&saved, false, note, sizeof note);
    assert_non_null(strstr(note, "measured by version 0.0.1"));
    saved.threads = 60000;
    saved_note(&saved, false, note, sizeof note);
    assert_non_null(strstr(note, "measured with 60000 cores, and only "));
    saved_note(&saved, true, note, sizeof note); /* a device's units are no CPUs */
    assert_non_null(strstr(note, "measured by version 0.0.1"));
    roof_measure_cpu(saved.cpu, sizeof saved.cpu);
    saved_note(&saved, false, note, sizeof note);
    assert_non_null(strstr(note, "measured with 60000 cores, and only "));
    snprintf(saved.cpu, sizeof saved.cpu, "AMD EPYC 9R14");
    saved_note(&saved, true, note, sizeof note);
    assert_null(strstr(note, "9R14"));
    snprintf(saved.cpu, sizeof saved.cpu, "Another CPU");
    saved_note(&saved, false, note, sizeof note);
    assert_ptr_equal(strstr(note, "measured on Another CPU, and this is "), note);
    assert_non_null(strstr(note, ": run 'roofline measure'"));
}

/* ---- files ---- */

static size_t entries(const char *path) {
    char command[256];
    unsigned count = 0;
    snprintf(command, sizeof command, "ls -A '%s' | wc -l", path);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%u", &count), 1);
    pclose(pipe);
    return count;
}

static void what_is_saved_reads_back(void **state) {
    (void)state;
    char path[128], inside[128];
    bool one;
    roof_error error = {0};
    roof_measurement saved = measurement(2, 100, 50, 40);
    setenv("XDG_DATA_HOME", folder, 1);
    assert_null(saved_read("this", &one, &error));
    assert_int_equal(error.code, ROOF_ENOTFOUND);
    char names[4][SAVED_NAME];
    assert_int_equal(saved_names(names, 4), 0);
    char file[SAVED_PATH];
    assert_int_equal(saved_path(NULL, file, &error), 0);
    assert_int_equal(saved_write(file, &saved, &error), 0); /* and the folders are made */
    roof_machine_file *got = saved_read("this", &one, &error);
    assert_non_null(got);
    assert_false(one);
    assert_exact(roof_machine_file_measurement(got)->one.peak[ROOF_VECTOR][ROOF_F64].value, 40);
    roof_machine_file_free(got);
    roof_machine_file_free(saved_read("this:1", &one, &error));
    assert_true(one);
    assert_int_equal(saved_path("opencl:0", file, &error), 0);
    assert_int_equal(saved_write(file, &saved, &error), 0);
    assert_int_equal(saved_names(names, 4), 2);
    assert_string_equal(names[0], "this");
    assert_string_equal(names[1], "this-opencl-0");
    assert_int_equal(saved_names(names, 1), 1);
    snprintf(inside, sizeof inside, "%s/roofline/machines", folder);
    assert_int_equal(entries(inside), 2);
    snprintf(path, sizeof path, "%s/roofline/machines/x.json", folder);
    assert_int_equal(saved_write(path, &saved, &error), 0); /* over an old one */
    assert_int_equal(saved_write(path, &saved, &error), 0);
    assert_int_equal(entries(inside), 3);
}

static void a_failed_write_leaves_nothing(void **state) {
    (void)state;
    char path[128], inside[128];
    roof_error error = {0};
    roof_measurement saved = measurement(2, 100, 50, 40), empty = {.date = "d"};
    snprintf(path, sizeof path, "%s/file/x.json", folder);
    snprintf(inside, sizeof inside, "%s/file", folder);
    FILE *file = fopen(inside, "w");
    fclose(file);
    assert_int_equal(saved_write(path, &saved, &error), -1); /* its folder is a file */
    assert_int_equal(error.code, ROOF_EIO);
    assert_non_null(strstr(error.what, "cannot write"));
    assert_non_null(strstr(error.what, "not a directory"));
    assert_non_null(strstr(error.hint, "--no-save"));
    assert_int_equal(saved_write("/dev/full", &saved, &error), -1);
    assert_string_equal(error.what, "cannot write '/dev/full': no space left on device");
    /* What could not be read back is not written: here a machine without roofs. */
    snprintf(path, sizeof path, "%s/empty/x.json", folder);
    empty.machine.id = "this";
    assert_int_equal(saved_write(path, &empty, &error), -1);
    assert_int_equal(access(path, F_OK), -1);
    /* A folder of that name is in the way: the temporary file goes again. */
    snprintf(path, sizeof path, "%s/dir/x.json/y", folder);
    assert_int_equal(folders_make(path, &error), 0);
    snprintf(path, sizeof path, "%s/dir/x.json", folder);
    assert_int_equal(saved_write(path, &saved, &error), -1);
    snprintf(inside, sizeof inside, "%s/dir", folder);
    assert_int_equal(entries(inside), 1);
}

/* Asked before half a minute of measuring; a folder's rights tell nothing to root, a file in its place does. */
static void what_cannot_be_written_is_known_before(void **state) {
    (void)state;
    char path[160], inside[128];
    roof_error error = {0};
    snprintf(inside, sizeof inside, "%s/before", folder);
    assert_int_equal(mkdir(inside, 0777), 0);
    snprintf(path, sizeof path, "%s/before/some/where/x.json", folder);
    assert_int_equal(file_may_write(path, &error), 0);
    assert_int_equal(entries(inside), 0);
    assert_int_equal(file_may_write("x.json", &error), 0);
    assert_int_equal(file_may_write("/dev/null", &error), 0);
    snprintf(path, sizeof path, "%s/before/file", folder);
    fclose(fopen(path, "w"));
    assert_int_equal(file_may_write(path, &error), 0);
    snprintf(path, sizeof path, "%s/before/file/x/y.json", folder);
    assert_int_equal(file_may_write(path, &error), -1);
    assert_non_null(strstr(error.what, "/before/file/x/y.json': not a directory"));
    assert_int_equal(entries(inside), 1);
    if (geteuid() == 0)
        return;
    assert_int_equal(chmod(inside, 0555), 0);
    snprintf(path, sizeof path, "%s/before/x.json", folder);
    assert_int_equal(file_may_write(path, &error), -1);
    assert_non_null(strstr(error.what, "/before/x.json': permission denied"));
    assert_int_equal(chmod(inside, 0777), 0);
}

/* A file that only its owner may read stays so; a new one is as the system makes files. */
static void the_mode_of_a_file_stays(void **state) {
    (void)state;
    char path[128];
    struct stat info;
    roof_error error = {0};
    text_out out = {0};
    text_add(&out, "text");
    snprintf(path, sizeof path, "%s/mode", folder);
    mode_t mask = umask(022);
    assert_int_equal(file_write(path, &out, false, &error), 0);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0644);
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(file_write(path, &out, false, &error), 0);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    umask(mask);
    text_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_environment_names_the_folder),
        cmocka_unit_test(each_machine_and_device_has_a_file),
        cmocka_unit_test(each_roof_is_compared),
        cmocka_unit_test(a_machine_of_one_core_is_compared_once),
        cmocka_unit_test(every_roof_has_room),
        cmocka_unit_test(calibrations_stay_with_the_cpu),
        cmocka_unit_test(the_best_of_both_keeps_its_source),
        cmocka_unit_test(the_mode_of_a_file_stays),
        cmocka_unit_test(each_roof_keeps_its_series),
        cmocka_unit_test(sizes_do_not_depend_on_the_order),
        cmocka_unit_test(other_machines_do_not_mix),
        cmocka_unit_test(fewer_cpus_and_other_versions_are_noted),
        cmocka_unit_test(what_is_saved_reads_back),
        cmocka_unit_test(a_failed_write_leaves_nothing),
        cmocka_unit_test(what_cannot_be_written_is_known_before),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
