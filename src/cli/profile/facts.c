/* What --require may ask of a profile. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/profile/profile.h"

static double or_nothing(double value) {
    return value > 0 ? value : (double)NAN;
}

/* ---- shares ---- */

static int bad_share(const char *condition, roof_error *error) {
    roof_fail(error, ROOF_EARGUMENT, "--require '%.80s': a share needs the part of the roof, 0 to 1", condition);
    roof_hint(error, "write it like 'share_above(0.6)>=0.8': at least 80%% of the time at 60%% of a roof or more");
    return -1;
}

/* "share_above(0.6)" of a condition becomes a fact of that very name. */
static int share_fact(profile_question *question, const char *condition, roof_error *error) {
    static const char *const names[] = {"share_below", "share_above"};
    const char *at = condition + strspn(condition, " ");
    for (int above = 0; above < 2; above++) {
        size_t length = strlen(names[above]);
        if (strncmp(at, names[above], length) != 0)
            continue;
        char name[FACT_NAME], number[32];
        double fraction;
        size_t whole = strcspn(at, "<>=!"), digits = at[length] == '(' ? strcspn(at + length + 1, ")") : 0;
        while (whole > length && at[whole - 1] == ' ')
            whole--;
        if (digits == 0 || digits >= sizeof number || length + digits + 2 != whole || whole >= sizeof name)
            return bad_share(condition, error);
        snprintf(number, sizeof number, "%.*s", (int)digits, at + length + 1);
        if (number_parse(number, QUANTITY_SHARE, &fraction) || !(fraction >= 0 && fraction <= 1))
            return bad_share(condition, error);
        snprintf(name, sizeof name, "%.*s", (int)whole, at);
        fact_number(&question->facts, "", name, profile_share(question, fraction, above));
        return 0;
    }
    return 0;
}

/* ---- kernels ---- */

static void point_facts(fact_list *facts, const roof_placement *placed) {
    char roof[48], name[PROFILE_LABEL];
    snprintf(facts->place, sizeof facts->place, "in %s", profile_short_name(placed->measured->name, 60, name));
    fact_number(facts, "points.", "seconds", or_nothing(placed->seconds));
    fact_number(facts, "points.", "share", placed->share);
    fact_number(facts, "points.", "headroom", or_nothing(placed->headroom));
    fact_number(facts, "points.", "roof_share", or_nothing(profile_fraction(placed)));
    fact_number(facts, "points.", "gain", placed->gain);
    fact_number(facts, "points.", "saved", placed->saved);
    fact_word(facts, "points.", "bound", placed->bound == ROOF_BOUND_NONE ? "none" : roof_bound_name(placed->bound));
    fact_word(facts, "points.", "roof", *profile_roof(placed, roof, sizeof roof) ? roof : "none");
    fact_word(facts, "points.", "standing", roof_standing_name(placed->standing));
    facts->place[0] = '\0';
}

/* The kernel with the largest headroom of those that were judged. */
static const roof_placement *worst_of(const profile_question *question) {
    const roof_placement *worst = NULL;
    for (size_t i = 0; i < question->count; i++)
        if (question->placed[i].headroom > 0 && (!worst || question->placed[i].headroom > worst->headroom))
            worst = &question->placed[i];
    return worst;
}

static void total_facts(profile_question *question) {
    static const char *const shares[] = {"share.unknown", "share.near", "share.below", "share.above"};
    fact_list *facts = &question->facts;
    profile_sums sums = profile_sum(question, 0, question->count);
    const roof_placement *worst = worst_of(question);
    fact_number(facts, "", "points", (double)question->count);
    fact_number(facts, "", "seconds", sums.seconds);
    fact_number(facts, "", "gain", sums.gain);
    fact_number(facts, "", "saved", sums.saved);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        fact_number(facts, "", shares[i], sums.share[i]);
    fact_number(facts, "", "share_above(0.6)", profile_share(question, 0.6, true));
    fact_number(facts, "", "share_below(0.6)", profile_share(question, 0.6, false));
    if (!worst)
        return;
    char name[PROFILE_LABEL];
    snprintf(facts->place, sizeof facts->place, "in %s", profile_short_name(worst->measured->name, 60, name));
    fact_number(facts, "worst.", "headroom", worst->headroom);
    fact_number(facts, "worst.", "roof_share", profile_fraction(worst));
    facts->place[0] = '\0';
}

/* ---- runs ---- */

static void phase_facts(fact_list *facts, const char *prefix, const struct roof_run_phase *phase) {
    fact_number(facts, prefix, "tokens_per_second", phase->measured);
    fact_number(facts, prefix, "seconds", phase->seconds);
    fact_number(facts, prefix, "headroom", or_nothing(phase->headroom));
    fact_number(facts, prefix, "roof_share", or_nothing(phase->fraction));
    fact_word(facts, prefix, "bound", phase->limit == ROOF_BOUND_NONE ? "none" : roof_bound_name(phase->limit));
}

static void run_facts(fact_list *facts, const profile_run *run) {
    snprintf(facts->place, sizeof facts->place, "in %.60s",
             run->placed.run->model ? run->placed.run->model : "the run");
    if (run->placed.has_prefill)
        phase_facts(facts, "prefill.", &run->placed.prefill);
    if (run->placed.has_decode)
        phase_facts(facts, "decode.", &run->placed.decode);
    facts->place[0] = '\0';
}

/* Of a comparison: how the whole run and each kernel moved. */
static void moved_facts(profile_question *question) {
    fact_list *facts = &question->facts;
    profile_sums before = profile_sum(question, question->files[0].first, question->files[0].count),
                 after = profile_sum(question, question->files[1].first, question->files[1].count);
    fact_number(facts, "before.", "seconds", before.seconds);
    fact_number(facts, "after.", "seconds", after.seconds);
    fact_number(facts, "", "speedup", after.seconds > 0 ? before.seconds / after.seconds : (double)NAN);
    for (size_t i = 0; i < question->moved_count; i++) {
        const roof_moved *moved = &question->moved[i];
        char name[PROFILE_LABEL];
        if (!moved->before || !moved->after)
            continue;
        snprintf(facts->place, sizeof facts->place, "in %s",
                 profile_short_name(moved->after->measured->name, 60, name));
        fact_number(facts, "points.", "speedup", or_nothing(moved->speedup));
        facts->place[0] = '\0';
    }
}

int profile_facts(profile_question *question, roof_error *error) {
    const text_list *conditions = &question->settings->require;
    if (conditions->count == 0)
        return 0;
    if (question->settings->profile.compare) {
        moved_facts(question);
        return 0;
    }
    for (size_t i = 0; i < conditions->count; i++)
        if (share_fact(question, conditions->items[i], error))
            return -1;
    total_facts(question);
    for (size_t i = 0; i < question->count; i++)
        point_facts(&question->facts, &question->placed[i]);
    for (size_t i = 0; i < question->run_count; i++)
        run_facts(&question->facts, &question->runs[i]);
    return 0;
}
