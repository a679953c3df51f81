/* Factors by the expected time: constants of a change, the class, and the words where the bound says another.
 * docs/advice.md, "Expected factors". */
#include "advice/expectation.h"

#include <stdio.h>
#include <string.h>

#include "advice/text.h"

static const double VISIBLE = 0.02; /* share of the time below which a change cannot even help a little */

const char *roof_effect_name(roof_effect effect) {
    static const char *const names[] = {"helps", "little", "waste", "worse"};
    return effect >= ROOF_EFFECT_HELPS && effect <= ROOF_EFFECT_WORSE ? names[effect] : "?";
}

static const double HELPS = 1.10;  /* judgement: twice the spread between releases of one engine, 3 to 10 % */
static const double LITTLE = 1.02; /* judgement: less is not seen in a measurement */

roof_effect roof_effect_of(double speedup) {
    if (speedup >= HELPS)
        return ROOF_EFFECT_HELPS;
    if (speedup >= LITTLE)
        return ROOF_EFFECT_LITTLE;
    return speedup >= 2 - LITTLE ? ROOF_EFFECT_WASTE : ROOF_EFFECT_WORSE;
}

advice_expectation advice_expecting(const roof_machine *machine, const roof_engine *engine) {
    advice_expectation made = {.asked = engine != NULL};
    if (engine)
        roof_constants_of(machine, *engine, &made.constants);
    return made;
}

static double share_of(const advice_expectation *of, roof_term term) {
    return of->time.seconds > 0 ? of->time.term[term] / of->time.seconds : 0;
}

static double launch_of(const advice_expectation *of) {
    return of->constants.value[ROOF_CONSTANT_LAUNCH].value;
}

/* ---- changes ---- */

void advice_use_machine(advice_expectation *changed, const roof_machine *machine) {
    roof_engine engine = changed->constants.engine;
    if (changed->asked)
        roof_constants_of(machine, engine, &changed->constants);
}

bool advice_drop_launches(advice_expectation *changed) {
    changed->constants.value[ROOF_CONSTANT_LAUNCH].value = 0;
    return changed->asked && share_of(changed, ROOF_TERM_LAUNCH) >= VISIBLE;
}

/* The cost of a launch alone is exchanged: what the runs of this machine taught about the rest stays. */
bool advice_capture(advice_expectation *changed, const roof_machine *machine) {
    roof_engine engine = changed->constants.engine;
    roof_constants graph;
    if (!changed->asked || (engine != ROOF_ENGINE_EAGER && engine != ROOF_ENGINE_UNKNOWN))
        return false;
    roof_constants_of(machine, ROOF_ENGINE_GRAPH, &graph);
    const roof_figure *launch = &graph.value[ROOF_CONSTANT_LAUNCH];
    double saved = 1 - launch->value / launch_of(changed);
    if (!(saved * share_of(changed, ROOF_TERM_LAUNCH) >= VISIBLE))
        return false;
    changed->constants.value[ROOF_CONSTANT_LAUNCH] = *launch;
    return true;
}

/* ---- words ---- */

void advice_append(char *reason, size_t size, const char *clause) {
    size_t used = strlen(reason);
    if (used + strlen("; ") + strlen(clause) + 1 < size)
        snprintf(reason + used, size - used, "; %s", clause);
}

void advice_say_launches(const advice_expectation *before, char *reason, size_t size) {
    snprintf(reason, size, "kernel launch overhead is %s of the expected time, %s each",
             advice_percent(share_of(before, ROOF_TERM_LAUNCH)).text, advice_quantity(launch_of(before), "s").text);
}

double advice_collectives(const advice_expectation *of) {
    return share_of(of, ROOF_TERM_COLLECTIVE) + share_of(of, ROOF_TERM_SKEW);
}

