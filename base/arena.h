/* arena.h - allocator for trees of small nodes that are freed together. */
#ifndef WS_ARENA_H
#define WS_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct ws_arena ws_arena;

/* Creates an empty arena; NULL when memory is short. The caller frees it with ws_arena_destroy. */
ws_arena *ws_arena_create(void);

/* Frees the arena and everything allocated from it. Accepts NULL. */
void ws_arena_destroy(ws_arena *arena);

/* Returns `size` zeroed bytes, aligned for any type, or NULL when memory is short. They live as long as the arena. */
void *ws_arena_alloc(ws_arena *arena, size_t size);

/* Returns a NUL-terminated copy of text[0..length), allocated in the arena, or NULL when memory is short. */
char *ws_arena_strndup(ws_arena *arena, const char *text, size_t length);

/* Moves everything allocated from `other` into `arena`, and frees `other`. `other` may be NULL. */
void ws_arena_adopt(ws_arena *arena, ws_arena *other);

#endif
