/* What a model is called when its file does not say. */
#define _XOPEN_SOURCE 700
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "read/config/config.h"
#include "roofline_read.h"

enum { TITLE_SIZE = 61 };

/* "name" or "owner/name", and no path: "/data/x", "./x", "C:\\x", "a/b/c", "x/". */
bool title_is_name(const char *text) {
    const char *slash = strchr(text, '/');
    return isalnum((unsigned char)*text) && !strpbrk(text, "\\:") &&
           (!slash || (isalnum((unsigned char)slash[1]) && !strchr(slash + 1, '/')));
}

/* The last part of a path of n bytes; *n becomes its length, *before what stands in front of its slash. */
static const char *last_part(const char *path, size_t *n, size_t *before) {
    size_t end = *n;
    while (end > 0 && path[end - 1] == '/')
        end--;
    size_t start = end;
    while (start > 0 && path[start - 1] != '/')
        start--;
    *n = end - start;
    *before = start;
    return path + start;
}

/* "models--owner--name/snapshots/HASH", as the Hugging Face cache keeps models, is owner/name. */
static bool from_cache(const char *path, size_t before, char out[TITLE_SIZE]) {
    static const char mark[] = "models--";
    size_t n = before, up;
    const char *part = last_part(path, &n, &up);
    if (n != strlen("snapshots") || memcmp(part, "snapshots", n) != 0)
        return false;
    n = up;
    part = last_part(path, &n, &up);
    if (n < sizeof mark || memcmp(part, mark, sizeof mark - 1) != 0)
        return false;
    snprintf(out, TITLE_SIZE, "%.*s", (int)(n - (sizeof mark - 1)), part + sizeof mark - 1);
    char *dashes = strstr(out, "--");
    if (dashes) {
        *dashes = '/';
        memmove(dashes + 1, dashes + 2, strlen(dashes + 2) + 1);
    }
    return true;
}

static void from_folder(const char *path, size_t length, char out[TITLE_SIZE]) {
    char whole[PATH_MAX];
    size_t n = length, before;
    const char *part = last_part(path, &n, &before);
    if (n == 0 || part[n - 1] == '.') { /* the folder one is in, or above it */
        char folder[PATH_MAX];
        if (length >= sizeof folder)
            return;
        snprintf(folder, sizeof folder, "%.*s", (int)length, path);
        if (!realpath(*folder ? folder : ".", whole))
            return;
        path = whole;
        n = strlen(whole);
        part = last_part(path, &n, &before);
    }
    if (!from_cache(path, before, out))
        snprintf(out, TITLE_SIZE, "%.*s", n < TITLE_SIZE ? (int)n : TITLE_SIZE - 1, part);
}

static void from_file(const char *name, size_t n, char out[TITLE_SIZE]) {
    static const char *const endings[] = {".json", ".gguf", ".safetensors", ".onnx"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (n > strlen(endings[i]) && strcmp(name + n - strlen(endings[i]), endings[i]) == 0) {
            n -= strlen(endings[i]);
            break;
        }
    snprintf(out, TITLE_SIZE, "%.*s", n < TITLE_SIZE ? (int)n : TITLE_SIZE - 1, name);
}

int title_from_path(roof_model_file *file, const char *path, roof_error *error) {
    char title[TITLE_SIZE] = "";
    size_t n = strlen(path), before;
    if (file->titled)
        return 0;
    const char *name = last_part(path, &n, &before);
    if (strcmp(name, "config.json") == 0)
        from_folder(path, before, title);
    else
        from_file(name, n, title);
    for (char *c = title; *c; c++)
        *c = (unsigned char)*c < ' ' || (unsigned char)*c > '~' ? '?' : *c;
    if (!*title)
        return 0;
    roof_error own = {0};
    reader r = {.file = file, .error = error ? error : &own};
    const char *kept = keep_text(&r, "%s", title);
    if (!kept)
        return -1;
    file->model.name = kept;
    file->titled = true;
    return 0;
}
