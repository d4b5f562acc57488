/* arena.c - chunks of memory, handed out front to back. */
#include "base/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BYTES = 4 * 1024, CHUNK_BYTES = 64 * 1024 }; /* each chunk is twice the one before, up to the latter */

typedef struct chunk {
    struct chunk *next;
    size_t used, size;
    alignas(max_align_t) unsigned char data[];
} chunk;

struct ws_arena {
    chunk *head;
    size_t last; /* size of the latest chunk that is not for one large block */
};

ws_arena *ws_arena_create(void)
{
    return calloc(1, sizeof(ws_arena));
}

void ws_arena_destroy(ws_arena *arena)
{
    if (!arena)
        return;
    for (chunk *c = arena->head, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    free(arena);
}

void *ws_arena_alloc(ws_arena *arena, size_t size)
{
    const size_t unit = alignof(max_align_t);
    if (size > SIZE_MAX - unit - sizeof(chunk))
        return NULL;
    size = (size + unit - 1) / unit * unit;
    chunk *c = arena->head;
    if (!c || c->size - c->used < size) {
        const size_t twice = arena->last ? 2 * arena->last : FIRST_BYTES;
        const size_t next = twice < CHUNK_BYTES ? twice : CHUNK_BYTES, want = size > next ? size : next;
        chunk *fresh = malloc(sizeof(chunk) + want);
        if (!fresh)
            return NULL;
        fresh->used = 0;
        fresh->size = want;
        if (c && size > next) { /* a large block must not hide the free rest of the current chunk */
            fresh->next = c->next;
            c->next = fresh;
        } else {
            fresh->next = c;
            arena->head = fresh;
            arena->last = next;
        }
        c = fresh;
    }
    void *p = c->data + c->used;
    c->used += size;
    memset(p, 0, size);
    return p;
}

char *ws_arena_strndup(ws_arena *arena, const char *text, size_t length)
{
    char *copy = ws_arena_alloc(arena, length + 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

void ws_arena_adopt(ws_arena *arena, ws_arena *other)
{
    if (!other)
        return;
    chunk **end = &arena->head;
    while (*end)
        end = &(*end)->next;
    *end = other->head;
    free(other);
}
