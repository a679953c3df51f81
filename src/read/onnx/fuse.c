/* Fusion: an elementwise operator rides with the operation that makes its input, when nothing else reads that. The
 * intermediate then never crosses memory. */
#include <stdio.h>
#include <string.h>

#include "read/onnx/run.h"
#include "work/ops.h"

enum { READS_MAX = 64, NAME_MAX = 120 };

static bool reads(const onnx_record *record, const onnx_value *value) {
    for (size_t i = 0; i < record->read_count; i++)
        if (record->reads[i] == value)
            return true;
    return false;
}

static bool can_take(const onnx_record *host, const onnx_record *guest, const onnx_value *between) {
    return host && host != guest && !host->dead && host->open && host->place == guest->place &&
           host->output == between && !between->kept && between->uses == 1 &&
           host->read_count + guest->read_count <= READS_MAX &&
           onnx_elements(between) == onnx_elements(guest->output) && between->base == NULL;
}

/* The value through which `guest` can ride: its maker must be the last of those that make its inputs, so that all
 * others are there when it runs. */
static onnx_value *way_in(const onnx_record *guest) {
    onnx_value *last = NULL;
    for (size_t i = 0; i < guest->read_count; i++) {
        onnx_value *value = guest->reads[i];
        if (value->maker && (!last || value->maker->index > last->maker->index))
            last = value;
    }
    return last && can_take(last->maker, guest, last) ? last : NULL;
}

static double join_reads(onnx_run *run, onnx_record *host, const onnx_record *guest, const onnx_value *between) {
    onnx_value **all = onnx_get(&run->pool, (host->read_count + guest->read_count) * sizeof(onnx_value *));
    double twice = 0;
    size_t count = host->read_count;
    if (!all)
        return 0;
    memcpy(all, host->reads, count * sizeof(onnx_value *));
    for (size_t i = 0; i < guest->read_count; i++) {
        onnx_value *value = guest->reads[i];
        if (value == between)
            continue;
        if (!reads(host, value)) {
            all[count++] = value;
            continue;
        }
        twice += onnx_bytes(run, value); /* one read serves both */
        value->uses--;
    }
    host->reads = all;
    host->read_count = count;
    return twice;
}

/* "Conv+Relu"; long chains end in "+...". */
static const char *join_names(onnx_run *run, const char *host, const char *guest) {
    char text[2 * NAME_MAX];
    size_t length = strlen(host);
    if (length > 4 && strcmp(host + length - 4, "+...") == 0)
        return host;
    snprintf(text, sizeof text, "%s+%s", host, length + strlen(guest) < NAME_MAX ? guest : "...");
    const char *out = onnx_keep_text(&run->pool, text);
    return out ? out : host;
}

/* Numbers of a chain of elementwise operators, so that its shape still explains its costs. */
static void restate(roof_operation *operation) {
    double *shape = operation->shape, size = roof_dtype_bytes(operation->dtype[0]);
    if (operation->kind != ROOF_KIND_ELEMENTWISE || !(shape[ELEMENTWISE_N] > 0) || !(size > 0))
        return;
    shape[ELEMENTWISE_FLOPS] = operation->vector_flops / shape[ELEMENTWISE_N];
    shape[ELEMENTWISE_INPUTS] = operation->bytes[ROOF_DRAM] / shape[ELEMENTWISE_N] / size - shape[ELEMENTWISE_OUTPUTS];
}

static void merge(onnx_run *run, onnx_record *host, onnx_record *guest, onnx_value *between) {
    double bytes = host->operation.bytes[ROOF_DRAM] + guest->operation.bytes[ROOF_DRAM] - 2 * onnx_bytes(run, between) -
                   join_reads(run, host, guest, between);
    roof_operation *operation = &host->operation;
    work_bytes(operation, bytes > 0 ? bytes : 0);
    operation->vector_flops += guest->operation.vector_flops;
    operation->weight_bytes += guest->operation.weight_bytes;
    operation->at_least = operation->at_least || guest->operation.at_least;
    operation->name = join_names(run, operation->name, guest->operation.name);
    if (operation->kind == ROOF_KIND_ELEMENTWISE)
        operation->shape[ELEMENTWISE_OUTPUTS] = guest->operation.shape[ELEMENTWISE_OUTPUTS];
    restate(operation);
    host->output = guest->output;
    guest->output->maker = host;
    guest->dead = true;
}

/* Dequantising that every reader does for itself. */
static void ride(onnx_record *record) {
    if (!record->rides || record->dead || onnx_root(record->output)->plain)
        return;
    record->dead = true;
    for (size_t i = 0; i < record->read_count; i++)
        record->reads[i]->uses--;
}

void onnx_fuse(onnx_run *run) {
    for (size_t i = 0; i < run->record_count; i++)
        ride(run->records[i]);
    for (size_t i = 0; i < run->record_count && !run->pool.failed; i++) {
        onnx_record *guest = run->records[i];
        onnx_value *between;
        while (!guest->dead && guest->operation.kind == ROOF_KIND_ELEMENTWISE && guest->open && guest->output &&
               (between = way_in(guest)) != NULL) {
            onnx_record *host = between->maker;
            merge(run, host, guest, between);
            guest = host; /* a chain that grew may now have all uses of its own input */
        }
    }
}
