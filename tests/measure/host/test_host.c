/* What a machine is: made-up trees that look like real machines, other CPUs' CPUID, and the machine at hand. */
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "made_tree.h"
#include "measure/host/host_read.h"
#include "measure/host/topology.h"
#include "measure/host/tree.h"
#include "test.h"

static const double KiB = 1024.0, MiB = 1048576.0;

#define CPU "/sys/devices/system/cpu/cpu%d/"

typedef struct made_cache {
    const char *level, *type, *size;
} made_cache;

/* One cache folder of a CPU; `shared` as in shared_cpu_list. */
static void cache(const made_tree *tree, int cpu, int index, const made_cache *of, const char *shared) {
    made_file(tree, of->level, CPU "cache/index%d/level", cpu, index);
    made_file(tree, of->type, CPU "cache/index%d/type", cpu, index);
    made_file(tree, of->size, CPU "cache/index%d/size", cpu, index);
    made_file(tree, shared, CPU "cache/index%d/shared_cpu_list", cpu, index);
}

static void place(const made_tree *tree, int cpu, int package, int core, const char *siblings) {
    char text[32];
    snprintf(text, sizeof text, "%d\n", package);
    made_file(tree, text, CPU "topology/physical_package_id", cpu);
    snprintf(text, sizeof text, "%d\n", core);
    made_file(tree, text, CPU "topology/core_id", cpu);
    if (siblings)
        made_file(tree, siblings, CPU "topology/thread_siblings_list", cpu);
}

/* Two sockets of an Intel Xeon Platinum 8480+ cut to four cores each, SMT, one node a socket. Sizes: Intel ARK (2 MB L2
 * a core, 105 MB L3) and the 48 KiB L1D of Golden Cove. `lists`: are thread_siblings_list there? */
static void intel_server(const made_tree *tree, bool lists) {
    static const made_cache caches[] = {{"1\n", "Data\n", "48K\n"},
                                        {"1\n", "Instruction\n", "32K\n"},
                                        {"2\n", "Unified\n", "2048K\n"},
                                        {"3\n", "Unified\n", "107520K\n"}};
    made_file(tree, "0-15\n", "/sys/devices/system/cpu/online");
    made_file(tree, "0-1\n", "/sys/devices/system/node/online");
    made_file(tree, "0-3,8-11\n", "/sys/devices/system/node/node0/cpulist");
    made_file(tree, "4-7,12-15\n", "/sys/devices/system/node/node1/cpulist");
    made_file(tree, "Name:\troofline\nVmSize:\t  100000 kB\nCpus_allowed:\tffff\nCpus_allowed_list:\t0-15\n",
              "/proc/self/status");
    made_file(tree,
              "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Intel(R) Xeon(R) Platinum 8480+ CPU @ 2.00GHz\n"
              "flags\t\t: fpu vme avx512f amx_tile\n",
              "/proc/cpuinfo");
    made_file(tree,
              "MemTotal:       527956580 kB\nMemFree:  1 kB\nMemAvailable:   500000000 kB\nSwapTotal: 8388604 kB\n",
              "/proc/meminfo");
    made_file(tree, "always [madvise] never\n", "/sys/kernel/mm/transparent_hugepage/enabled");
    made_file(tree, "PowerEdge R760\n", "/sys/class/dmi/id/product_name");
    for (int cpu = 0; cpu < 16; cpu++) {
        char siblings[32];
        snprintf(siblings, sizeof siblings, "%d,%d\n", cpu % 8, cpu % 8 + 8);
        place(tree, cpu, cpu % 8 / 4, cpu % 4, lists ? siblings : NULL);
        for (int i = 0; i < 4; i++)
            cache(tree, cpu, i, &caches[i], i < 3 ? siblings : cpu % 8 < 4 ? "0-3,8-11\n" : "4-7,12-15\n");
    }
}

