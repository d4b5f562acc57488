/* warp_scheduler.c - the table of policies by which warps issue. */
#include "model/sim/sm/scheduler_internal.h"

#include <string.h>

static const ws_warp_scheduler_ops *const schedulers[] = {
#define WARP_SCHEDULER(name) &ws_warp_scheduler_##name,
#include "model/sim/sm/warp_schedulers.def"
#undef WARP_SCHEDULER
};
enum { SCHEDULERS = sizeof schedulers / sizeof *schedulers };

void ws_warp_scheduler_ignore(const ws_warp_scheduler *s, unsigned warp)
{
    (void)s, (void)warp;
}

const ws_warp_scheduler_ops *ws_warp_scheduler_at(size_t index)
{
    return index < SCHEDULERS ? schedulers[index] : NULL;
}

const ws_warp_scheduler_ops *ws_warp_scheduler_find(const char *name)
{
    for (size_t i = 0; i < SCHEDULERS; i++)
        if (!strcmp(schedulers[i]->name, name))
            return schedulers[i];
    return NULL;
}
