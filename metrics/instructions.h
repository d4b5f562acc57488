/* instructions.h - counts of each instruction of a kernel, for per-line reports.
 *
 * A sink for the engine or a replay. Its result is a listing: the kernel's instructions, their source positions, and a
 * row of counts for each. Listings of launches of the same code can be added. A serialized listing has two parts: the
 * code, which launches share, and the counts. */
#ifndef WS_INSTRUCTIONS_H
#define WS_INSTRUCTIONS_H

#include "base/arena.h"
#include "base/bytes.h"
#include "collect/trace/sink.h"

#include <stdbool.h>

typedef enum ws_count {
#define COUNT(name, unit, definition) WS_COUNT_##name,
#include "metrics/instructions.def"
#undef COUNT
    WS_COUNTS
} ws_count;

/* Names, units and definitions of the counts, [WS_COUNTS]. */
typedef struct ws_count_about {
    const char *name, *unit, *definition;
} ws_count_about;
extern const ws_count_about ws_count_table[WS_COUNTS];

/* Instruction of a listing. */
typedef struct ws_listed {
    const char *text;           /* with operands if known, else its opcode */
    uint32_t line;              /* of the PTX; SASS: of the source, 0 if not known */
    uint32_t place;             /* index in ws_listing.place; 0: not known */
    uint8_t cls, space, access; /* ws_class, ws_space, ws_access */
    uint64_t count[WS_COUNTS];
} ws_listed;

/* Listing in an arena. */
typedef struct ws_listing {
    ws_listed *row; /* [rows] in the order of the kernel's code */
    size_t rows;
    const ws_place *place; /* [places]; the first is the unknown place */
    size_t places;
    uint8_t isa;       /* ws_isa */
    uint64_t launches; /* number of launches added */
} ws_listing;

/* Sink that counts each instruction of a launch. */
extern const ws_sink ws_instructions_sink;

/* Appends the two parts of a launch's listing, from the merged state of the sink. `code` is the same for all launches
 * of the same code. The buffers may already contain data. Returns WS_OK or WS_EMEM. */
int ws_instructions_finish(void *state, const ws_launch *launch, ws_bytes *code, ws_bytes *counts);

/* Reads a listing from its parts, in the arena. Returns WS_EINPUT, without a message, for invalid parts, or WS_EMEM. */
int ws_listing_read(ws_reader code, ws_reader counts, ws_arena *arena, ws_listing **out);

/* Adds the counts of another launch of the same code to `into`. Returns WS_EINPUT, without a message, if they do not
 * match, or WS_EMEM. */
int ws_listing_add(ws_bytes *into, ws_reader more);

#endif
