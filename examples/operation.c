/* One operation on one machine of the catalogue: what limits it, how long it takes, and what would help.
 *
 *     operation [MACHINE]        h100-sxm unless named */
#include <roofline.h>
#include <roofline_expected.h>
#include <stdio.h>

static int fail(const roof_error *error) {
    fprintf(stderr, "operation: %s\n", error->what);
    if (error->hint[0])
        fprintf(stderr, "hint: %s\n", error->hint);
    return 1;
}

int main(int argc, char **argv) {
    roof_error error;
    roof_machine machine;
    if (roof_machine_find(argc > 1 ? argv[1] : "h100-sxm", &machine, NULL, 0, &error))
        return fail(&error);

    /* An operation of any kind is built from named arguments; `roofline ops` lists the kinds. */
    const roof_argument shape[] = {
        {.name = "m", .value = 8}, {.name = "n", .value = 14336}, {.name = "k", .value = 4096}};
    roof_operation gemm;
    if (roof_operation_build(ROOF_KIND_GEMM, shape, 3, &gemm, &error))
        return fail(&error);

    /* The bound: no implementation can be faster. */
    roof_verdict verdict;
    if (roof_judge(&machine, &gemm, &verdict, &error))
        return fail(&error);
    char roof[32];
    printf("gemm m=8 n=14336 k=4096 on %s: %s-bound (%s roof)\n", machine.name, roof_bound_name(verdict.bound),
           roof_verdict_roof(&verdict, roof, sizeof roof));
    printf("  %.3g FLOPs, %.3g bytes: %.3g FLOP/B, ridge point %.3g\n", roof_operation_flops(&gemm),
           gemm.bytes[ROOF_DRAM], verdict.intensity, verdict.ridge);
    printf("  at least %.1f us\n", verdict.seconds * 1e6);

    /* The expected time: what a good implementation attains, launched by itself. */
    roof_constants constants;
    roof_expected expected;
    roof_constants_of(&machine, ROOF_ENGINE_ALONE, &constants);
    if (roof_expect(&machine, &constants, &gemm, &expected, &error))
        return fail(&error);
    printf("  expected %.1f us, %.0f%% of runs between %.1f and %.1f\n", expected.seconds * 1e6,
           expected.confidence * 100, expected.low * 1e6, expected.high * 1e6);

    /* Every idea was tried: the work or the machine was changed and judged again. */
    roof_advice advice[ROOF_ADVICE_MAX];
    int count = roof_advise_operation(&machine, &gemm, NULL, 0, advice, &error);
    if (count < 0)
        return fail(&error);
    for (int i = 0; i < count; i++)
        printf("  %-6s %s: %.2fx\n", roof_effect_name(advice[i].effect), advice[i].idea, advice[i].speedup);
    return 0;
}
