/* memory_side.h - all components behind the ports of the SMs: networks within and between chips, L2 slices, L3, memory
 * channels.
 *
 * Like the SMs it runs in windows of core cycles. A message sent by an SM in one window enters the request network in a
 * later one, and a message delivered by the reply network in one window reaches its SM in the next. */
#ifndef WS_MEMORY_SIDE_H
#define WS_MEMORY_SIDE_H

#include "collect/trace/event.h"
#include "base/bytes.h"
#include "model/chiplets/chiplet_kernel.h"
#include "model/sim/memory/dram.h"
#include "model/sim/memory/memory_checker.h"
#include "model/sim/memory/memory_level.h"
#include "model/sim/network/network.h"

typedef struct ws_memory_side ws_memory_side;

/* Coherence operations of the L2s of several chips. */
typedef struct ws_package_counts {
#define COUNT(name, meaning) uint64_t name;
#include "model/sim/memory/package_counts.def"
#undef COUNT
} ws_package_counts;

/* Creates a memory side. `l1` gives the sizes of messages; `l2` and `l3` (all 0: none) are borrowed; `words` of data
 * are carried by messages; `check`: compares versions with chip_versions.h, if L2s keep lines of other chips; checker
 * may be NULL. */
int ws_memory_side_create(const ws_machine *machine, const ws_level *l1, const ws_level *l2, const ws_level *l3,
                          uint32_t words, bool check, ws_memory_checker *checker, ws_memory_side **out);
void ws_memory_side_destroy(ws_memory_side *side); /* accepts NULL */

/* Queues a message of an SM that enters the network in `cycle` or later; cycles of one SM must not decrease. */
int ws_memory_side_send(ws_memory_side *side, uint32_t sm, const ws_coherence_message *message, uint64_t cycle);
/* Returns the number of the SM's messages that have not entered the network. */
size_t ws_memory_side_backlog(const ws_memory_side *side, uint32_t sm);

/* Sets whether cycles without events are skipped (the default). */
void ws_memory_side_skip(ws_memory_side *side, bool skip);
/* Executes the core cycles from .. until-1. */
int ws_memory_side_run(ws_memory_side *side, uint64_t from, uint64_t until);
/* Returns the first core cycle from `now` with an event, or WS_NEVER. */
uint64_t ws_memory_side_next_time(const ws_memory_side *side, uint64_t now);

/* Takes the next message delivered to an SM, with its cycle; returns false if there is none. The message is valid until
 * the next call. */
bool ws_memory_side_receive(ws_memory_side *side, uint32_t sm, const ws_coherence_message **message, uint64_t *cycle);

/* Begins a launch. On machines with l2.warm, the newest host writes since the last launch (launch->copied) are in L2,
 * as far as they fit; accesses that find them there are hits. WS_EMEM. */
int ws_memory_side_warm(ws_memory_side *side, const ws_launch *launch);
uint64_t ws_memory_side_copied(const ws_memory_side *side);   /* bytes copied by the host and not read since */
uint64_t ws_memory_side_capacity(const ws_memory_side *side); /* bytes of all L2 slices */
/* Return whether L2 slices cache lines of other chips; if so, flush them at the end of a launch, with nothing in
 * flight: dirty lines are written back, and copies of lines with another home are invalidated. */
bool ws_memory_side_keeps_copies(const ws_memory_side *side);
int ws_memory_side_flush(ws_memory_side *side, uint64_t now);
/* Begins a launch on such machines: L2s acquire and release as package.coherence says. `kernel`: data that it uses on
 * each chip; NULL: unknown. *cycles: delay of its blocks after all write-backs have arrived. WS_EMEM. */
int ws_memory_side_begin_launch(ws_memory_side *side, const ws_chiplet_kernel *kernel, uint64_t blocks, uint64_t now,
                                uint64_t *cycles);
