/* touched_pages.c - masks of lines by page, and a stack that can be continued by another one.
 *
 * Uses of a line that the same run of blocks used before have their distance from that run alone. First uses have theirs from the runs before:
 * they are brought, in their order, onto the stack that those left, where as many lines stand above one as were used since. (What comes between
 * first uses are uses of lines that are above it already.) Then all that the run left goes on top in its order. So do Niu and others, "PARDA: A Fast
 * Parallel Reuse Distance Analysis Algorithm", 2012. */
#include "metrics/touched_pages.h"

#include "base/grow.h"
#include "base/status.h"

#include <stdlib.h>

_Static_assert(WS_PAGE_LINES == 64, "a bit of a word for each line of a page");
_Static_assert(WS_L2_LINES << (WS_L2_SIZES - 1) == 1 << WS_L2_BITS, "the stack is as long as the largest L2");

enum { SMALLEST_REGION = 17 }; /* of lru.h: distances below 2^17 */

void ws_touched_pages_init(ws_touched_pages *pages)
{
    *pages = (ws_touched_pages){.page = WS_TABLE(ws_page)};
    ws_lru_init(&pages->recent, WS_L2_BITS);
}

void ws_touched_pages_fini(ws_touched_pages *pages)
{
    ws_table_fini(&pages->page);
    free(pages->first);
    ws_lru_fini(&pages->recent);
    pages->first = NULL;
}

static uint64_t page_of(uint64_t line)
{
    return line / WS_PAGE_LINES;
}

static uint64_t bit_of(uint64_t line)
{
    return (uint64_t)1 << line % WS_PAGE_LINES;
}

static bool is_touched(const ws_page *page, uint64_t bit)
{
    uint64_t touched = 0;
    for (unsigned part = 0; part < WS_GRID_PARTS; part++)
        touched |= page->touched[part];
    return touched & bit;
}

/* Puts the line on top. Of each size: adds 1 where it was not there (missing), or where it was. */
static int bring(ws_lru *lru, uint64_t line, bool missing, uint64_t count[WS_L2_SIZES])
{
    unsigned region;
    uint64_t gone;
    const int status = ws_lru_use(lru, line, &region, &gone);
    for (unsigned i = 0; count && i < WS_L2_SIZES; i++)
        count[i] += (region > SMALLEST_REGION + i) == missing;
    return status < 0 ? status : WS_OK;
}

/* In the launch, or in this run of blocks, for the first time. */
static int begin_line(ws_touched_pages *pages, uint64_t line)
{
    if (pages->firsts == WS_PAGES_MOST_LINES) {
        pages->overflowed = true;
        return WS_OK;
    }
    const int status = WS_GROW(pages->first, pages->room, pages->firsts, 1);
    if (!status)
        pages->first[pages->firsts++] = line;
    return status;
}

int ws_touched_pages_use(ws_touched_pages *pages, uint64_t line, unsigned part, uint64_t place, bool writes)
{
    const uint64_t bit = bit_of(line);
    ws_page *const page = ws_table_put(&pages->page, page_of(line));
    if (!page)
        return WS_EMEM;
    const bool again = is_touched(page, bit);
    page->touched[part] |= bit;
    page->written[part] |= writes ? bit : 0;
    page->requests[part]++;
    if (!page->first[part])
        page->first[part] = place + 1;
    pages->requests++;
    const int status = again ? WS_OK : begin_line(pages, line);
    return status || pages->overflowed ? status : bring(&pages->recent, line, true, again ? pages->missed : NULL);
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

/* All that `from` left, oldest first. */
static int replay(ws_lru *lru, const ws_lru *from)
{
    int status = WS_OK;
    uint32_t at = from->last;
    for (size_t i = 0; i < from->nodes && !status; i++, at = from->node[at].before)
        status = bring(lru, from->node[at].block, true, NULL);
    return status;
}

/* First uses of `from` on what `into` left. */
static int append_lines(ws_touched_pages *into, const ws_touched_pages *from)
{
    int status = WS_OK;
    for (size_t i = 0; i < from->firsts && !status; i++) {
        const uint64_t line = from->first[i];
        const ws_page *const page = ws_table_find(&into->page, page_of(line));
        const bool again = page && is_touched(page, bit_of(line));
        status = again ? WS_OK : begin_line(into, line);
        if (!status && !into->overflowed)
            status = bring(&into->recent, line, true, again ? into->missed : NULL);
    }
    return status;
}

int ws_touched_pages_append(ws_touched_pages *into, const ws_touched_pages *from)
{
    uint64_t number;
    into->overflowed |= from->overflowed;
    int status = append_lines(into, from);
    if (!status && !into->overflowed)
        status = replay(&into->recent, &from->recent);
    for (size_t slot = 0; ws_table_next(&from->page, &slot, &number) && !status; slot++) {
        ws_page *const page = ws_table_put(&into->page, number);
        status = page ? WS_OK : WS_EMEM;
        if (page)
            join_page(page, ws_table_value(&from->page, slot));
    }
    into->requests += from->requests;
    for (unsigned i = 0; i < WS_L2_SIZES; i++)
        into->missed[i] += from->missed[i];
    return status;
}

int ws_touched_pages_follow(const ws_touched_pages *pages, ws_lru *l2, uint64_t found[WS_L2_SIZES])
{
    int status = WS_OK;
    for (unsigned i = 0; i < WS_L2_SIZES; i++)
        found[i] = 0;
    for (size_t i = 0; i < pages->firsts && !status; i++)
        status = bring(l2, pages->first[i], false, found);
    return status ? status : replay(l2, &pages->recent);
}
