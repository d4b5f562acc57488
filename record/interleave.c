/* interleave.c - see interleave.h. A warp that is drawn makes up to MOST_STEPS steps, so that some warps get far ahead
 * of others, as slow memory makes them. */
#include "record/interleave.h"

#include "base/status.h"

#include <gsl/gsl_rng.h>
#include <stdlib.h>

enum { MOST_STEPS = 32 };

typedef struct runner {
    uint32_t slot, warp;
} runner;

typedef struct crowd {
    ws_stepper *stepper;
    const ws_launch *launch;
    uint64_t next_block;
    uint32_t *left; /* [slots] warps of the block that have not ended */
    runner *runner; /* [slots * warps_per_block] warps that have not ended, in no order */
    size_t runners;
    gsl_rng *rng;
} crowd;

static int begin_block(crowd *c, uint32_t slot)
{
    if (c->next_block == c->launch->blocks)
        return WS_OK;
    const int status = ws_stepper_begin(c->stepper, slot, c->next_block++);
    c->left[slot] = c->launch->warps_per_block;
    for (uint32_t warp = 0; warp < c->launch->warps_per_block; warp++)
        c->runner[c->runners++] = (runner){slot, warp};
    return status;
}

/* Some steps of a warp. One that waits is drawn in vain; the stepper fails when all of a block wait. */
static int run_one(crowd *c)
{
    const size_t drawn = gsl_rng_uniform_int(c->rng, c->runners);
    const runner who = c->runner[drawn];
    unsigned long steps = gsl_rng_uniform_int(c->rng, MOST_STEPS) + 1;
    ws_batch batch;
    int status = WS_OK;
    while (!status && steps-- && ws_stepper_warp(c->stepper, who.slot, who.warp) == WS_WARP_READY)
        status = ws_stepper_step(c->stepper, who.slot, who.warp, &batch);
    if (status || ws_stepper_warp(c->stepper, who.slot, who.warp) != WS_WARP_ENDED)
        return status;
    c->runner[drawn] = c->runner[--c->runners];
    if (--c->left[who.slot])
        return WS_OK;
    ws_stepper_end(c->stepper, who.slot);
    return begin_block(c, who.slot);
}

int ws_interleave(void *context, ws_stepper *stepper, const ws_launch *launch)
{
    const uint64_t seed = *(const uint64_t *)context;
    const uint64_t room = ws_stepper_is_cooperative(stepper) ? launch->blocks : WS_INTERLEAVE_BLOCKS;
    const uint32_t slots = (uint32_t)(launch->blocks < room ? launch->blocks : room);
    crowd c = {.stepper = stepper, .launch = launch, .rng = gsl_rng_alloc(gsl_rng_taus2)};
    c.left = calloc(slots, sizeof *c.left);
    c.runner = calloc((size_t)slots * launch->warps_per_block, sizeof *c.runner);
    int status = c.rng && c.left && c.runner ? WS_OK : ws_fail(WS_EMEM, "no memory for %u blocks", slots);
    if (!status)
        gsl_rng_set(c.rng, seed + launch->sequence);
    for (uint32_t slot = 0; slot < slots && !status; slot++)
        status = begin_block(&c, slot);
    while (c.runners && !status)
        status = run_one(&c);
    if (c.rng)
        gsl_rng_free(c.rng);
    free(c.left);
    free(c.runner);
    return status;
}
