/* trace_body.c - whose instruction is each line of a trace? */
#include "collect/accelsim/trace_reader.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>

enum { LINES_PER_PROGRESS = 1 << 14 };

#define NOBODY UINT32_MAX

typedef struct body {
    ws_lines *lines;
    ws_trace_target *target;
    ws_line_form form;
    uint64_t grid[3];
    uint32_t warps; /* of a block */
    bool in_block, has_block, in_warp;
    ws_trace_warp warp;
    uint64_t expected, read; /* instructions of the warp */
    uint32_t before;
} body;

static uint32_t warps_of(const ws_kernel_header *h)
{
    return (uint32_t)((h->block[0] * h->block[1] * h->block[2] + WS_WARP - 1) / WS_WARP);
}

static uint32_t lanes_of(const ws_kernel_header *h, uint32_t warp)
{
    const uint64_t left = h->block[0] * h->block[1] * h->block[2] - (uint64_t)warp * WS_WARP;
    return left >= WS_WARP ? UINT32_MAX : (UINT32_C(1) << left) - 1;
}

static bool find_block(const ws_kernel_header *h, const uint64_t *at, uint64_t *block)
{
    *block = (at[2] * h->grid[1] + at[1]) * h->grid[0] + at[0];
    return at[0] < h->grid[0] && at[1] < h->grid[1] && at[2] < h->grid[2];
}

/* LDGSTS has two addresses, so raw traces have it twice: first where it writes, in shared memory, then where it reads.
 * Both lines become records; the two are one instruction when they are shown. Grouping drops the first. */
static int check_pair(ws_spool *spool, uint64_t key, const ws_static_instr *s, const ws_record *r)
{
    uint32_t *pending;
    const int status = ws_spool_note(spool, key, &pending);
    if (status)
        return status;
    if (*pending && *pending != r->id + 1)
        return WS_EINPUT;
    if (s->copies)
        *pending = *pending ? 0 : r->id + 1;
    return WS_OK;
}

/* The transfers of a bulk copy behind its first, up to 32 in a record. */
static int add_transfers(const ws_trace_target *t, uint64_t key, uint32_t id)
{
    const size_t transfers = t->table->transfers;
    ws_record r = {.id = id, .form = WS_ADDRESS_LIST};
    uint64_t before = 0;
    unsigned n = 0;
    int status = WS_OK;
    for (size_t i = 0; i < transfers && !status; i++) {
        const uint64_t at = t->table->transfer[i];
        if (n)
            r.delta[n] = (int64_t)(at - before);
        else
            r.base = at;
        before = at;
        r.mask |= UINT32_C(1) << n++;
        if (n < WS_WARP && i + 1 < transfers)
            continue;
        status = ws_spool_add(t->spool, key, &r, false);
        r.mask = 0;
        n = 0;
    }
    return status;
}

/* A header does not say how much local memory a thread has, nor do its offsets begin at 0. */
static void see_local(ws_trace_target *t, const ws_static_instr *s, const ws_record *r)
{
    uint64_t address[WS_WARP];
    ws_record_spread(r, address);
    WS_EACH_LANE (lane, r->mask) {
        if (ws_address_place(t->header->form.window, s->instr.space, &address[lane]) != WS_SPACE_LOCAL)
            continue;
        const uint64_t end = address[lane] + s->instr.bytes;
        if (!t->local_end || address[lane] < t->local_first)
            t->local_first = address[lane] & ~UINT64_C(15);
        t->local_end = end > t->local_end ? end : t->local_end;
    }
}

static int find_warp(ws_trace_target *t, const ws_record *r, ws_trace_warp *warp, const char **expected)
{
    const uint64_t at[3] = {r->block[0], r->block[1], r->block[2]};
    warp->number = r->warp;
    *expected = "a block of the grid";
    if (!find_block(t->header, at, &warp->block))
        return WS_EINPUT;
    *expected = "a warp of the block";
    return r->warp < warps_of(t->header) ? WS_OK : WS_EINPUT;
}

