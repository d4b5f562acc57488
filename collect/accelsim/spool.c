/* spool.c - how is a launch kept that is larger than memory, and read again warp by warp?
 *
 * A chunk in the log: offset of the warp's chunk before it plus 1 (8 bytes), its length (4), then records:
 *   0 + 4 (n - 1)   n plain instructions: ids one after the other, mask as before
 *   1 + flags       one instruction; what the flags name follows, as numbers of variable length
 * A chunk starts from nothing, so that it can be read by itself once its place is known. */
#include "collect/accelsim/spool.h"

#include "base/bytes.h"
#include "base/grow.h"
#include "base/status.h"
#include "base/table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    CHUNK_BYTES = 4096,
    RECORD_MOST = 1 + 2 * WS_VARINT_BYTES + (1 + WS_WARP) * WS_VARINT_BYTES,
    OPEN_MOST = 8192, /* chunks that are being filled */
    HEAD_BYTES = 12,
    RUN_MOST = 64,
    WRITE_BYTES = 1 << 20, /* of the log in memory beyond its share, before they are written */
};

enum { SINGLE = 1, HAS_ID = 4, HAS_MASK = 8, HAS_ADDRESS = 16, IS_LIST = 32, HAS_STRIDE = 64 };

#define NOBODY UINT32_MAX

/* A chunk that is being filled. */
typedef struct filling {
    uint64_t key;
    uint32_t used, id, mask;
    uint64_t base;
    int64_t stride;
    uint8_t *run; /* the number of a run that may grow; NULL: none */
    uint8_t data[CHUNK_BYTES];
} filling;

/* What is known of a warp. */
typedef struct warp {
    uint64_t key;
    uint64_t last; /* offset of its last chunk in the log plus 1; 0: none */
    uint32_t open; /* chunk that is being filled; NOBODY: none */
    uint32_t note;
} warp;

struct ws_spool {
    uint64_t memory_bytes;
    ws_table warps;          /* of warp */
    filling **open;          /* [OPEN_MOST]; NULL until used */
    uint32_t opened, oldest; /* how many have memory; the next to be closed when all are in use */
    uint32_t *idle;          /* [OPEN_MOST] chunks of `open` that nobody fills */
    uint32_t idles;
    warp *recent;   /* looked up last; NULL: none */
    int file;       /* -1: none yet */
    uint64_t filed; /* bytes of the log in the file: all before the part in memory */
    ws_bytes log;
};

static int no_memory(void)
{
    return ws_fail(WS_EMEM, "no memory to keep the instructions of a launch");
}

int ws_spool_create(uint64_t memory_bytes, ws_spool **out)
{
    *out = NULL;
    ws_spool *const s = calloc(1, sizeof *s);
    if (!s)
        return no_memory();
    s->file = -1;
    s->memory_bytes = memory_bytes;
    s->warps = WS_TABLE(warp);
    s->open = calloc(OPEN_MOST, sizeof *s->open);
    s->idle = calloc(OPEN_MOST, sizeof *s->idle);
    if (!s->open || !s->idle) {
        ws_spool_destroy(s);
        return no_memory();
    }
    *out = s;
    return WS_OK;
}

void ws_spool_destroy(ws_spool *s)
{
    if (!s)
        return;
    for (uint32_t i = 0; s->open && i < s->opened; i++)
        free(s->open[i]);
    free(s->open);
    free(s->idle);
    ws_table_fini(&s->warps);
    ws_bytes_fini(&s->log);
    if (s->file >= 0)
        close(s->file);
    free(s);
}

void ws_spool_clear(ws_spool *s)
{
    ws_table_clear(&s->warps);
    s->recent = NULL;
    s->idles = 0;
    for (uint32_t i = s->opened; i > 0; i--)
        s->idle[s->idles++] = i - 1;
    s->oldest = 0;
    s->log.length = 0;
    if (s->filed && ftruncate(s->file, 0) == 0)
        s->filed = 0;
    s->filed = 0;
}

