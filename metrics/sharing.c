/* sharing.c - which memory blocks are used by several warps or several thread blocks, and are they written?
 *
 * Blocks of 128 bytes of global memory. For each one its accesses and thread blocks are counted and its last user is
 * remembered: thread blocks come one after the other, so a new one is a change of the last one. At most 2^15 blocks
 * are followed, all of them up to that number, then a sample chosen by a hash of their address (tally.h): a share p
 * then has a standard error of sqrt(p (1 - p) / n) with n >= 2^14 or so, 0.4 % of all blocks at worst. Shares of
 * accesses err more when few blocks get most of them. */
#include "metrics/family.h"

#include "base/status.h"
#include "metrics/coalesced.h"
#include "metrics/tally.h"

enum { CAP = 1 << 15 };

#define GROUP "sharing"
#define COUNTERS(ONE, MANY) \
    ONE(blocks, SUM) \
    ONE(warp_blocks, SUM) \
    ONE(cta_blocks, SUM) \
    ONE(cta_written_blocks, SUM) \
    ONE(warp_written_blocks, SUM) \
    ONE(read_only_blocks, SUM) \
    ONE(users, SUM) \
    ONE(most_users, MAX) \
    ONE(accesses, SUM) \
    ONE(warp_accesses, SUM) \
    ONE(cta_accesses, SUM) \
    ONE(cta_written_accesses, SUM) \
    ONE(switches, SUM)
#define SAMPLE          "exact up to 32768 blocks, then a sample with 0.4 % standard error."
#define SAMPLE_ACCESSES "exact up to 32768 blocks, then from a sample of them."
#define COLUMNS(ONE, MANY) \
    ONE(warp, "ratio", "Share of the 128-byte blocks touched that two or more warps of a thread block touch; " SAMPLE) \
    ONE(warp_written, "ratio", \
        "Share of the blocks touched that warps of a thread block share and that are written; " SAMPLE) \
    ONE(cta, "ratio", "Share of the blocks touched that two or more thread blocks touch; " SAMPLE) \
    ONE(cta_written, "ratio", \
        "Share of the blocks touched that thread blocks share and that are written (read-write " \
        "sharing); " SAMPLE) \
    ONE(cta_read_only, "ratio", "Share of the blocks touched that thread blocks share and nobody writes; " SAMPLE) \
    ONE(read_only, "ratio", "Share of the blocks touched that nobody writes; " SAMPLE) \
    ONE(users_mean, "blocks", "Thread blocks that touch a 128-byte block, mean; " SAMPLE_ACCESSES) \
    ONE(users_max, "blocks", "Thread blocks that touch a 128-byte block, most; " SAMPLE_ACCESSES) \
    ONE(warp_accesses, "ratio", "Share of the accesses that go to blocks shared by warps; " SAMPLE_ACCESSES) \
    ONE(cta_accesses, "ratio", "Share of the accesses that go to blocks shared by thread blocks; " SAMPLE_ACCESSES) \
    ONE(cta_written_accesses, "ratio", \
        "Share of the accesses that go to blocks shared by thread blocks and written; " SAMPLE_ACCESSES) \
    ONE(reuse_same, "ratio", \
        "Share of the accesses to blocks touched before whose last user is the same warp; " SAMPLE_ACCESSES) \
    ONE(reuse_warp, "ratio", \
        "Share of the accesses to blocks touched before whose last user is another warp of the same " \
        "thread block; " SAMPLE_ACCESSES) \
    ONE(reuse_cta, "ratio", \
        "Share of the accesses to blocks touched before whose last user is another thread block; " SAMPLE_ACCESSES)
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

/* Marks of a tally entry. [0]: the lowest bits of 1 + thread block that used it last (blocks come one after the other,
 * so that these tell them apart), and above them how often another warp of the same thread block used it next. [1]:
 * flags, last warp, number of thread blocks. */
enum { WRITTEN = 1, BY_WARPS = 2, FLAGS = 3, WARP_AT = 2, WARP_BITS = 16, USERS_AT = WARP_AT + WARP_BITS };
enum { SWITCHES_AT = 32 };
static const uint64_t ONE_USER = (uint64_t)1 << USERS_AT, ONE_SWITCH = (uint64_t)1 << SWITCHES_AT;
static const uint64_t BLOCK_MASK = ((uint64_t)1 << SWITCHES_AT) - 1;
static const uint64_t WARP_MASK = (((uint64_t)1 << WARP_BITS) - 1) << WARP_AT;

typedef struct state {
    ws_tally lines;
} state;

static int init(void *p, const ws_launch *launch)
{
    (void)launch;
    ws_tally_init(&((state *)p)->lines, CAP, 0);
    return WS_OK;
}

static void use(ws_tally_entry *e, uint64_t block, unsigned warp, unsigned how)
{
    const uint64_t user = (uint64_t)warp << WARP_AT;
    const uint64_t now = (block + 1) & BLOCK_MASK;
    if (!e->mark[1] || (e->mark[0] & BLOCK_MASK) != now) {
        e->mark[0] = (e->mark[0] & ~BLOCK_MASK) | now;
        e->mark[1] += ONE_USER;
    } else if ((e->mark[1] & WARP_MASK) != user) {
        e->mark[0] += e->mark[0] >> SWITCHES_AT < BLOCK_MASK ? ONE_SWITCH : 0;
        e->mark[1] |= BY_WARPS;
    }
    e->mark[1] = (e->mark[1] & ~WARP_MASK) | user | how;
}