int ws_trace_line_read(ws_trace_target *t, const ws_line_form *form, const char *line, const char *end,
                       const ws_trace_warp *warp, uint32_t *before, const char *path, uint64_t line_number)
{
    ws_record r;
    ws_line_error error = {.at = line, .expected = "an instruction"};
    ws_trace_warp named;
    int status = ws_instruction_read(t->table, form, line, end, *before, &r, &error);
    if (status == WS_EINPUT)
        return ws_trace_fail(path, line_number, line, end, error.at, error.expected);
    if (status)
        return ws_fail_context(status, "%s:%" PRIu64, path, line_number);
    if (!warp) {
        if (find_warp(t, &r, &named, &error.expected))
            return ws_trace_fail(path, line_number, line, end, line, error.expected);
        warp = &named;
    }
    if (r.mask & ~lanes_of(t->header, warp->number))
        return ws_trace_fail(path, line_number, line, end, r.mask_at, "a mask of lanes that the block has threads for");
    *before = r.id;
    const ws_static_instr *const s = &t->table->instr[r.id];
    const uint64_t key = warp->block * warps_of(t->header) + warp->number;
    if (warp == &named) {
        t->pairs = true;
        status = check_pair(t->spool, key, s, &r);
        if (status == WS_EINPUT)
            return ws_trace_fail(path, line_number, line, end, r.mask_at,
                                 "the second line of the warp's LDGSTS, with its global addresses");
        if (status)
            return status;
    }
    if (s->kind == WS_RECORD_MEMORY && (s->instr.space == WS_SPACE_LOCAL || s->instr.space == WS_SPACE_GENERIC) &&
        r.form != WS_ADDRESS_NONE)
        see_local(t, s, &r);
    status = ws_spool_add(t->spool, key, &r, s->kind == WS_RECORD_PLAIN);
    return status || s->kind != WS_RECORD_BULK || r.form == WS_ADDRESS_NONE ? status : add_transfers(t, key, r.id);
}

static int show_progress(body *b)
{
    ws_trace_target *const t = b->target;
    if (++t->since < LINES_PER_PROGRESS)
        return WS_OK;
    t->since = 0;
    if (t->progress && t->progress(t->context, ws_lines_done(b->lines)))
        return ws_fail(WS_EINTERRUPTED, "%s: interrupted", ws_lines_path(b->lines));
    return WS_OK;
}

static int refuse(const body *b, const char *line, const char *end, const char *at, const char *expected)
{
    return ws_trace_fail(ws_lines_path(b->lines), ws_lines_number(b->lines), line, end, at, expected);
}

/* ------------------------------------------------------------------------------------------------ grouped traces */

/* n numbers behind "name =", with commas in between. */
static int read_numbers(const body *b, const char *line, const char *end, const char *name, unsigned n, uint64_t *value,
                        const char *expected)
{
    const size_t length = strlen(name);
    const char *p = line + length;
    if ((size_t)(end - line) < length || memcmp(line, name, length))
        return refuse(b, line, end, line, expected);
    for (unsigned i = 0; i < n; i++) {
        while (*p == ' ' || *p == '\t')
            p++;
        if (*p++ != (i ? ',' : '='))
            return refuse(b, line, end, p - 1, expected);
        while (*p == ' ' || *p == '\t')
            p++;
        char *stop;
        value[i] = strtoull(p, &stop, 10);
        if (*p < '0' || *p > '9' || value[i] > UINT32_MAX)
            return refuse(b, line, end, p, expected);
        p = stop;
    }
    while (*p == ' ' || *p == '\t')
        p++;
    return p == end ? WS_OK : refuse(b, line, end, p, "the end of the line");
}

static int end_warp(body *b)
{
    if (!b->in_warp)
        return WS_OK;
    b->in_warp = false;
    if (b->read != b->expected)
        return ws_fail(WS_EINPUT,
                       "%s:%" PRIu64 ":1: expected %" PRIu64 " instructions of the warp before this line, not %" PRIu64,
                       ws_lines_path(b->lines), ws_lines_number(b->lines) + !b->in_block, b->expected, b->read);
    return ws_spool_leave(b->target->spool, b->warp.block * b->warps + b->warp.number);
}

static int begin_block(body *b, const char *line, const char *end)
{
    if (b->in_block)
        return refuse(b, line, end, line, "#END_TB of the block before");
    b->in_block = true;
    b->has_block = false;
    return WS_OK;
}

static int end_block(body *b, const char *line, const char *end)
{
    if (!b->in_block)
        return refuse(b, line, end, line, "#BEGIN_TB");
    const int status = end_warp(b);
    b->in_block = false;
    return status;
}

