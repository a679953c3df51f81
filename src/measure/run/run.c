/* Running an operation: threads, memory, repetition, and the comparison with a plain computation of the same. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "measure/engine/sampler.h"
#include "measure/run/run.h"

static const struct {
    const run_kind *how; /* NULL: no kernel */
} kinds[ROOF_KIND_COUNT] = {
    [ROOF_KIND_COPY] = {&run_stream},
    [ROOF_KIND_SCALE] = {&run_stream},
    [ROOF_KIND_ADD] = {&run_stream},
    [ROOF_KIND_TRIAD] = {&run_stream},
    [ROOF_KIND_DOT] = {&run_stream},
    [ROOF_KIND_AXPY] = {&run_stream},
    [ROOF_KIND_GEMV] = {&run_gemv},
    [ROOF_KIND_SPMV] = {&run_spmv},
    [ROOF_KIND_STENCIL] = {&run_stencil},
    [ROOF_KIND_GEMM] = {&run_gemm},
    [ROOF_KIND_ELEMENTWISE] = {&run_elementwise},
};

bool roof_can_run(roof_kind kind) {
    return kind >= 0 && kind < ROOF_KIND_COUNT && kinds[kind].how;
}

/* ---- where the working set lies ---- */

/* Bytes of a level that `threads` cores reach. The machine's size is that of all its cores together; a level that is
 * not known to be shared is each core's own, but for L3, which is then all cores'. */
static double level_bytes(const roof_machine *machine, const host *here, roof_level level, int threads) {
    const roof_figure *size = &machine->size[level];
    if (size->origin == ROOF_ORIGIN_UNKNOWN)
        return 0;
    int cores = machine->units.origin != ROOF_ORIGIN_UNKNOWN ? (int)machine->units.value : here->core_count;
    int sharing = here->sharing[level] > 0 ? here->sharing[level] : level == ROOF_L3 ? cores : 1;
    double parts = ceil((double)cores / sharing), used = ceil((double)threads / sharing);
    return used < parts ? size->value * used / parts : size->value;
}

roof_level run_level(const roof_machine *machine, const host *here, int threads, double bytes, bool *near_edge) {
    static const roof_level upwards[] = {ROOF_L1, ROOF_L2, ROOF_L3};
    const double margin = 0.75; /* of a cache that is full, some lines were replaced */
    roof_level found = ROOF_DRAM;
    *near_edge = false;
    for (int i = 0; i < 3; i++) {
        double size = level_bytes(machine, here, upwards[i], threads);
        *near_edge |= size > 0 && bytes > size / 2 && bytes < size * 2;
        if (found == ROOF_DRAM && size > 0 && bytes <= margin * size)
            found = upwards[i];
    }
    return found;
}

/* ---- what cannot be run ---- */

static const char runnable[] =
    "copy, scale, add, triad, dot, axpy, gemv, gemm, spmv, stencil and simple elementwise can be run";

static int check_dtypes(const roof_operation *operation, const run_kind *how, roof_error *error) {
    roof_dtype dtype = operation->dtype[0];
    const char *name = roof_kind_name(operation->kind);
    for (int i = 1; how->math && i < ROOF_OPERAND_MAX; i++)
        if (operation->dtype[i] != dtype)
            return roof_fail(error, ROOF_EUNSUPPORTED, "%s of %s and %s cannot be run: all operands have one dtype",
                             name, roof_dtype_name(dtype), roof_dtype_name(operation->dtype[i]));
    if (dtype == ROOF_F64 || dtype == ROOF_F32)
        return 0;
    roof_fail(error, ROOF_EUNSUPPORTED, "%s in %s cannot be run: the kernels compute in f64 and f32", name,
              roof_dtype_name(dtype));
    roof_suggest(error, ROOF_REMEDY_DTYPE, "f32");
    return -1;
}

static int check_operation(const roof_operation *operation, roof_error *error) {
    if (!roof_can_run(operation->kind)) {
        roof_fail(error, ROOF_EUNSUPPORTED, "there is no kernel for %s here", roof_kind_name(operation->kind));
        roof_hint(error, "%s", runnable);
        return -1;
    }
    if (!(operation->bytes[ROOF_DRAM] > 0))
        return roof_fail(error, ROOF_EARGUMENT, "this %s has nothing to do", roof_kind_name(operation->kind));
    return check_dtypes(operation, kinds[operation->kind].how, error);
}

static int check_memory(const roof_operation *operation, const host *here, double bytes, roof_error *error) {
    char needed[NUMBER_SIZE], available[NUMBER_SIZE];
    bool known = here->available_why && here->available_why[0];
    double most = known ? here->available : 0x1p47;
    if (bytes <= most)
        return 0;
    roof_fail(error, ROOF_ENOMEM, "this %s needs %s of memory, and %s are available (%s)",
              roof_kind_name(operation->kind), number_si(bytes, "B", needed), number_si(most, "B", available),
              known ? here->available_why : "address space");
    roof_hint(error, "run a smaller one: the time of a larger one grows with its bytes");
    return -1;
}

