/* The pull parser turned into calls, and its repairs: behind a damaged item parsing goes on at the next "}, {"". */
#include "json/calls.h"

#include <string.h>

enum { REPAIRS_MAX = 1000 }; /* damaged places before the rest is given up */

static bool tell(const json_pull *p, json_token token, const json_calls *calls, void *to) {
    switch (token) {
    case JSON_OBJECT:
        return calls->open(to, '{');
    case JSON_LIST:
        return calls->open(to, '[');
    case JSON_END_OBJECT:
        return calls->close(to, '{');
    case JSON_END_LIST:
        return calls->close(to, '[');
    case JSON_KEY:
        return calls->key(to, p->text, p->length);
    case JSON_TEXT:
        return calls->text(to, p->text, p->length);
    case JSON_NUMBER:
        return calls->number(to, p->text, p->length);
    default:
        return calls->word(to, p->word == 'N' ? 'n' : p->word);
    }
}

/* After a failure: drop the item and go on behind it. false: there is nothing to go on with. */
static bool repair(json_pull *p, const json_calls *calls, void *to, json_ending *end, int *repairs) {
    int list = calls->list(to);
    end->damaged++;
    if (p->depth < list || ++*repairs > REPAIRS_MAX) { /* the list is over, or hopeless */
        end->early = p->depth >= list;
        return false;
    }
    calls->drop(to);
    bool found = json_resume(p, list);
    end->early |= !found;
    return found;
}

int json_stream(json_feed feed, void *from, const json_calls *calls, void *to, json_ending *end, roof_error *error) {
    json_pull p;
    bool started = false;
    int repairs = 0, result = 0;
    *end = (json_ending){0};
    if (json_pull_feed(&p, feed, from))
        return roof_fail(error, ROOF_ENOMEM, "out of memory while reading measurements");
    p.lenient = true;
    for (json_token token; result == 0 && (token = json_next(&p)) != JSON_END;) {
        if (token != JSON_FAILED) {
            started = true;
            result = tell(&p, token, calls, to) ? 0 : -1;
        } else if (p.cut) {
            end->early = true;
            break;
        } else if (p.hopeless || calls->list(to) == 0) {
            result = json_fail(&p, error);
        } else if (!repair(&p, calls, to, end, &repairs)) {
            break;
        }
    }
    end->early |= !started;
    json_pull_end(&p);
    return result;
}
