/* replay.h - functional replay: messages of a protocol for a sequence of accesses, without time.
 *
 * This is the second of three tiers: the controllers of the cycle simulator without its network, queues and DRAM. Each
 * request is answered, through L2 and DRAM, before the next is taken, so the messages equal those of a simulation with
 * one access at a time in the same order. No data are carried. Waits for a physical time (a store of tc-strong, a fence
 * of tc-weak) use the `now` of the calls; see ws_coherence_replay_next_time. */
#ifndef WS_COHERENCE_REPLAY_H
#define WS_COHERENCE_REPLAY_H

#include "model/coherence/coherence.h"

typedef struct ws_coherence_replay ws_coherence_replay;

/* Totals since the replay was created. */
typedef struct ws_coherence_traffic {
    uint64_t messages[WS_MESSAGE_COUNT], bytes[WS_MESSAGE_COUNT], flits[WS_MESSAGE_COUNT];
    uint64_t network_messages, network_bytes, network_flits; /* those between SMs and L2 */
    ws_coherence_counts l1, l2;                              /* of all SMs, of all slices */
    ws_race_counts races;                                    /* of all SMs, and of their detector */
    uint64_t fences;
    uint64_t resets;  /* timestamp resets by overflow, without those at ends of launches */
    uint64_t last_ts; /* final logical time: sum over launches, including the ranges of completed epochs */
    uint64_t waiting; /* accesses that currently wait for a time */
} ws_coherence_traffic;

/* Creates a replay. `config` is as for ws_coherence_create; words and count do not matter. The caller frees it with
 * ws_coherence_replay_destroy. */
int ws_coherence_replay_create(const ws_coherence_config *config, const ws_message_sizes *sizes,
                               ws_coherence_replay **out);
void ws_coherence_replay_destroy(ws_coherence_replay *replay); /* accepts NULL */

/* Takes the next access of a warp of an SM, at a time that never falls. WS_OK: taken, and answered unless it waits for
 * a time. WS_COHERENCE_RETRY or greater: its warp must wait for a time. WS_EVERIFY as ws_l1_access. */
int ws_coherence_replay_request(ws_coherence_replay *replay, uint32_t sm, const ws_request *request, uint64_t now);

/* Serves accesses that waited for a time up to `now`. */
int ws_coherence_replay_advance(ws_coherence_replay *replay, uint64_t now);

/* Return when a waiting access may continue, or WS_COHERENCE_NEVER if none waits; when a fence of the warp may
 * complete. */
uint64_t ws_coherence_replay_next_time(const ws_coherence_replay *replay);
uint64_t ws_coherence_replay_fence_time(const ws_coherence_replay *replay, uint32_t sm, uint32_t warp);

/* Ends a launch: all L1 copies are invalidated, and timestamps are reset. No access may be waiting. */
int ws_coherence_replay_flush(ws_coherence_replay *replay, uint64_t now);

void ws_coherence_replay_sum(const ws_coherence_replay *replay, ws_coherence_traffic *out);

#endif
