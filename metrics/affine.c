/* affine.c - do addresses follow from who asks?
 *
 * Neighbours share data where addresses are computed from the numbers of thread block and thread (Tabbakh, "Efficient
 * Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", 2018, section 2.2). Of each instruction
 * that accesses global memory: do all its addresses, in a launch, lie on one affine function of ctaid and tid? Or of
 * these and of how often the warp came by before, as in loops? All lanes are looked at; affine_fit.h says how exact the
 * answer is. */
#include "metrics/family.h"

#include "base/status.h"
#include "metrics/affine_fit.h"

#include <stdlib.h>
#include <string.h>

#define GROUP "affine"
#define COUNTERS(ONE, MANY) \
    ONE(instrs, SUM) \
    ONE(of_place, SUM) \
    ONE(of_turn, SUM) \
    ONE(accesses, SUM) \
    ONE(place_accesses, SUM) \
    ONE(turn_accesses, SUM)
#define COLUMNS(ONE, MANY) \
    ONE(instrs, "ratio", \
        "Share of the instructions that access global memory, in the text of a launch and executed, whose addresses " \
        "are an affine function " \
        "of ctaid and tid; exact.") \
    ONE(turn_instrs, "ratio", \
        "The same with the times that the warp executed the instruction before as a further variable: loops count, " \
        "too; exact.") \
    ONE(accesses, "ratio", "Share of global accesses of warps by instructions of the first kind; exact.") \
    ONE(turn_accesses, "ratio", "Share of global accesses of warps by instructions of the second kind; exact.")
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

/* An instruction that accessed global memory. */
typedef struct site {
    ws_affine_fit fit;
    uint64_t accesses;
    uint32_t turn[]; /* [warps_per_block], of this thread block */
} site;

typedef struct state {
    site **site; /* [instrs] by pc; NULL: not executed yet */
    size_t instrs;
} state;

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory for the metrics of addresses");
}

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    s->instrs = launch->instrs;
    s->site = calloc(launch->instrs + 1, sizeof *s->site);
    return s->site ? WS_OK : no_memory();
}

static int block_begin(void *p, const ws_launch *launch, uint64_t block)
{
    state *const s = p;
    (void)block;
    for (size_t i = 0; i < s->instrs; i++)
        if (s->site[i])
            memset(s->site[i]->turn, 0, launch->warps_per_block * sizeof(uint32_t));
    return WS_OK;
}

static site *site_of(state *s, const ws_launch *launch, uint32_t pc)
{
    if (!s->site[pc])
        s->site[pc] = calloc(1, sizeof(site) + launch->warps_per_block * sizeof(uint32_t));
    return s->site[pc];
}

static void thread_of(const ws_launch *launch, uint64_t thread, uint64_t *x)
{
    x[WS_AFFINE_THREAD_X] = thread % launch->block[0];
    x[WS_AFFINE_THREAD_Y] = thread / launch->block[0] % launch->block[1];
    x[WS_AFFINE_THREAD_Z] = thread / launch->block[0] / launch->block[1];
}

/* Do all lanes do as was seen so far? `x` is theirs but for the thread. */
static bool follows(const ws_affine_fit *fit, const ws_launch *launch, const ws_event *ev, const uint64_t *address,
                    const uint64_t *x)
{
    const uint32_t threads = 1u << WS_AFFINE_THREAD_X | 1u << WS_AFFINE_THREAD_Y | 1u << WS_AFFINE_THREAD_Z;
    uint32_t known = 0;
    for (unsigned i = 0; i < 3; i++)
        known |=
            fit->rank & 1u << (WS_AFFINE_THREAD_X + i) || launch->block[i] == 1 ? 1u << (WS_AFFINE_THREAD_X + i) : 0;
    if (known != threads || !ws_affine_spans(fit, x, threads))
        return false;
    uint64_t base = 0, off = 0, thread[WS_AFFINE_WIDTH];
    for (unsigned i = 0; i < WS_AFFINE_X; i++)
        base += i < WS_AFFINE_THREAD_X || i > WS_AFFINE_THREAD_Z ? (uint64_t)fit->slope[i] * x[i] : 0;
    thread_of(launch, (uint64_t)ev->warp * WS_WARP, thread);
    for (unsigned lane = 0; lane < WS_WARP; lane++) {
        uint64_t y = base;
        for (unsigned i = WS_AFFINE_THREAD_X; i <= WS_AFFINE_THREAD_Z; i++)
            y += (uint64_t)fit->slope[i] * thread[i];
        off |= ev->exec >> lane & 1 ? y ^ address[lane] : 0;
        const bool row = ++thread[WS_AFFINE_THREAD_X] == launch->block[0];
        thread[WS_AFFINE_THREAD_X] = row ? 0 : thread[WS_AFFINE_THREAD_X];
        const bool plane = (thread[WS_AFFINE_THREAD_Y] += row) == launch->block[1];
        thread[WS_AFFINE_THREAD_Y] = plane ? 0 : thread[WS_AFFINE_THREAD_Y];
        thread[WS_AFFINE_THREAD_Z] += plane;
    }
    return !off;
}

