/* agglomerate.c - which two clusters are the closest now, and what is left when they have merged?
 *
 * Both searches take O(n^2) time on a condensed matrix that they use up. A cluster lives in the slot of its lowest row.
 *
 * nearest_list keeps every cluster's nearest one. For single linkage a merge can only bring clusters closer, so the
 * list is repaired in O(n).
 *
 * nearest_chain (Benzecri 1982, Juan 1982) walks from cluster to nearest cluster until two are each other's nearest,
 * and merges them: since no merge brings a third cluster closer than the nearer part was, such a pair stays a pair
 * whatever else merges first, and the tree is the one that always merging the closest pair gives. That also holds for
 * pairs ordered by (distance, lower slot, higher slot), which is the rule for ties. The merges are put in their order
 * at the end. */
#include "base/status.h"
#include "cluster/cluster_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_ROWS = 2 };

typedef struct step { /* a merge as found: slots a < b, and what was in them */
    double height;
    size_t a, b;
    size_t node_a, node_b; /* < n: that row, else n + number of the merge */
} step;

typedef struct state {
    size_t n, alive;
    double *matrix;
    size_t *slot;    /* [alive] slots in use, rising */
    double *size;    /* [n] rows in a slot */
    size_t *node;    /* [n] what is in a slot */
    size_t *scratch; /* [2 n] of the search */
    double *reach;   /* [n] of the search */
    step *steps;     /* [n - 1] */
    size_t done;
    const ws_linkage_rule *rule;
} state;

static double *pair_of(const state *s, size_t i, size_t j)
{
    return s->matrix + (i < j ? ws_pair(s->n, i, j) : ws_pair(s->n, j, i));
}

/* The nearest other cluster, the lowest of equally near ones. */
static size_t nearest(const state *s, size_t i)
{
    const double *const matrix = s->matrix;
    size_t best = i, k = 0, row = 0, at = i - 1; /* at: place of pair (row, i); the next row's is n - 2 - row further */
    double least = INFINITY;
    for (; s->slot[k] < i; k++) {
        for (; row < s->slot[k]; row++)
            at += s->n - 2 - row;
        if (matrix[at] < least) {
            least = matrix[at];
            best = row;
        }
    }
    const size_t base = ws_pair(s->n, i, i + 1) - (i + 1);
    for (k++; k < s->alive; k++) {
        const size_t other = s->slot[k];
        if (matrix[base + other] < least) {
            least = matrix[base + other];
            best = other;
        }
    }
    return best;
}

static void remove_slot(state *s, size_t b)
{
    size_t low = 0, high = s->alive;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (s->slot[middle] <= b)
            low = middle;
        else
            high = middle;
    }
    s->alive--;
    memmove(s->slot + low, s->slot + low + 1, (s->alive - low) * sizeof *s->slot);
}

/* The clusters in slots a < b become one in slot a. */
static void merge(state *s, size_t a, size_t b)
{
    const double between = *pair_of(s, a, b);
    s->steps[s->done] = (step){between, a, b, s->node[a], s->node[b]};
    remove_slot(s, b);
    for (size_t k = 0; k < s->alive; k++) {
        const size_t c = s->slot[k];
        if (c == a)
            continue;
        double *const to_a = pair_of(s, a, c);
        *to_a = s->rule->update(
            &(ws_pair_of_clusters){*to_a, *pair_of(s, b, c), between, s->size[a], s->size[b], s->size[c]});
    }
    s->size[a] += s->size[b];
    s->node[a] = s->n + s->done++;
}

/* For single linkage: scratch[i] is the nearest of i, at distance reach[i], which never changes while i lives. */
static void nearest_list(state *s)
{
    size_t *const near = s->scratch;
    double *const reach = s->reach;
    for (size_t i = 0; i < s->n; i++) {
        near[i] = nearest(s, i);
        reach[i] = *pair_of(s, i, near[i]);
    }
    while (s->alive > 1) {
        size_t a = s->slot[0];
        for (size_t k = 1; k < s->alive; k++)
            a = reach[s->slot[k]] < reach[a] ? s->slot[k] : a;
        const size_t b = near[a]; /* above a, or b would have been found first */
        merge(s, a, b);
        for (size_t k = 0; k < s->alive; k++) {
            const size_t c = s->slot[k];
            if (c != a && (near[c] == b || (a < near[c] && *pair_of(s, a, c) == reach[c])))
                near[c] = a;
        }
        if (s->alive > 1) {
            near[a] = nearest(s, a);
            reach[a] = *pair_of(s, a, near[a]);
        }
    }
}

