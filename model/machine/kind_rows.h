/* kind_rows.h - lookup in tables of kinds, by name or by index. */
#ifndef WS_KIND_ROWS_H
#define WS_KIND_ROWS_H

#include <stddef.h>
#include <string.h>

/* Defines ws_<kind>_at, which returns NULL past the last of rows[], and ws_<kind>_find, which returns NULL for an
 * unknown name. */
#define WS_KIND_ROWS(kind, rows) \
    const ws_##kind *ws_##kind##_at(size_t index) \
    { \
        return index < sizeof rows / sizeof *rows ? &rows[index] : NULL; \
    } \
    const ws_##kind *ws_##kind##_find(const char *name) \
    { \
        size_t i = 0; \
        while (ws_##kind##_at(i) && strcmp(rows[i].name, name) != 0) \
            i++; \
        return ws_##kind##_at(i); \
    }

#endif
