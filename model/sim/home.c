/* home.c - rules for the homes of pages, and a table of those that were settled. */
#include "model/sim/home.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1024 };

static uint32_t first_touch(uint64_t page, uint32_t asking, uint32_t chips)
{
    (void)page, (void)chips;
    return asking;
}

static const ws_home_ops rows[] = {
#define HOME(name, settle, summary) {name, summary, NULL, settle},
#include "model/sim/homes.def"
#undef HOME
};

const ws_home_ops *ws_home_at(size_t index)
{
    return index < sizeof rows / sizeof *rows ? &rows[index] : NULL;
}

const ws_home_ops *ws_home_find(const char *name)
{
    for (size_t i = 0; ws_home_at(i); i++)
        if (!strcmp(rows[i].name, name))
            return &rows[i];
    return NULL;
}

void ws_homes_fini(ws_homes *h)
{
    free(h->page);
    free(h->chip);
}

static size_t find(const uint64_t *pages, size_t room, uint64_t page)
{
    const uint64_t spread = page * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (spread ^ spread >> 29) & (room - 1);
    while (pages[at] && pages[at] != page + 1)
        at = (at + 1) & (room - 1);
    return at;
}

static int widen(ws_homes *h)
{
    if (h->used * 2 < h->room)
        return WS_OK;
    const size_t room = h->room ? h->room * 2 : FIRST_ROOM;
    uint64_t *const page = calloc(room, sizeof *page);
    uint32_t *const chip = calloc(room, sizeof *chip);
    if (!page || !chip) {
        free(page);
        free(chip);
        return ws_fail(WS_EMEM, "no memory for the homes of pages");
    }
    for (size_t i = 0; i < h->room; i++) {
        if (!h->page[i])
            continue;
        const size_t at = find(page, room, h->page[i] - 1);
        page[at] = h->page[i];
        chip[at] = h->chip[i];
    }
    ws_homes_fini(h);
    h->page = page;
    h->chip = chip;
    h->room = room;
    return WS_OK;
}

int ws_homes_slice(ws_homes *h, uint64_t line, uint32_t asking, uint32_t *slice)
{
    const uint32_t own = ws_slice_map_slice(&h->map, line);
    if (!h->map.touched) {
        *slice = ws_slice_map_chip(&h->map, line) * h->map.slices + own;
        return WS_OK;
    }
    const int status = widen(h);
    if (status)
        return status;
    const uint64_t page = ws_quotient(&h->map.page, line);
    const size_t at = find(h->page, h->room, page);
    if (!h->page[at]) {
        h->page[at] = page + 1;
        h->chip[at] = h->ops->settle(page, asking, h->map.chips);
        h->used++;
    }
    *slice = h->chip[at] * h->map.slices + own;
    return WS_OK;
}

void ws_homes_save(const ws_homes *h, ws_bytes *bytes)
{
    ws_bytes_add_varint(bytes, h->used);
    for (size_t i = 0; i < h->room; i++) {
        if (!h->page[i])
            continue;
        ws_bytes_add_varint(bytes, h->page[i] - 1);
        ws_bytes_add_varint(bytes, h->chip[i]);
    }
}

int ws_homes_load(ws_homes *h, ws_reader *reader)
{
    ws_homes_fini(h);
    h->page = NULL;
    h->chip = NULL;
    h->room = h->used = 0;
    for (uint64_t left = ws_read_varint(reader); left && !reader->failed; left--) {
        const uint64_t page = ws_read_varint(reader), chip = ws_read_varint(reader);
        if (chip >= h->map.chips)
            return ws_fail(WS_EINPUT, "the checkpoint is damaged: a page on chip %llu of %u", (unsigned long long)chip,
                           h->map.chips);
        const int status = widen(h);
        if (status)
            return status;
        const size_t at = find(h->page, h->room, page);
        h->used += !h->page[at];
        h->page[at] = page + 1;
        h->chip[at] = (uint32_t)chip;
    }
    return WS_OK;
}
