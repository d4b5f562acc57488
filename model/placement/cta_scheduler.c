/* cta_scheduler.c - the table of policies by which CTAs of the grid get an SM. */
#include "model/placement/cta_scheduler_internal.h"

#include <string.h>

static const ws_cta_scheduler_ops *const schedulers[] = {
#define CTA_SCHEDULER(name) &ws_cta_scheduler_##name,
#include "model/placement/cta_schedulers.def"
#undef CTA_SCHEDULER
};
enum { SCHEDULERS = sizeof schedulers / sizeof *schedulers };

const ws_cta_scheduler_ops *ws_cta_scheduler_at(size_t index)
{
    return index < SCHEDULERS ? schedulers[index] : NULL;
}

const ws_cta_scheduler_ops *ws_cta_scheduler_find(const char *name)
{
    for (size_t i = 0; i < SCHEDULERS; i++)
        if (!strcmp(schedulers[i]->name, name))
            return schedulers[i];
    return NULL;
}

bool ws_cta_next_in_turn(const ws_cta_scheduler *s, uint32_t *next, uint32_t *sm)
{
    for (uint32_t i = 0; i < s->view.sms; i++) {
        const uint32_t n = (*next + i) % s->view.sms;
        if (!s->view.sm[n].room)
            continue;
        *next = (n + 1) % s->view.sms;
        *sm = n;
        return true;
    }
    return false;
}
