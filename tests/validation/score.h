/* The validation scorer: published measurements beside what the library computes. Uses the public API only.
 * csv.c reads, known.c names machines and models, kernels.c and runs.c turn a row into work, predict.c predicts its
 * time, left_out.c fits the constants without what is scored, figures.c, pairs.c and summary.c count, report.c prints.
 * docs/validation.md says how and what came of it. */
#ifndef ROOFLINE_TESTS_SCORE_H
#define ROOFLINE_TESTS_SCORE_H

#include "roofline_expected.h"

#include "validation/csv.h"

/* What one measurement ran: operations, or phases of a model. */
typedef struct score_work {
    const roof_machine *machine;
    roof_operation operations[2]; /* one after the other */
    size_t operation_count;
    roof_operation likely[2]; /* the same as the expected time takes them, where more is known than a bound may use */
    size_t likely_count;      /* 0: as `operations` */
    const roof_model *model;
    roof_model stored; /* the model as the file of the run stores it */
    roof_plan plan;
    bool prefill; /* of plan.prompt tokens, behind `prefix` tokens already in the cache */
    double prefix;
    double first, steps; /* decode steps, at contexts first, first + 1, ... */
    double share;        /* devices that share the work evenly */
    bool repeated;       /* timed over and over on the same operands */
    roof_engine engine;  /* ROOF_ENGINE_UNKNOWN for operations: they are alone; of a collective, whose kernel it is */
    roof_regime serving; /* TPOT or LOAD; 0: what `prefill` and `steps` say */
} score_work;

/* The bound, and the expected time with the free constants of the row's family fitted to rows that leave out those of
 * its machine, of its hardware generation or of its file. IN_SAMPLE has the library's defaults, which were chosen with
 * all of these rows in sight: not to be quoted. */
typedef enum score_predictor { BOUND, NEW_DEVICE, NEW_HARDWARE, NEW_FILE, IN_SAMPLE, PREDICTOR_COUNT } score_predictor;

extern const char *const predictor_names[PREDICTOR_COUNT];

/* One measurement and what became of it. */
typedef struct score_row {
    const char *file;
    size_t line;
    char device[48], dtype[32], regime[48];
    char like[160]; /* what it shares with rows that differ in machine, batch, dtype or tensor degree alone */
    double batch, tensor;
    double units;                      /* of work done: tokens, rows; units / seconds ranks rows of different batch */
    double measured;                   /* seconds */
    double predicted[PREDICTOR_COUNT]; /* NAN: no rows are left to fit to */
    roof_regime kind;                  /* whose interval it has */
    double low, high;                  /* 80 % of measured / expected are to lie between */
    score_work *work;                  /* NULL once it is left out */
    char skip[112];                    /* why it is not scored; "" when it is */
    const char *apart;                 /* checked against the bound but left out of the error figures, and why; NULL */
    bool above;                        /* the bound is above the measurement */
    const char *explanation;           /* of that, or NULL */
} score_row;

/* Fill in the bound, the expected time with the defaults, regime's bound, above and explanation. */
void predict(const score_work *work, score_row *row);
const char *explanation_text(const char *name);
/* The row as the library's fit takes it, without constants and group; `times`: how often it ran in the measured time.
 */
roof_observation observation_of(const score_work *work, double *times);
/* The constants of its machine and engine. */
void constants_for(const score_work *work, roof_constants *out);

/* How the rows of one file are read. */
typedef struct score_reader {
    const char *file; /* "aic_gemm": the file's name without .csv */
    void (*read)(const csv_table *table, size_t at, score_row *row, score_work *work);
} score_reader;

extern const score_reader readers[];
extern const size_t reader_count;

/* Routed rows and experts of the fullest of `ranks`, as the tables of mixtures of experts time it. exponent 0: as even
 * as can be. */
typedef struct fullest_rank {
    double rows, experts;
} fullest_rank;
fullest_rank fullest(double tokens, double top_k, double experts, double ranks, double exponent);

