/* What every test program includes: cmocka and a relative comparison of doubles. */
#ifndef ROOFLINE_TESTS_TEST_H
#define ROOFLINE_TESTS_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "roofline.h"

/* |got / want - 1| <= tolerance; tolerance 0 asks for the exact double. */
#define assert_near(got, want, tolerance)                                                                              \
    do {                                                                                                               \
        double got_ = (got), want_ = (want), tolerance_ = (tolerance);                                                 \
        if (!(fabs(got_ - want_) <= tolerance_ * fabs(want_)))                                                         \
            fail_msg("%s is %.17g, not %.17g (tolerance %g)", #got, got_, want_, tolerance_);                          \
    } while (0)
#define assert_exact(got, want) assert_near(got, want, 0.0)

/* The text has these words; else both are shown. */
#define assert_says(text, words)                                                                                       \
    do {                                                                                                               \
        const char *text_ = (text), *words_ = (words);                                                                 \
        if (!text_ || !strstr(text_, words_))                                                                          \
            fail_msg("'%s' is not in '%s'", words_, text_ ? text_ : "(null)");                                         \
    } while (0)

#endif
