/* chip_buffer.h - a slice's part of a chip's buffer of updates: what the SMs of a chip would send to the home of a line
 * is summed up before it leaves the chip.
 *
 * The second level of P. Dalmia's local atomic buffers, which "Reducing Synchronization and Communication Overheads in
 * GPUs", UW-Madison 2023, has as future work (chapter 6); what is said here of it is ours. An entry is a line with
 * partial updates of one operation (ws_update_code). One that comes for a line that is kept with the same operation is
 * a hit; for one with another, what is there leaves, and the entry is restarted; else it takes an entry, of the line
 * used least recently when none is free. */
#ifndef WS_CHIP_BUFFER_H
#define WS_CHIP_BUFFER_H

#include "base/bytes.h"
#include "model/coherence/coherence.h"

typedef struct ws_chip_buffer ws_chip_buffer;

/* Partial updates of a line. */
typedef struct ws_chip_sum {
    uint64_t line;
    uint32_t words, code;
    uint32_t count[WS_COHERENCE_WORDS]; /* operations on each word; 0 where these are not told */
} ws_chip_sum;

typedef enum ws_chip_sum_kept {
    WS_CHIP_SUM_HIT,
    WS_CHIP_SUM_NEW,
    WS_CHIP_SUM_RESTARTED,
    WS_CHIP_SUM_REPLACED
} ws_chip_sum_kept;

int ws_chip_buffer_create(uint32_t lines, ws_chip_buffer **out); /* WS_EMEM */
void ws_chip_buffer_destroy(ws_chip_buffer *buffer);             /* accepts NULL */

/* Keeps it. RESTARTED, REPLACED: *leaves is what has to. WS_EMEM. */
int ws_chip_buffer_add(ws_chip_buffer *buffer, const ws_chip_sum *sum, ws_chip_sum_kept *kept, ws_chip_sum *leaves);
/* Takes the one that was used least recently; false: there is none, and lines that were here are forgotten. */
bool ws_chip_buffer_take(ws_chip_buffer *buffer, ws_chip_sum *out);
/* Are updates of these words kept? */
bool ws_chip_buffer_has(const ws_chip_buffer *buffer, uint64_t line, uint32_t words);

void ws_chip_buffer_save(const ws_chip_buffer *buffer, ws_bytes *bytes);
int ws_chip_buffer_load(ws_chip_buffer *buffer, ws_reader *reader); /* into one of as many lines; WS_EINPUT */

#endif
