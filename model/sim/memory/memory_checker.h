/* memory_checker.h - did every load return a value that the memory model allows?
 *
 * Values are tokens: each word that a store writes gets a number of its own, so a value says which store it is from.
 * Requests and completions of all SMs are told in the order in which they happen; a load that may not have seen what it
 * saw is reported with who stored what when. Memory is bounded by the number of words that the launch touches, times
 * the versions that somebody may still read. */
#ifndef WS_MEMORY_CHECKER_H
#define WS_MEMORY_CHECKER_H

#include "model/coherence/coherence.h"

typedef struct ws_memory_checker ws_memory_checker;

/* `promise`: of the protocol, or another one. */
int ws_memory_checker_create(ws_promise promise, uint32_t sms, uint32_t warps, uint32_t words, ws_memory_checker **out);
void ws_memory_checker_destroy(ws_memory_checker *checker); /* accepts NULL */

/* A request is handed to an L1: fills request->data of a store with fresh tokens, of an atomic with
 * increments of 1, unless it has sums. Remembers when it was issued, for its completion. */
int ws_memory_checker_issue(ws_memory_checker *checker, uint32_t sm, ws_request *request, uint64_t now);

/* The L1 did not take what ws_memory_checker_issue was told last for this SM; it is told again when it is tried again.
 */
void ws_memory_checker_refused(ws_memory_checker *checker, uint32_t sm);

/* The L2 performed a store or atomic: its answer (ACK or ATOMIC_ACK) as L2 sent it, with the time it is visible. */
int ws_memory_checker_perform(ws_memory_checker *checker, const ws_coherence_message *answer, uint64_t now);

/* A request completed at its SM. WS_EVERIFY with one line that tells the story when the value is not allowed. */
int ws_memory_checker_complete(ws_memory_checker *checker, uint32_t sm, const ws_completion *completion, uint64_t now);

/* The value of a word as far as it is known to be performed: 0 when nothing was. */
uint32_t ws_memory_checker_value(const ws_memory_checker *checker, uint64_t block, unsigned word);

/* Loads that were checked so far. */
uint64_t ws_memory_checker_checked(const ws_memory_checker *checker);

/* For tests: the number that the next stored word gets. At UINT32_MAX ws_memory_checker_issue is WS_ELIMIT. */
void ws_memory_checker_set_token(ws_memory_checker *checker, uint32_t token);

#endif
