/* Every named model reads without a warning, and its count is the published one. Exact counts: model cards and
 * checkpoint headers ("total params" of the safetensors files), keras-hub *_presets.py, transformers issue threads, and
 * the class in transformers instantiated from the same config (docs/oracle.md); rounded ones: model cards and technical
 * reports. Tolerance 0 asks for the exact count. */
#include <stdlib.h>

#include "read/config/configs.h"
#include "roofline_read.h"

/* JSON as macro arguments, tables */
/* clang-format off */

typedef struct published { const char *id; double total, active, tolerance; } published;

static const published table[] = {
    {"llama-2-7b", 6738415616, 0, 0}, {"llama-2-13b", 13015864320, 0, 0}, {"llama-2-70b", 68976648192, 0, 0},
    {"llama-3-8b", 8030261248, 0, 0}, {"llama-3-70b", 70553706496, 0, 0}, {"llama-3.1-8b", 8030261248, 0, 0},
    {"llama-3.1-70b", 70553706496, 0, 0}, {"llama-3.1-405b", 405853388800, 0, 0}, {"llama-3.2-1b", 1235814400, 0, 0},
    {"llama-3.2-3b", 3212749824, 0, 0}, {"llama-3.3-70b", 70553706496, 0, 0},
    {"llama-4-scout", 109e9, 17e9, 0.015}, /* the card counts the vision tower too */
    {"llama-4-maverick", 400e9, 17e9, 0.02}, {"codellama-7b", 6738546688, 0, 0}, {"codellama-13b", 13016028160, 0, 0},
    {"codellama-34b", 33743970304, 0, 0}, {"tinyllama-1.1b", 1100048384, 0, 0}, {"yi-6b", 6061035520, 0, 0},
        {"yi-34b", 34388917248, 0, 0},
    {"smollm2-135m", 134515008, 0, 0}, {"smollm2-360m", 361821120, 0, 0}, {"smollm2-1.7b", 1711376384, 0, 0},
    {"mistral-7b-v0.1", 7241732096, 0, 0}, {"mistral-7b", 7248023552, 0, 0}, {"mistral-nemo-12b", 12247782400, 0, 0},
    {"mistral-small-24b", 23572403200, 0, 0}, {"mistral-large-123b", 122610069504, 0, 0}, {"codestral-22b",
        22247282688, 0, 0},
    {"mixtral-8x7b", 46702792704, 12879925248, 0}, {"mixtral-8x22b", 140620634112, 39152031744, 0},
    {"qwen2-7b", 7615616512, 0, 0}, {"qwen2-72b", 72706203648, 0, 0}, {"qwen2.5-0.5b", 494032768, 0, 0},
        {"qwen2.5-1.5b", 1543714304, 0, 0},
    {"qwen2.5-3b", 3085938688, 0, 0}, {"qwen2.5-7b", 7615616512, 0, 0}, {"qwen2.5-14b", 14770033664, 0, 0},
        {"qwen2.5-32b", 32763876352, 0, 0},
    {"qwen2.5-72b", 72706203648, 0, 0}, {"qwen3-0.6b", 596049920, 0, 0}, {"qwen3-1.7b", 1720574976, 0, 0},
        {"qwen3-4b", 4022468096, 0, 0},
    {"qwen3-8b", 8190735360, 0, 0}, {"qwen3-14b", 14768307200, 0, 0}, {"qwen3-32b", 32762123264, 0, 0},
    {"qwen1.5-moe-a2.7b", 14315784192, 2.7e9, 0.01}, {"qwen2-57b-a14b", 57.4e9, 14e9, 0.03}, {"qwen3-30b-a3b",
        30532122624, 3.3e9, 0.02},
    {"qwen3-235b-a22b", 235093634560, 22e9, 0.01}, {"qwen3-coder-480b-a35b", 480154875392, 35e9, 0.015},
    {"gemma-2b", 2506172416, 0, 0}, {"gemma-7b", 8537680896, 0, 0}, {"gemma-2-2b", 2614341888, 0, 0}, {"gemma-2-9b",
        9241705984, 0, 0},
    {"gemma-2-27b", 27227128320, 0, 0}, {"gemma-3-1b", 999885952, 0, 0}, {"gemma-3-4b", 3880099328 + 64 * 2560.0, 0, 0},
    {"gemma-3-12b", 11765788416 + 64 * 3840.0, 0, 0}, {"gemma-3-27b", 27009002240 + 64 * 5376.0, 0, 0},
    {"phi-2", 2779683840, 0, 0}, {"phi-3-mini", 3821079552, 0, 0}, {"phi-3-medium", 13960238080, 0, 0},
        {"phi-3.5-moe", 41.9e9, 6.6e9, 0.01},
    {"phi-4", 14659507200, 0, 0}, {"phi-4-mini", 3836021760, 0, 0}, {"deepseek-llm-67b", 67e9, 0, 0.01},
    {"deepseek-v2-lite", 15706484224, 0, 0}, {"deepseek-v2", 235741434880, 21e9, 0.03}, {"deepseek-v3", 671026419200,
        37552297472, 0},
    {"deepseek-r1", 671026419200, 37552297472, 0}, {"kimi-k2", 1.026e12, 32e9, 0.03}, {"glm-4.5", 355e9, 32e9, 0.06},
    {"glm-4.5-air", 106e9, 12e9, 0.15}, {"glm-4-9b", 9399951360, 0, 0}, {"chatglm3-6b", 6243584000, 0, 0},
        {"minimax-m2", 230e9, 10e9, 0.12},
    {"mimo-7b", 7.6e9, 0, 0.01}, {"baichuan2-7b", 7505973248, 0, 0}, {"baichuan2-13b", 13896668160, 0, 0},
        {"internlm2-7b", 7737708544, 0, 0},
    {"internlm2-20b", 19861149696, 0, 0}, {"minicpm4-8b", 8185253888, 0, 0}, {"gpt-oss-20b", 20914757184, 3.6e9, 0.2},
    {"gpt-oss-120b", 116829156672, 5.1e9, 0.15}, {"gpt2", 124439808, 0, 0}, {"gpt2-medium", 354823168, 0, 0},
        {"gpt2-large", 774030080, 0, 0},
    {"gpt2-xl", 1557611200, 0, 0}, {"gpt-j-6b", 6050882784, 0, 0}, {"gpt-neo-2.7b", 2651307520, 0, 0},
        {"gpt-neox-20b", 20554567680, 0, 0},
    {"pythia-1.4b", 1414647808, 0, 0}, {"pythia-6.9b", 6857302016, 0, 0}, {"pythia-12b", 11846072320, 0, 0},
        {"opt-125m", 125239296, 0, 0},
    {"opt-1.3b", 1315758080, 0, 0}, {"opt-6.7b", 6658473984, 0, 0}, {"opt-13b", 12853473280, 0, 0}, {"opt-30b", 30e9,
        0, 0.01},
    {"opt-66b", 66e9, 0, 0.01}, {"opt-175b", 175e9, 0, 0.01}, {"bloom-7b1", 7069016064, 0, 0}, {"bloom-176b",
        176247271424, 0, 0},
    {"falcon-7b", 6921720704, 0, 0}, {"falcon-40b", 41303293952, 0, 0}, {"falcon-180b", 178557088768, 0, 0},
        {"mpt-7b", 6649286656, 0, 0},
    {"mpt-30b", 30e9, 0, 0.01}, {"starcoder-15b", 15517456384, 0, 0}, {"starcoder2-3b", 3030371328, 0, 0},
        {"starcoder2-7b", 7173923840, 0, 0},
    {"starcoder2-15b", 15957889024, 0, 0}, {"stablelm-2-1.6b", 1644515328, 0, 0}, {"olmo-2-7b", 7298617344, 0, 0},
    {"olmo-2-13b", 13716198400, 0, 0}, {"olmo-2-32b", 32.2e9, 0, 0.01}, {"olmo-3-32b", 32.2e9, 0, 0.01},
        {"olmoe-1b-7b", 6919161856, 1.3e9, 0.02},
    {"granite-3.1-2b", 2533531648, 0, 0}, {"granite-3.1-8b", 8170848256, 0, 0}, {"granite-3.1-1b-a400m", 1334628352,
        0.4e9, 0.08},
    {"command-r-35b", 34980831232, 0, 0}, {"command-r-plus-104b", 103810674688, 0, 0}, {"dbrx-132b", 131596523520,
        36e9, 0.02},
    {"nemotron-4-340b", 340e9, 0, 0.01},
    {"deepseek-v3.2", 671877944064, 37e9, 0.05}, {"deepseek-v4-flash", 284e9, 13e9, 0.07}, {"glm-5", 744e9, 40e9, 0.05},
    {"minicpm3-4b", 4073875968, 0, 0}, {"hunyuan-a13b-80b", 80393183232, 13e9, 0.03}, {"hunyuan-7b", 7504568320, 0, 0},
    {"ernie-4.5-0.3b", 360748032, 0, 0}, {"ernie-4.5-21b-a3b", 21825437888, 3e9, 0.12},
    {"ernie-4.5-300b-a47b", 300e9, 47e9, 0.02}, {"dots-llm1-142b-a14b", 142774381696, 14e9, 0.01},
    {"exaone-3.5-7.8b", 7818448896, 0, 0}, {"exaone-4.0-1.2b", 1279391488, 0, 0}, {"exaone-4.0-32b", 32003216384, 0, 0},
    {"mimo-v2-flash-309b", 309e9, 15e9, 0.03}, {"seed-oss-36b", 36151104512, 0, 0}, {"apertus-8b", 8053338176, 0, 0},
    {"glm-4.7-flash-30b", 30e9, 3e9, 0.3}, {"gemma-4-31b", 30.7e9, 0, 0.001}, {"gemma-4-26b-a4b", 25.2e9, 3.8e9, 0.01},
    {"mamba-130m", 129135360, 0, 0}, {"mamba-2.8b", 2768345600, 0, 0}, {"mamba2-2.7b", 2702599680, 0, 0},
    {"codestral-mamba-7b", 7285403648, 0, 0}, {"falcon-mamba-7b", 7272665088, 0, 0},
    {"jamba-52b", 51570323328, 12e9, 0.01}, {"jamba-1.5-large", 398e9, 94e9, 0.002}, {"nemotron-h-8b", 8.1e9, 0, 0.001},
    {"nemotron-h-56b", 56e9, 0, 0.01}, {"nemotron-3-nano-30b-a3b", 31577940288, 3.5e9, 0.03},
    {"qwen3-next-80b-a3b", 79674391296, 3e9, 0.3}, {"qwen3.5-27b", 27e9, 0, 0.01}, {"qwen3.5-35b-a3b", 35e9, 3e9, 0.16},
    {"kimi-linear-48b-a3b", 48e9, 3e9, 0.2}, {"minimax-m1-456b", 456e9, 45.9e9, 0.06},
    {"granite-4.0-h-small-32b", 32e9, 9e9, 0.03}, {"granite-4.0-h-tiny-7b", 7e9, 0, 0.01}, {"bamba-9b", 9.78e9, 0, 0.001},
    {"falcon-h1-7b", 7.59e9, 0, 0.001}, {"lfm2-350m", 354483968, 0, 0}, {"lfm2-1.2b", 1170340608, 0, 0},
    {"lfm2-8b-a1b", 8.3e9, 1.5e9, 0.05}, {"recurrentgemma-2b", 2682862080, 0, 0}, {"rwkv7-1.5b", 1527404544, 0, 0},
    {"bert-base", 109514298, 0, 0}, {"bert-large", 335174458, 0, 0}, {"roberta-base", 124697433, 0, 0},
    {"roberta-large", 355412057, 0, 0}, {"xlm-roberta-base", 278295186, 0, 0}, {"bge-small", 33360000, 0, 0},
    {"bge-base", 109482240, 0, 0}, {"bge-large", 335141888, 0, 0}, {"bge-m3", 567754752, 0, 0},
    {"all-minilm-l6", 22713216, 0, 0}, {"distilbert", 66985530, 0, 0}, {"nomic-embed-text", 136731648, 0, 0},
    {"gte-base-v1.5", 136776192, 0, 0}, {"modernbert-base", 149655232, 0, 0}, {"modernbert-large", 395881664, 0, 0},
    {"t5-small", 60506624, 0, 0}, {"t5-base", 222903552, 0, 0}, {"t5-large", 737668096, 0, 0}, {"t5-11b", 11307321344, 0, 0},
    {"flan-t5-small", 76961152, 0, 0}, {"flan-t5-base", 247577856, 0, 0}, {"flan-t5-large", 783150080, 0, 0},
    {"flan-t5-xl", 2849757184, 0, 0}, {"flan-t5-xxl", 11135332352, 0, 0}, {"mt5-small", 300176768, 0, 0},
    {"whisper-tiny", 37760640, 0, 0}, {"whisper-base", 72593920, 0, 0}, {"whisper-small", 241734912, 0, 0},
    {"whisper-medium", 763857920, 0, 0}, {"whisper-large-v3", 1543490560, 0, 0},
    {"whisper-large-v3-turbo", 808878080, 0, 0},
};

