/* wst_cursor.c - block by block: what happened? */
#include "collect/wst/wst_trace_internal.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>

struct ws_trace_cursor {
    ws_trace *trace;
    size_t number; /* of the launch */
    const ws_wst_launch *launch;
    ws_wst_codec *codec;
    ws_trace_shelf *shelf;
    bool own_shelf, fresh;
    uint64_t most;          /* events of a segment */
    size_t entry;           /* chunk to be read next */
    ws_wst_unpacked *chunk; /* that is read; NULL: none, or it went back to the shelf, to be taken again at: */
    size_t offset;          /* of the next segment, or of the one in work */
    size_t length;          /* of the chunk */
    bool in_work;           /* the codec has a part of the segment at `offset` */
    size_t behind;          /* the segment in work: where the next one is */
    uint64_t block;         /* that the next segment belongs to */
    uint64_t wanted;        /* blocks before it are skipped */
};

int ws_trace_cursor_create(ws_trace *trace, size_t number, ws_trace_cursor **out)
{
    ws_trace_shelf *shelf;
    *out = NULL;
    int status = ws_trace_shelf_create(trace, 0, &shelf);
    if (!status)
        status = ws_trace_cursor_share(trace, number, shelf, WS_WST_ALL, out);
    if (status)
        ws_trace_shelf_destroy(shelf);
    else
        (*out)->own_shelf = true;
    return status;
}

int ws_trace_cursor_share(ws_trace *trace, size_t number, ws_trace_shelf *shelf, uint64_t most, ws_trace_cursor **out)
{
    *out = NULL;
    ws_trace_cursor *const c = calloc(1, sizeof *c);
    if (!c)
        return ws_wst_no_memory(trace);
    c->trace = trace;
    c->number = number;
    c->launch = &trace->launch[number];
    c->entry = c->launch->first;
    c->shelf = shelf;
    c->most = most;
    c->codec = ws_wst_codec_create(&c->launch->about.launch);
    if (!c->codec) {
        free(c);
        return ws_wst_no_memory(trace);
    }
    *out = c;
    return WS_OK;
}

void ws_trace_cursor_destroy(ws_trace_cursor *c)
{
    if (!c)
        return;
    ws_trace_cursor_rest(c);
    ws_wst_codec_destroy(c->codec);
    if (c->own_shelf)
        ws_trace_shelf_destroy(c->shelf);
    free(c);
}

void ws_trace_cursor_rest(ws_trace_cursor *c)
{
    if (c->chunk)
        ws_wst_shelf_give_back(c->shelf, c->chunk);
    c->chunk = NULL;
}

bool ws_trace_cursor_fresh(const ws_trace_cursor *c)
{
    return c->fresh;
}

bool ws_trace_cursor_between(const ws_trace_cursor *c)
{
    return c->offset == c->length;
}

int ws_trace_cursor_seek(ws_trace_cursor *c, uint64_t block)
{
    const ws_wst_launch *const l = c->launch;
    size_t low = l->first, high = l->end; /* the last chunk that begins at or before the block's first segment */
    if (block >= l->about.blocks)
        return ws_fail(WS_ENOTFOUND, "%s: launch %zu has no block %" PRIu64, c->trace->path, c->number + 1, block);
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        const ws_wst_chunk *const chunk = &c->trace->entry[middle].chunk;
        if (chunk->first < block || (chunk->first == block && !chunk->continues))
            low = middle;
        else
            high = middle;
    }
    ws_trace_cursor_rest(c);
    c->entry = low;
    c->offset = c->length = 0;
    c->in_work = false;
    c->wanted = block;
    return WS_OK;
}

static int fail_at(const ws_trace_cursor *c, int status)
{
    char good[64] = "there is no good block";
    if (status == WS_EMEM)
        return ws_wst_no_memory(c->trace);
    const uint64_t offset = c->trace->entry[c->entry ? c->entry - 1 : 0].offset;
    if (c->block)
        snprintf(good, sizeof good, "the last good block is %" PRIu64, c->block - 1);
    return ws_fail(WS_EINPUT, "%s: the trace is damaged at byte %" PRIu64 "; %s of launch %zu (%s)", c->trace->path,
                   offset, good, c->number + 1, c->launch->about.launch.kernel);
}

