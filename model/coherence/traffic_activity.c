/* traffic_activity.c - sums of messages and accesses into rows of activity.def. */
#include "model/coherence/traffic_activity.h"

#include <math.h>

enum { L1, L2 = WS_ACTIVITY_L2 };

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

void ws_closed_activity(const ws_closed_result *r, uint32_t bursts, ws_activity *a)
{
    *a = (ws_activity){0};
    a->memory_transactions[0] = whole(r->loads + r->stores);
    a->cache_tag_accesses[L1] = whole(r->l1_accesses);
    a->cache_tag_accesses[L2] = whole(r->l2_accesses);
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
    }
}

static uint64_t lookups(const ws_coherence_counts *c)
{
    return c->hits + c->misses + c->merged;
}

void ws_replay_activity(const ws_coherence_traffic *t, uint32_t bursts, ws_activity *a)
{
    *a = (ws_activity){0};
    a->memory_transactions[0] = t->l1.loads + t->l1.stores;
    a->cache_tag_accesses[L1] = lookups(&t->l1);
    a->cache_tag_accesses[L2] = lookups(&t->l2);
    a->dram_reads[0] = t->messages[WS_MESSAGE_DRAM_READ] * bursts;
    a->dram_writes[0] = t->messages[WS_MESSAGE_DRAM_WRITE] * bursts;
    for (int type = 0; type < WS_MESSAGE_COUNT; type++) {
        if (directions[type] == MEMORY)
            continue;
        a->network_packets[directions[type]] += t->messages[type];
        a->network_bytes[directions[type]] += t->bytes[type];
        a->network_flits[directions[type]] += t->flits[type];
    }
}
