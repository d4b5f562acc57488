/* machine_gpgpusim_internal.h - shared parts of the readers of GPGPU-Sim options: the file, and a position in a value.
 */
#ifndef WS_MACHINE_GPGPUSIM_INTERNAL_H
#define WS_MACHINE_GPGPUSIM_INTERNAL_H

#include "model/machine/machine_internal.h"

enum { WS_THEIRS = 256 }; /* most options */

/* NULL: the option is not in the file. `at`: offset of the value in the text. */
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
/* Records an ignored option; `cost` is the effect of ignoring it. */
int ws_theirs_ignore(ws_theirs *t, const char *what, const char *cost);

/* Cursor that reads a value from left to right. `began`: start of the last number. */
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

/* Functions named by rows of machine_aliases.def: each stores the value of the row. */
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
