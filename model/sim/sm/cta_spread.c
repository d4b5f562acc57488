/* cta_spread.c - see cta_spread.h. Groups that are complete leave the table when they are the greater part of it. */
#include "model/sim/sm/cta_spread.h"

#include "base/status.h"

enum { LEAST_OVER = 64 };

typedef struct group {
    uint64_t cycles, ended;
} group;

static void forget(ws_cta_spread_by *g)
{
    ws_table_clear(&g->group);
    g->most = g->over = 0;
}

void ws_cta_spread_begin(ws_cta_spread *spread, uint64_t ctas, uint64_t row, uint64_t own)
{
    const uint64_t size[WS_CTA_SPREADS] = {
        [WS_CTA_SPREAD_8] = 8, [WS_CTA_SPREAD_16] = 16, [WS_CTA_SPREAD_ROW] = row ? row : 1, [WS_CTA_SPREAD_OWN] = own};
    spread->ctas = ctas;
    spread->ended = spread->cycles = 0;
    for (unsigned i = 0; i < WS_CTA_SPREADS; i++) {
        spread->by[i].group.value_bytes = sizeof(group);
        spread->by[i].size = size[i];
        forget(&spread->by[i]);
    }
}

void ws_cta_spread_fini(ws_cta_spread *spread)
{
    for (unsigned i = 0; i < WS_CTA_SPREADS; i++)
        ws_table_fini(&spread->by[i].group);
}

/* CTAs of a group: the last one may have fewer. */
static uint64_t members(const ws_cta_spread *spread, const ws_cta_spread_by *g, uint64_t number)
{
    const uint64_t rest = spread->ctas - number * g->size;
    return rest < g->size ? rest : g->size;
}

static int drop_complete(const ws_cta_spread *spread, ws_cta_spread_by *g)
{
    ws_table open = WS_TABLE(group);
    uint64_t number;
    for (size_t i = 0; ws_table_next(&g->group, &i, &number); i++) {
        const group *const from = ws_table_value(&g->group, i);
        if (from->ended == members(spread, g, number))
            continue;
        group *const to = ws_table_put(&open, number);
        if (!to) {
            ws_table_fini(&open);
            return WS_EMEM;
        }
        *to = *from;
    }
    ws_table_fini(&g->group);
    g->group = open;
    g->over = 0;
    return WS_OK;
}

static int add(const ws_cta_spread *spread, ws_cta_spread_by *g, uint64_t cta, uint64_t cycles)
{
    const uint64_t number = cta / g->size;
    group *const at = ws_table_put(&g->group, number);
    if (!at)
        return WS_EMEM;
    at->cycles += cycles;
    if (++at->ended < members(spread, g, number))
        return WS_OK;
    g->most = at->cycles > g->most ? at->cycles : g->most;
    g->over++;
    return g->over >= LEAST_OVER && 2 * g->over > g->group.used ? drop_complete(spread, g) : WS_OK;
}

int ws_cta_spread_add(ws_cta_spread *spread, uint64_t cta, uint64_t cycles)
{
    int status = WS_OK;
    spread->ended++;
    spread->cycles += cycles;
    for (unsigned i = 0; i < WS_CTA_SPREADS && !status; i++)
        if (spread->by[i].size)
            status = add(spread, &spread->by[i], cta, cycles);
    return status;
}

uint64_t ws_cta_spread_peak(const ws_cta_spread *spread, unsigned by)
{
    const ws_cta_spread_by *const g = &spread->by[by];
    uint64_t most = g->most, number;
    if (!g->size || !spread->cycles)
        return 0;
    for (size_t i = 0; ws_table_next(&g->group, &i, &number); i++) { /* of a launch that was cut short */
        const group *const open = ws_table_value(&g->group, i);
        most = open->cycles > most ? open->cycles : most;
    }
    const uint64_t count = (spread->ended + g->size - 1) / g->size;
    const double peak = (double)most * (double)count / (double)spread->cycles;
    return (uint64_t)(peak * (double)spread->ended * WS_CTA_SPREAD_SCALE + 0.5);
}

void ws_cta_spread_save(const ws_cta_spread *spread, ws_bytes *bytes)
{
    ws_bytes_add_varint(bytes, spread->ctas);
    ws_bytes_add_varint(bytes, spread->ended);
    ws_bytes_add_varint(bytes, spread->cycles);
    for (unsigned i = 0; i < WS_CTA_SPREADS; i++) {
        const ws_cta_spread_by *const g = &spread->by[i];
        uint64_t number;
        ws_bytes_add_varint(bytes, g->size);
        ws_bytes_add_varint(bytes, g->most);
        ws_bytes_add_varint(bytes, g->over);
        ws_bytes_add_varint(bytes, g->group.used);
        for (size_t at = 0; ws_table_next(&g->group, &at, &number); at++) {
            const group *const open = ws_table_value(&g->group, at);
            ws_bytes_add_varint(bytes, number);
            ws_bytes_add_varint(bytes, open->cycles);
            ws_bytes_add_varint(bytes, open->ended);
        }
    }
}

static int load_grouping(ws_cta_spread_by *g, ws_reader *reader)
{
    forget(g);
    g->group.value_bytes = sizeof(group);
    g->size = ws_read_varint(reader);
    g->most = ws_read_varint(reader);
    g->over = ws_read_varint(reader);
    for (uint64_t n = ws_read_varint(reader); n && !reader->failed; n--) {
        const uint64_t number = ws_read_varint(reader);
        if (number == UINT64_MAX)
            return ws_fail(WS_EINPUT, "the checkpoint is damaged: a group of blocks has no number");
        group *const open = ws_table_put(&g->group, number);
        if (!open)
            return WS_EMEM;
        open->cycles = ws_read_varint(reader);
        open->ended = ws_read_varint(reader);
    }
    return WS_OK;
}

int ws_cta_spread_load(ws_cta_spread *spread, ws_reader *reader)
{
    int status = WS_OK;
    spread->ctas = ws_read_varint(reader);
    spread->ended = ws_read_varint(reader);
    spread->cycles = ws_read_varint(reader);
    for (unsigned i = 0; i < WS_CTA_SPREADS && !status; i++)
        status = load_grouping(&spread->by[i], reader);
    return !status && reader->failed ? ws_fail(WS_EINPUT, "the checkpoint is too short") : status;
}
