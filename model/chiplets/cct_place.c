/* cct_place.c - rows for the data of a launch. Rows and data structures that overlap are one; of more than there is
 * room for, the neighbours with the smallest gap between them are put together, those without a gap first. What is put
 * together has the ranges of both, is written if either is, and has the state that promises less: dirty before stale
 * before valid before not present. */
#include "model/chiplets/cct_internal.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ what the kernel uses
 */

static ws_address_range round_out(ws_address_range a, uint32_t granule)
{
    if (ws_range_is_empty(a))
        return a;
    return (ws_address_range){a.first & ~(uint64_t)(granule - 1), a.last | (granule - 1)};
}

static cct_use use_of(const ws_cct *c, const ws_chiplet_kernel *k, const ws_chiplet_argument *a)
{
    cct_use u = {.whole = round_out(a->whole, c->options.granule), .writes = a->writes, .identical = a->identical};
    for (uint32_t i = 0; i < c->options.chiplets; i++) {
        const bool scheduled = k->scheduled >> i & 1;
        const ws_address_range all = scheduled ? a->whole : WS_NO_ADDRESSES;
        u.range[i] = round_out(c->options.ranges ? ws_chiplet_argument_range(k, a, i) : all, c->options.granule);
        u.whole = ws_range_hull(u.whole, u.range[i]);
    }
    return u;
}

static void merge_uses(const ws_cct *c, cct_use *into, const cct_use *from)
{
    into->whole = ws_range_hull(into->whole, from->whole);
    for (uint32_t i = 0; i < c->options.chiplets; i++)
        into->range[i] = ws_range_hull(into->range[i], from->range[i]);
    into->writes |= from->writes;
    into->identical &= from->identical;
}

static int by_address(const void *a, const void *b)
{
    const cct_use *const x = a, *const y = b;
    return x->whole.first != y->whole.first ? (x->whole.first < y->whole.first ? -1 : 1)
                                            : (x->whole.last > y->whole.last) - (x->whole.last < y->whole.last);
}

static int gather(ws_cct *c, const ws_chiplet_kernel *k)
{
    c->uses = 0;
    if (WS_GROW(c->use, c->use_room, 0, k->arguments))
        return ws_fail(WS_EMEM, "no memory for the arguments of a kernel");
    for (size_t i = 0; i < k->arguments; i++)
        if (!ws_range_is_empty(k->argument[i].whole))
            c->use[c->uses++] = use_of(c, k, &k->argument[i]);
    if (c->uses)
        qsort(c->use, c->uses, sizeof *c->use, by_address);
    return WS_OK;
}

/* Uses of one stretch of addresses are one. */
static void join_uses(ws_cct *c)
{
    size_t kept = 0;
    for (size_t n = 0; n < c->uses; n++) {
        if (kept && ws_ranges_overlap(c->use[kept - 1].whole, c->use[n].whole))
            merge_uses(c, &c->use[kept - 1], &c->use[n]);
        else
            c->use[kept++] = c->use[n];
    }
    c->uses = kept;
}

/* Bytes between two neighbours, the lower one first; rounding may have let them touch. */
static uint64_t gap_between(ws_address_range a, ws_address_range b)
{
    return b.first > a.last ? b.first - a.last - 1 : 0;
}

static void merge_use_at(ws_cct *c, size_t at)
{
    merge_uses(c, &c->use[at], &c->use[at + 1]);
    memmove(&c->use[at + 1], &c->use[at + 2], (c->uses - at - 2) * sizeof *c->use);
    c->uses--;
}

static int descending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* Of n data structures in a row, to put the nearest two together until `most` are left is to keep the most - 1 largest
 * gaps; of equal ones, those at lower addresses are kept. */
