/* Which machine and which model of the catalogue a row means. A smaller cut of a catalogued part keeps its memory, and
 * of its peaks the share of its units. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "roofline_read.h"
#include "validation/score.h"

typedef struct alias {
    const char *name, *id;
} alias;

/* `cores` of `of`: the units a smaller cut of the catalogued part has left. */
typedef struct machine_alias {
    const char *name, *id;
    double cores, of;
} machine_alias;

static const machine_alias machine_names[] = {
    {"A100-SXM4-80GB", "a100-sxm-80", 1, 1},
    {"A100-SXM-80GB", "a100-sxm-80", 1, 1},
    {"A100-SXM-80GB@330W", "a100-sxm-80", 1, 1},
    {"A100 SXM 80GB", "a100-sxm-80", 1, 1},
    {"A100 SXM4 80GB", "a100-sxm-80", 1, 1},
    {"A100 SXM4 40GB", "a100-sxm-40", 1, 1},
    {"A100 PCIe 80GB", "a100-pcie-80", 1, 1},
    {"A100 PCIe 40GB", "a100-pcie-40", 1, 1},
    {"A30", "a30", 1, 1},
    {"A10", "a10", 1, 1},
    {"A40", "a40", 1, 1},
    {"A40 48GB", "a40", 1, 1},
    {"Tesla T4", "t4", 1, 1},
    {"L4", "l4", 1, 1},
    {"L40", "l40", 1, 1},
    {"L40S", "l40s", 1, 1},
    {"L40S 48GB", "l40s", 1, 1},
    {"H100-SXM-80GB", "h100-sxm", 1, 1},
    {"H100-SXM", "h100-sxm", 1, 1},
    {"H800", "h800-sxm", 1, 1},
    {"H100 SXM5 80GB HBM3", "h100-sxm", 1, 1},
    {"H100 PCIe 80GB", "h100-pcie", 1, 1},
    {"H100-PCIe", "h100-pcie", 1, 1},
    {"H100 PCIe 80GB HBM2e", "h100-pcie", 1, 1},
    {"H100 NVL", "h100-nvl", 1, 1},
    {"H200-SXM-141GB", "h200-sxm", 1, 1},
    {"H200 SXM5 141GB", "h200-sxm", 1, 1},
    {"H200 NVL", "h200-nvl", 1, 1},
    {"GH200 94GB GPU", "gh200-96", 1, 1},
    {"h100_sxm", "h100-sxm", 1, 1},
    {"h200_sxm", "h200-sxm", 1, 1},
    {"H200-SXM (slurm partition h200 in the same folder)", "h200-sxm", 1, 1},
    {"MI300X", "mi300x", 1, 1},
    {"GH200-96GB(480GB host)", "gh200-96", 1, 1},
    {"RTX 4090", "rtx-4090", 1, 1},
    {"RTX 3090 Ti", "rtx-3090-ti", 1, 1},
    {"RTX 3060 12GB", "rtx-3060-12g", 1, 1},
    {"RTX 4060 Ti 8GB", "rtx-4060-ti-16g", 1, 1},
    {"A10G", "a10g", 1, 1},
    {"Jetson Orin", "jetson-agx-orin-64", 1, 1},
    {"RX 7900 XTX", "rx-7900-xtx", 1, 1},
    {"Apple M1 Pro (14-core GPU)", "m1-pro", 14, 16},
    {"Apple M3 Pro (18-core GPU)", "m3-pro", 1, 1},
    {"GH200 Neoverse-V2 CPU", "grace", 1, 1},
    {"3090 24GB", "rtx-3090", 1, 1},
    {"GeForce RTX 3090", "rtx-3090", 1, 1},
    {"GeForce RTX 3090 Ti", "rtx-3090-ti", 1, 1},
    {"GeForce RTX 3060", "rtx-3060-12g", 1, 1},
    {"4080 16GB", "rtx-4080", 1, 1},
    {"GeForce RTX 4080", "rtx-4080", 1, 1},
    {"4090 24GB", "rtx-4090", 1, 1},
    {"GeForce RTX 4090", "rtx-4090", 1, 1},
    {"GeForce RTX 4070", "rtx-4070", 1, 1},
    {"GeForce RTX 4070 Super", "rtx-4070-super", 1, 1},
    {"RTX A6000 48GB", "rtx-a6000", 1, 1},
    {"RTX A6000", "rtx-a6000", 1, 1},
    {"RTX 6000 Ada 48GB", "rtx-6000-ada", 1, 1},
    {"RTX 6000 Ada", "rtx-6000-ada", 1, 1},
    {"Instinct MI300X", "mi300x", 1, 1},
    {"Instinct MI210", "mi210", 1, 1},
    {"Instinct MI100", "mi100", 1, 1},
    {"Instinct MI250 (1 GCD)", "mi250x-gcd", 104, 110},
    {"MI250X-1GCD", "mi250x-gcd", 1, 1},
    {"Radeon RX 7900 XTX", "rx-7900-xtx", 1, 1},
    {"Radeon 8060S (Ryzen AI Max+ 395)", "ryzen-ai-max-395", 1, 1},
    {"Radeon 8060S (Max+ 395)", "ryzen-ai-max-395", 1, 1},
    {"Arc A770 LE", "arc-a770", 1, 1},
    {"Arc A770", "arc-a770", 1, 1},
    {"Xeon Platinum 8380", "xeon-8380", 1, 1},
    {"M1 GPU 8CU 16GB", "m1", 1, 1},
    {"M1 7-Core GPU 8GB", "m1", 7, 8},
    {"Apple M1 (7-core GPU, 16GB, MacBook Air)", "m1", 7, 8},
    {"M1 Pro GPU 16CU 16GB", "m1-pro", 1, 1},
    {"M1 Max GPU 24CU 32GB", "m1-max", 24, 32},
    {"M1 Max 32-Core GPU 64GB", "m1-max", 1, 1},
    {"M1 Ultra GPU 64CU 128GB", "m1-ultra", 1, 1},
    {"M2 Pro GPU 19CU 16GB", "m2-pro", 1, 1},
    {"M2 Max GPU 38CU 32GB", "m2-max", 1, 1},
    {"Apple M2 Max (30-core GPU, 32GB, MacBook Pro)", "m2-max", 30, 38},
    {"M2 Ultra GPU 76CU 192GB", "m2-ultra", 1, 1},
    {"M2 Ultra 76-Core GPU 192GB", "m2-ultra", 1, 1},
    {"M3 Max 40-Core GPU 64GB", "m3-max-40", 1, 1},
    {"M3 Ultra GPU 60CU 99GB", "m3-ultra", 60, 80},
};