static int choose_threads(const host *here, const roof_run_options *options, int *threads, roof_error *error) {
    *threads = options->threads > 0 ? options->threads : here->core_count;
    if (options->threads >= 0 && *threads > 0 && *threads <= here->core_count)
        return 0;
    roof_fail(error, ROOF_EARGUMENT, "%d threads are asked for, and this process may use %d core%s", options->threads,
              here->core_count, here->core_count == 1 ? "" : "s");
    return -1;
}

/* ---- memory ---- */

enum { LINE = 64, SKEW = 17 * LINE, HUGE_FROM = 1 << 20 };

static double set_bytes(const run_job *job) {
    double bytes = 0;
    for (int i = 0; i < job->array_count; i++)
        bytes += (double)job->arrays[i].count * (double)job->arrays[i].element;
    return bytes;
}

/* Arrays start on different lines of their pages, so that a store and a load of the next array do not look alike to the
 * CPU. */
static int take_arrays(run_job *job, roof_error *error) {
    for (int i = 0; i < job->array_count; i++) {
        run_array *array = &job->arrays[i];
        size_t bytes = array->count * array->element;
        if (array->count == 0)
            return roof_fail(error, ROOF_EARGUMENT, "this %s has nothing to do", roof_kind_name(job->operation->kind));
        if (block_take(&array->memory, bytes + (size_t)i * SKEW, bytes >= HUGE_FROM))
            return roof_fail(error, ROOF_ENOMEM, "%.3g GB of memory could not be allocated", (double)bytes / 1e9);
        array->bytes = array->memory.bytes + (size_t)i * SKEW;
    }
    job->partial = calloc((size_t)job->threads * RUN_APART, sizeof *job->partial);
    return job->partial ? 0 : roof_fail(error, ROOF_ENOMEM, "out of memory");
}

static void give_arrays(run_job *job) {
    for (int i = 0; i < job->array_count; i++)
        block_give(&job->arrays[i].memory);
    free(job->partial);
}

/* ---- repetition ---- */

typedef struct session {
    run_job *job;
    const run_kind *how;
    team *team;
    time_source clock;
    double *times, *starts; /* of all executions so far; of each thread in this one, RUN_APART */
    double until;           /* no execution starts after it, but for the least */
    size_t count, least, most;
    bool stop;
} session;

static double now(const session *s) {
    return s->clock.now(s->clock.context);
}

/* From the first thread's start until all have met again: a thread that was late has not shortened it. */
static void note(session *s) {
    double start = HUGE_VAL;
    for (int rank = 0; rank < s->job->threads; rank++)
        start = fmin(start, s->starts[rank * RUN_APART]);
    if (s->how->join)
        s->how->join(s->job);
    double end = now(s);
    s->times[s->count++] = end - start;
    s->job->executions++;
    s->stop = s->count >= s->most || (s->count >= s->least && end >= s->until);
}

/* Executions one after another: the threads meet, do their shares and meet again. Waiting for the last is inside the
 * time. */
static void repeat_thread(void *context, int rank) {
    session *s = context;
    int threads = s->job->threads;
    for (;;) {
        team_meet(s->team, threads);
        if (s->stop)
            return;
        s->starts[rank * RUN_APART] = now(s);
        s->how->run(s->job, rank);
        team_meet(s->team, threads);
        if (rank == 0)
            note(s);
    }
}

