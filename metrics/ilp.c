/* ilp.c - how many instructions of a warp could run at once, and how far apart are they from what they wait for?
 *
 * Each warp's instructions are cut into windows of 32, 64, 128 and 256. Within a window an instruction waits for the
 * instructions of the window that wrote its source registers, and for nothing else: unit latency, any number of units,
 * registers renamed, dependences through memory and predicates of branches not followed. The depth of a window is its
 * longest chain; ILP is instructions over depths.
 *
 * Levels are absolute numbers that only rise: a window starts at the top of the one before, and a register written
 * earlier lies at or below that start, so nothing has to be cleared between windows or blocks. The four windows go
 * through the arithmetic side by side, in one vector. */
#include "metrics/family.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum { WINDOWS = 4, SHORTEST = 32, LONGEST = 256, DISTANCES = 7, USES = 4, REBASE = 1 << 30 };

#define GROUP "ilp"
#define COUNTERS(ONE, MANY) \
    ONE(warp_instr, SUM) \
    MANY(depth, SUM, WINDOWS) \
    ONE(operands, SUM) \
    ONE(reads, SUM) \
    ONE(distance_sum, SUM) \
    MANY(distance, SUM, DISTANCES) \
    MANY(used, SUM, USES)
#define WINDOW(n) \
    "Instructions over the length of the longest chain of register dependences, in windows of " #n " consecutive " \
    "instructions of a warp; dependences through memory not followed; exact."
#define COLUMNS(ONE, MANY) \
    ONE(window_32, "instr", WINDOW(32)) \
    ONE(window_64, "instr", WINDOW(64)) \
    ONE(window_128, "instr", WINDOW(128)) \
    ONE(window_256, "instr", WINDOW(256)) \
    ONE(distance_mean, "instr", \
        "Mean number of warp instructions from the write of a register to a read of it, " \
        "within a block; exact.") \
    MANY(distance, DISTANCES, "ratio", \
         "Share of these reads at a distance of 1, 2-3, 4-7, 8-15, 16-31, 32-63, or " \
         "more; exact.") \
    ONE(uses_mean, "reads", "Degree of use: mean number of times a register value is read; exact.") \
    MANY(used, USES, "ratio", "Share of register values that are read never, once, twice, more often; exact.") \
    ONE(operands, "operands", "Mean number of source registers of an instruction; exact.")
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

typedef int32_t levels __attribute__((vector_size(WINDOWS * sizeof(int32_t))));

typedef struct reg {
    levels level;     /* of the value it holds, in each window */
    uint64_t written; /* number of the instruction that wrote it, counted from 1 over all blocks; 0: never */
    uint32_t uses;    /* of this value, up to USES */
} reg;

typedef struct warp {
    levels base, top;     /* where the open window starts; highest level in it */
    uint64_t instr;       /* executed, over all blocks */
    uint64_t block_start; /* instr when the block began */
    reg *reg;             /* [registers] */
} warp;

typedef struct state {
    WS_FAMILY_TALLY(COUNTERS) /* used[k]: values read at least k times */
    size_t registers;
    uint32_t warps;
    warp *warp;
    reg *reg; /* [warps * registers] */
} state;

static size_t count_registers(const ws_launch *launch)
{
    size_t n = 0;
    for (size_t pc = 0; pc < launch->instrs; pc++) {
        const ws_instr *const in = &launch->instr[pc];
        for (unsigned i = 0; i < in->dsts; i++)
            n = in->dst[i] >= n ? in->dst[i] + 1u : n;
        for (unsigned i = 0; i < in->srcs; i++)
            n = in->src[i] >= n ? in->src[i] + 1u : n;
    }
    return n;
}

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    s->registers = count_registers(launch);
    s->warps = launch->warps_per_block;
    const size_t bytes = (s->warps * s->registers + 1) * sizeof *s->reg;
    s->warp = aligned_alloc(_Alignof(levels), (s->warps + 1) * sizeof *s->warp);
    s->reg = aligned_alloc(_Alignof(levels), bytes);
    if (!s->warp || !s->reg)
        return ws_fail(WS_EMEM, "no memory for the ilp metrics");
    memset(s->warp, 0, (s->warps + 1) * sizeof *s->warp);
    memset(s->reg, 0, bytes);
    for (uint32_t i = 0; i < s->warps; i++)
        s->warp[i].reg = s->reg + i * s->registers;
    return WS_OK;
}

