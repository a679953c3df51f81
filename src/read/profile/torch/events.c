/* Operators and the kernels they launched, matched in constant memory: the operators of the last WINDOW numbers wait
 * for their kernels, and an operator's work goes to the longest of its kernels. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "read/profile/torch/kineto.h"
#include "read/profile/torch/names.h"

enum {
    WINDOW = 1 << 19,   /* operators that wait, by External id modulo this */
    BLOCK = 1 << 8,     /* of them, and of launches, in one piece of memory */
    LINKS = 1 << 17,    /* launches: correlation to External id */
    SHAPES_MAX = 32768, /* different operators with shapes */
    DEVICES = 64,
    THREADS = 64,
    FRAMES = 64
};
#define NONE UINT32_MAX

typedef struct slot { /* one operator and the longest of its kernels so far */
    uint64_t id;
    double seconds;
    uint32_t record, kernel; /* NONE: not there (yet) */
    uint32_t process;
    uint16_t device;
    bool used, shared; /* shared: operators of several processes have this number */
} slot;

typedef struct link {               /* the operator of a launch */
    uint64_t correlation, external; /* correlation + 1; 0: none */
} link;

typedef struct record { /* one operator with one set of shapes */
    uint32_t name;
    bool known, shapes, main;
    roof_operation operation;
    double calls, seconds, least, most; /* on the CPU */
} record;

/* What a kernel is to its operator. */
typedef enum part { HAS_WORK, HAS_LESS, NO_COST, NO_SHAPES, NO_OPERATOR, A_COPY, PARTS } part;

typedef struct launches { /* of one kernel on one device for one operator */
    uint32_t kernel, record;
    uint16_t device;
    uint8_t part;
    double calls, seconds, least, most, bytes;
} launches;

typedef struct frame {
    record *of;
    double start, end;
    bool parent, main_inside;
} frame;

typedef struct thread {
    double pid, tid;
    int depth;
    frame frames[FRAMES];
} thread;

struct kineto {
    profile_job *job;
    texts names, shapes;
    record **records; /* by number in `shapes` */
    size_t record_room;
    slot *blocks[WINDOW / BLOCK]; /* made when used */
    link *links[LINKS / BLOCK];
    launches *groups;
    uint32_t *table;
    size_t group_count, group_slots;
    thread *threads[THREADS];
    size_t thread_count;
    char device[128];
    double first, last, busy[DEVICES]; /* microseconds */
    double events, kernels, copies, ranges, operators, with_shapes, kernel_time, part_count[PARTS], part_time[PARTS];
    double own_number, out_of_window, crowded, not_placed, host_copies;
    bool gpu, linked, amd;
};

static bool no_memory(kineto *all) {
    roof_fail(all->job->error, ROOF_ENOMEM, "out of memory while reading measurements");
    return false;
}

kineto *kineto_new(profile_job *job) {
    kineto *all = calloc(1, sizeof *all);
    if (all) {
        all->job = job;
        all->first = HUGE_VAL;
        all->last = -HUGE_VAL;
    }
    if (!all)
        roof_fail(job->error, ROOF_ENOMEM, "out of memory while reading measurements");
    return all;
}

void kineto_free(kineto *all) {
    if (!all)
        return;
    for (size_t i = 0; i < all->shapes.count; i++)
        if (i < all->record_room)
            free(all->records[i]);
    free(all->records);
    for (size_t i = 0; i < WINDOW / BLOCK; i++)
        free(all->blocks[i]);
    for (size_t i = 0; i < LINKS / BLOCK; i++)
        free(all->links[i]);
    free(all->groups);
    free(all->table);
    for (size_t i = 0; i < all->thread_count; i++)
        free(all->threads[i]);
    texts_free(&all->names);
    texts_free(&all->shapes);
    free(all);
}

void kineto_device(kineto *all, const char *name) {
    if (all->device[0])
        return;
    snprintf(all->device, sizeof all->device, "%s", name);
    all->amd = strstr(name, "AMD") || strstr(name, "Instinct") || strstr(name, "Radeon");
    build_info(all->job->out)->device = build_text(all->job->out, all->device);
}

