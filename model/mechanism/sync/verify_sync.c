/* verify_sync.c - `warpscape verify --sync`: how far are closed forms of barriers from barriers?
 *
 * GBAR runs live on a few SMs of the machine, without a critical section, a few episodes and some more: what these take
 * more is free of the launch. Atomics that count, swaps that succeed and fences of both scopes have to be those of the
 * forms, in whatever order blocks came; cycles have a band. So does RWSEM, a semaphore of one unit an SM: every lock
 * that is taken is given back, with two fences; cycles with priority have the band, and those of spinning are a floor,
 * since chance, which their form has, is kinder than an order; and where the forms have priority ahead, it is. */
#include "base/interrupt.h"
#include "base/status.h"
#include "model/mechanism/comparison.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/sync/sync_machine.h"
#include "record/simulate/simulation.h"
#include "record/start/sim_suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SMS         4
#define FEW         2
#define MORE        10
/* Of semaphores: rounds. */
#define FEW_ROUNDS  1
#define MORE_ROUNDS 3
#define TEXT_OF(n)  #n
#define AS_TEXT(n)  TEXT_OF(n)
/* The last are for semaphores, whose fences take no time: with that of cards SpinSem ends in livelocks. */
static const char *const settings[] = {("chip.sms=" AS_TEXT(SMS)), "sm.waits=1", "sm.fence=0", "sm.fence_turns=0"};
enum { SETTINGS_OF_ALL = 2 };
/* The most blocks of semaphores; with more, schedulers that go on with a warp as long as they can end in livelocks. */
enum { THREADS = 32, SIZES = 160, MOST_IN_LINE = 16 };
static const uint32_t BLOCKS[] = {1, 2, 4, 8, 16, 32};
enum { BLOCKS_COUNT = sizeof BLOCKS / sizeof *BLOCKS };

/* What is compared, of an episode. */
typedef enum quantity { INCREMENTS, SWAPPED, FENCES_LOCAL, FENCES_DEVICE, CYCLES, QUANTITY_COUNT } quantity;
static const char *const quantities[QUANTITY_COUNT] = {"increments", "swapped", "fences_local", "fences_device",
                                                       "cycles"};

typedef enum semaphore { SPIN, PRIORITY, SEMAPHORE_COUNT } semaphore;
static const char *const semaphores[SEMAPHORE_COUNT] = {"spinsem", "priorsem"};
static const int semaphore_forms[SEMAPHORE_COUNT] = {1, 3}; /* as RWSEM numbers them */

/* How rows are summed up. A floor is a prediction of which no simulation takes less. */
enum { COUNTS, TIMES, FLOORS };

typedef struct verification {
    ws_verification *to;
    ws_sync_shape shape;
    size_t ahead, behind; /* numbers of blocks for which the forms have priority ahead, and it is or is not */
} verification;

static int add(const verification *v, const char *primitive, uint32_t blocks, quantity what, bool is_floor,
               double predicted, double simulated)
{
    char at[16];
    snprintf(at, sizeof at, "%u", blocks);
    const ws_compared of = {&v->to->ledger, {primitive, AS_TEXT(SMS), at}};
    const bool is_time = what == CYCLES;
    ws_comparison row = ws_relative(predicted, simulated, is_floor ? NAN : is_time ? v->to->request->worst : 0);
    if (is_floor)
        row.verdict = simulated >= predicted ? WS_WITHIN : WS_BEYOND;
    return ws_compared_add(&of, quantities[what], is_floor ? FLOORS : is_time ? TIMES : COUNTS, row);
}

/* ------------------------------------------------------------------------------------------------ simulations */

static double value(const ws_frame *frame, const char *column)
{
    const long at = ws_frame_find_column(frame, column);
    return at < 0 || !frame->rows ? NAN : frame->value[at];
}

typedef struct simulated {
    double what[QUANTITY_COUNT];
} simulated;

