/* branch.c - how often do branches split warps, and how hard are they to foresee?
 *
 * Outcomes are those of threads: each thread remembers its last 8 outcomes at each static branch (zeros at the start of
 * its block). Per branch and history, taken and not taken are counted; shorter histories are sums over the longer
 * one's older bits. As long as all threads of a warp agree, one addition serves the warp. */
#include "metrics/family.h"

#include "base/status.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { HISTORY = 8, PATTERNS = 1 << HISTORY, NO_SITE = -1 };

#define GROUP "branch"
#define COUNTERS(ONE, MANY) \
    ONE(warp_instr, SUM) \
    ONE(branches, SUM) \
    ONE(conditional, SUM) \
    ONE(divergent, SUM) \
    ONE(outcomes, SUM) \
    ONE(taken, SUM) \
    ONE(minority, SUM) \
    ONE(divergent_lanes, SUM) \
    ONE(unforeseen_0, SUM) \
    ONE(unforeseen_1, SUM) \
    ONE(unforeseen_2, SUM) \
    ONE(unforeseen_4, SUM) \
    ONE(unforeseen_8, SUM) \
    ONE(yokota_bits, SUM) \
    ONE(sites, MAX) \
    ONE(sites_90, MAX)
#define LINEAR(n) \
    "Linear branch entropy: 2 min(p, 1 - p) with p the share taken of each static branch and history of its last " #n \
    " outcomes in the thread, weighted by executions; 0 foreseeable, 1 a coin; exact."
#define COLUMNS(ONE, MANY) \
    ONE(per_kinstr, "1/kinstr", "Branch instructions (bra brx call ret) per 1000 warp instructions; exact.") \
    ONE(conditional, "ratio", "Share of branch instructions at which lanes may part; exact.") \
    ONE(taken, "ratio", "Lanes that take a conditional branch over lanes that reach it; exact.") \
    ONE(divergent, "ratio", "Share of conditional branches executed by a warp at which its lanes part; exact.", \
        .brief = true) \
    ONE(minority, "ratio", \
        "Lanes on the smaller side over active lanes, at divergent branches; 0 when there is " \
        "none; exact.") \
    ONE(linear_0, "ratio", LINEAR(0)) \
    ONE(linear_1, "ratio", LINEAR(1)) \
    ONE(linear_2, "ratio", LINEAR(2)) \
    ONE(linear_4, "ratio", LINEAR(4)) \
    ONE(linear_8, "ratio", LINEAR(8)) \
    ONE(yokota, "ratio", \
        "Branch history entropy of each static branch: Shannon entropy of the last 8 outcomes of a " \
        "thread, over 8 bits, weighted by executions; exact.") \
    ONE(sites, "branches", "Distinct conditional branches executed (largest of the launches combined); exact.") \
    ONE(sites_90, "branches", \
        "Fewest of them that make 90 % of all outcomes (largest of the launches combined); " \
        "exact.")
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

/* What one warp remembers of one branch. */
typedef struct memory {
    uint32_t epoch;  /* the block it belongs to; another one reads as all histories zero */
    uint8_t uniform; /* all lanes have history lane[0] */
    uint8_t lane[WS_WARP];
} memory;

typedef struct site {
    uint64_t executed, divergent, minority, divergent_lanes;
    uint64_t (*outcome)[2]; /* [PATTERNS] not taken, taken; NULL until first executed */
} site;

typedef struct state {
    uint64_t warp_instr, branches;
    uint32_t epoch;
    size_t sites;
    int32_t *site_of; /* [instrs] or NO_SITE */
    site *site;       /* [sites] */
    memory *memory;   /* [warps * sites] */
} state;

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    s->site_of = malloc((launch->instrs + 1) * sizeof *s->site_of);
    if (!s->site_of)
        return ws_fail(WS_EMEM, "no memory for the branch metrics");
    for (size_t pc = 0; pc < launch->instrs; pc++) {
        const ws_instr *const in = &launch->instr[pc];
        s->site_of[pc] = in->cls == WS_CLASS_BRANCH && in->conditional ? (int32_t)s->sites++ : NO_SITE;
    }
    s->site = calloc(s->sites + 1, sizeof *s->site);
    s->memory = calloc((size_t)launch->warps_per_block * s->sites + 1, sizeof *s->memory);
    return s->site && s->memory ? WS_OK : ws_fail(WS_EMEM, "no memory for the branch metrics");
}

