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

uint32_t ws_occlusion_admitted(uint32_t mshrs, uint32_t lanes, uint32_t percent)
{
    const uint64_t each = (uint64_t)lanes * percent;
    return each ? (uint32_t)((uint64_t)mshrs * PERCENT / each) : UINT32_MAX;
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
