/* roofline_expected.h - page 13 of roofline.h: expected times. What a good implementation attains,
 * beside the bound that none can beat.
 *
 * An operation keeps its FLOPs and bytes; how much of a roof is attained belongs to a machine and
 * an engine class: a set of constants, each with its origin and source. For one operation:
 *
 *     seconds = launches * launch + (compute^p + memory^p)^(1/p) + passes + collective
 *     compute = FLOPs / (share of the peak * peak)
 *     memory  = bytes / (share of the bandwidth * bandwidth)
 *
 * docs/expected.md derives every term and says what each was fitted on; docs/validation.md compares
 * the result with published measurements, with constants that were fitted without the device that
 * is scored. Units as in roofline.h. No function here allocates, prints or keeps state; the same
 * input gives the same bits. */
#ifndef ROOFLINE_EXPECTED_H
#define ROOFLINE_EXPECTED_H

#include "roofline.h"

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/* Who launches the kernels. */
typedef enum roof_engine {
    ROOF_ENGINE_UNKNOWN,
    /* no engine: an operation by itself, warm, its kernels captured in a graph */
    ROOF_ENGINE_ALONE,
    ROOF_ENGINE_GRAPH,   /* a model compiled or captured whole: gpt-fast, torch.compile */
    ROOF_ENGINE_SERVING, /* vLLM, SGLang, TensorRT-LLM's PyTorch backend */
    ROOF_ENGINE_CPP,     /* TensorRT-LLM, TurboMind */
    ROOF_ENGINE_FASTER_TRANSFORMER,
    ROOF_ENGINE_LLAMA_CPP,
    ROOF_ENGINE_MLX,
    /* every kernel launched by the host when its turn comes; nothing fused */
    ROOF_ENGINE_EAGER,
    ROOF_ENGINE_COUNT
} roof_engine;
const char *roof_engine_name(roof_engine engine); /* "serving" */
/* "vLLM, SGLang, TensorRT-LLM's PyTorch backend" */
const char *roof_engine_summary(roof_engine engine);
/* By its name or that of an engine of the class ("vllm", "sglang", "tensorrt-llm", "gpt-fast" ...);
 * the hint lists them. */
int roof_engine_find(const char *name, roof_engine *engine, roof_error *error);

/* What is not known from a datasheet. Shares are of a roof, 0..1; times are seconds. */
typedef enum roof_constant {
    ROOF_CONSTANT_STREAM, /* share of the DRAM bandwidth that a long kernel streams */
    /* Share of the matrix peak that a large product sustains, by the bits of its operands. */
    ROOF_CONSTANT_MATRIX_32,
    ROOF_CONSTANT_MATRIX_16,
    ROOF_CONSTANT_MATRIX_8,
    ROOF_CONSTANT_MATRIX_4,
    ROOF_CONSTANT_VECTOR, /* share of the vector peak */
    /* Shares of those peaks that the engine's matrix products, attention and experts attain. */
    ROOF_CONSTANT_GEMM,
    ROOF_CONSTANT_ATTENTION,
    ROOF_CONSTANT_EXPERTS,
    /* share of `stream` with weights that are unpacked before use (weight-only int8, int4) */
    ROOF_CONSTANT_PACKED_BYTES,
    ROOF_CONSTANT_PACKED_MATH, /* share of `matrix` with such weights */
    /* exponent p of the sum of compute and memory time: 1 one after the other, large: the
     * maximum */
    ROOF_CONSTANT_OVERLAP,
    ROOF_CONSTANT_LAUNCH,        /* s: launch, ramp and tail of one kernel */
    ROOF_CONSTANT_LINK,          /* share of the link's bandwidth a collective attains */
    ROOF_CONSTANT_LINK_LATENCY,  /* s: time of a collective with no bytes */
    ROOF_CONSTANT_LINK_PEER,     /* s more for every further device */
    ROOF_CONSTANT_LINK_TWO_SHOT, /* s more where the sum is scattered and gathered in two steps */
    ROOF_CONSTANT_SKEW,          /* s: waiting for the slowest device at each collective */
    /* share of the other prompts' prefill that falls between the tokens of a sequence */
    ROOF_CONSTANT_OTHERS,
    ROOF_CONSTANT_COUNT
} roof_constant;
const char *roof_constant_name(roof_constant constant);    /* "stream" */
const char *roof_constant_unit(roof_constant constant);    /* "s"; "" for a share or an exponent */
const char *roof_constant_meaning(roof_constant constant); /* one line */
int roof_constant_find(const char *name, roof_constant *constant, roof_error *error);

