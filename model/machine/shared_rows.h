/* shared_rows.h - numbers of the options of each row of shared_memories.def. */
#ifndef WS_SHARED_ROWS_H
#define WS_SHARED_ROWS_H

#include "model/machine/shared_kind.h"

/* Options of each, WS_SHARED_<kind>_<option>, in the order of its table. */
/* clang-format off */
#define SHARED_MEMORY(name, word, summary, ...) enum {
#define OPTION(kind, name, ...) WS_SHARED_##kind##_##name,
#define END(kind) WS_SHARED_##kind##_END };
/* clang-format on */
#include "model/machine/shared_memories.def"

/* Return the cells of `stt` and of `hybrid`. */
static inline ws_cells ws_shared_stt_cells(const uint64_t *values)
{
    return (ws_cells){.width = (uint32_t)values[WS_SHARED_stt_width], .early = values[WS_SHARED_stt_ewt]};
}
static inline ws_cells ws_shared_hybrid_cells(const uint64_t *values)
{
    return (ws_cells){.width = (uint32_t)values[WS_SHARED_hybrid_width],
                      .sram_bytes = values[WS_SHARED_hybrid_size],
                      .tags = values[WS_SHARED_hybrid_ram] ? 0 : (uint32_t)values[WS_SHARED_hybrid_ways]};
}

#endif
