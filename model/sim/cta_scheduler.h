/* cta_scheduler.h - which SM gets the next block of the grid? One policy is one file and one row of cta_schedulers.def. */
#ifndef WS_CTA_SCHEDULER_H
#define WS_CTA_SCHEDULER_H

#include "model/option.h"

#include <stdbool.h>

/* An SM as the policy sees it. */
typedef struct ws_cta_view {
    bool room;              /* one more block of this launch fits */
    uint32_t blocks, warps; /* resident now */
} ws_cta_view;

typedef struct ws_cta_scheduler_ops {
    const char *name, *summary;
    const ws_option *options; /* its own, given in [cta] */
    size_t (*state_size)(uint32_t sms); /* plain memory, zero at the start of a launch */
    /* The SM for block `block`, which is the next one of the grid; -1: none now. It is asked until it says so. */
    int (*choose)(void *state, const uint64_t *values, uint64_t block, const ws_cta_view *sm, uint32_t sms);
} ws_cta_scheduler_ops;

const ws_cta_scheduler_ops *ws_cta_scheduler_find(const char *name);
const ws_cta_scheduler_ops *ws_cta_scheduler_at(size_t index);

#endif
