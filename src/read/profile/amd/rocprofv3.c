/* rocprofv3: a dispatch or a copy a row (traces), and a counter of a dispatch a row (counter collection), which is
 * summed by kernel as it streams by. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/profile/amd/amd.h"

/* ---- which file is it ---- */

typedef enum kind { NONE, KERNELS, COPIES, COUNTERS, CALLS, OTHERS, DATABASE, JSON } kind;

static bool holds(const char *head, size_t length, const char *word) {
    size_t size = strlen(word);
    for (size_t i = 0; i + size <= length; i++)
        if (head[i] == word[0] && memcmp(head + i, word, size) == 0)
            return true;
    return false;
}

static kind kind_of(const char *head, size_t length) {
    if (holds(head, length < 16 ? length : 16, "SQLite format 3"))
        return holds(head, length, "rocpd_") ? DATABASE : NONE;
    if (head[strspn(head, " \t\r\n")] == '{')
        return holds(head, length, "\"rocprofiler-sdk-tool\"") ? JSON : NONE;
    bool times = amd_names(head, "Start_Timestamp") && amd_names(head, "End_Timestamp");
    if (amd_names(head, "Counter_Name") && amd_names(head, "Counter_Value") && amd_names(head, "Dispatch_Id"))
        return COUNTERS;
    if (times && amd_names(head, "Kernel_Name") && (amd_names(head, "Agent_Id") || amd_names(head, "Kind")))
        return KERNELS;
    if (times && amd_names(head, "Direction") && amd_names(head, "Kind"))
        return COPIES;
    if (times && amd_names(head, "Function"))
        return CALLS;
    return times && amd_names(head, "Kind") ? OTHERS : NONE;
}

static int recognise_trace(const char *head, size_t length) {
    kind is = kind_of(head, length);
    return is == NONE || is == COUNTERS ? 0 : is == OTHERS ? 70 : 93;
}

static int recognise_counters(const char *head, size_t length) {
    return kind_of(head, length) == COUNTERS ? 95 : 0;
}

static int refuse(profile_job *job, kind is) {
    static const char *const why[] = {
        [CALLS] = "this is a trace of calls that the host made (HSA, HIP, markers): it has no times of kernels",
        [OTHERS] = "this trace of rocprofv3 has neither kernels nor copies",
        [DATABASE] = "this is the database (rocpd) of rocprofv3, not an export of it",
        [JSON] = "this is the JSON of rocprofv3; its CSV is read",
    };
    roof_fail(job->error, ROOF_EFORMAT, "%s", why[is == CALLS || is == DATABASE || is == JSON ? is : OTHERS]);
    roof_hint(job->error, "%s",
              is == DATABASE ? "rocpd convert -i FILE.db --output-format csv, and give the kernel trace of it"
                             : "give the _kernel_trace.csv: rocprofv3 --kernel-trace --output-format csv -- PROGRAM");
    return -1;
}

/* ---- traces ---- */

typedef struct trace {
    amd_table table;
    int name, agent, source, destination, start, end;
} trace;

/* "Agent 7" in newer files, 7 in older ones. */
static const char *agent_number(const char *cell) {
    return strncmp(cell, "Agent ", 6) == 0 ? cell + 6 : cell;
}

static void place_of(const trace *t, char out[96]) {
    const char *agent = agent_number(amd_cell(&t->table, t->agent)),
               *source = agent_number(amd_cell(&t->table, t->source)),
               *destination = agent_number(amd_cell(&t->table, t->destination));
    out[0] = '\0';
    if (agent[0])
        snprintf(out, 96, "agent %.40s", agent);
    else if (source[0])
        snprintf(out, 96, "agent %.30s to %.30s", source, destination);
}

static int take_launch(trace *t, kind is) {
    char where[96];
    draft launch = DRAFT_EMPTY;
    launch.name = amd_cell(&t->table, t->name);
    launch.line = t->table.row.line;
    if (!launch.name[0] || !amd_end_whole(&t->table, t->start, t->end)) {
        amd_drop(&t->table);
        return 0;
    }
    launch.seconds = amd_duration(&t->table, amd_cell(&t->table, t->start), amd_cell(&t->table, t->end));
    place_of(t, where);
    launch.where = where[0] ? where : NULL;
    if (is == KERNELS)
        amd_give(&(amd_counts){.calls = 1}, &launch, t->table.job->out);
    else
        launch.missing = "nothing: rocprofv3 does not write the sizes of copies";
    build_info(t->table.job->out)->rows++;
    return build_launch(t->table.job->out, &launch);
}

