/* Looking up a roof without a call. Private to the library. */
#ifndef ROOFLINE_CORE_MACHINE_H
#define ROOFLINE_CORE_MACHINE_H

#include "core/tables.h"

static inline const roof_figure *figure_known(const roof_figure *figure) {
    return figure->origin != ROOF_ORIGIN_UNKNOWN && figure->value > 0 ? figure : NULL;
}

/* As roof_machine_peak(). */
static inline const roof_figure *machine_peak(const roof_machine *machine, roof_unit unit, roof_dtype dtype) {
    roof_dtype math = dtype_of(dtype)->math;
    if (math == ROOF_DTYPE_NONE)
        return NULL;
    const roof_figure *vector = figure_known(&machine->peak[ROOF_VECTOR][math]);
    if (unit == ROOF_VECTOR)
        return vector;
    const roof_figure *matrix = figure_known(&machine->peak[ROOF_MATRIX][math]);
    if (!matrix || !vector)
        return matrix ? matrix : vector;
    return matrix->value >= vector->value ? matrix : vector;
}

#endif
