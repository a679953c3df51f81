/* The expected time beside the bound: what a question is asked with, and what a change is weighed with. Private to the
 * room. */
#ifndef ROOFLINE_ADVICE_EXPECTATION_H
#define ROOFLINE_ADVICE_EXPECTATION_H

#include "roofline_expected.h"

typedef struct advice_expectation {
    bool asked;               /* false: bounds alone, and nothing below is set */
    roof_constants constants; /* of the machine in its engine */
    roof_expected time;
} advice_expectation;

/* `engine` NULL: bounds alone. */
advice_expectation advice_expecting(const roof_machine *machine, const roof_engine *engine);

/* ---- changes, as the ideas make them; nothing where bounds alone are asked for ---- */

void advice_use_machine(advice_expectation *changed, const roof_machine *machine); /* its own constants */
/* Launches take no time. False: they are no visible share of the expected time. */
bool advice_drop_launches(advice_expectation *changed);
/* What the host launches one by one is captured as a graph. False: it is so already, or it would not show. */
bool advice_capture(advice_expectation *changed, const roof_machine *machine);

/* ---- weighing ---- */

/* Rate after / before, `work`: how much more is done after the change; 0: not judged. */
double advice_expected_factor(const advice_expectation *before, const advice_expectation *after, double work);

/* Put effect and, where it is asked for, the expected factor into `advice`, whose speedup and reason are set. Where the
 * bound alone would say another class, the reason ends in the terms of the expected time that decide, unless it speaks
 * of the expected time already. */
void advice_weigh(roof_advice *advice, const advice_expectation *before, const advice_expectation *after, double work);

/* "launches take 31% of the expected time, 5.00 us each" */
void advice_say_launches(const advice_expectation *before, char *reason, size_t size);
double advice_collectives(const advice_expectation *of); /* their share of the expected time, skew included */
/* Another machine whose constants are of another kind than those here: "calibrated here, defaults there". */
void advice_say_constants(const advice_expectation *before, const advice_expectation *after, char *reason, size_t size);
/* A clause after "; ", whole or not at all. */
void advice_append(char *reason, size_t size, const char *clause);

#endif
