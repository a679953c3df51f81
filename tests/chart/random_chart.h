/* Pseudo-random charts, the same on every machine. */
#ifndef ROOFLINE_TESTS_CHART_RANDOM_H
#define ROOFLINE_TESTS_CHART_RANDOM_H

#include "roofline.h"
#include "roofline_chart.h"

typedef struct random_chart {
    roof_machine machine;
    roof_chart chart;
    roof_chart_point points[ROOF_CHART_POINT_MAX];
    roof_chart_change changes[ROOF_CHART_CHANGE_MAX];
    char labels[ROOF_CHART_POINT_MAX][200], details[ROOF_CHART_POINT_MAX][200];
} random_chart;

void make_random_chart(random_chart *out, unsigned seed);

#endif
