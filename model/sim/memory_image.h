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

/* Bytes that the host copied are in L2 as far as they fit: the first reads of so many blocks need no memory. All zero: it copied
 * nothing. */
typedef struct ws_copied {
    uint64_t bytes; /* left */
    ws_table read;  /* blocks, since */
} ws_copied;

void ws_copied_fini(ws_copied *copied);
/* *copied: this is the first read of a block of `bytes` bytes that the host may have copied. WS_EMEM. */
int ws_copied_take(ws_copied *c, uint64_t block, uint32_t bytes, bool *copied);
void ws_copied_save(const ws_copied *c, ws_bytes *bytes);
int ws_copied_load(ws_copied *c, ws_reader *reader);

#endif
