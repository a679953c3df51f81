/* The machine by name, and everything about it put together. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "measure/host/host_read.h"
#include "measure/host/limits.h"
#include "measure/host/topology.h"

/* ---- names ---- */

/* Take every `what` out of `text`. */
static void cut(char *text, const char *what) {
    size_t length = strlen(what);
    for (char *at = text; (at = strstr(at, what));)
        memmove(at, at + length, strlen(at + length) + 1);
}

/* "Intel(R) Xeon(R) CPU @ 2.40GHz", "AMD EPYC 7763 64-Core Processor": what is not the name goes. */
static void clean_name(char *name) {
    static const char *const noise[] = {"(R)", "(r)", "(TM)", "(tm)", "(C)", " Processor", " CPU"}, *const tails[] = {
                                                                                                        " @ ",
                                                                                                        " with "};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        char *at = strstr(name, tails[i]);
        if (at)
            *at = '\0';
    }
    for (size_t i = 0; i < sizeof noise / sizeof *noise; i++)
        cut(name, noise[i]);
    text_clean(name);
    char *core = strstr(name, "-Core");
    if (core && core[5] == '\0') {
        while (core > name && isdigit((unsigned char)core[-1]))
            core--;
        *core = '\0';
    }
    text_clean(name);
}

/* Implementer and part of MIDR_EL1 as /proc/cpuinfo shows them. Part numbers: the Technical Reference Manual of each
 * core, section MIDR_EL1; the same in Linux arch/arm64/include/asm/cputype.h. */
static const struct {
    unsigned implementer, part;
    const char *name;
} arm_parts[] = {
    {0x41, 0xd03, "Arm Cortex-A53"},    {0x41, 0xd05, "Arm Cortex-A55"},     {0x41, 0xd07, "Arm Cortex-A57"},
    {0x41, 0xd08, "Arm Cortex-A72"},    {0x41, 0xd09, "Arm Cortex-A73"},     {0x41, 0xd0a, "Arm Cortex-A75"},
    {0x41, 0xd0b, "Arm Cortex-A76"},    {0x41, 0xd0c, "Arm Neoverse-N1"},    {0x41, 0xd0d, "Arm Cortex-A77"},
    {0x41, 0xd40, "Arm Neoverse-V1"},   {0x41, 0xd41, "Arm Cortex-A78"},     {0x41, 0xd44, "Arm Cortex-X1"},
    {0x41, 0xd46, "Arm Cortex-A510"},   {0x41, 0xd47, "Arm Cortex-A710"},    {0x41, 0xd48, "Arm Cortex-X2"},
    {0x41, 0xd49, "Arm Neoverse-N2"},   {0x41, 0xd4d, "Arm Cortex-A715"},    {0x41, 0xd4e, "Arm Cortex-X3"},
    {0x41, 0xd4f, "Arm Neoverse-V2"},   {0x41, 0xd80, "Arm Cortex-A520"},    {0x41, 0xd81, "Arm Cortex-A720"},
    {0x41, 0xd82, "Arm Cortex-X4"},     {0x41, 0xd84, "Arm Neoverse-V3"},    {0x41, 0xd85, "Arm Cortex-X925"},
    {0x41, 0xd8e, "Arm Neoverse-N3"},   {0x43, 0x0af, "Cavium ThunderX2"},   {0x46, 0x001, "Fujitsu A64FX"},
    {0x48, 0xd01, "HiSilicon TSV110"},  {0xc0, 0xac3, "Ampere-1"},           {0xc0, 0xac4, "Ampere-1a"},
    {0x61, 0x022, "Apple M1 Icestorm"}, {0x61, 0x023, "Apple M1 Firestorm"},
};

static void arm_name(unsigned implementer, unsigned part, char *out, size_t size) {
    for (size_t i = 0; i < sizeof arm_parts / sizeof *arm_parts; i++)
        if (arm_parts[i].implementer == implementer && arm_parts[i].part == part) {
            snprintf(out, size, "%s", arm_parts[i].name);
            return;
        }
    snprintf(out, size, "unknown CPU (implementer 0x%02x, part 0x%03x)", implementer & 0xff, part & 0xfff);
}

/* "key\t: value" of /proc/cpuinfo. */
static const char *field(const char *line, const char *key) {
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0)
        return NULL;
    line += length + strspn(line + length, " \t");
    return *line == ':' ? line + 1 + strspn(line + 1, " \t") : NULL;
}

typedef struct cpuinfo {
    char model[TREE_LINE_MAX];
    unsigned implementer, part;
    bool hypervisor;
} cpuinfo;

