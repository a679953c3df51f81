/* GGUF headers of recurrent, hybrid and encoder models at their public sizes, written tensor by tensor as llama.cpp's
 * converter writes them. Each total is that of the published checkpoint, or of the modelling code (tests/work has
 * both). */
#include <math.h>
#include <stdlib.h>

#include "alloc/alloc.h"
#include "gguf_writer.h"
#include "read/config/configs.h"
#include "read/gguf/gguf.h"
#include "read/match.h"
#include "roofline_read.h"

enum { F32 = 0, BF16 = 30 };

static gguf_writer writer;
static char arch[32];

static void begin(const char *name) {
    memset(&writer, 0, sizeof writer);
    writer.version = 3;
    snprintf(arch, sizeof arch, "%s", name);
    put_text(&writer, "general.architecture", name);
}

/* "block_count=4 attention.head_count=8": keys of the architecture. */
static void keys(const char *text) {
    for (int used = 0; *text; text += used) {
        char name[80], full[128];
        unsigned long value;
        if (sscanf(text, " %79[^=]=%lu %n", name, &value, &used) != 2)
            fail_msg("bad keys: %s", text);
        snprintf(full, sizeof full, "%s.%s", arch, name);
        put_u32(&writer, full, value);
    }
}

static void list(const char *name, const uint32_t *values, size_t n) {
    char full[128];
    snprintf(full, sizeof full, "%s.%s", arch, name);
    put_u32_list(&writer, full, values, n);
}

/* What the converter keeps in 32 bits whatever the type of the file. */
static bool is_kept(const char *name) {
    return match_list("*ssm_conv1d* *ssm_a *ssm_d *ssm_norm* *shortconv.conv* *ffn_gate_inp* position_embd* "
                      "token_types* *attn_rel_b*",
                      name);
}

static void tensor(const char *name, unsigned rank, const uint64_t *shape) {
    uint64_t elements = 1;
    for (unsigned i = 0; i < rank; i++)
        elements *= shape[i];
    bool wide = rank == 1 || is_kept(name);
    put_tensor(&writer, name, wide ? F32 : BF16, rank, shape, elements * (wide ? 4 : 2));
}

/* "attn_q.weight:4096,512 attn_norm.weight:4096": tensors behind `prefix`. */
static void tensors(const char *prefix, const char *text) {
    for (int used = 0; *text; text += used) {
        char name[64], sizes[64], full[160];
        uint64_t shape[4];
        unsigned rank = 0;
        if (sscanf(text, " %63[^:]:%63s %n", name, sizes, &used) != 2)
            fail_msg("bad tensors: %s", text);
        for (char *at = sizes; *at; at += *at == ',')
            shape[rank++] = strtoul(at, &at, 10);
        snprintf(full, sizeof full, "%s%s", prefix, name);
        tensor(full, rank, shape);
    }
}

static void layer(unsigned index, const char *text) {
    char prefix[32];
    snprintf(prefix, sizeof prefix, "blk.%u.", index);
    tensors(prefix, text);
}

static roof_model_file *try_header(roof_error *error) {
    static source s;
    size_t length;
    const unsigned char *bytes = gguf_bytes(&writer, false, &length);
    source_memory(&s, bytes, length);
    return gguf_read_model(&s, NULL, error);
}

static roof_model_file *read_header(void) {
    roof_error error = {0};
    roof_model_file *file = try_header(&error);
    if (!file)
        fail_msg("%s: %s", arch, error.what);
    return file;
}

/* Weights as published; table and model agree in weights and bytes, so the one warning is about the missing data. */
static roof_model_file *check(double total) {
    roof_model_file *file = read_header();
    for (size_t i = 1; i < roof_model_file_warnings(file); i++)
        print_message("%s: %s\n", arch, roof_model_file_warning(file, i));
    assert_exact(parameters_of(file).total, total);
    assert_int_equal(roof_model_file_warnings(file), 1);
    assert_true(has_warning(file, "the data section is missing"));
    return file;
}

static void refused(roof_status code, const char *part) {
    roof_error error = {0};
    if (try_header(&error))
        fail_msg("%s was read", arch);
    if (!strstr(error.what, part))
        fail_msg("%s: %s", arch, error.what);
    assert_int_equal(error.code, code);
}

/* state-spaces/mamba-130m-hf */
static void mamba(void **state) {
    (void)state;
    begin("mamba");
    keys("block_count=24 embedding_length=768 feed_forward_length=0 attention.head_count=0 ssm.conv_kernel=4 "
         "ssm.inner_size=1536 ssm.state_size=16 ssm.time_step_rank=48 ssm.dt_b_c_rms=0");
    for (unsigned i = 0; i < 24; i++)
        layer(i, "attn_norm.weight:768 ssm_in.weight:768,3072 ssm_conv1d.weight:4,1536 ssm_conv1d.bias:1536 "
                 "ssm_x.weight:1536,80 ssm_dt.weight:48,1536 ssm_dt.bias:1536 ssm_a:16,1536 ssm_d:1536 "
                 "ssm_out.weight:1536,768");
    tensors("", "token_embd.weight:768,50280 output_norm.weight:768");
    roof_model_file *file = check(129135360);
    assert_int_equal(roof_model_file_model(file)->layers[0].state.kind, ROOF_STATE_MAMBA);
    assert_exact(cache_of(file), 0);
    roof_model_file_free(file);
}

