/* libFuzzer target of the GGUF reader: bytes in memory, as one file. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "read/gguf/gguf.h"
#include "roofline_read.h"
#include "use_model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static source s;
    roof_error error = {0};
    source_memory(&s, data, size);
    roof_model_file *file = gguf_read_model(&s, NULL, &error);
    if (file)
        use_model(file);
    else if (!error.what[0] || error.offset > (long)size)
        abort();
    roof_model_file_free(file);
    arena memory = {0};
    roof_weights sum;
    if (gguf_sum(&s, NULL, &memory, &sum, NULL) == 0 && (!(sum.bytes >= 0) || sum.largest_count > ROOF_WEIGHTS_LARGEST))
        abort();
    arena_free(&memory);
    return 0;
}
