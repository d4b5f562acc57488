/* option.h - the numbers that configure a component: a table of what there is, and what a user gave. */
#ifndef WS_OPTION_H
#define WS_OPTION_H

#include <stddef.h>
#include <stdint.h>

/* One row of a component's table. A table ends with a row whose name is NULL. */
typedef struct ws_option {
    const char *name, *unit;
    uint64_t fallback, least, most; /* both ends are allowed */
    const char *meaning;
} ws_option;

/* A number that somebody gave. `where` is "FILE:LINE:COLUMN" or NULL; it opens the message when the number is bad. */
typedef struct ws_given {
    const char *name;
    uint64_t value;
    const char *where;
} ws_given;

/* Number of rows in front of the last one. */
size_t ws_option_count(const ws_option *options);

/* Fills values[i] for row i of the table of the component `owner`: what was given, else the fallback. Names that stand
 * in `also` (may be NULL) are left to somebody else. WS_EINPUT for an unknown name, a name given twice, a value out of
 * its bounds. */
int ws_option_resolve(const char *owner, const ws_option *options, const ws_option *also, const ws_given *given,
                      size_t count, uint64_t *values);

/* The same for a list that was checked and has options of others among its own: those are left out. */
void ws_option_choose(const ws_option *options, const ws_given *given, size_t count, uint64_t *values);

/* One of such a list: what was given, else the fallback of the table's row, else (no such row; the table may be NULL)
 * `otherwise`. */
uint64_t ws_option_value(const ws_option *options, const char *name, const ws_given *given, size_t count,
                         uint64_t otherwise);

#endif
