/* conflicts.c - do thread blocks change data that others use, and how are stores shaped?
 *
 * The conflict profile of a 128-byte block (Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling
 * Data Sharing in GPUs", 2018, chapters 3 and 4: data that is written once needs little coherence, and what a store
 * touches is what a race check has to remember). Uses of a memory block by one thread block, until another one uses it,
 * are a turn. Thread blocks come in the order of the grid, which is one order that a run may have. A conflict is a turn
 * after another one where either writes; a handover a turn that begins with a read of what thread blocks before have
 * written. */
#include "metrics/family.h"

#include "base/status.h"
#include "metrics/coalesced.h"
#include "metrics/tally.h"

#include <string.h>

enum { REGION_SHIFT = 9, WORD_SHIFT = 2, CAP = 1 << 15 };

#define GROUP "conflicts"
#define COUNTERS(ONE, MANY) \
    ONE(blocks, SUM) \
    ONE(written, SUM) \
    ONE(once, SUM) \
    ONE(several, SUM) \
    ONE(conflicts, SUM) \
    ONE(handovers, SUM) \
    ONE(conflict_blocks, SUM) \
    ONE(stores, SUM) \
    ONE(store_blocks, SUM) \
    ONE(store_words, SUM) \
    ONE(store_bytes, SUM) \
    ONE(store_regions, SUM)
#define SAMPLE "exact up to 32768 blocks, then from a sample of them."
#define COLUMNS(ONE, MANY) \
    ONE(several_writers, "ratio", \
        "Share of the 128-byte blocks touched that two or more thread blocks write; " SAMPLE) \
    ONE(write_once, "ratio", "Share of the blocks written none of whose 4-byte words is written twice; " SAMPLE) \
    ONE(alternations, "turns", \
        "Conflicts over blocks touched: turns of a thread block after that of another one, where either " \
        "writes; " SAMPLE) \
    ONE(handovers, "turns", \
        "Turns that begin with a read of a block that other thread blocks wrote, over blocks touched; " SAMPLE) \
    ONE(blocks, "ratio", "Share of the blocks touched that have a conflict; " SAMPLE) \
    ONE(store_bytes, "bytes", \
        "Distinct bytes that a global store writes in a 128-byte block, mean; atomics are stores; exact.") \
    ONE(store_words, "words", "4-byte words that it touches in a 128-byte block, mean; exact.") \
    ONE(store_blocks, "blocks", "128-byte blocks that it touches, mean; exact.") \
    ONE(store_regions, "regions", "512-byte regions that it touches, mean; exact.")
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

/* Marks of a memory block. [0]: 1 + the last thread block in the lower half, conflicts in the upper one. [1]: words
 * that were written in the lower half; handovers; flags. Counts stop at their most. `count` is 1 and the turns that
 * began with a read when nobody had written, as far as is known: writers of a range before make them handovers. */
enum { HALF = 32, HANDOVER_BITS = 24 };
static const uint64_t HANDOVER = (uint64_t)1 << HALF, HANDOVERS = (((uint64_t)1 << HANDOVER_BITS) - 1) << HALF;
#define FLAG(n) ((uint64_t)1 << (HALF + HANDOVER_BITS + (n)))
static const uint64_t REWRITTEN = FLAG(0), ONE_WRITER = FLAG(1), WRITERS = FLAG(2), FIRST_WROTE = FLAG(3),
                      NOW_WROTE = FLAG(4), WROTE_BEFORE = FLAG(5), LATER = FLAG(6);
#undef FLAG

typedef struct state {
    WS_FAMILY_TALLY(COUNTERS)
    ws_tally tally;
} state;

static int init(void *p, const ws_launch *launch)
{
    (void)launch;
    ws_tally_init(&((state *)p)->tally, CAP, 0);
    return WS_OK;
}

static bool is(uint64_t mark, uint64_t flag)
{
    return (mark & flag) != 0;
}

static void add_conflicts(ws_tally_entry *e, uint64_t n)
{
    const uint64_t now = (e->mark[0] >> HALF) + n;
    e->mark[0] = (now < UINT32_MAX ? now : UINT32_MAX) << HALF | (uint32_t)e->mark[0];
}

