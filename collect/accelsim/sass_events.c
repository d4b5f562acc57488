/* sass_events.c - which path were the lanes of a warp on when they executed what a trace says? */
#include "collect/accelsim/sass_events.h"

#include "base/status.h"
#include "collect/sass/sass.h"

#include <stdlib.h>

enum {
    BATCH_EVENTS = 4096,
    RUN_LIMIT = 4096,   /* as in collect/simt: keeps counts in 16 bits */
    WARP_SLICE = 65536, /* likewise: instructions until the next warp's turn */
    SECTIONS = WS_WARP, /* open at once: sets of lanes that contain one another or have none in common */
    TRANSFER_PART = 16  /* bytes of a bulk copy in an event, as in collect/simt */
};

/* Lanes that parted, and have not met again. */
typedef struct section {
    uint32_t lanes, pc;
    uint64_t since; /* warp instructions of the warp when they parted, the branch included */
} section;

typedef struct warp {
    ws_spool_cursor cursor;
    ws_record record;
    unsigned run;      /* of it that is left; 0: read the next */
    bool ended, waits; /* at a barrier */
    uint32_t live;     /* lanes that have not exited */
    uint32_t group[WS_WARP];
    unsigned groups, current; /* the one that executed last */
    section section[SECTIONS];
    unsigned sections;
    uint64_t instructions;
    bool has_half; /* of LDGSTS: where it writes; the record where it reads is to come */
    uint32_t half_mask;
    uint64_t half[WS_WARP];
    uint32_t bulk_active, bulk_lane; /* of the bulk copy whose further transfers are to come */
} warp;

struct ws_sass_block {
    const ws_sass_program *program;
    const ws_spool *spool;
    warp *warp; /* [warps_per_block] */
    uint64_t number;
    ws_range *range;
    ws_event *event;   /* [BATCH_EVENTS + PARTS_MOST] */
    uint64_t *address; /* 32 each */
    size_t events, accesses;
    ws_sass_counts counts;
};

enum { PARTS_MOST = 4 + SECTIONS }; /* events that one record makes at most */

int ws_sass_block_create(const ws_sass_program *program, const ws_spool *spool, ws_sass_block **out)
{
    *out = NULL;
    ws_sass_block *const b = calloc(1, sizeof *b);
    if (b) {
        b->program = program;
        b->spool = spool;
        b->warp = calloc(program->launch->warps_per_block, sizeof *b->warp);
        b->event = calloc(BATCH_EVENTS + PARTS_MOST, sizeof *b->event);
        b->address = calloc((BATCH_EVENTS + PARTS_MOST) * (size_t)WS_WARP, sizeof *b->address);
    }
    if (!b || !b->warp || !b->event || !b->address) {
        ws_sass_block_destroy(b);
        return ws_fail(WS_EMEM, "no memory for the warps of kernel %s", program->launch->kernel);
    }
    *out = b;
    return WS_OK;
}

void ws_sass_block_destroy(ws_sass_block *b)
{
    if (!b)
        return;
    for (uint32_t i = 0; b->warp && i < b->program->launch->warps_per_block; i++)
        ws_spool_close(&b->warp[i].cursor);
    free(b->warp);
    free(b->event);
    free(b->address);
    free(b);
}

/* ------------------------------------------------------------------------------------------------ groups of lanes */

/* Lanes of a warp that have a thread. */
static uint32_t lanes_of(const ws_launch *launch, uint32_t number)
{
    const uint32_t left = launch->threads_per_block - number * WS_WARP;
    return left >= WS_WARP ? UINT32_MAX : (UINT32_C(1) << left) - 1;
}

static void remove_group(warp *w, unsigned i)
{
    w->group[i] = w->group[--w->groups];
}

/* The groups with lanes of the mask become one; it is the current one. Lanes that had exited come back: an offset in
 * two functions may look like one instruction. */
