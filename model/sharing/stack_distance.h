/* stack_distance.h - how many other blocks were used since the last use of this one? Exact, of a stream of any length.
 *
 * R. L. Mattson and others, "Evaluation Techniques for Storage Hierarchies", IBM Systems Journal 1970: an access hits a fully associative cache of least recent use
 * if its distance is less than the cache's lines. Blocks are counted by the time of their last use in a binary indexed tree (P. M. Fenwick, "A New Data Structure for
 * Cumulative Frequency Tables", 1994), so a use costs the logarithm of the blocks; times are numbered again when they run out. */
#ifndef WS_SHARING_STACK_DISTANCE_H
#define WS_SHARING_STACK_DISTANCE_H

#include "base/table.h"

#define WS_STACK_FIRST UINT64_MAX /* of a first use */

/* Zeroed by ws_stack_init; free with ws_stack_fini. */
typedef struct ws_stack {
    ws_table last;   /* of blocks: time of the last use, from 1 on */
    uint32_t *count; /* [room + 1] tree over times: 1 where a block was used last */
    uint64_t now, room;
} ws_stack;

void ws_stack_init(ws_stack *stack);
void ws_stack_fini(ws_stack *stack);
void ws_stack_clear(ws_stack *stack); /* no block was used */

/* Uses a block, not UINT64_MAX: *distance is the number of others since its last use, or WS_STACK_FIRST. WS_EMEM. */
int ws_stack_use(ws_stack *stack, uint64_t block, uint64_t *distance);

#endif
