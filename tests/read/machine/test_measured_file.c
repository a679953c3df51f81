/* Measured machine files: random measurements are written and read back the same; bad ones say what is wrong, and
 * where. */
#include <stdlib.h>
#include <time.h>

#include "alloc/alloc.h"
#include "roofline_expected.h"
#include "roofline_measure.h"
#include "test.h"

enum { SAMPLES = 40, WINDOWS = 300, TEXT_SIZE = 1 << 20 };

typedef struct text {
    char bytes[TEXT_SIZE];
    size_t length;
} text;

static int append(void *context, const char *bytes, size_t length) {
    text *out = context;
    if (out->length + length >= sizeof out->bytes)
        return 1;
    memcpy(out->bytes + out->length, bytes, length);
    out->length += length;
    out->bytes[out->length] = '\0';
    return 0;
}

/* ---- random measurements ---- */

typedef struct source { /* xorshift64 */
    uint64_t state;
} source;

static uint64_t next(source *random) {
    random->state ^= random->state << 13;
    random->state ^= random->state >> 7;
    random->state ^= random->state << 17;
    return random->state;
}

static int below(source *random, int limit) {
    return (int)(next(random) % (uint64_t)limit);
}

static double real(source *random) { /* 0..1, never 0 */
    return ((double)(next(random) >> 11) + 1) / 9007199254740994.0;
}

static void random_text(source *random, char *out, size_t size) {
    static const char letters[] = "abc XYZ,.:;\"\\{}[]/@%019\t";
    size_t length = 1 + (size_t)below(random, (int)size - 1);
    for (size_t i = 0; i < length; i++)
        out[i] = letters[below(random, sizeof letters - 1)];
    out[length] = '\0';
}

static void random_figures(source *random, roof_machine *machine) {
    for (size_t at = offsetof(roof_machine, peak); at < offsetof(roof_machine, calibration);
         at += sizeof(roof_figure)) {
        roof_figure *figure = (roof_figure *)(void *)((char *)machine + at);
        if (below(random, 2))
            *figure = (roof_figure){.value = real(random) * 1e13,
                                    .origin = (roof_origin)(1 + below(random, ROOF_ORIGIN_GIVEN)),
                                    .unchecked = below(random, 2),
                                    .source = below(random, 2) ? "measured 2026-11-30" : NULL};
    }
    machine->peak[ROOF_VECTOR][ROOF_F64] = (roof_figure){.value = 1e11, .origin = ROOF_ORIGIN_MEASURED};
    for (int i = 0; i < ROOF_DTYPE_COUNT; i++) /* a roof is that of a dtype which has one */
        if (roof_dtype_math((roof_dtype)i) != (roof_dtype)i || i == ROOF_DTYPE_NONE)
            machine->peak[0][i] = machine->peak[1][i] = machine->narrow[i] = machine->sparse[i] = (roof_figure){0};
}

static void random_sample(source *random, roof_sample *sample, float *windows) {
    static const char *const sets[] = {"avx2", "avx512", "scalar", "opencl", ""};
    *sample = (roof_sample){.pattern = (roof_pattern)below(random, ROOF_PATTERN_COUNT),
                            .isa = sets[below(random, 5)],
                            .threads = 1 + below(random, 300),
                            .from_node = below(random, 4) - 1,
                            .to_node = below(random, 4) - 1,
                            .value = real(random) * (below(random, 2) ? 1e12 : 1e-7),
                            .spread = below(random, 3) ? real(random) : 0,
                            .moved = 1 + real(random),
                            .clock = below(random, 2) ? real(random) * 5e9 : 0,
                            .per_cycle = below(random, 2) ? real(random) * 200 : 0,
                            .huge = below(random, 2) ? real(random) : -1,
                            .stable = below(random, 2),
                            .window_seconds = real(random) * 1e-4};
    sample->median = sample->value * real(random);
    sample->best = sample->value / real(random);
    if (roof_pattern_is_compute(sample->pattern)) {
        sample->unit = (roof_unit)below(random, ROOF_UNIT_COUNT);
        sample->dtype = roof_dtype_math((roof_dtype)(1 + below(random, ROOF_DTYPE_COUNT - 1)));
    } else {
        sample->level = (roof_level)below(random, ROOF_LEVEL_COUNT);
        sample->set_bytes = below(random, 1 << 30);
    }
    sample->window_count = (size_t)below(random, WINDOWS);
    for (size_t i = 0; i < sample->window_count; i++)
        windows[i] = (float)(sample->value * (0.5 + real(random)));
    sample->windows = sample->window_count ? windows : NULL;
}

