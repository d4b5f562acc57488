/* ratio.h - quotients with a defined result for a divisor of 0. */
#ifndef WS_RATIO_H
#define WS_RATIO_H

#include <math.h>

/* Returns a / b, or NaN (unknown) if b is 0. */
static inline double ws_ratio(double a, double b)
{
    return b != 0 ? a / b : NAN;
}

/* Returns a / b, or 0 if b is 0. */
static inline double ws_part(double a, double b)
{
    return b != 0 ? a / b : 0;
}

#endif
