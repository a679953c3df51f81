/* Streams: copy, scale, add, triad, axpy, dot; and the elementwise operations that are one of them. Assembly kernels
 * where one does the same in the same dtype, else the loops of loops.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measure/run/run.h"
#include "work/ops.h"

static const double FACTOR = 0.25; /* s of scale, triad and axpy: exact */

static const struct {
    roof_kind kind;
    stream_kind stream;
    int arrays;
    const char *name;
    double flops; /* an element */
} streams[] = {
    {ROOF_KIND_COPY, STREAM_COPY, 2, "copy", 0}, {ROOF_KIND_SCALE, STREAM_SCALE, 2, "scale", 1},
    {ROOF_KIND_ADD, STREAM_ADD, 3, "add", 1},    {ROOF_KIND_TRIAD, STREAM_TRIAD, 3, "triad", 2},
    {ROOF_KIND_AXPY, STREAM_AXPY, 2, "axpy", 2}, {ROOF_KIND_DOT, STREAM_DOT, 2, "dot", 2},
};

enum { A, B, C }; /* places of the arrays; dot reads A and B */

/* ---- which kernel ---- */

static bool pattern_of(stream_kind stream, bool past, roof_pattern *out) {
    if (stream == STREAM_COPY)
        *out = past ? ROOF_PATTERN_COPY_NT : ROOF_PATTERN_COPY;
    else if (stream == STREAM_TRIAD)
        *out = past ? ROOF_PATTERN_TRIAD_NT : ROOF_PATTERN_TRIAD;
    return stream == STREAM_COPY || stream == STREAM_TRIAD;
}

/* A copy copies any dtype; the assembly's triad is of the dtype that its FLOPs tell: 2 an element. */
static bool does_dtype(const stream_kernel *kernel, const run_job *job) {
    return job->stream == STREAM_COPY || fabs(kernel->flops * (double)job->arrays[A].element - 2) < 1e-9;
}

/* The one that needs most of what the CPU has is the widest. */
static const stream_kernel *assembly_of(const run_job *job, bool past) {
    const stream_kernel *best = NULL, *kernel;
    roof_pattern pattern;
    if (!pattern_of(job->stream, past, &pattern))
        return NULL;
    for (size_t i = 0; (kernel = stream_kernel_at(i)); i++)
        if (kernel->pattern == pattern && (kernel->needs & ~job->features) == 0 && does_dtype(kernel, job) &&
            (!best || kernel->needs > best->needs))
            best = kernel;
    return best;
}

static void add_variant(run_job *job, bool past) {
    const stream_kernel *assembly = assembly_of(job, past);
    if (!assembly && past && (job->stream == STREAM_DOT || !job->loops->past_caches[job->stream]))
        return;
    job->kernels[job->variants] = assembly;
    job->streams[job->variants++] = past;
}

static void plan_stream(run_job *job, size_t row, double n) {
    job->stream = streams[row].stream;
    for (int i = 0; i < streams[row].arrays; i++)
        run_add_array(job, (size_t)n, (size_t)roof_dtype_bytes(job->dtype));
    add_variant(job, false);
    if (job->may_stream)
        add_variant(job, true);
}

static int plan(run_job *job, roof_error *error) {
    const double *shape = job->operation->shape;
    (void)error;
    if (job->operation->kind != ROOF_KIND_DOT && job->operation->kind != ROOF_KIND_AXPY && shape[STREAM_ALLOCATES] > 0)
        job->may_stream = false; /* write-allocate was counted, so it shall happen */
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        if (streams[i].kind == job->operation->kind)
            plan_stream(job, i, shape[STREAM_N]);
    return 0;
}

/* n, inputs, outputs, FLOPs per element: those that are a stream by another name. */
static int plan_elementwise(run_job *job, roof_error *error) {
    const double *shape = job->operation->shape;
    for (size_t i = 0; i < sizeof streams / sizeof *streams && streams[i].kind != ROOF_KIND_AXPY; i++)
        if (shape[ELEMENTWISE_INPUTS] + 1 == streams[i].arrays && shape[ELEMENTWISE_OUTPUTS] == 1 &&
            shape[ELEMENTWISE_FLOPS] == streams[i].flops) {
            plan_stream(job, i, shape[ELEMENTWISE_N]);
            return 0;
        }
    roof_fail(error, ROOF_EUNSUPPORTED, "elementwise inputs=%g outputs=%g flops=%g cannot be run",
              shape[ELEMENTWISE_INPUTS], shape[ELEMENTWISE_OUTPUTS], shape[ELEMENTWISE_FLOPS]);
    roof_hint(error, "what can: inputs=1 with flops=0 or 1, inputs=2 with flops=1 or 2; outputs=1");
    return -1;
}

