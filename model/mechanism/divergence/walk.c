/* walk.c - warps of one SM, as a coarse clock lets them issue, and what their loads find. */
#include "model/mechanism/divergence/walk.h"

#include "base/status.h"
#include "model/cache/concentration.h"
#include "model/mechanism/divergence/walk_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WAITS = 8, LINES = 512 };
/* Lines of local memory are far above all others: one of each warp's words a line. */
static const uint64_t LOCAL_LINE = (UINT64_C(1) << 50) / WS_LOG_LINE;

/* What a warp must have, so many of its own cycles after its start. */
typedef struct need {
    uint64_t at, due;
} need;

typedef struct warp {
    uint32_t entry, place;
    uint64_t own;   /* cycles of its own that it has passed */
    uint64_t ready; /* it does nothing before */
    bool arrived;   /* the instructions before `entry` are issued */
    unsigned needs;
    need need[WAITS];
} warp;

typedef struct place {
    uint32_t live;
} place;

typedef struct scheduler {
    uint64_t clock,
        busy;      /* when it looks next, WS_WALK_NEVER: when something wakes it; when it has issued what it took */
    uint32_t last; /* slot */
} scheduler;

struct ws_walk {
    ws_walk_machine machine;
    walk_memory memory;
    walk_hold hold;
    /* Of a launch: */
    const ws_access_log *log;
    ws_walk_result one; /* of this launch */
    uint32_t residents, warps_per_block, slots;
    uint64_t next_block, arrivals, end;
    warp warp[WS_WALK_WARPS];
    uint64_t order[WS_WALK_WARPS];
    bool waits[WS_WALK_WARPS];
    place place[WS_WALK_WARPS];
    scheduler *scheduler;
    double *spread;        /* [slices] their parts of all lines */
    uint64_t *leave;       /* [queue] when the last instructions left the queue of the load/store unit */
    uint64_t queued, port; /* so many entered it; the port is free then */
    uint64_t served;       /* lines */
    double instructions;
};

static walk_warps warps_of(const ws_walk *w)
{
    return (walk_warps){.slots = w->slots, .schedulers = w->machine.schedulers, .order = w->order, .waits = w->waits};
}

int ws_walk_create(const ws_walk_machine *machine, ws_walk **out)
{
    *out = NULL;
    ws_walk *const w = calloc(1, sizeof *w);
    if (!w)
        return ws_fail(WS_EMEM, "no memory for a walk");
    w->machine = *machine;
    w->scheduler = calloc(machine->schedulers + 1u, sizeof *w->scheduler);
    w->leave = calloc(machine->queue + 1u, sizeof *w->leave);
    w->spread = calloc(machine->slices + 1u, sizeof *w->spread);
    int status = w->scheduler && w->leave && w->spread ? WS_OK : ws_fail(WS_EMEM, "no memory for a walk");
    if (!status)
        status = walk_memory_create(&w->machine, &w->memory);
    if (status) {
        ws_walk_destroy(w);
        return status;
    }
    w->memory.evicted = machine->scheduler.hold == WS_WALK_LOCALITY ? walk_hold_evicted : NULL;
    w->memory.evicted_context = &w->hold;
    *out = w;
    return WS_OK;
}

