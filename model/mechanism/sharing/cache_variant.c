/* cache_variant.c - see cache_variant.h. */
#include "model/mechanism/sharing/cache_variant.h"

#include "base/status.h"
#include "model/access_order.h"
#include "model/coalesce_model.h"
#include "model/machine/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *settings;
} table[] = {
#define CACHES(name, settings, summary) {#name, settings},
#include "model/mechanism/sharing/cache_variants.def"
#undef CACHES
};

/* What a machine lacks of what the forms want, "" if nothing; the caller frees it. NULL: no memory. */
static char *lacks(const ws_machine *m)
{
    static const char *const setting[] = {
#define NEED(holds, setting) setting,
#include "model/mechanism/sharing/cache_needs.def"
#undef NEED
    };
    const bool is_there[] = {
#define NEED(holds, setting) holds,
#include "model/mechanism/sharing/cache_needs.def"
#undef NEED
    };
    char *text = NULL;
    size_t bytes = 0;
    FILE *const out = open_memstream(&text, &bytes);
    for (size_t i = 0; out && i < sizeof setting / sizeof *setting; i++)
        if (!is_there[i])
            fprintf(out, "%s%s", ftell(out) ? ", " : "", setting[i]);
    return out && !fclose(out) ? text : NULL;
}

int ws_cache_variants_create(const ws_machine_choice *choice, ws_cta_variant variant[WS_CACHE_VARIANTS], size_t *count,
                             char **why)
{
    ws_machine *base;
    int status = ws_machine_choose(choice, &base);
    *count = 0;
    *why = NULL;
    if (status)
        return status;
    char *const missing = lacks(base);
    ws_machine_destroy(base);
    if (!missing)
        return ws_fail(WS_EMEM, "out of memory");
    if (*missing) {
        *why = missing;
        return WS_OK;
    }
    free(missing);
    while (*count < WS_CACHE_VARIANTS && !status) {
        ws_cta_variant *const v = &variant[*count];
        *v = (ws_cta_variant){.name = table[*count].name};
        status = ws_variant_machine(choice, table[*count].settings, &v->machine);
        *count += !status;
    }
    return status;
}

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