static void read_cpuinfo(const char *root, cpuinfo *out) {
    tree_lines lines = {.file = tree_open(root, "/proc/cpuinfo")};
    const char *value;
    *out = (cpuinfo){0};
    while (tree_next(&lines) && !((out->model[0] && out->hypervisor) || out->part)) {
        if ((value = field(lines.line, "model name")) && !out->model[0])
            snprintf(out->model, sizeof out->model, "%s", value);
        else if ((value = field(lines.line, "CPU implementer")))
            out->implementer = (unsigned)strtoul(value, NULL, 0);
        else if ((value = field(lines.line, "CPU part")))
            out->part = (unsigned)strtoul(value, NULL, 0);
        else if ((value = field(lines.line, "flags"))) {
            out->hypervisor = strstr(value, " hypervisor") != NULL;
            break; /* the next CPU says the same */
        }
    }
    if (lines.file)
        fclose(lines.file);
}

static void name_cpu(const cpuinfo *info, cpuid_read read, char *out, size_t size) {
    char name[TREE_LINE_MAX];
    snprintf(name, sizeof name, "%s", info->model);
    clean_name(name);
    if (!name[0]) {
        cpuid_brand(read, name, sizeof name);
        clean_name(name);
    }
    if (name[0])
        snprintf(out, size, "%.*s", (int)size - 1, name);
    else if (info->implementer)
        arm_name(info->implementer, info->part, out, size);
    else
        snprintf(out, size, "unknown CPU");
}