/* ---- launches of one kernel, together ---- */

static uint64_t group_hash(const launches *one) {
    uint64_t key = (uint64_t)one->kernel << 32 | one->record;
    key = (key ^ (uint64_t)one->device << 17 ^ (uint64_t)one->part << 9) * UINT64_C(0x9E3779B97F4A7C15);
    return key ^ key >> 32;
}

static bool same_group(const launches *a, const launches *b) {
    return a->kernel == b->kernel && a->record == b->record && a->device == b->device && a->part == b->part;
}

static bool grow_groups(kineto *all) {
    size_t count = all->group_slots ? all->group_slots * 2 : 256;
    uint32_t *table = calloc(count, sizeof *table);
    launches *groups = realloc(all->groups, count / 2 * sizeof *groups);
    if (groups)
        all->groups = groups;
    if (!table || !groups) {
        free(table);
        return no_memory(all);
    }
    for (size_t i = 0; i < all->group_count; i++) {
        size_t at = group_hash(&groups[i]) & (count - 1);
        while (table[at])
            at = (at + 1) & (count - 1);
        table[at] = (uint32_t)i + 1;
    }
    free(all->table);
    all->table = table;
    all->group_slots = count;
    return true;
}

static void add_time(double seconds, double *calls, double *sum, double *least, double *most) {
    *least = *calls > 0 ? fmin(*least, seconds) : seconds;
    *most = fmax(*most, seconds);
    *sum += seconds;
    ++*calls;
}

static int tell(kineto *all, const launches *group);

static bool add_launch(kineto *all, const launches *one) {
    all->part_count[one->part]++;
    all->part_time[one->part] += one->seconds;
    launches alone = *one;
    alone.calls = 0;
    alone.least = alone.most = 0;
    alone.seconds = 0;
    if (all->job->options.launches) {
        add_time(one->seconds, &alone.calls, &alone.seconds, &alone.least, &alone.most);
        return tell(all, &alone) == 0;
    }
    if (all->group_count + 1 > all->group_slots / 2 && !grow_groups(all))
        return false;
    size_t at = group_hash(one) & (all->group_slots - 1);
    while (all->table[at] && !same_group(&all->groups[all->table[at] - 1], one))
        at = (at + 1) & (all->group_slots - 1);
    if (!all->table[at]) {
        alone.bytes = 0;
        all->groups[all->group_count] = alone;
        all->table[at] = (uint32_t)++all->group_count;
    }
    launches *group = &all->groups[all->table[at] - 1];
    group->bytes += one->bytes;
    add_time(one->seconds, &group->calls, &group->seconds, &group->least, &group->most);
    return true;
}

/* ---- what the builder is told ---- */

/* What to collect; NULL: nothing would help. */
static const char *missing_of(const kineto *all, part which) {
    static const char *const words[PARTS][2] = {
        [NO_COST] = {"FLOPs and bytes, with ncu --set roofline (no rule for its operator)",
                     "FLOPs and bytes, with rocprof-compute profile (no rule for its operator)"},
        [NO_SHAPES] = {"shapes, with profile(record_shapes=True)", "shapes, with profile(record_shapes=True)"},
        [NO_OPERATOR] = {"FLOPs and bytes, with ncu --set roofline (no operator launched it)",
                         "FLOPs and bytes, with rocprof-compute profile (no operator launched it)"},
    };
    return words[which][all->amd];
}

static void add_work(draft *to, roof_operation *operation, double calls) {
    roof_certainty sure = operation->at_least ? ROOF_CERTAINTY_AT_LEAST : ROOF_CERTAINTY_COMPUTED;
    if (operation->matrix_dtype == ROOF_F32 && (strstr(to->name, "tf32") || strstr(to->name, "TF32")))
        operation->matrix_dtype = ROOF_TF32;
    if (operation->matrix_flops > 0)
        draft_flops(to, ROOF_MATRIX, operation->matrix_dtype, calls * operation->matrix_flops, sure, "shapes");
    if (operation->vector_flops > 0 || !(operation->matrix_flops > 0))
        draft_flops(to, ROOF_VECTOR, operation->vector_dtype, calls * operation->vector_flops, sure, "shapes");
    draft_bytes(to, ROOF_DRAM, calls * operation->bytes[ROOF_DRAM], sure, "shapes");
    to->operation = operation;
}