static levels higher(levels a, levels b)
{
    const levels above = a > b;
    return (a & above) | (b & ~above);
}

/* Ends the first n windows of the warp. */
static void close_windows(state *s, warp *w, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        s->depth[i] += (uint64_t)(w->top[i] - w->base[i]);
        w->base[i] = w->top[i];
    }
    if (n == WINDOWS && w->top[0] > REBASE) { /* long before the levels overflow, with all windows empty */
        for (size_t i = 0; i < s->registers; i++)
            w->reg[i].level = (levels){0};
        w->base = w->top = (levels){0};
    }
}

static int block_begin(void *p, const ws_launch *launch, uint64_t block)
{
    state *const s = p;
    (void)launch;
    (void)block;
    for (uint32_t i = 0; i < s->warps; i++)
        s->warp[i].block_start = s->warp[i].instr;
    return WS_OK;
}

static int block_end(void *p, const ws_launch *launch, uint64_t block)
{
    state *const s = p;
    (void)launch;
    (void)block;
    for (uint32_t i = 0; i < s->warps; i++)
        close_windows(s, &s->warp[i], WINDOWS);
    return WS_OK;
}

static levels read_register(state *s, const warp *w, reg *r)
{
    if (r->written <= w->block_start) /* not written in this block */
        return r->level;
    const uint64_t distance = w->instr - r->written;
    s->reads++;
    s->distance_sum += distance;
    s->distance[ws_log2_bin(distance, DISTANCES + 1) - 1]++;
    if (r->uses < USES - 1)
        s->used[++r->uses]++;
    return r->level;
}

static void execute(state *s, warp *w, const ws_instr *in)
{
    levels level = w->base;
    w->instr++;
    for (unsigned i = 0; i < in->srcs; i++)
        level = higher(level, read_register(s, w, &w->reg[in->src[i]]));
    level += 1;
    w->top = higher(w->top, level);
    for (unsigned i = 0; i < in->dsts; i++)
        w->reg[in->dst[i]] = (reg){.level = level, .written = w->instr};
    s->operands += in->srcs;
    s->used[0] += in->dsts;
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    WS_EACH_EVENT (ev, batch) {
        warp *const w = &s->warp[ev->warp];
        const ws_instr *const in = &launch->instr[ev->pc];
        s->warp_instr += ev->count;
        for (unsigned k = 0; k < ev->count; k++) {
            execute(s, w, &in[k]);
            const uint64_t at = w->instr - w->block_start;
            if (at % SHORTEST == 0) /* twice as long a window ends every second time, and so on */
                close_windows(s, w, 1 + (unsigned)__builtin_ctzll(at % LONGEST / SHORTEST | 1 << (WINDOWS - 1)));
        }
    }
    return WS_OK;
}

WS_FAMILY_MERGE

static void fini(void *p)
{
    state *const s = p;
    free(s->warp);
    free(s->reg);
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    counters *const c = (counters *)counter;
    (void)launch;
    ws_family_tell(counter_table, ((const state *)p)->counts, counter);
    for (unsigned i = 0; i + 1 < USES; i++)
        c->used[i] -= c->used[i + 1];
    return WS_OK;
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    columns *const v = (columns *)value;
    double values = 0;
    for (unsigned i = 0; i < USES; i++)
        values += c->used[i];
    v->window_32 = ws_ratio(c->warp_instr, c->depth[0], 0);
    v->window_64 = ws_ratio(c->warp_instr, c->depth[1], 0);
    v->window_128 = ws_ratio(c->warp_instr, c->depth[2], 0);
    v->window_256 = ws_ratio(c->warp_instr, c->depth[3], 0);
    v->distance_mean = ws_ratio(c->distance_sum, c->reads, 0);
    ws_fractions(c->distance, DISTANCES, v->distance);
    v->uses_mean = ws_ratio(c->reads, values, 0);
    ws_fractions(c->used, USES, v->used);
    v->operands = ws_ratio(c->operands, c->warp_instr, 0);
}

const ws_metric ws_metric_ilp = WS_FAMILY(
    "modern", "How many instructions of a warp could run at once, and how far are they from what they wait for?",
    .wants = WS_WANT_INSTRUCTIONS, .init = init, .block_begin = block_begin, .block_end = block_end, .fini = fini);
