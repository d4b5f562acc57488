/* cube_functions.h - the functions of expressions (cube_functions.def), by name. */
#ifndef WS_CUBE_FUNCTIONS_H
#define WS_CUBE_FUNCTIONS_H

#include "base/cube/cube.h"

enum { WS_CUBE_ARGUMENTS_MOST = 6 };

typedef struct ws_cube_call {
    const struct ws_cube_work *work;
    const ws_cube *argument[WS_CUBE_ARGUMENTS_MOST];
    size_t arguments;
    const char *const *over; /* [overs]; none: all axes */
    size_t overs;
    /* What a label is called in texts: itself, where it has no name. */
    const char *(*shown)(const void *names, const char *axis, const char *label);
    const void *names;
} ws_cube_call;

typedef struct ws_cube_function {
    const char *name;
    size_t least, most; /* arguments */
    bool over;
    const char *arguments, *meaning;
    int (*call)(const ws_cube_call *call, const ws_cube **out);
} ws_cube_function;

/* In the order of the table; NULL behind the last. */
const ws_cube_function *ws_cube_function_at(size_t index);
const ws_cube_function *ws_cube_function_find(const char *name);

#endif