static void meet(warp *w, uint32_t mask)
{
    if (w->groups == 1 && !(mask & ~w->live)) {
        w->current = 0;
        return;
    }
    uint32_t together = mask;
    for (unsigned i = w->groups; i > 0; i--)
        if (w->group[i - 1] & mask) {
            together |= w->group[i - 1];
            remove_group(w, i - 1);
        }
    w->live |= mask;
    w->current = w->groups;
    w->group[w->groups++] = together;
}

/* Of the current group, the lanes of the mask go their own way, or go for good. */
static void part(warp *w, uint32_t mask, bool for_good)
{
    const uint32_t others = w->group[w->current] & ~mask;
    if (for_good)
        w->live &= ~mask;
    if (others) {
        w->group[w->current] = others;
        if (!for_good)
            w->group[w->groups++] = mask;
    } else if (for_good) {
        remove_group(w, w->current);
        w->current = 0;
    }
}

/* ------------------------------------------------------------------------------------------------ events */

static int flush(ws_sass_block *b)
{
    const ws_batch batch = {.block = b->number, .event = b->event, .events = b->events, .address = b->address};
    const int status = b->events ? ws_range_events(b->range, &batch) : WS_OK;
    b->events = b->accesses = 0;
    return status;
}

static ws_event *add_event(ws_sass_block *b, const warp *w, unsigned kind, uint32_t pc, uint32_t active, uint32_t exec)
{
    ws_event *const ev = &b->event[b->events++];
    *ev = (ws_event){.pc = pc,
                     .warp = (uint16_t)(w - b->warp),
                     .count = kind != WS_EVENT_RECONVERGE,
                     .active = active,
                     .exec = exec,
                     .kind = (uint8_t)kind,
                     .depth = (uint8_t)w->sections};
    return ev;
}

static void end_section(ws_sass_block *b, warp *w, unsigned i, uint32_t lanes)
{
    const section ends = w->section[i];
    for (unsigned k = i + 1; k < w->sections; k++)
        w->section[k - 1] = w->section[k];
    w->sections--;
    const uint64_t length = w->instructions - ends.since;
    add_event(b, w, WS_EVENT_RECONVERGE, ends.pc, lanes, lanes)->section =
        length < UINT32_MAX ? (uint32_t)length : UINT32_MAX;
}

/* Sections end whose lanes run together again, those that have exited left out. */
static void end_sections(ws_sass_block *b, warp *w)
{
    const uint32_t together = w->group[w->current];
    for (unsigned i = w->sections; i > 0; i--)
        if (!(w->section[i - 1].lanes & w->live & ~together))
            end_section(b, w, i - 1, together);
}

static void begin_section(ws_sass_block *b, warp *w, uint32_t lanes, uint32_t pc)
{
    if (w->sections == SECTIONS)
        end_section(b, w, 0, lanes);
    w->section[w->sections++] = (section){.lanes = lanes, .pc = pc, .since = w->instructions};
}

static void count(ws_sass_block *b, warp *w, unsigned n, uint32_t exec)
{
    w->instructions += n;
    b->counts.warp_instructions += n;
    b->counts.thread_instructions += (uint64_t)n * ws_popcount(exec);
}

/* n instructions without any effect that events tell; longer runs grow from shorter ones. */
static void play_run(ws_sass_block *b, warp *w, uint32_t pc, unsigned n, uint32_t active, uint32_t exec)
{
    ws_event *const last = b->events ? &b->event[b->events - 1] : NULL;
    count(b, w, n, exec);
    if (last && last->kind == WS_EVENT_RUN && last->warp == w - b->warp && last->pc + last->count == pc &&
        last->active == active && last->exec == exec && last->depth == w->sections && last->count + n <= RUN_LIMIT)
        last->count = (uint16_t)(last->count + n);
    else
        add_event(b, w, WS_EVENT_RUN, pc, active, exec)->count = (uint16_t)n;
}

/* Do all lanes reach the space that is written, at the addresses that are? Offsets in shared memory lie below the
 * windows. */
