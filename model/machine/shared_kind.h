/* shared_kind.h - the facts of a shared memory: shared_memories.def. When words are there is in model/sim/sm. */
#ifndef WS_SHARED_KIND_H
#define WS_SHARED_KIND_H

#include "base/option.h"
#include "model/machine/cells.h"
#include "model/machine/machine_declared.h"

enum { WS_SHARED_LINE = 128 }; /* bytes of a line of the section of `hybrid` */

typedef struct ws_shared_memory_kind {
    const char *name, *summary;
    const ws_option *options; /* its own, given in [shared] */
    /* Do the values go together, in a memory of so many bytes? WS_EINPUT with option and reason; NULL: they do. */
    int (*check)(const uint64_t *values, uint32_t bytes);
    /* Do accesses look at values? Launches whose source has none are refused then. NULL: never. */
    bool (*wants_values)(const uint64_t *values);
    /* Its cells, where they are magnetic; NULL: SRAM. */
    void (*cells)(const uint64_t *values, ws_cells *out);
    void (*form)(const uint64_t *values, ws_cells_form *out); /* where there are cells: for estimates */
} ws_shared_memory_kind;

extern const ws_shared_memory_kind ws_shared_memory_kinds[]; /* in the order of shared_memories.def */
/* The row of that name, or NULL; the row at an index, NULL behind the last. */
const ws_shared_memory_kind *ws_shared_memory_kind_find(const char *name);
const ws_shared_memory_kind *ws_shared_memory_kind_at(size_t index);

/* That of the machine, its options in values[WS_SHARED_OPTIONS]. */
enum { WS_SHARED_OPTIONS = 16 };
const ws_shared_memory_kind *ws_shared_memory_of(const ws_machine *machine, uint64_t values[WS_SHARED_OPTIONS]);

#endif
