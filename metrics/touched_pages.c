/* touched_pages.c - masks of lines by page, and a stack that can be continued by another one.
 *
 * Uses of a line that the same run of blocks used before have their distance from that run alone. First uses have
 * theirs from the runs before: they are brought, in their order, onto the stack that those left, where as many lines
 * stand above one as were used since. (What comes between first uses are uses of lines that are above it already.) Then
 * all that the run left goes on top in its order. So do Niu and others, "PARDA: A Fast Parallel Reuse Distance Analysis
 * Algorithm", 2012. Parts of the grid are such runs, too:
 * an L2 that several of them share takes one behind the other. */
#include "metrics/touched_pages.h"

#include "base/grow.h"
#include "base/status.h"

#include <stdlib.h>

_Static_assert(WS_PAGE_LINES == 64, "a bit of a word for each line of a page");

void ws_touched_pages_init(ws_touched_pages *pages)
{
    *pages = (ws_touched_pages){.page = WS_TABLE(ws_page)};
    for (unsigned part = 0; part < WS_GRID_PARTS; part++)
        ws_lru_init(&pages->part[part].recent, WS_L2_MOST_LINES);
}

void ws_touched_pages_fini(ws_touched_pages *pages)
{
    ws_table_fini(&pages->page);
    for (unsigned part = 0; part < WS_GRID_PARTS; part++) {
        free(pages->part[part].first);
        ws_lru_fini(&pages->part[part].recent);
        pages->part[part].first = NULL;
    }
}

static uint64_t page_of(uint64_t line)
{
    return line / WS_PAGE_LINES;
}

static uint64_t bit_of(uint64_t line)
{
    return (uint64_t)1 << line % WS_PAGE_LINES;
}

/* Puts the line on top. Of each size: adds 1 where it was not there (missing), or where it was. */
static int bring(ws_lru *lru, uint64_t line, bool missing, uint64_t count[WS_L2_SIZES])
{
    uint64_t distance;
    const int status = ws_lru_use(lru, line, &distance);
    for (unsigned i = 0; count && !status && i < WS_L2_SIZES; i++)
        count[i] += (distance >= (uint64_t)WS_L2_LINES << i) == missing;
    return status;
}

/* A part, in the launch or in this run of blocks, uses it for the first time. */
static int begin_line(ws_touched_pages *pages, ws_line_stream *s, uint64_t line)
{
    if (pages->firsts == WS_PAGES_MOST_LINES) {
        pages->overflowed = true;
        return WS_OK;
    }
    const int status = WS_GROW(s->first, s->room, s->firsts, 1);
    if (status)
        return status;
    s->first[s->firsts++] = line;
    pages->firsts++;
    return WS_OK;
}

int ws_touched_pages_use(ws_touched_pages *pages, uint64_t line, unsigned part, uint64_t place, bool writes)
{
    const uint64_t bit = bit_of(line);
    ws_line_stream *const s = &pages->part[part];
    ws_page *const page = ws_table_put(&pages->page, page_of(line));
    if (!page)
        return WS_EMEM;
    const bool again = page->touched[part] & bit;
    page->touched[part] |= bit;
    page->written[part] |= writes ? bit : 0;
    page->requests[part]++;
    if (!page->first[part])
        page->first[part] = place + 1;
    pages->requests++;
    const int status = again ? WS_OK : begin_line(pages, s, line);
    return status || pages->overflowed ? status : bring(&s->recent, line, true, again ? s->missed : NULL);
}

static void join_page(ws_page *into, const ws_page *from)
{
    for (unsigned part = 0; part < WS_GRID_PARTS; part++) {
        into->touched[part] |= from->touched[part];
        into->written[part] |= from->written[part];
        into->requests[part] += from->requests[part];
        if (from->first[part] && (!into->first[part] || from->first[part] < into->first[part]))
            into->first[part] = from->first[part];
    }
}

static bool is_kept(const ws_l2_view *view, uint64_t line)
{
    return !view->keeps || view->keeps(view->context, page_of(line));
}

/* All that `from` left, oldest first. */
static int replay(ws_lru *lru, const ws_lru *from, const ws_l2_view *view)
{
    int status = WS_OK;
    for (uint32_t time = 0; !status && ws_lru_next(from, &time); time++) {
        const uint64_t line = from->at[from->user[time]].line;
        status = is_kept(view, line) ? bring(lru, line, true, NULL) : WS_OK;
    }
    return status;
}

static const ws_l2_view everything = {.parts = WS_GRID_PARTS};

/* First uses of `from` on what `into` left, in a part. */
static int append_lines(ws_touched_pages *into, const ws_touched_pages *from, unsigned part)
{
    ws_line_stream *const a = &into->part[part];
    const ws_line_stream *const b = &from->part[part];
    int status = WS_OK;
    for (size_t i = 0; i < b->firsts && !status; i++) {
        const uint64_t line = b->first[i];
        const ws_page *const page = ws_table_find(&into->page, page_of(line));
        const bool again = page && page->touched[part] & bit_of(line);
        status = again ? WS_OK : begin_line(into, a, line);
        if (!status && !into->overflowed)
            status = bring(&a->recent, line, true, again ? a->missed : NULL);
    }
    if (!status && !into->overflowed)
        status = replay(&a->recent, &b->recent, &everything);
    for (unsigned i = 0; i < WS_L2_SIZES; i++)
        a->missed[i] += b->missed[i];
    return status;
}

int ws_touched_pages_append(ws_touched_pages *into, const ws_touched_pages *from)
{
    uint64_t number;
    int status = WS_OK;
    into->overflowed |= from->overflowed;
    for (unsigned part = 0; part < WS_GRID_PARTS && !status; part++)
        status = append_lines(into, from, part);
    for (size_t slot = 0; ws_table_next(&from->page, &slot, &number) && !status; slot++) {
        ws_page *const page = ws_table_put(&into->page, number);
        status = page ? WS_OK : WS_EMEM;
        if (page)
            join_page(page, ws_table_value(&from->page, slot));
    }
    into->requests += from->requests;
    return status;
}

/* Whether a part of the view before this one used the line. */
static bool was_used(const ws_touched_pages *pages, const ws_l2_view *view, unsigned part, uint64_t line)
{
    const ws_page *const page = ws_table_find(&pages->page, page_of(line));
    uint64_t touched = 0;
    for (unsigned before = view->from; before < part; before++)
        touched |= page->touched[before];
    return touched & bit_of(line);
}

static int follow_part(const ws_touched_pages *pages, const ws_l2_view *view, unsigned part, ws_lru *l2,
                       ws_l2_uses *uses)
{
    const ws_line_stream *const s = &pages->part[part];
    int status = WS_OK;
    for (size_t i = 0; i < s->firsts && !status; i++) {
        const uint64_t line = s->first[i];
        if (!is_kept(view, line))
            continue;
        const bool again = was_used(pages, view, part, line);
        uses->firsts += !again;
        status = bring(l2, line, again, again ? uses->missed : uses->found);
    }
    for (unsigned i = 0; i < WS_L2_SIZES; i++)
        uses->missed[i] += s->missed[i];
    return status ? status : replay(l2, &s->recent, view);
}

int ws_touched_pages_follow(const ws_touched_pages *pages, const ws_l2_view *view, ws_lru *l2, ws_l2_uses *uses)
{
    int status = WS_OK;
    *uses = (ws_l2_uses){0};
    for (unsigned i = 0; i < view->parts && !status; i++)
        status = follow_part(pages, view, view->from + i, l2, uses);
    return status;
}
