/* Convolutions in one to three dimensions, plain and transposed. Formulas: docs/model.md, "Convolution". */
#include <math.h>

#include "work/kinds.h"
#include "work/ops.h"

enum { X = 1, W, Y, MATH };

/* A setting of one axis. Where the size and the kernel are 1 the axis is not in use: common settings leave it alone. */
static double setting(const roof_operation *operation, int place, int axis, double neutral) {
    const double *shape = operation->shape;
    double own = shape[place + 1 + axis];
    bool used = shape[CONVOLUTION_SIZE + axis] != 1 || shape[CONVOLUTION_KERNEL + axis] != 1;
    return own >= 0 ? own : used ? shape[place] : neutral;
}

double work_conv_output(const roof_operation *operation, int axis) {
    double size = operation->shape[CONVOLUTION_SIZE + axis], kernel = operation->shape[CONVOLUTION_KERNEL + axis];
    double stride = setting(operation, CONVOLUTION_STRIDE, axis, 1),
           dilation = setting(operation, CONVOLUTION_DILATION, axis, 1);
    double padding = setting(operation, CONVOLUTION_PADDING, axis, 0), reach = dilation * (kernel - 1) + 1;
    double length;
    if (!(size > 0))
        return 0;
    if (operation->kind == ROOF_KIND_CONV_TRANSPOSED)
        length = (size - 1) * stride - 2 * padding + reach + setting(operation, CONVOLUTION_OUTPUT_PADDING, axis, 0);
    else
        length = floor((size + 2 * padding - reach) / stride) + 1;
    return fmax(length, 0);
}

/* Put in what every axis really uses. */
static void settle(roof_operation *operation) {
    static const struct {
        int place;
        double neutral;
    } settings[] = {
        {CONVOLUTION_STRIDE, 1}, {CONVOLUTION_DILATION, 1}, {CONVOLUTION_PADDING, 0}, {CONVOLUTION_OUTPUT_PADDING, 0}};
    int count = operation->kind == ROOF_KIND_CONV_TRANSPOSED ? 4 : 3;
    for (int i = 0; i < count; i++)
        for (int axis = 0; axis < CONVOLUTION_AXES; axis++)
            operation->shape[settings[i].place + 1 + axis] =
                setting(operation, settings[i].place, axis, settings[i].neutral);
}

/* Every weight meets every output point of a convolution once, and every input point of a transposed one. */
void work_conv_cost(roof_operation *operation) {
    bool transposed = operation->kind == ROOF_KIND_CONV_TRANSPOSED;
    settle(operation);
    const double *shape = operation->shape;
    double input = 1, output = 1, kernel = 1;
    for (int axis = 0; axis < CONVOLUTION_AXES; axis++) {
        input *= shape[CONVOLUTION_SIZE + axis];
        output *= work_conv_output(operation, axis);
        kernel *= shape[CONVOLUTION_KERNEL + axis];
    }
    if (operation->dtype[MATH] == ROOF_DTYPE_NONE)
        operation->dtype[MATH] = work_wider(operation->dtype[X], operation->dtype[W]);
    operation->matrix_dtype = operation->dtype[MATH];
    operation->vector_dtype = work_vector_dtype(operation->dtype[Y]);
    double batch = shape[CONVOLUTION_BATCH], results = batch * shape[CONVOLUTION_OUT] * output;
    if (!(results > 0))
        return;
    double weights = shape[CONVOLUTION_IN] * shape[CONVOLUTION_OUT] / shape[CONVOLUTION_GROUPS] * kernel,
           bias = shape[CONVOLUTION_BIAS] > 0 ? shape[CONVOLUTION_OUT] : 0;
    operation->matrix_flops = 2 * batch * weights * (transposed ? input : output);
    operation->vector_flops = shape[CONVOLUTION_BIAS] > 0 ? results : 0;
    operation->weight_bytes =
        weights * roof_dtype_bytes(operation->dtype[W]) + bias * roof_dtype_bytes(operation->dtype[Y]);
    work_bytes(operation, batch * shape[CONVOLUTION_IN] * input * roof_dtype_bytes(operation->dtype[X]) +
                              operation->weight_bytes + results * roof_dtype_bytes(operation->dtype[Y]));
}

int work_conv_check(const roof_operation *operation, roof_error *error) {
    static const char *const names[CONVOLUTION_AXES] = {"d", "h", "w"};
    const double *shape = operation->shape;
    double groups = shape[CONVOLUTION_GROUPS];
    for (int side = CONVOLUTION_IN; side <= CONVOLUTION_OUT; side++)
        if (fmod(shape[side], groups) != 0)
            return roof_fail(error, ROOF_EARGUMENT, "groups=%.0f does not divide %s=%.0f", groups,
                             side == CONVOLUTION_IN ? "in" : "out", shape[side]);
    for (int axis = 0; axis < CONVOLUTION_AXES; axis++)
        if (shape[CONVOLUTION_SIZE + axis] > 0 && !(work_conv_output(operation, axis) > 0))
            return roof_fail(error, ROOF_EARGUMENT,
                             "the kernel does not fit: k%s=%.0f (dilated) on %s=%.0f with its padding leaves no output",
                             names[axis], shape[CONVOLUTION_KERNEL + axis], names[axis],
                             shape[CONVOLUTION_SIZE + axis]);
    return 0;
}
