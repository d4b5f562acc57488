/* traffic_owners.c - owners and readers of lines, on one machine of the ladder.
 *
 * Each SM has a stack of lines per set, most recent first, as in traffic_walk.c. An access is charged twice: what it
 * sends when its L1 has more ways than the line lies deep, and what it sends otherwise; a closed form takes its share
 * of both. What other SMs find is that of WS_PROFILE_WAYS.
 *
 * By the clock, who gets a line next is who is at L2 first. SMs and slices are the nodes of a mesh, so SMs that ask for
 * the same lines at the same time stand in another order at each slice, and get their lines one by one, not together:
 * an access that L1 does not serve waits in a heap until it is at L2, and others that get there before are taken
 * before. */
#include "model/traffic_owners.h"

#include "base/bits.h"
#include "base/grow.h"
#include "base/lru.h"
#include "base/status.h"
#include "model/access_order.h"
#include "model/traffic_time.h"

#include <stdlib.h>
#include <string.h>

enum { SETS = WS_PROFILE_SETS, DEPTH = WS_PROFILE_DEPTH, LINES = WS_PROFILE_L2_SETS * WS_PROFILE_L2_WAYS };
enum {
    SLICES = WS_PROFILE_SLICES,
    WAY = WS_PROFILE_L2_CYCLES / 2,
    MOST_SMS = 64,
    HOP = WS_PROFILE_HOP_CYCLES,
    NOBODY = UINT8_MAX
};

typedef struct copy {
    uint64_t there, until; /* when its data come; when somebody takes it away */
    bool owned, changed;
} copy;

/* A set of an L1. */
typedef struct stack {
    ws_lru *lines;
    copy *copy; /* [DEPTH] by the places of lines */
} stack;

typedef struct entry {
    uint64_t line, readers; /* the latter a bit an SM: MOST_SMS */
    uint64_t busy;          /* until when others wait */
    uint8_t owner, age;
    bool used;
} entry;

/* An access on its way to L2. */
typedef struct arrival {
    uint64_t at, number; /* when it is there; the number-th that went out */
    uint64_t now;        /* when L1 took it; on its way, when it set out, */
    uint32_t depth;      /* and how deep its line lay there */
    ws_ordered_access access;
} arrival;

/* Accesses that an L1 has taken and for which it has no MSHR yet. */
typedef struct outbox {
    arrival *entry; /* [count], without the first `first` of them */
    size_t first, count, room;
    uint64_t gone; /* accesses that have left the array */
    uint32_t sent; /* accesses of the SM on their way: at most as many as MSHRs */
} outbox;

typedef struct waiting {
    uint32_t away;         /* accesses of the warp on their way, or in the outbox */
    uint64_t latest;       /* when the last of those on their way is there */
    uint64_t last;         /* its last access is the last-th of the outbox */
    ws_ordered_access did; /* what the warp did last */
    bool known;
} waiting;

/* An L1 that takes nothing but the next access of this warp, for so long. */
typedef struct held {
    uint64_t until;
    uint32_t warp;
} held;

struct ws_traffic_owners {
    uint32_t sms;
    uint16_t (*way)[SLICES];           /* [sms] cycles from an SM to a slice */
    ws_lru *set;                       /* [sms][SETS] */
    copy (*copy)[DEPTH];               /* [sms][SETS] by the places of lines */
    entry *directory[WS_OWNER_ORDERS]; /* [LINES] */
    uint64_t now[WS_OWNER_ORDERS];
    /* Of this walk: */
    entry *line;
    ws_owner_counts *counts;
    ws_traffic_time *time; /* NULL: none passes */
    arrival *queue;        /* a heap, the earliest first */
    size_t queued, room;
    uint64_t numbers;
    waiting *warp; /* [sms][warps] */
    uint32_t warps;
    held *held;     /* [sms] */
    outbox *outbox; /* [sms] */
};

/* SMs and slices on the smallest square mesh that holds them, slices spread among the SMs (docs/simulator.md), as many
 * cycles on average as all profiles have. */
