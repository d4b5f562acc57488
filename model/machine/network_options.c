/* network_options.c - see network_options.h. */
#include "model/machine/network_options.h"
#include "model/machine/machine.h"

enum { REPLY = 1 };

const struct ws_network_kind *ws_machine_network_kind(const ws_machine *m, unsigned direction)
{
    return direction == REPLY && m->reply_kind ? m->reply_kind : m->network_kind;
}

uint64_t ws_machine_network_option(const ws_machine *m, unsigned direction, const ws_option *table, const char *name)
{
    const ws_machine_options *from = direction == REPLY ? &m->reply : &m->network;
    if (direction == REPLY && !m->reply_kind && !ws_given_find(from->list, from->count, name))
        from = &m->network;
    return ws_option_value(table, name, from->list, from->count, 0);
}

static void place_clusters(const ws_machine *m, uint32_t *sm, uint32_t *slice)
{
    for (uint32_t i = 0; i < m->chip_sms; i++)
        sm[i] = i / m->network_cluster;
    for (uint32_t i = 0; i < m->memory_channels * m->l2_slices; i++)
        slice[i] = i;
}

void ws_machine_network_places(const ws_machine *m, uint32_t *sm, uint32_t *slice)
{
    const uint32_t sms = m->chip_sms, slices = m->memory_channels * m->l2_slices, nodes = sms + slices;
    const bool spread = m->network_placement != WS_MEMORY_NODES_LAST;
    if (m->network_cluster) {
        place_clusters(m, sm, slice);
        return;
    }
    for (uint32_t node = 0, placed = 0; node < nodes; node++) {
        const bool memory = spread ? (uint64_t)(node + 1) * slices / nodes > placed : node >= sms;
        if (memory)
            slice[placed++] = node;
        else
            sm[node - placed] = node;
    }
}
