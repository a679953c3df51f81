/* Threads: pinned, all at once, and still moving where two share a CPU. The kernel says where a thread runs. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "test.h"

#include "alloc/alloc.h"
#include "measure/engine/team.h"

enum { THREADS_MOST = 64 };

/* pthread_create() of the library comes here (--wrap): creations_left of them work. */
static int creations_left;
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *context) {
    if (creations_left-- <= 0)
        return 11; /* EAGAIN: a limit on processes */
    return __real_pthread_create(thread, attributes, start, context);
}

static int every_creation_works(void **state) {
    (void)state;
    creations_left = 1000000;
    return 0;
}

static team *started(const int *cpus, int count) {
    roof_error error = {0};
    team *crew = team_start(cpus, count, &error);
    if (!crew)
        fail_msg("%s", error.what);
    assert_int_equal(team_size(crew), count);
    return crew;
}

/* CPUs this process may use, at most THREADS_MOST. */
static int allowed_cpus(int *cpus) {
    cpu_set_t set;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    int count = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE && count < THREADS_MOST; cpu++)
        if (CPU_ISSET(cpu, &set))
            cpus[count++] = cpu;
    return count;
}

typedef struct place {
    int cpu, allowed, first;
    bool signals_blocked;
    pthread_t thread;
} place;

static void look_around(void *context, int rank) {
    place *places = context;
    cpu_set_t set;
    sigset_t blocked;
    place here = {.cpu = sched_getcpu(), .first = -1, .thread = pthread_self()};
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        here.allowed = CPU_COUNT(&set);
    for (int cpu = CPU_SETSIZE - 1; cpu >= 0; cpu--)
        if (CPU_ISSET(cpu, &set))
            here.first = cpu;
    here.signals_blocked = pthread_sigmask(SIG_BLOCK, NULL, &blocked) == 0 && sigismember(&blocked, SIGINT) == 1;
    places[rank] = here;
}

static void each_thread_runs_on_its_cpu(void **state) {
    (void)state;
    int cpus[THREADS_MOST], count = allowed_cpus(cpus);
    cpu_set_t before, after;
    sigset_t mask;
    sched_getaffinity(0, sizeof before, &before);
    team *crew = started(cpus, count);
    assert_int_equal(team_unpinned(crew), 0);
    place places[THREADS_MOST];
    for (int again = 0; again < 50; again++) {
        memset(places, 0, sizeof places);
        team_run(crew, count, look_around, places);
        for (int rank = 0; rank < count; rank++) {
            assert_int_equal(places[rank].cpu, cpus[rank]);
            assert_int_equal(places[rank].allowed, 1);
            assert_int_equal(places[rank].first, cpus[rank]);
            assert_true(places[rank].signals_blocked);
            assert_false(pthread_equal(places[rank].thread, pthread_self()));
        }
    }
    team_stop(crew);
    sched_getaffinity(0, sizeof after, &after);
    assert_true(CPU_EQUAL(&before, &after));
    assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &mask), 0);
    assert_int_equal(sigismember(&mask, SIGINT), 0);
}

static void one_cpu_is_enough(void **state) {
    (void)state;
    int cpus[THREADS_MOST];
    allowed_cpus(cpus);
    team *crew = started(cpus, 1);
    place here = {0};
    team_run(crew, 1, look_around, &here);
    assert_int_equal(here.cpu, cpus[0]);
    team_stop(crew);
}

/* CPU 0x5000 is beyond every fixed cpu_set_t and every machine; -1 is none at all. The team works, unpinned. */
static void a_cpu_that_is_not_there_is_told(void **state) {
    (void)state;
    int cpus[THREADS_MOST];
    allowed_cpus(cpus);
    int asked[] = {cpus[0], 0x5000, -1, 0x7fffffff};
    team *crew = started(asked, 4);
    assert_int_equal(team_unpinned(crew), 3);
    place places[4] = {{0}};
    team_run(crew, 4, look_around, places);
    assert_int_equal(places[0].cpu, cpus[0]);
    team_stop(crew);
}

typedef struct meeting {
    team *crew;
    int count, times;
    long step[4];     /* plain: the meeting is what orders them */
    atomic_int early; /* saw somebody who had not arrived */
} meeting;

