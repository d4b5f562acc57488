/* instructions.c - what did each instruction of a kernel do?
 *
 * Sectors are 32 bytes: what a GPU moves between L1 and L2. Whether a block touched one before is looked up in a set of
 * its sectors; local memory of the threads lies apart. */
#include "metrics/instructions.h"

#include "base/status.h"
#include "base/table.h"
#include "metrics/coalesced.h"
#include "metrics/family.h"
#include "metrics/pc_count.h"

#include <stdlib.h>

enum { SECTOR = 32, SECTORS_MOST = 65536, VERSION = 1 };
#define LOCAL_SECTORS (UINT64_C(1) << 62) /* above all addresses of global memory */

const ws_count_about ws_count_table[WS_COUNTS] = {
#define COUNT(name, unit, definition) {#name, unit, definition},
#include "metrics/instructions.def"
#undef COUNT
};

typedef struct state {
    ws_pc_count issues, lanes;
    uint64_t (*count)[WS_COUNTS]; /* [instrs] but for these two */
    ws_table seen;                /* sectors of the block */
} state;

/* ------------------------------------------------------------------------------------------------ counting */

static int init(void *p, const ws_launch *launch)
{
    state *const s = p;
    s->count = calloc(launch->instrs + 1, sizeof *s->count);
    if (!s->count)
        return ws_fail(WS_EMEM, "no memory for the counts of %zu instructions", launch->instrs);
    const int status = ws_pc_count_init(&s->issues, launch->instrs);
    return status ? status : ws_pc_count_init(&s->lanes, launch->instrs);
}

static int block_begin(void *p, const ws_launch *launch, uint64_t block)
{
    state *const s = p;
    (void)launch;
    (void)block;
    ws_table_clear(&s->seen);
    return WS_OK;
}

static int see_sectors(state *s, uint64_t *count, const uint64_t *sector, unsigned n, uint64_t apart)
{
    int status = WS_OK;
    count[WS_COUNT_sectors] += n;
    for (unsigned i = 0; i < n && !status; i++) {
        size_t slot;
        if (ws_table_has(&s->seen, sector[i] | apart))
            count[WS_COUNT_again]++;
        else if (s->seen.used < SECTORS_MOST)
            status = ws_table_add(&s->seen, sector[i] | apart, &slot);
    }
    return status;
}

static unsigned least_sectors(unsigned bytes, unsigned sectors)
{
    const unsigned least = (bytes + SECTOR - 1) / SECTOR;
    return least < sectors ? least : sectors;
}

static int see_memory(state *s, const ws_launch *launch, const ws_batch *batch, const ws_event *ev)
{
    uint64_t sector[WS_COALESCE_MAX], *const count = s->count[ev->pc];
    const uint64_t *const address = WS_ADDRESSES(batch, ev);
    const unsigned bytes = ws_event_bytes(launch, ev);
    const uint64_t *shared = sector;
    unsigned n, least;
    const bool counts = ev->space == WS_SPACE_GLOBAL || ev->space == WS_SPACE_LOCAL || ev->space == WS_SPACE_SHARED;
    if (!ev->exec || !bytes || !counts)
        return WS_OK;
    count[WS_COUNT_bytes] += (uint64_t)bytes * ws_mask_lanes(ev->exec);
    switch (ev->space) {
    case WS_SPACE_GLOBAL:
        if (ev->texel) /* bytes of its own */
            n = ws_coalesce_blocks(address, ev->exec, bytes, WS_SECTOR_SHIFT, sector);
        else
            shared = ws_coalesced_sectors(batch, ev, &launch->instr[ev->pc], sector, &n);
        count[WS_COUNT_least_sectors] += least_sectors(ws_coalesce_bytes(address, ev->exec, bytes), n);
        return see_sectors(s, count, shared, n, 0);
    case WS_SPACE_LOCAL:
        n = ws_coalesce_local_blocks(address, ev->exec, bytes, WS_SECTOR_SHIFT, sector);
        count[WS_COUNT_least_sectors] += least_sectors(bytes * ws_mask_lanes(ev->exec), n);
        count[WS_COUNT_local_sectors] += n;
        return see_sectors(s, count, sector, n, LOCAL_SECTORS | (uint64_t)ev->warp << 40);
    default:
        count[WS_COUNT_passes] += ws_coalesce_banks(address, ev->exec, bytes, &least);
        count[WS_COUNT_least_passes] += least;
        return WS_OK;
    }
}

