/* Machine files: every machine of the catalogue reads back the same; bad files say what is wrong and where. */
#include <stdlib.h>

#include "roofline_expected.h"
#include "roofline_read.h"
#include "test.h"

typedef struct text {
    char bytes[32768];
    size_t length, limit; /* limit: stop the writer after so many bytes; 0: never */
} text;

static int append(void *context, const char *bytes, size_t length) {
    text *out = context;
    if (out->length + length >= sizeof out->bytes || (out->limit && out->length + length > out->limit))
        return 1;
    memcpy(out->bytes + out->length, bytes, length);
    out->length += length;
    out->bytes[out->length] = '\0';
    return 0;
}

static void assert_same_text(const char *got, const char *want) {
    if (!want)
        assert_null(got);
    else
        assert_string_equal(got, want);
}

/* Figures lie side by side from `peak` to the calibrations. */
static void assert_same_figures(const roof_machine *got, const roof_machine *want) {
    for (size_t at = offsetof(roof_machine, peak); at < offsetof(roof_machine, calibration);
         at += sizeof(roof_figure)) {
        const roof_figure *a = (const roof_figure *)(const void *)((const char *)got + at);
        const roof_figure *b = (const roof_figure *)(const void *)((const char *)want + at);
        assert_exact(a->value, b->value);
        assert_int_equal(a->origin, b->origin);
        assert_int_equal(a->unchecked, b->unchecked);
        assert_same_text(a->source, b->source);
    }
}

static void assert_reads_back(const roof_machine *machine) {
    static text out, again;
    roof_error error;
    out = again = (text){.length = 0};
    assert_int_equal(roof_machine_write(machine, append, &out), 0);
    roof_machine_file *file = roof_read_machine(out.bytes, out.length, &error);
    if (!file)
        fail_msg("%s: %s", machine->id, error.what);
    const roof_machine *got = roof_machine_file_machine(file);
    assert_same_figures(got, machine);
    assert_string_equal(got->id, machine->id);
    assert_string_equal(got->name, machine->name);
    assert_same_text(got->vendor, machine->vendor);
    assert_same_text(got->architecture, machine->architecture);
    assert_same_text(got->scope, machine->scope);
    assert_same_text(got->memory_kind, machine->memory_kind);
    assert_same_text(got->link_kind, machine->link_kind);
    assert_same_text(got->note, machine->note);
    assert_int_equal(got->year, machine->year);
    assert_int_equal(roof_machine_write(got, append, &again), 0);
    assert_string_equal(again.bytes, out.bytes);
    roof_machine_file_free(file);
}

static void every_machine_reads_back(void **state) {
    (void)state;
    roof_machine machine;
    assert_true(roof_machine_count() > 100);
    for (size_t i = 0; roof_machine_at(i, &machine) == 0; i++)
        assert_reads_back(&machine);
}

/* A machine with every figure there is, each another value that has no short decimal. */
static void every_figure_reads_back(void **state) {
    (void)state;
    roof_machine machine = {
        .id = "all", .name = "A \"quoted\" \\ name\n", .vendor = "\xc3\x9c", .note = "", .year = 2026};
    double value = 1e12 / 3;
    for (size_t at = offsetof(roof_machine, peak); at < offsetof(roof_machine, calibration);
         at += sizeof(roof_figure)) {
        roof_figure *figure = (roof_figure *)(void *)((char *)&machine + at);
        value = value * 1.0007 + 0.1;
        *figure = (roof_figure){value, (roof_origin)(ROOF_ORIGIN_DATASHEET + (int)(at / sizeof(roof_figure)) % 4),
                                at % 3 == 0, "somewhere"};
    }
    for (int i = 0; i < ROOF_DTYPE_COUNT; i++) /* storage formats share the roof of their math type */
        if (roof_dtype_math((roof_dtype)i) != (roof_dtype)i || i == ROOF_DTYPE_NONE)
            machine.peak[0][i] = machine.peak[1][i] = machine.narrow[i] = machine.sparse[i] = (roof_figure){0};
    assert_reads_back(&machine);
}

/* ---- calibrations ---- */