static void place_nodes(ws_traffic_owners *o)
{
    const uint32_t nodes = o->sms + SLICES;
    uint32_t side = 1, sm_at[MOST_SMS] = {0}, slice_at[SLICES] = {0}, sms = 0, slices = 0;
    uint64_t hops = 0;
    while (side * side < nodes)
        side++;
    for (uint32_t node = 0; node < nodes; node++) {
        if ((node + 1) * SLICES / nodes > slices)
            slice_at[slices++] = node;
        else
            sm_at[sms++] = node;
    }
    for (uint32_t i = 0; i < o->sms; i++)
        for (uint32_t k = 0; k < SLICES; k++) {
            const int x = (int)(sm_at[i] % side) - (int)(slice_at[k] % side),
                      y = (int)(sm_at[i] / side) - (int)(slice_at[k] / side);
            o->way[i][k] = (uint16_t)((x < 0 ? -x : x) + (y < 0 ? -y : y));
            hops += o->way[i][k];
        }
    const uint32_t mean = (uint32_t)(HOP * hops / ((uint64_t)o->sms * SLICES));
    for (uint32_t i = 0; i < o->sms; i++)
        for (uint32_t k = 0; k < SLICES; k++)
            o->way[i][k] = (uint16_t)(WAY + HOP * o->way[i][k] - mean);
}

static uint64_t way_of(const ws_traffic_owners *o, uint32_t sm, uint64_t line)
{
    return o->way[sm][line / WS_PROFILE_STRIPE % SLICES];
}

int ws_traffic_owners_create(uint32_t sms, ws_traffic_owners **out)
{
    *out = NULL;
    if (sms > MOST_SMS)
        return ws_fail(WS_EUNSUPPORTED, "profiles know owners of lines among at most %d SMs, not %u", MOST_SMS, sms);
    ws_traffic_owners *const o = *out = calloc(1, sizeof *o);
    bool good = o && (o->set = ws_lru_sets_create((size_t)sms * SETS, DEPTH)) != NULL &&
                (o->copy = calloc((size_t)sms * SETS, sizeof *o->copy)) != NULL &&
                (o->way = calloc(sms, sizeof *o->way)) != NULL;
    for (unsigned k = 0; k < WS_OWNER_ORDERS && good; k++)
        good = (o->directory[k] = calloc(LINES, sizeof *o->directory[k])) != NULL;
    if (good) {
        o->sms = sms;
        place_nodes(o);
        return WS_OK;
    }
    ws_traffic_owners_destroy(o);
    *out = NULL;
    return ws_fail(WS_EMEM, "no memory for a profile");
}

int ws_traffic_owners_clone(const ws_traffic_owners *from, ws_traffic_owners **out)
{
    const int status = ws_traffic_owners_create(from->sms, out);
    for (unsigned k = 0; k < WS_OWNER_ORDERS && !status; k++) {
        memcpy((*out)->directory[k], from->directory[k], LINES * sizeof *from->directory[k]);
        (*out)->now[k] = from->now[k];
    }
    return status;
}

void ws_traffic_owners_destroy(ws_traffic_owners *owners)
{
    if (!owners)
        return;
    for (unsigned k = 0; k < WS_OWNER_ORDERS; k++)
        free(owners->directory[k]);
    ws_lru_sets_destroy(owners->set);
    free(owners->copy);
    free(owners->way);
    free(owners);
}

/* ------------------------------------------------------------------------------------------------ copies */

static stack set_of(const ws_traffic_owners *o, uint32_t sm, uint64_t line)
{
    const size_t at = (size_t)sm * SETS + line % SETS;
    return (stack){.lines = &o->set[at], .copy = o->copy[at]};
}

/* The line comes to the top, from how deep; DEPTH: it was not there. What leaves the stack was written back before. */
static uint32_t bring_up(ws_traffic_owners *o, stack s, uint64_t line)
{
    uint64_t depth;
    ws_lru_use(s.lines, line, &depth);
    if (depth != WS_LRU_FAR)
        return (uint32_t)depth;
    copy *const c = &s.copy[ws_lru_first(s.lines)];
    if (s.lines->gone != WS_LRU_HOLE)
        o->counts->always[WS_OWNER_PUT] += c->changed;
    *c = (copy){0};
    return DEPTH;
}

/* ------------------------------------------------------------------------------------------------ the directory */

/* What an SM that is asked for its copy answers: data if it has changed them. What it wrote back before is no answer,
 * but was sent. */
