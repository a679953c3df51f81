/* roofline_profile.h - page 12 of roofline.h: measured kernels under their roofs. What profilers
 * and benchmarks wrote is read (src/read/profile), placed under a machine's roofs
 * (src/advice/placed.c) and told (command 'profile').
 *
 * Three kinds of things come out of a file: measured kernels (or regions, or whole programs), runs
 * of a language model (llama-bench, serving benchmarks), and machines (the roofs that ERT, CARM,
 * likwid-bench found). Unknown is never zero: a count that the file does not have is
 * ROOF_CERTAINTY_MISSING, and what to collect is said. FLOPs and bytes are recomputed from raw
 * events by the weights of ONE table (src/catalog/events.c, docs/profiles.md). SI units; 1 Mbyte =
 * 1e6. */
#ifndef ROOFLINE_PROFILE_H
#define ROOFLINE_PROFILE_H

#include "roofline.h"
#include "roofline_chart.h"
#include "roofline_expected.h"
#include "roofline_read.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* ---- what a file says ---- */

typedef enum roof_certainty {
    ROOF_CERTAINTY_MISSING, /* not in the file */
    /* a part was not counted ("not counted", "n/a", a tensor pipe without a count): a lower
     * bound */
    ROOF_CERTAINTY_AT_LEAST,
    ROOF_CERTAINTY_COUNTED, /* hardware counters or the tool's own measurement */
    ROOF_CERTAINTY_COMPUTED /* from the shapes the file gives: compulsory bytes, exact FLOPs */
} roof_certainty;

typedef struct roof_count {
    double value;
    roof_certainty certainty;
    /* "ffma x2 + fadd + fmul", "dram__bytes.sum", "shapes"; static or owned by the profile */
    const char *from;
} roof_count;

enum { ROOF_MEASURED_FLOPS = 6 };
typedef struct roof_measured_flops {
    roof_unit unit;
    roof_dtype dtype;
    roof_count count;
} roof_measured_flops;

/* All launches of one kernel, one region, one program. Counts and seconds are totals over `calls`.
 */
typedef struct roof_measured {
    /* as the file writes it, made valid UTF-8 and free of control characters */
    const char *name;
    const char *where; /* device, rank, region, section, CPU it ran on; NULL */
    double calls;
    roof_count seconds;                 /* of all calls */
    double least_seconds, most_seconds; /* of one call; 0: not known */
    roof_measured_flops flops[ROOF_MEASURED_FLOPS];
    size_t flop_count;
    /* DRAM: HBM too. L2: between L2 and L1. L1: between L1 and the cores */
    roof_count bytes[ROOF_LEVEL_COUNT];
    double clock; /* Hz while it ran; 0: not known */
    /* share of time the matrix pipe was busy, 0..1; -1: not known. > 0 without a matrix count:
     * FLOPs are at least */
    double matrix_active;
    bool has_operation; /* shapes are known: `operation` is ONE call */
    roof_operation operation;
    /* what to collect and the flag that collects it, when a count is missing; NULL */
    const char *missing;
    long line; /* of the file, first launch; -1 */
} roof_measured;

/* A language model that was run: one row of llama-bench, one result of a serving benchmark. 0: not
 * said. */
typedef struct roof_model_run {
    const char *model, *engine, *device; /* as the file names them; NULL */
    const char *weights;                 /* "Q4_K - Medium", "fp8"; NULL */
    double parameters, model_bytes;
    /* tokens of one request; tokens already in the cache before (llama-bench n_depth) */
    double prompt, generate, depth;
    /* requests at once (llama-bench: 1); devices one model is split over */
    double concurrency, tensor;
    double prefill_rate;            /* prompt tokens/s of the prefill alone */
    double decode_rate;             /* generated tokens/s of ONE sequence */
    double output_rate, total_rate; /* generated, all tokens/s of all requests together */
    double ttft, tpot, seconds;     /* median seconds; seconds: of the whole run */
    double spread;                  /* standard deviation / mean of the rate; 0: not said */
    /* prefill and decode were measured apart: decode began behind `depth` tokens, not behind the
     * prompt */
    bool apart;
    roof_dtype kv_cache;
    long line;
} roof_model_run;

typedef struct roof_profile_format { /* one row of 'roofline profile --formats' */
    /* "ncu-details"; "Nsight Compute CSV, details page"; the command that makes it; what it
     * gives */
    const char *id, *name, *command, *gives;
} roof_profile_format;
const roof_profile_format *roof_profile_format_at(size_t index); /* NULL past the end */

