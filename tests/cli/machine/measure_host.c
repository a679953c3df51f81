/* A tool of the tests: prints the name under which this machine's measurement is saved, or its CPU's. */
#include <stdio.h>

#include "roofline_measure.h"

int main(int count, char **words) {
    char host[96];
    if (count > 1 && words[1][0] == 'c') /* "cpu" */
        return puts(roof_measure_cpu(host, sizeof host)) < 0;
    return puts(roof_measure_host(host, 64 - 16)) < 0;
}
