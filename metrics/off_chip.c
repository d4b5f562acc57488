/* off_chip.c - which DRAM rows and which requests under way do the off-chip accesses of a launch meet?
 *
 * A block's accesses are kept with their times until its wave is whole; then those of the wave are put in order of time
 * and followed. A block that has too many keeps every second window of time, and again, on its own; a wave is followed
 * in the windows that all of its blocks have kept. So what is kept hangs on blocks and waves alone, never on how blocks
 * are spread over workers. */
#include "metrics/off_chip.h"

#include "base/grow.h"
#include "base/status.h"
#include "metrics/dram_rows.h"

#include <stdlib.h>
#include <string.h>

const ws_board ws_board_frozen = {.processors = 8, .channels = WS_DRAM_CHANNELS, .threads = 1024, .blocks = 8};

enum { BLOCK_BITS = 57, MOST_THINNING = 40, DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, EPOCHS = 4 };
enum { FEW = 32 }; /* records that are sorted in place, cheaper than by the digits of their times */

typedef struct record {
    uint64_t time;  /* cycles since its block began */
    uint64_t block; /* of memory; in a wave: above it, in the same number, the multiprocessor */
} record;

/* The kept accesses of one block of the grid. */
typedef struct kept {
    uint64_t block;
    record *record; /* [records] */
    size_t records, room;
    unsigned thinning; /* one window in 2^thinning */
} kept;

struct ws_off_chip {
    ws_board board;
    uint64_t blocks;      /* of the grid */
    uint64_t resident;    /* blocks of a wave */
    uint64_t turn;        /* cycles from one instruction of a warp to its next, without waiting */
    size_t most;          /* records of a block */
    uint32_t warps;       /* of a block */
    uint64_t first, next; /* blocks seen: [first, next) */
    kept *wait;           /* [waits], of waves that are not whole, in rising order */
    size_t waits, room;
    kept now;                   /* of the block in work */
    bool began;                 /* now.block is meant */
    uint64_t *clock;            /* [warps]: when each issues next */
    uint32_t *epoch;            /* [warps]: barriers passed */
    bool *held;                 /* [warps]: at a barrier */
    uint64_t met[EPOCHS];       /* when the last warp came to barrier number e, at e % EPOCHS */
    uint32_t met_epoch[EPOCHS]; /* which e that is */
    ws_off_chip_count count;    /* of whole waves */
    ws_warp_blocks scratch;
};

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for the accesses of a launch");
}

static uint64_t at_least_one(uint64_t n)
{
    return n ? n : 1;
}

int ws_off_chip_create(const ws_board *board, const ws_launch *launch, ws_off_chip **out)
{
    *out = NULL;
    int status = ws_warp_blocks_check(launch);
    if (status != WS_OK)
        return status;
    ws_off_chip *const t = calloc(1, sizeof *t);
    if (!t)
        return no_memory();
    uint64_t held = at_least_one(board->threads / at_least_one(launch->threads_per_block));
    held = held < board->blocks ? held : board->blocks;
    t->board = *board;
    t->blocks = launch->blocks;
    t->resident = held * board->processors;
    const uint64_t together = launch->blocks < t->resident ? at_least_one(launch->blocks) : t->resident;
    t->warps = launch->warps_per_block ? launch->warps_per_block : 1;
    t->turn = (together + board->processors - 1) / board->processors * t->warps;
    t->most = WS_RECORDS / together;
    t->clock = calloc(t->warps, sizeof *t->clock);
    t->epoch = calloc(t->warps, sizeof *t->epoch);
    t->held = calloc(t->warps, sizeof *t->held);
    if (!t->clock || !t->epoch || !t->held) {
        ws_off_chip_destroy(t);
        return no_memory();
    }
    *out = t;
    return WS_OK;
}

void ws_off_chip_destroy(ws_off_chip *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->waits; i++)
        free(t->wait[i].record);
    free(t->wait);
    free(t->now.record);
    free(t->clock);
    free(t->epoch);
    free(t->held);
    free(t);
}