static bool is_one_space(unsigned written, const uint64_t *address)
{
    if (written == WS_SPACE_GENERIC || written == WS_SPACE_LOCAL)
        return false;
    if (written != WS_SPACE_SHARED)
        return true;
    uint64_t any = 0;
    for (unsigned lane = 0; lane < WS_WARP; lane++)
        any |= address[lane];
    return any < WS_WINDOW_BYTES;
}

static ws_event *add_access(ws_sass_block *b, const warp *w, uint32_t pc, uint32_t active, uint32_t exec,
                            unsigned space)
{
    ws_event *const ev = add_event(b, w, WS_EVENT_MEMORY, pc, active, exec);
    ev->space = (uint8_t)space;
    ev->addresses = (uint32_t)b->accesses++;
    return ev;
}

/* One event for each space that lanes reach; only the first counts the instruction. */
static void play_parts(ws_sass_block *b, const warp *w, uint32_t exec, uint32_t pc, uint32_t active, uint64_t *address)
{
    const unsigned written = b->program->launch->instr[pc].space;
    uint32_t reach[WS_SPACES] = {0};
    WS_EACH_LANE (lane, exec) {
        const unsigned space = ws_address_place(b->program->window, written, &address[lane]);
        reach[space] |= UINT32_C(1) << lane;
        address[lane] -= space == WS_SPACE_LOCAL ? b->program->local_first : 0;
    }
    bool first = true;
    for (unsigned space = 0; space < WS_SPACES; space++) {
        if (!reach[space])
            continue;
        ws_event *const ev = add_access(b, w, pc, active, reach[space], space);
        ev->count = first;
        uint64_t *const to = b->address + (size_t)ev->addresses * WS_WARP;
        for (unsigned lane = 0; lane < WS_WARP; lane++)
            to[lane] = reach[space] >> lane & 1 ? address[lane] : 0;
        first = false;
    }
}

static void play_memory(ws_sass_block *b, warp *w, const ws_record *r, uint32_t pc, uint32_t active)
{
    const unsigned written = b->program->launch->instr[pc].space;
    uint64_t *const to = b->address + b->accesses * WS_WARP;
    count(b, w, 1, r->mask);
    ws_record_spread(r, to);
    if (is_one_space(written, to)) {
        add_access(b, w, pc, active, r->mask, written);
    } else {
        uint64_t address[WS_WARP];
        memcpy(address, to, sizeof address);
        play_parts(b, w, r->mask, pc, active, address);
    }
}

/* LDGSTS: lanes that read write as many bytes in shared memory. */
static void play_half(ws_sass_block *b, warp *w, const ws_record *r, uint32_t pc, uint32_t active)
{
    const uint32_t exec = r->mask & w->half_mask;
    w->has_half = false;
    if (!exec)
        return;
    ws_event *const ev = add_access(b, w, pc, active, exec, WS_SPACE_SHARED);
    ev->count = 0;
    ev->texel = b->program->launch->instr[pc].bytes;
    uint64_t *const to = b->address + (size_t)ev->addresses * WS_WARP;
    for (unsigned lane = 0; lane < WS_WARP; lane++) {
        to[lane] = exec >> lane & 1 ? w->half[lane] : 0;
        if (to[lane])
            ws_address_place(b->program->window, WS_SPACE_SHARED, &to[lane]);
    }
}

/* A transfer of a bulk copy, in parts. */
static int play_transfer(ws_sass_block *b, const warp *w, uint32_t pc, unsigned width, uint64_t address, bool first)
{
    for (unsigned done = 0; done < width; done += TRANSFER_PART) {
        ws_event *const ev = add_access(b, w, pc, w->bulk_active, w->bulk_lane, WS_SPACE_GLOBAL);
        uint64_t *const to = b->address + (size_t)ev->addresses * WS_WARP;
        ev->count = first;
        ev->texel = (uint8_t)(width - done < TRANSFER_PART ? width - done : TRANSFER_PART);
        memset(to, 0, WS_WARP * sizeof *to);
        to[ws_lowest(w->bulk_lane)] = address + done;
        first = false;
        const int status = b->events >= BATCH_EVENTS ? flush(b) : WS_OK;
        if (status)
            return status;
    }
    return WS_OK;
}