static int by_size(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* At least `least` executions, then more until `seconds` passed. Leaves the times sorted. */
static void repeat(session *s, size_t least, size_t most, double seconds) {
    s->count = 0;
    s->least = least;
    s->most = most;
    s->until = now(s) + seconds;
    s->stop = false;
    team_run(s->team, s->job->threads, repeat_thread, s);
    qsort(s->times, s->count, sizeof *s->times, by_size);
}

/* A few executions of each variant, which also warm up; the fastest is kept. */
static void choose_variant(session *s, double seconds, double *best) {
    int kept = 0;
    *best = HUGE_VAL;
    for (int i = 0; i < s->job->variants; i++) {
        s->job->variant = i;
        repeat(s, 2, 64, 0.05 * seconds);
        if (s->times[0] < *best) {
            *best = s->times[0];
            kept = i;
        }
    }
    s->job->variant = kept;
}

/* ---- checking ---- */

static void fill_thread(void *context, int rank) {
    session *s = context;
    s->how->fill(s->job, rank);
}

static void check_thread(void *context, int rank) {
    session *s = context;
    *run_partial(s->job, rank) = s->how->check(s->job, rank);
}

/* The operands are such that sums are exact, or nearly so where millions of terms are added. */
static int check_result(session *s, double *error_found, roof_error *error) {
    const run_job *job = s->job;
    double most = 0, allowed = job->dtype == ROOF_F64 ? 1e-12 : 1e-5;
    char method[96];
    team_run(s->team, job->threads, check_thread, s);
    for (int rank = 0; rank < job->threads; rank++)
        most = fmax(most, *run_partial(job, rank));
    *error_found = most;
    if (most <= allowed)
        return 0;
    s->how->method(job, method, sizeof method);
    return roof_fail(error, ROOF_EUNSUPPORTED, "%s (%s) computed wrongly: off by %.3g of the value, %.3g is allowed",
                     roof_kind_name(job->operation->kind), method, most, allowed);
}

/* ---- all together ---- */

static int run_session(session *s, double seconds, roof_run *out, roof_error *error) {
    double once;
    team_run(s->team, s->job->threads, fill_thread, s);
    choose_variant(s, seconds, &once);
    repeat(s, once > seconds ? 1 : 3, RUN_EXECUTIONS, seconds);
    out->seconds = percentile_of(s->times, s->count, 0.05);
    out->median = percentile_of(s->times, s->count, 0.5);
    out->worst = percentile_of(s->times, s->count, 0.9);
    out->times = s->count;
    s->how->method(s->job, out->method, sizeof out->method);
    if (team_unpinned(s->team) > 0)
        snprintf(out->method + strlen(out->method), sizeof out->method - strlen(out->method), ", threads not pinned");
    return check_result(s, &out->error, error);
}

static int start_and_run(run_job *job, const host *here, double seconds, roof_run *out, roof_error *error) {
    session s = {.job = job, .how = kinds[job->operation->kind].how, .clock = time_monotonic()};
    int *cpus = malloc((size_t)job->threads * sizeof *cpus), failed = -1;
    s.times = malloc(RUN_EXECUTIONS * sizeof *s.times);
    s.starts = calloc((size_t)job->threads * RUN_APART, sizeof *s.starts);
    for (int i = 0; cpus && i < job->threads; i++)
        cpus[i] = here->allowed[i].cpu;
    if (!cpus || !s.times || !s.starts)
        roof_fail(error, ROOF_ENOMEM, "out of memory");
    else if (take_arrays(job, error) == 0 && (s.team = team_start(cpus, job->threads, error)))
        failed = run_session(&s, seconds, out, error);
    team_stop(s.team);
    give_arrays(job);
    free(cpus);
    free(s.times);
    free(s.starts);
    return failed;
}

static int run_on(const host *here, const run_place *place, const roof_machine *machine,
                  const roof_operation *operation, const roof_run_options *options, roof_run *out, roof_error *error) {
    run_job job = {.operation = operation,
                   .features = here->features,
                   .dtype = operation->dtype[0],
                   .blas_names = place->blas_names};
    const run_kind *how = kinds[operation->kind].how;
    double seconds = options->seconds > 0 ? options->seconds : 1;
    bool near_edge;
    if (choose_threads(here, options, &job.threads, error))
        return -1;
    /* Before sizes are counted in integers. Whether there is so much memory is asked when it is known how much: what no
     * memory would help is said first. */
    if (operation->bytes[ROOF_DRAM] > 0x1p47)
        return check_memory(operation, here, operation->bytes[ROOF_DRAM], error);
    job.loops = loops_for(here->features | FEATURE(BASE), job.dtype);
    /* Non-temporal stores are tried where the counted bytes may pass the caches. */
    job.may_stream = run_level(machine, here, job.threads, operation->bytes[ROOF_DRAM], &near_edge) == ROOF_DRAM;
    int failed = how->plan(&job, error);
    if (!failed) {
        out->set_bytes = set_bytes(&job);
        out->threads = job.threads;
        out->level = run_level(machine, here, job.threads, out->set_bytes, &out->near_edge);
        failed = check_memory(operation, here, out->set_bytes, error) || start_and_run(&job, here, seconds, out, error);
    }
    blas_close(&job.blas);
    return failed ? -1 : 0;
}

int run_operation(const run_place *place, const roof_machine *machine, const roof_operation *operation,
                  const roof_run_options *options, roof_run *out, roof_error *error) {
    static const roof_run_options defaults;
    host *found = malloc(sizeof *found);
    *out = (roof_run){0};
    if (!found)
        return roof_fail(error, ROOF_ENOMEM, "out of memory");
    host_read(place->root, found);
    int failed = check_operation(operation, error) ||
                 run_on(found, place, machine, operation, options ? options : &defaults, out, error);
    free(found);
    if (failed)
        *out = (roof_run){0};
    return failed ? -1 : 0;
}

int roof_run_operation(const roof_machine *machine, const roof_operation *operation, const roof_run_options *options,
                       roof_run *out, roof_error *error) {
    return run_operation(&(run_place){.root = "", .blas_names = blas_names()}, machine, operation, options, out, error);
}

bool roof_operation_at_level(const roof_machine *machine, const roof_run *run, roof_operation *operation) {
    roof_level level = run->level;
    if (level == ROOF_DRAM || machine->bandwidth[level].origin == ROOF_ORIGIN_UNKNOWN)
        return false;
    operation->bytes[level] = operation->bytes[ROOF_DRAM];
    operation->bytes[ROOF_DRAM] = operation->least_bytes = operation->most_bytes = 0;
    return true;
}
