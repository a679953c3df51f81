/* The table of hypotheses (hypotheses.inc), for which rates a row is thought of, and the order that scores give. */
#include "advice/hypotheses.h"

#include <math.h>

#include "advice/placed.h"

#define HYPOTHESIS(which, ...) [which] = {__VA_ARGS__},
const hypothesis_row hypothesis_rows[HYPOTHESES] = {
#include "advice/hypotheses.inc"
};

bool hypothesis_takes(hypothesis which, double r) {
    return r >= hypothesis_rows[which].low && r <= hypothesis_rows[which].high;
}

void hypotheses_sort(roof_hypothesis *found, size_t count) {
    for (size_t i = 1; i < count; i++) {
        roof_hypothesis moved = found[i];
        size_t place = i;
        for (; place > 0 && found[place - 1].score < moved.score; place--)
            found[place] = found[place - 1];
        found[place] = moved;
    }
}
