/* What the pages of Nsight Compute share: which metrics are needed, the values of one launch, and one open file. */
#ifndef ROOFLINE_READ_PROFILE_NVIDIA_NCU_H
#define ROOFLINE_READ_PROFILE_NVIDIA_NCU_H

#include "read/profile/build.h"
#include "read/profile/figures.h"
#include "read/profile/lines.h"

/* ---- metrics (ncu_metrics.c) ---- */

enum { NCU_SLOTS = 512 };

typedef enum ncu_state { NCU_NONE, NCU_ABSENT, NCU_GIVEN } ncu_state; /* not in the file; "n/a"; a number */

/* What a unit must measure. */
typedef enum ncu_dimension { NCU_TIME, NCU_BYTES, NCU_RATE, NCU_CLOCK, NCU_SHARE, NCU_COUNT } ncu_dimension;

typedef struct ncu_metric {
    int slot; /* of ncu_values */
    int rank; /* several names for one figure: the lowest rank wins */
    ncu_dimension dimension;
} ncu_metric;

typedef struct ncu_values { /* of one launch, in SI units */
    double value[NCU_SLOTS];
    unsigned char state[NCU_SLOTS], rank[NCU_SLOTS];
} ncu_values;

bool ncu_metric_find(const char *name, ncu_metric *metric); /* false: nothing that is needed */
/* Factor of the unit to SI; -1: no unit of what the metric measures. */
double ncu_unit_factor(const ncu_metric *metric, const char *unit);
void ncu_give(ncu_values *values, const ncu_metric *metric, ncu_state state, double value);
/* Seconds, FLOPs, bytes, clock, matrix activity, and what is missing. */
void ncu_fill(const ncu_values *values, draft *launch);

/* ---- one file (ncu.c) ---- */

enum { NCU_NAME = 1 << 16, NCU_WORD = 64 };

enum { NCU_ID, NCU_PROCESS, NCU_KERNEL, NCU_DEVICE, NCU_CC, NCU_METRIC, NCU_UNIT, NCU_FIGURE, NCU_COLUMNS };

typedef struct ncu_file {
    profile_job *job;
    lines *from;
    csv_row row;
    char separator;
    int column[NCU_COLUMNS];
    size_t width; /* fields of the header */
    figure_style style;
    bool certain; /* something showed which decimal mark the file uses */
    /* the launch that is being read */
    bool open;
    char name[NCU_NAME], id[NCU_WORD], process[NCU_WORD], where[NCU_WORD];
    long line;
    ncu_values values;
    char trouble[256]; /* what ncu itself reported first as an error */
    /* raw page: a metric a column */
    struct ncu_column {
        bool needed, measured; /* measured: it has a unit */
        ncu_metric metric;
        double factor;
    } columns[CSV_FIELDS_MAX];
    int display_name;
} ncu_file;

typedef enum ncu_line { NCU_END, NCU_HEADER, NCU_ROW } ncu_line;

/* ---- ncu_rows.c ---- */

const char *ncu_plain_line(const char *line); /* without a byte-order mark */
char ncu_header_separator(const char *line);  /* 0: the line is no header */
int ncu_fail_at(ncu_file *file);              /* puts the row into an error; -1 */
/* The next header or row, split; text between the rows is passed over. */
ncu_line ncu_next(ncu_file *file);
bool ncu_cut(const ncu_file *file); /* the row is the last, and the file ends in it */
const char *ncu_cell(const ncu_file *file, int column);
/* A number of the file, with its place in every error. -1: the decimal mark is not certain, or contradicted. */
int ncu_number(ncu_file *file, const char *cell, ncu_state *state, double *value);
int ncu_begin(ncu_file *file); /* a launch begins at this row */
int ncu_close(ncu_file *file); /* hand the launch over, if one is open */
void ncu_drop(ncu_file *file); /* the row is damaged */

int ncu_read_raw(ncu_file *file); /* ncu_raw.c: behind the header */

#endif
