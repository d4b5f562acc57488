/* model_sync.c - `warpscape model sync`: what do barriers of the whole grid and semaphores cost, by closed forms, on a
 * machine? */
#include "base/options/options.h"
#include "base/status.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/sync/sync_machine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WS_COLUMNS "model/mechanism/sync/sync_columns.def"
#include "model/mechanism/column_names.def"

enum { MOST_BLOCKS = 32, TAIL = 10 };

typedef struct request {
    ws_machine_asked machine;
    struct blocks {
        double one[MOST_BLOCKS];
        size_t count;
    } blocks;
    uint32_t sms;        /* 0: those of the machine */
    double share;        /* NaN: not given */
    ws_sync_shape given; /* negative: as measured */
} request;

typedef struct row {
    const char *primitive;
    ws_sync_shape shape;
    ws_sync_counts counts;
    double chain, published, ratio, gain, crossover, crossover_published, acquisitions, tail, handover;
} row;

static void take_blocks(const struct argp_state *state, void *member, char *arg)
{
    struct blocks *const to = member;
    if (to->count == MOST_BLOCKS)
        argp_error(state, "--blocks is given more than %d times", MOST_BLOCKS);
    to->one[to->count++] = (double)ws_argp_u64(state, "--blocks", arg, 1, 1024);
}

static const ws_option_row option_rows[] = {
    WS_OPTION_CONFIG("MACHINE", request, machine, "The machine: a name of data/configs, or a path [qv100]"),
    WS_OPTION_SET(request, machine, "Set an option of the machine, such as l2.latency=200; may be repeated"),
    WS_OPTION_NUMBER("sms", 0, "N", request, sms, 1, 65536, "SMs with blocks [those of the machine]"),
    WS_OPTION_TAKE("blocks", 'b', "N", request, blocks, take_blocks,
                   "Blocks of an SM; may be given again [1, 2, 4, 8, 16, 32]"),
    WS_OPTION_REAL(
        "share", 0, "PERCENT", request, share, 0, 100, 100,
        "Share of an application's time in its barriers, which are cooperative: gain of others over the whole"),
    WS_OPTION_REAL("latency", 0, "CYCLES", request, given.latency, 1, 1e6, 1,
                   "Round trip of an atomic [measured by small kernels on the machine]"),
    WS_OPTION_REAL("service", 0, "CYCLES", request, given.service, 0, 1e6, 1,
                   "Between two atomics on one word [likewise]"),
    WS_OPTION_REAL("fence", 0, "CYCLES", request, given.fence, 0, 1e6, 1,
                   "Cycles of a device fence without its wait for the warp's accesses [sm.fence of the machine]"),
    WS_OPTION_REAL("turn", 0, "CYCLES", request, given.turn, 0, 1e6, 1,
                   "A turn of an empty loop [two additions and a branch of the machine]"),
    WS_OPTION_REAL("backoff", 0, "TURNS", request, given.backoff, 0, 1e6, 1, "The longest back-off; 0: none [1023]"),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .refuse = "what is '%s'? Blocks are given by --blocks, SMs by --sms",
    .doc = "Prints the cost of grid barriers and semaphores, without simulation: operations of an episode, cycles, the "
           "number of blocks per SM from which a barrier of two levels is faster, and the lock requests of a block "
           "that leaves a semaphore.\vThe output has a row for each barrier and semaphore, and number of blocks per "
           "SM; times are measured by small kernels on the machine, unless given. docs/synchronization.md has the "
           "formulas and their errors (`warpscape verify --sync').\n\nExample:\n  warpscape model sync --config gtsc "
           "--blocks 8 --share 90",
};

/* ------------------------------------------------------------------------------------------------ rows */

