/* reward.c - see reward.h. */
#include "model/control/reward.h"

#include <math.h>

double ws_reward_variability(const double *load_w, size_t count)
{
    double sum = 0, squares = 0;
    size_t crossings = 0;
    for (size_t i = 0; i < count; i++)
        sum += load_w[i];
    const double mean = count ? sum / (double)count : 0;
    for (size_t i = 0; i < count; i++) {
        squares += (load_w[i] - mean) * (load_w[i] - mean);
        crossings += i && (load_w[i] >= mean) != (load_w[i - 1] >= mean);
    }
    return count ? sqrt(squares / (double)count) * (double)crossings : 0;
}

double ws_reward(double throughput, double variability_w, double floor_w)
{
    return throughput * floor_w / (variability_w > floor_w ? variability_w : floor_w);
}
