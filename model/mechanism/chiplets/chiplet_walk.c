/* chiplet_walk.c - see chiplet_walk.h. */
#include "model/mechanism/chiplets/chiplet_walk.h"

#include "base/status.h"
#include "base/table.h"
#include "model/access_order.h"
#include "model/mechanism/chiplets/warp_clocks.h"
#include "model/coalesce_model.h"
#include "model/instruction_times.h"

#include <stdlib.h>

enum { WORD_BYTES = 4, LEAST_LINE = 32 };
#define APART ((uint64_t)1 << 50) /* lines between the local memories of chiplets, whose SMs have the same numbers */

struct ws_chiplet_walk {
    ws_chiplet_walk_machine machine;
    ws_cache l1;
    char *l1s;        /* [chiplets * sms] of l1.bytes */
    ws_table *coming; /* [chiplets * sms] lines that an L1 asked for in this launch: a uint64_t, when they are there */
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
        return ws_fail(WS_EINPUT, "lines of %u bytes; expected a power of two from %d to %d", m->line, LEAST_LINE,
                       WS_LOG_LINE);
    int status = ws_cache_setup(&w->l1, &m->l1, m->l1_sets, m->l1_ways, false);
    if (status)
        return status;
    m->l2.chiplets = m->chiplets;
    m->l2.words = m->line / WORD_BYTES;
    w->l1s = calloc((size_t)m->chiplets * m->sms, l1_bytes(w));
    if (!w->l1s)
        return ws_fail(WS_EMEM, "no memory for the L1s of chiplets");
    empty_l1s(w);
    w->coming = calloc((size_t)m->chiplets * m->sms, sizeof *w->coming);
    if (!w->coming)
        return ws_fail(WS_EMEM, "no memory for the L1s of chiplets");
    for (uint32_t i = 0; i < m->chiplets * m->sms; i++)
        w->coming[i] = WS_TABLE(uint64_t);
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
    for (uint32_t i = 0; w->coming && i < w->machine.chiplets * w->machine.sms; i++)
        ws_table_fini(&w->coming[i]);
    free(w->coming);
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

/* Does the L1 serve it? Polls pass it by. */
static bool served(const ws_chiplet_walk *w, void *l1, const ws_cache_use *use, ws_chiplet_access kind)
{
    if (!w->machine.l1_enabled || kind == WS_CHIPLET_POLL)
        return false;
    const uint32_t line = ws_cache_find_served(&w->l1, l1, use->block);
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

/* *ready: when the answer is at the SM. */
static int ask_l2(const ws_chiplet_walk *w, uint32_t chiplet, const ws_ordered_access *a, const ws_cache_use *use,
                  ws_chiplet_access kind, uint64_t *ready)
{
    ws_chiplet_request r = {.chiplet = chiplet, .line = use->block, .mask = use->mask, .kind = kind, .now = a->clock};
    int status = w->machine.home(w->machine.context, &r);
    if (!status)
        status = ws_chiplet_l2_access(w->l2, &r, ready);
    *ready += w->machine.l2_cycles;
    return status;
}

static int ask(const ws_chiplet_walk *w, ws_warp_clocks *clocks, uint32_t chiplet, const ws_ordered_access *a,
               uint64_t line, uint32_t mask, ws_chiplet_access kind)
{
    static const uint8_t kinds[] = {[WS_CHIPLET_LOAD] = WS_CACHE_LOAD,
                                    [WS_CHIPLET_STORE] = WS_CACHE_STORE,
                                    [WS_CHIPLET_ATOMIC] = WS_CACHE_ATOMIC,
                                    [WS_CHIPLET_POLL] = WS_CACHE_LOAD};
    const ws_cache_use use = {
        .block = line, .mask = mask, .sm = (uint16_t)a->sm, .warp = (uint16_t)a->warp, .kind = kinds[kind]};
    uint64_t *const there =
        kind == WS_CHIPLET_LOAD ? ws_table_put(&w->coming[chiplet * w->machine.sms + a->sm], line) : NULL;
    uint64_t ready = a->clock;
    int status = kind == WS_CHIPLET_LOAD && !there ? WS_EMEM : WS_OK;
    const bool hits = !status && served(w, l1_of(w, chiplet, a->sm), &use, kind);
    if (hits || (there && w->machine.l1_enabled && *there > a->clock))
        ready = *there > ready ? *there : ready;
    else if (!status)
        status = ask_l2(w, chiplet, a, &use, kind, &ready);
    if (there)
        *there = ready;
    if (kind != WS_CHIPLET_LOAD && kind != WS_CHIPLET_POLL)
        ws_warp_clocks_performed(clocks, a, ready);
    if (kind != WS_CHIPLET_STORE)
        ws_warp_clocks_answer(clocks, a, ready + (kind == WS_CHIPLET_ATOMIC ? 0 : w->machine.l1_cycles));
    return status;
}

/* The log has lines of 128 bytes; those of the machine are parts of them. */
static int split(const ws_chiplet_walk *w, ws_warp_clocks *clocks, uint32_t chiplet, const ws_ordered_access *a)
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
            status = ask(w, clocks, chiplet, a, (a->line + own) * parts + i, mask, kind);
    }
    return status;
}