static void intel_of_two_sockets(void **state) {
    (void)state;
    for (int lists = 0; lists < 2; lists++) {
        made_tree tree;
        host h;
        made_begin(&tree);
        intel_server(&tree, lists);
        host_read(tree.root, &h);
        made_end(&tree);
        assert_string_equal(h.cpu, "Intel Xeon Platinum 8480+");
        assert_string_equal(h.hypervisor, "");
        assert_int_equal(h.online, 16);
        assert_int_equal(h.allowed_count, 16);
        assert_int_equal(h.core_count, 8);
        assert_int_equal(h.node_count, 2);
        for (int i = 0; i < 16; i++) { /* one CPU of each core, then their siblings */
            assert_int_equal(h.allowed[i].cpu, i);
            assert_int_equal(h.allowed[i].core, i % 8);
            assert_int_equal(h.allowed[i].node, i % 8 / 4);
        }
        assert_exact(h.cache[ROOF_L1], 48 * KiB);
        assert_exact(h.cache[ROOF_L2], 2 * MiB);
        assert_exact(h.cache[ROOF_L3], 105 * MiB);
        assert_exact(h.cache[ROOF_DRAM], 527956580 * KiB);
        assert_int_equal(h.sharing[ROOF_L1], lists ? 1 : 0); /* without lists it is not known */
        assert_int_equal(h.sharing[ROOF_L2], lists ? 1 : 0);
        assert_int_equal(h.sharing[ROOF_L3], lists ? 4 : 0);
        assert_string_equal(h.caches_from, "sysfs");
        assert_string_equal(h.huge_mode, "madvise");
        assert_string_equal(h.available_why, "MemAvailable");
        assert_exact(h.available, 500000000 * KiB);
        assert_exact(h.swap, 8388604 * KiB);
        assert_true(h.quota <= 0);
    }
}

/* The affinity mask of the tree counts, not that of the machine that runs the test. */
static void affinity_of_the_tree(void **state) {
    (void)state;
    made_tree tree;
    host h;
    made_begin(&tree);
    intel_server(&tree, true);
    made_file(&tree, "Cpus_allowed_list:\t3,5,11,13-14\n", "/proc/self/status");
    host_read(tree.root, &h);
    made_end(&tree);
    static const host_cpu want[] = {{3, 0, 0}, {5, 1, 1}, {14, 2, 1}, {11, 0, 0}, {13, 1, 1}};
    assert_int_equal(h.online, 16);
    assert_int_equal(h.allowed_count, 5);
    assert_int_equal(h.core_count, 3);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(h.allowed[i].cpu, want[i].cpu);
        assert_int_equal(h.allowed[i].core, want[i].core);
        assert_int_equal(h.allowed[i].node, want[i].node);
    }
    assert_int_equal(h.sharing[ROOF_L3], 4); /* of the machine, allowed or not */
}

/* AMD EPYC 7763: 64 cores, SMT, eight L3 of 32 MB (AMD's data sheet), four nodes (NPS4). */
static void amd_epyc(void **state) {
    (void)state;
    static const made_cache caches[] = {{"1\n", "Data\n", "32K\n"},
                                        {"1\n", "Instruction\n", "32K\n"},
                                        {"2\n", "Unified\n", "512K\n"},
                                        {"3\n", "Unified\n", "32768K\n"}};
    made_tree tree;
    host h;
    char text[64];
    made_begin(&tree);
    made_file(&tree, "0-127\n", "/sys/devices/system/cpu/online");
    made_file(&tree, "0-3\n", "/sys/devices/system/node/online");
    for (int node = 0; node < 4; node++) {
        snprintf(text, sizeof text, "%d-%d,%d-%d\n", node * 16, node * 16 + 15, node * 16 + 64, node * 16 + 79);
        made_file(&tree, text, "/sys/devices/system/node/node%d/cpulist", node);
    }
    made_file(&tree, "processor\t: 0\nmodel name\t: AMD EPYC 7763 64-Core Processor\nflags : fpu\n", "/proc/cpuinfo");
    made_file(&tree, "Cpus_allowed_list:\t0-127\n", "/proc/self/status");
    for (int cpu = 0; cpu < 128; cpu++) {
        snprintf(text, sizeof text, "%d,%d\n", cpu % 64, cpu % 64 + 64);
        place(&tree, cpu, 0, cpu % 64, text);
        for (int i = 0; i < 3; i++)
            cache(&tree, cpu, i, &caches[i], text);
        int first = cpu % 64 / 8 * 8;
        snprintf(text, sizeof text, "%d-%d,%d-%d\n", first, first + 7, first + 64, first + 71);
        cache(&tree, cpu, 3, &caches[3], text);
    }
    made_file(&tree, "powersave\n", CPU "cpufreq/scaling_governor", 0);
    made_file(&tree, "acpi-cpufreq\n", CPU "cpufreq/scaling_driver", 0);
    host_read(tree.root, &h);
    made_end(&tree);
    char slug[64];
    assert_string_equal(h.cpu, "AMD EPYC 7763");
    assert_string_equal(host_slug(h.cpu, h.online, slug, sizeof slug), "amd-epyc-7763-128");
    assert_int_equal(h.core_count, 64);
    assert_int_equal(h.node_count, 4);
    assert_int_equal(h.allowed[63].node, 3);
    assert_exact(h.cache[ROOF_L3], 32 * MiB);
    assert_int_equal(h.sharing[ROOF_L3], 8);
    assert_int_equal(h.sharing[ROOF_L2], 1);
    assert_exact(h.cache[ROOF_L2], 512 * KiB);
    assert_string_equal(h.governor, "powersave");
    assert_string_equal(h.driver, "acpi-cpufreq");
}

