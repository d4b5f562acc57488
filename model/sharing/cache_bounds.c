/* cache_bounds.c - closed forms of misses by who shares. */
#include "model/sharing/cache_bounds.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

double ws_reuse_accesses(const ws_reuse *r)
{
    double sum = r->beyond;
    for (size_t i = 0; i < r->distances; i++)
        sum += r->count[i];
    return sum;
}

/* 1 - sum over k < ways of C(d, k) p^k (1 - p)^(d - k), p = 1 / sets. */
double ws_reuse_misses_at(uint32_t distance, const ws_lines *lines)
{
    if (distance < lines->ways)
        return 0;
    return lines->sets == 1 ? 1 : gsl_cdf_binomial_Q(lines->ways - 1, 1.0 / lines->sets, distance);
}

double ws_reuse_misses_behind(const ws_reuse *r, const ws_lines *lines, uint32_t blocks)
{
    double sum = r->beyond;
    for (size_t i = 0; i < r->distances; i++)
        if (r->count[i] != 0)
            sum += r->count[i] * ws_reuse_misses_at((uint32_t)i + blocks, lines);
    return sum;
}

double ws_reuse_misses(const ws_reuse *r, const ws_lines *lines)
{
    return ws_reuse_misses_behind(r, lines, 0);
}

double ws_sharing_l1_misses(const ws_sharing_streams *s, const ws_lines *lines)
{
    return ws_reuse_accesses(&s->shared) * (1 - s->merged) + ws_reuse_misses(&s->alone, lines);
}

double ws_sharing_l2_misses(const ws_sharing_streams *s, const ws_lines *lines)
{
    return ws_reuse_misses(&s->shared, lines) + ws_reuse_misses_behind(&s->alone, lines, s->shared_blocks) + s->local;
}

double ws_sharing_replication(double lines, double blocks)
{
    return blocks > 0 ? lines / blocks : NAN;
}

double ws_sharing_merged(const double *gap_cycles, size_t gaps, double latency_cycles)
{
    size_t shorter = 0;
    for (size_t i = 0; i < gaps; i++)
        shorter += gap_cycles[i] < latency_cycles;
    return gaps ? (double)shorter / (double)gaps : NAN;
}

double ws_sharing_memory_bytes(double misses, double dirty_lines, uint32_t line_bytes)
{
    return (misses + dirty_lines) * line_bytes;
}
