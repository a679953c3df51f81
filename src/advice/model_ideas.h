/* The table of ideas for a model: how each one changes a copy of the plan, and what its reason says. Private to the
 * room. */
#ifndef ROOFLINE_ADVICE_MODEL_IDEAS_H
#define ROOFLINE_ADVICE_MODEL_IDEAS_H

#include "advice/trial.h"

extern const advice_idea model_ideas[];
extern const size_t model_idea_count;

/* Words for a faster machine, as advice_question.because. */
void model_because(const advice_trial *trial, roof_bound faster, char *reason, size_t size);

/* Memory that is not known never says "too small". */
bool advice_fits(const roof_memory *memory);

#endif
