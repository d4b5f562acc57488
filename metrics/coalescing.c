/* coalescing.c - how many memory transactions and bank passes does a warp access take, and what shape does it have? */
#include "metrics/family.h"

#include "base/status.h"
#include "metrics/coalesced.h"

#include <math.h>
#include <stdbool.h>

enum { PIECES = 4 };

/* Shapes of an access. */
typedef enum shape { SHAPE_SAME, SHAPE_UNIT, SHAPE_LINE, SHAPE_PIECES, SHAPE_ANY, STRIDES } shape;

/* What is told apart: who accesses what. */
typedef enum port {
    PORT_GLOBAL_LOAD,
    PORT_GLOBAL_STORE,
    PORT_GLOBAL_ATOMIC,
    PORT_LOCAL_LOAD,
    PORT_LOCAL_STORE,
    PORT_CONST,
    PORTS
} port;

#define GROUP "coal"
#define COUNTERS(ONE, MANY) \
    MANY(accesses, SUM, PORTS) \
    MANY(blocks_32, SUM, PORTS) \
    MANY(blocks_64, SUM, PORTS) \
    MANY(blocks_128, SUM, PORTS) \
    MANY(bytes, SUM, PORTS) \
    ONE(const_words, SUM) \
    MANY(load_stride, SUM, STRIDES) \
    MANY(store_stride, SUM, STRIDES) \
    ONE(shared_accesses, SUM) \
    ONE(bank_passes, SUM) \
    ONE(bank_least, SUM) \
    ONE(bank_conflicts, SUM) \
    ONE(bank_worst, MAX)
#define TRANSACTIONS(what, size) \
    "Aligned " #size "-byte blocks that a warp's " what " touches, mean; 0 when there is none; exact."
#define SHAPES \
    "with two lanes or more: all lanes at one address, one element apart, another constant stride, 2 to 4 pieces of " \
    "the first two kinds (rows of a tile), irregular; exact."
#define COLUMNS(ONE, MANY) \
    ONE(global_load_32, "blocks", TRANSACTIONS("global load", 32)) \
    ONE(global_load_64, "blocks", TRANSACTIONS("global load", 64)) \
    ONE(global_load_128, "blocks", TRANSACTIONS("global load", 128)) \
    ONE(global_store_32, "blocks", TRANSACTIONS("global store", 32)) \
    ONE(global_store_64, "blocks", TRANSACTIONS("global store", 64)) \
    ONE(global_store_128, "blocks", TRANSACTIONS("global store", 128)) \
    ONE(global_atomic_32, "blocks", TRANSACTIONS("global atomic", 32)) \
    ONE(local_load_32, "blocks", TRANSACTIONS("local load (words of lanes interleaved)", 32)) \
    ONE(local_store_32, "blocks", TRANSACTIONS("local store (words of lanes interleaved)", 32)) \
    ONE(const_words, "words", "Distinct addresses that a warp's constant load touches, mean; exact.") \
    ONE(sectors_per_request, "sectors", "32-byte sectors of a global or local access of a warp, mean; exact.", \
        .brief = true) \
    ONE(sectors_per_line, "sectors", "Sectors used of each 128-byte line of global accesses, mean, 4 at best; exact.") \
    ONE(load_efficiency, "ratio", \
        "Distinct bytes that global loads ask for over bytes of the sectors they touch; " \
        "exact.", \
        .brief = true) \
    ONE(store_efficiency, "ratio", \
        "Distinct bytes that global stores write over bytes of the sectors they touch; " \
        "exact.", \
        .brief = true) \
    MANY(load_stride, STRIDES, "ratio", "Share of global loads " SHAPES) \
    MANY(store_stride, STRIDES, "ratio", "Share of global stores " SHAPES) \
    ONE(bank_passes, "passes", "Passes that a shared access of a warp takes in 32 banks of 4 bytes, mean; exact.") \
    ONE(bank_slowdown, "ratio", \
        "Passes of shared accesses over those they would take without conflicts; 1 at best, " \
        "0 without accesses; exact.", \
        .brief = true) \
    ONE(bank_conflicts, "ratio", "Share of shared accesses with a bank conflict; exact.") \
    ONE(bank_worst, "passes", "Most passes of any shared access; exact.")
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

