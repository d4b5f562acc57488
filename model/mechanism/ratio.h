/* ratio.h - parts of what may be nothing. */
#ifndef WS_RATIO_H
#define WS_RATIO_H

#include <math.h>

/* a / b; NaN where b is 0: it is not known. */
static inline double ws_ratio(double a, double b)
{
    return b != 0 ? a / b : NAN;
}

/* The same where nothing of nothing is nothing: 0. */
static inline double ws_part(double a, double b)
{
    return b != 0 ? a / b : 0;
}

#endif