/* state-spaces/mamba2-2.7b */
static void mamba2(void **state) {
    (void)state;
    begin("mamba2");
    keys("block_count=64 embedding_length=2560 feed_forward_length=0 attention.head_count=0 ssm.conv_kernel=4 "
         "ssm.inner_size=5120 ssm.state_size=128 ssm.time_step_rank=80 ssm.group_count=1");
    for (unsigned i = 0; i < 64; i++)
        layer(i, "attn_norm.weight:2560 ssm_in.weight:2560,10576 ssm_conv1d.weight:4,5376 ssm_conv1d.bias:5376 "
                 "ssm_dt.bias:80 ssm_a:1,80 ssm_d:1,80 ssm_norm.weight:5120,1 ssm_out.weight:5120,2560");
    tensors("", "token_embd.weight:2560,50288 output_norm.weight:2560");
    roof_model_file_free(check(2702599680));
}

#define JAMBA_STATE                                                                                                    \
    "ssm_in.weight:4096,16384 ssm_conv1d.weight:4,8192 ssm_conv1d.bias:8192 ssm_x.weight:8192,288 "                    \
    "ssm_dt.weight:256,8192 ssm_dt.bias:8192 ssm_a:16,8192 ssm_d:8192 ssm_dt_norm.weight:256 ssm_b_norm.weight:16 "    \
    "ssm_c_norm.weight:16 ssm_out.weight:8192,4096"

static void write_jamba(size_t offset) {
    uint32_t kv[32];
    begin("jamba");
    keys("block_count=32 embedding_length=4096 feed_forward_length=14336 attention.head_count=32 expert_count=16 "
         "expert_used_count=2 ssm.conv_kernel=4 ssm.inner_size=8192 ssm.state_size=16 ssm.time_step_rank=256");
    for (size_t i = 0; i < 32; i++)
        kv[i] = i % 8 == 4 || i == offset ? 8 : 0;
    list("attention.head_count_kv", kv, 32);
    for (unsigned i = 0; i < 32; i++) {
        layer(i, kv[i] ? "attn_q.weight:4096,4096 attn_k.weight:4096,1024 attn_v.weight:4096,1024 "
                         "attn_output.weight:4096,4096"
                       : JAMBA_STATE);
        layer(i, i % 2 ? "ffn_gate_inp.weight:4096,16 ffn_gate_exps.weight:4096,14336,16 "
                         "ffn_up_exps.weight:4096,14336,16 ffn_down_exps.weight:14336,4096,16"
                       : "ffn_gate.weight:4096,14336 ffn_up.weight:4096,14336 ffn_down.weight:14336,4096");
        layer(i, "attn_norm.weight:4096 ffn_norm.weight:4096");
    }
    tensors("", "token_embd.weight:4096,65536 output_norm.weight:4096 output.weight:4096,65536");
}

/* ai21labs/Jamba-v0.1 */
static void jamba(void **state) {
    (void)state;
    write_jamba(4);
    roof_model_file *file = check(51570323328);
    assert_exact(cache_of(file), 4 * 2 * 8 * 128 * 2);
    roof_model_file_free(file);
    write_jamba(7);
    refused(ROOF_EUNSUPPORTED, "layer 1: key 'jamba.attention.head_count_kv' names layers of attention in no pattern");
}

#define NANO_STATE                                                                                                     \
    "ssm_in.weight:2688,10304 ssm_conv1d.weight:4,6144 ssm_conv1d.bias:6144 ssm_dt.bias:64 ssm_a:1,64 ssm_d:1,64 "     \
    "ssm_norm.weight:512,8 ssm_out.weight:4096,2688"

/* The layers of `marks` at the sizes of a file of two kinds of feed-forward block. */
static void nemotron_layers(const char *marks, uint32_t kv_heads, uint32_t width, const char *const texts[3],
                            const char *norm) {
    static const char letters[] = "M*";
    uint32_t kv[64], ffn[64];
    size_t n = strlen(marks);
    for (unsigned i = 0; i < n; i++) {
        const char *at = strchr(letters, marks[i]);
        kv[i] = marks[i] == '*' ? kv_heads : 0;
        ffn[i] = at ? 0 : width;
        layer(i, texts[at ? at - letters : 2]);
        layer(i, norm);
    }
    list("attention.head_count_kv", kv, n);
    list("feed_forward_length", ffn, n);
}

