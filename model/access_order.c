/* access_order.c - CTAs to SMs, warps in turn. */
#include "model/access_order.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t LOCAL_LINE = (UINT64_C(1) << 50) / WS_LOG_LINE;
enum { LOCAL_WARPS = 64 }; /* of an SM, for the places of their local memory */

typedef struct warp {
    uint32_t entry;         /* its next */
    uint32_t tag;           /* of the instruction it is in */
    uint32_t cycles, phase; /* the first: from its last access to what it passed since that is not given */
    uint32_t before;        /* instructions of that */
    uint64_t wake;          /* of one at a barrier, when it has passed that */
    uint64_t ready, issued; /* not before the former comes its access; when its instructions before that were issued */
    bool live, at_barrier, begun,
        free; /* begun: the instructions before `entry` are done; free: a barrier has just let it go */
} warp;

typedef struct place {
    uint32_t live; /* warps; 0: free */
    uint32_t tail; /* cycles from the last access of a CTA to its end */
    uint32_t phase;
} place;

typedef struct core {
    uint64_t clock; /* UINT64_MAX: nothing to do */
    uint32_t turn;  /* the warp that is asked first */
    uint64_t next;  /* where CTAs are placed: none of its own is left before this one */
    warp *warp;
    uint64_t *due; /* [warps] when each can go on; UINT64_MAX: it waits at a barrier, or there is none */
    place *place;
} core;

struct ws_access_order {
    const ws_access_log *log;
    uint32_t sms, warps_per_block;
    uint32_t cores, residents, warps; /* SMs that get a CTA, CTAs and warps of such an SM */
    uint64_t next_cta, now;
    const uint32_t *placed; /* SM of each CTA; NULL: whoever has room takes the next */
    core *core;
    uint32_t *heap; /* [sms] by their clocks, the least first; that of the first may have moved on */
    uint32_t *head; /* [warps_per_block] scratch: first entries of a CTA's warps */
    /* The access given last, and whether its instruction goes on. */
    uint32_t sm, current, given;
    bool more;
    bool all; /* fetches and barriers are given, too */
};

static int build(ws_access_order *o)
{
    o->core = calloc(o->cores, sizeof *o->core);
    o->head = calloc(o->warps_per_block + 1, sizeof *o->head);
    o->heap = calloc(o->cores, sizeof *o->heap);
    if (!o->core || !o->head || !o->heap)
        return ws_fail(WS_EMEM, "no memory for the order of accesses");
    for (uint32_t i = 0; i < o->cores; i++) {
        o->core[i].warp = calloc(o->warps + 1, sizeof *o->core[i].warp);
        o->core[i].due = malloc((o->warps + 1) * sizeof *o->core[i].due);
        o->core[i].place = calloc(o->residents, sizeof *o->core[i].place);
        if (!o->core[i].warp || !o->core[i].due || !o->core[i].place)
            return ws_fail(WS_EMEM, "no memory for the order of accesses");
        memset(o->core[i].due, 0xff, (o->warps + 1) * sizeof *o->core[i].due);
    }
    return WS_OK;
}

static void find_heads(ws_access_order *o, uint64_t cta)
{
    uint32_t missing = o->warps_per_block;
    memset(o->head, 0xff, o->warps_per_block * sizeof *o->head);
    for (uint64_t i = o->log->first[cta]; i < o->log->first[cta + 1] && missing; i++) {
        const uint16_t w = o->log->entry[i].warp;
        if (o->head[w] == UINT32_MAX) {
            o->head[w] = (uint32_t)i;
            missing--;
        }
    }
}

/* The SM's next CTA, or that there is none. */
static bool next_cta(ws_access_order *o, uint32_t sm, uint64_t *cta)
{
    uint64_t *const next = o->placed ? &o->core[sm].next : &o->next_cta;
    while (o->placed && *next < o->log->blocks && o->placed[*next] != sm)
        ++*next;
    *cta = *next;
    return *next < o->log->blocks;
}

static void start_cta(ws_access_order *o, uint32_t sm, uint32_t at, uint64_t cta)
{
    core *const c = &o->core[sm];
    find_heads(o, cta);
    ++*(o->placed ? &c->next : &o->next_cta);
    c->place[at].live = o->warps_per_block;
    c->place[at].phase++;
    for (uint32_t i = 0; i < o->warps_per_block; i++) {
        c->warp[at * o->warps_per_block + i] =
            (warp){.entry = o->head[i], .live = true, .phase = c->place[at].phase, .cycles = c->place[at].tail};
        c->due[at * o->warps_per_block + i] = 0;
    }
    c->place[at].tail = 0;
}