/* Caches of textures and constants are not looked at. */
static int take(const ws_chiplet_walk *w, ws_warp_clocks *clocks, uint32_t chiplet, ws_access_order *order,
                const ws_ordered_access *a)
{
    ws_warp_clocks_come(clocks, a);
    const int status = a->kind <= WS_LOG_ATOMIC ? split(w, clocks, chiplet, a) : WS_OK;
    if (a->kind == WS_LOG_FETCH)
        ws_warp_clocks_answer(clocks, a, a->clock + (a->constant ? WS_TIME_CONSTANT_LOAD : WS_TIME_TEXTURE_LOAD));
    if (!status && !a->more)
        ws_warp_clocks_go_on(clocks, order, a);
    return status;
}

/* What a chiplet does of a launch: its blocks, as if they were a launch; NULL: it has none. */
typedef struct part {
    ws_access_log log;
    ws_access_order *order;
    ws_warp_clocks *clocks;
    bool over;
} part;

static void destroy_parts(part *parts, uint32_t chiplets)
{
    for (uint32_t i = 0; i < chiplets; i++) {
        ws_access_order_destroy(parts[i].order);
        ws_warp_clocks_destroy(parts[i].clocks);
    }
}

static int make_part(const ws_chiplet_walk *w, const ws_access_log *log, uint32_t residents, uint32_t chiplet,
                     part *out)
{
    const uint64_t first = ws_chiplet_first_block(chiplet, log->blocks, w->machine.chiplets);
    const uint64_t past = ws_chiplet_first_block(chiplet + 1, log->blocks, w->machine.chiplets);
    *out = (part){.log = *log, .over = past <= first};
    out->log.first = log->first + first;
    out->log.blocks = past - first;
    if (out->over)
        return WS_OK;
    int status = ws_access_order_create(&out->log, w->machine.sms, residents, 0, &out->order);
    if (!status)
        status =
            ws_warp_clocks_create(w->machine.sms, residents * log->warps_per_block, log->warps_per_block, &out->clocks);
    if (!status)
        ws_access_order_give_all(out->order);
    return status;
}

/* The chiplet that is behind, or `chiplets`: none has anything left. */
static uint32_t next_chiplet(const ws_chiplet_walk *w, const part *parts)
{
    uint32_t next = w->machine.chiplets;
    for (uint32_t i = 0; i < w->machine.chiplets; i++)
        if (!parts[i].over && (next == w->machine.chiplets ||
                               ws_access_order_turn(parts[i].order) < ws_access_order_turn(parts[next].order)))
            next = i;
    return next;
}

/* As long as the busiest chiplet issues: as if memory answered at once. */
static int find_issue_cycles(const ws_chiplet_walk *w, uint32_t residents, const part *parts, uint64_t *cycles)
{
    int status = WS_OK;
    *cycles = 0;
    for (uint32_t i = 0; i < w->machine.chiplets && !status; i++) {
        ws_access_order *order = NULL;
        ws_ordered_access a;
        if (!parts[i].order)
            continue;
        status = ws_access_order_create(&parts[i].log, w->machine.sms, residents, 0, &order);
        while (!status && ws_access_order_next(order, &a))
            ;
        if (!status && ws_access_order_now(order) > *cycles)
            *cycles = ws_access_order_now(order);
        ws_access_order_destroy(order);
    }
    return status;
}

int ws_chiplet_walk_run(ws_chiplet_walk *w, const ws_access_log *log, uint32_t residents, uint64_t *cycles)
{
    part parts[WS_CHIPLETS_MOST] = {{.order = NULL}};
    int status = WS_OK;
    if (w->machine.l1_flush)
        empty_l1s(w);
    for (uint32_t i = 0; i < w->machine.chiplets * w->machine.sms; i++)
        ws_table_clear(&w->coming[i]);
    for (uint32_t i = 0; i < w->machine.chiplets && !status; i++)
        status = make_part(w, log, residents, i, &parts[i]);
    for (uint32_t i; !status && (i = next_chiplet(w, parts)) < w->machine.chiplets;) {
        ws_ordered_access a;
        parts[i].over = !ws_access_order_next(parts[i].order, &a);
        if (!parts[i].over)
            status = take(w, parts[i].clocks, i, parts[i].order, &a);
    }
    if (!status)
        status = find_issue_cycles(w, residents, parts, cycles);
    destroy_parts(parts, w->machine.chiplets);
    return status;
}