/* nvidia/Nemotron-H-8B-Base-8K: 24 layers of state, 4 of attention, 24 of feed-forward */
static void nemotron_h(void **state) {
    (void)state;
    static const char *const texts[] = {
        ("ssm_in.weight:4096,18560 ssm_conv1d.weight:4,10240 ssm_conv1d.bias:10240 ssm_dt.bias:128 ssm_a:1,128 "
         "ssm_d:1,128 ssm_norm.weight:1024,8 ssm_out.weight:8192,4096"),
        "attn_q.weight:4096,4096 attn_k.weight:4096,1024 attn_v.weight:4096,1024 attn_output.weight:4096,4096",
        "ffn_up.weight:4096,21504 ffn_down.weight:21504,4096"};
    begin("nemotron_h");
    keys("block_count=52 embedding_length=4096 attention.head_count=32 attention.key_length=128 "
         "attention.value_length=128 ssm.conv_kernel=4 ssm.inner_size=8192 ssm.state_size=128 ssm.time_step_rank=128 "
         "ssm.group_count=8");
    nemotron_layers("M-M-M-*M-M-M-M-M-M-*M-M-M-M-M-M-*M-M-M-M-M-M-*M-M-M-", 8, 21504, texts, "attn_norm.weight:4096");
    tensors("", "token_embd.weight:4096,131072 output_norm.weight:4096 output.weight:4096,131072");
    roof_model_file *file = check(8100852736);
    assert_int_equal(roof_model_file_model(file)->layer_count, 3);
    roof_model_file_free(file);
}

/* nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16 */
static void nemotron_h_moe(void **state) {
    (void)state;
    static const char *const texts[] = {
        NANO_STATE,
        "attn_q.weight:2688,4096 attn_k.weight:2688,256 attn_v.weight:2688,256 attn_output.weight:4096,2688",
        ("ffn_gate_inp.weight:2688,128 exp_probs_b.bias:128 ffn_up_exps.weight:2688,1856,128 "
         "ffn_down_exps.weight:1856,2688,128 ffn_up_shexp.weight:2688,3712 ffn_down_shexp.weight:3712,2688")};
    begin("nemotron_h_moe");
    keys("block_count=52 embedding_length=2688 attention.head_count=32 attention.key_length=128 "
         "attention.value_length=128 ssm.conv_kernel=4 ssm.inner_size=4096 ssm.state_size=128 ssm.time_step_rank=64 "
         "ssm.group_count=8 expert_count=128 expert_used_count=6 expert_shared_count=1 expert_feed_forward_length=1856 "
         "expert_shared_feed_forward_length=3712");
    nemotron_layers("MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME", 2, 1856, texts, "attn_norm.weight:2688");
    tensors("", "token_embd.weight:2688,131072 output_norm.weight:2688 output.weight:2688,131072");
    roof_model_file *file = check(31577937344.0 + 23 * 128);
    assert_exact(roof_model_file_model(file)->layers[1].mlp.shared_width, 3712);
    roof_model_file_free(file);
}

/* tiiuae/Falcon-H1-7B */
static void falcon_h1(void **state) {
    (void)state;
    begin("falcon-h1");
    keys("block_count=44 embedding_length=3072 feed_forward_length=12288 attention.head_count=12 "
         "attention.head_count_kv=2 attention.key_length=128 attention.value_length=128 ssm.conv_kernel=4 "
         "ssm.inner_size=3072 ssm.state_size=256 ssm.time_step_rank=24 ssm.group_count=1");
    for (unsigned i = 0; i < 44; i++)
        layer(i, "attn_norm.weight:3072 ffn_norm.weight:3072 ssm_in.weight:3072,6680 ssm_conv1d.weight:4,3584 "
                 "ssm_conv1d.bias:3584 ssm_dt.bias:24 ssm_a:1,24 ssm_d:1,24 ssm_out.weight:3072,3072 "
                 "attn_q.weight:3072,1536 attn_k.weight:3072,256 attn_v.weight:3072,256 attn_output.weight:1536,3072 "
                 "ffn_gate.weight:3072,12288 ffn_up.weight:3072,12288 ffn_down.weight:12288,3072");
    tensors("", "token_embd.weight:3072,130049 output_norm.weight:3072 output.weight:3072,130049");
    roof_model_file_free(check(7585519712));
}

/* ibm-granite/granite-4.0-h-tiny */
static void granite_hybrid(void **state) {
    (void)state;
    uint32_t kv[40];
    begin("granitehybrid");
    keys("block_count=40 embedding_length=1536 feed_forward_length=512 attention.head_count=12 expert_count=64 "
         "expert_used_count=6 expert_shared_feed_forward_length=1024 ssm.conv_kernel=4 ssm.inner_size=3072 "
         "ssm.state_size=128 ssm.time_step_rank=48 ssm.group_count=1 rope.scaling.finetuned=0");
    for (unsigned i = 0; i < 40; i++) {
        kv[i] = i % 10 == 5 ? 4 : 0;
        layer(i, kv[i] ? "attn_q.weight:1536,1536 attn_k.weight:1536,512 attn_v.weight:1536,512 "
                         "attn_output.weight:1536,1536"
                       : "ssm_in.weight:1536,6448 ssm_conv1d.weight:4,3328 ssm_conv1d.bias:3328 ssm_dt.bias:48 "
                         "ssm_a:1,48 ssm_d:1,48 ssm_norm.weight:3072,1 ssm_out.weight:3072,1536");
        layer(i, "attn_norm.weight:1536 ffn_norm.weight:1536 ffn_gate_inp.weight:1536,64 "
                 "ffn_gate_exps.weight:1536,512,64 ffn_up_exps.weight:1536,512,64 ffn_down_exps.weight:512,1536,64 "
                 "ffn_gate_shexp.weight:1536,1024 ffn_up_shexp.weight:1536,1024 ffn_down_shexp.weight:1024,1536");
    }
    list("attention.head_count_kv", kv, 40);
    tensors("", "token_embd.weight:1536,100352 output_norm.weight:1536");
    roof_model_file *file = check(6939037248);
    assert_true(roof_model_file_model(file)->layers[1].attention.no_rope);
    roof_model_file_free(file);
}

