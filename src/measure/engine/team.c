/* Threads that run at once, one pinned to each core. Between jobs they sleep; inside one they meet by spinning. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "measure/engine/team.h"

/* Bytes between what different threads write: two lines, because CPUs fetch lines in pairs. Stacks are small, so that
 * many threads start under a limit on address space. */
enum { APART = 128, STACK_BYTES = 1 << 20, CPU_MOST = 1 << 20 };

typedef struct member {
    team *crew;
    int rank, seen; /* seen: the CPU it really ran on */
    bool pinned;
    pthread_t thread;
    sem_t go;
    char apart[APART];
} member;

struct team {
    int size, unpinned;
    void (*work)(void *context, int rank); /* NULL: go home */
    void *context;
    sem_t done;
    char apart[APART];
    atomic_int arrived; /* written by all when they meet */
    char apart_too[APART];
    atomic_uint generation; /* read by all while they wait */
    char apart_again[APART];
    member members[];
};

static void wait_for(sem_t *semaphore) {
    while (sem_wait(semaphore) != 0 && errno == EINTR)
        continue;
}

static void *serve(void *context) {
    member *me = context;
    for (;;) {
        wait_for(&me->go);
        if (!me->crew->work)
            return NULL;
        me->crew->work(me->crew->context, me->rank);
        sem_post(&me->crew->done);
    }
}

/* Signals of the caller's program stay with its own threads: a handler inside a window would be timed. */
static int start_one(member *me, const pthread_attr_t *attributes) {
    sigset_t all, before;
    sigfillset(&all);
    if (sem_init(&me->go, 0, 0) != 0)
        return errno;
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&me->thread, attributes, serve, me);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed)
        sem_destroy(&me->go);
    return failed;
}

static int start_all(team *crew, int count, roof_error *error) {
    pthread_attr_t attributes;
    int failed = pthread_attr_init(&attributes);
    if (failed)
        return roof_fail(error, ROOF_ENOMEM, "threads could not be started: %s", strerror(failed));
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    while (!failed && crew->size < count) {
        member *me = &crew->members[crew->size];
        *me = (member){.crew = crew, .rank = crew->size};
        failed = start_one(me, &attributes);
        if (!failed)
            crew->size++;
    }
    pthread_attr_destroy(&attributes);
    if (!failed)
        return 0;
    roof_fail(error, ROOF_ENOMEM, "thread %d of %d could not be started: %s", crew->size + 1, count, strerror(failed));
    if (crew->size > 0)
        roof_hint(error, "use at most %d threads, or raise the limits on processes and memory (ulimit -u, ulimit -v)",
                  crew->size);
    else
        roof_hint(error, "raise the limits on processes and memory (ulimit -u, ulimit -v, pids.max of the cgroup)");
    return -1;
}

static void note_place(void *context, int rank) {
    team *crew = context;
    crew->members[rank].seen = sched_getcpu();
}

/* From outside, one after another: when this returns, each thread has moved. Sets are as long as the largest number
 * asks. */
static int pin_all(team *crew, const int *cpus) {
    int most = 0;
    for (int rank = 0; rank < crew->size; rank++)
        if (cpus[rank] > most && cpus[rank] < CPU_MOST)
            most = cpus[rank];
    size_t size = CPU_ALLOC_SIZE(most + 1);
    cpu_set_t *set = malloc(size);
    if (!set)
        return -1;
    for (int rank = 0; rank < crew->size; rank++) {
        if (cpus[rank] < 0 || cpus[rank] > most)
            continue;
        CPU_ZERO_S(size, set);
        CPU_SET_S((size_t)cpus[rank], size, set);
        crew->members[rank].pinned = pthread_setaffinity_np(crew->members[rank].thread, size, set) == 0;
    }
    free(set);
    team_run(crew, crew->size, note_place, crew);
    for (int rank = 0; rank < crew->size; rank++)
        crew->unpinned += !crew->members[rank].pinned || crew->members[rank].seen != cpus[rank];
    return 0;
}

team *team_start(const int *cpus, int count, roof_error *error) {
    if (count < 1) {
        roof_fail(error, ROOF_EARGUMENT, "a team of %d threads was asked for: at least one is needed", count);
        return NULL;
    }
    team *crew = calloc(1, sizeof *crew + (size_t)count * sizeof crew->members[0]);
    if (!crew || sem_init(&crew->done, 0, 0) != 0) {
        free(crew);
        roof_fail(error, ROOF_ENOMEM, "no memory for a team of %d threads", count);
        return NULL;
    }
    if (start_all(crew, count, error) != 0) {
        team_stop(crew);
        return NULL;
    }
    if (pin_all(crew, cpus) != 0) {
        roof_fail(error, ROOF_ENOMEM, "no memory to pin %d threads", count);
        team_stop(crew);
        return NULL;
    }
    return crew;
}

int team_size(const team *crew) {
    return crew->size;
}

int team_unpinned(const team *crew) {
    return crew->unpinned;
}

void team_run(team *crew, int count, void (*work)(void *context, int rank), void *context) {
    crew->work = work;
    crew->context = context;
    for (int rank = 0; rank < count; rank++)
        sem_post(&crew->members[rank].go);
    for (int rank = 0; rank < count; rank++)
        wait_for(&crew->done);
}

static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory"); /* "yield" does nothing on most cores */
#endif
}

static long nanoseconds_since(const struct timespec *begin) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)(now.tv_sec - begin->tv_sec) * 1000000000L + (now.tv_nsec - begin->tv_nsec);
}

/* A sibling that is late by more than PATIENCE was preempted, perhaps by us: then give the CPU away. */
static void spin_until_changed(atomic_uint *value, unsigned old) {
    enum { LOOKS = 64, PATIENCE = 50000 };
    struct timespec begin;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        for (int look = 0; look < LOOKS; look++) {
            if (atomic_load_explicit(value, memory_order_acquire) != old)
                return;
            pause_briefly();
        }
    } while (nanoseconds_since(&begin) < PATIENCE);
    while (atomic_load_explicit(value, memory_order_acquire) == old)
        sched_yield();
}

void team_meet(team *crew, int count) {
    unsigned generation = atomic_load_explicit(&crew->generation, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&crew->arrived, 1, memory_order_acq_rel) + 1 < count) {
        spin_until_changed(&crew->generation, generation);
        return;
    }
    atomic_store_explicit(&crew->arrived, 0, memory_order_relaxed);
    atomic_store_explicit(&crew->generation, generation + 1, memory_order_release);
}

void team_stop(team *crew) {
    if (!crew)
        return;
    crew->work = NULL;
    for (int rank = 0; rank < crew->size; rank++)
        sem_post(&crew->members[rank].go);
    for (int rank = 0; rank < crew->size; rank++) {
        pthread_join(crew->members[rank].thread, NULL);
        sem_destroy(&crew->members[rank].go);
    }
    sem_destroy(&crew->done);
    free(crew);
}