/* ------------------------------------------------------------------------------------------------ a block */

static bool in_window(uint64_t time, unsigned thinning)
{
    return (time / WS_WINDOW & ((UINT64_C(1) << thinning) - 1)) == 0;
}

static void thin(kept *k, unsigned thinning)
{
    size_t n = 0;
    for (size_t i = 0; i < k->records; i++)
        if (in_window(k->record[i].time, thinning))
            k->record[n++] = k->record[i];
    k->records = n;
    k->thinning = thinning;
}

static int keep(ws_off_chip *t, uint64_t time, uint64_t block)
{
    kept *const k = &t->now;
    while (k->records >= t->most && k->thinning < MOST_THINNING)
        thin(k, k->thinning + 1);
    if (!in_window(time, k->thinning) || k->records >= t->most)
        return WS_OK;
    if (WS_GROW(k->record, k->room, k->records, 1))
        return no_memory();
    k->record[k->records++] = (record){.time = time, .block = block};
    return WS_OK;
}

static void begin_block(ws_off_chip *t, uint64_t block)
{
    t->now.block = block;
    t->now.records = 0;
    t->now.thinning = 0;
    t->began = true;
    memset(t->clock, 0, t->warps * sizeof *t->clock);
    memset(t->epoch, 0, t->warps * sizeof *t->epoch);
    memset(t->held, 0, t->warps * sizeof *t->held);
    memset(t->met_epoch, 0, sizeof t->met_epoch);
}

/* A warp arrives; it goes on when the last one has come, whose event stands before its next one. */
static void arrive(ws_off_chip *t, uint32_t warp)
{
    const uint32_t e = ++t->epoch[warp];
    uint64_t *const met = &t->met[e % EPOCHS];
    if (t->met_epoch[e % EPOCHS] != e || *met < t->clock[warp])
        *met = t->clock[warp];
    t->met_epoch[e % EPOCHS] = e;
    t->held[warp] = true;
}

static void leave_barrier(ws_off_chip *t, uint32_t warp)
{
    const uint32_t e = t->epoch[warp];
    t->held[warp] = false;
    if (t->met_epoch[e % EPOCHS] == e && t->met[e % EPOCHS] > t->clock[warp])
        t->clock[warp] = t->met[e % EPOCHS];
}

static int see_access(ws_off_chip *t, const ws_launch *launch, const ws_batch *batch, const ws_event *ev)
{
    const uint64_t time = t->clock[ev->warp] + ev->warp;
    const unsigned n = in_window(time, t->now.thinning) ? ws_warp_blocks_find(&t->scratch, launch, batch, ev) : 0;
    const ws_access access = launch->instr[ev->pc].access;
    int status = WS_OK;
    for (unsigned i = 0; i < n && status == WS_OK; i++)
        status = keep(t, time, t->scratch.block[i]);
    if (access == WS_ACCESS_LOAD || access == WS_ACCESS_ATOMIC) /* the others are not waited for */
        t->clock[ev->warp] += t->turn < WS_LATENCY ? WS_LATENCY - t->turn : 0;
    return status;
}

