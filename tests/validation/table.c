/* From the tables of a folder to scored rows. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validation/score.h"

const score_reader readers[] = {
    {"aic_gemm", read_gemm},
    {"aic_context_attention", read_context_attention},
    {"aic_generation_attention", read_generation_attention},
    {"aic_mla", read_mla},
    {"aic_moe", read_moe},
    {"infersim_gemm", read_infersim_gemm},
    {"infersim_grouped_gemm", read_infersim_experts},
    {"infersim_attention", read_infersim_attention},
    {"vidur_linear", read_vidur},
    {"attention_flash", read_attention_flash},
    {"lbm_fluidx3d", read_lbm},
    {"aic_comm", read_collective},
    {"comm_busbw_stas", read_bus_bandwidth},
    {"llm_trtllm_static", read_static},
    {"llm_fastertransformer", read_fastertransformer},
    {"llm_lmdeploy_static", read_static},
    {"llm_gpt_fast", read_gpt_fast},
    {"llm_rocm_vllm", read_rocm},
    {"llm_serving_silicon_agg", read_concurrency},
    {"llm_trtllm_ifb", read_most_load},
    {"llm_inferencex_tokenpos", read_token_position},
    {"llm_decode_small_tables", read_small_tables},
    {"llm_llamacpp_mac", read_llamacpp},
    {"llm_llamacpp_strixhalo", read_llamacpp},
    {"llm_llamacpp_xjdai", read_llamacpp},
};
const size_t reader_count = sizeof readers / sizeof readers[0];

void leave_out(score_row *row, const char *format, ...) {
    if (row->skip[0])
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row->skip, sizeof row->skip, format, arguments);
    va_end(arguments);
    for (char *at = row->skip; *at; at++) /* the reports are markdown tables */
        if (*at == '|')
            *at = '+';
}

static const score_reader *reader_of(const char *file) {
    for (size_t i = 0; i < reader_count; i++)
        if (strcmp(readers[i].file, file) == 0)
            return &readers[i];
    return NULL;
}

static int reserve(score_set *score, size_t more) {
    if (score->count + more <= score->capacity)
        return 0;
    size_t capacity = 2 * score->capacity + more;
    score_row *rows = realloc(score->rows, capacity * sizeof *rows);
    if (!rows)
        return -1;
    score->rows = rows;
    score->capacity = capacity;
    return 0;
}

static void score_one(const csv_table *table, size_t at, const score_reader *reader, score_row *row) {
    *row = (score_row){.file = reader->file, .line = table->lines[at], .work = calloc(1, sizeof *row->work)};
    double line = csv_number(table, at, "line"); /* a sample says where a row is from */
    if (line > 0)
        row->line = (size_t)line;
    if (row->work)
        reader->read(table, at, row, row->work);
    else
        leave_out(row, "out of memory");
    if (!row->skip[0] && !(row->measured > 0 && isfinite(row->measured)))
        leave_out(row, "no measured value");
    if (!row->skip[0] && row->work->model)
        roof_plan_engine(row->work->machine, row->work->engine, &row->work->plan);
    if (!row->skip[0])
        predict(row->work, row);
    if (row->skip[0]) {
        free(row->work);
        row->work = NULL;
    }
}

int score_table(score_set *score, const csv_table *table, const char *file) {
    if (reserve(score, table->rows))
        return -1;
    for (size_t i = 0; i < table->rows; i++) {
        const score_reader *reader = reader_of(file ? file : csv_text(table, i, "file"));
        if (!reader)
            return -1;
        score_one(table, i, reader, &score->rows[score->count++]);
    }
    return 0;
}

void score_free(score_set *score) {
    for (size_t i = 0; i < score->count; i++)
        free(score->rows[i].work);
    free(score->rows);
    *score = (score_set){0};
    known_free();
}
