/* lab.h - local atomic buffers with values: effect on memory, and messages.
 *
 * The algorithm of a local atomic buffer (fully associative, LRU) is run over the streams of SMs. Partial updates are
 * summed entry by entry and applied to memory when they leave; the final memory is compared with the same updates
 * applied one by one. Operands and initial memory are random, as traces have no values. */
#ifndef WS_LAB_H
#define WS_LAB_H

#include "model/mechanism/atomics/chip_reuse.h"
#include "model/mechanism/atomics/update_stream.h"

typedef struct ws_lab_result {
    double updates, messages, bytes; /* line requests; partial updates that leave, and the bytes of their words */
    double elements, different;      /* updated integer elements of memory; those that differ at the end (must be 0) */
    double reals, unknown;           /* floating-point elements; those of types without arithmetic here (halves) */
    double mixed;                    /* elements updated by several operations, whose order matters: not compared */
    double worst, error;             /* of reals: the largest relative difference, and the sum of all */
} ws_lab_result;

/* Chips with a buffer each for the messages of their SMs, divided among the slices of their L2. */
typedef struct ws_lab_chips {
    uint32_t chips, slices; /* slices: of a chip */
    uint64_t entries;       /* of a part */
    uint32_t (*slice_of)(const void *context, uint64_t line);
    const void *context;
    ws_chip_reuse *reuse; /* NULL, or records the updates that reach chips, for buffers of all sizes */
} ws_lab_chips;

enum { WS_LAB_NOTHING = UINT32_MAX }; /* entries of SMs that send each update at once */

/* Adds a launch. `entries` 0: unlimited. chips NULL: messages of SMs reach memory directly. `values`: compute values;
 * otherwise only messages are counted. WS_EMEM. */
int ws_lab_run(const ws_update_log *log, const ws_update_step *steps, uint32_t sms, uint64_t entries,
               const ws_lab_chips *chips, bool values, uint64_t seed, ws_lab_result *sum);

/* Applies an operation (ws_update_code) to two values in the low bits of each. */
uint64_t ws_lab_apply(uint32_t code, uint64_t a, uint64_t b);

#endif
