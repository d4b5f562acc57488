/* consistency_kind.h - properties of consistency rules (consistencies.def). model/sim/sm implements them. */
#ifndef WS_CONSISTENCY_KIND_H
#define WS_CONSISTENCY_KIND_H

#include "base/option.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ws_consistency_kind {
    const char *name, *summary;
    const ws_option *options; /* NULL: none */
    bool sequential; /* an access begins after all earlier ones are complete, so delayed sends are not supported */
} ws_consistency_kind;

extern const ws_consistency_kind ws_consistency_kinds[]; /* in the order of consistencies.def */
/* Return the row of that name, or NULL; the row at an index, or NULL past the last. */
const ws_consistency_kind *ws_consistency_kind_find(const char *name);
const ws_consistency_kind *ws_consistency_kind_at(size_t index);

/* Returns the rule of a machine whose protocol is, or is not, sequentially consistent. */
const ws_consistency_kind *ws_consistency_of_protocol(bool sequential);

#endif
