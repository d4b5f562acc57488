/* tree.c - what does a cluster tree say: which clusters at a cut, how far apart two rows are, and how truly? */
#include "base/status.h"
#include "cluster/cluster_internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* gap[p] is the height at which the leaves at places p - 1 and p of the order meet. Two leaves further apart meet at
 * the highest of the gaps between them. */
static int find_gaps(const ws_tree *tree, double *gap)
{
    const size_t n = tree->leaves;
    size_t *end = malloc(2 * n * sizeof *end), *const place =
                                                   end ? end + n : NULL; /* end[m]: behind merge m's leaves */
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

typedef struct moments { /* of pairs (x, y), each shifted by `guess`, which lies near their means */
    double guess, x, y, xx, yy, xy;
    double least, most; /* of x */
} moments;

static void add_pair(moments *m, double x, double y)
{
    m->least = fmin(m->least, x);
    m->most = fmax(m->most, x);
    x -= m->guess;
    y -= m->guess;
    m->x += x;
    m->y += y;
    m->xx += x * x;
    m->yy += y * y;
    m->xy += x * y;
}

static void add_moments(moments *m, const moments *part)
{
    m->least = fmin(m->least, part->least);
    m->most = fmax(m->most, part->most);
    m->x += part->x;
    m->y += part->y;
    m->xx += part->xx;
    m->yy += part->yy;
    m->xy += part->xy;
}

static double correlation_of(const moments *m, double count)
{
    const double xx = m->xx - m->x * m->x / count, yy = m->yy - m->y * m->y / count;
    return (m->xy - m->x * m->y / count) / (sqrt(xx) * sqrt(yy)); /* their product may overflow */
}

typedef struct walk {                  /* along the order of the leaves */
    double *point, *packed, *distance; /* rows in that order; packed; [2 * leaves] */
    double *gap;                       /* as find_gaps */
} walk;

static int walk_init(walk *w, const ws_tree *tree, const double *point, size_t columns)
{
    const size_t n = tree->leaves;
    w->point = malloc((n * columns + 1) * sizeof *w->point);
    w->distance = malloc(2 * n * sizeof *w->distance);
    w->gap = calloc(n, sizeof *w->gap);
    for (size_t p = 0; w->point && p < n; p++)
        memcpy(w->point + p * columns, point + tree->order[p] * columns, columns * sizeof *point);
    w->packed = w->point ? ws_distance_pack(w->point, n, columns) : NULL;
    if (!w->point || !w->distance || !w->gap || !w->packed)
        return ws_fail(WS_EMEM, "no memory to judge a tree of %zu rows", n);
    return find_gaps(tree, w->gap);
}

static void walk_fini(walk *w)
{
    free(w->point);
    free(w->packed);
    free(w->distance);
    free(w->gap);
}

/* Sums over the pairs of each row, then over the rows: sums of sums round less than one long sum. */
static moments sum_pairs(const ws_tree *tree, const walk *w, size_t columns)
{
    const size_t n = tree->leaves;
    const moments none = {.guess = tree->merge[n - 2].height, .least = INFINITY, .most = 0};
    double *const distance[2] = {w->distance, w->distance + n};
    moments total = none;
    for (size_t p = 0; p < n; p++) {
        moments row = none;
        double most = 0;
        if (p % 2 == 0)
            ws_distance_rows(w->point, w->packed, n, columns, p, p / WS_PANEL * WS_PANEL, distance);
        for (size_t q = p + 1; q < n; q++) {
            most = fmax(most, w->gap[q]);
            add_pair(&row, distance[p % 2][q], most);
        }
        add_moments(&total, &row);
    }
    return total;
}

/* Nothing varies when it varies by no more than rounding. */
static bool varies(double least, double most)
{
    return most - least > 1e-12 * most;
}

int ws_tree_cophenetic_correlation(const ws_tree *tree, const double *point, size_t columns, double *correlation)
{
    const size_t n = tree->leaves;
    walk w = {0};
    const int rc = walk_init(&w, tree, point, columns);
    if (rc == WS_OK) {
        const moments m = sum_pairs(tree, &w, columns);
        const bool defined = varies(m.least, m.most) && varies(tree->merge[0].height, tree->merge[n - 2].height);
        *correlation = defined ? correlation_of(&m, (double)n * (double)(n - 1) / 2) : NAN;
    }
    walk_fini(&w);
    return rc;
}
