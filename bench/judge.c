/* How long one configuration takes: Llama-3.1-8B, prefill and decode, every operation built and judged. Prints the median
 * of several runs over many different configurations, on one thread and on two. */
#define _POSIX_C_SOURCE 199309L
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../tests/work/models.h"

enum { RUNS = 5, CONFIGURATIONS = 200000, THREADS_MAX = 2 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

typedef struct worker {
    const roof_machine *machine;
    const roof_model *model;
    size_t first;
    double checksum; /* keeps the work from being optimised away */
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
    for (size_t i = 0; i < CONFIGURATIONS; i++) {
        roof_plan plan = configuration(w->model, w->first + i);
        roof_sum prefill, decode;
        if (roof_model_judge(w->machine, w->model, &plan, ROOF_PREFILL, &prefill, NULL) ||
            roof_model_judge(w->machine, w->model, &plan, ROOF_DECODE, &decode, NULL))
            w->failed = 1;
        w->checksum += prefill.seconds + decode.seconds;
    }
    return NULL;
}

/* Seconds a configuration when `threads` threads each judge as many. */
static double run(const roof_machine *machine, const roof_model *model, size_t threads) {
    pthread_t thread[THREADS_MAX];
    worker workers[THREADS_MAX];
    double start = now();
    for (size_t i = 0; i < threads; i++) {
        workers[i] = (worker){machine, model, i * 7919, 0, 0};
        if (pthread_create(&thread[i], NULL, judge, &workers[i]))
            exit(1);
    }
    for (size_t i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    double seconds = now() - start;
    for (size_t i = 0; i < threads; i++)
        if (workers[i].failed || !(workers[i].checksum > 0))
            exit(1);
    return seconds / ((double)threads * CONFIGURATIONS);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const roof_machine *machine, const roof_model *model, size_t threads, double *least) {
    double seconds[RUNS];
    for (size_t i = 0; i < RUNS; i++)
        seconds[i] = run(machine, model, threads);
    qsort(seconds, RUNS, sizeof *seconds, compare);
    *least = seconds[0];
    return seconds[RUNS / 2];
}

int main(void) {
    roof_machine machine = example_h100();
    example e;
    example_llama(&e);
    double least, one = 0;
    printf("Llama-3.1-8B, prefill and decode, built and judged; median of %d runs of %d configurations\n", RUNS, CONFIGURATIONS);
    printf("%-8s %14s %14s %16s %8s\n", "threads", "ns, median", "ns, least", "configs/s", "scaling");
    for (size_t threads = 1; threads <= THREADS_MAX; threads++) {
        double each = median(&machine, &e.model, threads, &least);
        one = threads == 1 ? each : one;
        printf("%-8zu %14.0f %14.0f %16.3g %8.2f\n", threads, each * 1e9, least * 1e9, 1 / each, one / each);
    }
    return 0;
}
