/* cct.c - see cct.h. A launch: data structures find their rows (cct_place.c), sets are made from what the table knew,
 * operations have their effects on all rows, and the rows of the kernel's data say what will be. */
#include "model/chiplets/cct_internal.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

ws_cct_options ws_cct_defaults(uint32_t chiplets)
{
    return (ws_cct_options){
        .chiplets = chiplets, .rows = WS_CCT_ROWS, .arguments = WS_CCT_ARGUMENTS, .granule = 128, .ranges = true};
}

static int check(const ws_cct_options *o)
{
    if (!o->chiplets || o->chiplets > WS_CHIPLETS_MOST)
        return ws_fail(WS_EINPUT, "a coherence table of %u chiplets; expected 1 to %d", o->chiplets, WS_CHIPLETS_MOST);
    if (o->rows < 2 || o->rows > WS_CCT_ROWS_MOST)
        return ws_fail(WS_EINPUT, "a coherence table of %u rows; expected 2 to %d", o->rows, WS_CCT_ROWS_MOST);
    if (!o->arguments || o->arguments >= o->rows)
        return ws_fail(WS_EINPUT, "%u data structures of a kernel in a coherence table of %u rows; expected 1 to %u",
                       o->arguments, o->rows, o->rows - 1);
    if (!o->granule || o->granule & (o->granule - 1))
        return ws_fail(WS_EINPUT, "ranges in multiples of %u bytes; expected a power of two", o->granule);
    return WS_OK;
}

int ws_cct_create(const ws_cct_options *options, ws_cct **out)
{
    const int status = check(options);
    if (status)
        return status;
    ws_cct *const c = *out = calloc(1, sizeof *c);
    if (!c)
        return ws_fail(WS_EMEM, "no memory for a coherence table");
    c->options = *options;
    return WS_OK;
}

void ws_cct_destroy(ws_cct *c)
{
    if (!c)
        return;
    free(c->row);
    free(c->use);
    free(c);
}

size_t ws_cct_rows(const ws_cct *c, const ws_cct_row **rows)
{
    *rows = c->row;
    return c->rows;
}

/* ------------------------------------------------------------------------------------------------ who has to act */

static bool uses(const cct_use *u, uint32_t chiplet)
{
    return !ws_range_is_empty(u->range[chiplet]);
}

/* Does another chiplet than `chiplet` use some of the range? */
static bool used_elsewhere(const ws_cct *c, const cct_use *u, ws_address_range range, uint32_t chiplet)
{
    for (uint32_t j = 0; j < c->options.chiplets; j++)
        if (j != chiplet && ws_ranges_overlap(range, u->range[j]))
            return true;
    return false;
}

static uint32_t dirty_of(const ws_cct *c, const ws_cct_row *row)
{
    uint32_t dirty = 0;
    for (uint32_t i = 0; i < c->options.chiplets; i++)
        dirty |= (uint32_t)(row->state[i] == WS_CCT_DIRTY) << i;
    return dirty;
}

/* Without ranges: one dirty chiplet releases if another one is scheduled, several release unless the software says that
 * nothing changes. */
static uint32_t releases_by_number(const ws_cct *c, const ws_cct_row *row, const cct_use *u)
{
    const uint32_t dirty = dirty_of(c, row);
    if (dirty & (dirty - 1))
        return u->unchanged ? 0 : dirty;
    for (uint32_t j = 0; j < c->options.chiplets; j++)
        if (uses(u, j) && !(dirty >> j & 1))
            return dirty;
    return 0;
}

static uint32_t releases_by_range(const ws_cct *c, const ws_cct_row *row, const cct_use *u)
{
    uint32_t releases = 0;
    for (uint32_t i = 0; i < c->options.chiplets; i++) {
        if (row->state[i] != WS_CCT_DIRTY)
            continue;
        const bool unsafe = c->options.strict && uses(u, i) && row->mixed >> i & 1;
        if (unsafe || used_elsewhere(c, u, row->range[i], i))
            releases |= 1u << i;
    }
    return releases;
}

/* Several chiplets have dirty words, and the software says that all goes on as before: nothing is done, and only
 * writers are noted. */
static bool is_unchanged(const ws_cct *c, const ws_cct_row *row, const cct_use *u)
{
    const uint32_t dirty = dirty_of(c, row);
    return !c->options.ranges && u->identical && (dirty & (dirty - 1));
}

static uint32_t acquires_of(const ws_cct *c, const ws_cct_row *row, const cct_use *u)
{
    uint32_t acquires = 0;
    for (uint32_t i = 0; i < c->options.chiplets && !u->unchanged; i++)
        if (uses(u, i) && (row->state[i] == WS_CCT_STALE || (c->options.strict && row->mixed >> i & 1)))
            acquires |= 1u << i;
    return acquires;
}

/* ------------------------------------------------------------------------------------------------ what that does */

static void acquire(ws_cct *c, uint32_t chiplet)
{
    for (size_t r = 0; r < c->rows; r++) {
        ws_cct_row *const row = &c->row[r];
        if (row->state[chiplet] == WS_CCT_VALID || row->state[chiplet] == WS_CCT_STALE)
            row->state[chiplet] = WS_CCT_NOT_PRESENT;
        row->mixed &= ~(1u << chiplet);
    }
}

