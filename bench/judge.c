/* How long one configuration takes: a model's prefill and decode, every operation built and judged. Prints medians of
 * several runs over many different configurations: CPU time on one thread, and wall time on one and two; then the same
 * with expected times beside the bound's. */
#define _POSIX_C_SOURCE 199309L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "roofline_expected.h"

#include "../tests/work/models.h"

enum { RUNS = 21, CONFIGURATIONS = 50000, THREADS_MAX = 2 };

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

typedef struct worker {
    const roof_machine *machine;
    const roof_model *model;
    size_t first;
    double cpu, checksum; /* the sum keeps the work from being optimised away */
    int failed;
} worker;

/* Batch, prompt and context all differ from one configuration to the next. */
static roof_plan configuration(const roof_model *model, size_t i) {
    roof_plan plan = {.batch = (double)(1 + i % 512), .prompt = (double)(128 + 16 * (i % 509)), .generate = 256};
    roof_plan_complete(model, &plan);
    return plan;
}

static void *judge(void *argument) {
    worker *w = argument;
    double start = now(CLOCK_THREAD_CPUTIME_ID);
    for (size_t i = 0; i < CONFIGURATIONS; i++) {
        roof_plan plan = configuration(w->model, w->first + i);
        roof_sum prefill, decode;
        if (roof_model_judge(w->machine, w->model, &plan, ROOF_PHASE_PREFILL, &prefill, NULL) ||
            roof_model_judge(w->machine, w->model, &plan, ROOF_PHASE_DECODE, &decode, NULL))
            w->failed = 1;
        w->checksum += prefill.seconds + decode.seconds;
    }
    w->cpu = now(CLOCK_THREAD_CPUTIME_ID) - start;
    return NULL;
}

typedef struct cost {
    double cpu, wall;
} cost; /* seconds a configuration */

/* `threads` threads judge as many configurations each. */
static cost run(const roof_machine *machine, const roof_model *model, size_t threads) {
    pthread_t thread[THREADS_MAX];
    worker workers[THREADS_MAX];
    double start = now(CLOCK_MONOTONIC), cpu = 0, all = (double)threads * CONFIGURATIONS;
    for (size_t i = 0; i < threads; i++) {
        workers[i] = (worker){.machine = machine, .model = model, .first = i * 7919};
        if (pthread_create(&thread[i], NULL, judge, &workers[i]))
            exit(1);
    }
    for (size_t i = 0; i < threads; i++) {
        pthread_join(thread[i], NULL);
        cpu += workers[i].cpu;
        if (workers[i].failed || !(workers[i].checksum > 0))
            exit(1);
    }
    return (cost){cpu / all, (now(CLOCK_MONOTONIC) - start) / all};
}

/* CPU seconds a configuration of expected times. */
static double expect(const roof_machine *machine, const roof_model *model) {
    roof_constants constants;
    roof_constants_of(machine, ROOF_ENGINE_SERVING, &constants);
    double start = now(CLOCK_THREAD_CPUTIME_ID), checksum = 0;
    for (size_t i = 0; i < CONFIGURATIONS; i++) {
        roof_plan plan = configuration(model, i);
        roof_expected prefill, decode;
        if (roof_expect_phase(machine, &constants, model, &plan, ROOF_PHASE_PREFILL, &prefill, NULL) ||
            roof_expect_phase(machine, &constants, model, &plan, ROOF_PHASE_DECODE, &decode, NULL))
            exit(1);
        checksum += prefill.seconds + decode.seconds;
    }
    double cpu = now(CLOCK_THREAD_CPUTIME_ID) - start;
    if (!(checksum > 0))
        exit(1);
    return cpu / CONFIGURATIONS;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static cost median(const roof_machine *machine, const roof_model *model, size_t threads) {
    double cpu[RUNS], wall[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        cost c = run(machine, model, threads);
        cpu[i] = c.cpu;
        wall[i] = c.wall;
    }
    qsort(cpu, RUNS, sizeof *cpu, compare);
    qsort(wall, RUNS, sizeof *wall, compare);
    return (cost){cpu[RUNS / 2], wall[RUNS / 2]};
}

static double median_expect(const roof_machine *machine, const roof_model *model) {
    double cpu[RUNS];
    for (size_t i = 0; i < RUNS; i++)
        cpu[i] = expect(machine, model);
    qsort(cpu, RUNS, sizeof *cpu, compare);
    return cpu[RUNS / 2];
}

int main(void) {
    static const struct {
        const char *name;
        void (*make)(example *);
    } models[] = {
        {"Llama-3.1-8B", example_llama},
        {"Mixtral-8x7B", example_mixtral},
        {"DeepSeek-V3", example_deepseek},
    };
    roof_machine machine = example_h100();
    printf("prefill and decode built and judged, ns a configuration: medians of %d runs of %d\n", RUNS, CONFIGURATIONS);
    printf("%-14s %10s %12s %12s %14s %8s %12s %9s\n", "model", "operations", "CPU, 1 core", "wall, 1", "wall, 2 cores",
           "scaling", "expected", "of bound");
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        example e;
        models[i].make(&e);
        roof_plan plan = configuration(&e.model, 0);
        size_t operations = roof_model_operations(&e.model, &plan, ROOF_PHASE_PREFILL, NULL, 0) +
                            roof_model_operations(&e.model, &plan, ROOF_PHASE_DECODE, NULL, 0);
        cost one = median(&machine, &e.model, 1), two = median(&machine, &e.model, 2);
        double expected = median_expect(&machine, &e.model);
        printf("%-14s %10zu %12.0f %12.0f %14.0f %8.2f %12.0f %9.2f\n", models[i].name, operations, one.cpu * 1e9,
               one.wall * 1e9, two.wall * 1e9, one.wall / two.wall, expected * 1e9, expected / one.cpu);
    }
    return 0;
}