static int name_block(body *b, const char *line, const char *end)
{
    uint64_t at[3];
    if (b->has_block)
        return refuse(b, line, end, line, "#END_TB of the block before");
    const int status = read_numbers(b, line, end, "thread block", 3, at, "thread block = x,y,z");
    if (status)
        return status;
    b->has_block = true;
    return find_block(b->target->header, at, &b->warp.block) ? WS_OK
                                                             : refuse(b, line, end, line, "a block of the grid");
}

static int begin_warp(body *b, const char *line, const char *end)
{
    uint64_t number;
    int status = end_warp(b);
    if (!status)
        status = read_numbers(b, line, end, "warp", 1, &number, "warp = n");
    if (status)
        return status;
    if (!b->has_block)
        return refuse(b, line, end, line, "thread block = x,y,z");
    if (number >= b->warps)
        return refuse(b, line, end, line, "a warp of the block");
    b->warp.number = (uint32_t)number;
    if (ws_spool_has(b->target->spool, b->warp.block * b->warps + number))
        return refuse(b, line, end, line, "a warp that the trace has not had before");
    b->in_warp = true;
    b->expected = b->read = 0;
    b->before = NOBODY;
    return WS_OK;
}

static int count_warp(body *b, const char *line, const char *end)
{
    if (!b->in_warp || b->read || b->expected)
        return refuse(b, line, end, line, "warp = n");
    return read_numbers(b, line, end, "insts", 1, &b->expected, "insts = n");
}

static int read_instruction(body *b, const char *line, const char *end)
{
    if (!b->in_warp)
        return refuse(b, line, end, line, b->in_block ? "warp = n" : "#BEGIN_TB");
    if (b->read++ == b->expected)
        return refuse(b, line, end, line, "no more instructions than 'insts = n' says");
    return ws_trace_line_read(b->target, &b->form, line, end, &b->warp, &b->before, ws_lines_path(b->lines),
                              ws_lines_number(b->lines));
}

static bool begins(const char *line, const char *end, const char *word)
{
    const size_t n = strlen(word);
    return (size_t)(end - line) >= n && !memcmp(line, word, n);
}

static int read_grouped(body *b, const char *line, const char *end)
{
    switch (*line) {
    case '#':
        return begins(line, end, "#BEGIN_TB") ? begin_block(b, line, end)
               : begins(line, end, "#END_TB") ? end_block(b, line, end)
                                              : WS_OK;
    case 't':
        return b->in_block ? name_block(b, line, end) : refuse(b, line, end, line, "#BEGIN_TB");
    case 'w':
        return begin_warp(b, line, end);
    case 'i':
        return count_warp(b, line, end);
    case 'c':
        if (begins(line, end, "cluster ")) /* where the block is in its cluster: no event says so */
            return WS_OK;
        return read_instruction(b, line, end);
    default:
        return read_instruction(b, line, end);
    }
}

/* ------------------------------------------------------------------------------------------------ both */

static int read_raw(body *b, const char *line, const char *end)
{
    return ws_trace_line_read(b->target, &b->form, line, end, NULL, &b->before, ws_lines_path(b->lines),
                              ws_lines_number(b->lines));
}

static bool is_blank(const char *line, const char *end)
{
    while (line < end && (*line == ' ' || *line == '\t'))
        line++;
    return line == end;
}

int ws_trace_body_read(ws_lines *lines, bool begun, ws_line_form form, ws_trace_target *target)
{
    body b = {.lines = lines, .target = target, .form = form, .warps = warps_of(target->header), .before = NOBODY};
    bool grouped = begun, known = begun, found = true;
    b.in_block = begun;
    b.form.position = begun && form.version < 3;
    int status = WS_OK;
    while (!status) {
        const char *line, *end;
        status = ws_lines_next(lines, &line, &end, &found);
        if (status || !found)
            break;
        if (is_blank(line, end) || (!known && *line == '#' && !begins(line, end, "#BEGIN_TB")))
            continue;
        if (!known) {
            known = true;
            grouped = *line == '#';
            b.form.position = !grouped || form.version < 3;
            b.form.core = !grouped && ws_instruction_has_core(&b.form, line, end);
        }
        status = grouped ? read_grouped(&b, line, end) : read_raw(&b, line, end);
        if (!status)
            status = show_progress(&b);
    }
    b.in_block = false;
    return status ? status : end_warp(&b);
}
