/* The machine one would buy next: the catalogue's nearest faster memory of the same vendor and kind. */
#include <ctype.h>
#include <string.h>

#include "advice/driver.h"

static const double STEP = 1.2; /* less is not worth a move */

/* "HBM3e" and "HBM2" are one kind, "GDDR6" another: the leading letters. */
static bool same_kind(const char *a, const char *b) {
    if (!a || !b)
        return false;
    for (; isalpha((unsigned char)*a) && *a == *b; a++, b++)
        ;
    return !isalpha((unsigned char)*a) && !isalpha((unsigned char)*b);
}

static bool same_vendor(const char *a, const char *b) {
    return a && b && strcmp(a, b) == 0;
}

static double bandwidth(const roof_machine *machine) {
    const roof_figure *figure = &machine->bandwidth[ROOF_DRAM];
    return figure->origin != ROOF_UNKNOWN ? figure->value : 0;
}

static bool is_step(const roof_machine *from, const roof_machine *to) {
    return !advice_same_machine(from, to) && same_vendor(from->vendor, to->vendor) && same_kind(from->memory_kind, to->memory_kind) &&
           to->year >= from->year && bandwidth(from) > 0 && bandwidth(to) >= STEP * bandwidth(from);
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
