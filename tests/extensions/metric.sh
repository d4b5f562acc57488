# A metric family: docs/adding.md.
change metrics/metrics.def '$a METRIC( toy )'
fails 'ws_metric_toy' build
add metrics/toy.c <<'TOY'
/* toy.c - how many warp instructions are there? */
#include "metrics/family.h"

#include "base/status.h"

#define GROUP "toy"
#define COUNTERS(ONE, MANY) ONE(warp_instr, SUM)
#define COLUMNS(ONE, MANY) ONE(instructions, "instructions", "Warp instructions; exact.")
WS_FAMILY_TABLES(COUNTERS, COLUMNS)

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    uint64_t *const s = p;
    (void)launch;
    for (size_t i = 0; i < batch->events; i++)
        *s += batch->event[i].count;
    return WS_OK;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    (void)into, (void)from, (void)launch;
    return WS_OK;
}

static int finish(void *p, const ws_launch *launch, double *counter)
{
    (void)launch;
    ((counters *)counter)->warp_instr = (double)*(const uint64_t *)p;
    return WS_OK;
}

static void emit(const double *counter, double *value)
{
    ((columns *)value)->instructions = ((const counters *)counter)->warp_instr;
}

const ws_metric ws_metric_toy = {
    .sink = {.name = GROUP,
             .wants = WS_WANT_INSTRUCTIONS,
             .state_size = sizeof(uint64_t),
             .events = events,
             .merge = merge},
    .set = "modern",
    .question = "How many warp instructions are there?",
    .counters = counter_table,
    .columns = column_table,
    .finish = finish,
    .emit = emit,
};
TOY
fails 'toy counts otherwise' unit metric # its merge forgets
change metrics/toy.c 's/^    \(void\)into, \(void\)from, \(void\)launch;/    (void)launch;\n    *(uint64_t *)into += *(const uint64_t *)from;/'
fails 'docs/metrics*.md does not mention toy_instructions (family toy)' unit metric
change docs/metrics.md '$a `toy_instructions`: warp instructions.'
passes unit metric
passes check rows
passes build