/* ------------------------------------------------------------------------------------------------ warps */

static int find_warp(ws_spool *s, uint64_t key, warp **out)
{
    if (!s->recent || s->recent->key != key) {
        const size_t before = s->warps.used;
        s->recent = ws_table_put(&s->warps, key);
        if (!s->recent)
            return no_memory();
        if (s->warps.used != before)
            *s->recent = (warp){.key = key, .open = NOBODY};
    }
    *out = s->recent;
    return WS_OK;
}

int ws_spool_note(ws_spool *s, uint64_t key, uint32_t **note)
{
    warp *w;
    const int status = find_warp(s, key, &w);
    *note = status ? NULL : &w->note;
    return status;
}

bool ws_spool_has(const ws_spool *s, uint64_t key)
{
    const warp *const w = ws_table_find(&s->warps, key);
    return w && (w->last || w->open != NOBODY);
}

/* ------------------------------------------------------------------------------------------------ the log */

static int open_file(ws_spool *s)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    if (!folder || !*folder)
        folder = "/tmp";
    const int n = snprintf(path, sizeof path, "%s/warpscape-XXXXXX", folder);
    s->file = n < (int)sizeof path ? mkostemp(path, O_CLOEXEC) : -1;
    if (s->file < 0)
        return ws_fail(WS_EIO, "cannot make a temporary file in %.400s: %s; TMPDIR names another place", folder,
                       strerror(errno));
    unlink(path);
    return WS_OK;
}

static int write_log(ws_spool *s)
{
    int status = s->file < 0 ? open_file(s) : WS_OK;
    for (size_t done = 0; !status && done < s->log.length;) {
        const ssize_t n = pwrite(s->file, s->log.data + done, s->log.length - done, (off_t)(s->filed + done));
        if (n < 0 && errno != EINTR)
            status =
                ws_fail(WS_EIO, "cannot write to a temporary file: %s; TMPDIR names another place", strerror(errno));
        done += n > 0 ? (size_t)n : 0;
    }
    if (!status) {
        s->filed += s->log.length;
        s->log.length = 0;
    }
    return status;
}

/* Puts what a warp has filled at the end of the log. */
static int close_chunk(ws_spool *s, warp *w)
{
    filling *const f = s->open[w->open];
    const uint64_t at = s->filed + s->log.length;
    ws_bytes_add(&s->log, &w->last, sizeof w->last);
    ws_bytes_add(&s->log, &f->used, sizeof f->used);
    ws_bytes_add(&s->log, f->data, f->used);
    if (s->log.failed)
        return no_memory();
    w->last = at + 1;
    s->idle[s->idles++] = w->open;
    w->open = NOBODY;
    f->used = 0;
    return s->log.length >= WRITE_BYTES && s->log.length - WRITE_BYTES >= s->memory_bytes ? write_log(s) : WS_OK;
}

