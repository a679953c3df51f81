/* Shared by the two readers of Nsight Systems. */
#ifndef ROOFLINE_READ_PROFILE_NSYS_H
#define ROOFLINE_READ_PROFILE_NSYS_H

#include "read/profile/build.h"

#define NSYS_MISSING "FLOPs and bytes: nsys does not count them; ncu --set roofline does"
#define NSYS_COPY "bytes: how many, and whether they cross the link to the host, is not told here"

/* The trace's own total, and how long the GPU had nothing to do. Seconds. */
void nsys_span(builder *to, double first, double last, double busy);

#endif