/* Readers of kernels.c and runs.c. */
void read_gemm(const csv_table *table, size_t at, score_row *row, score_work *work);
void read_context_attention(const csv_table *table, size_t at, score_row *row, score_work *work);
void read_generation_attention(const csv_table *table, size_t at, score_row *row, score_work *work);
void read_mla(const csv_table *table, size_t at, score_row *row, score_work *work);
void read_moe(const csv_table *table, size_t at, score_row *row, score_work *work);
void read_infersim_gemm(const csv_table *table, size_t at, score_row *row, score_work *work);
void read_infersim_experts(const csv_table *table, size_t at, score_row *row, score_work *work);
void read_infersim_attention(const csv_table *table, size_t at, score_row *row, score_work *work);
void read_attention_flash(const csv_table *table, size_t at, score_row *row, score_work *work);
void read_vidur(const csv_table *table, size_t at, score_row *row, score_work *work);
void read_lbm(const csv_table *table, size_t at, score_row *row, score_work *work);
void read_static(const csv_table *table, size_t at, score_row *row, score_work *work);
void read_fastertransformer(const csv_table *table, size_t at, score_row *row, score_work *work);
void read_gpt_fast(const csv_table *table, size_t at, score_row *row, score_work *work);
void read_llamacpp(const csv_table *table, size_t at, score_row *row, score_work *work);
/* Readers of collectives.c. */
void read_collective(const csv_table *table, size_t at, score_row *row, score_work *work);
void read_bus_bandwidth(const csv_table *table, size_t at, score_row *row, score_work *work);
/* Readers of serving.c. */
void read_concurrency(const csv_table *table, size_t at, score_row *row, score_work *work);
void read_most_load(const csv_table *table, size_t at, score_row *row, score_work *work);
void read_token_position(const csv_table *table, size_t at, score_row *row, score_work *work);
void read_rocm(const csv_table *table, size_t at, score_row *row, score_work *work);
void read_small_tables(const csv_table *table, size_t at, score_row *row, score_work *work);

/* runs.c, for readers of models: what every row has; weights by their name in the tables, and the plan's defaults.
 * False when the row is out. */
bool begin_run(const csv_table *table, size_t at, score_row *row, score_work *work);
bool finish_run(const char *stored, const char *note, score_row *row, score_work *work);

/* Leave a row out, and say why (printf). The first reason stays. */
void leave_out(score_row *row, const char *format, ...)
#ifdef __GNUC__
    __attribute__((__format__(__printf__, 2, 3)))
#endif
    ;

/* known.c: names of the files to names of the catalogue. NULL after leave_out(). */
const roof_machine *known_machine(const char *device, score_row *row);
const roof_model *known_model(const char *name, score_row *row);
/* A GPT of FasterTransformer's tables from its note, "heads=48;head_dim=128;layers=44;...". */
const roof_model *known_gpt(const char *note, score_row *row);
void known_free(void);
/* The number after "name=" in a note, or `otherwise`. */
double note_number(const char *note, const char *name, double otherwise);

/* All rows of all files of a run. */
typedef struct score_set {
    score_row *rows;
    size_t count, capacity;
} score_set;

int score_table(score_set *score, const csv_table *table, const char *file); /* file NULL: the column `file` says */
void score_free(score_set *score);

/* left_out.c: NEW_DEVICE, NEW_HARDWARE and NEW_FILE of every row. */
int predict_left_out(score_set *score);
/* What was fitted to all rows of each family, as a table. */
void report_families(void);

/* figures.c: rows that are scored and match; what is NULL or 0 matches all. Files and regimes match by their beginning.
 */
typedef struct score_filter {
    const char *file, *device, *dtype, *regime;
    unsigned kinds; /* bits 1 << roof_regime */
} score_filter;

typedef struct figures {
    size_t n, above;
    double median, p90, signed_median; /* of |ln(predicted / measured)| and ln(predicted / measured) */
    double coverage;                   /* share of the rows whose interval holds the measured time */
    double low, high;                  /* 10th and 90th percentile of measured / predicted */
} figures;

bool is_scored(const score_row *row);
figures score_figures(const score_set *score, score_predictor predictor, const score_filter *filter);
double quantile(double *values, size_t n, double share); /* sorts them; NAN of none */
size_t score_unexplained(const score_set *score);

/* pairs.c: of pairs that differ only in `side` ("machine", "batch", "dtype", "tensor"): the share whose faster one a
 * predictor names (it counts as half right where it sees no difference); the median error of the factor between them,
 * |ln((a / b predicted) / (a / b measured))|; the share where both factors are of the same class of advice. */
typedef struct pairing {
    size_t pairs;
    double right[PREDICTOR_COUNT], factor[PREDICTOR_COUNT], class[PREDICTOR_COUNT];
} pairing;

extern const char *const side_names[];
enum { SIDES = 4 };

/* Rows are paired inside of a file. `file`: those whose names begin so; NULL: all. */
int score_pairs(const score_set *score, const char *file, pairing out[SIDES]);

void report_summary(const score_set *score);
void report(const score_set *score, size_t worst);
void report_violations(const score_set *score);
/* A few rows of every file, device, dtype and regime, as a table whose column `file` says where each is from. */
int write_sample(const score_set *score, const char *folder, const char *path);
/* The largest bound / measured of a file that is not above 1. */
double score_tightest(const score_set *score, const char *file);
/* sample_held.csv, to stdout: figures of a sample that the test holds it to. */
void report_held(const score_set *score);

#endif
