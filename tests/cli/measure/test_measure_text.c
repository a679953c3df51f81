/* What `roofline measure` says of a measurement: golden texts of a real one (measured_cpu.json), by what became of it.
 * With ROOFLINE_UPDATE set the goldens are written anew. */
#include <stdlib.h>

#include "cli/measure/measure.h"
#include "cli/out/answer.h"
#include "cli/out/files.h"
#include "roofline_read.h"
#include "test.h"

static roof_machine_file *file;

static int read_file(void **state) {
    roof_error error = {0};
    (void)state;
    file = machine_file_read(TEST_DATA "/measured_cpu.json", &error);
    if (!file)
        print_error("%s\n", error.what);
    return file ? 0 : -1;
}

static int free_file(void **state) {
    (void)state;
    roof_machine_file_free(file);
    return 0;
}

static void assert_golden(const char *name, const text_out *got) {
    char path[256];
    snprintf(path, sizeof path, TEST_DATA "/measure/%s", name);
    if (getenv("ROOFLINE_UPDATE")) {
        FILE *golden = fopen(path, "wb");
        assert_non_null(golden);
        fwrite(got->bytes, 1, got->length, golden);
        fclose(golden);
    }
    size_t length;
    roof_error error = {0};
    char *want = read_whole(path, 1 << 20, &length, &error);
    if (!want)
        fail_msg("%s", error.what);
    assert_string_equal(got->bytes, want);
    free(want);
}

static void assert_fits(const text_out *got) {
    for (const char *line = got->bytes; *line;) {
        size_t length = strcspn(line, "\n");
        assert_true(text_width(line, length) <= TEXT_COLUMNS);
        assert_true(length == 0 || line[length - 1] != ' ');
        line += length + (line[length] == '\n');
    }
}

static measure_question *ask(const cli_settings *settings, measure_outcome outcome) {
    measure_question *question = calloc(1, sizeof *question);
    question->settings = settings;
    question->result = roof_machine_file_measurement(file);
    question->outcome = outcome;
    snprintf(question->path, sizeof question->path, "/home/me/.local/share/roofline/machines/amd-epyc-2.json");
    return question;
}

static void say(measure_question *question, const char *golden) {
    text_out out = {0};
    measure_text(question, &out);
    assert_fits(&out);
    assert_golden(golden, &out);
    text_free(&out);
    free(question);
}

static void saved(void **state) {
    (void)state;
    cli_settings settings = {0};
    say(ask(&settings, MEASURE_SAVED), "saved.txt");
}

static void every_series(void **state) {
    (void)state;
    cli_settings settings = {.measure = {.samples = true, .no_save = true}};
    say(ask(&settings, MEASURE_NOT_ASKED), "samples.txt");
}

static void where_roofs_came_from(void **state) {
    (void)state;
    cli_settings settings = {.explain = true, .save = "x.json"};
    say(ask(&settings, MEASURE_MERGED), "explain.txt");
}

/* A run that found some roofs lower and one not at all. */
static void lower(void **state) {
    (void)state;
    cli_settings settings = {.diff = true};
    roof_measurement before = *roof_machine_file_measurement(file);
    before.machine.bandwidth[ROOF_DRAM].value *= 1.2;
    before.machine.peak[ROOF_VECTOR][ROOF_F64].value *= 0.9;
    before.one.bandwidth[ROOF_L1].value *= 1.04;
    before.one.peak[ROOF_MATRIX][ROOF_BF16] = (roof_figure){.value = 4.4e11, .origin = ROOF_ORIGIN_MEASURED};
    before.one.bandwidth[ROOF_L2].value *= 1.05;
    measure_question *question = ask(&settings, MEASURE_MERGED);
    question->before = &before;
    question->change_count = saved_changes(&before, question->result, question->changes);
    assert_int_equal(measure_worse(question), 4);
    say(question, "lower.txt");
}