typedef struct state {
    WS_FAMILY_TALLY(COUNTERS)
} state;

/* `block` holds the n sectors and is overwritten. */
static void see_blocks(state *s, port to, uint64_t *block, unsigned n)
{
    uint64_t *const blocks[] = {s->blocks_32, s->blocks_64, s->blocks_128};
    s->accesses[to]++;
    for (unsigned size = 0; size < sizeof blocks / sizeof *blocks; size++) {
        blocks[size][to] += n;
        n = n > 1 ? ws_coalesce_widen(block, n, 1, block) : n;
    }
}

/* Pieces in which neighbouring lanes access the same or the next element. */
static unsigned count_pieces(const uint64_t *address, uint32_t exec, unsigned bytes)
{
    uint32_t before = ws_lowest(exec);
    unsigned pieces = 1;
    WS_EACH_LANE (lane, exec) {
        const uint64_t step = address[lane] - address[before];
        pieces += step != 0 && step != (uint64_t)bytes * (lane - before);
        before = lane;
    }
    return pieces;
}

static shape shape_of(const uint64_t *address, uint32_t exec, unsigned bytes)
{
    int64_t step;
    if (ws_coalesce_stride(address, exec, &step))
        return step == 0 ? SHAPE_SAME : step == (int64_t)bytes ? SHAPE_UNIT : SHAPE_LINE;
    return count_pieces(address, exec, bytes) <= PIECES ? SHAPE_PIECES : SHAPE_ANY;
}

static void see_shared(state *s, const uint64_t *offset, uint32_t exec, unsigned bytes)
{
    unsigned least;
    const unsigned passes = ws_coalesce_banks(offset, exec, bytes, &least);
    s->shared_accesses++;
    s->bank_passes += passes;
    s->bank_least += least;
    s->bank_conflicts += passes > least;
    s->bank_worst = passes > s->bank_worst ? passes : s->bank_worst;
}

/* The same, from what all families share: 32, 64 and 128 bytes. */
static void see_shared_blocks(state *s, port to, const ws_batch *batch, const ws_event *ev, const ws_instr *in)
{
    uint64_t own[WS_COALESCE_MAX], half[WS_COALESCE_MAX];
    unsigned n;
    const uint64_t *const sector = ws_coalesced_sectors(batch, ev, in, own, &n);
    s->accesses[to]++;
    s->blocks_32[to] += n;
    s->blocks_64[to] += n > 1 ? ws_coalesce_widen(sector, n, 1, half) : n;
    ws_coalesced_lines(batch, ev, in, own, &n);
    s->blocks_128[to] += n;
}

static void see_global(state *s, const ws_instr *in, const ws_batch *batch, const ws_event *ev)
{
    const uint64_t *const address = WS_ADDRESSES(batch, ev);
    const uint32_t exec = ev->exec;
    const bool is_load = in->access == WS_ACCESS_LOAD, is_store = in->access == WS_ACCESS_STORE;
    const port to = is_load ? PORT_GLOBAL_LOAD : is_store ? PORT_GLOBAL_STORE : PORT_GLOBAL_ATOMIC;
    see_shared_blocks(s, to, batch, ev, in);
    if (!is_load && !is_store)
        return;
    s->bytes[to] += ws_coalesce_bytes(address, exec, in->bytes);
    if (exec & (exec - 1)) /* one lane has no shape */
        (is_store ? s->store_stride : s->load_stride)[shape_of(address, exec, in->bytes)]++;
}

static void see_local(state *s, const ws_instr *in, const uint64_t *offset, uint32_t exec)
{
    uint64_t block[WS_COALESCE_MAX];
    const unsigned n = ws_coalesce_local_blocks(offset, exec, in->bytes, WS_SECTOR_SHIFT, block);
    see_blocks(s, in->access == WS_ACCESS_LOAD ? PORT_LOCAL_LOAD : PORT_LOCAL_STORE, block, n);
}

