/* Kernels timed alone (aiconfigurator's tables) and a lattice-Boltzmann code (FluidX3D): a row to operations. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "validation/score.h"

static const char kernel_missing[] = "kernel missing: far slower than the neighbouring shapes";

/* Kernels of `device` timed over and over. False when the row is out already. */
static bool begin_on(const char *device, double microseconds, const csv_table *table, size_t at, score_row *row,
                     score_work *work) {
    const char *flag = csv_text(table, at, "flag");
    if (flag[0])
        leave_out(row, "flagged %s", flag);
    snprintf(row->device, sizeof row->device, "%s", device);
    row->measured = microseconds * 1e-6;
    row->tensor = 1;
    work->machine = known_machine(device, row);
    work->repeated = true;
    work->share = 1;
    return !row->skip[0];
}

/* Columns that most tables of kernels have. */
static bool begin(const csv_table *table, size_t at, score_row *row, score_work *work) {
    return begin_on(csv_text(table, at, "gpu"), csv_number(table, at, "latency_us"), table, at, row, work);
}

static void like(score_row *row, const csv_table *table, size_t at, const char *const *columns) {
    size_t used = (size_t)snprintf(row->like, sizeof row->like, "%s", csv_text(table, at, "engine"));
    for (; *columns && used < sizeof row->like; columns++)
        used += (size_t)snprintf(row->like + used, sizeof row->like - used, "/%s", csv_text(table, at, *columns));
}

static double cache_size(const score_work *work) {
    return work->machine->size[ROOF_L2].origin != ROOF_ORIGIN_UNKNOWN ? work->machine->size[ROOF_L2].value : 0;
}

static bool is(const csv_table *table, size_t at, const char *column, const char *text) {
    return strcmp(csv_text(table, at, column), text) == 0;
}

/* How the tables name what a matrix product reads and multiplies in. Where the group size of scales is not stated, the
 * fewest scales count. 8-bit rows are handed 16-bit activations and quantise them inside the call. */
typedef struct gemm_scheme {
    const char *name;
    roof_dtype activations;
    roof_format weights;
} gemm_scheme;