static int read_launches(trace *t, profile_job *job, kind is) {
    if (amd_open(&t->table, job))
        return -1;
    const csv_row *header = &t->table.row;
    t->name = csv_column(header, is == KERNELS ? "Kernel_Name" : "Direction");
    t->agent = csv_column(header, "Agent_Id");
    t->source = csv_column(header, "Source_Agent_Id");
    t->destination = csv_column(header, "Destination_Agent_Id");
    t->start = csv_column(header, "Start_Timestamp");
    t->end = csv_column(header, "End_Timestamp");
    int more;
    while ((more = amd_next(&t->table)) > 0)
        if (take_launch(t, is))
            return -1;
    return more;
}

static int read_trace(profile_job *job) {
    size_t length;
    const char *head = stream_head(job->in, &length);
    kind is = kind_of(head, length);
    arena memory = {0};
    if (is != KERNELS && is != COPIES)
        return refuse(job, is);
    build_info(job->out)->tool = "rocprofv3";
    trace *t = arena_get(&memory, sizeof *t);
    int result =
        t ? read_launches(t, job, is) : roof_fail(job->error, ROOF_ENOMEM, "out of memory while reading measurements");
    if (t)
        amd_close(&t->table);
    arena_free(&memory);
    return result;
}

/* ---- counters ---- */

/* All dispatches of one kernel (with --launches: one dispatch). Rows of a dispatch may lie apart, counter after
 * counter, and a counter may have a row for each of its instances. */
typedef struct kernel {
    struct kernel *next;  /* of the same slot */
    struct kernel *after; /* in order of the file */
    uint64_t key;
    const char *name, *where, *reference; /* the counter that dispatches are counted by */
    uint64_t last, lasts[AMD_COUNTERS];   /* the dispatch seen last */
    double seen[AMD_COUNTERS];            /* dispatches that have this counter */
    double least, most, untimed;
    roof_count seconds;
    amd_counts counts;
    long line;
} kernel;

typedef struct collection {
    amd_table table;
    arena memory;
    kernel **slots, *first, **end;
    size_t slot_count, count;
    int name, agent, process, dispatch, counter, value, start, stop;
} collection;