static int block_begin(void *p, const ws_launch *launch, uint64_t block)
{
    state *const s = p;
    (void)block;
    if (++s->epoch == 0) { /* wrapped: forget in earnest */
        memset(s->memory, 0, launch->warps_per_block * s->sites * sizeof *s->memory);
        s->epoch = 1;
    }
    return WS_OK;
}

static uint8_t shifted(uint8_t history, unsigned taken)
{
    return (uint8_t)(history << 1 | taken);
}

static void see_lanes(site *at, memory *m, uint32_t active, uint32_t taken)
{
    if (m->uniform)
        memset(m->lane, m->lane[0], sizeof m->lane);
    m->uniform = 0;
    WS_EACH_LANE (lane, active) {
        const unsigned t = taken >> lane & 1;
        at->outcome[m->lane[lane]][t]++;
        m->lane[lane] = shifted(m->lane[lane], t);
    }
}

static int see_branch(state *s, const ws_launch *launch, const ws_event *ev)
{
    const size_t index = (size_t)s->site_of[ev->pc];
    site *const at = &s->site[index];
    memory *const m = &s->memory[ev->warp * s->sites + index];
    if (!at->outcome && !(at->outcome = calloc(PATTERNS, sizeof *at->outcome)))
        return ws_fail(WS_EMEM, "no memory for the histories of a branch");
    if (m->epoch != s->epoch)
        *m = (memory){.epoch = s->epoch, .uniform = 1};
    const uint32_t taken = ev->taken & ev->active;
    const unsigned lanes = ws_mask_lanes(ev->active);
    at->executed++;
    const bool whole = taken == 0 || taken == ev->active;
    if (!whole) {
        const unsigned side = ws_mask_lanes(taken);
        at->divergent++;
        at->divergent_lanes += lanes;
        at->minority += side < lanes - side ? side : lanes - side;
    }
    if (whole && m->uniform && ev->active == ws_warp_lanes(launch, ev->warp)) {
        at->outcome[m->lane[0]][taken != 0] += lanes;
        m->lane[0] = shifted(m->lane[0], taken != 0);
    } else {
        see_lanes(at, m, ev->active, taken);
    }
    return WS_OK;
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    WS_EACH_EVENT (ev, batch) {
        s->warp_instr += ev->count;
        if (ev->kind != WS_EVENT_BRANCH)
            continue;
        s->branches++;
        if (s->site_of[ev->pc] == NO_SITE)
            continue;
        const int status = see_branch(s, launch, ev);
        if (status != WS_OK)
            return status;
    }
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    state *const a = into;
    state *const b = from;
    (void)launch;
    a->warp_instr += b->warp_instr;
    a->branches += b->branches;
    for (size_t i = 0; i < a->sites; i++) {
        site *const x = &a->site[i], *const y = &b->site[i];
        x->executed += y->executed;
        x->divergent += y->divergent;
        x->minority += y->minority;
        x->divergent_lanes += y->divergent_lanes;
        if (!x->outcome) { /* take over what there is */
            x->outcome = y->outcome;
            y->outcome = NULL;
        } else if (y->outcome) {
            for (unsigned h = 0; h < PATTERNS; h++)
                for (unsigned t = 0; t < 2; t++)
                    x->outcome[h][t] += y->outcome[h][t];
        }
    }
    return WS_OK;
}

static void fini(void *p)
{
    state *const s = p;
    for (size_t i = 0; s->site && i < s->sites; i++)
        free(s->site[i].outcome);
    free(s->site);
    free(s->site_of);
    free(s->memory);
}

/* Outcomes that a guess of the majority per history of n bits gets wrong. */
static uint64_t unforeseen(const site *at, unsigned n)
{
    uint64_t wrong = 0;
    for (unsigned h = 0; h < 1u << n; h++) {
        uint64_t sum[2] = {0};
        for (unsigned old = 0; old < (unsigned)PATTERNS >> n; old++)
            for (unsigned t = 0; t < 2; t++)
                sum[t] += at->outcome[old << n | h][t];
        wrong += sum[0] < sum[1] ? sum[0] : sum[1];
    }
    return wrong;
}

