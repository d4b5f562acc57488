/* spool.h - storage of the records of each warp of a launch until the table of instructions is complete: packed, in
 * bounded memory, with overflow to a temporary file.
 *
 * Warps may be consecutive (grouped traces) or interleaved (raw ones). Each warp fills a chunk. A full chunk, or the
 * oldest one when too many are open, is appended to a log with a link to its warp's previous chunk. */
#ifndef WS_SPOOL_H
#define WS_SPOOL_H

#include "collect/accelsim/instruction.h"

typedef struct ws_spool ws_spool;

/* memory_bytes: size of the log kept in memory. The temporary file is unnamed, in $TMPDIR or /tmp. */
int ws_spool_create(uint64_t memory_bytes, ws_spool **out);
void ws_spool_destroy(ws_spool *spool); /* accepts NULL */

/* Empties the spool for the next launch. */
void ws_spool_clear(ws_spool *spool);

/* Adds a record of warp `key`. plain: the instruction has neither addresses nor other effects, so that a run of plain
 * records is stored as a count. WS_EMEM, WS_EIO. */
int ws_spool_add(ws_spool *spool, uint64_t key, const ws_record *record, bool plain);

/* Lets the warp's chunk move to the log, because no record follows soon. */
int ws_spool_leave(ws_spool *spool, uint64_t key);

/* Returns a number stored with the warp, initially 0, for use by the caller of ws_spool_add. */
int ws_spool_note(ws_spool *spool, uint64_t key, uint32_t **note);

/* Ends writing for all warps. */
int ws_spool_end(ws_spool *spool);

/* Returns whether the warp has records. */
bool ws_spool_has(const ws_spool *spool, uint64_t key);

/* ---- reading; after ws_spool_end */

typedef struct ws_spool_cursor {
    uint64_t *chunk; /* [chunks] offsets in the log, first to last */
    size_t chunks, room, next_chunk;
    uint8_t *copy; /* copy of a chunk from the file */
    const uint8_t *next, *end;
    uint32_t id, mask;
    uint64_t base;
    int64_t stride;
} ws_spool_cursor;

/* Opens a cursor, which is zeroed at first use and may be reopened. A warp without records ends at once. */
int ws_spool_open(const ws_spool *spool, uint64_t key, ws_spool_cursor *cursor);
void ws_spool_close(ws_spool_cursor *cursor);

/* Returns the next record, or `*run` > 0 consecutive plain ones: ids from record->id on, all with record->mask. *run 0:
 * the end. */
int ws_spool_next(const ws_spool *spool, ws_spool_cursor *cursor, ws_record *record, unsigned *run);

#endif