static int events(void *p, const ws_launch *launch, const ws_batch *batch)
{
    state *const s = p;
    int status = WS_OK;
    for (size_t i = 0; i < batch->events && !status; i++) {
        const ws_event *const ev = &batch->event[i];
        const unsigned lanes = ws_mask_lanes(ev->exec);
        if (ev->kind == WS_EVENT_RECONVERGE)
            continue;
        if (ev->count) {
            ws_pc_count_add(&s->issues, ev->pc, ev->count, 1);
            ws_pc_count_add(&s->lanes, ev->pc, ev->count, lanes);
        } else if (ws_event_lane_runs(ev)) { /* further lanes of an access, elsewhere */
            ws_pc_count_add(&s->lanes, ev->pc, 1, lanes);
        }
        if (ev->kind == WS_EVENT_BRANCH)
            s->count[ev->pc][WS_COUNT_divergent] += ev->taken && (ev->taken & ev->active) != ev->active;
        else if (ev->kind == WS_EVENT_MEMORY)
            status = see_memory(s, launch, batch, ev);
    }
    return status;
}

static int merge(void *into, void *from, const ws_launch *launch)
{
    state *const a = into;
    const state *const b = from;
    ws_pc_count_merge(&a->issues, &b->issues);
    ws_pc_count_merge(&a->lanes, &b->lanes);
    for (size_t pc = 0; pc < launch->instrs; pc++)
        for (unsigned c = 0; c < WS_COUNTS; c++)
            a->count[pc][c] += b->count[pc][c];
    return WS_OK;
}

static void fini(void *p)
{
    state *const s = p;
    ws_pc_count_fini(&s->issues);
    ws_pc_count_fini(&s->lanes);
    ws_table_fini(&s->seen);
    free(s->count);
}

const ws_sink ws_instructions_sink = {.name = "instructions",
                                      .wants = WS_WANT_INSTRUCTIONS,
                                      .state_size = sizeof(state),
                                      .init = init,
                                      .block_begin = block_begin,
                                      .events = events,
                                      .merge = merge,
                                      .fini = fini};

/* ------------------------------------------------------------------------------------------------ as bytes */

static void add_optional(ws_bytes *to, const char *text)
{
    ws_bytes_add_text(to, text ? text : "");
}

static void add_code(const ws_launch *launch, ws_bytes *to)
{
    const ws_origin *const from = launch->origin;
    ws_bytes_add_varint(to, VERSION);
    ws_bytes_add_varint(to, launch->isa);
    ws_bytes_add_varint(to, from ? from->places : 1);
    for (size_t i = 1; from && i < from->places; i++) {
        add_optional(to, from->place[i].file);
        add_optional(to, from->place[i].function);
        ws_bytes_add_varint(to, from->place[i].line);
        ws_bytes_add_varint(to, from->place[i].column);
        ws_bytes_add_varint(to, from->place[i].inlined_at);
    }
    ws_bytes_add_varint(to, launch->instrs);
    for (size_t pc = 0; pc < launch->instrs; pc++) {
        const ws_instr *const in = &launch->instr[pc];
        const uint8_t what[] = {in->cls, in->space, in->access};
        ws_bytes_add_text(to, from && from->text ? from->text[pc] : in->opcode);
        ws_bytes_add_varint(to, in->line);
        ws_bytes_add_varint(to, from ? from->of[pc] : 0);
        ws_bytes_add(to, what, sizeof what);
    }
}

int ws_instructions_finish(void *p, const ws_launch *launch, ws_bytes *code, ws_bytes *counts)
{
    state *const s = p;
    const int64_t *const issues = ws_pc_count_fold(&s->issues), *const lanes = ws_pc_count_fold(&s->lanes);
    add_code(launch, code);
    ws_bytes_add_varint(counts, 1); /* launch */
    for (size_t pc = 0; pc < launch->instrs; pc++) {
        s->count[pc][WS_COUNT_issues] = (uint64_t)issues[pc];
        s->count[pc][WS_COUNT_lanes] = (uint64_t)lanes[pc];
        for (unsigned c = 0; c < WS_COUNTS; c++)
            ws_bytes_add_varint(counts, s->count[pc][c]);
    }
    return code->failed || counts->failed
               ? ws_fail(WS_EMEM, "no memory for the counts of %zu instructions", launch->instrs)
               : WS_OK;
}

