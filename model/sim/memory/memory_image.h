/* memory_image.h - contents of memory if values are simulated, and lines that the host has left in L2. */
#ifndef WS_MEMORY_IMAGE_H
#define WS_MEMORY_IMAGE_H

#include "base/bytes.h"
#include "base/table.h"
#include "model/coherence/coherence.h"

/* Blocks and their words. */
typedef struct ws_memory_image {
    uint32_t words; /* of a block; 0: no contents */
    ws_table blocks;
} ws_memory_image;

/* Returns a memory of zeros. */
static inline ws_memory_image ws_memory_image_of(uint32_t words)
{
    return (ws_memory_image){.words = words, .blocks = {.value_bytes = words * sizeof(uint32_t)}};
}
void ws_memory_image_fini(ws_memory_image *image);
/* Write or read the words of the message's mask, or all words without a mask. WS_EMEM. */
int ws_memory_image_write(ws_memory_image *image, const ws_coherence_message *message);
void ws_memory_image_read(const ws_memory_image *image, ws_coherence_message *message);

/* Lines that the host wrote and that were not read since: they are in L2 as far as it has room, given later reads. A
 * zeroed one is empty. */
typedef struct ws_copied_lines {
    uint64_t most;  /* lines of the L2 */
    uint64_t read;  /* lines read from memory since the oldest of these was written */
    uint64_t lines; /* lines with valid words */
    ws_table known; /* of a line: mask of its words, and number of its valid turn; no words: read or evicted */
    struct ws_copied_turn *turn; /* [turns] oldest first, from index `first` */
    size_t first, turns, room;
    uint64_t last; /* number of the newest turn */
} ws_copied_lines;

static inline ws_copied_lines ws_copied_lines_of(uint64_t most)
{
    return (ws_copied_lines){.most = most, .known = {.value_bytes = 2 * sizeof(uint64_t)}};
}
void ws_copied_lines_fini(ws_copied_lines *copied);
/* Records that the host wrote words of the line. WS_EMEM. */
int ws_copied_lines_add(ws_copied_lines *c, uint64_t line, uint32_t words);
/* Reads the line. Returns whether the host wrote all these words (0: all of `all`); they are then removed. Otherwise
 * the line comes from memory, and evicts the oldest one if there is no room. */
bool ws_copied_lines_take(ws_copied_lines *c, uint64_t line, uint32_t words, uint32_t all);
void ws_copied_lines_save(const ws_copied_lines *c, ws_bytes *bytes);
int ws_copied_lines_load(ws_copied_lines *c, ws_reader *reader);

#endif
