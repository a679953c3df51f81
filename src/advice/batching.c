/* Three batches that matter: the matrices cross the ridge, the cache weighs as much as the weights, memory is full.
 * Derivation: docs/advice.md, "Batching". */
#include <math.h>

#include "advice/model_ideas.h"
#include "advice/visit.h"

static const double SEARCH_MAX = 1099511627776.0; /* 2^40 sequences: beyond it a batch does not exist */

/* Left and right of what has to cross: seconds or bytes, as functions of the batch. */
typedef struct balance {
    double falling, rising;
} balance;

typedef struct search {
    const roof_machine *machine;
    const roof_model *model;
    roof_plan plan;
    roof_error *error;
    int (*weigh)(struct search *search, balance *out);
} search;

/* The weight matrices of a step, all together, with the activations they read and write. */
static void add_matrix(void *context, const roof_operation *operation, const roof_verdict *verdict) {
    balance *sides = context;
    if (!(operation->weight_bytes > 0 &&
          (operation->kind == ROOF_KIND_GEMM || operation->kind == ROOF_KIND_GROUPED_GEMM)))
        return;
    sides->falling += operation->count * verdict->memory_seconds;
    sides->rising += operation->count * verdict->compute_seconds;
}

static int weigh_matrices(search *s, balance *out) {
    *out = (balance){0};
    return advice_visit_phase(s->machine, s->model, &s->plan, ROOF_PHASE_DECODE, add_matrix, out, s->error);
}

static int weigh_traffic(search *s, balance *out) {
    roof_sum sum = {0};
    if (roof_model_judge(s->machine, s->model, &s->plan, ROOF_PHASE_DECODE, &sum, s->error))
        return -1;
    *out = (balance){sum.weight_bytes, sum.cache_bytes};
    return 0;
}

/* 1: crossed at this batch; 0: not yet; -1: error. */
static int crossed(search *s, double batch) {
    balance sides;
    s->plan.batch = batch;
    if (s->weigh(s, &sides))
        return -1;
    return sides.rising > 0 && sides.rising >= sides.falling;
}

/* Where the crossing would be if both sides were straight lines through batch 1 and 2: exact for a dense model. */
static int straight_guess(search *s, double *guess) {
    balance one, two;
    s->plan.batch = 1;
    if (s->weigh(s, &one))
        return -1;
    s->plan.batch = 2;
    if (s->weigh(s, &two))
        return -1;
    double gap = one.falling - one.rising, closing = gap - (two.falling - two.rising);
    *guess = closing > 0 && gap > 0 ? ceil(1 + gap / closing) : 1;
    return 0;
}

/* The least whole batch at which the rising side has reached the falling one; 0: none up to SEARCH_MAX. */
static int least_batch(search *s, double *batch) {
    double low = 0, high;
    int over = 0;
    *batch = 0;
    if (straight_guess(s, &high))
        return -1;
    high = fmin(fmax(high, 1), SEARCH_MAX);
    while ((over = crossed(s, high)) == 0 && high < SEARCH_MAX) {
        low = high;
        high = fmin(2 * high, SEARCH_MAX);
    }
    if (over <= 0)
        return over;
    if (low == 0 && high > 2) /* the guess is right or one too far, nearly always */
        low = (over = crossed(s, high - 1)) == 0 ? high - 1 : 0;
    while (over >= 0 && high - low > 1) {
        double middle = floor((low + high) / 2);
        over = crossed(s, middle);
        *(over ? &high : &low) = middle;
    }
    *batch = high;
    return over < 0 ? -1 : 0;
}

/* The batch at which memory is full, and in `limit` where that stands among the others: 0 when not even one fits. */
static void capacity(const search *s, roof_batching *out, double *limit) {
    roof_memory memory = roof_model_memory(s->machine, s->model, &s->plan);
    *limit = HUGE_VAL;
    if (!(memory.capacity > 0))
        out->capacity_why = "the machine's memory size is unknown";
    else if (memory.unknown)
        out->capacity_why = "the weight format is unknown";
    else if (memory.batch_max >= SEARCH_MAX)
        out->capacity_why = "a sequence keeps nothing in memory";
    else
        *limit = out->capacity_batch = memory.batch_max;
    if (*limit < 1)
        out->capacity_why = "not even one sequence fits";
}

static void name_first(roof_batching *out, double limit) {
    const struct {
        double batch;
        const char *name;
    } all[] = {
        {limit, "capacity"},
        {out->kv_why ? HUGE_VAL : out->kv_equals_weights_batch, "kv cache"},
        {out->ridge_why ? HUGE_VAL : out->ridge_batch, "ridge"},
    };
    double least = HUGE_VAL;
    for (int i = 0; i < 3; i++)
        if (all[i].batch < least) {
            least = all[i].batch;
            out->first = all[i].name;
        }
}

int roof_model_batching(const roof_machine *machine, const roof_model *model, const roof_plan *plan, roof_batching *out,
                        roof_error *error) {
    *out = (roof_batching){0};
    search s = {.machine = machine, .model = model, .plan = *plan, .error = error};
    roof_plan_complete(model, &s.plan);
    double limit;
    capacity(&s, out, &limit);
    if (roof_model_parameters(model, &s.plan).bytes_unknown) { /* both crossings weigh against the weights */
        out->ridge_why = out->kv_why = "the weight format is unknown";
        name_first(out, limit);
        return 0;
    }
    s.weigh = weigh_matrices;
    if (least_batch(&s, &out->ridge_batch))
        return -1;
    if (out->ridge_batch == 0)
        out->ridge_why = "activations alone keep the matrices below the ridge";
    s.weigh = weigh_traffic;
    if (least_batch(&s, &out->kv_equals_weights_batch))
        return -1;
    if (out->kv_equals_weights_batch == 0)
        out->kv_why = "the KV cache never weighs as much as the weights";
    name_first(out, limit);
    return 0;
}