static int tell(kineto *all, const launches *group) {
    draft launch = DRAFT_EMPTY;
    roof_operation operation;
    char where[32];
    snprintf(where, sizeof where, "GPU %u", (unsigned)group->device);
    launch.name = texts_at(&all->names, group->kernel);
    launch.where = where;
    launch.calls = group->calls;
    launch.seconds = (roof_count){group->seconds / 1e6, ROOF_CERTAINTY_COUNTED, "dur"};
    launch.least_seconds = group->least / 1e6;
    launch.most_seconds = group->most / 1e6;
    if (group->part == HAS_WORK) {
        operation = all->records[group->record]->operation;
        add_work(&launch, &operation, group->calls);
    } else if (group->part == A_COPY && group->bytes > 0) {
        draft_flops(&launch, ROOF_VECTOR, ROOF_F32, 0, ROOF_CERTAINTY_COMPUTED, "a copy");
        draft_bytes(&launch, ROOF_DRAM, group->bytes, ROOF_CERTAINTY_COUNTED, "bytes");
    } else {
        launch.missing = missing_of(all, (part)group->part);
    }
    return build_launch(all->job->out, &launch);
}

/* ---- operators that wait ---- */

static bool emit(kineto *all, const slot *from, part which) {
    return add_launch(all, &(launches){.kernel = from->kernel,
                                       .record = which == HAS_WORK ? from->record : NONE,
                                       .device = from->device,
                                       .part = (uint8_t)which,
                                       .seconds = from->seconds});
}

static part part_of(const kineto *all, const slot *from) {
    if (from->record == NONE || from->shared)
        return NO_OPERATOR;
    const record *of = all->records[from->record];
    return of->known ? HAS_WORK : of->shapes ? NO_COST : NO_SHAPES;
}

static bool let_go(kineto *all, slot *from) {
    return !from->used || from->kernel == NONE || emit(all, from, part_of(all, from));
}

/* NULL: out of memory. */
static slot *slot_of(kineto *all, double id) {
    size_t at = (uint64_t)id & (WINDOW - 1);
    slot **block = &all->blocks[at / BLOCK];
    if (!*block)
        *block = calloc(BLOCK, sizeof **block);
    return *block ? *block + at % BLOCK : NULL;
}

static bool is_number(double id) {
    return id >= 0 && id < 9e15;
}

/* ---- shapes, each kept once ---- */

static size_t put(char *to, size_t at, const char *text, size_t length) {
    memcpy(to + at, text, length);
    return at + length;
}

/* What tells one shape from another: only what the cost depends on. */
static size_t shape_key(const kineto_event *e, const kineto_rule *rule, bool shapes, char *key) {
    size_t length = put(key, 0, e->name, strlen(e->name));
    if (e->dims_length > 0)
        length = put(key, length, "\n", 1);
    if (!shapes || !rule)
        return length;
    length = put(key, length, e->dims, e->dims_length);
    length = put(key, length, e->types, e->types_length);
    return kineto_rule_uses_settings(rule) ? put(key, length, e->settings, e->settings_length) : length;
}

static bool make_room(kineto *all, uint32_t at) {
    size_t room = all->record_room ? all->record_room : 128;
    while (room <= at)
        room *= 2;
    if (room == all->record_room)
        return true;
    record **larger = realloc(all->records, room * sizeof(record *));
    if (!larger)
        return false;
    memset(larger + all->record_room, 0, (room - all->record_room) * sizeof(record *));
    all->records = larger;
    all->record_room = room;
    return true;
}