int ws_off_chip_see(ws_off_chip *t, const ws_launch *launch, const ws_batch *batch)
{
    int status = WS_OK;
    if (!t->began || t->now.block != batch->block)
        begin_block(t, batch->block);
    for (const ws_event *ev = batch->event, *end = ev + batch->events; ev < end && status == WS_OK; ev++) {
        if (t->held[ev->warp])
            leave_barrier(t, ev->warp);
        if (ev->kind == WS_EVENT_MEMORY && ws_is_off_chip(ev->space))
            status = see_access(t, launch, batch, ev);
        t->clock[ev->warp] += ev->count * t->turn;
        if (ev->kind == WS_EVENT_BARRIER && ev->barrier != UINT32_MAX)
            arrive(t, ev->warp);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ a wave */

static void insertion_sort(record *at, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const record r = at[i];
        size_t to = i;
        for (; to && at[to - 1].time > r.time; to--)
            at[to] = at[to - 1];
        at[to] = r;
    }
}

/* Sorts by time, those of one time in the order in which they stand. `other` has as much room;
 * returns where they are. */
static record *sort_by_time(record *from, record *other, size_t n, uint64_t latest)
{
    if (n <= FEW) {
        insertion_sort(from, n);
        return from;
    }
    for (unsigned shift = 0; shift < 64 && latest >> shift; shift += DIGIT_BITS) {
        size_t at[DIGITS] = {0}, sum = 0;
        for (size_t i = 0; i < n; i++)
            at[from[i].time >> shift & (DIGITS - 1)]++;
        for (size_t d = 0; d < DIGITS; d++) {
            const size_t here = at[d];
            at[d] = sum;
            sum += here;
        }
        for (size_t i = 0; i < n; i++)
            other[at[from[i].time >> shift & (DIGITS - 1)]++] = from[i];
        record *const swap = from;
        from = other;
        other = swap;
    }
    return from;
}

/* A hash table of requests: when each ends. A slot that is `free_slot` has none. */
typedef struct requests {
    uint64_t *key, *until;
    unsigned bits;
} requests;

static const uint64_t free_slot = UINT64_MAX;

/* Whether the request could share one that is under way; begins one else. */
static bool request(requests *r, uint64_t key, uint64_t time)
{
    const size_t mask = ((size_t)1 << r->bits) - 1;
    size_t i = key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - r->bits); /* 2^64 / golden ratio */
    while (r->key[i] != key && r->key[i] != free_slot)
        i = (i + 1) & mask;
    if (r->key[i] == key && time < r->until[i])
        return true;
    r->key[i] = key;
    r->until[i] = time + WS_LATENCY;
    return false;
}

/* Follows n records in order of time; thinned ones without those that an earlier window could have served. */
static void follow(const ws_off_chip *t, const record *at, size_t n, unsigned thinning, requests *open,
                   ws_off_chip_count *count)
{
    uint64_t accesses = 0, runs = 0, mergeable = 0, last[WS_BOARD_CHANNELS * WS_DRAM_BANKS];
    memset(last, 0xff, sizeof last);
    for (size_t i = 0; i < n; i++) {
        unsigned place;
        const uint64_t block = at[i].block & ((UINT64_C(1) << BLOCK_BITS) - 1);
        const uint64_t row = ws_dram_map_to(block * WS_BLOCK_BYTES, t->board.channels, &place);
        const bool shared = request(open, at[i].block, at[i].time), other_row = last[place] != row;
        last[place] = row;
        if (thinning && at[i].time % WS_WINDOW < WS_LATENCY)
            continue;
        accesses++;
        runs += other_row;
        mergeable += shared;
    }
    count->accesses += accesses << thinning;
    count->runs += runs << thinning;
    count->mergeable += mergeable << thinning;
}

/* The records of the wave's blocks, block after block, each with its multiprocessor and the time at which its turn
 * comes there. */
static size_t gather(const ws_off_chip *t, kept *wave, size_t blocks, unsigned thinning, record *out, uint64_t *latest)
{
    size_t n = 0;
    for (size_t b = 0; b < blocks; b++) {
        const uint64_t number = wave[b].block % t->resident, processor = number % t->board.processors;
        const uint64_t turn = number / t->board.processors * t->warps;
        thin(&wave[b], thinning);
        for (size_t i = 0; i < wave[b].records; i++, n++) {
            out[n].time = wave[b].record[i].time + turn;
            out[n].block = wave[b].record[i].block | processor << BLOCK_BITS;
            *latest = out[n].time > *latest ? out[n].time : *latest;
        }
    }
    return n;
}

