/* Columns that text takes on a terminal, whatever the locale: most characters one, East Asian wide ones and emoji two,
 * combining marks none. */
#ifndef ROOFLINE_CHART_COLUMNS_H
#define ROOFLINE_CHART_COLUMNS_H

#include <stddef.h>

size_t chart_code_columns(unsigned code);
/* Of UTF-8 text: of its first `length` bytes; it goes on or ends in '\0'. */
size_t chart_columns(const char *text, size_t length);
/* Bytes of the longest beginning that takes at most `columns`, with the marks that combine with its last character. */
size_t chart_columns_cut(const char *text, size_t columns);

#endif