/* Fine-tunes have the architecture of their base; ids the catalogue does not have (yet) count as unknown models. */
static const alias model_names[] = {
    {"GPT-J-6B", "gpt-j-6b"},
    {"LLaMA-2-7B", "llama-2-7b"},
    {"LLaMA-2-70B", "llama-2-70b"},
    {"llama2-7b", "llama-2-7b"},
    {"llama2-70b", "llama-2-70b"},
    {"Llama-2-7B", "llama-2-7b"},
    {"Llama-2-70B", "llama-2-70b"},
    {"llama-2-7b.Q4_0", "llama-2-7b"},
    {"Llama-3-8B", "llama-3-8b"},
    {"Llama-3-70B", "llama-3-70b"},
    {"Llama-3.1-8B", "llama-3.1-8b"},
    {"Llama 3.1 8B Instruct", "llama-3.1-8b"},
    {"Llama-3.1-70B", "llama-3.1-70b"},
    {"Llama-3.3-70B", "llama-3.3-70b"},
    {"meta-llama/Llama-3.1-70B", "llama-3.1-70b"},
    {"meta-llama/Llama-3.1-8B-Instruct", "llama-3.1-8b"},
    {"nvidia/Llama-3.1-8B-Instruct-FP8", "llama-3.1-8b"},
    {"Qwen/Qwen3-32B", "qwen3-32b"},
    {"openai/gpt-oss-120b", "gpt-oss-120b"},
    {"deepseek-ai/DeepSeek-R1", "deepseek-r1"},
    {"deepseek-ai/DeepSeek-V3", "deepseek-v3"},
    {"Vicuna-7B", "llama-2-7b"},
    {"Llama-7B", "llama-7b"},
    {"TinyLlama-1.1B", "tinyllama-1.1b"},
    {"Llama 3.2 1B Instruct", "llama-3.2-1b"},
    {"Llama 3.2 3B Instruct", "llama-3.2-3b"},
    {"Mixtral-8x7B", "mixtral-8x7b"},
    {"DeepSeek R1 Distill 7B", "qwen2.5-7b"},
    {"DeepSeek R1 Distill 14B", "qwen2.5-14b"},
    {"DeepSeek R1 Distill 32B", "qwen2.5-32b"},
    {"Qwen 2.5 Coder 7B", "qwen2.5-7b"},
    {"Qwen 2.5 Coder 14B", "qwen2.5-14b"},
    {"Qwen 2.5 Coder 32B", "qwen2.5-32b"},
    {"QwQ 32B", "qwen2.5-32b"},
    {"Phi 4 Mini 3.8B", "phi-4-mini"},
    {"Phi 4 Mini Reasoning 3.8B", "phi-4-mini"},
    {"Phi 4 14B", "phi-4"},
    {"Phi 4 Reasoning Plus 14B", "phi-4"},
    {"Qwen 3 0.6B", "qwen3-0.6b"},
    {"Qwen3-0.6B-4bit", "qwen3-0.6b"},
    {"Qwen 3 1.7B", "qwen3-1.7b"},
    {"Qwen 3 4B", "qwen3-4b"},
    {"Qwen 3 8B", "qwen3-8b"},
    {"Qwen3-8B-4bit", "qwen3-8b"},
    {"Qwen 3 14B", "qwen3-14b"},
    {"Qwen 3 32B", "qwen3-32b"},
    {"Qwen 3 30B-A3B MoE", "qwen3-30b-a3b"},
    {"Qwen3-Coder-30B-A3B-Instruct-4bit", "qwen3-30b-a3b"},
    {"gpt-oss-20b-mxfp4", "gpt-oss-20b"},
    {"gpt-oss-120b-mxfp4", "gpt-oss-120b"},
    {"Qwen 3.5 4B", "qwen3.5-4b"},
    {"Qwen3.5-4B-4bit", "qwen3.5-4b"},
    {"Qwen 3.5 9B", "qwen3.5-9b"},
    {"Qwen 3.5 27B", "qwen3.5-27b"},
    {"Qwen 3.5 35B-A3B MoE", "qwen3.5-35b-a3b"},
    {"Qwen3.6-35B-A3B", "qwen3.5-35b-a3b"}, /* same architecture, so Transformers' page of qwen3_5_moe */
    {"Qwen3.5-122B-A10B", "qwen3.5-122b-a10b"},
    {"Gemma 4 E2B", "gemma-4-e2b"},
    {"Gemma 4 E4B", "gemma-4-e4b"},
    {"Gemma 4 31B", "gemma-4-31b"},
    {"Gemma 4 26B-A4B MoE", "gemma-4-26b-a4b"},
    {"gemma-4-26B-A4B-it", "gemma-4-26b-a4b"},
    {"GLM-4.7-Flash", "glm-4.7-flash-30b"},
    {"DeepSeek-V4-Flash", "deepseek-v4-flash"}, /* a later checkpoint */
    {"Ministral-3-14B-Instruct-2512", "ministral-3-14b"},
};