/* What was timed: intervals are those of its kind. */
typedef enum roof_regime {
    ROOF_REGIME_GEMM,
    ROOF_REGIME_PREFILL_ATTENTION,
    ROOF_REGIME_DECODE_ATTENTION,
    ROOF_REGIME_EXPERTS,
    ROOF_REGIME_COLLECTIVE,
    ROOF_REGIME_OPERATION, /* any other operation */
    /* One phase of a model by itself: a prefill without waiting; a decode step. */
    ROOF_REGIME_PREFILL,
    ROOF_REGIME_DECODE,
    /* a static batch from the first prompt token to the last output token */
    ROOF_REGIME_RUN,
    ROOF_REGIME_TPOT, /* time per output token at a concurrency */
    ROOF_REGIME_LOAD, /* throughput with as many sequences as fit */
    ROOF_REGIME_LLAMA_PREFILL,
    ROOF_REGIME_LLAMA_DECODE,
    ROOF_REGIME_COUNT
} roof_regime;
const char *roof_regime_name(roof_regime regime);

/* Constants of one machine in one engine class. */
typedef struct roof_constants {
    roof_engine engine;
    /* origin DERIVED: a default; MEASURED: from this machine's roofs or runs */
    roof_figure value[ROOF_CONSTANT_COUNT];
    /* 80 % of measured / expected lie between */
    double low[ROOF_REGIME_COUNT], high[ROOF_REGIME_COUNT];
    /* defaults were fitted on its like (vendor and kind of memory): else intervals are wider */
    bool known_machine;
} roof_constants;

/* What runs taught about a machine in one engine: kept in its machine file. */
typedef struct roof_calibration {
    roof_engine engine;
    roof_figure value[ROOF_CONSTANT_COUNT]; /* ROOF_ORIGIN_UNKNOWN: not calibrated */
    /* relative: half the width of its 80 % interval; 0: not known */
    double spread[ROOF_CONSTANT_COUNT];
    /* of measured / expected, left out one by one; 0: not known */
    double low[ROOF_REGIME_COUNT], high[ROOF_REGIME_COUNT];
    double runs; /* measured times it was fitted on */
    /* "2026-11-30T15:20:00Z"; "llama-bench.json (12 runs)" */
    const char *date, *source;
} roof_calibration;

/* The constants to use: calibrated where `machine->calibration` has this engine, else from measured
 * roofs, else the defaults (docs/expected.md has the table). */
void roof_constants_of(const roof_machine *machine, roof_engine engine, roof_constants *out);

/* ---- a measured CPU ---- */

/* What is read for what is written: a roof is the best of them, and work has its own. */
typedef enum roof_traffic {
    ROOF_TRAFFIC_READ,   /* nothing is written */
    ROOF_TRAFFIC_COPY,   /* as much is written as read, elsewhere */
    ROOF_TRAFFIC_TRIAD,  /* two are read for one written elsewhere */
    ROOF_TRAFFIC_UPDATE, /* written where it was read */
    ROOF_TRAFFIC_COUNT
} roof_traffic;

/* Rates that roofline measure found beside the roofs, of as many threads as the machine's roofs are
 * of. */
typedef struct roof_sustained {
    double traffic[ROOF_TRAFFIC_COUNT][ROOF_LEVEL_COUNT]; /* byte/s; 0: not measured */
    /* FLOP/s of multiply-adds alone; 0: not measured */
    double fma[ROOF_DTYPE_COUNT];
    /* loads a second that find their data in L1; 0: not known */
    double loads;
    double vector; /* bytes one of them brings at most */
    int threads;
} roof_sustained;

