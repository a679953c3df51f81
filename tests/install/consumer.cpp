// Every public header from C++: types by their plain names, handles by their functions.
#include <roofline.h>
#include <roofline_chart.h>
#include <roofline_expected.h>
#include <roofline_measure.h>
#include <roofline_profile.h>
#include <roofline_read.h>

#include <cstring>

static int write_nothing(void *, const char *, size_t) {
    return 0;
}

int main() {
    // Types that stood inside others have names of their own.
    roof_weights weights = {};
    roof_weights_type *type = &weights.types[0];
    roof_weights_tensor *tensor = &weights.largest[0];
    roof_measured kernel = {};
    roof_measured_flops *flops = &kernel.flops[0];
    roof_run_verdict run = {};
    roof_run_phase *phase = &run.decode;
    roof_page page = {};
    const roof_page_advice *advice = page.advice;
    if (type->parameters > 0 || tensor->bytes > 0 || flops->count.value > 0 || phase->measured > 0 || advice)
        return 1;

    roof_machine machine;
    roof_error error;
    if (roof_machine_find("h100-sxm", &machine, nullptr, 0, &error))
        return 2;
    const roof_named_model *named = roof_named_model_find("llama-3.1-8b", &error);
    roof_model_file *file =
        named ? roof_read_config(named->config, std::strlen(named->config), nullptr, 0, &error) : nullptr;
    if (!file)
        return 3;
    const roof_model *model = roof_model_file_model(file);
    roof_plan plan = {};
    roof_plan_complete(model, &plan);
    roof_point point;
    roof_constants constants;
    roof_serving serving;
    roof_constants_of(&machine, ROOF_ENGINE_SERVING, &constants);
    if (roof_model_point(&machine, model, &plan, ROOF_PHASE_DECODE, &point, &error) ||
        roof_model_serving(&machine, &constants, model, &plan, &serving, &error))
        return 4;
    static roof_drawing drawing;
    roof_chart_request request = {};
    request.machine = &machine;
    request.plan = &plan;
    request.model = named->name;
    request.decode = &point;
    request.decode_count = 1;
    if (roof_chart_of_points(&request, &drawing, &error) ||
        roof_chart_svg(&drawing.chart, 900, write_nothing, nullptr, &error))
        return 5;
    roof_model_file_free(file);
    roof_machine_file_free(nullptr);
    roof_graph_free(nullptr);
    roof_profile_free(nullptr);
    return point.bound == ROOF_BOUND_MEMORY ? 0 : 6;
}
