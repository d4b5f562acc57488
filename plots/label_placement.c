/* label_placement.c - where do the labels of a scatter plot go so that none covers another?
 *
 * Every label has the same list of candidate places: rings of growing distance, twenty directions each. A place costs
 * what it covers (labels, points, leader lines), what its own leader crosses, and how far off it is. Labels take turns
 * at moving to their cheapest place until none moves. */
#include "plots/label_placement.h"

#include <math.h>
#include <stdlib.h>

enum { DIRECTIONS = 20, RINGS = 12, SWEEPS = 60 };

static const double ring_step_px = 8, clearance_px = 1;
/* Costs, in pixels of distance that one would accept to avoid the thing. */
static const double label_cost = 400, point_cost = 150, leader_cost = 60, shaft_cost = 85, crossing_cost = 40,
                    outside_cost = 4000;

typedef struct place {
    double cx, cy, ring;
} place;

static place candidate(const ws_label *l, int k)
{
    const int ring = k / DIRECTIONS, direction = k % DIRECTIONS;
    const double angle = 2 * M_PI * direction / DIRECTIONS;
    const double gap = l->radius + clearance_px + ring * ring_step_px;
    /* To the sides the text's edge keeps the gap, above and below its middle may stand over the point. */
    return (place){
        .cx = l->x + cos(angle) * (l->width / 2 + gap), .cy = l->y - sin(angle) * (l->height / 2 + gap), .ring = ring};
}

static ws_box box_at(const ws_label *l, double cx, double cy)
{
    return (ws_box){cx - l->width / 2, cy - l->height / 2, cx + l->width / 2, cy + l->height / 2};
}

/* Area that two boxes share, relative to the smaller one; 0..1. */
static double shared(const ws_box *a, const ws_box *b)
{
    if (a->right <= b->left || b->right <= a->left || a->bottom <= b->top || b->bottom <= a->top)
        return 0; /* the usual case: fmin and fmax are calls */
    const double w = fmin(a->right, b->right) - fmax(a->left, b->left);
    const double h = fmin(a->bottom, b->bottom) - fmax(a->top, b->top);
    const double one = (a->right - a->left) * (a->bottom - a->top), other = (b->right - b->left) * (b->bottom - b->top);
    return w * h / fmin(one, other);
}

static int inside(const ws_box *outer, const ws_box *inner)
{
    return inner->left >= outer->left && inner->right <= outer->right && inner->top >= outer->top &&
           inner->bottom <= outer->bottom;
}

/* Does the line from (x0,y0) to (x1,y1) pass through the box? Liang and Barsky's clipping. */
static int crosses(const ws_box *b, double x0, double y0, double x1, double y1)
{
    if ((x0 < b->left && x1 < b->left) || (x0 > b->right && x1 > b->right) || (y0 < b->top && y1 < b->top) ||
        (y0 > b->bottom && y1 > b->bottom))
        return 0; /* the usual case */
    const double p[4] = {x0 - x1, x1 - x0, y0 - y1, y1 - y0};
    const double q[4] = {x0 - b->left, b->right - x0, y0 - b->top, b->bottom - y0};
    double enter = 0, leave = 1;
    for (int i = 0; i < 4; i++) {
        if (p[i] == 0) {
            if (q[i] < 0)
                return 0;
        } else if (p[i] < 0) {
            enter = fmax(enter, q[i] / p[i]);
        } else {
            leave = fmin(leave, q[i] / p[i]);
        }
    }
    return enter < leave;
}

/* On which side of the line from (x0,y0) to (x1,y1) is (x,y)? */
static double side(double x0, double y0, double x1, double y1, double x, double y)
{
    return (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0);
}

