/* Overlap of parallelograms by separating axes. */
#include "chart/geometry.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

chart_quad chart_box(double left, double top, double right, double bottom) {
    return (chart_quad){{left, right, right, left}, {top, top, bottom, bottom}};
}

chart_quad chart_turned(chart_quad quad, double x, double y, double degrees) {
    double c = cos(degrees * pi / 180), s = sin(degrees * pi / 180);
    for (int i = 0; i < 4; i++) {
        double dx = quad.x[i] - x, dy = quad.y[i] - y;
        quad.x[i] = x + c * dx - s * dy;
        quad.y[i] = y + s * dx + c * dy;
    }
    return quad;
}

chart_quad chart_segment(double x1, double y1, double x2, double y2, double half_thickness) {
    double length = hypot(x2 - x1, y2 - y1);
    double nx = length > 0 ? -(y2 - y1) / length * half_thickness : half_thickness;
    double ny = length > 0 ? (x2 - x1) / length * half_thickness : half_thickness;
    return (chart_quad){{x1 + nx, x2 + nx, x2 - nx, x1 - nx}, {y1 + ny, y2 + ny, y2 - ny, y1 - ny}};
}

chart_quad chart_grown(chart_quad box, double by) {
    return chart_box(box.x[0] - by, box.y[0] - by, box.x[1] + by, box.y[2] + by);
}

void chart_bounds(const chart_quad *quad, double *left, double *top, double *right, double *bottom) {
    *left = *right = quad->x[0];
    *top = *bottom = quad->y[0];
    for (int i = 1; i < 4; i++) {
        *left = fmin(*left, quad->x[i]);
        *right = fmax(*right, quad->x[i]);
        *top = fmin(*top, quad->y[i]);
        *bottom = fmax(*bottom, quad->y[i]);
    }
}

static void project(const chart_quad *quad, double nx, double ny, double *low, double *high) {
    *low = *high = quad->x[0] * nx + quad->y[0] * ny;
    for (int i = 1; i < 4; i++) {
        double at = quad->x[i] * nx + quad->y[i] * ny;
        *low = fmin(*low, at);
        *high = fmax(*high, at);
    }
}

/* Some edge of `a` has the whole of `b` on its far side. Opposite edges are parallel, so two decide. */
static bool separated(const chart_quad *a, const chart_quad *b) {
    for (int i = 0; i < 2; i++) {
        int j = i + 1;
        double nx = a->y[i] - a->y[j], ny = a->x[j] - a->x[i], a_low, a_high, b_low, b_high;
        if (nx * nx + ny * ny < 1e-12)
            continue;
        project(a, nx, ny, &a_low, &a_high);
        project(b, nx, ny, &b_low, &b_high);
        if (a_high <= b_low || b_high <= a_low)
            return true;
    }
    return false;
}

/* Of the exact shape chart_box() makes. */
static bool is_upright(const chart_quad *quad) {
    double skew = fabs(quad->x[0] - quad->x[3]) + fabs(quad->x[1] - quad->x[2]) + fabs(quad->y[0] - quad->y[1]) +
                  fabs(quad->y[2] - quad->y[3]);
    return skew <= 0;
}

bool chart_meets_segment(const chart_quad *quad, double x1, double y1, double x2, double y2, double half_thickness) {
    double dx = x2 - x1, dy = y2 - y1, reach = half_thickness * hypot(dx, dy), least = HUGE_VAL, most = -HUGE_VAL;
    for (int i = 0; i < 4; i++) {
        double side = dx * (quad->y[i] - y1) - dy * (quad->x[i] - x1);
        least = fmin(least, side);
        most = fmax(most, side);
    }
    if (least >= reach || most <= -reach)
        return false; /* all of it on one side of the line: the common case, decided cheaply */
    chart_quad line = chart_segment(x1, y1, x2, y2, half_thickness);
    return chart_overlap(&line, quad);
}

bool chart_overlap(const chart_quad *a, const chart_quad *b) {
    double al, at, ar, ab, bl, bt, br, bb;
    chart_bounds(a, &al, &at, &ar, &ab);
    chart_bounds(b, &bl, &bt, &br, &bb);
    if (ar <= bl || br <= al || ab <= bt || bb <= at)
        return false;
    if (is_upright(a) && is_upright(b))
        return true; /* most are: their bounds decide */
    return !separated(a, b) && !separated(b, a);
}
