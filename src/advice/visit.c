/* Walking over the operations of a phase without memory of its own: one kind of layer at a time. */
#include "advice/visit.h"

enum { KIND_MAX = 64 }; /* operations of one kind of layer and of the ends of a model */

typedef struct walk {
    const roof_machine *machine;
    const roof_plan *plan;
    roof_phase phase;
    advice_visit visit;
    void *context;
    roof_error *error;
} walk;

static int visit_all(const walk *w, const roof_model *model, double times) {
    roof_operation operations[KIND_MAX];
    size_t count = roof_model_operations(model, w->plan, w->phase, operations, KIND_MAX);
    if (count > KIND_MAX)
        return roof_fail(w->error, ROOF_EUNSUPPORTED,
                         "a layer of %zu operations is more than the %d that advice can weigh", count, KIND_MAX);
    for (size_t i = 0; i < count; i++) {
        roof_verdict verdict;
        if (roof_judge(w->machine, &operations[i], &verdict, w->error))
            return -1;
        operations[i].count *= times;
        w->visit(w->context, &operations[i], &verdict);
    }
    return 0;
}

/* The model with one kind of layer alone, each kind in turn; the ends (embedding, last norm, head) come with every one
 * of them, so all but one are taken off again. */
int advice_visit_phase(const roof_machine *machine, const roof_model *model, const roof_plan *plan, roof_phase phase,
                       advice_visit visit, void *context, roof_error *error) {
    walk w = {machine, plan, phase, visit, context, error};
    roof_model part = *model;
    part.order = NULL;
    part.layer_count = 1;
    for (size_t i = 0; i < model->layer_count; i++) {
        part.layers = &model->layers[i];
        if (visit_all(&w, &part, 1))
            return -1;
    }
    part.layer_count = 0;
    double surplus = (double)model->layer_count - 1;
    return surplus != 0 ? visit_all(&w, &part, -surplus) : 0;
}
