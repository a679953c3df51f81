/* Effects, the order of advice, and the ways a machine is changed. */
#include <stdio.h>
#include <string.h>

#include "advice/driver.h"
#include "advice/text.h"

const char *roof_effect_name(roof_effect effect) {
    static const char *const names[] = {"helps", "little", "waste", "worse"};
    return effect >= ROOF_EFFECT_HELPS && effect <= ROOF_EFFECT_WORSE ? names[effect] : "?";
}

roof_effect roof_effect_of(double speedup) {
    if (speedup >= 1.10)
        return ROOF_EFFECT_HELPS;
    if (speedup >= 1.02)
        return ROOF_EFFECT_LITTLE;
    return speedup >= 0.98 ? ROOF_EFFECT_WASTE : ROOF_EFFECT_WORSE;
}

static double factor_of(const roof_advice *advice) {
    return advice->expected > 0 ? advice->expected : advice->speedup;
}

static bool better(const roof_advice *a, const roof_advice *b) {
    return a->fits != b->fits ? a->fits : factor_of(a) > factor_of(b);
}

void advice_insert(advice_list *list, const roof_advice *advice) {
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->out[i].idea, advice->idea) == 0)
            return;
    int place = list->count;
    while (place > 0 && better(advice, &list->out[place - 1]))
        place--;
    if (place == ROOF_ADVICE_MAX)
        return;
    int last = list->count < ROOF_ADVICE_MAX ? list->count++ : ROOF_ADVICE_MAX - 1;
    memmove(&list->out[place + 1], &list->out[place], (size_t)(last - place) * sizeof *advice);
    list->out[place] = *advice;
}

static void scale(roof_figure *figures, size_t count, double factor) {
    for (size_t i = 0; i < count; i++)
        figures[i].value *= factor;
}

/* A measured CPU's rates by pattern go with its roofs; those of the changed machine lie in `own`. */
static bool take_rates(roof_machine *machine, roof_sustained *own) {
    if (!machine->sustained)
        return false;
    *own = *machine->sustained;
    machine->sustained = own;
    return true;
}

void advice_scale_compute(roof_machine *machine, roof_sustained *own, double factor) {
    for (int unit = 0; unit < ROOF_UNIT_COUNT; unit++)
        scale(machine->peak[unit], ROOF_DTYPE_COUNT, factor);
    scale(machine->narrow, ROOF_DTYPE_COUNT, factor);
    scale(machine->sparse, ROOF_DTYPE_COUNT, factor);
    if (!take_rates(machine, own))
        return;
    own->loads *= factor;
    for (int i = 0; i < ROOF_DTYPE_COUNT; i++)
        own->fma[i] *= factor;
}

void advice_scale_memory(roof_machine *machine, roof_sustained *own, double factor) {
    scale(machine->bandwidth, ROOF_LEVEL_COUNT, factor);
    if (!take_rates(machine, own))
        return;
    for (int traffic = 0; traffic < ROOF_TRAFFIC_COUNT; traffic++)
        for (int level = 0; level < ROOF_LEVEL_COUNT; level++)
            own->traffic[traffic][level] *= factor;
}

void advice_scale_link(roof_machine *machine, double factor) {
    scale(&machine->link, 1, factor);
}

static double roof_value(const roof_machine *machine, roof_bound bound, roof_dtype dtype) {
    if (bound == ROOF_BOUND_LINK)
        return machine->link.value;
    if (bound != ROOF_BOUND_COMPUTE)
        return machine->bandwidth[ROOF_DRAM].value;
    const roof_figure *peak = roof_machine_peak(machine, ROOF_MATRIX, dtype);
    return peak ? peak->value : 0;
}

void advice_compare_roofs(const roof_machine *there, const roof_machine *here, roof_bound bound, roof_dtype dtype,
                          char *reason, size_t size) {
    char same[64] = "";
    double before = roof_value(here, bound, dtype), after = roof_value(there, bound, dtype);
    if (bound == ROOF_BOUND_LINK && before == after) {
        snprintf(reason, size, "the same link of %s", advice_quantity(after, "B/s").text);
        return;
    }
    if (bound == ROOF_BOUND_COMPUTE && before == after) { /* then memory makes what difference there is */
        snprintf(same, sizeof same, "the same %s roof; ", roof_dtype_name(dtype));
        bound = ROOF_BOUND_MEMORY;
        before = roof_value(here, bound, dtype);
        after = roof_value(there, bound, dtype);
    }
    bool compute = bound == ROOF_BOUND_COMPUTE;
    const char *what = compute ? roof_dtype_name(dtype) : bound == ROOF_BOUND_LINK ? "link" : "memory";
    const char *unit = compute ? advice_rate_unit(dtype) : "B/s";
    snprintf(reason, size, "%s%s at %s instead of %s", same, what, advice_quantity(after, unit).text,
             advice_quantity(before, unit).text);
}

bool advice_same_machine(const roof_machine *a, const roof_machine *b) {
    return a == b || (a->id && b->id && strcmp(a->id, b->id) == 0);
}

void advice_name_machine(const roof_machine *machine, char *name, size_t size) {
    const char *id = machine->id ? machine->id : machine->name;
    snprintf(name, size, "%.48s instead", id ? id : "the other machine");
}
