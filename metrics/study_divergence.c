/* study_divergence.c - how often do the threads of a warp part ways, and for how long? (study dimensions 8-47)
 *
 * A branch is divergent when some of its active lanes take it and some do not; nothing else counts as divergence, so a
 * uniform loop is exempt and a loop that lanes leave at different trips is not. A serialized section is what lies
 * between a divergent branch and the warp's reconvergence behind it. */
#include "metrics/study_metrics.h"

#include "base/status.h"
#include "metrics/family.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 10, D_BRA = 0, D_WRP = BINS, B_SER = 2 * BINS, L_SERIAL = 3 * BINS };

typedef struct state {
    uint64_t branches, divergent;               /* of warps */
    uint64_t inside_branches, inside_divergent; /* the same, inside serialized sections only */
    uint64_t divergent_warps;                   /* (block, warp) pairs with a divergent branch */
    uint64_t section[BINS];                     /* serialized sections by length */
    uint64_t *parted;                           /* a bit for every warp of the block in work that diverged */
} state;

static size_t words(const ws_launch *launch)
{
    return launch->warps_per_block / 64 + 1;
}

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    s->parted = calloc(words(launch), sizeof *s->parted);
    return s->parted ? WS_OK : ws_fail(WS_EMEM, "no memory for %u warps", launch->warps_per_block);
}

static void see_branch(state *s, const ws_event *ev)
{
    const bool divergent = ev->taken && ev->taken != ev->active; /* taken is a subset of active */
    const bool inside = ev->depth > 0;
    s->branches++;
    s->inside_branches += inside;
    if (divergent) {
        s->divergent++;
        s->inside_divergent += inside;
        s->parted[ev->warp / 64] |= UINT64_C(1) << ev->warp % 64;
    }
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    (void)launch;
    state *const s = p;
    WS_EACH_EVENT (ev, batch)
        if (ev->kind == WS_EVENT_BRANCH)
            see_branch(s, ev);
        else if (ev->kind == WS_EVENT_RECONVERGE)
            s->section[ws_bins_find(WS_BINS_L_SERIAL, ev->section)]++;
    return WS_OK;
}

static int block_end(void *p, const ws_launch *launch, uint64_t block)
{
    (void)block;
    state *const s = p;
    for (size_t i = 0; i < words(launch); i++) {
        s->divergent_warps += ws_popcount64(s->parted[i]);
        s->parted[i] = 0;
    }
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    (void)launch;
    state *const a = into;
    const state *const b = from;
    a->branches += b->branches;
    a->divergent += b->divergent;
    a->inside_branches += b->inside_branches;
    a->inside_divergent += b->inside_divergent;
    a->divergent_warps += b->divergent_warps;
    for (int i = 0; i < BINS; i++)
        a->section[i] += b->section[i];
    return WS_OK;
}

static void fini(void *p)
{
    state *const s = p;
    free(s->parted);
}

/* A share as one launch of a histogram; a launch without any of the whole is no sample. */
static void one_share(const ws_launch *launch, uint64_t part, uint64_t whole, double *counter)
{
    if (whole)
        ws_bins_one(WS_BINS_RATIO, (double)part / (double)whole, counter);
    else
        memset(counter, 0, BINS * sizeof *counter);
    for (int i = 0; i < BINS; i++)
        counter[i] = ws_told_branches(launch, counter[i]);
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    const state *const s = p;
    one_share(launch, s->divergent, s->branches, counter + D_BRA);
    ws_bins_one(WS_BINS_D_WRP, (double)s->divergent_warps, counter + D_WRP);
    one_share(launch, s->inside_divergent, s->inside_branches, counter + B_SER);
    for (int i = 0; i < BINS; i++)
        counter[L_SERIAL + i] = (double)s->section[i];
    return WS_OK;
}

/* Columns stand in the order of the counters. */
static void emit(const double *counter, double *value)
{
    ws_bins_copy(WS_BINS_RATIO, counter + D_BRA, value + D_BRA);
    ws_bins_copy(WS_BINS_D_WRP, counter + D_WRP, value + D_WRP);
    ws_bins_copy(WS_BINS_RATIO, counter + B_SER, value + B_SER);
    ws_bins_copy(WS_BINS_L_SERIAL, counter + L_SERIAL, value + L_SERIAL);
}

static const ws_counter counter_table[] = {
    WS_BINS_COUNTER("d_bra", RATIO, BINS),
    WS_BINS_COUNTER("d_wrp", D_WRP, BINS),
    WS_BINS_COUNTER("b_ser", RATIO, BINS),
    WS_BINS_COUNTER("l_serial", L_SERIAL, BINS),
    {.name = NULL},
};

static const ws_metric_column column_table[] = {
    WS_BINS_COLUMN("D_bra", "launches", "DV", 8, BINS,
                   "Launches by divergent branches per branch, both of warps; exact."),
    WS_BINS_COLUMN("D_wrp", "launches", "DV", 18, BINS,
                   "Launches by number of warps with at least one divergent branch; exact."),
    WS_BINS_COLUMN("B_ser", "launches", "DV", 28, BINS,
                   "Launches by divergent branches per branch inside serialized sections; exact."),
    WS_BINS_COLUMN("l_serial", "sections", "DV", 38, BINS,
                   "Serialized sections by warp instructions from divergence to reconvergence, both sides; exact."),
    {.name = NULL},
};

#define GROUP "study_divergence"
const ws_metric ws_metric_study_divergence =
    WS_FAMILY("study", "How often do the threads of a warp part ways, and for how long?",
              .wants = WS_WANT_BRANCH | WS_WANT_RECONVERGE, .init = init, .block_end = block_end, .fini = fini);