static void random_measurement(source *random, roof_measurement *out, roof_sample *samples, float *windows) {
    memset(out, 0, sizeof *out);
    random_text(random, out->date, sizeof out->date);
    random_text(random, out->cpu, sizeof out->cpu);
    random_text(random, out->kernel, sizeof out->kernel);
    random_text(random, out->effort, sizeof out->effort);
    out->cpus = 1 + below(random, 300);
    out->cores = 1 + below(random, out->cpus);
    out->threads = 1 + below(random, out->cores);
    out->seconds = real(random) * 30;
    out->machine.id = "this";
    out->machine.name = "A \"machine\"";
    out->machine.year = 2026;
    out->one.id = "this:1";
    out->one.name = "one";
    random_figures(random, &out->machine);
    random_figures(random, &out->one);
    if (out->threads == 1) { /* its roofs are those of the machine, written once */
        const char *id = out->one.id, *name = out->one.name;
        out->one = out->machine;
        out->one.id = id;
        out->one.name = name;
    }
    out->samples = samples;
    out->sample_count = (size_t)below(random, SAMPLES);
    for (size_t i = 0; i < out->sample_count; i++)
        random_sample(random, &samples[i], windows + i * WINDOWS);
    out->condition_count = (size_t)below(random, ROOF_CONDITION_MAX + 1);
    for (size_t i = 0; i < out->condition_count; i++) {
        random_text(random, out->conditions[i].what, sizeof out->conditions[i].what);
        random_text(random, out->conditions[i].cause, sizeof out->conditions[i].cause);
        random_text(random, out->conditions[i].remedy, sizeof out->conditions[i].remedy);
    }
}

/* ---- the same again ---- */

static void assert_same_machine(const roof_machine *got, const roof_machine *want) {
    assert_string_equal(got->id, want->id);
    assert_string_equal(got->name, want->name);
    assert_int_equal(got->year, want->year);
    for (size_t at = offsetof(roof_machine, peak); at < offsetof(roof_machine, calibration);
         at += sizeof(roof_figure)) {
        const roof_figure *a = (const roof_figure *)(const void *)((const char *)got + at);
        const roof_figure *b = (const roof_figure *)(const void *)((const char *)want + at);
        assert_exact(a->value, b->value);
        assert_int_equal(a->origin, b->origin);
        assert_int_equal(a->unchecked, b->unchecked);
        assert_int_equal(a->source == NULL, b->source == NULL);
        if (a->source)
            assert_string_equal(a->source, b->source);
    }
}

static void assert_same_sample(const roof_sample *got, const roof_sample *want) {
    assert_int_equal(got->pattern, want->pattern);
    assert_string_equal(got->isa, want->isa);
    assert_int_equal(got->unit, want->unit);
    assert_int_equal(got->dtype, want->dtype);
    assert_int_equal(got->level, want->level);
    assert_int_equal(got->threads, want->threads);
    assert_int_equal(got->from_node, want->from_node);
    assert_int_equal(got->to_node, want->to_node);
    assert_exact(got->set_bytes, want->set_bytes);
    assert_exact(got->value, want->value);
    assert_exact(got->median, want->median);
    assert_exact(got->best, want->best);
    assert_exact(got->spread, want->spread);
    assert_exact(got->moved, want->moved);
    assert_exact(got->clock, want->clock);
    assert_exact(got->per_cycle, want->per_cycle);
    assert_exact(got->huge, want->huge);
    assert_exact(got->window_seconds, want->window_seconds);
    assert_int_equal(got->stable, want->stable);
    assert_int_equal(got->window_count, want->window_count);
    for (size_t i = 0; i < want->window_count; i++) /* ten-thousandths of the value */
        assert_true(fabs((double)got->windows[i] - (double)want->windows[i]) < 0.51e-4 * want->value);
}