static void start_all(ws_access_order *o, uint64_t start)
{
    uint64_t cta;
    for (uint32_t at = 0; at < o->residents; at++)
        for (uint32_t sm = 0; sm < o->cores; sm++)
            if (next_cta(o, sm, &cta))
                start_cta(o, sm, at, cta);
    uint32_t busy = 0, idle = o->cores; /* those without a block are the last */
    for (uint32_t sm = 0; sm < o->cores; sm++) {
        const bool has = o->core[sm].place[0].live != 0;
        o->core[sm].clock = has ? start : UINT64_MAX;
        o->heap[has ? busy++ : --idle] = sm;
    }
    o->now = start;
}

uint32_t ws_access_order_cores(const ws_access_log *log, uint32_t sms)
{
    return log->blocks >= sms ? sms : log->blocks ? (uint32_t)log->blocks : 1;
}

uint32_t ws_access_order_residents(const ws_access_log *log, uint32_t sms, uint32_t residents)
{
    const uint64_t most = (log->blocks + sms - 1) / sms; /* CTAs go to SMs in turn */
    return most >= residents ? residents : most ? (uint32_t)most : 1;
}

int ws_access_order_create(const ws_access_log *log, uint32_t sms, uint32_t residents, uint64_t start,
                           ws_access_order **out)
{
    return ws_access_order_create_placed(log, sms, residents, start, NULL, out);
}

int ws_access_order_create_placed(const ws_access_log *log, uint32_t sms, uint32_t residents, uint64_t start,
                                  const uint32_t *sm, ws_access_order **out)
{
    *out = NULL;
    ws_access_order *const o = calloc(1, sizeof *o);
    if (!o)
        return ws_fail(WS_EMEM, "no memory for the order of accesses");
    const uint32_t cores = sm ? sms : ws_access_order_cores(log, sms);
    if (!sm)
        residents = ws_access_order_residents(log, sms, residents);
    *o = (ws_access_order){.log = log,
                           .placed = sm,
                           .sms = sms,
                           .cores = cores,
                           .residents = residents,
                           .warps_per_block = log->warps_per_block,
                           .warps = residents * log->warps_per_block};
    const int status = build(o);
    if (status) {
        ws_access_order_destroy(o);
        return status;
    }
    start_all(o, start);
    *out = o;
    return WS_OK;
}

void ws_access_order_destroy(ws_access_order *order)
{
    if (!order)
        return;
    for (uint32_t i = 0; order->core && i < order->cores; i++) {
        free(order->core[i].warp);
        free(order->core[i].due);
        free(order->core[i].place);
    }
    free(order->core);
    free(order->heap);
    free(order->head);
    free(order);
}

/* ------------------------------------------------------------------------------------------------ barriers, ends */

/* Lets go who waits at this barrier when all have come that it waits for: so many warps, or all that are left. */
static void try_release(const ws_access_order *o, core *c, uint32_t at, uint64_t barrier)
{
    warp *const w = &c->warp[at * o->warps_per_block];
    uint32_t waiting = 0, live = 0, here = 0;
    for (uint32_t i = 0; i < o->warps_per_block; i++) {
        live += w[i].live;
        waiting += w[i].at_barrier;
        here += w[i].at_barrier && o->log->entry[w[i].entry].line == barrier;
    }
    const uint32_t expected = (uint32_t)(barrier >> 8);
    if (waiting < live && (!expected || here < expected))
        return;
    for (uint32_t i = 0; i < o->warps_per_block; i++)
        if (w[i].at_barrier && (waiting == live || o->log->entry[w[i].entry].line == barrier)) {
            w[i].at_barrier = false;
            w[i].free = true;
            c->due[at * o->warps_per_block + i] = w[i].wake;
            w[i].phase++;
            if (w[i].phase > c->place[at].phase)
                c->place[at].phase = w[i].phase;
            w[i].entry = o->log->entry[w[i].entry].next;
        }
}

static void arrive(const ws_access_order *o, core *c, uint32_t index)
{
    c->warp[index].at_barrier = true;
    c->warp[index].wake = c->due[index];
    c->due[index] = UINT64_MAX;
    if (!o->all)
        c->warp[index].cycles += o->log->entry[c->warp[index].entry].cycles;
    try_release(o, c, index / o->warps_per_block, o->log->entry[c->warp[index].entry].line);
}

