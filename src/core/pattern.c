/* Names of what is measured, and which way their values count. */
#include "roofline_measure.h"

const char *roof_pattern_name(roof_pattern pattern) {
    static const char *const names[ROOF_PATTERN_COUNT] = {
        "fma",    "mul",      "add",     "mul+add",  "fma+add", "dot",       "load",        "store",  "copy", "triad",
        "update", "store nt", "copy nt", "triad nt", "chase",   "to device", "from device", "launch", "wake", "meet",
    };
    return pattern >= ROOF_PATTERN_FMA && pattern < ROOF_PATTERN_COUNT ? names[pattern] : "?";
}

bool roof_pattern_is_compute(roof_pattern pattern) {
    return pattern <= ROOF_PATTERN_DOT;
}

bool roof_pattern_is_memory(roof_pattern pattern) {
    return pattern >= ROOF_PATTERN_LOAD && pattern <= ROOF_PATTERN_TRIAD_NT;
}

bool roof_pattern_is_time(roof_pattern pattern) {
    return pattern == ROOF_PATTERN_CHASE || (pattern >= ROOF_PATTERN_LAUNCH && pattern <= ROOF_PATTERN_MEET);
}
