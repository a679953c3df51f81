/* What both tables of ideas share: the list that is being written, its order, and changes to a machine. */
#ifndef ROOFLINE_ADVICE_DRIVER_H
#define ROOFLINE_ADVICE_DRIVER_H

#include "roofline_expected.h"

typedef struct advice_list {
    roof_advice *out; /* ROOF_ADVICE_MAX of them */
    int count;
} advice_list;

/* Keep `advice` in its place, unless an idea of that name is there already: what fits before what does not, then the
 * larger factor (the expected one where it was judged), then the order of asking. When the list is full the last one
 * falls out. */
void advice_insert(advice_list *list, const roof_advice *advice);

/* Every peak, sparse and narrow ones too; every level. `own` takes the rates of a measured CPU: it has to live as long
 * as the machine does. */
void advice_scale_compute(roof_machine *machine, roof_sustained *own, double factor);
void advice_scale_memory(roof_machine *machine, roof_sustained *own, double factor);
void advice_scale_link(roof_machine *machine, double factor);

/* "989 TFLOP/s instead of 312": the roof that binds, there and here. */
void advice_compare_roofs(const roof_machine *there, const roof_machine *here, roof_bound bound, roof_dtype dtype,
                          char *reason, size_t size);

/* The dtype that most FLOPs of a list run in; NONE: it has none. */
roof_dtype advice_main_math(const roof_operation *operations, size_t count);

/* The machines are the same row of a catalogue. */
bool advice_same_machine(const roof_machine *a, const roof_machine *b);
void advice_name_machine(const roof_machine *machine, char *name, size_t size); /* "h200-sxm instead" */

#endif