static void add_handovers(ws_tally_entry *e, uint64_t n)
{
    const uint64_t now = (e->mark[1] & HANDOVERS) + n * HANDOVER;
    e->mark[1] = (e->mark[1] & ~HANDOVERS) | (now < HANDOVERS ? now : HANDOVERS);
}

/* What a first write of a turn says of writers. */
static uint64_t one_more_writer(uint64_t mark)
{
    return is(mark, ONE_WRITER) ? WRITERS : ONE_WRITER;
}

/* A turn begins. LATER: it is not the first; WROTE_BEFORE: the one before it wrote. */
static void begin_turn(ws_tally_entry *e, uint32_t now, bool reads)
{
    const uint64_t before = e->mark[1];
    const bool first = !(uint32_t)e->mark[0];
    e->mark[0] = (e->mark[0] >> HALF) << HALF | now;
    e->count += reads && !is(before, ONE_WRITER);
    if (first)
        return;
    e->mark[1] = (before & ~(NOW_WROTE | WROTE_BEFORE)) | LATER | (is(before, NOW_WROTE) ? WROTE_BEFORE : 0);
    add_conflicts(e, is(before, NOW_WROTE));
    add_handovers(e, reads && is(before, ONE_WRITER));
}

static void write_words(ws_tally_entry *e, uint32_t words)
{
    e->mark[1] |= is(e->mark[1], words) ? REWRITTEN : 0;
    e->mark[1] |= words;
    if (is(e->mark[1], NOW_WROTE))
        return;
    e->mark[1] |= NOW_WROTE | one_more_writer(e->mark[1]);
    if (!is(e->mark[1], LATER))
        e->mark[1] |= FIRST_WROTE;
    else
        add_conflicts(e, !is(e->mark[1], WROTE_BEFORE)); /* else it counts already */
}

static void use(ws_tally_entry *e, uint64_t block, const ws_instr *in, uint32_t words)
{
    const uint32_t now = (uint32_t)(block + 1);
    if ((uint32_t)e->mark[0] != now)
        begin_turn(e, now, in->access != WS_ACCESS_STORE);
    if (in->access != WS_ACCESS_LOAD)
        write_words(e, words);
}

/* Words of each line that the lanes touch. Lanes beside one another mostly share a line, so the last one is looked at
 * first. */
static void find_words(const uint64_t *address, uint32_t exec, unsigned bytes, const uint64_t *line, unsigned lines,
                       uint32_t *words)
{
    unsigned at = 0;
    memset(words, 0, lines * sizeof *words);
    WS_EACH_LANE (lane, exec) {
        const uint64_t end = address[lane] + (bytes ? bytes : 1) - 1;
        for (uint64_t word = address[lane] >> WORD_SHIFT; word <= end >> WORD_SHIFT; word++) {
            for (unsigned tried = 0; line[at] != word >> (WS_LINE_SHIFT - WORD_SHIFT) && tried < lines; tried++)
                at = (at + 1) % lines;
            words[at] |= (uint32_t)1 << (word & 31);
        }
    }
}

static void see_store(state *s, const ws_instr *in, const ws_event *ev, const uint64_t *address, const uint64_t *line,
                      unsigned lines, const uint32_t *words)
{
    uint64_t region[WS_COALESCE_MAX];
    s->stores++;
    s->store_blocks += lines;
    for (unsigned k = 0; k < lines; k++)
        s->store_words += ws_popcount(words[k]);
    s->store_bytes += ws_coalesce_bytes(address, ev->exec, in->bytes);
    s->store_regions += ws_coalesce_widen(line, lines, REGION_SHIFT - WS_LINE_SHIFT, region);
}