typedef struct roof_profile roof_profile; /* owns everything it hands out */

typedef struct roof_profile_options { /* zero (or NULL): defaults */
    const char *format;               /* id, when the content should not decide; NULL */
    /* '.' or ',' where the file's numbers are ambiguous; 0: found out, or refused */
    char decimal;
    bool strict;   /* a file that ends early or has bad rows is an error */
    bool launches; /* keep each launch apart instead of grouping by name */
} roof_profile_options;

typedef struct roof_profile_info {
    const roof_profile_format *format;
    /* as the file names them: "ncu 2024.1", "NVIDIA H100 80GB HBM3"; NULL */
    const char *tool, *device;
    double rows, dropped; /* rows or events understood; dropped as damaged */
    bool ended_early;
    double total_seconds; /* the run's own total where the file has one; 0 */
} roof_profile_info;

/* NULL on error: place, value, and for an unknown file what it looks like and what would work.
 * Streams: memory does not grow with the file, but with the distinct kernels. gzip is unpacked on
 * the fly. */
roof_profile *roof_read_profile(const char *path, const roof_profile_options *options,
                                roof_error *error);
roof_profile *roof_read_profile_bytes(const void *bytes, size_t length,
                                      const roof_profile_options *options, roof_error *error);
void roof_profile_free(roof_profile *profile); /* NULL is fine */
const roof_profile_info *roof_profile_about(const roof_profile *profile);
/* `count` (may be NULL) receives how many there are */
const roof_measured *roof_profile_points(const roof_profile *profile, size_t *count);
const roof_model_run *roof_profile_runs(const roof_profile *profile, size_t *count);
/* NULL: the file holds none */
const roof_machine *roof_profile_machine(const roof_profile *profile);
const char *roof_profile_warning(const roof_profile *profile, size_t index); /* NULL past the end */

/* ---- the weights of raw events (src/catalog/events.c) ---- */

typedef struct roof_event {
    /* "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"; a trailing '*' matches any rest */
    const char *name;
    const char *vendor; /* "NVIDIA", "AMD", "Intel" */
    roof_unit unit;
    roof_dtype dtype;
    double flops; /* a count of this event; 0: gives none */
    roof_level level;
    double bytes;       /* a count of this event; 0: gives none */
    const char *source; /* key as in docs/profiles.md */
} roof_event;
const roof_event *roof_event_find(const char *name); /* NULL: not in the table */
const roof_event *roof_event_at(size_t index);       /* NULL past the end */

/* ---- under the roofs (src/advice) ---- */

typedef enum roof_standing {
    ROOF_STANDING_UNKNOWN, /* no time, or neither FLOPs nor bytes */
    ROOF_STANDING_NEAR,    /* at least 60 % of its binding roof */
    /* below that: something else holds it (latency, occupancy, launch, overhead) */
    ROOF_STANDING_BELOW,
    ROOF_STANDING_ABOVE /* faster than the roofs allow: see diagnosis */
} roof_standing;
/* "unknown", "near its roof", "below its roof", "above the roof" */
const char *roof_standing_name(roof_standing standing);

/* Where one measured kernel stands under a machine's roofs. */
typedef struct roof_placement {
    const roof_measured *measured;
    roof_standing standing;
    roof_bound bound; /* of the binding roof: the one nearest to what was reached */
    roof_unit unit;
    roof_dtype dtype;
    roof_level level; /* which roof that is */
    /* FLOPs or bytes are missing or at least: the verdict is about the other side only */
    bool one_sided;
    double seconds, least_seconds; /* measured; at the binding roof. Of all calls */
    double headroom;               /* seconds / least_seconds */
    double gain;                   /* seconds the whole run would save at the roof */
    /* share of the total time; share of the total that `gain` is */
    double share, saved;
    /* all FLOPs; FLOP/B by level, 0: not known; FLOP/s */
    double flops, intensity[ROOF_LEVEL_COUNT], attained;
    double compute_fraction, level_fraction[ROOF_LEVEL_COUNT]; /* of each roof; 0: not known */
    /* "" or why the numbers cannot be true, or what holds it, with the numbers; one or two
     * sentences */
    char diagnosis[320];
} roof_placement;

/* Place each; the order is that of `measured`. `out` has room for `count`. -1: the machine has no
 * usable roof at all. */
int roof_place(const roof_machine *machine, const roof_measured *measured, size_t count,
               roof_placement *out, roof_error *error);
