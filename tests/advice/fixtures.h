/* Machines and helpers that the advice tests share, beside tests/work/models.h. */
#ifndef ROOFLINE_TESTS_ADVICE_FIXTURES_H
#define ROOFLINE_TESTS_ADVICE_FIXTURES_H

#include "test.h"
#include "work/models.h"

static inline roof_machine h200(void) { /* H200 SXM 141 GB: the H100's compute, 4.8 TB/s (NVIDIA H200 datasheet) */
    roof_machine m = example_h100();
    m.id = "h200-sxm";
    m.bandwidth[ROOF_DRAM] = example_figure(4.8e12);
    m.size[ROOF_DRAM] = example_figure(141e9);
    return m;
}

static inline roof_machine
a100(void) { /* A100 SXM 80 GB: 312 TFLOP/s bf16, 624 TOP/s int8, no fp8, 2.039 TB/s (NVIDIA A100 datasheet) */
    roof_machine m = {.id = "a100-sxm-80", .name = "A100 SXM"};
    m.peak[ROOF_MATRIX][ROOF_BF16] = m.peak[ROOF_MATRIX][ROOF_F16] = example_figure(312e12);
    m.peak[ROOF_MATRIX][ROOF_INT8] = example_figure(624e12);
    m.peak[ROOF_VECTOR][ROOF_F32] = example_figure(19.5e12);
    m.bandwidth[ROOF_DRAM] = example_figure(2.039e12);
    m.size[ROOF_DRAM] = example_figure(80e9);
    return m;
}

static inline roof_plan plan_of(const roof_model *model, roof_plan plan) {
    roof_plan_complete(model, &plan);
    return plan;
}

static inline const roof_advice *find_advice(const roof_advice *list, int count, const char *idea) {
    for (int i = 0; i < count; i++)
        if (strcmp(list[i].idea, idea) == 0)
            return &list[i];
    return NULL;
}

#endif