static void assert_same(const roof_measurement *got, const roof_measurement *want) {
    assert_string_equal(got->date, want->date);
    assert_string_equal(got->cpu, want->cpu);
    assert_string_equal(got->kernel, want->kernel);
    assert_string_equal(got->compiler, want->compiler);
    assert_string_equal(got->hypervisor, want->hypervisor);
    assert_string_equal(got->effort, want->effort);
    assert_string_equal(got->version, want->version);
    assert_int_equal(got->cpus, want->cpus);
    assert_int_equal(got->cores, want->cores);
    assert_int_equal(got->threads, want->threads);
    assert_exact(got->seconds, want->seconds);
    assert_same_machine(&got->machine, &want->machine);
    assert_same_machine(&got->one, &want->one);
    assert_int_equal(got->sample_count, want->sample_count);
    for (size_t i = 0; i < want->sample_count; i++)
        assert_same_sample(&got->samples[i], &want->samples[i]);
    assert_int_equal(got->condition_count, want->condition_count);
    for (size_t i = 0; i < want->condition_count; i++) {
        assert_string_equal(got->conditions[i].what, want->conditions[i].what);
        assert_string_equal(got->conditions[i].cause, want->conditions[i].cause);
        assert_string_equal(got->conditions[i].remedy, want->conditions[i].remedy);
    }
}

static roof_machine_file *read_back(const roof_measurement *measurement, text *out) {
    roof_error error = {0};
    out->length = 0;
    assert_int_equal(roof_measurement_write(measurement, append, out), 0);
    roof_machine_file *file = roof_read_machine(out->bytes, out->length, &error);
    if (!file)
        fail_msg("line %ld: %s", error.line, error.what);
    return file;
}

static void random_measurements_read_back(void **state) {
    (void)state;
    static text out;
    static roof_sample samples[SAMPLES];
    static float windows[SAMPLES * WINDOWS];
    static roof_measurement want;
    source random = {0x9e3779b97f4a7c15u};
    for (int i = 0; i < 60; i++) {
        random_measurement(&random, &want, samples, windows);
        roof_machine_file *file = read_back(&want, &out);
        const roof_measurement *got = roof_machine_file_measurement(file);
        assert_non_null(got);
        assert_same(got, &want);
        assert_same_machine(roof_machine_file_machine(file), &want.machine);
        roof_machine_file_free(file);
    }
}

static void more_windows_are_chosen_evenly(void **state) {
    (void)state;
    static text out;
    enum { MANY = 10000 };
    static float windows[MANY];
    for (int i = 0; i < MANY; i++)
        windows[i] = (float)i;
    roof_sample sample = {.pattern = ROOF_PATTERN_LOAD,
                          .isa = "avx2",
                          .value = 1e4,
                          .threads = 1,
                          .huge = -1,
                          .moved = 1,
                          .windows = windows,
                          .window_count = MANY};
    roof_measurement measurement = {.date = "d", .threads = 1, .samples = &sample, .sample_count = 1};
    measurement.machine.id = measurement.machine.name = measurement.one.id = "m";
    measurement.machine.bandwidth[ROOF_DRAM] = (roof_figure){.value = 1, .origin = ROOF_ORIGIN_MEASURED};
    roof_machine_file *file = read_back(&measurement, &out);
    const roof_sample *got = roof_machine_file_measurement(file)->samples;
    assert_int_equal(got->window_count, 400);
    for (int i = 0; i < 400; i++)
        assert_true(fabs((double)got->windows[i] - i * 25) < 1);
    roof_machine_file_free(file);
}

/* What is not UTF-8 in a name of the system's is no reason to write a file that cannot be read. */
static void any_bytes_read_back(void **state) {
    (void)state;
    static text out;
    roof_measurement measurement = {.date = "d", .threads = 2};
    measurement.machine.id = measurement.one.id = "m";
    measurement.machine.bandwidth[ROOF_DRAM] = (roof_figure){.value = 1, .origin = ROOF_ORIGIN_MEASURED};
    memset(measurement.cpu, 0xe2, sizeof measurement.cpu - 1);
    snprintf(measurement.kernel, sizeof measurement.kernel, "a\xc3\x9c\xff\xe2\x82");
    roof_machine_file *file = read_back(&measurement, &out);
    assert_int_equal(strlen(roof_machine_file_measurement(file)->cpu), 95);
    assert_string_equal(roof_machine_file_measurement(file)->kernel, "a\xc3\x9c???");
    roof_machine_file_free(file);
}

