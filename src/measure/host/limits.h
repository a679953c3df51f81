/* What this process may use: CPUs, time, memory. */
#ifndef ROOFLINE_MEASURE_HOST_LIMITS_H
#define ROOFLINE_MEASURE_HOST_LIMITS_H

#include "measure/host/host.h"
#include "measure/host/tree.h"

void limits_online(const char *root, cpu_bits *out);  /* CPUs of the machine; empty when not known */
void limits_allowed(const char *root, cpu_bits *out); /* CPUs this process may run on; empty when not known */
double limits_quota(const char *root);                /* as host.quota */
void limits_memory(const char *root, host *out);      /* cache[ROOF_DRAM], available, available_why, swap */
double limits_throttled(const char *root);            /* seconds our cgroups were held back; -1: not known */

#endif
