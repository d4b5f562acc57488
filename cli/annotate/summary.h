/* summary.h - a program's kernels in a few lines each: what runs most, what is wrong, where, and what to try. */
#ifndef WS_SUMMARY_H
#define WS_SUMMARY_H

#include "base/frame.h"
#include "cli/annotate/rule.h"
#include "metrics/store/store.h"

#include <stdio.h>

enum { WS_SUMMARY_FINDINGS = 5, WS_SUMMARY_HOT = 3 }; /* of a kernel, at most */

typedef struct ws_summary_kernel {
    char *workload, *kernel, *title;
    int64_t run; /* that the listing is of */
    uint64_t launches, warp_instructions;
    ws_facts facts;
    ws_line_table table;
    ws_listing *listing; /* NULL: nobody looked at instructions */
    ws_finding finding[WS_RULES];
    size_t findings;
} ws_summary_kernel;

typedef struct ws_summary {
    ws_summary_kernel *kernel; /* [kernels] of each workload those with most instructions first */
    size_t kernels, room;
    ws_frame *frame; /* metrics by kernel */
    ws_arena *arena;
    void (*remark)(void *context, const ws_summary_kernel *kernel,
                   FILE *out); /* lines behind the first of a kernel; NULL: none */
    void *remark_context;
} ws_summary;

/* Of everything that frames of the store show. WS_ENOTFOUND when that is nothing. Free with fini, which accepts a
 * zeroed one. */
int ws_summary_make(ws_store *store, ws_summary *out);
void ws_summary_fini(ws_summary *summary);

/* At most `most` kernels of a workload; `wanted` (NULL: all) says of which. False: there was none. */
bool ws_summary_print(const ws_summary *summary, size_t most,
                      bool (*wanted)(void *context, const ws_summary_kernel *kernel), void *context, FILE *out);

/* A row for each kernel: labels workload, kernel and mangled; columns share (of the warp instructions of its workload),
 * launches, warp_instructions, blocks and threads (of the largest launch, of a block) and findings. */
int ws_summary_work_frame(const ws_summary *summary, ws_frame **out);

/* A row for each finding: labels workload, kernel, rule, place, finding, remedy; column loss. */
int ws_summary_frame(const ws_summary *summary, bool (*wanted)(void *context, const ws_summary_kernel *kernel),
                     void *context, ws_frame **out);

#endif
