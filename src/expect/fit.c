/* Constants from measured times: least absolute error of the logarithm, by steps along each constant that halve when
 * none of them helps. A constant that the observations cannot hold keeps its value. docs/expected.md, "Calibration". */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "expect/defaults.h"
#include "expect/expect.h"

#define GROUPS_LEAST 3 /* groups of observations that must depend on a constant */
#define REGIME_LEAST 5 /* observations of a regime that give an interval */
#define FOLDS_MOST 16  /* fits without a part of the runs; of more groups several are left out together */

typedef struct fit {
    const roof_observation *observations;
    size_t count;
    size_t without, folds; /* left out: groups whose number modulo `folds` is this */
    const roof_constants *from;
    roof_constant free[ROOF_CONSTANT_COUNT];
    size_t free_count;
    bool used[ROOF_CONSTANT_COUNT];    /* of `sustained`: some observation depends on it */
    double moved[ROOF_CONSTANT_COUNT]; /* logarithm of what each constant is multiplied by */
} fit;

/* ---- error of one observation and of all ---- */

static roof_regime timed(const roof_observation *observation) {
    return observation->model || observation->operation_count == 0 ? observation->regime
                                                                   : regime_of(&observation->operations[0]);
}

static size_t fold_of(const fit *f, size_t i) {
    return f->observations[i].group % f->folds;
}

static bool counts(const fit *f, size_t i) {
    return f->without == ROOF_NO_GROUP || fold_of(f, i) != f->without;
}

/* ln(expected / measured). */
static int residual(const fit *f, const double *moved, size_t i, double *out, roof_error *error) {
    const roof_observation *observation = &f->observations[i];
    roof_constants constants = observation->constants ? *observation->constants : *f->from;
    roof_time span;
    for (size_t k = 0; k < f->free_count; k++)
        constants.value[f->free[k]].value *= exp(moved[f->free[k]]);
    if (observation_expect(observation, &constants, false, &span, error))
        return -1;
    *out = log(span.expected.seconds / observation->seconds);
    return 0;
}

/* Mean error; HUGE_VAL where it is no less than `enough`, which the first observations often tell, and where one cannot
 * be computed, which roof_fit() has ruled out for the constants it is given. */
static double loss(const fit *f, const double *moved, double enough) {
    double sum = 0, n = 0, r;
    for (size_t i = 0; i < f->count; i++)
        n += counts(f, i);
    for (size_t i = 0; i < f->count && sum < enough * n; i++) {
        if (!counts(f, i))
            continue;
        if (residual(f, moved, i, &r, NULL))
            return HUGE_VAL;
        sum += sqrt(r * r + assumed(FIT_SMOOTH) * assumed(FIT_SMOOTH)) - assumed(FIT_SMOOTH);
    }
    return n > 0 && sum < enough * n ? sum / n : HUGE_VAL;
}

/* ---- the search ---- */

typedef struct range {
    double low, high;
} range;

static double before(const fit *f, roof_constant which) {
    return f->from->value[which].value;
}

static bool is_share_of_a_share(roof_constant which) {
    return which == ROOF_CONSTANT_GEMM || which == ROOF_CONSTANT_ATTENTION || which == ROOF_CONSTANT_EXPERTS ||
           which == ROOF_CONSTANT_OTHERS;
}

/* What a constant can be. A share of a roof ends at the roof, unless its default says that the roof is too low: more of
 * it would hide launches that are thought too long. */
static range range_of(const fit *f, roof_constant which) {
    if (which == ROOF_CONSTANT_OVERLAP)
        return (range){1, assumed(FIT_OVERLAP_MOST)};
    if (roof_constant_unit(which)[0] == 's')
        return (range){assumed(FIT_SECONDS_LEAST), assumed(FIT_SECONDS_MOST)};
    return (range){assumed(FIT_SHARE_LEAST),
                   is_share_of_a_share(which) ? assumed(FIT_SHARE_MOST) : fmax(1, before(f, which))};
}