static void assert_same_calibration(const roof_calibration *got, const roof_calibration *want) {
    assert_int_equal(got->engine, want->engine);
    assert_exact(got->runs, want->runs);
    assert_same_text(got->date, want->date);
    assert_same_text(got->source, want->source);
    for (int i = 0; i < ROOF_CONSTANT_COUNT; i++) {
        assert_exact(got->value[i].value, want->value[i].value);
        assert_int_equal(got->value[i].origin, want->value[i].origin);
        assert_same_text(got->value[i].source, want->value[i].source);
        assert_exact(got->spread[i], want->spread[i]);
    }
    for (int i = 0; i < ROOF_REGIME_COUNT; i++) {
        assert_exact(got->low[i], want->low[i]);
        assert_exact(got->high[i], want->high[i]);
    }
}

/* Every constant and every interval, each another value that has no short decimal; and the constants that are used. */
static void calibrations_read_back(void **state) {
    (void)state;
    static text out, again;
    roof_calibration list[2] = {{.engine = ROOF_ENGINE_LLAMA_CPP,
                                 .runs = 12,
                                 .date = "2026-11-30T15:20:00Z",
                                 .source = "llama \"bench\".json (12 times)"},
                                {.engine = ROOF_ENGINE_ALONE, .runs = 3}};
    double value = 1.0 / 3;
    for (int i = 0; i < ROOF_CONSTANT_COUNT; i++) {
        value *= 1.007;
        bool seconds = roof_constant_unit((roof_constant)i)[0] != '\0';
        list[0].value[i] = (roof_figure){seconds ? value * 1e-5 : value, ROOF_ORIGIN_MEASURED, false, "runs"};
        list[0].spread[i] = value / 7;
    }
    for (int i = 0; i < ROOF_REGIME_COUNT; i++) {
        list[0].low[i] = value / 2 + i / 37.0;
        list[0].high[i] = list[0].low[i] * 1.3;
    }
    list[1].value[ROOF_CONSTANT_LAUNCH] = (roof_figure){.value = 0, .origin = ROOF_ORIGIN_GIVEN};
    roof_machine machine;
    roof_error error = {0};
    assert_int_equal(roof_machine_find("groq", &machine, NULL, 0, NULL), 0);
    machine.calibration = list;
    machine.calibration_count = 2;
    out = again = (text){.length = 0};
    assert_int_equal(roof_machine_write(&machine, append, &out), 0);
    roof_machine_file *file = roof_read_machine(out.bytes, out.length, &error);
    if (!file)
        fail_msg("%s", error.what);
    const roof_machine *got = roof_machine_file_machine(file);
    assert_int_equal(got->calibration_count, 2);
    assert_same_calibration(&got->calibration[0], &list[0]);
    assert_same_calibration(&got->calibration[1], &list[1]);
    assert_int_equal(roof_machine_write(got, append, &again), 0);
    assert_string_equal(again.bytes, out.bytes);
    roof_constants use;
    roof_constants_of(got, ROOF_ENGINE_LLAMA_CPP, &use);
    assert_exact(use.value[ROOF_CONSTANT_STREAM].value, list[0].value[ROOF_CONSTANT_STREAM].value);
    assert_exact(use.high[ROOF_REGIME_DECODE], list[0].high[ROOF_REGIME_DECODE]);
    roof_machine_file_free(file);
}

/* Roofs, sizes and all else are those of the file without it. */
static void a_calibration_moves_no_bound(void **state) {
    (void)state;
    roof_calibration one = {.engine = ROOF_ENGINE_ALONE, .runs = 1};
    one.value[ROOF_CONSTANT_STREAM] = (roof_figure){.value = 0.1, .origin = ROOF_ORIGIN_MEASURED};
    roof_machine machine, with;
    roof_operation operation;
    roof_verdict before, after;
    assert_int_equal(roof_machine_find("h100-sxm", &machine, NULL, 0, NULL), 0);
    with = machine;
    with.calibration = &one;
    with.calibration_count = 1;
    roof_gemm(
        &(roof_gemm_shape){.batch = 1, .m = 8, .n = 4096, .k = 4096, .a = ROOF_BF16, .b = ROOF_BF16, .c = ROOF_BF16},
        &operation);
    assert_int_equal(roof_judge(&machine, &operation, &before, NULL), 0);
    assert_int_equal(roof_judge(&with, &operation, &after, NULL), 0);
    assert_exact(after.seconds, before.seconds);
}

static void a_writer_that_stops_is_told(void **state) {
    (void)state;
    static text out;
    roof_machine machine;
    assert_int_equal(roof_machine_find("h100-sxm", &machine, NULL, 0, NULL), 0);
    out = (text){.limit = 100};
    assert_int_equal(roof_machine_write(&machine, append, &out), -1);
}

