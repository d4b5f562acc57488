/* set_stack.h - the lines of a set in the order of their use, for L1s of all numbers of ways at once, of whose lines
 * some are given up.
 *
 * An LRU set of n ways has the lines at depths below n (R. Mattson, J. Gecsei, D. Slutz, I. Traiger, "Evaluation
 * Techniques for Storage Hierarchies", IBM Systems Journal 9(2), 1970). A line that is given up leaves a hole where it
 * lay: sets with more ways have a free one there, others never had the line. What is used next moves those above the
 * first hole into it; if it lay deeper, the hole is where it was, as sets with fewer ways have filled theirs, and those
 * with more have one still. So all of them stay exact. */
#ifndef WS_SET_STACK_H
#define WS_SET_STACK_H

#include <stdint.h>

enum { WS_SET_DEPTH = 32 };    /* ways at most; as a depth: not in the stack */
#define WS_SET_HOLE UINT64_MAX /* no line */

/* Zeroed: empty. What somebody keeps of a line he keeps at its place, which stays the same as long as it is in the
 * stack. */
typedef struct ws_set_stack {
    uint64_t line[WS_SET_DEPTH]; /* most recent first; lines and holes, the first `used` */
    uint8_t place[WS_SET_DEPTH]; /* all below `used`; those of holes are free */
    uint8_t used, holes;
} ws_set_stack;

static inline uint32_t ws_set_stack_depth(const ws_set_stack *stack, uint64_t line)
{
    for (uint32_t at = 0; at < stack->used; at++)
        if (stack->line[at] == line)
            return at;
    return WS_SET_DEPTH;
}

/* Uses the line, which lies at this depth: its place. If it was nowhere, that is the place of what left all sets for
 * it, or a free one. */
uint8_t ws_set_stack_use(ws_set_stack *stack, uint64_t line, uint32_t depth);

/* Gives up what lies at this depth, if it is one. */
void ws_set_stack_drop(ws_set_stack *stack, uint32_t depth);

#endif