static double inside(const fit *f, roof_constant which, double moved) {
    range can = range_of(f, which);
    double value = before(f, which);
    return fmin(fmax(moved, log(can.low / value)), log(can.high / value));
}

static const roof_constant sustained[] = {ROOF_CONSTANT_MATRIX_32, ROOF_CONSTANT_MATRIX_16, ROOF_CONSTANT_MATRIX_8,
                                          ROOF_CONSTANT_MATRIX_4};

/* What products, attention and experts reach is a share of the share that is sustained: together no more than the roof,
 * or than they were. */
static bool within_roofs(const fit *f, const double *moved) {
    static const roof_constant reached[] = {ROOF_CONSTANT_GEMM, ROOF_CONSTANT_ATTENTION, ROOF_CONSTANT_EXPERTS};
    for (size_t a = 0; a < sizeof sustained / sizeof *sustained; a++)
        for (size_t b = 0; b < sizeof reached / sizeof *reached; b++) {
            double share = before(f, sustained[a]) * before(f, reached[b]);
            double factor = exp(moved[sustained[a]] + moved[reached[b]]);
            if (f->used[sustained[a]] && factor > 1 + 1e-9 && share * factor > fmax(1, share))
                return false;
        }
    return true;
}

static double value_of(const fit *f, roof_constant which) {
    return before(f, which) * exp(f->moved[which]);
}

/* The runs would move it further, were there more of it. */
static bool at_limit(const fit *f, roof_constant which) {
    range can = range_of(f, which);
    double further[ROOF_CONSTANT_COUNT];
    memcpy(further, f->moved, sizeof further);
    further[which] += 2 * assumed(FIT_LAST_STEP);
    return which != ROOF_CONSTANT_OVERLAP &&
           (value_of(f, which) > (1 - assumed(FIT_NEAR_LIMIT)) * can.high ||
            value_of(f, which) < (1 + assumed(FIT_NEAR_LIMIT)) * can.low || !within_roofs(f, further));
}

/* Tries `moved`; keeps it where it is better. */
static bool better(const fit *f, double *moved, const double *trial, double *least) {
    double found = within_roofs(f, trial) ? loss(f, trial, *least) : HUGE_VAL;
    if (!(found < *least))
        return false;
    *least = found;
    memcpy(moved, trial, ROOF_CONSTANT_COUNT * sizeof *moved);
    return true;
}

/* One step of each constant, up or else down. */
static bool step_each(const fit *f, double *moved, double step, double *least) {
    bool any = false;
    for (size_t k = 0; k < f->free_count; k++) {
        roof_constant which = f->free[k];
        for (int side = 0; side < 2; side++) {
            double trial[ROOF_CONSTANT_COUNT];
            memcpy(trial, moved, sizeof trial);
            trial[which] = inside(f, which, moved[which] + (side ? -step : step));
            if (better(f, moved, trial, least)) {
                any = true;
                break;
            }
        }
    }
    return any;
}

/* Where steps led, once more the same way: valleys are seldom along one constant. */
static void step_on(const fit *f, double *moved, const double *before, double *least) {
    double trial[ROOF_CONSTANT_COUNT];
    for (int c = 0; c < ROOF_CONSTANT_COUNT; c++)
        trial[c] = moved[c] + (moved[c] - before[c]);
    for (size_t k = 0; k < f->free_count; k++)
        trial[f->free[k]] = inside(f, f->free[k], trial[f->free[k]]);
    better(f, moved, trial, least);
}

/* Two constants at once, one up and the other down or both the same way: a way out of a corner. */
static bool step_pairs(const fit *f, double *moved, double step, double *least) {
    bool any = false;
    for (size_t a = 0; a < f->free_count; a++)
        for (size_t b = a + 1; b < f->free_count; b++)
            for (int side = 0; side < 4; side++) {
                double trial[ROOF_CONSTANT_COUNT];
                memcpy(trial, moved, sizeof trial);
                trial[f->free[a]] = inside(f, f->free[a], moved[f->free[a]] + (side & 1 ? -step : step));
                trial[f->free[b]] = inside(f, f->free[b], moved[f->free[b]] + (side & 2 ? -step : step));
                any |= better(f, moved, trial, least);
            }
    return any;
}