static record *make_record(kineto *all, const kineto_event *e, const kineto_rule *rule, bool shapes) {
    kineto_operator from = {e->name, e->dims, e->types, e->settings};
    record *made = calloc(1, sizeof *made);
    bool is_new;
    if (!made)
        return NULL;
    made->name = texts_find(&all->names, e->name, strlen(e->name), &is_new);
    if (made->name == TEXTS_NONE) {
        free(made);
        return NULL;
    }
    made->shapes = e->dims_length > 0;
    made->main = kineto_rule_is_main(rule);
    made->known = shapes && rule && kineto_cost(rule, &from, &made->operation);
    return made;
}

/* NONE: out of memory. */
static uint32_t record_of(kineto *all, const kineto_event *e) {
    const kineto_rule *rule = kineto_rule_of(e->name);
    bool full = all->shapes.count >= SHAPES_MAX, is_new;
    bool shapes = e->dims_length > 0 && !e->too_long && !full;
    char key[KINETO_NAME + 3 * KINETO_TEXT + 8];
    all->crowded += full && rule && e->dims_length > 0;
    /* Names are many only in files made to be: those past the bound share one. */
    size_t length = all->shapes.count < 2 * SHAPES_MAX ? shape_key(e, rule, shapes, key) : put(key, 0, "\n", 1);
    uint32_t at = texts_find(&all->shapes, key, length, &is_new);
    if (at == TEXTS_NONE || !make_room(all, at))
        return NONE;
    if (!all->records[at])
        all->records[at] = make_record(all, e, rule, shapes);
    return all->records[at] ? at : NONE;
}

/* ---- operators on the CPU, for traces without a GPU ---- */

/* Innermost operators only: the innermost matrix work, attention or norm, and leaves outside of such. */
static void leave(thread *on) {
    const frame *top = &on->frames[--on->depth];
    bool main = top->of->main && top->of->known, helper = false;
    for (int i = 0; i < on->depth; i++)
        helper |= on->frames[i].of->main && on->frames[i].of->known;
    if (on->depth > 0) {
        on->frames[on->depth - 1].parent = true;
        on->frames[on->depth - 1].main_inside |= main || top->main_inside;
    }
    if (main ? !top->main_inside : !helper && !top->parent)
        add_time(top->end - top->start, &top->of->calls, &top->of->seconds, &top->of->least, &top->of->most);
}

/* NULL: out of memory. */
static thread *thread_of(kineto *all, const kineto_event *e) {
    size_t at = 0;
    while (at < all->thread_count && (all->threads[at]->pid != e->pid || all->threads[at]->tid != e->tid))
        at++;
    if (at == THREADS) /* too many to keep apart: the last one serves for all of them */
        return all->threads[THREADS - 1];
    if (at == all->thread_count) {
        all->threads[at] = calloc(1, sizeof *all->threads[at]);
        if (!all->threads[at])
            return NULL;
        *all->threads[at] = (thread){.pid = e->pid, .tid = e->tid};
        all->thread_count++;
    }
    return all->threads[at];
}

static bool enter(kineto *all, const kineto_event *e, record *of) {
    thread *on = thread_of(all, e);
    if (!on)
        return no_memory(all);
    while (on->depth > 0 && on->frames[on->depth - 1].end <= e->start)
        leave(on);
    if (on->depth == FRAMES || (on->depth > 0 && on->frames[on->depth - 1].start > e->start)) {
        all->not_placed++;
        return true;
    }
    on->frames[on->depth++] = (frame){.of = of, .start = e->start, .end = e->start + e->seconds};
    return true;
}

/* ---- events ---- */

static bool take_operator(kineto *all, const kineto_event *e) {
    all->operators++;
    all->with_shapes += e->dims_length > 0;
    uint32_t at = record_of(all, e);
    if (at == NONE)
        return no_memory(all);
    if (!all->gpu && !enter(all, e, all->records[at]))
        return false;
    if (!is_number(e->external))
        return true;
    slot *into = slot_of(all, e->external);
    if (!into)
        return no_memory(all);
    uint32_t process = (uint32_t)(uint64_t)fmod(fabs(e->pid), 4e9);
    if (into->used && into->id == (uint64_t)e->external) {
        into->shared |= into->record != NONE && into->process != process;
        into->record = at;
        into->process = process;
        return true;
    }
    if (!let_go(all, into))
        return false;
    *into = (slot){.id = (uint64_t)e->external, .record = at, .kernel = NONE, .process = process, .used = true};
    return true;
}