enum { NAME_COUNT = sizeof machine_names / sizeof machine_names[0], MODEL_MAX = 64, GPT_MAX = 16 };

typedef struct loaded_model {
    const char *id;
    roof_model_file *file;
} loaded_model;

/* What was looked up before. A test tool of one thread may keep it here. */
static struct {
    bool tried[NAME_COUNT], found[NAME_COUNT];
    roof_machine machines[NAME_COUNT];
    loaded_model models[MODEL_MAX];
    size_t model_count;
    char gpt_notes[GPT_MAX][160];
    roof_model gpts[GPT_MAX];
    roof_layer gpt_layers[GPT_MAX];
    size_t gpt_count;
} known;

/* The files write hyphens in three ways; compare without blanks and punctuation, apart from what tells names apart. */
static bool same_name(const char *a, const char *b) {
    for (;;) {
        while (*a == ' ' || *a == '-' || (unsigned char)*a >= 0x80)
            a++;
        while (*b == ' ' || *b == '-')
            b++;
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return false;
        if (!*a)
            return true;
        a++;
        b++;
    }
}

static void scale(roof_figure *figure, double factor) {
    figure->value *= factor;
}

static void keep_cores(roof_machine *machine, double share) {
    for (int i = 0; i < ROOF_DTYPE_COUNT; i++) {
        for (int unit = 0; unit < ROOF_UNIT_COUNT; unit++)
            scale(&machine->peak[unit][i], share);
        scale(&machine->narrow[i], share);
        scale(&machine->sparse[i], share);
    }
}

