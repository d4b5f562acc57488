/* home.c - rules for the homes of pages, and a table of those that were settled. */
#include "model/machine/home.h"

#include "base/status.h"

#include <string.h>

static uint32_t first_touch(uint64_t page, uint32_t asking, uint32_t chips)
{
    (void)page, (void)chips;
    return asking;
}

/* Exclusive or of the number's digits to the base of so many chips as fill whole bits, so that strides do not meet on
 * one chip. */
static uint32_t hashed(uint64_t page, uint32_t asking, uint32_t chips)
{
    uint64_t folded = 0;
    unsigned bits = 1;
    (void)asking;
    while (1u << bits < chips)
        bits++;
    for (; page; page >>= bits)
        folded ^= page & ((1u << bits) - 1);
    return (uint32_t)(folded % chips);
}

static const ws_home_ops rows[] = {
#define HOME(name, settle, summary) {name, summary, NULL, settle},
#include "model/machine/homes.def"
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

ws_homes ws_homes_of(const ws_home_ops *ops, ws_slice_map map)
{
    return (ws_homes){.ops = ops, .map = map, .pages = WS_TABLE(uint32_t)};
}

void ws_homes_fini(ws_homes *h)
{
    ws_table_fini(&h->pages);
}

int ws_homes_slice(ws_homes *h, uint64_t line, uint32_t asking, uint32_t *slice)
{
    const uint32_t own = ws_slice_map_slice(&h->map, line);
    if (!h->map.touched) {
        *slice = ws_slice_map_chip(&h->map, line) * h->map.slices + own;
        return WS_OK;
    }
    const uint64_t page = ws_quotient(&h->map.page, line);
    const bool settled = ws_table_has(&h->pages, page);
    uint32_t *const chip = ws_table_put(&h->pages, page);
    if (!chip)
        return WS_EMEM;
    if (!settled)
        *chip = h->ops->settle(page, asking, h->map.chips);
    *slice = *chip * h->map.slices + own;
    return WS_OK;
}

void ws_homes_save(const ws_homes *h, ws_bytes *bytes)
{
    uint64_t page;
    ws_bytes_add_varint(bytes, h->pages.used);
    for (size_t i = 0; ws_table_next(&h->pages, &i, &page); i++) {
        ws_bytes_add_varint(bytes, page);
        ws_bytes_add_varint(bytes, *(const uint32_t *)ws_table_value(&h->pages, i));
    }
}

int ws_homes_load(ws_homes *h, ws_reader *reader)
{
    ws_table_clear(&h->pages);
    for (uint64_t left = ws_read_varint(reader); left && !reader->failed; left--) {
        const uint64_t page = ws_read_varint(reader), on = ws_read_varint(reader);
        if (on >= h->map.chips)
            return ws_fail(WS_EINPUT, "the checkpoint is damaged: a page on chip %llu of %u", (unsigned long long)on,
                           h->map.chips);
        uint32_t *const chip = ws_table_put(&h->pages, page);
        if (!chip)
            return WS_EMEM;
        *chip = (uint32_t)on;
    }
    return WS_OK;
}