static unsigned use_of(const ws_instr *in)
{
    return in->access == WS_ACCESS_LOAD ? 0 : WRITTEN;
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    WS_EACH_GLOBAL (ev, batch) {
        const ws_instr *const in = &launch->instr[ev->pc];
        uint64_t own[WS_COALESCE_MAX];
        unsigned n;
        const uint64_t *const line = ws_coalesced_lines(batch, ev, in, own, &n);
        for (unsigned k = 0; k < n; k++) {
            ws_tally_entry *e;
            const int status = ws_tally_add(&s->lines, line[k], 1, &e);
            if (status != WS_OK)
                return status;
            if (e)
                use(e, batch->block, ev->warp, use_of(in));
        }
    }
    return WS_OK;
}

/* `from` saw other thread blocks, so users add up. */
static void join(ws_tally_entry *into, const ws_tally_entry *from)
{
    const uint64_t users = (into->mark[1] >> USERS_AT) + (from->mark[1] >> USERS_AT);
    const uint64_t flags = (into->mark[1] | from->mark[1]) & FLAGS;
    const uint64_t switches = (into->mark[0] >> SWITCHES_AT) + (from->mark[0] >> SWITCHES_AT);
    into->mark[0] = (switches < BLOCK_MASK ? switches : BLOCK_MASK) << SWITCHES_AT | (from->mark[0] & BLOCK_MASK);
    into->mark[1] = users << USERS_AT | (from->mark[1] & WARP_MASK) | flags;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    (void)launch;
    return ws_tally_merge(&((state *)into)->lines, &((const state *)from)->lines, join);
}

static void fini(void *p)
{
    ws_tally_fini(&((state *)p)->lines);
}

typedef struct sums {
    WS_FAMILY_TALLY(COUNTERS)
} sums;

static void add_entry(sums *sum, const ws_tally_entry *e)
{
    const uint64_t users = e->mark[1] >> USERS_AT;
    const uint64_t warps = e->mark[1] & BY_WARPS ? 1 : 0, written = e->mark[1] & WRITTEN ? 1 : 0, ctas = users > 1;
    sum->blocks++;
    sum->warp_blocks += warps;
    sum->warp_written_blocks += warps & written;
    sum->cta_blocks += ctas;
    sum->cta_written_blocks += ctas & written;
    sum->read_only_blocks += !written;
    sum->users += users;
    sum->most_users = users > sum->most_users ? users : sum->most_users;
    sum->accesses += e->count;
    sum->warp_accesses += warps * e->count;
    sum->cta_accesses += ctas * e->count;
    sum->cta_written_accesses += (ctas & written) * e->count;
    sum->switches += e->mark[0] >> SWITCHES_AT;
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    const ws_tally *const lines = &((const state *)p)->lines;
    const double scale = (double)((uint64_t)1 << lines->level); /* blocks that one followed stands for */
    sums sum = {0};
    (void)launch;
    for (size_t i = 0; i < lines->slots; i++)
        if (lines->slot[i].count)
            add_entry(&sum, &lines->slot[i]);
    ws_family_tell(counter_table, sum.counts, counter);
    for (size_t i = 0; i < sizeof(counters) / sizeof(double); i++)
        counter[i] *= scale;
    ((counters *)counter)->most_users = (double)sum.most_users;
    return WS_OK;
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    const double again =
        c->accesses - c->blocks; /* blocks are begun once a launch, and by each further thread block anew */
    *(columns *)value = (columns){
        .warp = ws_ratio(c->warp_blocks, c->blocks, 0),
        .warp_written = ws_ratio(c->warp_written_blocks, c->blocks, 0),
        .cta = ws_ratio(c->cta_blocks, c->blocks, 0),
        .cta_written = ws_ratio(c->cta_written_blocks, c->blocks, 0),
        .cta_read_only = ws_ratio(c->cta_blocks - c->cta_written_blocks, c->blocks, 0),
        .read_only = ws_ratio(c->read_only_blocks, c->blocks, 0),
        .users_mean = ws_ratio(c->users, c->blocks, 0),
        .users_max = c->most_users,
        .warp_accesses = ws_ratio(c->warp_accesses, c->accesses, 0),
        .cta_accesses = ws_ratio(c->cta_accesses, c->accesses, 0),
        .cta_written_accesses = ws_ratio(c->cta_written_accesses, c->accesses, 0),
        .reuse_same = ws_ratio(c->accesses - c->users - c->switches, again, 0),
        .reuse_warp = ws_ratio(c->switches, again, 0),
        .reuse_cta = ws_ratio(c->users - c->blocks, again, 0),
    };
}

const ws_metric ws_metric_sharing =
    WS_FAMILY("modern", "Which memory blocks are used by several warps or several thread blocks, and are they written?",
              .wants = WS_WANT_MEMORY, .init = init, .fini = fini);