/* Does the line from l's point to `at` cross the leader of another label? */
static int crosses_leader(const ws_label *l, const place *at, const ws_label *other)
{
    return side(l->x, l->y, at->cx, at->cy, other->x, other->y) *
                   side(l->x, l->y, at->cx, at->cy, other->cx, other->cy) <
               0 &&
           side(other->x, other->y, other->cx, other->cy, l->x, l->y) *
                   side(other->x, other->y, other->cx, other->cy, at->cx, at->cy) <
               0;
}

static ws_box dot_of(const ws_label *l)
{
    return (ws_box){l->x - l->radius, l->y - l->radius, l->x + l->radius, l->y + l->radius};
}

/* What it costs to put label i there; as soon as that is not below `enough`, what it costs so far. */
static double cost(const ws_label *label, size_t n, size_t i, const place *at, const ws_box *area, double enough)
{
    const ws_box box = box_at(&label[i], at->cx, at->cy);
    double sum = at->ring * ring_step_px + 0.02 * fabs(at->cy - label[i].y);
    if (at->cx < label[i].x)
        sum += 0.5; /* text right of its point reads best */
    if (!inside(area, &box))
        sum += outside_cost;
    for (size_t j = 0; j < n && sum < enough; j++) {
        const ws_box dot = dot_of(&label[j]);
        sum += point_cost * (shared(&box, &dot) > 0);
        sum += shaft_cost * (label[j].shaft && crosses(&box, label[j].sx, label[j].sy, label[j].x, label[j].y));
        if (j == i || label[j].hidden)
            continue;
        const ws_box other = box_at(&label[j], label[j].cx, label[j].cy);
        const double overlap = shared(&box, &other);
        if (overlap > 0)
            sum += label_cost * (1 + overlap);
        sum += leader_cost * (at->ring > 0 && crosses(&other, label[i].x, label[i].y, at->cx, at->cy));
        sum += leader_cost * (label[j].leader && crosses(&box, label[j].x, label[j].y, label[j].cx, label[j].cy));
        if (at->ring > 0) {
            sum += crossing_cost * (label[j].leader && crosses_leader(&label[i], at, &label[j]));
            sum += crossing_cost * crosses(&dot, label[i].x, label[i].y, at->cx, at->cy);
        }
    }
    return sum;
}

/* Moves label i from its place, *choice, to its cheapest one; 1 when that is another one. */
static int improve(ws_label *label, size_t n, size_t i, int *choice, const ws_box *area)
{
    int best = *choice;
    place at = candidate(&label[i], best);
    double least = cost(label, n, i, &at, area, INFINITY);
    for (int k = 0; k < DIRECTIONS * RINGS; k++) {
        at = candidate(&label[i], k);
        if (at.ring * ring_step_px >= least)
            break; /* rings rise; distance alone costs more already */
        const double c = cost(label, n, i, &at, area, least);
        if (c < least - 1e-9) {
            least = c;
            best = k;
        }
    }
    const int moved = best != *choice;
    at = candidate(&label[i], best);
    label[i].cx = at.cx;
    label[i].cy = at.cy;
    label[i].leader = at.ring > 0;
    *choice = best;
    return moved;
}

/* Where the line from the point to the text's centre meets the text's edge. */
static void end_leader(ws_label *l)
{
    const double dx = l->x - l->cx, dy = l->y - l->cy;
    const double by_width = fabs(dx) > 0 ? l->width / 2 / fabs(dx) : INFINITY;
    const double by_height = fabs(dy) > 0 ? l->height / 2 / fabs(dy) : INFINITY;
    const double part = fmin(fmin(by_width, by_height), 1);
    l->lx = l->cx + part * dx;
    l->ly = l->cy + part * dy;
}

/* What is wrong with the text of label i: others that it overlaps, marks that it covers, the edge. */
static size_t faults_of(const ws_label *label, size_t n, size_t i, const ws_box *area)
{
    const ws_box a = box_at(&label[i], label[i].cx, label[i].cy);
    size_t faults = !inside(area, &a);
    for (size_t j = 0; j < n; j++) {
        const ws_box b = box_at(&label[j], label[j].cx, label[j].cy), dot = dot_of(&label[j]);
        faults += (j != i && !label[j].hidden && shared(&a, &b) > 0) + (shared(&a, &dot) > 0);
    }
    return faults;
}

