/* traffic_activity.c - sums of messages and accesses into rows of activity.def. */
#include "model/coherence/traffic_activity.h"

#include <math.h>

enum { L1 = WS_ACTIVITY_L1, L2 = WS_ACTIVITY_L2, WORD = 4 };

/* Which network a message is on; -1: none, it is between a slice and memory. */
enum { UP, DOWN, MEMORY = -1 };
static const signed char directions[WS_MESSAGE_COUNT] = {
#define MESSAGE(name, direction, fields, meaning) direction,
#include "model/coherence/messages.def"
#undef MESSAGE
};

static uint64_t whole(double number)
{
    return (uint64_t)llround(number);
}

/* Of all lookups the first so many find their block, or wait for it. */
static void add_lookups(ws_activity *a, unsigned cache, double all, double hits, double merged, double fills)
{
    a->cache_tag_accesses[cache] = whole(all);
    a->cache_hits[cache] = whole(hits);
    a->cache_merged[cache] = whole(merged);
    a->cache_misses[cache] = whole(fmax(0, all - hits - merged));
    a->cache_fills[cache] = whole(fills);
}

void ws_closed_activity(const ws_closed_result *r, uint32_t bursts, ws_activity *a)
{
    const double fills = r->messages[WS_MESSAGE_FILL] + r->messages[WS_MESSAGE_FILL_OWN];
    *a = (ws_activity){0};
    a->memory_transactions[0] = whole(r->loads + r->stores);
    if (r->l1_accesses > 0)
        add_lookups(a, L1, r->l1_accesses, r->l1_hits - r->merged, r->merged, fills);
    add_lookups(a, L2, r->l2_accesses, fmax(0, r->l2_accesses - r->memory_reads), 0, r->memory_reads);
    a->updates_reads[0] = whole(r->update_hits + r->update_messages);
    a->updates_writes[0] = whole(r->update_hits + r->update_messages);
    a->cache_writebacks[L2] = whole(r->memory_writes);
    a->dram_reads[0] = whole(r->memory_reads) * bursts;
    a->dram_writes[0] = whole(r->memory_writes) * bursts;
    double packets[2] = {0}, bytes[2] = {0}, flits[2] = {0};
    for (int type = 0; type < WS_MESSAGE_COUNT; type++) {
        if (directions[type] == MEMORY)
            continue;
        packets[directions[type]] += r->messages[type];
        bytes[directions[type]] += r->bytes[type];
        flits[directions[type]] += r->flits[type];
    }
    for (int d = UP; d <= DOWN; d++) {
        a->network_packets[d] = whole(packets[d]);
        a->network_bytes[d] = whole(bytes[d]);
        a->network_flits[d] = whole(flits[d]);
        a->network_hops[d] = r->network_flits > 0 ? whole(flits[d] * r->flit_hops / r->network_flits) : 0;
    }
}

static void add_counts(ws_activity *a, unsigned cache, const ws_coherence_counts *c, uint64_t fills)
{
    a->cache_tag_accesses[cache] = c->hits + c->misses + c->merged;
    a->cache_hits[cache] = c->hits;
    a->cache_misses[cache] = c->misses;
    a->cache_merged[cache] = c->merged;
    a->cache_fills[cache] = fills;
}

void ws_race_activity(const ws_race_counts *c, ws_activity *a)
{
    a->race_reads[WS_ACTIVITY_FILTER] += c->filter_reads;
    a->race_writes[WS_ACTIVITY_FILTER] += c->signatures;
    a->race_reads[WS_ACTIVITY_DETECTOR] += c->detector_reads;
    a->race_writes[WS_ACTIVITY_DETECTOR] += c->detector_writes;
}

void ws_replay_activity(const ws_coherence_traffic *t, uint32_t bursts, double hops, ws_activity *a)
{
    *a = (ws_activity){0};
    a->memory_transactions[0] = t->l1.loads + t->l1.stores;
    add_counts(a, L1, &t->l1, t->messages[WS_MESSAGE_FILL] + t->messages[WS_MESSAGE_FILL_OWN]);
    add_counts(a, L2, &t->l2, t->messages[WS_MESSAGE_DRAM_FILL]);
    a->cache_writebacks[L2] = t->messages[WS_MESSAGE_DRAM_WRITE];
    a->dram_reads[0] = t->messages[WS_MESSAGE_DRAM_READ] * bursts;
    a->dram_writes[0] = t->messages[WS_MESSAGE_DRAM_WRITE] * bursts;
    for (int type = 0; type < WS_MESSAGE_COUNT; type++) {
        if (directions[type] == MEMORY)
            continue;
        a->network_packets[directions[type]] += t->messages[type];
        a->network_bytes[directions[type]] += t->bytes[type];
        a->network_flits[directions[type]] += t->flits[type];
    }
    for (int d = UP; d <= DOWN; d++)
        a->network_hops[d] = whole((double)a->network_flits[d] * hops);
    ws_race_activity(&t->races, a);
}

