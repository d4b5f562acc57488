/* study_bins.c - which bin does a value fall into? */
#include "metrics/study_metrics.h"

enum { MOST_EDGES = 9 };

typedef struct bin_edges {
    unsigned edges;
    double edge[MOST_EDGES];
} bin_edges;

#define EDGE_COUNT(...) (sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static const bin_edges table[WS_BINS_KINDS] = {
#define BINS(name, ...) [WS_BINS_##name] = {EDGE_COUNT(__VA_ARGS__), {__VA_ARGS__}},
#include "metrics/study_bins.def"
#undef BINS
};

static unsigned bins_of(ws_bins kind)
{
    return table[kind].edges + 1;
}

unsigned ws_bins_find(ws_bins kind, double value)
{
    const bin_edges *const t = &table[kind];
    unsigned bin = 0;
    for (unsigned i = 0; i < t->edges; i++)
        bin += value >= t->edge[i];
    return bin;
}

void ws_bins_one(ws_bins kind, double value, double *counter)
{
    const unsigned bin = ws_bins_find(kind, value);
    for (unsigned i = 0; i < bins_of(kind); i++)
        counter[i] = i == bin;
}

void ws_bins_copy(ws_bins kind, const double *counter, double *value)
{
    for (unsigned i = 0; i < bins_of(kind); i++)
        value[i] = counter[i];
}

const double *ws_bins_edges(ws_bins kind)
{
    return table[kind].edge;
}