/* scratch holds the chain, and behind it each slot's place in the chain. */
static void nearest_chain(state *s)
{
    size_t *const chain = s->scratch, *const place = s->scratch + s->n, length = 0;
    const size_t absent = s->n;
    for (size_t i = 0; i < s->n; i++)
        place[i] = absent;
    while (s->alive > 1) {
        if (length == 0) {
            chain[length] = s->slot[0];
            place[s->slot[0]] = length++;
        }
        const size_t top = chain[length - 1], next = nearest(s, top);
        if (place[next] == absent) {
            chain[length] = next;
            place[next] = length++;
            continue;
        }
        const bool mutual = length > 1 && next == chain[length - 2];
        /* Not the one before: rounding has made a link further down out of date. The chain goes on from there. */
        const size_t keep = mutual ? length - 2 : place[next] + 1;
        while (length > keep)
            place[chain[--length]] = absent;
        if (mutual)
            merge(s, top < next ? top : next, top < next ? next : top);
    }
}

static bool comes_before(const step *x, const step *y)
{
    if (x->height != y->height)
        return x->height < y->height;
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

typedef struct heap { /* of merges whose parts are there, the next one on top */
    size_t *item, count;
    const step *steps;
} heap;

static void heap_push(heap *h, size_t item)
{
    size_t i = h->count++;
    for (; i && comes_before(&h->steps[item], &h->steps[h->item[(i - 1) / 2]]); i = (i - 1) / 2)
        h->item[i] = h->item[(i - 1) / 2];
    h->item[i] = item;
}

static size_t heap_pop(heap *h)
{
    const size_t top = h->item[0], last = h->item[--h->count];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < h->count; i = child) {
        if (child + 1 < h->count && comes_before(&h->steps[h->item[child + 1]], &h->steps[h->item[child]]))
            child++;
        if (!comes_before(&h->steps[h->item[child]], &h->steps[last]))
            break;
        h->item[i] = h->item[child];
    }
    h->item[i] = last;
    return top;
}

static long reference(size_t node, size_t n, const size_t *number)
{
    return node < n ? -(long)(node + 1) : (long)number[node - n] + 1;
}

static size_t size_of(const ws_tree *tree, long part)
{
    return part < 0 ? 1 : tree->merge[part - 1].size;
}

/* R's way: rows before merges; of two rows, the first row; of two merges, the earlier one. */
static ws_merge make_merge(const ws_tree *tree, double height, long x, long y)
{
    const bool swap = x > 0 && y > 0 ? x > y : x > 0 || (y < 0 && x < y);
    return (ws_merge){swap ? y : x, swap ? x : y, height, size_of(tree, x) + size_of(tree, y)};
}

/* Puts the merges in the order in which always taking the closest pair would have done them. scratch: 4 n places. */
static int sort_merges(const state *s, ws_tree *tree)
{
    const size_t n = s->n, merges = n - 1;
    size_t *space = malloc(4 * n * sizeof *space);
    if (!space)
        return WS_EMEM;
    size_t *const parent = space, *const missing = space + n, *const number = space + 2 * n;
    heap h = {space + 3 * n, 0, s->steps};
    memset(missing, 0, n * sizeof *missing);
    for (size_t m = 0; m < merges; m++) {
        const size_t nodes[] = {s->steps[m].node_a, s->steps[m].node_b};
        for (size_t k = 0; k < 2; k++)
            if (nodes[k] >= n) {
                parent[nodes[k] - n] = m;
                missing[m]++;
            }
        if (missing[m] == 0)
            heap_push(&h, m);
    }
    double height = 0;
    for (size_t done = 0; done < merges; done++) {
        const size_t m = heap_pop(&h);
        const step *const x = &s->steps[m];
        number[m] = done;
        height = fmax(height, s->rule->space == WS_SPACE_SQUARE ? sqrt(x->height) : x->height);
        tree->merge[done] = make_merge(tree, height, reference(x->node_a, n, number), reference(x->node_b, n, number));
        if (m != merges - 1 && --missing[parent[m]] == 0)
            heap_push(&h, parent[m]);
    }
    free(space);
    return isfinite(height) ? WS_OK : ws_fail(WS_ENUMERIC, "heights overflow; standardise the columns first");
}

