/* Which CPUs are one core, which core is on which node, and the caches one core sees. */
#ifndef ROOFLINE_MEASURE_HOST_TOPOLOGY_H
#define ROOFLINE_MEASURE_HOST_TOPOLOGY_H

#include "measure/host/cpuid.h"

/* Both fill core and node of allowed[] (core: any number that siblings share), node_count, cache, sharing and
 * caches_from. topology_hwloc() looks at this machine; false when it is not built in or finds nothing. */
bool topology_hwloc(host *out);
void topology_sys(const char *root, cpuid_read read, host *out);
/* Order allowed[] as host.h says and number the cores from 0. */
void topology_order(host *out);

#endif
