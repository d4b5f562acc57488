/* block.c - one block: its warps in turn, its barriers, its events, its faults. */
#include "collect/simt/stepper.h"
#include "collect/simt/simt_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WARP_SLICE = 65536,   /* warp instructions until the next warp's turn */
    SLICES_TO_STORE = 16, /* until that of a warp that others wait for because it has not come to a store yet */
    FIRST_PACE_NS = 64,   /* that pass in a round in which nobody can do anything, */
    ROUNDS_OF_A_PACE = 1024,
    MOST_DOUBLINGS = 24,    /* doubled after so many rounds, so many times */
    STUCK_INSTRUCTIONS = 64 /* of a turn in which a warp does no more than ask an mbarrier object */
};

static void broadcast(unsigned char *bank, unsigned at, uint32_t value)
{
    uint32_t *v = (uint32_t *)(void *)(bank + at);
    for (int i = 0; i < WS_WARP; i++)
        v[i] = value;
}

/* What every block of the launch has in common. */
static void fill_identity(block *b)
{
    const launch *l = b->launch;
    for (unsigned axis = 0; axis < 3; axis++) {
        broadcast(b->identity, BLOCK_NTID + 128 * axis, l->run->block[axis]);
        broadcast(b->identity, BLOCK_NCTAID + 128 * axis, l->run->grid[axis]);
    }
    broadcast(b->identity, BLOCK_NWARPID, b->warps);
    broadcast(b->identity, BLOCK_GRIDID, (uint32_t)l->run->sequence);
    broadcast(b->identity, BLOCK_DYNAMIC_SMEM, l->run->dynamic_shared);
    broadcast(b->identity, BLOCK_TOTAL_SMEM, b->shared_bytes);
    broadcast(b->identity, BLOCK_ENVREG1, (uint32_t)(l->grid_barrier >> 32));
    broadcast(b->identity, BLOCK_ENVREG2, (uint32_t)l->grid_barrier);
    const uint32_t *dim = l->run->block;
    for (uint32_t i = 0; i < b->warps; i++) {
        warp *w = &b->warp[i];
        uint32_t *tid = (uint32_t *)(void *)(w->identity + WARP_TID);
        for (uint32_t lane = 0; lane < WS_WARP; lane++) {
            const uint32_t t = i * WS_WARP + lane;
            tid[lane] = t % dim[0];
            tid[lane + WS_WARP] = t / dim[0] % dim[1];
            tid[lane + 2 * WS_WARP] = t / dim[0] / dim[1];
        }
        broadcast(w->identity, WARP_WARPID, i);
    }
}

/* Where the block is in its cluster, and the cluster in the grid. */
static void fill_cluster(block *b)
{
    const launch *const l = b->launch;
    for (unsigned axis = 0; axis < 3; axis++) {
        const uint32_t n = l->cluster[axis];
        broadcast(b->identity, BLOCK_CLUSTERID + 128 * axis, b->ctaid[axis] / n);
        broadcast(b->identity, BLOCK_NCLUSTERID + 128 * axis, l->run->grid[axis] / n);
        broadcast(b->identity, BLOCK_CLUSTER_CTAID + 128 * axis, b->ctaid[axis] % n);
        broadcast(b->identity, BLOCK_CLUSTER_NCTAID + 128 * axis, n);
    }
    broadcast(b->identity, BLOCK_CLUSTER_RANK, b->rank);
    broadcast(b->identity, BLOCK_CLUSTER_RANKS, l->cluster_blocks);
    broadcast(b->identity, BLOCK_CLUSTER_EXPLICIT, l->has_cluster_size ? UINT32_MAX : 0);
}

