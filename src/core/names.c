/* Loose comparison of names and a bounded edit distance, so that an unknown name can offer the nearest known ones. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/names.h"

enum { NAME_MAX_REDUCED = 64, NEAREST_MAX = 8, FAR = 1000 };

/* Lower-case letters and digits only; what does not fit is cut off, which only matters to distances. */
static size_t reduce(const char *name, char out[NAME_MAX_REDUCED + 1]) {
    size_t n = 0;
    for (; *name && n < NAME_MAX_REDUCED; name++)
        if (isalnum((unsigned char)*name))
            out[n++] = (char)tolower((unsigned char)*name);
    out[n] = '\0';
    return n;
}

static const char *skip_punctuation(const char *text, const char *end) {
    while (text < end && !isalnum((unsigned char)*text))
        text++;
    return text;
}

static bool equal_until(const char *a, const char *a_end, const char *b, const char *b_end) {
    bool any = false;
    for (;; a++, b++) {
        a = skip_punctuation(a, a_end);
        b = skip_punctuation(b, b_end);
        if (a == a_end || b == b_end)
            return any && a == a_end && b == b_end;
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
        any = true;
    }
}

bool name_equal(const char *a, const char *b) {
    return equal_until(a, a + strlen(a), b, b + strlen(b));
}

bool name_in_list(const char *name, const char *list) {
    while (*list) {
        size_t length = strcspn(list, ",");
        if (equal_until(name, name + strlen(name), list, list + length))
            return true;
        list += length + (list[length] == ',');
    }
    return false;
}

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* Edits that turn `name` into some beginning of `other`: "h1000" is one edit from "h100-sxm". Two neighbours swapped
 * are one edit: the commonest slip of the hand. */
static unsigned distance_to_prefix(const char *name, size_t name_length, const char *other, size_t other_length) {
    unsigned rows[3][NAME_MAX_REDUCED + 1];
    unsigned *older = rows[0], *old = rows[1], *row = rows[2];
    for (size_t j = 0; j <= other_length; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= name_length; i++) {
        unsigned *spare = older;
        older = old;
        old = row;
        row = spare;
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= other_length; j++) {
            row[j] = least(least(old[j], row[j - 1]) + 1, old[j - 1] + (name[i - 1] != other[j - 1]));
            if (i > 1 && j > 1 && name[i - 1] == other[j - 2] && name[i - 2] == other[j - 1])
                row[j] = least(row[j], older[j - 2] + 1);
        }
    }
    unsigned best = row[0];
    for (size_t j = 1; j <= other_length; j++)
        best = least(best, row[j]);
    return best;
}

/* Twice the edits, plus one unless the whole of `other` was matched; FAR when more than a third of the name is wrong.
 */
static unsigned score(const char *name, size_t name_length, const char *other_name) {
    char other[NAME_MAX_REDUCED + 1];
    size_t other_length = reduce(other_name, other);
    if (other_length == 0)
        return FAR;
    unsigned edits = distance_to_prefix(name, name_length, other, other_length);
    if (edits > 1 && name_length >= 3 && strstr(other, name))
        edits = 1; /* the middle or the end of a name: "4090", "8b-instruct" */
    unsigned allowed = name_length < 6 ? 1 : (unsigned)(name_length / 3);
    if (edits > allowed || edits >= name_length)
        return FAR;
    return 2 * edits + (other_length != name_length);
}

size_t nearest_names(const name_list *names, const char *name, const char *best[], size_t limit) {
    char reduced[NAME_MAX_REDUCED + 1];
    unsigned scores[NEAREST_MAX];
    size_t length = reduce(name, reduced), found = 0;
    if (limit > NEAREST_MAX)
        limit = NEAREST_MAX;
    for (size_t i = 0; i < names->count && length > 0 && limit > 0; i++) {
        const char *other = names->at(names->context, i);
        unsigned points = other ? score(reduced, length, other) : FAR;
        if (points == FAR || (found == limit && points >= scores[found - 1]))
            continue;
        size_t place = found < limit ? found++ : found - 1;
        for (; place > 0 && scores[place - 1] > points; place--) {
            scores[place] = scores[place - 1];
            best[place] = best[place - 1];
        }
        scores[place] = points;
        best[place] = other;
    }
    return found;
}

size_t offer_names(const name_list *names, const char *name, size_t limit, roof_error *error) {
    const char *best[2];
    size_t found = nearest_names(names, name, best, limit);
    if (found == 2)
        roof_hint(error, "did you mean '%s' or '%s'?", best[0], best[1]);
    else if (found == 1)
        roof_hint(error, "did you mean '%s'?", best[0]);
    return found;
}

int unknown_name(const name_list *names, const char *kind, const char *name, roof_remedy lister, roof_error *error) {
    roof_fail(error, ROOF_ENOTFOUND, "unknown %s '%.80s'", kind, name);
    offer_names(names, name, 2, error);
    roof_suggest(error, lister, "");
    return -1;
}
