/* Lines of a stream, and rows of separated values. Both bounded: a line longer than LINE_MAX_BYTES is cut and counted.
 */
#ifndef ROOFLINE_READ_PROFILE_LINES_H
#define ROOFLINE_READ_PROFILE_LINES_H

#include "read/profile/stream.h"

enum { LINE_MAX_BYTES = 1 << 20, CSV_FIELDS_MAX = 4096 };

typedef struct lines lines;
lines *lines_of(stream *in, roof_error *error); /* NULL: out of memory. Does not own the stream */
void lines_free(lines *from);
/* The next line without its end ("\n", "\r\n") and without a byte-order mark; '\0' follows. NULL at the end. It may be
 * written to, and lives until the next call. */
char *lines_next(lines *from, size_t *length);
void lines_back(lines *from);           /* give the same line again */
long lines_number(const lines *from);   /* of the last line; the first is 1 */
bool lines_complete(const lines *from); /* false: the last line had no end and the file ended there */

typedef struct csv_row {
    char *fields[CSV_FIELDS_MAX]; /* unquoted, blanks around them removed, '\0' at their ends */
    bool quoted[CSV_FIELDS_MAX];
    size_t count;
    long line;
    bool cut; /* more fields than fit, a line longer than LINE_MAX_BYTES, or a quote that never closed */
} csv_row;

/* The next row; a quoted field may hold line ends (RFC 4180). false at the end. Fields live until the next call. */
bool csv_next(lines *from, char separator, csv_row *row);
/* Split one line in place. */
void csv_split(char *line, char separator, csv_row *row);
/* What separates the columns of a header line: the one of ',', ';' and tab that it has most of, outside of quotes. */
char csv_separator(const char *line);
/* Index of the first column whose name is one of `names` (separated by '|'; case and blanks do not matter), or -1. */
int csv_column(const csv_row *header, const char *names);

#endif
