/* How a kernel is called in the table and in every sentence: its short name, a number where several share one, its
 * place.
 *
 *     "gemm_bf16_128x128"   "gemm_bf16_... #2"   "softmax (layer 3)"
 *
 * What that takes of all kernels together is found once, when they are judged: a row must not look at the others. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/profile/profile.h"

enum { NAME_WIDE = 26, NAME_NARROW = 20, NAME_PLACED = 16 };

/* ---- all kernels together ---- */

static size_t common_prefix(const char *a, const char *b, size_t most) {
    size_t same = 0;
    while (same < most && a[same] && a[same] == b[same])
        same++;
    return same;
}

static bool ends_alike(const char *text, const char *ending) {
    size_t length = strlen(text), end = strlen(ending);
    return length > end && strcmp(text + length - end, ending) == 0;
}

/* What all places have in common says nothing: where they begin to differ, back to a whole word, and the ending of
 * their file names. */
static void find_common(const profile_question *question, profile_labels *out) {
    const char *first = question->measured[0].where, *ending = first ? strrchr(first, '.') : NULL;
    out->place_start = first ? strlen(first) : 0;
    for (size_t i = 1; i < question->count && first; i++) {
        const char *where = question->measured[i].where;
        out->place_start = where ? common_prefix(first, where, out->place_start) : 0;
        if (!where || !ending || !ends_alike(where, ending))
            ending = NULL;
    }
    while (out->place_start > 0 && !strchr("_-./: ", first[out->place_start - 1]))
        out->place_start--;
    if (ending && strlen(ending) <= 6 && question->file_count > 1)
        out->place_end = strlen(ending);
}

static const char *name_at(const profile_question *question, size_t rank) {
    return question->placed[question->order[rank]].measured->name;
}

void profile_choose_labels(profile_question *question) {
    profile_labels *out = &question->labels;
    if (question->count == 0)
        return;
    const char *first = question->measured[0].where;
    for (size_t i = 0; i < question->count; i++) {
        const roof_measured *m = &question->measured[i];
        out->calls |= m->calls > 1;
        out->where |= (m->where != NULL) != (first != NULL) || (first && strcmp(m->where, first) != 0);
        out->longest = fmax(out->longest, question->placed[i].seconds);
    }
    out->width = out->where ? NAME_PLACED : out->calls ? NAME_NARROW : NAME_WIDE;
    find_common(question, out);
    for (size_t i = 0; i < question->count && i < PROFILE_NUMBERED; i++)
        profile_short_name(name_at(question, i), out->width, out->first[i]);
}

/* ---- one kernel ---- */

const char *profile_name(const profile_question *question, size_t rank, char name[PROFILE_LABEL]) {
    const profile_labels *labels = &question->labels;
    const char *full = name_at(question, rank);
    size_t same = 0;
    char number[16];
    profile_short_name(full, labels->width, name);
    for (size_t i = 0; i < rank && i < PROFILE_NUMBERED && !labels->where; i++)
        same += strcmp(labels->first[i], name) == 0;
    if (same == 0)
        return name;
    snprintf(number, sizeof number, " #%zu", same + 1);
    profile_short_name(full, labels->width - (int)strlen(number), name);
    return strcat(name, number);
}

const char *profile_place(const profile_question *question, const roof_placement *placed, int width,
                          char place[PROFILE_LABEL]) {
    char own[PROFILE_LABEL];
    const char *where = placed->measured->where;
    if (!where)
        return strcpy(place, "-");
    size_t length = strlen(where), start = question->labels.place_start, end = question->labels.place_end;
    if (length <= start + end)
        start = end = 0;
    snprintf(own, sizeof own, "%.*s", (int)(length - start - end), where + start);
    return profile_short_name(own, width, place);
}

const char *profile_label(const profile_question *question, size_t rank, char name[PROFILE_LABEL]) {
    const roof_placement *placed = &question->placed[question->order[rank]];
    char place[PROFILE_LABEL];
    profile_name(question, rank, name);
    if (question->labels.where && placed->measured->where) {
        size_t used = strlen(name);
        profile_place(question, placed, 24, place);
        snprintf(name + used, PROFILE_LABEL - used, " (%s)", place);
    }
    return name;
}