/* Who made the virtual machine, from the firmware's tables. "" for real hardware as far as they tell. */
static void firmware_hypervisor(const char *root, char *out, size_t size) {
    static const char *const files[] = {"/sys/hypervisor/type", "/sys/class/dmi/id/product_name",
                                        "/sys/class/dmi/id/sys_vendor", "/proc/device-tree/hypervisor/compatible"};
    static const struct {
        const char *word, *name;
    } known[] = {
        {"xen", "Xen"},
        {"KVM", "KVM"},
        {"QEMU", "KVM"},
        {"VMware", "VMware"},
        {"vmware", "VMware"},
        {"Virtual Machine", "Hyper-V"},
        {"VirtualBox", "VirtualBox"},
        {"Google Compute Engine", "KVM"},
        {"linux,kvm", "KVM"},
        {"HVM domU", "Xen"},
        {"Parallels", "Parallels"},
        {"BHYVE", "bhyve"},
        {"Apple Virtualization", "Apple Virtualization"},
    };
    char text[128];
    if (tree_text(root, text, sizeof text, "/sys/class/dmi/id/sys_vendor") && strcmp(text, "Amazon EC2") == 0 &&
        tree_text(root, text, sizeof text, "/sys/class/dmi/id/product_name") && !strstr(text, "metal")) {
        snprintf(out, size, "KVM"); /* the Nitro hypervisor; bare metal is a "c7g.metal" */
        return;
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (size_t k = 0; tree_text(root, text, sizeof text, "%s", files[i]) && k < sizeof known / sizeof *known; k++)
            if (strstr(text, known[k].word)) {
                snprintf(out, size, "%s", known[k].name);
                return;
            }
}

/* CPUID has the last word where there is one: firmware of rented bare metal may carry the same names as that of its
 * guests. */
static void find_hypervisor(const char *root, cpuid_read read, const cpuinfo *info, char *out, size_t size) {
    cpuid_hypervisor(read, out, size);
    if (!read || strcmp(out, "unknown") == 0)
        firmware_hypervisor(root, out, size);
    if (!out[0] && info->hypervisor)
        snprintf(out, size, "unknown");
}

/* ---- all of it ---- */

static void find_cpus(const char *root, host *out) {
    cpu_bits online, allowed;
    limits_online(root, &online);
    limits_allowed(root, &allowed);
    out->online = cpu_bits_count(&online);
    bool known = out->online > 0;
    if (!known)
        out->online = cpu_bits_count(&allowed);
    if (cpu_bits_count(&allowed) == 0)
        allowed = online;
    for (int cpu = cpu_bits_next(&allowed, -1); cpu >= 0; cpu = cpu_bits_next(&allowed, cpu))
        if (known && !cpu_bits_has(&online, cpu))
            continue;
        else if (out->allowed_count == HOST_CPUS_MAX)
            out->left_out++;
        else
            out->allowed[out->allowed_count++] = (host_cpu){.cpu = cpu, .core = cpu, .node = -1};
    if (out->allowed_count == 0) /* nothing is told: there is at least the CPU that runs this */
        out->allowed[out->allowed_count++] = (host_cpu){.cpu = 0, .core = 0, .node = -1};
    if (out->online < out->allowed_count + out->left_out)
        out->online = out->allowed_count + out->left_out;
}

static void find_huge_mode(const char *root, host *out) {
    char text[64];
    out->huge_mode[0] = '\0';
    if (!tree_text(root, text, sizeof text, "/sys/kernel/mm/transparent_hugepage/enabled"))
        return;
    char *begin = strchr(text, '['), *end = begin ? strchr(begin, ']') : NULL;
    if (end && end - begin <= (int)sizeof out->huge_mode)
        snprintf(out->huge_mode, sizeof out->huge_mode, "%.*s", (int)(end - begin) - 1, begin + 1);
}

static void find_compiler(host *out) {
#if defined __clang__
    snprintf(out->compiler, sizeof out->compiler, "clang %d.%d.%d", __clang_major__, __clang_minor__,
             __clang_patchlevel__);
#else
    snprintf(out->compiler, sizeof out->compiler, "gcc %s", __VERSION__);
#endif
}

static void find_weakest(const char *root, host *out) {
    double least = 0, most = 0;
    for (int i = 0; i < out->core_count; i++) {
        int cpu = out->allowed[i].cpu;
        double value = tree_number(root, "/sys/devices/system/cpu/cpu%d/cpu_capacity", cpu);
        if (value < 0)
            value = tree_number(root, "/sys/devices/system/cpu/cpu%d/cpufreq/cpuinfo_max_freq", cpu);
        if (!(value > 0))
            return;
        least = i == 0 || value < least ? value : least;
        most = value > most ? value : most;
    }
    out->weakest = most > 0 ? least / most : 0;
}

static void find_clock(const char *root, int cpu, host *out) {
    tree_text(root, out->governor, sizeof out->governor, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu);
    tree_text(root, out->driver, sizeof out->driver, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_driver", cpu);
}

void host_read_with(const char *root, cpuid_read read, bool hwloc, host *out) {
    cpuinfo info;
    struct utsname system;
    memset(out, 0, sizeof *out);
    out->caches_from = "";
    read_cpuinfo(root, &info);
    name_cpu(&info, read, out->cpu, sizeof out->cpu);
    find_hypervisor(root, read, &info, out->hypervisor, sizeof out->hypervisor);
    if (uname(&system) == 0)
        snprintf(out->kernel, sizeof out->kernel, "%.40s %.50s", system.sysname, system.release);
    find_compiler(out);
    out->features = host_features();
    find_cpus(root, out);
    find_clock(root, out->allowed[0].cpu, out);
    if (!hwloc || !topology_hwloc(out) || *out->caches_from == '\0')
        topology_sys(root, read, out);
    topology_order(out);
    find_weakest(root, out);
    out->quota = limits_quota(root);
    limits_memory(root, out);
    find_huge_mode(root, out);
}

void host_read(const char *root, host *out) {
    bool here = *root == '\0';
    host_read_with(root, here ? cpuid_of_this_cpu() : NULL, here, out);
}

const char *host_slug(const char *cpu, int online, char *buffer, size_t size) {
    size_t used = 0;
    if (size == 0)
        return buffer;
    for (; *cpu && used + 1 < size; cpu++) {
        bool word = isalnum((unsigned char)*cpu);
        if (word)
            buffer[used++] = (char)tolower((unsigned char)*cpu);
        else if (used > 0 && buffer[used - 1] != '-')
            buffer[used++] = '-';
    }
    if (used > 0 && buffer[used - 1] == '-')
        used--;
    snprintf(buffer + used, size - used, "%s-%d", used > 0 ? "" : "cpu", online);
    return buffer;
}

const char *roof_measure_cpu(char *buffer, size_t size) {
    cpuinfo info;
    char cpu[sizeof((host *)0)->cpu];
    read_cpuinfo("", &info);
    name_cpu(&info, cpuid_of_this_cpu(), cpu, sizeof cpu);
    if (size > 0)
        snprintf(buffer, size, "%s", cpu);
    return buffer;
}

const char *roof_measure_host(char *buffer, size_t size) {
    char cpu[sizeof((host *)0)->cpu];
    cpu_bits online;
    roof_measure_cpu(cpu, sizeof cpu);
    limits_online("", &online);
    if (cpu_bits_count(&online) == 0)
        limits_allowed("", &online);
    return host_slug(cpu, cpu_bits_count(&online), buffer, size);
}
