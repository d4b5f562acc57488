/* memory_image.h - what stands in memory where values travel, and what the host has left in L2. */
#ifndef WS_MEMORY_IMAGE_H
#define WS_MEMORY_IMAGE_H

#include "base/bytes.h"
#include "model/coherence/coherence.h"

/* Lines and their words. All zero but for `words`, of a line, is a memory full of zeros; with no words nothing is kept. */
typedef struct ws_memory_image {
    uint32_t words;
    uint64_t *line; /* open addressing: 1 + the line; 0: free */
    uint32_t *data;
    size_t room, used;
} ws_memory_image;

void ws_memory_image_fini(ws_memory_image *image);
/* The words of the message's mask, or all of them where it has none. WS_EMEM. */
int ws_memory_image_write(ws_memory_image *image, const ws_coherence_message *message);
void ws_memory_image_read(const ws_memory_image *image, ws_coherence_message *message);

/* Bytes that the host copied are in L2 as far as they fit: the first reads of so many lines need no memory. */
typedef struct ws_copied {
    uint64_t bytes; /* left */
    uint64_t *line; /* read since, as above */
    size_t room, used;
} ws_copied;

void ws_copied_fini(ws_copied *copied);
/* *copied: this is the first read of a line of `bytes` bytes that the host may have copied. WS_EMEM. */
int ws_copied_take(ws_copied *c, uint64_t line, uint32_t bytes, bool *copied);
void ws_copied_save(const ws_copied *c, ws_bytes *bytes);
int ws_copied_load(ws_copied *c, ws_reader *reader);

#endif
