/* line_stack.c - a time for each line, and sums over times. */
#include "base/line_stack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int ws_line_stack_init(ws_line_stack *stack, size_t uses)
{
    *stack = (ws_line_stack){.last = WS_TABLE(uint32_t), .uses = uses, .tree = calloc(uses + 1, sizeof *stack->tree)};
    return stack->tree ? WS_OK : ws_fail(WS_EMEM, "no memory for the distances of %zu uses", uses);
}

void ws_line_stack_fini(ws_line_stack *stack)
{
    ws_table_fini(&stack->last);
    free(stack->tree);
    stack->tree = NULL;
}

static void change(ws_line_stack *stack, size_t time, uint32_t by)
{
    for (; time <= stack->uses; time += time & -time)
        stack->tree[time] += by;
}

static uint64_t lines_up_to(const ws_line_stack *stack, size_t time)
{
    uint64_t sum = 0;
    for (; time; time -= time & -time)
        sum += stack->tree[time];
    return sum;
}

void ws_line_stack_clear(ws_line_stack *stack)
{
    uint64_t line;
    for (size_t slot = 0; ws_table_next(&stack->last, &slot, &line); slot++)
        change(stack, *(const uint32_t *)ws_table_value(&stack->last, slot), UINT32_MAX);
    ws_table_fini(&stack->last);
    stack->now = 0;
}

uint64_t ws_line_stack_since(const ws_line_stack *stack, uint64_t line, uint32_t time)
{
    const uint32_t *const last = ws_table_find(&stack->last, line);
    return stack->last.used - lines_up_to(stack, time) - (last && *last > time);
}

int ws_line_stack_use(ws_line_stack *stack, uint64_t line, uint64_t *distance)
{
    const size_t lines = stack->last.used;
    uint32_t *const last = ws_table_put(&stack->last, line);
    if (!last)
        return WS_EMEM;
    assert(stack->now < stack->uses);
    *distance = *last ? lines - lines_up_to(stack, *last) : WS_LINE_STACK_FIRST;
    if (*last)
        change(stack, *last, UINT32_MAX); /* minus one */
    *last = ++stack->now;
    change(stack, stack->now, 1);
    return WS_OK;
}
