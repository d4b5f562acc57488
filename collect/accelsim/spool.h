/* spool.h - what each warp of a launch did, kept until the table of instructions is whole: packed, in a bounded part of
 * memory, and beyond that in a temporary file.
 *
 * Warps may come one after the other (grouped traces) or mixed (raw ones). Each has a chunk that it fills; a full
 * chunk, or the oldest when too many are open, goes to the end of a log and knows where its warp's previous one is. */
#ifndef WS_SPOOL_H
#define WS_SPOOL_H

#include "collect/accelsim/instruction.h"

typedef struct ws_spool ws_spool;

/* memory_bytes: of the log that stay in memory. The temporary file is made in $TMPDIR, or /tmp, and has no name. */
int ws_spool_create(uint64_t memory_bytes, ws_spool **out);
void ws_spool_destroy(ws_spool *spool); /* accepts NULL */

/* Empties it for the next launch. */
void ws_spool_clear(ws_spool *spool);

/* Adds a record of warp `key`; plain: the instruction has neither addresses nor any other effect, so runs of such need
 * no more than their number. WS_EMEM, WS_EIO. */
int ws_spool_add(ws_spool *spool, uint64_t key, const ws_record *record, bool plain);

/* The warp gets no more for now: its chunk may go. */
int ws_spool_leave(ws_spool *spool, uint64_t key);

/* A number that belongs to the warp, 0 at first, for whoever adds. */
int ws_spool_note(ws_spool *spool, uint64_t key, uint32_t **note);

/* No warp gets more. */
int ws_spool_end(ws_spool *spool);

/* Has the warp any records? */
bool ws_spool_has(const ws_spool *spool, uint64_t key);

/* ---- reading; after ws_spool_end */

typedef struct ws_spool_cursor {
    uint64_t *chunk; /* [chunks] offsets in the log, first to last */
    size_t chunks, room, next_chunk;
    uint8_t *copy; /* of a chunk that is in the file */
    const uint8_t *next, *end;
    uint32_t id, mask;
    uint64_t base;
    int64_t stride;
} ws_spool_cursor;

/* A zeroed cursor may be opened again and again. A warp without records is one that ends at once. */
int ws_spool_open(const ws_spool *spool, uint64_t key, ws_spool_cursor *cursor);
void ws_spool_close(ws_spool_cursor *cursor);

/* The next record, or `*run` > 0 plain ones in a row: ids from record->id on, all with record->mask. *run 0: the end.
 */
int ws_spool_next(const ws_spool *spool, ws_spool_cursor *cursor, ws_record *record, unsigned *run);

#endif