/* AWS Graviton3: no "model name"; 64 KiB L1D and 1 MiB L2 a core, 32 MiB for all (Neoverse V1 TRM; AWS re:Invent 2021).
 */
static void arm_neoverse(void **state) {
    (void)state;
    static const made_cache caches[] = {{"1\n", "Data\n", "64K\n"},
                                        {"1\n", "Instruction\n", "64K\n"},
                                        {"2\n", "Unified\n", "1024K\n"},
                                        {"3\n", "Unified\n", "32768K\n"}};
    made_tree tree;
    host h;
    made_begin(&tree);
    made_file(&tree, "0-63\n", "/sys/devices/system/cpu/online");
    made_file(&tree,
              "processor\t: 0\nBogoMIPS\t: 2100.00\nFeatures\t: fp asimd sve bf16\nCPU implementer\t: 0x41\nCPU "
              "architecture: 8\n"
              "CPU variant\t: 0x1\nCPU part\t: 0xd40\nCPU revision\t: 1\n",
              "/proc/cpuinfo");
    made_file(&tree, "Amazon EC2\n", "/sys/class/dmi/id/sys_vendor");
    made_file(&tree, "c7g.metal\n", "/sys/class/dmi/id/product_name");
    for (int cpu = 0; cpu < 64; cpu++) {
        char self[16];
        snprintf(self, sizeof self, "%d\n", cpu);
        place(&tree, cpu, 0, cpu, self);
        for (int i = 0; i < 4; i++)
            cache(&tree, cpu, i, &caches[i], i < 3 ? self : "0-63\n");
    }
    host_read(tree.root, &h);
    assert_string_equal(h.cpu, "Arm Neoverse-V1");
    assert_string_equal(h.hypervisor, "");
    assert_int_equal(h.core_count, 64);
    assert_int_equal(h.allowed[5].node, -1);
    assert_exact(h.cache[ROOF_L1], 64 * KiB);
    assert_exact(h.cache[ROOF_L2], MiB);
    assert_int_equal(h.sharing[ROOF_L3], 64);
    assert_true(h.weakest <= 0);
    for (int cpu = 0; cpu < 64; cpu++)
        made_file(&tree, cpu < 4 ? "446\n" : "1024\n", CPU "cpu_capacity", cpu);
    made_file(&tree, "c7g.xlarge\n", "/sys/class/dmi/id/product_name");
    host_read(tree.root, &h);
    assert_exact(h.weakest, 446.0 / 1024);
    assert_string_equal(h.hypervisor, "KVM"); /* no "metal" in its name */
    made_file(&tree, "", "/sys/class/dmi/id/sys_vendor");
    made_file(&tree, "CPU implementer\t: 0x41\nCPU part\t: 0xfff\n", "/proc/cpuinfo");
    made_file(&tree, "linux,kvm", "/proc/device-tree/hypervisor/compatible");
    host_read(tree.root, &h);
    made_end(&tree);
    assert_string_equal(h.cpu, "unknown CPU (implementer 0x41, part 0xfff)");
    assert_string_equal(h.hypervisor, "KVM");
}

/* Answers of an 8th generation Core i5 (signature 0x806ea, 4 cores, SMT), published as "cpuid -1 --raw"; with a
 * hypervisor's bit and signature put in. Sizes of the i5-8250U: Intel ARK. */
