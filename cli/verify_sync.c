/* verify_sync.c - `warpscape verify --sync`: how far are closed forms of barriers from barriers?
 *
 * GBAR runs live on a few SMs of the machine, without a critical section, a few episodes and some more: what these take more is free of the launch. Atomics that
 * count, swaps that succeed and fences of both scopes have to be those of the forms, in whatever order blocks came; cycles have a band, and who is faster than
 * the cooperative barrier is told. */
#include "cli/cli.h"
#include "cli/simulate/simulation.h"
#include "cli/start/sim_suite.h"
#include "cli/sync_machine.h"
#include "cli/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMS = 4, FEW = 2, MORE = 10, THREADS = 32, SETTINGS = 2, SETTING = 32, SIZES = 160 };
static const uint32_t BLOCKS[] = {1, 2, 4, 8, 16, 32};
enum { BLOCKS_COUNT = sizeof BLOCKS / sizeof *BLOCKS };

/* What is compared, of an episode. */
typedef enum quantity { INCREMENTS, SWAPPED, FENCES_LOCAL, FENCES_DEVICE, CYCLES, QUANTITY_COUNT } quantity;
static const char *const quantities[QUANTITY_COUNT] = {"increments", "swapped", "fences_local", "fences_device", "cycles"};

typedef struct finding {
    ws_sync_barrier barrier;
    uint32_t blocks;
    quantity what;
    double predicted, simulated;
} finding;

typedef struct verification {
    const ws_verify_request *request;
    ws_sync_shape shape;
    uint32_t most_blocks;
    finding found[WS_SYNC_BARRIERS * BLOCKS_COUNT * QUANTITY_COUNT];
    size_t findings;
} verification;

static double error_of(const finding *f)
{
    return f->predicted == f->simulated ? 0 : fabs(f->predicted - f->simulated) / fabs(f->simulated);
}

static bool is_within(const verification *v, const finding *f)
{
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

static int simulate(const verification *v, ws_sync_barrier barrier, uint32_t blocks, int episodes, simulated *out)
{
    bool wanted[WS_SUITE_MOST] = {false};
    char settings[SETTINGS][SETTING], sizes[SIZES];
    size_t n;
    ws_frame *f = NULL;
    const ws_suite_workload *const all = ws_suite_workloads(&n);
    for (size_t i = 0; i < n; i++)
        wanted[i] = !strcmp(all[i].abbr, "GBAR");
    snprintf(settings[0], SETTING, "chip.sms=%d", SMS);
    snprintf(settings[1], SETTING, "sm.waits=1");
    snprintf(sizes, sizeof sizes, "barrier=%d,sms=%d,blocks=%u,threads=%d,episodes=%d,critical=0,together=0", ws_sync_form(barrier), SMS, blocks, THREADS, episodes);
    const char *const setting[SETTINGS] = {settings[0], settings[1]};
    const ws_sim_suite_request how = {.machine = {.config = v->request->config, .setting = setting, .settings = SETTINGS},
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

static int compare(verification *v, ws_sync_barrier barrier, uint32_t blocks)
{
    simulated few, more;
    ws_sync_shape shape = v->shape;
    shape.blocks = blocks;
    int status = simulate(v, barrier, blocks, FEW, &few);
    if (!status)
        status = simulate(v, barrier, blocks, MORE, &more);
    if (status)
        return status;
    const ws_sync_counts c = ws_sync_count(barrier, &shape);
    const double predicted[QUANTITY_COUNT] = {c.increments, c.swapped, c.local_fences, c.device_fences, ws_sync_chain(barrier, &shape)};
    for (int q = 0; q < QUANTITY_COUNT; q++)
        v->found[v->findings++] = (finding){barrier, blocks, (quantity)q, predicted[q], (more.what[q] - few.what[q]) / (MORE - FEW)};
    return ws_interrupted() ? ws_fail(WS_EINTERRUPTED, "interrupted") : WS_OK;
}

static int run(verification *v)
{
    int status = WS_OK;
    for (size_t i = 0; i < BLOCKS_COUNT && BLOCKS[i] <= v->most_blocks; i++)
        for (int b = 0; b < WS_SYNC_BARRIERS && !status; b++)
            status = compare(v, (ws_sync_barrier)b, BLOCKS[i]);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the report */

static int print(const verification *v, int argc, char **argv)
{
    static const char *const labels[WS_VERIFY_LABELS] = {"barrier", "sms", "blocks", "quantity"};
    ws_frame *frame;
    char sms[16], blocks[16];
    int status = ws_verify_frame(v->findings, labels, argc, argv, &frame);
    if (!status)
        status = ws_frame_note(frame, "machine: %s with %d SMs; of an episode: %d of them less %d, without a critical section", v->request->config, SMS, MORE, FEW);
    snprintf(sms, sizeof sms, "%d", SMS);
    for (size_t i = 0; i < v->findings && !status; i++) {
        const finding *const f = &v->found[i];
        snprintf(blocks, sizeof blocks, "%u", f->blocks);
        status = ws_verify_set_row(frame, i, &(ws_verify_row){{ws_sync_word(f->barrier), sms, blocks, quantities[f->what]}, f->predicted, f->simulated, error_of(f),
                                                              f->what == CYCLES ? v->request->worst : 0, is_within(v, f)});
    }
    if (!status)
        status = ws_frame_write(frame, stdout);
    ws_frame_destroy(frame);
    return status;
}

static int judge(const verification *v)
{
    size_t times = 0, far = 0, counts = 0, wrong = 0;
    double worst = 0;
    for (size_t i = 0; i < v->findings; i++) {
        const finding *const f = &v->found[i];
        const bool time = f->what == CYCLES;
        times += time;
        counts += !time;
        far += time && !is_within(v, f);
        wrong += !time && !is_within(v, f);
        worst = time && error_of(f) > worst ? error_of(f) : worst;
    }
    fprintf(stderr, "warpscape verify: %zu of %zu counts are equal; %zu of %zu times within %.0f %%, at most %.1f %% off\n", counts - wrong, counts, times - far, times,
            100 * v->request->worst, 100 * worst);
    return far || wrong ? ws_fail(WS_EVERIFY, "%zu counts differ, %zu times are beyond their band", wrong, far) : WS_OK;
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
