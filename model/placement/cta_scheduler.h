/* cta_scheduler.h - CTA scheduling policies: the next CTA of the grid to start, and its SM. A policy is one file and
 * one row of cta_schedulers.def. It is called at the start of a window of cycles with unstarted CTAs until it chooses
 * none, and again in later windows, so it may wait for room. It must choose one if no CTA is running. */
#ifndef WS_CTA_SCHEDULER_H
#define WS_CTA_SCHEDULER_H

#include "base/option.h"
#include "model/placement/cta_set.h"

/* An SM as the policy sees it. */
typedef struct ws_cta_sm {
    uint32_t room;        /* number of further CTAs of this launch that fit */
    uint32_t ctas, warps; /* currently resident */
} ws_cta_sm;

/* Current state of the launch and the machine. */
typedef struct ws_cta_view {
    const uint32_t *grid;   /* [3], x fastest */
    uint64_t ctas;          /* number of CTAs, from 0: those of the grid, or fewer of a truncated trace */
    const ws_cta_set *left; /* not started; not empty in `choose` */
    const ws_cta_sm *sm;
    uint32_t sms, chips; /* chips: of equally many SMs each, in order */
    const void *of;
    /* Returns CTA `index` of those resident on the SM, in the order of slots; WS_NO_CTA past the last. */
    uint64_t (*resident)(const void *of, uint32_t sm, uint32_t index);
} ws_cta_view;

/* Scheduler: argument of all calls of a policy. */
typedef struct ws_cta_scheduler {
    void *state;            /* plain memory without pointers, zero at the start of a launch; checkpoints copy it */
    const uint64_t *values; /* of the policy's options */
    ws_cta_view view;
} ws_cta_scheduler;

typedef struct ws_cta_choice {
    uint64_t cta; /* not started */
    uint32_t sm;  /* with room */
} ws_cta_choice;

typedef struct ws_cta_scheduler_ops {
    const char *name, *summary;
    const ws_option *options;           /* its options, given in [cta]; NULL: none */
    size_t (*state_size)(uint32_t sms); /* bytes */
    bool by_chip;                       /* each chip gets consecutive blocks, in the number of ws_chiplet_schedule() */
    /* Returns false to start none now. Windows without events are skipped, so the choice depends only on the current
     * state, and a call that chooses none changes nothing. */
    bool (*choose)(const ws_cta_scheduler *s, ws_cta_choice *choice);
    /* A CTA started, called right after its choice; a CTA ended, called at the start of the next window, SM by SM. May
     * be NULL. */
    void (*started)(const ws_cta_scheduler *s, uint64_t cta, uint32_t sm);
    void (*ended)(const ws_cta_scheduler *s, uint64_t cta, uint32_t sm);
    /* Returns the number of consecutive CTAs, counted from the first, that it prefers to keep on one SM. NULL: no
     * groups. */
    uint64_t (*group)(const ws_cta_scheduler *s);
} ws_cta_scheduler_ops;

const ws_cta_scheduler_ops *ws_cta_scheduler_find(const char *name);
const ws_cta_scheduler_ops *ws_cta_scheduler_at(size_t index);

#endif