static bool learnt(const advice_expectation *of) {
    for (int i = 0; i < ROOF_CONSTANT_COUNT; i++)
        if (of->constants.value[i].origin == ROOF_ORIGIN_MEASURED)
            return true;
    return false;
}

void advice_say_constants(const advice_expectation *before, const advice_expectation *after, char *reason,
                          size_t size) {
    if (!before->asked || learnt(before) == learnt(after))
        return;
    advice_append(reason, size,
                  learnt(before) ? "measured constants here, defaults there"
                                 : "defaults here, measured constants there");
}

/* Terms as they are told; overlap, which is no cost, is not. */
static const struct {
    roof_term term;
    const char *name;
} told[] = {
    {ROOF_TERM_COMPUTE, "compute"}, {ROOF_TERM_MEMORY, "memory"},          {ROOF_TERM_LAUNCH, "launches"},
    {ROOF_TERM_PASSES, "passes"},   {ROOF_TERM_COLLECTIVE, "collectives"}, {ROOF_TERM_SKEW, "waiting for the others"},
};
enum { TOLD = sizeof told / sizeof *told, NAMED = 3 };

static double told_share(const advice_expectation *of, int i) {
    return share_of(of, told[i].term);
}

/* The largest term not said yet; -1: none that shows. */
static int next_term(const advice_expectation *of, const bool said[TOLD]) {
    int most = -1;
    for (int i = 0; i < TOLD; i++)
        if (!said[i] && told_share(of, i) >= VISIBLE && (most < 0 || told_share(of, i) > told_share(of, most)))
            most = i;
    return most;
}

/* "expected: memory 61%, launches 24%, compute 15%", largest first and as many as there is room for. */
static void say_terms(const advice_expectation *before, char *reason, size_t size) {
    char clause[96] = "expected:";
    bool said[TOLD] = {false};
    size_t room = size - 1 - strlen(reason) - strlen("; ");
    for (int named = 0, term; named < NAMED && (term = next_term(before, said)) >= 0; named++) {
        char one[40];
        said[term] = true;
        snprintf(one, sizeof one, "%s %s %s", named ? "," : "", told[term].name,
                 advice_percent(told_share(before, term)).text);
        if (strlen(clause) + strlen(one) >= room)
            break;
        snprintf(clause + strlen(clause), sizeof clause - strlen(clause), "%s", one);
    }
    if (strchr(clause, ' '))
        advice_append(reason, size, clause);
}

/* What the change makes worse, for as much work: "3.30 us more in launches". */
static void say_growth(const advice_expectation *before, const advice_expectation *after, double work, char *reason,
                       size_t size) {
    char clause[64];
    double least = VISIBLE * before->time.seconds, grown[TOLD];
    int most = 0;
    for (int i = 0; i < TOLD; i++) {
        grown[i] = after->time.term[told[i].term] / work - before->time.term[told[i].term];
        if (grown[i] > grown[most])
            most = i;
    }
    if (grown[most] < least)
        return;
    snprintf(clause, sizeof clause, "%s more in %s", advice_quantity(grown[most], "s").text, told[most].name);
    advice_append(reason, size, clause);
}

double advice_expected_factor(const advice_expectation *before, const advice_expectation *after, double work) {
    return before->asked && after->time.seconds > 0 ? work * before->time.seconds / after->time.seconds : 0;
}

void advice_weigh(roof_advice *advice, const advice_expectation *before, const advice_expectation *after, double work) {
    advice->effect = roof_effect_of(advice->speedup);
    advice->expected = advice_expected_factor(before, after, work);
    if (!(advice->expected > 0))
        return;
    roof_effect bound = advice->effect;
    advice->effect = roof_effect_of(advice->expected);
    if (bound == advice->effect || strstr(advice->reason, "expected"))
        return;
    say_terms(before, advice->reason, sizeof advice->reason);
    if (advice->effect > bound) /* a worse class: what the bound does not see grows */
        say_growth(before, after, work, advice->reason, sizeof advice->reason);
}