void ws_memory_side_settled(ws_memory_side *side, uint64_t cycles); /* reports the total duration of that */
ws_package_counts ws_memory_side_agreed(const ws_memory_side *side);
/* Returns the words of loads compared with chip_versions.h. */
uint64_t ws_memory_side_versions(const ws_memory_side *side);
/* Between launches, for plain caches: executes a request of an SM without timing, for its effect on the lines of its
 * slice. */
int ws_memory_side_touch(ws_memory_side *side, const ws_coherence_message *request);
/* Sets whether updates of the next launch are combined in buffers of chips (package.atomic_buffer), if there are any.
 * Launches that order accesses beyond their blocks do not combine. */
void ws_memory_side_sum_updates(ws_memory_side *side, bool sum);
/* Returns the operations tracked through these buffers to the homes of their words. */
uint64_t ws_memory_side_followed(const ws_memory_side *side);
/* Checks the end of a launch, with nothing inside. WS_EVERIFY: buffers of chips lost or duplicated updates. */
int ws_memory_side_end_launch(ws_memory_side *side);

/* Returns the messages and requests in flight on the memory side. */
uint64_t ws_memory_side_inside(const ws_memory_side *side);

/* Returns a network of a chip. SMs, slices and channels are numbered chip by chip; the machine has their numbers. */
const ws_network *ws_memory_side_network(const ws_memory_side *side, uint32_t chip, ws_direction direction);
/* Returns the link; its nodes are the chips. NULL in a machine of one chip. */
const ws_network *ws_memory_side_link(const ws_memory_side *side, ws_direction direction);
/* Returns the node of an SM, or of a slice, in the networks of its chip. */
uint32_t ws_memory_side_node(const ws_memory_side *side, bool of_slice, uint32_t number, uint32_t *chip);
ws_dram_totals ws_memory_side_channel_sum(const ws_memory_side *side, uint32_t channel);
/* Returns the cycles of the memory clock, including those in which a channel sleeps. */
uint64_t ws_memory_side_memory_cycles(const ws_memory_side *side);
ws_cache_counts ws_memory_side_cache_counts(const ws_memory_side *side, uint32_t slice);
/* Return counts of the part of the L3 at a channel, all 0 without one; fills of all parts. */
ws_cache_counts ws_memory_side_l3_counts(const ws_memory_side *side, uint32_t channel);
uint64_t ws_memory_side_l3_fills(const ws_memory_side *side);
/* Return messages sent by SMs and L2 slices, and their bytes on the network, by type, without those of texture and
 * constant caches; the latter. */
uint64_t ws_memory_side_messages(const ws_memory_side *side, ws_message_type type, uint64_t *bytes);
uint64_t ws_memory_side_read_only(const ws_memory_side *side, uint64_t *bytes);
/* Returns the cycles in which a message waited for a full network, summed over the SMs (requests) or the slices
 * (replies). */
uint64_t ws_memory_side_stalls(const ws_memory_side *side, ws_direction direction);

/* Returns the number of timestamp resets of the slices, and the greatest timestamp since. */
void ws_memory_side_timestamps(const ws_memory_side *side, uint64_t *resets, uint32_t *greatest);

/* Returns the shortest and the longest next physical lease of the slices; 0 if leases are not physical. */
void ws_memory_side_leases(const ws_memory_side *side, uint32_t *least, uint32_t *most);

/* Return data shared by the slices, NULL if none, which L1s may access between windows; counts of the race detector,
 * all 0 without one. */
const void *ws_memory_side_hub(const ws_memory_side *side);
ws_race_counts ws_memory_side_races(const ws_memory_side *side);

/* All L1s have invalidated their copies, and nothing is in flight. */
void ws_memory_side_note_flush(ws_memory_side *side);

void ws_memory_side_explain(const ws_memory_side *side, void (*say)(void *user, const char *line), void *user);

void ws_memory_side_save(const ws_memory_side *side, ws_bytes *bytes);
int ws_memory_side_load(ws_memory_side *side, ws_reader *reader);

#endif
