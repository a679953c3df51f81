/* Charts that several test programs draw. Figures of the Llama chart: model bounds at 989.4 TFLOP/s and 3.35 TB/s. */
#ifndef ROOFLINE_TESTS_CHART_SAMPLES_H
#define ROOFLINE_TESTS_CHART_SAMPLES_H

#include "roofline.h"
#include "roofline_chart.h"

enum { SAMPLE_LLAMA, SAMPLE_GEMM, SAMPLE_CROWD, SAMPLE_CPU, SAMPLE_COUNT };

extern const char *const sample_names[SAMPLE_COUNT];
roof_chart sample_chart(int which);
const roof_machine *sample_h100(void);
const roof_machine *sample_cpu(void);

#endif
