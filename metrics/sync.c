/* sync.c - how do threads wait for each other: barriers, fences, atomics by kind and scope, loops that wait?
 *
 * What P. Dalmia, "Reducing Synchronization and Communication Overheads in GPUs", 2023, chapter 4, counts of barriers
 * and semaphores, as far as it does not need a clock (`sim` has that, docs/synchronization.md). A wait is a warp's way
 * through a loop that ends by what others write and does nothing else (collect/trace/waits.h). An episode is one
 * barrier of the grid, or one way into a semaphore: the waits of the warp of a thread block that waits most. A section
 * is what a warp does between two waits; it is a critical one if the warp accesses other global memory there than the
 * words that it looked at or changed in its loops, and a reader's if none of these accesses stores. How often warps
 * look in vain hangs on who runs when; these counts are of the engine's order. */
#include "metrics/family.h"

#include "base/status.h"
#include "collect/trace/waits.h"

#include <stdlib.h>

/* Scopes told apart: within the thread block (or cluster), the GPU, the system. */
typedef enum reach { IN_BLOCK, IN_DEVICE, IN_SYSTEM, REACHES } reach;
enum { KINDS = WS_ATOMICS - 1 }; /* from WS_ATOMIC_ADD on */

#define GROUP "sync"
#define COUNTERS(ONE, MANY) \
    ONE(warp_instr, SUM) \
    ONE(warps, SUM) \
    ONE(barriers, SUM) \
    MANY(fences, SUM, REACHES) \
    MANY(atomics, SUM, REACHES) \
    ONE(ordered, SUM) \
    MANY(kinds, SUM, KINDS) \
    ONE(waits, SUM) \
    ONE(wait_instr, SUM) \
    ONE(looks, SUM) \
    ONE(episodes, SUM) \
    ONE(wait_blocks, SUM) \
    ONE(blocks, SUM) \
    ONE(sections, SUM) \
    ONE(section_accesses, SUM) \
    ONE(critical_sections, SUM) \
    ONE(critical_accesses, SUM) \
    ONE(critical_writers, SUM)
#define SCOPES "with a scope within the cluster, of the GPU, of the system"
#define WAITS  "exact for the order in which the engine runs warps; NA where it is not known where branches go."
#define COLUMNS(ONE, MANY) \
    ONE(barriers, "instr", "Arrivals of a warp at barriers of its thread block or cluster, mean; exact.") \
    MANY(fences, REACHES, "instr", "Fences of warps " SCOPES "; exact.") \
    MANY(atomics, REACHES, "instr", "Atomics of warps on global memory " SCOPES "; exact.") \
    ONE(ordered, "ratio", "Share of these atomics that acquire or release; exact.") \
    MANY(kinds, KINDS, "ratio", \
         "Share of these atomics that add, inc, dec, exch, cas, min, max, and, or, xor; exact.") \
    ONE(waits, "waits", "Times that warps come into a loop that only waits for what others write; " WAITS) \
    ONE(wait_share, "ratio", "Share of warp instructions in such loops; " WAITS) \
    ONE(looks, "instr", "Loads and atomics that look at what others write, of a wait, mean; " WAITS) \
    ONE(wait_blocks, "ratio", "Share of the thread blocks that wait; " WAITS) \
    ONE(episodes, "waits", "Waits of the warp that waits most, mean over thread blocks that wait; " WAITS) \
    ONE(wait_fences, "instr", "Fences of warps beyond the cluster for each wait; " WAITS) \
    ONE(wait_atomics, "instr", "Atomics of warps on global memory, for each wait; " WAITS) \
    ONE(section_accesses, "instr", \
        "Loads and stores of global memory by a warp from the end of a wait to the begin of its next one, " \
        "mean; " WAITS) \
    ONE(critical_sections, "sections", \
        "Ways of a warp from a wait to its next one with accesses of global memory other than the words of its " \
        "waits; " WAITS) \
    ONE(critical_accesses, "instr", "Loads and stores of such memory in one of them, mean; " WAITS) \
    ONE(critical_readers, "ratio", "Of them, those that store nothing, for each one that does; " WAITS)
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