static roof_machine_file *read_ok(const char *json) {
    roof_error error = {0};
    roof_machine_file *file = roof_read_machine(json, strlen(json), &error);
    if (!file)
        fail_msg("%s: %s", json, error.what);
    return file;
}

static void a_short_file_is_enough(void **state) {
    (void)state;
    roof_machine_file *file = read_ok(
        "{\"id\":\"x\",\"roofs\":[{\"kind\":\"compute\",\"unit\":\"vector\",\"dtype\":\"float32\",\"value\":1e12},"
        "{\"kind\":\"memory\",\"level\":\"dram\",\"value\":1e11}],\"usable\":16e9}");
    const roof_machine *machine = roof_machine_file_machine(file);
    assert_string_equal(machine->name, "x");
    assert_exact(roof_machine_ridge(machine, ROOF_VECTOR, ROOF_F32), 10);
    assert_exact(roof_machine_capacity(machine), 16e9);
    assert_int_equal(machine->usable.origin, ROOF_ORIGIN_GIVEN);
    assert_int_equal(machine->link.origin, ROOF_ORIGIN_UNKNOWN);
    assert_int_equal(roof_machine_file_warnings(file), 0);
    assert_null(roof_machine_file_warning(file, 0));
    roof_machine_file_free(file);
    roof_machine_file_free(NULL);
}

static void gaps_are_said(void **state) {
    (void)state;
    roof_machine_file *file = read_ok("{\"id\":\"x\",\"roofs\":[{\"kind\":\"link\",\"value\":1e9}]}");
    assert_int_equal(roof_machine_file_warnings(file), 3);
    assert_string_equal(roof_machine_file_warning(file, 0),
                        "x: no compute roof is given: only memory and link are judged");
    assert_string_equal(roof_machine_file_warning(file, 1),
                        "x: no DRAM bandwidth is given: work that touches memory cannot be judged");
    assert_string_equal(roof_machine_file_warning(file, 2),
                        "x: no DRAM size is given: whether a model fits is unknown");
    assert_null(roof_machine_file_warning(file, 3));
    roof_machine_file_free(file);
}

/* Measured roofs come for one core and for all: all counts, in whatever order. */
static void most_cores_count(void **state) {
    (void)state;
    roof_machine_file *file = read_ok("{\"id\":\"x\",\"roofs\":["
                                      "{\"kind\":\"memory\",\"level\":\"DRAM\",\"value\":2e10,\"cores\":8},"
                                      "{\"kind\":\"memory\",\"level\":\"DRAM\",\"value\":1e10,\"cores\":1},"
                                      "{\"kind\":\"memory\",\"level\":\"L2\",\"value\":1e11,\"cores\":1},"
                                      "{\"kind\":\"memory\",\"level\":\"L2\",\"value\":8e11}]}");
    assert_exact(roof_machine_file_machine(file)->bandwidth[ROOF_DRAM].value, 2e10);
    assert_exact(roof_machine_file_machine(file)->bandwidth[ROOF_L2].value, 8e11);
    roof_machine_file_free(file);
}

#define OK_ROOF "{\"kind\":\"memory\",\"level\":\"DRAM\",\"value\":1e12}"
#define FILE_WITH(item) "{\"id\":\"x\",\n\"roofs\":[" OK_ROOF ",\n" item "]}"
#define COMPUTE "{\"kind\":\"compute\",\"unit\":\"matrix\",\"dtype\":\"bf16\""

#define CALIBRATED(items) "{\"id\":\"x\",\"roofs\":[" OK_ROOF "],\n\"calibrations\":[" items "]}"
#define ENGINE "{\"engine\":\"serving\",\"runs\":4,\"constants\":["
#define STREAM "{\"name\":\"stream\",\"value\":0.8,\"origin\":\"measured\"}"

typedef struct bad_file {
    const char *json;
    long line; /* -1: no place */
    const char *what, *hint;
} bad_file;