/* The label that is hidden next; n: none is at fault. */
static size_t worst(const ws_label *label, size_t n, const size_t *faults)
{
    size_t w = n;
    for (size_t i = 0; i < n; i++)
        if (!label[i].hidden && faults[i] &&
            (w == n || label[i].keep < label[w].keep || (label[i].keep == label[w].keep && faults[i] >= faults[w])))
            w = i;
    return w;
}

static void hide(ws_label *label, size_t n, size_t w, size_t *faults)
{
    const ws_box a = box_at(&label[w], label[w].cx, label[w].cy);
    label[w].hidden = 1;
    for (size_t j = 0; j < n; j++) {
        const ws_box b = box_at(&label[j], label[j].cx, label[j].cy);
        faults[j] -= !label[j].hidden && shared(&a, &b) > 0;
    }
}

/* A hidden label comes back where there is a free place for it. */
static void try_again(ws_label *label, size_t n, size_t i, const ws_box *area)
{
    int choice = 0;
    improve(label, n, i, &choice, area);
    label[i].hidden = faults_of(label, n, i, area) > 0;
    end_leader(&label[i]);
}

/* Those of the highest keep first. Returns how many stay hidden that were not. */
static long bring_back(ws_label *label, size_t n, const char *was_hidden, const ws_box *area)
{
    long left_out = 0;
    int most = 0;
    for (size_t i = 0; i < n; i++)
        most = label[i].keep > most ? label[i].keep : most;
    for (int keep = most; keep >= 0; keep--)
        for (size_t i = 0; i < n; i++)
            if (label[i].keep == keep && label[i].hidden && !was_hidden[i]) {
                try_again(label, n, i, area);
                left_out += label[i].hidden;
            }
    return left_out;
}

long ws_labels_thin(ws_label *label, size_t n, const ws_box *area)
{
    size_t *const faults = calloc(n + 1, sizeof *faults);
    char *const was_hidden = calloc(n + 1, 1);
    long left_out = faults && was_hidden ? 0 : -1;
    for (size_t i = 0; i < n && !left_out; i++) {
        was_hidden[i] = label[i].hidden != 0;
        faults[i] = label[i].hidden ? 0 : faults_of(label, n, i, area);
    }
    for (size_t w; !left_out && (w = worst(label, n, faults)) < n;)
        hide(label, n, w, faults);
    if (!left_out)
        left_out = bring_back(label, n, was_hidden, area);
    free(faults);
    free(was_hidden);
    return left_out;
}

long ws_labels_place(ws_label *label, size_t n, const ws_box *area)
{
    int *choice = calloc(n + 1, sizeof *choice);
    if (!choice)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const place at = candidate(&label[i], 0);
        label[i].cx = at.cx;
        label[i].cy = at.cy;
        label[i].leader = 0;
    }
    for (int sweep = 0, moved = 1; sweep < SWEEPS && moved; sweep++) {
        moved = 0;
        for (size_t i = 0; i < n; i++)
            if (!label[i].hidden)
                moved |= improve(label, n, i, &choice[i], area);
    }
    free(choice);
    for (size_t i = 0; i < n; i++)
        end_leader(&label[i]);
    long faults = 0;
    for (size_t i = 0; i < n; i++) {
        const ws_box a = box_at(&label[i], label[i].cx, label[i].cy);
        faults += !label[i].hidden && !inside(area, &a);
        for (size_t j = 0; j < n && !label[i].hidden; j++) {
            const ws_box b = box_at(&label[j], label[j].cx, label[j].cy), dot = dot_of(&label[j]);
            faults += (j > i && !label[j].hidden && shared(&a, &b) > 0) + (shared(&a, &dot) > 0);
        }
    }
    return faults;
}
