/* The line that says how far a measurement is, and the signals that end it. */
#include "cli/out/progress.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void interrupt(int signal) {
    (void)signal;
    interrupted = 1;
}

static void on_signals(void (*handler)(int)) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = handler}, before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
}

progress progress_start(void) {
    const char *terminal = getenv("TERM");
    on_signals(interrupt);
    return (progress){.shown = isatty(STDERR_FILENO) && terminal && *terminal && strcmp(terminal, "dumb") != 0};
}

int progress_step(void *context, double done, const char *what) {
    progress *at = context;
    if (at->shown) {
        fprintf(stderr, "\r\033[K  %3.0f %%  %.60s", done * 100, what);
        fflush(stderr);
        at->drawn = true;
    }
    return interrupted;
}

bool progress_end(progress *at) {
    if (at->drawn)
        fputs("\r\033[K", stderr);
    at->drawn = false;
    return interrupted;
}

void progress_release(void) {
    on_signals(SIG_DFL);
}
