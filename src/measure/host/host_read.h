/* host_read() with what it asks besides files given from outside, for tests. */
#ifndef ROOFLINE_MEASURE_HOST_HOST_READ_H
#define ROOFLINE_MEASURE_HOST_HOST_READ_H

#include "measure/host/cpuid.h"

void host_read_with(const char *root, cpuid_read read, bool hwloc, host *out);
/* "AMD EPYC", 2 -> "amd-epyc-2". */
const char *host_slug(const char *cpu, int online, char *buffer, size_t size);

#endif
