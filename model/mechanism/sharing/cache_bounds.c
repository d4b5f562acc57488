/* cache_bounds.c - see cache_bounds.h. */
#include "model/mechanism/sharing/cache_bounds.h"

#include <math.h>

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
