/* summary.h - summary of a program's kernels, a few lines each: the most executed ones, their problems, places and
 * remedies. */
#ifndef WS_SUMMARY_H
#define WS_SUMMARY_H

#include "base/frame.h"
#include "cli/annotate/rule.h"
#include "metrics/store/store.h"

#include <stdio.h>

enum { WS_SUMMARY_FINDINGS = 5, WS_SUMMARY_HOT = 3 }; /* per kernel, at most */

typedef struct ws_summary_kernel {
    char *workload, *kernel, *title;
    int64_t run; /* run of the listing */
    uint64_t launches, warp_instructions;
    ws_facts facts;
    ws_line_table table;
    ws_listing *listing; /* NULL: no data about instructions */
    ws_finding finding[WS_RULES];
    size_t findings;
} ws_summary_kernel;

typedef struct ws_summary {
    ws_summary_kernel *kernel; /* [kernels] per workload, in decreasing order of instructions */
    size_t kernels, room;
    ws_frame *frame; /* metrics by kernel */
    ws_arena *arena;
    void (*remark)(void *context, const ws_summary_kernel *kernel,
                   FILE *out); /* prints lines after the first line of a kernel; NULL: none */
    void *remark_context;
} ws_summary;

/* Summarises everything that frames of the store show. WS_ENOTFOUND if the store shows nothing. Free with fini, which
 * accepts a zeroed one. */
int ws_summary_make(ws_store *store, ws_summary *out);
void ws_summary_fini(ws_summary *summary);

/* Prints at most `most` kernels per workload; `wanted` (NULL: all) selects them. Returns false if none was printed. */
bool ws_summary_print(const ws_summary *summary, size_t most,
                      bool (*wanted)(void *context, const ws_summary_kernel *kernel), void *context, FILE *out);

/* Returns one row per kernel. Labels: workload, kernel and mangled. Columns: share (of the warp instructions of its
 * workload), launches, warp_instructions, blocks and threads (of the largest launch, of a block) and findings. */
int ws_summary_work_frame(const ws_summary *summary, ws_frame **out);

/* Returns one row per finding. Labels: workload, kernel, rule, place, finding, remedy. Column: loss. */
int ws_summary_frame(const ws_summary *summary, bool (*wanted)(void *context, const ws_summary_kernel *kernel),
                     void *context, ws_frame **out);

#endif