static double search(fit *f, double first, double last) {
    enum { STEPS_MAX = 200 };
    double least = loss(f, f->moved, HUGE_VAL), step = first;
    for (int i = 0; i < STEPS_MAX && step > last; i++) {
        double before[ROOF_CONSTANT_COUNT];
        memcpy(before, f->moved, sizeof before);
        if (step_each(f, f->moved, step, &least))
            step_on(f, f->moved, before, &least);
        else if (!step_pairs(f, f->moved, step, &least))
            step /= 2;
    }
    return least;
}

/* ---- which constants the observations hold ---- */

static void refuse(roof_fit_report *report, roof_constant which, const char *format, ...)
#ifdef __GNUC__
    __attribute__((__format__(__printf__, 3, 4)))
#endif
    ;

static void refuse(roof_fit_report *report, roof_constant which, const char *format, ...) {
    roof_fitted *fitted = &report->constants[which];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fitted->why, sizeof fitted->why, format, arguments);
    va_end(arguments);
    fitted->identified = false;
}

static void drop(fit *f, size_t at) {
    f->moved[f->free[at]] = 0;
    memmove(&f->free[at], &f->free[at + 1], (f->free_count - at - 1) * sizeof f->free[0]);
    f->free_count--;
}

/* Why nothing depends on a constant. */
static const char *absent(roof_constant which) {
    static const char *const why[ROOF_CONSTANT_COUNT] = {
        [ROOF_CONSTANT_STREAM] = "no run waits for memory",
        [ROOF_CONSTANT_MATRIX_32] = "no run multiplies 32-bit operands for long",
        [ROOF_CONSTANT_MATRIX_16] = "no run multiplies 16-bit operands for long: none is a prefill or a large batch",
        [ROOF_CONSTANT_MATRIX_8] = "no run multiplies 8-bit operands for long",
        [ROOF_CONSTANT_MATRIX_4] = "no run multiplies 4-bit operands for long",
        [ROOF_CONSTANT_VECTOR] = "no run computes outside matrix units for long",
        [ROOF_CONSTANT_GEMM] = "no run multiplies for long: none is a prefill or a large batch",
        [ROOF_CONSTANT_ATTENTION] = "no run computes attention for long: none is a prefill of a long prompt",
        [ROOF_CONSTANT_EXPERTS] = "no run multiplies with experts for long",
        [ROOF_CONSTANT_PACKED_BYTES] = "no run streams weights that are unpacked before use",
        [ROOF_CONSTANT_PACKED_MATH] = "no run multiplies for long with weights that are unpacked before use",
        [ROOF_CONSTANT_OVERLAP] = "no run has compute and memory time of like size",
        [ROOF_CONSTANT_LAUNCH] = "launches are too small a part of every run",
        [ROOF_CONSTANT_LINK] = "no run sends much between devices",
        [ROOF_CONSTANT_LINK_LATENCY] = "no run has collectives",
        [ROOF_CONSTANT_LINK_PEER] = "no run has collectives of many devices",
        [ROOF_CONSTANT_LINK_TWO_SHOT] = "no run has large all-reduces",
        [ROOF_CONSTANT_SKEW] = "no run has collectives",
        [ROOF_CONSTANT_OTHERS] = "no run shares the machine with other prompts",
    };
    return why[which];
}

/* Derivative of the logarithm of every expected time, by that of each free constant. */
static int effects(const fit *f, size_t i, double effect[ROOF_CONSTANT_COUNT]) {
    double at, moved[ROOF_CONSTANT_COUNT] = {0}, bumped;
    if (residual(f, moved, i, &at, NULL))
        return -1;
    for (size_t k = 0; k < f->free_count; k++) {
        moved[f->free[k]] = assumed(FIT_BUMP);
        if (residual(f, moved, i, &bumped, NULL))
            return -1;
        effect[k] = (bumped - at) / assumed(FIT_BUMP);
        moved[f->free[k]] = 0;
    }
    return 0;
}

