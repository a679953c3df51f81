/* Timing one series on this CPU: what each thread runs, on which memory, and how much of it is one unit. */
#include "measure/plan/rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SKEW = 1344, /* 21 lines: arrays lie so far apart modulo 4 KiB that no load meets a store 4 KiB before it */
    PAGE = 4096,
    LINE = 64,
    CHUNK = 256 << 10, /* of each array: one unit where a window is less than a pass */
    FILL = 0x3f        /* every byte: ordinary positive numbers as f64 and f32 */
};

typedef struct stream_part { /* of one thread */
    _Alignas(64) stream_args args;
    unsigned char *array[3];
    uint64_t chunk, chunks, next;
} stream_part;

struct cpu_rig {
    const host *host;
    team *team;
    int threads;
    compute_state *states;
    stream_part *parts;
    block *blocks;
    int taken;          /* blocks held, */
    size_t size;        /* each so large, */
    bool huge, spoiled; /* with huge pages asked for; holding something else than FILL */
    int node;           /* touched by threads of this node; -1: by those that use them */
    double huge_share;
};

static void release(cpu_rig *rig) {
    for (int i = 0; i < rig->taken; i++)
        block_give(&rig->blocks[i]);
    rig->taken = 0;
    rig->size = 0;
}

cpu_rig *rig_start(const host *here, int threads, roof_error *error) {
    cpu_rig *made = calloc(1, sizeof *made);
    int *cpus = calloc((size_t)threads, sizeof *cpus);
    if (made && cpus) {
        for (int i = 0; i < threads; i++)
            cpus[i] = here->allowed[i].cpu;
        *made = (cpu_rig){.host = here, .threads = threads, .node = -1};
        made->states = aligned_alloc(64, (size_t)threads * sizeof *made->states);
        made->parts = aligned_alloc(64, (size_t)threads * sizeof *made->parts);
        made->blocks = calloc((size_t)threads, sizeof *made->blocks);
        if (made->states && made->parts && made->blocks) {
            made->team = team_start(cpus, threads, error);
            free(cpus);
            if (!made->team)
                rig_stop(made), made = NULL;
            return made;
        }
    }
    roof_fail(error, ROOF_ENOMEM, "not enough memory for %d threads", threads);
    free(cpus);
    rig_stop(made);
    return NULL;
}

void rig_stop(cpu_rig *rig) {
    if (!rig)
        return;
    release(rig);
    team_stop(rig->team);
    free(rig->states);
    free(rig->parts);
    free(rig->blocks);
    free(rig);
}

int rig_unpinned(const cpu_rig *rig) {
    return team_unpinned(rig->team);
}

static void chain(void *context, int rank, uint64_t adds) {
    (void)context, (void)rank;
    chain_adds(adds);
}

/* ---- compute ---- */

typedef struct compute_work {
    cpu_rig *rig;
    const compute_kernel *kernel;
} compute_work;

static void compute_begin(void *context, int rank) {
    const compute_work *work = context;
    memset(&work->rig->states[rank], 0, sizeof work->rig->states[rank]);
    compute_prepare(work->kernel, &work->rig->states[rank]);
}

static void compute_units(void *context, int rank, uint64_t units) {
    const compute_work *work = context;
    work->kernel->run(&work->rig->states[rank], units);
}

static int run_compute(cpu_rig *rig, const window_series *series, const window_policy *policy, roof_sample *out,
                       roof_error *error) {
    compute_work context = {rig, series->compute};
    window_work work = {.run = compute_units,
                        .chain = chain,
                        .context = &context,
                        .amount = compute_flops(series->compute),
                        .least_units = 1};
    team_run(rig->team, series->threads, compute_begin, &context);
    time_source time = time_monotonic();
    return sample_windows(&time, rig->team, series->threads, &work, policy, out, error);
}

/* ---- memory ---- */

static void fill_block(void *context, int rank) {
    const cpu_rig *rig = context;
    memset(rig->blocks[rank].bytes, FILL, rig->blocks[rank].size);
}

/* Blocks of at least `size` bytes for threads 0 .. count-1, touched first by `owners`. Those at hand are used again. */
static int hold_memory(cpu_rig *rig, team *owners, int node, int count, size_t size, bool huge, roof_error *error) {
    bool fits = rig->taken >= count && rig->size >= size && rig->huge == huge && rig->node == node;
    if (fits && !rig->spoiled)
        return 0;
    if (!fits) {
        release(rig);
        for (; rig->taken < count; rig->taken++)
            if (block_take(&rig->blocks[rig->taken], size, huge)) {
                release(rig);
                return roof_fail(error, ROOF_EUNSUPPORTED, "no memory for %d working sets of %.0f MB", count,
                                 (double)size / 1e6);
            }
        rig->size = size, rig->huge = huge, rig->node = node;
    }
    team_run(owners, rig->taken, fill_block, rig);
    rig->spoiled = false;
    rig->huge_share = block_huge_share(&rig->blocks[0]);
    return 0;
}

