/* What disturbed or limited a measurement, in words: what was seen, the likely cause, what to do. Formats of /proc/stat
 * and /proc/self/stat: proc(5); /proc/pressure: Linux Documentation/accounting/psi.rst. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/number.h"
#include "measure/host/host.h"
#include "measure/host/limits.h"
#include "measure/host/tree.h"

/* Less than this (alike: more) is what a quiet machine does anyway. */
static const double steal_least = 0.01;     /* of the machine's time */
static const double other_least = 0.1;      /* CPUs' worth */
static const double waiting_least = 0.05;   /* of the time */
static const double throttled_least = 0.01; /* of the time */
static const double sets_least = 256e6;     /* bytes: DRAM sets where the caches are not known */
static const double sets_caches = 4;        /* DRAM sets are this many times the last-level caches */
static const double alike = 0.85;           /* cores this near are of one kind: the best ones clock a little higher */
static const double memory_small = 2e9;     /* bytes */

void condition_add(roof_measurement *out, const char *what, const char *cause, const char *remedy) {
    if (out->condition_count >= ROOF_CONDITION_MAX)
        return;
    roof_condition *at = &out->conditions[out->condition_count++];
    snprintf(at->what, sizeof at->what, "%s", what);
    snprintf(at->cause, sizeof at->cause, "%s", cause);
    snprintf(at->remedy, sizeof at->remedy, "%s", remedy);
}

/* condition_add() whose `what` is made of numbers. */
__attribute__((format(printf, 4, 5))) static void add(roof_measurement *out, const char *cause, const char *remedy,
                                                      const char *format, ...) {
    char what[sizeof out->conditions[0].what];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    condition_add(out, what, cause, remedy);
}

/* ---- what the host says by itself ---- */

static void virtual_machine(const host *at, roof_measurement *out) {
    if (!at->hypervisor[0])
        return;
    bool named = strcmp(at->hypervisor, "unknown") != 0;
    add(out,
        "a hypervisor shares the hardware with others and may report cache sizes, cores and clocks that are not real",
        "trust the measured roofs more than the reported caches, and compare two runs",
        "runs in a virtual machine (%s)", named ? at->hypervisor : "the hypervisor does not say its name");
}

static void caches(const host *at, roof_measurement *out) {
    if (*at->caches_from && at->cache[ROOF_L1] > 0)
        return;
    condition_add(out, *at->caches_from ? "the system reports no L1 cache" : "the system reports no caches",
                  at->hypervisor[0] ? "the hypervisor hides them"
                                    : "/sys has no cache folder for the CPUs, or it cannot be read",
                  "the levels come from the measured steps alone; check them against the CPU's datasheet");
}

static void cpus(const host *at, int threads, roof_measurement *out) {
    if (at->quota > 0 && at->quota < at->core_count)
        add(out, "a cgroup grants less time than its CPUs could give: threads are stopped for parts of each period",
            "raise the CPU limit (cpu.max, docker --cpus) to whole CPUs, or measure with fewer threads",
            "the CPU quota is %.3g CPUs for %d cores", at->quota, at->core_count);
    int allowed = at->allowed_count + at->left_out;
    if (at->left_out > 0)
        add(out, "this version knows no more CPUs of one machine", "the roofs of all cores cover these CPUs only",
            "%d of %d CPUs were examined", at->allowed_count, allowed);
    if (allowed < at->online)
        add(out, "an affinity mask, a cpuset or a container limit keeps this process off the others",
            "measure without the limit to see the roofs of the whole machine", "%d of %d CPUs may be used", allowed,
            at->online);
    if (at->allowed_count > at->core_count && at->core_count > 0)
        add(out, "the CPUs of one core are its SMT threads: they share its arithmetic units and caches",
            "nothing to do: one thread per core attains the roofs", "%d CPUs are %d cores", at->allowed_count,
            at->core_count);
    if (at->weakest > 0 && at->weakest < alike)
        add(out,
            "the chip has large and small cores: the roofs of all are a sum of unlike cores, those of one are the "
            "first core's",
            "bind to the cores of one kind (taskset) to see their roofs",
            "the cores are not alike: the weakest has %.0f%% of the capacity of the strongest", 100 * at->weakest);
    if (threads > at->core_count)
        add(out, "threads that share a core slow each other down", "measure with at most as many threads as cores",
            "%d threads on %d cores", threads, at->core_count);
}

