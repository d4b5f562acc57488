/* shared_memory_internal.h - organisations of shared_memories.def, and shared functions. */
#ifndef WS_SHARED_MEMORY_INTERNAL_H
#define WS_SHARED_MEMORY_INTERNAL_H

#include "model/machine/shared_rows.h"
#include "model/sim/sm/cell_writes.h"
#include "model/sim/sm/shared_memory.h"

#define SHARED_MEMORY(name, ...) extern const ws_shared_memory_ops ws_shared_memory_##name;
#include "model/machine/shared_memories.def"

/* Times of a single memory with the machine's latencies: a store that is slower than a load occupies its banks for the
 * difference. */
ws_shared_time ws_shared_plain(const ws_shared_setup *setup, const ws_shared_access *access);
/* The same for magnetic memory, with counts of its cells: equal to ws_shared_plain if writes do not depend on them. */
ws_shared_time ws_shared_magnetic(const ws_shared_setup *setup, const ws_cells *cells, const ws_shared_access *access);
/* Returns the added bank occupancy of a store relative to a load. */
static inline uint64_t ws_shared_more(uint32_t read, uint32_t write)
{
    return write > read ? write - read : 0;
}
/* Returns whether this value belongs to the access. */
static inline bool ws_shared_is_of(const ws_shared_access *access, const ws_value *value)
{
    return value->is_shared && value->pc == access->pc && value->exec & access->exec;
}

#endif
