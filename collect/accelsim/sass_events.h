/* sass_events.h - the records of a block's warps as events.
 *
 * A trace tells which lanes executed an instruction, not which were on that path: lanes whose predicate was false look
 * like lanes elsewhere. What is known is that lanes which execute together are together, and that they stay so until a
 * branch parts them: the lanes in the mask of a jump have taken it, the others of their group go on behind it. So a
 * warp is a set of groups of lanes; groups that appear in one mask have met again. `active` of an event is the group.
 */
#ifndef WS_SASS_EVENTS_H
#define WS_SASS_EVENTS_H

#include "collect/accelsim/spool.h"
#include "collect/trace/fanout.h"

/* What the records of a launch refer to. */
typedef struct ws_sass_program {
    const ws_launch *launch;
    const ws_instr_table *table;
    const uint32_t *pc;     /* [table->n] where an instruction stands in launch->instr */
    const uint32_t *run;    /* [table->n] so many instructions follow in both, this one included */
    const uint64_t *window; /* [2], see ws_line_form */
    uint64_t local_first;   /* offset in local memory that becomes 0 */
    bool pairs;             /* LDGSTS has two records: where it writes in shared memory, where it reads */
} ws_sass_program;

typedef struct ws_sass_block ws_sass_block;

typedef struct ws_sass_counts {
    uint64_t warp_instructions, thread_instructions;
} ws_sass_counts;

/* Memory for one block at a time. */
int ws_sass_block_create(const ws_sass_program *program, const ws_spool *spool, ws_sass_block **out);
void ws_sass_block_destroy(ws_sass_block *block); /* accepts NULL */

/* Shows block number `number` to the range, whole: begin, events, end. Warps take turns as in a run: in rising order,
 * each until a barrier, its end, or the end of a slice. */
int ws_sass_block_play(ws_sass_block *block, ws_range *range, uint64_t number, ws_sass_counts *counts);

#endif
