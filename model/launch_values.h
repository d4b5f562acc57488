/* launch_values.h - what memories that wear, forget or write slowly have to know of a launch: which bits change, how
 * long data are needed, what is written again.
 *
 * Of a sample of blocks (ws_value_sample), 16 at most; shares, not totals: how often registers and shared memory are
 * read and written in the whole launch says launch_work.h. Bits come with values, which the engine and traces with
 * values have; the rest comes with events. Times are instructions of the warp that holds the register; for shared
 * memory, of the block, divided by its warps. Blocks are told one by one, so what warps of other blocks do to each
 * other is no part of it. */
#ifndef WS_LAUNCH_VALUES_H
#define WS_LAUNCH_VALUES_H

#include "collect/trace/changed_bits.h"
#include "model/shared_recency.h"

enum {
    WS_VALUE_TIMES = 24, /* bins of times: 0, 1, 2 to 3, 4 to 7 ... the last is open */
    WS_VALUE_USES = 4,   /* read so often; the last is open */
    WS_VALUE_PORTS = 6,  /* of registers, 1 << i words wide */
    WS_VALUE_BANKS =
        32, /* register r of warp w is in bank (r + w) modulo this, as in model/sim/sm/register_file_banked.c */
};

/* Nothing but 64-bit numbers; the last four are maxima, all others sums. A row is a register of a warp. */
typedef struct ws_launch_values {
    uint64_t blocks, instructions;     /* that were looked at; of their warps */
    ws_changed_bits registers, shared; /* predicates and registers of 128 bits left out */
    uint64_t row_writes, lane_writes;  /* of registers, predicates included: of warps, of their lanes */
    uint64_t row_reads;
    uint64_t bank_writes[WS_VALUE_BANKS]; /* rows */
    uint64_t port_turns[WS_VALUE_PORTS];  /* for rows, of ports of these widths: register_turns.h */
    uint64_t text_writes,
        text_once;                /* of warps, of registers as the text of the kernel names them (collect/trace/code.h);
                                     of these that no warp writes again in its block. 0: the text is not known */
    uint64_t uses[WS_VALUE_USES]; /* rows, by how often they are read before they are written again */
    uint64_t first_read[WS_VALUE_TIMES];  /* rows, by the time from a write to the first read */
    uint64_t last_read[WS_VALUE_TIMES];   /* lanes, by the time from a write to the last read before the next */
    uint64_t long_reads[WS_VALUE_TIMES];  /* reads of rows by that time of theirs */
    uint64_t rewritten[WS_VALUE_TIMES];   /* rows, by the time since they were written before */
    uint64_t overwritten[WS_VALUE_TIMES]; /* lanes of these which that write had written, too */
    ws_recency_counts recency;            /* of words of shared memory */
    ws_recency_modified modified;
    uint64_t shared_age[WS_VALUE_TIMES];         /* words, by the time from a write to the last read before the next */
    uint64_t hottest_row, hottest_row_changed;   /* writes to one row in one block; writes that change it */
    uint64_t hottest_word, hottest_word_changed; /* to one word of shared memory */
} ws_launch_values;

/* The bin of a time, and the time that stands for all in it: the mean of the ends of the bin by their logarithm. */
unsigned ws_value_time_bin(uint32_t time);
double ws_value_time_of(unsigned bin);

/* Values came with the launch, or there were none to come. */
static inline bool ws_launch_values_known(const ws_launch_values *v)
{
    return v->registers.writes || v->shared.writes || !(v->lane_writes || v->recency.word_writes[WS_RECENCY_BINS - 1]);
}

/* While the launch runs. */
typedef struct ws_value_watch ws_value_watch;

/* WS_EMEM, WS_EUNSUPPORTED. Blocks that are no part of the sample are skipped. */
int ws_value_watch_create(const ws_launch *launch, ws_value_watch **out);
void ws_value_watch_destroy(ws_value_watch *watch); /* accepts NULL */
int ws_value_watch_begin(ws_value_watch *watch, const ws_launch *launch, uint64_t block);
void ws_value_watch_events(ws_value_watch *watch, const ws_launch *launch, const ws_batch *batch);
void ws_value_watch_value(ws_value_watch *watch, const ws_value *value);
void ws_value_watch_end(ws_value_watch *watch);
void ws_value_watch_merge(ws_value_watch *into, const ws_value_watch *from);
const ws_launch_values *ws_value_watch_result(const ws_value_watch *watch);

#endif
