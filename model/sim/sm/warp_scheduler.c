/* warp_scheduler.c - the table of policies by which warps issue. */
#include "model/sim/sm/scheduler_internal.h"

static const ws_warp_scheduler_ops *const schedulers[] = {
#define WARP_SCHEDULER(name, ...) &ws_warp_scheduler_##name,
#include "model/machine/warp_schedulers.def"
};

const ws_warp_scheduler_ops *ws_warp_scheduler_ops_of(const ws_warp_scheduler_kind *kind)
{
    return schedulers[kind - ws_warp_scheduler_kinds];
}
