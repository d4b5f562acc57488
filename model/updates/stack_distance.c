/* stack_distance.c - see stack_distance.h. */
#include "model/updates/stack_distance.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

int ws_stack_init(ws_stack *s, size_t uses)
{
    *s = (ws_stack){.last = WS_TABLE(uint64_t), .room = uses, .tree = calloc(uses + 1, sizeof *s->tree)};
    return s->tree ? WS_OK : ws_fail(WS_EMEM, "no memory for distances of %zu uses", uses);
}

void ws_stack_fini(ws_stack *s)
{
    ws_table_fini(&s->last);
    free(s->tree);
}

/* Places count from 1. */
static void change(ws_stack *s, size_t place, int by)
{
    for (; place <= s->room; place += place & -place)
        s->tree[place] += (uint32_t)by;
}

static uint64_t up_to(const ws_stack *s, size_t place)
{
    uint64_t sum = 0;
    for (; place; place -= place & -place)
        sum += s->tree[place];
    return sum;
}

void ws_stack_clear(ws_stack *s)
{
    uint64_t line;
    for (size_t i = 0; ws_table_next(&s->last, &i, &line); i++)
        change(s, *(uint64_t *)ws_table_value(&s->last, i), -1);
    ws_table_clear(&s->last);
}

int ws_stack_use(ws_stack *s, uint64_t line, uint64_t *distance)
{
    const size_t lines = s->last.used;
    uint64_t *const last = ws_table_put(&s->last, line);
    if (!last)
        return WS_EMEM;
    *distance = *last ? lines - up_to(s, *last) : WS_STACK_FIRST;
    if (*last)
        change(s, *last, -1);
    *last = ++s->used;
    change(s, s->used, 1);
    return WS_OK;
}
