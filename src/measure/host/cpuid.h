/* CPUID, and what a table of its answers says. `read` is a parameter so that tests give the answers of other CPUs. */
#ifndef ROOFLINE_MEASURE_HOST_CPUID_H
#define ROOFLINE_MEASURE_HOST_CPUID_H

#include "measure/host/host.h"

typedef struct cpuid_answer {
    uint32_t eax, ebx, ecx, edx;
} cpuid_answer;
/* All zero for a leaf that the CPU does not have. NULL stands for "no CPUID here". */
typedef cpuid_answer (*cpuid_read)(uint32_t leaf, uint32_t subleaf);

cpuid_read cpuid_of_this_cpu(void);                             /* NULL on other architectures */
void cpuid_brand(cpuid_read read, char *out, size_t size);      /* "" when there is none */
void cpuid_hypervisor(cpuid_read read, char *out, size_t size); /* "KVM"; "unknown" for one without a name; "" */
/* Fill cache and sharing, of a machine with `cpus` CPUs: what CPUID tells is an upper limit. False when nothing is
 * told. */
bool cpuid_caches(cpuid_read read, int cpus, host *out);

#endif