block *block_create(launch *l, worker *k)
{
    block *b = aligned_alloc(64, (sizeof *b + 63) / 64 * 64);
    if (!b)
        return NULL;
    memset(b, 0, sizeof *b);
    b->launch = l;
    b->worker = k;
    b->warps = l->facts.warps_per_block;
    b->shared_bytes = l->facts.shared_bytes;
    b->warp = aligned_alloc(64, b->warps * sizeof *b->warp);
    b->shared = region_sandbox_alloc(&l->device->sandbox, b->shared_bytes);
    uint32_t *lanes = calloc(2 * BARRIERS * b->warps, sizeof *lanes);
    if (b->warp)
        memset(b->warp, 0, b->warps * sizeof *b->warp);
    for (unsigned i = 0; i < BARRIERS && lanes; i++) {
        b->barrier[i].arrived = lanes + 2 * i * b->warps;
        b->barrier[i].waiting = lanes + (2 * i + 1) * b->warps;
    }
    if (!b->warp || !b->shared || !lanes) {
        free(lanes);
        b->barrier[0].arrived = NULL;
        block_destroy(b);
        return NULL;
    }
    for (uint32_t i = 0; i < b->warps; i++) {
        b->warp[i].block = b;
        b->warp[i].index = i;
    }
    fill_identity(b);
    return b;
}

void block_destroy(block *b)
{
    if (!b)
        return;
    checks_block_destroy(b);
    for (uint32_t i = 0; i < b->warps && b->warp; i++)
        warp_fini(&b->warp[i]);
    free(b->warp);
    region_sandbox_free(&b->launch->device->sandbox, b->shared);
    free(b->barrier[0].arrived);
    free(b->object_copy);
    free(b->fault);
    free(b);
}

int block_start(block *b, uint64_t index)
{
    const launch *l = b->launch;
    b->index = index;
    b->ctaid[0] = (uint32_t)(index % l->run->grid[0]);
    b->ctaid[1] = (uint32_t)(index / l->run->grid[0] % l->run->grid[1]);
    b->ctaid[2] = (uint32_t)(index / l->run->grid[0] / l->run->grid[1]);
    for (unsigned axis = 0; axis < 3; axis++)
        broadcast(b->identity, BLOCK_CTAID + 128 * axis, b->ctaid[axis]);
    broadcast(b->identity, BLOCK_SMID, (uint32_t)(index % SMS));
    if (l->code->reads_cluster)
        fill_cluster(b);
    memset(b->shared, 0, b->shared_bytes);
    memset(b->barrier[0].arrived, 0, 2 * BARRIERS * b->warps * sizeof(uint32_t));
    b->open_barriers = 0;
    b->events = b->addresses = 0;
    b->wants = l->wants;
    b->sampled = l->watch || (l->fanout && ws_fanout_samples(l->fanout, index));
    b->careful = b->sampled || l->sees;
    b->status = WS_OK;
    if (l->checks && !checks_block_begin(b))
        return b->status;
    b->rounds = b->stuck_rounds = b->object_copies = 0;
    b->live_warps = b->warps;
    for (uint32_t i = 0; i < b->warps; i++) {
        const uint32_t threads = l->facts.threads_per_block - i * WS_WARP;
        const int status = warp_start(&b->warp[i], threads >= WS_WARP ? UINT32_MAX : (1u << threads) - 1);
        if (status)
            return status;
    }
    return WS_OK;
}

/* Of a block that is stepped the events stay for who steps; sinks are told of those they do not know yet. */
static bool tell(block *b)
{
    if (b->events == BATCH_EVENTS)
        return block_fail(b, WS_EVERIFY, "kernel %s: a step has more than %d events", b->launch->facts.kernel,
                          BATCH_EVENTS);
    const ws_batch batch = {
        .block = b->index, .event = b->event + b->told, .events = b->events - b->told, .address = b->address};
    b->told = b->events;
    const int status = b->range && batch.events ? ws_range_events(b->range, &batch) : WS_OK;
    return status ? block_fail(b, status, "%s", ws_message()) : true;
}

bool block_flush(block *b)
{
    if (b->stepped)
        return tell(b);
    if (!b->events)
        return true;
    const ws_batch batch = {.block = b->index, .event = b->event, .events = b->events, .address = b->address};
    b->events = b->addresses = 0;
    const int status = ws_range_events(b->range, &batch);
    return status ? block_fail(b, status, "%s", ws_message()) : true;
}