static int simulate(const verification *v, const char *workload, const char *sizes, simulated *out)
{
    const bool fences_free = !strcmp(workload, "RWSEM");
    bool wanted[WS_SUITE_MOST] = {false};
    size_t n;
    ws_frame *f = NULL;
    const ws_suite_workload *const all = ws_suite_workloads(&n);
    for (size_t i = 0; i < n; i++)
        wanted[i] = !strcmp(all[i].abbr, workload);
    const ws_sim_suite_request how = {
        .machine = {.config = v->to->request->config,
                    .setting = settings,
                    .settings = fences_free ? sizeof settings / sizeof *settings : SETTINGS_OF_ALL},
        .wanted = wanted,
        .seed = 1,
        .sizes = sizes,
        .quiet = true,
        .livelock = WS_LIVELOCK_CYCLES};
    const int status = ws_sim_suite_run(&how, &f);
    if (!status)
        *out = (simulated){{[INCREMENTS] = value(f, "atomics_local") + value(f, "atomics_device") - value(f, "swaps"),
                            [SWAPPED] = value(f, "swaps") - value(f, "swaps_failed"),
                            [FENCES_LOCAL] = value(f, "fences_local"),
                            [FENCES_DEVICE] = value(f, "fences_device"),
                            [CYCLES] = value(f, "cycles")}};
    ws_frame_destroy(f);
    return status;
}

/* What the second of two runs has more, of one of the episodes that it has more. */
static int simulate_more(const verification *v, const char *workload, const char *sizes, const char *counts, int few,
                         int more, simulated *out)
{
    simulated least;
    char all[SIZES];
    snprintf(all, sizeof all, "%s,%s=%d", sizes, counts, few);
    int status = simulate(v, workload, all, &least);
    snprintf(all, sizeof all, "%s,%s=%d", sizes, counts, more);
    if (!status)
        status = simulate(v, workload, all, out);
    for (int q = 0; q < QUANTITY_COUNT && !status; q++)
        out->what[q] = (out->what[q] - least.what[q]) / (more - few);
    return status || !ws_interrupted() ? status : ws_fail(WS_EINTERRUPTED, "interrupted");
}

static int compare_barrier(verification *v, ws_sync_barrier barrier, uint32_t blocks)
{
    simulated found;
    char sizes[SIZES];
    ws_sync_shape shape = v->shape;
    shape.blocks = blocks;
    snprintf(sizes, sizeof sizes, "barrier=%d,sms=" AS_TEXT(SMS) ",blocks=%u,threads=%d,critical=0,together=0",
             ws_sync_form(barrier), blocks, THREADS);
    const int status = simulate_more(v, "GBAR", sizes, "episodes", FEW, MORE, &found);
    if (status)
        return status;
    const ws_sync_counts c = ws_sync_count(barrier, &shape);
    const double predicted[QUANTITY_COUNT] = {c.increments, c.swapped, c.local_fences, c.device_fences,
                                              ws_sync_chain(barrier, &shape)};
    int added = WS_OK;
    for (int q = 0; q < QUANTITY_COUNT && !added; q++)
        added = add(v, ws_sync_word(barrier), blocks, (quantity)q, false, predicted[q], found.what[q]);
    return added;
}

/* Exchanges give locks back. What neither swaps nor exchanges says that somebody leaves, and takes that back. */
static int compare_semaphore(verification *v, semaphore kind, uint32_t blocks, double *cycles)
{
    simulated found;
    char sizes[SIZES];
    ws_sync_shape shape = v->shape;
    shape.blocks = blocks;
    shape.fence = 0;
    snprintf(sizes, sizeof sizes,
             "form=%d,size=1,sms=" AS_TEXT(SMS) ",blocks=%u,threads=%d,critical=1,audit=0,together=0",
             semaphore_forms[kind], blocks, THREADS);
    const int status = simulate_more(v, "RWSEM", sizes, "rounds", FEW_ROUNDS, MORE_ROUNDS, &found);
    if (status)
        return status;
    const bool spins = kind == SPIN;
    const double locks = found.what[INCREMENTS] - (spins ? 0 : 2. * SMS * blocks);
    const double chain = (spins ? ws_sync_spin_chain : ws_sync_priority_chain)(&shape, blocks);
    int added = add(v, semaphores[kind], blocks, FENCES_DEVICE, false, 2 * locks, found.what[FENCES_DEVICE]);
    if (!added)
        added = add(v, semaphores[kind], blocks, CYCLES, spins, chain, found.what[CYCLES]);
    if (!added && spins)
        added = add(v, semaphores[kind], blocks, SWAPPED, false, locks, found.what[SWAPPED]);
    *cycles = found.what[CYCLES];
    return added;
}

