/* scheduler_kind.h - the facts of a warp scheduler: warp_schedulers.def. Which warp issues is in model/sim/sm. */
#ifndef WS_SCHEDULER_KIND_H
#define WS_SCHEDULER_KIND_H

#include "base/option.h"

#include <stddef.h>

enum {
    WS_SM_WARPS = 64,             /* slots of an SM */
    WS_SCHEDULER_MOST_LOADS = 64, /* of a table of divergent loads */
    WS_SCHEDULER_SAMPLES = 2      /* intervals of `ias` in which ways are measured */
};

typedef struct ws_warp_scheduler_kind {
    const char *name, *summary;
    const ws_option *options; /* its own, given in [scheduler] */
} ws_warp_scheduler_kind;

enum { WS_SCHEDULER_OPTIONS = 16 };
extern const ws_warp_scheduler_kind ws_warp_scheduler_kinds[]; /* in the order of warp_schedulers.def */
/* The row of that name, or NULL; the row at an index, NULL behind the last. */
const ws_warp_scheduler_kind *ws_warp_scheduler_kind_find(const char *name);
const ws_warp_scheduler_kind *ws_warp_scheduler_kind_at(size_t index);

#endif