bool block_values(block *b, const ws_value *value)
{
    const ws_stepper_watch *const watch = b->launch->watch;
    int status = WS_OK;
    if (b->range && !block_flush(b)) /* values and events stay in order */
        return false;
    if (b->range)
        status = ws_range_values(b->range, b->index, value, 1);
    if (!status && watch)
        status = watch->values(watch->context, value);
    return status ? block_fail(b, status, "%s", ws_message()) : true;
}

/* ---- faults ---- */

bool block_fail(block *b, int status, const char *format, ...)
{
    if (b->status)
        return false;
    va_list args;
    va_start(args, format);
    free(b->fault);
    if (vasprintf(&b->fault, format, args) < 0)
        b->fault = NULL;
    va_end(args);
    b->status = status;
    return false;
}

/* The file of an instruction: modules are linked, so functions come from several. */
const char *block_file(const code *c, uint32_t pc)
{
    const proc *in = &c->proc[0];
    for (uint32_t i = 1; i < c->procs; i++) {
        if (c->proc[i].first_pc <= pc && c->proc[i].first_pc >= in->first_pc)
            in = &c->proc[i];
    }
    return in->function->file;
}

/* "kernel K: FILE:LINE: `INSTRUCTION` by block (0,0,0) thread (0,0,0): WHAT", to be freed; NULL: no memory. Names of
 * kernels have any length. */
static char *block_words(const warp *w, const uop *u, uint32_t lane, const char *what)
{
    const block *const b = w->block;
    const launch *const l = b->launch;
    const uint32_t *const tid = (const uint32_t *)(const void *)(w->identity + WARP_TID);
    const ws_instr *const in = &l->code->instr[u->pc];
    char *words, where[256];
    const bool known = ws_origin_words(l->code->origin, u->pc, where, sizeof where);
    const int length =
        asprintf(&words, "kernel %s: %s%s%s:%u: `%s` by block (%u,%u,%u) thread (%u,%u,%u): %s", l->facts.kernel, where,
                 known ? ", " : "", block_file(l->code, u->pc), in->line, in->opcode, b->ctaid[0], b->ctaid[1],
                 b->ctaid[2], tid[lane], tid[lane + WS_WARP], tid[lane + 2 * WS_WARP], what);
    return length < 0 ? NULL : words;
}

bool block_fault(warp *w, const uop *u, uint32_t lane, const char *format, ...)
{
    char what[768];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    char *const words = block_words(w, u, lane, what);
    block_fail(w->block, WS_EFAULT, "%s", words ? words : what);
    free(words);
    return false;
}

/* Of several blocks' notes the lowest block's is kept, so the line is the same on any number of workers. */
void block_note(warp *w, const uop *u, uint32_t lane, const char *format, ...)
{
    launch *const l = w->block->launch;
    const uint64_t index = w->block->index;
    char what[256], line[320];
    if (l->kernel->noted || !l->device->note)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    snprintf(line, sizeof line, "%s; the kernel goes on, as on a GPU", what);
    pthread_mutex_lock(&l->lock);
    if (!l->note || index < l->note_block) {
        free(l->note);
        l->note = block_words(w, u, lane, line);
        l->note_block = index;
    }
    pthread_mutex_unlock(&l->lock);
}

/* As with faults the lowest block is told of, so that the answer is the same on any number of workers. */
void block_count(warp *w, const uop *u, access_count *c, uint32_t lane, unsigned lanes, const char *format, ...)
{
    const block *const b = w->block;
    launch *const l = b->launch;
    char what[512];
    va_list args;
    atomic_fetch_add(&c->accesses, lanes);
    if (b->index >= atomic_load(&c->block))
        return;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    char *const text = block_words(w, u, lane, what);
    pthread_mutex_lock(&l->lock);
    if (text && b->index < atomic_load(&c->block)) {
        free(c->first);
        c->first = text;
        atomic_store(&c->block, b->index);
    } else {
        free(text);
    }
    pthread_mutex_unlock(&l->lock);
}

/* ---- barriers ---- */

static bool is_open(const block *b, unsigned number)
{
    return b->open_barriers >> number & 1;
}