static const bad_file bad_files[] = {
    {"", 1, "not valid JSON: the text is empty", ""},
    {"[]", -1, "a machine file is an object, not a list", ""},
    {"{\"schema\":\"roofline/9\",\"machine\":{}}", 1, "schema is not 'roofline/1'", ""},
    {"{\"machine\":[]}", 1, "machine is a list, not an object", ""},
    {"{\"machine\":{},\n\"machin\":1}", 2, "unknown key 'machin'", "did you mean 'machine'?"},
    {"{}", -1, "id is missing", ""},
    {"{\"id\":\"\",\"roofs\":[]}", 1, "id is empty", ""},
    {"{\"id\":7}", 1, "id is a number, not a string", ""},
    {"{\"id\":\"x\",\n\"name\":\"a\\u001b[31m\",\"roofs\":[]}", 2, "name holds a control character (byte 0x1b)", ""},
    {"{\"id\":\"x\"}", -1, "the machine has no roofs: key 'roofs' is missing or empty", ""},
    {"{\"id\":\"x\",\n\"roofs\":7}", 2, "roofs is a number, not a list", ""},
    {"{\"id\":\"x\",\n\"bandwith\":1e12,\"roofs\":[]}", 2, "unknown key 'bandwith'", ""},
    {"{\"id\":\"x\",\n\"vendr\":\"y\",\"roofs\":[]}", 2, "unknown key 'vendr'", "did you mean 'vendor'?"},
    {"{\"id\":\"x\",\"roofs\":[" OK_ROOF "],\n\"year\":\"2020\"}", 2, "year is a string, not a number", ""},
    {"{\"id\":\"x\",\"roofs\":[" OK_ROOF "],\n\"year\":20}", 2, "year is 20: it must be 1900 to 2200", ""},
    {"{\"id\":\"x\",\"roofs\":[" OK_ROOF "],\n\"power\":0}", 2, "power is 0: it must be above zero", ""},
    {"{\"id\":\"x\",\"roofs\":[" OK_ROOF "],\n\"link_latency\":1e-320}", 2,
     "link_latency is 9.99989e-321: no figure of a machine is below 1e-15 or above 1e+27", ""},
    {"{\"id\":\"x\",\"roofs\":[" OK_ROOF "],\n\"launch\":-1}", 2, "launch is -1: it must be zero or more", ""},
    {"{\"id\":\"x\",\"roofs\":[" OK_ROOF "],\n\"launch\":\"3us\"}", 2, "launch is a string, not a number or an object",
     ""},
    {"{\"id\":\"x\",\"roofs\":[" OK_ROOF "],\n\"units\":{\"valu\":3}}", 2, "units: unknown key 'valu'",
     "did you mean 'value'?"},
    {"{\"id\":\"x\",\"roofs\":[" OK_ROOF "],\n\"units\":{\"source\":\"a\"}}", 2, "units.value is missing", ""},
    {FILE_WITH("3"), 3, "roofs[1] is a number, not an object", ""},
    {FILE_WITH("{}"), 3, "roofs[1].kind is missing", ""},
    {FILE_WITH("{\"kind\":\"memmory\"}"), 3, "roofs[1].kind 'memmory' is not one of compute, memory, link", ""},
    {FILE_WITH("{\"kind\":\"memory\",\"level\":\"L9\",\"value\":1}"), 3,
     "roofs[1].level 'L9' is not one of DRAM, L3, L2, L1", ""},
    {FILE_WITH("{\"kind\":\"memory\",\"level\":\"L2\",\"value\":-3}"), 3, "roofs[1].value is -3: it must be above zero",
     ""},
    {FILE_WITH("{\"kind\":\"memory\",\"level\":\"L2\",\"value\":\"3TB/s\"}"), 3,
     "roofs[1].value is a string, not a number", ""},
    {FILE_WITH("{\"kind\":\"memory\",\"level\":\"L2\"}"), 3, "roofs[1].value is missing", ""},
    {FILE_WITH("{\"kind\":\"link\",\"level\":\"L2\",\"value\":1}"), 3, "roofs[1]: unknown key 'level'", ""},
    {FILE_WITH(OK_ROOF), 3, "roofs[1] gives a figure that was given before", ""},
    {FILE_WITH("{\"kind\":\"link\",\"value\":1,\"cores\":0}"), 3, "roofs[1].cores is 0: it must be above zero", ""},
    {FILE_WITH(COMPUTE ",\"value\":0}"), 3, "roofs[1].value is 0: it must be above zero", ""},
    {FILE_WITH("{\"kind\":\"compute\",\"unit\":\"tensor\",\"dtype\":\"bf16\",\"value\":1}"), 3,
     "roofs[1].unit 'tensor' is not one of vector, matrix", ""},
    {FILE_WITH("{\"kind\":\"compute\",\"unit\":\"matrix\",\"dtype\":\"bf17\",\"value\":1}"), 3,
     "roofs[1].dtype 'bf17' is not a data type", "did you mean 'bf16'?"},
    {FILE_WITH(COMPUTE ",\"value\":1,\"origin\":\"guessed\"}"), 3,
     "roofs[1].origin 'guessed' is not one of datasheet, measured, derived, given", ""},
    {FILE_WITH(COMPUTE ",\"value\":1,\"source\":4}"), 3, "roofs[1].source is a number, not a string", ""},
    {FILE_WITH(COMPUTE ",\"value\":1,\"unchecked\":\"no\"}"), 3, "roofs[1].unchecked is a string, not true or false",
     ""},
    {FILE_WITH(COMPUTE ",\"value\":1,\"accumulate\":\"f8\"}"), 3, "roofs[1].accumulate 'f8' is not one of f32, f16",
     ""},
    {FILE_WITH(COMPUTE ",\"value\":1,\"accumulate\":\"f16\",\"sparsity\":\"2:4\"}"), 3,
     "roofs[1]: a roof with f16 accumulate or 2:4 sparsity is one or the other, of the matrix unit", ""},
    {FILE_WITH("{\"kind\":\"compute\",\"unit\":\"vector\",\"dtype\":\"f16\",\"sparsity\":\"2:4\",\"value\":1}"), 3,
     "roofs[1]: a roof with f16 accumulate or 2:4 sparsity is one or the other, of the matrix unit", ""},
    {"{\"machine\":{\"id\":\"x\",\"note\":\"[ } \\\" ,\",\"roofs\":[" OK_ROOF
     "],\n\"sizes\":[{\"level\":\"L2\",\"value\":1},\n"
     "{\"level\":\"L1\",\"value\":1},{\"level\":\"L2\",\"value\":1}]}}",
     3, "sizes[2] gives a figure that was given before", ""},
    {"{\"id\":\"x\",\"roofs\":[" OK_ROOF "],\"sizes\":[{\"level\":\"L2\",\"value\":1,\"unit\":\"MB\"}]}", 1,
     "sizes[0]: unknown key 'unit'", ""},
    {"{\"id\":\"x\",\"roofs\":[" OK_ROOF "],\n\"calibrations\":7}", 2, "calibrations is a number, not a list", ""},
    {CALIBRATED("4"), 2, "calibrations[0] is a number, not an object", ""},
    {CALIBRATED("{}"), 2, "calibrations[0].engine is missing", ""},
    {CALIBRATED("{\"engine\":\"vllm\"}"), 2,
     "calibrations[0].engine 'vllm' is not one of unknown, alone, graph, serving, cpp, fastertransformer, llama.cpp, "
     "mlx, eager",
     ""},
    {CALIBRATED("{\"engine\":\"serving\",\"run\":1}"), 2, "calibrations[0]: unknown key 'run'", "did you mean 'runs'?"},
    {CALIBRATED("{\"engine\":\"serving\",\"runs\":0}"), 2, "calibrations[0].runs is 0: it must be above zero", ""},
    {CALIBRATED("{\"engine\":\"serving\",\"runs\":1e12}"), 2, "calibrations[0].runs is 1e+12: it must be 1 to 1e+09",
     ""},
    {CALIBRATED("{\"engine\":\"serving\",\"runs\":1,\"date\":2026}"), 2,
     "calibrations[0].date is a number, not a string", ""},
    {CALIBRATED("{\"engine\":\"serving\",\"runs\":1}"), 2, "calibrations[0]: it has no constant", ""},
    {CALIBRATED("{\"engine\":\"serving\",\"runs\":1,\"constants\":{}}"), 2,
     "calibrations[0].constants is an object, not a list", ""},
    {CALIBRATED(ENGINE "8]}"), 2, "calibrations[0].constants[0] is a number, not an object", ""},
    {CALIBRATED(ENGINE "{\"name\":\"stream\",\"value\":1.6,\"origin\":\"measured\"}]}"), 2,
     "calibrations[0].constants[0].value is 1.6: it must be 1e-06 to 1.5", ""},
    {CALIBRATED(ENGINE "{\"name\":\"stream\",\"value\":0,\"origin\":\"measured\"}]}"), 2,
     "calibrations[0].constants[0].value is 0: it must be 1e-06 to 1.5", ""},
    {CALIBRATED(ENGINE STREAM ",{\"name\":\"launch\",\"value\":-1e-6,\"origin\":\"measured\"}]}"), 2,
     "calibrations[0].constants[1].value is -1e-06: it must be 0 to 1", ""},
    {CALIBRATED(ENGINE STREAM "," STREAM "]}"), 2, "calibrations[0].constants[1] gives 'stream' a second time", ""},
    {CALIBRATED(ENGINE "{\"name\":\"stream\",\"value\":1,\"origin\":\"guess\"}]}"), 2,
     "calibrations[0].constants[0].origin 'guess' is not one of datasheet, measured, derived, given", ""},
    {CALIBRATED(ENGINE "{\"name\":\"stream\",\"value\":1,\"origin\":\"measured\",\"spread\":-1}]}"), 2,
     "calibrations[0].constants[0].spread is -1: it must be 0 to 100", ""},
    {CALIBRATED(ENGINE "{\"name\":\"stream\",\"value\":1,\"origin\":\"measured\",\"source\":1}]}"), 2,
     "calibrations[0].constants[0].source is a number, not a string", ""},
    {CALIBRATED(ENGINE STREAM "],\"intervals\":[{\"regime\":\"decode\",\"low\":1.2,\"high\":1.1}]}"), 2,
     "calibrations[0].intervals[0].high is 1.1: it must be 1.2 to 100", ""},
    {CALIBRATED(ENGINE STREAM "],\"intervals\":[{\"regime\":\"decode\",\"low\":1}]}"), 2,
     "calibrations[0].intervals[0].high is missing", ""},
    {CALIBRATED(ENGINE STREAM "]}," ENGINE STREAM "]}"), 2,
     "calibrations[1]: a second calibration of the engine serving", ""},
    {CALIBRATED("1,2,3,4,5,6,7,8,9,10"), 2, "calibrations has 10 members: 9 at most, one an engine", ""},
};

