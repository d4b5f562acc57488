/* update_account.h - cost of a kernel's updates on a machine under each rule: rows of update_variants.def. */
#ifndef WS_UPDATE_ACCOUNT_H
#define WS_UPDATE_ACCOUNT_H

#include "model/machine/machine_choice.h"
#include "model/machine/machine_declared.h"
#include "model/tech/lab_tech.h"
#include "model/mechanism/atomics/lab.h"
#include "model/mechanism/trace_take.h"
#include "model/mechanism/variant.h"

enum { WS_UPDATE_VARIANTS_MOST = 24 };

/* Kernel, with all its launches. Freed with ws_update_subject_fini. */
typedef struct ws_update_subject {
    double launches, issue; /* issue: cycles that the busiest SM needs to issue its instructions */
    ws_update_reuse reuse;
    ws_lab_result buffer[WS_UPDATE_VARIANTS_MOST]; /* by variant, for those with buffers */
    ws_lab_result lines;                           /* of a buffer with as many lines as the L1 */
    ws_chip_reuse chip[2]; /* arrivals at chips: of all updates, and of the messages of SMs with the buffers of table
                              rows that also have chip buffers */
} ws_update_subject;

/* Totals of a kernel under a variant. */
typedef struct ws_update_account {
    double hits, misses, evictions, mismatches, flushed,
        migrations;                  /* of updates; the last four of the last level with a buffer */
    double chip_requests, chip_hits; /* arrivals at chip buffers; those that hit a kept line */
    double messages, load_misses;    /* atomics and their lines sent to L2; loads that miss the L1 */
    double bytes;                    /* between SMs and L2, for all global memory */
    double update_pj, all_pj;        /* of updates; of all L1s, buffers, L2 and the network between them */
    double l2_cycles, word_cycles, flush_cycles, cycles;
} ws_update_account;

/* Returns the variants of a machine. Those with chip buffers are last; they need L2s that keep the lines requested by
 * their own SMs. */
size_t ws_update_variants(const ws_machine *machine);
const char *ws_update_variant_name(size_t variant);
/* Returns whether a chip has a buffer. *behind: its SMs also have buffers. */
bool ws_update_variant_has_chips(size_t variant, bool *behind);

/* Make the machine of the choice with the variant; fails as ws_machine_choose. Return whether a machine like this, with
 * atomics at L2, supports it: not if a buffer leaves no L1, or if lines of the L1 cannot keep updates. */
int ws_update_variant_machine(const ws_machine_choice *choice, size_t variant, ws_machine **out);
bool ws_update_variant_fits(const ws_machine *machine, size_t variant);

/* Collects update logs of all launches of a trace, for ws_update_subject_add. Fails as ws_trace_take. */
int ws_update_logs_take(ws_trace *trace, const ws_machine *machine, ws_take *take, void *context);

/* Adds a launch to the subject; `values`: buffers also compute values (seed). Fails as ws_placement_make. */
int ws_update_subject_add(ws_update_subject *subject, const ws_machine *machine, const ws_launch *launch,
                          const ws_update_log *log, bool values, uint64_t seed);
void ws_update_subject_fini(ws_update_subject *subject);

/* Computes the totals. WS_EVERIFY for a time beyond the bounds of model/time_bounds.h, with `kernel` in the message. */
int ws_update_account_of(const ws_update_subject *subject, const char *kernel, const ws_machine *machine,
                         const ws_lab_tech *tech, bool linear, size_t variant, ws_update_account *out);

#endif