static const published *published_of(const char *id) {
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i].id, id) == 0)
            return &table[i];
    return NULL;
}

/* Exact totals stand beside rounded active counts: those only have to be near. */
static bool is_rounded(double total) {
    return fmod(total, 1e6) == 0;
}

static void totals_are_the_published_ones(void **state) {
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < roof_named_model_count(); i++) {
        const roof_named_model *named = roof_named_model_at(i);
        const published *want = published_of(named->id);
        roof_error error = {0};
        roof_model_file *file = roof_read_config(named->config, strlen(named->config), NULL, 0, &error);
        if (!want || !file) {
            print_error("%s: %s\n", named->id, want ? error.what : "no published count in the table");
            wrong++;
            continue;
        }
        roof_parameters p = parameters_of(file);
        double tolerance = is_rounded(want->total) ? want->tolerance : 0;
        if (!(fabs(p.total - want->total) <= tolerance * want->total))
            print_error("%s: %.0f, published %.0f\n", named->id, p.total, want->total), wrong++;
        if (want->active > 0 && !(fabs(p.active - want->active) <= want->tolerance * want->active))
            print_error("%s: %.0f active, published %.0f\n", named->id, p.active, want->active), wrong++;
        if (roof_model_file_warnings(file) > 0)
            print_error("%s: warns: %s\n", named->id, roof_model_file_warning(file, 0)), wrong++;
        roof_model_file_free(file);
    }
    assert_int_equal(wrong, 0);
}