/* A chunk for the warp to fill. When all are in use, the one that was begun first is closed. */
static int open_chunk(ws_spool *s, warp *w)
{
    if (!s->idles && s->opened < OPEN_MOST) {
        s->open[s->opened] = malloc(sizeof **s->open);
        if (!s->open[s->opened])
            return no_memory();
        s->idle[s->idles++] = s->opened++;
    }
    if (!s->idles) {
        warp *const other = ws_table_find(&s->warps, s->open[s->oldest]->key);
        const int status = close_chunk(s, other);
        if (status)
            return status;
        s->oldest = (s->oldest + 1) % OPEN_MOST;
    }
    w->open = s->idle[--s->idles];
    filling *const f = s->open[w->open];
    *f = (filling){.key = w->key, .id = NOBODY};
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ writing */

static uint8_t *put_varint(uint8_t *to, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *to++ = (uint8_t)(value | 0x80);
    *to++ = (uint8_t)value;
    return to;
}

static uint8_t *put_list(uint8_t *to, const ws_record *r)
{
    const unsigned lanes = ws_popcount(r->mask);
    for (unsigned i = 1; i < lanes; i++)
        to = put_varint(to, ws_zigzag(r->delta[i]));
    return to;
}

static void put_record(filling *f, const ws_record *r, bool plain)
{
    const bool next = r->id == f->id + 1, same = r->mask == f->mask;
    uint8_t *const at = f->data + f->used;
    if (plain && next && same && f->run && *f->run < 4 * (RUN_MOST - 1)) {
        *f->run = (uint8_t)(*f->run + 4);
        f->id = r->id;
        return;
    }
    if (plain && next && same) {
        *at = 0;
        f->run = at;
        f->used++;
        f->id = r->id;
        return;
    }
    const bool list = !plain && r->form == WS_ADDRESS_LIST, addresses = !plain && r->form != WS_ADDRESS_NONE,
               stride = addresses && !list && r->stride != f->stride;
    *at = (uint8_t)(SINGLE | (next ? 0 : HAS_ID) | (same ? 0 : HAS_MASK) | (addresses ? HAS_ADDRESS : 0) |
                    (list ? IS_LIST : 0) | (stride ? HAS_STRIDE : 0));
    uint8_t *to = at + 1;
    if (!next)
        to = put_varint(to, ws_zigzag((int64_t)r->id - (int64_t)(uint32_t)(f->id + 1)));
    if (!same)
        to = put_varint(to, r->mask);
    if (addresses)
        to = put_varint(to, ws_zigzag((int64_t)(r->base - f->base)));
    if (stride)
        to = put_varint(to, ws_zigzag(r->stride));
    if (list)
        to = put_list(to, r);
    f->used += (uint32_t)(to - at);
    f->id = r->id;
    f->mask = r->mask;
    f->run = NULL;
    f->base = addresses ? r->base : f->base;
    f->stride = stride ? r->stride : f->stride;
}

int ws_spool_add(ws_spool *s, uint64_t key, const ws_record *record, bool plain)
{
    warp *w;
    int status = find_warp(s, key, &w);
    if (!status && w->open != NOBODY && s->open[w->open]->used + RECORD_MOST > CHUNK_BYTES)
        status = close_chunk(s, w);
    if (!status && w->open == NOBODY)
        status = open_chunk(s, w);
    if (!status)
        put_record(s->open[w->open], record, plain);
    return status;
}

int ws_spool_leave(ws_spool *s, uint64_t key)
{
    warp *const w = ws_table_find(&s->warps, key);
    return w && w->open != NOBODY ? close_chunk(s, w) : WS_OK;
}

int ws_spool_end(ws_spool *s)
{
    int status = WS_OK;
    uint64_t key;
    for (size_t i = 0; !status && ws_table_next(&s->warps, &i, &key); i++) {
        warp *const w = ws_table_value(&s->warps, i);
        if (w->open != NOBODY)
            status = close_chunk(s, w);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ reading */

static int read_file(const ws_spool *s, uint64_t from, void *to, size_t length)
{
    for (size_t done = 0; done < length;) {
        const ssize_t n = pread(s->file, (char *)to + done, length - done, (off_t)(from + done));
        if (n == 0 || (n < 0 && errno != EINTR))
            return ws_fail(WS_EIO, "cannot read a temporary file: %s",
                           n ? strerror(errno) : "it is shorter than written");
        done += n > 0 ? (size_t)n : 0;
    }
    return WS_OK;
}

/* Bytes of the log; in place when they are in memory, else in `copy`. */
static int read_log(const ws_spool *s, uint64_t from, size_t length, uint8_t *copy, const uint8_t **at)
{
    if (from >= s->filed) {
        *at = s->log.data + (from - s->filed);
        return WS_OK;
    }
    *at = copy;
    return read_file(s, from, copy, length);
}

static int find_chunks(const ws_spool *s, uint64_t last, ws_spool_cursor *c)
{
    c->chunks = 0;
    for (uint64_t at = last; at;) {
        uint8_t head[HEAD_BYTES];
        const uint8_t *p;
        if (WS_GROW(c->chunk, c->room, c->chunks, 1))
            return no_memory();
        c->chunk[c->chunks++] = at - 1;
        const int status = read_log(s, at - 1, HEAD_BYTES, head, &p);
        if (status)
            return status;
        memcpy(&at, p, sizeof at);
    }
    for (size_t i = 0; i < c->chunks / 2; i++) { /* they were found from the last to the first */
        const uint64_t swap = c->chunk[i];
        c->chunk[i] = c->chunk[c->chunks - 1 - i];
        c->chunk[c->chunks - 1 - i] = swap;
    }
    return WS_OK;
}

int ws_spool_open(const ws_spool *s, uint64_t key, ws_spool_cursor *c)
{
    const warp *const w = ws_table_find(&s->warps, key);
    c->chunks = c->next_chunk = 0;
    c->next = c->end = NULL;
    return w ? find_chunks(s, w->last, c) : WS_OK;
}

void ws_spool_close(ws_spool_cursor *c)
{
    free(c->chunk);
    free(c->copy);
    *c = (ws_spool_cursor){0};
}

static int next_chunk(const ws_spool *s, ws_spool_cursor *c)
{
    const uint8_t *at;
    uint32_t length;
    if (!c->copy && !(c->copy = malloc(CHUNK_BYTES)))
        return no_memory();
    const uint64_t from = c->chunk[c->next_chunk++];
    int status = read_log(s, from + sizeof from, sizeof length, c->copy, &at);
    if (status)
        return status;
    memcpy(&length, at, sizeof length);
    status = read_log(s, from + HEAD_BYTES, length, c->copy, &c->next);
    c->end = c->next + length;
    c->id = NOBODY;
    c->mask = 0;
    c->base = 0;
    c->stride = 0;
    return status;
}

static uint64_t get_varint(ws_spool_cursor *c)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;
    do {
        byte = *c->next++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte >= 0x80);
    return value;
}

static void get_single(ws_spool_cursor *c, unsigned flags, ws_record *r)
{
    c->id++;
    if (flags & HAS_ID)
        c->id = (uint32_t)((int64_t)c->id + ws_unzigzag(get_varint(c)));
    if (flags & HAS_MASK)
        c->mask = (uint32_t)get_varint(c);
    r->id = c->id;
    r->mask = c->mask;
    r->form = WS_ADDRESS_NONE;
    if (!(flags & HAS_ADDRESS))
        return;
    r->form = flags & IS_LIST ? WS_ADDRESS_LIST : WS_ADDRESS_STRIDE;
    r->base = c->base += (uint64_t)ws_unzigzag(get_varint(c));
    if (flags & HAS_STRIDE)
        c->stride = ws_unzigzag(get_varint(c));
    r->stride = c->stride;
    const unsigned lanes = flags & IS_LIST ? ws_popcount(c->mask) : 0;
    for (unsigned i = 1; i < lanes; i++)
        r->delta[i] = ws_unzigzag(get_varint(c));
}

int ws_spool_next(const ws_spool *s, ws_spool_cursor *c, ws_record *r, unsigned *run)
{
    *run = 0;
    while (c->next == c->end) {
        if (c->next_chunk == c->chunks)
            return WS_OK;
        const int status = next_chunk(s, c);
        if (status)
            return status;
    }
    const unsigned tag = *c->next++;
    if (tag & SINGLE) {
        get_single(c, tag, r);
        *run = 1;
        return WS_OK;
    }
    *run = tag / 4 + 1;
    r->id = c->id + 1;
    r->mask = c->mask;
    r->form = WS_ADDRESS_NONE;
    c->id += *run;
    return WS_OK;
}
