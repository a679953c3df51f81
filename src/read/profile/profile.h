/* The handle of a profile, for build.c and formats.c only. */
#ifndef ROOFLINE_READ_PROFILE_PROFILE_H
#define ROOFLINE_READ_PROFILE_PROFILE_H

#include <stdint.h>

#include "read/profile/build.h"

enum { WARNINGS_MAX = 32, WARNING_LENGTH = 320 };

typedef struct group {
    uint64_t hash;
    const char *raw_name, *raw_where; /* before cleaning: what later launches are compared with */
    roof_measured point;
} group;

struct builder {
    arena memory;
    group *groups;
    size_t group_count;
    uint32_t *table; /* open addressing; index + 1 */
    size_t slots;
    roof_model_run *runs;
    size_t run_count, run_room;
    roof_machine machine;
    bool has_machine;
    char warnings[WARNINGS_MAX][WARNING_LENGTH];
    size_t warning_count;
    roof_profile_info info;
    roof_profile_options options;
    roof_error *error;
};

struct roof_profile {
    builder built;
    roof_measured *points; /* of the groups, in order of their first launch */
};

#endif
