/* cube_reduce.c - cells along some axes as groups: what they are reduced to, or each among them. */
#include "base/cube/cube_internal.h"

#include "base/status.h"

#include <string.h>

/* The axes of a cube that stay, and those that go. */
typedef struct division {
    size_t kept[WS_AXES_MOST], keeps, over[WS_AXES_MOST], overs;
    size_t groups, members;
} division;

static int divide(const ws_cube *cube, const char *const *over, size_t overs, division *to)
{
    bool goes[WS_AXES_MOST] = {false};
    for (size_t i = 0; i < overs; i++) {
        const long axis = ws_cube_find_axis(cube, over[i]);
        if (axis < 0)
            return ws_fail(WS_EINPUT, "over %s: %s has no such axis here", over[i], cube->name);
        goes[axis] = true;
    }
    *to = (division){.groups = 1, .members = 1};
    for (size_t i = 0; i < cube->axes; i++)
        if (goes[i] || !overs) {
            to->over[to->overs++] = i;
            to->members *= cube->axis[i].labels;
        } else {
            to->kept[to->keeps++] = i;
            to->groups *= cube->axis[i].labels;
        }
    return WS_OK;
}

/* The first cell of group `g`, or how far member `g` is from it. */
static size_t place(const ws_cube *cube, const size_t *axis, size_t axes, size_t g)
{
    size_t at = 0;
    for (size_t i = axes; i-- > 0;) {
        const size_t labels = cube->axis[axis[i]].labels;
        at += g % labels * ws_cube_step(cube, axis[i]);
        g /= labels;
    }
    return at;
}

typedef struct gathering {
    const ws_cell **group[2];
    size_t *at, n;
    const ws_cell *empty; /* one that is */
} gathering;

static int make_gathering(const ws_cube_work *work, size_t members, gathering *g)
{
    g->group[0] = ws_arena_alloc(work->arena, (members + 1) * sizeof *g->group[0]);
    g->group[1] = ws_arena_alloc(work->arena, (members + 1) * sizeof *g->group[1]);
    g->at = ws_arena_alloc(work->arena, (members + 1) * sizeof *g->at);
    return g->group[0] && g->group[1] && g->at ? WS_OK : ws_fail(WS_EMEM, "no memory for %zu cells", members);
}

static void gather(const ws_cube *const *cube, size_t n, const division *d, size_t g, gathering *to)
{
    const size_t first = place(cube[0], d->kept, d->keeps, g);
    to->n = 0;
    to->empty = NULL;
    for (size_t m = 0; m < d->members; m++) {
        const size_t at = first + place(cube[0], d->over, d->overs, m);
        const ws_cell *const a = &cube[0]->cell[at], *const b = &cube[n - 1]->cell[at];
        if (ws_cell_is_out(a) || ws_cell_is_out(b))
            continue;
        if (a->gap || b->gap)
            to->empty = a->gap ? a : b;
        to->group[0][to->n] = a;
        to->group[1][to->n] = b;
        to->at[to->n++] = at;
    }
}

int ws_cube_reduce(const ws_cube_work *work, const ws_cube *const *cube, size_t n, const char *const *over,
                   size_t overs, ws_cube_kind kind, const char *name, ws_cube_reducer *reduce, const void *context,
                   const ws_cube **out)
{
    division d;
    gathering g;
    ws_axis axis[WS_AXES_MOST];
    ws_cube *reduced;
    int status = divide(cube[0], over, overs, &d);
    if (status)
        return status;
    for (size_t i = 0; i < d.keeps; i++)
        axis[i] = cube[0]->axis[d.kept[i]];
    status = ws_cube_new(work, kind, name, axis, d.keeps, &reduced);
    if (!status)
        status = make_gathering(work, d.members, &g);
    for (size_t i = 0; i < (status ? 0 : d.groups); i++) {
        gather(cube, n, &d, i, &g);
        const ws_reduction group = {.of = {cube[0], cube[n - 1]},
                                    .group = {g.group[0], g.group[1]},
                                    .at = g.at,
                                    .n = g.n,
                                    .over = d.over,
                                    .overs = d.overs,
                                    .work = work,
                                    .context = context};
        if (g.empty)
            reduced->cell[i] = *g.empty;
        else if (!reduce(&group, &reduced->cell[i]))
            ws_cube_empty(reduced, i);
    }
    if (!status)
        *out = reduced;
    return status;
}

int ws_cube_groups(const ws_cube_work *work, const ws_cube *cube, const char *const *over, size_t overs,
                   const char *name, ws_cube_group *each, const ws_cube **out)
{
    division d;
    gathering g;
    ws_cube *to;
    int status = divide(cube, over, overs, &d);
    if (!status)
        status = ws_cube_new(work, WS_CUBE_NUMBERS, name, cube->axis, cube->axes, &to);
    if (!status)
        status = make_gathering(work, d.members, &g);
    for (size_t i = 0; i < (status ? 0 : d.groups); i++) {
        gather(&cube, 1, &d, i, &g);
        for (size_t m = 0; m < d.members; m++) {
            const size_t at = place(cube, d.kept, d.keeps, i) + place(cube, d.over, d.overs, m);
            to->cell[at] = g.empty ? *g.empty : (ws_cell){.gap = &ws_cube_left_out};
            if (cube->cell[at].gap)
                to->cell[at] = cube->cell[at];
        }
        if (!g.empty)
            each(cube, g.at, g.n, to);
    }
    if (!status)
        *out = to;
    return status;
}