static void see_const(state *s, const uint64_t *address, uint32_t exec)
{
    uint64_t word[WS_COALESCE_MAX];
    s->accesses[PORT_CONST]++;
    s->const_words += ws_coalesce_blocks(address, exec, 1, 0, word);
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    WS_EACH_EVENT (ev, batch) {
        if (ev->kind != WS_EVENT_MEMORY || !ev->exec)
            continue;
        const ws_instr *const in = &launch->instr[ev->pc];
        const uint64_t *const address = WS_ADDRESSES(batch, ev);
        if (ev->space == WS_SPACE_GLOBAL)
            see_global(s, in, batch, ev);
        else if (ev->space == WS_SPACE_SHARED)
            see_shared(s, address, ev->exec, in->bytes);
        else if (ev->space == WS_SPACE_LOCAL)
            see_local(s, in, address, ev->exec);
        else if (ev->space == WS_SPACE_CONST)
            see_const(s, address, ev->exec);
    }
    return WS_OK;
}

WS_FAMILY_MERGE

static int finish(void *p, const ws_launch *launch, double *counter)
{
    counters *const c = (counters *)counter;
    ws_family_tell(counter_table, ((const state *)p)->counts, counter);
    c->const_words = ws_told(launch, c->const_words);
    return WS_OK;
}

static double per_access(const counters *c, const double *count, port of)
{
    return ws_ratio(count[of], c->accesses[of], 0);
}

static void emit_totals(const counters *c, columns *v)
{
    double accesses = 0, sectors = 0, global_sectors = 0, global_lines = 0;
    for (unsigned i = PORT_GLOBAL_LOAD; i <= PORT_LOCAL_STORE; i++) {
        accesses += c->accesses[i];
        sectors += c->blocks_32[i];
    }
    for (unsigned i = PORT_GLOBAL_LOAD; i <= PORT_GLOBAL_ATOMIC; i++) {
        global_sectors += c->blocks_32[i];
        global_lines += c->blocks_128[i];
    }
    v->sectors_per_request = ws_ratio(sectors, accesses, 0);
    v->sectors_per_line = ws_ratio(global_sectors, global_lines, 0);
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    columns *const v = (columns *)value;
    const double sector = 1 << WS_SECTOR_SHIFT;
    v->global_load_32 = per_access(c, c->blocks_32, PORT_GLOBAL_LOAD);
    v->global_load_64 = per_access(c, c->blocks_64, PORT_GLOBAL_LOAD);
    v->global_load_128 = per_access(c, c->blocks_128, PORT_GLOBAL_LOAD);
    v->global_store_32 = per_access(c, c->blocks_32, PORT_GLOBAL_STORE);
    v->global_store_64 = per_access(c, c->blocks_64, PORT_GLOBAL_STORE);
    v->global_store_128 = per_access(c, c->blocks_128, PORT_GLOBAL_STORE);
    v->global_atomic_32 = per_access(c, c->blocks_32, PORT_GLOBAL_ATOMIC);
    v->local_load_32 = per_access(c, c->blocks_32, PORT_LOCAL_LOAD);
    v->local_store_32 = per_access(c, c->blocks_32, PORT_LOCAL_STORE);
    v->const_words = isnan(c->const_words) ? c->const_words : ws_ratio(c->const_words, c->accesses[PORT_CONST], 0);
    emit_totals(c, v);
    v->load_efficiency = ws_ratio(c->bytes[PORT_GLOBAL_LOAD], sector * c->blocks_32[PORT_GLOBAL_LOAD], 0);
    v->store_efficiency = ws_ratio(c->bytes[PORT_GLOBAL_STORE], sector * c->blocks_32[PORT_GLOBAL_STORE], 0);
    ws_fractions(c->load_stride, STRIDES, v->load_stride);
    ws_fractions(c->store_stride, STRIDES, v->store_stride);
    v->bank_passes = ws_ratio(c->bank_passes, c->shared_accesses, 0);
    v->bank_slowdown = ws_ratio(c->bank_passes, c->bank_least, 0);
    v->bank_conflicts = ws_ratio(c->bank_conflicts, c->shared_accesses, 0);
    v->bank_worst = c->bank_worst;
}

const ws_metric ws_metric_coalescing = {
    .sink =
        {.name = "coalescing", .wants = WS_WANT_MEMORY, .state_size = sizeof(state), .events = events, .merge = merge},
    .set = "modern",
    .question = "How many memory transactions and bank passes does a warp access take, and what shape does it have?",
    .counters = counter_table,
    .columns = column_table,
    .finish = finish,
    .emit = emit,
};