/* Lanes come back from a barrier: their paths may run, results of bar.red are written. */
static void release(block *b, barrier *bar)
{
    for (uint32_t i = 0; i < b->warps; i++) {
        warp *w = &b->warp[i];
        const uint32_t lanes = bar->waiting[i];
        if (lanes) {
            for (uint32_t k = 0; k < w->paths; k++)
                if (w->path[k].blocked && !(w->path[k].mask & ~lanes))
                    w->path[k].blocked = false;
            if (w->state == WARP_BARRIER)
                w->state = WARP_READY;
            if (b->checks)
                checks_pass(b, i, (unsigned)(bar - b->barrier));
            const uop *u = w->barrier;
            if (u && u->mode == WS_SUB_RED) {
                const uint32_t result = u->mode2 == WS_SUB_POPC  ? bar->ayes
                                        : u->mode2 == WS_SUB_AND ? -(uint32_t)(bar->ayes == bar->votes)
                                                                 : -(uint32_t)(bar->ayes != 0);
                uint32_t *d = place_pointer(w, u->d);
                if (u->mode2 == WS_SUB_POPC) {
                    WS_EACH_LANE (lane, lanes)
                        d[lane] = result;
                } else {
                    *d = (*d & ~lanes) | (result & lanes);
                }
            }
        }
        bar->arrived[i] = bar->waiting[i] = 0;
    }
    bar->ayes = bar->votes = 0;
    b->open_barriers &= ~(1u << (bar - b->barrier));
    b->progress = true;
    if (b->checks)
        checks_close(b, (unsigned)(bar - b->barrier));
}

/* Whether everybody that the barrier waits for is there. A counted barrier counts whole warps (PTX ISA, bar). */
static bool complete(const block *b, const barrier *bar)
{
    uint32_t threads = 0;
    for (uint32_t i = 0; i < b->warps; i++) {
        const bool whole = !(b->warp[i].live & ~bar->arrived[i]);
        if (!bar->expected && !whole)
            return false;
        if (whole && bar->arrived[i])
            threads += WS_WARP;
    }
    return threads >= bar->expected;
}

/* All blocks of a cluster meet at its barrier. */
static void release_cluster(block *b)
{
    cluster *const c = b->cluster;
    if (!c) {
        if (complete(b, &b->barrier[CLUSTER_BARRIER]))
            release(b, &b->barrier[CLUSTER_BARRIER]);
        return;
    }
    for (uint32_t i = 0; i < c->blocks; i++)
        if (!complete(c->block[i], &c->block[i]->barrier[CLUSTER_BARRIER]))
            return;
    for (uint32_t i = 0; i < c->blocks; i++)
        release(c->block[i], &c->block[i]->barrier[CLUSTER_BARRIER]);
}

static bool is_cluster_barrier_open(const block *b)
{
    const cluster *const c = b->cluster;
    for (uint32_t i = 0; c && i < c->blocks; i++)
        if (is_open(c->block[i], CLUSTER_BARRIER))
            return true;
    return is_open(b, CLUSTER_BARRIER);
}

static bool tell_barrier(warp *w, const uop *u, uint32_t exec, uint32_t number)
{
    block *b = w->block;
    const bool meets = number != UINT32_MAX || u->mode == WS_SUB_WARP;
    if (!(b->wants & (meets ? WS_WANT_BARRIER : WS_WANT_RUN)))
        return true;
    ws_event *ev = block_event(b);
    if (!ev)
        return false;
    *ev = (ws_event){.pc = u->pc,
                     .warp = (uint16_t)w->index,
                     .count = 1,
                     .active = w->mask.bits,
                     .exec = exec,
                     .barrier = meets ? number : 0,
                     .kind = meets ? WS_EVENT_BARRIER : WS_EVENT_RUN,
                     .depth = (uint8_t)(w->depth < 255 ? w->depth : 255)};
    return true;
}

/* barrier.cluster: arriving and waiting are two instructions. What sinks see of it is that warps wait for all others at
 * the second one. */