/* The unit that copies is the warp's: it is asked once, whichever lanes are in the mask, so one lane counts. */
static int play_bulk(ws_sass_block *b, warp *w, const ws_static_instr *s, uint32_t pc, uint32_t active)
{
    w->bulk_active = active;
    w->bulk_lane = w->record.mask & -w->record.mask;
    count(b, w, 1, w->bulk_lane);
    return play_transfer(b, w, pc, s->width, w->record.base, true);
}

static int play_further(ws_sass_block *b, const warp *w)
{
    const ws_record *const r = &w->record;
    const unsigned n = ws_popcount(r->mask), width = b->program->table->instr[r->id].width;
    uint64_t at = r->base;
    int status = WS_OK;
    for (unsigned i = 0; i < n && !status; i++) {
        at += i ? (uint64_t)r->delta[i] : 0;
        status = play_transfer(b, w, b->program->pc[r->id], width, at, false);
    }
    return status;
}

static void play_nobody(ws_sass_block *b, warp *w, const ws_static_instr *s, uint32_t pc, uint32_t active)
{
    count(b, w, 1, 0);
    if (s->kind == WS_RECORD_MEMORY) {
        memset(b->address + b->accesses * WS_WARP, 0, WS_WARP * sizeof *b->address);
        add_access(b, w, pc, active, 0, s->instr.space == WS_SPACE_GENERIC ? WS_SPACE_GLOBAL : s->instr.space);
    } else {
        add_event(b, w, WS_EVENT_RUN, pc, active, 0);
    }
}

static void play_jump(ws_sass_block *b, warp *w, uint32_t mask, uint32_t pc, uint32_t active)
{
    count(b, w, 1, active);
    add_event(b, w, WS_EVENT_BRANCH, pc, active, active)->taken = mask;
    if (mask && mask != active) {
        begin_section(b, w, active, pc);
        part(w, mask, false);
    }
}

static void play_barrier(ws_sass_block *b, warp *w, const ws_static_instr *s, uint32_t mask, uint32_t pc,
                         uint32_t active)
{
    count(b, w, 1, mask);
    add_event(b, w, WS_EVENT_BARRIER, pc, active, mask)->barrier = s->kind == WS_RECORD_WARP ? UINT32_MAX : s->barrier;
    w->waits = s->kind == WS_RECORD_BLOCK && !ws_sass_has(s->instr.opcode, "ARV");
}

/* What an instruction is that is more than one of a run. */
static int play_effect(ws_sass_block *b, warp *w, const ws_static_instr *s, uint32_t pc, uint32_t active)
{
    const ws_record *const r = &w->record;
    const uint32_t mask = r->mask;
    if (!mask && s->kind != WS_RECORD_JUMP)
        play_nobody(b, w, s, pc, active);
    else if (s->kind == WS_RECORD_MEMORY && r->form != WS_ADDRESS_NONE)
        play_memory(b, w, r, pc, active);
    else if (s->kind == WS_RECORD_BULK && r->form != WS_ADDRESS_NONE)
        return play_bulk(b, w, s, pc, active);
    else if (s->kind == WS_RECORD_JUMP)
        play_jump(b, w, mask, pc, active);
    else if (s->kind == WS_RECORD_BLOCK || s->kind == WS_RECORD_WARP)
        play_barrier(b, w, s, mask, pc, active);
    else
        play_run(b, w, pc, 1, active, mask);
    return WS_OK;
}

static void keep_half(warp *w)
{
    w->has_half = true;
    w->half_mask = w->record.mask;
    ws_record_spread(&w->record, w->half);
}

