/* occlusion.c - what does it cost that loads find no MSHR, and what may be expected of holding loads back? */
#include "model/occlusion.h"

#include <math.h>

enum { PERCENT = 100 };
static const double knee_share = 0.95, least_share = 0.01;

double ws_occlusion_cycles(const ws_occlusion *o)
{
    const double wait = o->misses * o->latency / o->mshrs - o->accesses;
    return wait > 0 ? wait : 0;
}

double ws_occlusion_share(const ws_occlusion *o)
{
    const double wait = ws_occlusion_cycles(o);
    return wait / (wait + o->accesses);
}

double ws_occlusion_throughput(const ws_occlusion *o)
{
    return o->mshrs / o->latency;
}

double ws_occlusion_least_cycles(const ws_occlusion *o, double misses)
{
    return misses / ws_occlusion_throughput(o);
}

uint32_t ws_occlusion_admitted(uint32_t mshrs, uint32_t lanes, uint32_t percent)
{
    const uint64_t each = (uint64_t)lanes * percent;
    return each ? (uint32_t)((uint64_t)mshrs * PERCENT / each) : UINT32_MAX;
}

double ws_occlusion_missed(const ws_occlusion_load *load, uint32_t loads)
{
    double sum = 0, weight = 0;
    for (uint32_t i = 0; i < loads; i++) {
        if (!load[i].accesses)
            continue;
        sum += (double)load[i].loads * (double)load[i].misses / (double)load[i].accesses;
        weight += (double)load[i].loads;
    }
    return weight > 0 ? sum / weight : NAN;
}

double ws_rank_share(double u, uint32_t rank)
{
    return u * pow(1 - u, rank);
}

double ws_rank_first(double u, uint32_t warps)
{
    return 1 - pow(1 - u, warps);
}

double ws_rank_busy(double issues, double waits)
{
    return issues / (issues + waits);
}

double ws_rank_busy_of(uint32_t warps, double share)
{
    return 1 - pow(1 - share, 1.0 / warps);
}

/* Sums over ranks, weighted by events. */
typedef struct sums {
    double w, x, y, xx, xy, yy;
    uint32_t ranks;
} sums;

static void add_rank(sums *s, double weight, double rank, double mean)
{
    s->w += weight;
    s->x += weight * rank;
    s->y += weight * mean;
    s->xx += weight * rank * rank;
    s->xy += weight * rank * mean;
    s->yy += weight * mean * mean;
    s->ranks++;
}

ws_rank_trend ws_rank_trend_of(const uint64_t *events, const uint64_t *amount, uint32_t ranks)
{
    ws_rank_trend trend = {NAN, NAN, NAN};
    double all = 0, greatest = 0;
    for (uint32_t i = 0; i < ranks; i++)
        all += (double)events[i];
    const double least = all * least_share;
    for (uint32_t i = 0; i < ranks; i++)
        if (events[i] && (double)events[i] >= least)
            greatest = fmax(greatest, (double)amount[i] / (double)events[i]);
    sums s = {0};
    for (uint32_t i = 0; i < ranks && isnan(trend.knee); i++) {
        if (!events[i] || (double)events[i] < least)
            continue;
        const double mean = (double)amount[i] / (double)events[i];
        add_rank(&s, (double)events[i], i, mean);
        if (mean >= knee_share * greatest)
            trend.knee = i;
    }
    if (s.ranks < 2)
        return trend;
    const double vx = s.xx - s.x * s.x / s.w, vy = s.yy - s.y * s.y / s.w, vxy = s.xy - s.x * s.y / s.w;
    trend.slope = vxy / vx;
    if (s.ranks > 2 && vy > 0)
        trend.fit = vxy * vxy / (vx * vy);
    return trend;
}
