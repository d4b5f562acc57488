/* model_sync.c - `warpscape model sync`: what do barriers of the whole grid and semaphores cost, by closed forms, on a
 * machine? */
#include "cli/cli.h"
#include "cli/machine_settings.h"
#include "cli/model.h"
#include "record/simulate/machine_choice.h"
#include "cli/sync_machine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_BLOCKS = 32, TAIL = 10 };
enum { KEY_SMS = 0x100, KEY_SHARE, KEY_LATENCY, KEY_SERVICE, KEY_FENCE, KEY_TURN, KEY_BACKOFF };

typedef struct request {
    ws_machine_choice machine;
    const char *setting[WS_MACHINE_SETTINGS_MOST];
    double blocks[MOST_BLOCKS];
    size_t rows;         /* of blocks */
    double sms, share;   /* 0: those of the machine; NaN: not given */
    ws_sync_shape given; /* negative: as measured */
} request;

typedef struct row {
    char primitive[16];
    ws_sync_shape shape;
    ws_sync_counts counts;
    double chain, published, ratio, gain, crossover, crossover_published, acquisitions, tail, handover;
} row;

static const struct argp_option options[] = {
    {"config", 'c', "MACHINE", 0, "The machine: a name of data/configs, or a path [qv100]", 0},
    {"set", 's', "OPTION=VALUE", 0, "Set an option of the machine, such as l2.latency=200; may be repeated", 0},
    {"sms", KEY_SMS, "N", 0, "SMs with blocks [those of the machine]", 0},
    {"blocks", 'b', "N", 0, "Blocks of an SM; may be given again [1, 2, 4, 8, 16, 32]", 0},
    {"share", KEY_SHARE, "PERCENT", 0,
     "Of the time of an application in its barriers, which are cooperative: what others gain of the whole", 0},
    {"latency", KEY_LATENCY, "CYCLES", 0, "Round trip of an atomic [what small kernels measure on the machine]", 0},
    {"service", KEY_SERVICE, "CYCLES", 0, "Between two atomics on one word [likewise]", 0},
    {"fence", KEY_FENCE, "CYCLES", 0,
     "What a device fence takes besides waiting for the warp's accesses [sm.fence of the machine]", 0},
    {"turn", KEY_TURN, "CYCLES", 0, "A turn of an empty loop [two additions and a branch of the machine]", 0},
    {"backoff", KEY_BACKOFF, "TURNS", 0, "The longest wait of who backs off; 0: nobody does [1023]", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    request *const r = state->input;
    switch (key) {
    case 'c':
        r->machine.config = arg;
        return 0;
    case 's':
        ws_machine_settings_add(r->setting, &r->machine.settings, arg, state);
        return 0;
    case KEY_SMS:
        r->sms = (double)ws_cli_u64(state, "--sms", arg, 1, 65536);
        return 0;
    case 'b':
        if (r->rows == MOST_BLOCKS)
            argp_error(state, "--blocks is given more than %d times", MOST_BLOCKS);
        r->blocks[r->rows++] = (double)ws_cli_u64(state, "--blocks", arg, 1, 1024);
        return 0;
    case KEY_SHARE:
        r->share = ws_cli_double(state, "--share", arg, 0, 100) / 100;
        return 0;
    case KEY_LATENCY:
        r->given.latency = ws_cli_double(state, "--latency", arg, 1, 1e6);
        return 0;
    case KEY_SERVICE:
        r->given.service = ws_cli_double(state, "--service", arg, 0, 1e6);
        return 0;
    case KEY_FENCE:
        r->given.fence = ws_cli_double(state, "--fence", arg, 0, 1e6);
        return 0;
    case KEY_TURN:
        r->given.turn = ws_cli_double(state, "--turn", arg, 0, 1e6);
        return 0;
    case KEY_BACKOFF:
        r->given.backoff = ws_cli_double(state, "--backoff", arg, 0, 1e6);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "what is '%s'? Blocks are given by --blocks, SMs by --sms", arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .doc = "Says what barriers of the whole grid and semaphores cost, without simulating them: operations of an "
           "episode, cycles, from how many blocks of an SM on a barrier of two levels is "
           "the faster one, and how often who wants to leave a semaphore has to ask for its lock.\v"
           "A row for each barrier and semaphore, and number of blocks of an SM; times from small kernels on the "
           "machine, unless given. docs/synchronization.md has the formulas, and how far off "
           "they are (`warpscape verify --sync').\n\n"
           "Example:\n"
           "  warpscape model sync --config gtsc --blocks 8 --share 90",
};

/* ------------------------------------------------------------------------------------------------ rows */

static row empty_row(const char *primitive, const ws_sync_shape *shape)
{
    row r = {.shape = *shape, .counts = {NAN, NAN, NAN, NAN, NAN, NAN, NAN}};
    r.chain = r.published = r.ratio = r.gain = r.crossover = r.crossover_published = r.acquisitions = r.tail =
        r.handover = NAN;
    snprintf(r.primitive, sizeof r.primitive, "%s", primitive);
    return r;
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

static const ws_frame_column columns[] = {
#define COLUMN(name, unit, expression) {#name, unit},
#include "cli/model_sync_columns.def"
#undef COLUMN
};
enum { COLUMNS = sizeof columns / sizeof *columns, SEMAPHORES = 2, PER_BLOCKS = WS_SYNC_BARRIERS + SEMAPHORES };

static int add_row(ws_frame *frame, const row *r)
{
    const double value[COLUMNS] = {
#define COLUMN(name, unit, expression) expression,
#include "cli/model_sync_columns.def"
#undef COLUMN
    };
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
    for (size_t i = 0; i < q->rows && !status; i++) {
        shape.blocks = q->blocks[i];
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

/* What was given counts, what was not is measured. */
static int find_shape(const request *q, const ws_machine *machine, ws_sync_shape *shape)
{
    const ws_sync_shape *const g = &q->given;
    const int status = ws_sync_measure(machine, shape);
    shape->sms = q->sms > 0 ? q->sms : ws_machine_sms(machine);
    shape->latency = g->latency >= 0 ? g->latency : shape->latency;
    shape->service = g->service >= 0 ? g->service : shape->service;
    shape->fence = g->fence >= 0 ? g->fence : shape->fence;
    shape->turn = g->turn >= 0 ? g->turn : shape->turn;
    shape->backoff = g->backoff >= 0 ? g->backoff : shape->backoff;
    return status;
}

static int note_machine(ws_frame *notes, const char *name, const ws_sync_shape *shape)
{
    const int status = ws_frame_note(notes,
                                     "machine: %s; an atomic takes %.4g cycles, one after another on one word %.4g, a "
                                     "turn of an empty loop %.4g",
                                     name, shape->latency, shape->service, shape->turn);
    return status ? status
                  : ws_frame_note(notes,
                                  "tail: chance that who wants to leave comes too late for more than %d locks, while "
                                  "all other blocks of the SM want to enter",
                                  TAIL);
}

static int add_rows(ws_prediction_run *of)
{
    const request *const q = of->request;
    ws_machine *machine;
    ws_sync_shape shape = {0};
    int status = ws_machine_choose(&q->machine, &machine);
    if (status)
        return status;
    status = find_shape(q, machine, &shape);
    if (!status)
        status = note_machine(of->notes, machine->name, &shape);
    if (!status)
        status = fill(q, shape, of->frame);
    ws_machine_destroy(machine);
    return status;
}

static const ws_predictor model = {
    .layout = {{"primitive", "blocks"}, columns, COLUMNS, "sync"},
    .finish = add_rows,
};

int ws_model_sync(int argc, char **argv)
{
    static const double usual[] = {1, 2, 4, 8, 16, 32};
    request q = {.machine.config = "qv100",
                 .share = NAN,
                 .given = {.latency = -1, .service = -1, .fence = -1, .turn = -1, .backoff = -1}};
    q.machine.setting = q.setting;
    ws_cli_parse(&argp, argc, argv, &q);
    if (!q.rows) {
        q.rows = sizeof usual / sizeof *usual;
        memcpy(q.blocks, usual, sizeof usual);
    }
    return ws_model_run(&model, &q, NULL, argc, argv);
}
