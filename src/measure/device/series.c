/* One series on a device: build a kernel, prove it, find how to launch it, time many launches. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/device/device.h"
#include "measure/host/host.h"

enum { GROUP_LEAST = 64, ITEMS_A_UNIT = 2048, LAUNCHES_MAX = 1024, CHAIN = 200, PIN_BYTES = 64 << 20 };

static const double least_seconds = 0.25; /* of timing, a series */

typedef struct shape {
    size_t groups, group;
} shape; /* how a kernel is launched */

static double now(const device_session *session) {
    return session->time->now(session->time->context);
}

static size_t items_of(shape how) {
    return how.groups * how.group;
}

/* ---- timing ---- */

typedef struct times { /* of launches, by both clocks */
    double device[LAUNCHES_MAX], host[LAUNCHES_MAX];
    int count;
} times;

static double least(const double *values, int count) {
    double found = HUGE_VAL;
    for (int i = 0; i < count; i++)
        found = values[i] < found ? values[i] : found;
    return found;
}

/* The clock of the device, unless it cannot be right: a launch does not take longer inside than outside, nor is more
 * than half of a launch of milliseconds spent on the way. */
static const double *trusted(device_session *session, const times *taken) {
    double inside = least(taken->device, taken->count), outside = least(taken->host, taken->count);
    if (inside > 0 && inside <= 1.05 * outside && inside >= 0.5 * outside)
        return taken->device;
    static const char what[] = "times come from the host's clock, from call to completion";
    for (size_t i = 0; i < session->out->condition_count; i++)
        if (strcmp(session->out->conditions[i].what, what) == 0)
            return taken->host;
    condition_add(session->out, what,
                  inside > 0 ? "the times the driver reports of its launches contradict the host's clock"
                             : "the driver reports no times of its launches",
                  "take the roofs as slightly low: each launch counts its way to the device");
    return taken->host;
}

typedef struct job { /* one timed call, whatever it is */
    int (*run)(device_session *session, void *context, double *device_seconds, roof_error *error);
    void *context;
    double amount;            /* FLOPs or bytes of a call; is_time: launches */
    bool is_time, host_clock; /* host_clock: of a chain of launches, whose gaps count */
} job;

static int time_job(device_session *session, const job *what, int most, times *taken, roof_error *error) {
    double until = now(session) + least_seconds; /* however long building took: few launches make no percentile */
    if (until < session->deadline)
        until = session->deadline;
    taken->count = 0;
    while (taken->count < most && (taken->count < 3 || now(session) < until)) {
        double start = now(session), inside = 0;
        if (what->run(session, what->context, &inside, error))
            return -1;
        taken->host[taken->count] = now(session) - start;
        taken->device[taken->count++] = inside;
    }
    return 0;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double ranked(const double *values, int count, double fraction) {
    double sorted[LAUNCHES_MAX];
    memcpy(sorted, values, (size_t)count * sizeof *values);
    qsort(sorted, (size_t)count, sizeof *sorted, by_value);
    return percentile_of(sorted, (size_t)count, fraction);
}

/* The sample of many calls: a high percentile of the rates, a low one of the times. */
static int summarise(device_session *session, const job *what, const times *taken, roof_sample *out,
                     roof_error *error) {
    const double *seconds = what->host_clock ? taken->host : trusted(session, taken);
    double values[LAUNCHES_MAX], top = what->is_time ? 0.05 : 0.95;
    int count = taken->count, half = count / 2;
    float *windows = malloc((size_t)count * sizeof *windows);
    if (!windows)
        return roof_fail(error, ROOF_ENOMEM, "not enough memory for the windows of a series");
    for (int i = 0; i < count; i++) {
        values[i] = what->is_time ? seconds[i] / what->amount : what->amount / seconds[i];
        windows[i] = (float)values[i];
    }
    double first = ranked(values, half, top), second = ranked(values + half, count - half, top);
    out->value = ranked(values, count, top);
    out->median = ranked(values, count, 0.5);
    out->best = ranked(values, count, what->is_time ? 0 : 1);
    out->spread = (ranked(values, count, 0.9) - ranked(values, count, 0.1)) / out->median;
    out->stable = half >= 4 && fabs(first - second) <= 0.03 * out->value;
    out->window_seconds = ranked(seconds, count, 0.5);
    out->windows = windows;
    out->window_count = (size_t)count;
    out->threads = 1;
    out->from_node = out->to_node = -1;
    out->moved = 1;
    out->huge = -1;
    return 0;
}

static int time_series(device_session *session, const job *what, roof_sample *out, roof_error *error) {
    times *taken = malloc(sizeof *taken);
    if (!taken)
        return roof_fail(error, ROOF_ENOMEM, "not enough memory to time a series");
    int failed = time_job(session, what, session->launches, taken, error);
    if (!failed)
        failed = summarise(session, what, taken, out, error);
    free(taken);
    return failed;
}

/* ---- launches of one kernel ---- */

typedef struct run_of {
    const device_kernel *kernel;
    device_launch launch;
} run_of;

static int run_kernel(device_session *session, void *context, double *seconds, roof_error *error) {
    run_of *run = context;
    return session->backend->launch(session->at, &run->launch, seconds, error);
}

static run_of runs(const device_session *session, const device_kernel *kernel, void *program, shape how, uint64_t n) {
    return (run_of){kernel,
                    {.program = program,
                     .a = session->a,
                     .b = session->b,
                     .c = session->c,
                     .n = n,
                     .groups = how.groups,
                     .group = how.group,
                     .times = 1}};
}

/* Seconds of the best of a few launches, by the host's clock: to compare ways of launching only. */
static double try_out(device_session *session, run_of *run, roof_error *error) {
    double best = HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        double start = now(session);
        if (session->backend->launch(session->at, &run->launch, NULL, error))
            return -1;
        double seconds = now(session) - start;
        best = seconds < best ? seconds : best;
        if (start + seconds > session->deadline)
            break;
    }
    return best;
}

