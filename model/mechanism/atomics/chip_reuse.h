/* chip_reuse.h - what would buffers of updates of all sizes keep, of what the SMs of a chip send to it?
 *
 * The second level of local atomic buffers (model/sim/memory/chip_buffer.h): each L2 slice of a chip has a part of its
 * buffer. Of the stream of each part, those of its SMs merged in the order of time, stack distances tell in one pass
 * what fully associative LRU buffers of all sizes hit, as update_reuse.h has it for SMs; the end of a launch is the
 * only ordering point. */
#ifndef WS_CHIP_REUSE_H
#define WS_CHIP_REUSE_H

#include "model/mechanism/atomics/update_reuse.h"

/* An update, or a partial update of an SM, that comes to a chip. */
typedef struct ws_chip_message {
    uint64_t line;
    uint32_t code, part; /* part: of the machine's, slice by slice, chip by chip */
} ws_chip_message;

/* Zeroed is empty; its buffer is freed. */
typedef struct ws_chip_reuse {
    double requests;        /* that came */
    double passed;          /* ... of launches that have no such buffer: what is below leaves them out */
    ws_buffer_reuse buffer; /* in lines of a part */
} ws_chip_reuse;

/* Adds a launch: all of its messages, in the order of time. WS_EMEM. */
int ws_chip_reuse_add(ws_chip_reuse *reuse, const ws_chip_message *messages, size_t count, uint32_t parts);
/* What buffers of so many lines a part do. */
ws_update_buffer ws_chip_reuse_of(const ws_chip_reuse *reuse, double lines);

#endif
