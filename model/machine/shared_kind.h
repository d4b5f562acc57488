/* shared_kind.h - properties of shared memories (shared_memories.def). model/sim/sm implements their timing. */
#ifndef WS_SHARED_KIND_H
#define WS_SHARED_KIND_H

#include "base/option.h"
#include "model/machine/cells.h"
#include "model/machine/machine_declared.h"

enum { WS_SHARED_LINE = 128 }; /* bytes of a line of the section of `hybrid` */

typedef struct ws_shared_memory_kind {
    const char *name, *summary;
    const ws_option *options; /* its options, given in [shared] */
    /* Checks that the values are consistent for a memory of `bytes` bytes. WS_EINPUT with option and reason; NULL:
     * always. */
    int (*check)(const uint64_t *values, uint32_t bytes);
    /* Returns whether accesses depend on values. Launches whose source has none are then refused. NULL: never. */
    bool (*wants_values)(const uint64_t *values);
    /* Describes its cells if they are magnetic; NULL: SRAM. */
    void (*cells)(const uint64_t *values, ws_cells *out);
    void (*form)(const uint64_t *values, ws_cells_form *out); /* for estimates, if there are cells */
} ws_shared_memory_kind;

extern const ws_shared_memory_kind ws_shared_memory_kinds[]; /* in the order of shared_memories.def */
/* Return the row of that name, or NULL; the row at an index, or NULL past the last. */
const ws_shared_memory_kind *ws_shared_memory_kind_find(const char *name);
const ws_shared_memory_kind *ws_shared_memory_kind_at(size_t index);

/* Returns the machine's shared memory, with its options in values[WS_SHARED_OPTIONS]. */
enum { WS_SHARED_OPTIONS = 16 };
const ws_shared_memory_kind *ws_shared_memory_of(const ws_machine *machine, uint64_t values[WS_SHARED_OPTIONS]);

#endif
