/* replay.h - what would a protocol send for these accesses in this order, if nothing took time?
 *
 * The second of three tiers: the controllers of the cycle simulator without its network, queues and DRAM. Each request
 * is answered, through L2 and DRAM, before the next is taken, so the messages are those of a simulation with one access
 * at a time in the same order. Data do not travel. What waits for a physical time (a store of tc-strong, a fence of
 * tc-weak) waits for the `now` of the calls; see ws_coherence_replay_next_time. */
#ifndef WS_COHERENCE_REPLAY_H
#define WS_COHERENCE_REPLAY_H

#include "model/coherence/coherence.h"

typedef struct ws_coherence_replay ws_coherence_replay;

/* What happened since the replay was made. */
typedef struct ws_coherence_traffic {
    uint64_t messages[WS_MESSAGE_COUNT], bytes[WS_MESSAGE_COUNT], flits[WS_MESSAGE_COUNT];
    uint64_t network_messages, network_bytes, network_flits; /* of these what travels between SMs and L2 */
    ws_coherence_counts l1, l2;                              /* of all SMs, of all slices */
    ws_race_counts races;                                    /* of all SMs, and of their detector */
    uint64_t fences;
    uint64_t resets;  /* how often the timestamps ran out and started again; ends of launches are not counted */
    uint64_t last_ts; /* how far logical time got: sums of launches, the range of each epoch that ended added */
    uint64_t waiting; /* accesses that wait for a time now */
} ws_coherence_traffic;

/* `config` as for ws_coherence_create; words and count do not matter. The caller frees it with destroy. */
int ws_coherence_replay_create(const ws_coherence_config *config, const ws_message_sizes *sizes,
                               ws_coherence_replay **out);
void ws_coherence_replay_destroy(ws_coherence_replay *replay); /* accepts NULL */

/* The next access, of a warp of an SM, at a time that never falls. WS_OK: taken, and answered unless it waits for a
 * time. WS_COHERENCE_RETRY or greater: its warp must wait for a time. WS_EVERIFY as ws_l1_access. */
int ws_coherence_replay_request(ws_coherence_replay *replay, uint32_t sm, const ws_request *request, uint64_t now);

/* Serves what waited for a time up to `now`. */
int ws_coherence_replay_advance(ws_coherence_replay *replay, uint64_t now);

/* When something that waits may go on, WS_COHERENCE_NEVER: nothing waits; when a fence of the warp may be reached. */
uint64_t ws_coherence_replay_next_time(const ws_coherence_replay *replay);
uint64_t ws_coherence_replay_fence_time(const ws_coherence_replay *replay, uint32_t sm, uint32_t warp);

/* The end of a launch: all L1 copies are given up, timestamps start again. Nothing may wait. */
int ws_coherence_replay_flush(ws_coherence_replay *replay, uint64_t now);

void ws_coherence_replay_sum(const ws_coherence_replay *replay, ws_coherence_traffic *out);

#endif
