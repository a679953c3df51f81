/* Must-fail corpus: every file of bad/ is refused with the message, code and line that bad/EXPECTED states. */
#include <dirent.h>
#include <stdlib.h>

#include "roofline_read.h"
#include "test.h"

enum { TEXT_MAX = 1 << 16 };

static size_t load(const char *name, char *text) {
    char path[1024];
    snprintf(path, sizeof path, "%s/config/bad/%s", TEST_DATA, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("no file %s", path);
    size_t n = fread(text, 1, TEXT_MAX - 1, file);
    fclose(file);
    text[n] = '\0';
    return n;
}

static void check(const char *name, int code, long line, const char *message) {
    static char text[TEXT_MAX];
    size_t length = load(name, text);
    char *exact = malloc(length ? length : 1); /* no byte behind the text: the sanitizer sees reads past the end */
    assert_non_null(exact);
    memcpy(exact, text, length);
    roof_error error = {0};
    roof_model_file *file = roof_read_config(exact, length, NULL, 0, &error);
    if (file)
        fail_msg("%s was read", name);
    if (strcmp(error.what, message) != 0 || (int)error.code != code || error.line != line)
        fail_msg("%s: got %d, line %ld, '%s'; expected %d, line %ld, '%s'", name, (int)error.code, error.line,
                 error.what, code, line, message);
    assert_true(error.offset <= (long)length);
    assert_null(roof_read_config(exact, length, NULL, 0, NULL)); /* the error is optional */
    free(exact);
}

static size_t files_in_folder(void) {
    DIR *folder = opendir(TEST_DATA "/config/bad");
    size_t count = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        count += strstr(entry->d_name, ".json") != NULL;
    if (folder)
        closedir(folder);
    return count;
}

static void each_is_refused_as_expected(void **state) {
    (void)state;
    static char expected[TEXT_MAX];
    load("EXPECTED", expected);
    size_t rows = 0;
    for (char *line = expected, *next; line && *line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        char name[64];
        int code, at = 0;
        long place;
        if (*line == '#')
            continue;
        if (sscanf(line, "%63s | %d | %ld | %n", name, &code, &place, &at) != 3 || at == 0)
            fail_msg("bad row: %s", line);
        check(name, code, place, line + at);
        rows++;
    }
    assert_int_equal(rows, files_in_folder());
}

/* A valid config cut anywhere is refused or read, never worse; the sanitizers watch. */
static void every_prefix(void **state) {
    (void)state;
    roof_error error;
    const char *config = roof_named_model_find("deepseek-v3", &error)->config;
    for (size_t n = 0; n < strlen(config); n++) {
        char *cut = malloc(n ? n : 1);
        assert_non_null(cut);
        memcpy(cut, config, n);
        assert_null(roof_read_config(cut, n, NULL, 0, &error));
        assert_int_equal(error.code, ROOF_EFORMAT);
        free(cut);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_is_refused_as_expected), cmocka_unit_test(every_prefix)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
