/* stack_distance.h - how many other lines were used since a line was used last? What LRU caches of all sizes hit, in one pass.
 *
 * R. Mattson, J. Gecsei, D. Slutz, I. Traiger, "Evaluation Techniques for Storage Hierarchies", IBM Systems Journal 9(2), 1970: a fully associative LRU cache
 * of n lines hits just the uses whose distance is below n. Counted by a tree over the places of last uses (P. Fenwick, "A New Data Structure for Cumulative
 * Frequency Tables", 1994), as B. Bennett and V. Kruskal do ("LRU Stack Processing", 1975). */
#ifndef WS_STACK_DISTANCE_H
#define WS_STACK_DISTANCE_H

#include "base/table.h"

static const uint64_t WS_STACK_FIRST = UINT64_MAX; /* the line was not used before */

typedef struct ws_stack {
    ws_table last; /* line -> place of its last use */
    uint32_t *tree; /* [room + 1] */
    size_t room, used;
} ws_stack;

/* For at most so many uses. Free with ws_stack_fini, after failures, too. WS_EMEM. */
int ws_stack_init(ws_stack *stack, size_t uses);
void ws_stack_fini(ws_stack *stack);
void ws_stack_clear(ws_stack *stack); /* all lines are forgotten */

/* Uses the line: *distance, or WS_STACK_FIRST. WS_EMEM. */
int ws_stack_use(ws_stack *stack, uint64_t line, uint64_t *distance);
/* Lines that were used. */
static inline size_t ws_stack_lines(const ws_stack *stack)
{
    return stack->last.used;
}

#endif
