/* Shared by the two readers of Nsight Systems. */
#ifndef ROOFLINE_READ_PROFILE_NVIDIA_NSYS_H
#define ROOFLINE_READ_PROFILE_NVIDIA_NSYS_H

#include "read/profile/build.h"

#define NSYS_MISSING "FLOPs and bytes, with ncu --set roofline"

/* The trace's own total, and how long the GPU had nothing to do. Seconds. */
void nsys_span(builder *to, double first, double last, double busy);

#endif
