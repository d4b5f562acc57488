/* scheduler_kind.h - properties of warp schedulers (warp_schedulers.def). model/sim/sm implements them. */
#ifndef WS_SCHEDULER_KIND_H
#define WS_SCHEDULER_KIND_H

#include "base/option.h"

#include <stddef.h>

enum {
    WS_SM_WARPS = 64,             /* slots of an SM */
    WS_SCHEDULER_MOST_LOADS = 64, /* entries of a table of divergent loads */
    WS_SCHEDULER_SAMPLES = 2      /* intervals of `ias` that measure ways */
};

typedef struct ws_warp_scheduler_kind {
    const char *name, *summary;
    const ws_option *options; /* its options, given in [scheduler] */
} ws_warp_scheduler_kind;

enum { WS_SCHEDULER_OPTIONS = 16 };
extern const ws_warp_scheduler_kind ws_warp_scheduler_kinds[]; /* in the order of warp_schedulers.def */
/* Return the row of that name, or NULL; the row at an index, or NULL past the last. */
const ws_warp_scheduler_kind *ws_warp_scheduler_kind_find(const char *name);
const ws_warp_scheduler_kind *ws_warp_scheduler_kind_at(size_t index);

#endif