static cpuid_answer cpuid_core_i5(uint32_t leaf, uint32_t subleaf) {
    static const struct {
        uint32_t leaf, subleaf;
        cpuid_answer answer;
    } table[] = {
        {0, 0, {0x16, 0x756e6547, 0x6c65746e, 0x49656e69}},
        {1, 0, {0x806ea, 0x100800, 0xfffafbff, 0xbfebfbff}},
        {4, 0, {0x1c004121, 0x01c0003f, 0x3f, 0}},
        {4, 1, {0x1c004122, 0x01c0003f, 0x3f, 0}},
        {4, 2, {0x1c004143, 0x00c0003f, 0x3ff, 0}},
        {4, 3, {0x1c03c163, 0x02c0003f, 0x1fff, 6}},
        {0xb, 0, {1, 2, 0x100, 0}},
        {0x40000000, 0, {0x40000001, 0x4b4d564b, 0x564b4d56, 0x4d}},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].leaf == leaf && table[i].subleaf == subleaf)
            return table[i].answer;
    return (cpuid_answer){0};
}

static void kvm_guest_without_caches(void **state) {
    (void)state;
    made_tree tree;
    host h;
    made_begin(&tree);
    made_file(&tree, "0-7\n", "/sys/devices/system/cpu/online");
    made_file(&tree, "model name\t: Intel Core Processor (Skylake, IBRS)\nflags\t: fpu hypervisor\n", "/proc/cpuinfo");
    for (int cpu = 0; cpu < 8; cpu++)
        place(&tree, cpu, 0, cpu / 2, NULL);
    host_read_with(tree.root, cpuid_core_i5, false, &h);
    assert_string_equal(h.hypervisor, "KVM");
    assert_string_equal(h.caches_from, "cpuid");
    assert_int_equal(h.core_count, 4);
    assert_int_equal(h.allowed[1].cpu, 2); /* CPUs 0 and 1 are one core here */
    assert_exact(h.cache[ROOF_L1], 32 * KiB);
    assert_exact(h.cache[ROOF_L2], 256 * KiB);
    assert_exact(h.cache[ROOF_L3], 6 * MiB);
    assert_int_equal(h.sharing[ROOF_L1], 1);
    assert_int_equal(h.sharing[ROOF_L3], 4); /* CPUID says at most 16 CPUs */
    host_read(tree.root, &h);                /* a tree alone: nothing of the machine that runs the test */
    made_end(&tree);
    assert_string_equal(h.hypervisor, "unknown");
    assert_string_equal(h.caches_from, "");
    assert_true(h.cache[ROOF_L1] <= 0 && h.cache[ROOF_L3] <= 0);
}

/* AMD EPYC 7003 under a hypervisor with two CPUs: leaf 0x8000001D as Firecracker's CPU templates list it. 512 KB of L2
 * a core, 32 MB of L3 for a group: AMD's data sheet. */
static cpuid_answer cpuid_epyc(uint32_t leaf, uint32_t subleaf) {
    static const cpuid_answer caches[] = {{0x121, 0x01c0003f, 0x3f, 0},
                                          {0x122, 0x01c0003f, 0x3f, 0},
                                          {0x143, 0x01c0003f, 0x3ff, 2},
                                          {0x4163, 0x03c0003f, 0x7fff, 1}};
    switch (leaf) {
    case 0:
        return (cpuid_answer){0x10, 0x68747541, 0x444d4163, 0x69746e65};
    case 0x80000000:
        return (cpuid_answer){.eax = 0x8000001f};
    case 0x80000001:
        return (cpuid_answer){.ecx = 1u << 22};
    case 0x80000002:
        return (cpuid_answer){0x20444d41, 0x43595045, 0, 0}; /* "AMD EPYC" */
    case 0x8000001D:
        return subleaf < 4 ? caches[subleaf] : (cpuid_answer){0};
    default:
        return (cpuid_answer){0};
    }
}

/* An older AMD without that leaf: 64 KiB, 512 KiB, 6 MiB of a Phenom II X4 (AMD's data sheet). */
static cpuid_answer cpuid_phenom(uint32_t leaf, uint32_t subleaf) {
    (void)subleaf;
    switch (leaf) {
    case 0:
        return (cpuid_answer){5, 0x68747541, 0x444d4163, 0x69746e65};
    case 0x80000005:
        return (cpuid_answer){.ecx = 0x40020140};
    case 0x80000006:
        return (cpuid_answer){.ecx = 0x02008140, .edx = 12u << 18};
    default:
        return (cpuid_answer){0};
    }
}

