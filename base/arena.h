/* arena.h - memory for trees of small nodes that live and die together. */
#ifndef WS_ARENA_H
#define WS_ARENA_H

#include <stddef.h>
#include <stdint.h>

typedef struct ws_arena ws_arena;

/* Creates an empty arena; NULL when memory is short. The caller frees it with ws_arena_destroy. */
ws_arena *ws_arena_create(void);

/* Frees the arena and everything allocated from it. Accepts NULL. */
void ws_arena_destroy(ws_arena *arena);

/* `size` zeroed bytes, aligned for any type; NULL when memory is short. Lives as long as the arena. */
void *ws_arena_alloc(ws_arena *arena, size_t size);

/* A NUL-terminated copy of text[0..length). NULL when memory is short. */
char *ws_arena_strndup(ws_arena *arena, const char *text, size_t length);

/* Takes over what `other` holds, which is gone then: it lives as long as the arena. `other` may be NULL. */
void ws_arena_adopt(ws_arena *arena, ws_arena *other);

#endif
