/* traffic_time.c - clocks of warps that wait for memory. */
#include "model/traffic_time.h"

#include "base/status.h"
#include "model/fetch_cache.h"
#include "model/instruction_times.h"

#include <stdlib.h>

enum { STORES = 4 }; /* of a warp that are remembered */

/* What a warp has asked for: loads and atomics; textures and constants. */
enum { LOADS, FETCHES, ASKED };

/* A row has a value for each clock that goes, at its number. Rows lie in ws_traffic_time.space. */
typedef uint64_t *row;

typedef struct own_store {
    uint64_t line;
    row acked;
} own_store;

typedef struct warp {
    row now;
    row back[ASKED];       /* when all is there that it asked for */
    row acked;             /* when all its stores are done */
    uint32_t slack[ASKED]; /* its own cycles until it needs that */
    uint32_t tag, phase;
    uint32_t stores;
    own_store store[STORES];
} warp;

/* L1 of an SM, and its port. */
typedef struct port {
    row unit;                   /* until when it takes nothing else */
    row free;                   /* until when blocks come */
    row read[WS_PROFILE_MSHRS]; /* when the reads in flight are back */
    uint32_t reads[WS_TIMES];
    uint64_t own[WS_PROFILE_MSHRS]; /* the same by WS_TIME_OWN, the soonest first: requests that wait for a line are
                                       overtaken */
    row fetch[WS_LOG_FETCHED][WS_PROFILE_MSHRS]; /* the same of caches of textures and constants */
    uint32_t fetches[WS_LOG_FETCHED];
} port;

typedef struct place {
    uint32_t phase; /* that begins at: */
    row gate;
} place;

struct ws_traffic_time {
    uint32_t residents, warps_per_block;
    size_t warps, sms;
    unsigned first, end, pace;                   /* clocks that go */
    warp *warp;                                  /* [sms][residents * warps_per_block] */
    place *place;                                /* [sms][residents] */
    port *port;                                  /* [sms] */
    uint64_t slice[WS_PROFILE_SLICES][WS_TIMES]; /* until when blocks go from there */
    uint64_t at[WS_TIMES];                       /* of the access */
    uint64_t held[WS_TIMES];
    ws_fetch_cache *fetched; /* from the first fetch on */
    uint64_t missed[WS_LOG_FETCHED];
    uint64_t *space, *next; /* of rows; the next one's place for clock 0 */
};

enum {
    WARP_ROWS = 1 + ASKED + 1 + STORES,
    PORT_ROWS = 2 + WS_PROFILE_MSHRS + WS_LOG_FETCHED * WS_PROFILE_MSHRS,
    PLACE_ROWS = 1
};

static row next_row(ws_traffic_time *t)
{
    const row r = t->next;
    t->next += t->end - t->first;
    return r;
}

static void set_warp(ws_traffic_time *t, warp *w, uint64_t start)
{
    w->tag = UINT32_MAX;
    w->now = next_row(t);
    w->acked = next_row(t);
    for (unsigned i = 0; i < ASKED; i++)
        w->back[i] = next_row(t);
    for (unsigned i = 0; i < STORES; i++)
        w->store[i].acked = next_row(t);
    for (unsigned k = t->first; k < t->end; k++)
        w->now[k] = start;
}

static void set_port(ws_traffic_time *t, port *p)
{
    p->unit = next_row(t);
    p->free = next_row(t);
    for (unsigned i = 0; i < WS_PROFILE_MSHRS; i++) {
        p->read[i] = next_row(t);
        for (unsigned kind = 0; kind < WS_LOG_FETCHED; kind++)
            p->fetch[kind][i] = next_row(t);
    }
}

/* Rows do not have the clocks before `first`: the space begins with room for them, so that it holds the place for
 * clock 0 of each row. */
static bool make_space(ws_traffic_time *t)
{
    const size_t rows = t->warps * WARP_ROWS + t->sms * PORT_ROWS + t->sms * t->residents * PLACE_ROWS;
    t->space = calloc(WS_TIMES + rows * (t->end - t->first), sizeof *t->space);
    t->next = t->space ? t->space + WS_TIMES - t->first : NULL;
    return t->space;
}