static void rows_are_complete(void **state) {
    (void)state;
    assert_true(roof_named_model_count() >= 60);
    assert_null(roof_named_model_at(roof_named_model_count()));
    for (size_t i = 0; i < roof_named_model_count(); i++) {
        const roof_named_model *named = roof_named_model_at(i);
        assert_true(named->id && named->name && named->aliases && named->config && named->source);
        roof_error error;
        assert_ptr_equal(roof_named_model_find(named->id, &error), named);
        char aliases[512], *rest = aliases;
        assert_true(snprintf(aliases, sizeof aliases, "%s", named->aliases) < (int)sizeof aliases);
        for (char *alias; (alias = rest) && *alias;) {
            char *comma = strstr(alias, ", ");
            rest = comma ? comma + 2 : NULL;
            if (comma)
                *comma = '\0';
            if (roof_named_model_find(alias, &error) != named)
                fail_msg("alias '%s' of %s means another model", alias, named->id);
        }
    }
}

static void names_without_a_size(void **state) {
    (void)state;
    roof_error error = {0};
    assert_null(roof_named_model_find("llama-3.1", &error));
    assert_int_equal(error.code, ROOF_ENOTFOUND);
    assert_non_null(strstr(error.what, "more than one size"));
    assert_non_null(strstr(error.hint, "llama-3.1-8b, llama-3.1-70b, llama-3.1-405b"));
    assert_null(roof_named_model_find("Qwen3", &error));
    assert_non_null(strstr(error.hint, "qwen3-0.6b"));
    assert_null(strstr(error.hint, "qwen2"));
    assert_null(roof_named_model_find("llama-3.1-9b", &error));
    assert_non_null(strstr(error.hint, "llama-3.1-8b"));
    assert_string_equal(roof_named_model_find("Meta-Llama/Llama-3.1-8B-Instruct", &error)->id, "llama-3.1-8b");
}