/* What the DRAM sets need at least, so that the caches hold little of them. */
static double dram_sets(const host *at) {
    double last = at->cache[ROOF_L3] > 0 ? at->cache[ROOF_L3] : at->cache[ROOF_L2];
    int sharing = at->cache[ROOF_L3] > 0 ? at->sharing[ROOF_L3] : at->sharing[ROOF_L2];
    if (!(last > 0) || sharing <= 0)
        return sets_least;
    double need = sets_caches * last * ((at->core_count + sharing - 1) / sharing);
    return need > sets_least ? need : sets_least;
}

static void memory(const host *at, roof_measurement *out) {
    char known[NUMBER_SIZE], needed[NUMBER_SIZE];
    double need = dram_sets(at);
    if (*at->available_why == '\0')
        condition_add(out, "the usable memory is unknown", "/proc/meminfo cannot be read",
                      "state how much may be used, or make /proc readable");
    else if (at->available < need)
        add(out,
            at->cache[ROOF_L3] > 0 || at->cache[ROOF_L2] > 0 ? "working sets that small stay partly in the caches"
                                                             : "working sets that small may stay in the caches",
            "raise the limit, or take the DRAM roof as not measured",
            "only %s of memory may be used (%s), DRAM sets need %s", number_si(at->available, "B", known),
            at->available_why, number_si(need, "B", needed));
    if (at->cache[ROOF_DRAM] > 0 && at->cache[ROOF_DRAM] < memory_small && at->swap >= 0 && !(at->swap > 0))
        add(out, "without swap the system ends a program when memory runs out", "stop other programs before measuring",
            "%s of memory in all and no swap", number_si(at->cache[ROOF_DRAM], "B", known));
    if (strcmp(at->huge_mode, "never") == 0)
        condition_add(out, "transparent huge pages are off",
                      "the system is set so: 4 KiB pages cost address translations",
                      "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled, as root");
}

/* intel_pstate and amd-pstate in active mode raise the clock by themselves under "powersave"; others stay at the
 * lowest. */
static void clock_governor(const host *at, roof_measurement *out) {
    bool raises = strcmp(at->driver, "intel_pstate") == 0 || strcmp(at->driver, "amd-pstate-epp") == 0 ||
                  strcmp(at->driver, "amd_pstate_epp") == 0;
    if (strcmp(at->governor, "powersave") != 0 || raises)
        return;
    add(out, "this governor keeps the clock at its lowest", "cpupower frequency-set -g performance, as root",
        "the frequency governor is powersave (driver %s)", at->driver[0] ? at->driver : "not known");
}

void host_conditions(const host *at, int threads, roof_measurement *out) {
    virtual_machine(at, out);
    caches(at, out);
    cpus(at, threads, out);
    memory(at, out);
    clock_governor(at, out);
}

/* ---- what happened during the run ---- */

static double ticks_a_second(void) {
    long ticks = sysconf(_SC_CLK_TCK);
    return ticks > 0 ? (double)ticks : 100;
}

/* Up to `count` numbers of a text; how many there were. */
static int numbers_of(const char *text, double *out, int count) {
    char *end;
    for (int i = 0; i < count; i++, text = end) {
        out[i] = number_of(text, &end);
        if (out[i] < 0)
            return i;
    }
    return count;
}

/* Seconds this process has computed: fields 14 and 15 of its stat, after a name in parentheses that may hold anything.
 */
static double own_seconds(const char *root) {
    char text[TREE_LINE_MAX];
    double times[2];
    if (!tree_text(root, text, sizeof text, "/proc/self/stat"))
        return 0;
    const char *at = strrchr(text, ')');
    for (int field = 2; at && field < 14; field++)
        at = strchr(at + 1, ' ');
    return at && numbers_of(at, times, 2) == 2 ? (times[0] + times[1]) / ticks_a_second() : 0;
}

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=<microseconds>". */
static double waiting_seconds(const char *root) {
    char text[TREE_LINE_MAX];
    if (!tree_text(root, text, sizeof text, "/proc/pressure/cpu"))
        return -1;
    const char *total = strstr(text, "total=");
    double value = total ? number_of(total + strlen("total="), NULL) : -1;
    return value >= 0 ? value * 1e-6 : -1;
}

