/* lab.h - what do local atomic buffers do to memory, and what do they send?
 *
 * The algorithm of a local atomic buffer (fully associative, LRU) over the streams of SMs, with values: partial updates
 * are summed up entry by entry and applied to memory when they leave, and what memory holds at the end is compared with
 * the same updates applied one by one. Operands and what memory holds at first are drawn at random, as traces keep
 * none. */
#ifndef WS_LAB_H
#define WS_LAB_H

#include "model/mechanism/atomics/chip_reuse.h"
#include "model/mechanism/atomics/update_stream.h"

typedef struct ws_lab_result {
    double updates, messages, bytes; /* requests of lines; partial updates that leave, and the bytes of their words */
    double elements,
        different; /* of memory that were updated, whole numbers; of these: not the same at the end (has to be 0) */
    double reals, unknown; /* elements of floating point; those whose arithmetic is not done here (halves) */
    double mixed;          /* elements that updates of several operations change, whose order matters: not compared */
    double worst, error;   /* of reals: the largest relative difference, and the sum of all */
} ws_lab_result;

/* Chips, each with a buffer of its own for what its SMs send, a part in each slice of its L2. */
typedef struct ws_lab_chips {
    uint32_t chips, slices; /* slices: of a chip */
    uint64_t entries;       /* of a part */
    uint32_t (*slice_of)(const void *context, uint64_t line);
    const void *context;
    ws_chip_reuse *reuse; /* NULL, or it gets what comes to the chips, for buffers of all sizes */
} ws_lab_chips;

enum { WS_LAB_NOTHING = UINT32_MAX }; /* entries of SMs that send each update at once */

/* Adds a launch. `entries` 0: as many as there are lines. chips NULL: what SMs send is in memory then. `values`: else
 * only what is sent. WS_EMEM. */
int ws_lab_run(const ws_update_log *log, const ws_update_step *steps, uint32_t sms, uint64_t entries,
               const ws_lab_chips *chips, bool values, uint64_t seed, ws_lab_result *sum);

/* What an operation (ws_update_code) makes of two values, in the low bits of each. */
uint64_t ws_lab_apply(uint32_t code, uint64_t a, uint64_t b);

#endif
