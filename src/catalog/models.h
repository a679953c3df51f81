/* Private: the tables of named models, one file a group of vendors. */
#ifndef ROOFLINE_CATALOG_MODELS_H
#define ROOFLINE_CATALOG_MODELS_H

#include "roofline.h"

/* JSON written as JSON: the text of the arguments between braces. */
#define CONFIG(...) "{" #__VA_ARGS__ "}"

extern const roof_named_model llama_models[], mistral_models[], qwen_models[], google_models[], china_models[],
    open_models[], hybrid_models[], encoder_models[], recent_models[];
extern const size_t llama_model_count, mistral_model_count, qwen_model_count, google_model_count, china_model_count,
    open_model_count, hybrid_model_count, encoder_model_count, recent_model_count;

#endif
