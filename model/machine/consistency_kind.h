/* consistency_kind.h - the facts of a rule of consistency: consistencies.def. What it lets begin is in model/sim/sm. */
#ifndef WS_CONSISTENCY_KIND_H
#define WS_CONSISTENCY_KIND_H

#include "base/option.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ws_consistency_kind {
    const char *name, *summary;
    const ws_option *options; /* NULL: none */
    bool sequential;          /* nothing begins before all is complete: what must leave late has no place */
} ws_consistency_kind;

extern const ws_consistency_kind ws_consistency_kinds[]; /* in the order of consistencies.def */
/* The row of that name, or NULL; the row at an index, NULL behind the last. */
const ws_consistency_kind *ws_consistency_kind_find(const char *name);
const ws_consistency_kind *ws_consistency_kind_at(size_t index);

/* What a machine follows whose protocol is sequentially consistent, or is not. */
const ws_consistency_kind *ws_consistency_of_protocol(bool sequential);

#endif
