/* step_store.c - where do packed steps wait? In memory; beyond a bound in a file without a name, in TMPDIR. */
#include "model/sim/step_store.h"

#include "base/bytes.h"
#include "base/grow.h"
#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct ws_step_part {
    struct ws_step_part *next;
    uint32_t length;
    bool filed;
    uint64_t offset; /* in the file */
    uint8_t data[];  /* unless it is there */
} ws_step_part;

struct ws_step_store {
    const ws_launch *launch;
    uint64_t bound;       /* of `memory` */
    pthread_mutex_t lock; /* guards all below */
    ws_trace_packer **idle;
    size_t idles, idle_room;
    uint64_t memory, filed, end; /* bytes in memory; in the file; where it ends */
    int file;                    /* -1: none yet */
};

int ws_step_store_create(const ws_launch *launch, uint64_t memory_bytes, ws_step_store **out)
{
    ws_step_store *const s = *out = calloc(1, sizeof *s);
    if (!s)
        return ws_fail(WS_EMEM, "no memory to keep steps");
    s->launch = launch;
    s->bound = memory_bytes;
    s->file = -1;
    pthread_mutex_init(&s->lock, NULL);
    return WS_OK;
}

void ws_step_store_destroy(ws_step_store *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->idles; i++)
        ws_trace_packer_destroy(s->idle[i]);
    free(s->idle);
    if (s->file >= 0)
        close(s->file);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

int ws_step_store_lend(ws_step_store *s, ws_trace_packer **packer)
{
    *packer = NULL;
    pthread_mutex_lock(&s->lock);
    if (s->idles)
        *packer = s->idle[--s->idles];
    pthread_mutex_unlock(&s->lock);
    return *packer ? WS_OK : ws_trace_packer_create(s->launch, packer);
}

void ws_step_store_return(ws_step_store *s, ws_trace_packer *packer)
{
    pthread_mutex_lock(&s->lock);
    if (WS_GROW(s->idle, s->idle_room, s->idles, 1))
        ws_trace_packer_destroy(packer);
    else
        s->idle[s->idles++] = packer;
    pthread_mutex_unlock(&s->lock);
}

static int open_file(ws_step_store *s)
{
    const char *const folder = getenv("TMPDIR");
    char path[512];
    const int n = snprintf(path, sizeof path, "%s/warpscape-steps-XXXXXX", folder && *folder ? folder : "/tmp");
    s->file = n < (int)sizeof path ? mkostemp(path, O_CLOEXEC) : -1;
    if (s->file < 0)
        return ws_fail(WS_EIO, "cannot make a temporary file in %.400s: %s; TMPDIR names another place",
                       folder && *folder ? folder : "/tmp",
                       n < (int)sizeof path ? strerror(errno) : "its name is too long");
    unlink(path);
    return WS_OK;
}

/* A place of the file for so many bytes; *in_file false: they stay in memory. */
static int find_place(ws_step_store *s, size_t length, bool *in_file, uint64_t *offset)
{
    int status = WS_OK;
    pthread_mutex_lock(&s->lock);
    *in_file = s->memory + length > s->bound;
    if (*in_file && s->file < 0)
        status = open_file(s);
    if (!status && *in_file) {
        *offset = s->end;
        s->end += length;
        s->filed += length;
    } else if (!status) {
        s->memory += length;
    }
    pthread_mutex_unlock(&s->lock);
    return status;
}

static int write_part(const ws_step_store *s, uint64_t offset, const uint8_t *data, size_t length)
{
    for (size_t done = 0; done < length;) {
        const ssize_t n = pwrite(s->file, data + done, length - done, (off_t)(offset + done));
        if (n < 0 && errno != EINTR)
            return ws_fail(WS_EIO, "cannot write to a temporary file: %s; TMPDIR names another place", strerror(errno));
        done += n > 0 ? (size_t)n : 0;
    }
    return WS_OK;
}

static int read_part(const ws_step_store *s, uint64_t offset, uint8_t *data, size_t length)
{
    for (size_t done = 0; done < length;) {
        const ssize_t n = pread(s->file, data + done, length - done, (off_t)(offset + done));
        if (!n || (n < 0 && errno != EINTR))
            return ws_fail(WS_EIO, "cannot read a temporary file: %s",
                           n ? strerror(errno) : "it is shorter than it was");
        done += n > 0 ? (size_t)n : 0;
    }
    return WS_OK;
}

int ws_step_store_put(ws_step_store *s, ws_trace_packer *packer, ws_step_chain *chain)
{
    ws_bytes all = {0};
    bool in_file = false;
    uint64_t offset = 0;
    ws_step_part *part = NULL;
    int status = ws_trace_pack_end(packer, &all);
    if (!status)
        status = find_place(s, all.length, &in_file, &offset);
    if (!status && !(part = malloc(sizeof *part + (in_file ? 0 : all.length))))
        status = ws_fail(WS_EMEM, "no memory to keep steps");
    if (!status && in_file)
        status = write_part(s, offset, all.data, all.length);
    if (status) {
        free(part);
        ws_bytes_fini(&all);
        return status;
    }
    *part = (ws_step_part){.length = (uint32_t)all.length, .filed = in_file, .offset = offset};
    if (!in_file)
        memcpy(part->data, all.data, all.length);
    ws_bytes_fini(&all);
    *(chain->last ? &chain->last->next : &chain->first) = part;
    chain->last = part;
    return WS_OK;
}

/* The first part has been used; its place in the file goes back to the disk, where that is possible. */
static void drop_first(ws_step_store *s, ws_step_chain *chain)
{
    ws_step_part *const part = chain->first;
    chain->first = part->next;
    if (!chain->first)
        chain->last = NULL;
    pthread_mutex_lock(&s->lock);
    *(part->filed ? &s->filed : &s->memory) -= part->length;
    if (part->filed && !s->filed) {
        s->end = 0;
        (void)!ftruncate(s->file, 0);
    } else if (part->filed) {
        (void)!fallocate(s->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)part->offset, part->length);
    }
    pthread_mutex_unlock(&s->lock);
    free(part);
}

int ws_step_store_get(ws_step_store *s, ws_trace_packer *packer, ws_step_chain *chain, ws_batch *batch)
{
    const ws_step_part *const part = chain->first;
    uint8_t *const copy = part->filed ? malloc(part->length + 1u) : NULL;
    int status = part->filed && !copy ? ws_fail(WS_EMEM, "no memory to read steps") : WS_OK;
    if (!status && copy)
        status = read_part(s, part->offset, copy, part->length);
    if (!status)
        status = ws_trace_unpack(packer, copy ? copy : part->data, part->length, batch);
    free(copy);
    drop_first(s, chain);
    return status;
}

void ws_step_store_forget(ws_step_store *s, ws_step_chain *chain)
{
    while (chain->first)
        drop_first(s, chain);
}

void ws_step_store_count(ws_step_store *s, uint64_t *memory_bytes, uint64_t *file_bytes)
{
    pthread_mutex_lock(&s->lock);
    *memory_bytes = s->memory;
    *file_bytes = s->filed;
    pthread_mutex_unlock(&s->lock);
}
