/* Numbers as people write and read them: "3.0TB/s", "50ms", "64GB" in; three significant digits out. */
#ifndef ROOFLINE_CLI_NUMBER_H
#define ROOFLINE_CLI_NUMBER_H

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

enum { NUMBER_SIZE = 40 };

/* The whole of `text` as one number; -1 when it is not one (nothing is said why). */
int number_parse(const char *text, quantity kind, double *out);
/* The same with an error that names `what` ("--bandwidth") and shows how to write it. */
int number_read(const char *what, const char *text, quantity kind, double *out, roof_error *error);

const char *number_three(double value, char buffer[NUMBER_SIZE]); /* "1.03", "39.5", "15,283" */
const char *number_si(double value, const char *unit,
                      char buffer[NUMBER_SIZE]);                  /* "26.7 TFLOP/s", "118 MB", "35.1 us" */
const char *number_whole(double value, char buffer[NUMBER_SIZE]); /* "1,280" */
const char *number_plain(double value, char buffer[NUMBER_SIZE]); /* "4096", "0.5": as one would type it */
const char *number_fixed(double value, int decimals, char buffer[NUMBER_SIZE]); /* "1,924.1" */
const char *number_percent(double share, char buffer[NUMBER_SIZE]);             /* "2.7%", "95%" */
const char *number_factor(double value, char buffer[NUMBER_SIZE]);              /* "1.53x" */

/* One unit for a whole column: values are multiplied by `factor` and the header says `prefix`. */
typedef struct number_unit {
    double factor;
    const char *prefix; /* "", "m", "u", "G" ... */
} number_unit;
/* The unit in which the smallest of the values reads well, or the largest when they are too far apart. */
number_unit number_column(const double *values, size_t count);
number_unit number_for(double value);

#endif
