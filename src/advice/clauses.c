/* The ground under judging and saying: what a roof is called, whose roof it is, which clock it is for, and sentences
 * made of clauses that are put in whole or not at all.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "advice/placed.h"
#include "core/machine.h"

bool clauses_add(clauses *to, const char *format, ...) {
    char clause[sizeof((roof_placement *)0)->diagnosis];
    va_list rest;
    va_start(rest, format);
    int length = vsnprintf(clause, sizeof clause, format, rest);
    va_end(rest);
    const char *joint = to->used ? "; " : "";
    size_t need = strlen(joint) + (size_t)length;
    if (length < 0 || (size_t)length >= sizeof clause || to->used + need >= to->size)
        return false;
    snprintf(to->text + to->used, to->size - to->used, "%s%s", joint, clause);
    to->used += need;
    return true;
}

const char *placed_roof_name(const placed_roof *roof, char *buffer, size_t size) {
    if (roof->bound == ROOF_BOUND_COMPUTE)
        snprintf(buffer, size, "%s%s %s", roof->variant, roof_dtype_name(roof_dtype_math(roof->dtype)),
                 roof_unit_name(roof->unit));
    else if (roof->bound == ROOF_BOUND_MEMORY)
        snprintf(buffer, size, "%s", roof_level_name(roof->level));
    else
        snprintf(buffer, size, "the link");
    return buffer;
}

const roof_figure *placed_compute_roof(const roof_machine *machine, roof_unit unit, roof_dtype *dtype) {
    const roof_figure *roof = roof_machine_peak(machine, unit, *dtype);
    if (roof || *dtype == ROOF_DTYPE_NONE)
        return roof;
    *dtype = roof_machine_substitute(machine, unit, *dtype);
    return *dtype == ROOF_DTYPE_NONE ? NULL : roof_machine_peak(machine, unit, *dtype);
}

double placed_clock(const roof_machine *machine, const placed_roof *roof) {
    bool matrix = false;
    for (int i = 0; i < ROOF_DTYPE_COUNT; i++)
        matrix |= figure_known(&machine->peak[ROOF_MATRIX][i]) != NULL;
    if (roof->bound == ROOF_BOUND_COMPUTE && roof->unit == ROOF_VECTOR && matrix)
        return 0;
    return figure_known(&machine->clock) ? machine->clock.value : 0;
}