static bool meet_cluster(warp *w, const uop *u, uint32_t exec, bool *wait)
{
    block *b = w->block;
    barrier *bar = &b->barrier[CLUSTER_BARRIER];
    const uint32_t lanes = w->mask.bits; /* under a guard the whole path comes along, as at other barriers */
    const bool waits = u->mode == WS_SUB_WAIT;
    if (!tell_barrier(w, u, exec, waits ? CLUSTER_BARRIER : UINT32_MAX) || !exec)
        return !b->status;
    if (waits) { /* the phase of lanes that are not marked any more is over */
        const uint32_t open = bar->arrived[w->index] & lanes;
        if (open && (bar->arrived[w->index] & lanes) != lanes)
            return block_fault(w, u, ws_lowest(lanes & ~open), "waits at the cluster's barrier without having arrived");
        bar->waiting[w->index] |= open;
        w->path[w->paths - 1].blocked = *wait = open != 0;
        w->barrier = u;
        return true;
    }
    if (bar->arrived[w->index] & lanes)
        return block_fault(w, u, ws_lowest(exec), "arrives twice at the cluster's barrier before it is complete");
    b->open_barriers |= 1u << CLUSTER_BARRIER;
    bar->expected = 0;
    if (b->checks)
        checks_arrive(w, CLUSTER_BARRIER);
    bar->arrived[w->index] |= lanes;
    release_cluster(b);
    return true;
}

/* What a barrier of the block means to who checks. */
static void checks_meet(const warp *w, const uop *u, uint32_t exec)
{
    if (u->count)
        checks_aligned(w, u, exec);
    checks_settle(w, exec);
}

