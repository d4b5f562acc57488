/* stack_distance.c - see stack_distance.h. */
#include "model/sharing/stack_distance.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_ROOM = 64 };

typedef struct used {
    uint64_t block, time;
} used;

void ws_stack_init(ws_stack *s)
{
    *s = (ws_stack){.last = WS_TABLE(uint64_t)};
}

void ws_stack_fini(ws_stack *s)
{
    ws_table_fini(&s->last);
    free(s->count);
    ws_stack_init(s);
}

void ws_stack_clear(ws_stack *s)
{
    ws_table_clear(&s->last);
    if (s->room)
        memset(s->count, 0, (s->room + 1) * sizeof *s->count);
    s->now = 0;
}

static void add(ws_stack *s, uint64_t time, int what)
{
    for (; time <= s->room; time += time & -time)
        s->count[time] += (uint32_t)what;
}

/* Blocks whose last use was no later. */
static uint64_t up_to(const ws_stack *s, uint64_t time)
{
    uint64_t sum = 0;
    for (; time; time -= time & -time)
        sum += s->count[time];
    return sum;
}

static int by_time(const void *a, const void *b)
{
    const uint64_t x = ((const used *)a)->time, y = ((const used *)b)->time;
    return x < y ? -1 : x > y;
}

/* Numbers last uses from 1 on, with room for as many times more as there are blocks. */
static int renumber(ws_stack *s)
{
    const size_t blocks = s->last.used;
    const uint64_t room = 2 * (blocks + 1) > LEAST_ROOM ? 2 * (blocks + 1) : LEAST_ROOM;
    used *const list = malloc((blocks + 1) * sizeof *list);
    uint32_t *const count = room < UINT32_MAX ? calloc(room + 1, sizeof *count) : NULL;
    if (!list || !count) {
        free(list);
        free(count);
        return ws_fail(WS_EMEM, "no memory for reuse distances of %zu blocks", blocks);
    }
    size_t n = 0;
    uint64_t block;
    for (size_t i = 0; ws_table_next(&s->last, &i, &block); i++)
        list[n++] = (used){block, *(uint64_t *)ws_table_value(&s->last, i)};
    qsort(list, n, sizeof *list, by_time);
    free(s->count);
    s->count = count;
    s->room = room;
    for (size_t i = 0; i < n; i++) {
        *(uint64_t *)ws_table_find(&s->last, list[i].block) = i + 1;
        add(s, i + 1, 1);
    }
    s->now = n;
    free(list);
    return WS_OK;
}

int ws_stack_use(ws_stack *s, uint64_t block, uint64_t *distance)
{
    const int status = s->now == s->room ? renumber(s) : WS_OK;
    uint64_t *const last = status ? NULL : ws_table_put(&s->last, block);
    if (!last)
        return WS_EMEM;
    *distance = *last ? s->last.used - up_to(s, *last) : WS_STACK_FIRST;
    if (*last)
        add(s, *last, -1);
    *last = ++s->now;
    add(s, s->now, 1);
    return WS_OK;
}
