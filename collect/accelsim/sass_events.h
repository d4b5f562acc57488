/* sass_events.h - conversion of the records of a block's warps to events.
 *
 * A trace shows which lanes executed an instruction, not which were on that path: lanes with a false predicate look
 * like lanes elsewhere. Lanes that execute together are together, and remain so until a branch separates them. Lanes in
 * the mask of a jump have taken it; the others of their group continue behind it. So a warp is a set of groups of
 * lanes. Groups that appear in one mask have reconverged. `active` of an event is the group. */
#ifndef WS_SASS_EVENTS_H
#define WS_SASS_EVENTS_H

#include "collect/accelsim/spool.h"
#include "collect/trace/fanout.h"

/* Static data used by the records of a launch. */
typedef struct ws_sass_program {
    const ws_launch *launch;
    const ws_instr_table *table;
    const uint32_t *pc;     /* [table->n] index of an instruction in launch->instr */
    const uint32_t *run;    /* [table->n] number of instructions that are consecutive in both, including this one */
    const uint64_t *window; /* [2], see ws_line_form */
    uint64_t local_first;   /* offset in local memory that maps to 0 */
    bool pairs;             /* LDGSTS has two records: its write to shared memory, and its read */
} ws_sass_program;

typedef struct ws_sass_block ws_sass_block;

typedef struct ws_sass_counts {
    uint64_t warp_instructions, thread_instructions;
} ws_sass_counts;

/* Allocates the state for one block at a time. */
int ws_sass_block_create(const ws_sass_program *program, const ws_spool *spool, ws_sass_block **out);
void ws_sass_block_destroy(ws_sass_block *block); /* accepts NULL */

/* Sends block number `number` to the range in full: begin, events, end. Warps take turns as in a run, in ascending
 * order, each until a barrier, its end, or the end of a slice. */
int ws_sass_block_play(ws_sass_block *block, ws_range *range, uint64_t number, ws_sass_counts *counts);

#endif
