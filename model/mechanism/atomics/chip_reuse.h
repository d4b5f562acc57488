/* chip_reuse.h - one-pass model of a chip's update buffers of all sizes, for the updates that its SMs send.
 *
 * This is the second level of local atomic buffers (model/sim/memory/chip_buffer.h): each L2 slice of a chip has a part
 * of its buffer. The stream of each part merges those of its SMs in the order of time. Stack distances give the hits of
 * fully associative LRU buffers of all sizes in one pass, as update_reuse.h does for SMs; the only ordering point is
 * the end of a launch. */
#ifndef WS_CHIP_REUSE_H
#define WS_CHIP_REUSE_H

#include "model/mechanism/atomics/update_reuse.h"

/* Update, or partial update of an SM, that reaches a chip. */
typedef struct ws_chip_message {
    uint64_t line;
    uint32_t code, part; /* part: number in the machine, slice by slice, chip by chip */
} ws_chip_message;

/* A zeroed one is empty; its buffer is freed. */
typedef struct ws_chip_reuse {
    double requests;        /* that arrived */
    double passed;          /* of launches without such a buffer: excluded below */
    ws_buffer_reuse buffer; /* in lines of a part */
} ws_chip_reuse;

/* Adds a launch: all of its messages, in the order of time. WS_EMEM. */
int ws_chip_reuse_add(ws_chip_reuse *reuse, const ws_chip_message *messages, size_t count, uint32_t parts);
/* Returns the counts of buffers with `lines` lines per part. */
ws_update_buffer ws_chip_reuse_of(const ws_chip_reuse *reuse, double lines);

#endif