int ws_traffic_time_create(uint32_t sms, uint32_t residents, uint32_t warps_per_block, uint64_t start, unsigned first,
                           unsigned end, unsigned pace, ws_traffic_time **out)
{
    ws_traffic_time *const t = *out = calloc(1, sizeof *t);
    if (!t)
        return ws_fail(WS_EMEM, "no memory for the clocks of warps");
    t->residents = residents;
    t->warps_per_block = warps_per_block;
    t->sms = sms;
    t->pace = pace;
    t->first = first;
    t->end = end;
    t->warps = (size_t)sms * residents * warps_per_block;
    t->warp = calloc(t->warps + 1, sizeof *t->warp);
    t->place = calloc((size_t)sms * residents, sizeof *t->place);
    t->port = calloc(sms, sizeof *t->port);
    if (!t->warp || !t->place || !t->port || !make_space(t)) {
        ws_traffic_time_destroy(t);
        *out = NULL;
        return ws_fail(WS_EMEM, "no memory for the clocks of warps");
    }
    for (size_t i = 0; i < t->warps; i++)
        set_warp(t, &t->warp[i], start);
    for (size_t i = 0; i < t->sms; i++)
        set_port(t, &t->port[i]);
    for (size_t i = 0; i < t->sms * t->residents; i++)
        t->place[i].gate = next_row(t);
    return WS_OK;
}

