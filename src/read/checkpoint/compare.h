/* A model read from config.json against the tensors beside it. */
#ifndef ROOFLINE_READ_CHECKPOINT_COMPARE_H
#define ROOFLINE_READ_CHECKPOINT_COMPARE_H

#include "read/checkpoint/shards.h"
#include "read/checkpoint/storage.h"

/* Says in numbers where the two differ, and stores weights as the headers say where the count agrees. */
int compare_model(reader *r, const checkpoint *c);

#endif
