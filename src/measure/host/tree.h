/* Small text files of /proc and /sys, and lists of CPUs. What comes from there is not trusted: every read has a bound.
 */
#ifndef ROOFLINE_MEASURE_HOST_TREE_H
#define ROOFLINE_MEASURE_HOST_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { TREE_PATH_MAX = 1024, TREE_LINE_MAX = 1024, CPU_BITS = 8192 };

/* The file `format` makes under `root`, if it is a regular file. NULL when it cannot be read. */
FILE *tree_open(const char *root, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Its next line without the line end, cut at TREE_LINE_MAX - 1; false after the last, or after very many. */
typedef struct tree_lines {
    FILE *file;
    size_t seen;
    char line[TREE_LINE_MAX];
} tree_lines;
bool tree_next(tree_lines *lines);
/* Its first line, trimmed, printable ASCII only. False (and "") when there is none. */
bool tree_text(const char *root, char *out, size_t size, const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Its first line as a number >= 0; -1 when it is none, negative, or no finite number. */
double tree_number(const char *root, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "123 rest" -> 123; -1 as above. `end` (may be NULL): what follows. */
double number_of(const char *text, char **end);
/* Trim and keep printable ASCII, in place. */
void text_clean(char *text);

typedef struct cpu_bits {
    uint64_t word[CPU_BITS / 64];
} cpu_bits;
/* "0-3,8" as of a file cpulist. CPUs from CPU_BITS on are left out. False when the text is no such list. */
bool cpu_bits_parse(const char *text, cpu_bits *out);
bool tree_cpu_list(const char *root, cpu_bits *out, const char *format, ...) __attribute__((format(printf, 3, 4)));
void cpu_bits_add(cpu_bits *bits, int cpu);
bool cpu_bits_has(const cpu_bits *bits, int cpu);
int cpu_bits_next(const cpu_bits *bits, int after); /* the first above `after` (-1: the first); -1: none */
int cpu_bits_count(const cpu_bits *bits);

#endif
