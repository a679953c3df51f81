/* Seconds of a collective: latency and bytes by algorithm. docs/expected.md, "Collectives". */
#include <math.h>

#include "core/machine.h"
#include "expect/expect.h"

double roof_collective_seconds(const roof_machine *machine, const roof_constants *constants, roof_kind kind,
                               double bytes, double devices) {
    if (!(devices > 1) || !figure_known(&machine->link))
        return 0;
    double peers = devices - 1, rate = machine->link.value * constant_of(constants, ROOF_CONSTANT_LINK);
    double latency =
        constant_of(constants, ROOF_CONSTANT_LINK_LATENCY) + peers * constant_of(constants, ROOF_CONSTANT_LINK_PEER);
    if (kind == ROOF_POINT_TO_POINT)
        return latency + bytes / rate;
    if (kind != ROOF_ALL_REDUCE) /* every device sends its part of the whole to every peer */
        return latency + peers / devices * bytes / rate;
    double one_step = latency + peers * bytes / rate;
    double two_steps =
        latency + constant_of(constants, ROOF_CONSTANT_LINK_TWO_SHOT) + 2 * peers / devices * bytes / rate;
    return fmin(one_step, two_steps);
}
