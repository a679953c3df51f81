/* The smallest program that uses an installed roofline: judges one operation on a machine made by hand. */
#include <roofline.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    roof_machine machine = {0};
    roof_operation operation = {0};
    roof_verdict verdict;
    roof_error error;
    if (argc != 2 || strcmp(roof_version(), argv[1]) != 0 || strcmp(ROOF_VERSION, argv[1]) != 0) {
        fprintf(stderr, "library %s, header %s\n", roof_version(), ROOF_VERSION);
        return 1;
    }
    machine.id = "mine";
    machine.peak[ROOF_VECTOR][ROOF_F32].value = 1e12;
    machine.peak[ROOF_VECTOR][ROOF_F32].origin = ROOF_ORIGIN_GIVEN;
    machine.bandwidth[ROOF_DRAM].value = 1e11;
    machine.bandwidth[ROOF_DRAM].origin = ROOF_ORIGIN_GIVEN;
    operation.name = "triad";
    operation.vector_flops = 2e9;
    operation.vector_dtype = ROOF_F32;
    operation.bytes[ROOF_DRAM] = 12e9;
    if (roof_judge(&machine, &operation, &verdict, &error) != 0) {
        fprintf(stderr, "%s\n", error.what);
        return 1;
    }
    /* 12 GB at 100 GB/s: 0.12 s, and memory is what limits it. */
    return verdict.bound == ROOF_BOUND_MEMORY && verdict.seconds > 0.1199 && verdict.seconds < 0.1201 ? 0 : 1;
}
