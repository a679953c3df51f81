/* The machine one would buy next: the catalogue's nearest faster memory of the same vendor and kind. */
#include <string.h>

#include "advice/trial.h"

static const double STEP = 1.2; /* less is not worth a move */

/* "HBM3e" and "HBM2" are one kind, "12x DDR5-4800" and "8x DDR4-3200" another. The longer names contain the shorter. */
static const char *kind_of(const char *memory) {
    static const char *const kinds[][2] = {
        {"HBM", "HBM"}, {"LPDDR", "LPDDR"}, {"GDDR", "GDDR"}, {"MRDIMM", "DDR"}, {"DDR", "DDR"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strstr(memory, kinds[i][0]))
            return kinds[i][1];
    return memory;
}

static bool same_kind(const char *a, const char *b) {
    return a && b && strcmp(kind_of(a), kind_of(b)) == 0;
}

static bool same_vendor(const char *a, const char *b) {
    return a && b && strcmp(a, b) == 0;
}

static double bandwidth(const roof_machine *machine) {
    const roof_figure *figure = &machine->bandwidth[ROOF_DRAM];
    return figure->origin != ROOF_ORIGIN_UNKNOWN ? figure->value : 0;
}

static bool is_step(const roof_machine *from, const roof_machine *to) {
    return !advice_same_machine(from, to) && same_vendor(from->vendor, to->vendor) &&
           same_kind(from->memory_kind, to->memory_kind) && to->year >= from->year && bandwidth(from) > 0 &&
           bandwidth(to) >= STEP * bandwidth(from);
}

int roof_machine_step_up(const roof_machine *machine, roof_machine *out) {
    roof_machine candidate, best = {0};
    for (size_t i = 0; roof_machine_at(i, &candidate) == 0; i++)
        if (is_step(machine, &candidate) && (bandwidth(&best) == 0 || bandwidth(&candidate) < bandwidth(&best)))
            best = candidate;
    if (bandwidth(&best) == 0)
        return -1;
    *out = best;
    return 0;
}
