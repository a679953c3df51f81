/* Numbers as people type them, "3.0TB/s", "50ms", "64GB"; core/number.h writes them. */
#ifndef ROOFLINE_CLI_OUT_NUMBER_H
#define ROOFLINE_CLI_OUT_NUMBER_H

#include "core/number.h"
#include "roofline.h"

typedef enum quantity {
    QUANTITY_COUNT,     /* 8, 1e12, 4k, 4Ki, 118.01M */
    QUANTITY_BYTES,     /* 64GB, 80GiB */
    QUANTITY_BANDWIDTH, /* 3.0TB/s */
    QUANTITY_RATE,      /* 989.4TFLOP/s */
    QUANTITY_SECONDS,   /* 50ms */
    QUANTITY_SHARE,     /* 0.95, 95% */
    QUANTITY_TOKENS,    /* 240, 240tok/s */
    QUANTITY_AMOUNT,    /* a count or bytes: 100M, 3GB; no time, share or rate */
    QUANTITY_ANY        /* any of them */
} quantity;

/* The whole of `text` as one number; -1 when it is not one (nothing is said why). */
int number_parse(const char *text, quantity kind, double *out);
/* The same with an error that names `what` ("--bandwidth") and shows how to write it. */
int number_read(const char *what, const char *text, quantity kind, double *out, roof_error *error);

const char *number_plain(double value, char buffer[NUMBER_SIZE]); /* "4096", "0.5": as one would type it */

/* The unit in which the smallest of the values reads well, or the largest when they are too far apart. */
number_unit number_column(const double *values, size_t count);

#endif
