/* verify_sync.c - `warpscape verify --sync`: how far are closed forms of barriers from barriers?
 *
 * GBAR runs live on a few SMs of the machine, without a critical section, a few episodes and some more: what these take
 * more is free of the launch. Atomics that count, swaps that succeed and fences of both scopes have to be those of the
 * forms, in whatever order blocks came; cycles have a band. So does RWSEM, a semaphore of one unit an SM: every lock
 * that is taken is given back, with two fences; cycles with priority have the band, and those of spinning are a floor,
 * since chance, which their form has, is kinder than an order; and where the forms have priority ahead, it is. */
#include "cli/cli.h"
#include "record/simulate/simulation.h"
#include "cli/start/sim_suite.h"
#include "cli/sync_machine.h"
#include "cli/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMS = 4, FEW = 2, MORE = 10, THREADS = 32, SETTINGS = 2, SETTING = 32, SIZES = 160 };
/* Of semaphores: rounds, and the most blocks; with more, schedulers that go on with a warp as long as they can end in
 * livelocks. */
enum { FEW_ROUNDS = 1, MORE_ROUNDS = 3, MOST_IN_LINE = 16 };
static const uint32_t BLOCKS[] = {1, 2, 4, 8, 16, 32};
enum { BLOCKS_COUNT = sizeof BLOCKS / sizeof *BLOCKS };

/* What is compared, of an episode. */
typedef enum quantity { INCREMENTS, SWAPPED, FENCES_LOCAL, FENCES_DEVICE, CYCLES, QUANTITY_COUNT } quantity;
static const char *const quantities[QUANTITY_COUNT] = {"increments", "swapped", "fences_local", "fences_device",
                                                       "cycles"};

typedef enum semaphore { SPIN, PRIORITY, SEMAPHORE_COUNT } semaphore;
static const char *const semaphores[SEMAPHORE_COUNT] = {"spinsem", "priorsem"};
static const int semaphore_forms[SEMAPHORE_COUNT] = {1, 3}; /* as RWSEM numbers them */

typedef struct finding {
    const char *primitive;
    uint32_t blocks;
    quantity what;
    double predicted, simulated;
    bool is_floor; /* the prediction is one */
} finding;

typedef struct verification {
    const ws_verify_request *request;
    ws_sync_shape shape;
    uint32_t most_blocks;
    finding found[(WS_SYNC_BARRIERS + SEMAPHORE_COUNT) * BLOCKS_COUNT * QUANTITY_COUNT];
    size_t findings, ahead,
        behind; /* ahead, behind: numbers of blocks for which the forms have priority ahead, and it is or is not */
} verification;

static double error_of(const finding *f)
{
    return f->predicted == f->simulated ? 0 : fabs(f->predicted - f->simulated) / fabs(f->simulated);
}

