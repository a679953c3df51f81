/* roof_read_model: paths, folders, the file beside, and contents that are recognised and not read. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read/config/configs.h"
#include "roofline_read.h"

static roof_model_file *read_path(const char *name, roof_error *error) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", TEST_DATA, name);
    return roof_read_model(path, error);
}

static void folder_and_file(void **state) {
    (void)state;
    static const char *const names[] = {"config/good", "config/good/", "config/good/config.json"};
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
    roof_model_file *file = read_path("config/good/plain.json", &error);
    assert_string_equal(roof_model_file_model(file)->layers->format[ROOF_ROLE_DOWN].name, "bf16");
    roof_model_file_free(file);
    file = read_path("checkpoint/gptq", &error);
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
        {"content/tiny.safetensors", "0 tensors, 0 parameters, 0 bytes (), and no config.json beside them",
         ROOF_EUNSUPPORTED},
        {"content/tiny.onnx", "is an ONNX file", ROOF_EUNSUPPORTED},
        {"content/tiny.bin", "is a zip archive (a PyTorch checkpoint)", ROOF_EUNSUPPORTED},
        {"content/old.bin", "is a GGML file", ROOF_EUNSUPPORTED},
        {"content/pointer.safetensors", "is a git-LFS pointer, not the file itself (4976698672 bytes are elsewhere)",
         ROOF_EFORMAT},
        {"content/absent.json", "no such file", ROOF_ENOTFOUND},
        {"content", "tiny.gguf: key 'general.architecture' is missing", ROOF_EFORMAT},
        {"config/bad", "has no config.json", ROOF_ENOTFOUND},
        {"config/bad/truncated.json", "not valid JSON", ROOF_EFORMAT},
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

/* ---- what a model is called ---- */

static const char sizes[] = "\"model_type\": \"llama\", \"hidden_size\": 64, \"num_hidden_layers\": 2, "
                            "\"num_attention_heads\": 4, \"intermediate_size\": 128, \"vocab_size\": 100}";

static char scratch[] = "/tmp/roofline-files-XXXXXX";

/* A path below the scratch folder; its folders are made. */
static const char *below(const char *name) {
    static char path[512];
    int n = snprintf(path, sizeof path, "%s/", scratch);
    for (const char *c = name; *c; c++) {
        path[n] = '\0';
        if (*c == '/')
            mkdir(path, 0700);
        path[n++] = *c;
    }
    path[n] = '\0';
    return path;
}

static void write_config(const char *path, const char *head) {
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    fprintf(stream, "{%s%s", head, sizes);
    fclose(stream);
}

static void assert_title(const char *path, const char *title) {
    roof_error error = {0};
    roof_model_file *file = roof_read_model(path, &error);
    if (!file)
        fail_msg("%s: %s", path, error.what);
    assert_string_equal(roof_model_file_model(file)->name, title);
    roof_model_file_free(file);
}

static void titles(void **state) {
    (void)state;
    static const struct {
        const char *path, *head, *title;
    } rows[] = {
        {"Tiny-1B/config.json", "", "Tiny-1B"},
        {"tiny-stem.v2.json", "", "tiny-stem.v2"},
        {"no-ending", "", "no-ending"},
        {"a/config.json", "\"_name_or_path\": \"owner/name\", ", "owner/name"},
        {"b/config.json", "\"_name_or_path\": \"/data/checkpoints/x\", ", "b"},
        {"c/config.json", "\"_name_or_path\": \"./x\", ", "c"},
        {"d/config.json", "\"_name_or_path\": \"C:\\\\models\\\\x\", ", "d"},
        {"e/config.json", "\"_name_or_path\": \"\", ", "e"},
        {"models--owner--name/snapshots/0123456789abcdef/config.json", "", "owner/name"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *path = below(rows[i].path);
        write_config(path, rows[i].head);
        assert_title(path, rows[i].title);
    }
}

static void title_of_the_folder_one_is_in(void **state) {
    (void)state;
    char before[1024];
    assert_non_null(getcwd(before, sizeof before));
    write_config(below("Inside-2B/config.json"), "");
    assert_int_equal(chdir(below("Inside-2B")), 0);
    static const char *const names[] = {"config.json", "./config.json", ".", "../Inside-2B", "../Inside-2B//"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_title(names[i], "Inside-2B");
    assert_int_equal(chdir(before), 0);
}

/* ---- pipes ---- */

static char pipe_path[512];
static const char *piped; /* what goes through; NULL: a config with more than a first guess of blanks in front */

static void *write_pipe(void *context) {
    FILE *stream = fopen(pipe_path, "wb");
    if (!stream)
        return context;
    for (int i = 0; !piped && i < 300000; i++)
        fputc(i % 80 ? ' ' : '\n', stream);
    if (piped)
        fwrite(piped, 1, 16, stream);
    else
        fprintf(stream, "{%s", sizes);
    return fclose(stream) == 0 ? NULL : context; /* a reader that left early breaks the pipe */
}

static roof_model_file *through_pipe(const char *bytes, roof_error *error) {
    pthread_t writer;
    void *failed = NULL;
    piped = bytes;
    assert_int_equal(pthread_create(&writer, NULL, write_pipe, pipe_path), 0);
    roof_model_file *file = roof_read_model(pipe_path, error);
    pthread_join(writer, &failed);
    assert_null(failed);
    return file;
}

static void pipes(void **state) {
    (void)state;
    snprintf(pipe_path, sizeof pipe_path, "%s", below("pipe"));
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    roof_error error = {0};
    roof_model_file *file = through_pipe(NULL, &error);
    if (!file)
        fail_msg("%s", error.what);
    assert_string_equal(roof_model_file_model(file)->name, "llama");
    roof_model_file_free(file);
    static const struct {
        const char *bytes, *what;
    } rows[] = {
        {"GGUF\3\0\0\0\0\0\0\0\0\0\0", "a pipe with a GGUF file in it"},
        {"\x08\x07\x12\x07pytorch\0\0\0\0\0", "a pipe with an ONNX file in it"},
        {"\x08\0\0\0\0\0\0\0{}     \0", "a pipe with a safetensors file in it"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_null(through_pipe(rows[i].bytes, &error));
        assert_int_equal(error.code, ROOF_EUNSUPPORTED);
        assert_non_null(strstr(error.what, rows[i].what));
    }
}

static int make_scratch(void **state) {
    (void)state;
    return mkdtemp(scratch) ? 0 : -1;
}

static int drop_scratch(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", scratch);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folder_and_file),
        cmocka_unit_test(other_names_have_no_sibling),
        cmocka_unit_test(contents_are_recognised),
        cmocka_unit_test(long_paths),
        cmocka_unit_test(titles),
        cmocka_unit_test(title_of_the_folder_one_is_in),
        cmocka_unit_test(pipes),
    };
    return cmocka_run_group_tests(tests, make_scratch, drop_scratch);
}
