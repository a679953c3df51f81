/* CPUID: brand string, hypervisor and caches. Sources: Intel SDM volume 2A "CPUID"; AMD64 APM volume 3, appendix E. */
#include "measure/host/cpuid.h"

#include <string.h>

#include "measure/host/tree.h"

#if defined __x86_64__
#include <cpuid.h>

static cpuid_answer read_cpuid(uint32_t leaf, uint32_t subleaf) {
    cpuid_answer a = {0};
    uint32_t base = leaf >= 0x40000000 && leaf < 0x50000000 ? 0x40000000 : leaf & 0x80000000;
    if (base ==
        0x40000000) /* the hypervisor's leaves tell their highest themselves; the caller checks that there is one */
        __cpuid_count(leaf, subleaf, a.eax, a.ebx, a.ecx, a.edx);
    else if ((uint32_t)__get_cpuid_max(base, NULL) >= leaf)
        __cpuid_count(leaf, subleaf, a.eax, a.ebx, a.ecx, a.edx);
    return a;
}

cpuid_read cpuid_of_this_cpu(void) {
    return read_cpuid;
}
#else
cpuid_read cpuid_of_this_cpu(void) {
    return NULL;
}
#endif

void cpuid_brand(cpuid_read read, char *out, size_t size) {
    char text[49] = {0};
    out[0] = '\0';
    if (!read || read(0x80000000, 0).eax < 0x80000004)
        return;
    for (uint32_t i = 0; i < 3; i++) {
        cpuid_answer a = read(0x80000002 + i, 0);
        memcpy(text + 16 * i, &a, 16);
    }
    text_clean(text);
    snprintf(out, size, "%s", text);
}

void cpuid_hypervisor(cpuid_read read, char *out, size_t size) {
    static const struct {
        const char signature[13], *name;
    } known[] = {
        {"KVMKVMKVM", "KVM"},           {"Linux KVM Hv", "KVM"},  {"VMwareVMware", "VMware"},
        {"Microsoft Hv", "Hyper-V"},    {"XenVMMXenVMM", "Xen"},  {"TCGTCGTCGTCG", "QEMU TCG"},
        {"bhyve bhyve ", "bhyve"},      {"ACRNACRNACRN", "ACRN"}, {"prl hyperv  ", "Parallels"},
        {"VBoxVBoxVBox", "VirtualBox"}, {"QNXQVMBSQG", "QNX"},
    };
    out[0] = '\0';
    if (!read || !(read(1, 0).ecx >> 31 & 1))
        return;
    cpuid_answer a = read(0x40000000, 0);
    char signature[13] = {0};
    memcpy(signature, &a.ebx, 12); /* ebx, ecx, edx lie one after another */
    snprintf(out, size, "unknown");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(signature, known[i].signature) == 0)
            snprintf(out, size, "%s", known[i].name);
}

static int threads_of_a_core(cpuid_read read, bool amd) {
    uint32_t threads = amd ? (read(0x8000001E, 0).ebx >> 8 & 0xff) + 1 : read(0xB, 0).ebx & 0xffff;
    return threads >= 1 && threads <= 8 ? (int)threads : 1;
}

/* Leaf 4 of Intel and 0x8000001D of AMD have one layout. */
static bool caches_of_leaf(cpuid_read read, uint32_t leaf, int threads, int cpus, host *out) {
    static const roof_level levels[] = {ROOF_DRAM, ROOF_L1, ROOF_L2, ROOF_L3};
    bool found = false;
    int cores = (cpus + threads - 1) / threads;
    for (uint32_t i = 0; i < 16; i++) {
        cpuid_answer a = read(leaf, i);
        uint32_t type = a.eax & 31, level = a.eax >> 5 & 7;
        if (type == 0)
            break;
        if (type == 2 || level < 1 || level > 3) /* 2: instructions */
            continue;
        double ways = (a.ebx >> 22) + 1, parts = (a.ebx >> 12 & 0x3ff) + 1, line = (a.ebx & 0xfff) + 1;
        int shared = ((int)(a.eax >> 14 & 0xfff) + threads) / threads;
        out->cache[levels[level]] = ways * parts * line * ((double)a.ecx + 1);
        out->sharing[levels[level]] = cores > 0 && shared > cores ? cores : shared;
        found = true;
    }
    return found;
}

/* 0x80000005 and 6: AMD before leaf 0x8000001D, or where a hypervisor hides it. */
static bool caches_of_old_amd(cpuid_read read, host *out) {
    cpuid_answer second = read(0x80000006, 0);
    out->cache[ROOF_L1] = (read(0x80000005, 0).ecx >> 24) * 1024.0;
    out->cache[ROOF_L2] = (second.ecx >> 16) * 1024.0;
    out->cache[ROOF_L3] = (second.edx >> 18) * 512.0 * 1024;
    return out->cache[ROOF_L1] > 0;
}

bool cpuid_caches(cpuid_read read, int cpus, host *out) {
    if (!read)
        return false;
    bool amd = read(0, 0).ecx == 0x444d4163 || read(0, 0).ecx == 0x656e6975; /* "cAMD", "uine" of HygonGenuine */
    if (!amd)
        return caches_of_leaf(read, 4, threads_of_a_core(read, false), cpus, out);
    if (read(0x80000001, 0).ecx >> 22 & 1)
        return caches_of_leaf(read, 0x8000001D, threads_of_a_core(read, true), cpus, out);
    return caches_of_old_amd(read, out);
}