static link *link_of(kineto *all, double correlation, bool make) {
    size_t at = (uint64_t)correlation & (LINKS - 1);
    link **block = &all->links[at / BLOCK];
    if (!*block && make)
        *block = calloc(BLOCK, sizeof **block);
    return *block ? *block + at % BLOCK : NULL;
}

static bool take_launch(kineto *all, const kineto_event *e) {
    all->gpu = true;
    if (!is_number(e->correlation) || !is_number(e->external) || e->external == e->correlation)
        return true;
    link *into = link_of(all, e->correlation, true);
    if (!into)
        return no_memory(all);
    *into = (link){(uint64_t)e->correlation + 1, (uint64_t)e->external};
    return true;
}

/* The number of the operator that launched a kernel; -1: not said. Old traces write the launch's own number as the
 * External id: it must not be taken for an operator's. */
static double operator_of(kineto *all, const kineto_event *e) {
    bool launch = is_number(e->correlation);
    if (is_number(e->external) && !(launch && e->external == e->correlation && !all->linked)) {
        all->linked |= launch && e->external != e->correlation;
        return e->external;
    }
    const link *known = launch ? link_of(all, e->correlation, false) : NULL;
    if (known && known->correlation == (uint64_t)e->correlation + 1)
        return (double)known->external;
    all->own_number += launch && e->external == e->correlation;
    return -1;
}

static bool take_waiting(kineto *all, slot *into, const slot *kernel) {
    if (into->kernel == NONE || kernel->seconds > into->seconds) {
        slot before = *into;
        into->kernel = kernel->kernel;
        into->seconds = kernel->seconds;
        into->device = kernel->device;
        return before.kernel == NONE || emit(all, &before, into->record == NONE ? NO_OPERATOR : HAS_LESS);
    }
    return emit(all, kernel, into->record == NONE ? NO_OPERATOR : HAS_LESS);
}

static uint32_t device_of(const kineto_event *e) {
    return e->device >= 0 && e->device < 65535 ? (uint32_t)e->device : 0;
}

static bool take_kernel(kineto *all, const kineto_event *e) {
    bool is_new;
    slot kernel = {.record = NONE, .device = (uint16_t)device_of(e), .seconds = e->seconds, .used = true};
    kernel.kernel = texts_find(&all->names, e->name, strlen(e->name), &is_new);
    if (kernel.kernel == TEXTS_NONE)
        return no_memory(all);
    if (e->name_cut)
        build_warning(all->job->out,
                      "kernel names are cut after %d bytes ('%.40s...'); names that differ only beyond that "
                      "are one here",
                      KINETO_NAME - 1, e->name);
    all->gpu = true;
    all->kernels++;
    all->kernel_time += e->seconds;
    all->busy[kernel.device % DEVICES] += e->seconds;
    double id = operator_of(all, e);
    if (!is_number(id))
        return emit(all, &kernel, NO_OPERATOR);
    slot *into = slot_of(all, id);
    if (!into)
        return no_memory(all);
    if (into->used && into->id == (uint64_t)id)
        return take_waiting(all, into, &kernel);
    if (into->used && into->id > (uint64_t)id) {
        all->out_of_window++;
        return emit(all, &kernel, NO_OPERATOR);
    }
    if (!let_go(all, into))
        return false;
    *into = kernel;
    into->id = (uint64_t)id;
    return true;
}

/* Copies inside a device and fills move bytes under its memory's roof; others cross the link to the host. */
static bool take_copy(kineto *all, const kineto_event *e, bool fill) {
    bool is_new, inside = strstr(e->name, "DtoD") || strstr(e->name, "Device -> Device");
    uint32_t name = texts_find(&all->names, e->name, strlen(e->name), &is_new);
    if (name == TEXTS_NONE)
        return no_memory(all);
    all->gpu = true;
    all->copies++;
    all->busy[device_of(e) % DEVICES] += e->seconds;
    double bytes = e->bytes > 0 && fill ? e->bytes : e->bytes > 0 && inside ? 2 * e->bytes : 0;
    all->host_copies += !fill && !inside;
    return add_launch(all, &(launches){.kernel = name,
                                       .record = NONE,
                                       .device = (uint16_t)device_of(e),
                                       .part = A_COPY,
                                       .seconds = e->seconds,
                                       .bytes = bytes});
}

