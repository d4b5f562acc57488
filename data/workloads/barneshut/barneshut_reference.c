/* barneshut_reference.c - which tree and which forces does barneshut.cu have to find? */
#include "data/workloads/barneshut/barneshut_reference.h"

#include <math.h>
#include <string.h>

enum { WARP = 32, NODES_A_BODY = 4, LEAST_NODES = 1024 };

typedef struct growth {
    harness *h;
    const bh_bodies *b;
    bh_tree *tree;
    int room;
    int *list, *spare; /* bodies, cell by cell; room to deal them */
} growth;

static int octant_of(const bh_bodies *b, int body, const bh_cube *c)
{
    return (b->at[0][body] > c->x) | (b->at[1][body] > c->y) << 1 | (b->at[2][body] > c->z) << 2;
}

static bh_cube octant_cube(bh_cube c, int octant)
{
    c.half *= 0.5f;
    c.x += octant & 1 ? c.half : -c.half;
    c.y += octant & 2 ? c.half : -c.half;
    c.z += octant & 4 ? c.half : -c.half;
    return c;
}

static bh_cube bounds_of(const bh_bodies *b)
{
    float low[BH_AXES], high[BH_AXES], widest = 0;
    for (int a = 0; a < BH_AXES; a++) {
        low[a] = high[a] = b->at[a][0];
        for (int i = 1; i < b->n; i++) {
            low[a] = fminf(low[a], b->at[a][i]);
            high[a] = fmaxf(high[a], b->at[a][i]);
        }
        widest = fmaxf(widest, high[a] - low[a]);
    }
    return (bh_cube){(low[0] + high[0]) * 0.5f, (low[1] + high[1]) * 0.5f, (low[2] + high[2]) * 0.5f, widest * 0.5f};
}

static int new_node(growth *g)
{
    if (g->tree->nodes == g->room)
        harness_wrong(g->h, "the tree on the CPU has more than %d nodes", g->room);
    return g->tree->nodes++;
}

static int grow_leaf(growth *g, int body)
{
    const int number = new_node(g);
    bh_node *const node = &g->tree->node[number];
    *node = (bh_node){.mass = (double)g->b->mass[body], .leaf = 1};
    for (int a = 0; a < BH_AXES; a++)
        node->centre[a] = (double)g->b->at[a][body];
    return number;
}

/* Deals list[begin] .. list[end - 1] by octant; first[k] .. first[k + 1] - 1 are those of octant k. */
static void deal(growth *g, int begin, int end, const bh_cube *c, int first[BH_OCTANTS + 1])
{
    int at = begin;
    for (int octant = 0; octant < BH_OCTANTS; octant++) {
        first[octant] = at;
        for (int i = begin; i < end; i++)
            if (octant_of(g->b, g->list[i], c) == octant)
                g->spare[at++] = g->list[i];
    }
    first[BH_OCTANTS] = end;
    memcpy(g->list + begin, g->spare + begin, (size_t)(end - begin) * sizeof *g->list);
}

static int grow(growth *g, int begin, int end, bh_cube c, double size)
{
    const int number = new_node(g);
    int first[BH_OCTANTS + 1];
    bh_node node = {.size = size};

    g->tree->cells++;
    deal(g, begin, end, &c, first);
    for (int octant = 0; octant < BH_OCTANTS; octant++) {
        const int from = first[octant], to = first[octant + 1];
        if (from == to)
            continue;
        const int child =
            to - from == 1 ? grow_leaf(g, g->list[from]) : grow(g, from, to, octant_cube(c, octant), size / 2);
        const bh_node *const part = &g->tree->node[child];
        node.child[node.children++] = child;
        node.mass += part->mass;
        for (int a = 0; a < BH_AXES; a++)
            node.centre[a] += part->mass * part->centre[a];
    }
    for (int a = 0; a < BH_AXES; a++)
        node.centre[a] /= node.mass;
    g->tree->node[number] = node;
    return number;
}

bh_tree bh_grow(harness *h, const bh_bodies *b)
{
    const size_t n = (size_t)b->n;
    bh_tree tree = {.root = bounds_of(b)};
    growth g = {.h = h, .b = b, .tree = &tree, .room = NODES_A_BODY * b->n + LEAST_NODES};
    tree.node = harness_host(h, (size_t)g.room, sizeof *tree.node);
    g.list = harness_host(h, n, sizeof *g.list);
    g.spare = harness_host(h, n, sizeof *g.spare);
    for (int i = 0; i < b->n; i++)
        g.list[i] = i;
    grow(&g, 0, b->n, tree.root, 2 * (double)tree.root.half);
    tree.order = g.list;
    return tree;
}

/* ---- forces ---- */

typedef struct group { /* bodies that walk the tree together */
    const bh_tree *tree;
    double opening, soft;
    int n;
    double at[WARP][BH_AXES];
} group;

static double distance_square(const group *g, int i, const bh_node *node)
{
    double square = g->soft;
    for (int a = 0; a < BH_AXES; a++)
        square += (node->centre[a] - g->at[i][a]) * (node->centre[a] - g->at[i][a]);
    return square;
}

static void add_point(const group *g, const bh_node *node, bh_force *force)
{
    for (int i = 0; i < g->n; i++) {
        const double square = distance_square(g, i, node), weight = node->mass / (square * sqrt(square));
        double term = 0;
        for (int a = 0; a < BH_AXES; a++) {
            const double d = node->centre[a] - g->at[i][a];
            force[i].pull[a] += weight * d;
            term += weight * d * weight * d;
        }
        force[i].size += sqrt(term);
    }
}

static double nearest(const group *g, const bh_node *node)
{
    double least = HUGE_VAL;
    for (int i = 0; i < g->n; i++)
        least = fmin(least, distance_square(g, i, node));
    return least;
}

static void walk(const group *g, int number, bh_force *force)
{
    const bh_node *const node = &g->tree->node[number];
    const double limit = g->opening * node->size * node->size, near = node->leaf ? HUGE_VAL : nearest(g, node);
    /* The device's centres and distances are off by roundings of places, which are as large as the whole tree. */
    const double error = 1e-4 + 1e-6 * (double)g->tree->root.half / sqrt(near);

    if (number > 0 && near > limit * (1 + error)) { /* the root is opened always */
        add_point(g, node, force);
        return;
    }
    bh_force before[WARP], closed[WARP];
    memcpy(before, force, sizeof before);
    for (int k = 0; k < node->children; k++)
        walk(g, node->child[k], force);
    if (number > 0 && near > limit * (1 - error)) { /* may go either way */
        memcpy(closed, before, sizeof closed);
        add_point(g, node, closed);
        for (int i = 0; i < g->n; i++)
            for (int a = 0; a < BH_AXES; a++)
                force[i].doubt += fabs(closed[i].pull[a] - force[i].pull[a]);
    }
}

void bh_pull(const bh_tree *tree, const bh_bodies *b, double opening, double soft, bh_force *force)
{
    for (int begin = 0; begin < b->n; begin += WARP) {
        group g = {.tree = tree, .opening = opening, .soft = soft, .n = b->n - begin < WARP ? b->n - begin : WARP};
        bh_force sum[WARP] = {0};
        for (int i = 0; i < g.n; i++)
            for (int a = 0; a < BH_AXES; a++)
                g.at[i][a] = (double)b->at[a][tree->order[begin + i]];
        walk(&g, 0, sum);
        for (int i = 0; i < g.n; i++)
            force[tree->order[begin + i]] = sum[i];
    }
}
