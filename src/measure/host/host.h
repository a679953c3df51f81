/* The machine this process runs on: its CPU, caches, memory and limits, and what disturbs a measurement. */
#ifndef ROOFLINE_MEASURE_HOST_HOST_H
#define ROOFLINE_MEASURE_HOST_HOST_H

#include "measure/kernels/kernels.h"

enum { HOST_CPUS_MAX = 1024, HOST_NODES_MAX = 16 };

typedef struct host_cpu {
    int cpu, core, node; /* the system's number; core: SMT siblings share one; node: -1 when not known */
} host_cpu;

typedef struct host {
    char cpu[96], kernel[96], compiler[96], hypervisor[32];
    feature_set features;
    host_cpu allowed[HOST_CPUS_MAX]; /* CPUs this process may run on: the first of every core, then their siblings */
    int allowed_count, core_count;   /* allowed[0 .. core_count) are one CPU of each core */
    int left_out;                    /* CPUs this process may run on beyond HOST_CPUS_MAX */
    int online;                      /* CPUs of the machine */
    int node_count;
    double weakest; /* of the allowed cores: its capacity (or highest clock) / that of the strongest; 0: not known */
    double quota;   /* CPUs' worth of time a cgroup grants; 0: no limit */
    double cache[ROOF_LEVEL_COUNT]; /* bytes one core sees, as reported; 0: not reported. [ROOF_DRAM]: all memory */
    int sharing[ROOF_LEVEL_COUNT];  /* cores that share it; 0: not known */
    const char *caches_from;        /* "hwloc", "sysfs", "cpuid" or "" */
    double available;               /* bytes this process may still take: MemAvailable, cgroup limits, RLIMIT_AS; with
                                       available_why "" it is not known */
    const char
        *available_why; /* which of them is the least: "cgroup limit of 256 MB" style word, static: "MemAvailable" */
    double swap;        /* bytes of swap; -1: not known */
    char huge_mode[16]; /* "always", "madvise", "never", "" not known */
    char governor[24], driver[24]; /* of the first CPU's clock, as cpufreq names them; "" not known */
} host;

/* What this CPU can do and the system grants; asks for the AMX tile state. */
feature_set host_features(void);

/* `root` stands before /proc and /sys: "" or a folder made up by a test. Never fails: what cannot be read is unknown.
 */
void host_read(const char *root, host *out);

/* Ticks of all CPUs and what else tells of neighbours, before and after. */
typedef struct host_load {
    double total, idle, steal,
        other;        /* seconds: all, idle, stolen by the hypervisor, used by others than this process */
    double throttled; /* seconds the cgroup was held back; -1: not known */
    double thermal;   /* thermal throttle events; -1: not known */
    double waiting;   /* seconds in which some program waited for a CPU (PSI); -1: not known */
    bool known;
} host_load;
void host_load_read(const char *root, host_load *out);

/* Add a condition (ignored when full). */
void condition_add(roof_measurement *out, const char *what, const char *cause, const char *remedy);
/* What the host says by itself: limits, siblings, huge pages off, caches not reported, virtual machine. */
void host_conditions(const host *host, int threads, roof_measurement *out);
/* What happened during the run: steal, other load, throttling. */
void load_conditions(const host *host, const host_load *before, const host_load *after, double seconds,
                     roof_measurement *out);

#endif
