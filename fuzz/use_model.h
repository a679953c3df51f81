/* Whatever was read must also be countable and judged without a crash. */
#ifndef ROOFLINE_FUZZ_USE_MODEL_H
#define ROOFLINE_FUZZ_USE_MODEL_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "roofline.h"
#include "roofline_read.h"

static inline void use_model(const roof_model_file *file) {
    const roof_model *model = roof_model_file_model(file);
    roof_plan plan = {0};
    roof_plan_complete(model, &plan);
    roof_parameters p = roof_model_parameters(model, &plan);
    double layers = 0;
    for (size_t i = 0; i < model->layer_count; i++)
        layers += model->layers[i].count;
    if (!(p.total >= p.active) || !(p.active >= 0) || layers != roof_model_layers(model))
        abort();
    size_t length = 0;
    for (size_t i = 0; i < roof_model_file_warnings(file); i++)
        length += strlen(roof_model_file_warning(file, i));
    for (size_t i = 0; i < roof_model_file_notes(file); i++)
        length += strlen(roof_model_file_note(file, i));
    for (size_t i = 0; model->order && i < (size_t)layers; i++)
        if (model->order[i] >= model->layer_count)
            abort();
    roof_operation operations[64];
    length += roof_model_operations(model, &plan, ROOF_PHASE_DECODE, operations, 64);
    length += roof_model_operations(model, &plan, ROOF_PHASE_PREFILL, operations, 64);
    if (length > SIZE_MAX / 2)
        abort();
}

#endif