static void find_used(fit *f) {
    for (size_t k = 0; k < sizeof sustained / sizeof *sustained; k++) {
        fit alone = *f;
        alone.free[0] = sustained[k];
        alone.free_count = 1;
        for (size_t i = 0; i < f->count && !f->used[sustained[k]]; i++) {
            double effect[ROOF_CONSTANT_COUNT];
            f->used[sustained[k]] = effects(&alone, i, effect) == 0 && fabs(effect[0]) >= assumed(FIT_FELT);
        }
    }
}

/* Groups in which an observation moves by more than a little. */
static size_t groups_that_feel(const fit *f, const double *effect) {
    size_t n = 0;
    for (size_t i = 0; i < f->count; i++) {
        bool first = fabs(effect[i]) >= assumed(FIT_FELT);
        for (size_t k = 0; first && k < i; k++)
            first = fabs(effect[k]) < assumed(FIT_FELT) || f->observations[k].group != f->observations[i].group;
        n += first;
    }
    return n;
}

static int refuse_unfelt(fit *f, roof_fit_report *report, double *scratch) {
    for (size_t k = f->free_count; k-- > 0;) {
        fit alone = *f;
        alone.free[0] = f->free[k];
        alone.free_count = 1;
        for (size_t i = 0; i < f->count; i++)
            if (effects(&alone, i, &scratch[i]))
                return -1;
        size_t groups = groups_that_feel(f, scratch);
        if (groups >= GROUPS_LEAST)
            continue;
        if (groups == 0)
            refuse(report, f->free[k], "%s", absent(f->free[k]));
        else
            refuse(report, f->free[k], "%zu group%s of runs depend%s on it; %d are needed", groups,
                   groups == 1 ? "" : "s", groups == 1 ? "s" : "", GROUPS_LEAST);
        drop(f, k);
    }
    return 0;
}

typedef struct square {
    double at[ROOF_CONSTANT_COUNT][ROOF_CONSTANT_COUNT];
} square;

/* Products of effects, summed over the observations. */
static int products(const fit *f, square *out) {
    *out = (square){0};
    for (size_t i = 0; i < f->count; i++) {
        double effect[ROOF_CONSTANT_COUNT];
        if (effects(f, i, effect))
            return -1;
        for (size_t a = 0; a < f->free_count; a++)
            for (size_t b = 0; b < f->free_count; b++)
                out->at[a][b] += effect[a] * effect[b];
    }
    return 0;
}

/* The earlier constant that does most nearly the same. */
static roof_constant likest(const fit *f, const square *sum, size_t of) {
    size_t best = 0;
    for (size_t k = 1; k < of; k++)
        if (fabs(sum->at[k][of]) / sqrt(sum->at[k][k]) > fabs(sum->at[best][of]) / sqrt(sum->at[best][best]))
            best = k;
    return f->free[best];
}

/* Constants whose effect is a sum of those of earlier ones: only a product (or a sum) of theirs is known. Factors the
 * products (Cholesky) in the order of the constants; what is left on the diagonal is what is new. */
static int refuse_alike(fit *f, roof_fit_report *report) {
    square sum, factor = {0};
    if (products(f, &sum))
        return -1;
    bool alike[ROOF_CONSTANT_COUNT] = {false};
    for (size_t j = 0; j < f->free_count; j++) {
        double left = sum.at[j][j];
        for (size_t k = 0; k < j; k++) {
            if (alike[k])
                continue;
            double dot = sum.at[j][k];
            for (size_t l = 0; l < k; l++)
                dot -= factor.at[j][l] * factor.at[k][l];
            factor.at[j][k] = dot / factor.at[k][k];
            left -= factor.at[j][k] * factor.at[j][k];
        }
        alike[j] = left < assumed(FIT_UNEXPLAINED) * sum.at[j][j];
        factor.at[j][j] = alike[j] ? 1 : sqrt(left);
        if (alike[j])
            refuse(report, f->free[j], "these runs determine it only together with %s",
                   roof_constant_name(likest(f, &sum, j)));
    }
    for (size_t k = f->free_count; k-- > 0;)
        if (alike[k])
            drop(f, k);
    return 0;
}