/* Counters of all CPUs together. An event of a package or core stands at each of its CPUs: only the rise tells
 * something. */
static double thermal_events(const char *root) {
    static const char *const files[] = {"core_throttle_count", "package_throttle_count"};
    double sum = -1;
    cpu_bits online;
    limits_online(root, &online);
    for (int cpu = cpu_bits_next(&online, -1); cpu >= 0; cpu = cpu_bits_next(&online, cpu))
        for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
            double events = tree_number(root, "/sys/devices/system/cpu/cpu%d/thermal_throttle/%s", cpu, files[i]);
            if (events >= 0)
                sum = (sum > 0 ? sum : 0) + events;
            else if (sum < 0)
                return -1; /* the first CPU has none: no machine has them at others only */
        }
    return sum;
}

void host_load_read(const char *root, host_load *out) {
    enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, COUNT };
    char text[TREE_LINE_MAX];
    double t[COUNT] = {0};
    *out = (host_load){
        .throttled = limits_throttled(root), .thermal = thermal_events(root), .waiting = waiting_seconds(root)};
    if (!tree_text(root, text, sizeof text, "/proc/stat") || strncmp(text, "cpu ", 4) != 0)
        return;
    int count = numbers_of(text + 4, t, COUNT);
    if (count < STEAL) /* Linux before 2.6.11 tells no steal */
        return;
    if (count == STEAL)
        t[STEAL] = 0;
    for (int i = 0; i < COUNT; i++)
        out->total += t[i] / ticks_a_second();
    out->idle = (t[IDLE] + t[IOWAIT]) / ticks_a_second();
    out->steal = t[STEAL] / ticks_a_second();
    out->other = out->total - out->idle - out->steal - own_seconds(root);
    out->known = true;
}

static void neighbours(const host *at, const host_load *before, const host_load *after, double seconds,
                       roof_measurement *out) {
    double total = after->total - before->total, steal = after->steal - before->steal,
           other = after->other - before->other;
    if (!before->known || !after->known || !(total > 0))
        return;
    if (steal > steal_least * total)
        add(out, "other virtual machines on the same hardware: the hypervisor ran them instead of this one",
            "measure when they are quiet, or on dedicated hardware; the highest windows are the least disturbed",
            "%.1f%% of the CPU time was stolen (%.2g s of %.3g s)", 100 * steal / total, steal, total);
    if (other > other_least * seconds)
        add(out, "programs beside this one: they take cores, caches and memory bandwidth",
            "stop them, or measure again when the machine is quiet",
            "other programs used %.2g of %d CPUs during the run", other / seconds, at->online);
}

void load_conditions(const host *at, const host_load *before, const host_load *after, double seconds,
                     roof_measurement *out) {
    if (!(seconds > 0))
        return;
    neighbours(at, before, after, seconds, out);
    double throttled = after->throttled - before->throttled, waiting = after->waiting - before->waiting;
    if (before->throttled >= 0 && throttled > throttled_least * seconds)
        add(out, "the cgroup's CPU quota was used up in a period and its threads waited for the next one",
            "raise the CPU limit, or measure with fewer threads",
            "the CPU quota held the process back for %.2g s of %.3g s", throttled, seconds);
    if (before->waiting >= 0 && waiting > waiting_least * seconds)
        add(out, "more programs wanted to run than there are CPUs, this one perhaps among them",
            "stop other programs, or measure with fewer threads", "some program waited for a CPU for %.2g s of %.3g s",
            waiting, seconds);
    if (before->thermal >= 0 && after->thermal > before->thermal)
        add(out, "the CPU was too hot and lowered its clock", "check the cooling, let it cool down and measure again",
            "thermal throttle counters rose by %.0f during the run", after->thermal - before->thermal);
}