static void see(site *at, const ws_launch *launch, const ws_event *ev, const uint64_t *address, uint64_t block)
{
    const uint32_t *const grid = launch->grid;
    uint64_t x[WS_AFFINE_WIDTH] = {[WS_AFFINE_ONE] = 1,
                                   [WS_AFFINE_BLOCK_X] = block % grid[0],
                                   [WS_AFFINE_BLOCK_Y] = block / grid[0] % grid[1],
                                   [WS_AFFINE_BLOCK_Z] = block / grid[0] / grid[1],
                                   [WS_AFFINE_TURN] = at->turn[ev->warp]++};
    at->accesses++;
    if (at->fit.failed || follows(&at->fit, launch, ev, address, x))
        return;
    WS_EACH_LANE (lane, ev->exec) {
        thread_of(launch, (uint64_t)ev->warp * WS_WARP + lane, x);
        x[WS_AFFINE_X] = address[lane] & (((uint64_t)1 << 60) - 1);
        ws_affine_add(&at->fit, x);
    }
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    WS_EACH_EVENT (ev, batch) {
        if (ev->kind != WS_EVENT_MEMORY || ev->space != WS_SPACE_GLOBAL || !ev->exec || !ev->count)
            continue;
        site *const at = site_of(p, launch, ev->pc);
        if (!at)
            return no_memory();
        see(at, launch, ev, WS_ADDRESSES(batch, ev), batch->block);
    }
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    state *const a = into, *const b = from;
    (void)launch;
    for (size_t i = 0; i < a->instrs; i++) {
        if (!b->site[i])
            continue;
        if (!a->site[i]) {
            a->site[i] = b->site[i];
            b->site[i] = NULL;
            continue;
        }
        ws_affine_merge(&a->site[i]->fit, &b->site[i]->fit);
        a->site[i]->accesses += b->site[i]->accesses;
    }
    return WS_OK;
}

static void fini(void *p)
{
    state *const s = p;
    for (size_t i = 0; s->site && i < s->instrs; i++)
        free(s->site[i]);
    free(s->site);
    s->site = NULL;
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    const state *const s = p;
    counters *const c = (counters *)counter;
    (void)launch;
    *c = (counters){0};
    for (size_t i = 0; i < s->instrs; i++) {
        if (!s->site[i])
            continue;
        const double accesses = (double)s->site[i]->accesses;
        const bool of_turn = !s->site[i]->fit.failed,
                   of_place = of_turn && ws_affine_without(&s->site[i]->fit, WS_AFFINE_TURN);
        c->instrs++;
        c->of_place += of_place;
        c->of_turn += of_turn;
        c->accesses += accesses;
        c->place_accesses += of_place ? accesses : 0;
        c->turn_accesses += of_turn ? accesses : 0;
    }
    return WS_OK;
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    *(columns *)value = (columns){
        .instrs = ws_ratio(c->of_place, c->instrs, 0),
        .turn_instrs = ws_ratio(c->of_turn, c->instrs, 0),
        .accesses = ws_ratio(c->place_accesses, c->accesses, 0),
        .turn_accesses = ws_ratio(c->turn_accesses, c->accesses, 0),
    };
}

const ws_metric ws_metric_affine =
    WS_FAMILY("modern", "Do addresses follow from the numbers of thread block and thread?", .wants = WS_WANT_MEMORY,
              .init = init, .block_begin = block_begin, .fini = fini);
