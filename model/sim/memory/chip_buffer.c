/* chip_buffer.c - see chip_buffer.h. */
#include "model/sim/memory/chip_buffer.h"

#include "base/bits.h"
#include "base/status.h"
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = 0 };

typedef struct entry {
    ws_chip_sum sum;
    uint32_t newer, older; /* 1 + place; NONE. Of those that are free, `older` is the next one */
} entry;

struct ws_chip_buffer {
    ws_table place; /* line -> 1 + place; NONE: it has left */
    uint32_t lines, kept, newest, oldest, spare;
    entry entry[];
};

static void chain_spares(ws_chip_buffer *b)
{
    for (uint32_t i = 0; i < b->lines; i++)
        b->entry[i].older = i + 1 < b->lines ? i + 2 : NONE;
    b->spare = 1;
}

int ws_chip_buffer_create(uint32_t lines, ws_chip_buffer **out)
{
    ws_chip_buffer *const b = *out = calloc(1, sizeof *b + lines * sizeof *b->entry);
    if (!b)
        return ws_fail(WS_EMEM, "no memory for a buffer of updates of a chip");
    b->place = WS_TABLE(uint32_t);
    b->lines = lines;
    chain_spares(b);
    return WS_OK;
}

void ws_chip_buffer_destroy(ws_chip_buffer *b)
{
    if (!b)
        return;
    ws_table_fini(&b->place);
    free(b);
}

static uint32_t place_of(const ws_chip_buffer *b, uint64_t line)
{
    const uint32_t *const at = ws_table_find(&b->place, line);
    return at ? *at : NONE;
}

static void unlink_entry(ws_chip_buffer *b, uint32_t at)
{
    const entry *const e = &b->entry[at - 1];
    *(e->newer ? &b->entry[e->newer - 1].older : &b->newest) = e->older;
    *(e->older ? &b->entry[e->older - 1].newer : &b->oldest) = e->newer;
}

static void link_newest(ws_chip_buffer *b, uint32_t at)
{
    b->entry[at - 1].newer = NONE;
    b->entry[at - 1].older = b->newest;
    *(b->newest ? &b->entry[b->newest - 1].newer : &b->oldest) = at;
    b->newest = at;
}

static void empty(ws_chip_buffer *b, uint32_t at, ws_chip_sum *out)
{
    entry *const e = &b->entry[at - 1];
    *out = e->sum;
    *(uint32_t *)ws_table_find(&b->place, e->sum.line) = NONE;
    unlink_entry(b, at);
    e->older = b->spare;
    b->spare = at;
    b->kept--;
}

static void join(ws_chip_sum *to, const ws_chip_sum *from)
{
    to->words |= from->words;
    WS_EACH_LANE (word, from->words)
        to->count[word] += from->count[word];
}

int ws_chip_buffer_add(ws_chip_buffer *b, const ws_chip_sum *sum, ws_chip_sum_kept *kept, ws_chip_sum *leaves)
{
    uint32_t *const place = ws_table_put(&b->place, sum->line);
    if (!place)
        return WS_EMEM;
    uint32_t at = *place;
    *kept = !at ? WS_CHIP_SUM_NEW : b->entry[at - 1].sum.code == sum->code ? WS_CHIP_SUM_HIT : WS_CHIP_SUM_RESTARTED;
    if (*kept == WS_CHIP_SUM_HIT) {
        unlink_entry(b, at);
        link_newest(b, at);
        join(&b->entry[at - 1].sum, sum);
        return WS_OK;
    }
    if (!at && !b->spare)
        *kept = WS_CHIP_SUM_REPLACED;
    if (*kept != WS_CHIP_SUM_NEW)
        empty(b, at ? at : b->oldest, leaves);
    at = b->spare;
    b->spare = b->entry[at - 1].older;
    b->entry[at - 1].sum = *sum;
    link_newest(b, at);
    b->kept++;
    *place = at;
    return WS_OK;
}

bool ws_chip_buffer_take(ws_chip_buffer *b, ws_chip_sum *out)
{
    if (!b->oldest) {
        ws_table_clear(&b->place);
        return false;
    }
    empty(b, b->oldest, out);
    return true;
}

bool ws_chip_buffer_has(const ws_chip_buffer *b, uint64_t line, uint32_t words)
{
    const uint32_t at = b->kept ? place_of(b, line) : NONE;
    return at && b->entry[at - 1].sum.words & words;
}

/* From the line used least recently on. */
void ws_chip_buffer_save(const ws_chip_buffer *b, ws_bytes *bytes)
{
    ws_bytes_add_varint(bytes, b->kept);
    for (uint32_t at = b->oldest; at; at = b->entry[at - 1].newer)
        ws_bytes_add(bytes, &b->entry[at - 1].sum, sizeof(ws_chip_sum));
}

int ws_chip_buffer_load(ws_chip_buffer *b, ws_reader *reader)
{
    ws_chip_sum sum, leaves;
    ws_chip_sum_kept kept;
    while (ws_chip_buffer_take(b, &leaves))
        ;
    for (uint64_t left = ws_read_varint(reader); left; left--) {
        const uint8_t *const from = ws_read_bytes(reader, sizeof sum);
        if (!from || b->kept == b->lines)
            return ws_fail(WS_EINPUT, "the checkpoint is damaged in the buffer of updates of a chip");
        memcpy(&sum, from, sizeof sum);
        const int status = ws_chip_buffer_add(b, &sum, &kept, &leaves);
        if (status)
            return status;
    }
    return WS_OK;
}