static ws_owner_message take_copy(ws_traffic_owners *o, uint32_t sm, uint64_t line, uint64_t when, bool shared)
{
    const stack s = set_of(o, sm, line);
    const uint32_t place = ws_lru_find(s.lines, line);
    if (place == WS_LRU_NONE)
        return WS_OWNER_NONE;
    copy *const c = &s.copy[place];
    const bool here = ws_lru_distance(s.lines, place) < WS_PROFILE_WAYS && c->until == UINT64_MAX, changed = c->changed;
    if (!shared || !here)
        c->until = when < c->until ? when : c->until;
    c->owned = c->owned && !shared;
    c->changed = false;
    if (changed && !here)
        o->counts->always[WS_OWNER_PUT]++;
    return !here ? WS_OWNER_NONE : changed ? WS_OWNER_DATA : shared ? WS_OWNER_CLEAN : WS_OWNER_NONE;
}

/* A line leaves L2, and all L1s before it. */
static void recall(ws_traffic_owners *o, const entry *e)
{
    for (uint64_t left = e->readers; left; left &= left - 1) {
        o->counts->always[WS_OWNER_INVALIDATE]++;
        o->counts->always[take_copy(o, (uint32_t)__builtin_ctzll(left), e->line, 0, false)]++;
    }
}

/* The line in L2; `came`: it was not there. L2 does not see what L1s hit. */
static entry *look_up(ws_traffic_owners *o, uint64_t line, bool *came)
{
    entry *const set = &o->line[line % WS_PROFILE_L2_SETS * WS_PROFILE_L2_WAYS], *found = NULL, *oldest = set;
    for (unsigned i = 0; i < WS_PROFILE_L2_WAYS && !found; i++) {
        if (set[i].used && set[i].line == line)
            found = &set[i];
        if (!set[i].used || (oldest->used && set[i].age > oldest->age))
            oldest = &set[i];
    }
    *came = !found;
    if (!found) {
        found = oldest;
        if (found->used)
            recall(o, found);
        *found = (entry){.line = line, .used = true, .owner = NOBODY, .age = WS_PROFILE_L2_WAYS};
    }
    for (unsigned i = 0; i < WS_PROFILE_L2_WAYS; i++)
        set[i].age += set[i].used && set[i].age < found->age;
    found->age = 0;
    return found;
}

/* ------------------------------------------------------------------------------------------------ an access */

typedef struct cost {
    uint32_t sent[WS_OWNER_MESSAGES];
} cost;

typedef struct transaction {
    cost near, far;
    uint64_t asking; /* cycles until all others that are asked have answered */
    bool owning;     /* the line is closed until its owner has it */
} transaction;

/* An SM is asked for its copy when the request is taken up at `start`. */
static ws_owner_message ask(ws_traffic_owners *o, transaction *t, uint32_t sm, uint64_t line, uint64_t start,
                            bool shared)
{
    const uint64_t way = way_of(o, sm, line);
    t->asking = 2 * way > t->asking ? 2 * way : t->asking;
    return take_copy(o, sm, line, o->time ? start + way : 0, shared);
}

/* A read; the one who has the line alone is asked first. */
static transaction read_line(ws_traffic_owners *o, entry *e, uint32_t sm, uint64_t start)
{
    transaction t = {.far.sent = {[WS_OWNER_READ] = 1}};
    bool alone = !e->readers || e->owner == sm;
    if (e->owner != NOBODY && e->owner != sm) {
        const ws_owner_message answer = ask(o, &t, e->owner, e->line, start, true);
        t.far.sent[WS_OWNER_FETCH] = t.far.sent[answer] = 1;
        alone = answer == WS_OWNER_NONE;
        e->readers = alone ? 0 : e->readers;
        e->owner = NOBODY;
    }
    e->readers |= UINT64_C(1) << sm;
    t.far.sent[alone ? WS_OWNER_FILL_OWN : WS_OWNER_FILL] = 1;
    t.far.sent[WS_OWNER_TAKEN] = t.owning = alone;
    if (alone)
        e->owner = (uint8_t)sm;
    return t;
}