/* Cut the thread's block into the arrays of the kernel. */
static void lay_out(stream_part *part, const block *taken, const window_series *series) {
    const stream_kernel *kernel = series->stream;
    uint64_t bytes = (uint64_t)(series->set / kernel->arrays) / kernel->step * kernel->step;
    if (bytes < kernel->step)
        bytes = kernel->step;
    uint64_t stride = (bytes + PAGE - 1) / PAGE * PAGE + SKEW;
    memset(part, 0, sizeof *part);
    for (int i = 0; i < 8; i++) /* an update goes on where it was: only a sign may change, pass after pass */
        part->args.s[i] = kernel->pattern == ROOF_PATTERN_UPDATE ? -1 : 0.5;
    for (int i = 0; i < kernel->arrays; i++)
        part->array[i] = taken->bytes + (uint64_t)i * stride;
    bool whole = series->level != ROOF_DRAM || bytes < 2 * CHUNK;
    part->chunk = whole ? bytes : CHUNK / kernel->step * kernel->step;
    part->chunks = bytes / part->chunk;
}

/* The same for every kernel, so that the block of one fits the next. */
static size_t room_for(const window_series *series) {
    enum { ARRAYS = 3, STEP_MOST = 8192 };
    return (size_t)series->set + ARRAYS * (PAGE + SKEW + STEP_MOST);
}

static void stream_at(stream_part *part, uint64_t chunk, uint64_t passes, const stream_kernel *kernel) {
    uint64_t offset = chunk * part->chunk;
    part->args.a = part->array[0] + offset;
    part->args.b = part->array[1] ? part->array[1] + offset : NULL;
    part->args.c = part->array[2] ? part->array[2] + offset : NULL;
    part->args.bytes = part->chunk;
    part->args.passes = passes;
    kernel->run(&part->args);
}

typedef struct stream_work {
    stream_part *parts;
    const stream_kernel *kernel;
} stream_work;

/* A unit is a pass over the set where it fits a cache; in memory the next chunk of it, round and round. */
static void stream_units(void *context, int rank, uint64_t units) {
    const stream_work *work = context;
    stream_part *part = &work->parts[rank];
    if (part->chunks == 1) {
        stream_at(part, 0, units, work->kernel);
        return;
    }
    for (; units > 0; units--) {
        stream_at(part, part->next, 1, work->kernel);
        part->next = part->next + 1 < part->chunks ? part->next + 1 : 0;
    }
}

static int stream_on(cpu_rig *rig, team *crew, int count, const window_series *series, const window_policy *policy,
                     roof_sample *out, roof_error *error) {
    stream_work context = {rig->parts, series->stream};
    for (int i = 0; i < count; i++)
        lay_out(&rig->parts[i], &rig->blocks[i], series);
    window_work work = {.run = stream_units,
                        .chain = chain,
                        .context = &context,
                        .amount = (double)stream_counted(series->stream) * (double)rig->parts[0].chunk,
                        .least_units = 1};
    double units = series->cover / (work.amount * count);
    if (units > 1)
        work.least_units = (uint64_t)units + 1;
    out->set_bytes = (double)(rig->parts[0].chunk * rig->parts[0].chunks) * series->stream->arrays;
    out->huge = rig->huge_share;
    time_source time = time_monotonic();
    return sample_windows(&time, crew, count, &work, policy, out, error);
}

/* A team on the cores of one node, at most `most`; NULL: none, or an error. */
static team *team_of_node(const cpu_rig *rig, int node, int most, roof_error *error) {
    int cpus[HOST_CPUS_MAX], count = 0;
    for (int i = 0; i < rig->threads && count < most; i++)
        if (rig->host->allowed[i].node == node)
            cpus[count++] = rig->host->allowed[i].cpu;
    return team_start(cpus, count, error);
}

static int stream_across(cpu_rig *rig, const window_series *series, const window_policy *policy, roof_sample *out,
                         roof_error *error) {
    int status = -1;
    team *near = team_of_node(rig, series->from_node, series->threads, error);
    team *far = team_of_node(rig, series->to_node, series->threads, error);
    if (near && far && hold_memory(rig, far, series->to_node, series->threads, room_for(series), true, error) == 0)
        status = stream_on(rig, near, series->threads, series, policy, out, error);
    team_stop(near);
    team_stop(far);
    release(rig);
    return status;
}

static int run_stream(cpu_rig *rig, const window_series *series, const window_policy *policy, roof_sample *out,
                      roof_error *error) {
    if (series->from_node >= 0)
        return stream_across(rig, series, policy, out, error);
    if (hold_memory(rig, rig->team, -1, series->threads, room_for(series), !series->plain_pages, error))
        return -1;
    return stream_on(rig, rig->team, series->threads, series, policy, out, error);
}

/* ---- latency ---- */

typedef struct chase_line {
    struct chase_line *next;
    uint64_t index;
    char rest[LINE - 16];
} chase_line;

typedef struct chase_work {
    chase_line *lines, *at;
    size_t count;
    uint64_t sum;
} chase_work;