/* Gets hold of chunk `entry - 1`. */
static int hold_chunk(ws_trace_cursor *c)
{
    bool fresh;
    const int status = ws_wst_shelf_take(c->shelf, c->entry - 1, &c->chunk, &fresh);
    c->fresh |= fresh;
    return status == WS_EINPUT || status == WS_EMEM ? fail_at(c, status) : status;
}

/* The first segment of the chunk from which on blocks are wanted. */
static int next_chunk(ws_trace_cursor *c)
{
    ws_trace_cursor_rest(c);
    const ws_wst_chunk *const chunk = &c->trace->entry[c->entry++].chunk;
    c->block = chunk->first;
    const int status = hold_chunk(c);
    if (status)
        return status;
    c->offset = 0;
    c->length = c->chunk->raw.length;
    if (c->wanted > c->block && (c->offset = ws_wst_shelf_find(c->shelf, c->chunk, c->wanted)) != 0)
        c->block = c->wanted;
    return WS_OK;
}

/* The chunk with the next segment, or the one in work, is at hand; not *found: there is none. */
static int come_to_segment(ws_trace_cursor *c, bool *found)
{
    *found = true;
    while (c->offset == c->length) {
        if (c->entry >= c->launch->end) {
            ws_trace_cursor_rest(c);
            *found = false;
            return WS_OK;
        }
        const int status = next_chunk(c);
        if (status)
            return status;
    }
    return c->chunk ? WS_OK : hold_chunk(c);
}

/* The head at `offset`; the codec gets to know where its bytes are. False: it is damaged. */
static bool open_segment(ws_trace_cursor *c, bool was_away)
{
    ws_wst_head head;
    if (c->in_work && !was_away)
        return true;
    ws_reader r = ws_reader_of(&c->chunk->raw);
    r.next += c->offset;
    if (!ws_wst_read_head(&r, &head) || head.block != c->block || head.block >= c->launch->about.launch.blocks)
        return false;
    if (c->in_work) {
        ws_wst_read_moved(c->codec, &head);
        return true;
    }
    c->behind = (size_t)(r.next - c->chunk->raw.data);
    c->in_work = head.block >= c->wanted;
    if (c->in_work) {
        ws_wst_read_begin(c->codec, &head);
    } else {
        c->offset = c->behind;
        c->block += head.last;
    }
    return true;
}

static int read_part(ws_trace_cursor *c, ws_trace_segment *segment)
{
    ws_wst_segment read;
    bool ended;
    const int status = ws_wst_read_on(c->codec, c->most, &read, &ended);
    if (status)
        return fail_at(c, status);
    *segment = (ws_trace_segment){.batch = read.batch, .value = read.value, .values = read.values, .last = read.last};
    if (!ended)
        return WS_OK;
    c->in_work = false;
    c->offset = c->behind;
    c->block += read.last;
    return WS_OK;
}

int ws_trace_cursor_next(ws_trace_cursor *c, ws_trace_segment *segment, bool *found)
{
    for (c->fresh = false;;) {
        const bool was_away = !c->chunk;
        const int status = come_to_segment(c, found);
        if (status || !*found)
            return status;
        if (!open_segment(c, was_away))
            return fail_at(c, WS_EINPUT);
        if (c->in_work)
            return read_part(c, segment);
    }
}

/* ------------------------------------------------------------------------------------------------ all of it */

static int check_launch(ws_trace *t, size_t i, int (*progress)(void *, double), void *context)
{
    ws_trace_cursor *c;
    int status = ws_trace_cursor_create(t, i, &c);
    bool found = true;
    size_t seen = 0;
    while (!status && found) {
        ws_trace_segment segment;
        status = ws_trace_cursor_next(c, &segment, &found);
        if (!status && progress && c->entry != seen) {
            seen = c->entry;
            if (progress(context, (double)seen / (double)t->entries))
                status = ws_fail(WS_EINTERRUPTED, "%s: interrupted", t->path);
        }
    }
    ws_trace_cursor_destroy(c);
    return status;
}

int ws_trace_check(ws_trace *t, int (*progress)(void *context, double done), void *context)
{
    int status = WS_OK;
    for (size_t i = 0; i < t->launches && !status; i++)
        status = check_launch(t, i, progress, context);
    return status || !t->damage ? status : ws_fail(WS_EINPUT, "%s", t->damage);
}