static const gemm_scheme *scheme_of(const char *name) {
    static const gemm_scheme table[] = {
        {"bfloat16", ROOF_BF16, {.dtype = ROOF_BF16, .bits = 16}},
        {"fp8", ROOF_BF16, {.dtype = ROOF_FP8, .bits = 8, .math = ROOF_FP8}},
        {"fp8_block",
         ROOF_BF16,
         {.dtype = ROOF_FP8, .bits = 8, .block_rows = 128, .block_cols = 128, .scale_bits = 32, .math = ROOF_FP8}},
        {"sq", ROOF_INT8, {.dtype = ROOF_INT8, .bits = 8, .math = ROOF_INT8}},
        {"int8_wo", ROOF_F16, {.dtype = ROOF_INT8, .bits = 8}},
        {"int4_wo", ROOF_F16, {.dtype = ROOF_INT4, .bits = 4}},
        {"w4a16_mxfp4",
         ROOF_BF16,
         {.dtype = ROOF_MXFP4, .bits = 4, .block_rows = 1, .block_cols = 32, .scale_bits = 8}},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

void read_gemm(const csv_table *table, size_t at, score_row *row, score_work *work) {
    static const char *const columns[] = {"n", "k", NULL};
    const char *name = csv_text(table, at, "gemm_dtype");
    const gemm_scheme *scheme = scheme_of(name);
    double m = csv_number(table, at, "m"), n = csv_number(table, at, "n"), k = csv_number(table, at, "k");
    snprintf(row->dtype, sizeof row->dtype, "%s", name);
    snprintf(row->regime, sizeof row->regime, "gemm");
    like(row, table, at, columns);
    row->batch = row->units = m;
    if (!begin(table, at, row, work))
        return;
    if (!scheme) {
        leave_out(row, "unknown dtype %s", name);
        return;
    }
    double matrix = roof_format_bytes(&scheme->weights, n, k);
    if (is(table, at, "gpu", "L40S") && is(table, at, "engine", "trtllm") && matrix <= 2 * cache_size(work))
        leave_out(row, "weights partly in L2 between repetitions (L40S, TensorRT-LLM, one matrix up to twice L2)");
    roof_dtype out = scheme->activations == ROOF_INT8 ? ROOF_F16 : scheme->activations;
    roof_gemm(
        &(roof_gemm_shape){
            .batch = 1, .m = m, .n = n, .k = k, .a = scheme->activations, .c = out, .weights = &scheme->weights},
        &work->operations[0]);
    work->operation_count = 1;
}

static roof_dtype eight_or_16(const char *name) {
    return strcmp(name, "fp8") == 0 ? ROOF_FP8 : ROOF_BF16;
}

static void attention_dtype(const csv_table *table, size_t at, score_row *row, const char *math) {
    const char *cache = csv_text(table, at, "kv_cache_dtype");
    if (strcmp(cache, csv_text(table, at, math)) == 0)
        snprintf(row->dtype, sizeof row->dtype, "%s", cache);
    else
        snprintf(row->dtype, sizeof row->dtype, "%s, kv %s", csv_text(table, at, math), cache);
}

static const char *const attention_columns[] = {"num_q_heads",  "num_kv_heads",          "head_dim",
                                                "input_tokens", "kv_tokens_before_step", NULL};

void read_context_attention(const csv_table *table, size_t at, score_row *row, score_work *work) {
    roof_dtype dtype = eight_or_16(csv_text(table, at, "attn_dtype"));
    double batch = csv_number(table, at, "batch"), tokens = csv_number(table, at, "input_tokens");
    attention_dtype(table, at, row, "attn_dtype");
    snprintf(row->regime, sizeof row->regime, "prefill attention");
    like(row, table, at, attention_columns);
    row->batch = batch;
    row->units = batch * tokens;
    if (!begin(table, at, row, work))
        return;
    roof_attention_shape shape = {
        .batch = batch,
        .heads = csv_number(table, at, "num_q_heads"),
        .kv_heads = csv_number(table, at, "num_kv_heads"),
        .q_len = tokens,
        .kv_len = tokens,
        .qk_width = csv_number(table, at, "head_dim"),
        .v_width = csv_number(table, at, "head_dim"),
        .causal = true,
        .q = dtype,
        .kv = dtype, /* as the projection hands them over, not as they are cached */
        .out = ROOF_BF16,
        .math = dtype,
    };
    roof_attention(&shape, &work->operations[0]);
    work->operation_count = 1;
    shape.append = true; /* engines time their layer; whether the cache write is inside differs: not in the bound */
    roof_attention(&shape, &work->likely[0]);
    work->likely_count = 1;
    if (is(table, at, "gpu", "L40S") && work->operations[0].bytes[ROOF_DRAM] <= cache_size(work))
        leave_out(row, "Q, K and V in L2 between repetitions (L40S)");
    if (is(table, at, "gpu", "L40S") && dtype == ROOF_FP8 && shape.qk_width == 64)
        row->apart = kernel_missing;
}

void read_generation_attention(const csv_table *table, size_t at, score_row *row, score_work *work) {
    double batch = csv_number(table, at, "batch"), before = csv_number(table, at, "kv_tokens_before_step");
    double heads = csv_number(table, at, "num_q_heads"), kv_heads = csv_number(table, at, "num_kv_heads");
    attention_dtype(table, at, row, "attn_dtype");
    snprintf(row->regime, sizeof row->regime, "decode attention");
    like(row, table, at, attention_columns);
    row->batch = row->units = batch;
    if (!begin(table, at, row, work))
        return;
    roof_attention_shape shape = {
        .batch = batch,
        .heads = heads,
        .kv_heads = kv_heads,
        .q_len = 1,
        .kv_len = before + 1,
        .qk_width = csv_number(table, at, "head_dim"),
        .v_width = csv_number(table, at, "head_dim"),
        .causal = true, /* whether the cache write is timed is not known: left out */
        .q = ROOF_BF16,
        .kv = eight_or_16(csv_text(table, at, "kv_cache_dtype")),
        .out = ROOF_BF16,
    };
    roof_attention(&shape, &work->operations[0]);
    work->operation_count = 1;
    if (is(table, at, "engine", "trtllm") && heads / kv_heads > 32)
        row->apart = kernel_missing;
}

/* Latent attention of DeepSeek: 128 + 64 wide keys and 128 wide values a head in plain form (prefill), rows of 512 + 64
 * in absorbed form (decode). */
void read_mla(const csv_table *table, size_t at, score_row *row, score_work *work) {
    static const char *const columns[] = {"phase", "num_heads", "isl", "step_kv_tokens", NULL};
    bool decode = is(table, at, "phase", "generation");
    double batch = csv_number(table, at, "batch"), tokens = decode ? 1 : csv_number(table, at, "isl");
    attention_dtype(table, at, row, "mla_dtype");
    snprintf(row->regime, sizeof row->regime, "latent %s", decode ? "decode" : "prefill");
    like(row, table, at, columns);
    row->batch = batch;
    row->units = batch * tokens;
    if (!begin(table, at, row, work))
        return;
    double heads = csv_number(table, at, "num_heads");
    roof_attention_shape shape = {
        .batch = batch,
        .heads = heads,
        .kv_heads = decode ? 1 : heads,
        .q_len = tokens,
        .kv_len = decode ? csv_number(table, at, "step_kv_tokens") + 1 : tokens,
        .qk_width = decode ? 512 + 64 : 128 + 64,
        .v_width = decode ? 512 : 128,
        .causal = true,
        .latent = decode,
        .q = ROOF_BF16,
        .kv = decode ? eight_or_16(csv_text(table, at, "kv_cache_dtype")) : ROOF_BF16,
        .out = ROOF_BF16,
    };
    roof_attention(&shape, &work->operations[0]);
    work->operation_count = 1;
    if (is(table, at, "gpu", "A100-SXM4-80GB"))
        row->apart = kernel_missing;
}

/* Up (and gate) to the experts' width, and back. */
static void two_products(roof_grouped_gemm_shape shape, roof_operation out[2]) {
    double hidden = shape.k, width = shape.n;
    roof_grouped_gemm(&shape, &out[0]);
    shape.n = hidden;
    shape.k = width;
    shape.matrices = 1;
    roof_grouped_gemm(&shape, &out[1]);
}

/* One rank of an expert- and tensor-parallel layer: its share of the experts and of their width. The fullest rank is
 * timed: it has at least the mean number of routed rows, which bounds it, and likely as many as fullest() says. */
void read_moe(const csv_table *table, size_t at, score_row *row, score_work *work) {
    static const char *const columns[] = {"hidden", "expert_inter",         "topk", "num_experts",
                                          "moe_ep", "routing_distribution", NULL};
    const char *name = csv_text(table, at, "moe_dtype"), *kernel = csv_text(table, at, "kernel");
    const gemm_scheme *scheme = scheme_of(name);
    double hidden = csv_number(table, at, "hidden"), ranks = csv_number(table, at, "moe_ep");
    double width = csv_number(table, at, "expert_inter") / csv_number(table, at, "moe_tp");
    snprintf(row->dtype, sizeof row->dtype, "%s", name);
    snprintf(row->regime, sizeof row->regime, "moe");
    like(row, table, at, columns);
    row->batch = row->units = csv_number(table, at, "num_tokens");
    if (!begin(table, at, row, work))
        return;
    if (!scheme) {
        leave_out(row, "unknown dtype %s", name);
        return;
    }
    row->tensor = csv_number(table, at, "moe_tp");
    roof_grouped_gemm_shape shape = {
        .tokens = csv_number(table, at, "num_tokens"),
        .experts = csv_number(table, at, "num_experts") / ranks,
        .top_k = csv_number(table, at, "topk") / ranks,
        .n = width,
        .k = hidden,
        .matrices = strstr(kernel, "nongated") ? 1 : 2,
        .a = scheme->activations,
        .c = scheme->activations,
        .weights = &scheme->weights,
    };
    two_products(shape, work->operations);
    work->operation_count = 2;
    const char *routing = strstr(csv_text(table, at, "routing_distribution"), "power_law_");
    fullest_rank rank = fullest(shape.tokens, csv_number(table, at, "topk"), csv_number(table, at, "num_experts"),
                                ranks, routing ? strtod(routing + strlen("power_law_"), NULL) : 0);
    shape.top_k = rank.rows / shape.tokens;
    shape.touched = rank.experts;
    two_products(shape, work->likely);
    work->likely_count = 2;
    bool hopper = is(table, at, "gpu", "H100-SXM-80GB") || is(table, at, "gpu", "H200-SXM-141GB");
    if (hopper && is(table, at, "engine", "vllm") && strncmp(name, "fp8", 3) == 0)
        row->apart = kernel_missing;
}

/* ---- kernels called bare: InferSim, Vidur, FlashAttention ---- */

/* One matrix product y[m, n] of a weight matrix, its activations as they are multiplied. */
static void plain_product(double m, double n, double k, const roof_format *weights, score_row *row, score_work *work) {
    row->batch = row->units = m;
    roof_gemm(
        &(roof_gemm_shape){.batch = 1, .m = m, .n = n, .k = k, .a = weights->dtype, .c = ROOF_BF16, .weights = weights},
        &work->operations[0]);
    work->operation_count = 1;
}

/* DeepGEMM: fp8 with scales of 1x128 and 128x128, activations quantised before. The table's MFU is of the fp8 peak. */
static const roof_format deep_gemm = {
    .dtype = ROOF_FP8, .bits = 8, .block_rows = 128, .block_cols = 128, .scale_bits = 32, .math = ROOF_FP8};

void read_infersim_gemm(const csv_table *table, size_t at, score_row *row, score_work *work) {
    static const char *const columns[] = {"n", "k", NULL};
    snprintf(row->dtype, sizeof row->dtype, "fp8_block");
    snprintf(row->regime, sizeof row->regime, "gemm");
    like(row, table, at, columns);
    if (begin(table, at, row, work))
        plain_product(csv_number(table, at, "m"), csv_number(table, at, "n"), csv_number(table, at, "k"), &deep_gemm,
                      row, work);
}

/* Up and down products of a layer's experts, routed evenly over those of the device. */
void read_infersim_experts(const csv_table *table, size_t at, score_row *row, score_work *work) {
    static const char *const columns[] = {"hidden", "intermediate", "topk", "num_local_experts", NULL};
    double both = csv_number(table, at, "up_proj_us") + csv_number(table, at, "down_proj_us");
    snprintf(row->dtype, sizeof row->dtype, "fp8_block");
    snprintf(row->regime, sizeof row->regime, "moe");
    like(row, table, at, columns);
    row->batch = row->units = csv_number(table, at, "tokens_per_gpu");
    if (!begin_on(csv_text(table, at, "gpu"), both, table, at, row, work))
        return;
    double experts = csv_number(table, at, "num_local_experts");
    double rows = experts * csv_number(table, at, "tokens_per_expert");
    roof_grouped_gemm_shape shape = {
        .tokens = row->batch,
        .experts = experts,
        .top_k = rows / row->batch,
        .n = csv_number(table, at, "intermediate"),
        .k = csv_number(table, at, "hidden"),
        .matrices = 2,
        .a = ROOF_FP8,
        .c = ROOF_BF16,
        .weights = &deep_gemm,
    };
    two_products(shape, work->operations);
    work->operation_count = 2;
}

static double at_least_one(double value) {
    return value > 1 ? value : 1;
}

/* Heads are those of the model: a device has 1 / tp of them. Latent rows: 128 + 64 plain, 512 + 64 absorbed. */
void read_infersim_attention(const csv_table *table, size_t at, score_row *row, score_work *work) {
    static const char *const columns[] = {"kind",     "phase", "num_q_heads_model", "num_kv_heads_model",
                                          "head_dim", "tp",    "kv_or_seq_tokens",  NULL};
    bool latent = is(table, at, "kind", "mla"), decode = is(table, at, "phase", "decode");
    double tp = csv_number(table, at, "tp"), tokens = csv_number(table, at, "kv_or_seq_tokens");
    double heads = csv_number(table, at, "num_q_heads_model") / tp;
    double kv_heads = at_least_one(csv_number(table, at, "num_kv_heads_model") / tp);
    double width = csv_number(table, at, "head_dim"); /* of "128+64" the first */
    snprintf(row->dtype, sizeof row->dtype, "%s", csv_text(table, at, "dtype"));
    snprintf(row->regime, sizeof row->regime, "%s%s",
             latent   ? "latent "
             : decode ? "decode attention"
                      : "prefill attention",
             latent ? csv_text(table, at, "phase") : "");
    like(row, table, at, columns);
    row->batch = csv_number(table, at, "batch");
    row->units = row->batch * (decode ? 1 : tokens);
    if (!begin(table, at, row, work))
        return;
    roof_attention_shape shape = {
        .batch = row->batch,
        .heads = heads,
        .kv_heads = !latent  ? kv_heads
                    : decode ? 1
                             : heads,
        .q_len = decode ? 1 : tokens,
        .kv_len = tokens,
        .qk_width = latent ? width + 64 : width,
        .v_width = width,
        .causal = true,
        .latent = latent && decode,
        .q = ROOF_BF16,
        .kv = ROOF_BF16,
        .out = ROOF_BF16,
    };
    roof_attention(&shape, &work->operations[0]);
    work->operation_count = 1;
}

/* FlashAttention's own benchmark, forward, not causal: heads follow from its FLOPs. */
void read_attention_flash(const csv_table *table, size_t at, score_row *row, score_work *work) {
    static const char *const columns[] = {"library", "seq_len", NULL};
    double batch = csv_number(table, at, "batch"), tokens = csv_number(table, at, "seq_len");
    double width = csv_number(table, at, "head_dim"), milliseconds = csv_number(table, at, "latency_ms");
    snprintf(row->dtype, sizeof row->dtype, "%s", csv_text(table, at, "dtype"));
    snprintf(row->regime, sizeof row->regime, "prefill attention");
    like(row, table, at, columns);
    row->batch = batch;
    row->units = batch * tokens;
    if (!is(table, at, "dtype", "fp8") || !(milliseconds > 0))
        leave_out(row, "dtype, time or mask not stated");
    if (!begin_on(csv_text(table, at, "gpu"), 1e3 * milliseconds, table, at, row, work))
        return;
    double flops = csv_number(table, at, "reported_tflops") * 1e9 * milliseconds;
    double heads = round(flops / (4 * batch * tokens * tokens * width));
    roof_attention(&(roof_attention_shape){.batch = batch,
                                           .heads = heads,
                                           .kv_heads = heads,
                                           .q_len = tokens,
                                           .kv_len = tokens,
                                           .qk_width = width,
                                           .v_width = width,
                                           .q = ROOF_FP8,
                                           .kv = ROOF_FP8,
                                           .out = ROOF_BF16,
                                           .math = ROOF_FP8},
                   &work->operations[0]);
    work->operation_count = 1;
}

/* Vidur's DGX nodes; products launched one by one by PyTorch, so small ones wait for the host. */
void read_vidur(const csv_table *table, size_t at, score_row *row, score_work *work) {
    static const char *const columns[] = {"model", "op", NULL};
    static const roof_format half = {.dtype = ROOF_F16, .bits = 16};
    const char *gpu = csv_text(table, at, "gpu");
    const char *device = strcmp(gpu, "A100") == 0 ? "A100-SXM-80GB" : strcmp(gpu, "H100") == 0 ? "H100-SXM-80GB" : gpu;
    snprintf(row->dtype, sizeof row->dtype, "%s", csv_text(table, at, "dtype"));
    snprintf(row->regime, sizeof row->regime, "gemm, eager");
    like(row, table, at, columns);
    if (begin_on(device, csv_number(table, at, "latency_us_median"), table, at, row, work)) {
        row->tensor = csv_number(table, at, "tp");
        plain_product(csv_number(table, at, "m_tokens"), csv_number(table, at, "n_derived"),
                      csv_number(table, at, "k_derived"), &half, row, work);
        roof_verdict verdict;
        if (!row->skip[0] && roof_judge(work->machine, &work->operations[0], &verdict, NULL) == 0)
            row->apart = verdict.seconds < 25e-6 ? "launched by the host: a bound under 25 us" : NULL;
    }
}

/* "4x NAME" is as many devices as its number says; a name with its own count of devices keeps it: those are not known.
 */
static const char *devices(const char *name, double *count) {
    char *end;
    double number = strtod(name, &end);
    *count = 1;
    if (!isdigit((unsigned char)name[0]) || end[0] != 'x' || end[1] != ' ')
        return name;
    *count = number;
    return end + 2;
}

/* One step of a million cells, shared by all devices. The count of operations mixes FP32 and INT32. */
void read_lbm(const csv_table *table, size_t at, score_row *row, score_work *work) {
    const char *full = csv_text(table, at, "device"), *flag = csv_text(table, at, "flag");
    const char *name = devices(full, &work->share);
    snprintf(row->device, sizeof row->device, "%s", name);
    snprintf(row->dtype, sizeof row->dtype, "%s", csv_text(table, at, "precision"));
    snprintf(row->regime, sizeof row->regime, "lattice Boltzmann");
    snprintf(row->like, sizeof row->like, "lbm");
    row->batch = row->units = 1;
    row->tensor = work->share;
    row->measured = 1 / csv_number(table, at, "value_mlups");
    if (flag[0])
        leave_out(row, "flagged %s", flag);
    work->machine = known_machine(name, row);
    if (!work->machine)
        return;
    const roof_argument arguments[] = {
        {.name = "flops", .value = 1e6 * csv_number(table, at, "flops_plus_int_per_cell_step")},
        {.name = "bytes", .value = 1e6 * csv_number(table, at, "bytes_per_cell_step")},
        {.name = "vector", .value = 1},
        {.name = "dtype", .dtype = ROOF_F32},
    };
    roof_error error;
    if (roof_operation_build(ROOF_KIND_CUSTOM, arguments, 4, &work->operations[0], &error))
        leave_out(row, "%s", error.what);
    work->operation_count = 1;
}
