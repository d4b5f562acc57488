/* cta_scheduler.h - which CTA of the grid starts next, and on which SM? One policy is one file and one row of
 * cta_schedulers.def. It is asked at the start of a window of cycles in which CTAs are left, until it gives out none;
 * then again in the windows behind, so it may wait for room. When nothing runs any more it has to give out one. */
#ifndef WS_CTA_SCHEDULER_H
#define WS_CTA_SCHEDULER_H

#include "base/option.h"
#include "model/placement/cta_set.h"

/* An SM as the policy sees it. */
typedef struct ws_cta_sm {
    uint32_t room;        /* so many more CTAs of this launch fit */
    uint32_t ctas, warps; /* resident now */
} ws_cta_sm;

/* The launch and the machine as they are now. */
typedef struct ws_cta_view {
    const uint32_t *grid;   /* [3], x fastest */
    uint64_t ctas;          /* from 0 on: those of the grid, fewer of a trace that breaks off */
    const ws_cta_set *left; /* that have not started; not empty in `choose` */
    const ws_cta_sm *sm;
    uint32_t sms, chips; /* chips: of equally many SMs, one after the other */
    const void *of;
    /* CTA `index` of those that are resident on the SM, in the order of its slots; WS_NO_CTA behind the last. */
    uint64_t (*resident)(const void *of, uint32_t sm, uint32_t index);
} ws_cta_view;

/* A scheduler: what all calls of a policy are about. */
typedef struct ws_cta_scheduler {
    void *state;            /* its own; plain memory, zero at the start of a launch, no pointers: checkpoints copy it */
    const uint64_t *values; /* of the policy's options */
    ws_cta_view view;
} ws_cta_scheduler;

typedef struct ws_cta_choice {
    uint64_t cta; /* that is left */
    uint32_t sm;  /* with room */
} ws_cta_choice;

typedef struct ws_cta_scheduler_ops {
    const char *name, *summary;
    const ws_option *options;           /* its own, given in [cta]; NULL: none */
    size_t (*state_size)(uint32_t sms); /* bytes */
    bool by_chip;                       /* consecutive blocks to each chip, as many as ws_chiplet_schedule says */
    /* false: none now. Windows in which nothing can happen are skipped, so it goes by what is there and changes nothing
     * when it gives out none. */
    bool (*choose)(const ws_cta_scheduler *s, ws_cta_choice *choice);
    /* A CTA started, right behind its choice; one ended: told at the start of the next window, SM by SM. May be NULL.
     */
    void (*started)(const ws_cta_scheduler *s, uint64_t cta, uint32_t sm);
    void (*ended)(const ws_cta_scheduler *s, uint64_t cta, uint32_t sm);
    /* So many consecutive CTAs, from the first one on, make a group that it would keep on one SM. NULL: it knows none.
     */
    uint64_t (*group)(const ws_cta_scheduler *s);
} ws_cta_scheduler_ops;

const ws_cta_scheduler_ops *ws_cta_scheduler_find(const char *name);
const ws_cta_scheduler_ops *ws_cta_scheduler_at(size_t index);

#endif
