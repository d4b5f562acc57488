/* race_internal.h - sequential consistency by dynamic race detection: where things are in an L1 and in the hub, and who
 * does what.
 *
 * A. Tabbakh, "Efficient Memory Coherence and Consistency Support for Enabling Data Sharing in GPUs", 2018, chapter 4.
 * An SM may read what it has until it knows of something newer. The detector keeps for each SM what the others stored
 * since the SM's epoch began; a load that reads such a thing, and every store, ends the epoch, and the SM gets the set.
 */
#ifndef WS_RACE_INTERNAL_H
#define WS_RACE_INTERNAL_H

#include "model/coherence/coherence_internal.h"

/* A load that a copy served while answers of the detector were missing. */
typedef struct ws_speculative {
    uint64_t block;
    uint32_t epoch; /* in which the whole block was known to be good */
    uint32_t left;  /* answers that were missing then and have not come */
} ws_speculative;

typedef struct ws_l1_race {
    ws_race_counts counts;
    uint32_t epoch;
    uint32_t unanswered; /* requests that the detector has not answered */
    uint32_t speculative_count;
    uint16_t warp, tag; /* of the last of them */
    bool known;         /* the signature of the epoch has come */
} ws_l1_race;

typedef struct ws_hub_sm {
    uint32_t epoch;
    bool empty; /* the signature with which it began */
} ws_hub_sm;

typedef struct ws_hub {
    ws_race_counts counts;
    uint64_t free, ready; /* when the detector begins the next request, in turns of its ports; when it has done the one
                             that is served now */
    uint32_t order;       /* stores and atomics so far */
    uint32_t padding;
} ws_hub;

/* What a load may do with a copy. */
typedef enum ws_verdict { VERDICT_GOOD, VERDICT_CHECK, VERDICT_EXPIRED, VERDICT_FOUND, VERDICT_UNKNOWN } ws_verdict;

/* --- race_l1.c --- */

void race_l1_init(const ws_coherence *c, void *l1);
/* May the copy serve a load of these words? `wrongly`: the exact set says that it may. */
ws_verdict race_judge(const ws_coherence *c, void *l1, const ws_l1_line *line, uint32_t words, bool *wrongly);
/* Must the access wait for the detector, or for the line? line NULL: there is none. */
bool race_must_wait(const ws_coherence *c, const void *l1, const ws_l1_line *line, const ws_request *access);
/* Is there no room for one more load that a copy serves while answers are missing? */
bool race_has_no_room(const ws_coherence *c, const void *l1);
/* Does another instruction store to the block and to others, and is not performed? Nobody in the SM may see that, with
 * a copy or without. */
bool race_is_half_stored(const ws_coherence *c, const void *l1, uint64_t block, uint16_t warp, uint16_t tag);
/* The answer to a store has come: has it come to all of its instruction, where these are performed together? */
bool race_is_whole(const ws_coherence *c, void *l1, const ws_coherence_message *m, ws_pending *answered);
/* A store of the warp that is performed and has not left the list, or NULL. */
ws_pending *race_next_performed(const ws_coherence *c, void *l1, uint16_t warp);
/* Local memory, which no other thread sees: has no place in the order. */
bool race_is_private(const ws_coherence *c, const ws_cache_who *who);
/* The access was taken just now: did it send a request? The detector sees those of an SM in that order. It has its
 * place there if that of each earlier access of its warp will be before it: not of loads that wait for others'
 * requests. */
bool race_is_in_turn(const ws_coherence *c, const ws_l1 *l1, const ws_pending *entry);
/* Has the warp of the load, whether it is in the list or comes behind all of it, earlier accesses under way which it
 * need not wait for? */
bool race_is_ahead(const ws_coherence *c, const ws_l1 *l1, const ws_pending *entry);
/* Has the access its place, and every earlier one of its warp? */
bool race_is_placed(const ws_coherence *c, const ws_l1 *l1, const ws_pending *entry);
/* The load has a value that was good in that epoch: may it still turn out to be wrong? */
bool race_is_early(const ws_coherence *c, const ws_l1 *l1, const ws_pending *entry, uint32_t epoch);
/* In which the copy that serves a load is known to be good. */
uint32_t race_hit_epoch(const ws_coherence *c, const void *l1, const ws_l1_line *line);
/* The load has its value, which was good in that epoch; the list keeps it, or has room for it behind its end. */
void race_keep_early(const ws_coherence *c, void *l1, ws_pending *entry, uint32_t epoch, const uint32_t *data);
/* What became of an access: EARLY: nothing new, or it is none that has its value early; KEPT; REFUTED: it has no value
 * any more. */
ws_completion_stage race_settled(const ws_coherence *c, void *l1, ws_pending *entry);
/* A store or atomic was taken: loads of other warps that run ahead do not know whether it comes before them. */
void race_overwrite(const ws_coherence *c, void *l1, const ws_request *access);
/* Of the SM; 0 where nobody detects races. */
uint32_t race_epoch(const ws_coherence *c, const void *l1);
void race_count_miss(const ws_coherence *c, void *l1, ws_verdict verdict, bool wrongly);
/* The copy serves a load. */
void race_hit(const ws_coherence *c, void *l1, ws_l1_line *line);
/* A request leaves: what a read of the block says about words and copy, a store about how many its instruction has:
 * `about`. */
void race_ask(const ws_coherence *c, void *l1, ws_coherence_message *m, uint32_t about, const ws_l1_line *line);
/* An answer comes. */
void race_hear(const ws_coherence *c, void *l1, const ws_coherence_message *m);

/* --- race_detector.c --- */

/* A request comes to its slice; its order is settled, and the sender told if it stalls for that. m->wts and m->note
 * become those of its answer, m->rts the number of stores so far. Sends what epochs begin with. *renewed: the sender's
 * copy is good, and it was told. */
void race_arrive(const ws_coherence *c, ws_coherence_message *m, uint64_t now, const ws_coherence_ports *ports,
                 bool *renewed);
/* The request waits in its slice: its sender need not. */
void race_tell(const ws_coherence *c, ws_coherence_message *kept, const ws_coherence_ports *ports);
/* The request is served, or waits. */
void race_leave(const ws_coherence_ports *ports);

/* Where an L1 keeps the signature of an epoch: its name, then the set. No name is 0, later epochs have greater ones. */
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
