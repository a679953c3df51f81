/* Machines out of files of measured roofs: what is understood becomes a roof, what is not goes into the note. */
#ifndef ROOFLINE_READ_PROFILE_ROOFS_H
#define ROOFLINE_READ_PROFILE_ROOFS_H

#include "read/profile/build.h"

typedef struct roofs {
    builder *out;
    roof_machine *machine;
    const char *tool; /* "ERT 1.1.0": begins every source */
    char note[1600];
    size_t peaks, bandwidths;
} roofs;

/* id: "ert-" and the name in small letters, digits and dashes. */
void roofs_begin(roofs *to, profile_job *job, const char *prefix, const char *name, const char *tool);
/* The highest of one kind stays; the others go into the note. `label`: as the file names it. */
void roofs_peak(roofs *to, roof_unit unit, roof_dtype dtype, double rate, const char *label);
void roofs_bandwidth(roofs *to, roof_level level, double rate, const char *label);
void roofs_note(roofs *to, const char *format, ...) ROOF_PRINTF(2, 3);
int roofs_end(roofs *to, roof_error *error); /* -1: no roof at all */

/* "L2", "HBM", "DRAM" to a level; -1. */
int roofs_level(const char *label);
/* The dtype that a label names ("FP64 Vector", "dp", "single"); ROOF_DTYPE_NONE: none. */
roof_dtype roofs_dtype(const char *label);
/* The whole stream as text with '\0' behind it, at most `most` bytes. free() it. NULL: error. */
char *roofs_text(profile_job *job, size_t most, size_t *length);

#endif
