/* instructions.h - what did each instruction of a kernel do? Who wants to know which line of a program costs what reads
 * it.
 *
 * A sink for the engine or a replay; its result is a listing: the kernel's instructions, where they come from, and a
 * row of counts for each. Listings of launches of the same code add up. As bytes a listing has two parts, the code,
 * which launches share, and the counts. */
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

/* An instruction of a listing. */
typedef struct ws_listed {
    const char *text;           /* with its operands where they are known, else its opcode */
    uint32_t line;              /* of the PTX; of SASS: of the source, 0 when not known */
    uint32_t place;             /* in ws_listing.place; 0: not known */
    uint8_t cls, space, access; /* ws_class, ws_space, ws_access */
    uint64_t count[WS_COUNTS];
} ws_listed;

/* Lives in an arena. */
typedef struct ws_listing {
    ws_listed *row; /* [rows] in the order of the kernel's code */
    size_t rows;
    const ws_place *place; /* [places], the first is the one that is not known */
    size_t places;
    uint8_t isa;       /* ws_isa */
    uint64_t launches; /* that were added up */
} ws_listing;

/* Counts for each instruction of a launch. */
extern const ws_sink ws_instructions_sink;

/* The two parts of the listing of a launch from the merged state of the sink: `code` is the same for launches of the
 * same code, whatever they did. Adds to bytes that may hold something already. WS_EMEM. */
int ws_instructions_finish(void *state, const ws_launch *launch, ws_bytes *code, ws_bytes *counts);

/* A listing from its parts, in the arena. WS_EINPUT, without a message, when they are none; WS_EMEM. */
int ws_listing_read(ws_reader code, ws_reader counts, ws_arena *arena, ws_listing **out);

/* Counts of one launch more of the same code: `into` becomes the sum. WS_EINPUT, without a message, when they do not
 * fit; WS_EMEM. */
int ws_listing_add(ws_bytes *into, ws_reader more);

#endif