/* How much the mean error differs between samples like this one: its standard error. */
static double noise(const fit *f) {
    double sum = 0, squares = 0, n = 0, r;
    for (size_t i = 0; i < f->count; i++) {
        if (residual(f, f->moved, i, &r, NULL))
            return HUGE_VAL;
        sum += fabs(r);
        squares += r * r;
        n++;
    }
    double mean = sum / n;
    return sqrt(fmax(squares / n - mean * mean, 0) / n);
}

/* The error grows when the constant is doubled or halved, by more than noise. */
static bool is_held(const fit *f, roof_constant which, double least, double by_chance) {
    for (int side = 0; side < 2; side++) {
        double trial[ROOF_CONSTANT_COUNT];
        memcpy(trial, f->moved, sizeof trial);
        trial[which] = inside(f, which, f->moved[which] + (side ? -log(2) : log(2)));
        if (fabs(trial[which] - f->moved[which]) > assumed(FIT_TRIED_LEAST) &&
            loss(f, trial, HUGE_VAL) - least < fmax(by_chance, assumed(FIT_NOISE_LEAST)))
            return false;
    }
    return true;
}

/* Fits until every constant left is held by the observations and is none that they drive out of its range. */
static void fit_held(fit *f, roof_fit_report *report) {
    bool again = true;
    while (again && f->free_count > 0) {
        double least = search(f, assumed(FIT_FIRST_STEP), assumed(FIT_LAST_STEP)), by_chance = noise(f);
        again = false;
        for (size_t k = f->free_count; k-- > 0 && !again;) {
            roof_constant which = f->free[k];
            again = true;
            if (at_limit(f, which))
                refuse(report, which, "at its limit: these runs drive it to %.3g%s%s, so something else is missing",
                       value_of(f, which), roof_constant_unit(which)[0] ? " " : "", roof_constant_unit(which));
            else if (!is_held(f, which, least, by_chance))
                refuse(report, which, "twice or half of it would fit these runs as well");
            else
                again = false;
            if (again)
                drop(f, k);
        }
    }
}

/* ---- what the fit is worth ---- */

/* The value below which `share` of those of a regime lie (ROOF_REGIME_COUNT: of all); `fold`: of their sizes. By
 * halving: the values stay where they are. */
static double quantile(const fit *f, const double *values, roof_regime regime, bool fold, double share, size_t *n) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    *n = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (regime != ROOF_REGIME_COUNT && timed(&f->observations[i]) != regime)
            continue;
        double value = fold ? fabs(values[i]) : values[i];
        low = fmin(low, value);
        high = fmax(high, value);
        ++*n;
    }
    for (int step = 0; step < 60 && low < high; step++) {
        double middle = low + (high - low) / 2, below = 0;
        for (size_t i = 0; i < f->count; i++)
            if (regime == ROOF_REGIME_COUNT || timed(&f->observations[i]) == regime)
                below += (fold ? fabs(values[i]) : values[i]) <= middle;
        if (below > share * (double)(*n - 1))
            high = middle;
        else
            low = middle;
    }
    return high;
}

static int residuals(const fit *f, double *out, roof_error *error) {
    for (size_t i = 0; i < f->count; i++)
        if (residual(f, f->moved, i, &out[i], error))
            return -1;
    return 0;
}

static double median_error(const fit *f, const double *values) {
    size_t n;
    return quantile(f, values, ROOF_REGIME_COUNT, true, 0.5, &n);
}

