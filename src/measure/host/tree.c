/* Reading small text files of /proc and /sys with bounds. */
#include "measure/host/tree.h"

#include <ctype.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const size_t lines_max = 200000; /* /proc/cpuinfo of 2048 CPUs has 60 thousand */

static FILE *open_path(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* a pipe must not hold us up */
    struct stat status;
    if (file < 0)
        return NULL;
    FILE *stream = fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? fdopen(file, "r") : NULL;
    if (!stream)
        close(file);
    return stream;
}

static FILE *open_list(const char *root, const char *format, va_list arguments) {
    char path[TREE_PATH_MAX];
    size_t used = strlen(root);
    if (used >= sizeof path)
        return NULL;
    memcpy(path, root, used);
    int length = vsnprintf(path + used, sizeof path - used, format, arguments);
    return length < 0 || (size_t)length >= sizeof path - used ? NULL : open_path(path);
}

FILE *tree_open(const char *root, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    FILE *file = open_list(root, format, arguments);
    va_end(arguments);
    return file;
}

bool tree_next(tree_lines *lines) {
    if (!lines->file || lines->seen++ >= lines_max || !fgets(lines->line, sizeof lines->line, lines->file))
        return false;
    if (!strchr(lines->line, '\n')) /* the rest of a long line */
        for (int left = 1 << 20, c = 0; left > 0 && c != '\n' && c != EOF; left--)
            c = fgetc(lines->file);
    lines->line[strcspn(lines->line, "\n")] = '\0';
    return true;
}

void text_clean(char *text) {
    char *to = text;
    for (const char *from = text; *from; from++) {
        char c = *from == '\t' ? ' ' : *from;
        if (c >= ' ' && c <= '~' && !(c == ' ' && (to == text || to[-1] == ' ')))
            *to++ = c;
    }
    if (to > text && to[-1] == ' ')
        to--;
    *to = '\0';
}

static bool first_line(FILE *file, char *out, size_t size) {
    tree_lines lines = {.file = file};
    out[0] = '\0';
    if (!file)
        return false;
    if (tree_next(&lines)) {
        text_clean(lines.line);
        snprintf(out, size, "%s", lines.line);
    }
    fclose(file);
    return out[0] != '\0';
}

bool tree_text(const char *root, char *out, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    FILE *file = open_list(root, format, arguments);
    va_end(arguments);
    return first_line(file, out, size);
}

double number_of(const char *text, char **end) {
    char *stop = NULL;
    while (*text == ' ' || *text == '\t')
        text++;
    double value = isdigit((unsigned char)*text) ? strtod(text, &stop) : -1;
    if (end)
        *end = stop ? stop : (char *)(uintptr_t)text;
    return stop && isfinite(value) ? value : -1;
}

double tree_number(const char *root, const char *format, ...) {
    char text[64];
    va_list arguments;
    va_start(arguments, format);
    FILE *file = open_list(root, format, arguments);
    va_end(arguments);
    return first_line(file, text, sizeof text) ? number_of(text, NULL) : -1;
}

void cpu_bits_add(cpu_bits *bits, int cpu) {
    if (cpu >= 0 && cpu < CPU_BITS)
        bits->word[cpu / 64] |= (uint64_t)1 << cpu % 64;
}

bool cpu_bits_has(const cpu_bits *bits, int cpu) {
    return cpu >= 0 && cpu < CPU_BITS && (bits->word[cpu / 64] >> cpu % 64 & 1);
}

int cpu_bits_next(const cpu_bits *bits, int after) {
    for (int cpu = after + 1; cpu < CPU_BITS; cpu++)
        if (cpu_bits_has(bits, cpu))
            return cpu;
    return -1;
}

int cpu_bits_count(const cpu_bits *bits) {
    int count = 0;
    for (int cpu = 0; cpu < CPU_BITS; cpu++)
        count += cpu_bits_has(bits, cpu);
    return count;
}

bool cpu_bits_parse(const char *text, cpu_bits *out) {
    memset(out, 0, sizeof *out);
    while (isdigit((unsigned char)*text)) {
        char *end;
        unsigned long long first = strtoull(text, &end, 10), last = first;
        if (*end == '-' && isdigit((unsigned char)end[1]))
            last = strtoull(end + 1, &end, 10);
        for (unsigned long long cpu = first; cpu <= last && cpu < CPU_BITS; cpu++)
            cpu_bits_add(out, (int)cpu);
        if (*end != ',')
            return *end == '\0' && cpu_bits_next(out, -1) >= 0;
        text = end + 1;
    }
    return false;
}

bool tree_cpu_list(const char *root, cpu_bits *out, const char *format, ...) {
    char text[TREE_LINE_MAX];
    va_list arguments;
    va_start(arguments, format);
    FILE *file = open_list(root, format, arguments);
    va_end(arguments);
    memset(out, 0, sizeof *out);
    return first_line(file, text, sizeof text) && cpu_bits_parse(text, out);
}