/* A hybrid Granite without experts, counted by hand. */
static void granite_dense(void **state) {
    (void)state;
    static const uint32_t kv[] = {0, 2};
    enum { H = 64, STATE = H * 292 + 160 * 5 + 3 * 4 + 128 + 128 * H, ATT = 2 * H * H + 2 * H * 32 };
    begin("granitehybrid");
    keys("block_count=2 embedding_length=64 feed_forward_length=128 attention.head_count=4 ssm.conv_kernel=4 "
         "ssm.inner_size=128 ssm.state_size=16 ssm.time_step_rank=4 ssm.group_count=1");
    list("attention.head_count_kv", kv, 2);
    layer(0, "ssm_in.weight:64,292 ssm_conv1d.weight:4,160 ssm_conv1d.bias:160 ssm_dt.bias:4 ssm_a:1,4 ssm_d:1,4 "
             "ssm_norm.weight:128,1 ssm_out.weight:128,64");
    layer(1, "attn_q.weight:64,64 attn_k.weight:64,32 attn_v.weight:64,32 attn_output.weight:64,64");
    for (unsigned i = 0; i < 2; i++)
        layer(i, "attn_norm.weight:64 ffn_norm.weight:64 ffn_gate.weight:64,128 ffn_up.weight:64,128 "
                 "ffn_down.weight:128,64");
    tensors("", "token_embd.weight:64,100 output_norm.weight:64");
    roof_model_file_free(check(STATE + ATT + 2 * (3 * H * 128 + 2 * H) + 100 * H + H));
}

/* Qwen/Qwen3-Next-80B-A3B-Instruct; files of before full_attention_interval was written have the class default */
static void qwen3_next(void **state) {
    (void)state;
    begin("qwen3next");
    keys("block_count=48 embedding_length=2048 feed_forward_length=5120 attention.head_count=16 "
         "attention.head_count_kv=2 attention.key_length=256 attention.value_length=256 expert_count=512 "
         "expert_used_count=10 expert_feed_forward_length=512 expert_shared_feed_forward_length=512 ssm.conv_kernel=4 "
         "ssm.inner_size=4096 ssm.state_size=128 ssm.time_step_rank=32 ssm.group_count=16 rope.dimension_count=64 "
         "full_attention_interval=4");
    for (unsigned i = 0; i < 48; i++) {
        layer(i, i % 4 == 3 ? "attn_q.weight:2048,8192 attn_k.weight:2048,512 attn_v.weight:2048,512 "
                              "attn_output.weight:4096,2048 attn_q_norm.weight:256 attn_k_norm.weight:256"
                            : "attn_qkv.weight:2048,8192 attn_gate.weight:2048,4096 ssm_ba.weight:2048,64 "
                              "ssm_conv1d.weight:4,8192 ssm_dt.bias:32 ssm_a:32 ssm_norm.weight:128 "
                              "ssm_out.weight:4096,2048");
        layer(i, "attn_norm.weight:2048 post_attention_norm.weight:2048 ffn_gate_inp.weight:2048,512 "
                 "ffn_gate_exps.weight:2048,512,512 ffn_up_exps.weight:2048,512,512 ffn_down_exps.weight:512,2048,512 "
                 "ffn_gate_shexp.weight:2048,512 ffn_up_shexp.weight:2048,512 ffn_down_shexp.weight:512,2048 "
                 "ffn_gate_inp_shexp.weight:2048");
    }
    tensors("", "token_embd.weight:2048,151936 output_norm.weight:2048 output.weight:2048,151936");
    roof_model_file *file = check(79674391296);
    assert_exact(roof_model_file_model(file)->layers[0].state.key_heads, 16);
    assert_true(roof_model_file_model(file)->layers[1].attention.output_gate);
    roof_model_file_free(file);
}

#define DELTA_STATE                                                                                                    \
    "attn_qkv.weight:2048,8192 attn_gate.weight:2048,4096 ssm_alpha.weight:2048,32 ssm_beta.weight:2048,32 "           \
    "ssm_conv1d.weight:4,8192 ssm_dt.bias:32 ssm_a:32 ssm_norm.weight:128 ssm_out.weight:4096,2048"

