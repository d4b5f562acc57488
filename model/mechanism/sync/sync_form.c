/* sync_form.c - see sync_form.h. S, T: SMs and blocks of each; L, s: round trip and service of an atomic. */
#include "model/mechanism/sync/sync_form.h"

#include "model/time_bounds.h"

#include <math.h>

/* ------------------------------------------------------------------------------------------------ counts */

static ws_sync_counts counts_tree(const ws_sync_shape *h)
{
    const double s = h->sms, t = h->blocks, local = t > 1 ? 4 * s * t : 0, locals = t > 1 ? 4 * s : 0;
    return (ws_sync_counts){.increments = local + 2 * s,
                            .swaps = local + locals + 2 * (s + 1),
                            .swapped = locals + 2,
                            .local_atomics = 2 * local + locals,
                            .device_atomics = 4 * s + 2,
                            .local_fences = 2 * local,
                            .device_fences = 4 * s};
}

static ws_sync_counts counts_sense(const ws_sync_shape *h)
{
    const double s = h->sms, t = h->blocks;
    return (ws_sync_counts){.increments = s * t + s,
                            .swaps = s + 1,
                            .swapped = s + 1,
                            .local_atomics = s * t + s,
                            .device_atomics = s + 1,
                            .local_fences = s * t + s,
                            .device_fences = s + 1};
}

static ws_sync_counts counts_cpu(const ws_sync_shape *h)
{
    const double all = h->sms * h->blocks;
    return (ws_sync_counts){
        .increments = all, .swaps = 1, .swapped = 1, .device_atomics = all + 1, .device_fences = all + 1};
}

static ws_sync_counts counts_cooperative(const ws_sync_shape *h)
{
    const double all = h->sms * h->blocks;
    return (ws_sync_counts){.increments = all, .device_atomics = all, .device_fences = 2 * all};
}

/* ------------------------------------------------------------------------------------------------ times: a round trip
 * a stage */

/* Until all blocks of an SM have passed a fence that they come to at once. */
static double all_fences(const ws_sync_shape *h)
{
    return h->fence * (h->fence_turns ? h->blocks : 1);
}

static double published_tree(const ws_sync_shape *h)
{
    const double x = ws_sync_overshoot(h, h->latency),
                 local = h->blocks > 1 ? 4 * (h->latency + (2 * h->blocks + 1) * h->service) : 0;
    return local + 2 * (h->latency + (2 * h->sms + 1) * h->service + x + 2 * h->fence);
}

static double published_sense(const ws_sync_shape *h)
{
    return 3 * h->latency + (h->blocks + h->sms) * h->service + ws_sync_overshoot(h, h->latency) + 2 * h->fence;
}

static double published_cpu(const ws_sync_shape *h)
{
    return 2 * h->latency + h->sms * h->blocks * h->service + ws_sync_overshoot(h, h->latency) + all_fences(h) +
           h->fence;
}

/* The last half is what polls take from additions: all blocks' once a round. */
static double published_cooperative(const ws_sync_shape *h)
{
    return h->latency + 2 * h->sms * h->blocks * h->service + 2 * all_fences(h);
}

/* ------------------------------------------------------------------------------------------------ times: each access
 * that waits for another */

/* The last one to come counts itself, empties the counter, and finds it empty. */
static double chain_tree(const ws_sync_shape *h)
{
    const double L = h->latency, local = h->blocks > 1 ? 4 * (3 * L + (2 * h->blocks + 1) * h->service) : 0;
    return local + 2 * (3 * L + (2 * h->sms + 1) * h->service + ws_sync_overshoot(h, 3 * L) + 2 * h->fence);
}

/* It looks at the sense, counts itself, looks, empties the counter; whoever waits has an attempt in vain under way
 * then, and looks again. Of the leaders of SMs, who know the sense, the same without the first look; and both looks of
 * theirs come behind those of all blocks that only spin on the global sense. */
static double chain_sense(const ws_sync_shape *h)
{
    const double L = h->latency, spinning = h->sms * (h->blocks - 1) * h->service;
    return 6 * L + h->blocks * h->service + 5 * L + h->sms * h->service + 2 * spinning + ws_sync_overshoot(h, 3 * L) +
           2 * h->fence;
}

static double chain_cpu(const ws_sync_shape *h)
{
    return 6 * h->latency + 2 * h->sms * h->blocks * h->service + ws_sync_overshoot(h, 3 * h->latency) + all_fences(h) +
           h->fence;
}

/* It adds; whoever waits has a load under way, half of it in the mean, and loads again. */
static double chain_cooperative(const ws_sync_shape *h)
{
    return 2.5 * h->latency + 2 * h->sms * h->blocks * h->service + 2 * all_fences(h);
}

/* ------------------------------------------------------------------------------------------------ all of them */

static const struct {
    const char *word;
    int form;
    ws_sync_counts (*counts)(const ws_sync_shape *);
    double (*published)(const ws_sync_shape *), (*chain)(const ws_sync_shape *);
} barriers[WS_SYNC_BARRIERS] = {
#define BARRIER(name, word, form, meaning) {word, form, counts_##name, published_##name, chain_##name},
#include "model/mechanism/sync/sync_form.def"
#undef BARRIER
};

