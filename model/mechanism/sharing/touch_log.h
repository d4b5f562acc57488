/* touch_log.h - global memory blocks that each CTA of a launch touches, and its work.
 *
 * A sink keeps a pair for each block that a CTA touches. Above the limit it keeps only the blocks whose hash begins
 * with `level` zero bits; data of a kept block are complete. */
#ifndef WS_TOUCH_LOG_H
#define WS_TOUCH_LOG_H

#include "base/table.h"
#include "collect/trace/sink.h"

typedef struct ws_touch_pair {
    uint64_t block; /* address >> line_shift */
    uint32_t cta;
    uint32_t loads; /* accesses of warps that read it, after coalescing; saturates */
} ws_touch_pair;

typedef struct ws_touch_log {
    ws_touch_pair *pair;
    size_t pairs, room, limit;
    unsigned level, line_shift;
    uint64_t *work; /* [ctas] warp instructions of the CTAs from `first` */
    size_t ctas, work_room;
    uint64_t first;
    ws_table own; /* block -> 1 + index of its pair, of the current CTA */
} ws_touch_log;

typedef struct ws_touch_log_options {
    unsigned line_shift;
    size_t limit; /* of pairs */
} ws_touch_log_options;

/* Returns a sink; the options must outlive it. */
ws_sink ws_touch_log_sink(const ws_touch_log_options *options);

/* Sorts pairs by block, after the launch. */
void ws_touch_log_sort(ws_touch_log *log);

/* Sharing between SMs for a placement sm[] of CTAs. */
typedef struct ws_sharers {
    double blocks, shared;        /* touched blocks; those touched by at least two SMs */
    double copies, shared_copies; /* SMs that touch a block, summed over blocks; over shared ones */
    double loads, first_loads;    /* accesses that read; SMs that read a block, summed over blocks */
} ws_sharers;

enum { WS_TOUCH_SMS = 1024 };
static const uint32_t WS_TOUCH_NOWHERE = UINT32_MAX;

/* Adds the sharing of a sorted log to the sums; sm[ctas]: below WS_TOUCH_SMS, or WS_TOUCH_NOWHERE to leave a CTA out.
 */
void ws_touch_log_sharers(const ws_touch_log *log, const uint32_t *sm, ws_sharers *sums);

#endif