static void add_work(const ws_launch_work *w, ws_activity *a)
{
    for (unsigned i = 0; i < WS_UNITS; i++) {
        a->unit_instructions[i] = w->instructions[i];
        a->unit_lanes[i] = w->lanes[i];
    }
    for (unsigned i = 0; i < WS_OPERATIONS; i++)
        a->operation_lanes[i] = w->operations[i];
    a->registers_reads[0] = w->register_reads; /* which bank, a profile does not know */
    a->registers_writes[0] = w->register_writes;
    a->registers_read_lanes[0] = w->read_lanes;
    a->registers_write_lanes[0] = w->write_lanes;
    a->shared_accesses[0] = w->shared_accesses;
    a->shared_passes[0] = w->shared_passes;
    a->shared_words[0] = w->shared_words;
}

/* A cache of textures or constants, and what its misses ask L2 and the network for. */
static void add_fetches(const ws_closed_machine *m, unsigned cache, uint64_t lines, double missed, uint32_t line,
                        ws_activity *a)
{
    const uint64_t misses = whole(fmin(missed, (double)lines)), sectors = line > m->l2_sector ? line / m->l2_sector : 1;
    const uint64_t bytes[] = {[UP] = m->sizes.header_bytes, [DOWN] = m->sizes.header_bytes + line};
    a->cache_tag_accesses[cache] = lines;
    a->cache_hits[cache] = lines - misses;
    a->cache_misses[cache] = a->cache_fills[cache] = misses;
    a->cache_tag_accesses[L2] += misses * sectors;
    a->cache_hits[L2] += misses * sectors;
    for (int d = UP; d <= DOWN; d++) {
        const uint64_t flits = misses * ws_message_flits((uint32_t)bytes[d], &m->sizes);
        a->network_packets[d] += misses;
        a->network_bytes[d] += misses * bytes[d];
        a->network_flits[d] += flits;
        a->network_hops[d] += whole((double)flits * m->hops);
    }
}

/* Sectors of a line that an access touches, on average. */
static double sectors_of(uint64_t words, uint64_t lines, uint32_t sector, uint32_t line)
{
    const double bytes = lines ? (double)words * WORD / (double)lines : 0;
    return fmin(fmax(1, bytes / sector), (double)line / sector);
}

static void multiply(uint64_t *counter, double by)
{
    *counter = whole((double)*counter * by);
}

static void count_sectors(ws_activity *a, unsigned cache, double sectors)
{
    multiply(&a->cache_tag_accesses[cache], sectors);
    multiply(&a->cache_hits[cache], sectors);
    multiply(&a->cache_merged[cache], sectors);
    multiply(&a->cache_misses[cache], sectors);
    multiply(&a->cache_fills[cache], sectors);
    multiply(&a->cache_writebacks[cache], sectors);
}

static void scale_to_sectors(const ws_closed_machine *m, const ws_log_totals *t, ws_activity *a)
{
    uint64_t words = t->load_words;
    for (uint64_t i = 0; i <= WS_LOG_WORDS; i++)
        words += i * t->store_words[i];
    const double l2 = sectors_of(words, t->loads + t->stores, m->l2_sector, WS_LOG_LINE);
    count_sectors(a, L1, sectors_of(words, t->loads + t->stores, m->l1_sector, WS_LOG_LINE));
    count_sectors(a, L2, l2);
    multiply(&a->dram_reads[0], l2 * m->l2_sector / WS_LOG_LINE);
    multiply(&a->dram_writes[0], l2 * m->l2_sector / WS_LOG_LINE);
}

void ws_launch_activity(const ws_closed_machine *m, const ws_traffic_profile *p, const ws_closed_result *r,
                        ws_activity *a)
{
    const uint64_t launch = whole(m->launch_cycles), run = whole(r->cycles);
    const ws_launch_work *const w = &p->work;
    scale_to_sectors(m, &p->total, a);
    add_work(w, a);
    add_fetches(m, WS_ACTIVITY_TEXTURE, w->texture_lines, r->fetch_misses[WS_LOG_TEXTURES], WS_WORK_TEXTURE_LINE, a);
    add_fetches(m, WS_ACTIVITY_CONSTANT, w->constant_lines, r->fetch_misses[WS_LOG_CONSTANTS], WS_WORK_CONSTANT_LINE,
                a);
    a->sm_ctas[0] = p->blocks;
    a->dram_activates[0] = whole((double)(a->dram_reads[0] + a->dram_writes[0]) / m->row_bursts);
    a->core_cycles[0] = launch + run;
    a->sm_busy_cycles[0] = run * (p->blocks < m->coherence.sms ? p->blocks : m->coherence.sms);
    a->sm_idle_cycles[0] = a->core_cycles[0] * m->coherence.sms - a->sm_busy_cycles[0];
}
