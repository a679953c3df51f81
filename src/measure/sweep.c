/* The knees of a bandwidth curve and the working sets that follow from them: pure arithmetic. docs/measure.md has the
 * reasons for the numbers. */
#include "measure/sweep.h"

#include <math.h>
#include <string.h>

static const double FLAT = 1.15;    /* a plateau falls by no more than this from its first to its last size */
static const double APART = 1.2;    /* two levels differ by more than this */
static const double SLOPE = 1.45;   /* plateaus that were joined and fall by more are a slope, not a level */
static const double OCTAVES = 0.6;  /* a plateau is at least this long */

size_t sweep_sizes(double least, double most, double *sizes) {
    size_t count = 0;
    for (double size = least; size <= most * 1.001 && count < SWEEP_MAX; count++) {
        sizes[count] = floor(size / 1024 + 0.5) * 1024; /* whole lines */
        size *= exp2(size < 33e6 ? 1.0 / 6 : 1.0 / 3);
    }
    return count;
}

typedef struct curve {
    const double *sizes;
    double best[SWEEP_MAX]; /* the best rate at this size or a larger one */
    size_t count;
    plateau *out;
    size_t found;
} curve;

static double octaves(const curve *curve, size_t from, size_t to) {
    return log2(curve->sizes[to] / curve->sizes[from]);
}

static plateau plateau_of(const curve *curve, size_t from, size_t to) {
    bool open = to + 1 == curve->count;
    return (plateau){.first = curve->sizes[from],
                     .last = curve->sizes[to],
                     .knee = open ? 0 : sqrt(curve->sizes[to] * curve->sizes[to + 1]),
                     .rate = curve->best[from + (to - from) / 2]};
}

/* The longest flat stretch between `low` and `high`, then those to its left and right. */
static void search(curve *curve, size_t low, size_t high) {
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
            whole.knee = list[next].knee;
            if (log2(list[next].last / list[next].first) > log2(list[next - 1].last / list[next - 1].first))
                whole.rate = list[next].rate;
        }
        if (list[i].rate <= least * SLOPE)
            list[kept++] = whole;
    }
    return kept;
}

size_t find_plateaus(const double *sizes, const double *rates, size_t count, plateau *out) {
    curve curve = {.sizes = sizes, .count = count < SWEEP_MAX ? count : SWEEP_MAX, .out = out};
    if (curve.count < 3)
        return 0;
    /* What a larger set reaches a smaller one can reach: a dip is a disturbance. */
    double best = 0;
    for (size_t i = curve.count; i-- > 0;)
        curve.best[i] = best = fmax(best, rates[i]);
    search(&curve, 0, curve.count - 1);
    return join(out, curve.found);
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
    if (count > (size_t)(expected ? expected : CACHES))
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

static void name_caches(const plateau *list, size_t count, const double *reported, levels *out) {
    bool any = reported_count(reported) > 0;
    int next = 0;
    for (size_t i = 0; i < count && next < CACHES; i++) {
        double end = list[i].knee > 0 ? list[i].knee : list[i].last;
        int at = any ? match(end, next, reported) : next;
        if (at == CACHES)
            continue;
        level_plan *level = &out->at[caches[at]];
        level->seen = true;
        level->plateau = list[i];
        level->refuted = list[i].knee > 0 && list[i].knee < level->size / 3;
        if (level->refuted || level->size <= 0)
            level->size = list[i].knee; /* 0 when the plateau has no end: not known */
        next = at + 1;
    }
}

void name_levels(const plateau *plateaus, size_t count, double most, const double *reported, levels *out) {
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

static int sharers_of(const host *host, roof_level level, int threads) {
    int sharing = host->sharing[level];
    if (sharing <= 0)
        sharing = level == ROOF_L1 || level == ROOF_L2 ? 1 : threads; /* not known: the least a thread can have */
    return sharing < threads ? sharing : threads;
}

/* Half of what is there, but so much that the level before cannot hold it. */
static double set_within(double there, double before) {
    double set = fmax(there / 2, fmin(2.2 * before, 0.75 * there));
    return set >= 2 * before ? set : 0;
}

static void cache_set(level_plan *level, double before) {
    double there = fmin(level->size > 0 ? level->size : level->plateau.last, level->plateau.last * 1.1);
    if (!level->seen)
        return;
    level->all = set_within(there / level->sharers, before);
    level->one = level->all > 0 ? level->all : set_within(there, before);
}

/* What a cache may hold, for a working set that must not fit it: a refuted size without a knee still counts as far as the
 * sweep went. */
static double cache_bytes(const level_plan *level, double most) {
    if (level->size > 0)
        return level->size;
    return level->seen ? level->plateau.last : fmin(level->reported, most / 4);
}

void choose_sets(const host *host, int threads, double memory, levels *levels) {
    double before = 0, cache = 0;
    int instances = 1;
    for (int i = 0; i < CACHES; i++) {
        level_plan *level = &levels->at[caches[i]];
        level->sharers = sharers_of(host, caches[i], threads);
        cache_set(level, before);
        if (level->one > memory || level->all * threads > memory)
            level->one = level->one > memory ? 0 : level->one, level->all = 0;
        double size = cache_bytes(level, levels->most);
        if (size > 0) {
            before = cache = size;
            instances = (threads + level->sharers - 1) / level->sharers;
        }
    }
    level_plan *dram = &levels->at[ROOF_DRAM];
    dram->sharers = threads;
    levels->cache = cache;
    levels->last_cache = cache * instances;
    double one = fmax(fmax(4 * cache, 2 * dram->plateau.first), 32 << 20);
    levels->needs = fmax(one, 4 * cache * instances);
    if (!dram->seen || cache <= 0)
        return;
    dram->one = one <= memory ? one : 0;
    dram->all = levels->needs <= memory ? levels->needs / threads : 0;
}
