/* kind_rows.h - what tables of kinds have in common: rows with a name, found by it or by their index. */
#ifndef WS_KIND_ROWS_H
#define WS_KIND_ROWS_H

#include <stddef.h>
#include <string.h>

/* Defines ws_<kind>_at, NULL behind the last of rows[], and ws_<kind>_find, NULL for a name that no row has. */
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