/* Counters of CUPTI's profiler: FLOPs are known, the time is that of replays and tells nothing. */
static bool take_range(kineto *all, const kineto_event *e) {
    draft launch = DRAFT_EMPTY;
    char where[32];
    snprintf(where, sizeof where, "GPU %u", (unsigned)device_of(e));
    launch.name = e->name;
    launch.where = where;
    launch.missing = "times, in a trace without metrics (those of a range are the profiler's replays)";
    bool matrix = false; /* without a counter of the tensor cores the others are a lower bound */
    for (size_t i = 0; i < e->counter_count; i++)
        matrix |= strstr(e->counters[i].name, "mma_") || strstr(e->counters[i].name, "tensor");
    for (size_t i = 0; i < e->counter_count; i++)
        draft_event(&launch, e->counters[i].name, e->counters[i].value,
                    matrix ? ROOF_CERTAINTY_COUNTED : ROOF_CERTAINTY_AT_LEAST);
    all->gpu = true;
    all->ranges++;
    return build_launch(all->job->out, &launch) == 0;
}

static bool is_cat(const kineto_event *e, const char *a, const char *b) {
    return strcasecmp(e->cat, a) == 0 || strcasecmp(e->cat, b) == 0;
}

bool kineto_take(kineto *all, const kineto_event *e) {
    all->events++;
    if (strcmp(e->cat, "Trace") != 0) {
        all->first = fmin(all->first, e->start);
        all->last = fmax(all->last, e->start + e->seconds);
    }
    if (is_cat(e, "kernel", "concurrent_kernel"))
        return take_kernel(all, e);
    if (is_cat(e, "cpu_op", "operator"))
        return take_operator(all, e);
    if (is_cat(e, "cuda_runtime", "cuda_driver") || is_cat(e, "hip_runtime", "runtime"))
        return take_launch(all, e);
    if (is_cat(e, "gpu_memcpy", "memcpy"))
        return take_copy(all, e, false);
    if (is_cat(e, "gpu_memset", "memset"))
        return take_copy(all, e, true);
    return strcmp(e->cat, "cuda_profiler_range") != 0 || take_range(all, e);
}

/* ---- the end ---- */

static int tell_cpu(kineto *all) {
    for (size_t i = 0; i < all->thread_count; i++)
        while (all->threads[i]->depth > 0)
            leave(all->threads[i]);
    for (size_t i = 0; i < all->shapes.count; i++) {
        record *of = all->records[i];
        draft launch = DRAFT_EMPTY;
        if (!of || !(of->calls > 0))
            continue;
        launch.name = texts_at(&all->names, of->name);
        launch.where = "CPU";
        launch.calls = of->calls;
        launch.seconds = (roof_count){of->seconds / 1e6, ROOF_CERTAINTY_COUNTED, "dur"};
        launch.least_seconds = of->least / 1e6;
        launch.most_seconds = of->most / 1e6;
        if (of->known)
            add_work(&launch, &of->operation, of->calls);
        else
            launch.missing = of->shapes ? NULL : missing_of(all, NO_SHAPES);
        if (build_launch(all->job->out, &launch))
            return -1;
    }
    if (build_points(all->job->out) > 0)
        build_warning(all->job->out, "no GPU in this trace: operators on the CPU by their own time, innermost only");
    if (all->not_placed > 0)
        build_warning(all->job->out, "%.0f operators on the CPU are not in order of their start and were left out",
                      all->not_placed);
    return 0;
}

static double percent(double some, double whole) {
    return whole > 0 ? 100 * some / whole : 0;
}

static const char *plural(double count) {
    return count > 1 ? "s" : "";
}

