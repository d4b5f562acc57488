/* machine_gpgpusim_internal.h - what the readers of GPGPU-Sim's options share: the file, and a place in a value. */
#ifndef WS_MACHINE_GPGPUSIM_INTERNAL_H
#define WS_MACHINE_GPGPUSIM_INTERNAL_H

#include "model/machine/machine_internal.h"

enum { WS_THEIRS = 256 }; /* options that there may be */

/* NULL: the option is not in the file. `at`: where the value begins in the text. */
typedef struct ws_theirs_value_at {
    const char *value;
    size_t at;
} ws_theirs_value_at;

typedef struct ws_theirs {
    ws_machine *machine;
    const char *file, *text; /* text NULL: one option from the command line */
    size_t length;
    bool part_done, network_done, crossbar_done;
    ws_theirs_value_at given[WS_THEIRS];
} ws_theirs;

int ws_theirs_row(const char *name); /* -1: none */
const char *ws_theirs_value(const ws_theirs *t, int row);

/* `offset`: characters into the value. */
int ws_theirs_fail(ws_theirs *t, int row, size_t offset, const char *format, ...) __attribute__((format(printf, 4, 5)));
int ws_theirs_put(ws_theirs *t, int row, size_t offset, const char *section, const char *name, const char *value);
int ws_theirs_put_number(ws_theirs *t, int row, size_t offset, const char *section, const char *name, double value,
                         const char *unit);
/* `cost`: what it changes that nothing here follows it. */
int ws_theirs_ignore(ws_theirs *t, const char *what, const char *cost);

/* Reads a value from left to right. `began`: where the last number did. */
typedef struct ws_cursor {
    ws_theirs *theirs;
    int row;
    const char *text;
    size_t at, began;
} ws_cursor;

ws_cursor ws_theirs_open(ws_theirs *t, int row);
int ws_cursor_number(ws_cursor *c, double least, double most, double *value);
int ws_cursor_whole(ws_cursor *c, double least, double most, uint32_t *value);
bool ws_cursor_skip(ws_cursor *c, char sign);
int ws_cursor_expect(ws_cursor *c, char sign);
int ws_cursor_end(ws_cursor *c);

/* The functions that rows of machine_aliases.def name: each puts what the row says where it belongs. */
#define SAME(theirs, fallback, section, name, unit) /* */
#define READ(theirs, fallback, function, ours)      int ws_theirs_take_##function(ws_theirs *t, int row);
#define MUST(theirs, fallback, value, reason)       /* */
#define LEFT(theirs, cost)                          /* */
#define OLD(theirs, now)                            /* */
#include "model/machine/machine_aliases.def"
#undef SAME
#undef READ
#undef MUST
#undef LEFT
#undef OLD

#endif