static bool is_within(const verification *v, const finding *f)
{
    if (f->is_floor)
        return f->simulated >= f->predicted;
    return error_of(f) <= (f->what == CYCLES ? v->request->worst : 0);
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
    bool wanted[WS_SUITE_MOST] = {false};
    char settings[SETTINGS][SETTING];
    size_t n;
    ws_frame *f = NULL;
    const ws_suite_workload *const all = ws_suite_workloads(&n);
    for (size_t i = 0; i < n; i++)
        wanted[i] = !strcmp(all[i].abbr, workload);
    snprintf(settings[0], SETTING, "chip.sms=%d", SMS);
    snprintf(settings[1], SETTING, "sm.waits=1");
    const char *const setting[SETTINGS] = {settings[0], settings[1]};
    const ws_sim_suite_request how = {
        .machine = {.config = v->request->config, .setting = setting, .settings = SETTINGS},
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
    snprintf(sizes, sizeof sizes, "barrier=%d,sms=%d,blocks=%u,threads=%d,critical=0,together=0", ws_sync_form(barrier),
             SMS, blocks, THREADS);
    const int status = simulate_more(v, "GBAR", sizes, "episodes", FEW, MORE, &found);
    if (status)
        return status;
    const ws_sync_counts c = ws_sync_count(barrier, &shape);
    const double predicted[QUANTITY_COUNT] = {c.increments, c.swapped, c.local_fences, c.device_fences,
                                              ws_sync_chain(barrier, &shape)};
    for (int q = 0; q < QUANTITY_COUNT; q++)
        v->found[v->findings++] = (finding){.primitive = ws_sync_word(barrier),
                                            .blocks = blocks,
                                            .what = (quantity)q,
                                            .predicted = predicted[q],
                                            .simulated = found.what[q]};
    return WS_OK;
}

/* Exchanges give locks back. What neither swaps nor exchanges says that somebody leaves, and takes that back. */
static int compare_semaphore(verification *v, semaphore kind, uint32_t blocks, double *cycles)
{
    simulated found;
    char sizes[SIZES];
    ws_sync_shape shape = v->shape;
    shape.blocks = blocks;
    snprintf(sizes, sizeof sizes, "form=%d,size=1,sms=%d,blocks=%u,threads=%d,critical=1,audit=0,together=0",
             semaphore_forms[kind], SMS, blocks, THREADS);
    const int status = simulate_more(v, "RWSEM", sizes, "rounds", FEW_ROUNDS, MORE_ROUNDS, &found);
    if (status)
        return status;
    const bool spins = kind == SPIN;
    const double locks = found.what[INCREMENTS] - (spins ? 0 : 2. * SMS * blocks);
    const finding all[] = {{.what = FENCES_DEVICE, .predicted = 2 * locks},
                           {.what = CYCLES,
                            .predicted = (spins ? ws_sync_spin_chain : ws_sync_priority_chain)(&shape, blocks),
                            .is_floor = spins},
                           {.what = SWAPPED, .predicted = locks}};
    for (size_t i = 0; i < sizeof all / sizeof *all - !spins; i++) {
        finding *const f = &v->found[v->findings++];
        *f = all[i];
        f->primitive = semaphores[kind];
        f->blocks = blocks;
        f->simulated = found.what[f->what];
    }
    *cycles = found.what[CYCLES];
    return WS_OK;
}

static int compare_semaphores(verification *v, uint32_t blocks)
{
    double spinning, yielding;
    ws_sync_shape shape = v->shape;
    shape.blocks = blocks;
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
    for (size_t i = 0; i < BLOCKS_COUNT && BLOCKS[i] <= v->most_blocks && !status; i++) {
        for (int b = 0; b < WS_SYNC_BARRIERS && !status; b++)
            status = compare_barrier(v, (ws_sync_barrier)b, BLOCKS[i]);
        if (!status && BLOCKS[i] <= MOST_IN_LINE)
            status = compare_semaphores(v, BLOCKS[i]);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ the report */

static int print(const verification *v, int argc, char **argv)
{
    static const char *const labels[WS_VERIFY_LABELS] = {"primitive", "sms", "blocks", "quantity"};
    ws_frame *frame;
    char sms[16], blocks[16];
    int status = ws_verify_frame(v->findings, labels, argc, argv, &frame);
    if (!status)
        status = ws_frame_note(frame,
                               "machine: %s with %d SMs; of an episode: %d of them less %d, without a critical "
                               "section; of a round of a semaphore: %d less %d",
                               v->request->config, SMS, MORE, FEW, MORE_ROUNDS, FEW_ROUNDS);
    if (!status)
        status = ws_frame_note(frame, "cycles of spinsem are a floor: those simulated are not fewer");
    snprintf(sms, sizeof sms, "%d", SMS);
    for (size_t i = 0; i < v->findings && !status; i++) {
        const finding *const f = &v->found[i];
        snprintf(blocks, sizeof blocks, "%u", f->blocks);
        status = ws_verify_set_row(frame, i,
                                   &(ws_verify_row){{f->primitive, sms, blocks, quantities[f->what]},
                                                    f->predicted,
                                                    f->simulated,
                                                    error_of(f),
                                                    f->is_floor         ? NAN
                                                    : f->what == CYCLES ? v->request->worst
                                                                        : 0,
                                                    is_within(v, f)});
    }
    if (!status)
        status = ws_frame_write(frame, stdout);
    ws_frame_destroy(frame);
    return status;
}

static int judge(const verification *v)
{
    size_t times = 0, far = 0, counts = 0, wrong = 0, floors = 0, below = 0;
    double worst = 0;
    for (size_t i = 0; i < v->findings; i++) {
        const finding *const f = &v->found[i];
        const bool time = f->what == CYCLES, bad = !is_within(v, f);
        floors += f->is_floor;
        below += f->is_floor && bad;
        times += time && !f->is_floor;
        far += time && !f->is_floor && bad;
        counts += !time;
        wrong += !time && bad;
        worst = time && !f->is_floor && error_of(f) > worst ? error_of(f) : worst;
    }
    fprintf(stderr,
            "warpscape verify: %zu of %zu counts are equal; %zu of %zu times within %.0f %%, at most %.1f %% off; %zu "
            "of %zu spinning semaphores not below their floor; "
            "priority ahead of them in %zu of %zu\n",
            counts - wrong, counts, times - far, times, 100 * v->request->worst, 100 * worst, floors - below, floors,
            v->ahead, v->ahead + v->behind);
    return far || wrong || below || v->behind ? ws_fail(WS_EVERIFY,
                                                        "%zu counts differ, %zu times are beyond their band, %zu below "
                                                        "their floor, %zu semaphores with priority not ahead",
                                                        wrong, far, below, v->behind)
                                              : WS_OK;
}

int ws_verify_sync(const ws_verify_request *request, int argc, char **argv)
{
    verification *const v = calloc(1, sizeof *v);
    ws_machine *machine;
    if (!v)
        return ws_fail(WS_EMEM, "out of memory");
    v->request = request;
    int status = ws_machine_choose(&(ws_machine_choice){.config = request->config}, &machine);
    if (!status) {
        v->most_blocks = machine->sm_blocks;
        status = ws_sync_measure(machine, &v->shape);
        v->shape.sms = SMS;
        ws_machine_destroy(machine);
    }
    if (!status)
        status = run(v);
    if (!status)
        status = print(v, argc, argv);
    if (!status)
        status = judge(v);
    free(v);
    return status;
}