static void bad_files_say_what_and_where(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bad_files / sizeof bad_files[0]; i++) {
        const bad_file *bad = &bad_files[i];
        roof_error error = {0};
        if (roof_read_machine(bad->json, strlen(bad->json), &error))
            fail_msg("was read: %s", bad->json);
        assert_string_equal(error.what, bad->what);
        assert_string_equal(error.hint, bad->hint);
        if (error.line != bad->line)
            fail_msg("line %ld, not %ld: %s", error.line, bad->line, bad->json);
        assert_null(roof_read_machine(bad->json, strlen(bad->json), NULL));
    }
}

/* Cut and change a good file everywhere: an answer or an error, never a crash (the sanitizers watch). */
static void damaged_files_are_survived(void **state) {
    (void)state;
    static text out;
    roof_machine machine;
    roof_error error;
    roof_calibration list = {.engine = ROOF_ENGINE_ALONE, .runs = 4, .date = "2026-11-30", .source = "runs.csv"};
    list.value[ROOF_CONSTANT_STREAM] = (roof_figure){.value = 0.8, .origin = ROOF_ORIGIN_MEASURED};
    list.low[ROOF_REGIME_GEMM] = 0.9;
    list.high[ROOF_REGIME_GEMM] = 1.1;
    assert_int_equal(roof_machine_find("groq", &machine, NULL, 0, NULL), 0);
    machine.calibration = &list;
    machine.calibration_count = 1;
    out = (text){.length = 0};
    assert_int_equal(roof_machine_write(&machine, append, &out), 0);
    for (size_t cut = 0; cut + 2 < out.length; cut++)
        assert_null(roof_read_machine(out.bytes, cut, &error));
    static const char swaps[] = "[]{}\",:x0-\\";
    for (size_t i = 0; i < out.length; i++)
        for (const char *swap = swaps; *swap; swap++) {
            char kept = out.bytes[i];
            out.bytes[i] = *swap;
            roof_machine_file_free(roof_read_machine(out.bytes, out.length, &error));
            out.bytes[i] = kept;
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_machine_reads_back),
        cmocka_unit_test(every_figure_reads_back),
        cmocka_unit_test(calibrations_read_back),
        cmocka_unit_test(a_calibration_moves_no_bound),
        cmocka_unit_test(a_writer_that_stops_is_told),
        cmocka_unit_test(a_short_file_is_enough),
        cmocka_unit_test(gaps_are_said),
        cmocka_unit_test(most_cores_count),
        cmocka_unit_test(bad_files_say_what_and_where),
        cmocka_unit_test(damaged_files_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