/* The first files called the wake of a CPU's threads a launch; a device's launches are launches. */
static void nothing_is_launched_on_a_cpu(void **state) {
    (void)state;
    static text out;
    roof_sample samples[] = {{.pattern = ROOF_PATTERN_LAUNCH, .isa = "base", .threads = 2, .value = 2e-5},
                             {.pattern = ROOF_PATTERN_LAUNCH, .isa = "opencl", .threads = 1, .value = 6e-6}};
    roof_measurement measurement = {.date = "d", .threads = 2, .samples = samples, .sample_count = 2};
    measurement.machine.id = "m";
    measurement.machine.bandwidth[ROOF_DRAM] = (roof_figure){.value = 1, .origin = ROOF_ORIGIN_MEASURED};
    roof_machine_file *file = read_back(&measurement, &out);
    assert_int_equal(roof_machine_file_measurement(file)->samples[0].pattern, ROOF_PATTERN_WAKE);
    assert_int_equal(roof_machine_file_measurement(file)->samples[1].pattern, ROOF_PATTERN_LAUNCH);
    roof_machine_file_free(file);
}

static void other_files_have_no_measurement(void **state) {
    (void)state;
    static const char json[] =
        "{\"id\": \"a\", \"roofs\": [{\"kind\": \"memory\", \"level\": \"DRAM\", \"value\": 1}]}";
    roof_machine_file *file = roof_read_machine(json, sizeof json - 1, NULL);
    assert_non_null(file);
    assert_null(roof_machine_file_measurement(file));
    roof_machine_file_free(file);
}

#define OPEN "{\"machine\": {\"id\": \"a\", \"roofs\": [\n"
#define DRAM(cores, value) "{\"kind\": \"memory\", \"level\": \"DRAM\", \"cores\": " cores ", \"value\": " value "}"
#define F64(cores, value)                                                                                              \
    "{\"kind\": \"compute\", \"unit\": \"vector\", \"dtype\": \"f64\", \"cores\": " cores ", \"value\": " value "}"
#define CLOSE "]},\n\"measurement\": {\"date\": \"d\""

static void roofs_of_one_core_stay_apart(void **state) {
    (void)state;
    static const char json[] =
        OPEN DRAM("1", "10") "," DRAM("4", "30") "," DRAM("2", "20") "," F64("1", "7") CLOSE ", \"threads\": 4}}";
    roof_error error = {0};
    roof_machine_file *file = roof_read_machine(json, sizeof json - 1, &error);
    if (!file)
        fail_msg("%s", error.what);
    const roof_machine *machine = roof_machine_file_machine(file);
    const roof_machine *one = &roof_machine_file_measurement(file)->one;
    assert_exact(machine->bandwidth[ROOF_DRAM].value, 30);
    assert_exact(one->bandwidth[ROOF_DRAM].value, 10);
    assert_int_equal(machine->peak[ROOF_VECTOR][ROOF_F64].origin,
                     ROOF_ORIGIN_UNKNOWN); /* one core is not the machine */
    assert_exact(one->peak[ROOF_VECTOR][ROOF_F64].value, 7);
    assert_string_equal(one->id, "a");
    roof_machine_file_free(file);
}

/* ---- must fail ---- */

typedef struct bad {
    const char *json, *what;
    long line;
} bad;

#define GOOD OPEN DRAM("1", "10") CLOSE
#define SAMPLE "{\"pattern\": \"load\", \"isa\": \"avx2\", \"level\": \"L1\", \"value\": 5, \"stable\": true"
#define ONE_SAMPLE GOOD ",\n\"samples\": [\n" SAMPLE

