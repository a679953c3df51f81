/* Kernel names that fit a column or a label. */
#ifndef ROOFLINE_CHART_KERNEL_NAME_H
#define ROOFLINE_CHART_KERNEL_NAME_H

#include <stddef.h>

/* A kernel's name in at most `width` columns: as it is where it fits, else without template arguments and parameters,
 * then without namespaces, then cut in the middle. */
const char *chart_kernel_name(const char *name, int width, char *buffer, size_t size);

#endif
