/* lru_stack.h - how many other lines were used since a line was? Stack distances (Mattson and others, IBM Systems
 * Journal 1970) in logarithmic time: a line keeps the number of its last use, and a tree of sums (P. Fenwick, Software:
 * Practice and Experience 1994) counts the lines whose last use is later. */
#ifndef WS_LRU_STACK_H
#define WS_LRU_STACK_H

#include "base/table.h"

#define WS_LRU_FAR UINT64_MAX

/* All 0 but for `items`: empty (WS_LRU_STACK). Free with ws_lru_stack_fini. */
typedef struct ws_lru_stack {
    ws_table items;  /* line -> uint32_t, its item */
    uint64_t *place; /* [items.used] number of the item's last use; 0: it is not in the stack */
    size_t place_room;
    uint32_t *sum; /* [room + 1] the tree: of places 1 .. room */
    uint64_t room, next, live;
} ws_lru_stack;

#define WS_LRU_STACK ((ws_lru_stack){.items = WS_TABLE(uint32_t)})

void ws_lru_stack_fini(ws_lru_stack *stack);
/* The line is used. *item: its number, from 0 on, the same each time; *distance: other lines used since its last use,
 * WS_LRU_FAR: it was not in the stack. WS_EMEM. */
int ws_lru_stack_use(ws_lru_stack *stack, uint64_t line, uint32_t *item, uint64_t *distance);
/* Without using it. */
bool ws_lru_stack_find(const ws_lru_stack *stack, uint64_t line, uint32_t *item);
uint64_t ws_lru_stack_distance(const ws_lru_stack *stack, uint32_t item);
/* It makes room: as if it had never been used. */
void ws_lru_stack_remove(ws_lru_stack *stack, uint32_t item);

#endif
