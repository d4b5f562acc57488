/* shared_memory.c - the table of organisations of shared memory, and the times of a single memory. */
#include "model/sim/sm/shared_memory_internal.h"

#include "base/bits.h"
#include "model/coalesce_model.h"
#include "model/machine/machine.h"

static const ws_shared_memory_ops *const memories[] = {
#define SHARED_MEMORY(name, ...) &ws_shared_memory_##name,
#include "model/machine/shared_memories.def"
};

const ws_shared_memory_ops *ws_shared_memory_ops_of(const ws_shared_memory_kind *kind)
{
    return memories[kind - ws_shared_memory_kinds];
}

ws_shared_setup ws_shared_setup_of(const ws_machine *m, const uint64_t *values)
{
    return (ws_shared_setup){.values = values,
                             .bytes = m->sm_shared,
                             .banks = m->shared_banks,
                             .read = m->shared_read,
                             .write = m->shared_write};
}

ws_shared_time ws_shared_plain(const ws_shared_setup *s, const ws_shared_access *a)
{
    const uint64_t latency = a->reads ? s->read : s->write;
    return (ws_shared_time){.busy = a->passes + (a->writes ? ws_shared_more(s->read, s->write) : 0),
                            .ready = a->passes - 1 + latency};
}

/* What cells are written of the words that the access writes. *change: a bit changes, or nobody knows. */
static uint64_t parts_of(const ws_cells *c, const ws_shared_access *a, bool *change)
{
    uint64_t parts = 0;
    bool known = false;
    *change = false;
    for (uint32_t i = 0; i < a->values && ws_cells_look(c); i++) {
        const ws_value *const v = &a->value[i];
        if (!ws_shared_is_of(a, v))
            continue;
        known = true;
        *change |= ws_cells_change(v);
        parts += ws_cells_written(c, v) * WS_CELLS_PARTS * ws_lane_words(1, v->bytes) / (8u * v->bytes);
    }
    *change |= !known;
    return known ? parts : WS_CELLS_PARTS * ws_lane_words(ws_popcount(a->exec), a->bytes);
}

ws_shared_time ws_shared_magnetic(const ws_shared_setup *s, const ws_cells *c, const ws_shared_access *a)
{
    const uint64_t words = ws_lane_words(ws_popcount(a->exec), a->bytes);
    ws_shared_time t = ws_shared_plain(s, a);
    if (!a->writes) {
        a->did->shared_cell_reads[0] += words;
        return t;
    }
    bool change;
    a->did->shared_cell_writes[0] += words;
    a->did->shared_cell_parts[0] += parts_of(c, a, &change);
    if (!ws_cells_look(c))
        return t;
    t.busy = change ? t.busy + (c->width ? a->passes : 0) : a->passes;
    if (!a->reads)
        t.ready = a->passes - 1 + ws_cells_cycles(c, s->read, s->write, change);
    return t;
}