static void cpuid_of_amd(void **state) {
    (void)state;
    host h;
    host_read_with("/nowhere", cpuid_epyc, false, &h);
    assert_string_equal(h.cpu, "AMD EPYC");
    assert_string_equal(h.hypervisor, "");
    memset(&h, 0, sizeof h);
    assert_true(cpuid_caches(cpuid_epyc, 2, &h));
    assert_exact(h.cache[ROOF_L2], 512 * KiB);
    assert_exact(h.cache[ROOF_L3], 32 * MiB);
    assert_int_equal(h.sharing[ROOF_L3], 2);
    memset(&h, 0, sizeof h);
    assert_true(cpuid_caches(cpuid_phenom, 4, &h));
    assert_exact(h.cache[ROOF_L1], 64 * KiB);
    assert_exact(h.cache[ROOF_L2], 512 * KiB);
    assert_exact(h.cache[ROOF_L3], 6 * MiB);
    assert_int_equal(h.sharing[ROOF_L3], 0);
}

/* Golden Cove: 48 KiB of data, then 32 KiB of instructions (Intel's optimization manual), which must not take their
 * place. */
static cpuid_answer cpuid_golden_cove(uint32_t leaf, uint32_t subleaf) {
    static const cpuid_answer caches[] = {{0x1c004121, 0x02c0003f, 0x3f, 0}, {0x1c004122, 0x01c0003f, 0x3f, 0}};
    return leaf == 4 && subleaf < 2 ? caches[subleaf] : (cpuid_answer){0};
}

static void instructions_are_no_data(void **state) {
    (void)state;
    host h = {0};
    assert_true(cpuid_caches(cpuid_golden_cove, 4, &h));
    assert_exact(h.cache[ROOF_L1], 48 * KiB);
}

static cpuid_answer cpuid_ones(uint32_t leaf, uint32_t subleaf) {
    (void)leaf;
    (void)subleaf;
    return (cpuid_answer){0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};
}

static void cpuid_that_lies(void **state) {
    (void)state;
    host h;
    host_read_with("/nowhere", cpuid_ones, false, &h);
    assert_string_equal(h.cpu, "unknown CPU");
    assert_string_equal(h.hypervisor, "unknown");
    assert_int_equal(h.allowed_count, 1);
    assert_false(cpuid_caches(NULL, 2, &h));
}