/* Qwen/Qwen3.5-35B-A3B, its language model; block 40 predicts further tokens and stands beside it */
static void qwen35_moe(void **state) {
    (void)state;
    begin("qwen35moe");
    keys("block_count=41 nextn_predict_layers=1 embedding_length=2048 attention.head_count=16 "
         "attention.head_count_kv=2 attention.key_length=256 attention.value_length=256 expert_count=256 "
         "expert_used_count=8 expert_feed_forward_length=512 expert_shared_feed_forward_length=512 ssm.conv_kernel=4 "
         "ssm.inner_size=4096 ssm.state_size=128 ssm.time_step_rank=32 ssm.group_count=16 rope.dimension_count=64 "
         "full_attention_interval=4");
    for (unsigned i = 0; i < 41; i++) {
        layer(i, i % 4 == 3 || i == 40 ? "attn_q.weight:2048,8192 attn_k.weight:2048,512 attn_v.weight:2048,512 "
                                         "attn_output.weight:4096,2048 attn_q_norm.weight:256 attn_k_norm.weight:256"
                                       : DELTA_STATE);
        layer(i, "attn_norm.weight:2048 post_attention_norm.weight:2048 ffn_gate_inp.weight:2048,256 "
                 "ffn_gate_exps.weight:2048,512,256 ffn_up_exps.weight:2048,512,256 ffn_down_exps.weight:512,2048,256 "
                 "ffn_gate_shexp.weight:2048,512 ffn_up_shexp.weight:2048,512 ffn_down_shexp.weight:512,2048 "
                 "ffn_gate_inp_shexp.weight:2048");
    }
    layer(40, "nextn.eh_proj.weight:4096,2048");
    tensors("", "token_embd.weight:2048,248320 output_norm.weight:2048 output.weight:2048,248320");
    roof_model_file *file = check(34660610688);
    assert_true(roof_model_file_model(file)->prediction_parameters > 8e8);
    roof_model_file_free(file);
}

/* Qwen/Qwen3.5-27B, its language model */
static void qwen35(void **state) {
    (void)state;
    begin("qwen35");
    keys("block_count=64 embedding_length=5120 feed_forward_length=17408 attention.head_count=24 "
         "attention.head_count_kv=4 attention.key_length=256 attention.value_length=256 ssm.conv_kernel=4 "
         "ssm.inner_size=6144 ssm.state_size=128 ssm.time_step_rank=48 ssm.group_count=16 full_attention_interval=4");
    for (unsigned i = 0; i < 64; i++) {
        layer(i, i % 4 == 3 ? "attn_q.weight:5120,12288 attn_k.weight:5120,1024 attn_v.weight:5120,1024 "
                              "attn_output.weight:6144,5120 attn_q_norm.weight:256 attn_k_norm.weight:256"
                            : "attn_qkv.weight:5120,10240 attn_gate.weight:5120,6144 ssm_alpha.weight:5120,48 "
                              "ssm_beta.weight:5120,48 ssm_conv1d.weight:4,10240 ssm_dt.bias:48 ssm_a:48 "
                              "ssm_norm.weight:128 ssm_out.weight:6144,5120");
        layer(i, "attn_norm.weight:5120 post_attention_norm.weight:5120 ffn_gate.weight:5120,17408 "
                 "ffn_up.weight:5120,17408 ffn_down.weight:17408,5120");
    }
    tensors("", "token_embd.weight:5120,248320 output_norm.weight:5120 output.weight:5120,248320");
    roof_model_file_free(check(26895998464));
}

/* moonshotai/Kimi-Linear-48B-A3B-Instruct: KV heads 1 where a layer has latent attention, 0 where it keeps a state */
static void kimi_linear(void **state) {
    (void)state;
    uint32_t kv[27];
    begin("kimi-linear");
    keys("block_count=27 embedding_length=2304 feed_forward_length=9216 attention.head_count=32 "
         "attention.kv_lora_rank=512 attention.key_length=576 attention.value_length=512 attention.key_length_mla=192 "
         "attention.value_length_mla=128 rope.dimension_count=64 expert_count=256 expert_used_count=8 "
         "expert_shared_count=1 expert_feed_forward_length=1024 leading_dense_block_count=1 ssm.conv_kernel=4 "
         "kda.head_dim=128");
    for (unsigned i = 0; i < 27; i++) {
        kv[i] = i % 4 == 3 || i == 26 ? 1 : 0;
        layer(i, kv[i] ? "attn_q.weight:2304,6144 attn_kv_a_mqa.weight:2304,576 attn_kv_a_norm.weight:512 "
                         "attn_k_b.weight:128,512,32 attn_v_b.weight:512,128,32 attn_output.weight:4096,2304"
                       : "attn_q.weight:2304,4096 attn_k.weight:2304,4096 attn_v.weight:2304,4096 "
                         "attn_output.weight:4096,2304 ssm_conv1d_q.weight:4,4096 ssm_conv1d_k.weight:4,4096 "
                         "ssm_conv1d_v.weight:4,4096 ssm_f_a.weight:2304,128 ssm_f_b.weight:128,4096 "
                         "ssm_beta.weight:2304,32 ssm_g_a.weight:2304,128 ssm_g_b.weight:128,4096 ssm_a:1,32 "
                         "ssm_dt.bias:4096 ssm_norm.weight:128");
        layer(i, i == 0 ? "ffn_gate.weight:2304,9216 ffn_up.weight:2304,9216 ffn_down.weight:9216,2304"
                        : "ffn_gate_inp.weight:2304,256 exp_probs_b.bias:256 ffn_gate_exps.weight:2304,1024,256 "
                          "ffn_up_exps.weight:2304,1024,256 ffn_down_exps.weight:1024,2304,256 "
                          "ffn_gate_shexp.weight:2304,1024 ffn_up_shexp.weight:2304,1024 "
                          "ffn_down_shexp.weight:1024,2304");
        layer(i, "attn_norm.weight:2304 ffn_norm.weight:2304");
    }
    list("attention.head_count_kv", kv, 27);
    tensors("", "token_embd.weight:2304,163840 output_norm.weight:2304 output.weight:2304,163840");
    roof_model_file_free(check(49122675072.0 + 26 * 256));
}