static int compare_semaphores(verification *v, uint32_t blocks)
{
    double spinning, yielding;
    ws_sync_shape shape = v->shape;
    shape.blocks = blocks;
    shape.fence = 0;
    int status = compare_semaphore(v, SPIN, blocks, &spinning);
    if (!status)
        status = compare_semaphore(v, PRIORITY, blocks, &yielding);
    if (status || ws_sync_priority_chain(&shape, blocks) >= ws_sync_spin_chain(&shape, blocks))
        return status;
    v->ahead += yielding < spinning;
    v->behind += yielding >= spinning;
    return WS_OK;
}

static int run(verification *v)
{
    int status = WS_OK;
    for (size_t i = 0; i < BLOCKS_COUNT && BLOCKS[i] <= v->shape.blocks && !status; i++) {
        for (int b = 0; b < WS_SYNC_BARRIERS && !status; b++)
            status = compare_barrier(v, (ws_sync_barrier)b, BLOCKS[i]);
        if (!status && BLOCKS[i] <= MOST_IN_LINE)
            status = compare_semaphores(v, BLOCKS[i]);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ the comparison */

static int verify_all(ws_verification *to)
{
    verification *const v = to->state;
    v->to = to;
    v->shape = ws_sync_shape_of(to->machine);
    v->shape.sms = SMS;
    int status = ws_sync_measure(to->machine, &v->shape);
    if (!status)
        status = ws_frame_note(to->notes, "cycles of spinsem are a floor: those simulated are not fewer");
    return status ? status : run(v);
}

static int judge(const ws_verification *to)
{
    const verification *const v = to->state;
    const ws_ledger_sum counts = ws_ledger_sum_of(&to->ledger, COUNTS);
    const ws_ledger_sum times = ws_ledger_sum_of(&to->ledger, TIMES);
    const ws_ledger_sum floors = ws_ledger_sum_of(&to->ledger, FLOORS);
    const size_t wrong = counts.rows - counts.within, far = times.rows - times.within,
                 below = floors.rows - floors.within;
    fprintf(stderr,
            "warpscape verify: %zu of %zu counts are equal; %zu of %zu times within %.0f %%, at most %.1f %% off; %zu "
            "of %zu spinning semaphores not below their floor; "
            "priority ahead of them in %zu of %zu\n",
            counts.within, counts.rows, times.within, times.rows, 100 * to->request->worst, 100 * times.most,
            floors.within, floors.rows, v->ahead, v->ahead + v->behind);
    return far || wrong || below || v->behind ? ws_fail(WS_EVERIFY,
                                                        "%zu counts differ, %zu times are beyond their band, %zu below "
                                                        "their floor, %zu semaphores with priority not ahead",
                                                        wrong, far, below, v->behind)
                                              : WS_OK;
}

const ws_subject ws_subject_sync = {
    .name = "sync",
    .what = "Closed forms of barriers of the whole grid and of semaphores (model sync) with the same live on four SMs "
            "of the machine",
    .machine = "qv100",
    .worst = 30,
    .verifier.labels = {"primitive", "sms", "blocks", "quantity"},
    .verifier.remark = " with " AS_TEXT(SMS) " SMs; of an episode: " AS_TEXT(MORE) " of them less " AS_TEXT(
        FEW) ", without a critical section; of a round of a "
             "semaphore: " AS_TEXT(MORE_ROUNDS) " less " AS_TEXT(FEW_ROUNDS),
    .verifier.state_bytes = sizeof(verification),
    .verifier.open = verify_all,
    .verifier.judge = judge,
};
