/* Cores, nodes and caches from /sys, and the order of the CPUs. Formats: Linux Documentation/ABI/stable/
 * sysfs-devices-system-cpu and sysfs-devices-node; Documentation/ABI/testing/sysfs-devices-system-cpu (caches). */
#include <stdlib.h>
#include <string.h>

#include "measure/host/topology.h"
#include "measure/host/tree.h"

#define CPU_FOLDER "/sys/devices/system/cpu/cpu%d/"

static const double cache_most = 1e12; /* bytes: more is no cache */

/* CPUs of the core of `cpu`; false when /sys does not list them. */
static bool siblings_of(const char *root, int cpu, cpu_bits *out) {
    return (tree_cpu_list(root, out, CPU_FOLDER "topology/core_cpus_list", cpu) ||
            tree_cpu_list(root, out, CPU_FOLDER "topology/thread_siblings_list", cpu)) &&
           cpu_bits_has(out, cpu);
}

typedef struct place {
    double package, die, core;
} place;

static place place_of(const char *root, int cpu) {
    return (place){
        .package = tree_number(root, CPU_FOLDER "topology/physical_package_id", cpu),
        .die = tree_number(root, CPU_FOLDER "topology/die_id", cpu),
        .core = tree_number(root, CPU_FOLDER "topology/core_id", cpu),
    };
}

static bool same_place(const place *a, const place *b) {
    return a->core >= 0 && a->core == b->core && a->die == b->die &&
           a->package == b->package; // NOLINT: read, not computed
}

static void find_cores(const char *root, host *out) {
    place places[HOST_CPUS_MAX];
    for (int i = 0; i < out->allowed_count; i++) {
        host_cpu *cpu = &out->allowed[i];
        cpu_bits siblings;
        places[i] = (place){-1, -1, -1};
        cpu->core = cpu->cpu;
        if (siblings_of(root, cpu->cpu, &siblings)) {
            cpu->core = cpu_bits_next(&siblings, -1);
            continue;
        }
        places[i] = place_of(root, cpu->cpu);
        for (int j = 0; j < i && cpu->core == cpu->cpu; j++)
            if (same_place(&places[i], &places[j]))
                cpu->core = out->allowed[j].core;
    }
}

static void find_nodes(const char *root, host *out) {
    cpu_bits nodes;
    if (!tree_cpu_list(root, &nodes, "/sys/devices/system/node/online"))
        return;
    for (int node = cpu_bits_next(&nodes, -1); node >= 0; node = cpu_bits_next(&nodes, node)) {
        cpu_bits cpus;
        if (!tree_cpu_list(root, &cpus, "/sys/devices/system/node/node%d/cpulist", node))
            continue; /* memory alone, without CPUs */
        if (out->node_count == HOST_NODES_MAX)
            return;
        out->node_count++;
        for (int i = 0; i < out->allowed_count; i++)
            if (cpu_bits_has(&cpus, out->allowed[i].cpu))
                out->allowed[i].node = node;
    }
}

/* "32K" of a cache's size; 0 when it is no size. */
static double size_of(const char *text) {
    static const struct {
        char letter;
        double factor;
    } units[] = {{'K', 1024.0}, {'M', 1048576.0}, {'G', 1073741824.0}};
    char *end;
    double value = number_of(text, &end);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (*end == units[i].letter)
            value *= units[i].factor;
    return value > 0 && value <= cache_most ? value : 0;
}

/* Cores among `cpus`: those that come first among their siblings. 0 when /sys does not say who is whose sibling. */
static int cores_among(const char *root, const cpu_bits *cpus) {
    int cores = 0;
    for (int cpu = cpu_bits_next(cpus, -1); cpu >= 0; cpu = cpu_bits_next(cpus, cpu)) {
        cpu_bits siblings;
        if (!siblings_of(root, cpu, &siblings))
            return 0;
        cores += cpu_bits_next(&siblings, -1) == cpu;
    }
    return cores;
}

static void find_caches(const char *root, int cpu, host *out) {
    static const roof_level levels[] = {ROOF_DRAM, ROOF_L1, ROOF_L2, ROOF_L3};
    for (int i = 0; i < 16; i++) {
        char type[32], size[32];
        double level = tree_number(root, CPU_FOLDER "cache/index%d/level", cpu, i);
        if (!tree_text(root, size, sizeof size, CPU_FOLDER "cache/index%d/size", cpu, i) ||
            !(level >= 1 && level <= 3) || !(size_of(size) > 0))
            continue;
        if (tree_text(root, type, sizeof type, CPU_FOLDER "cache/index%d/type", cpu, i) &&
            strcmp(type, "Instruction") == 0)
            continue;
        roof_level at = levels[(int)level];
        cpu_bits shared;
        out->cache[at] = size_of(size);
        if (tree_cpu_list(root, &shared, CPU_FOLDER "cache/index%d/shared_cpu_list", cpu, i) &&
            cpu_bits_has(&shared, cpu))
            out->sharing[at] = cores_among(root, &shared);
        out->caches_from = "sysfs";
    }
}

static int least_cpu(const host *at) {
    int least = at->allowed_count > 0 ? at->allowed[0].cpu : 0;
    for (int i = 1; i < at->allowed_count; i++)
        if (at->allowed[i].cpu < least)
            least = at->allowed[i].cpu;
    return least;
}

void topology_sys(const char *root, cpuid_read read, host *out) {
    bool caches = *out->caches_from != '\0';
    out->node_count = 0;
    for (int i = 0; i < out->allowed_count; i++)
        out->allowed[i].node = -1;
    find_cores(root, out);
    find_nodes(root, out);
    if (!caches)
        find_caches(root, least_cpu(out), out);
    if (*out->caches_from == '\0' && cpuid_caches(read, out->online, out))
        out->caches_from = "cpuid";
}

typedef struct ordered {
    host_cpu cpu;
    int rank;
} ordered; /* rank: 0 for the first of its core, 1 for the next */

static int by_rank(const void *a, const void *b) {
    const ordered *x = a, *y = b;
    int differences[] = {x->rank - y->rank, x->cpu.core - y->cpu.core, x->cpu.cpu - y->cpu.cpu};
    for (size_t i = 0; i < 3; i++)
        if (differences[i] != 0)
            return differences[i];
    return 0;
}

void topology_order(host *out) {
    ordered list[HOST_CPUS_MAX];
    for (int i = 0; i < out->allowed_count; i++) {
        list[i] = (ordered){.cpu = out->allowed[i]};
        for (int j = 0; j < out->allowed_count; j++)
            list[i].rank += out->allowed[j].core == out->allowed[i].core && out->allowed[j].cpu < out->allowed[i].cpu;
    }
    qsort(list, (size_t)out->allowed_count, sizeof *list, by_rank);
    out->core_count = 0;
    for (int i = 0; i < out->allowed_count; i++) {
        int core = out->core_count;
        for (int j = 0; list[i].rank > 0 && j < out->core_count; j++)
            if (list[j].cpu.core == list[i].cpu.core)
                core = j;
        out->core_count += list[i].rank == 0;
        out->allowed[i] = list[i].cpu;
        out->allowed[i].core = core;
    }
}
