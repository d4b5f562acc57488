/* chiplet_walk.c - see chiplet_walk.h. */
#include "model/chiplets/chiplet_walk.h"

#include "base/status.h"
#include "model/access_order.h"
#include "model/coalesce.h"

#include <stdlib.h>

enum { WORD_BYTES = 4, LEAST_LINE = 32, SM_WARPS = 64 };
#define APART ((uint64_t)1 << 50) /* lines between the local memories of chiplets, whose SMs have the same numbers */

struct ws_chiplet_walk {
    ws_chiplet_walk_machine machine;
    ws_cache l1;
    char *l1s; /* [chiplets * sms] of l1.bytes */
    ws_chiplet_l2 *l2;
};

static size_t l1_bytes(const ws_chiplet_walk *w)
{
    return (w->l1.bytes + 7) & ~(size_t)7;
}

static void *l1_of(const ws_chiplet_walk *w, uint32_t chiplet, uint32_t sm)
{
    return w->l1s + ((size_t)chiplet * w->machine.sms + sm) * l1_bytes(w);
}

static void empty_l1s(ws_chiplet_walk *w)
{
    for (uint32_t i = 0; i < w->machine.chiplets; i++)
        for (uint32_t sm = 0; sm < w->machine.sms; sm++)
            ws_cache_init(&w->l1, l1_of(w, i, sm));
}

static int setup(ws_chiplet_walk *w)
{
    ws_chiplet_walk_machine *const m = &w->machine;
    if (m->line < LEAST_LINE || m->line > WS_LOG_LINE || m->line & (m->line - 1))
        return ws_fail(WS_EINPUT, "lines of %u bytes; expected a power of two from %d to %d", m->line, LEAST_LINE, WS_LOG_LINE);
    int status = ws_cache_setup(&w->l1, &m->l1, m->l1_sets, m->l1_ways, false);
    if (status)
        return status;
    m->l2.chiplets = m->chiplets;
    m->l2.words = m->line / WORD_BYTES;
    w->l1s = calloc((size_t)m->chiplets * m->sms, l1_bytes(w));
    if (!w->l1s)
        return ws_fail(WS_EMEM, "no memory for the L1s of chiplets");
    empty_l1s(w);
    return ws_chiplet_l2_create(&m->l2, &w->l2);
}

int ws_chiplet_walk_create(const ws_chiplet_walk_machine *machine, ws_chiplet_walk **out)
{
    ws_chiplet_walk *const w = *out = calloc(1, sizeof *w);
    if (!w)
        return ws_fail(WS_EMEM, "no memory for chiplets");
    w->machine = *machine;
    const int status = setup(w);
    if (status) {
        ws_chiplet_walk_destroy(w);
        *out = NULL;
    }
    return status;
}

void ws_chiplet_walk_destroy(ws_chiplet_walk *w)
{
    if (!w)
        return;
    ws_chiplet_l2_destroy(w->l2);
    free(w->l1s);
    free(w);
}

ws_chiplet_l2 *ws_chiplet_walk_l2(ws_chiplet_walk *w)
{
    return w->l2;
}

/* ------------------------------------------------------------------------------------------------ L1 */

static void bring_in(const ws_chiplet_walk *w, void *l1, const ws_cache_use *use)
{
    uint64_t old;
    ws_cache_miss(&w->l1, l1, use);
    const uint32_t line = ws_cache_choose(&w->l1, l1, use, NULL);
    if (line == WS_CACHE_NONE || line == WS_CACHE_BYPASS) {
        ws_cache_pass(&w->l1, l1, use);
        return;
    }
    if (ws_cache_holds(&w->l1, l1, line, &old))
        ws_cache_drop(&w->l1, l1, line, (ws_cache_end){.replaced = true});
    ws_cache_put(&w->l1, l1, line, use);
}

/* Does the L1 serve it? */
static bool served(const ws_chiplet_walk *w, void *l1, const ws_cache_use *use, ws_chiplet_access kind)
{
    if (!w->machine.l1_enabled)
        return false;
    const uint32_t line = ws_cache_find(&w->l1, l1, use->block);
    const bool there = line != WS_CACHE_NONE;
    if (kind == WS_CHIPLET_LOAD && !there)
        bring_in(w, l1, use);
    else if (there && (kind == WS_CHIPLET_LOAD || (kind == WS_CHIPLET_STORE && w->machine.l1_keeps_stores)))
        ws_cache_touch(&w->l1, l1, line, use);
    else if (there)
        ws_cache_drop(&w->l1, l1, line, (ws_cache_end){.replaced = false});
    return there && kind == WS_CHIPLET_LOAD;
}

/* ------------------------------------------------------------------------------------------------ accesses */