static int see(state *s, const ws_instr *in, const ws_batch *batch, const ws_event *ev)
{
    const uint64_t *const address = WS_ADDRESSES(batch, ev);
    uint64_t own[WS_COALESCE_MAX];
    uint32_t words[WS_COALESCE_MAX];
    unsigned n;
    const uint64_t *const line = ws_coalesced_lines(batch, ev, in, own, &n);
    if (n && in->access != WS_ACCESS_LOAD) {
        find_words(address, ev->exec, in->bytes, line, n, words);
        see_store(s, in, ev, address, line, n, words);
    }
    for (unsigned k = 0; k < n; k++) {
        ws_tally_entry *e;
        const int status = ws_tally_add(&s->tally, line[k], 1, &e);
        if (status != WS_OK)
            return status;
        if (!e)
            continue;
        e->count -= e->count > 1; /* that it was added is no count of ours */
        use(e, batch->block, in, in->access != WS_ACCESS_LOAD ? words[k] : 0);
    }
    return WS_OK;
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    WS_EACH_GLOBAL (ev, batch) {
        const int status = see(p, &launch->instr[ev->pc], batch, ev);
        if (status != WS_OK)
            return status;
    }
    return WS_OK;
}

/* `from` saw the thread blocks behind: its first turn follows the last one of `into`. */
static void join(ws_tally_entry *into, const ws_tally_entry *from)
{
    const uint64_t a = into->mark[1], b = from->mark[1], open = from->count - 1;
    add_conflicts(into, (from->mark[0] >> HALF) + (is(a, NOW_WROTE) || is(b, FIRST_WROTE)));
    add_handovers(into, ((b & HANDOVERS) >> HALF) + (is(a, ONE_WRITER) ? open : 0));
    into->count -= is(a, ONE_WRITER) ? from->count : 1; /* the sum of both */
    into->mark[0] = (into->mark[0] >> HALF) << HALF | (uint32_t)from->mark[0];
    uint64_t mark = into->mark[1] & ~(NOW_WROTE | WROTE_BEFORE);
    mark |= (uint32_t)b | (b & (REWRITTEN | WRITERS | NOW_WROTE)) | LATER;
    mark |= (uint32_t)a & (uint32_t)b ? REWRITTEN : 0;
    mark |= is(b, ONE_WRITER) ? one_more_writer(a) : 0;
    into->mark[1] = mark;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    state *const a = into;
    const state *const b = from;
    (void)launch;
    ws_family_join(counter_table, a->counts, b->counts);
    return ws_tally_merge(&a->tally, &b->tally, join);
}

static void fini(void *p)
{
    ws_tally_fini(&((state *)p)->tally);
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    const state *const s = p;
    const double scale = (double)((uint64_t)1 << s->tally.level);
    counters *const c = (counters *)counter;
    (void)launch;
    ws_family_tell(counter_table, s->counts, counter);
    for (size_t i = 0; i < s->tally.slots; i++) {
        const ws_tally_entry *const e = &s->tally.slot[i];
        if (!e->count)
            continue;
        const double conflicts = (double)(e->mark[0] >> HALF);
        c->blocks += scale;
        c->written += is(e->mark[1], ONE_WRITER) ? scale : 0;
        c->once += is(e->mark[1], ONE_WRITER) && !is(e->mark[1], REWRITTEN) ? scale : 0;
        c->several += is(e->mark[1], WRITERS) ? scale : 0;
        c->conflicts += scale * conflicts;
        c->conflict_blocks += conflicts > 0 ? scale : 0;
        c->handovers += scale * (double)((e->mark[1] & HANDOVERS) >> HALF);
    }
    return WS_OK;
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    *(columns *)value = (columns){
        .several_writers = ws_ratio(c->several, c->blocks, 0),
        .write_once = ws_ratio(c->once, c->written, 0),
        .alternations = ws_ratio(c->conflicts, c->blocks, 0),
        .handovers = ws_ratio(c->handovers, c->blocks, 0),
        .blocks = ws_ratio(c->conflict_blocks, c->blocks, 0),
        .store_bytes = ws_ratio(c->store_bytes, c->store_blocks, 0),
        .store_words = ws_ratio(c->store_words, c->store_blocks, 0),
        .store_blocks = ws_ratio(c->store_blocks, c->stores, 0),
        .store_regions = ws_ratio(c->store_regions, c->stores, 0),
    };
}

const ws_metric ws_metric_conflicts =
    WS_FAMILY("modern", "Do thread blocks change data that others use, and how are stores shaped?",
              .wants = WS_WANT_MEMORY, .init = init, .fini = fini);