/* A config in which every "torch_dtype" and "dtype" of 16 bits or more is `name`. */
static char *restated(const char *config, const char *name) {
    static const char *const spelt[] = {"dtype\": \"bfloat16\"", "dtype\": \"float16\"", "dtype\": \"float32\""};
    size_t room = strlen(config) * 2 + 64, used = 0;
    char *out = malloc(room);
    assert_non_null(out);
    while (*config) {
        size_t skip = 0;
        for (size_t i = 0; i < sizeof spelt / sizeof *spelt && skip == 0; i++)
            skip = strncmp(config, spelt[i], strlen(spelt[i])) == 0 ? strlen(spelt[i]) : 0;
        if (skip > 0)
            used += (size_t)snprintf(out + used, room - used, "dtype\": \"%s\"", name);
        else
            out[used++] = *config++;
        config += skip;
    }
    out[used] = '\0';
    return out;
}

/* One statement of the dtype converts everything that is not quantised: a model that was converted is the one whose file
 * says that dtype: its stored bytes, its dtype, its warnings. */
static void a_converted_model_is_the_one_that_says_so(void **state) {
    (void)state;
    static const struct {
        roof_dtype dtype;
        const char *name;
    } to[] = {{ROOF_F32, "float32"}, {ROOF_F16, "float16"}, {ROOF_BF16, "bfloat16"}};
    size_t compared = 0;
    for (size_t i = 0; i < roof_named_model_count(); i++) {
        const char *config = roof_named_model_at(i)->config;
        if (!strstr(config, "dtype\""))
            continue;
        for (size_t k = 0; k < sizeof to / sizeof *to; k++) {
            char *other = restated(config, to[k].name);
            roof_model_file *converted = roof_read_config(config, strlen(config), NULL, 0, NULL);
            roof_model_file *stated = roof_read_config(other, strlen(other), NULL, 0, NULL);
            assert_non_null(converted);
            assert_non_null(stated);
            assert_int_equal(roof_model_file_convert(converted, to[k].dtype, NULL), 0);
            const roof_model *a = roof_model_file_model(converted), *b = roof_model_file_model(stated);
            roof_plan plan = {.activations = to[k].dtype, .kv_cache = to[k].dtype}, same = plan;
            roof_plan_complete(a, &plan);
            roof_plan_complete(b, &same);
            if (roof_model_parameters(a, &plan).bytes != roof_model_parameters(b, &same).bytes)
                fail_msg("%s in %s: %.0f bytes, and %.0f where its file says so", roof_named_model_at(i)->id, to[k].name,
                         roof_model_parameters(a, &plan).bytes, roof_model_parameters(b, &same).bytes);
            assert_int_equal(a->stored, b->stored);
            assert_int_equal(roof_model_file_warnings(converted), roof_model_file_warnings(stated));
            roof_model_file_free(converted);
            roof_model_file_free(stated);
            free(other);
            compared++;
        }
    }
    assert_true(compared > 300);
}

static void what_is_no_storage_is_refused(void **state) {
    (void)state;
    roof_error error = {0};
    const char *config = roof_named_model_at(0)->config;
    roof_model_file *file = roof_read_config(config, strlen(config), NULL, 0, NULL);
    for (int dtype = 0; dtype < ROOF_DTYPE_COUNT; dtype++) {
        bool fine = dtype == ROOF_F64 || dtype == ROOF_F32 || dtype == ROOF_F16 || dtype == ROOF_BF16;
        assert_int_equal(roof_model_file_convert(file, (roof_dtype)dtype, &error), fine ? 0 : -1);
    }
    roof_model_file_free(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_converted_model_is_the_one_that_says_so),
        cmocka_unit_test(what_is_no_storage_is_refused),
        cmocka_unit_test(totals_are_the_published_ones), cmocka_unit_test(rows_are_complete),
            cmocka_unit_test(names_without_a_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
