/* neighbours.c - how far apart are the thread blocks that share data, and on how many SMs would they run?
 *
 * Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", 2018, chapter 2:
 * data that several thread blocks touch, by the distance of their numbers (figure 2.1) and by SMs that touch it
 * (figure 2.3); `sharing` has how much is shared at all. A distance is that of one thread block that touches a 128-byte
 * block and the next one that does, in the order of the grid. SMs are those of a fixed map of thread blocks to 15 of
 * them, that of chapter 2's machine: in turn, or by groups of 8, of 16, of a row of the grid. The map of a run, which
 * follows what ends first, is that of `model sharing`.
 *
 * What is kept of a memory block are several keys of one group (tally.h): users and SMs, distances by bin, and stores
 * between two uses. So all of a block is in the sample or none of it. */
#include "metrics/family.h"

#include "base/status.h"
#include "metrics/coalesced.h"
#include "metrics/tally.h"

enum { CAP = 1 << 16, SMS = 15, NEAR = 5 };

/* Keys of a memory block. */
enum {
    KEY_USERS,
    KEY_DISTANCE,
    DISTANCES = 8,
    KEY_AGAIN = KEY_DISTANCE + DISTANCES,
    KEY_STORED,
    KEY_STORES,
    KEY_BITS = 4
};
/* Maps of thread blocks to SMs. */
enum { BY_TURN, BY_8, BY_16, BY_ROW, MAPS };

#define GROUP "neighbours"
#define COUNTERS(ONE, MANY) \
    ONE(blocks, SUM) \
    ONE(pairs, SUM) \
    MANY(distance, SUM, DISTANCES) \
    MANY(shared, SUM, MAPS) \
    MANY(sharers, SUM, MAPS) \
    MANY(copies, SUM, MAPS) \
    ONE(again, SUM) \
    ONE(stored, SUM) \
    ONE(stores, SUM)
#define SAMPLE "exact up to 5000 memory blocks, then from a sample of them, with 1 % standard error or less."
#define BY_MAP "of 15 SMs that get thread blocks in turn, by groups of 8, of 16, of a row of the grid; " SAMPLE
#define COLUMNS(ONE, MANY) \
    MANY(distance, DISTANCES, "ratio", \
         "Share of pairs of thread blocks that touch a 128-byte block one after the other, in the " \
         "order of the grid, 1, 2, 3, 4, 5-8, 9-32, 33-128, more apart; " SAMPLE) \
    ONE(near, "ratio", "Share of these pairs less than 5 apart; " SAMPLE) \
    ONE(pairs, "pairs", "Such pairs over memory blocks touched; " SAMPLE) \
    MANY(sm_shared, MAPS, "ratio", "Share of the memory blocks touched that two or more SMs touch, " BY_MAP) \
    MANY(sm_sharers, MAPS, "SMs", "SMs that touch a memory block, mean over those that two or more touch, " BY_MAP) \
    MANY(sm_copies, MAPS, "SMs", "SMs that touch a memory block, mean: copies if all L1s were large, " BY_MAP) \
    ONE(stored_between, "ratio", \
        "Share of the uses of a memory block by a thread block that used it before with a global store of that " \
        "thread block in between, its own included; " SAMPLE) \
    ONE(stores_between, "accesses", "Such stores between two uses, mean, 0 included; " SAMPLE)
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

/* Marks of KEY_USERS. [0]: SMs, 16 bits a map. [1]: 1 + the number of the first thread block in the lower half, of the
 * last one in the upper. Marks of KEY_AGAIN: thread block, and its stores up to the last use. */
enum { MAP_BITS = 16, HALF = 32 };

typedef struct state {
    ws_tally tally;
    uint64_t stores; /* of the thread block that runs */
} state;

static int init(void *p, const ws_launch *launch)
{
    (void)launch;
    ws_tally_init(&((state *)p)->tally, CAP, KEY_BITS);
    return WS_OK;
}

