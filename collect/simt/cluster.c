/* cluster.c - clusters of several blocks: they run together, meet at a barrier, and access each other's shared memory.
 *
 * A worker runs the blocks of a cluster in turns, so their order, and with it what a race leaves behind, is the same on
 * any number of workers. Each block feeds a separate range of the sinks. */
#include "collect/simt/simt_internal.h"

#include <string.h>

/* The number of the block of that rank in the grid (PTX ISA, %cluster_ctarank: x first). */
static uint64_t block_index(const launch *l, uint64_t number, uint32_t rank)
{
    const uint32_t *const n = l->cluster, *const grid = l->run->grid;
    const uint64_t clusters[2] = {grid[0] / n[0], grid[1] / n[1]};
    const uint64_t x = number % clusters[0] * n[0] + rank % n[0];
    const uint64_t y = number / clusters[0] % clusters[1] * n[1] + rank / n[0] % n[1];
    const uint64_t z = number / clusters[0] / clusters[1] * n[2] + rank / n[0] / n[1];
    return (z * grid[1] + y) * grid[0] + x;
}

/* All blocks start before one runs, so that none finds another one missing. A cluster that was put aside has started
 * already, and some of its blocks may have ended. */
static bool start(launch *l, worker *k, cluster *c)
{
    for (uint32_t i = 0; i < c->blocks; i++) {
        block *const b = c->block[i];
        if (b->started || b->ended)
            continue;
        b->index = block_index(l, c->number, i);
        b->started = true;
        if (!launch_attach_cluster(l, k, b))
            return false;
        if (block_start(b, b->index)) {
            launch_fail_cluster(l, b);
            return false;
        }
    }
    return true;
}

static block *first_live(const cluster *c)
{
    uint32_t i = 0;
    while (i + 1 < c->blocks && c->block[i]->ended)
        i++;
    return c->block[i];
}

/* The first block with a warp that can run. */
static block *first_ready(const cluster *c)
{
    for (uint32_t i = 0; i < c->blocks; i++)
        for (uint32_t k = 0; !c->block[i]->ended && k < c->block[i]->warps; k++)
            if (c->block[i]->warp[k].state == WARP_READY)
                return c->block[i];
    return first_live(c);
}

typedef struct round {
    bool ran, active, progress; /* a warp ran; one did more than ask an mbarrier object in vain; a barrier opened ... */
} round;

/* A turn of each block. NULL, or the block that failed. */
static block *run_round(launch *l, cluster *c, round *r)
{
    *r = (round){0};
    for (uint32_t i = 0; i < c->blocks; i++) {
        block *const b = c->block[i];
        bool ran = false, stuck = false;
        if (b->ended)
            continue;
        const block_outcome outcome = block_take_turn(b, &ran, &stuck);
        if (outcome == BLOCK_FAILED)
            return b;
        r->ran |= ran;
        r->active |= ran && !stuck;
        r->progress |= b->progress;
        if (outcome == BLOCK_DONE) {
            b->ended = true;
            c->live--;
            if (!launch_finish_cluster(l, b, true))
                return b;
        }
    }
    return NULL;
}

/* No warp can run, or all poll in vain for too long. */
static block *look_for_deadlock(cluster *c, const round *r)
{
    if (!r->ran) {
        block *const b = first_live(c);
        block_deadlock(b);
        return b;
    }
    c->stuck_rounds = r->active ? 0 : c->stuck_rounds + 1;
    for (uint32_t i = 0; c->stuck_rounds && i < c->blocks; i++)
        if (!c->block[i]->ended)
            block_let_time_pass(c->block[i], c->stuck_rounds);
    if (c->stuck_rounds < STUCK_ROUNDS)
        return NULL;
    block *const b = first_ready(c);
    block_fail_stuck(b);
    return b;
}

/* Runs a cluster to its end, or until it lets others run. False: it is put aside. */
static bool run(launch *l, worker *k, cluster *c)
{
    const uint64_t begin = k->warp_instructions;
    const uint64_t most = (uint64_t)ROUNDS_BEFORE_YIELD * WAITING_SLICE * c->blocks * c->block[0]->warps;
    block *failed = NULL;
    if (!start(l, k, c))
        return true;
    while (c->live && !failed) {
        round r;
        failed = run_round(l, c, &r);
        if (!failed && c->live)
            failed = look_for_deadlock(c, &r);
        c->rounds += !r.progress;
        if (!failed && c->live && l->code->waits &&
            ((!r.progress && c->rounds >= ROUNDS_BEFORE_YIELD) || k->warp_instructions - begin >= most))
            return false;
    }
    if (failed)
        launch_fail_cluster(l, failed);
    return true;
}

void cluster_work(worker *k)
{
    launch *const l = k->launch;
    for (cluster *c; (c = launch_next_cluster(l, k));) {
        if (!run(l, k, c)) {
            launch_put_cluster_aside(l, c);
            continue;
        }
        for (uint32_t i = 0; i < c->blocks; i++)
            if (!c->block[i]->ended && c->block[i]->started)
                launch_finish_cluster(l, c->block[i], false);
        launch_retire_cluster(l, k, c);
    }
}
