/* memory_image.h - what stands in memory where values travel, and what the host has left in L2. */
#ifndef WS_MEMORY_IMAGE_H
#define WS_MEMORY_IMAGE_H

#include "base/bytes.h"
#include "base/table.h"
#include "model/coherence/coherence.h"

/* Blocks and their words. */
typedef struct ws_memory_image {
    uint32_t words; /* of a block; 0: nothing is kept */
    ws_table blocks;
} ws_memory_image;

/* A memory full of zeros. */
static inline ws_memory_image ws_memory_image_of(uint32_t words)
{
    return (ws_memory_image){.words = words, .blocks = {.value_bytes = words * sizeof(uint32_t)}};
}
void ws_memory_image_fini(ws_memory_image *image);
/* The words of the message's mask, or all of them where it has none. WS_EMEM. */
int ws_memory_image_write(ws_memory_image *image, const ws_coherence_message *message);
void ws_memory_image_read(const ws_memory_image *image, ws_coherence_message *message);

/* Lines that the host wrote and nobody has read yet: they are in L2, as far as it has room for them beside what was
 * read since. All zero: there are none. */
typedef struct ws_copied_lines {
    uint64_t most;  /* lines of the L2 */
    uint64_t read;  /* lines that came from memory since the oldest of these was written */
    uint64_t lines; /* with words that count: */
    ws_table known; /* of a line: its words, as a mask, and which of `turn` counts for it; no words: they were read, or
                       had to go */
    struct ws_copied_turn *turn; /* [turns] oldest first, from `first` on */
    size_t first, turns, room;
    uint64_t last; /* number of the newest turn */
} ws_copied_lines;

static inline ws_copied_lines ws_copied_lines_of(uint64_t most)
{
    return (ws_copied_lines){.most = most, .known = {.value_bytes = 2 * sizeof(uint64_t)}};
}
void ws_copied_lines_fini(ws_copied_lines *copied);
/* The host wrote words of the line. WS_EMEM. */
int ws_copied_lines_add(ws_copied_lines *c, uint64_t line, uint32_t words);
/* The line is read: are all these words (0: all of `all`) among those that the host wrote? They are not any more. If
 * not, the line comes from memory, and the oldest one has to go when there is no room for it. */
bool ws_copied_lines_take(ws_copied_lines *c, uint64_t line, uint32_t words, uint32_t all);
void ws_copied_lines_save(const ws_copied_lines *c, ws_bytes *bytes);
int ws_copied_lines_load(ws_copied_lines *c, ws_reader *reader);

#endif