/* LiquidAI/LFM2-1.2B: its last norm is named token_embd_norm */
static void lfm2(void **state) {
    (void)state;
    uint32_t kv[16];
    begin("lfm2");
    keys("block_count=16 embedding_length=2048 feed_forward_length=8192 attention.head_count=32 vocab_size=65536 "
         "shortconv.l_cache=3");
    for (unsigned i = 0; i < 16; i++) {
        kv[i] = strchr("cehjln", 'c' + (int)i - 2) ? 8 : 0; /* 2, 4, 7, 9, 11, 13 */
        layer(i, kv[i] ? "attn_q.weight:2048,2048 attn_k.weight:2048,512 attn_v.weight:2048,512 "
                         "attn_output.weight:2048,2048 attn_q_norm.weight:64 attn_k_norm.weight:64"
                       : "shortconv.conv.weight:3,2048 shortconv.in_proj.weight:2048,6144 "
                         "shortconv.out_proj.weight:2048,2048");
        layer(i, "attn_norm.weight:2048 ffn_norm.weight:2048 ffn_gate.weight:2048,8192 ffn_up.weight:2048,8192 "
                 "ffn_down.weight:8192,2048");
    }
    list("attention.head_count_kv", kv, 16);
    tensors("", "token_embd.weight:2048,65536 token_embd_norm.weight:2048");
    roof_model_file *file = check(1170340608);
    assert_int_equal(roof_model_file_model(file)->norm, ROOF_NORM_RMS);
    roof_model_file_free(file);
}

/* The first layer is dense; counted by hand. */
static void lfm2_moe(void **state) {
    (void)state;
    static const uint32_t kv[] = {0, 2, 0};
    enum { H = 256, CONV = 3 * H + 4 * H * H, ATT = 2 * H * H + 2 * H * 128 + 128, EXPERTS = 4 * H + 4 + 12 * H * 64 };
    begin("lfm2moe");
    keys("block_count=3 embedding_length=256 feed_forward_length=512 attention.head_count=4 shortconv.l_cache=3 "
         "leading_dense_block_count=1 expert_count=4 expert_used_count=2 expert_feed_forward_length=64 "
         "expert_gating_func=2");
    list("attention.head_count_kv", kv, 3);
    for (unsigned i = 0; i < 3; i++) {
        layer(i, kv[i] ? "attn_q.weight:256,256 attn_k.weight:256,128 attn_v.weight:256,128 "
                         "attn_output.weight:256,256 attn_q_norm.weight:64 attn_k_norm.weight:64"
                       : "shortconv.conv.weight:3,256 shortconv.in_proj.weight:256,768 "
                         "shortconv.out_proj.weight:256,256");
        layer(i, i == 0 ? "ffn_gate.weight:256,512 ffn_up.weight:256,512 ffn_down.weight:512,256"
                        : "ffn_gate_inp.weight:256,4 exp_probs_b.bias:4 ffn_gate_exps.weight:256,64,4 "
                          "ffn_up_exps.weight:256,64,4 ffn_down_exps.weight:64,256,4");
        layer(i, "attn_norm.weight:256 ffn_norm.weight:256");
    }
    tensors("", "token_embd.weight:256,100 token_embd_norm.weight:256");
    roof_model_file_free(check(2 * CONV + ATT + 3 * H * 512 + 2 * EXPERTS + 3 * 2 * H + 100 * H + H));
}

#define BERT_KEYS                                                                                                      \
    "block_count=24 embedding_length=1024 feed_forward_length=4096 attention.head_count=16 context_length=512 "        \
    "attention.causal=0"

