/* What stands before and behind the layers of an encoder or a vision tower: convolutions and patch embeddings as the
 * GEMM they are, poolers, projectors. docs/model.md, "Encoders". */
#include "work/model.h"

void step_projections(step *s, const roof_projection *projections, size_t count) {
    roof_format own;
    linear how = {.format = model_embedding(s->model, s->plan, &own),
                  .math = s->plan->activations,
                  .input = s->plan->activations};
    for (size_t i = 0; i < count; i++) {
        const roof_projection *p = &projections[i];
        double rows = p->rate > 0 ? s->tokens * p->rate : s->sequences;
        step_linear(s, p->name, &how, rows, p->outputs, p->inputs, p->bias);
    }
}
