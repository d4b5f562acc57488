/* warp_clocks.c - see warp_clocks.h. */
#include "model/mechanism/chiplets/warp_clocks.h"

#include "base/status.h"

#include <stdlib.h>

typedef struct warp {
    uint64_t now;
    uint64_t back;      /* when all is there that it asked for ... */
    uint64_t performed; /* ... and all is done that it stored */
    uint32_t slack;     /* its own cycles until it needs what it asked for */
    uint32_t tag;
} warp;

struct ws_warp_clocks {
    uint32_t warps, warps_per_block; /* of an SM */
    warp *warp;                      /* [sms][warps] */
};

int ws_warp_clocks_create(uint32_t sms, uint32_t warps, uint32_t warps_per_block, ws_warp_clocks **out)
{
    ws_warp_clocks *const c = *out = calloc(1, sizeof *c);
    if (!c)
        return ws_fail(WS_EMEM, "no memory for the clocks of warps");
    *c = (ws_warp_clocks){
        .warps = warps, .warps_per_block = warps_per_block, .warp = calloc((size_t)sms * warps + 1, sizeof *c->warp)};
    if (!c->warp) {
        ws_warp_clocks_destroy(c);
        *out = NULL;
        return ws_fail(WS_EMEM, "no memory for the clocks of warps");
    }
    for (size_t i = 0; i < (size_t)sms * warps; i++)
        c->warp[i].tag = UINT32_MAX;
    return WS_OK;
}

void ws_warp_clocks_destroy(ws_warp_clocks *clocks)
{
    if (!clocks)
        return;
    free(clocks->warp);
    free(clocks);
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static warp *warp_of(const ws_warp_clocks *c, const ws_ordered_access *a)
{
    return &c->warp[(size_t)a->sm * c->warps + a->warp];
}

/* When the warp has gone on for so many cycles of its own, and for what it needed meanwhile. */
static uint64_t after(const warp *w, uint32_t cycles)
{
    return later(w->now + cycles, cycles >= w->slack ? w->back + (cycles - w->slack) : 0);
}

void ws_warp_clocks_come(ws_warp_clocks *clocks, const ws_ordered_access *a)
{
    warp *const w = warp_of(clocks, a);
    w->now = a->clock;
    if (a->tag == w->tag)
        return;
    w->tag = a->tag;
    w->slack -= a->cycles < w->slack ? a->cycles : w->slack;
    if (a->kind == WS_LOG_FENCE)
        w->now = later(w->now, later(w->back, w->performed));
    if ((a->kind == WS_LOG_LOAD || a->kind == WS_LOG_ATOMIC || a->kind == WS_LOG_FETCH) &&
        (!w->slack || a->slack < w->slack))
        w->slack = a->slack;
}

void ws_warp_clocks_answer(ws_warp_clocks *clocks, const ws_ordered_access *a, uint64_t when)
{
    warp *const w = warp_of(clocks, a);
    w->back = later(w->back, when);
}

void ws_warp_clocks_performed(ws_warp_clocks *clocks, const ws_ordered_access *a, uint64_t when)
{
    warp *const w = warp_of(clocks, a);
    w->performed = later(w->performed, when);
}

static uint64_t latest_of_block(const ws_warp_clocks *c, const ws_ordered_access *a)
{
    const warp *const first = warp_of(c, a) - a->warp % c->warps_per_block;
    uint64_t latest = 0;
    for (uint32_t i = 0; i < c->warps_per_block; i++)
        latest = later(latest, after(&first[i], 0));
    return latest;
}

void ws_warp_clocks_go_on(ws_warp_clocks *clocks, ws_access_order *order, const ws_ordered_access *a)
{
    if (a->kind == WS_LOG_BARRIER) {
        if (a->released)
            ws_access_order_resume(order, latest_of_block(clocks, a));
        return;
    }
    const uint64_t ready = after(warp_of(clocks, a), a->next_cycles);
    ws_access_order_sleep(order, ready - a->next_cycles, ready);
}
