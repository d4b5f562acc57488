/* sets.c - do the lines of one load, and those of one turn of a loop, fit into the sets of a cache?
 *
 * Global loads of warps, in lines of 128 bytes, and a cache of 32 sets of 8 lines (set_load.h), by four set indices.
 * What a load does to itself needs no cache: its lines over the sets that they touch (concentration, equation 3.1 of B.
 * Wang, "Mitigating GPU Memory Divergence for Data-Intensive Applications", dissertation, Auburn University, 2015), the
 * most of them in a set, and how many find no room beside the others of the same load. Balance (equation 3.2 there)
 * looks at all lines of all loads: 1 as if sets were drawn by lot, the number of sets when all lines fall into one.
 * Divergent loads are those of loads.c; what a warp uses between two executions of a load is in warp_round.h. */
#include "metrics/family.h"

#include "base/status.h"
#include "metrics/coalesced.h"
#include "metrics/warp_round.h"

#include <stdlib.h>

enum { COHERENT = 2, NO_LOAD = UINT32_MAX };

#define GROUP "sets"
#define COUNTERS(ONE, MANY) \
    ONE(divergent, SUM) \
    ONE(divergent_lines, SUM) \
    MANY(concentration, SUM, WS_SET_BYS) \
    MANY(most, SUM, WS_SET_BYS) \
    MANY(excess, SUM, WS_SET_BYS) \
    MANY(linear, SUM, WS_SETS) \
    MANY(xor, SUM, WS_SETS) \
    MANY(fermi, SUM, WS_SETS) \
    MANY(fup, SUM, WS_SETS) \
    ONE(rounds, SUM) \
    ONE(round_lines, SUM) \
    ONE(divergent_rounds, SUM) \
    MANY(fit, SUM, WS_SET_BYS)
#define BY "by the indices linear, xor, fermi, fup"
#define COLUMNS(ONE, MANY) \
    MANY(concentration, WS_SET_BYS, "lines", \
         "Lines of a divergent load over the sets that they touch, mean, of 32 sets " BY \
         "; 1 at best; exact to 2^-25.") \
    MANY(most, WS_SET_BYS, "lines", "Most lines of a divergent load in one of 32 sets, mean, " BY "; exact.") \
    MANY(excess, WS_SET_BYS, "ratio", \
         "Share of the lines of divergent loads that are beyond the eighth of their load in one " \
         "of 32 sets, " BY "; exact.") \
    MANY(balance, WS_SET_BYS, "ratio", \
         "Evenness of the lines of global loads over 32 sets, " BY ": 1 as by lot, 32 all in one set; exact.") \
    ONE(round_lines, "lines", \
        "Distinct lines that a warp loads between two executions of the same load, mean; exact up " \
        "to 256 lines, then lines that come again count again.") \
    MANY(round_warps, WS_SET_BYS, "warps", \
         "Warps such as this that a cache of 32 sets of 8 lines keeps whole, mean over " \
         "what a warp loads between two executions of a load, where one of its loads is divergent, " BY \
         "; exact up to 256 lines.")
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

typedef struct state {
    WS_FAMILY_TALLY(COUNTERS)
    ws_round_sums sums;
    uint32_t warps, loads;
    uint32_t *load_of;    /* [instrs]: number among the loads, or NO_LOAD */
    ws_warp_round *round; /* [warps] */
    uint32_t *executed;   /* [warps][loads]: stamp of the round in which the warp executed the load last */
} state;

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    s->warps = launch->warps_per_block;
    s->load_of = malloc((launch->instrs + 1) * sizeof *s->load_of);
    for (size_t i = 0; s->load_of && i < launch->instrs; i++)
        s->load_of[i] = launch->instr[i].access == WS_ACCESS_LOAD ? s->loads++ : NO_LOAD;
    s->round = calloc(s->warps + 1u, sizeof *s->round);
    s->executed = calloc((size_t)s->warps * s->loads + 1, sizeof *s->executed);
    if (!s->load_of || !s->round || !s->executed)
        return ws_fail(WS_EMEM, "no memory for the lines of a launch");
    for (uint32_t i = 0; i < s->warps; i++)
        ws_round_begin(&s->round[i], &s->sums);
    return WS_OK;
}

/* What a divergent load does to itself. */
static void see_divergent(state *s, const uint8_t (*set)[WS_SET_BYS], unsigned n)
{
    s->divergent++;
    s->divergent_lines += n;
    for (unsigned by = 0; by < WS_SET_BYS; by++) {
        uint16_t here[WS_SETS] = {0};
        unsigned touched = 0, most = 0, beyond = 0;
        for (unsigned i = 0; i < n; i++) {
            const unsigned now = ++here[set[i][by]];
            touched += now == 1;
            beyond += now > WS_SET_WAYS;
            most = now > most ? now : most;
        }
        s->concentration[by] += ws_fixed((double)n / touched);
        s->most[by] += most;
        s->excess[by] += beyond;
    }
}

