/* set_stack.c - see set_stack.h. */
#include "model/set_stack.h"

#include <string.h>

uint8_t ws_set_stack_use(ws_set_stack *s, uint64_t line, uint32_t depth)
{
    if (!depth)
        return s->place[0];
    const uint32_t hole = s->holes ? ws_set_stack_depth(s, WS_SET_HOLE) : WS_SET_DEPTH;
    uint32_t room = hole < depth ? hole : depth; /* of which those above move down */
    if (room == WS_SET_DEPTH && s->used < WS_SET_DEPTH) {
        room = s->used;
        s->place[s->used++] = (uint8_t)room;
    } else if (room == WS_SET_DEPTH) {
        room = WS_SET_DEPTH - 1;
    }
    uint8_t place = s->place[room];
    if (hole < depth && depth < WS_SET_DEPTH) {
        s->line[depth] = WS_SET_HOLE;
        s->place[room] = s->place[depth];
        s->place[depth] = place;
        place = s->place[room];
    } else {
        s->holes -= hole < depth;
    }
    memmove(s->line + 1, s->line, room * sizeof *s->line);
    memmove(s->place + 1, s->place, room);
    s->line[0] = line;
    s->place[0] = place;
    return place;
}

void ws_set_stack_drop(ws_set_stack *stack, uint32_t depth)
{
    if (depth >= stack->used || stack->line[depth] == WS_SET_HOLE)
        return;
    stack->line[depth] = WS_SET_HOLE;
    stack->holes++;
}
