/* Roofs that a benchmark measured, into a machine. */
#include "read/profile/roofs.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "read/profile/stream.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static const char *id_of(builder *out, const char *prefix, const char *name) {
    char id[96];
    size_t used = (size_t)snprintf(id, sizeof id, "%.30s", prefix);
    for (; *name && used + 1 < sizeof id; name++) {
        bool plain = isalnum((unsigned char)*name);
        if (plain || (used > 0 && id[used - 1] != '-'))
            id[used++] = plain ? (char)tolower((unsigned char)*name) : '-';
    }
    while (used > 1 && id[used - 1] == '-')
        used--;
    id[used] = '\0';
    return build_text(out, id);
}

void roofs_begin(roofs *to, profile_job *job, const char *prefix, const char *name, const char *tool) {
    *to = (roofs){.out = job->out, .machine = build_machine(job->out)};
    to->tool = build_text(job->out, tool);
    to->machine->id = id_of(job->out, prefix, name);
    to->machine->name = build_text(job->out, name[0] ? name : tool);
    build_info(job->out)->tool = to->tool;
    build_info(job->out)->device = to->machine->name;
}

void roofs_note(roofs *to, const char *format, ...) {
    size_t used = strlen(to->note);
    va_list arguments;
    if (used + 3 < sizeof to->note && used > 0)
        used += (size_t)snprintf(to->note + used, sizeof to->note - used, "; ");
    va_start(arguments, format);
    vsnprintf(to->note + used, sizeof to->note - used, format, arguments);
    va_end(arguments);
}

static void put(roofs *to, roof_figure *roof, double rate, const char *label, const char *unit) {
    char source[200];
    if (!(rate > 0)) {
        roofs_note(to, "%.80s: nothing measured", label);
        return;
    }
    build_info(to->out)->rows++;
    if (roof->origin != ROOF_ORIGIN_UNKNOWN && roof->value >= rate) {
        roofs_note(to, "%.80s: %.6g %s", label, rate / 1e9, unit);
        return;
    }
    if (roof->origin != ROOF_ORIGIN_UNKNOWN)
        roofs_note(to, "%.120s: %.6g %s", roof->source ? roof->source : "", roof->value / 1e9, unit);
    snprintf(source, sizeof source, "%.60s: %.120s", to->tool ? to->tool : "", label);
    *roof = (roof_figure){.value = rate, .origin = ROOF_ORIGIN_MEASURED, .source = build_text(to->out, source)};
}

void roofs_peak(roofs *to, roof_unit unit, roof_dtype dtype, double rate, const char *label) {
    put(to, &to->machine->peak[unit][dtype], rate, label, "GFLOP/s");
    to->peaks += rate > 0;
}

void roofs_bandwidth(roofs *to, roof_level level, double rate, const char *label) {
    put(to, &to->machine->bandwidth[level], rate, label, "GB/s");
    to->bandwidths += rate > 0;
}

int roofs_end(roofs *to, roof_error *error) {
    to->machine->note = to->note[0] ? build_text(to->out, to->note) : NULL;
    if (!to->machine->id || !to->machine->name)
        return roof_fail(error, ROOF_ENOMEM, "out of memory while reading measurements");
    if (to->peaks + to->bandwidths == 0) {
        roof_fail(error, ROOF_EFORMAT, "the file of %s holds no roof that is known%s%.150s",
                  to->tool ? to->tool : "a benchmark", to->note[0] ? "; it has " : "", to->note);
        roof_hint(error, "levels: L1, L2, L3, DRAM, HBM; precisions: FP64 or DP, FP32 or SP, FP16, BF16");
        return -1;
    }
    if (to->peaks == 0)
        build_warning(to->out, "no compute roof: no label says which precision it is (%.120s)", to->note);
    if (to->machine->bandwidth[ROOF_DRAM].origin == ROOF_ORIGIN_UNKNOWN)
        build_warning(to->out, "no DRAM bandwidth is in the file: no memory roof can be judged there");
    return 0;
}

/* ---- words ---- */

int roofs_level(const char *label) {
    static const struct {
        const char *name;
        roof_level level;
    } names[] = {{"L1", ROOF_L1},    {"L2", ROOF_L2},     {"L3", ROOF_L3}, {"DRAM", ROOF_DRAM},
                 {"HBM", ROOF_DRAM}, {"GDDR", ROOF_DRAM}, {"LLC", ROOF_L3}};
    for (size_t i = 0; i < LENGTH(names); i++)
        if (strcasecmp(label, names[i].name) == 0)
            return (int)names[i].level;
    return -1;
}

static bool has_word(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = text; *at; at++) {
        bool start = at == text || !isalnum((unsigned char)at[-1]);
        if (start && strncasecmp(at, word, length) == 0 && !isalnum((unsigned char)at[length]))
            return true;
    }
    return false;
}

roof_dtype roofs_dtype(const char *label) {
    static const struct {
        const char *word;
        roof_dtype dtype;
    } words[] = {{"FP64", ROOF_F64}, {"DP", ROOF_F64},     {"double", ROOF_F64}, {"FP32", ROOF_F32},
                 {"SP", ROOF_F32},   {"single", ROOF_F32}, {"float", ROOF_F32},  {"FP16", ROOF_F16},
                 {"HP", ROOF_F16},   {"half", ROOF_F16},   {"BF16", ROOF_BF16}};
    roof_dtype found = ROOF_DTYPE_NONE;
    for (size_t i = 0; i < LENGTH(words); i++)
        if (has_word(label, words[i].word)) {
            if (found != ROOF_DTYPE_NONE && found != words[i].dtype)
                return ROOF_DTYPE_NONE; /* two of them: which? */
            found = words[i].dtype;
        }
    return found;
}

/* ---- whole files ---- */

char *roofs_text(profile_job *job, size_t most, size_t *length) {
    size_t room = STREAM_HEAD, used = 0, got;
    char *text = malloc(room + 1);
    while (text && (got = stream_read(job->in, text + used, room - used)) > 0) {
        used += got;
        if (used < room)
            continue;
        char *larger = used < most ? realloc(text, room * 2 + 1) : NULL;
        if (!larger) {
            free(text);
            if (used >= most) {
                roof_fail(job->error, ROOF_EFORMAT, "the file is larger than %zu MB: no file of roofs is", most >> 20);
                return NULL;
            }
        }
        text = larger;
        room *= 2;
    }
    if (!text) {
        roof_fail(job->error, ROOF_ENOMEM, "out of memory while reading measurements");
        return NULL;
    }
    text[used] = '\0';
    *length = used;
    return text;
}
