/* memory_side.h - everything behind the ports of the SMs: networks within and between chips, L2 slices, L3, memory
 * channels.
 *
 * Like the SMs it runs in windows of core cycles: a message that an SM sends in one window enters the request network
 * in a later one, and what the reply network delivers in one window reaches its SM in the next. */
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

/* What L2s of several chips did to agree. */
typedef struct ws_package_counts {
#define COUNT(name, meaning) uint64_t name;
#include "model/sim/memory/package_counts.def"
#undef COUNT
} ws_package_counts;

/* `l1` says how large messages are; `l2` and `l3` (all 0: none) are used, not owned; `words` of data travel; `check`:
 * versions are held against chip_versions.h, where L2s keep lines of other chips; checker may be NULL. */
int ws_memory_side_create(const ws_machine *machine, const ws_level *l1, const ws_level *l2, const ws_level *l3,
                          uint32_t words, bool check, ws_memory_checker *checker, ws_memory_side **out);
void ws_memory_side_destroy(ws_memory_side *side); /* accepts NULL */

/* Queues a message of an SM that enters the network in `cycle` or later; cycles of one SM must not decrease. */
int ws_memory_side_send(ws_memory_side *side, uint32_t sm, const ws_coherence_message *message, uint64_t cycle);
/* How many messages of the SM have not entered the network yet. */
size_t ws_memory_side_backlog(const ws_memory_side *side, uint32_t sm);

/* Whether cycles in which nothing can happen are skipped (the default). */
void ws_memory_side_skip(ws_memory_side *side, bool skip);
/* Executes the core cycles from .. until-1. */
int ws_memory_side_run(ws_memory_side *side, uint64_t from, uint64_t until);
/* The first core cycle from `now` on in which anything can happen, or WS_NEVER. */
uint64_t ws_memory_side_next_time(const ws_memory_side *side, uint64_t now);

/* The next message delivered to an SM, with its cycle; false when there is none. The message is valid until the next
 * call. */
bool ws_memory_side_receive(ws_memory_side *side, uint32_t sm, const ws_coherence_message **message, uint64_t *cycle);

/* Begins a launch. On machines with l2.warm, what the host wrote since the last launch (launch->copied) is in L2, the
 * newest as far as it fits; accesses that find it there are hits. WS_EMEM. */
int ws_memory_side_warm(ws_memory_side *side, const ws_launch *launch);
uint64_t ws_memory_side_copied(const ws_memory_side *side);   /* bytes that the host copied, and nobody has read yet */
uint64_t ws_memory_side_capacity(const ws_memory_side *side); /* bytes of all L2 slices */
/* Do L2 slices cache lines of other chips? If so, the flush at the end of a launch, when nothing is in flight, writes
 * dirty lines back and invalidates copies of lines whose home is elsewhere. */
bool ws_memory_side_keeps_copies(const ws_memory_side *side);
int ws_memory_side_flush(ws_memory_side *side, uint64_t now);
/* The launch begins, on such machines: L2s acquire and release as package.coherence says. `kernel`: what it uses where;
 * NULL: nobody knows. *cycles: once all that was written back has arrived, its blocks may start so much later. WS_EMEM.
 */
int ws_memory_side_begin_launch(ws_memory_side *side, const ws_chiplet_kernel *kernel, uint64_t blocks, uint64_t now,
                                uint64_t *cycles);
void ws_memory_side_settled(ws_memory_side *side, uint64_t cycles); /* that took so long in all */
ws_package_counts ws_memory_side_agreed(const ws_memory_side *side);
/* Words of loads that were compared with chip_versions.h. */
uint64_t ws_memory_side_versions(const ws_memory_side *side);
/* Between launches, plain caches only: serves a request of an SM without timing, for the lines that it leaves in its
 * slice. */
int ws_memory_side_touch(ws_memory_side *side, const ws_coherence_message *request);
/* Are updates of the launch that begins to be summed up in buffers of chips (package.atomic_buffer), if there are some?
 * Not where it orders anything beyond its blocks. */
void ws_memory_side_sum_updates(ws_memory_side *side, bool sum);
/* Operations that were followed through these buffers to the homes of their words. */
uint64_t ws_memory_side_followed(const ws_memory_side *side);
/* At the end of a launch, when nothing is inside. WS_EVERIFY: buffers of chips lost updates, or made some. */
int ws_memory_side_end_launch(ws_memory_side *side);

/* Messages and requests in flight anywhere on the memory side. */
uint64_t ws_memory_side_inside(const ws_memory_side *side);

/* SMs, slices and channels are numbered chip by chip: the machine says how many there are. */
const ws_network *ws_memory_side_network(const ws_memory_side *side, uint32_t chip, ws_direction direction);
/* Its nodes are the chips. NULL in a machine of one chip. */
const ws_network *ws_memory_side_link(const ws_memory_side *side, ws_direction direction);
/* The node of an SM, or of a slice, in the networks of its chip. */
uint32_t ws_memory_side_node(const ws_memory_side *side, bool of_slice, uint32_t number, uint32_t *chip);
ws_dram_totals ws_memory_side_channel_sum(const ws_memory_side *side, uint32_t channel);
/* Cycles of the memory clock so far, including those in which a channel sleeps. */
uint64_t ws_memory_side_memory_cycles(const ws_memory_side *side);
ws_cache_counts ws_memory_side_cache_counts(const ws_memory_side *side, uint32_t slice);
/* Of the part of the L3 before a channel; all 0 without one. And fills of all parts. */
ws_cache_counts ws_memory_side_l3_counts(const ws_memory_side *side, uint32_t channel);
uint64_t ws_memory_side_l3_fills(const ws_memory_side *side);
/* Messages sent by SMs and L2 slices, and their bytes on the network, by type, without those of texture and constant
 * caches, which ws_memory_side_read_only counts. */
uint64_t ws_memory_side_messages(const ws_memory_side *side, ws_message_type type, uint64_t *bytes);
uint64_t ws_memory_side_read_only(const ws_memory_side *side, uint64_t *bytes);
/* Cycles in which a message waited for a full network, summed over the SMs (requests) or the slices (replies). */
uint64_t ws_memory_side_stalls(const ws_memory_side *side, ws_direction direction);

/* How often the timestamps of the slices were reset, and the greatest one assigned since. */
void ws_memory_side_timestamps(const ws_memory_side *side, uint64_t *resets, uint32_t *greatest);

/* The shortest and the longest physical lease that a slice would give next; 0 where leases are not physical. */
void ws_memory_side_leases(const ws_memory_side *side, uint32_t *least, uint32_t *most);

/* What the slices share, NULL: nothing; L1s get at it between windows. And what the race detector did, all 0 without
 * one. */
const void *ws_memory_side_hub(const ws_memory_side *side);
ws_race_counts ws_memory_side_races(const ws_memory_side *side);

/* All L1s have given up their copies, and nothing is under way. */
void ws_memory_side_note_flush(ws_memory_side *side);

void ws_memory_side_explain(const ws_memory_side *side, void (*say)(void *user, const char *line), void *user);

void ws_memory_side_save(const ws_memory_side *side, ws_bytes *bytes);
int ws_memory_side_load(ws_memory_side *side, ws_reader *reader);

#endif