/* A store by one who does not own the line: all others give it up. */
static transaction own_line(ws_traffic_owners *o, entry *e, uint32_t sm, bool shared, uint64_t start)
{
    transaction t = {.far.sent = {[WS_OWNER_OWN] = 1, [WS_OWNER_TAKEN] = 1}, .owning = true};
    for (uint64_t left = e->readers & ~(UINT64_C(1) << sm); left; left &= left - 1) {
        const uint32_t other = (uint32_t)__builtin_ctzll(left);
        t.far.sent[WS_OWNER_INVALIDATE]++;
        t.far.sent[ask(o, &t, other, e->line, start, false)]++;
    }
    t.near = t.far;
    t.near.sent[shared ? WS_OWNER_GRANT : WS_OWNER_FILL_OWN] = 1;
    t.far.sent[WS_OWNER_FILL_OWN] = 1;
    e->owner = (uint8_t)sm;
    e->readers = UINT64_C(1) << sm;
    return t;
}

static unsigned bin_of(uint32_t depth)
{
    unsigned bin = 0;
    while (bin < WS_PROFILE_BINS - 1 && depth >= ws_profile_edge[bin])
        bin++;
    return bin;
}

static void charge(ws_traffic_owners *o, uint32_t depth, const transaction *t)
{
    const unsigned bin = bin_of(depth);
    for (unsigned i = 0; i < WS_OWNER_MESSAGES; i++) {
        o->counts->near[bin][i] += t->near.sent[i];
        o->counts->far[bin][i] += t->far.sent[i];
    }
}

/* When it is done. */
static uint64_t finish(ws_traffic_owners *o, const ws_ordered_access *a, const transaction *t, entry *e, uint64_t from,
                       bool came)
{
    if (!o->time)
        return a->now;
    const uint64_t way = way_of(o, a->sm, a->line), queued = e->busy > from + way ? e->busy - from - way : 0;
    const uint64_t latency = 2 * way + (came ? WS_PROFILE_MEMORY_CYCLES : 0);
    const ws_traffic_read read = ws_traffic_time_wait(o->time, a, from, latency, t->asking + queued);
    if (t->owning)
        e->busy = read.there + way;
    else if (t->asking)
        e->busy = read.granted;
    return read.there;
}

/* A copy that the L1 may use, for as many ways as it lies deep. In a smaller one it would have been replaced. */
static void use_copy(ws_traffic_owners *o, uint32_t depth, copy *c, bool stores)
{
    transaction t = {.far.sent = {[WS_OWNER_PUT] = c->changed, [WS_OWNER_TAKEN] = c->owned}};
    t.far.sent[stores ? WS_OWNER_OWN : WS_OWNER_READ] = 1;
    t.far.sent[c->owned ? WS_OWNER_FILL_OWN : WS_OWNER_FILL] = 1;
    charge(o, depth, &t);
    c->changed = c->changed || (stores && c->until == UINT64_MAX);
}

/* L1 takes the access, and gives it a line: how deep that lay. */
static uint32_t touch(ws_traffic_owners *o, const ws_ordered_access *a)
{
    return bring_up(o, set_of(o, a->sm, a->line), a->line);
}

/* The copy of a line that the L1 has taken, which may have left it since. */
static copy *copy_of(ws_traffic_owners *o, stack s, uint64_t line)
{
    uint32_t place = s.lines->first == line ? ws_lru_first(s.lines) : ws_lru_find(s.lines, line);
    if (place == WS_LRU_NONE) {
        bring_up(o, s, line);
        place = ws_lru_first(s.lines);
    }
    return &s.copy[place];
}

/* What it finds, at L2 if need be, where others may have been since L1 took it. */
static uint64_t do_access(ws_traffic_owners *o, const ws_ordered_access *a, uint32_t depth, uint64_t now)
{
    const stack s = set_of(o, a->sm, a->line);
    const bool stores = a->kind != WS_LOG_LOAD;
    copy *const c = copy_of(o, s, a->line);
    const bool good = depth < DEPTH && now < c->until, present = good && depth < WS_PROFILE_WAYS;
    const uint64_t soonest = present && c->there > now ? c->there : now;
    bool came;
    if (present && (!stores || c->owned)) {
        use_copy(o, depth, c, stores);
        return soonest;
    }
    /* What happens at L2 counts from when the request goes out, behind those in flight of its SM. */
    const uint64_t room = o->time ? ws_traffic_time_room(o->time, a, 0) : 0, from = room > soonest ? room : soonest;
    entry *const e = look_up(o, a->line, &came);
    const uint64_t way = way_of(o, a->sm, a->line), start = from + way > e->busy ? from + way : e->busy;
    transaction t = stores ? own_line(o, e, a->sm, good, start) : read_line(o, e, a->sm, start);
    t.far.sent[WS_OWNER_PUT] = good && c->changed;
    if (!good)
        t.near = t.far;
    else if (!stores || c->owned)
        t.near = (cost){0};
    charge(o, depth, &t);
    *c = (copy){.until = UINT64_MAX, .owned = t.owning, .changed = stores};
    c->there = finish(o, a, &t, e, from, came);
    return c->there;
}

