/* A tool of the tests: prints the name under which this machine's measurement is saved. */
#include <stdio.h>

#include "roofline_measure.h"

int main(void) {
    char host[64];
    return puts(roof_measure_host(host, sizeof host - 16)) < 0;
}