/* Iterations for a launch of about `session->window` seconds. */
static int calibrate(device_session *session, run_of *run, roof_error *error) {
    run->launch.n = 1;
    for (int tries = 0; tries < 24; tries++) {
        double seconds = try_out(session, run, error);
        if (seconds < 0)
            return -1;
        double factor = seconds > 0 ? session->window / seconds : 16;
        if (factor < 1.5 && factor > 0.67)
            return 0;
        double next = floor((double)run->launch.n * fmin(factor, 16));
        if (next > 1e12 ||
            (next < 1 && run->launch.n == 1 && tries >= 4)) /* not at once: the host may have been busy */
            return 0;
        run->launch.n = next < 1 ? 1 : (uint64_t)next;
    }
    return 0;
}

static double rate(const run_of *run, double seconds) {
    double items = (double)run->launch.groups * (double)run->launch.group;
    return run->kernel->work * (double)run->launch.n * items / seconds;
}

/* ---- compute, and local memory, which is timed the same way ---- */

static shape compute_shape(const device_session *session, const device_kernel *kernel, size_t group) {
    size_t items = (size_t)(session->facts.units > 0 ? session->facts.units : 1) * ITEMS_A_UNIT;
    size_t most =
        (session->host_bytes < session->bytes ? session->host_bytes : session->bytes) / proof_item_bytes(kernel);
    if (items > most)
        items = most;
    return (shape){items >= group ? items / group : 1, group};
}

/* Run the kernel over sets of small exact numbers and compare everything that it leaves. */
static int prove(device_session *session, const device_kernel *kernel, void *program, shape how, roof_error *error) {
    const device_backend *use = session->backend;
    size_t bytes = items_of(how) * proof_item_bytes(kernel);
    for (int set = 0; set < PROOF_SETS; set++) {
        run_of run = runs(session, kernel, program, how, proof_iterations(set));
        proof_fill(kernel, set, session->host);
        if (use->move(session->at, session->b, 0, session->host, PROOF_BYTES, true, NULL, error))
            return -1;
        memset(session->host, 0xa5, bytes);
        if (use->move(session->at, session->a, 0, session->host, bytes, true, NULL, error) ||
            use->launch(session->at, &run.launch, NULL, error) ||
            use->move(session->at, session->a, 0, session->host, bytes, false, NULL, error))
            return -1;
        if (!proof_holds(kernel, set, run.launch.n, how.group, session->host, items_of(how)))
            return roof_fail(error, ROOF_EUNSUPPORTED, "the kernel '%s' computes wrongly", kernel->label);
    }
    session->memory_filled = false;
    return 0;
}

