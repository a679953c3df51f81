/* The knees of a bandwidth curve and the working sets that follow from them: pure arithmetic. docs/measure.md has the
 * reasons for the numbers. */
#include "measure/plan/sweep.h"

#include <math.h>
#include <string.h>

static const double FLAT = 1.1;   /* a plateau falls by no more than this from its first to its last size */
static const double APART = 1.12; /* two levels differ by more than this */
static const double WELL_BELOW = 1.3;
static const double SLOPE = 1.35;  /* plateaus that were joined and fall by more are a slope, not a level */
static const double OCTAVES = 0.6; /* a plateau is at least this long */

size_t sweep_sizes(double least, double most, double *sizes) {
    size_t count = 0;
    for (double size = least; size <= most * 1.001 && count < SWEEP_MAX; count++) {
        sizes[count] = floor(size / 1024 + 0.5) * 1024; /* whole lines */
        size *= exp2(size < 33e6 ? 1.0 / 6 : 1.0 / 3);
    }
    return count;
}

typedef struct rate_curve {
    const double *sizes;
    double best[SWEEP_MAX]; /* the best rate at this size or a larger one */
    size_t count;
    plateau *out;
    size_t found;
} rate_curve;

static double octaves(const rate_curve *curve, size_t from, size_t to) {
    return log2(curve->sizes[to] / curve->sizes[from]);
}

static plateau plateau_of(const rate_curve *curve, size_t from, size_t to) {
    return (plateau){
        .first = curve->sizes[from], .last = curve->sizes[to], .rate = curve->best[from + (to - from) / 2]};
}

/* The longest flat stretch between `low` and `high`, then those to its left and right. */
static void search(rate_curve *curve, size_t low, size_t high) {
    size_t from = low, to = low;
    for (size_t i = low; i <= high; i++) {
        size_t j = i;
        while (j < high && curve->best[j + 1] * FLAT >= curve->best[i])
            j++;
        if (octaves(curve, i, j) > octaves(curve, from, to))
            from = i, to = j;
    }
    if (octaves(curve, from, to) < OCTAVES || curve->found >= PLATEAU_MAX)
        return;
    if (from > low)
        search(curve, low, from - 1);
    if (curve->found < PLATEAU_MAX)
        curve->out[curve->found++] = plateau_of(curve, from, to);
    if (to < high)
        search(curve, to + 1, high);
}

/* Neighbours that hardly differ are one level, unless the whole falls so much that it is none. */
static size_t join(plateau *list, size_t count) {
    size_t kept = 0;
    for (size_t i = 0, next; i < count; i = next) {
        plateau whole = list[i];
        double least = list[i].rate;
        for (next = i + 1; next < count && least < list[next].rate * APART; next++) {
            least = list[next].rate;
            whole.last = list[next].last;
            if (log2(list[next].last / list[next].first) > log2(list[next - 1].last / list[next - 1].first))
                whole.rate = list[next].rate;
        }
        if (list[i].rate <= least * SLOPE)
            list[kept++] = whole;
    }
    return kept;
}

/* Where the rate is half way down (by ratio) to the next plateau, or well below its own: the next may be far away. 0:
 * it goes on to the end of the sweep. */
static double knee_of(const rate_curve *curve, const plateau *at, const plateau *next) {
    double half = fmax(next ? sqrt(at->rate * next->rate) : 0, at->rate / WELL_BELOW);
    for (size_t i = 1; i < curve->count; i++)
        if (curve->sizes[i - 1] >= at->last && curve->best[i] < half)
            return sqrt(curve->sizes[i - 1] * curve->sizes[i]);
    return 0;
}

size_t find_plateaus(const double *sizes, const double *rates, size_t count, plateau *out) {
    rate_curve curve = {.sizes = sizes, .count = count < SWEEP_MAX ? count : SWEEP_MAX, .out = out};
    if (curve.count < 3)
        return 0;
    /* What a larger set reaches a smaller one can reach: a dip is a disturbance. */
    double best = 0;
    for (size_t i = curve.count; i-- > 0;)
        curve.best[i] = best = fmax(best, rates[i]);
    search(&curve, 0, curve.count - 1);
    size_t kept = join(out, curve.found);
    for (size_t i = 0; i < kept; i++)
        out[i].knee = knee_of(&curve, &out[i], i + 1 < kept ? &out[i + 1] : NULL);
    return kept;
}

static const roof_level caches[] = {ROOF_L1, ROOF_L2, ROOF_L3};
enum { CACHES = 3 };

static int reported_count(const double *reported) {
    int count = 0;
    for (int i = 0; i < CACHES; i++)
        count += reported[caches[i]] > 0;
    return count;
}

static double largest(const double *reported) {
    double size = 0;
    for (int i = 0; i < CACHES; i++)
        size = fmax(size, reported[caches[i]]);
    return size;
}

/* Is the last plateau memory? Only when that is sure: the sweep went far past the last cache, or every cache that is
 * reported has a plateau of its own before it, or it is longer than a cache can be. */
static bool is_memory(const plateau *list, size_t count, double most, const double *reported) {
    const plateau *last = &list[count - 1];
    double cache = largest(reported);
    int expected = reported_count(reported);
    if (count < 2 || last->knee > 0)
        return false;
    if (cache > 0 && most >= 3.9 * cache && last->first < most / 2)
        return true;
    if (count > (size_t)(expected ? expected : CACHES) && most >= 100e6 && last->last >= 3 * last->first)
        return true;
    return most >= 500e6 && most >= 1.8 * cache && last->last >= 15 * last->first;
}