const char *ws_sync_word(ws_sync_barrier barrier)
{
    return barriers[barrier].word;
}

int ws_sync_form(ws_sync_barrier barrier)
{
    return barriers[barrier].form;
}

ws_sync_counts ws_sync_count(ws_sync_barrier barrier, const ws_sync_shape *shape)
{
    return barriers[barrier].counts(shape);
}

double ws_sync_published(ws_sync_barrier barrier, const ws_sync_shape *shape)
{
    return barriers[barrier].published(shape);
}

double ws_sync_chain(ws_sync_barrier barrier, const ws_sync_shape *shape)
{
    return barriers[barrier].chain(shape);
}

/* At least an access that waits for no other. At most all one after the other: each operation with the looks before and
 * behind it, each behind all others of the service, each fence in its turn, and a wait of a block that backs off. */
static int check(const char *word, const ws_sync_shape *h, double operations, double fences, double cycles)
{
    enum { LOOKS = 4 };
    const double everyone = h->sms * h->blocks;
    const ws_time_work work = {.demand = {[WS_RESOURCE_l2] = {h->latency, 1, 1}},
                               .accesses = LOOKS * (operations + everyone),
                               .access_cycles = h->latency + h->service,
                               .waits = fences * h->fence + (operations + everyone) * h->turn};
    return ws_time_check("sync", word, cycles, &work);
}

int ws_sync_check_barrier(ws_sync_barrier barrier, const ws_sync_shape *shape, double cycles)
{
    const ws_sync_counts n = ws_sync_count(barrier, shape);
    return check(ws_sync_word(barrier), shape, n.increments + n.swaps, n.local_fences + n.device_fences + shape->sms,
                 cycles);
}

/* A block takes the lock to enter, to leave, and once for each block that comes before it in vain. */
int ws_sync_check_semaphore(const char *word, const ws_sync_shape *shape, double blocks, double cycles)
{
    const double locks = blocks * (2 + ws_sync_spin_acquisitions(blocks - 1));
    return check(word, shape, 2 * locks, 2 * locks, cycles);
}

/* An attempt is a look and a swap. */
double ws_sync_overshoot(const ws_sync_shape *h, double wait)
{
    double passed = 0, turns = 1;
    if (h->backoff < 1)
        return 0;
    for (passed = 2 * h->latency + h->turn * turns; passed < wait; passed += 2 * h->latency + h->turn * turns)
        turns = fmin(2 * turns + 1, h->backoff);
    return h->turn * turns / 2;
}

double ws_sync_crossover(double (*time)(ws_sync_barrier, const ws_sync_shape *), const ws_sync_shape *shape,
                         unsigned most)
{
    ws_sync_shape h = *shape;
    for (unsigned blocks = 1; blocks <= most; blocks++) {
        h.blocks = blocks;
        if (time(WS_SYNC_sense, &h) < time(WS_SYNC_cooperative, &h))
            return blocks;
    }
    return NAN;
}

double ws_sync_gain(double share, double ratio)
{
    return share * (1 - ratio);
}

/* ------------------------------------------------------------------------------------------------ semaphores */

double ws_sync_spin_acquisitions(double entrants)
{
    return entrants + 1;
}

double ws_sync_spin_tail(double entrants, double most)
{
    return pow(entrants / (entrants + 1), most);
}

double ws_sync_priority_acquisitions(double past)
{
    return past + 1;
}

double ws_sync_hold(const ws_sync_shape *shape)
{
    return 2 * shape->latency + 2 * shape->fence;
}

double ws_sync_spin_handover(const ws_sync_shape *shape, double blocks)
{
    return ws_sync_hold(shape) * blocks * (blocks + 1) / 2;
}

double ws_sync_priority_handover(const ws_sync_shape *shape, double blocks)
{
    return 2 * ws_sync_hold(shape) * blocks;
}

/* Accesses that wait for the one before: who enters asks for the lock, looks for room, takes it, gives the lock back;
 * so does who leaves. With priority the former asks for leavers first, the latter says that it leaves and takes that
 * back. Who finds no room has neither taken it nor waited for the answer of the lock. */
enum { SPIN_ACCESSES = 4 + 4, PRIORITY_ACCESSES = 5 + 6, VAIN_ACCESSES = 2 };

double ws_sync_spin_chain(const ws_sync_shape *shape, double blocks)
{
    const double own = SPIN_ACCESSES * shape->latency + 4 * shape->fence,
                 vain = VAIN_ACCESSES * shape->latency + 2 * shape->fence;
    return blocks * (own + (ws_sync_spin_acquisitions(blocks - 1) - 1) * vain);
}

double ws_sync_priority_chain(const ws_sync_shape *shape, double blocks)
{
    return blocks * (PRIORITY_ACCESSES * shape->latency + 4 * shape->fence);
}