static void names(void **state) {
    (void)state;
    static const struct {
        const char *given, *name, *slug;
    } cases[] = {
        {"Intel(R) Xeon(R) CPU @ 2.20GHz", "Intel Xeon", "intel-xeon-2"},
        {"11th Gen Intel(R) Core(TM) i7-1165G7 @ 2.80GHz", "11th Gen Intel Core i7-1165G7",
         "11th-gen-intel-core-i7-1165g7-2"},
        {"AMD Ryzen 7 5700G with Radeon Graphics", "AMD Ryzen 7 5700G", "amd-ryzen-7-5700g-2"},
        {"  AMD EPYC\t9R14   96-Core Processor  ", "AMD EPYC 9R14", "amd-epyc-9r14-2"},
        {"Intel(R) Core(TM)2 Duo CPU     T7700  @ 2.40GHz", "Intel Core2 Duo T7700", "intel-core2-duo-t7700-2"},
        {"\x01\xff\xc3\xa4", "unknown CPU", "unknown-cpu-2"},
        {"../../etc/passwd", "../../etc/passwd", "etc-passwd-2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        made_tree tree;
        host h;
        char text[256], slug[64];
        made_begin(&tree);
        snprintf(text, sizeof text, "model name\t: %s\n", cases[i].given);
        made_file(&tree, text, "/proc/cpuinfo");
        host_read(tree.root, &h);
        made_end(&tree);
        assert_string_equal(h.cpu, cases[i].name);
        assert_string_equal(host_slug(h.cpu, 2, slug, sizeof slug), cases[i].slug);
    }
    char small[8];
    assert_string_equal(host_slug("AMD EPYC 7763", 128, small, sizeof small), "amd-epy");
    assert_string_equal(host_slug("-- --", 1, small, sizeof small), "cpu-1");
}

static void hostile_trees(void **state) {
    (void)state;
    static const char *const texts[] = {"",
                                        "\n",
                                        "-1\n",
                                        "0-99999999999999999999\n",
                                        "99999999999999999999999K\n",
                                        "nan\n",
                                        "inf\n",
                                        "1e308\n",
                                        "3-1\n",
                                        "0,,1\n",
                                        "0-\n",
                                        "[\n",
                                        "[]]\n",
                                        "cpu  -1 1e400 x\n",
                                        "0::\n",
                                        "::::\n",
                                        "1 2 3 / / - cgroup2 x rw\n",
                                        "0::/../..\n",
                                        "Cpus_allowed_list: 0-1000000000\n",
                                        ":\n"};
    static const char *const paths[] = {"/proc/cpuinfo",
                                        "/proc/stat",
                                        "/proc/meminfo",
                                        "/proc/self/status",
                                        "/proc/self/cgroup",
                                        "/proc/self/mountinfo",
                                        "/proc/self/limits",
                                        "/proc/self/stat",
                                        "/proc/pressure/cpu",
                                        "/sys/devices/system/cpu/online",
                                        "/sys/devices/system/node/online",
                                        "/sys/devices/system/node/node0/cpulist",
                                        "/sys/devices/system/cpu/cpu0/cache/index0/size",
                                        "/sys/devices/system/cpu/cpu0/cache/index0/level",
                                        "/sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list",
                                        "/sys/devices/system/cpu/cpu0/topology/thread_siblings_list",
                                        "/sys/devices/system/cpu/cpu0/topology/core_id",
                                        "/sys/kernel/mm/transparent_hugepage/enabled",
                                        "/sys/fs/cgroup/cpu.max",
                                        "/sys/fs/cgroup/memory.max"};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        made_tree tree;
        host h;
        host_load load;
        made_begin(&tree);
        for (size_t p = 0; p < sizeof paths / sizeof *paths; p++)
            made_file(&tree, texts[t], "%s", paths[p]);
        host_read(tree.root, &h);
        host_load_read(tree.root, &load);
        made_end(&tree);
        assert_in_range(h.allowed_count, 1, HOST_CPUS_MAX);
        assert_in_range(h.core_count, 1, h.allowed_count);
        assert_in_range(h.node_count, 0, HOST_NODES_MAX);
        assert_true(h.online >= h.allowed_count);
        assert_true(h.available >= 0 && h.available < 1e19);
        for (int level = 0; level < ROOF_LEVEL_COUNT; level++)
            assert_true(h.cache[level] >= 0 && h.cache[level] <= 1e12);
    }
}

static void garbage_links_and_pipes(void **state) {
    (void)state;
    made_tree tree;
    host h;
    unsigned char noise[70000];
    uint32_t seed = 12345;
    char fifo[512];
    made_begin(&tree);
    for (size_t i = 0; i < sizeof noise; i++) {
        seed = seed * 1664525 + 1013904223;
        noise[i] = (unsigned char)(seed >> 24);
    }
    made_bytes(&tree, "/proc/cpuinfo", noise, sizeof noise);
    made_bytes(&tree, "/proc/self/mountinfo", noise, sizeof noise);
    memset(noise, '7', sizeof noise); /* one line without an end */
    made_bytes(&tree, "/proc/self/status", noise, sizeof noise);
    made_bytes(&tree, "/sys/devices/system/node/online", noise, sizeof noise);
    made_link(&tree, "/sys/devices/system/cpu/online", "online"); /* to itself */
    made_link(&tree, "/sys/devices/system/cpu/cpu0", "..");
    made_file(&tree, "x", "/proc/meminfo/not-a-file");
    snprintf(fifo, sizeof fifo, "%s/proc/stat", tree.root);
    assert_int_equal(mkfifo(fifo, 0600), 0); /* nobody writes: opening it plainly would wait for ever */
    host_read(tree.root, &h);
    made_end(&tree);
    assert_int_equal(h.allowed_count, 1);
    assert_string_equal(h.available_why, "");
    assert_string_equal(h.caches_from, "");
    assert_int_equal(h.node_count, 0);
}

static void empty_tree(void **state) {
    (void)state;
    host h;
    host_load load;
    host_read("/nowhere", &h);
    host_load_read("/nowhere", &load);
    assert_string_equal(h.cpu, "unknown CPU");
    assert_int_equal(h.allowed_count, 1);
    assert_int_equal(h.core_count, 1);
    assert_int_equal(h.allowed[0].node, -1);
    assert_string_equal(h.available_why, "");
    assert_string_equal(h.huge_mode, "");
    assert_true(h.swap < 0 && h.quota <= 0);
    assert_false(load.known);
    assert_true(load.throttled < 0 && load.thermal < 0 && load.waiting < 0);
}