static const char *read_text(ws_reader *r, ws_arena *arena)
{
    size_t length;
    const char *const text = ws_read_text(r, &length);
    return text ? ws_arena_strndup(arena, text, length) : NULL;
}

/* "" stands for none. */
static const char *read_optional(ws_reader *r, ws_arena *arena)
{
    const char *const text = read_text(r, arena);
    return text && *text ? text : NULL;
}

static uint64_t room(const ws_reader *r)
{
    return (uint64_t)(r->end - r->next);
}

static bool read_places(ws_reader *r, ws_arena *arena, ws_listing *l)
{
    l->places = ws_read_up_to(r, 1 + room(r)); /* each but the first takes more than a byte */
    ws_place *const place = l->places ? ws_arena_alloc(arena, l->places * sizeof *place) : NULL;
    if (!place)
        return false;
    place[0] = (ws_place){0};
    for (size_t i = 1; i < l->places && !r->failed; i++) {
        place[i].file = read_optional(r, arena);
        place[i].function = read_optional(r, arena);
        place[i].line = (uint32_t)ws_read_up_to(r, UINT32_MAX);
        place[i].column = (uint32_t)ws_read_up_to(r, UINT32_MAX);
        place[i].inlined_at = (uint32_t)ws_read_up_to(r, i - 1);
    }
    l->place = place;
    return !r->failed;
}

static bool read_rows(ws_reader *r, ws_arena *arena, ws_listing *l)
{
    l->rows = ws_read_up_to(r, room(r));
    l->row = ws_arena_alloc(arena, (l->rows + 1) * sizeof *l->row);
    for (size_t i = 0; l->row && i < l->rows && !r->failed; i++) {
        ws_listed *const row = &l->row[i];
        *row = (ws_listed){.text = read_text(r, arena)};
        row->line = (uint32_t)ws_read_up_to(r, UINT32_MAX);
        row->place = (uint32_t)ws_read_up_to(r, l->places - 1);
        const uint8_t *const what = ws_read_bytes(r, 3);
        if (!what || !row->text || what[0] >= WS_CLASSES || what[1] >= WS_SPACES || what[2] > WS_ACCESS_REDUCE ||
            (row->place && !l->place[row->place].file))
            return false;
        row->cls = what[0];
        row->space = what[1];
        row->access = what[2];
    }
    return l->row && !r->failed && r->next == r->end;
}

int ws_listing_read(ws_reader code, ws_reader counts, ws_arena *arena, ws_listing **out)
{
    ws_listing *const l = ws_arena_alloc(arena, sizeof *l);
    if (!l)
        return ws_fail(WS_EMEM, "no memory for a listing");
    *l = (ws_listing){0};
    if (ws_read_varint(&code) != VERSION)
        return WS_EINPUT;
    l->isa = (uint8_t)ws_read_up_to(&code, WS_ISAS - 1);
    if (!read_places(&code, arena, l) || !read_rows(&code, arena, l))
        return WS_EINPUT;
    l->launches = ws_read_varint(&counts);
    for (size_t i = 0; i < l->rows; i++)
        for (unsigned c = 0; c < WS_COUNTS; c++)
            l->row[i].count[c] = ws_read_varint(&counts);
    *out = l;
    return counts.failed || counts.next != counts.end ? WS_EINPUT : WS_OK;
}

int ws_listing_add(ws_bytes *into, ws_reader more)
{
    ws_reader old = ws_reader_of(into);
    ws_bytes sum = {0};
    while (old.next < old.end && more.next < more.end)
        ws_bytes_add_varint(&sum, ws_read_varint(&old) + ws_read_varint(&more));
    const bool fits = !old.failed && !more.failed && old.next == old.end && more.next == more.end;
    if (!fits || sum.failed) {
        ws_bytes_fini(&sum);
        return fits ? ws_fail(WS_EMEM, "no memory for the counts of a kernel") : WS_EINPUT;
    }
    ws_bytes_fini(into);
    *into = sum;
    return WS_OK;
}
