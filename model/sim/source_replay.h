/* source_replay.h - the accesses of a launch, from a trace or live, in an order of turns, through a functional replay.
 *
 * Blocks go to SMs in turn, as many to one as fit, then to the next SM in turn that has room. Time is counted in turns:
 * in a turn each SM executes one instruction of the next of its warps that can go on. Accesses are coalesced as in the
 * cycle simulator; global and local memory count, textures and constants have caches of their own. A warp that must
 * wait (for a barrier, for a lease) lets the others go on; when all wait, time goes on to the first that need not. */
#ifndef WS_SOURCE_REPLAY_H
#define WS_SOURCE_REPLAY_H

#include "model/coherence/replay.h"
#include "model/machine/machine_declared.h"
#include "model/sim/sm/source.h"

typedef struct ws_source_replay_options {
    const ws_machine *machine;
    /* Called now and then; non-zero ends the replay with WS_EINTERRUPTED. NULL: not called. */
    int (*progress)(void *context, uint64_t instructions);
    void *context;
} ws_source_replay_options;

typedef struct ws_source_replay_result {
    uint64_t instructions; /* of warps */
    uint64_t accesses;     /* blocks that instructions asked for, fences not among them */
    uint64_t waits;        /* turns in which an access or a fence was refused */
    uint64_t turns;
} ws_source_replay_result;

/* One launch, at its end all L1 copies are given up. *now: the turn it begins at, then the one it ended at. WS_EINPUT
 * when a block does not fit an SM; WS_EVERIFY when all warps wait for one another. */
int ws_source_replay(ws_coherence_replay *replay, ws_source *source, const ws_source_replay_options *options,
                     uint64_t *now, ws_source_replay_result *result);

#endif