/* Two independent readers of one machine agree: hwloc, and the files of /sys. */
static void fallback_agrees_with_hwloc(void **state) {
    (void)state;
    host a, b;
    host_read("", &a);
    host_read_with("", cpuid_of_this_cpu(), false, &b);
    if (strcmp(a.caches_from, "hwloc") != 0 || strcmp(b.caches_from, "sysfs") != 0)
        skip();
    assert_int_equal(a.allowed_count, b.allowed_count);
    assert_int_equal(a.core_count, b.core_count);
    for (int i = 0; i < a.allowed_count; i++) {
        assert_int_equal(a.allowed[i].cpu, b.allowed[i].cpu);
        assert_int_equal(a.allowed[i].core, b.allowed[i].core);
        if (b.allowed[i].node >= 0) /* hwloc makes up a node where /sys has none */
            assert_int_equal(a.allowed[i].node, b.allowed[i].node);
    }
    for (int level = ROOF_L3; level <= ROOF_L1; level++) {
        assert_exact(a.cache[level], b.cache[level]);
        assert_int_equal(a.sharing[level], b.sharing[level]);
    }
}

/* The kernel fills /sys from the same CPUID leaves. */
static void cpuid_agrees_with_sysfs(void **state) {
    (void)state;
    host a, b = {0};
    host_read_with("", NULL, false, &a);
    if (strcmp(a.caches_from, "sysfs") != 0 || !cpuid_of_this_cpu())
        skip();
    cpu_set_t before, one;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    CPU_SET((size_t)a.allowed[0].cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    bool told = cpuid_caches(cpuid_of_this_cpu(), a.online, &b);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_true(told);
    assert_exact(b.cache[ROOF_L1], a.cache[ROOF_L1]);
    assert_exact(b.cache[ROOF_L2], a.cache[ROOF_L2]);
}

/* Names of the flags as Linux shows them in /proc/cpuinfo. It shows none that the system does not let programs use. */
static void features_agree_with_cpuinfo(void **state) {
    (void)state;
    static const struct {
        feature feature;
        const char *flag;
    } table[] = {
        {FEATURE_FMA, " fma "},
        {FEATURE_AVX2, " avx2 "},
        {FEATURE_AVX512, " avx512vl "},
        {FEATURE_AVX512_FP16, " avx512_fp16 "},
        {FEATURE_AVX512_BF16, " avx512_bf16 "},
        {FEATURE_AVX512_VNNI, " avx512_vnni "},
        {FEATURE_AVX_VNNI, " avx_vnni "},
        {FEATURE_FP16, " asimdhp "},
        {FEATURE_DOTPROD, " asimddp "},
        {FEATURE_BF16, " bf16 "},
        {FEATURE_I8MM, " i8mm "},
        {FEATURE_SVE, " sve "},
        {FEATURE_SVE_BF16, " svebf16 "},
        {FEATURE_SVE_I8MM, " svei8mm "},
    };
    char flags[16384] = "", line[16384];
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !flags[0] && fgets(line, sizeof line - 1, file))
        if (strncmp(line, "flags\t", 6) == 0 || strncmp(line, "Features\t", 9) == 0) {
            line[strcspn(line, "\n")] = ' ';
            memcpy(flags, line, sizeof flags);
        }
    if (file)
        fclose(file);
    feature_set set = host_features();
    assert_true(set & FEATURE(BASE));
    if (!flags[0])
        skip();
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if ((set >> table[i].feature & 1) != (strstr(flags, table[i].flag) != NULL))
            fail_msg("%s: %d by us", table[i].flag, (int)(set >> table[i].feature & 1));
    for (feature amx = FEATURE_AMX_BF16; amx <= FEATURE_AMX_INT8; amx++) /* may be refused although it is there */
        if (set >> amx & 1)
            assert_non_null(strstr(flags, " amx_tile "));
}

static void this_machine(void **state) {
    (void)state;
    host h;
    char name[128];
    host_read("", &h);
    assert_int_equal(h.online, sysconf(_SC_NPROCESSORS_ONLN));
    assert_true(h.cpu[0] && h.kernel[0] && h.compiler[0]);
    assert_string_equal(roof_measure_host(name, sizeof name), name);
    assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-"), strlen(name));
    assert_true(h.available > 0 && h.available <= h.cache[ROOF_DRAM]);
    assert_true(h.core_count >= 1 && h.core_count <= h.allowed_count);
}

