/* Globs, module paths and a small bounded regular-expression matcher. */
#include "read/match.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

enum { EXPANDED_MAX = 512, STEPS_MAX = 100000 };

/* Classic glob with one point to come back to. `component`: the pattern may also end at a '.' of the text. */
static bool glob_at(const char *pattern, size_t length, const char *text, bool component) {
    const char *end = pattern + length, *star = NULL, *resume = NULL;
    for (;;) {
        if (pattern < end && *pattern == '*') {
            star = ++pattern;
            resume = text;
        } else if (pattern == end && (!*text || (component && *text == '.'))) {
            return true;
        } else if (pattern < end && *text && (*pattern == *text || *pattern == '?')) {
            pattern++;
            text++;
        } else if (star && *resume) {
            pattern = star;
            text = ++resume;
        } else {
            return false;
        }
    }
}

bool match_list(const char *list, const char *word) {
    while (list && *(list += strspn(list, " "))) {
        size_t n = strcspn(list, " ");
        if (glob_at(list, n, word, false))
            return true;
        list += n;
    }
    return false;
}

bool match_path(const char *pattern, const char *path) {
    return *pattern && glob_at(pattern, strlen(pattern), path, true);
}

bool match_module(const char *pattern, const char *path) {
    for (const char *at = path; at; at = strchr(at, '.')) {
        at += at > path; /* past the dot */
        if (match_path(pattern, at))
            return true;
    }
    return false;
}

/* One pattern without groups. */
typedef struct search {
    long steps;
    bool unreadable;
} search;

/* Length of the atom at `p`. */
static size_t atom_length(const char *p) {
    if (*p == '\\')
        return p[1] ? 2 : 1;
    if (*p != '[')
        return 1;
    const char *close = p[1] ? strchr(p + 2, ']') : NULL;
    return close ? (size_t)(close - p) + 1 : 1;
}

static bool in_class(const char *p, size_t n, char c) {
    bool negated = p[1] == '^', found = false;
    for (size_t i = negated ? 2 : 1; i + 1 < n; i++) {
        if (i + 3 < n && p[i + 1] == '-') {
            found |= p[i] <= c && c <= p[i + 2];
            i += 2;
        } else {
            found |= p[i] == c;
        }
    }
    return found != negated;
}

static bool atom_matches(search *s, const char *p, size_t n, char c) {
    if (*p == '.')
        return true;
    if (*p == '[' && n > 2)
        return in_class(p, n, c);
    if (*p != '\\' || n < 2) {
        s->unreadable |= strchr("[](){}|*+?", *p) != NULL;
        return *p == c;
    }
    if (p[1] == 'd')
        return isdigit((unsigned char)c) != 0;
    if (p[1] == 'w')
        return isalnum((unsigned char)c) || c == '_';
    s->unreadable |= isalnum((unsigned char)p[1]) != 0;
    return p[1] == c;
}

static bool here(search *s, const char *p, const char *text) {
    for (;;) {
        if (++s->steps > STEPS_MAX)
            s->unreadable = true;
        if (s->unreadable)
            return false;
        if (!*p)
            return true; /* re.match: the rest of the text is free */
        if (*p == '$' && !p[1])
            return !*text;
        size_t n = atom_length(p);
        char repeat = p[n];
        if (repeat == '*' || repeat == '+' || repeat == '?') {
            size_t most = 0, least = repeat == '+';
            while (text[most] && (repeat != '?' || most == 0) && atom_matches(s, p, n, text[most]))
                most++;
            for (size_t k = most + 1; k-- > least;)
                if (here(s, p + n + 1, text + k))
                    return true;
            return false;
        }
        if (!*text || !atom_matches(s, p, n, *text))
            return false;
        p += n;
        text++;
    }
}

/* The end of the alternative that starts at `p`: '|' or ')' of this level, or the end. NULL when brackets do not close.
 */
static const char *alternative_end(const char *p) {
    int level = 0;
    for (; *p; p += atom_length(p)) {
        if (*p == '(')
            level++;
        if (level == 0 && (*p == '|' || *p == ')'))
            return p;
        if (*p == ')')
            level--;
    }
    return level == 0 ? p : NULL;
}

static match_result expand(search *s, const char *done, const char *open, const char *text);

/* Try every alternative of the list at `p` (in a group, `close` follows it) in place of the group. */
static match_result alternatives(search *s, const char *head, size_t head_length, const char *p, const char *text) {
    const char *last = p, *end;
    while ((end = alternative_end(last)) && *end == '|')
        last = end + 1;
    if (!end || (*end == ')' && end[1] && strchr("*+?{", end[1])))
        return MATCH_UNREADABLE;
    const char *rest = *end == ')' ? end + 1 : end;
    for (const char *from = p;; from = end + 1) {
        end = alternative_end(from);
        size_t n = (size_t)(end - from), tail = strlen(rest);
        char whole[EXPANDED_MAX];
        if (head_length + n + tail >= sizeof whole)
            return MATCH_UNREADABLE;
        memcpy(whole, head, head_length);
        memcpy(whole + head_length, from, n);
        memcpy(whole + head_length + n, rest, tail + 1);
        match_result result = expand(s, whole, whole + head_length, text);
        if (result != MATCH_NO || *end != '|')
            return result;
    }
}

/* Replace the first group at or after `open` by its alternatives, one after the other; match when none is left. */
static match_result expand(search *s, const char *done, const char *open, const char *text) {
    if (++s->steps > STEPS_MAX)
        return MATCH_UNREADABLE;
    for (; *open; open += atom_length(open)) {
        if (*open == '(') {
            const char *inside = open + 1;
            if (strncmp(inside, "?:", 2) == 0)
                inside += 2;
            else if (*inside == '?')
                return MATCH_UNREADABLE;
            return alternatives(s, done, (size_t)(open - done), inside, text);
        }
    }
    bool yes = here(s, done + (*done == '^'), text);
    return s->unreadable ? MATCH_UNREADABLE : yes ? MATCH_YES : MATCH_NO;
}

match_result match_regex(const char *pattern, const char *text) {
    search s = {0};
    if (strlen(pattern) >= EXPANDED_MAX)
        return MATCH_UNREADABLE;
    return alternatives(&s, "", 0, pattern, text);
}
