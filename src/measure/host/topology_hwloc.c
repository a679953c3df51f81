/* Cores, nodes and caches from hwloc (https://www.open-mpi.org/projects/hwloc/). The only file that knows it. */
#include "measure/host/topology.h"

#ifndef ROOFLINE_HAVE_HWLOC
bool topology_hwloc(host *out) {
    (void)out;
    return false;
}
#else
#include <hwloc.h>

#include "measure/host/tree.h"

/* Where /sys tells nothing hwloc knows nothing, and says so on stderr. */
static bool is_told(void) {
    char text[32];
    return tree_text("", text, sizeof text, "/sys/devices/system/cpu/cpu0/topology/core_id");
}

/* hwloc must not move our threads about to look around: where /sys tells nothing we ask CPUID ourselves. */
static unsigned long flags(void) {
    unsigned long value = HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED;
#if HWLOC_API_VERSION >= 0x00020500
    value |= HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING;
#endif
    return value;
}

static hwloc_topology_t look(void) {
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return NULL;
    if (hwloc_topology_set_flags(topology, flags()) == 0 && hwloc_topology_load(topology) == 0)
        return topology;
    hwloc_topology_destroy(topology);
    return NULL;
}

static int node_of(hwloc_topology_t topology, hwloc_const_cpuset_t cpus) {
    hwloc_obj_t node = NULL;
    while ((node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)))
        if (node->cpuset && hwloc_bitmap_isincluded(cpus, node->cpuset))
            return (int)node->os_index;
    return -1;
}

static int count_nodes(hwloc_topology_t topology) {
    int count = 0;
    hwloc_obj_t node = NULL;
    while ((node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)))
        count += node->cpuset && !hwloc_bitmap_iszero(node->cpuset);
    return count < HOST_NODES_MAX ? count : HOST_NODES_MAX;
}

static void caches_above(hwloc_topology_t topology, hwloc_obj_t from, host *out) {
    static const struct {
        hwloc_obj_type_t type;
        roof_level level;
    } levels[] = {{HWLOC_OBJ_L1CACHE, ROOF_L1}, {HWLOC_OBJ_L2CACHE, ROOF_L2}, {HWLOC_OBJ_L3CACHE, ROOF_L3}};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        hwloc_obj_t cache = hwloc_get_ancestor_obj_by_type(topology, levels[i].type, from);
        if (!cache || !cache->attr || cache->attr->cache.size == 0)
            continue;
        int cores = hwloc_get_nbobjs_inside_cpuset_by_type(topology, cache->cpuset, HWLOC_OBJ_CORE);
        out->cache[levels[i].level] = (double)cache->attr->cache.size;
        out->sharing[levels[i].level] = cores > 0 ? cores : 0;
        out->caches_from = "hwloc";
    }
}

bool topology_hwloc(host *out) {
    hwloc_topology_t topology = is_told() ? look() : NULL;
    if (!topology)
        return false;
    bool complete = out->allowed_count > 0;
    for (int i = 0; i < out->allowed_count; i++) {
        hwloc_obj_t pu = hwloc_get_pu_obj_by_os_index(topology, (unsigned)out->allowed[i].cpu);
        hwloc_obj_t core = pu ? hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu) : NULL;
        complete = complete && pu;
        out->allowed[i].core = core ? hwloc_bitmap_first(core->cpuset) : out->allowed[i].cpu;
        out->allowed[i].node = pu ? node_of(topology, pu->cpuset) : -1;
        if (i == 0 && pu)
            caches_above(topology, pu, out);
    }
    out->node_count = count_nodes(topology);
    hwloc_topology_destroy(topology);
    return complete;
}
#endif
