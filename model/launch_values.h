/* launch_values.h - value statistics of a launch for memories that wear, forget or write slowly: changed bits,
 * lifetimes of data, rewrites.
 *
 * The statistics are of a sample of at most 16 blocks (ws_value_sample). They are shares, not totals; launch_work.h has
 * the total register and shared-memory reads and writes. Bits need values, which the engine and traces with values
 * provide; the rest needs only events. Times are instructions of the warp that holds the register; for shared memory,
 * instructions of the block divided by its warps. Blocks are delivered one by one, so effects between warps of
 * different blocks are not included. */
#ifndef WS_LAUNCH_VALUES_H
#define WS_LAUNCH_VALUES_H

#include "collect/trace/changed_bits.h"
#include "model/shared_recency.h"

enum {
    WS_VALUE_TIMES = 24, /* bins of times: 0, 1, 2 to 3, 4 to 7 ...; the last is open */
    WS_VALUE_USES = 4,   /* bins of read counts; the last is open */
    WS_VALUE_PORTS = 6,  /* register write ports, 1 << i words wide */
    WS_VALUE_BANKS =
        32, /* register r of warp w is in bank (r + w) modulo this number, as in model/sim/sm/register_file_banked.c */
};

/* All members are 64-bit numbers; the last four are maxima, all others sums. A row is a register of a warp. */
typedef struct ws_launch_values {
    uint64_t blocks, instructions;     /* sampled blocks; instructions of their warps */
    ws_changed_bits registers, shared; /* without predicates and 128-bit registers */
    uint64_t row_writes, lane_writes;  /* register writes, including predicates: of warps, of their lanes */
    uint64_t row_reads;
    uint64_t bank_writes[WS_VALUE_BANKS]; /* rows */
    uint64_t port_turns[WS_VALUE_PORTS];  /* turns of write ports of these widths for rows: register_turns.h */
    uint64_t text_writes, text_once; /* writes of warps to registers named in the kernel's text (collect/trace/code.h);
                                        those that no warp overwrites in its block. 0: the text is not known */
    uint64_t uses[WS_VALUE_USES];    /* rows, by number of reads before the next write */
    uint64_t first_read[WS_VALUE_TIMES];  /* rows, by the time from a write to the first read */
    uint64_t last_read[WS_VALUE_TIMES];   /* lanes, by the time from a write to the last read before the next */
    uint64_t long_reads[WS_VALUE_TIMES];  /* reads of rows, by time since the write */
    uint64_t rewritten[WS_VALUE_TIMES];   /* rows, by time since the previous write */
    uint64_t overwritten[WS_VALUE_TIMES]; /* lanes of these rows that the previous write also had written */
    ws_recency_counts recency;            /* of words of shared memory */
    ws_recency_modified modified;
    uint64_t shared_age[WS_VALUE_TIMES];         /* words, by the time from a write to the last read before the next */
    uint64_t hottest_row, hottest_row_changed;   /* writes to one row in one block; writes that change it */
    uint64_t hottest_word, hottest_word_changed; /* to one word of shared memory */
} ws_launch_values;

/* Return the bin of a time, and the representative time of a bin: the geometric mean of its ends. */
unsigned ws_value_time_bin(uint32_t time);
double ws_value_time_of(unsigned bin);

/* Returns whether values came with the launch, or were not needed. */
static inline bool ws_launch_values_known(const ws_launch_values *v)
{
    return v->registers.writes || v->shared.writes || !(v->lane_writes || v->recency.word_writes[WS_RECENCY_BINS - 1]);
}

/* State while the launch runs. */
typedef struct ws_value_watch ws_value_watch;

/* Creates a watch. Blocks outside the sample are skipped. WS_EMEM, WS_EUNSUPPORTED. */
int ws_value_watch_create(const ws_launch *launch, ws_value_watch **out);
void ws_value_watch_destroy(ws_value_watch *watch); /* accepts NULL */
int ws_value_watch_begin(ws_value_watch *watch, const ws_launch *launch, uint64_t block);
void ws_value_watch_events(ws_value_watch *watch, const ws_launch *launch, const ws_batch *batch);
void ws_value_watch_value(ws_value_watch *watch, const ws_value *value);
void ws_value_watch_end(ws_value_watch *watch);
void ws_value_watch_merge(ws_value_watch *into, const ws_value_watch *from);
const ws_launch_values *ws_value_watch_result(const ws_value_watch *watch);

#endif
