/* line_stack.h - how many other lines were used since a line was used last, exactly?
 *
 * Stack distances: a fully associative LRU cache of n lines hits just the uses whose distance is below n (R. Mattson,
 * J. Gecsei, D. Slutz, I. Traiger, "Evaluation Techniques for Storage Hierarchies", IBM Systems Journal 9(2), 1970). A
 * tree of sums over the times of last uses counts them (P. Fenwick, "A New Data Structure for Cumulative Frequency
 * Tables", 1994). Where powers of two will do, metrics/lru.h is cheaper. */
#ifndef WS_LINE_STACK_H
#define WS_LINE_STACK_H

#include "base/table.h"

#define WS_LINE_STACK_FIRST UINT64_MAX /* a distance: the line was not used before */

typedef struct ws_line_stack {
    ws_table last;  /* line -> uint32_t, time of its last use, from 1 on */
    uint32_t *tree; /* [room + 1] lines by that time */
    uint32_t room, now;
} ws_line_stack;

/* With room for so many uses, below 2^32, after which times are numbered anew (0: nobody knows how many). Free with
 * ws_line_stack_fini, after a failure, too. WS_EMEM. */
int ws_line_stack_init(ws_line_stack *stack, size_t uses);
void ws_line_stack_fini(ws_line_stack *stack);

/* Forgets all lines, in time proportional to the uses since it did so last. */
void ws_line_stack_clear(ws_line_stack *stack);

/* Uses a line, not UINT64_MAX: *distance, or WS_LINE_STACK_FIRST. WS_EMEM. The use was at the time stack->now. */
int ws_line_stack_use(ws_line_stack *stack, uint64_t line, uint64_t *distance);

/* Other lines used after a time, none of them forgotten since. Times hold as long as there are no more uses than the
 * stack was made for. */
uint64_t ws_line_stack_since(const ws_line_stack *stack, uint64_t line, uint32_t time);

#endif
