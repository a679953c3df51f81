/* The table of ideas for a model: how each one changes a copy of the plan or of the machine, and what its reason says.
 */
#ifndef ROOFLINE_ADVICE_IDEAS_H
#define ROOFLINE_ADVICE_IDEAS_H

#include "advice/expectation.h"

/* What was asked, judged as it was asked. `plan` is complete. */
typedef struct advice_question {
    const roof_machine *machine;
    const roof_model *model;
    const roof_plan *plan;
    roof_phase phase;
    roof_point point;
    advice_expectation expectation;
} advice_question;

/* A copy of the question that an idea changes. */
typedef struct advice_trial {
    roof_machine machine;
    roof_sustained rates; /* of a changed machine that was measured */
    roof_plan plan;
    bool pointwise_free; /* norms and activations ride along with the matrices: their own traffic and work vanish */
    char name[64];       /* set where the name carries a number */
    roof_point point;    /* after the change */
    advice_expectation expectation;
    double work; /* tokens of one execution after / before */
    double speedup;
} advice_trial;

typedef struct advice_idea advice_idea;
struct advice_idea {
    const char *name;
    bool (*change)(const advice_question *question, const advice_idea *idea,
                   advice_trial *trial); /* false: it does not apply */
    void (*reason)(const advice_question *question, const advice_trial *trial, char *reason, size_t size);
    bool cost;        /* of roof_advice */
    bool hardware;    /* of roof_advice */
    double factor;    /* of the change, where it is a multiple */
    roof_dtype dtype; /* the dtype changed to */
};

extern const advice_idea advice_ideas[];
extern const size_t advice_idea_count;
extern const advice_idea advice_other_machine; /* trial->machine is set already */

/* Memory that is not known never says "too small". */
bool advice_fits(const roof_memory *memory);

/* Visit every operation of the phase with its verdict; counts may be negative, so only sums over all visits mean
 * anything. -1 as roof_judge. */
typedef void (*advice_visit)(void *context, const roof_operation *operation, const roof_verdict *verdict);
int advice_each(const roof_machine *machine, const roof_model *model, const roof_plan *plan, roof_phase phase,
                advice_visit visit, void *context, roof_error *error);

#endif
