/* wst_shelf.c - chunks of a trace file, unpacked, as many as there is room for; read and checked when somebody comes to
 * them. */
#include "collect/wst/wst_trace_internal.h"

#include "base/grow.h"
#include "base/status.h"

#include <pthread.h>
#include <stdlib.h>

struct ws_trace_shelf {
    ws_trace *trace;
    pthread_mutex_t lock; /* guards all below; a chunk in use stays where it is */
    uint64_t most, bytes, clock;
    ws_wst_unpacked **chunk;
    size_t chunks, room;
    ws_bytes stored;
};

int ws_trace_shelf_create(ws_trace *trace, uint64_t bytes, ws_trace_shelf **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return ws_wst_no_memory(trace);
    (*out)->trace = trace;
    (*out)->most = bytes;
    pthread_mutex_init(&(*out)->lock, NULL);
    return WS_OK;
}

static void throw_away(ws_trace_shelf *s, size_t i)
{
    ws_wst_unpacked *const u = s->chunk[i];
    s->bytes -= u->raw.capacity;
    s->chunk[i] = s->chunk[--s->chunks];
    ws_bytes_fini(&u->raw);
    free(u->begin);
    free(u);
}

void ws_trace_shelf_destroy(ws_trace_shelf *s)
{
    if (!s)
        return;
    while (s->chunks)
        throw_away(s, s->chunks - 1);
    free(s->chunk);
    ws_bytes_fini(&s->stored);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

/* Those used least recently go first, of those that nobody reads. */
static void make_space(ws_trace_shelf *s)
{
    while (s->bytes > s->most) {
        size_t oldest = SIZE_MAX;
        for (size_t i = 0; i < s->chunks; i++)
            if (!s->chunk[i]->users && (oldest == SIZE_MAX || s->chunk[i]->used < s->chunk[oldest]->used))
                oldest = i;
        if (oldest == SIZE_MAX)
            return;
        throw_away(s, oldest);
    }
}

/* Reads and unpacks an entry. */
static int unpack_chunk(const ws_trace *t, const ws_wst_entry *e, ws_bytes *stored, ws_bytes *raw)
{
    int status = ws_wst_read_stored(t, e, stored);
    if (status)
        return status;
    ws_reader plain = ws_reader_of(stored);
    ws_wst_chunk chunk;
    ws_wst_chunk_read(&plain, &chunk);
    if (plain.failed || chunk.first != e->chunk.first || chunk.blocks != e->chunk.blocks ||
        chunk.segments != e->chunk.segments || chunk.continues != e->chunk.continues)
        return WS_EINPUT;
    return ws_wst_unpack(t, e, stored, (size_t)(plain.next - stored->data), raw);
}

static int put_on_shelf(ws_trace_shelf *s, size_t number, ws_wst_unpacked **out)
{
    ws_wst_unpacked *const u = calloc(1, sizeof *u);
    if (!u || WS_GROW(s->chunk, s->room, s->chunks, 1)) {
        free(u);
        return ws_wst_no_memory(s->trace);
    }
    const int status = unpack_chunk(s->trace, &s->trace->entry[number], &s->stored, &u->raw);
    if (status) {
        ws_bytes_fini(&u->raw);
        free(u);
        return status;
    }
    u->entry = number;
    s->chunk[s->chunks++] = u;
    s->bytes += u->raw.capacity;
    *out = u;
    return WS_OK;
}

int ws_wst_shelf_take(ws_trace_shelf *s, size_t number, ws_wst_unpacked **out, bool *fresh)
{
    int status = WS_OK;
    pthread_mutex_lock(&s->lock);
    *out = NULL;
    for (size_t i = 0; i < s->chunks && !*out; i++)
        if (s->chunk[i]->entry == number)
            *out = s->chunk[i];
    *fresh = !*out;
    if (*fresh)
        status = put_on_shelf(s, number, out);
    if (!status) {
        (*out)->users++;
        (*out)->used = ++s->clock;
        *fresh = *fresh && s->bytes > s->most / 2;
        make_space(s);
    }
    pthread_mutex_unlock(&s->lock);
    return status;
}

void ws_wst_shelf_give_back(ws_trace_shelf *s, ws_wst_unpacked *u)
{
    pthread_mutex_lock(&s->lock);
    u->users--;
    make_space(s);
    pthread_mutex_unlock(&s->lock);
}

size_t ws_wst_shelf_find(ws_trace_shelf *s, ws_wst_unpacked *u, uint64_t block)
{
    const ws_wst_chunk *const chunk = &s->trace->entry[u->entry].chunk;
    const uint64_t first = chunk->first + chunk->continues; /* that begins in it */
    if (block < first || block - first > chunk->blocks)
        return 0;
    pthread_mutex_lock(&s->lock);
    if (!u->begin && (u->begin = calloc(chunk->blocks + 1, sizeof *u->begin)) != NULL) {
        ws_reader r = ws_reader_of(&u->raw);
        ws_wst_head head;
        for (const uint8_t *at = r.next; r.next < r.end && ws_wst_read_head(&r, &head); at = r.next)
            if (head.block >= first && head.block - first <= chunk->blocks && !u->begin[head.block - first])
                u->begin[head.block - first] = (uint32_t)(at - u->raw.data);
    }
    const size_t offset = u->begin ? u->begin[block - first] : 0;
    pthread_mutex_unlock(&s->lock);
    return offset;
}
