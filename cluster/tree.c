/* tree.c - what does a cluster tree say: which clusters at a cut, how far apart two rows are, and how truly? */
#include "base/status.h"
#include "cluster/cluster_internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

size_t ws_tree_clusters_at(const ws_tree *tree, double height)
{
    size_t done = 0;
    while (done < tree->leaves - 1 && tree->merge[done].height <= height)
        done++;
    return tree->leaves - done;
}

double ws_tree_cut_height(const ws_tree *tree, size_t k)
{
    assert(k >= 1 && k <= tree->leaves);
    const size_t done = tree->leaves - k;
    if (k == 1)
        return tree->merge[tree->leaves - 2].height;
    const double below = done ? tree->merge[done - 1].height : 0;
    return below + (tree->merge[done].height - below) / 2;
}

int ws_tree_cut(const ws_tree *tree, size_t k, size_t *cluster)
{
    assert(k >= 1 && k <= tree->leaves);
    const size_t n = tree->leaves, done = n - k;
    /* parent[i] of row i, parent[n + m] of merge m; 0 for those on top, which no node has as its parent. */
    size_t *parent = calloc(3 * n, sizeof *parent), *const number = parent ? parent + 2 * n : NULL;
    if (!parent)
        return ws_fail(WS_EMEM, "no memory to cut a tree of %zu rows", n);
    for (size_t m = 0; m < done; m++) {
        const long parts[] = {tree->merge[m].left, tree->merge[m].right};
        for (size_t p = 0; p < 2; p++)
            parent[parts[p] < 0 ? (size_t)-parts[p] - 1 : n + (size_t)parts[p] - 1] = n + m;
    }
    for (size_t m = done; m-- > 0;) /* from the top down, so that a merge's own parent already points to the top */
        parent[n + m] = parent[n + m] ? parent[parent[n + m]] : n + m;
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t top = parent[i] ? parent[parent[i]] : 0;
        size_t *const known = top ? &number[top - n] : NULL;
        if (!known || !*known)
            cluster[i] = ++found;
        else
            cluster[i] = *known;
        if (known)
            *known = cluster[i];
    }
    assert(found == k);
    free(parent);
    return WS_OK;
}

/* gap[p] is the height at which the leaves at places p - 1 and p of the order meet. Two leaves further apart meet at the
 * highest of the gaps between them. */
static int find_gaps(const ws_tree *tree, double *gap)
{
    const size_t n = tree->leaves;
    size_t *end = malloc(2 * n * sizeof *end), *const place = end ? end + n : NULL; /* end[m]: behind merge m's leaves */
    if (!end)
        return ws_fail(WS_EMEM, "no memory to read a tree of %zu rows", n);
    for (size_t p = 0; p < n; p++)
        place[tree->order[p]] = p;
    for (size_t m = 0; m < n - 1; m++) {
        const ws_merge *const x = &tree->merge[m];
        const size_t left = x->left < 0 ? place[-x->left - 1] + 1 : end[x->left - 1];
        const size_t right = x->right < 0 ? place[-x->right - 1] + 1 : end[x->right - 1];
        gap[left] = x->height;
        end[m] = right;
    }
    free(end);
    return WS_OK;
}

int ws_tree_cophenetic(const ws_tree *tree, double *height)
{
    const size_t n = tree->leaves;
    double *gap = calloc(n, sizeof *gap);
    int rc = gap ? find_gaps(tree, gap) : ws_fail(WS_EMEM, "no memory to read a tree of %zu rows", n);
    for (size_t p = 0; rc == WS_OK && p < n; p++) {
        double most = 0;
        for (size_t q = p + 1; q < n; q++) {
            const size_t i = tree->order[p], j = tree->order[q];
            most = fmax(most, gap[q]);
            height[i < j ? ws_pair(n, i, j) : ws_pair(n, j, i)] = most;
        }
    }
    free(gap);
    return rc;
}

typedef struct moments { /* of pairs (x, y), each shifted by a first guess of its mean */
    double x0, y0, x, y, xx, yy, xy;
} moments;

static void add_pair(moments *m, double x, double y)
{
    x -= m->x0;
    y -= m->y0;
    m->x += x;
    m->y += y;
    m->xx += x * x;
    m->yy += y * y;
    m->xy += x * y;
}

static double correlation_of(const moments *m, double count)
{
    const double xx = m->xx - m->x * m->x / count, yy = m->yy - m->y * m->y / count;
    const double xy = m->xy - m->x * m->y / count;
    const double least = 1e-14 * (double)count; /* what rounding leaves of a spread of nothing, relative to the means */
    if (!(xx > least * m->x0 * m->x0 * 1e-14) || !(yy > least * m->y0 * m->y0 * 1e-14))
        return NAN;
    return xy / sqrt(xx * yy);
}

int ws_tree_cophenetic_correlation(const ws_tree *tree, const double *point, size_t columns, double *correlation)
{
    const size_t n = tree->leaves;
    double *gap = calloc(n, sizeof *gap);
    int rc = gap ? find_gaps(tree, gap) : ws_fail(WS_EMEM, "no memory to read a tree of %zu rows", n);
    if (rc == WS_OK) {
        const double guess = tree->merge[n - 2].height;
        moments total = {.x0 = guess, .y0 = guess};
        for (size_t p = 0; p < n; p++) {
            moments row = {.x0 = guess, .y0 = guess}; /* sums of sums: fewer terms, less rounding */
            double most = 0;
            for (size_t q = p + 1; q < n; q++) {
                most = fmax(most, gap[q]);
                const double square = ws_distance_square(point + tree->order[p] * columns,
                                                         point + tree->order[q] * columns, columns);
                add_pair(&row, sqrt(square), most);
            }
            total.x += row.x;
            total.y += row.y;
            total.xx += row.xx;
            total.yy += row.yy;
            total.xy += row.xy;
        }
        *correlation = correlation_of(&total, (double)n * (double)(n - 1) / 2);
    }
    free(gap);
    return rc;
}
