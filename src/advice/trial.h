/* What the advice for a phase of a model, for one operation and for a list of them has in common: a question that was
 * judged, a copy of it that an idea changes, and the list of what came out.
 *
 *     question --(idea.change)--> trial --(question.judge)--> factor, reason --> list
 *
 * Private to the room. */
#ifndef ROOFLINE_ADVICE_TRIAL_H
#define ROOFLINE_ADVICE_TRIAL_H

#include "advice/expectation.h"

typedef struct advice_trial advice_trial;

/* What was asked, judged as it was asked. */
typedef struct advice_question {
    const roof_machine *machine;
    advice_expectation expectation;
    roof_bound bound;
    roof_dtype math;   /* that most of the matrix work runs in */
    double link_bytes; /* sent between devices */
    /* Judge the trial: work, speedup, bound, fits, point and expectation. False: a change that cannot be judged (no
     * such roof, no link) is no idea. */
    bool (*judge)(advice_trial *trial);
    /* Why a faster `faster` (LATENCY: no launches) changes as much as it does. */
    void (*because)(const advice_trial *trial, roof_bound faster, char *reason, size_t size);
    /* Words that decide before the idea's own reason; false: none. May be NULL. */
    bool (*decides)(const advice_trial *trial, char *reason, size_t size);
    /* a phase of a model; `plan` is complete */
    const roof_model *model;
    const roof_plan *plan;
    roof_phase phase;
    roof_point point; /* of a list: its sum alone */
    /* one operation */
    const roof_operation *operation;
    roof_verdict verdict;
    bool shaped; /* the kind's costs follow from shape and dtypes, and give those of the operation */
    /* a list of them */
    const roof_operation *operations;
    size_t count;
} advice_question;

typedef struct advice_idea {
    const char *name;
    bool (*change)(advice_trial *trial); /* false: it does not apply. NULL: the trial is changed already */
    void (*reason)(const advice_trial *trial, char *reason, size_t size);
    bool cost, hardware; /* of roof_advice */
    double factor;       /* of the change, where it is a multiple */
    roof_dtype dtype;    /* the dtype changed to */
} advice_idea;

/* A copy of the question that an idea changes. */
struct advice_trial {
    const advice_question *question;
    const advice_idea *idea;
    roof_machine machine;
    roof_sustained rates; /* of a changed machine that was measured */
    advice_expectation expectation;
    char name[64]; /* set where the name carries a number */
    roof_plan plan;
    bool pointwise_free; /* norms and activations ride along with the matrices: their own traffic and work vanish */
    roof_operation operation;
    roof_verdict verdict;
    const roof_operation *operations;
    size_t count;
    roof_point point; /* after the change */
    roof_bound bound;
    bool fits;
    double work, speedup; /* after / before: work done; rate of it under the bounds */
};

typedef struct advice_list {
    roof_advice *out; /* ROOF_ADVICE_MAX of them */
    int count;
} advice_list;

/* A trial that nothing has changed yet, on `machine`. */
advice_trial trial_begin(const advice_question *question, const advice_idea *idea, const roof_machine *machine);
/* Change it, judge it and keep it in its place, unless an idea of that name is there already: what fits before what
 * does not, then the larger factor (the expected one where it was judged), then the order of asking. When the list is
 * full the last one falls out. */
void trial_keep(advice_trial *trial, advice_list *list);
/* The rows of a table on the machine that was asked about, then the ideas that change the machine, then each of
 * `others` (may be NULL). Returns how many there are. */
int trial_all(const advice_question *question, const advice_idea *ideas, size_t count, const roof_machine *others,
              size_t other_count, advice_list *list);

/* The dtype that most FLOPs of a list run in; NONE: it has none. */
roof_dtype advice_main_math(const roof_operation *operations, size_t count);

/* The machines are the same row of a catalogue. */
bool advice_same_machine(const roof_machine *a, const roof_machine *b);

#endif
