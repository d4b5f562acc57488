/* cache_streaming.c - a cache that serves hardly anything is turned off, and tried again now and then.
 *
 * The bypass of streaming data against which Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling
 * Data Sharing in GPUs", USC 2018, section 2.6.3 compares (by Khairy, Zahran, Wassal, "Efficient Utilization of GPGPU
 * Cache Hierarchy", GPGPU 2015): the miss rate of a cache is looked at in periods, and if it is high the cache is
 * turned off. Then "all memory requests are serviced by DRAM": nothing new is kept, and a line that is asked for is
 * left. The document gives neither period nor threshold, nor how a cache comes back. Chosen here: a period is a number
 * of loads, since a cache has no clock; a load that has to wait is a miss, whoever asked for the data; after some
 * periods off comes one on. */
#include "model/cache/cache_internal.h"

enum { PERIOD, THRESHOLD, PROBE };
static const ws_option options[] = {
    [PERIOD] = {"period", "loads", 4096, 1, 1 << 30, "of a cache between two evaluations of its miss rate"},
    [THRESHOLD] = {"threshold", "percent", 90, 0, 100, "of them that miss: a cache with more is turned off"},
    [PROBE] = {"probe", "periods", 8, 1, 65535, "that it is off before it is on again for one"},
    {NULL, NULL, 0, 0, 0, NULL},
};

typedef struct all {
    ws_cache_tally tally;  /* has to be first */
    uint64_t seen, missed; /* in this period */
    uint64_t off;          /* periods that are left */
} all;

static void follow(const ws_cache_set *set, const ws_cache_use *use, bool missed)
{
    all *const a = set->shared;
    if (use->kind != WS_CACHE_LOAD)
        return;
    a->tally.off += a->off != 0;
    a->missed += missed;
    if (++a->seen < set->values[PERIOD])
        return;
    if (a->off)
        a->off--;
    else if ((double)a->missed * 100 > (double)a->seen * (double)set->values[THRESHOLD])
        a->off = set->values[PROBE];
    a->seen = a->missed = 0;
}

static void miss(const ws_cache_set *set, const ws_cache_use *use)
{
    follow(set, use, true);
}

static void hit(const ws_cache_set *set, uint32_t way, const ws_cache_use *use)
{
    ws_chain_to_front(set->chain, set->ways, way);
    follow(set, use, use->waits);
}

static bool is_off(const void *shared)
{
    return ((const all *)shared)->off != 0;
}

static bool admit(const ws_cache_set *set, const ws_cache_use *use)
{
    (void)use;
    return !is_off(set->shared);
}

const ws_cache_replacement ws_cache_replacement_streaming = {
    .name = "streaming",
    .summary = "as lru, but a cache whose loads nearly all miss is turned off for a while: it serves and keeps nothing",
    .options = options,
    .tallies = WS_CACHE_TALLY_OFF,
    .cache_bytes = sizeof(all),
    .chain = true,
    .bypasses = true,
    .miss = miss,
    .is_off = is_off,
    .admit = admit,
    .hit = hit,
};
