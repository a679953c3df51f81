/* libFuzzer target of the config.json reader. An input is a config and, after a line "---", the quantisation file
 * beside it. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "roofline.h"
#include "roofline_read.h"
#include "use_model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t separator(const char *text, size_t size) {
    for (size_t i = 0; i + 5 <= size; i++)
        if (memcmp(text + i, "\n---\n", 5) == 0)
            return i;
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    size_t end = separator(text, size), quant = end + 5 < size ? end + 5 : size;
    roof_error error = {0};
    roof_model_file *file = roof_read_config(text, end, text + quant, size - quant, &error);
    if (file)
        use_model(file);
    else if (!error.what[0] || error.offset > (long)size)
        abort();
    roof_model_file_free(file);
    return 0;
}