/* Indices of `placed` by seconds to gain, most first; those without a bound last. */
void roof_rank(const roof_placement *placed, size_t count, size_t *order);

/* ---- faster than a roof ---- */

/* Why a measurement may stand above its roof. Scores are judgement (docs/profiles/placed.md): they
 * order what fits. */
typedef struct roof_hypothesis {
    double score;
    /* with the numbers: "time of one call beside counts of all 4: 40% of the roof if so" */
    char words[176];
} roof_hypothesis;
enum { ROOF_HYPOTHESES = 12 };
/* The hypotheses that fit, most likely first; returns how many, 0 where it is not above a roof. The
 * words are those of roof_placement.diagnosis. */
size_t roof_hypotheses(const roof_machine *machine, const roof_measured *measured,
                       roof_hypothesis out[ROOF_HYPOTHESES]);
/* The same for operations, one after the other, that took `seconds` together; bytes of any level.
 */
size_t roof_operations_hypotheses(const roof_machine *machine, const roof_operation *operations,
                                  size_t count, double seconds,
                                  roof_hypothesis out[ROOF_HYPOTHESES]);
/* The same for one phase of a model that took `seconds`, `point` being its bound
 * (roof_model_point); `plan` complete. */
size_t roof_phase_hypotheses(const roof_machine *machine, const roof_model *model,
                             const roof_plan *plan, const roof_point *point, double seconds,
                             roof_hypothesis out[ROOF_HYPOTHESES]);

typedef struct roof_moved {               /* one kernel before and after */
    const roof_placement *before, *after; /* NULL: is not there */
    double speedup; /* seconds a call before / after; 0 when one is not there */
    /* what moved: "1.8x faster: half the DRAM bytes, still memory-bound (62 % -> 58 % of the
     * roof)" */
    char words[160];
} roof_moved;
/* Pair by name and place, then by name, then by name without template arguments and numbers, then
 * by shape; of several alike the first with the first. Returns how many; writes at most `capacity`,
 * most seconds changed first. `scratch`: 2 * (before_count + after_count) indices of the caller.
 * O(n log n) comparisons of names. */
size_t roof_compare(const roof_placement *before, size_t before_count, const roof_placement *after,
                    size_t after_count, roof_moved *out, size_t capacity, size_t *scratch);

/* A run of a model, phase by phase. `model` may be NULL: bytes per token then are model_bytes,
 * FLOPs 2 x parameters (a lower bound: attention is left out; said). */
typedef struct roof_run_phase {
    double measured, bound; /* tokens/s: reached; at the roof */
    /* of the prefill of one prompt (all requests at once), of one step */
    double seconds, least_seconds;
    double headroom, fraction; /* bound / measured; measured / bound */
    /* of one device. memory: byte/s reached; compute: FLOP/s reached */
    double rate;
    roof_bound limit; /* which roof is the bound */
    /* FLOP/s one device reached; its share of the compute roof; 0: not known */
    double attained, compute_fraction;
    char words[240];
} roof_run_phase;

/* One run of a model, held against its bound. */
typedef struct roof_run_verdict {
    const roof_model_run *run;
    bool has_prefill, has_decode;
    roof_run_phase prefill, decode;
    char diagnosis[320]; /* "the prompt is not batched: ..."; "" */
    roof_remedy remedy;  /* MODEL where naming the model would tell more */
} roof_run_verdict;
int roof_judge_run(const roof_machine *machine, const roof_model *model, const roof_model_run *run,
                   roof_run_verdict *out, roof_error *error);

/* The times of a run as observations for roof_fit() (page 13), two at most, each with its regime
 * and the plan it was of. Returns how many; `left_out` says why a time is none: "TTFT with 16 at
 * once has waiting in it", or "". A TPOT of one sequence is its decode step. */
enum { ROOF_RUN_TIMES = 2 };
size_t roof_run_observations(const roof_machine *machine, const roof_model *model,
                             const roof_model_run *run, roof_engine engine,
                             roof_observation out[ROOF_RUN_TIMES], char *left_out, size_t size);

/* ---- as a chart ---- */

/* The kernels that take most of the time (24 at most) as rings whose area is their share, under the
 * roofs they use. What has no place on it (FLOPs or bytes not known, above its roof) is named in
 * the note. `name`: of the file or files; may be NULL. `levels`: one ring per memory level, for 5
 * kernels at most. -1: no kernel has a place. */
int roof_chart_of_profile(const roof_machine *machine, const char *name,
                          const roof_placement *placed, size_t count, bool levels,
                          roof_drawing *out, roof_error *error);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