static void see_load(state *s, const ws_instr *in, const ws_batch *batch, const ws_event *ev)
{
    uint64_t own[WS_COALESCE_MAX];
    uint8_t set[WS_COALESCE_MAX][WS_SET_BYS];
    unsigned n;
    const uint64_t *const line = ws_coalesced_lines(batch, ev, in, own, &n);
    ws_warp_round *const round = &s->round[ev->warp];
    uint32_t *const executed = &s->executed[(size_t)ev->warp * s->loads + s->load_of[ev->pc]];
    uint64_t *const lines[WS_SET_BYS] = {
        [WS_SET_BY_LINEAR] = s->linear,
        [WS_SET_BY_XOR] = (s->xor),
        [WS_SET_BY_FERMI] = s->fermi,
        [WS_SET_BY_FUP] = s->fup,
    };
    for (unsigned i = 0; i < n; i++)
        for (unsigned by = 0; by < WS_SET_BYS; by++) {
            set[i][by] = (uint8_t)ws_set_by_index((ws_set_by)by, line[i]);
            lines[by][set[i][by]]++;
        }
    if (n > COHERENT)
        see_divergent(s, (const uint8_t(*)[WS_SET_BYS])set, n);
    if (*executed == round->stamp && ev->count)
        ws_round_begin(round, &s->sums);
    *executed = round->stamp;
    ws_round_use(round, line, n, n > COHERENT, (const uint8_t(*)[WS_SET_BYS])set);
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    WS_EACH_EVENT (ev, batch) {
        if (ev->kind == WS_EVENT_MEMORY && ev->space == WS_SPACE_GLOBAL && ev->exec &&
            launch->instr[ev->pc].access == WS_ACCESS_LOAD)
            see_load(s, &launch->instr[ev->pc], batch, ev);
    }
    return WS_OK;
}

static int block_end(void *p, const ws_launch *launch, uint64_t block)
{
    state *const s = p;
    (void)launch;
    (void)block;
    for (uint32_t i = 0; i < s->warps; i++)
        ws_round_begin(&s->round[i], &s->sums);
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    state *const a = into;
    const state *const b = from;
    (void)launch;
    ws_family_join(counter_table, a->counts, b->counts);
    a->sums.rounds += b->sums.rounds;
    a->sums.lines += b->sums.lines;
    a->sums.divergent += b->sums.divergent;
    for (unsigned by = 0; by < WS_SET_BYS; by++)
        a->sums.fit[by] += b->sums.fit[by];
    return WS_OK;
}

static void fini(void *p)
{
    state *const s = p;
    free(s->load_of);
    free(s->round);
    free(s->executed);
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    const state *const s = p;
    counters *const c = (counters *)counter;
    (void)launch;
    ws_family_tell(counter_table, s->counts, counter);
    c->rounds = (double)s->sums.rounds;
    c->round_lines = (double)s->sums.lines;
    c->divergent_rounds = (double)s->sums.divergent;
    for (unsigned by = 0; by < WS_SET_BYS; by++) {
        c->concentration[by] /= WS_FIXED_SCALE;
        c->fit[by] = (double)s->sums.fit[by];
    }
    return WS_OK;
}

/* Equation 3.2: the pairs of lines in the same set, over what they would be by lot. */
static double balance(const double *lines)
{
    double pairs = 0, all = 0;
    for (unsigned i = 0; i < WS_SETS; i++) {
        pairs += lines[i] * (lines[i] + 1) / 2;
        all += lines[i];
    }
    return ws_ratio(pairs, all / (2 * WS_SETS) * (all + 2 * WS_SETS - 1), 0);
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    columns *const v = (columns *)value;
    const double *const lines[WS_SET_BYS] = {c->linear, c->xor, c->fermi, c->fup};
    v->round_lines = ws_ratio(c->round_lines, c->rounds, 0);
    for (unsigned by = 0; by < WS_SET_BYS; by++) {
        v->concentration[by] = ws_ratio(c->concentration[by], c->divergent, 0);
        v->most[by] = ws_ratio(c->most[by], c->divergent, 0);
        v->excess[by] = ws_ratio(c->excess[by], c->divergent_lines, 0);
        v->balance[by] = balance(lines[by]);
        v->round_warps[by] = ws_ratio(c->fit[by], c->divergent_rounds, 0);
    }
}

const ws_metric ws_metric_sets =
    WS_FAMILY("modern", "Do the lines of one load, and those of one turn of a loop, fit into the sets of a cache?",
              .wants = WS_WANT_MEMORY, .init = init, .block_end = block_end, .fini = fini);
