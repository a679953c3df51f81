/* The decode step of a language model on a machine of the catalogue, over the batch size; then where the time of the
 * largest step goes. Nothing is allocated but the model itself.
 *
 *     model [MODEL [MACHINE]]        llama-3.1-8b and h100-sxm unless named */
#include <roofline.h>
#include <roofline_read.h>
#include <stdio.h>
#include <string.h>

enum { OPERATIONS = 256 };

static int fail(const roof_error *error) {
    fprintf(stderr, "model: %s\n", error->what);
    if (error->hint[0])
        fprintf(stderr, "hint: %s\n", error->hint);
    return 1;
}

/* The operations of one step, each judged by itself. */
static int print_operations(const roof_machine *machine, const roof_model *model, const roof_plan *plan) {
    static roof_operation operations[OPERATIONS];
    size_t count = roof_model_operations(model, plan, ROOF_PHASE_DECODE, operations, OPERATIONS);
    for (size_t i = 0; i < count && i < OPERATIONS; i++) {
        roof_verdict verdict;
        roof_error error;
        if (roof_judge(machine, &operations[i], &verdict, &error))
            return fail(&error);
        printf("  %-18s x%-3.0f %7.1f us  %s\n", operations[i].name, operations[i].count,
               verdict.seconds * operations[i].count * 1e6, roof_bound_name(verdict.bound));
    }
    return 0;
}

static int print_model(const roof_machine *machine, const roof_model *model) {
    static const double batches[] = {1, 8, 64, 256};
    roof_plan plan = {.prompt = 1024, .generate = 256};
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
        plan.batch = batches[i];
        roof_plan_complete(model, &plan); /* zero is a default: this puts it in */
        roof_point point;
        roof_error error;
        if (roof_model_point(machine, model, &plan, ROOF_PHASE_DECODE, &point, &error))
            return fail(&error);
        printf("  batch %3.0f: at least %5.2f ms a step, at most %6.0f tok/s, %s-bound, %5.1f GB: %s\n", point.batch,
               point.seconds * 1e3, point.tokens_per_second, roof_bound_name(point.bound), point.memory.total / 1e9,
               point.memory.fits ? "fits" : "does not fit");
    }
    printf("where the time goes at batch %.0f:\n", plan.batch);
    return print_operations(machine, model, &plan);
}

int main(int argc, char **argv) {
    roof_error error;
    roof_machine machine;
    const roof_named_model *named = roof_named_model_find(argc > 1 ? argv[1] : "llama-3.1-8b", &error);
    if (!named || roof_machine_find(argc > 2 ? argv[2] : "h100-sxm", &machine, NULL, 0, &error))
        return fail(&error);
    /* A named model is a small config.json; roof_read_model() reads one from a path, or GGUF, or safetensors. */
    roof_model_file *file = roof_read_config(named->config, strlen(named->config), NULL, 0, &error);
    if (!file)
        return fail(&error);
    printf("%s on %s, 1024 tokens in and 256 out\n", named->name, machine.name);
    int status = print_model(&machine, roof_model_file_model(file));
    roof_model_file_free(file);
    return status;
}
