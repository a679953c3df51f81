/* How uneven the routing of the tables of mixtures of experts is. Their collector (aiconfigurator) draws each expert's
 * share of the tokens from a power law between 1 and 0.8 of the tokens, or 0.01 and 2 where there are more experts than
 * routed rows, scales them to the routed rows, and times the rank that got most. Which draw is not known: the mean of a
 * few stands for it. */
#include <math.h>
#include <stdint.h>

#include "validation/score.h"

enum { EXPERTS_MAX = 1024, DRAWS = 8 };

static double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* One draw: whole routed rows of every expert. */
static void draw(double tokens, double routed, size_t experts, double exponent, uint64_t *state, double *rows) {
    double low = routed > (double)experts ? 1 : 0.01, high = fmax(routed > (double)experts ? 0.8 * tokens : 2, low);
    double from = pow(low, 1 - exponent), to = pow(high, 1 - exponent), sum = 0;
    for (size_t i = 0; i < experts; i++) {
        rows[i] = pow((to - from) * uniform(state) + from, 1 / (1 - exponent));
        sum += rows[i];
    }
    for (size_t i = 0; i < experts; i++)
        rows[i] = fmin(round(rows[i] * routed / sum), tokens);
}

static fullest_rank fullest_of(const double *rows, size_t experts, size_t ranks) {
    fullest_rank most = {0};
    for (size_t r = 0, each = experts / ranks; r < ranks; r++) {
        fullest_rank one = {0};
        for (size_t i = r * each; i < (r + 1) * each; i++) {
            one.rows += rows[i];
            one.experts += rows[i] > 0;
        }
        if (one.rows > most.rows)
            most = one;
    }
    return most;
}

fullest_rank fullest(double tokens, double top_k, double experts, double ranks, double exponent) {
    double routed = tokens * top_k, rows[EXPERTS_MAX];
    fullest_rank out = {.rows = fmax(ceil(routed / ranks), 1)};
    out.experts = fmin(experts / ranks, out.rows);
    if (!(exponent > 0) || experts > EXPERTS_MAX)
        return out;
    uint64_t state = 1;
    out = (fullest_rank){0};
    for (int i = 0; i < DRAWS; i++) {
        draw(tokens, routed, (size_t)experts, exponent, &state, rows);
        fullest_rank one = fullest_of(rows, (size_t)experts, (size_t)ranks);
        out.rows += fmax(one.rows, 1) / DRAWS;
        out.experts += fmax(one.experts, 1) / DRAWS;
    }
    return out;
}