static void answer(ws_traffic_owners *o, const ws_ordered_access *a, uint32_t depth, uint64_t now)
{
    const uint64_t done = do_access(o, a, depth, now), soonest = now + WS_PROFILE_HIT_CYCLES,
                   back = done > soonest ? done : soonest;
    if (a->kind != WS_LOG_LOAD)
        ws_traffic_time_ack(o->time, a, WS_TIME_OWN, back);
    if (a->kind != WS_LOG_STORE)
        ws_traffic_time_answer(o->time, a, WS_TIME_OWN, back);
}

/* ------------------------------------------------------------------------------------------------ on the way to L2 */

static bool is_earlier(const arrival *a, const arrival *b)
{
    return a->at != b->at ? a->at < b->at : a->number < b->number;
}

static void swap(arrival *a, arrival *b)
{
    const arrival kept = *a;
    *a = *b;
    *b = kept;
}

static int push(ws_traffic_owners *o, const arrival *sent)
{
    if (WS_GROW(o->queue, o->room, o->queued, 1))
        return ws_fail(WS_EMEM, "no memory for accesses on their way");
    size_t i = o->queued++;
    o->queue[i] = *sent;
    for (; i && is_earlier(&o->queue[i], &o->queue[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&o->queue[i], &o->queue[(i - 1) / 2]);
    return WS_OK;
}

static arrival pop(ws_traffic_owners *o)
{
    const arrival first = o->queue[0];
    o->queue[0] = o->queue[--o->queued];
    for (size_t i = 0;;) {
        size_t least = i;
        for (size_t k = 2 * i + 1; k <= 2 * i + 2 && k < o->queued; k++)
            least = is_earlier(&o->queue[k], &o->queue[least]) ? k : least;
        if (least == i)
            return first;
        swap(&o->queue[i], &o->queue[least]);
        i = least;
    }
}

static waiting *warp_of(const ws_traffic_owners *o, const ws_ordered_access *a)
{
    return &o->warp[(size_t)a->sm * o->warps + a->warp];
}

static int add_to_outbox(outbox *b, const arrival *taken, uint64_t *number)
{
    if (b->count == b->room && b->first > b->count / 2) {
        memmove(b->entry, b->entry + b->first, (b->count - b->first) * sizeof *b->entry);
        b->gone += b->first;
        b->count -= b->first;
        b->first = 0;
    }
    if (WS_GROW(b->entry, b->room, b->count, 1))
        return ws_fail(WS_EMEM, "no memory for accesses on their way");
    b->entry[b->count++] = *taken;
    *number = b->gone + b->count;
    return WS_OK;
}

/* What the SM has MSHRs for by `now` sets out. One that is free only later may be overtaken by the answer of another
 * request, which comes no sooner than over the way back. */
static int set_out(ws_traffic_owners *o, uint32_t sm, uint64_t now)
{
    outbox *const b = &o->outbox[sm];
    int status = WS_OK;
    while (b->first < b->count && b->sent < WS_PROFILE_MSHRS && !status) {
        arrival next = b->entry[b->first];
        const uint64_t room = ws_traffic_time_room(o->time, &next.access, b->sent),
                       way = way_of(o, sm, next.access.line);
        if (b->sent && room > now + way)
            break;
        waiting *const w = warp_of(o, &next.access);
        next.now = room > next.now ? room : next.now;
        next.at = next.now + way;
        next.number = o->numbers++;
        w->latest = next.at > w->latest ? next.at : w->latest;
        b->first++;
        b->sent++;
        status = push(o, &next);
    }
    return status;
}

/* Until when the warp waits for its accesses at least. Those in the outbox leave it one by one, as blocks come. */
static uint64_t away_until(const ws_traffic_owners *o, const ws_ordered_access *a, const waiting *w)
{
    const outbox *const b = &o->outbox[a->sm];
    const uint64_t left = b->gone + b->first;
    if (w->last <= left)
        return w->latest + 1;
    const uint64_t soonest = a->clock + WAY + (w->last - left - 1) * WS_PROFILE_BLOCK_CYCLES;
    return (soonest > w->latest ? soonest : w->latest) + 1;
}

/* All that is at L2 by then. */
static int arrive(ws_traffic_owners *o, ws_access_order *order, uint64_t now)
{
    int status = WS_OK;
    while (o->queued && o->queue[0].at <= now && !status) {
        const arrival first = pop(o);
        const ws_ordered_access *const a = &first.access;
        waiting *const w = warp_of(o, a);
        o->outbox[a->sm].sent--;
        answer(o, a, first.depth, first.now);
        status = set_out(o, a->sm, first.at);
        if (!--w->away && !w->did.more)
            ws_access_order_wake(order, a->sm, a->warp, ws_traffic_time_next(o->time, &w->did, WS_TIME_OWN));
    }
    return status;
}

static bool is_hit(const ws_traffic_owners *o, const ws_ordered_access *a, uint32_t depth, uint64_t now)
{
    const stack s = set_of(o, a->sm, a->line);
    const copy *const c = &s.copy[ws_lru_first(s.lines)];
    return depth < WS_PROFILE_WAYS && now < c->until && (a->kind == WS_LOG_LOAD || c->owned);
}

/* Hits are done at once, other accesses set out. */
static int begin(ws_traffic_owners *o, const ws_ordered_access *a, uint64_t now, waiting *w)
{
    const uint32_t depth = touch(o, a);
    if (is_hit(o, a, depth, now)) {
        answer(o, a, depth, now);
        return WS_OK;
    }
    const arrival taken = {.now = now, .depth = depth, .access = *a};
    w->away++;
    const int status = add_to_outbox(&o->outbox[a->sm], &taken, &w->last);
    return status ? status : set_out(o, a->sm, now);
}

/* Does the warp still wait for what it did before? Until when, as far as that is known. Atomics of an instruction to
 * one line are made one after the other, and hold up what comes behind them. */
static uint64_t waits_until(const ws_traffic_owners *o, const ws_ordered_access *a, const waiting *w)
{
    if (o->held[a->sm].warp != a->warp && o->held[a->sm].until > a->clock)
        return o->held[a->sm].until;
    if (!w->known)
        return 0;
    if (w->did.tag == a->tag && w->away && a->kind == WS_LOG_ATOMIC && a->line == w->did.line) {
        o->held[a->sm] = (held){.until = away_until(o, a, w), .warp = a->warp};
        return o->held[a->sm].until;
    }
    if (w->did.tag == a->tag)
        return 0;
    return w->away ? away_until(o, a, w) : ws_traffic_time_next(o->time, &w->did, WS_TIME_OWN);
}

static int see_in_time(ws_traffic_owners *o, ws_access_order *order, const ws_ordered_access *a)
{
    waiting *const w = warp_of(o, a);
    int status = arrive(o, order, a->clock);
    const uint64_t until = waits_until(o, a, w);
    if (status || until > a->clock) {
        ws_access_order_wait(order, until);
        return status;
    }
    const uint64_t now = ws_traffic_time_begin(o->time, a)[WS_TIME_OWN];
    w->did = *a;
    w->known = true;
    if (a->kind != WS_LOG_FENCE)
        status = begin(o, a, now, w);
    if (!a->more)
        ws_access_order_sleep(order, w->away ? away_until(o, a, w) : ws_traffic_time_next(o->time, a, WS_TIME_OWN), 0);
    return status || a->more ? status : arrive(o, order, ws_access_order_turn(order));
}

/* ------------------------------------------------------------------------------------------------ a launch */

/* L1s are emptied: changed lines go to L2, which forgets their owners; of the others it is not told. */
static void flush(ws_traffic_owners *o, uint32_t sms)
{
    for (size_t i = 0; i < (size_t)sms * SETS; i++) {
        const uint32_t lines = o->set[i].places;
        for (uint32_t k = 0; k < lines; k++)
            o->counts->always[WS_OWNER_PUT] += o->copy[i][k].changed;
        if (lines)
            ws_lru_clear(&o->set[i]);
    }
}

static void forget_owners(const ws_traffic_owners *o)
{
    for (entry *e = o->line; e < o->line + LINES; e++) {
        e->busy = 0;
        if (!e->used || e->owner == NOBODY)
            continue;
        const stack s = set_of(o, e->owner, e->line);
        const uint32_t place = ws_lru_find(s.lines, e->line);
        if (place != WS_LRU_NONE && s.copy[place].changed) {
            e->owner = NOBODY;
            e->readers = 0;
        }
    }
}

/* The clock, and who waits for what. */
static int begin_time(ws_traffic_owners *o, const ws_access_log *log, uint32_t residents, uint64_t start)
{
    o->warps = residents * log->warps_per_block;
    o->warp = calloc((size_t)o->sms * o->warps + 1, sizeof *o->warp);
    o->held = calloc(o->sms, sizeof *o->held);
    o->outbox = calloc(o->sms, sizeof *o->outbox);
    if (!o->warp || !o->held || !o->outbox)
        return ws_fail(WS_EMEM, "no memory for the clocks of warps");
    return ws_traffic_time_create(ws_access_order_cores(log, o->sms), ws_access_order_residents(log, o->sms, residents),
                                  log->warps_per_block, start, WS_TIME_OWN, WS_TIME_OWN + 1, WS_TIME_OWN, &o->time);
}

static void end_time(ws_traffic_owners *o)
{
    ws_traffic_time_destroy(o->time);
    free(o->warp);
    free(o->queue);
    free(o->held);
    for (uint32_t i = 0; i < o->sms && o->outbox; i++)
        free(o->outbox[i].entry);
    free(o->outbox);
    o->outbox = NULL;
    o->held = NULL;
    o->time = NULL;
    o->warp = NULL;
    o->queue = NULL;
    o->queued = o->room = 0;
}

static int fetch(ws_traffic_owners *o, ws_access_order *order, const ws_ordered_access *a)
{
    const int status = ws_traffic_time_fetch(o->time, a);
    if (!status && !a->more)
        ws_access_order_sleep(order, ws_traffic_time_next(o->time, a, WS_TIME_OWN), 0);
    return status;
}

static int walk(ws_traffic_owners *o, const ws_access_log *log, uint32_t residents, unsigned k)
{
    ws_access_order *order;
    ws_ordered_access a;
    o->line = o->directory[k];
    int status = ws_access_order_create(log, o->sms, residents, o->now[k], &order);
    if (!status && k == WS_OWNER_LATE)
        status = begin_time(o, log, residents, o->now[k]);
    if (o->time)
        ws_access_order_give_all(order);
    while (!status && ws_access_order_next(order, &a)) {
        if (a.kind == WS_LOG_BARRIER)
            ws_traffic_time_arrive(o->time, &a);
        else if (a.kind == WS_LOG_FETCH)
            status = fetch(o, order, &a);
        else if (o->time)
            status = see_in_time(o, order, &a);
        else if (a.kind != WS_LOG_FENCE)
            do_access(o, &a, touch(o, &a), a.now);
    }
    if (o->time && !status)
        status = arrive(o, order, UINT64_MAX);
    const uint64_t now = status ? 0 : ws_access_order_now(order),
                   end = o->time ? ws_traffic_time_end(o->time, WS_TIME_OWN) : 0;
    o->counts->cycles = (now > end ? now : end) - o->now[k];
    o->now[k] = now > end ? now : end;
    forget_owners(o);
    flush(o, ws_access_order_cores(log, o->sms));
    end_time(o);
    ws_access_order_destroy(order);
    return status;
}

int ws_traffic_owners_run(ws_traffic_owners *owners, const ws_access_log *log, uint32_t residents, ws_traffic_rung *out)
{
    int status = WS_OK;
    for (unsigned k = 0; k < WS_OWNER_ORDERS && !status; k++) {
        owners->counts = &out->owner[k];
        status = walk(owners, log, residents, k);
    }
    return status;
}