/* The best size of a work-group; on return `run` has it, calibrated. */
static int search_group(device_session *session, run_of *run, roof_error *error) {
    double best = 0;
    run_of chosen = *run;
    for (size_t group = GROUP_LEAST; group <= 256; group *= 2) {
        if (session->facts.group_max > 0 && group > (size_t)session->facts.group_max)
            break;
        run_of candidate =
            runs(session, run->kernel, run->launch.program, compute_shape(session, run->kernel, group), run->launch.n);
        double seconds = try_out(session, &candidate, error);
        if (seconds < 0)
            return -1;
        if (seconds > 0 && rate(&candidate, seconds) > best) {
            best = rate(&candidate, seconds);
            chosen = candidate;
        }
        if (now(session) > session->deadline)
            break;
    }
    *run = chosen;
    return 0;
}

static shape first_shape(const device_session *session, const device_kernel *kernel) {
    size_t group = GROUP_LEAST;
    if (session->facts.group_max > 0 && group > (size_t)session->facts.group_max)
        group = (size_t)session->facts.group_max;
    return compute_shape(session, kernel, group);
}

/* Prove a program and see how fast it is. -1 or FLOPs or bytes a second. */
static double try_compute(device_session *session, run_of *run, roof_error *error) {
    shape how = first_shape(session, run->kernel);
    *run = runs(session, run->kernel, run->launch.program, how, 1);
    if (prove(session, run->kernel, run->launch.program, how, error) || calibrate(session, run, error))
        return -1;
    double seconds = try_out(session, run, error);
    return seconds > 0 ? rate(run, seconds) : seconds;
}

typedef double (*trial)(device_session *session, run_of *run, roof_error *error);

/* A roof of kernels of which some were not tried may be too low, and is said to be. */
static void say_untried(device_session *session, const device_kernel *kernel, int tried, int count) {
    char text[160];
    if (!roof_pattern_is_compute(kernel->pattern))
        return;
    snprintf(text, sizeof text, "%d of %d variants of '%s' were tried: the roof may be too low", tried, count,
             kernel->label);
    condition_add(session->out, text, "the time was over: the driver's compiler is slow, or the device busy",
                  "measure thoroughly, which allows more time");
}

/* Build and try each of the rivals; `chosen` gets the fastest. Returns which, or -1. */
static int choose(device_session *session, const device_kernel *const *kernels, int count, trial try_one,
                  run_of *chosen, roof_error *error) {
    double begun = now(session), best = 0;
    int winner = -1;
    for (int i = 0; i < count; i++) {
        if (winner >= 0 && now(session) - begun > 0.6 * (session->deadline - begun)) {
            say_untried(session, kernels[0], i, count);
            break; /* the rest of the time is for timing the best so far */
        }
        run_of run = {.kernel = kernels[i], .launch.program = session->backend->build(session->at, kernels[i], error)};
        if (!run.launch.program)
            continue;
        double speed = try_one(session, &run, error);
        void *loser = run.launch.program;
        if (speed > best) {
            loser = winner >= 0 ? chosen->launch.program : NULL;
            best = speed;
            winner = i;
            *chosen = run;
        }
        if (loser)
            session->backend->discard(session->at, loser);
    }
    return winner;
}

static int time_compute(device_session *session, run_of *run, roof_sample *out, roof_error *error) {
    const device_kernel *kernel = run->kernel;
    if (search_group(session, run, error) || calibrate(session, run, error))
        return -1;
    job what = {run_kernel, run, rate(run, 1), false, false};
    if (time_series(session, &what, out, error))
        return -1;
    shape how = {run->launch.groups, run->launch.group};
    if (prove(session, kernel, run->launch.program, how,
              error)) /* as it was launched, and that the device still works */
        return -1;
    out->pattern = kernel->pattern;
    out->unit = kernel->unit;
    out->dtype = kernel->dtype;
    out->level = kernel->level;
    if (kernel->pattern == ROOF_PATTERN_LOAD)
        out->set_bytes = DEVICE_BOX * DEVICE_ELEMENT;
    return 0;
}