static int ask(const ws_chiplet_walk *w, uint32_t chiplet, const ws_ordered_access *a, uint64_t line, uint32_t mask, ws_chiplet_access kind)
{
    static const uint8_t kinds[] = {[WS_CHIPLET_LOAD] = WS_CACHE_LOAD, [WS_CHIPLET_STORE] = WS_CACHE_STORE,
                                    [WS_CHIPLET_ATOMIC] = WS_CACHE_ATOMIC, [WS_CHIPLET_POLL] = WS_CACHE_LOAD};
    const ws_cache_use use = {.block = line, .mask = mask, .sm = (uint16_t)a->sm, .warp = (uint16_t)a->warp, .kind = kinds[kind]};
    uint32_t home;
    if (served(w, l1_of(w, chiplet, a->sm), &use, kind))
        return WS_OK;
    const int status = w->machine.home(w->machine.context, line, chiplet, kind != WS_CHIPLET_STORE, mask, &home);
    return status ? status : ws_chiplet_l2_access(w->l2, chiplet, home, line, mask, kind, a->now, a->sm * SM_WARPS + a->warp);
}

/* The log has lines of 128 bytes; those of the machine are parts of them. */
static int split(const ws_chiplet_walk *w, uint32_t chiplet, const ws_ordered_access *a)
{
    const uint32_t parts = WS_LOG_LINE / w->machine.line, words = w->machine.line / WORD_BYTES;
    const ws_chiplet_access kind = a->kind == WS_LOG_STORE    ? WS_CHIPLET_STORE
                                   : a->kind == WS_LOG_ATOMIC ? WS_CHIPLET_ATOMIC
                                   : a->poll                  ? WS_CHIPLET_POLL
                                                              : WS_CHIPLET_LOAD;
    const uint64_t own = a->line >= WS_LOCAL_BASE / WS_LOG_LINE ? APART * chiplet : 0;
    int status = WS_OK;
    for (uint32_t i = 0; i < parts && !status; i++) {
        const uint32_t mask = a->mask >> (i * words) & UINT32_MAX >> (WS_LOG_WORDS - words);
        if (mask)
            status = ask(w, chiplet, a, (a->line + own) * parts + i, mask, kind);
    }
    return status;
}

static void destroy_orders(ws_access_order **order, uint32_t chiplets)
{
    for (uint32_t i = 0; i < chiplets; i++)
        ws_access_order_destroy(order[i]);
}

/* The blocks of each chiplet, as if they were a launch. */
static int make_orders(const ws_chiplet_walk *w, const ws_access_log *log, uint32_t residents, ws_access_log *part, ws_access_order **order)
{
    int status = WS_OK;
    for (uint32_t i = 0; i < w->machine.chiplets && !status; i++) {
        const uint64_t first = ws_chiplet_first_block(i, log->blocks, w->machine.chiplets);
        const uint64_t past = ws_chiplet_first_block(i + 1, log->blocks, w->machine.chiplets);
        part[i] = *log;
        part[i].first = log->first + first;
        part[i].blocks = past - first;
        if (past > first)
            status = ws_access_order_create(&part[i], w->machine.sms, residents, 0, &order[i]);
    }
    return status;
}

/* The chiplet that is behind, or `chiplets`: none has anything left. */
static uint32_t next_chiplet(const ws_chiplet_walk *w, ws_access_order *const *order, const bool *over)
{
    uint32_t next = w->machine.chiplets;
    for (uint32_t i = 0; i < w->machine.chiplets; i++)
        if (order[i] && !over[i] &&
            (next == w->machine.chiplets || ws_access_order_turn(order[i]) < ws_access_order_turn(order[next])))
            next = i;
    return next;
}

int ws_chiplet_walk_run(ws_chiplet_walk *w, const ws_access_log *log, uint32_t residents, uint64_t *cycles)
{
    ws_access_log part[WS_CHIPLETS_MOST];
    ws_access_order *order[WS_CHIPLETS_MOST] = {NULL};
    bool over[WS_CHIPLETS_MOST] = {false};
    if (w->machine.l1_flush)
        empty_l1s(w);
    int status = make_orders(w, log, residents, part, order);
    for (uint32_t i; !status && (i = next_chiplet(w, order, over)) < w->machine.chiplets;) {
        ws_ordered_access a;
        over[i] = !ws_access_order_next(order[i], &a);
        if (!over[i] && a.kind <= WS_LOG_ATOMIC)
            status = split(w, i, &a);
    }
    *cycles = 0;
    for (uint32_t i = 0; i < w->machine.chiplets && !status; i++)
        if (order[i] && ws_access_order_now(order[i]) > *cycles)
            *cycles = ws_access_order_now(order[i]);
    destroy_orders(order, w->machine.chiplets);
    return status;
}
