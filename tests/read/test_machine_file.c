/* Machine files: every machine of the catalogue reads back the same; bad files say what is wrong and where. */
#include <stdlib.h>

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

/* Figures lie side by side from `peak` to the end of the struct. */
static void assert_same_figures(const roof_machine *got, const roof_machine *want) {
    for (size_t at = offsetof(roof_machine, peak); at < sizeof *want; at += sizeof(roof_figure)) {
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
    for (size_t at = offsetof(roof_machine, peak); at < sizeof machine; at += sizeof(roof_figure)) {
        roof_figure *figure = (roof_figure *)(void *)((char *)&machine + at);
        value = value * 1.0007 + 0.1;
        *figure = (roof_figure){value, (roof_origin)(ROOF_DATASHEET + (int)(at / sizeof(roof_figure)) % 4), at % 3 == 0,
                                "somewhere"};
    }
    for (int i = 0; i < ROOF_DTYPE_COUNT; i++) /* storage formats share the roof of their math type */
        if (roof_dtype_math((roof_dtype)i) != (roof_dtype)i || i == ROOF_DTYPE_NONE)
            machine.peak[0][i] = machine.peak[1][i] = machine.narrow[i] = machine.sparse[i] = (roof_figure){0};
    assert_reads_back(&machine);
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
    assert_int_equal(machine->usable.origin, ROOF_GIVEN);
    assert_int_equal(machine->link.origin, ROOF_UNKNOWN);
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
    {"{\"machine\":{},\n\"machin\":1}", 2, "key 'machin' is not known here", "did you mean 'machine'?"},
    {"{}", -1, "id is missing", ""},
    {"{\"id\":\"\",\"roofs\":[]}", 1, "id is empty", ""},
    {"{\"id\":7}", 1, "id is a number, not a string", ""},
    {"{\"id\":\"x\"}", -1, "the machine has no roofs: key 'roofs' is missing or empty",
     "'roofline machines --show h100-sxm --json' prints a machine file to start from"},
    {"{\"id\":\"x\",\n\"roofs\":7}", 2, "roofs is a number, not a list", ""},
    {"{\"id\":\"x\",\n\"bandwith\":1e12,\"roofs\":[]}", 2, "key 'bandwith' is not known here", ""},
    {"{\"id\":\"x\",\n\"vendr\":\"y\",\"roofs\":[]}", 2, "key 'vendr' is not known here", "did you mean 'vendor'?"},
    {"{\"id\":\"x\",\"roofs\":[" OK_ROOF "],\n\"year\":\"2020\"}", 2, "year is a string, not a number", ""},
    {"{\"id\":\"x\",\"roofs\":[" OK_ROOF "],\n\"year\":20}", 2, "year is 20: it must be 1900 to 2200", ""},
    {"{\"id\":\"x\",\"roofs\":[" OK_ROOF "],\n\"launch\":-1}", 2, "launch is -1: it must be zero or more", ""},
    {"{\"id\":\"x\",\"roofs\":[" OK_ROOF "],\n\"launch\":\"3us\"}", 2, "launch is a string, not a number or an object",
     ""},
    {"{\"id\":\"x\",\"roofs\":[" OK_ROOF "],\n\"units\":{\"valu\":3}}", 2, "units: key 'valu' is not known here",
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
    {FILE_WITH("{\"kind\":\"link\",\"level\":\"L2\",\"value\":1}"), 3, "roofs[1]: key 'level' is not known here", ""},
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
     "sizes[0]: key 'unit' is not known here", ""},
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
    assert_int_equal(roof_machine_find("groq", &machine, NULL, 0, NULL), 0);
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
        cmocka_unit_test(a_writer_that_stops_is_told),
        cmocka_unit_test(a_short_file_is_enough),
        cmocka_unit_test(gaps_are_said),
        cmocka_unit_test(most_cores_count),
        cmocka_unit_test(bad_files_say_what_and_where),
        cmocka_unit_test(damaged_files_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
