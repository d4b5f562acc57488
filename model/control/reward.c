/* reward.c - see reward.h. */
#include "model/control/reward.h"

#include <math.h>

static double mean_of(const double *value, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += value[i];
    return count ? sum / (double)count : 0;
}

double ws_reward_variability(const double *load_w, const double *series_w, size_t count)
{
    const double mean = mean_of(load_w, count), middle = mean_of(series_w, count);
    double squares = 0;
    size_t crossings = 0;
    for (size_t i = 0; i < count; i++) {
        squares += (load_w[i] - mean) * (load_w[i] - mean);
        crossings += i && (series_w[i] >= middle) != (series_w[i - 1] >= middle);
    }
    return count ? sqrt(squares / (double)count) * (double)crossings : 0;
}

double ws_reward(double throughput, double variability_w, double floor_w)
{
    return throughput * floor_w / (variability_w > floor_w ? variability_w : floor_w);
}
