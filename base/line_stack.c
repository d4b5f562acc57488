/* line_stack.c - a time for each line, and sums over times. */
#include "base/line_stack.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_ROOM = 64 };

typedef struct used {
    uint64_t line;
    uint32_t time;
} used;

static int no_memory(size_t uses)
{
    return ws_fail(WS_EMEM, "no memory for the distances of %zu uses", uses);
}

int ws_line_stack_init(ws_line_stack *stack, size_t uses)
{
    *stack = (ws_line_stack){.last = WS_TABLE(uint32_t)};
    stack->tree = uses < UINT32_MAX ? calloc(uses + 1, sizeof *stack->tree) : NULL;
    stack->room = (uint32_t)uses;
    return stack->tree ? WS_OK : no_memory(uses);
}

void ws_line_stack_fini(ws_line_stack *stack)
{
    ws_table_fini(&stack->last);
    free(stack->tree);
    stack->tree = NULL;
}

static void change(ws_line_stack *stack, uint32_t time, uint32_t by)
{
    for (; time && time <= stack->room; time += time & -time)
        stack->tree[time] += by;
}

static uint64_t lines_up_to(const ws_line_stack *stack, uint32_t time)
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
    ws_table_clear(&stack->last);
    stack->now = 0;
}

uint64_t ws_line_stack_since(const ws_line_stack *stack, uint64_t line, uint32_t time)
{
    const uint32_t *const last = ws_table_find(&stack->last, line);
    return stack->last.used - lines_up_to(stack, time) - (last && *last > time);
}

static int by_time(const void *a, const void *b)
{
    const uint32_t x = ((const used *)a)->time, y = ((const used *)b)->time;
    return x < y ? -1 : x > y;
}

/* Numbers last uses from 1 on, with room for as many times more as there are lines. */
static int renumber(ws_line_stack *stack)
{
    const size_t lines = stack->last.used, room = 2 * (lines + 1) > LEAST_ROOM ? 2 * (lines + 1) : LEAST_ROOM;
    used *const list = malloc((lines + 1) * sizeof *list);
    uint32_t *const tree = room < UINT32_MAX ? calloc(room + 1, sizeof *tree) : NULL;
    if (!list || !tree) {
        free(list);
        free(tree);
        return no_memory(room);
    }
    size_t n = 0;
    uint64_t line;
    for (size_t slot = 0; ws_table_next(&stack->last, &slot, &line); slot++)
        list[n++] = (used){line, *(const uint32_t *)ws_table_value(&stack->last, slot)};
    qsort(list, n, sizeof *list, by_time);
    free(stack->tree);
    stack->tree = tree;
    stack->room = (uint32_t)room;
    for (size_t i = 0; i < n; i++) {
        *(uint32_t *)ws_table_find(&stack->last, list[i].line) = (uint32_t)i + 1;
        change(stack, (uint32_t)i + 1, 1);
    }
    stack->now = (uint32_t)n;
    free(list);
    return WS_OK;
}

int ws_line_stack_use(ws_line_stack *stack, uint64_t line, uint64_t *distance)
{
    const int status = stack->now == stack->room ? renumber(stack) : WS_OK;
    const size_t lines = stack->last.used;
    uint32_t *const last = status ? NULL : ws_table_put(&stack->last, line);
    if (!last)
        return WS_EMEM;
    *distance = *last ? lines - lines_up_to(stack, *last) : WS_LINE_STACK_FIRST;
    if (*last)
        change(stack, *last, UINT32_MAX); /* minus one */
    *last = ++stack->now;
    change(stack, stack->now, 1);
    return WS_OK;
}
