/* race_internal.h - sequential consistency by dynamic race detection: memory layout in an L1 and in the hub, and
 * functions.
 *
 * A. Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", 2018, chapter 4.
 * An SM may read its copies until it learns of newer data. For each SM the detector keeps the set of stores by others
 * since the SM's epoch began. A load of such an address, and every store, ends the epoch, and the SM receives the set.
 */
#ifndef WS_RACE_INTERNAL_H
#define WS_RACE_INTERNAL_H

#include "model/coherence/coherence_internal.h"

/* Load that a copy served while answers of the detector were outstanding. */
typedef struct ws_speculative {
    uint64_t block;
    uint32_t epoch; /* in which the whole block was known to be valid */
    uint32_t left;  /* answers outstanding both then and now */
} ws_speculative;

typedef struct ws_l1_race {
    ws_race_counts counts;
    uint32_t epoch;
    uint32_t unanswered; /* requests without an answer of the detector */
    uint32_t speculative_count;
    uint16_t warp, tag; /* of the last of them */
    bool known;         /* the signature of the epoch has arrived */
} ws_l1_race;

typedef struct ws_hub_sm {
    uint32_t epoch;
    bool empty; /* the epoch began with an empty signature */
} ws_hub_sm;

typedef struct ws_hub {
    ws_race_counts counts;
    uint64_t free, ready; /* when the detector starts the next request, in turns of its ports; when it has finished the
                             current one */
    uint32_t order;       /* stores and atomics so far */
    uint32_t padding;
} ws_hub;

/* Permitted use of a copy by a load. */
typedef enum ws_verdict { VERDICT_GOOD, VERDICT_CHECK, VERDICT_EXPIRED, VERDICT_FOUND, VERDICT_UNKNOWN } ws_verdict;

/* --- race_l1.c --- */

void race_l1_init(const ws_coherence *c, void *l1);
/* Returns whether the copy may serve a load of these words. `wrongly`: the exact set permits it. */
ws_verdict race_judge(const ws_coherence *c, void *l1, const ws_l1_line *line, uint32_t words, bool *wrongly);
/* Returns whether the access must wait for the detector, or for the line (NULL: absent). */
bool race_must_wait(const ws_coherence *c, const void *l1, const ws_l1_line *line, const ws_request *access);
/* Returns whether there is no room for another load served by a copy with answers outstanding. */
bool race_has_no_room(const ws_coherence *c, const void *l1);
/* Returns whether another instruction stores to this block and to others, and is not performed. No warp of the SM may
 * see such a store, with or without a copy. */
bool race_is_half_stored(const ws_coherence *c, const void *l1, uint64_t block, uint16_t warp, uint16_t tag);
/* Processes an answer to a store. Returns whether all stores of its instruction are answered, if they are performed
 * together. */
bool race_is_whole(const ws_coherence *c, void *l1, const ws_coherence_message *m, ws_pending *answered);
/* Returns a performed store of the warp that is still in the list, or NULL. */
ws_pending *race_next_performed(const ws_coherence *c, void *l1, uint16_t warp);
/* Returns whether the memory is local, private to a thread: it has no place in the order. */
bool race_is_private(const ws_coherence *c, const ws_cache_who *who);
/* Returns whether the access, taken just now, has its place in the order in which the detector receives the SM's
 * requests. It sent a request, and each earlier access of its warp will be placed before it. This excludes loads that
 * wait for others' requests. */
bool race_is_in_turn(const ws_coherence *c, const ws_l1 *l1, const ws_pending *entry);
/* Returns whether the load's warp has earlier accesses in flight for which the load need not wait. The load may be in
 * the list or follow all of it. */
bool race_is_ahead(const ws_coherence *c, const ws_l1 *l1, const ws_pending *entry);
/* Returns whether the access and every earlier one of its warp have their place. */
bool race_is_placed(const ws_coherence *c, const ws_l1 *l1, const ws_pending *entry);
/* Returns whether the load, whose value was valid in that epoch, may still be refuted. */
bool race_is_early(const ws_coherence *c, const ws_l1 *l1, const ws_pending *entry, uint32_t epoch);
/* Returns the epoch in which the copy that serves a load is known to be valid. */
uint32_t race_hit_epoch(const ws_coherence *c, const void *l1, const ws_l1_line *line);
/* Stores the value of the load, valid in that epoch. The entry is in the list, or the list has room after its end. */
void race_keep_early(const ws_coherence *c, void *l1, ws_pending *entry, uint32_t epoch, const uint32_t *data);
/* Returns the outcome of an access. EARLY: unchanged, or without an early value; KEPT; REFUTED: its value is discarded.
 */
ws_completion_stage race_settled(const ws_coherence *c, void *l1, ws_pending *entry);
/* Processes a store or atomic that was taken: the order between it and loads of other warps that run ahead is not
 * known. */
void race_overwrite(const ws_coherence *c, void *l1, const ws_request *access);
/* Returns the epoch of the SM; 0 without race detection. */
uint32_t race_epoch(const ws_coherence *c, const void *l1);
void race_count_miss(const ws_coherence *c, void *l1, ws_verdict verdict, bool wrongly);
/* Records a load served by the copy. */
void race_hit(const ws_coherence *c, void *l1, ws_l1_line *line);
/* Fills a request: a read carries the words and the state of the copy; a store carries its instruction's number of
 * stores, `about`. */
void race_ask(const ws_coherence *c, void *l1, ws_coherence_message *m, uint32_t about, const ws_l1_line *line);
/* Processes an answer. */
void race_hear(const ws_coherence *c, void *l1, const ws_coherence_message *m);

/* --- race_detector.c --- */

/* Processes a request that reaches its slice. Its order is settled, and the sender is informed if it stalls for that.
 * m->wts and m->note are set to those of its answer, m->rts to the number of stores so far. Sends the signatures of new
 * epochs. *renewed: the sender's copy is valid, and it was informed. */
void race_arrive(const ws_coherence *c, ws_coherence_message *m, uint64_t now, const ws_coherence_ports *ports,
                 bool *renewed);
/* Informs the sender of a request that waits in its slice, so the sender need not wait. */
void race_tell(const ws_coherence *c, ws_coherence_message *kept, const ws_coherence_ports *ports);
/* The request is served, or waits. */
void race_leave(const ws_coherence_ports *ports);

/* Returns the slot of an L1 for the signature of an epoch: its name, followed by the set. Names are nonzero and grow
 * with epochs. */
static inline uint8_t *race_slot(const ws_coherence *c, const void *l1, uint32_t epoch)
{
    return (uint8_t *)l1 + c->l1_signatures + (epoch % c->config.race.slots) * (sizeof(uint64_t) + c->signature.bytes);
}

static inline uint64_t race_slot_name(uint32_t epoch, bool empty)
{
    return (uint64_t)epoch << 1 | empty;
}

static inline uint32_t race_all_words(const ws_coherence *c)
{
    return UINT32_MAX >> (WS_COHERENCE_WORDS - c->config.race.block / sizeof(uint32_t));
}

#endif