/* Devices joined by nothing but the host's bus talk over that. */
static bool load_machine(const machine_alias *name, roof_machine *out) {
    if (roof_machine_find(name->id, out, NULL, 0, NULL))
        return false;
    if (out->link.origin == ROOF_ORIGIN_UNKNOWN)
        out->link = out->host_link;
    keep_cores(out, name->cores / name->of);
    return true;
}

const roof_machine *known_machine(const char *device, score_row *row) {
    for (size_t i = 0; i < NAME_COUNT; i++) {
        if (!same_name(device, machine_names[i].name))
            continue;
        if (!known.tried[i]) {
            known.tried[i] = true;
            known.found[i] = load_machine(&machine_names[i], &known.machines[i]);
        }
        if (known.found[i])
            return &known.machines[i];
    }
    leave_out(row, "machine not in the catalogue: %s", device);
    return NULL;
}

static const roof_model *load_model(const char *id) {
    for (size_t i = 0; i < known.model_count; i++)
        if (strcmp(known.models[i].id, id) == 0)
            return known.models[i].file ? roof_model_file_model(known.models[i].file) : NULL;
    if (known.model_count == MODEL_MAX)
        return NULL;
    loaded_model *model = &known.models[known.model_count++];
    const roof_named_model *named = roof_named_model_find(id, NULL);
    *model = (loaded_model){.id = id};
    if (named)
        model->file = roof_read_config(named->config, strlen(named->config), NULL, 0, NULL);
    return model->file ? roof_model_file_model(model->file) : NULL;
}

/* A quantised file may carry its scheme behind the name: "gpt-x-UD-Q4_K_XL". */
static bool begins_with(const char *name, const char *beginning) {
    size_t length = strlen(beginning);
    return strncmp(name, beginning, length) == 0 && (strncmp(name + length, "-UD-", 4) == 0 || name[length] == '-');
}

const roof_model *known_model(const char *name, score_row *row) {
    const roof_model *model = NULL;
    for (size_t i = 0; !model && i < sizeof model_names / sizeof model_names[0]; i++)
        if (same_name(name, model_names[i].name) || begins_with(name, model_names[i].name))
            model = load_model(model_names[i].id);
    if (!model)
        leave_out(row, "model not in the catalogue: %s", name);
    return model;
}

double note_number(const char *note, const char *name, double otherwise) {
    size_t length = strlen(name);
    for (const char *at = strstr(note, name); at; at = strstr(at + 1, name))
        if (at[length] == '=' && (at == note || !isalnum((unsigned char)at[-1])))
            return strtod(at + length + 1, NULL);
    return otherwise;
}

const roof_model *known_gpt(const char *note, score_row *row) {
    size_t length = strcspn(note, " ");
    for (size_t i = 0; i < known.gpt_count; i++)
        if (strlen(known.gpt_notes[i]) == length && strncmp(known.gpt_notes[i], note, length) == 0)
            return &known.gpts[i];
    double heads = note_number(note, "heads", 0), width = note_number(note, "head_dim", 0);
    if (known.gpt_count == GPT_MAX || length >= sizeof known.gpt_notes[0] || !(heads * width > 0)) {
        leave_out(row, "architecture not stated");
        return NULL;
    }
    size_t at = known.gpt_count++;
    memcpy(known.gpt_notes[at], note, length);
    known.gpt_layers[at] = (roof_layer){
        .count = note_number(note, "layers", 0),
        .attention = {.kind = ROOF_ATTENTION_FULL,
                      .heads = heads,
                      .kv_heads = heads,
                      .head_width = width,
                      .qkv_bias = true,
                      .output_bias = true},
        .mlp = {.kind = ROOF_MLP_DENSE, .bias = true, .width = 4 * heads * width},
        .norms = 2,
    };
    known.gpts[at] = (roof_model){
        .id = "gpt",
        .name = "GPT",
        .family = "gpt",
        .hidden = heads * width,
        .vocab = note_number(note, "vocab", 0),
        .embedding_width = heads * width,
        .positions = 2048,
        .tied = true,
        .norm = ROOF_NORM_LAYER,
        .extra_norms = 1,
        .layers = &known.gpt_layers[at],
        .layer_count = 1,
        .stored = ROOF_F16,
    };
    return &known.gpts[at];
}

void known_free(void) {
    for (size_t i = 0; i < known.model_count; i++)
        roof_model_file_free(known.models[i].file);
    known.model_count = known.gpt_count = 0;
}
