/* Walking over the operations of a phase without memory of its own. Private to the room. */
#ifndef ROOFLINE_ADVICE_VISIT_H
#define ROOFLINE_ADVICE_VISIT_H

#include "roofline.h"

/* Visit every operation of the phase with its verdict; counts may be negative, so only sums over all visits mean
 * anything. -1 as roof_judge. */
typedef void (*advice_visit)(void *context, const roof_operation *operation, const roof_verdict *verdict);
int advice_visit_phase(const roof_machine *machine, const roof_model *model, const roof_plan *plan, roof_phase phase,
                       advice_visit visit, void *context, roof_error *error);

#endif