static int play_one(ws_sass_block *b, warp *w)
{
    const ws_record *const r = &w->record;
    const ws_static_instr *const s = &b->program->table->instr[r->id];
    const uint32_t pc = b->program->pc[r->id], mask = r->mask;
    if (s->kind == WS_RECORD_BULK && r->form == WS_ADDRESS_LIST)
        return play_further(b, w);
    if (s->copies && b->program->pairs && !w->has_half) {
        keep_half(w);
        return WS_OK;
    }
    if (mask)
        meet(w, mask);
    if (w->sections && w->groups)
        end_sections(b, w);
    const uint32_t active = w->groups ? w->group[w->current] : 0;
    const int status = play_effect(b, w, s, pc, active);
    if (w->has_half)
        play_half(b, w, r, pc, active);
    if (mask && (s->kind == WS_RECORD_END || s->kind == WS_RECORD_PART))
        part(w, mask, s->kind == WS_RECORD_END);
    return status;
}

/* Plain instructions from the record's on: as many at once as lie in a row in the launch's table. */
static unsigned play_some(ws_sass_block *b, warp *w)
{
    const uint32_t id = w->record.id, mask = w->record.mask;
    unsigned n = b->program->run[id] < w->run ? b->program->run[id] : w->run;
    if (mask)
        meet(w, mask);
    if (w->sections && w->groups)
        end_sections(b, w);
    n = n < RUN_LIMIT ? n : RUN_LIMIT;
    play_run(b, w, b->program->pc[id], n, w->groups ? w->group[w->current] : 0, mask);
    return n;
}

/* ------------------------------------------------------------------------------------------------ turns */

static void end_warp(ws_sass_block *b, warp *w)
{
    w->ended = true;
    while (w->sections)
        end_section(b, w, w->sections - 1, 0);
}

static int play_turn(ws_sass_block *b, warp *w)
{
    const uint64_t until = w->instructions + WARP_SLICE;
    while (!w->waits && !w->ended && w->instructions < until) {
        if (!w->run) {
            const int status = ws_spool_next(b->spool, &w->cursor, &w->record, &w->run);
            if (status)
                return status;
        }
        int status = WS_OK;
        if (!w->run) {
            end_warp(b, w);
        } else if (w->run > 1) {
            const unsigned n = play_some(b, w);
            w->record.id += n;
            w->run -= n;
        } else {
            status = play_one(b, w);
            w->run = 0;
        }
        if (!status && b->events >= BATCH_EVENTS)
            status = flush(b);
        if (status)
            return status;
    }
    return WS_OK;
}

/* Barriers of which the trace does not say for whom they wait: a warp waits until every other has ended or waits, too.
 */
static bool release(ws_sass_block *b)
{
    const uint32_t warps = b->program->launch->warps_per_block;
    bool any = false;
    for (uint32_t i = 0; i < warps; i++) {
        any |= !b->warp[i].ended;
        if (!b->warp[i].ended && !b->warp[i].waits)
            return true;
    }
    for (uint32_t i = 0; i < warps; i++)
        b->warp[i].waits = false;
    return any;
}

static int begin_warp(ws_sass_block *b, uint32_t i)
{
    warp *const w = &b->warp[i];
    const ws_spool_cursor cursor = w->cursor;
    *w = (warp){.cursor = cursor, .live = lanes_of(b->program->launch, i), .groups = 1};
    w->group[0] = w->live;
    return ws_spool_open(b->spool, b->number * b->program->launch->warps_per_block + i, &w->cursor);
}

static int play_warps(ws_sass_block *b)
{
    const uint32_t warps = b->program->launch->warps_per_block;
    int status = WS_OK;
    for (uint32_t i = 0; i < warps && !status; i++)
        status = begin_warp(b, i);
    do
        for (uint32_t i = 0; i < warps && !status; i++)
            status = play_turn(b, &b->warp[i]);
    while (!status && release(b));
    return status ? status : flush(b);
}

int ws_sass_block_play(ws_sass_block *b, ws_range *range, uint64_t number, ws_sass_counts *counts)
{
    b->range = range;
    b->number = number;
    b->counts = *counts;
    b->events = b->accesses = 0;
    int status = ws_range_block_begin(range, number);
    if (!status)
        status = play_warps(b);
    if (!status)
        status = ws_range_block_end(range, number);
    *counts = b->counts;
    return status;
}
