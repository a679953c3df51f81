/* libFuzzer target of the config.json reader. An input is a config and, after a line "---", the quantisation file
 * beside it. Whatever is read must also be countable and judged without a crash. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "roofline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t separator(const char *text, size_t size) {
    for (size_t i = 0; i + 5 <= size; i++)
        if (memcmp(text + i, "\n---\n", 5) == 0)
            return i;
    return size;
}

static void use(const roof_model_file *file) {
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
    length += roof_model_operations(model, &plan, ROOF_DECODE, operations, 64);
    length += roof_model_operations(model, &plan, ROOF_PREFILL, operations, 64);
    if (length > SIZE_MAX / 2)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    size_t end = separator(text, size), quant = end + 5 < size ? end + 5 : size;
    roof_error error = {0};
    roof_model_file *file = roof_read_config(text, end, text + quant, size - quant, &error);
    if (file)
        use(file);
    else if (!error.what[0] || error.offset > (long)size)
        abort();
    roof_model_file_free(file);
    return 0;
}
