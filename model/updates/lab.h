/* lab.h - what do local atomic buffers do to memory, and what do they send?
 *
 * The algorithm of a local atomic buffer (fully associative, LRU) over the streams of SMs, with values: partial updates are summed up entry by entry and
 * applied to memory when they leave, and what memory holds at the end is compared with the same updates applied one by one. Operands and what memory holds at
 * first are drawn at random, as traces keep none. */
#ifndef WS_LAB_H
#define WS_LAB_H

#include "model/updates/update_stream.h"

typedef struct ws_lab_result {
    double updates, messages, bytes; /* requests of lines; partial updates that leave, and the bytes of their words */
    double elements, different;      /* of memory that were updated, whole numbers; of these: not the same at the end (has to be 0) */
    double reals, unknown;           /* elements of floating point; those whose arithmetic is not done here (halves) */
    double mixed;                    /* elements that updates of several operations change, whose order matters: not compared */
    double worst, error;             /* of reals: the largest relative difference, and the sum of all */
} ws_lab_result;

/* Adds a launch. `entries` 0: as many as there are lines. `values`: else only what is sent. WS_EMEM. */
int ws_lab_run(const ws_update_log *log, const ws_update_step *steps, uint32_t sms, uint64_t entries, bool values, uint64_t seed, ws_lab_result *sum);

/* What an operation (ws_update_code) makes of two values, in the low bits of each. */
uint64_t ws_lab_apply(uint32_t code, uint64_t a, uint64_t b);

#endif
