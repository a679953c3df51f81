/* Chooses rows for the committed sample: every row below the bound, of each file, dtype and regime the tightest (bound
 * and measurement nearest), of each class of devices the tightest, and as many of each kind of time from all over it;
 * facts only. And what is held against it: figures of the bound and of the expected time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validation/score.h"

enum { SAMPLE_MAX = 400, OF_KIND = 16 };

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
    "algo",
    "collective",
    "down_proj_us",
    "dtype",
    "intermediate",
    "k_derived",
    "kind",
    "kv_or_seq_tokens",
    "latency_us_median",
    "m_tokens",
    "message_bytes",
    "n_derived",
    "num_gpus",
    "num_kv_heads_model",
    "num_local_experts",
    "num_q_heads_model",
    "payload",
    "tokens_per_expert",
    "tokens_per_gpu",
    "up_proj_us",
    "latency_ms",
    "library",
    "op",
    "pp",
    "reported_tflops",
    "seq_len",
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

static int order_by_kind(const void *a, const void *b) {
    const score_row *x = ((const choice *)a)->row, *y = ((const choice *)b)->row;
    return x->kind != y->kind ? (x->kind > y->kind) - (x->kind < y->kind) : order_by_place(a, b);
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

/* OF_KIND rows of each kind of time, evenly spaced. */
static void choose_all_over(choice *all, size_t n, size_t *chosen) {
    qsort(all, n, sizeof *all, order_by_kind);
    for (size_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && all[i].row->kind == all[next].row->kind;)
            next++;
        for (size_t k = 0; k < OF_KIND; k++)
            choose(&all[i + (2 * k + 1) * (next - i) / (2 * OF_KIND)], chosen);
    }
}

static size_t choose_rows(const score_set *score, choice *all) {
    size_t n = 0, chosen = 0;
    for (size_t i = 0; i < score->count; i++)
        if (!score->rows[i].skip[0] && !score->rows[i].apart)
            all[n++] = (choice){.row = &score->rows[i]};
    qsort(all, n, sizeof *all, order_by_stratum);
    for (size_t i = 0; i < n; i++)
        if (all[i].row->above)
            choose(&all[i], &chosen);
    choose_all_over(all, n, &chosen);
    qsort(all, n, sizeof *all, order_by_stratum);
    choose_each(all, n, same_stratum, 0, &chosen);
    qsort(all, n, sizeof *all, order_by_device);
    choose_each(all, n, same_device, 0, &chosen);
    qsort(all, n, sizeof *all, order_by_place);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (all[i].chosen)
            all[kept++] = all[i];
    return kept;
}

/* The facts of a note: what looks like name=value, and which backend an engine ran. */
static void write_note(FILE *out, const char *note) {
    const char *between = "";
    while (*note) {
        size_t length = strcspn(note, ";"), word = strcspn(note, " ;=");
        bool backend = length == strlen("PyTorch") && strncmp(note, "PyTorch", length) == 0;
        if (backend || (note[word] == '=' && length < 40)) {
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

/* ---- what is held against the sample ---- */

static bool is_first(const score_set *score, size_t at, bool by_regime) {
    const score_row *row = &score->rows[at];
    for (size_t i = 0; i < at; i++)
        if (is_scored(&score->rows[i]) && strcmp(score->rows[i].file, row->file) == 0 &&
            (!by_regime || strcmp(score->rows[i].regime, row->regime) == 0))
            return false;
    return is_scored(row);
}

double score_tightest(const score_set *score, const char *file) {
    double most = 0;
    for (size_t i = 0; i < score->count; i++) {
        const score_row *row = &score->rows[i];
        if (is_scored(row) && !row->above && strcmp(row->file, file) == 0)
            most = fmax(most, ratio(row));
    }
    return most;
}

void report_held(const score_set *score) {
    printf("figure,of,regime,value,coverage\n");
    for (size_t i = 0; i < score->count; i++) {
        const score_row *row = &score->rows[i];
        score_filter filter = {.file = row->file, .regime = row->regime};
        if (is_first(score, i, false))
            printf("tightest,%s,,%.4f,\n", row->file, score_tightest(score, row->file));
        if (is_first(score, i, true))
            printf("bound,%s,\"%s\",%.4f,\n", row->file, row->regime,
                   score_figures(score, BOUND, &filter).signed_median);
    }
    for (int kind = 0; kind < ROOF_REGIME_COUNT; kind++) {
        figures f = score_figures(score, IN_SAMPLE, &(score_filter){.kinds = 1u << kind});
        if (f.n > 0)
            printf("expected,%s,,%.4f,%.4f\n", roof_regime_name((roof_regime)kind), f.median, f.coverage);
    }
}
