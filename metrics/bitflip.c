/* bitflip.c - how many bits of a register or of shared memory change when it is written?
 *
 * A word kept in arrays of K bits is compared before it is written, and only arrays with a change are written, whole
 * (differential update: N. Goswami, "Power Performance Co-Optimization of Throughput Architecture Using Emerging
 * Technologies", University of Florida, 2013, chapter 6). With K = 1 these are the bit flips; old 0x0000FFFF and new
 * 0x0001FFFE flip 2 bits and write 2, 4, 8, 16, 32, 32 bits for K = 1, 2, 4, 8, 16, 32. An element narrower than K
 * counts as one array of its own width.
 *
 * Values are seen of a sample of blocks: one of eight, 16 at most, spread evenly over the grid with both its ends; when
 * that is one block only, the middle one. Counts of reads and writes are of the whole launch. */
#include "metrics/family.h"

#include "base/status.h"
#include "metrics/pc_count.h"

enum { WIDTHS = 6, SAMPLE_SHARE = 8, SAMPLE_MOST = 16 };

/* What is written. */
typedef enum what { WHAT_REG, WHAT_SHARED, WHATS } what;

#define GROUP "bitflip"
#define COUNTERS(ONE, MANY) \
    MANY(reg_written, SUM, WIDTHS) \
    MANY(shared_written, SUM, WIDTHS) \
    MANY(bits, SUM, WHATS) \
    MANY(writes, SUM, WHATS) \
    MANY(same, SUM, WHATS) \
    MANY(launch_reads, SUM, WHATS) \
    MANY(launch_writes, SUM, WHATS)
#define WRITTEN(where, k) \
    "Bits that " where " would write in arrays of " #k " bits, unchanged arrays left out, over all bits written; " \
    "exact for the blocks sampled, 16 at most."
#define COLUMNS(ONE, MANY) \
    ONE(reg_k1, "ratio", WRITTEN("the register file", 1)) \
    ONE(reg_k2, "ratio", WRITTEN("the register file", 2)) \
    ONE(reg_k4, "ratio", WRITTEN("the register file", 4)) \
    ONE(reg_k8, "ratio", WRITTEN("the register file", 8)) \
    ONE(reg_k16, "ratio", WRITTEN("the register file", 16)) \
    ONE(reg_k32, "ratio", WRITTEN("the register file", 32)) \
    ONE(reg_same, "ratio", "Share of register writes that change nothing; exact for the blocks sampled.") \
    ONE(reg_reads, "ratio", "Reads over reads and writes of registers, predicates included, all blocks; exact.") \
    ONE(shared_k1, "ratio", WRITTEN("shared memory", 1)) \
    ONE(shared_k2, "ratio", WRITTEN("shared memory", 2)) \
    ONE(shared_k4, "ratio", WRITTEN("shared memory", 4)) \
    ONE(shared_k8, "ratio", WRITTEN("shared memory", 8)) \
    ONE(shared_k16, "ratio", WRITTEN("shared memory", 16)) \
    ONE(shared_k32, "ratio", WRITTEN("shared memory", 32)) \
    ONE(shared_same, "ratio", "Share of shared-memory writes that change nothing; exact for the blocks sampled.") \
    ONE(shared_reads, "ratio", "Loads over loads, stores and atomics (read and write) of shared memory, all blocks; " \
        "exact.")
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

typedef struct state {
    uint64_t written[WHATS][WIDTHS], bits[WHATS], writes[WHATS], same[WHATS];
    uint64_t shared_reads, shared_writes;
    ws_pc_count threads;
} state;

static int init(void *p, const ws_launch *launch)
{
    return ws_pc_count_init(&((state *)p)->threads, launch->instrs);
}

