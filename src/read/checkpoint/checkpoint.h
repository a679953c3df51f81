/* Files that hold weights: which reader a path belongs to. */
#ifndef ROOFLINE_READ_CHECKPOINT_CHECKPOINT_H
#define ROOFLINE_READ_CHECKPOINT_CHECKPOINT_H

#include "roofline.h"
#include "roofline_read.h"

/* *handled: the path is a checkpoint's, and the answer (NULL with the error filled, too) is final. */
roof_model_file *checkpoint_read(const char *path, bool *handled, roof_error *error);

#endif