static const bad bads[] = {
    {OPEN DRAM("1", "10") "]},\n\"measurement\": 3}", "measurement is a number, not an object", 3},
    {OPEN DRAM("1", "10") "]},\n\"measurement\": {}}", "measurement.date is missing", 3},
    {OPEN DRAM("1", "10") "]},\n\"measurement\": {\"date\": \"\"}}", "measurement.date is empty", 3},
    {OPEN DRAM("1", "10") "]},\n\"measurement\": {\"date\":\n 5}}", "measurement.date is a number, not a string", 3},
    {GOOD ",\n\"cores\": 0}}", "measurement.cores is 0: it must be a whole number, 1 to 65536", 4},
    {GOOD ",\n\"threads\": 0}}", "measurement.threads is 0: it must be a whole number, 1 to 65536", 4},
    {GOOD ",\n\"cores\": 1.5}}", "measurement.cores is 1.5: it must be a whole number, 1 to 65536", 4},
    {GOOD ",\n\"cores\": 1e6}}", "measurement.cores is 1e+06: it must be a whole number, 1 to 65536", 4},
    {GOOD ",\n\"cors\": 1}}", "measurement: unknown key 'cors'", 4},
    {GOOD ",\n\"version\": \"0123456789abcdef\"}}", "measurement.version has 16 bytes: 15 at most", 4},
    {GOOD ",\n\"one\": 3}}", "measurement.one is a number, not an object", 4},
    {GOOD ",\n\"one\": {\n\"name\": \"x\"}}}", "measurement.one.id is missing", 4},
    {GOOD ",\n\"one\": {\"id\": \"x\",\n\"roofs\": []}}}", "measurement.one: unknown key 'roofs'", 5},
    {GOOD ",\n\"one\": {\"id\": \"x\",\n\"clock\": -1}}}", "measurement.one.clock is -1: it must be above zero", 5},
    {GOOD ",\n\"samples\": 3}}", "measurement.samples is a number, not a list", 4},
    {GOOD ",\n\"samples\": [\n3]}}", "measurement.samples[0] is a number, not an object", 5},
    {GOOD ",\n\"samples\": [\n{\"isa\": \"x\"}]}}", "measurement.samples[0].pattern is missing", 5},
    {GOOD ",\n\"samples\": [\n{\"pattern\": \"read\"}]}}",
     "measurement.samples[0].pattern 'read' is not one of fma, mul,", 5},
    {GOOD ",\n\"samples\": [\n{\"pattern\": \"fma\", \"isa\": \"x\", \"level\": \"L1\"}]}}",
     "measurement.samples[0]: unknown key 'level'", 5},
    {GOOD ",\n\"samples\": [\n{\"pattern\": \"load\", \"isa\": \"x\", \"level\": \"L4\"}]}}",
     "measurement.samples[0].level 'L4' is not one of DRAM, L3, L2, L1", 5},
    {GOOD ",\n\"samples\": [\n{\"pattern\": \"load\", \"isa\": 3}]}}",
     "measurement.samples[0].isa is a number, not a string", 5},
    {GOOD ",\n\"samples\": [\n{\"pattern\": \"load\", \"isa\": \"a name of more than thirty-one bytes\"}]}}",
     "measurement.samples[0].isa has 36 bytes: 31 at most", 5},
    {GOOD ",\n\"samples\": [\n{\"pattern\": \"load\", \"isa\": \"x\", \"level\": \"L1\"}]}}",
     "measurement.samples[0].value is missing", 5},
    {ONE_SAMPLE ", \"huge\": 2}]}}", "measurement.samples[0].huge is 2: it must be 0 to 1", 5},
    {ONE_SAMPLE "},\n{\"pattern\": \"load\", \"isa\": \"x\", \"level\": \"L1\", \"value\": 1}]}}",
     "measurement.samples[1].stable is missing", 6},
    {ONE_SAMPLE ", \"windows\": 3}]}}", "measurement.samples[0].windows is a number, not a string", 5},
    {ONE_SAMPLE ", \"windows\": \"\"}]}}", "measurement.samples[0].windows is not a list of whole numbers", 5},
    {ONE_SAMPLE ", \"windows\": \"1  2\"}]}}", "measurement.samples[0].windows is not a list of whole numbers", 5},
    {ONE_SAMPLE ", \"windows\": \"1 2 \"}]}}", "measurement.samples[0].windows is not a list of whole numbers", 5},
    {ONE_SAMPLE ", \"windows\": \"1 -2\"}]}}", "measurement.samples[0].windows is not a list of whole numbers", 5},
    {ONE_SAMPLE ", \"windows\": \"1234567890\"}]}}", "measurement.samples[0].windows is not a list of whole numbers",
     5},
    {ONE_SAMPLE ", \"windows\": \"@0\"}]}}", "measurement.samples[0].windows is not a list of whole numbers", 5},
    {GOOD ",\n\"conditions\": [\n{\"cause\": \"x\"}]}}", "measurement.conditions[0].what is missing", 5},
    {GOOD ",\n\"conditions\": [{\"what\": \"x\"},\n{\"what\": \"y\", \"why\": \"z\"}]}}",
     "measurement.conditions[1]: unknown key 'why'", 5},
    {OPEN DRAM("1", "10") ",\n" DRAM("1", "11") CLOSE ", \"threads\": 4}}",
     "roofs[1] gives a figure that was given before", 3},
    /* Damage behind a long series. */
    {ONE_SAMPLE ", \"windows\": \"1 2 3 4 5 6 7 8 9 10 11 12\"}],\n!", "not valid JSON: a key expected near '!'", 6},
};

