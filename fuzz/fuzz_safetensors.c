/* libFuzzer target of the safetensors reader: a file of tensors, or the index of a checkpoint; what is read of the
 * first kind is held against a model. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "read/checkpoint/compare.h"
#include "roofline_read.h"
#include "use_model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char config[] =
    "{\"model_type\":\"llama\",\"hidden_size\":8,\"num_hidden_layers\":2,\"num_attention_heads\":2,\"vocab_size\":16,"
    "\"intermediate_size\":12,\"torch_dtype\":\"bfloat16\"}";

static void compare(const checkpoint *c) {
    roof_error error = {0};
    roof_model_file *file = roof_read_config(config, sizeof config - 1, NULL, 0, &error);
    reader r = {.file = file, .error = &error};
    if (!file || compare_model(&r, c) != 0)
        abort();
    use_model(file);
    roof_model_file_free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static source s;
    arena memory = {0};
    roof_error error = {0};
    checkpoint c = {0};
    roof_weights sum;
    source_memory(&s, data, size);
    weights_begin(&c.set, &memory);
    if (size > 0 && data[0] == '{') {
        if (index_read(&s, &memory, &c.index, &error) < 0 && !error.what[0])
            abort();
        compare(&c);
    } else if (weights_read(&c.set, &s, &error) != 0 || weights_sort(&c.set, &error) != 0) {
        if (!error.what[0] || error.offset > (long)size)
            abort();
    } else {
        weights_count(&c.set);
        weights_sum(&c.set, &sum);
        if (!(sum.parameters >= 0) || sum.tensors != (double)c.set.count)
            abort();
        compare(&c);
    }
    arena_free(&memory);
    return 0;
}
