/* Seconds of a collective: latency and bytes by algorithm, where devices have links of their own and where they share
 * the host's bus. docs/expected.md, "Collectives". */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "core/machine.h"
#include "expect/defaults.h"
#include "expect/expect.h"

typedef struct links {
    const roof_constants *constants;
    double rate; /* bytes a second that a collective reaches */
} links;

static double latency_of(const links *of, double peers) {
    return constant_of(of->constants, ROOF_CONSTANT_LINK_LATENCY) +
           peers * constant_of(of->constants, ROOF_CONSTANT_LINK_PEER);
}

/* Every device has a link that reaches all others. All-reduce: everything to all peers in one step; or every device
 * sums a part (scatter) and sends it to all (gather). The others: the parts of all peers. */
static double over_links(const links *of, roof_kind kind, double bytes, double devices) {
    double peers = devices - 1, latency = latency_of(of, peers);
    if (kind != ROOF_KIND_ALL_REDUCE)
        return latency + peers / devices * bytes / of->rate;
    double one_step = latency + peers * bytes / of->rate;
    double two_steps =
        latency + constant_of(of->constants, ROOF_CONSTANT_LINK_TWO_SHOT) + 2 * peers / devices * bytes / of->rate;
    return fmin(one_step, two_steps);
}

/* One bus carries what all devices send, one after the other. (Two send both ways at once, as over a link.) */
static double over_bus(const links *of, roof_kind kind, double bytes, double devices) {
    double peers = devices - 1, times = kind == ROOF_KIND_ALL_REDUCE ? 2 : 1;
    return latency_of(of, peers) + times * peers * bytes / of->rate;
}

/* Domains of `inside` devices each: the same among the devices of a domain, then among domains, where each device
 * carries its part over an adapter of its own. */
static double over_domains(const links *in, const links *out, roof_kind kind, double bytes, double devices,
                           double inside) {
    return over_links(in, kind, bytes, inside) + over_links(out, kind, bytes / inside, ceil(devices / inside));
}

/* Devices that are wired to each other one by one ("Infinity Fabric (7 links)") use the links to those that take part.
 */
static double links_used(const roof_machine *machine, double devices) {
    const char *at = strchr(machine->link_kind, '(');
    double count = 0;
    while (at && isdigit((unsigned char)*++at))
        count = 10 * count + (*at - '0');
    if (!(count > 0) || strncmp(at, " links", 6) != 0)
        return 1;
    return fmin(1, (devices - 1) / count);
}

/* Published times of collectives alone are those of a host with one root for all devices; published runs of models, of
 * hosts with switches, where every device has a way of its own. */
static bool shares_bus(const roof_constants *constants) {
    return is_alone(constants);
}

double roof_collective_seconds(const roof_machine *machine, const roof_constants *constants, roof_kind kind,
                               double bytes, double devices) {
    double on_a_bus = assumed(HOST_DEVICES); /* smaller domains, as pairs with a bridge, are inside a host */
    const roof_figure *link = figure_known(&machine->link), *host = figure_known(&machine->host_link);
    if (!(devices > 1) || (!link && !host))
        return 0;
    double share = constant_of(constants, ROOF_CONSTANT_LINK);
    double domain = has_switch(machine) ? machine->link_devices.value : 1;
    bool over_host = host && (domain > 1 || !link); /* a link that somebody gave to a machine without one is its bus */
    links in = {constants, share * (link ? link->value : host->value)};
    /* a host's bus that is faster than the link (one memory) does not carry what leaves a device any faster */
    double way_out = over_host ? (link ? fmin(host->value, link->value) : host->value) : link->value;
    links out = {constants, share * way_out};
    if (domain > 1)
        in.rate *= links_used(machine, kind == ROOF_KIND_POINT_TO_POINT ? 2 : fmin(devices, domain));
    if (kind == ROOF_KIND_POINT_TO_POINT)
        return latency_of(&in, 1) + bytes / in.rate;
    bool own_way = domain < on_a_bus && !shares_bus(constants);
    if (devices <= fmax(domain, 2) || own_way)
        return over_links(domain > 1 && devices <= domain ? &in : &out, kind, bytes, devices);
    if (domain < on_a_bus)
        return over_bus(&out, kind, bytes, devices);
    return over_domains(&in, &out, kind, bytes, devices, domain);
}