/* A row that was put together from a dirty and a stale one is stale where clean copies were not given up before. */
static void release(ws_cct *c, uint32_t chiplet, bool acquired)
{
    for (size_t r = 0; r < c->rows; r++) {
        ws_cct_row *const row = &c->row[r];
        if (row->state[chiplet] == WS_CCT_DIRTY)
            row->state[chiplet] = row->torn >> chiplet & 1 && !acquired ? WS_CCT_STALE : WS_CCT_VALID;
        row->torn &= ~(1u << chiplet);
    }
    if (c->options.release_empties)
        acquire(c, chiplet);
}

static void act(ws_cct *c, const ws_cct_operations *o)
{
    for (uint32_t i = 0; i < c->options.chiplets; i++)
        if (o->acquires >> i & 1)
            acquire(c, i);
    for (uint32_t i = 0; i < c->options.chiplets; i++)
        if (o->releases >> i & 1)
            release(c, i, o->acquires >> i & 1);
}

/* ------------------------------------------------------------------------------------------------ what will be */

static void use_here(ws_cct_row *row, const cct_use *u, uint32_t i)
{
    row->range[i] = row->state[i] == WS_CCT_NOT_PRESENT ? u->range[i] : ws_range_hull(row->range[i], u->range[i]);
    if (u->writes || row->state[i] != WS_CCT_DIRTY)
        row->state[i] = u->writes ? WS_CCT_DIRTY : WS_CCT_VALID;
}

static void update(const ws_cct *c, ws_cct_row *row, const cct_use *u)
{
    for (uint32_t i = 0; i < c->options.chiplets; i++) {
        if (uses(u, i))
            use_here(row, u, i);
        else if (!u->unchanged && u->writes && row->state[i] == WS_CCT_VALID && used_elsewhere(c, u, row->range[i], i))
            row->state[i] = WS_CCT_STALE;
    }
    for (uint32_t i = 0; i < c->options.chiplets && c->options.strict && u->writes; i++)
        if (uses(u, i) && used_elsewhere(c, u, row->range[i], i))
            row->mixed |= 1u << i;
}

static void drop_absent(ws_cct *c)
{
    size_t kept = 0;
    for (size_t r = 0; r < c->rows; r++) {
        bool present = false;
        for (uint32_t i = 0; i < c->options.chiplets; i++)
            present |= c->row[r].state[i] != WS_CCT_NOT_PRESENT;
        if (present)
            c->row[kept++] = c->row[r];
    }
    c->rows = kept;
}

/* ------------------------------------------------------------------------------------------------ launches */

/* Nobody can say what it touches. Copies of what it leaves are in no row, so whoever ran some of it acquires when it
 * runs something next. */
static int launch_unknown(ws_cct *c, const ws_chiplet_kernel *k, ws_cct_operations *o)
{
    o->acquires = o->end_releases = k->scheduled;
    for (size_t r = 0; r < c->rows; r++)
        o->releases |= dirty_of(c, &c->row[r]);
    const uint32_t everyone = (1u << c->options.chiplets) - 1;
    c->rows = 0;
    c->unknown = everyone;
    return WS_OK;
}

int ws_cct_launch(ws_cct *c, const ws_chiplet_kernel *k, ws_cct_operations *o)
{
    *o = (ws_cct_operations){0};
    if (!k->known)
        return launch_unknown(c, k, o);
    const int status = cct_place(c, k, o); /* and releases of rows that cannot stay as they are */
    if (status)
        return status;
    o->acquires |= c->unknown & k->scheduled;
    for (size_t n = 0; n < c->uses; n++) {
        cct_use *const u = &c->use[n];
        const ws_cct_row *const row = &c->row[u->row];
        u->unchanged = is_unchanged(c, row, u);
        o->releases |= c->options.ranges ? releases_by_range(c, row, u) : releases_by_number(c, row, u);
        o->acquires |= acquires_of(c, row, u);
    }
    o->looked_up = (uint32_t)c->uses;
    act(c, o);
    c->unknown &= ~o->acquires;
    for (size_t n = 0; n < c->uses; n++)
        update(c, &c->row[c->use[n].row], &c->use[n]);
    drop_absent(c);
    return WS_OK;
}

void ws_cct_save(const ws_cct *c, ws_bytes *bytes)
{
    ws_bytes_add_varint(bytes, c->unknown);
    ws_bytes_add_varint(bytes, c->rows);
    ws_bytes_add(bytes, c->row, c->rows * sizeof *c->row);
}

int ws_cct_restore(ws_cct *c, ws_reader *reader)
{
    c->unknown = (uint32_t)ws_read_varint(reader);
    const uint64_t rows = ws_read_up_to(reader, c->options.rows);
    const uint8_t *const from = ws_read_bytes(reader, rows * sizeof *c->row);
    if (!from)
        return ws_fail(WS_EINPUT, "the checkpoint is damaged: a coherence table breaks off");
    if (WS_GROW(c->row, c->row_room, 0, rows))
        return ws_fail(WS_EMEM, "no memory for a coherence table");
    if (rows)
        memcpy(c->row, from, rows * sizeof *c->row);
    c->rows = rows;
    return WS_OK;
}

uint32_t ws_cct_finish(ws_cct *c)
{
    uint32_t releases = 0;
    for (size_t r = 0; r < c->rows; r++)
        releases |= dirty_of(c, &c->row[r]);
    for (uint32_t i = 0; i < c->options.chiplets; i++)
        if (releases >> i & 1)
            release(c, i, false);
    drop_absent(c);
    return releases;
}
