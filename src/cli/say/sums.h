/* Where the time goes: operations of one name added up, as a table with bars. */
#ifndef ROOFLINE_CLI_SAY_SUMS_H
#define ROOFLINE_CLI_SAY_SUMS_H

#include "cli/say/explain.h"
#include "roofline_expected.h"
#include "json/write.h"

typedef struct judged_operation {
    roof_operation operation;
    roof_verdict verdict;
    roof_expected expected;
} judged_operation;

/* Each operation judged and expected; freed by the caller. */
judged_operation *judge_each(const roof_machine *machine, const roof_constants *constants,
                             const roof_operation *operations, size_t count);
/* --explain: how often it runs, its formulas, its verdict; `node` of a graph, or NULL. */
void explain_judged(const judged_operation *item, const char *node, const roof_machine *machine, used_figures *used,
                    text_out *out);
/* Members of an open object, from `flops` to `roof`, of all its executions; `total`: seconds that its share is of. */
void judged_json(const judged_operation *item, double total, emit *json);

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