static void end_warp(ws_access_order *o, uint32_t sm, uint32_t index)
{
    core *const c = &o->core[sm];
    const uint32_t at = index / o->warps_per_block;
    c->warp[index].live = false;
    c->due[index] = UINT64_MAX;
    const uint32_t tail = c->warp[index].cycles + o->log->entry[c->warp[index].entry].cycles;
    if (tail > c->place[at].tail)
        c->place[at].tail = tail;
    if (--c->place[at].live) {
        for (uint32_t i = 0; i < o->warps_per_block; i++)
            if (c->warp[at * o->warps_per_block + i].at_barrier) {
                try_release(o, c, at, o->log->entry[c->warp[at * o->warps_per_block + i].entry].line);
                return;
            }
    } else {
        uint64_t cta;
        if (next_cta(o, sm, &cta))
            start_cta(o, sm, at, cta);
    }
}

/* ------------------------------------------------------------------------------------------------ turns */

/* The next warp that can go; when none can now, the clock moves to when one can. UINT32_MAX: none is left. */
static uint32_t choose_warp(const ws_access_order *o, core *c)
{
    uint64_t soonest = UINT64_MAX;
    for (uint32_t i = c->turn; i < o->warps; i++) {
        if (c->due[i] <= c->clock)
            return i;
        soonest = c->due[i] < soonest ? c->due[i] : soonest;
    }
    for (uint32_t i = 0; i < c->turn; i++) {
        if (c->due[i] <= c->clock)
            return i;
        soonest = c->due[i] < soonest ? c->due[i] : soonest;
    }
    c->clock = soonest;
    return UINT32_MAX;
}

/* Of SMs with equal clocks the one with the least number. */
static bool is_before(const ws_access_order *o, uint32_t sm, uint32_t other)
{
    const uint64_t clock = o->core[sm].clock, others = o->core[other].clock;
    return clock < others || (clock == others && sm < other);
}

static uint32_t choose_core(const ws_access_order *o)
{
    const uint32_t moved = o->heap[0];
    uint32_t at = 0;
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= o->cores)
            break;
        child += child + 1 < o->cores && is_before(o, o->heap[child + 1], o->heap[child]);
        if (!is_before(o, o->heap[child], moved))
            break;
        o->heap[at] = o->heap[child];
        at = child;
    }
    o->heap[at] = moved;
    return o->heap[0];
}

/* What its warp does, and when. */
static void describe(ws_access_order *o, uint32_t sm, uint32_t index, ws_ordered_access *out)
{
    core *const c = &o->core[sm];
    warp *const w = &c->warp[index];
    const ws_log_entry *const e = &o->log->entry[w->entry];
    if (!(e->flags & WS_LOG_MORE))
        w->tag = w->entry;
    out->cycles = w->cycles + e->cycles;
    out->slack = e->slack;
    out->phase = w->phase;
    w->cycles = 0;
    out->tag = w->tag;
    out->sm = sm;
    out->warp = index;
    out->mask = e->mask;
    out->kind = e->kind;
    out->poll = e->flags & WS_LOG_POLL;
    out->constant = e->flags & WS_LOG_CONSTANT;
    out->wide = e->flags & WS_LOG_WIDE;
    out->again = e->flags & WS_LOG_UPDATE && e->flags & WS_LOG_AGAIN;
    out->update = e->flags & WS_LOG_UPDATE && !out->again ? o->log->update[e->pc] : 0;
    o->now = c->clock > o->now ? c->clock : o->now;
    out->now = o->now;
    out->clock = c->clock;
    out->issued = w->ready ? w->issued++ : c->clock;
    out->released = false;
    o->sm = sm;
    o->current = index;
    o->given = w->entry;
}

/* A barrier, of which its warp's next access knows no more than that it passed one. */
static void give_barrier(ws_access_order *o, uint32_t sm, uint32_t index, ws_ordered_access *out)
{
    describe(o, sm, index, out);
    out->line = 0;
    out->next_before = out->next_cycles = 0;
    out->more = o->more = false;
}