static bool is_first_of_fold(const fit *f, size_t i) {
    for (size_t k = 0; k < i; k++)
        if (fold_of(f, k) == fold_of(f, i))
            return false;
    return true;
}

static size_t fold_count(const fit *f) {
    size_t n = 0;
    for (size_t i = 0; i < f->count; i++)
        n += is_first_of_fold(f, i);
    return n;
}

/* Each fold left out of its own fit, which starts from that of all: errors to `out`, and how far the constants move
 * (jackknife). */
static int leave_out(const fit *f, roof_fit_report *report, double *out) {
    double sum[ROOF_CONSTANT_COUNT] = {0}, squares[ROOF_CONSTANT_COUNT] = {0}, folds = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (!is_first_of_fold(f, i))
            continue;
        fit rest = *f;
        rest.without = fold_of(f, i);
        search(&rest, assumed(FIT_FIRST_STEP) / 4, 2 * assumed(FIT_LAST_STEP));
        for (size_t k = i; k < f->count; k++)
            if (!counts(&rest, k) && residual(&rest, rest.moved, k, &out[k], NULL))
                return -1;
        for (int c = 0; c < ROOF_CONSTANT_COUNT; c++) {
            double away = rest.moved[c] - f->moved[c];
            sum[c] += away;
            squares[c] += away * away;
        }
        folds++;
    }
    for (int c = 0; c < ROOF_CONSTANT_COUNT; c++) {
        double variance = (folds - 1) / folds * fmax(squares[c] - sum[c] * sum[c] / folds, 0);
        report->constants[c].spread =
            report->constants[c].identified
                ? expm1(assumed(FIT_HALF_WIDTH) * fmax(sqrt(variance), assumed(FIT_LAST_STEP)))
                : 0;
    }
    return 0;
}

/* The constant whose interval is widest, where that tells nothing. */
static bool refuse_vague(fit *f, roof_fit_report *report) {
    size_t worst = f->free_count;
    double most = assumed(FIT_SPREAD_MOST);
    for (size_t k = 0; k < f->free_count; k++)
        if (report->constants[f->free[k]].spread > most) {
            worst = k;
            most = report->constants[f->free[k]].spread;
        }
    if (worst == f->free_count)
        return false;
    roof_constant which = f->free[worst];
    range can = range_of(f, which);
    refuse(report, which, "these runs leave it between %.2g and %.2g%s%s",
           fmax(can.low, value_of(f, which) / (1 + most)), fmin(can.high, value_of(f, which) * (1 + most)),
           roof_constant_unit(which)[0] ? " " : "", roof_constant_unit(which));
    report->constants[which].spread = 0;
    drop(f, worst);
    return true;
}

static void intervals(const fit *f, const double *errors, roof_fit_report *report) {
    for (int regime = 0; regime < ROOF_REGIME_COUNT; regime++) {
        size_t n;
        double high = quantile(f, errors, (roof_regime)regime, false, 1 - assumed(FIT_TAIL), &n);
        double low = quantile(f, errors, (roof_regime)regime, false, assumed(FIT_TAIL), &n);
        report->low[regime] = n < REGIME_LEAST ? 0 : exp(-high);
        report->high[regime] = n < REGIME_LEAST ? 0 : exp(-low);
    }
}

/* ---- the doors ---- */

static void start(fit *f, const roof_observation *observations, size_t count, const roof_constant *free,
                  size_t free_count, const roof_constants *constants) {
    *f = (fit){.observations = observations,
               .count = count,
               .without = ROOF_NO_GROUP,
               .folds = ROOF_NO_GROUP,
               .from = constants};
    if (fold_count(f) > FOLDS_MOST)
        f->folds = FOLDS_MOST;
    size_t n = free ? free_count : ROOF_CONSTANT_COUNT;
    for (size_t k = 0; k < n && f->free_count < ROOF_CONSTANT_COUNT; k++) {
        roof_constant which = free ? free[k] : (roof_constant)k;
        bool seen = !(constants->value[which].value > 0);
        for (size_t i = 0; !seen && i < f->free_count; i++)
            seen = f->free[i] == which;
        if (!seen)
            f->free[f->free_count++] = which;
    }
    find_used(f);
}

