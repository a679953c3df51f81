/* Where the time goes: operations of one name added up, as a table with bars. */
#ifndef ROOFLINE_CLI_SUMS_H
#define ROOFLINE_CLI_SUMS_H

#include "cli/out/text.h"
#include "roofline_expected.h"

typedef struct judged_operation {
    roof_operation operation;
    roof_verdict verdict;
    roof_expected expected;
} judged_operation;

typedef struct named_sum {
    const char *name;
    double times; /* executions */
    roof_sum sum;
    double expected; /* seconds */
} named_sum;

/* Operations of the same name together, most time first; freed by the caller. */
named_sum *sums_by_name(const judged_operation *operations, size_t count, size_t *names);

/* The table, at most `rows` of it and the rest as one row (0: all) and the totals; `counted` adds how often each runs.
 */
void sums_table(const judged_operation *operations, size_t count, const roof_sum *total, double expected, size_t rows,
                bool counted, text_out *out);

#endif
