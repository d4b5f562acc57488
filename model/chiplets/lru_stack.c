/* lru_stack.c - see lru_stack.h. Numbers of uses are given anew when they run out, in the order that they had. */
#include "model/chiplets/lru_stack.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1024 };

void ws_lru_stack_fini(ws_lru_stack *s)
{
    ws_table_fini(&s->items);
    free(s->place);
    free(s->sum);
    *s = WS_LRU_STACK;
}

static void add(ws_lru_stack *s, uint64_t at, uint32_t what)
{
    for (; at <= s->room; at += at & -at)
        s->sum[at] += what;
}

static uint64_t sum_to(const ws_lru_stack *s, uint64_t at)
{
    uint64_t sum = 0;
    for (; at; at -= at & -at)
        sum += s->sum[at];
    return sum;
}

/* New numbers for all that are there: who is at place p becomes the rank-th, which the tree knows. */
static int renumber(ws_lru_stack *s)
{
    const uint64_t room = s->live * 2 < FIRST_ROOM ? FIRST_ROOM : s->live * 2;
    uint32_t *const sum = calloc(room + 1, sizeof *sum);
    if (!sum)
        return ws_fail(WS_EMEM, "no memory for the distances of lines");
    for (size_t i = 0; i < s->items.used; i++)
        if (s->place[i])
            s->place[i] = sum_to(s, s->place[i]);
    free(s->sum);
    s->sum = sum;
    s->room = room;
    s->next = s->live;
    for (size_t i = 0; i < s->items.used; i++)
        if (s->place[i])
            add(s, s->place[i], 1);
    return WS_OK;
}

static int find_or_add(ws_lru_stack *s, uint64_t line, uint32_t *item)
{
    const size_t before = s->items.used;
    uint32_t *const at = ws_table_put(&s->items, line);
    if (!at)
        return WS_EMEM;
    if (s->items.used > before) {
        *at = (uint32_t)before;
        if (WS_GROW(s->place, s->place_room, before, 1))
            return ws_fail(WS_EMEM, "no memory for the distances of lines");
        s->place[before] = 0;
    }
    *item = *at;
    return WS_OK;
}

int ws_lru_stack_use(ws_lru_stack *s, uint64_t line, uint32_t *item, uint64_t *distance)
{
    int status = find_or_add(s, line, item);
    if (!status && s->next == s->room)
        status = renumber(s);
    if (status)
        return status;
    *distance = ws_lru_stack_distance(s, *item);
    ws_lru_stack_remove(s, *item);
    s->place[*item] = ++s->next;
    s->live++;
    add(s, s->next, 1);
    return WS_OK;
}

bool ws_lru_stack_find(const ws_lru_stack *s, uint64_t line, uint32_t *item)
{
    const uint32_t *const at = ws_table_find(&s->items, line);
    if (at)
        *item = *at;
    return at;
}

uint64_t ws_lru_stack_distance(const ws_lru_stack *s, uint32_t item)
{
    return s->place[item] ? s->live - sum_to(s, s->place[item]) : WS_LRU_FAR;
}

void ws_lru_stack_remove(ws_lru_stack *s, uint32_t item)
{
    if (!s->place[item])
        return;
    add(s, s->place[item], UINT32_MAX); /* one less */
    s->place[item] = 0;
    s->live--;
}