static void meet_often(void *context, int rank) {
    meeting *m = context;
    for (int time = 1; time <= m->times; time++) {
        m->step[rank]++;
        team_meet(m->crew, m->count);
        for (int other = 0; other < m->count; other++)
            if (m->step[other] != m->step[rank])
                atomic_fetch_add(&m->early, 1);
        team_meet(m->crew, m->count);
    }
}

static void meet(const int *cpus, int size, int runs, int times) {
    meeting m = {.crew = started(cpus, size), .times = times};
    for (int run = 0; run < runs; run++) {
        m.count = 1 + run % size; /* fewer than the team has, too */
        memset(m.step, 0, sizeof m.step);
        team_run(m.crew, m.count, meet_often, &m);
        for (int rank = 0; rank < size; rank++)
            assert_int_equal(m.step[rank], rank < m.count ? times : 0);
    }
    assert_int_equal(atomic_load(&m.early), 0);
    team_stop(m.crew);
}

static void nobody_leaves_before_all_arrived(void **state) {
    (void)state;
    int cpus[THREADS_MOST], count = allowed_cpus(cpus);
    int two[] = {cpus[0], cpus[count - 1]};
    meet(two, 2, 2000, 5);
}

static void threads_on_one_cpu_still_meet(void **state) {
    (void)state;
    int cpus[THREADS_MOST];
    allowed_cpus(cpus);
    int same[] = {cpus[0], cpus[0], cpus[0]};
    meet(same, 2, 200, 5);
    meet(same, 3, 100, 3);
}

static void count_run(void *context, int rank) {
    ((int *)context)[rank]++;
}

static void only_the_ranks_asked_for_run(void **state) {
    (void)state;
    int cpus[THREADS_MOST], done[3] = {0};
    allowed_cpus(cpus);
    int same[] = {cpus[0], cpus[0], cpus[0]};
    team *crew = started(same, 3);
    for (int run = 0; run < 3000; run++)
        team_run(crew, 1 + run % 3, count_run, done);
    assert_int_equal(done[0], 3000);
    assert_int_equal(done[1], 2000);
    assert_int_equal(done[2], 1000);
    team_stop(crew);
}

static void a_thread_that_cannot_start_is_an_error(void **state) {
    (void)state;
    int cpus[] = {0, 0, 0, 0};
    for (int fails = 0; fails < 4; fails++) {
        roof_error error = {0};
        creations_left = fails;
        assert_null(team_start(cpus, 4, &error));
        assert_int_equal(error.code, ROOF_ENOMEM);
        char what[64];
        snprintf(what, sizeof what, "thread %d of 4 could not be started", fails + 1);
        assert_non_null(strstr(error.what, what));
        assert_non_null(strstr(error.hint, "ulimit -u"));
    }
    creations_left = 2;
    assert_null(team_start(cpus, 4, NULL));
}

static void no_memory_is_an_error(void **state) {
    (void)state;
    int cpus[] = {0, 0};
    every_creation_works(NULL);
    ALLOC_FAIL_EACH(n, {
        roof_error error = {0};
        team *crew = team_start(cpus, 2, &error);
        assert_int_equal(crew == NULL, alloc_failed());
        assert_int_equal(error.code, crew ? ROOF_OK : ROOF_ENOMEM);
        team_stop(crew);
        assert_int_equal(alloc_live(), 0);
    });
    assert_in_range(alloc_count(), 2, 100);
    alloc_start(0);
}

static void a_team_of_nobody_is_refused(void **state) {
    (void)state;
    roof_error error = {0};
    assert_null(team_start((int[]){0}, 0, &error));
    assert_int_equal(error.code, ROOF_EARGUMENT);
    team_stop(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(each_thread_runs_on_its_cpu, every_creation_works),
        cmocka_unit_test(one_cpu_is_enough),
        cmocka_unit_test(a_cpu_that_is_not_there_is_told),
        cmocka_unit_test(nobody_leaves_before_all_arrived),
        cmocka_unit_test(threads_on_one_cpu_still_meet),
        cmocka_unit_test(only_the_ranks_asked_for_run),
        cmocka_unit_test(a_thread_that_cannot_start_is_an_error),
        cmocka_unit_test(no_memory_is_an_error),
        cmocka_unit_test(a_team_of_nobody_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
