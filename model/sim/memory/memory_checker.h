/* memory_checker.h - checker of load values against the memory model.
 *
 * Values are tokens: each stored word gets a unique number, so a value identifies its store. Requests and completions
 * of all SMs are reported in the order of their occurrence. A load of a forbidden value is reported with the stores
 * involved and their times. Memory is bounded by the words that the launch touches times the versions that may still be
 * read. */
#ifndef WS_MEMORY_CHECKER_H
#define WS_MEMORY_CHECKER_H

#include "model/coherence/coherence.h"

typedef struct ws_memory_checker ws_memory_checker;

/* Creates a checker. `promise`: of the protocol, or another one. */
int ws_memory_checker_create(ws_promise promise, uint32_t sms, uint32_t warps, uint32_t words, ws_memory_checker **out);
void ws_memory_checker_destroy(ws_memory_checker *checker); /* accepts NULL */

/* A request goes to an L1: fills request->data of a store with new tokens, of an atomic with increments of 1 unless it
 * has sums, and records the issue time for its completion. */
int ws_memory_checker_issue(ws_memory_checker *checker, uint32_t sm, ws_request *request, uint64_t now);

/* The L1 refused the last request reported for this SM; a retry is reported again. */
void ws_memory_checker_refused(ws_memory_checker *checker, uint32_t sm);

/* The L2 performed a store or atomic: its answer (ACK or ATOMIC_ACK) as L2 sent it, with the time it is visible. */
int ws_memory_checker_perform(ws_memory_checker *checker, const ws_coherence_message *answer, uint64_t now);

/* A request completed at its SM. WS_EVERIFY with a one-line explanation if the value is forbidden. */
int ws_memory_checker_complete(ws_memory_checker *checker, uint32_t sm, const ws_completion *completion, uint64_t now);

/* Returns the last value of a word known to be performed, or 0. */
uint32_t ws_memory_checker_value(const ws_memory_checker *checker, uint64_t block, unsigned word);

/* Returns the number of checked loads. */
uint64_t ws_memory_checker_checked(const ws_memory_checker *checker);

/* For tests: sets the number of the next stored word. At UINT32_MAX ws_memory_checker_issue returns WS_ELIMIT. */
void ws_memory_checker_set_token(ws_memory_checker *checker, uint32_t token);

#endif