static int follow_wave(ws_off_chip *t, kept *wave, size_t blocks)
{
    size_t n = 0;
    unsigned thinning = 0;
    for (size_t b = 0; b < blocks; b++) {
        n += wave[b].records;
        thinning = wave[b].thinning > thinning ? wave[b].thinning : thinning;
    }
    if (n == 0)
        return WS_OK;
    requests open = {.bits = 4};
    while ((size_t)1 << open.bits < 2 * n)
        open.bits++;
    record *const records = malloc(2 * n * sizeof *records);
    open.key = malloc(((size_t)2 << open.bits) * sizeof *open.key);
    int status = records && open.key ? WS_OK : no_memory();
    if (status == WS_OK) {
        uint64_t latest = 0;
        open.until = open.key + ((size_t)1 << open.bits);
        memset(open.key, 0xff, ((size_t)1 << open.bits) * sizeof *open.key);
        const size_t left = gather(t, wave, blocks, thinning, records, &latest);
        follow(t, sort_by_time(records, records + n, left, latest), left, thinning, &open, &t->count);
    }
    free(records);
    free(open.key);
    return status;
}

/* Follows the waiting blocks of one wave, which stand at [from, from + blocks), and forgets them. */
static int take_wave(ws_off_chip *t, size_t from, size_t blocks)
{
    if (!blocks)
        return WS_OK;
    const int status = follow_wave(t, t->wait + from, blocks);
    for (size_t i = from; i < from + blocks; i++)
        free(t->wait[i].record);
    t->waits -= blocks;
    memmove(t->wait + from, t->wait + from + blocks, (t->waits - from) * sizeof *t->wait);
    return status;
}

/* If the wave of a block has been seen from its beginning to its end, it is followed. */
static int end_wave(ws_off_chip *t, uint64_t block)
{
    const uint64_t begin = block / t->resident * t->resident;
    const uint64_t end = t->blocks - begin < t->resident ? t->blocks : begin + t->resident;
    size_t from = 0, behind;
    if (t->first > begin || t->next < end)
        return WS_OK;
    while (from < t->waits && t->wait[from].block < begin)
        from++;
    for (behind = from; behind < t->waits && t->wait[behind].block < end;)
        behind++;
    return take_wave(t, from, behind - from);
}

int ws_off_chip_block_end(ws_off_chip *t, uint64_t block)
{
    if (t->first == t->next)
        t->first = block;
    t->next = block + 1;
    if (t->began && t->now.block == block && t->now.records) {
        if (WS_GROW(t->wait, t->room, t->waits, 1))
            return no_memory();
        kept *const k = &t->wait[t->waits];
        *k = t->now;
        k->record = malloc(k->records * sizeof *k->record);
        if (!k->record)
            return no_memory();
        memcpy(k->record, t->now.record, k->records * sizeof *k->record);
        t->waits++;
    }
    t->began = false;
    return t->next % t->resident == 0 || t->next == t->blocks ? end_wave(t, block) : WS_OK;
}

int ws_off_chip_join(ws_off_chip *into, ws_off_chip *from)
{
    if (from->first == from->next)
        return WS_OK;
    if (WS_GROW(into->wait, into->room, into->waits, from->waits))
        return no_memory();
    if (from->waits)
        memcpy(into->wait + into->waits, from->wait, from->waits * sizeof *from->wait);
    into->waits += from->waits;
    from->waits = 0;
    into->count.accesses += from->count.accesses;
    into->count.runs += from->count.runs;
    into->count.mergeable += from->count.mergeable;
    if (into->first == into->next)
        into->first = from->first;
    into->next = from->next;
    return from->first > into->first ? end_wave(into, from->first) : WS_OK;
}

int ws_off_chip_finish(ws_off_chip *t, ws_off_chip_count *count)
{
    int status = WS_OK;
    while (t->waits && status == WS_OK) {
        size_t n = 1;
        while (n < t->waits && t->wait[n].block / t->resident == t->wait[0].block / t->resident)
            n++;
        status = take_wave(t, 0, n);
    }
    *count = t->count;
    return status;
}