static int sample_block(const ws_launch *launch, uint64_t block)
{
    const uint64_t blocks = launch->blocks, wanted = (blocks + SAMPLE_SHARE - 1) / SAMPLE_SHARE;
    const uint64_t n = wanted < SAMPLE_MOST ? wanted : SAMPLE_MOST;
    if (n <= 1)
        return block == blocks / 2;
    /* sample number i is block floor(i * (blocks - 1) / (n - 1)) */
    const uint64_t i = (block * (n - 1) + blocks - 2) / (blocks - 1);
    return i * (blocks - 1) / (n - 1) == block;
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    for (size_t i = 0; i < batch->events; i++) {
        const ws_event *const ev = &batch->event[i];
        if (ev->kind == WS_EVENT_RECONVERGE)
            continue;
        const unsigned lanes = ws_mask_lanes(ev->exec);
        ws_pc_count_add(&s->threads, ev->pc, ws_event_lane_runs(ev), lanes);
        if (ev->kind != WS_EVENT_MEMORY || ev->space != WS_SPACE_SHARED)
            continue;
        const uint8_t access = launch->instr[ev->pc].access;
        s->shared_reads += access != WS_ACCESS_STORE ? lanes : 0;
        s->shared_writes += access != WS_ACCESS_LOAD ? lanes : 0;
    }
    return WS_OK;
}

/* Set bits of half a warp's words, added up byte by byte: at most 8 * 16 in a byte. */
static uint64_t ones_of_half(const uint64_t *x)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < WS_WARP / 2; i++) {
        uint64_t v = x[i];
        v -= v >> 1 & 0x5555555555555555u;
        v = (v & 0x3333333333333333u) + (v >> 2 & 0x3333333333333333u);
        bytes += (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    }
    bytes = (bytes & 0x00ff00ff00ff00ffu) + (bytes >> 8 & 0x00ff00ff00ff00ffu);
    return bytes * 0x0001000100010001u >> 48;
}

static uint64_t ones(const uint64_t *x)
{
    return ones_of_half(x) + ones_of_half(x + WS_WARP / 2);
}

/* Leaves one bit in every array of 2k bits that has one in either of its arrays of k bits. */
static void pair_up(uint64_t *x, unsigned k)
{
    static const uint64_t lowest[] = {0x5555555555555555u, 0x1111111111111111u, 0x0101010101010101u,
                                      0x0001000100010001u, 0x0000000100000001u};
    const uint64_t keep = lowest[__builtin_ctz(k)];
    for (unsigned lane = 0; lane < WS_WARP; lane++)
        x[lane] = (x[lane] | x[lane] >> k) & keep;
}

static void see_value(state *s, const ws_value *value)
{
    const what w = value->is_shared ? WHAT_SHARED : WHAT_REG;
    const unsigned bits = value->bytes * 8u, lanes = ws_mask_lanes(value->exec);
    uint64_t x[WS_WARP];
    unsigned same = 0;
    for (unsigned lane = 0; lane < WS_WARP; lane++) {
        const uint64_t on = -(uint64_t)(value->exec >> lane & 1);
        x[lane] = (value->before[lane] ^ value->after[lane]) & on;
        same += !x[lane];
    }
    s->writes[w] += lanes;
    s->same[w] += same - (WS_WARP - lanes);
    s->bits[w] += (uint64_t)bits * lanes;
    for (unsigned i = 0; i < WIDTHS; i++) {
        const unsigned k = 1u << i;
        if (i)
            pair_up(x, k / 2);
        s->written[w][i] += ones(x) * (k < bits ? k : bits);
    }
}

static int values(void *p, const ws_launch *launch, uint64_t block, const ws_value *value, size_t n)
{
    (void)launch;
    (void)block;
    for (size_t i = 0; i < n; i++)
        see_value(p, &value[i]);
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    state *const a = into;
    const state *const b = from;
    (void)launch;
    for (unsigned w = 0; w < WHATS; w++) {
        for (unsigned i = 0; i < WIDTHS; i++)
            a->written[w][i] += b->written[w][i];
        a->bits[w] += b->bits[w];
        a->writes[w] += b->writes[w];
        a->same[w] += b->same[w];
    }
    a->shared_reads += b->shared_reads;
    a->shared_writes += b->shared_writes;
    ws_pc_count_merge(&a->threads, &b->threads);
    return WS_OK;
}

