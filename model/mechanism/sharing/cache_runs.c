/* cache_runs.c - see cache_runs.h. */
#include "model/mechanism/sharing/cache_runs.h"

#include "base/status.h"
#include "model/access_order.h"
#include "model/coalesce_model.h"
#include "model/machine/machine.h"

#include <string.h>

ws_sharing_caches ws_sharing_caches_of(const ws_machine *m, bool merges)
{
    const double l2_cycle = (double)m->chip_core_clock / m->chip_l2_clock; /* in core cycles */
    return (ws_sharing_caches){.sms = ws_machine_sms(m),
                               .slices = ws_machine_slices(m),
                               .l1 = {ws_machine_l1_choice(m), m->l1_sets, m->l1_ways},
                               .l2 = {ws_machine_l2_choice(m), m->l2_sets, m->l2_ways},
                               .map = ws_machine_slice_map(m),
                               .polls = m->coherence_polls,
                               .latency_cycles = merges ? m->l1_latency + m->l2_latency * l2_cycle : 0};
}

static const ws_cache_kind kind_of[] = {
    [WS_LOG_LOAD] = WS_CACHE_LOAD, [WS_LOG_STORE] = WS_CACHE_STORE, [WS_LOG_ATOMIC] = WS_CACHE_ATOMIC};

static int feed(ws_cache_streams *streams, ws_access_order *order)
{
    ws_ordered_access a;
    int status = WS_OK;
    while (!status && ws_access_order_next(order, &a))
        if (a.kind <= WS_LOG_ATOMIC)
            status = ws_cache_streams_add(streams, &(ws_stream_use){.block = a.line,
                                                                    .now = a.clock,
                                                                    .sm = a.sm,
                                                                    .kind = kind_of[a.kind],
                                                                    .local = a.line >= WS_LOCAL_BASE / WS_LOG_LINE,
                                                                    .poll = a.poll});
    return status;
}

static void add_scaled(ws_sharing_misses *sums, const ws_sharing_misses *launch, double scale)
{
    enum { NUMBERS = sizeof *sums / sizeof(double) };
    double to[NUMBERS], from[NUMBERS];
    memcpy(to, sums, sizeof to);
    memcpy(from, launch, sizeof from);
    for (int i = 0; i < NUMBERS; i++)
        to[i] += scale * from[i];
    memcpy(sums, to, sizeof to);
}

int ws_cache_streams_run(ws_cache_streams *streams, const ws_access_log *log, const ws_placement *p,
                         ws_sharing_misses *sums)
{
    ws_access_order *order = NULL;
    ws_sharing_misses launch = {0};
    int status = ws_access_order_create_placed(log, p->sms, p->places, 0, p->sm, &order);
    if (!status)
        status = feed(streams, order);
    ws_access_order_destroy(order);
    if (!status)
        status = ws_cache_streams_end(streams, &launch);
    const double kept = (double)ws_access_log_kept(log).loads;
    if (!status)
        add_scaled(sums, &launch, kept > 0 ? (double)log->total.loads / kept : 1);
    return status;
}