static int block_begin(void *p, const ws_launch *launch, uint64_t block)
{
    (void)launch;
    (void)block;
    ((state *)p)->stores = 0;
    return WS_OK;
}

static uint64_t key_of(uint64_t line, unsigned kind)
{
    return line << KEY_BITS | kind;
}

static unsigned bin_of(uint32_t distance)
{
    static const uint32_t last[DISTANCES - 1] = {1, 2, 3, 4, 8, 32, 128};
    unsigned bin = 0;
    while (bin < DISTANCES - 1 && distance > last[bin])
        bin++;
    return bin;
}

static uint32_t first_of(const ws_tally_entry *e)
{
    return (uint32_t)e->mark[1];
}

static uint32_t last_of(const ws_tally_entry *e)
{
    return (uint32_t)(e->mark[1] >> HALF);
}

/* The SM of a thread block by each map. */
static uint64_t sms_of(const ws_launch *launch, uint64_t block)
{
    const uint64_t group[MAPS] = {
        [BY_TURN] = 1, [BY_8] = 8, [BY_16] = 16, [BY_ROW] = launch->grid[0] ? launch->grid[0] : 1};
    uint64_t sms = 0;
    for (unsigned map = 0; map < MAPS; map++)
        sms |= (uint64_t)1 << (map * MAP_BITS + block / group[map] % SMS);
    return sms;
}

static int add_distance(ws_tally *tally, uint64_t line, uint32_t distance)
{
    ws_tally_entry *e;
    return ws_tally_add(tally, key_of(line, KEY_DISTANCE + bin_of(distance)), 1, &e);
}

/* A thread block uses the line for the first time. */
static int begin_use(ws_tally *tally, const ws_launch *launch, uint64_t line, uint64_t block, ws_tally_entry *e)
{
    const uint32_t now = (uint32_t)(block + 1), last = last_of(e);
    const bool first = !e->mark[1];
    e->mark[0] |= sms_of(launch, block);
    e->mark[1] = (uint64_t)now << HALF | (first ? now : first_of(e));
    return first ? WS_OK : add_distance(tally, line, now - last);
}

/* Again: how many stores lie between? */
static int use_again(state *s, uint64_t line, uint64_t between)
{
    ws_tally_entry *e;
    int status = ws_tally_add(&s->tally, key_of(line, KEY_AGAIN), 1, &e);
    if (status == WS_OK && between)
        status = ws_tally_add(&s->tally, key_of(line, KEY_STORED), 1, &e);
    return status == WS_OK && between ? ws_tally_add(&s->tally, key_of(line, KEY_STORES), between, &e) : status;
}

/* `count` of KEY_USERS says how many stores the thread block had made at its last use of the line, plus 1. */
static int use(state *s, const ws_launch *launch, uint64_t line, uint64_t block)
{
    ws_tally_entry *e;
    const int status = ws_tally_add(&s->tally, key_of(line, KEY_USERS), 1, &e);
    if (status != WS_OK || !e)
        return status;
    const uint64_t before = e->count - 2;
    const bool again = e->mark[1] && last_of(e) == (uint32_t)(block + 1);
    e->count = s->stores + 1;
    return again ? use_again(s, line, s->stores - before) : begin_use(&s->tally, launch, line, block, e);
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    WS_EACH_GLOBAL (ev, batch) {
        const ws_instr *const in = &launch->instr[ev->pc];
        uint64_t own[WS_COALESCE_MAX];
        unsigned n;
        const uint64_t *const line = ws_coalesced_lines(batch, ev, in, own, &n);
        s->stores += n && in->access != WS_ACCESS_LOAD;
        for (unsigned k = 0; k < n; k++) {
            const int status = use(s, launch, line[k], batch->block);
            if (status != WS_OK)
                return status;
        }
    }
    return WS_OK;
}