static char *keep(arena *memory, const char *text) {
    char *copy = arena_get(memory, strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

static kernel **slot_of(const collection *c, uint64_t key) {
    return &c->slots[(key ^ key >> 32) & (c->slot_count - 1)];
}

/* A slot a kernel. The smaller tables stay in the arena: all together they are as large as the last. */
static bool grow(collection *c) {
    size_t wanted = c->slot_count ? 2 * c->slot_count : 4096;
    kernel **slots = arena_get(&c->memory, wanted * sizeof *slots);
    if (!slots)
        return false;
    c->slots = slots;
    c->slot_count = wanted;
    for (kernel *at = c->first; at; at = at->after) {
        kernel **slot = slot_of(c, at->key);
        at->next = *slot;
        *slot = at;
    }
    return true;
}

static kernel *find_kernel(collection *c, uint64_t dispatch) {
    const char *name = amd_cell(&c->table, c->name), *where = amd_cell(&c->table, c->agent);
    uint64_t key = amd_hash(amd_hash(0, name), where);
    key ^= c->table.job->options.launches ? dispatch * 0x9E3779B97F4A7C15u : 0;
    if (c->count == c->slot_count && !grow(c)) {
        roof_fail(c->table.job->error, ROOF_ENOMEM, "out of memory while reading measurements");
        return NULL;
    }
    kernel **slot = slot_of(c, key);
    for (kernel *at = *slot; at; at = at->next)
        if (at->key == key && strcmp(at->name, name) == 0 && strcmp(at->where, where) == 0)
            return at;
    kernel *made = arena_get(&c->memory, sizeof *made);
    if (made) {
        *made = (kernel){.next = *slot, .key = key, .line = c->table.row.line};
        made->name = keep(&c->memory, name);
        made->where = keep(&c->memory, where);
        made->reference = keep(&c->memory, amd_cell(&c->table, c->counter));
    }
    if (!made || !made->name || !made->where || !made->reference) {
        roof_fail(c->table.job->error, ROOF_ENOMEM, "out of memory while reading measurements");
        return NULL;
    }
    *slot = made;
    c->count++;
    *c->end = made;
    c->end = &made->after;
    return made;
}

static void add_time(collection *c, kernel *to) {
    roof_count time = amd_duration(&c->table, amd_cell(&c->table, c->start), amd_cell(&c->table, c->stop));
    if (time.certainty == ROOF_CERTAINTY_MISSING) {
        to->untimed++;
        return;
    }
    to->least = to->seconds.value > 0 && to->least < time.value ? to->least : time.value;
    to->most = to->most > time.value ? to->most : time.value;
    to->seconds.value += time.value;
}

/* Only a time may be the last cell of a file that ends in it. */
static bool row_whole(const collection *c) {
    return !c->table.open_end || ((size_t)c->stop + 1 == c->table.width && amd_end_whole(&c->table, c->start, c->stop));
}

static int take_counter(collection *c) {
    uint64_t dispatch = amd_hash(amd_hash(0, amd_cell(&c->table, c->dispatch)), amd_cell(&c->table, c->process));
    const char *name = amd_cell(&c->table, c->counter);
    double value = 0;
    if (!amd_cell(&c->table, c->name)[0] || !name[0] || !row_whole(c)) {
        amd_drop(&c->table);
        return 0;
    }
    kernel *to = find_kernel(c, dispatch);
    if (!to)
        return -1;
    build_info(c->table.job->out)->rows++;
    if (strcmp(to->reference, name) == 0 && (to->counts.calls == 0 || to->last != dispatch)) {
        to->last = dispatch;
        to->counts.calls++;
        add_time(c, to);
    }
    amd_column column = amd_find(name);
    bool has = amd_number(amd_cell(&c->table, c->value), &value);
    amd_add(&to->counts, &column, has, has ? value : 0);
    if (column.counter != AMD_COUNTERS && (to->seen[column.counter] == 0 || to->lasts[column.counter] != dispatch)) {
        to->lasts[column.counter] = dispatch;
        to->seen[column.counter]++;
    }
    return 0;
}

static int give_kernel(collection *c, kernel *from) {
    char where[64];
    draft launch = DRAFT_EMPTY;
    launch.name = from->name;
    snprintf(where, sizeof where, "agent %.40s", agent_number(from->where));
    launch.where = from->where[0] ? where : NULL;
    launch.calls = from->counts.calls;
    launch.line = from->line;
    if (from->seconds.value > 0)
        launch.seconds = (roof_count){
            from->seconds.value, from->untimed > 0 ? ROOF_CERTAINTY_AT_LEAST : ROOF_CERTAINTY_COUNTED, "end - start"};
    launch.least_seconds = from->least;
    launch.most_seconds = from->most;
    for (int i = 0; i < AMD_COUNTERS; i++)
        if (from->seen[i] > 0 && from->seen[i] < from->counts.calls)
            amd_lacks(&from->counts, (amd_counter)i);
    amd_give(&from->counts, &launch, c->table.job->out);
    return build_launch(c->table.job->out, &launch);
}

static int read_collection(collection *c, profile_job *job) {
    if (amd_open(&c->table, job))
        return -1;
    const csv_row *header = &c->table.row;
    c->end = &c->first;
    c->name = csv_column(header, "Kernel_Name");
    c->agent = csv_column(header, "Agent_Id");
    c->process = csv_column(header, "Process_Id");
    c->dispatch = csv_column(header, "Dispatch_Id");
    c->counter = csv_column(header, "Counter_Name");
    c->value = csv_column(header, "Counter_Value");
    c->start = csv_column(header, "Start_Timestamp");
    c->stop = csv_column(header, "End_Timestamp");
    build_info(job->out)->tool = "rocprofv3";
    if (c->name < 0) {
        roof_fail(job->error, ROOF_EFORMAT, "the counters have no column Kernel_Name");
        return amd_fail_line(&c->table);
    }
    int more;
    while ((more = amd_next(&c->table)) > 0)
        if (take_counter(c))
            return -1;
    for (kernel *at = c->first; at && more == 0; at = at->after)
        if (give_kernel(c, at))
            return -1;
    return more;
}

static int read_counters(profile_job *job) {
    arena memory = {0};
    collection *c = arena_get(&memory, sizeof *c);
    int result =
        c ? read_collection(c, job) : roof_fail(job->error, ROOF_ENOMEM, "out of memory while reading measurements");
    if (c) {
        amd_close(&c->table);
        arena_free(&c->memory);
    }
    arena_free(&memory);
    return result;
}

/* ---- totals by name ---- */

static int recognise_stats(const char *head, size_t length) {
    (void)length;
    bool name = amd_names(head, "Name") || amd_names(head, "KernelName");
    return name && amd_names(head, "Calls") && amd_names(head, "TotalDurationNs") ? 94 : 0;
}

static bool begins(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

/* Functions of the host: hsa_..., hipMalloc. Kernels may begin so, too, and then have a signature or end in ".kd". */
static bool is_call(const char *name) {
    if (strpbrk(name, " (<.:"))
        return false;
    return begins(name, "hsa_") || begins(name, "__hip") || begins(name, "roctx") ||
           (begins(name, "hip") && name[3] >= 'A' && name[3] <= 'Z');
}

static bool is_domain(const char *name) {
    static const char *const domains[] = {"HIP_API",        "HSA_API",          "HIP_RUNTIME_API", "HIP_COMPILER_API",
                                          "MARKER_API",     "HSA_CORE_API",     "KERNEL_DISPATCH", "MEMORY_COPY",
                                          "SCRATCH_MEMORY", "MEMORY_ALLOCATION"};
    for (size_t i = 0; i < sizeof domains / sizeof domains[0]; i++)
        if (strcmp(name, domains[i]) == 0)
            return true;
    return false;
}

typedef struct stats {
    amd_table table;
    int name, calls, total, least, most;
} stats;

static int refuse_stats(stats *s, const char *name) {
    roof_fail(s->table.job->error, ROOF_EFORMAT, "'%.60s' is not a kernel: these are totals of %s", name,
              is_domain(name) ? "whole domains" : "calls that the host made");
    roof_hint(s->table.job->error, "give the _kernel_stats.csv: rocprofv3 --kernel-trace --stats -- PROGRAM "
                                   "(rocprof --stats writes results.stats.csv)");
    return amd_fail_line(&s->table);
}

static int take_total(stats *s) {
    double calls, total, value;
    draft launch = DRAFT_EMPTY;
    launch.name = amd_cell(&s->table, s->name);
    launch.line = s->table.row.line;
    if (is_call(launch.name) || is_domain(launch.name))
        return refuse_stats(s, launch.name);
    if (!launch.name[0] || s->table.open_end || !amd_number(amd_cell(&s->table, s->calls), &calls) || calls < 1 ||
        !amd_number(amd_cell(&s->table, s->total), &total) || !(total > 0)) {
        amd_drop(&s->table);
        return 0;
    }
    launch.calls = calls;
    launch.seconds = (roof_count){total * 1e-9, ROOF_CERTAINTY_COUNTED, "TotalDurationNs"};
    if (amd_number(amd_cell(&s->table, s->least), &value))
        launch.least_seconds = value * 1e-9;
    if (amd_number(amd_cell(&s->table, s->most), &value))
        launch.most_seconds = value * 1e-9;
    amd_give(&(amd_counts){.calls = calls}, &launch, s->table.job->out);
    build_info(s->table.job->out)->rows++;
    return build_launch(s->table.job->out, &launch);
}

static int read_totals(stats *s, profile_job *job) {
    if (amd_open(&s->table, job))
        return -1;
    const csv_row *header = &s->table.row;
    s->name = csv_column(header, "Name|KernelName");
    s->calls = csv_column(header, "Calls");
    s->total = csv_column(header, "TotalDurationNs");
    s->least = csv_column(header, "MinNs");
    s->most = csv_column(header, "MaxNs");
    build_info(job->out)->tool = "rocprof";
    int more;
    while ((more = amd_next(&s->table)) > 0)
        if (take_total(s))
            return -1;
    return more;
}

static int read_stats(profile_job *job) {
    arena memory = {0};
    stats *s = arena_get(&memory, sizeof *s);
    int result =
        s ? read_totals(s, job) : roof_fail(job->error, ROOF_ENOMEM, "out of memory while reading measurements");
    if (s)
        amd_close(&s->table);
    arena_free(&memory);
    return result;
}

const profile_reader reader_rocprofv3 = {
    .format = {"rocprofv3", "rocprofv3 CSV, traces of kernels and copies",
               "rocprofv3 --kernel-trace --output-format csv -- PROGRAM", "kernels, copies: time"},
    .recognise = recognise_trace,
    .read = read_trace,
};
const profile_reader reader_rocprofv3_counters = {
    .format = {"rocprofv3-counters", "rocprofv3 CSV, counter collection",
               "rocprofv3 --pmc TCC_EA0_RDREQ_sum ... --output-format csv -- PROGRAM",
               "kernels: FLOPs by dtype, bytes by level, time where the file has it"},
    .recognise = recognise_counters,
    .read = read_counters,
};
const profile_reader reader_rocprof_stats = {
    .format = {"rocprof-stats", "rocprof and rocprofv3 totals by kernel (stats CSV)",
               "rocprofv3 --kernel-trace --stats --output-format csv -- PROGRAM; rocprof --stats PROGRAM",
               "kernels: time"},
    .recognise = recognise_stats,
    .read = read_stats,
};