/* Executions times the entropy of windows of 8 outcomes, in bits (T. Yokota, K. Ootsu, T. Baba, "Introducing Entropies
 * for Representing Program Behavior and Branch Predictor Performance", 2007: branch history entropy). */
static double window_bits(const site *at, uint64_t outcomes)
{
    double bits = 0;
    for (unsigned window = 0; window < PATTERNS; window++) {
        const unsigned recent = window >> 1;
        const uint64_t n = at->outcome[recent][window & 1] + at->outcome[recent | PATTERNS / 2][window & 1];
        if (n)
            bits -= (double)n * log2((double)n / (double)outcomes);
    }
    return bits;
}

static int more_first(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

static void count_site(counters *c, const site *at, uint64_t outcomes)
{
    c->conditional += (double)at->executed;
    c->divergent += (double)at->divergent;
    c->minority += (double)at->minority;
    c->divergent_lanes += (double)at->divergent_lanes;
    c->outcomes += (double)outcomes;
    for (unsigned h = 0; h < PATTERNS; h++)
        c->taken += (double)at->outcome[h][1];
    c->unforeseen_0 += (double)unforeseen(at, 0);
    c->unforeseen_1 += (double)unforeseen(at, 1);
    c->unforeseen_2 += (double)unforeseen(at, 2);
    c->unforeseen_4 += (double)unforeseen(at, 4);
    c->unforeseen_8 += (double)unforeseen(at, HISTORY);
    c->yokota_bits += window_bits(at, outcomes);
    c->sites++;
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    const state *const s = p;
    counters *const c = (counters *)counter;
    *c = (counters){.warp_instr = (double)s->warp_instr, .branches = (double)s->branches};
    uint64_t *const weight = calloc(s->sites + 1, sizeof *weight);
    if (!weight)
        return ws_fail(WS_EMEM, "no memory to rank the branches");
    for (size_t i = 0; i < s->sites; i++) {
        for (unsigned h = 0; s->site[i].outcome && h < PATTERNS; h++)
            weight[i] += s->site[i].outcome[h][0] + s->site[i].outcome[h][1];
        if (weight[i])
            count_site(c, &s->site[i], weight[i]);
    }
    qsort(weight, s->sites, sizeof *weight, more_first);
    double covered = 0;
    for (size_t i = 0; i < s->sites && covered < .9 * c->outcomes; i++, c->sites_90++)
        covered += (double)weight[i];
    free(weight);
    c->conditional = ws_told(launch, c->conditional); /* traces of SASS do not tell which have a guard */
    c->outcomes = ws_told(launch, c->outcomes);
    c->sites = ws_told(launch, c->sites);
    c->sites_90 = ws_told(launch, c->sites_90);
    return WS_OK;
}

static void emit(const double *counter, double *value)
{
    const counters *const c = (const counters *)counter;
    columns *const v = (columns *)value;
    v->per_kinstr = ws_ratio(1000 * c->branches, c->warp_instr, 0);
    v->conditional = ws_ratio(c->conditional, c->branches, 0);
    v->taken = ws_ratio(c->taken, c->outcomes, 0);
    v->divergent = ws_ratio(c->divergent, c->conditional, 0);
    v->minority = ws_ratio(c->minority, c->divergent_lanes, 0);
    v->linear_0 = ws_ratio(2 * c->unforeseen_0, c->outcomes, 0);
    v->linear_1 = ws_ratio(2 * c->unforeseen_1, c->outcomes, 0);
    v->linear_2 = ws_ratio(2 * c->unforeseen_2, c->outcomes, 0);
    v->linear_4 = ws_ratio(2 * c->unforeseen_4, c->outcomes, 0);
    v->linear_8 = ws_ratio(2 * c->unforeseen_8, c->outcomes, 0);
    v->yokota = ws_ratio(c->yokota_bits, HISTORY * c->outcomes, 0);
    v->sites = c->sites;
    v->sites_90 = c->sites_90;
}

const ws_metric ws_metric_branch =
    WS_FAMILY("modern", "How often do branches split warps, and how hard are they to foresee?",
              .wants = WS_WANT_INSTRUCTIONS, .init = init, .block_begin = block_begin, .fini = fini);