static int coarsen_uses(ws_cct *c, ws_cct_operations *o)
{
    const size_t n = c->uses, most = c->options.arguments;
    if (n <= most)
        return WS_OK;
    uint64_t *const gap = malloc(n * sizeof *gap);
    if (!gap)
        return ws_fail(WS_EMEM, "no memory for the gaps between data structures");
    for (size_t i = 0; i + 1 < n; i++)
        gap[i] = gap_between(c->use[i].whole, c->use[i + 1].whole);
    qsort(gap, n - 1, sizeof *gap, descending);
    const uint64_t least = most > 1 ? gap[most - 2] : UINT64_MAX;
    size_t equal = 0, kept = 1;
    for (size_t i = 0; i + 1 < most; i++)
        equal += gap[i] == least;
    free(gap);
    for (size_t i = 1; i < n; i++) {
        const uint64_t here = gap_between(c->use[kept - 1].whole, c->use[i].whole);
        const bool apart = most > 1 && (here > least || (here == least && equal));
        equal -= apart && here == least;
        if (apart)
            c->use[kept++] = c->use[i];
        else
            merge_uses(c, &c->use[kept - 1], &c->use[i]);
    }
    o->merged += (uint32_t)(n - kept);
    c->uses = kept;
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ rows */

static uint8_t weaker(uint8_t a, uint8_t b)
{
    static const uint8_t rank[] = {
        [WS_CCT_NOT_PRESENT] = 0, [WS_CCT_VALID] = 1, [WS_CCT_STALE] = 2, [WS_CCT_DIRTY] = 3};
    return rank[a] >= rank[b] ? a : b;
}

static ws_address_range range_of(const ws_cct_row *row, uint32_t i)
{
    return row->state[i] == WS_CCT_NOT_PRESENT ? WS_NO_ADDRESSES : row->range[i];
}

/* One that is dirty here and stale there has to be released; then it is stale. */
static void merge_rows(const ws_cct *c, ws_cct_row *into, const ws_cct_row *from, ws_cct_operations *o)
{
    into->whole = ws_range_hull(into->whole, from->whole);
    for (uint32_t i = 0; i < c->options.chiplets; i++) {
        const uint8_t a = into->state[i], b = from->state[i];
        const bool torn = (a == WS_CCT_DIRTY && b == WS_CCT_STALE) || (a == WS_CCT_STALE && b == WS_CCT_DIRTY);
        into->range[i] = ws_range_hull(range_of(into, i), range_of(from, i));
        into->state[i] = weaker(a, b);
        into->torn |= (uint32_t)torn << i;
    }
    into->torn |= from->torn;
    into->mixed |= from->mixed;
    o->releases |= into->torn;
}

static void merge_row_at(ws_cct *c, size_t at, ws_cct_operations *o)
{
    merge_rows(c, &c->row[at], &c->row[at + 1], o);
    memmove(&c->row[at + 1], &c->row[at + 2], (c->rows - at - 2) * sizeof *c->row);
    c->rows--;
}

/* The first row that does not end before the address. */
static size_t row_from(const ws_cct *c, uint64_t address)
{
    size_t at = 0;
    while (at < c->rows && c->row[at].whole.last < address)
        at++;
    return at;
}

/* The row of a stretch of addresses, of several that it overlaps one, or a new one. */
static int seat(ws_cct *c, ws_address_range whole, ws_cct_operations *o)
{
    const size_t at = row_from(c, whole.first);
    if (at < c->rows && ws_ranges_overlap(c->row[at].whole, whole)) {
        c->row[at].whole = ws_range_hull(c->row[at].whole, whole);
        while (at + 1 < c->rows && ws_ranges_overlap(c->row[at].whole, c->row[at + 1].whole))
            merge_row_at(c, at, o);
        return WS_OK;
    }
    if (WS_GROW(c->row, c->row_room, c->rows, 1))
        return ws_fail(WS_EMEM, "no memory for a coherence table");
    memmove(&c->row[at + 1], &c->row[at], (c->rows - at) * sizeof *c->row);
    c->row[at] = (ws_cct_row){.whole = whole};
    c->rows++;
    return WS_OK;
}

static void coarsen_rows(ws_cct *c, ws_cct_operations *o)
{
    while (c->rows > c->options.rows) {
        size_t nearest = 0;
        for (size_t i = 1; i + 1 < c->rows; i++)
            if (gap_between(c->row[i].whole, c->row[i + 1].whole) <
                gap_between(c->row[nearest].whole, c->row[nearest + 1].whole))
                nearest = i;
        merge_row_at(c, nearest, o);
        o->merged++;
    }
}

/* Uses that share a row are one. */
static void find_rows(ws_cct *c)
{
    for (size_t n = 0; n < c->uses; n++)
        c->use[n].row = row_from(c, c->use[n].whole.first);
    for (size_t n = 0; n + 1 < c->uses;) {
        if (c->use[n].row == c->use[n + 1].row)
            merge_use_at(c, n);
        else
            n++;
    }
}

int cct_place(ws_cct *c, const ws_chiplet_kernel *k, ws_cct_operations *o)
{
    int status = gather(c, k);
    if (status)
        return status;
    join_uses(c);
    status = coarsen_uses(c, o);
    for (size_t n = 0; n < c->uses && !status; n++)
        status = seat(c, c->use[n].whole, o);
    if (status)
        return status;
    coarsen_rows(c, o);
    find_rows(c);
    return WS_OK;
}
