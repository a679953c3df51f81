/* Devices by id, the series measured on one, and which value becomes which roof. */
#include "measure/device/device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/host/host.h"
#include "measure/plan/measurement.h"

static const device_backend *const backends[] = {&device_opencl, &device_cuda};

const device_backend *device_backend_at(size_t index) {
    return index < sizeof backends / sizeof backends[0] ? backends[index] : NULL;
}

int roof_device_at(size_t index, roof_device *out) {
    device_facts facts;
    for (size_t b = 0; device_backend_at(b); b++)
        for (size_t i = 0; device_backend_at(b)->find(device_backend_at(b), i, &facts) == 0; i++)
            if (index-- == 0) {
                *out = facts.device;
                return 0;
            }
    return -1;
}

/* ---- how much time and memory ---- */

typedef struct budget {
    double seconds, window, array; /* of the whole; of a launch; bytes of an array where the device has them */
    int launches;                  /* at most, a series */
    const char *name;
} budget;

static budget budget_of(const roof_measure_options *options) {
    static const budget budgets[] = {
        [ROOF_EFFORT_NORMAL] = {12, 2e-3, 512 << 20, 64, "normal"},
        [ROOF_EFFORT_QUICK] = {3, 1e-3, 256 << 20, 32, "quick"},
        [ROOF_EFFORT_THOROUGH] = {40, 4e-3, 1 << 30, 256, "thorough"},
    };
    return budgets[options->effort];
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

static double known_least(double a, double b) { /* 0: no limit */
    return b > 0 && b < a ? b : a;
}

/* Bytes of each of the three arrays: much larger than any cache where there is memory for that, whole chunks. */
static size_t array_bytes(const device_facts *facts, const roof_measure_options *options, const budget *most) {
    double wanted = facts->device.is_cpu ? larger(64 << 20, 4 * facts->cache) : larger(most->array, 4 * facts->cache);
    wanted = known_least(wanted, facts->allocation);
    wanted = known_least(wanted, facts->memory / 4);
    wanted = known_least(wanted, options->memory / 3);
    return (size_t)(wanted / DEVICE_CHUNK) * DEVICE_CHUNK;
}

static int take_memory(device_session *session, size_t bytes, roof_error *error) {
    enum { HOST_MOST = 64 << 20 };
    const device_backend *use = session->backend;
    if (bytes < 4 * DEVICE_CHUNK)
        return roof_fail(error, ROOF_EARGUMENT,
                         "measuring a device takes at least 12 MiB of its memory, and it has %.1f MiB",
                         3 * (double)bytes / DEVICE_CHUNK);
    session->bytes = bytes;
    session->host_bytes = bytes < HOST_MOST ? bytes : HOST_MOST;
    session->host = malloc(session->host_bytes);
    if (!session->host)
        return roof_fail(error, ROOF_ENOMEM, "not enough memory to check the results of a device");
    void **arrays[] = {&session->a, &session->b, &session->c};
    for (int i = 0; i < 3; i++)
        if (!(*arrays[i] = use->buffer(session->at, bytes, error)))
            return -1;
    return 0;
}

static void give_back(device_session *session) {
    void *arrays[] = {session->a, session->b, session->c};
    for (int i = 0; i < 3; i++)
        if (arrays[i])
            session->backend->release(session->at, arrays[i]);
    free(session->host);
}

/* ---- roofs ---- */

static void set_roof(roof_figure *roof, double value, const char *source) {
    if (roof->origin == ROOF_ORIGIN_MEASURED && roof->value >= value)
        return; /* the best pattern is the roof */
    *roof = (roof_figure){.value = value, .origin = ROOF_ORIGIN_MEASURED, .source = source};
}

/* Where warps alone cannot use the matrix units to the full: from Hopper on (docs/devices.md). */
static bool matrix_is_low(const device_facts *facts) {
    return facts->capability >= 90 && facts->capability < 120;
}

static roof_figure *roof_of(const device_facts *facts, roof_machine *machine, const device_kernel *kernel) {
    if (kernel->pattern == ROOF_PATTERN_LAUNCH)
        return &machine->launch;
    if (!roof_pattern_is_compute(kernel->pattern))
        return &machine->bandwidth[kernel->level];
    if (kernel->unit == ROOF_MATRIX && matrix_is_low(facts))
        return NULL;
    return kernel->narrow ? &machine->narrow[kernel->dtype] : &machine->peak[kernel->unit][kernel->dtype];
}

static const char *source_text(const device_session *session, const char *what, const roof_sample *sample) {
    return measurement_text(
        session->out, "measured %.10s by %s: %s, %s of %zu %s", session->out->date, session->backend->title, what,
        roof_pattern_is_time(sample->pattern) ? "5th percentile" : "95th percentile", sample->window_count,
        sample->pattern == ROOF_PATTERN_LAUNCH ? "chains of launches" : "launches");
}

/* Keep the sample, and the roof it gives. */
static int keep(device_session *session, roof_sample *sample, roof_figure *roof, const char *what, roof_error *error) {
    sample->isa = session->backend->kind;
    const char *source = source_text(session, what, sample);
    if (!source)
        return roof_fail(error, ROOF_ENOMEM, "not enough memory for a measurement");
    if (!measurement_add(session->out, sample, error))
        return -1;
    if (roof)
        set_roof(roof, sample->value, source);
    return 0;
}

/* ---- the series ---- */

typedef struct series { /* kernels that are rivals for one roof; no kernel: a transfer */
    const device_kernel *kernels[8];
    int count;
    bool to_device;
} series;

enum { SERIES_MAX = 32 };

static bool can_run(const device_facts *facts, const device_kernel *kernel) {
    const bool has[] = {[DEVICE_NEEDS_NOTHING] = true,
                        [DEVICE_NEEDS_F64] = facts->f64,
                        [DEVICE_NEEDS_F16] = facts->f16,
                        [DEVICE_NEEDS_DOT] = facts->dot,
                        [DEVICE_NEEDS_CPU] = facts->device.is_cpu};
    return has[kernel->need] && facts->capability >= kernel->capability;
}

static bool rivals(const device_kernel *a, const device_kernel *b) {
    return a->pattern == b->pattern && a->unit == b->unit && a->dtype == b->dtype && a->narrow == b->narrow &&
           a->level == b->level;
}

/* What this device can be asked, in the order of the backend's table, transfers last. */
static int list_series(const device_session *session, series *list) {
    int count = 0;
    const device_kernel *kernel;
    for (size_t i = 0; (kernel = session->backend->kernel(i)) != NULL; i++) {
        if (!can_run(&session->facts, kernel))
            continue;
        series *last = count ? &list[count - 1] : NULL;
        if (last && last->count < 8 && rivals(last->kernels[0], kernel))
            last->kernels[last->count++] = kernel;
        else if (count < SERIES_MAX - 2)
            list[count++] = (series){{kernel}, 1, false};
    }
    list[count++] = (series){{NULL}, 0, true};
    list[count++] = (series){{NULL}, 0, false};
    return count;
}

static const char *name_of(const series *what) {
    if (what->count)
        return what->kernels[0]->label;
    return what->to_device ? "host to device" : "device to host";
}

/* Without arrays well above the caches a bandwidth would be one of a cache. */
static bool fits_cache(const device_session *session) {
    return session->facts.cache > 0 && (double)session->bytes < 2 * session->facts.cache;
}

/* Time it. Returns which kernel gave the value (0 of transfers), or -1. */
static int time_one(device_session *session, const series *what, roof_sample *sample, roof_error *error) {
    const device_kernel *first = what->kernels[0];
    if (!what->count)
        return series_transfer(session, what->to_device, sample, error);
    if (first->pattern == ROOF_PATTERN_LAUNCH)
        return series_launch(session, first, sample, error);
    if (roof_pattern_is_compute(first->pattern) || first->level == ROOF_L1)
        return series_compute(session, what->kernels, what->count, sample, error);
    if (fits_cache(session))
        return roof_fail(error, ROOF_EUNSUPPORTED, "arrays of %.0f MB are no larger than twice the cache of %.0f MB",
                         (double)session->bytes / 1e6, session->facts.cache / 1e6);
    return series_memory(session, what->kernels, what->count, sample, error);
}

/* A CPU has no way to itself: what was timed is a copy in memory. */
static roof_figure *host_link(const device_session *session, const series *what) {
    return what->to_device && !session->facts.device.is_cpu ? &session->out->machine.host_link : NULL;
}

/* -1: no memory. A series that the device cannot do is left out and named. */
static int measure_one(device_session *session, const series *what, roof_error *error) {
    roof_sample sample = {0};
    roof_error reason = {0};
    int which = time_one(session, what, &sample, &reason), result = 0;
    if (which >= 0) {
        const device_kernel *kernel = what->kernels[which];
        roof_figure *roof =
            kernel ? roof_of(&session->facts, &session->out->machine, kernel) : host_link(session, what);
        result = keep(session, &sample, roof, kernel ? kernel->label : name_of(what), error);
    } else if (reason.code == ROOF_ENOMEM) {
        if (error)
            *error = reason;
        result = -1;
    } else {
        char text[160];
        snprintf(text, sizeof text, "%s was not measured", name_of(what));
        condition_add(session->out, text, reason.what, "update the driver, or leave this roof out");
    }
    free((void *)sample.windows);
    return result;
}

static void say_unsettled(roof_measurement *out) {
    size_t count = 0;
    char text[160];
    for (size_t i = 0; i < out->sample_count; i++)
        count += !out->samples[i].stable;
    snprintf(text, sizeof text, "%zu of %zu series did not settle: their first and second half differ by over 3%%",
             count, out->sample_count);
    if (count)
        condition_add(out, text, "other work on the device, or its clock changed", "measure again on an idle device");
}

static int measure_series(device_session *session, const roof_measure_options *options, double seconds,
                          roof_error *error) {
    series list[SERIES_MAX];
    int count = list_series(session, list);
    double start = session->time->now(session->time->context);
    for (int i = 0; i < count; i++) {
        if (options->progress && options->progress(options->context, (double)i / count, name_of(&list[i])))
            return roof_fail(error, ROOF_EARGUMENT, "the measurement was stopped");
        /* Who comes after a slow series still gets a share. */
        session->deadline = larger(start + seconds * (i + 1) / count,
                                   session->time->now(session->time->context) + 0.5 * seconds / count);
        if (measure_one(session, &list[i], error))
            return -1;
    }
    say_unsettled(session->out);
    if (session->out->sample_count)
        return 0;
    const roof_measurement *out = session->out; /* the last condition says why the last series failed */
    return roof_fail(error, ROOF_EUNSUPPORTED, "nothing could be measured on %s: %.150s", session->facts.device.id,
                     out->condition_count ? out->conditions[out->condition_count - 1].cause : "no series");
}

/* ---- the machine, and what limits the measurement ---- */

static void say_limits(device_session *session) {
    roof_measurement *out = session->out;
    const device_facts *facts = &session->facts;
    if (facts->device.untried)
        condition_add(out, "this backend was written from the documentation and never run",
                      "its authors had no such device; kernels whose results are wrong are left out all the same",
                      "compare the roofs with the datasheet, and report what you find");
    if (strcmp(session->backend->kind, "opencl") == 0 && !facts->device.is_cpu)
        condition_add(out, "the roofs of matrix units are unknown", "OpenCL cannot reach tensor cores and their like",
                      "take them from the catalogue: matrix work is judged by the vector roofs here");
    if (facts->device.is_cpu)
        condition_add(out, "this device is the CPU", "its local memory and transfers are ordinary memory",
                      "measure the CPU without OpenCL for its own roofs");
    if (matrix_is_low(facts))
        condition_add(out, "the matrix samples are not roofs",
                      "mma.sync does not reach the peak of the tensor cores of this generation",
                      "take the matrix roofs from the catalogue");
}

static roof_figure reported(double value) {
    if (!(value > 0))
        return (roof_figure){0};
    return (roof_figure){.value = value, .origin = ROOF_ORIGIN_DERIVED, .source = "as the driver reports"};
}

static int describe(device_session *session, const budget *most, roof_error *error) {
    const device_facts *facts = &session->facts;
    roof_measurement *out = session->out;
    char id[48];
    snprintf(id, sizeof id, "this-%s", facts->device.id);
    for (char *at = strchr(id, ':'); at; at = strchr(at, ':'))
        *at = '-';
    snprintf(out->cpu, sizeof out->cpu, "%s", facts->device.name);
    snprintf(out->kernel, sizeof out->kernel, "driver %.80s", facts->device.driver);
    snprintf(out->compiler, sizeof out->compiler, "%s", facts->platform);
    snprintf(out->effort, sizeof out->effort, "%s", most->name);
    out->cpus = out->cores = out->threads = facts->units;
    out->machine = (roof_machine){
        .id = measurement_text(out, "%s", id),
        .name = measurement_text(out, "%s", facts->device.name),
        .vendor = measurement_text(out, "%s", facts->device.vendor),
        .scope = facts->scope,
        .size[ROOF_DRAM] = reported(facts->memory),
        .units = reported(facts->units),
    };
    out->one = (roof_machine){.id = out->machine.id, .name = out->machine.name};
    if (!out->machine.id || !out->machine.name || !out->machine.vendor)
        return roof_fail(error, ROOF_ENOMEM, "not enough memory for a measurement");
    say_limits(session);
    return 0;
}

/* ---- the whole ---- */

static int measure_open(device_session *session, const roof_measure_options *options, roof_error *error) {
    budget most = budget_of(options);
    session->window = most.window;
    session->launches = most.launches;
    double start = session->time->now(session->time->context);
    int failed = describe(session, &most, error) ||
                 take_memory(session, array_bytes(&session->facts, options, &most), error) ||
                 measure_series(session, options, most.seconds, error);
    give_back(session);
    session->out->seconds = session->time->now(session->time->context) - start;
    return failed ? -1 : 0;
}

roof_measurement *measure_backend(const device_backend *backend, size_t index, const time_source *time,
                                  const roof_measure_options *options, roof_error *error) {
    const roof_measure_options defaults = {0};
    device_session session = {.backend = backend, .time = time};
    if (backend->find(backend, index, &session.facts)) {
        roof_fail(error, ROOF_ENOTFOUND, "there is no device '%s:%zu'", backend->kind, index);
        return NULL;
    }
    session.at = backend->open(backend, index, error);
    if (!session.at)
        return NULL;
    session.out = measurement_new(error);
    int failed = !session.out || measure_open(&session, options ? options : &defaults, error);
    backend->close(session.at);
    if (!failed)
        return session.out;
    roof_measurement_free(session.out);
    return NULL;
}

/* "opencl:0" */
static const device_backend *parse_id(const char *id, size_t *index) {
    for (size_t b = 0; device_backend_at(b); b++) {
        const device_backend *backend = device_backend_at(b);
        size_t length = strlen(backend->kind);
        if (strncmp(id, backend->kind, length) || id[length] != ':' || !id[length + 1])
            continue;
        const char *digits = id + length + 1;
        if (strlen(digits) > 6 || strspn(digits, "0123456789") != strlen(digits))
            return NULL;
        *index = (size_t)strtoul(digits, NULL, 10);
        return backend;
    }
    return NULL;
}

/* The ids there are, for the hint. */
static void offer_ids(roof_error *error) {
    char text[200] = "";
    roof_device one;
    size_t length = 0;
    for (size_t i = 0; length < sizeof text - 32 && roof_device_at(i, &one) == 0; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", i ? ", " : "", one.id);
    if (length)
        roof_hint(error, "there are: cpu, %s", text);
    else
        roof_hint(error, "no device was found but the CPU; OpenCL devices need their vendor's driver (an ICD)");
}

roof_measurement *measure_device(const char *id, const roof_measure_options *options, roof_error *error) {
    size_t index = 0;
    device_facts facts;
    time_source time = time_monotonic();
    const device_backend *backend = parse_id(id, &index);
    if (backend && backend->find(backend, index, &facts) == 0)
        return measure_backend(backend, index, &time, options, error);
    roof_fail(error, ROOF_ENOTFOUND, "there is no device '%.40s'", id);
    offer_ids(error);
    return NULL;
}
