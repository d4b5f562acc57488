/* told_accesses.h - what the engine reports of completed accesses that a GPU treats otherwise: ws_run.stray and
 * ws_run.misaligned. */
#ifndef WS_TOLD_ACCESSES_H
#define WS_TOLD_ACCESSES_H

#include "collect/simt/engine.h"

#include <stdint.h>
#include <stdio.h>

typedef struct told {
    unsigned calls;
    uint64_t accesses;
    char first[512];
} told;

static void tell(void *context, const ws_launch *of, uint64_t accesses, const char *first)
{
    told *const t = context;
    (void)of;
    t->calls++;
    t->accesses = accesses;
    snprintf(t->first, sizeof t->first, "%s", first);
}

#endif
