/* bitflip.c - how many bits of a register or of shared memory change when it is written?
 *
 * Bits and arrays as in collect/trace/changed_bits.h. Values are seen of a sample of blocks, 16 at most
 * (ws_value_sample). Counts of reads and writes are of the whole launch. */
#include "metrics/family.h"

#include "base/status.h"
#include "collect/trace/changed_bits.h"
#include "metrics/pc_count.h"

enum { WIDTHS = WS_CHANGED_WIDTHS };

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
    ONE(shared_reads, "ratio", \
        "Loads over loads, stores and atomics (read and write) of shared memory, all blocks; " \
        "exact.")
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

typedef struct state {
    ws_changed_bits changed[WHATS];
    uint64_t shared_reads, shared_writes;
    ws_pc_count threads;
} state;

static int init(void *p, const ws_launch *launch)
{
    return ws_pc_count_init(&((state *)p)->threads, launch->instrs);
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    WS_EACH_INSTRUCTION (ev, batch) {
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

static int values(void *p, const ws_launch *launch, uint64_t block, const ws_value *value, size_t n)
{
    (void)launch;
    (void)block;
    for (size_t i = 0; i < n; i++)
        ws_changed_bits_add(&((state *)p)->changed[value[i].is_shared ? WHAT_SHARED : WHAT_REG], &value[i]);
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    state *const a = into;
    const state *const b = from;
    (void)launch;
    for (unsigned w = 0; w < WHATS; w++)
        ws_changed_bits_merge(&a->changed[w], &b->changed[w]);
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
        c->reg_written[i] = (double)s->changed[WHAT_REG].written[i];
        c->shared_written[i] = (double)s->changed[WHAT_SHARED].written[i];
    }
    for (unsigned w = 0; w < WHATS; w++) {
        c->bits[w] = (double)s->changed[w].bits;
        c->writes[w] = (double)s->changed[w].writes;
        c->same[w] = (double)s->changed[w].same;
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

const ws_metric ws_metric_bitflip = WS_FAMILY(
    "modern", "How many bits of a register or of shared memory change when it is written?",
    .wants = WS_WANT_INSTRUCTIONS, .init = init, .fini = fini, .sample_block = ws_value_sample, .values = values);
