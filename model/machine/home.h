/* home.h - home chip of a memory page. Each rule is a row of homes.def. */
#ifndef WS_HOME_H
#define WS_HOME_H

#include "base/bytes.h"
#include "base/table.h"
#include "model/cache/slice_map.h"
#include "base/option.h"

#include <stddef.h>

typedef struct ws_home_ops {
    const char *name, *summary;
    const ws_option *options; /* NULL: none; package.page applies to all */
    /* Returns the chip of a page at its first access, by an SM of chip `asking`. NULL: pages are interleaved over
     * chips. */
    uint32_t (*settle)(uint64_t page, uint32_t asking, uint32_t chips);
} ws_home_ops;

/* Return the row of that name, or NULL; the row at an index, or NULL past the last. */
const ws_home_ops *ws_home_find(const char *name);
const ws_home_ops *ws_home_at(size_t index);

/* Homes of the pages of a machine. */
typedef struct ws_homes {
    const ws_home_ops *ops;
    ws_slice_map map;
    ws_table pages; /* settled pages: a uint32_t each, their chip */
} ws_homes;

ws_homes ws_homes_of(const ws_home_ops *ops, ws_slice_map map);

void ws_homes_fini(ws_homes *homes);
/* Sets *slice to the slice of the machine that serves a line for an SM of chip `asking`. WS_EMEM. */
int ws_homes_slice(ws_homes *homes, uint64_t line, uint32_t asking, uint32_t *slice);
void ws_homes_save(const ws_homes *homes, ws_bytes *bytes);
int ws_homes_load(ws_homes *homes, ws_reader *reader);

#endif