struct roof_measurement;
void roof_sustained_of(const struct roof_measurement *measurement, int threads,
                       roof_sustained *out);

/* ---- one operation ---- */

typedef enum roof_term {
    ROOF_TERM_COMPUTE,
    ROOF_TERM_MEMORY,
    ROOF_TERM_OVERLAP, /* <= 0: what runs beside each other */
    ROOF_TERM_LAUNCH,  /* kernels * launch */
    /* passes over activations that the bound does not have: quantising, scattering to experts */
    ROOF_TERM_PASSES,
    ROOF_TERM_COLLECTIVE,
    ROOF_TERM_SKEW,
    ROOF_TERM_OTHERS, /* other prompts' prefill */
    ROOF_TERM_COUNT
} roof_term;
const char *roof_term_name(roof_term term);

typedef struct roof_expected {
    /* of ONE execution, or of a phase; low..high holds `confidence` of measured times */
    double seconds, low, high;
    double least;      /* the bound time of the same work: `low` is never below it */
    double confidence; /* 0.8 */
    roof_regime regime;
    double term[ROOF_TERM_COUNT]; /* their sum is `seconds` */
    double kernels;               /* launched */
    /* of a product's grid: share of the machine's units it keeps busy; 0: not computed */
    double fill;
} roof_expected;

/* Expected time of one execution. With the constants of ROOF_ENGINE_ALONE: as a benchmark of the
 * kernel would time it. -1: a roof the work needs does not exist on the machine. */
int roof_expect(const roof_machine *machine, const roof_constants *constants,
                const roof_operation *operation, roof_expected *out, roof_error *error);
/* A list, one after the other, each `count` times. */
int roof_expect_operations(const roof_machine *machine, const roof_constants *constants,
                           const roof_operation *operations, size_t count, roof_expected *out,
                           roof_error *error);

/* ---- collectives ---- */

/* Seconds of an all-reduce (or its kin) of `bytes` a device over `devices` of the machine: the
 * faster of one step to all peers and of scatter and gather. `inside`: within the scale-up domain;
 * else over the host's bus. Without skew. */
double roof_collective_seconds(const roof_machine *machine, const roof_constants *constants,
                               roof_kind kind, double bytes, double devices);

/* ---- a model in an engine ---- */

/* What an engine class changes of how a plan runs on a machine, its bound included: llama.cpp adds
 * up f16 products in 16 bits where the machine is faster that way. */
void roof_plan_engine(const roof_machine *machine, roof_engine engine, roof_plan *plan);

/* One prefill or one decode step of a complete plan, on one device of it. At most twice the cost of
 * roof_model_judge(). */
int roof_expect_phase(const roof_machine *machine, const roof_constants *constants,
                      const roof_model *model, const roof_plan *plan, roof_phase phase,
                      roof_expected *out, roof_error *error);

/* Both times of one thing. */
typedef struct roof_time {
    roof_expected expected; /* what a good implementation attains, with its interval */
    double bound;           /* seconds: no implementation can be faster */
} roof_time;

/* What a plan gives on one machine or one tensor-parallel group. plan->batch is the concurrency. */
typedef struct roof_serving {
    roof_time ttft;   /* prefill of one prompt, nobody waiting */
    roof_time decode; /* one step of the whole batch at plan->context */
    /* decode plus the prefill of other prompts between two tokens, as many as come in at that
     * rate */
    roof_time tpot;
    roof_time run; /* a static batch: one prefill of all prompts, then generate - 1 steps */
    double run_tokens_per_second;
    /* the batch asked for fits in memory; what does not fit has no throughput */
    bool fits;
    double load_batch; /* the largest batch that an engine's memory holds; 0: not even one */
    /* a sequence's stay at that batch: its share of prefills, then its steps */
    roof_time load;
    /* output tokens a second of the group at that batch; 0: none fits */
    double load_tokens_per_second, load_low, load_high, load_bound;
} roof_serving;
int roof_model_serving(const roof_machine *machine, const roof_constants *constants,
                       const roof_model *model, const roof_plan *plan, roof_serving *out,
                       roof_error *error);