static void bad_files_say_what_and_where(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        roof_error error = {0};
        roof_machine_file *file = roof_read_machine(bads[i].json, strlen(bads[i].json), &error);
        if (file)
            fail_msg("%s: was read, and should not be", bads[i].json);
        if (strncmp(error.what, bads[i].what, strlen(bads[i].what)) != 0 || error.line != bads[i].line)
            fail_msg("%s\n  says '%s' on line %ld,\n  not  '%s' on line %ld", bads[i].json, error.what, error.line,
                     bads[i].what, bads[i].line);
        if (bads[i].json[strlen(bads[i].json) - 1] == '!' && error.offset != (long)strlen(bads[i].json) - 1)
            fail_msg("offset %ld, not %zu", error.offset, strlen(bads[i].json) - 1);
    }
}

static void lists_are_bounded(void **state) {
    (void)state;
    static text out;
    static const struct {
        const char *key, *item, *what;
        int count;
    } lists[] = {
        {"conditions", "{\"what\": \"x\"}", "measurement.conditions has 25 members: 24 at most", 25},
        {"samples", SAMPLE "}", "measurement.samples has 4097 members: 4096 at most", 4097},
    };
    for (size_t i = 0; i < 2; i++) {
        roof_error error = {0};
        out.length = 0;
        append(&out, GOOD ", \"", sizeof GOOD ", \"" - 1);
        append(&out, lists[i].key, strlen(lists[i].key));
        append(&out, "\": [", 4);
        for (int k = 0; k < lists[i].count; k++) {
            append(&out, ",", k > 0);
            append(&out, lists[i].item, strlen(lists[i].item));
        }
        append(&out, "]}}", 3);
        assert_null(roof_read_machine(out.bytes, out.length, &error));
        assert_string_equal(error.what, lists[i].what);
    }
    roof_error error = {0};
    out.length = 0;
    append(&out, ONE_SAMPLE ", \"windows\": \"1", sizeof ONE_SAMPLE ", \"windows\": \"1" - 1);
    for (int k = 0; k < 400; k++)
        append(&out, " 1", 2);
    append(&out, "\"}]}}", 5);
    assert_null(roof_read_machine(out.bytes, out.length, &error));
    assert_string_equal(error.what, "measurement.samples[0].windows has 401 numbers: 400 at most");
}

/* Every byte of a file lost, one at a time: refused or read, never worse. */
static void damaged_files_are_survived(void **state) {
    (void)state;
    static text out;
    static const char json[] =
        ONE_SAMPLE ", \"windows\": \"9981 10003\"}], \"conditions\": [{\"what\": \"x\"}], \"one\": {\"id\": \"b\"}}}";
    for (size_t at = 0; at < sizeof json - 1; at++)
        for (const char *with = "\"\\ }"; *with; with++) {
            roof_error error = {0};
            memcpy(out.bytes, json, sizeof json);
            out.bytes[at] = *with;
            roof_machine_file *file = roof_read_machine(out.bytes, sizeof json - 1, &error);
            assert_true(file || error.what[0]);
            assert_true(file || error.offset <= (long)sizeof json);
            roof_machine_file_free(file);
            roof_machine_file_free(roof_read_machine(json, at, NULL));
        }
}

