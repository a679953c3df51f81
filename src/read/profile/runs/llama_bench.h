/* Rows of llama-bench, whatever form they came in (llama_forms.c), made into runs of a model (llama_bench.c). */
#ifndef ROOFLINE_READ_PROFILE_RUNS_LLAMA_BENCH_H
#define ROOFLINE_READ_PROFILE_RUNS_LLAMA_BENCH_H

#include "read/profile/runs/record.h"

typedef struct llama_row llama_row;

typedef struct llama_file {
    profile_job *job;
    llama_row *rows;
    size_t count, room;
    char trouble[256]; /* what the program itself reported first as an error */
    char lost[160];    /* why the first row that was left out was */
    char device[160];  /* of the lines before a table; "" */
    double devices;
} llama_file;

/* One row: its fields are named as the CSV columns of llama-bench. -1: no memory, or a figure that is refused. */
int llama_take(llama_file *file, record *row);
/* Leave a row out and say why: "line 3: <why>". 0 */
int llama_drop(llama_file *file, long line, const char *why);
/* Pair prefill and decode rows of the same settings and hand all over; frees the rows whatever happens. */
int llama_finish(llama_file *file, int result);

/* "pp512", "tg128", "pp512+tg128", "pp 512", "tg128 @ d4096", "tg128@pp512". false: no test of tokens. */
bool llama_test(const char *text, double *prompt, double *generate, double *depth);
/* Do the fields belong to the columns? test_time, where it is, must be a time. */
bool llama_aligned(const record *row);
/* Is the row of a CSV with one field more than its header whole, read from its end? From which column on. -1: no. */
int llama_shifted(const csv_row *header, const csv_row *row, const profile_job *job);

#endif
