/* cube_functions.h - table of the functions of expressions (cube_functions.def), by name. */
#ifndef WS_CUBE_FUNCTIONS_H
#define WS_CUBE_FUNCTIONS_H

#include "base/cube/cube.h"

enum { WS_CUBE_ARGUMENTS_MOST = 6 };

typedef struct ws_cube_call {
    const struct ws_cube_work *work;
    const ws_cube *argument[WS_CUBE_ARGUMENTS_MOST];
    size_t arguments;
    const char *const *over; /* [overs]; empty: all axes */
    size_t overs;
    /* Returns the name of a label in texts, or the label if it has none. */
    const char *(*shown)(const void *names, const char *axis, const char *label);
    const void *names;
} ws_cube_call;

typedef struct ws_cube_function {
    const char *name;
    size_t least, most; /* limits of the number of arguments */
    bool over;
    const char *arguments, *meaning;
    int (*call)(const ws_cube_call *call, const ws_cube **out);
} ws_cube_function;

/* Return a function by index, in the order of the table, or by name; NULL after the last or for an unknown name. */
const ws_cube_function *ws_cube_function_at(size_t index);
const ws_cube_function *ws_cube_function_find(const char *name);

#endif
