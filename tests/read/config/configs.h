/* Small configs of our own for the tests: structural fields only, sizes as the public models have them. */
#ifndef ROOFLINE_TESTS_CONFIGS_H
#define ROOFLINE_TESTS_CONFIGS_H

#include "roofline_read.h"
#include "test.h"

#define CONFIG(...) "{" #__VA_ARGS__ "}"

static inline roof_model_file *read_text(const char *json) {
    roof_error error = {0};
    roof_model_file *file = roof_read_config(json, strlen(json), NULL, 0, &error);
    if (!file)
        fail_msg("refused: %s", error.what);
    return file;
}

static inline roof_parameters parameters_of(const roof_model_file *file) {
    roof_plan plan = {0};
    roof_plan_complete(roof_model_file_model(file), &plan);
    return roof_model_parameters(roof_model_file_model(file), &plan);
}

/* Cache bytes a token at 2 bytes an element. */
static inline double cache_of(const roof_model_file *file) {
    roof_plan plan = {.kv_cache = ROOF_BF16};
    roof_plan_complete(roof_model_file_model(file), &plan);
    return roof_model_kv_bytes_per_token(roof_model_file_model(file), &plan);
}

static inline bool has_warning(const roof_model_file *file, const char *part) {
    for (size_t i = 0; i < roof_model_file_warnings(file); i++)
        if (strstr(roof_model_file_warning(file, i), part))
            return true;
    return false;
}

static inline bool has_note(const roof_model_file *file, const char *part) {
    for (size_t i = 0; i < roof_model_file_notes(file); i++)
        if (strstr(roof_model_file_note(file, i), part))
            return true;
    return false;
}

/* "refused with a message that holds `part`". */
static inline void assert_refused(const char *json, roof_status code, const char *part) {
    roof_error error = {0};
    roof_model_file *file = roof_read_config(json, strlen(json), NULL, 0, &error);
    if (file)
        fail_msg("read, though it should be refused with '%s'", part);
    if (!strstr(error.what, part))
        fail_msg("refused with '%s', not '%s'", error.what, part);
    assert_int_equal(error.code, code);
}

#endif
