/* A small reader of comma-separated tables (RFC 4180, tolerant): quotes, doubled quotes, newlines inside quotes, LF or
 * CRLF, short and long records. Cells are found by the name in the first record. */
#ifndef ROOFLINE_TESTS_CSV_H
#define ROOFLINE_TESTS_CSV_H

#include <stddef.h>

typedef struct csv_table {
    char *text;         /* the file, cells cut out in place */
    const char **cells; /* rows * columns; short records are padded with "" */
    const char **names; /* columns */
    size_t *lines;      /* line of the file each row begins at */
    size_t rows, columns;
} csv_table;

int csv_read(const char *path, csv_table *out);           /* -1: cannot be read, or no memory */
int csv_parse(char *text, size_t length, csv_table *out); /* takes text[length + 1], from malloc */
void csv_free(csv_table *table);
/* "" where the table has no such column. */
const char *csv_text(const csv_table *table, size_t row, const char *column);
/* NAN where the cell is not a number. */
double csv_number(const csv_table *table, size_t row, const char *column);

#endif