/* A warp of the thread block that runs. */
enum { WORDS = 8 }; /* of a wait: more than a semaphore has */
typedef struct waiter {
    uint16_t loop;                          /* it is in; 0: none */
    uint64_t waits, accesses, data, stores; /* since the last wait: accesses; of them, of other words than: */
    uint64_t word[WORDS], words;            /* those that it accessed in its loops, in turns; how many it was told */
} waiter;

typedef struct state {
    WS_FAMILY_TALLY(COUNTERS)
    bool has_fences;
    uint16_t *loop; /* [instrs] of ws_launch_wait_loops(); NULL: there are none */
    waiter *warp;   /* [warps] */
} state;

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    for (size_t i = 0; i < launch->instrs && !s->has_fences; i++)
        s->has_fences = launch->instr[i].fence;
    const int status = ws_launch_wait_loops(launch, &s->loop);
    if (status || !s->loop)
        return status;
    s->warp = calloc(launch->warps_per_block + 1u, sizeof *s->warp);
    return s->warp ? WS_OK : ws_fail(WS_EMEM, "no memory for the waits of warps");
}

/* None is what PTX and SASS leave out where it is that of the GPU. */
static reach reach_of(const ws_instr *in)
{
    return in->scope == WS_SCOPE_SYS                                    ? IN_SYSTEM
           : in->scope == WS_SCOPE_CTA || in->scope == WS_SCOPE_CLUSTER ? IN_BLOCK
                                                                        : IN_DEVICE;
}

/* Comes into a loop that waits: what it did since the last one is a section. */
static void begin_wait(state *s, waiter *w)
{
    s->waits++;
    if (w->waits++) {
        s->sections++;
        s->section_accesses += w->accesses;
        s->critical_sections += w->data > 0;
        s->critical_accesses += w->data;
        s->critical_writers += w->stores > 0;
    }
    w->accesses = w->data = w->stores = 0;
}

/* An instruction of a warp, where the kernel has loops that wait. */
static void follow(state *s, waiter *w, uint32_t pc, const ws_instr *in)
{
    const uint16_t loop = s->loop[pc];
    if (loop && loop != w->loop)
        begin_wait(s, w);
    w->loop = loop;
    s->wait_instr += loop != 0;
    s->looks += loop && ws_instr_looks(in);
}

static void see_atomic(state *s, const ws_instr *in, uint16_t count)
{
    s->atomics[reach_of(in)] += count;
    s->ordered += in->order >= WS_ORDER_ACQUIRE && in->order <= WS_ORDER_SC ? count : 0;
    if (in->atomic != WS_ATOMIC_NONE)
        s->kinds[in->atomic - WS_ATOMIC_ADD] += count;
}

static bool waits_for(const waiter *w, uint64_t word)
{
    bool any = false;
    for (uint64_t i = 0; i < w->words && i < WORDS; i++)
        any = any || w->word[i] == word;
    return any;
}

/* An access of global memory, where the kernel has loops that wait; the word is that of its first lane. */
static void follow_access(const state *s, waiter *w, const ws_event *ev, const ws_instr *in, uint64_t word)
{
    const bool known = waits_for(w, word), atomic = in->access == WS_ACCESS_ATOMIC || in->access == WS_ACCESS_REDUCE;
    if (s->loop[ev->pc] && !known)
        w->word[w->words++ % WORDS] = word;
    if (s->loop[ev->pc] || atomic)
        return;
    w->accesses += ev->count;
    w->data += known ? 0 : ev->count;
    w->stores += !known && in->access == WS_ACCESS_STORE ? ev->count : 0;
}

