/* chip_buffer.h - slice's part of a chip's update buffer, which combines the SMs' updates of a line before they leave
 * the chip for its home.
 *
 * This is the second level of P. Dalmia's local atomic buffers, future work in "Reducing Synchronization and
 * Communication Overheads in GPUs", UW-Madison 2023 (chapter 6); its details are chosen here. An entry is a line with
 * partial updates of one operation (ws_update_code). An update of a buffered line with the same operation is a hit.
 * With another operation the old updates leave, and the entry restarts. Otherwise the update takes a free entry, or the
 * LRU one. */
#ifndef WS_CHIP_BUFFER_H
#define WS_CHIP_BUFFER_H

#include "base/bytes.h"
#include "model/coherence/coherence.h"

typedef struct ws_chip_buffer ws_chip_buffer;

/* Partial updates of a line. */
typedef struct ws_chip_sum {
    uint64_t line;
    uint32_t words, code;
    uint32_t count[WS_COHERENCE_WORDS]; /* operations on each word; 0 if not counted */
} ws_chip_sum;

typedef enum ws_chip_sum_kept {
    WS_CHIP_SUM_HIT,
    WS_CHIP_SUM_NEW,
    WS_CHIP_SUM_RESTARTED,
    WS_CHIP_SUM_REPLACED
} ws_chip_sum_kept;

int ws_chip_buffer_create(uint32_t lines, ws_chip_buffer **out); /* WS_EMEM */
void ws_chip_buffer_destroy(ws_chip_buffer *buffer);             /* accepts NULL */

/* Adds updates. RESTARTED, REPLACED: *leaves must be sent. WS_EMEM. */
int ws_chip_buffer_add(ws_chip_buffer *buffer, const ws_chip_sum *sum, ws_chip_sum_kept *kept, ws_chip_sum *leaves);
/* Removes the LRU entry. Returns false if the buffer is empty, and forgets its history. */
bool ws_chip_buffer_take(ws_chip_buffer *buffer, ws_chip_sum *out);
/* Returns whether updates of these words are buffered. */
bool ws_chip_buffer_has(const ws_chip_buffer *buffer, uint64_t line, uint32_t words);

void ws_chip_buffer_save(const ws_chip_buffer *buffer, ws_bytes *bytes);
int ws_chip_buffer_load(ws_chip_buffer *buffer, ws_reader *reader); /* into a buffer of the same size; WS_EINPUT */

#endif
