/* What a chart's numbers say before anything is placed: its roofs, names and ranges; impossible points are refused. */
#ifndef ROOFLINE_CHART_ROOFS_H
#define ROOFLINE_CHART_ROOFS_H

#include "chart/scale.h"
#include "roofline.h"
#include "roofline_chart.h"

enum { CHART_ROOF_MAX = 3, CHART_NAME = 96 };

typedef struct chart_roof {
    double value;           /* FLOP/s, or byte/s of a level */
    char name[CHART_NAME];  /* "FP8 tensor 1,979 TFLOP/s" */
    char brief[CHART_NAME]; /* "FP8 1,979 TFLOP/s", for narrow charts */
} chart_roof;

typedef struct chart_roofs {
    double peak, bandwidth, ridge;
    chart_roof bold, memory;
    chart_roof peaks[CHART_ROOF_MAX], levels[CHART_ROOF_MAX]; /* dashed */
    size_t peak_count, level_count;
    chart_unit unit;
    char unit_name[16];                      /* "TFLOP/s" */
    char memory_kind[16];                    /* "HBM" or "DRAM" */
    double least_x, most_x, least_y, most_y; /* of everything that must be visible */
} chart_roofs;

int chart_roofs_of(const roof_chart *chart, chart_roofs *out, roof_error *error);
double chart_roof_at(const chart_roofs *roofs, double intensity);                 /* the bold roof, FLOP/s */
double chart_point_roof(const chart_roofs *roofs, const roof_chart_point *point); /* the one it stands under */
bool chart_has_place(double intensity, double attainable); /* both within what axes can show: 0 and infinity are not */
/* "f64" becomes "FP64", "bf16" "BF16". */
void chart_dtype_name(roof_dtype dtype, char out[24]);

#endif
