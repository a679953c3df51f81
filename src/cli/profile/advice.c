/* Where to work in a profile, as ideas of a page: what fixing a kernel would gain the whole run. */
#include <stdio.h>
#include <string.h>

#include "cli/profile/profile.h"

enum { HELPS_MOST = 10, WASTE_MOST = 5 };

static double whole_speedup(double saved) {
    return saved < 0.999 ? 1 / (1 - saved) : 1000;
}

static roof_advice *add(advice_set *set, roof_effect effect, double saved, const char *idea) {
    roof_advice *item = &set->items[set->count++];
    *item = (roof_advice){.effect = effect, .speedup = whole_speedup(saved), .fits = true};
    snprintf(item->idea, sizeof item->idea, "%s", idea);
    return item;
}

static void add_kernel(profile_question *question, size_t rank, roof_effect effect) {
    const roof_placement *placed = &question->placed[question->order[rank]];
    char name[PROFILE_LABEL], roof[48], part[NUMBER_SIZE], share[NUMBER_SIZE], saved[NUMBER_SIZE];
    roof_advice *item = add(&question->advice, effect, placed->saved, profile_label(question, rank, name));
    item->bound = placed->bound;
    snprintf(item->reason, sizeof item->reason, "%s of its %s roof, %s of the time; at the roof the run saves %s%s",
             number_percent(profile_fraction(placed), part), profile_roof(placed, roof, sizeof roof),
             number_percent(placed->share, share), placed->one_sided ? "at most " : "",
             number_percent(placed->saved, saved));
}

static void add_others(profile_question *question, size_t others, double saved) {
    char idea[64], count[NUMBER_SIZE], number[NUMBER_SIZE];
    if (others == 0)
        return;
    snprintf(idea, sizeof idea, "%s other%s below the roof", number_whole((double)others, count),
             others > 1 ? "s" : "");
    roof_advice *item = add(&question->advice, ROOF_EFFECT_LITTLE, saved, idea);
    snprintf(item->reason, sizeof item->reason, "together up to %s of the run", number_percent(saved, number));
}

void profile_advise(profile_question *question) {
    size_t helps = 0, others = 0, wastes = 0;
    double rest = 0;
    for (size_t i = 0; i < question->count; i++) {
        const roof_placement *placed = &question->placed[question->order[i]];
        if (placed->standing == ROOF_STANDING_BELOW && profile_is_worth(placed) && helps < HELPS_MOST) {
            add_kernel(question, i, ROOF_EFFECT_HELPS);
            helps++;
        } else if (placed->standing == ROOF_STANDING_BELOW) {
            rest += placed->saved;
            others++;
        }
    }
    add_others(question, others, rest);
    for (size_t i = 0; i < question->count && wastes < WASTE_MOST; i++)
        if (question->placed[question->order[i]].standing == ROOF_STANDING_NEAR) {
            add_kernel(question, i, ROOF_EFFECT_WASTE);
            wastes++;
        }
}

size_t profile_advice(const void *context, answer_advice out[ANSWER_ADVICE_MAX]) {
    const profile_question *question = context;
    snprintf(out[0].about, sizeof out[0].about, "What would help");
    out[0].set = &question->advice;
    return question->advice.count > 0;
}