/* ---- running ---- */

static void run_assembly(run_job *job, size_t from, size_t to) {
    const stream_kernel *kernel = job->kernels[job->variant];
    size_t element = job->arrays[A].element, step = (size_t)kernel->step, bytes = (to - from) * element / step * step;
    stream_args args = {.a = job->arrays[A].bytes + from * element,
                        .b = job->arrays[B].bytes + from * element,
                        .c = job->array_count > C ? job->arrays[C].bytes + from * element : NULL,
                        .bytes = bytes,
                        .passes = 1};
    for (size_t i = 0; i < sizeof args.s / element; i++) {
        double wide = FACTOR;
        float narrow = (float)FACTOR;
        memcpy((unsigned char *)args.s + i * element, element == 8 ? (void *)&wide : (void *)&narrow, element);
    }
    if (bytes > 0)
        kernel->run(&args);
    size_t rest = from + bytes / element; /* less than a step */
    if (rest < to)
        job->loops->stream[job->stream](args.a + bytes, args.b + bytes, args.c ? args.c + bytes : NULL, FACTOR,
                                        to - rest);
}

static void run(run_job *job, int rank) {
    size_t element = job->arrays[A].element, from, to;
    run_share(job->arrays[A].count, 64 / element, job->threads, rank, &from, &to);
    if (from == to) {
        *run_partial(job, rank) = 0;
        return;
    }
    unsigned char *a = job->arrays[A].bytes + from * element, *b = job->arrays[B].bytes + from * element,
                  *c = job->array_count > C ? job->arrays[C].bytes + from * element : NULL;
    if (job->stream == STREAM_DOT)
        *run_partial(job, rank) = job->loops->dot(a, b, to - from);
    else if (job->kernels[job->variant])
        run_assembly(job, from, to);
    else
        (job->streams[job->variant] ? job->loops->past_caches : job->loops->stream)[job->stream](a, b, c, FACTOR,
                                                                                                 to - from);
}

static void join(run_job *job) {
    job->result = 0;
    for (int rank = 0; job->stream == STREAM_DOT && rank < job->threads; rank++)
        job->result += *run_partial(job, rank);
}

/* ---- checking ---- */

static double expected(const run_job *job, size_t i) {
    double b = run_value(B, i), c = run_value(C, i);
    switch (job->stream) {
    case STREAM_COPY:
        return b;
    case STREAM_SCALE:
        return FACTOR * b;
    case STREAM_ADD:
        return b + c;
    case STREAM_TRIAD:
        return b + FACTOR * c;
    default: /* axpy adds up from one execution to the next, exactly */
        return run_value(A, i) + (double)job->executions * FACTOR * b;
    }
}

/* The whole sum, by the first thread: the others have nothing to compare. */
static double check_dot(const run_job *job, int rank) {
    double sum = 0;
    for (size_t i = 0; rank == 0 && i < job->arrays[A].count; i++)
        sum += run_value(A, i) * run_value(B, i);
    return rank == 0 ? run_difference(job->result, sum) : 0;
}

static double check(const run_job *job, int rank) {
    size_t from, to;
    double most = 0;
    if (job->stream == STREAM_DOT)
        return check_dot(job, rank);
    run_share(job->arrays[A].count, 64 / job->arrays[A].element, job->threads, rank, &from, &to);
    for (size_t i = from; i < to; i++)
        most = fmax(most, run_difference(run_element(job, A, i), expected(job, i)));
    return most;
}

static void fill(run_job *job, int rank) {
    bool read = job->stream == STREAM_DOT || job->stream == STREAM_AXPY;
    (read ? run_fill_array : run_clear_array)(job, A, rank);
    for (int i = B; i < job->array_count; i++)
        run_fill_array(job, i, rank);
}

static void method(const run_job *job, char *buffer, size_t size) {
    const stream_kernel *kernel = job->kernels[job->variant];
    const char *name = "";
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        if (streams[i].stream == job->stream)
            name = streams[i].name;
    snprintf(buffer, size, "%s %s%s", kernel ? kernel->isa : job->loops->isa, name,
             job->streams[job->variant] ? ", non-temporal stores" : "");
}

const run_kind run_stream = {.plan = plan, .fill = fill, .run = run, .join = join, .check = check, .method = method};
const run_kind run_elementwise = {
    .plan = plan_elementwise, .fill = fill, .run = run, .join = join, .check = check, .method = method};
