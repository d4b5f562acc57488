/* coherence_pair.h - one L1 and one L2 slice of a protocol, for tests that hand them messages. */
#ifndef COHERENCE_PAIR_H
#define COHERENCE_PAIR_H

#include "base/status.h"
#include "model/coherence/coherence.h"

#include <stdlib.h>

static inline void pair_create(const ws_coherence_config *config, ws_coherence **c, void **l1, void **l2)
{
    if (ws_coherence_create(config, c))
        fail_msg("%s", ws_message());
    *l1 = malloc(ws_l1_bytes(*c));
    *l2 = malloc(ws_l2_bytes(*c));
    ws_l1_init(*c, *l1, 0);
    ws_l2_init(*c, *l2, 0);
}

static inline void pair_destroy(ws_coherence *c, void *l1, void *l2)
{
    ws_coherence_destroy(c);
    free(l1);
    free(l2);
}

/* A port that ignores completions. */
static inline void pair_ignore(void *context, const ws_completion *completion)
{
    (void)context;
    (void)completion;
}

#endif