/* google-bert/bert-large-uncased: 335 141 888 with its pooler, which the converter leaves out */
static void bert(void **state) {
    (void)state;
    begin("bert");
    keys(BERT_KEYS);
    for (unsigned i = 0; i < 24; i++)
        layer(i, "attn_q.weight:1024,1024 attn_q.bias:1024 attn_k.weight:1024,1024 attn_k.bias:1024 "
                 "attn_v.weight:1024,1024 attn_v.bias:1024 attn_output.weight:1024,1024 attn_output.bias:1024 "
                 "attn_output_norm.weight:1024 attn_output_norm.bias:1024 ffn_up.weight:1024,4096 ffn_up.bias:4096 "
                 "ffn_down.weight:4096,1024 ffn_down.bias:1024 layer_output_norm.weight:1024 "
                 "layer_output_norm.bias:1024");
    tensors("", "token_embd.weight:1024,30522 position_embd.weight:1024,512 token_types.weight:1024,2 "
                "token_embd_norm.weight:1024 token_embd_norm.bias:1024");
    roof_model_file *file = check(335141888.0 - 1024 * 1024 - 1024);
    const roof_model *model = roof_model_file_model(file);
    assert_true(model->bidirectional && model->headless);
    assert_exact(model->positions, 512);
    assert_exact(model->token_types, 2);
    roof_model_file_free(file);
}

/* A vocabulary file alone, as ggml-vocab-bert-bge.gguf is. */
static void bert_without_tensors(void **state) {
    (void)state;
    begin("bert");
    keys(BERT_KEYS);
    put_u32(&writer, "tokenizer.ggml.token_type_count", 2);
    put_tokens(&writer, 300);
    roof_model_file *file = read_header();
    assert_true(parameters_of(file).bytes_unknown);
    assert_exact(roof_model_file_model(file)->vocab, 300);
    roof_model_file_free(file);
}

/* nomic-ai/nomic-embed-text-v1.5: 136 731 648, the total of its safetensors file */
static void nomic_bert(void **state) {
    (void)state;
    begin("nomic-bert");
    keys("block_count=12 embedding_length=768 feed_forward_length=3072 attention.head_count=12 context_length=2048 "
         "attention.causal=0 pooling_type=1");
    for (unsigned i = 0; i < 12; i++)
        layer(i, "attn_qkv.weight:768,2304 attn_output.weight:768,768 attn_output_norm.weight:768 "
                 "attn_output_norm.bias:768 ffn_up.weight:768,3072 ffn_gate.weight:768,3072 ffn_down.weight:3072,768 "
                 "layer_output_norm.weight:768 layer_output_norm.bias:768");
    tensors("", "token_embd.weight:768,30528 token_types.weight:768,2 token_embd_norm.weight:768 "
                "token_embd_norm.bias:768");
    roof_model_file_free(check(136731648));
}

#define T5_ATTENTION(name)                                                                                             \
    name "q.weight:512,512 " name "k.weight:512,512 " name "v.weight:512,512 " name "o.weight:512,512 "

static void write_t5(void) {
    begin("t5");
    keys("block_count=6 decoder_block_count=6 embedding_length=512 feed_forward_length=2048 attention.head_count=8 "
         "attention.key_length=64 attention.value_length=64 attention.relative_buckets_count=32 context_length=512 "
         "decoder_start_token_id=0");
    for (unsigned i = 0; i < 6; i++) {
        char prefix[32];
        static const char block[] = T5_ATTENTION("attn_") "attn_norm.weight:512 ffn_norm.weight:512 "
                                                          "ffn_up.weight:512,2048 ffn_down.weight:2048,512";
        snprintf(prefix, sizeof prefix, "enc.blk.%u.", i);
        tensors(prefix, block);
        tensors(prefix, i == 0 ? "attn_rel_b.weight:8,32" : "");
        snprintf(prefix, sizeof prefix, "dec.blk.%u.", i);
        tensors(prefix, block);
        tensors(prefix, T5_ATTENTION("cross_attn_") "cross_attn_norm.weight:512");
        tensors(prefix, i == 0 ? "attn_rel_b.weight:8,32" : "");
    }
    tensors("", "token_embd.weight:512,32128 enc.output_norm.weight:512 dec.output_norm.weight:512");
}

/* google-t5/t5-small: block_count is that of the encoder */
static void t5(void **state) {
    (void)state;
    write_t5();
    roof_model_file *file = check(60506624);
    const roof_model *model = roof_model_file_model(file);
    assert_non_null(model->encoder);
    assert_exact(model->encoder->layers[0].count, 6);
    assert_exact(model->encoder->layers[0].format[ROOF_ROLE_UP].bits, 16);
    roof_model_file_free(file);
}