/* A fault of who uses a barrier wrongly. */
static bool misused(warp *w, const uop *u, uint32_t lane, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static bool misused(warp *w, const uop *u, uint32_t lane, const char *format, ...)
{
    char what[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    checks_misused(w, u, lane, what);
    return block_fault(w, u, lane, "%s", what);
}

bool block_barrier_arrive(warp *w, const uop *u, uint32_t exec, bool *wait)
{
    block *b = w->block;
    if (u->mode2 == WS_SCOPE_CLUSTER && (u->mode == WS_SUB_ARRIVE || u->mode == WS_SUB_WAIT))
        return meet_cluster(w, u, exec, wait);
    const bool whole_warp = u->mode == WS_SUB_WARP; /* lanes of a warp meet by running in step */
    const uint32_t number = exec && !whole_warp ? ((const uint32_t *)place_pointer(w, u->a))[ws_lowest(exec)] : 0;
    if (number >= CLUSTER_BARRIER)
        return misused(w, u, ws_lowest(exec), "barrier number %u, there are %d", number, CLUSTER_BARRIER);
    uint32_t expected = 0;
    if (u->wide && exec && !whole_warp) {
        expected = ((const uint32_t *)place_pointer(w, u->b))[ws_lowest(exec)];
        if (expected % WS_WARP || expected == 0)
            return misused(w, u, ws_lowest(exec), "barrier for %u threads, which is no multiple of the warp size",
                           expected);
    }
    const uint32_t awaited = expected / WS_WARP < 255 ? expected / WS_WARP : 255;
    if (!tell_barrier(w, u, exec, whole_warp ? UINT32_MAX : number | awaited << 8))
        return false;
    if (b->checks && whole_warp && exec)
        checks_mask(w, u, warp_start, place_pointer(w, u->a), exec);
    if (!exec || whole_warp)
        return true;
    if (b->checks)
        checks_meet(w, u, exec);
    barrier *bar = &b->barrier[number];
    const uint32_t lanes = w->mask.bits; /* a barrier under a guard takes the whole path along */
    if (is_open(b, number) && bar->expected != expected)
        return misused(w, u, ws_lowest(exec), "barrier %u expects %u threads here and %u elsewhere", number, expected,
                       bar->expected);
    if (bar->arrived[w->index] & lanes)
        return misused(w, u, ws_lowest(exec), "arrives twice at barrier %u before it is complete", number);
    b->open_barriers |= 1u << number;
    bar->expected = expected;
    if (b->checks)
        checks_arrive(w, number);
    bar->arrived[w->index] |= lanes;
    if (u->mode == WS_SUB_RED) {
        bar->ayes += ws_popcount(*(const uint32_t *)place_pointer(w, u->c) & lanes);
        bar->votes += ws_popcount(lanes);
    }
    if (u->mode != WS_SUB_ARRIVE) {
        bar->waiting[w->index] |= lanes;
        w->path[w->paths - 1].blocked = true;
        w->barrier = u;
        *wait = true;
    }
    if (complete(b, bar))
        release(b, bar);
    return true;
}

void block_barrier_leave(block *b)
{
    WS_EACH_LANE (i, b->open_barriers & ~(1u << CLUSTER_BARRIER))
        if (!b->barrier[i].expected && complete(b, &b->barrier[i]))
            release(b, &b->barrier[i]);
    if (is_cluster_barrier_open(b))
        release_cluster(b);
}

/* Does the warp go round without anything but an mbarrier object to wait for? */
static bool asks_in_vain(const warp *w)
{
    return w->waits_at && w->instructions - w->waits_since <= STUCK_INSTRUCTIONS;
}

/* All wait, perhaps only for some time: clocks go on, ever faster, to hours before it is called a deadlock. */
void block_let_time_pass(block *b, uint32_t stuck_rounds)
{
    const unsigned doublings = stuck_rounds / ROUNDS_OF_A_PACE;
    for (uint32_t i = 0; i < b->warps; i++)
        b->warp[i].slept += (uint64_t)FIRST_PACE_NS << (doublings < MOST_DOUBLINGS ? doublings : MOST_DOUBLINGS);
}

/* Says who waits for which object. */
bool block_fail_stuck(block *b)
{
    char what[128];
    uint32_t warps = 0;
    warp *first = &b->warp[0];
    for (uint32_t i = b->warps; i-- > 0;)
        if (b->warp[i].state == WARP_READY) {
            first = &b->warp[i];
            warps++;
        }
    mbarrier_describe(first, what, sizeof what);
    return block_fault(first, first->waits_at, first->waits_lane,
                       "mbarrier deadlock: warp %u and %u more wait, this one for %s", first->index, warps - 1, what);
}

/* Every warp waits: says where the first one does. */
void block_deadlock(block *b)
{
    for (uint32_t i = 0; i < b->warps; i++) {
        warp *w = &b->warp[i];
        if (w->state != WARP_BARRIER)
            continue;
        for (unsigned k = 0; k < BARRIERS; k++) {
            const barrier *bar = &b->barrier[k];
            if (!is_open(b, k) || !bar->waiting[i])
                continue;
            uint32_t there = 0, live = 0;
            for (uint32_t j = 0; j < b->warps; j++) {
                there += ws_popcount(bar->arrived[j]);
                live += ws_popcount(b->warp[j].live);
            }
            checks_deadlock(b, w, ws_lowest(bar->waiting[i]), k);
            if (k == CLUSTER_BARRIER && b->cluster) {
                block_fault(w, w->barrier, ws_lowest(bar->waiting[i]),
                            "barrier deadlock: threads of a cluster of %u blocks wait at its barrier, the others never "
                            "come",
                            b->cluster->blocks);
                return;
            }
            block_fault(w, w->barrier, ws_lowest(bar->waiting[i]),
                        "barrier deadlock: %u of %u threads wait at barrier %u, the others never come", there,
                        bar->expected ? bar->expected : live, k);
            return;
        }
    }
    block_fail(b, WS_EFAULT, "kernel %s: block (%u,%u,%u): barrier deadlock", b->launch->facts.kernel, b->ctaid[0],
               b->ctaid[1], b->ctaid[2]);
}

/* ---- turns ---- */

typedef struct turn {
    bool ran, stuck; /* a warp did; all that did only asked mbarrier objects in vain */
    bool gave_way;   /* a warp stands before a store, in the last round */
} turn;

/* Runs a warp up to a store, so that all have got as far when the first one stores. Where warps may wait for each
 * other, or after a fault elsewhere, not beyond its slice. A plain load may wait for another warp, too: then the warp
 * spins, or comes to no store for long. */
static void run_to_store(block *b, warp *w, uint64_t slice)
{
    const unsigned most = b->launch->code->waits ? 1 : SLICES_TO_STORE;
    for (unsigned slices = 1;; slices++) {
        warp_run_to_store(w, slice);
        if (w->state != WARP_READY || w->gave_way || slices == most || warp_spins(w) || !launch_may_go_on(b))
            return;
    }
}

/* Lets every warp that is ready run once. False: one of them failed. */
static bool run_warps(block *b, uint64_t slice, bool giving, turn *t)
{
    t->gave_way = false;
    for (uint32_t i = 0; i < b->warps; i++) {
        warp *w = &b->warp[i];
        if (w->state != WARP_READY)
            continue;
        t->ran = true;
        if (giving)
            run_to_store(b, w, slice);
        else
            warp_run(w, slice);
        t->stuck = t->stuck && w->state == WARP_READY && !w->gave_way && asks_in_vain(w);
        t->gave_way = t->gave_way || w->gave_way;
        if (w->state == WARP_DONE)
            b->progress = true;
        if (w->state == WARP_FAULT || b->status)
            return b->status ? false : block_fail(b, WS_EFAULT, "kernel %s: a warp failed", b->launch->facts.kernel);
    }
    return true;
}

/* A turn of all warps, which goes on as long as some of them only gave way to the others. */
static bool run_turn(block *b, turn *t)
{
    const launch *l = b->launch;
    const bool giving = l->run->turns == WS_TURNS_STORES && b->warps > 1;
    const uint64_t slice = l->code->waits || b->cluster ? WAITING_SLICE : WARP_SLICE;
    const uint64_t end = b->worker->warp_instructions + (uint64_t)WAITING_SLICE * b->warps;
    *t = (turn){.stuck = true};
    b->progress = b->objects_changed = false;
    do {
        if (!run_warps(b, slice, giving, t))
            return false;
    } while (t->gave_way && b->worker->warp_instructions < end);
    return true;
}

/* Whether a block that may wait for others lets them run: nothing but instructions happened for a while, or it had the
 * worker for as long as that takes at most, since `begin`. Barriers that open say little: between two of them a block
 * can look whether another one has written. */
static bool gives_way(block *b, uint64_t begin)
{
    const uint64_t most = (uint64_t)ROUNDS_BEFORE_YIELD * WAITING_SLICE * b->warps;
    b->rounds += !b->progress;
    return b->launch->code->waits &&
           ((!b->progress && b->rounds >= ROUNDS_BEFORE_YIELD) || b->worker->warp_instructions - begin >= most);
}

block_outcome block_take_turn(block *b, bool *ran, bool *stuck)
{
    turn t;
    b->event = b->worker->event; /* empty: the block whose turn was before has flushed */
    b->address = b->worker->address;
    b->scratch = b->worker->scratch;
    if (!run_turn(b, &t) || !launch_may_go_on(b) || !block_flush(b))
        return BLOCK_FAILED;
    *ran = t.ran;
    *stuck = t.ran && t.stuck && !b->objects_changed;
    return b->live_warps ? BLOCK_YIELDS : BLOCK_DONE;
}

block_outcome block_run(block *b)
{
    b->event = b->worker->event; /* empty: a block that lets another run has flushed */
    b->address = b->worker->address;
    b->scratch = b->worker->scratch;
    const uint64_t begin = b->worker->warp_instructions;
    for (;;) {
        turn t;
        if (!run_turn(b, &t))
            return BLOCK_FAILED;
        if (!b->live_warps)
            return block_flush(b) ? BLOCK_DONE : BLOCK_FAILED;
        if (!t.ran) {
            block_deadlock(b);
            return BLOCK_FAILED;
        }
        if (!launch_may_go_on(b))
            return BLOCK_FAILED;
        b->stuck_rounds = t.stuck && !b->objects_changed ? b->stuck_rounds + 1 : 0;
        if (b->stuck_rounds)
            block_let_time_pass(b, b->stuck_rounds);
        if (b->stuck_rounds >= STUCK_ROUNDS && !block_fail_stuck(b))
            return BLOCK_FAILED;
        if (gives_way(b, begin))
            return block_flush(b) ? BLOCK_YIELDS : BLOCK_FAILED;
    }
}
