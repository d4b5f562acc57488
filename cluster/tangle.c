/* tangle.c - entanglement of two trees, and its descent by turns of branches. */
#include "cluster/tangle.h"

#include "base/status.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const double POWER = 1.5;     /* of dendextend's entanglement(), by default */
static const double ROUNDING = 1e-9; /* of the sum: smaller gains are none, so that no two turns undo each other */

int ws_entanglement(const size_t *order, const size_t *other, size_t n, double *out)
{
    size_t *const place = malloc(n * sizeof *place);
    if (!place)
        return ws_fail(WS_EMEM, "no memory to compare two orders of %zu rows", n);
    double sum = 0, most = 0;
    for (size_t i = 0; i < n; i++)
        place[other[i]] = i;
    for (size_t i = 0; i < n; i++) {
        sum += pow(fabs((double)i - (double)place[order[i]]), POWER);
        most += pow(fabs((double)i - (double)(n - 1 - i)), POWER);
    }
    free(place);
    *out = sum / most;
    return WS_OK;
}

/* A tree with places: node i < leaves is a row, node leaves + m is merge m. */
typedef struct side {
    ws_tree *tree;
    size_t *first; /* [2 * leaves - 1] place of a node's first leaf */
    size_t *place; /* [leaves] of each row */
} side;

typedef struct work {
    side side[2];
    double *cost; /* [leaves] of a difference of places */
    size_t *room; /* [leaves] */
    double sum;
} work;

static size_t node_of(long part, size_t leaves)
{
    return part < 0 ? (size_t)-part - 1 : leaves + (size_t)part - 1;
}

static size_t size_of(const ws_tree *tree, long part)
{
    return part < 0 ? 1 : tree->merge[part - 1].size;
}

static size_t apart(size_t a, size_t b)
{
    return a > b ? a - b : b - a;
}

/* What the sum gains if the leaves at places from..from + n move by `step`. */
static double change(const work *w, const side *s, const side *other, size_t from, size_t n, long step)
{
    double sum = 0;
    for (size_t i = from; i < from + n; i++) {
        const size_t there = other->place[s->tree->order[i]];
        sum += w->cost[apart((size_t)((long)i + step), there)] - w->cost[apart(i, there)];
    }
    return sum;
}

static void exchange(work *w, side *s, ws_merge *m, size_t from, size_t left, size_t right)
{
    size_t *const order = s->tree->order + from;
    memcpy(w->room, order, left * sizeof *order);
    memmove(order, order + left, right * sizeof *order);
    memcpy(order + right, w->room, left * sizeof *order);
    for (size_t i = from; i < from + left + right; i++)
        s->place[s->tree->order[i]] = i;
    const long part = m->left;
    m->left = m->right;
    m->right = part;
}

/* From the root down: a merge comes after its parts. */
static bool turn_branches(work *w, side *s, const side *other)
{
    const size_t leaves = s->tree->leaves;
    bool turned = false;
    s->first[2 * leaves - 2] = 0;
    for (size_t i = leaves - 1; i-- > 0;) {
        ws_merge *const m = &s->tree->merge[i];
        const size_t from = s->first[leaves + i], left = size_of(s->tree, m->left), right = m->size - left;
        const double gain =
            change(w, s, other, from, left, (long)right) + change(w, s, other, from + left, right, -(long)left);
        if (gain < -ROUNDING * w->sum) {
            exchange(w, s, m, from, left, right);
            w->sum += gain;
            turned = true;
        }
        s->first[node_of(m->left, leaves)] = from;
        s->first[node_of(m->right, leaves)] = from + size_of(s->tree, m->left);
    }
    return turned;
}

static int start(work *w, ws_tree *a, ws_tree *b)
{
    const size_t n = a->leaves;
    ws_tree *const tree[] = {a, b};
    w->cost = malloc(n * sizeof *w->cost);
    w->room = malloc(n * sizeof *w->room);
    bool complete = w->cost && w->room;
    for (size_t t = 0; t < 2; t++) {
        w->side[t] = (side){tree[t], malloc(2 * n * sizeof(size_t)), malloc(n * sizeof(size_t))};
        complete = complete && w->side[t].first && w->side[t].place;
    }
    if (!complete)
        return ws_fail(WS_EMEM, "no memory to untangle two trees of %zu rows", n);
    for (size_t i = 0; i < n; i++) {
        w->cost[i] = pow((double)i, POWER);
        for (size_t t = 0; t < 2; t++)
            w->side[t].place[tree[t]->order[i]] = i;
    }
    for (size_t i = 0; i < n; i++)
        w->sum += w->cost[apart(w->side[0].place[i], w->side[1].place[i])];
    return WS_OK;
}

int ws_trees_untangle(ws_tree *a, ws_tree *b)
{
    assert(a->leaves == b->leaves);
    work w = {0};
    const int rc = start(&w, a, b);
    for (bool turned = rc == WS_OK; turned;) {
        turned = turn_branches(&w, &w.side[1], &w.side[0]);
        turned |= turn_branches(&w, &w.side[0], &w.side[1]);
    }
    for (size_t t = 0; t < 2; t++) {
        free(w.side[t].first);
        free(w.side[t].place);
    }
    free(w.cost);
    free(w.room);
    return rc;
}
