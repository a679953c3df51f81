/* Files that are no config.json and say the same: recognised by the keys they have. */
#include <stdio.h>
#include <string.h>

#include "read/config/config.h"

static const schema schemas[] = {
    {.label = "the schema of params.json (Llama, Mistral, executorch)",
     .marks = "dim n_layers n_heads",
     .absent = "model_type architectures",
     .types = "params"},
    {.label = "the schema of mamba_ssm",
     .marks = "d_model n_layer ssm_cfg vocab_size",
     .absent = "model_type architectures",
     .types = "mamba_ssm"},
    {.label = "the schema of llm-analysis",
     .marks = "hidden_dim num_layers n_head ffn_embed_dim",
     .absent = "hidden_size dim",
     .types = "llama",
     .keys = {{FIELD_HIDDEN, "hidden_dim"},
              {FIELD_FFN, "ffn_embed_dim"},
              {FIELD_LAYERS, "num_layers"},
              {FIELD_HEADS, "n_head"}}},
};

/* How many of the words are keys of the object, and how many words there are. */
static size_t present(const json_node *root, const char *words, size_t *total) {
    size_t found = 0;
    *total = 0;
    for (const char *at = words; *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        char word[32];
        snprintf(word, sizeof word, "%.*s", (int)n, at);
        found += json_get(root, word) != NULL;
        ++*total;
        at += n;
    }
    return found;
}

const schema *schema_find(const json_node *root) {
    for (size_t i = 0; i < sizeof schemas / sizeof schemas[0]; i++) {
        size_t words, ignored;
        size_t found = present(root, schemas[i].marks, &words);
        if (found == words && present(root, schemas[i].absent, &ignored) == 0)
            return &schemas[i];
    }
    return NULL;
}