/* Bound to one CPU (as by taskset) there is one core; a program limited to 256 MB more than it has may take no more. */
static void limits_of_this_process(void **state) {
    (void)state;
    host all, one;
    host_read("", &all);
    cpu_set_t before, set;
    struct rlimit old, tight;
    if (sched_getaffinity(0, sizeof before, &before) != 0)
        skip(); /* more CPUs than a plain set holds */
    int last = all.allowed[all.allowed_count - 1].cpu;
    CPU_ZERO(&set);
    CPU_SET((size_t)last, &set);
    assert_int_equal(sched_setaffinity(0, sizeof set, &set), 0);
    host_read("", &one);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_int_equal(one.allowed_count, 1);
    assert_int_equal(one.core_count, 1);
    assert_int_equal(one.allowed[0].cpu, last);
    assert_int_equal(one.allowed[0].core, 0);
    assert_int_equal(one.online, all.online);

    char text[64];
    assert_true(tree_text("", text, sizeof text, "/proc/self/statm"));
    assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
    tight = old;
    tight.rlim_cur = (rlim_t)(number_of(text, NULL) * (double)sysconf(_SC_PAGESIZE)) + 256000000;
    if (tight.rlim_cur > old.rlim_max || all.available < 300e6)
        skip();
    assert_int_equal(setrlimit(RLIMIT_AS, &tight), 0);
    host_read_with("", NULL, false, &one);
    assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
    assert_string_equal(one.available_why, "RLIMIT_AS");
    assert_in_range((long long)one.available, 200000000, 256000000);
}

static void lists(void **state) {
    (void)state;
    cpu_bits bits;
    assert_true(cpu_bits_parse("0-3,8,4095", &bits));
    assert_int_equal(cpu_bits_count(&bits), 6);
    assert_int_equal(cpu_bits_next(&bits, 3), 8);
    assert_int_equal(cpu_bits_next(&bits, 4095), -1);
    static const char *const bad[] = {"", "x", "1,", "1-", "-1", "1 2", "3-1", "9999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(cpu_bits_parse(bad[i], &bits));
    assert_true(cpu_bits_parse("5-18446744073709551615", &bits));
    assert_int_equal(cpu_bits_count(&bits), CPU_BITS - 5);
}

/* More CPUs than are looked at: no mask keeps the others away. */
static void more_cpus_than_are_looked_at(void **state) {
    (void)state;
    static host h;
    made_tree tree;
    made_begin(&tree);
    made_file(&tree, "0-1535\n", "/sys/devices/system/cpu/online");
    made_file(&tree, "Cpus_allowed_list:\t0-1535\n", "/proc/self/status");
    host_read(tree.root, &h);
    assert_int_equal(h.online, 1536);
    assert_int_equal(h.allowed_count, HOST_CPUS_MAX);
    assert_int_equal(h.left_out, 1536 - HOST_CPUS_MAX);
    made_file(&tree, "Cpus_allowed_list:\t0-1023\n", "/proc/self/status");
    host_read(tree.root, &h);
    assert_int_equal(h.left_out, 0);
    made_end(&tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_cpus_than_are_looked_at),
        cmocka_unit_test(intel_of_two_sockets),
        cmocka_unit_test(affinity_of_the_tree),
        cmocka_unit_test(amd_epyc),
        cmocka_unit_test(arm_neoverse),
        cmocka_unit_test(kvm_guest_without_caches),
        cmocka_unit_test(cpuid_of_amd),
        cmocka_unit_test(cpuid_that_lies),
        cmocka_unit_test(names),
        cmocka_unit_test(hostile_trees),
        cmocka_unit_test(garbage_links_and_pipes),
        cmocka_unit_test(empty_tree),
        cmocka_unit_test(fallback_agrees_with_hwloc),
        cmocka_unit_test(cpuid_agrees_with_sysfs),
        cmocka_unit_test(features_agree_with_cpuinfo),
        cmocka_unit_test(this_machine),
        cmocka_unit_test(limits_of_this_process),
        cmocka_unit_test(lists),
        cmocka_unit_test(instructions_are_no_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
