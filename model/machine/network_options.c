/* network_options.c - see network_options.h. */
#include "model/machine/network_options.h"
#include "model/machine/machine.h"

static const ws_network_kind *kind_of(const ws_machine *m, unsigned direction)
{
    return direction == WS_REPLIES && m->reply_kind ? m->reply_kind : m->network_kind;
}

/* What [reply] says of the answers', else [network] where that is the same network, else the option's fallback. */
static uint64_t value_of(const ws_machine *m, unsigned direction, const ws_option *table, const char *name)
{
    const ws_machine_options *from = direction == WS_REPLIES ? &m->reply : &m->network;
    if (direction == WS_REPLIES && !m->reply_kind && !ws_given_find(from->list, from->count, name))
        from = &m->network;
    return ws_option_value(table, name, from->list, from->count, 0);
}

int ws_machine_network_plan(const ws_machine *m, unsigned direction, ws_network_plan *out)
{
    const ws_network_kind *const kind = kind_of(m, direction);
    const ws_option *const tables[] = {ws_network_common_options, kind->options};
    ws_given list[WS_NETWORK_COMMON + WS_NETWORK_OPTIONS];
    size_t count = 0;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const ws_option *o = tables[t]; o->name; o++)
            list[count++] = (ws_given){.name = o->name, .value = value_of(m, direction, tables[t], o->name)};
    return ws_network_plan_make(kind, ws_machine_nodes(m), list, count, out);
}

static void place_clusters(const ws_machine *m, uint32_t *sm, uint32_t *slice)
{
    for (uint32_t i = 0; i < m->chip_sms; i++)
        sm[i] = i / m->network_cluster;
    for (uint32_t i = 0; i < ws_machine_chip_slices(m); i++)
        slice[i] = i;
}

void ws_machine_network_places(const ws_machine *m, uint32_t *sm, uint32_t *slice)
{
    const uint32_t sms = m->chip_sms, slices = ws_machine_chip_slices(m), nodes = sms + slices;
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
