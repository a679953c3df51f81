/* Looking up the roofs of a machine. A roof that does not exist is NULL, never zero. */
#include "core/machine.h"

const char *roof_origin_name(roof_origin origin) {
    static const char *const names[] = {"unknown", "datasheet", "measured", "derived", "given"};
    return origin >= ROOF_ORIGIN_UNKNOWN && origin <= ROOF_ORIGIN_GIVEN ? names[origin] : "unknown";
}

const char *roof_unit_name(roof_unit unit) {
    return unit == ROOF_MATRIX ? "matrix" : "vector";
}

const char *roof_level_name(roof_level level) {
    static const char *const names[] = {"DRAM", "L3", "L2", "L1"};
    return level >= ROOF_DRAM && level < ROOF_LEVEL_COUNT ? names[level] : "?";
}

const roof_figure *roof_machine_peak(const roof_machine *machine, roof_unit unit, roof_dtype dtype) {
    return machine_peak(machine, unit, dtype);
}

/* What a person would use instead, nearest first; the list ends with ROOF_DTYPE_NONE. */
static const roof_dtype *substitutes(roof_dtype math) {
    static const roof_dtype low[] = {ROOF_FP8, ROOF_BF16, ROOF_F16, ROOF_F32, ROOF_DTYPE_NONE};
    static const roof_dtype half[] = {ROOF_F16, ROOF_BF16, ROOF_F32, ROOF_DTYPE_NONE};
    static const roof_dtype byte[] = {ROOF_BF16, ROOF_F16, ROOF_F32, ROOF_DTYPE_NONE};
    static const roof_dtype integer[] = {ROOF_INT8, ROOF_BF16, ROOF_F16, ROOF_F32, ROOF_DTYPE_NONE};
    static const roof_dtype single[] = {ROOF_F32, ROOF_BF16, ROOF_F16, ROOF_DTYPE_NONE};
    switch (math) {
    case ROOF_FP4:
    case ROOF_FP6:
        return low;
    case ROOF_FP8:
        return byte;
    case ROOF_INT4:
    case ROOF_INT8:
        return integer;
    case ROOF_F16:
    case ROOF_BF16:
        return half;
    default:
        return single;
    }
}

roof_dtype roof_machine_substitute(const roof_machine *machine, roof_unit unit, roof_dtype dtype) {
    roof_dtype math = dtype_of(dtype)->math;
    for (const roof_dtype *next = substitutes(math); *next != ROOF_DTYPE_NONE; next++)
        if (*next != math && roof_machine_peak(machine, unit, *next))
            return *next;
    return ROOF_DTYPE_NONE;
}

double roof_machine_ridge(const roof_machine *machine, roof_unit unit, roof_dtype dtype) {
    const roof_figure *peak = roof_machine_peak(machine, unit, dtype);
    const roof_figure *bandwidth = figure_known(&machine->bandwidth[ROOF_DRAM]);
    return peak && bandwidth ? peak->value / bandwidth->value : 0;
}

double roof_machine_capacity(const roof_machine *machine) {
    if (figure_known(&machine->usable))
        return machine->usable.value;
    return figure_known(&machine->size[ROOF_DRAM]) ? machine->size[ROOF_DRAM].value : 0;
}

double roof_bus_bandwidth(double bits, double hertz, double transfers) {
    return bits / 8 * hertz * transfers;
}
