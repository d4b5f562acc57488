/* touch_log.h - which CTA of a launch touches which blocks of global memory, and how much does it do?
 *
 * A sink that keeps a pair for each block that a CTA touches. Of more pairs than the limit it goes on with the blocks
 * whose hash begins with `level` zero bits; what is kept of a block is complete. */
#ifndef WS_TOUCH_LOG_H
#define WS_TOUCH_LOG_H

#include "base/table.h"
#include "collect/trace/sink.h"

typedef struct ws_touch_pair {
    uint64_t block; /* address >> line_shift */
    uint32_t cta;
    uint32_t loads; /* accesses of warps that read it, after coalescing; stops at its most */
} ws_touch_pair;

typedef struct ws_touch_log {
    ws_touch_pair *pair;
    size_t pairs, room, limit;
    unsigned level, line_shift;
    uint64_t *work; /* [ctas] warp instructions of the CTAs from `first` on */
    size_t ctas, work_room;
    uint64_t first;
    ws_table own; /* block -> 1 + place of its pair, of the CTA that runs */
} ws_touch_log;

typedef struct ws_touch_log_options {
    unsigned line_shift;
    size_t limit; /* of pairs */
} ws_touch_log_options;

/* The options must outlive it. */
ws_sink ws_touch_log_sink(const ws_touch_log_options *options);

/* Pairs by block; after the launch. */
void ws_touch_log_sort(ws_touch_log *log);

/* What SMs share when CTAs run where sm[] says. */
typedef struct ws_sharers {
    double blocks, shared;        /* blocks that were touched; by two SMs or more */
    double copies, shared_copies; /* SMs that touch a block, summed over blocks; over shared ones */
    double loads, first_loads;    /* accesses that read; SMs that read a block, summed over blocks */
} ws_sharers;

enum { WS_TOUCH_SMS = 1024 };
static const uint32_t WS_TOUCH_NOWHERE = UINT32_MAX;

/* Of a sorted log; sm[ctas]: below WS_TOUCH_SMS, or WS_TOUCH_NOWHERE for a CTA that is to be left out. Adds to the
 * sums. */
void ws_touch_log_sharers(const ws_touch_log *log, const uint32_t *sm, ws_sharers *sums);

#endif