static void start_report(const fit *f, roof_fit_report *report) {
    *report = (roof_fit_report){.count = f->count};
    for (int c = 0; c < ROOF_CONSTANT_COUNT; c++) {
        double before = f->from->value[c].value;
        report->constants[c] = (roof_fitted){.constant = (roof_constant)c, .before = before, .after = before};
        refuse(report, (roof_constant)c, "%s", before > 0 ? "not asked for" : "0 here: there is nothing to multiply");
    }
    for (size_t k = 0; k < f->free_count; k++) {
        report->constants[f->free[k]].identified = true;
        report->constants[f->free[k]].why[0] = '\0';
    }
}

static void set_constants(const fit *f, roof_constants *constants) {
    for (size_t k = 0; k < f->free_count; k++) {
        roof_figure *value = &constants->value[f->free[k]];
        *value = (roof_figure){.value = value->value * exp(f->moved[f->free[k]]),
                               .origin = ROOF_ORIGIN_MEASURED,
                               .source = "fitted to runs"};
    }
}

static int check(const roof_observation *observations, size_t count, roof_error *error) {
    if (count == 0)
        return roof_fail(error, ROOF_EARGUMENT, "no runs to fit constants to");
    for (size_t i = 0; i < count; i++)
        if (!(observations[i].seconds > 0 && isfinite(observations[i].seconds)))
            return roof_fail(error, ROOF_EARGUMENT, "run %zu has no measured time", i + 1);
    return 0;
}

int roof_fit_rest(const roof_observation *observations, size_t count, size_t without, const roof_constant *free,
                  size_t free_count, roof_constants *constants, roof_error *error) {
    fit f;
    if (check(observations, count, error))
        return -1;
    roof_constants from = *constants;
    start(&f, observations, count, free, free_count, &from);
    f.folds = ROOF_NO_GROUP;
    f.without = without;
    if (!isfinite(search(&f, assumed(FIT_FIRST_STEP), assumed(FIT_LAST_STEP))))
        return roof_fail(error, ROOF_EARGUMENT, "no expected time for one of the runs, or none is left");
    set_constants(&f, constants);
    return 0;
}

static int fail_none(size_t count, roof_error *error) {
    if (count == 1)
        return roof_fail(error, ROOF_EUNSUPPORTED, "this run alone determines none of the constants");
    return roof_fail(error, ROOF_EUNSUPPORTED, "these %zu runs determine none of the constants", count);
}

int roof_fit(const roof_observation *observations, size_t count, const roof_constant *free, size_t free_count,
             roof_constants *constants, roof_fit_report *report, double *scratch, roof_error *error) {
    fit f;
    roof_constants from = *constants;
    start(&f, observations, count, free, free_count, &from);
    start_report(&f, report);
    if (check(observations, count, error) || residuals(&f, scratch, error))
        return -1;
    report->error_before = report->error_after = report->in_sample = median_error(&f, scratch);
    if (refuse_unfelt(&f, report, scratch) || refuse_alike(&f, report))
        return roof_fail(error, ROOF_EARGUMENT, "no expected time for one of the runs");
    do {
        fit_held(&f, report);
        if (f.free_count == 0)
            return fail_none(count, error);
        if (residuals(&f, scratch, error))
            return -1;
        report->in_sample = median_error(&f, scratch);
        if (leave_out(&f, report, scratch))
            return roof_fail(error, ROOF_EARGUMENT, "no expected time for one of the runs");
    } while (refuse_vague(&f, report));
    for (size_t k = 0; k < f.free_count; k++)
        report->constants[f.free[k]].after = value_of(&f, f.free[k]);
    report->error_after = median_error(&f, scratch);
    intervals(&f, scratch, report);
    set_constants(&f, constants);
    return 0;
}