/* ---- advice ---- */

/* As the functions of page 7, each idea judged by its expected time in an engine of this class too:
 * `expected` has that factor, the effect is its class and the order is its order; `speedup` stays
 * the bound's. Another machine comes with its own constants; every other change keeps those of the
 * machine that was asked about. docs/advice.md, "Expected factors". */
int roof_advise_model_in(roof_engine engine, const roof_machine *machine, const roof_model *model,
                         const roof_plan *plan, roof_phase phase, const roof_machine *others,
                         size_t other_count, roof_advice out[ROOF_ADVICE_MAX], roof_error *error);
int roof_advise_operation_in(roof_engine engine, const roof_machine *machine,
                             const roof_operation *operation, const roof_machine *others,
                             size_t other_count, roof_advice out[ROOF_ADVICE_MAX],
                             roof_error *error);
int roof_advise_operations_in(roof_engine engine, const roof_machine *machine,
                              const roof_operation *operations, size_t count,
                              const roof_variant *variants, size_t variant_count,
                              const roof_machine *others, size_t other_count,
                              roof_advice out[ROOF_ADVICE_MAX], roof_error *error);

/* ---- calibration ---- */

/* One measured time and what ran. */
typedef struct roof_observation {
    const roof_machine *machine;
    const roof_operation *operations; /* one after the other; or NULL and a model: */
    size_t operation_count;
    const roof_model *model;
    roof_plan plan; /* complete */
    /* PREFILL, DECODE, RUN, TPOT, LOAD or the LLAMA ones say what of the model was timed */
    roof_regime regime;
    double prefix;  /* tokens in the cache before a prefill */
    double share;   /* devices that share the work evenly; 0: 1 */
    double seconds; /* measured; of LOAD: for every output token of the group */
    size_t group;   /* observations of one group are left out together */
    /* of its own machine and engine, which a fit moves by the same factors; NULL: those fitted */
    const roof_constants *constants;
} roof_observation;
#define ROOF_NO_GROUP ((size_t)-1)

/* Its expected time and bound with these constants. */
int roof_observation_expect(const roof_observation *observation, const roof_constants *constants,
                            roof_time *out, roof_error *error);

typedef struct roof_fitted {
    roof_constant constant;
    double before, after;
    double spread;   /* relative half width of the 80 % interval of `after` */
    bool identified; /* these observations hold it: `after` is to be used */
    char why[120];   /* of a constant that is not: "no prefill among the runs" */
} roof_fitted;

typedef struct roof_fit_report {
    roof_fitted constants[ROOF_CONSTANT_COUNT];
    size_t count;
    /* median |ln(expected / measured)|; after: each group left out of its own fit */
    double error_before, error_after;
    double in_sample; /* the same with every group in the fit: not to be quoted */
    /* 10th and 90th percentile of measured / expected, left out; 0: under 5 runs */
    double low[ROOF_REGIME_COUNT], high[ROOF_REGIME_COUNT];
} roof_fit_report;

/* Fit `free` constants (NULL: every one the observations can hold) of `constants` in place, by
 * least absolute error of the logarithm. Of two that are known only together the one named first is
 * kept. `scratch`: count doubles of the caller; holds ln(expected / measured) of each observation,
 * left out of its own fit, when done. -1: none can be fitted; the report says why of each. */
int roof_fit(const roof_observation *observations, size_t count, const roof_constant *free,
             size_t free_count, roof_constants *constants, roof_fit_report *report, double *scratch,
             roof_error *error);
/* The fit by itself, to all observations but those of the group `without` (ROOF_NO_GROUP: to all);
 * no constant is refused. */
int roof_fit_rest(const roof_observation *observations, size_t count, size_t without,
                  const roof_constant *free, size_t free_count, roof_constants *constants,
                  roof_error *error);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
