/* Prints what limits.sh compares with the limits that it set: CPUs, cores, memory that may be taken, and why. */
#include <stdio.h>

#include "measure/host/host.h"

int main(void) {
    host h;
    host_read("", &h);
    printf("%d %d %.0f %s\n", h.allowed_count, h.core_count, h.available, h.available_why);
    return 0;
}
