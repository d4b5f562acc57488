/* update_account.h - what a kernel's updates cost on a machine, by what is done with them: rows of update_variants.def.
 */
#ifndef WS_UPDATE_ACCOUNT_H
#define WS_UPDATE_ACCOUNT_H

#include "model/machine/machine_choice.h"
#include "model/machine/machine_declared.h"
#include "model/tech/lab_tech.h"
#include "model/mechanism/atomics/lab.h"
#include "model/mechanism/trace_take.h"
#include "model/mechanism/variant.h"

enum { WS_UPDATE_VARIANTS_MOST = 24 };

/* A kernel, all of its launches together. Free with ws_update_subject_fini. */
typedef struct ws_update_subject {
    double launches, issue; /* issue: cycles in which the busiest SM issues its instructions */
    ws_update_reuse reuse;
    ws_lab_result buffer[WS_UPDATE_VARIANTS_MOST]; /* by variant, of those with buffers */
    ws_lab_result lines;                           /* of a buffer of as many lines as the L1 */
    ws_chip_reuse chip[2]; /* what comes to chips: all updates, and what SMs with the buffers of table rows behind which
                              chips have some send */
} ws_update_subject;

/* What it comes to under a variant. */
typedef struct ws_update_account {
    double hits, misses, evictions, mismatches, flushed,
        migrations;                  /* of updates; the latter four of the last level that has a buffer */
    double chip_requests, chip_hits; /* that come to buffers of chips; of these: of a line that is kept */
    double messages, load_misses;    /* atomics and lines of them that travel up; loads that the L1 does not serve */
    double bytes;                    /* between SMs and L2, of all that is global */
    double update_pj, all_pj;        /* of updates; of all of L1s, buffers, L2 and the network between them */
    double l2_cycles, word_cycles, flush_cycles, cycles;
} ws_update_account;

/* How many a machine has: buffers of chips are the last, of those with L2s that keep what their own SMs ask for. */
size_t ws_update_variants(const ws_machine *machine);
const char *ws_update_variant_name(size_t variant);
/* Has a chip a buffer? And are there buffers in its SMs? */
bool ws_update_variant_has_chips(size_t variant, bool *behind);

/* The machine of the choice that has it; failures as of ws_machine_choose. And: can a machine like this, whose atomics
 * go to L2, have it? Not where a buffer leaves it no L1, or where lines of the L1 cannot keep updates. */
int ws_update_variant_machine(const ws_machine_choice *choice, size_t variant, ws_machine **out);
bool ws_update_variant_fits(const ws_machine *machine, size_t variant);

/* Logs of updates of all launches of a trace, for ws_update_subject_add. As of ws_trace_take. */
int ws_update_logs_take(ws_trace *trace, const ws_machine *machine, ws_take *take, void *context);

/* Adds a launch to the subject; `values`: buffers are followed with values, too (seed). Failures as of
 * ws_placement_make. */
int ws_update_subject_add(ws_update_subject *subject, const ws_machine *machine, const ws_launch *launch,
                          const ws_update_log *log, bool values, uint64_t seed);
void ws_update_subject_fini(ws_update_subject *subject);

/* WS_EVERIFY for a time beyond the bounds of model/time_bounds.h; `kernel` is named then. */
int ws_update_account_of(const ws_update_subject *subject, const char *kernel, const ws_machine *machine,
                         const ws_lab_tech *tech, bool linear, size_t variant, ws_update_account *out);

#endif