void ws_traffic_time_destroy(ws_traffic_time *time)
{
    if (!time)
        return;
    free(time->warp);
    free(time->place);
    free(time->port);
    free(time->space);
    ws_fetch_cache_destroy(time->fetched);
    free(time);
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static warp *warp_of(const ws_traffic_time *t, const ws_ordered_access *a)
{
    return &t->warp[(size_t)a->sm * t->residents * t->warps_per_block + a->warp];
}

static bool is_sequential(unsigned clock)
{
    return clock == WS_TIME_SC || clock == WS_TIME_OWN || (clock >= WS_TIME_STRONG && clock < WS_TIME_RC);
}

static uint64_t all_back(const warp *w, unsigned k)
{
    return later(w->back[LOADS][k], w->back[FETCHES][k]);
}

/* When the warp has gone on for so many cycles of its own, and for what it needed meanwhile. */
static uint64_t after(const warp *w, unsigned k, uint32_t cycles)
{
    uint64_t at = w->now[k] + cycles;
    for (unsigned i = 0; i < ASKED; i++)
        if (cycles >= w->slack[i])
            at = later(at, w->back[i][k] + (cycles - w->slack[i]));
    return at;
}

/* Behind a barrier, and at the start of a block, no warp is ahead of those it waited for. */
static void pass_gate(ws_traffic_time *t, const ws_ordered_access *a, warp *w)
{
    const uint32_t at = a->warp / t->warps_per_block;
    place *const p = &t->place[(size_t)a->sm * t->residents + at];
    const warp *const others = w - a->warp % t->warps_per_block;
    if (a->phase > p->phase) {
        p->phase = a->phase;
        for (uint32_t i = 0; i < t->warps_per_block; i++)
            for (unsigned k = t->first; k < t->end; k++)
                p->gate[k] = later(p->gate[k], after(&others[i], k, 0));
    }
    w->phase = a->phase;
    for (unsigned k = t->first; k < t->end; k++)
        w->now[k] = later(w->now[k], p->gate[k]);
}

static void begin_instruction(const ws_traffic_time *t, const ws_ordered_access *a, warp *w)
{
    for (unsigned k = t->first; k < t->end; k++) {
        w->now[k] = after(w, k, a->cycles);
        if ((is_sequential(k) && a->kind <= WS_LOG_ATOMIC) || a->kind == WS_LOG_FENCE)
            w->now[k] = later(w->now[k], later(all_back(w, k), w->acked[k]));
    }
    for (unsigned i = 0; i < ASKED; i++)
        w->slack[i] -= a->cycles < w->slack[i] ? a->cycles : w->slack[i];
    if (a->kind != WS_LOG_LOAD && a->kind != WS_LOG_ATOMIC && a->kind != WS_LOG_FETCH)
        return;
    uint32_t *const slack = &w->slack[a->kind == WS_LOG_FETCH ? FETCHES : LOADS];
    if (!*slack || a->slack < *slack)
        *slack = a->slack;
}

/* When L1 takes the access: see docs/simulator-memory.md, a load behind the warp's own store to the line holds all up.
 * It has nothing to do with a fence. */
static void take(ws_traffic_time *t, const ws_ordered_access *a, const warp *w)
{
    port *const p = &t->port[a->sm];
    const own_store *own = NULL;
    for (uint32_t i = 0; i < STORES && a->kind != WS_LOG_STORE; i++)
        if (w->store[i].line == a->line + 1)
            own = &w->store[i];
    for (unsigned k = t->first; k < t->end && a->kind == WS_LOG_FENCE; k++)
        t->at[k] = w->now[k];
    for (unsigned k = t->first; k < t->end && a->kind != WS_LOG_FENCE; k++) {
        t->at[k] = later(w->now[k], p->unit[k]);
        if (own && own->acked[k] > t->at[k]) {
            t->held[k] += own->acked[k] - t->at[k];
            t->at[k] = own->acked[k];
        }
        p->unit[k] = t->at[k] + 1;
    }
}

static void come(ws_traffic_time *time, const ws_ordered_access *a, warp *w)
{
    if (a->phase != w->phase)
        pass_gate(time, a, w);
    const bool begins = a->tag != w->tag;
    w->tag = a->tag;
    if (begins)
        begin_instruction(time, a, w);
    const uint64_t ready = w->now[time->pace] + !begins, queued = a->issued > ready ? a->issued - ready : 0;
    for (unsigned k = time->first; k < time->end; k++)
        w->now[k] += !begins + queued;
}

const uint64_t *ws_traffic_time_begin(ws_traffic_time *time, const ws_ordered_access *a)
{
    warp *const w = warp_of(time, a);
    come(time, a, w);
    take(time, a, w);
    return time->at;
}

uint64_t ws_traffic_time_arrive(ws_traffic_time *time, const ws_ordered_access *a)
{
    warp *const w = warp_of(time, a), *const first = w - a->warp % time->warps_per_block;
    uint64_t latest = 0;
    come(time, a, w);
    for (uint32_t i = 0; a->released && i < time->warps_per_block; i++)
        latest = later(latest, after(&first[i], time->pace, 0));
    return latest;
}

/* The data come to an SM over its port, as those of L1; a miss that nothing can note holds up all behind it. */
static uint64_t fetch(ws_traffic_time *t, const ws_ordered_access *a, unsigned k, uint64_t *back)
{
    port *const p = &t->port[a->sm];
    const uint64_t start = later(t->at[k], *back);
    p->unit[k] = later(p->unit[k], start + 1);
    p->free[k] = later(p->free[k] + WS_PROFILE_BLOCK_CYCLES, start + WS_PROFILE_L2_CYCLES);
    return *back = p->free[k];
}

int ws_traffic_time_fetch(ws_traffic_time *time, const ws_ordered_access *a)
{
    static const struct {
        uint32_t hit, mshrs;
    } caches[] = {[WS_LOG_TEXTURES] = {WS_TIME_TEXTURE_LOAD, WS_PROFILE_MSHRS},
                  [WS_LOG_CONSTANTS] = {WS_TIME_CONSTANT_LOAD, WS_PROFILE_CONSTANT_MSHRS}};
    const unsigned kind = a->constant ? WS_LOG_CONSTANTS : WS_LOG_TEXTURES;
    bool missing;
    const int status = time->fetched ? WS_OK : ws_fetch_cache_create((uint32_t)time->sms, WS_TIMES, &time->fetched);
    if (status)
        return status;
    uint64_t *const there = ws_fetch_cache_use(time->fetched, a->sm, kind, a->line, &missing);
    warp *const w = warp_of(time, a);
    port *const p = &time->port[a->sm];
    come(time, a, w);
    take(time, a, w);
    for (unsigned k = time->first; k < time->end; k++) {
        if (missing)
            there[k] = fetch(time, a, k, &p->fetch[kind][p->fetches[kind] % caches[kind].mshrs][k]);
        w->back[FETCHES][k] = later(w->back[FETCHES][k], later(there[k], time->at[k]) + caches[kind].hit);
    }
    p->fetches[kind] += missing;
    time->missed[kind] += missing;
    return WS_OK;
}

uint64_t ws_traffic_time_missed(const ws_traffic_time *time, unsigned kind)
{
    return time->missed[kind];
}

uint64_t ws_traffic_time_ready(const ws_traffic_time *time, const ws_ordered_access *a, unsigned clock)
{
    const warp *const w = warp_of(time, a);
    const uint64_t at = after(w, clock, a->next_cycles);
    return is_sequential(clock) ? later(at, later(all_back(w, clock), w->acked[clock])) : at;
}

uint64_t ws_traffic_time_next(const ws_traffic_time *time, const ws_ordered_access *a, unsigned clock)
{
    const uint64_t at = ws_traffic_time_ready(time, a, clock);
    return at - (a->next_cycles > a->next_before ? a->next_before : a->next_cycles);
}

void ws_traffic_time_answer(ws_traffic_time *time, const ws_ordered_access *a, unsigned clock, uint64_t when)
{
    warp *const w = warp_of(time, a);
    w->back[LOADS][clock] = later(w->back[LOADS][clock], when);
}

void ws_traffic_time_ack(ws_traffic_time *time, const ws_ordered_access *a, unsigned clock, uint64_t when)
{
    warp *const w = warp_of(time, a);
    w->acked[clock] = later(w->acked[clock], when);
    own_store *s = &w->store[0];
    for (uint32_t i = 1; i < STORES && s->line != a->line + 1; i++)
        s = &w->store[i];
    if (s->line != a->line + 1) {
        s = &w->store[w->stores++ % STORES];
        s->line = a->line + 1;
    }
    s->acked[clock] = when;
}

void ws_traffic_time_fence(ws_traffic_time *time, const ws_ordered_access *a, unsigned clock, uint64_t when)
{
    warp *const w = warp_of(time, a);
    w->now[clock] = later(w->now[clock], when);
}

/* A block that is asked for at `start` takes the ports of its slice and SM: when it has come, if it waits for nothing
 * else. */
static uint64_t bring(ws_traffic_time *time, const ws_ordered_access *a, unsigned clock, uint64_t start,
                      uint64_t latency)
{
    port *const p = &time->port[a->sm];
    uint64_t *const slice = &time->slice[a->line / WS_PROFILE_STRIPE % WS_PROFILE_SLICES][clock];
    p->unit[clock] = later(p->unit[clock], start + 1);
    *slice = later(*slice + WS_PROFILE_BLOCK_CYCLES, start + latency);
    return p->free[clock] = later(p->free[clock] + WS_PROFILE_BLOCK_CYCLES, *slice);
}

ws_traffic_read ws_traffic_time_read(ws_traffic_time *time, const ws_ordered_access *a, unsigned clock, uint64_t from,
                                     uint64_t latency)
{
    port *const p = &time->port[a->sm];
    uint64_t *const back = &p->read[p->reads[clock]++ % WS_PROFILE_MSHRS][clock];
    const uint64_t start = later(from, *back);
    *back = bring(time, a, clock, start, latency);
    return (ws_traffic_read){.granted = start + latency - WS_PROFILE_L2_CYCLES / 2, .there = *back};
}

uint64_t ws_traffic_time_room(const ws_traffic_time *time, const ws_ordered_access *a, uint32_t ahead)
{
    return time->port[a->sm].own[ahead];
}

ws_traffic_read ws_traffic_time_wait(ws_traffic_time *time, const ws_ordered_access *a, uint64_t from, uint64_t latency,
                                     uint64_t waits)
{
    uint64_t *const own = time->port[a->sm].own;
    const uint64_t back = later(bring(time, a, WS_TIME_OWN, from, latency), from + latency + waits);
    uint32_t i = 0;
    for (; i + 1 < WS_PROFILE_MSHRS && own[i + 1] < back; i++)
        own[i] = own[i + 1];
    own[i] = back;
    return (ws_traffic_read){.granted = from + latency + waits - WS_PROFILE_L2_CYCLES / 2, .there = back};
}

uint64_t ws_traffic_time_held(const ws_traffic_time *time, unsigned clock)
{
    return time->held[clock];
}

uint64_t ws_traffic_time_end(const ws_traffic_time *time, unsigned clock)
{
    uint64_t end = 0;
    for (size_t i = 0; i < time->warps; i++)
        end = later(
            end, later(time->warp[i].now[clock], later(all_back(&time->warp[i], clock), time->warp[i].acked[clock])));
    return end;
}
