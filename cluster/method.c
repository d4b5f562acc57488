/* method.c - choosing rows by a method of any kind. */
#include "cluster/method.h"

#include "base/status.h"
#include "cluster/method_internal.h"
#include "cluster/quality.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct method {
    const char *name;
    ws_choose *choose; /* NULL: a tree of the linkage with the same number */
    bool matrix, weighted, groups;
} method;

static const method methods[WS_METHODS] = {
#define LINKAGE(id, search, space, update, r_name, text) [WS_METHOD_##id] = {.name = #id, .groups = true},
#include "cluster/linkage.def"
#undef LINKAGE
#define METHOD(id, function, all, by_weight, in_groups, text) \
    [WS_METHOD_##id] = {#id, function, all, by_weight, in_groups},
#include "cluster/method.def"
#undef METHOD
};

static const method *method_of(ws_method m)
{
    assert((unsigned)m < WS_METHODS);
    return &methods[m];
}

const char *ws_method_name(ws_method m)
{
    return method_of(m)->name;
}

bool ws_method_weighted(ws_method m)
{
    return method_of(m)->weighted;
}

bool ws_method_groups(ws_method m)
{
    return method_of(m)->groups;
}

int ws_method_find(const char *name, ws_method *out)
{
    static const char all[] = ""
#define LINKAGE(id, search, space, update, r_name, text) " " #id
#include "cluster/linkage.def"
#undef LINKAGE
#define METHOD(id, function, all, by_weight, in_groups, text) " " #id
#include "cluster/method.def"
#undef METHOD
        ;
    for (int i = 0; i < WS_METHODS; i++)
        if (strcmp(methods[i].name, name) == 0) {
            *out = (ws_method)i;
            return WS_OK;
        }
    return ws_fail(WS_EINPUT, "unknown method '%s'; there are%s", name, all);
}

/* ---------------------------------------------------------------- what all sizes share */

struct ws_selection {
    const method *method;
    ws_points points;
    double *distance;
    ws_tree *tree;
};

int ws_selection_create(const double *point, size_t rows, size_t columns, ws_method m, uint64_t seed,
                        ws_selection **out)
{
    ws_selection *const s = calloc(1, sizeof *s);
    if (!s)
        return ws_fail(WS_EMEM, "no memory to choose rows");
    *s = (ws_selection){method_of(m), {.point = point, .rows = rows, .columns = columns, .seed = seed}, NULL, NULL};
    int status = WS_OK;
    if (!s->method->choose)
        status = ws_cluster_build(point, rows, columns, (ws_linkage)m, &s->tree);
    else if (rows < 2)
        status = ws_fail(WS_EINPUT, "expected at least 2 rows to choose from, found %zu", rows);
    else if (s->method->matrix)
        status = ws_distance_matrix(point, rows, columns, false, &s->distance);
    else
        status = ws_distance_check(point, rows, columns);
    s->points.distance = s->distance;
    if (status == WS_OK)
        *out = s;
    else
        ws_selection_destroy(s);
    return status;
}

int ws_selection_restrict(ws_selection *s, const bool *required, const bool *excluded, const double *importance)
{
    if ((required || excluded || importance) && s->method->choose != ws_choose_support)
        return ws_fail(
            WS_EINPUT,
            "only members by %s or drawn ones can be required, excluded or weighted by importance; %s finds its own "
            "in each cluster",
            methods[WS_METHOD_support].name, s->method->name);
    s->points.required = required;
    s->points.excluded = excluded;
    s->points.importance = importance;
    return WS_OK;
}

void ws_selection_destroy(ws_selection *selection)
{
    if (!selection)
        return;
    ws_tree_destroy(selection->tree);
    free(selection->distance);
    free(selection);
}

/* ---------------------------------------------------------------- one size */

/* Each row to its nearest member, of equally near ones the first. A member is always in its own cluster, equal rows or
 * not. */
static void join_nearest(const ws_points *p, size_t k, const size_t *member, size_t *cluster)
{
    for (size_t i = 0; i < p->rows; i++) {
        double nearest = INFINITY;
        for (size_t c = 0; c < k; c++) {
            const double *const to = p->point + member[c] * p->columns;
            const double d = member[c] == i ? -1 : ws_distance_square(p->point + i * p->columns, to, p->columns);
            if (d < nearest) {
                nearest = d;
                cluster[i] = c + 1;
            }
        }
    }
}

/* Clusters, members and weights in the order of the clusters' lowest rows. */
static int put_in_order(size_t rows, size_t k, size_t *cluster, size_t *member, double *weight)
{
    size_t *const number = calloc(k, 2 * sizeof *number), *const row = number ? number + k : NULL;
    double *const moved = calloc(k, sizeof *moved);
    size_t next = 0;
    if (!number || !moved) {
        free(number);
        free(moved);
        return ws_fail(WS_EMEM, "no memory to choose rows");
    }
    for (size_t i = 0; i < rows; i++) {
        size_t *const to = &number[cluster[i] - 1];
        if (!*to) {
            row[next] = member[cluster[i] - 1];
            moved[next] = weight[cluster[i] - 1];
            *to = ++next;
        }
        cluster[i] = *to;
    }
    memcpy(member, row, k * sizeof *member);
    memcpy(weight, moved, k * sizeof *weight);
    free(number);
    free(moved);
    return WS_OK;
}

/* By the method's own function. */
static int choose(const ws_selection *s, size_t k, size_t *cluster, size_t *member, double *weight)
{
    const ws_points *const p = &s->points;
    memset(cluster, 0, p->rows * sizeof *cluster);
    const int status = s->method->choose(p, k, cluster, member, weight);
    if (status != WS_OK)
        return status;
    if (!cluster[0])
        join_nearest(p, k, member, cluster);
    return put_in_order(p->rows, k, cluster, member, weight);
}

int ws_selection_choose(const ws_selection *s, size_t k, size_t *cluster, size_t *member, double *weight)
{
    const ws_points *const p = &s->points;
    assert(k >= 1 && k <= p->rows);
    for (size_t c = 0; c < k; c++)
        weight[c] = NAN;
    int status;
    if (s->tree) {
        status = ws_tree_cut(s->tree, k, cluster);
        if (status == WS_OK)
            status = ws_representatives(p->point, p->rows, p->columns, cluster, k, member, NULL);
    } else {
        status = choose(s, k, cluster, member, weight);
    }
    if (status != WS_OK || !isnan(weight[0]))
        return status;
    memset(weight, 0, k * sizeof *weight);
    for (size_t i = 0; i < p->rows; i++)
        weight[cluster[i] - 1]++;
    return WS_OK;
}