static void fini(void *p)
{
    ws_pc_count_fini(&((state *)p)->threads);
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    state *const s = p;
    counters *const c = (counters *)counter;
    uint64_t reads = 0, writes = 0;
    const int64_t *const threads = ws_pc_count_fold(&s->threads);
    for (size_t pc = 0; pc < launch->instrs; pc++) {
        reads += (uint64_t)threads[pc] * launch->instr[pc].srcs;
        writes += (uint64_t)threads[pc] * launch->instr[pc].dsts;
    }
    for (unsigned i = 0; i < WIDTHS; i++) {
        c->reg_written[i] = (double)s->written[WHAT_REG][i];
        c->shared_written[i] = (double)s->written[WHAT_SHARED][i];
    }
    for (unsigned w = 0; w < WHATS; w++) {
        c->bits[w] = (double)s->bits[w];
        c->writes[w] = (double)s->writes[w];
        c->same[w] = (double)s->same[w];
    }
    c->launch_reads[WHAT_REG] = (double)reads;
    c->launch_writes[WHAT_REG] = (double)writes;
    c->launch_reads[WHAT_SHARED] = (double)s->shared_reads;
    c->launch_writes[WHAT_SHARED] = (double)s->shared_writes;
    return WS_OK;
}

static double reads_of(const counters *c, what w)
{
    return ws_ratio(c->launch_reads[w], c->launch_reads[w] + c->launch_writes[w], 0);
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    const double *const reg = c->reg_written, *const shared = c->shared_written;
    *(columns *)value = (columns){
        .reg_k1 = ws_ratio(reg[0], c->bits[WHAT_REG], 0),
        .reg_k2 = ws_ratio(reg[1], c->bits[WHAT_REG], 0),
        .reg_k4 = ws_ratio(reg[2], c->bits[WHAT_REG], 0),
        .reg_k8 = ws_ratio(reg[3], c->bits[WHAT_REG], 0),
        .reg_k16 = ws_ratio(reg[4], c->bits[WHAT_REG], 0),
        .reg_k32 = ws_ratio(reg[5], c->bits[WHAT_REG], 0),
        .reg_same = ws_ratio(c->same[WHAT_REG], c->writes[WHAT_REG], 0),
        .reg_reads = reads_of(c, WHAT_REG),
        .shared_k1 = ws_ratio(shared[0], c->bits[WHAT_SHARED], 0),
        .shared_k2 = ws_ratio(shared[1], c->bits[WHAT_SHARED], 0),
        .shared_k4 = ws_ratio(shared[2], c->bits[WHAT_SHARED], 0),
        .shared_k8 = ws_ratio(shared[3], c->bits[WHAT_SHARED], 0),
        .shared_k16 = ws_ratio(shared[4], c->bits[WHAT_SHARED], 0),
        .shared_k32 = ws_ratio(shared[5], c->bits[WHAT_SHARED], 0),
        .shared_same = ws_ratio(c->same[WHAT_SHARED], c->writes[WHAT_SHARED], 0),
        .shared_reads = reads_of(c, WHAT_SHARED),
    };
}

const ws_metric ws_metric_bitflip = {
    .sink = {.name = GROUP,
             .wants = WS_WANT_INSTRUCTIONS,
             .state_size = sizeof(state),
             .init = init,
             .events = events,
             .merge = merge,
             .fini = fini,
             .sample_block = sample_block,
             .values = values},
    .set = "modern",
    .question = "How many bits of a register or of shared memory change when it is written?",
    .counters = counter_table,
    .columns = column_table,
    .finish = finish,
    .emit = emit,
};