/* "5 kernels (12 % of their time) belong", "1 kernel (less than 1 % of their time) belongs" */
static const char *kernels_belong(const kineto *all, int which, char text[96]) {
    double count = all->part_count[which], share = percent(all->part_time[which], all->kernel_time);
    char rounded[32] = "less than 1";
    if (share >= 0.5 || share <= 0)
        snprintf(rounded, sizeof rounded, "%.0f", share);
    snprintf(text, 96, "%.0f kernel%s (%s%% of the time) belong%s", count, plural(count), rounded,
             count > 1 ? "" : "s");
    return text;
}

static void warn_matches(const kineto *all) {
    builder *out = all->job->out;
    char text[96];
    const double *count = all->part_count, *time = all->part_time;
    if (count[NO_OPERATOR] > all->own_number)
        build_warning(out,
                      "%.0f of %.0f kernels (%.0f%% of their time) found no operator: CUDA graphs and launches "
                      "outside of PyTorch name none",
                      count[NO_OPERATOR], all->kernels, percent(time[NO_OPERATOR], all->kernel_time));
    if (all->own_number > 0)
        build_warning(out,
                      all->own_number > 1
                          ? "%.0f kernels name their launch, not their operator, as External id, as old profilers do"
                          : "%.0f kernel names its launch, not its operator, as External id, as old profilers do",
                      all->own_number);
    if (all->out_of_window > 0)
        build_warning(out, "%.0f kernels come more than %d operators after theirs", all->out_of_window, WINDOW);
    if (count[NO_SHAPES] > 0)
        build_warning(out, "%s to operators without shapes: profile with record_shapes=True",
                      kernels_belong(all, NO_SHAPES, text));
    if (count[NO_COST] > 0)
        build_warning(out, "%s to operators that no rule covers: time alone", kernels_belong(all, NO_COST, text));
    if (count[HAS_LESS] > 0)
        build_warning(out, "%.0f kernels share their operator with a longer one, which is told its FLOPs and bytes",
                      count[HAS_LESS]);
    if (all->host_copies > 0)
        build_warning(out,
                      all->host_copies > 1
                          ? "%.0f copies to or from the host cross a link that has no roof here: time alone"
                          : "%.0f copy to or from the host crosses a link that has no roof here: time alone",
                      all->host_copies);
    if (all->crowded > 0)
        build_warning(out, "more than %d different shapes: %.0f operators were left without FLOPs and bytes",
                      SHAPES_MAX, all->crowded);
}

static void warn_idle(const kineto *all) {
    for (int i = 0; i < DEVICES; i++) {
        double idle = percent(all->last - all->first - all->busy[i], all->last - all->first);
        if (all->busy[i] > 0 && idle > 20)
            build_warning(all->job->out, "GPU %d was idle at least %.3g%% of the trace (%.3g of %.3g s)", i, idle,
                          (all->last - all->first - all->busy[i]) / 1e6, (all->last - all->first) / 1e6);
    }
}

static int no_kernel(const kineto *all, bool early) {
    roof_fail(all->job->error, ROOF_EFORMAT, "no kernel in %.0f events%s%s", all->events,
              early ? ", and the file ends early" : "",
              all->device[0] || all->gpu ? "" : ", and no operator on the CPU");
    roof_hint(all->job->error,
              "profile with activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], record_shapes=True");
    return -1;
}

int kineto_finish(kineto *all, bool early) {
    for (size_t i = 0; i < WINDOW; i++) {
        slot *block = all->blocks[i / BLOCK];
        if (block && !let_go(all, &block[i % BLOCK]))
            return -1;
        i += block ? 0 : BLOCK - 1;
    }
    for (size_t i = 0; i < all->group_count; i++)
        if (tell(all, &all->groups[i]))
            return -1;
    if (!all->gpu && !all->device[0] && tell_cpu(all))
        return -1;
    if (build_points(all->job->out) == 0)
        return no_kernel(all, early);
    if (all->last > all->first)
        build_info(all->job->out)->total_seconds = (all->last - all->first) / 1e6;
    warn_matches(all);
    if (all->ranges == 0)
        warn_idle(all);
    return 0;
}
