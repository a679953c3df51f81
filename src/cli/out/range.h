/* Lists and ranges: "1,8,64", "1..512*2", "1..16+1", "1,8..64*2". */
#ifndef ROOFLINE_CLI_OUT_RANGE_H
#define ROOFLINE_CLI_OUT_RANGE_H

#include "cli/out/number.h"

enum { RANGE_MAX = 10000 }; /* values in one list, and points in one sweep */

typedef struct range {
    double *values; /* owned; NULL when nothing was given */
    size_t count;
} range;

typedef struct range_rule {
    quantity kind;
    bool whole;         /* integers only */
    double least, most; /* inclusive */
} range_rule;

/* `what` names the value in errors: "--batch", "m". */
int range_parse(const char *what, const char *text, const range_rule *rule, range *out, roof_error *error);
void range_append(range *out, double value);
void range_one(range *out, double value); /* a list of one value */
void range_free(range *list);

/* How many combinations `count` lists make (an absent list counts once); 0 with an error above RANGE_MAX. */
size_t range_points(const range *const lists[], size_t count, roof_error *error);
/* Put the index-th combination into `values` (the last list varies fastest); absent lists are left alone. */
void range_point(const range *const lists[], size_t count, size_t index, double *values);

#endif
