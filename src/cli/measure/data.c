/* The answer of `roofline measure` as data: the machine file, or a row for each series. */
#include <math.h>

#include "cli/measure/measure.h"
#include "cli/out/answer.h"
#include "roofline_chart.h"

int measure_json(const void *context, roof_write write, void *to) {
    return roof_measurement_write(((const measure_question *)context)->result, write, to);
}

static void known(text_out *out, double value, double unknown) {
    csv_number(out, value != unknown ? value : HUGE_VAL);
}

static void sample_row(const roof_measurement *measurement, const roof_sample *sample, text_out *out) {
    bool computes = roof_pattern_is_compute(sample->pattern);
    csv_text(out, roof_pattern_name(sample->pattern));
    csv_text(out, sample->isa);
    csv_text(out, computes ? roof_unit_name(sample->unit) : "");
    csv_text(out, sample->dtype != ROOF_DTYPE_NONE ? roof_dtype_name(sample->dtype) : "");
    csv_text(out, computes ? "" : roof_level_name(sample->level));
    known(out, sample->threads, 0);
    known(out, sample->from_node, -1);
    known(out, sample->to_node, -1);
    known(out, sample->set_bytes, 0);
    csv_number(out, sample->value);
    known(out, sample->median, 0);
    known(out, sample->best, 0);
    csv_number(out, sample->spread);
    csv_number(out, sample->moved);
    known(out, sample->clock, 0);
    known(out, sample->per_cycle, 0);
    known(out, sample->huge, -1);
    csv_bool(out, sample->stable);
    known(out, sample->window_seconds, 0);
    csv_number(out, (double)sample->window_count);
    csv_bool(out, measure_is_roof(measurement, sample));
    csv_end(out);
}

void measure_csv(const void *context, text_out *out) {
    const roof_measurement *measurement = ((const measure_question *)context)->result;
    text_add(out,
             "pattern,isa,unit,dtype,level,threads,from_node,to_node,set_bytes,value,median,best,spread,moved,clock,"
             "per_cycle,huge,stable,window_seconds,windows,roof\n");
    for (size_t i = 0; i < measurement->sample_count; i++)
        sample_row(measurement, &measurement->samples[i], out);
}

int measure_chart(const void *context, roof_drawing *out, roof_error *error) {
    return roof_chart_of_measurement(((const measure_question *)context)->result, out, error);
}