/* One cycle through all lines, each permutation equally likely (Sattolo's algorithm). */
static void chase_begin(void *context, int rank) {
    (void)rank;
    chase_work *work = context;
    chase_line *lines = work->lines;
    uint64_t state = UINT64_C(0x9E3779B97F4A7C15);
    for (size_t i = 0; i < work->count; i++)
        lines[i].index = i;
    for (size_t i = work->count - 1; i > 0; i--) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        size_t j = (size_t)(state % i);
        uint64_t kept = lines[i].index;
        lines[i].index = lines[j].index;
        lines[j].index = kept;
    }
    for (size_t i = 0; i < work->count; i++)
        lines[i].next = &lines[lines[i].index];
    work->at = lines;
}

static void chase_units(void *context, int rank, uint64_t units) {
    (void)rank;
    chase_work *work = context;
    chase_line *at = work->at;
    for (; units >= 8; units -= 8)
        at = at->next->next->next->next->next->next->next->next;
    for (; units > 0; units--)
        at = at->next;
    work->at = at; /* the caller of the window can see where it ended: no load can be left out */
}

/* Between windows, in the place of the chain: all lines once in order, which takes far less time than in the order of
 * the chase. Where neighbours fill a shared cache, a chase alone is too slow to keep its lines there, and would show
 * memory. */
static void chase_settle(void *context, int rank, uint64_t adds) {
    (void)rank, (void)adds;
    chase_work *work = context;
    for (size_t i = 0; i < work->count; i++)
        work->sum += work->lines[i].index;
}

static int run_chase(cpu_rig *rig, const window_series *series, const window_policy *policy, roof_sample *out,
                     roof_error *error) {
    if (hold_memory(rig, rig->team, -1, 1, room_for(series), true, error))
        return -1;
    rig->spoiled = true; /* addresses read as numbers would be denormal */
    chase_work context = {.lines = (chase_line *)(void *)rig->blocks[0].bytes, .count = (size_t)series->set / LINE};
    bool shared = series->level == ROOF_L3;
    window_work work = {.run = chase_units,
                        .chain = shared ? chase_settle : chain,
                        .context = &context,
                        .amount = 1,
                        .least_units = 8,
                        .is_time = true};
    team_run(rig->team, 1, chase_begin, &context);
    out->huge = rig->huge_share;
    time_source time = time_monotonic();
    int status = sample_windows(&time, rig->team, 1, &work, policy, out, error);
    out->per_cycle = 0;
    if (shared)
        out->clock = 0;
    return status;
}

/* ---- threads ---- */

static void nothing(void *context, int rank) {
    (void)context, (void)rank;
}

static void wake_units(void *context, int rank, uint64_t units) {
    (void)rank;
    cpu_rig *rig = context;
    for (; units > 0; units--)
        team_run(rig->team, rig->threads, nothing, NULL);
}

static void meet_units(void *context, int rank, uint64_t units) {
    (void)rank;
    cpu_rig *rig = context;
    for (; units > 0; units--)
        team_meet(rig->team, rig->threads);
}

/* Sleeping threads are woken from outside the team; running ones meet within it. */
static int run_threads(cpu_rig *rig, const window_series *series, const window_policy *policy, roof_sample *out,
                       roof_error *error) {
    bool meet = series->pattern == ROOF_PATTERN_MEET;
    window_work work = {
        .run = meet ? meet_units : wake_units, .context = rig, .amount = 1, .least_units = 1, .is_time = true};
    time_source time = time_monotonic();
    return sample_windows(&time, meet ? rig->team : NULL, meet ? rig->threads : 1, &work, policy, out, error);
}

static int run_series(void *context, const window_series *series, const window_policy *policy, roof_sample *out,
                      roof_error *error) {
    if (series->compute)
        return run_compute(context, series, policy, out, error);
    if (series->stream)
        return run_stream(context, series, policy, out, error);
    return (series->pattern == ROOF_PATTERN_CHASE ? run_chase : run_threads)(context, series, policy, out, error);
}

/* ---- the clock ---- */

typedef struct chains {
    time_source time;
    double add, multiply;
} chains;

static void time_chains(void *context, int rank) {
    (void)rank;
    chains *best = context;
    best->add = best->multiply = HUGE_VAL;
    for (int i = 0; i < 200; i++) {
        double start = best->time.now(best->time.context);
        uint64_t adds = chain_adds(60000);
        double middle = best->time.now(best->time.context);
        uint64_t multiplies = chain_multiplies(20000);
        double end = best->time.now(best->time.context);
        best->add = fmin(best->add, (middle - start) / (double)adds);
        best->multiply = fmin(best->multiply, (end - middle) / (double)multiplies);
    }
}

static double multiply_cycles(void *context) {
    cpu_rig *rig = context;
    chains best = {.time = time_monotonic()};
    team_run(rig->team, 1, time_chains, &best);
    return best.add > 0 ? best.multiply / best.add : 0;
}

series_bench rig_bench(cpu_rig *rig) {
    return (series_bench){.run = run_series,
                          .multiply_cycles = multiply_cycles,
                          .compute_at = compute_kernel_at,
                          .stream_at = stream_kernel_at,
                          .prove_compute = compute_prove,
                          .prove_stream = stream_prove,
                          .time = time_monotonic(),
                          .context = rig};
}