static void see_memory(state *s, const ws_batch *batch, const ws_event *ev, const ws_instr *in)
{
    if (ev->space != WS_SPACE_GLOBAL || !ev->exec)
        return;
    if (in->access == WS_ACCESS_ATOMIC || in->access == WS_ACCESS_REDUCE)
        see_atomic(s, in, ev->count);
    if (s->loop)
        follow_access(s, &s->warp[ev->warp], ev, in, WS_ADDRESSES(batch, ev)[__builtin_ctz(ev->exec)]);
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    WS_EACH_EVENT (ev, batch) {
        const ws_instr *const in = &launch->instr[ev->pc];
        s->warp_instr += ev->count;
        if (ev->kind == WS_EVENT_BARRIER)
            s->barriers += ev->barrier != UINT32_MAX ? ev->count : 0;
        for (unsigned k = 0; s->loop && k < ev->count; k++)
            follow(s, &s->warp[ev->warp], ev->pc + k, in + k);
        if (ev->kind == WS_EVENT_MEMORY)
            see_memory(s, batch, ev, in);
        for (unsigned k = 0; s->has_fences && ev->kind == WS_EVENT_RUN && ev->exec && k < ev->count; k++)
            s->fences[reach_of(in + k)] += in[k].fence;
    }
    return WS_OK;
}

static int block_end(void *p, const ws_launch *launch, uint64_t block)
{
    state *const s = p;
    uint64_t most = 0;
    (void)block;
    s->blocks++;
    for (uint32_t i = 0; s->loop && i < launch->warps_per_block; i++) {
        most = s->warp[i].waits > most ? s->warp[i].waits : most;
        s->warp[i] = (waiter){0};
    }
    s->episodes += most;
    s->wait_blocks += most > 0;
    return WS_OK;
}

WS_FAMILY_MERGE

static void fini(void *p)
{
    state *const s = p;
    free(s->loop);
    free(s->warp);
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    counters *const c = (counters *)counter;
    ws_family_tell(counter_table, ((const state *)p)->counts, counter);
    const double told = launch->code ? 0 : NAN; /* where branches go */
    double *const by_loops[] = {&c->waits,
                                &c->wait_instr,
                                &c->looks,
                                &c->episodes,
                                &c->wait_blocks,
                                &c->sections,
                                &c->section_accesses,
                                &c->critical_sections,
                                &c->critical_accesses,
                                &c->critical_writers};
    c->warps = (double)launch->blocks * launch->warps_per_block;
    for (unsigned i = 0; i < sizeof by_loops / sizeof *by_loops; i++)
        *by_loops[i] += told;
    return WS_OK;
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    columns *const v = (columns *)value;
    const double atomics = c->atomics[IN_BLOCK] + c->atomics[IN_DEVICE] + c->atomics[IN_SYSTEM];
    *v = (columns){
        .barriers = ws_ratio(c->barriers, c->warps, NAN),
        .ordered = ws_ratio(c->ordered, atomics, NAN),
        .waits = c->waits,
        .wait_share = ws_ratio(c->wait_instr, c->warp_instr, NAN),
        .looks = ws_ratio(c->looks, c->waits, NAN),
        .wait_blocks = ws_ratio(c->wait_blocks, c->blocks, NAN),
        .episodes = ws_ratio(c->episodes, c->wait_blocks, NAN),
        .wait_fences = ws_ratio(c->fences[IN_DEVICE] + c->fences[IN_SYSTEM], c->waits, NAN),
        .wait_atomics = ws_ratio(atomics, c->waits, NAN),
        .section_accesses = ws_ratio(c->section_accesses, c->sections, NAN),
        .critical_sections = c->critical_sections,
        .critical_accesses = ws_ratio(c->critical_accesses, c->critical_sections, NAN),
        .critical_readers = ws_ratio(c->critical_sections - c->critical_writers, c->critical_writers, NAN),
    };
    for (unsigned i = 0; i < REACHES; i++) {
        v->fences[i] = c->fences[i];
        v->atomics[i] = c->atomics[i];
    }
    for (unsigned i = 0; i < KINDS; i++)
        v->kinds[i] = ws_ratio(c->kinds[i], atomics, NAN);
}

const ws_metric ws_metric_sync =
    WS_FAMILY("synchronization",
              "How do threads wait for each other: barriers, fences, atomics by kind and scope, loops that wait?",
              .wants = WS_WANT_INSTRUCTIONS, .init = init, .block_end = block_end, .fini = fini);