void ws_walk_destroy(ws_walk *w)
{
    if (!w)
        return;
    walk_memory_destroy(&w->memory);
    walk_hold_fini(&w->hold);
    free(w->scheduler);
    free(w->leave);
    free(w->spread);
    free(w);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

uint32_t ws_walk_residents(const ws_walk_machine *m, const ws_launch *launch)
{
    uint64_t fit =
        ws_residency_of(&m->room, &(ws_cta_need){launch->warps_per_block, launch->registers, launch->shared_bytes});
    if (launch->warps_per_block)
        fit = least(fit, WS_WALK_WARPS / launch->warps_per_block);
    return fit ? (uint32_t)fit : 1;
}

/* ------------------------------------------------------------------------------------------------ blocks */

static void wake(ws_walk *w, uint32_t slot, uint64_t now)
{
    scheduler *const s = &w->scheduler[slot % w->machine.schedulers];
    w->warp[slot].ready = most(w->warp[slot].ready, now);
    if (s->clock > w->warp[slot].ready)
        s->clock = most(s->busy, w->warp[slot].ready);
}

static void start_block(ws_walk *w, uint32_t at, uint64_t now)
{
    const ws_access_log *const log = w->log;
    const uint32_t n = w->warps_per_block, first = at * n;
    uint32_t missing = n;
    for (uint32_t i = 0; i < n; i++) {
        w->warp[first + i] = (warp){.entry = UINT32_MAX, .place = at};
        w->waits[first + i] = false;
    }
    for (uint64_t i = log->first[w->next_block]; i < log->first[w->next_block + 1] && missing; i++) {
        warp *const p = &w->warp[first + log->entry[i].warp];
        missing -= p->entry == UINT32_MAX;
        p->entry = p->entry == UINT32_MAX ? (uint32_t)i : p->entry;
    }
    w->place[at].live = n;
    for (uint32_t i = 0; i < n; i++) {
        w->order[first + i] = ++w->arrivals;
        walk_hold_start(&w->hold, first + i);
        wake(w, first + i, now);
    }
    w->next_block += w->machine.sms;
}

/* The warp begins what lies before its entry; not before what it needs meanwhile is there. */
static void begin_segment(ws_walk *w, uint32_t slot, uint64_t now)
{
    warp *const p = &w->warp[slot];
    const uint64_t until = p->own + w->log->entry[p->entry].cycles;
    unsigned kept = 0;
    p->ready = now;
    p->arrived = false;
    for (unsigned i = 0; i < p->needs; i++) {
        if (p->need[i].at > until) {
            p->need[kept++] = p->need[i];
            continue;
        }
        const uint64_t ahead = p->need[i].at > p->own ? p->need[i].at - p->own : 0;
        if (p->need[i].due > p->ready + ahead)
            p->ready = p->need[i].due - ahead;
    }
    for (unsigned i = kept; i < p->needs; i++)
        p->need[i] = (need){0};
    p->needs = kept;
}

/* Lets go who waits at this barrier when all have come that it waits for. */
static void try_release(ws_walk *w, uint32_t at, uint64_t barrier, uint64_t now)
{
    const uint32_t first = at * w->warps_per_block, expected = (uint32_t)(barrier >> 8);
    uint32_t waiting = 0, here = 0;
    for (uint32_t i = first; i < first + w->warps_per_block; i++) {
        waiting += w->waits[i];
        here += w->waits[i] && w->log->entry[w->warp[i].entry].line == barrier;
    }
    const bool all = waiting == w->place[at].live;
    if (!all && (!expected || here < expected))
        return;
    for (uint32_t i = first; i < first + w->warps_per_block; i++)
        if (w->waits[i] && (all || w->log->entry[w->warp[i].entry].line == barrier)) {
            w->waits[i] = false;
            w->warp[i].entry = w->log->entry[w->warp[i].entry].next;
            begin_segment(w, i, now);
            wake(w, i, now);
        }
}

static void end_warp(ws_walk *w, uint32_t slot, uint64_t now)
{
    const uint32_t at = w->warp[slot].place, first = at * w->warps_per_block;
    w->order[slot] = WS_WALK_NEVER;
    w->end = most(w->end, now);
    if (--w->place[at].live) {
        for (uint32_t i = first; i < first + w->warps_per_block; i++)
            if (w->waits[i]) {
                try_release(w, at, w->log->entry[w->warp[i].entry].line, now);
                return;
            }
    } else if (w->next_block < w->log->blocks) {
        start_block(w, at, now);
    }
}

/* ------------------------------------------------------------------------------------------------ an instruction of
 * memory */

typedef struct service {
    uint32_t lines;
    uint64_t line[LINES];
    uint32_t mask[LINES];
    uint64_t due; /* all data are there */
    uint32_t hits, misses;
} service;

/* How a divergent load lies in the sets. */
static void note_sets(ws_walk *w, const service *s)
{
    if (ws_load_class_of(s->lines) != WS_LOAD_DIVERGENT)
        return;
    const ws_set_load load = ws_set_load_of(&w->memory.l1, s->line, s->lines, w->memory.in_set);
    w->one.concentration += ws_concentration(&load);
    w->one.most += load.most;
    w->one.conflict_rounds += (load.most + w->machine.l1_ways - 1) / w->machine.l1_ways - 1;
}

static void note_load(ws_walk *w, const service *s)
{
    const ws_load_class class = ws_load_class_of(s->lines);
    w->one.loads[class]++;
    w->one.full[class] += s->misses == 0;
    w->one.missed[class] += s->misses == s->lines;
    w->one.lines[class] += s->lines;
    w->one.lacked[class] += s->misses;
}

/* One line at the port. */
static void serve_line(ws_walk *w, const ws_log_entry *e, ws_cache_use *use, service *s, uint64_t *now)
{
    const walk_warps warps = warps_of(w);
    walk_fate fate = WALK_HIT;
    if (e->kind == WS_LOG_STORE) {
        walk_memory_store(&w->memory, use, *now);
        w->one.stores++;
    } else if (e->kind == WS_LOG_ATOMIC || e->flags & WS_LOG_POLL) {
        s->due = most(s->due, walk_memory_pass(&w->memory, use, *now));
        w->one.stores += e->kind == WS_LOG_ATOMIC;
    } else {
        s->due = most(s->due, walk_memory_load(&w->memory, use, now, &fate));
        w->one.accesses++;
        s->hits += fate == WALK_HIT;
        s->misses += fate != WALK_HIT;
        if (fate == WALK_MISSED)
            walk_hold_missed(&w->hold, &warps, use->warp, use->block, *now);
    }
    *now += ++w->served % w->machine.ports == 0;
}

/* Lines of the instruction at `entry`; returns the entry behind it. */
static uint32_t collect(const ws_walk *w, uint32_t slot, uint32_t entry, service *s)
{
    const ws_log_entry *const log = w->log->entry;
    do {
        const ws_log_entry *const e = &log[entry];
        if (s->lines < LINES) {
            s->mask[s->lines] = e->mask;
            s->line[s->lines++] = e->flags & WS_LOG_LOCAL ? LOCAL_LINE + e->line * WS_WALK_WARPS + slot : e->line;
        }
        entry = e->next;
    } while (log[entry].flags & WS_LOG_MORE);
    return entry;
}

static void serve(ws_walk *w, uint32_t slot, uint64_t issued)
{
    static const uint8_t kinds[] = {WS_CACHE_LOAD, WS_CACHE_STORE, WS_CACHE_ATOMIC};
    const walk_warps warps = warps_of(w);
    warp *const p = &w->warp[slot];
    const ws_log_entry *const e = &w->log->entry[p->entry];
    service s = {.lines = 0};
    uint64_t now = most(w->port, issued);
    const uint32_t behind = collect(w, slot, p->entry, &s);
    ws_cache_use use = {.warp = (uint16_t)slot,
                        .kind = kinds[e->kind],
                        .who = {.pc = e->pc,
                                .life = (uint32_t)w->order[slot],
                                .lines = (uint16_t)s.lines,
                                .rank = (uint8_t)walk_rank(&warps, slot),
                                .cta = (uint8_t)p->place,
                                .lanes = e->lanes,
                                .local = e->flags & WS_LOG_LOCAL}};
    for (uint32_t i = 0; i < s.lines; i++) {
        use.block = s.line[i];
        use.mask = s.mask[i];
        use.who.line = (uint16_t)i;
        serve_line(w, e, &use, &s, &now);
    }
    w->port = most(now, w->port);
    w->leave[w->queued++ % w->machine.queue] = w->port;
    if (e->kind == WS_LOG_LOAD && !(e->flags & WS_LOG_POLL)) {
        note_sets(w, &s);
        note_load(w, &s);
        walk_hold_loaded(&w->hold, &warps, slot, e->pc, s.lines, s.hits, s.misses);
    }
    if (e->kind != WS_LOG_STORE) {
        const unsigned at = p->needs < WAITS ? p->needs++ : WAITS - 1; /* with too many, the last two are one */
        const bool joins = p->need[at].due && at == WAITS - 1;
        p->need[at] = (need){.at = joins ? least(p->need[at].at, p->own + e->slack) : p->own + e->slack,
                             .due = joins ? most(p->need[at].due, s.due) : s.due};
    }
    p->entry = behind;
}

/* ------------------------------------------------------------------------------------------------ a warp */

static bool is_access(const ws_log_entry *e)
{
    return e->kind <= WS_LOG_ATOMIC;
}

/* Issues the instructions before its entry, as one piece. */
static void issue_segment(ws_walk *w, scheduler *s, uint32_t slot)
{
    warp *const p = &w->warp[slot];
    const ws_log_entry *const e = &w->log->entry[p->entry];
    const uint64_t slots = (e->before + w->machine.issue - 1) / w->machine.issue;
    const uint64_t own = e->cycles > 1 ? e->cycles - 1 : 0;
    w->instructions += e->before;
    w->hold.issued += e->before;
    p->ready = s->clock + most(slots, own);
    p->own += e->cycles;
    p->arrived = true;
    s->clock += slots;
}

/* Issues the entry itself. */
static void issue_entry(ws_walk *w, scheduler *s, uint32_t slot)
{
    warp *const p = &w->warp[slot];
    const ws_log_entry *const e = &w->log->entry[p->entry];
    const uint64_t now = s->clock;
    if (e->kind == WS_LOG_END) {
        uint64_t end = now;
        for (unsigned i = 0; i < p->needs; i++)
            end = most(end, p->need[i].due);
        end_warp(w, slot, end);
        return;
    }
    if (e->kind == WS_LOG_BARRIER) { /* its instruction is among those before it */
        w->waits[slot] = true;
        p->arrived = false;
        try_release(w, p->place, e->line, now);
        return;
    }
    const uint64_t room = w->leave[w->queued % w->machine.queue];
    if (is_access(e) && room > now) {
        p->ready = room;
        return;
    }
    s->clock++;
    if (is_access(e)) {
        serve(w, slot, now + 1);
        w->instructions++;
        w->hold.issued++;
    } else {
        w->instructions += e->kind == WS_LOG_FETCH && !(e->flags & WS_LOG_MORE);
        p->entry = e->next;
    }
    begin_segment(w, slot, s->clock);
}

/* Nothing is left to issue before its entry. */
static bool at_entry(const ws_walk *w, uint32_t slot)
{
    const ws_log_entry *const e = &w->log->entry[w->warp[slot].entry];
    return w->warp[slot].arrived || (!e->before && e->cycles <= 1);
}

static bool admits(const ws_walk *w, uint32_t slot, uint64_t now)
{
    const warp *const p = &w->warp[slot];
    const ws_log_entry *const e = &w->log->entry[p->entry];
    const ws_walk_scheduler *const how = &w->machine.scheduler;
    if (how->hold == WS_WALK_FREE || (!how->all && (e->kind != WS_LOG_LOAD || !at_entry(w, slot))))
        return true;
    const walk_warps warps = warps_of(w);
    const uint32_t used = walk_memory_reads(&w->memory, now);
    return walk_hold_admits(&w->hold, &warps, slot, e->pc, e->lanes, now, w->machine.mshrs - used, w->machine.mshrs);
}

/* ------------------------------------------------------------------------------------------------ the clock */

/* Is it before the other one? Both could issue. */
static bool goes_first(const ws_walk *w, const scheduler *s, uint32_t slot, uint32_t other)
{
    if (w->machine.scheduler.order == WS_WALK_TURNS)
        return (slot - s->last - 1) % WS_WALK_WARPS < (other - s->last - 1) % WS_WALK_WARPS;
    return slot == s->last || (other != s->last && w->order[slot] < w->order[other]);
}

/* The scheduler's next warp, or WS_WALK_WARPS, and its clock moves to when it is to look again. */
static uint32_t choose(const ws_walk *w, scheduler *s, uint32_t number)
{
    uint32_t best = WS_WALK_WARPS;
    uint64_t soonest = WS_WALK_NEVER;
    bool held = false;
    for (uint32_t i = number; i < w->slots; i += w->machine.schedulers) {
        if (w->order[i] == WS_WALK_NEVER || w->waits[i])
            continue;
        if (w->warp[i].ready > s->clock) {
            soonest = least(soonest, w->warp[i].ready);
        } else if (best == WS_WALK_WARPS || goes_first(w, s, i, best)) {
            const bool may = admits(w, i, s->clock);
            best = may ? i : best;
            held |= !may;
        }
    }
    if (best != WS_WALK_WARPS)
        return best;
    s->busy = s->clock;
    if (held) {
        const uint64_t next = walk_memory_next(&w->memory, s->clock);
        soonest = least(soonest, next == WS_WALK_NEVER ? s->clock + 1 : next);
    }
    s->clock = soonest;
    return WS_WALK_WARPS;
}

static void run(ws_walk *w)
{
    for (;;) {
        uint32_t number = 0;
        for (uint32_t i = 1; i < w->machine.schedulers; i++)
            number = w->scheduler[i].clock < w->scheduler[number].clock ? i : number;
        scheduler *const s = &w->scheduler[number];
        if (s->clock == WS_WALK_NEVER)
            return;
        const uint32_t slot = choose(w, s, number);
        if (slot == WS_WALK_WARPS)
            continue;
        s->last = slot;
        if (at_entry(w, slot))
            issue_entry(w, s, slot);
        else
            issue_segment(w, s, slot);
        s->busy = s->clock;
    }
}

/* ------------------------------------------------------------------------------------------------ a launch */

static void begin(ws_walk *w, const ws_launch *launch)
{
    w->residents = ws_walk_residents(&w->machine, launch);
    w->warps_per_block = w->log->warps_per_block;
    w->slots = (uint32_t)least(w->residents * w->warps_per_block, WS_WALK_WARPS);
    w->next_block = w->arrivals = w->end = w->queued = w->port = w->served = 0;
    w->instructions = 0;
    memset(w->leave, 0, w->machine.queue * sizeof *w->leave);
    memset(w->place, 0, sizeof w->place);
    memset(w->waits, 0, sizeof w->waits);
    memset(w->order, 0xff, sizeof w->order);
    for (uint32_t i = 0; i < w->machine.schedulers; i++)
        w->scheduler[i] = (scheduler){.clock = WS_WALK_NEVER};
    for (uint32_t at = 0; at < w->residents && w->next_block < w->log->blocks; at++)
        start_block(w, at, 0);
}

static void add_scaled(ws_walk_result *into, const ws_walk_result *from, double times)
{
    double *const a = (double *)into;
    const double *const b = (const double *)from;
    for (size_t i = 0; i < sizeof *into / sizeof *a; i++)
        a[i] += times * b[i];
}

/* The walked SM gets the first block, and so as many as any. */
static double part_of(const ws_walk *w, const ws_launch *launch)
{
    const uint64_t sms = w->machine.sms, kept = (w->log->blocks + sms - 1) / sms,
                   all = (launch->blocks + sms - 1) / sms;
    return kept ? (double)all / (double)kept : 0;
}

int ws_walk_launch(ws_walk *w, const ws_access_log *log, const ws_launch *launch, ws_walk_result *result)
{
    double sharers;
    if (log->warps_per_block > WS_WALK_WARPS)
        return ws_fail(WS_EUNSUPPORTED, "kernel %s has blocks of %u warps; an SM has %d", launch->kernel,
                       log->warps_per_block, (int)WS_WALK_WARPS);
    int status = walk_count_sharers(log, w->machine.sms, &sharers);
    walk_count_slices(log, &w->machine, w->spread);
    w->log = log;
    w->one = (ws_walk_result){0};
    w->memory.result = &w->one;
    if (!status)
        status =
            walk_memory_begin(&w->memory, sharers, (uint32_t)least(most(launch->blocks, 1), w->machine.sms), w->spread);
    if (!status)
        status = walk_hold_begin(&w->hold, &w->machine.scheduler, launch->instrs);
    if (status)
        return status;
    begin(w, launch);
    run(w);
    walk_memory_end(&w->memory);
    w->one.cycles = fmax((double)most(w->end, w->port),
                         fmax(w->one.link_cycles, w->one.memory_cycles)); /* stores that nobody waits for */
    w->one.instructions = w->instructions;
    add_scaled(result, &w->one, part_of(w, launch));
    w->log = NULL;
    return WS_OK;
}
