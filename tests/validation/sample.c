/* Chooses rows for the committed sample: of each file, dtype and regime the tightest (bound and measurement nearest)
 * and the middle one, every row below the bound, and of each class of devices the tightest; facts only. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validation/score.h"

enum { SAMPLE_MAX = 200 };

/* What readers look at, and where the figure is from. */
static const char *const columns[] = {
    "gpu",
    "device",
    "engine",
    "model",
    "weight_dtype",
    "kv_dtype",
    "gpu_count",
    "tp",
    "batch",
    "input_tokens",
    "output_tokens",
    "metric",
    "value",
    "unit",
    "gemm_dtype",
    "m",
    "n",
    "k",
    "attn_dtype",
    "kv_cache_dtype",
    "num_q_heads",
    "num_kv_heads",
    "head_dim",
    "kv_tokens_before_step",
    "phase",
    "mla_dtype",
    "num_heads",
    "isl",
    "step_kv_tokens",
    "moe_dtype",
    "num_tokens",
    "hidden",
    "expert_inter",
    "topk",
    "num_experts",
    "moe_tp",
    "moe_ep",
    "routing_distribution",
    "kernel",
    "latency_us",
    "precision",
    "bytes_per_cell_step",
    "flops_plus_int_per_cell_step",
    "value_mlups",
    "system",
    "engine_version",
    "concurrency",
    "attention_dp",
    "ttft_ms",
    "tpot_ms",
    "source_date",
    "flag",
    "source",
    "note",
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

typedef struct choice {
    const score_row *row;
    bool chosen;
} choice;

static double ratio(const score_row *row) {
    return row->predicted[0] / row->measured;
}

static int order_by_stratum(const void *a, const void *b) {
    const score_row *x = ((const choice *)a)->row, *y = ((const choice *)b)->row;
    int order = strcmp(x->file, y->file);
    order = order ? order : strcmp(x->dtype, y->dtype);
    order = order ? order : strcmp(x->regime, y->regime);
    order = order ? order : x->above - y->above;
    order = order ? order : (ratio(x) < ratio(y)) - (ratio(x) > ratio(y));
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

static int order_by_device(const void *a, const void *b) {
    const score_row *x = ((const choice *)a)->row, *y = ((const choice *)b)->row;
    int order = strcmp(x->file, y->file);
    order = order ? order : strcmp(x->device, y->device);
    order = order ? order : x->above - y->above;
    order = order ? order : (ratio(x) < ratio(y)) - (ratio(x) > ratio(y));
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

static int order_by_place(const void *a, const void *b) {
    const score_row *x = ((const choice *)a)->row, *y = ((const choice *)b)->row;
    int order = strcmp(x->file, y->file);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

static bool same_stratum(const choice *a, const choice *b) {
    return strcmp(a->row->file, b->row->file) == 0 && strcmp(a->row->dtype, b->row->dtype) == 0 &&
           strcmp(a->row->regime, b->row->regime) == 0;
}

/* A class of devices: names that begin alike. */
static bool same_device(const choice *a, const choice *b) {
    return strcmp(a->row->file, b->row->file) == 0 && strncmp(a->row->device, b->row->device, 4) == 0;
}

static void choose(choice *at, size_t *chosen) {
    if (at->chosen || *chosen == SAMPLE_MAX)
        return;
    at->chosen = true;
    ++*chosen;
}

/* Of each run of rows that are alike, the one at `share` of its way; rows stand tightest first. */
static void choose_each(choice *all, size_t n, bool (*alike)(const choice *, const choice *), double share,
                        size_t *chosen) {
    for (size_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && alike(&all[i], &all[next]);)
            next++;
        choose(&all[i + (size_t)(share * (double)(next - i - 1))], chosen);
    }
}

static size_t choose_rows(const score_set *score, choice *all) {
    size_t n = 0, chosen = 0;
    for (size_t i = 0; i < score->count; i++)
        if (!score->rows[i].skip[0] && !score->rows[i].apart)
            all[n++] = (choice){.row = &score->rows[i]};
    qsort(all, n, sizeof *all, order_by_stratum);
    choose_each(all, n, same_stratum, 0, &chosen);
    for (size_t i = 0; i < n; i++)
        if (all[i].row->above)
            choose(&all[i], &chosen);
    qsort(all, n, sizeof *all, order_by_device);
    choose_each(all, n, same_device, 0, &chosen);
    qsort(all, n, sizeof *all, order_by_stratum);
    choose_each(all, n, same_stratum, 0.5, &chosen);
    qsort(all, n, sizeof *all, order_by_place);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (all[i].chosen)
            all[kept++] = all[i];
    return kept;
}

/* The facts of a note: what looks like name=value. */
static void write_note(FILE *out, const char *note) {
    const char *between = "";
    while (*note) {
        size_t length = strcspn(note, ";"), word = strcspn(note, " ;=");
        if (note[word] == '=' && length < 40) {
            fprintf(out, "%s%.*s", between, (int)length, note);
            between = ";";
        }
        note += length;
        note += strspn(note, "; ");
    }
}

static void write_cell(FILE *out, const char *column, const char *text) {
    if (strcmp(column, "note") == 0)
        write_note(out, text);
    else if (strpbrk(text, ",\"\n"))
        fprintf(out, "\"%s\"", text); /* none holds a quote */
    else
        fprintf(out, "%s", text);
}

static void write_row(FILE *out, const csv_table *table, const score_row *row) {
    for (size_t i = 0; i < table->rows; i++) {
        if (table->lines[i] != row->line)
            continue;
        fprintf(out, "%s,%zu", row->file, row->line);
        for (size_t c = 0; c < COLUMNS; c++) {
            fputc(',', out);
            write_cell(out, columns[c], csv_text(table, i, columns[c]));
        }
        fputc('\n', out);
    }
}

static int write_rows(FILE *out, const choice *rows, size_t n, const char *folder) {
    csv_table table = {0};
    const char *open = "";
    for (size_t i = 0; i < n; i++) {
        if (strcmp(open, rows[i].row->file) != 0) {
            char path[1024];
            open = rows[i].row->file;
            snprintf(path, sizeof path, "%s/%s.csv", folder, open);
            csv_free(&table);
            if (csv_read(path, &table))
                return -1;
        }
        write_row(out, &table, rows[i].row);
    }
    csv_free(&table);
    return 0;
}

int write_sample(const score_set *score, const char *folder, const char *path) {
    choice *all = malloc((score->count + 1) * sizeof *all);
    FILE *out = fopen(path, "wb");
    int failed = -1;
    if (all && out) {
        size_t n = choose_rows(score, all);
        fprintf(out, "file,line");
        for (size_t c = 0; c < COLUMNS; c++)
            fprintf(out, ",%s", columns[c]);
        fputc('\n', out);
        failed = write_rows(out, all, n, folder);
    }
    if (out && fclose(out))
        failed = -1;
    free(all);
    return failed;
}
