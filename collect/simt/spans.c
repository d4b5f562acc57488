/* spans.c - a treap by address: priorities are a hash of the address, so the same spans always make the same tree. */
#include "collect/simt/spans.h"

#include "base/mix.h"

#include <stdlib.h>

struct span_node {
    span is;
    uint64_t room; /* what fits between this span and the next */
    uint64_t most; /* the largest room of the subtree */
    uint64_t priority;
    span_node *left, *right;
};

static uint64_t priority_of(uint64_t address)
{
    return ws_hash(address);
}

/* Where the next span could begin behind one that ends at `high`. */
static uint64_t next_place(const spans *s, uint64_t high)
{
    return spans_round_up(high + s->gap, s->align);
}

/* Bytes that fit from `place` on when the next span begins at `limit`. */
static uint64_t room_between(const spans *s, uint64_t place, uint64_t limit)
{
    return place < limit && limit - place > s->gap ? limit - place - s->gap : 0;
}

static void update(span_node *n)
{
    n->most = n->room;
    if (n->left && n->left->most > n->most)
        n->most = n->left->most;
    if (n->right && n->right->most > n->most)
        n->most = n->right->most;
}

/* Those that begin at or below `address`, and those above it. */
static void split(span_node *n, uint64_t address, span_node **below, span_node **above)
{
    if (!n) {
        *below = *above = NULL;
        return;
    }
    if (n->is.low <= address) {
        split(n->right, address, &n->right, above);
        *below = n;
    } else {
        split(n->left, address, below, &n->left);
        *above = n;
    }
    update(n);
}

static span_node *merge(span_node *below, span_node *above)
{
    if (!below || !above)
        return below ? below : above;
    if (below->priority >= above->priority) {
        below->right = merge(below->right, above);
        update(below);
        return below;
    }
    above->left = merge(below, above->left);
    update(above);
    return above;
}

static const span_node *last_at(const span_node *n, uint64_t address)
{
    const span_node *found = NULL;
    while (n) {
        if (n->is.low <= address) {
            found = n;
            n = n->right;
        } else {
            n = n->left;
        }
    }
    return found;
}

static const span_node *first_above(const span_node *n, uint64_t address)
{
    const span_node *found = NULL;
    while (n) {
        if (n->is.low > address) {
            found = n;
            n = n->left;
        } else {
            n = n->right;
        }
    }
    return found;
}

/* The last node of the subtree now has its next neighbour at `limit`. */
static void set_limit(const spans *s, span_node *n, uint64_t limit)
{
    if (!n)
        return;
    if (n->right)
        set_limit(s, n->right, limit);
    else
        n->room = room_between(s, next_place(s, n->is.high), limit);
    update(n);
}

static uint64_t lowest(const spans *s, const span_node *n)
{
    if (!n)
        return s->high;
    while (n->left)
        n = n->left;
    return n->is.low;
}

static void destroy(span_node *n)
{
    if (n) {
        destroy(n->left);
        destroy(n->right);
        free(n);
    }
}

void spans_init(spans *s, uint64_t low, uint64_t high, uint64_t align, uint64_t gap)
{
    *s = (spans){.low = spans_round_up(low, align), .high = high, .align = align, .gap = gap};
}

void spans_fini(spans *s)
{
    destroy(s->root);
    s->root = NULL;
}

bool spans_insert(spans *s, span what)
{
    span_node *const n = calloc(1, sizeof *n), *below, *above;
    if (!n)
        return false;
    n->is = what;
    n->priority = priority_of(what.low);
    split(s->root, what.low, &below, &above);
    n->room = n->most = room_between(s, next_place(s, what.high), lowest(s, above));
    set_limit(s, below, what.low);
    s->root = merge(merge(below, n), above);
    return true;
}

/* The first node in order of addresses that has room behind it, at or behind `from`. Left of the way to `from` nothing
 * is looked at, and right of it the first subtree that promises room has it. */
static const span_node *first_room(const span_node *n, uint64_t bytes, const spans *s, uint64_t from)
{
    if (!n || n->most < bytes)
        return NULL;
    if (next_place(s, n->is.high) < from)
        return first_room(n->right, bytes, s, from);
    const span_node *const left = first_room(n->left, bytes, s, from);
    return left ? left : n->room >= bytes ? n : first_room(n->right, bytes, s, from);
}

bool spans_room(const spans *s, uint64_t bytes, uint64_t from, uint64_t *place, uint64_t *room)
{
    *place = s->low;
    *room = room_between(s, s->low, lowest(s, s->root));
    if (from <= s->low && *room >= bytes)
        return true;
    const span_node *const before = first_room(s->root, bytes, s, from);
    if (!before)
        return false;
    *place = next_place(s, before->is.high);
    *room = before->room;
    return true;
}

bool spans_take(spans *s, uint64_t bytes, uint64_t *at, bool *full)
{
    uint64_t room;
    *full = !spans_room(s, bytes, 0, at, &room);
    return !*full && spans_insert(s, (span){.low = *at, .high = *at + bytes});
}

bool spans_remove(spans *s, uint64_t low, span *out)
{
    span_node *below, *it, *above;
    const span_node *const found = last_at(s->root, low);
    if (!found || found->is.low != low)
        return false;
    *out = found->is;
    split(s->root, low, &it, &above);
    if (low > 0)
        split(it, low - 1, &below, &it);
    else
        below = NULL;
    free(it);
    set_limit(s, below, lowest(s, above));
    s->root = merge(below, above);
    return true;
}

static bool tell(const span_node *n, span *out)
{
    if (n && out)
        *out = n->is;
    return n != NULL;
}

bool spans_find(const spans *s, uint64_t address, span *out)
{
    const span_node *const n = last_at(s->root, address);
    return n && address < n->is.high && tell(n, out);
}

bool spans_before(const spans *s, uint64_t address, span *out)
{
    return tell(last_at(s->root, address), out);
}

bool spans_after(const spans *s, uint64_t address, span *out)
{
    return tell(first_above(s->root, address), out);
}
