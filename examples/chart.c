/* A machine from a file, three operations under its roofs, and the roofline chart of them as SVG.
 *
 *     chart MACHINE.json OUT.svg */
#include <roofline.h>
#include <roofline_chart.h>
#include <roofline_read.h>
#include <stdio.h>
#include <stdlib.h>

enum { SWEEP = 3, FILE_MAX = 1 << 20 };

static int fail(const roof_error *error) {
    if (error->line >= 0)
        fprintf(stderr, "chart: line %ld: %s\n", error->line, error->what);
    else
        fprintf(stderr, "chart: %s\n", error->what);
    return 1;
}

/* roof_write: the library hands over text, where it goes is the caller's business. */
static int write_to_file(void *context, const char *bytes, size_t length) {
    return fwrite(bytes, 1, length, context) != length;
}

static roof_machine_file *read_machine(const char *path, roof_error *error) {
    static char text[FILE_MAX];
    FILE *in = fopen(path, "rb");
    size_t length = in ? fread(text, 1, sizeof text, in) : 0;
    bool whole = in && !ferror(in) && feof(in);
    if (in)
        fclose(in);
    if (!whole)
        return roof_fail(error, ROOF_EIO, "'%s' cannot be read", path), NULL;
    return roof_read_machine(text, length, error);
}

/* One kind of operation, growing: it climbs the memory roof until compute limits it. */
static int draw(const roof_machine *machine, roof_drawing *drawing, roof_error *error) {
    static const double rows[SWEEP] = {16, 128, 2048};
    roof_operation operations[SWEEP];
    roof_verdict verdicts[SWEEP];
    for (size_t i = 0; i < SWEEP; i++) {
        const roof_argument shape[] = {
            {.name = "m", .value = rows[i]}, {.name = "n", .value = 4096}, {.name = "k", .value = 4096}};
        if (roof_operation_build(ROOF_KIND_GEMM, shape, 3, &operations[i], error) ||
            roof_judge(machine, &operations[i], &verdicts[i], error))
            return -1;
        printf("gemm m=%.0f n=4096 k=4096: %s-bound, at least %.3g us\n", rows[i], roof_bound_name(verdicts[i].bound),
               verdicts[i].seconds * 1e6);
    }
    return roof_chart_of_operations(machine, operations, verdicts, SWEEP, NULL, 0, drawing, error);
}

int main(int argc, char **argv) {
    if (argc != 3)
        return fprintf(stderr, "usage: chart MACHINE.json OUT.svg\n"), 2;
    roof_error error;
    roof_machine_file *file = read_machine(argv[1], &error);
    if (!file)
        return fail(&error);
    const roof_machine *machine = roof_machine_file_machine(file);
    printf("%s\n", machine->name);
    for (size_t i = 0; i < roof_machine_file_warnings(file); i++)
        printf("warning: %s\n", roof_machine_file_warning(file, i));

    int status = 0;
    roof_drawing *drawing = malloc(sizeof *drawing); /* a chart with room for all its words is large */
    FILE *out = fopen(argv[2], "wb");
    if (!drawing || !out)
        status = roof_fail(&error, ROOF_EIO, "'%s' cannot be written", argv[2]);
    else if (draw(machine, drawing, &error) || roof_chart_svg(&drawing->chart, 900, write_to_file, out, &error))
        status = -1;
    else
        printf("%s\n", drawing->title);
    if (out && fclose(out) && !status)
        status = roof_fail(&error, ROOF_EIO, "'%s' cannot be written", argv[2]);
    if (status)
        fail(&error);
    free(drawing);
    roof_machine_file_free(file);
    return status ? 1 : 0;
}