/* The reported level that a knee belongs to: the nearest of those above `after`; CACHES when it fits none. */
static int match(double knee, int after, const double *reported) {
    int nearest = CACHES;
    double distance = HUGE_VAL;
    for (int i = after; i < CACHES; i++) {
        double size = reported[caches[i]];
        if (size > 0 && fabs(log(knee / size)) < distance && knee < 2.5 * size) {
            distance = fabs(log(knee / size));
            nearest = i;
        }
    }
    return nearest;
}

static void name_caches(const plateau *list, size_t count, const double *reported, level_plans *out) {
    bool any = reported_count(reported) > 0;
    int last = -1;
    for (size_t i = 0; i < count; i++) {
        double end = list[i].knee > 0 ? list[i].knee : list[i].last;
        int at = any ? match(end, last < 0 ? 0 : last, reported) : last + 1 < CACHES ? last + 1 : last;
        if (at == CACHES)
            continue;
        if (any && list[i].knee <= 0 && list[i].last > 1.2 * reported[caches[at]])
            continue; /* it goes on past the cache: it may be anything */
        level_plan *level = &out->at[caches[at]];
        if (at == last)
            level->plateau.knee = list[i].knee; /* a step within a level: it goes on */
        else
            level->plateau = list[i];
        level->seen = true;
        level->refuted = list[i].knee > 0 && list[i].knee < level->reported / 3;
        bool trusted = level->reported > 0 && !level->refuted;
        level->size = trusted ? level->reported : list[i].knee; /* 0: the plateau has no end */
        last = at;
    }
}

void name_levels(const plateau *plateaus, size_t count, double most, const double *reported, level_plans *out) {
    memset(out, 0, sizeof *out);
    for (int i = 0; i < CACHES; i++)
        out->at[caches[i]].size = out->at[caches[i]].reported = reported[caches[i]];
    out->most = most;
    if (count == 0)
        return;
    bool memory = is_memory(plateaus, count, most, reported);
    if (memory) {
        out->at[ROOF_DRAM].seen = true;
        out->at[ROOF_DRAM].plateau = plateaus[count - 1];
    }
    name_caches(plateaus, memory ? count - 1 : count, reported, out);
    /* A cache without a plateau cannot reach far into what is memory. */
    for (int i = 0; memory && i < CACHES; i++) {
        level_plan *level = &out->at[caches[i]];
        if (!level->seen && level->size > 3 * plateaus[count - 1].first) {
            level->refuted = true;
            level->size = 0;
        }
    }
}

static int sharers_of(const host *here, roof_level level, int threads) {
    int sharing = here->sharing[level];
    if (sharing <= 0)
        sharing = level == ROOF_L1 || level == ROOF_L2 ? 1 : threads; /* not known: the least a thread can have */
    return sharing < threads ? sharing : threads;
}

/* Half of what is there, but so much that the level before cannot hold it, and no more than still was on the plateau.
 */
static double set_within(double there, double last, double before) {
    double set = fmin(fmax(there / 2, fmin(2.2 * before, 0.75 * there)), last);
    return set >= 2 * before ? set : 0;
}

static void cache_set(level_plan *level, double before) {
    double last = level->plateau.last, there = level->size > 0 ? level->size : last;
    if (!level->seen)
        return;
    level->all = set_within(there / level->sharers, last / level->sharers, before);
    level->one = level->all > 0 ? level->all : set_within(there, last, before);
}

/* What a cache may hold, for a working set that must not fit it: a refuted size without a knee still counts as far as
 * the sweep went. */
static double cache_bytes(const level_plan *level, double most) {
    if (level->size > 0)
        return level->size;
    return level->seen ? level->plateau.last : fmin(level->reported, most / 4);
}

/* A virtual machine may be shown a smaller cache than it has a share of. With as much memory as this at hand, what such
 * a cache keeps is a small part. */
static const double ample = 512 << 20;

/* What memory sets must exceed. Where the sweep did not show memory, nothing refutes what is reported. */
static double cache_reach(const level_plan *level, const level_plans *levels) {
    double found = cache_bytes(level, levels->most);
    return levels->at[ROOF_DRAM].seen ? found : fmax(found, level->reported);
}

static bool reported_any(const level_plans *levels) {
    for (int i = 0; i < CACHES; i++)
        if (levels->at[caches[i]].reported > 0)
            return true;
    return false;
}

/* Memory without a plateau of its own still lies past every cache that is reported or seen: sets four times as large
 * are in it whatever the sweep showed. With nothing reported nobody knows how large that is. */
static void memory_sets(int threads, double memory, level_plans *levels) {
    level_plan *dram = &levels->at[ROOF_DRAM];
    double one = fmax(fmax(4 * levels->cache, 2 * dram->plateau.first), fmin(ample, memory / 4));
    levels->needs = fmax(one, 4 * levels->last_cache);
    dram->sharers = threads;
    if (levels->cache <= 0 || (!dram->seen && !reported_any(levels)))
        return;
    dram->assumed = !dram->seen;
    dram->one = one <= memory ? one : 0;
    dram->all = levels->needs <= memory ? levels->needs / threads : 0;
}

void choose_sets(const host *here, int threads, double memory, level_plans *levels) {
    double before = 0;
    levels->cache = levels->last_cache = 0;
    for (int i = 0; i < CACHES; i++) {
        level_plan *level = &levels->at[caches[i]];
        level->sharers = sharers_of(here, caches[i], threads);
        cache_set(level, before);
        if (level->one > memory || level->all * threads > memory)
            level->one = level->one > memory ? 0 : level->one, level->all = 0;
        double size = cache_bytes(level, levels->most), reach = cache_reach(level, levels);
        if (size > 0)
            before = size;
        if (reach <= 0)
            continue;
        levels->cache = reach;
        levels->last_cache = reach * ((threads + level->sharers - 1) / level->sharers);
    }
    memory_sets(threads, memory, levels);
}
