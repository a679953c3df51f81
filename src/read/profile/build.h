/* What readers fill: measured kernels grouped by name, model runs, a machine, warnings. Memory grows with distinct
 * kernels only.
 *
 *     launches in the file   a b a a c b          groups   a: 3 calls, sums    b: 2    c: 1
 *     draft (one launch) -> build_launch() -> its group, found by a hash of name, where and operation */
#ifndef ROOFLINE_READ_PROFILE_BUILD_H
#define ROOFLINE_READ_PROFILE_BUILD_H

#include <stdint.h>

#include "read/arena.h"
#include "roofline_profile.h"

typedef struct builder builder;

/* Begin one launch of `name` (of `where`, may be NULL). With `operation` (may be NULL) launches of other shapes are
 * other groups. The draft is filled in by the reader and taken over by build_launch(), which adds it to its group:
 * seconds and counts are summed, and a count that one launch lacks makes the sum "at least". NULL: out of memory. */
typedef struct draft {
    const char *name, *where;
    double calls;                       /* launches this row stands for; 1 */
    roof_count seconds;                 /* of all of them */
    double least_seconds, most_seconds; /* 0: seconds / calls */
    struct roof_measured_flops flops[ROOF_MEASURED_FLOPS];
    size_t flop_count;
    roof_count bytes[ROOF_LEVEL_COUNT];
    double clock, matrix_active; /* start a draft with DRAFT_EMPTY: matrix_active -1 */
    const roof_operation *operation;
    const char *missing; /* static */
    long line;
} draft;
#define DRAFT_EMPTY ((draft){.calls = 1, .matrix_active = -1, .line = -1})

int build_launch(builder *to, const draft *launch); /* -1: out of memory */
void build_each(builder *to);                       /* from here on every launch is a kernel of its own */
/* Add FLOPs to a draft; entries of one unit and dtype are summed. ROOF_CERTAINTY_MISSING makes that entry at least. */
void draft_flops(draft *to, roof_unit unit, roof_dtype dtype, double flops, roof_certainty certainty, const char *from);
void draft_bytes(draft *to, roof_level level, double bytes, roof_certainty certainty,
                 const char *from); /* summed too */
/* One raw event by its weights (roof_event_find). false: the event is not in the table. `certainty`
 * ROOF_CERTAINTY_MISSING: it was not counted. */
bool draft_event(draft *to, const char *event, double count, roof_certainty certainty);

int build_run(builder *to, const roof_model_run *run); /* copies its texts */
roof_machine *build_machine(builder *to);              /* zeroed at first; its texts by build_text() */
void build_warning(builder *to, const char *format, ...) ROOF_PRINTF(2, 3); /* one of a kind once; at most 32 */
const char *
build_text(builder *to,
           const char *text); /* a copy that lives as long as the profile; cleaned of control bytes and bad UTF-8 */
roof_profile_info *build_info(builder *to);
size_t build_points(const builder *to); /* groups so far */

/* ---- one format ---- */

typedef struct profile_job {
    struct stream *in;
    const char *path; /* NULL: bytes in memory */
    builder *out;
    roof_profile_options options;
    roof_error *error;
} profile_job;

typedef struct profile_reader {
    roof_profile_format format;
    /* How sure are we from the first bytes ('\0' behind them) that this is our format? 0: it is not; 100: certainly. */
    int (*recognise)(const char *head, size_t length);
    int (*read)(profile_job *job); /* 0, or -1 with the error filled (line and offset where known) */
} profile_reader;

/* Each reader file has one or more of these; readers.c lists them. */
extern const profile_reader *const profile_readers[];
extern const size_t profile_reader_count;

/* ---- the handle, for build.c and formats.c alone ---- */

enum { WARNINGS_MAX = 32, WARNING_LENGTH = 320 };

typedef struct launch_group {
    uint64_t hash;
    const char *raw_name, *raw_where; /* before cleaning: what later launches are compared with */
    roof_measured point;
} launch_group;

struct builder {
    arena memory;
    launch_group *groups;
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
