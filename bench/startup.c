/* What one answer costs from process start to exit: CPU time (user + system) of the program, median of 50 runs.
 * usage: bench_startup [PROGRAM] */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RUNS = 50 };

static double seconds(struct timeval time) {
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static double children(void) {
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

static void answer(const char *program) {
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    execl(program, program, "model", "llama-3.1-8b", "--on", "h100-sxm", (char *)NULL);
    _exit(127);
}

/* CPU seconds of one run, or -1 when it did not answer. */
static double run(const char *program) {
    double before = children();
    pid_t child = fork();
    if (child == 0)
        answer(program);
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return -1;
    return children() - before;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    const char *program = argc > 1 ? argv[1] : ROOFLINE_PROGRAM;
    double cpu[RUNS];
    for (int i = 0; i < RUNS; i++) {
        cpu[i] = run(program);
        if (cpu[i] < 0) {
            fprintf(stderr, "bench_startup: '%s model llama-3.1-8b --on h100-sxm' did not answer\n", program);
            return 1;
        }
    }
    qsort(cpu, RUNS, sizeof *cpu, compare);
    printf("roofline model llama-3.1-8b --on h100-sxm: user+sys ms, median %.2f, least %.2f, most %.2f of %d runs\n",
           cpu[RUNS / 2] * 1e3, cpu[0] * 1e3, cpu[RUNS - 1] * 1e3, RUNS);
    return 0;
}