int series_compute(device_session *session, const device_kernel *const *kernels, int count, roof_sample *out,
                   roof_error *error) {
    run_of chosen;
    int winner = choose(session, kernels, count, try_compute, &chosen, error);
    if (winner < 0)
        return -1;
    int failed = time_compute(session, &chosen, out, error);
    session->backend->discard(session->at, chosen.launch.program);
    return failed ? -1 : winner;
}

/* ---- memory ---- */

/* All of one array, chunk by chunk, from host memory. */
static int fill_array(device_session *session, void *array, char name, roof_error *error) {
    memory_fill(name, session->host);
    for (size_t at = 0; at < session->bytes; at += DEVICE_CHUNK)
        if (session->backend->move(session->at, array, at, session->host, DEVICE_CHUNK, true, NULL, error))
            return -1;
    return 0;
}

static int fill_memory(device_session *session, roof_error *error) {
    if (!session->memory_filled &&
        (fill_array(session, session->b, 'b', error) || fill_array(session, session->c, 'c', error)))
        return -1;
    session->memory_filled = true;
    return 0;
}

static int wrong(const device_kernel *kernel, roof_error *error) {
    return roof_fail(error, ROOF_EUNSUPPORTED, "the kernel '%s' moves memory wrongly", kernel->label);
}

/* What the last launch left: every byte of a copy and of a triad, the sum of a load. */
static int check_memory(device_session *session, const run_of *run, roof_error *error) {
    const device_backend *use = session->backend;
    size_t items = run->launch.groups * run->launch.group;
    if (run->kernel->pattern == ROOF_PATTERN_LOAD) {
        if (use->move(session->at, session->a, 0, session->host, items * DEVICE_ELEMENT, false, NULL, error))
            return -1;
        return memory_sum_holds(session->host, items, session->bytes / DEVICE_CHUNK) ? 0 : wrong(run->kernel, error);
    }
    char *expected = session->host, *found = expected + DEVICE_CHUNK;
    memory_expect(run->kernel->pattern, expected);
    for (size_t at = 0; at < session->bytes; at += DEVICE_CHUNK) {
        if (use->move(session->at, session->a, at, found, DEVICE_CHUNK, false, NULL, error))
            return -1;
        if (memcmp(found, expected, DEVICE_CHUNK))
            return wrong(run->kernel, error);
    }
    return 0;
}

/* Ways to launch a memory kernel: items a compute unit, items a group. */
static const struct memory_shape {
    size_t items, group;
    bool blocks; /* for kernels that give each item a block: few items, each a group of its own */
} memory_shapes[] = {
    {2048, 256, false},  {16384, 256, false}, {131072, 256, false}, {2048, 64, false}, {16384, 64, false},
    {131072, 64, false}, {4, 1, true},        {1, 1, true},         {16, 1, true},     {64, 1, true},
};

/* The best of them is left in `run`. */
static double try_memory(device_session *session, run_of *run, roof_error *error) {
    size_t units = (size_t)(session->facts.units > 0 ? session->facts.units : 1);
    size_t most = session->host_bytes / DEVICE_ELEMENT; /* LOAD leaves a sum a work item */
    double best = HUGE_VAL;
    run_of chosen = *run;
    for (size_t i = 0; i < sizeof memory_shapes / sizeof memory_shapes[0]; i++) {
        const struct memory_shape *at = &memory_shapes[i];
        size_t items = units * at->items < most ? units * at->items : most;
        if (at->blocks != (run->kernel->need == DEVICE_NEEDS_CPU) ||
            (session->facts.group_max > 0 && at->group > (size_t)session->facts.group_max))
            continue;
        if (best < HUGE_VAL && now(session) > session->deadline)
            break;
        run_of candidate = runs(session, run->kernel, run->launch.program, (shape){items / at->group, at->group},
                                session->bytes / DEVICE_ELEMENT);
        double seconds = try_out(session, &candidate, error);
        if (seconds < 0)
            return -1;
        if (seconds < best) {
            best = seconds;
            chosen = candidate;
        }
    }
    *run = chosen;
    return best < HUGE_VAL ? run->kernel->work * (double)run->launch.n / best : -1;
}

static int time_memory(device_session *session, run_of *run, roof_sample *out, roof_error *error) {
    job what = {run_kernel, run, run->kernel->work * (double)run->launch.n, false, false};
    if (fill_array(session, session->a, 'a', error) || time_series(session, &what, out, error) ||
        check_memory(session, run, error))
        return -1;
    out->pattern = run->kernel->pattern;
    out->dtype = run->kernel->dtype;
    out->level = ROOF_DRAM;
    out->set_bytes = run->kernel->work / DEVICE_ELEMENT * (double)session->bytes;
    return 0;
}