/* Decoders whose class the config reader has: one layer or two, counted by hand. */
static void decoders(void **state) {
    (void)state;
    enum { H = 256, KV = 128, F = 512, V = 100, ATT = 2 * H * H + 2 * H * KV, MLP = 3 * H * F, ENDS = 2 * V * H + H };
    static const char attention[] = "attn_q.weight:256,256 attn_k.weight:256,128 attn_v.weight:256,128 "
                                    "attn_output.weight:256,256 ",
                      qk[] = "attn_q_norm.weight:64 attn_k_norm.weight:64 ",
                      mlp[] = "ffn_gate.weight:256,512 ffn_up.weight:256,512 ffn_down.weight:512,256 ",
                      norms[] = "attn_norm.weight:256 ffn_norm.weight:256 ",
                      experts[] = "ffn_gate_inp.weight:256,4 ffn_gate_exps.weight:256,64,4 "
                                  "ffn_up_exps.weight:256,64,4 ffn_down_exps.weight:64,256,4 "
                                  "ffn_gate_shexp.weight:256,64 ffn_up_shexp.weight:256,64 "
                                  "ffn_down_shexp.weight:64,256 ";
    static const char post[] = "post_attention_norm.weight:256 post_ffw_norm.weight:256 ",
                      second[] = "attn_norm.weight:256 post_attention_norm.weight:256 ",
                      bias[] = "attn_q.bias:256 attn_k.bias:128 attn_v.bias:128 ",
                      plain[] = "ffn_up.weight:256,512 ffn_down.weight:512,256 ", corrected[] = "exp_probs_b.bias:4 ";
    static const char moe[] = "expert_count=4 expert_used_count=2 expert_shared_count=1 expert_feed_forward_length=64 "
                              "expert_shared_feed_forward_length=64 ";
    enum { EXPERTS = 4 * H + 5 * 3 * H * 64 };
    const struct {
        const char *name, *keys, *texts[4];
        double layer;
    } rows[] = {
        {"ernie4_5", "", {attention, mlp, norms}, ATT + MLP + 2 * H},
        {"exaone", "", {attention, mlp, norms}, ATT + MLP + 2 * H},
        {"hunyuan-dense", "", {attention, qk, mlp, norms}, ATT + 128 + MLP + 2 * H},
        {"exaone4", "", {attention, qk, mlp, post}, ATT + 128 + MLP + 2 * H},
        {"seed_oss", "", {attention, bias, mlp, second}, ATT + 512 + MLP + 2 * H},
        {"arcee", "", {attention, plain, norms}, ATT + 2 * H * F + 2 * H},
        {"hunyuan-moe", moe, {attention, qk, experts, norms}, ATT + 128 + EXPERTS + 2 * H},
        {"ernie4_5-moe", moe, {attention, corrected, experts, norms}, ATT + 4 + EXPERTS + 2 * H},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        begin(rows[i].name);
        keys("block_count=2 embedding_length=256 feed_forward_length=512 attention.head_count=4 "
             "attention.head_count_kv=2 attention.key_length=64 attention.value_length=64");
        keys(rows[i].keys);
        for (unsigned l = 0; l < 2; l++)
            for (size_t k = 0; k < 4 && rows[i].texts[k]; k++)
                layer(l, rows[i].texts[k]);
        tensors("", "token_embd.weight:256,100 output_norm.weight:256 output.weight:256,100");
        roof_model_file_free(check(2 * rows[i].layer + ENDS));
    }
}

/* Whether the feed-forward blocks of T5 are gated is in the tensors alone. */
static void t5_without_tensors(void **state) {
    (void)state;
    begin("t5");
    keys("block_count=6 embedding_length=512 feed_forward_length=2048 attention.head_count=8");
    refused(ROOF_EUNSUPPORTED, "without tensors");
}

/* One figure for all layers does not say which of them attend. */
static void layers_not_listed(void **state) {
    (void)state;
    static const char *const names[] = {"jamba", "nemotron_h", "granitehybrid", "kimi-linear", "lfm2moe"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        begin(names[i]);
        keys("block_count=4 embedding_length=64 attention.head_count=4 attention.head_count_kv=2");
        refused(ROOF_EFORMAT, "attention.head_count_kv' has no entry for each of 4 layers");
    }
}

/* What is not known for certain stays refused by name. */
static void still_refused(void **state) {
    (void)state;
    static const char *const names[] = {"rwkv6", "rwkv7", "gemma3n", "jina-bert-v2", "nomic-bert-moe", "t5encoder"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        begin(names[i]);
        keys("block_count=1 embedding_length=64 attention.head_count=1");
        refused(ROOF_EUNSUPPORTED, names[i]);
    }
}

static void no_memory(void **state) {
    (void)state;
    write_t5();
    ALLOC_FAIL_EACH(n, {
        roof_error error = {0};
        roof_model_file *file = try_header(&error);
        if (!file && error.code != ROOF_ENOMEM)
            fail_msg("allocation %zu: '%s'", n, error.what);
        roof_model_file_free(file);
        assert_int_equal(alloc_live(), 0);
    })
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mamba),
        cmocka_unit_test(mamba2),
        cmocka_unit_test(jamba),
        cmocka_unit_test(nemotron_h),
        cmocka_unit_test(nemotron_h_moe),
        cmocka_unit_test(falcon_h1),
        cmocka_unit_test(granite_hybrid),
        cmocka_unit_test(qwen3_next),
        cmocka_unit_test(lfm2),
        cmocka_unit_test(lfm2_moe),
        cmocka_unit_test(bert),
        cmocka_unit_test(nomic_bert),
        cmocka_unit_test(bert_without_tensors),
        cmocka_unit_test(t5),
        cmocka_unit_test(t5_without_tensors),
        cmocka_unit_test(still_refused),
        cmocka_unit_test(qwen35),
        cmocka_unit_test(qwen35_moe),
        cmocka_unit_test(kimi_linear),
        cmocka_unit_test(decoders),
        cmocka_unit_test(granite_dense),
        cmocka_unit_test(layers_not_listed),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
