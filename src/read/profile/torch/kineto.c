/* PyTorch traces (torch.profiler, Kineto): from JSON to events. docs/profiles/kineto.md */
#include "read/profile/torch/kineto.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "read/profile/stream.h"
#include "json/calls.h"

/* Where a value belongs. */
typedef enum place {
    NOWHERE,
    PHASE,
    CATEGORY,
    NAME,
    START,
    DURATION,
    PROCESS,
    THREAD,
    EXTERNAL,
    CORRELATION,
    DEVICE,
    BYTES,
    DIMS,
    TYPES,
    SETTINGS,
    COUNTER,
    DEVICE_NAME
} place;

typedef struct reader {
    profile_job *job;
    kineto *all;
    int depth, list; /* brackets open; how many when the list of events had begun; 0: not yet */
    bool events_next, devices, over;
    place at;
    bool no_memory;
    kineto_event event;
} reader;

static bool is(const char *text, size_t length, const char *word) {
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

typedef struct word {
    const char *text;
    place at;
} word;

static const word event_words[] = {{"ph", PHASE},     {"cat", CATEGORY}, {"name", NAME},  {"ts", START},
                                   {"dur", DURATION}, {"pid", PROCESS},  {"tid", THREAD}, {NULL, NOWHERE}};
static const word argument_words[] = {{"External id", EXTERNAL},
                                      {"external id", EXTERNAL},
                                      {"correlation", CORRELATION},
                                      {"device", DEVICE},
                                      {"bytes", BYTES},
                                      {"Input Dims", DIMS},
                                      {"Input dims", DIMS},
                                      {"Input type", TYPES},
                                      {"Concrete Inputs", SETTINGS},
                                      {NULL, NOWHERE}};

static place place_of(const word *words, const char *text, size_t length) {
    for (; words->text; words++)
        if (*words->text == *text && is(text, length, words->text))
            return words->at;
    return NOWHERE;
}

static void begin_event(kineto_event *e) {
    e->phase = e->cat[0] = e->name[0] = e->dims[0] = e->types[0] = e->settings[0] = '\0';
    e->dims_length = e->types_length = e->settings_length = e->counter_count = 0;
    e->too_long = e->name_cut = false;
    e->start = HUGE_VAL;
    e->seconds = e->external = e->correlation = e->device = e->bytes = -1;
    e->pid = e->tid = 0;
}

static bool end_event(reader *r) {
    kineto_event *e = &r->event;
    roof_profile_info *info = build_info(r->job->out);
    if (e->phase == '\0')
        return true; /* an object, but no event */
    if (e->phase == 'X' && !(isfinite(e->start) && e->seconds >= 0 && e->seconds < 1e15)) {
        info->dropped++;
        return true;
    }
    info->rows++;
    return e->phase != 'X' || kineto_take(r->all, e);
}

/* ---- what the JSON reader calls ---- */

static void append(reader *r, char *to, size_t *length, const char *text, size_t more) {
    if (*length + more + 1 > KINETO_TEXT) {
        r->event.too_long = true;
        return;
    }
    memcpy(to + *length, text, more);
    *length += more;
    to[*length] = '\0';
}

static bool on_open(void *to, char bracket) {
    reader *r = to;
    kineto_event *e = &r->event;
    r->depth++;
    if (r->list == 0 && bracket == '[' && (r->depth == 1 || (r->depth == 2 && r->events_next)))
        r->list = r->depth;
    if (r->list > 0 && !r->over && r->depth == r->list + 1)
        begin_event(e);
    if (r->at == DIMS && r->depth > r->list + 2)
        append(r, e->dims, &e->dims_length, &bracket, 1);
    if (r->depth <= r->list + 2)
        r->at = NOWHERE;
    return true;
}

static bool on_close(void *to, char bracket) {
    reader *r = to;
    int depth = r->depth--;
    if (r->list > 0 && !r->over) {
        if (r->at == DIMS && depth > r->list + 2)
            append(r, r->event.dims, &r->event.dims_length, depth == r->list + 3 ? "]" : "],",
                   depth == r->list + 3 ? 1 : 2);
        if (depth == r->list + 1 && bracket == '{')
            return end_event(r);
        if (depth == r->list)
            r->over = true;
    }
    if (r->depth == 1)
        r->devices = false;
    return true;
}

static bool on_key(void *to, const char *text, size_t length) {
    reader *r = to;
    r->at = NOWHERE;
    if (r->list > 0 && !r->over) {
        int inside = r->depth - r->list;
        if (inside == 1)
            r->at = place_of(event_words, text, length);
        else if (inside == 2)
            r->at = place_of(argument_words, text, length);
        if (inside == 2 && r->at == NOWHERE && length < sizeof r->event.counters[0].name && memchr(text, '_', length) &&
            r->event.counter_count < sizeof r->event.counters / sizeof r->event.counters[0]) {
            char *name = r->event.counters[r->event.counter_count].name;
            memcpy(name, text, length);
            name[length] = '\0';
            r->at = strstr(name, "__") ? COUNTER : NOWHERE;
        }
    } else if (r->depth == 1) {
        r->events_next = is(text, length, "traceEvents");
        r->devices = is(text, length, "deviceProperties");
    } else if (r->devices && r->depth == 3 && is(text, length, "name")) {
        r->at = DEVICE_NAME;
    }
    return true;
}

static void copy_text(char *to, size_t size, const char *text, size_t length) {
    length = length < size - 1 ? length : size - 1;
    memcpy(to, text, length);
    to[length] = '\0';
    for (char *zero = memchr(to, '\0', length); zero; zero = memchr(zero, '\0', length - (size_t)(zero - to)))
        *zero = ' '; /* written as \u0000 */
}

static bool put_number(reader *r, double value) {
    kineto_event *e = &r->event;
    switch (r->at) {
    case START:
        e->start = value;
        break;
    case DURATION:
        e->seconds = value;
        break;
    case PROCESS:
        e->pid = value;
        break;
    case THREAD:
        e->tid = value;
        break;
    case EXTERNAL:
        e->external = value;
        break;
    case CORRELATION:
        e->correlation = value;
        break;
    case DEVICE:
        e->device = value;
        break;
    case BYTES:
        e->bytes = value;
        break;
    case COUNTER:
        e->counters[e->counter_count++].value = value;
        r->at = NOWHERE; /* one value a name, and there was room for it: not for a list */
        break;
    default:
        break;
    }
    return true;
}

/* "Spans": threads and processes may be words. */
static double number_of_word(const char *text, size_t length) {
    double value = 0;
    for (size_t i = 0; i < length; i++)
        value = fmod(value * 31 + (unsigned char)text[i], 4294967291.0);
    return value + 0.5;
}

static bool on_text(void *to, const char *text, size_t length) {
    reader *r = to;
    kineto_event *e = &r->event;
    double value;
    char name[128];
    switch (r->at) {
    case NOWHERE:
        break;
    case PHASE:
        e->phase = length == 1 ? *text : '?';
        break;
    case CATEGORY:
        copy_text(e->cat, sizeof e->cat, text, length);
        break;
    case NAME:
        copy_text(e->name, sizeof e->name, text, length);
        e->name_cut = length >= sizeof e->name;
        break;
    case TYPES:
        append(r, e->types, &e->types_length, text, length);
        append(r, e->types, &e->types_length, "\n", 1);
        break;
    case SETTINGS:
        append(r, e->settings, &e->settings_length, text, length);
        append(r, e->settings, &e->settings_length, "\n", 1);
        break;
    case DEVICE_NAME:
        copy_text(name, sizeof name, text, length);
        kineto_device(r->all, name);
        break;
    default:
        if (json_figure(text, length, &value))
            put_number(r, value);
        else if (r->at == PROCESS || r->at == THREAD)
            put_number(r, number_of_word(text, length));
    }
    return true;
}

static bool on_number(void *to, const char *text, size_t length) {
    reader *r = to;
    double value;
    if (r->at == NOWHERE)
        return true;
    if (r->at == DIMS) {
        append(r, r->event.dims, &r->event.dims_length, text, length);
        append(r, r->event.dims, &r->event.dims_length, ",", 1);
        return true;
    }
    if (r->at == SETTINGS || r->at == TYPES)
        return on_text(to, text, length);
    return json_figure(text, length, &value) ? put_number(r, value) : true;
}

static bool on_word(void *to, char first) {
    reader *r = to;
    if (r->at == SETTINGS || r->at == TYPES)
        return on_text(to,
                       first == 't'   ? "True"
                       : first == 'f' ? "False"
                                      : "",
                       first == 't'   ? 4
                       : first == 'f' ? 5
                                      : 0);
    return true;
}

static int on_list(void *to) {
    return ((reader *)to)->list;
}

static void on_drop(void *to) {
    reader *r = to;
    r->depth = r->list;
    r->at = NOWHERE;
    begin_event(&r->event);
}

/* ---- the reader ---- */

static size_t take_bytes(void *from, char *into, size_t room) {
    return stream_read(from, into, room);
}

static int read_trace(profile_job *job) {
    static const json_calls calls = {on_open, on_close, on_key, on_text, on_number, on_word, on_list, on_drop};
    reader *r = calloc(1, sizeof *r);
    json_ending end = {0};
    if (!r)
        return roof_fail(job->error, ROOF_ENOMEM, "out of memory while reading measurements");
    roof_profile_info *info = build_info(job->out);
    r->job = job;
    r->all = kineto_new(job);
    int result = r->all ? json_stream(take_bytes, job->in, &calls, r, &end, job->error) : -1;
    if (result == 0) {
        info->tool = "torch.profiler";
        info->ended_early |= end.early;
        info->dropped += end.damaged + (end.early && r->list > 0 && r->depth > r->list);
        result = kineto_finish(r->all, end.early || stream_cut(job->in));
    }
    kineto_free(r->all);
    free(r);
    return result;
}

static int recognise(const char *head, size_t length) {
    const char *at = head + (length >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0);
    at += strspn(at, " \t\r\n");
    if (*at != '{' && *at != '[')
        return 0;
    if (strstr(at, "\"traceEvents\""))
        return 95;
    if (strstr(at, "\"ph\"") && strstr(at, "\"ts\""))
        return 80;
    return *at == '{' && strstr(at, "\"schemaVersion\"") && strstr(at, "\"deviceProperties\"") ? 60 : 0;
}

const profile_reader reader_kineto = {
    .format = {"kineto", "PyTorch trace (Kineto JSON)",
               "with torch.profiler.profile(record_shapes=True) as p: ...; p.export_chrome_trace(\"trace.json\")",
               "kernels: time, calls; FLOPs and bytes by the shapes of their operators"},
    .recognise = recognise,
    .read = read_trace,
};
