/* roof_read_model: paths, folders, the file beside, and contents that are recognised and not read. */
#include "configs.h"

static roof_model_file *read_path(const char *name, roof_error *error) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", TEST_DATA, name);
    return roof_read_model(path, error);
}

static void folder_and_file(void **state) {
    (void)state;
    static const char *const names[] = {"good", "good/", "good/config.json"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        roof_error error = {0};
        roof_model_file *file = read_path(names[i], &error);
        if (!file)
            fail_msg("%s: %s", names[i], error.what);
        assert_string_equal(roof_model_file_model(file)->layers->format[ROOF_ROLE_DOWN].name,
                            "fp8"); /* from hf_quant_config.json */
        roof_model_file_free(file);
    }
}

static void other_names_have_no_sibling(void **state) {
    (void)state;
    roof_error error = {0};
    roof_model_file *file = read_path("good/plain.json", &error);
    assert_string_equal(roof_model_file_model(file)->layers->format[ROOF_ROLE_DOWN].name, "bf16");
    roof_model_file_free(file);
    file = read_path("gptq", &error);
    assert_string_equal(roof_model_file_model(file)->layers->format[ROOF_ROLE_DOWN].name, "gptq-int4-g128");
    roof_model_file_free(file);
}

static void contents_are_recognised(void **state) {
    (void)state;
    static const struct {
        const char *name, *what;
        roof_status code;
    } rows[] = {
        {"content/tiny.gguf", "key 'general.architecture' is missing", ROOF_EFORMAT},
        {"content/tiny.safetensors", "0 tensors, 0 parameters, 0 bytes (), and no config.json beside them", ROOF_EUNSUPPORTED},
        {"content/tiny.onnx", "is an ONNX file", ROOF_EUNSUPPORTED},
        {"content/tiny.bin", "is a zip archive (a PyTorch checkpoint)", ROOF_EUNSUPPORTED},
        {"content/old.bin", "is a GGML file", ROOF_EUNSUPPORTED},
        {"content/pointer.safetensors", "is a git-LFS pointer, not the file itself (4976698672 bytes are elsewhere)",
         ROOF_EFORMAT},
        {"content/absent.json", "no such file", ROOF_ENOTFOUND},
        {"content", "tiny.gguf: key 'general.architecture' is missing", ROOF_EFORMAT},
        {"bad", "has no config.json", ROOF_ENOTFOUND},
        {"bad/truncated.json", "not valid JSON", ROOF_EFORMAT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        roof_error error = {0};
        assert_null(read_path(rows[i].name, &error));
        if (!strstr(error.what, rows[i].what))
            fail_msg("%s: '%s', not '%s'", rows[i].name, error.what, rows[i].what);
        assert_int_equal(error.code, rows[i].code);
    }
}

static void long_paths(void **state) {
    (void)state;
    static char path[8192];
    memset(path, 'a', sizeof path - 1);
    roof_error error = {0};
    assert_null(roof_read_model(path, &error));
    assert_int_equal(error.code, ROOF_EARGUMENT);
    path[4000] = '\0';
    assert_null(roof_read_model(path, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folder_and_file),
        cmocka_unit_test(other_names_have_no_sibling),
        cmocka_unit_test(contents_are_recognised),
        cmocka_unit_test(long_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