/* What runs taught stays with the measured machine, and not with one core of it. */
static void a_measurement_keeps_calibrations(void **state) {
    (void)state;
    static const char json[] = ONE_SAMPLE "}]}}";
    static text out;
    roof_error error = {0};
    roof_machine_file *file = roof_read_machine(json, sizeof json - 1, &error), *again;
    if (!file)
        fail_msg("%s", error.what);
    roof_calibration list = {.engine = ROOF_ENGINE_SERVING, .runs = 7, .date = "2026-11-30"};
    list.value[ROOF_CONSTANT_LAUNCH] = (roof_figure){.value = 4e-6, .origin = ROOF_ORIGIN_MEASURED};
    roof_measurement with = *roof_machine_file_measurement(file);
    with.machine.calibration = &list;
    with.machine.calibration_count = 1;
    out.length = 0;
    assert_int_equal(roof_measurement_write(&with, append, &out), 0);
    again = roof_read_machine(out.bytes, out.length, &error);
    if (!again)
        fail_msg("%s", error.what);
    const roof_measurement *got = roof_machine_file_measurement(again);
    assert_int_equal(roof_machine_file_machine(again)->calibration_count, 1);
    assert_int_equal(got->machine.calibration_count, 1);
    assert_exact(got->machine.calibration[0].value[ROOF_CONSTANT_LAUNCH].value, 4e-6);
    assert_int_equal(got->one.calibration_count, 0);
    assert_null(got->one.calibration);
    roof_machine_file_free(again);
    roof_machine_file_free(file);
}

static void each_allocation_of_a_calibration_fails(void **state) {
    (void)state;
    static const char json[] =
        "{\"id\":\"x\",\"roofs\":[{\"kind\":\"link\",\"value\":1}],\"calibrations\":[{\"engine\":\"alone\",\"runs\":3,"
        "\"constants\":[{\"name\":\"launch\",\"value\":3e-6,\"origin\":\"measured\"}]}]}";
    ALLOC_FAIL_EACH(n, {
        roof_error error = {0};
        roof_machine_file *file = roof_read_machine(json, sizeof json - 1, &error);
        if (alloc_failed()) {
            assert_null(file);
            assert_int_equal(error.code, ROOF_ENOMEM);
        }
        roof_machine_file_free(file);
        assert_int_equal(alloc_live(), 0);
        assert_true(n < 100);
    })
    assert_true(alloc_count() > 1);
    alloc_start(0);
}

/* Whichever allocation fails: refused with that reason, and nothing leaks. */
static void each_allocation_fails(void **state) {
    (void)state;
    static const char json[] = ONE_SAMPLE ", \"windows\": \"9981 10003\"}]}}";
    ALLOC_FAIL_EACH(n, {
        roof_error error = {0};
        roof_machine_file *file = roof_read_machine(json, sizeof json - 1, &error);
        if (alloc_failed()) {
            assert_null(file);
            assert_int_equal(error.code, ROOF_ENOMEM);
        }
        roof_machine_file_free(file);
        assert_int_equal(alloc_live(), 0);
        assert_true(n < 100);
    })
    assert_true(alloc_count() > 4);
    alloc_start(0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_measurements_read_back),
        cmocka_unit_test(more_windows_are_chosen_evenly),
        cmocka_unit_test(any_bytes_read_back),
        cmocka_unit_test(nothing_is_launched_on_a_cpu),
        cmocka_unit_test(other_files_have_no_measurement),
        cmocka_unit_test(roofs_of_one_core_stay_apart),
        cmocka_unit_test(bad_files_say_what_and_where),
        cmocka_unit_test(lists_are_bounded),
        cmocka_unit_test(each_allocation_fails),
        cmocka_unit_test(a_measurement_keeps_calibrations),
        cmocka_unit_test(each_allocation_of_a_calibration_fails),
        cmocka_unit_test(damaged_files_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
