/* Someone else's FLOP count beside ours: the usual mistakes, each as the count it would give. */
#include <math.h>
#include <stdio.h>

#include "advice/text.h"
#include "roofline.h"

/* A mistake makes the count of the linear work, the attention and the vector work times these factors. `slack` is how
 * far below the product the count may lie; counts above it may differ by rounding only. */
typedef struct mistake {
    double linear, attention, vector;
    double slack;
    const char *saying;
} mistake;

static const double ROUNDING = 0.005; /* counts are often printed with three digits */

#define SHORT 0.04 /* 1 / (S + 1) of sequences of 24 tokens and more */
/* Exact causal attention counts S(S+1)/2 pairs where the uncorrected count has S*S and the halved one S*S/2: twice ours
 * and once ours less a part 1/(S+1), so the slack is that of short sequences. */
static const mistake mistakes[] = {
    {1, 1, 0, 0, "agrees"},
    {1, 1, 1, 0, "agrees, with norms, softmax and activations counted in"},
    {0.5, 0.5, 0, 0, "looks like a MAC count (ours counts a multiply-add as 2)"},
    {1, 0, 0, 0, "counts the linear layers only: attention is missing"},
    {0.5, 0, 0, 0, "looks like a MAC count of the linear layers only: attention is missing"},
    {1, 1, 0, SHORT, "halves causal attention instead of counting the visible pairs, S/2 for (S+1)/2"},
    {1, 2, 0, SHORT, "credits the masked half of causal attention"},
    {0.5, 1, 0, SHORT, "looks like a MAC count that credits the masked half of causal attention"},
};

static bool matches(const mistake *row, const roof_sum *ours, double claimed) {
    double linear = ours->matrix_flops - ours->attention_flops, vector = ours->flops - ours->matrix_flops;
    double attention = row->attention * ours->attention_flops;
    double count = row->linear * linear + attention + row->vector * vector;
    bool tells = row->slack == 0 || ours->attention_flops > 0; /* these are about attention */
    return tells && count > 0 && claimed <= count * (1 + ROUNDING) &&
           claimed >= count * (1 - ROUNDING) - row->slack * attention;
}

/* The larger over the smaller. */
static double ratio(double a, double b) {
    return a > b ? a / b : b / a;
}

size_t roof_count_diagnose(const roof_sum *ours, double claimed, char *buffer, size_t size) {
    double own = ours->matrix_flops > 0 ? ours->matrix_flops : ours->flops;
    if (!(claimed > 0) || !isfinite(claimed) || !(own > 0))
        return (size_t)snprintf(buffer, size, "there is no count to compare");
    const mistake *found = NULL;
    for (size_t i = 0; !found && i < sizeof mistakes / sizeof *mistakes; i++)
        if (matches(&mistakes[i], ours, claimed))
            found = &mistakes[i];
    char missing[48] = "";
    if (found && found->attention == 0)
        snprintf(missing, sizeof missing, ", a factor %.2f", own / (own - ours->attention_flops));
    return (size_t)snprintf(buffer, size, "%s claimed, %s here, ratio %.2f: the claimed count %s%s",
                            advice_quantity(claimed, "FLOP").text, advice_quantity(own, "FLOP").text,
                            ratio(own, claimed),
                            found ? found->saying : "is neither ours, a MAC count nor one without attention", missing);
}
