/* roof_measure() of the CPU: the host, the threads, the plan. */
#include <stdio.h>
#include <string.h>

#include "measure/device/device.h"
#include "measure/plan/rig.h"

static void describe(const host *here, int threads, roof_measurement *out) {
    snprintf(out->cpu, sizeof out->cpu, "%s", here->cpu);
    snprintf(out->kernel, sizeof out->kernel, "%s", here->kernel);
    snprintf(out->compiler, sizeof out->compiler, "%s", here->compiler);
    snprintf(out->hypervisor, sizeof out->hypervisor, "%s", here->hypervisor);
    out->cpus = here->online;
    out->cores = here->core_count;
    out->threads = threads;
}

static void unpinned_condition(const cpu_rig *rig, int threads, roof_measurement *out) {
    char what[160];
    if (rig_unpinned(rig) == 0)
        return;
    snprintf(what, sizeof what, "%d of %d threads could not be pinned to their core", rig_unpinned(rig), threads);
    condition_add(out, what, "the system refused, or CPUs were taken away",
                  "two threads may share a core: measure again");
}

static int measure_with(cpu_rig *rig, const host *here, int threads, const roof_measure_options *options,
                        roof_measurement *out, roof_error *error) {
    series_bench bench = rig_bench(rig);
    measure_plan plan = {.host = here,
                         .bench = &bench,
                         .options = options,
                         .out = out,
                         .error = error,
                         .threads = threads,
                         .memory = memory_to_use(options, here)};
    host_load before, after;
    describe(here, threads, out);
    host_conditions(here, threads, out);
    unpinned_condition(rig, threads, out);
    host_load_read("", &before);
    if (plan_run(&plan))
        return -1;
    host_load_read("", &after);
    load_conditions(here, &before, &after, out->seconds, out);
    return 0;
}

static roof_measurement *measure_cpu(const roof_measure_options *options, roof_error *error) {
    host here;
    host_read("", &here);
    int threads = threads_to_use(options, &here);
    cpu_rig *rig = rig_start(&here, threads, error);
    roof_measurement *out = rig ? measurement_new(error) : NULL;
    if (out && measure_with(rig, &here, threads, options, out, error)) {
        roof_measurement_free(out);
        out = NULL;
    }
    rig_stop(rig);
    return out;
}

static int check_options(const roof_measure_options *options, roof_error *error) {
    if (options->effort < ROOF_EFFORT_NORMAL || options->effort > ROOF_EFFORT_THOROUGH)
        return roof_fail(error, ROOF_EARGUMENT, "effort %d does not exist", (int)options->effort);
    if (options->threads < 0)
        return roof_fail(error, ROOF_EARGUMENT, "%d threads cannot be used", options->threads);
    if (!(options->memory >= 0))
        return roof_fail(error, ROOF_EARGUMENT, "%g bytes of memory cannot be used", options->memory);
    return 0;
}

roof_measurement *roof_measure(const roof_measure_options *options, roof_error *error) {
    static const roof_measure_options defaults;
    options = options ? options : &defaults;
    if (check_options(options, error))
        return NULL;
    if (options->device && strcmp(options->device, "cpu") != 0)
        return measure_device(options->device, options, error);
    return measure_cpu(options, error);
}