static void give(ws_access_order *o, uint32_t sm, uint32_t index, ws_ordered_access *out)
{
    core *const c = &o->core[sm];
    warp *const w = &c->warp[index];
    const ws_log_entry *const e = &o->log->entry[w->entry];
    uint64_t line = e->line;
    if (e->flags & WS_LOG_LOCAL)
        line = LOCAL_LINE + line * o->sms * LOCAL_WARPS + (uint64_t)sm * LOCAL_WARPS + index % LOCAL_WARPS;
    describe(o, sm, index, out);
    out->line = line;
    c->clock++;
    w->entry = e->next;
    const ws_log_entry *const next = &o->log->entry[e->next];
    w->begun = o->more = next->flags & WS_LOG_MORE;
    out->more = o->more;
    out->next_before = next->before;
    out->next_cycles = next->cycles;
}

/* Fetches that are not given are instructions as others. */
static void pass_fetches(const ws_access_order *o, warp *w)
{
    for (const ws_log_entry *e = &o->log->entry[w->entry]; e->kind == WS_LOG_FETCH; e = &o->log->entry[w->entry]) {
        w->before += e->before + !(e->flags & WS_LOG_MORE);
        w->cycles += e->cycles;
        w->entry = e->next;
    }
}

/* One turn of an SM: false when it gave no access. Instructions before an access are a turn of their own, so that other
 * SMs can catch up. */
static bool take_turn(ws_access_order *o, uint32_t sm, ws_ordered_access *out)
{
    core *const c = &o->core[sm];
    const uint32_t index = choose_warp(o, c);
    if (index == UINT32_MAX)
        return false;
    warp *const w = &c->warp[index];
    if (!o->all)
        pass_fetches(o, w);
    const ws_log_entry *const e = &o->log->entry[w->entry];
    const uint32_t before = w->before + e->before;
    const bool begins = !w->begun && before;
    w->begun = begins;
    c->turn = begins ? index : index + 1 < o->warps ? index + 1 : 0;
    if (begins) {
        c->clock += before;
        w->issued = c->clock;
        c->due[index] = w->ready > c->due[index] ? w->ready : c->due[index];
        return false;
    }
    w->before = 0;
    const bool barrier = e->kind == WS_LOG_BARRIER, access = e->kind <= WS_LOG_FETCH;
    if (access)
        give(o, sm, index, out);
    else if (barrier && o->all)
        give_barrier(o, sm, index, out);
    if (barrier)
        arrive(o, c, index);
    else if (!access)
        end_warp(o, sm, index);
    out->released = barrier && !w->at_barrier;
    return access || (barrier && o->all);
}

bool ws_access_order_next(ws_access_order *o, ws_ordered_access *out)
{
    if (o->more) {
        give(o, o->sm, o->current, out);
        return true;
    }
    for (;;) {
        const uint32_t sm = choose_core(o);
        if (o->core[sm].clock == UINT64_MAX)
            return false;
        if (take_turn(o, sm, out))
            return true;
    }
}

void ws_access_order_give_all(ws_access_order *order)
{
    order->all = true;
}

void ws_access_order_wait(ws_access_order *o, uint64_t until)
{
    warp *const w = &o->core[o->sm].warp[o->current];
    w->entry = o->given;
    w->begun = true;
    o->more = false;
    o->core[o->sm].clock -= o->all;
    o->core[o->sm].due[o->current] = until;
}

void ws_access_order_sleep(ws_access_order *o, uint64_t from, uint64_t ready)
{
    o->core[o->sm].due[o->current] = from;
    o->core[o->sm].warp[o->current].ready = ready;
}

void ws_access_order_resume(ws_access_order *o, uint64_t from)
{
    core *const c = &o->core[o->sm];
    const uint32_t first = o->current / o->warps_per_block * o->warps_per_block;
    for (uint32_t i = first; i < first + o->warps_per_block; i++) {
        if (!c->warp[i].free)
            continue;
        c->due[i] = from;
        c->warp[i].ready = from + o->log->entry[c->warp[i].entry].cycles;
        c->warp[i].free = false;
    }
}

void ws_access_order_wake(ws_access_order *order, uint32_t sm, uint32_t number, uint64_t until)
{
    core *const c = &order->core[sm];
    if (c->warp[number].at_barrier)
        c->warp[number].wake = until;
    else if (c->warp[number].live)
        c->due[number] = until;
}

uint64_t ws_access_order_turn(const ws_access_order *order)
{
    return order->core[choose_core(order)].clock;
}

uint64_t ws_access_order_now(const ws_access_order *o)
{
    return o->now;
}
