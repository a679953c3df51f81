/* One result as named figures and words, wherever it came from: a row of a CSV, a JSON object, an INSERT statement, a
 * row of a Markdown table. Readers of results ask by name and never by position. */
#ifndef ROOFLINE_READ_PROFILE_RUNS_RECORD_H
#define ROOFLINE_READ_PROFILE_RUNS_RECORD_H

#include "read/profile/build.h"
#include "read/profile/lines.h"
#include "json/tree.h"

enum { RECORD_FIELDS = 256 };

typedef struct record {
    struct record_field {
        const char *key, *text; /* text NULL: a number */
        double number;
    } fields[RECORD_FIELDS];
    size_t count;
    long line;
    char decimal; /* of the options; 0: a comma that may be a decimal mark is refused */
    roof_error *error;
    bool refused; /* some figure was: the error is filled */
} record;

void record_begin(record *to, const profile_job *job, long line);
void record_text(record *to, const char *key, const char *text); /* both must outlive the record */
void record_figure(record *to, const char *key, double number);
void record_json(record *to, const json_node *object); /* its numbers, strings, true and false; nothing nested */
void record_row(record *to, const csv_row *header, const csv_row *row);

/* Index of the first field named one of `names` (separated by '|'; case, blanks and underscores do not matter), or -1.
 */
int record_find(const record *from, const char *names);
const char *record_word(const record *from, const char *names);       /* NULL: not there, empty, or a number */
double record_number(record *from, const char *names);                /* NAN: not there, or not a number */
double record_positive(record *from, const char *names);              /* 0: not there, not a number, not above 0 */
double record_parse(record *from, const char *key, const char *text); /* one number as text; NAN */

/* A figure that no run has (endless, or beyond 1e18) is none that was said. */
void record_clean(roof_model_run *run);

/* A header that lives as long as the profile. */
int record_header(builder *to, const csv_row *row, csv_row *header);
/* Does a line of the head name all these columns ("a|b" is one of them)? The offset of that line, or -1. */
long record_header_line(const char *head, char separator, const char *const *columns, size_t count);

#endif
