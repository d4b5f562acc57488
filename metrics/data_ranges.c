/* data_ranges.c - ranges of instructions, put together where they touch. */
#include "metrics/data_ranges.h"

#include "base/status.h"

#include <stdlib.h>

enum { GAP_LINES = 256 >> WS_PAGE_LINE_SHIFT };

int ws_data_ranges_init(ws_data_ranges *ranges, const ws_launch *launch)
{
    ranges->of = calloc(launch->instrs + 1, sizeof *ranges->of);
    return ranges->of ? WS_OK : ws_fail(WS_EMEM, "no memory for the ranges of kernel %s", launch->kernel);
}

void ws_data_ranges_fini(ws_data_ranges *ranges)
{
    free(ranges->of);
    ranges->of = NULL;
}

static void widen(ws_data_range *range, uint64_t low, uint64_t high)
{
    range->low = !range->there || low < range->low ? low : range->low;
    range->high = !range->there || high > range->high ? high : range->high;
    range->there = true;
}

void ws_data_ranges_use(ws_data_ranges *ranges, uint32_t pc, unsigned part, const uint64_t *line, unsigned lines)
{
    for (unsigned i = 0; i < lines; i++)
        widen(&ranges->of[pc][part], line[i], line[i]);
}

void ws_data_ranges_join(ws_data_ranges *into, const ws_data_ranges *from, const ws_launch *launch)
{
    for (size_t pc = 0; pc < launch->instrs; pc++)
        for (unsigned part = 0; part < WS_GRID_PARTS; part++)
            if (from->of[pc][part].there)
                widen(&into->of[pc][part], from->of[pc][part].low, from->of[pc][part].high);
}

/* What is taken to be one: of an instruction, then of all whose ranges touch. */
typedef struct structure {
    ws_data_range whole, part[WS_GRID_PARTS];
    bool written;
} structure;

static int by_low(const void *a, const void *b)
{
    const structure *const x = a, *const y = b;
    return x->whole.low < y->whole.low ? -1 : x->whole.low > y->whole.low;
}

static void absorb(structure *into, const structure *from)
{
    widen(&into->whole, from->whole.low, from->whole.high);
    into->written |= from->written;
    for (unsigned part = 0; part < WS_GRID_PARTS; part++)
        if (from->part[part].there)
            widen(&into->part[part], from->part[part].low, from->part[part].high);
}

static bool is_apart(const structure *s)
{
    for (unsigned i = 0; i < WS_GRID_PARTS; i++)
        for (unsigned k = i + 1; k < WS_GRID_PARTS; k++) {
            const ws_data_range *const a = &s->part[i], *const b = &s->part[k];
            if (a->there && b->there && a->low <= b->high && b->low <= a->high)
                return false;
        }
    return true;
}

/* Those of instructions, in the order of their beginnings; how many. */
static size_t gather(const ws_data_ranges *ranges, const ws_launch *launch, structure *out)
{
    size_t n = 0;
    for (size_t pc = 0; pc < launch->instrs; pc++) {
        structure s = {.written = launch->instr[pc].access != WS_ACCESS_LOAD};
        for (unsigned part = 0; part < WS_GRID_PARTS; part++) {
            s.part[part] = ranges->of[pc][part];
            if (s.part[part].there)
                widen(&s.whole, s.part[part].low, s.part[part].high);
        }
        if (s.whole.there)
            out[n++] = s;
    }
    if (n)
        qsort(out, n, sizeof *out, by_low);
    return n;
}

static void add_up(const structure *s, ws_data_structures *out)
{
    out->all++;
    out->written += s->written;
    out->apart += is_apart(s);
}

int ws_data_ranges_count(const ws_data_ranges *ranges, const ws_launch *launch, ws_data_structures *out)
{
    structure *const s = malloc((launch->instrs + 1) * sizeof *s);
    if (!s)
        return ws_fail(WS_EMEM, "no memory for the ranges of kernel %s", launch->kernel);
    const size_t n = gather(ranges, launch, s);
    size_t at = 0; /* the structure that grows */
    *out = (ws_data_structures){0};
    for (size_t i = 1; i < n; i++) {
        if (s[i].whole.low < s[at].whole.high + 1 + GAP_LINES) {
            absorb(&s[at], &s[i]);
        } else {
            add_up(&s[at], out);
            s[++at] = s[i];
        }
    }
    if (n)
        add_up(&s[at], out);
    free(s);
    return WS_OK;
}
