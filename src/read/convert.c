/* A model in another dtype: what one statement of a dtype makes of a file. Quantised weights stay as they are. */
#include "read/config/config.h"

/* Floats of 16 bits or more, one by one: neither scales nor a scheme that is not known. */
static bool is_plain(const roof_format *format) {
    double bits = roof_dtype_bits(format->dtype);
    bool is_float = format->dtype >= ROOF_F64 && format->dtype <= ROOF_BF16;
    return !format->unknown && is_float && format->bits == bits && !(format->scale_bits > 0) &&
           !(format->zero_bits > 0);
}

static void convert_format(roof_format *format, roof_dtype dtype) {
    if (is_plain(format))
        *format = roof_format_plain(dtype);
}

/* Formats without a dtype are those of `stored`: they follow it. */
static void convert(roof_model *model, roof_dtype dtype) {
    if (!model)
        return;
    roof_layer *layers = (roof_layer *)(void *)model->layers; /* in the file's own memory */
    model->stored = dtype;
    convert_format(&model->embedding, dtype);
    convert_format(&model->head, dtype);
    for (size_t i = 0; i < model->layer_count; i++)
        for (int role = 0; role < ROOF_ROLE_COUNT; role++)
            convert_format(&layers[i].format[role], dtype);
}

/* What the file does not say is said now. */
static void drop_assumption(roof_model_file *file) {
    size_t index = 1;
    for (struct text_item **at = &file->warnings.first; *at; at = &(*at)->next, index++) {
        if (index != file->assumed_dtype)
            continue;
        if (file->warnings.last == &(*at)->next)
            file->warnings.last = at;
        *at = (*at)->next;
        file->warnings.count--;
        file->assumed_dtype = 0;
        return;
    }
}

int roof_model_file_convert(roof_model_file *file, roof_dtype dtype, roof_error *error) {
    if (dtype < ROOF_F64 || dtype > ROOF_BF16 || dtype == ROOF_TF32)
        return roof_fail(error, ROOF_EARGUMENT,
                         "a model cannot be stored in %s: f64, f32, f16 and bf16 are floats that "
                         "every weight has a value in",
                         roof_dtype_name(dtype));
    convert(&file->model, dtype);
    convert((roof_model *)(void *)file->model.encoder, dtype);
    convert((roof_model *)(void *)file->model.vision, dtype);
    drop_assumption(file);
    return 0;
}
