/* close.h - doubles held against doubles: cmocka's assert_float_equal rounds both to float first. */
#ifndef WS_TEST_CLOSE_H
#define WS_TEST_CLOSE_H

#include <math.h>

#define assert_close(mine, expected, tolerance) \
    do { \
        const double mine_ = (mine), expected_ = (expected); \
        if (!(fabs(mine_ - expected_) <= (tolerance))) \
            fail_msg("%s is %.17g, expected %.17g", #mine, mine_, expected_); \
    } while (0)

#endif
