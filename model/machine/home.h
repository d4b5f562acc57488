/* home.h - on which chip of a machine is a page of memory at home? One rule is a row of homes.def. */
#ifndef WS_HOME_H
#define WS_HOME_H

#include "base/bytes.h"
#include "base/table.h"
#include "model/cache/slice_map.h"
#include "base/option.h"

#include <stddef.h>

typedef struct ws_home_ops {
    const char *name, *summary;
    const ws_option *options; /* NULL: none; package.page is of all */
    /* The chip of a page that nobody has asked for before: an SM of chip `asking` does now. NULL: pages go round the
     * chips. */
    uint32_t (*settle)(uint64_t page, uint32_t asking, uint32_t chips);
} ws_home_ops;

/* The row of that name, or NULL; the row at an index, NULL behind the last. */
const ws_home_ops *ws_home_find(const char *name);
const ws_home_ops *ws_home_at(size_t index);

/* Where the pages of a machine are. */
typedef struct ws_homes {
    const ws_home_ops *ops;
    ws_slice_map map;
    ws_table pages; /* that were settled: a uint32_t each, their chip */
} ws_homes;

ws_homes ws_homes_of(const ws_home_ops *ops, ws_slice_map map);

void ws_homes_fini(ws_homes *homes);
/* *slice: the slice of the machine that serves the line, which an SM of chip `asking` wants. WS_EMEM. */
int ws_homes_slice(ws_homes *homes, uint64_t line, uint32_t asking, uint32_t *slice);
void ws_homes_save(const ws_homes *homes, ws_bytes *bytes);
int ws_homes_load(ws_homes *homes, ws_reader *reader);

#endif
