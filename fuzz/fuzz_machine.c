/* libFuzzer target of the machine file reader, measured files included. What it reads must be written and read again.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "roofline_measure.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct text {
    char *bytes;
    size_t length, capacity;
} text;

static int append(void *context, const char *bytes, size_t length) {
    text *out = context;
    if (out->length + length > out->capacity) {
        out->capacity = 2 * (out->length + length);
        out->bytes = realloc(out->bytes, out->capacity);
        if (!out->bytes)
            abort();
    }
    memcpy(out->bytes + out->length, bytes, length);
    out->length += length;
    return 0;
}

static void use(const roof_machine_file *file) {
    text out = {0}, again = {0};
    roof_error error = {0};
    const roof_measurement *measurement = roof_machine_file_measurement(file);
    float sum = 0;
    for (size_t i = 0; measurement && i < measurement->sample_count; i++)
        for (size_t k = 0; k < measurement->samples[i].window_count; k++)
            sum += measurement->samples[i].windows[k];
    for (size_t i = 0; roof_machine_file_warning(file, i); i++)
        sum += (float)strlen(roof_machine_file_warning(file, i));
    volatile float sink = sum;
    (void)sink;
    int result = measurement ? roof_measurement_write(measurement, append, &out)
                             : roof_machine_write(roof_machine_file_machine(file), append, &out);
    roof_machine_file *copy = roof_read_machine(out.bytes, out.length, &error);
    if (result || (!copy && !strstr(error.what, "has no roofs"))) /* of fewer cores than were measured with only */
        abort();
    if (copy && measurement) { /* what was written once is written the same again */
        roof_measurement_write(roof_machine_file_measurement(copy), append, &again);
        if (again.length != out.length || memcmp(again.bytes, out.bytes, out.length) != 0)
            abort();
    }
    roof_machine_file_free(copy);
    free(out.bytes);
    free(again.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    roof_error error = {0};
    roof_machine_file *file = roof_read_machine((const char *)data, size, &error);
    if (file)
        use(file);
    else if (!error.what[0] || error.offset > (long)size)
        abort();
    roof_machine_file_free(file);
    return 0;
}