/* The last line says that no answer about memory can come from what was saved. */
static void without_memory(void **state) {
    (void)state;
    cli_settings settings = {0};
    roof_measurement lacking = *roof_machine_file_measurement(file);
    text_out out = {0};
    lacking.machine.bandwidth[ROOF_DRAM] = (roof_figure){0};
    for (int outcome = MEASURE_NOT_ASKED; outcome <= MEASURE_FAILED; outcome++) {
        measure_question *question = ask(&settings, (measure_outcome)outcome);
        question->result = &lacking;
        measure_text(question, &out);
        const char *said = strstr(out.bytes, "\n  lacks       the DRAM bandwidth,");
        bool is_saved = outcome == MEASURE_SAVED || outcome == MEASURE_MERGED;
        assert_int_equal(measure_lacks_memory(question), is_saved);
        assert_int_equal(said != NULL, is_saved);
        assert_true(!said || !strstr(said, "\n  use "));
        assert_fits(&out);
        text_free(&out);
        free(question);
    }
}

/* One core, nothing found but a device's roofs and what it costs to reach. */
static void a_device(void **state) {
    (void)state;
    static const roof_sample samples[] = {
        {.pattern = ROOF_PATTERN_FMA,
         .isa = "opencl",
         .threads = 1,
         .dtype = ROOF_F32,
         .from_node = -1,
         .to_node = -1,
         .value = 2e13,

         .moved = 1,
         .huge = -1},
        {.pattern = ROOF_PATTERN_COPY,
         .isa = "opencl",
         .threads = 1,
         .from_node = -1,
         .to_node = -1,
         .value = 8e11,
         .moved = 1,
         .set_bytes = 1e9,
         .huge = -1},
        {.pattern = ROOF_PATTERN_TO_DEVICE,
         .isa = "opencl",
         .threads = 1,
         .from_node = -1,
         .to_node = -1,
         .value = 2.5e10,
         .moved = 1},
        {.pattern = ROOF_PATTERN_LAUNCH,
         .isa = "opencl",
         .threads = 1,
         .from_node = -1,
         .to_node = -1,
         .value = 6e-6,
         .moved = 1},
    };
    cli_settings settings = {.measure = {.device = "opencl:0", .samples = true}};
    roof_measurement device = {.date = "2026-11-30", .threads = 2, .samples = samples, .sample_count = 4};
    device.machine.name = "A device";
    device.machine.peak[ROOF_VECTOR][ROOF_F32] = (roof_figure){.value = 2e13, .origin = ROOF_ORIGIN_MEASURED};
    device.machine.bandwidth[ROOF_DRAM] = (roof_figure){.value = 8e11, .origin = ROOF_ORIGIN_MEASURED};
    measure_question *question = ask(&settings, MEASURE_SAVED);
    question->result = &device;
    say(question, "device.txt");
}

/* Nothing could be measured: no table, no number made up. */
static void nothing(void **state) {
    (void)state;
    cli_settings settings = {.measure.samples = true, .explain = true};
    roof_measurement empty = {.date = "2026-11-30", .threads = 2};
    measure_question *question = ask(&settings, MEASURE_FAILED);
    question->result = &empty;
    say(question, "nothing.txt");
}

static void rows_of_series(void **state) {
    (void)state;
    cli_settings settings = {0};
    measure_question *question = ask(&settings, MEASURE_SAVED);
    text_out out = {0};
    measure_csv(question, &out);
    assert_golden("series.csv", &out);
    text_free(&out);
    free(question);
}

/* Each level and data type has one series that became its roof, for each number of cores. */
static void every_roof_is_marked(void **state) {
    (void)state;
    const roof_measurement *measurement = roof_machine_file_measurement(file);
    const roof_machine *machines[] = {&measurement->one, &measurement->machine};
    for (int all = 0; all < 2; all++)
        for (int level = 0; level < ROOF_LEVEL_COUNT; level++) {
            int marked = 0;
            for (size_t i = 0; i < measurement->sample_count; i++) {
                const roof_sample *sample = &measurement->samples[i];
                marked += roof_pattern_is_memory(sample->pattern) && (int)sample->level == level &&
                          sample->threads == (all ? 2 : 1) && measure_is_roof(measurement, sample);
            }
            assert_int_equal(marked, machines[all]->bandwidth[level].origin != ROOF_ORIGIN_UNKNOWN);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saved),
        cmocka_unit_test(every_series),
        cmocka_unit_test(lower),
        cmocka_unit_test(without_memory),
        cmocka_unit_test(where_roofs_came_from),
        cmocka_unit_test(a_device),
        cmocka_unit_test(nothing),
        cmocka_unit_test(rows_of_series),
        cmocka_unit_test(every_roof_is_marked),
    };
    return cmocka_run_group_tests(tests, read_file, free_file);
}