int series_memory(device_session *session, const device_kernel *const *kernels, int count, roof_sample *out,
                  roof_error *error) {
    run_of chosen;
    if (fill_memory(session, error))
        return -1;
    int winner = choose(session, kernels, count, try_memory, &chosen, error);
    if (winner < 0)
        return -1;
    int failed = time_memory(session, &chosen, out, error);
    session->backend->discard(session->at, chosen.launch.program);
    return failed ? -1 : winner;
}

/* ---- the way to the device ---- */

int series_launch(device_session *session, const device_kernel *kernel, roof_sample *out, roof_error *error) {
    const device_backend *use = session->backend;
    void *program = use->build(session->at, kernel, error);
    if (!program)
        return -1;
    run_of run = runs(session, kernel, program, (shape){1, 1}, 1);
    run.launch.times = CHAIN;
    uint32_t counted[4] = {0};
    job what = {run_kernel, &run, CHAIN, true, true};
    int failed = use->move(session->at, session->a, 0, counted, sizeof counted, true, NULL, error) ||
                 run_kernel(session, &run, NULL, error) || /* the first chain warms up */
                 time_series(session, &what, out, error) ||
                 use->move(session->at, session->a, 0, counted, sizeof counted, false, NULL, error);
    unsigned launched = CHAIN * (unsigned)(out->window_count + 1);
    if (!failed && counted[0] != launched)
        failed = roof_fail(error, ROOF_EUNSUPPORTED, "%u tiny kernels ran where %u were launched", (unsigned)counted[0],
                           launched);
    use->discard(session->at, program);
    out->pattern = ROOF_PATTERN_LAUNCH;
    return failed ? -1 : 0;
}

typedef struct transfer {
    void *pinned;
    size_t bytes;
    bool to_device;
} transfer;

static int run_transfer(device_session *session, void *context, double *seconds, roof_error *error) {
    const transfer *what = context;
    return session->backend->move(session->at, session->a, 0, what->pinned, what->bytes, what->to_device, seconds,
                                  error);
}

/* Send a pattern, or fetch one that was sent; then what lies at the other end must be the pattern. */
static int time_transfer(device_session *session, transfer *what, roof_sample *out, roof_error *error) {
    for (size_t at = 0; at < what->bytes; at += DEVICE_CHUNK)
        memory_fill('b', (char *)what->pinned + at);
    transfer other = *what;
    other.to_device = true;
    job timed = {run_transfer, what, (double)what->bytes, false, false};
    if (fill_array(session, session->a, 'a', error) || (!what->to_device && run_transfer(session, &other, NULL, error)))
        return -1;
    if (!what->to_device)
        memset(what->pinned, 0xa5, what->bytes);
    other.to_device = false;
    if (time_series(session, &timed, out, error))
        return -1;
    bool same = true;
    memory_expect(ROOF_PATTERN_COPY, session->host);
    if (what->to_device)
        memset(what->pinned, 0xa5, what->bytes);
    int failed = what->to_device ? run_transfer(session, &other, NULL, error) : 0;
    for (size_t at = 0; at < what->bytes && same && !failed; at += DEVICE_CHUNK)
        same = memcmp((char *)what->pinned + at, session->host, DEVICE_CHUNK) == 0;
    if (!same)
        failed = roof_fail(error, ROOF_EUNSUPPORTED, "what arrived is not what was sent");
    return failed;
}

int series_transfer(device_session *session, bool to_device, roof_sample *out, roof_error *error) {
    transfer what = {.bytes = session->bytes < PIN_BYTES ? session->bytes : PIN_BYTES, .to_device = to_device};
    what.pinned = session->backend->pin(session->at, what.bytes, error);
    if (!what.pinned)
        return -1;
    int failed = time_transfer(session, &what, out, error);
    session->backend->unpin(session->at, what.pinned);
    out->pattern = to_device ? ROOF_PATTERN_TO_DEVICE : ROOF_PATTERN_FROM_DEVICE;
    out->set_bytes = (double)what.bytes;
    return failed;
}