static row empty_row(const char *primitive, const ws_sync_shape *shape)
{
    return (row){primitive, *shape, {NAN, NAN, NAN, NAN, NAN, NAN, NAN}, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
}

static row barrier_row(const request *q, ws_sync_barrier barrier, const ws_sync_shape *shape)
{
    row r = empty_row(ws_sync_word(barrier), shape);
    r.counts = ws_sync_count(barrier, shape);
    r.chain = ws_sync_chain(barrier, shape);
    r.published = ws_sync_published(barrier, shape);
    r.ratio = r.chain / ws_sync_chain(WS_SYNC_cooperative, shape);
    r.gain = ws_sync_gain(q->share, r.ratio);
    if (barrier == WS_SYNC_sense) {
        r.crossover = ws_sync_crossover(ws_sync_chain, shape, MOST_BLOCKS);
        r.crossover_published = ws_sync_crossover(ws_sync_published, shape, MOST_BLOCKS);
    }
    return r;
}

/* All blocks of an SM but the one that wants to leave want to enter; with priority none of them is past the test. */
static row semaphore_row(bool priority, const ws_sync_shape *shape)
{
    row r = empty_row(priority ? "priorsem" : "spinsem", shape);
    const double entrants = shape->blocks - 1;
    r.acquisitions = priority ? ws_sync_priority_acquisitions(0) : ws_sync_spin_acquisitions(entrants);
    r.tail = priority ? 0 : ws_sync_spin_tail(entrants, TAIL);
    r.chain = priority ? ws_sync_priority_chain(shape, shape->blocks) : ws_sync_spin_chain(shape, shape->blocks);
    r.handover =
        priority ? ws_sync_priority_handover(shape, shape->blocks) : ws_sync_spin_handover(shape, shape->blocks);
    return r;
}

/* ------------------------------------------------------------------------------------------------ the table */

enum { SEMAPHORES = 2, PER_BLOCKS = WS_SYNC_BARRIERS + SEMAPHORES };

static int add_row(ws_frame *frame, const row *r)
{
#include "model/mechanism/column_values.def"
    char blocks[24];
    snprintf(blocks, sizeof blocks, "%.0f", r->shape.blocks);
    return ws_frame_add_row(frame, (const char *[]){r->primitive, blocks}, value);
}

static int check_row(int k, const row *r)
{
    const double times[] = {r->chain, k < WS_SYNC_BARRIERS ? r->published : r->handover};
    int status = WS_OK;
    for (size_t i = 0; i < sizeof times / sizeof *times && !status; i++)
        status = k < WS_SYNC_BARRIERS ? ws_sync_check_barrier((ws_sync_barrier)k, &r->shape, times[i])
                                      : ws_sync_check_semaphore(r->primitive, &r->shape, r->shape.blocks, times[i]);
    return status;
}

static int fill(const request *q, ws_sync_shape shape, ws_frame *frame)
{
    int status = WS_OK;
    for (size_t i = 0; i < q->blocks.count && !status; i++) {
        shape.blocks = q->blocks.one[i];
        for (int k = 0; k < PER_BLOCKS && !status; k++) {
            const row r = k < WS_SYNC_BARRIERS ? barrier_row(q, (ws_sync_barrier)k, &shape)
                                               : semaphore_row(k > WS_SYNC_BARRIERS, &shape);
            status = check_row(k, &r);
            if (!status)
                status = add_row(frame, &r);
        }
    }
    return status;
}

/* What was given counts; what was not is simulated, or the machine's. */
static int find_shape(const request *q, const ws_machine *machine, ws_sync_shape *shape)
{
    const ws_sync_shape *const g = &q->given;
    *shape = ws_sync_shape_of(machine);
    const int status = g->latency >= 0 && g->service >= 0 ? WS_OK : ws_sync_measure(machine, shape);
    shape->sms = q->sms > 0 ? q->sms : shape->sms;
    shape->latency = g->latency >= 0 ? g->latency : shape->latency;
    shape->service = g->service >= 0 ? g->service : shape->service;
    shape->fence = g->fence >= 0 ? g->fence : shape->fence;
    shape->turn = g->turn >= 0 ? g->turn : shape->turn;
    shape->backoff = g->backoff >= 0 ? g->backoff : shape->backoff;
    return status;
}

static int note_machine(ws_frame *notes, const char *name, const ws_sync_shape *shape)
{
    const int status = ws_frame_note(
        notes,
        "machine: %s; an atomic takes %.4g cycles, one after another on one word %.4g, a turn of an empty loop %.4g",
        name, shape->latency, shape->service, shape->turn);
    return status ? status
                  : ws_frame_note(notes,
                                  "tail: probability that a leaving block loses more than %d locks, while all other "
                                  "blocks of the SM want to enter",
                                  TAIL);
}

static int add_rows(ws_prediction_run *of)
{
    const request *const q = of->request;
    ws_sync_shape shape;
    int status = find_shape(q, of->machine, &shape);
    if (!status)
        status = note_machine(of->notes, ws_machine_name(of->machine), &shape);
    return status ? status : fill(q, shape, of->frame);
}

static void set_defaults(void *asked)
{
    static const double usual[] = {1, 2, 4, 8, 16, 32};
    request *const q = asked;
    if (q->blocks.count)
        return;
    q->blocks.count = sizeof usual / sizeof *usual;
    memcpy(q->blocks.one, usual, sizeof usual);
}

const ws_mechanism ws_mechanism_sync = {
    .options = &options,
    .asked = &(const request){.machine.choice.config = "qv100",
                              .share = NAN,
                              .given = {.latency = -1, .service = -1, .fence = -1, .turn = -1, .backoff = -1}},
    .asked_bytes = sizeof(request),
    .traces = WS_NO_TRACES,
    .complete = set_defaults,
    .model.layout = {{"primitive", "blocks"}, columns, COLUMNS, "sync"},
    WS_ON_MACHINE(request, machine),
    .model.finish = add_rows,
    .subject = &ws_subject_sync,
};