static bool is_users(const ws_tally_entry *e)
{
    return (e->key & (((uint64_t)1 << KEY_BITS) - 1)) == KEY_USERS;
}

/* `from` saw the thread blocks behind. */
static void join(ws_tally_entry *into, const ws_tally_entry *from)
{
    if (!is_users(into))
        return;
    into->count = from->count;
    into->mark[0] |= from->mark[0];
    into->mark[1] = (from->mark[1] >> HALF) << HALF | first_of(into);
}

/* Distances from the last user here to the first one there. */
static int add_seams(ws_tally *into, const ws_tally *from)
{
    int status = WS_OK;
    for (size_t i = 0; i < from->slots && into->slots && status == WS_OK; i++) {
        const ws_tally_entry *const e = &from->slot[i];
        if (!e->count || !is_users(e) || !ws_tally_samples(into, e->key))
            continue;
        const ws_tally_entry *const mine = ws_tally_find(into, e->key);
        if (mine->count)
            status = add_distance(into, e->key >> KEY_BITS, first_of(e) - last_of(mine));
    }
    return status;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    (void)launch;
    const int status = add_seams(&((state *)into)->tally, &((const state *)from)->tally);
    return status == WS_OK ? ws_tally_merge(&((state *)into)->tally, &((const state *)from)->tally, join) : status;
}

static void fini(void *p)
{
    ws_tally_fini(&((state *)p)->tally);
}

static void add_users(counters *c, const ws_tally_entry *e, double scale)
{
    c->blocks += scale;
    for (unsigned map = 0; map < MAPS; map++) {
        const unsigned sms = ws_popcount((uint32_t)(e->mark[0] >> map * MAP_BITS & (((uint64_t)1 << MAP_BITS) - 1)));
        c->copies[map] += scale * sms;
        c->shared[map] += sms > 1 ? scale : 0;
        c->sharers[map] += sms > 1 ? scale * sms : 0;
    }
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    const ws_tally *const tally = &((const state *)p)->tally;
    const double scale = (double)((uint64_t)1 << tally->level);
    counters *const c = (counters *)counter;
    (void)launch;
    *c = (counters){0};
    for (size_t i = 0; i < tally->slots; i++) {
        const ws_tally_entry *const e = &tally->slot[i];
        const unsigned kind = (unsigned)(e->key & (((uint64_t)1 << KEY_BITS) - 1));
        const double count = scale * (double)e->count;
        if (!e->count)
            continue;
        if (kind == KEY_USERS)
            add_users(c, e, scale);
        else if (kind < KEY_AGAIN)
            c->distance[kind - KEY_DISTANCE] += count;
        else
            *(kind == KEY_AGAIN ? &c->again : kind == KEY_STORED ? &c->stored : &c->stores) += count;
        c->pairs += kind >= KEY_DISTANCE && kind < KEY_AGAIN ? count : 0;
    }
    return WS_OK;
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    columns *const v = (columns *)value;
    *v = (columns){.pairs = ws_ratio(c->pairs, c->blocks, 0),
                   .stored_between = ws_ratio(c->stored, c->again, 0),
                   .stores_between = ws_ratio(c->stores, c->again, 0)};
    ws_fractions(c->distance, DISTANCES, v->distance);
    for (unsigned i = 0; i < NEAR - 1; i++)
        v->near += v->distance[i];
    for (unsigned map = 0; map < MAPS; map++) {
        v->sm_shared[map] = ws_ratio(c->shared[map], c->blocks, 0);
        v->sm_sharers[map] = ws_ratio(c->sharers[map], c->shared[map], 0);
        v->sm_copies[map] = ws_ratio(c->copies[map], c->blocks, 0);
    }
}

const ws_metric ws_metric_neighbours =
    WS_FAMILY("modern", "How far apart are thread blocks that share data, and on how many SMs would they run?",
              .wants = WS_WANT_MEMORY, .init = init, .block_begin = block_begin, .fini = fini);