static int order_leaves(ws_tree *tree)
{
    long *stack = malloc(tree->leaves * sizeof *stack);
    if (!stack)
        return WS_EMEM;
    size_t depth = 0, placed = 0;
    stack[depth++] = (long)tree->leaves - 1;
    while (depth) {
        const long at = stack[--depth];
        if (at < 0) {
            tree->order[placed++] = (size_t)(-at - 1);
            continue;
        }
        stack[depth++] = tree->merge[at - 1].right;
        stack[depth++] = tree->merge[at - 1].left;
    }
    free(stack);
    return WS_OK;
}

static ws_tree *create_tree(size_t leaves)
{
    ws_tree *tree = calloc(1, sizeof *tree);
    if (!tree)
        return NULL;
    *tree = (ws_tree){leaves, calloc(leaves, sizeof *tree->merge), calloc(leaves, sizeof *tree->order)};
    if (tree->merge && tree->order)
        return tree;
    ws_tree_destroy(tree);
    return NULL;
}

void ws_tree_destroy(ws_tree *tree)
{
    if (!tree)
        return;
    free(tree->merge);
    free(tree->order);
    free(tree);
}

static bool allocate(state *s)
{
    s->slot = malloc(s->n * sizeof *s->slot);
    s->node = malloc(s->n * sizeof *s->node);
    s->size = malloc(s->n * sizeof *s->size);
    s->scratch = malloc(2 * s->n * sizeof *s->scratch);
    s->reach = malloc(s->n * sizeof *s->reach);
    s->steps = malloc(s->n * sizeof *s->steps);
    if (!s->slot || !s->node || !s->size || !s->scratch || !s->reach || !s->steps)
        return false;
    for (size_t i = 0; i < s->n; i++) {
        s->slot[i] = s->node[i] = i;
        s->size[i] = 1;
    }
    return true;
}

int ws_cluster_agglomerate(double *matrix, size_t rows, ws_linkage linkage, ws_tree **out)
{
    static void (*const searches[])(state *) = {
        [WS_SEARCH_nearest_list] = nearest_list,
        [WS_SEARCH_nearest_chain] = nearest_chain,
    };
    state s = {.n = rows, .alive = rows, .rule = ws_linkage_rule_of(linkage), .matrix = matrix};
    ws_tree *tree = create_tree(rows);
    int rc = tree && allocate(&s) ? WS_OK : WS_EMEM;
    if (rc == WS_OK) {
        searches[s.rule->search](&s);
        rc = sort_merges(&s, tree);
    }
    if (rc == WS_OK)
        rc = order_leaves(tree);
    free(s.slot);
    free(s.node);
    free(s.size);
    free(s.scratch);
    free(s.reach);
    free(s.steps);
    if (rc == WS_OK) {
        *out = tree;
        return WS_OK;
    }
    ws_tree_destroy(tree);
    return rc == WS_EMEM ? ws_fail(WS_EMEM, "no memory to cluster %zu rows", rows) : rc;
}

int ws_cluster_build(const double *point, size_t rows, size_t columns, ws_linkage linkage, ws_tree **out)
{
    if (rows < LEAST_ROWS)
        return ws_fail(WS_EINPUT, "expected at least %d rows to cluster, found %zu", LEAST_ROWS, rows);
    double *matrix = NULL;
    int rc = ws_distance_matrix(point, rows, columns, ws_linkage_rule_of(linkage)->space == WS_SPACE_SQUARE, &matrix);
    if (rc == WS_OK)
        rc = ws_cluster_agglomerate(matrix, rows, linkage, out);
    free(matrix);
    return rc;
}
