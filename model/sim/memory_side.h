/* memory_side.h - all behind the ports of the SMs: networks within chips and between them, L2 slices, memory channels.
 *
 * Driven in windows of core cycles like the SMs: messages that an SM sent in one window enter the request network in
 * the next ones, what the reply network delivers in a window reaches its SM in the next one. */
#ifndef WS_MEMORY_SIDE_H
#define WS_MEMORY_SIDE_H

#include "base/bytes.h"
#include "model/sim/dram.h"
#include "model/sim/memory_checker.h"
#include "model/sim/memory_level.h"
#include "model/sim/network.h"

typedef struct ws_memory_side ws_memory_side;

/* A chip has a network for each direction, so that a reply never waits behind a request. */
typedef enum ws_direction { WS_REQUESTS, WS_REPLIES, WS_DIRECTIONS } ws_direction;

/* `l1` says how large messages are; `l2` and `l3` (all 0: none) are used, not owned; `words` of data travel; checker may be NULL. */
int ws_memory_side_create(const ws_machine *machine, const ws_level *l1, const ws_level *l2, const ws_level *l3, uint32_t words,
                          ws_memory_checker *checker, ws_memory_side **out);
void ws_memory_side_destroy(ws_memory_side *side); /* accepts NULL */

/* A message of an SM that enters the network in `cycle` or later; in rising order for each SM. */
int ws_memory_side_send(ws_memory_side *side, uint32_t sm, const ws_coherence_message *message, uint64_t cycle);
/* How many of those of the SM are not in the network yet. */
size_t ws_memory_side_backlog(const ws_memory_side *side, uint32_t sm);

/* Cycles in which nothing can happen are not executed (at first), or all are. */
void ws_memory_side_skip(ws_memory_side *side, bool skip);
/* Executes the core cycles from .. until-1. */
int ws_memory_side_run(ws_memory_side *side, uint64_t from, uint64_t until);
/* The first core cycle from `now` on in which something happens; WS_NEVER. */
uint64_t ws_memory_side_next_time(const ws_memory_side *side, uint64_t now);

/* The next message for an SM that was delivered, with the cycle in which it was; false when there is none. The message
 * is valid until the next call. */
bool ws_memory_side_receive(ws_memory_side *side, uint32_t sm, const ws_coherence_message **message, uint64_t *cycle);

/* A launch begins: bytes that the host copied since the last one are in L2 as far as they fit, when the machine says
 * so: first reads of so many bytes need no memory access. */
void ws_memory_side_warm(ws_memory_side *side, uint64_t bytes);
/* Do L2 slices keep lines of other chips? Then, at the end of a launch when nothing is inside, they send what is dirty and give
 * copies of lines up that are at home elsewhere. */
bool ws_memory_side_keeps_copies(const ws_memory_side *side);
int ws_memory_side_flush(ws_memory_side *side, uint64_t now);
/* Between launches, of plain caches: a request of an SM is served without time, and leaves in its slice what it would have left. */
int ws_memory_side_touch(ws_memory_side *side, const ws_coherence_message *request);
/* At the end of a launch, when nothing is inside. */
void ws_memory_side_end_launch(ws_memory_side *side);

/* Messages and requests that are anywhere inside. */
uint64_t ws_memory_side_inside(const ws_memory_side *side);

/* Chips have networks within, and between them; SMs, slices and channels are numbered chip after chip. */
uint32_t ws_memory_side_chips(const ws_memory_side *side);
const ws_network *ws_memory_side_network(const ws_memory_side *side, uint32_t chip, ws_direction direction);
/* Its nodes are the chips. NULL in a machine of one chip. */
const ws_network *ws_memory_side_link(const ws_memory_side *side, ws_direction direction);
/* The node of an SM, or of a slice, in the networks of its chip. */
uint32_t ws_memory_side_node(const ws_memory_side *side, bool of_slice, uint32_t number, uint32_t *chip);
uint32_t ws_memory_side_slices(const ws_memory_side *side);
uint32_t ws_memory_side_channels(const ws_memory_side *side);
ws_dram_totals ws_memory_side_channel_sum(const ws_memory_side *side, uint32_t channel);
/* Cycles of the memory's clock so far: a channel's own clock stands still while it sleeps. */
uint64_t ws_memory_side_memory_cycles(const ws_memory_side *side);
const ws_dram_part *ws_memory_side_part(const ws_memory_side *side);
ws_cache_counts ws_memory_side_cache_counts(const ws_memory_side *side, uint32_t slice);
/* Of the part of the L3 before a channel; all 0 without one. And fills of all parts. */
ws_cache_counts ws_memory_side_l3_counts(const ws_memory_side *side, uint32_t channel);
uint64_t ws_memory_side_l3_fills(const ws_memory_side *side);
/* Messages sent by SMs and L2 slices, and their bytes on the network, by type; those from and to texture and constant
 * caches are not among them. */
uint64_t ws_memory_side_messages(const ws_memory_side *side, ws_message_type type, uint64_t *bytes);
uint64_t ws_memory_side_read_only(const ws_memory_side *side, uint64_t *bytes);
/* Cycles in which a message waited because the network was full, summed: of SMs, of slices. */
uint64_t ws_memory_side_stalls(const ws_memory_side *side, ws_direction direction);

/* How often the timestamps of the slices started again, and the greatest one given since. */
void ws_memory_side_timestamps(const ws_memory_side *side, uint64_t *resets, uint32_t *greatest);

void ws_memory_side_explain(const ws_memory_side *side, void (*say)(void *user, const char *line), void *user);

void ws_memory_side_save(const ws_memory_side *side, ws_bytes *bytes);
int ws_memory_side_load(ws_memory_side *side, ws_reader *reader);

#endif
