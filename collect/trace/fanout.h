/* fanout.h - drives a set of sinks over the blocks of one launch; the engine's workers and trace replay share it.
 *
 * A range holds one state of every sink for a run of consecutive blocks. Ranges that are complete and adjacent are
 * merged in block order; see sink.h for the contract. */
#ifndef WS_FANOUT_H
#define WS_FANOUT_H

#include "collect/trace/sink.h"

typedef struct ws_fanout ws_fanout;
typedef struct ws_range ws_range;

/* Prepares the sinks for a launch; sinks[] and launch must outlive the fan-out. Destroy with ws_fanout_destroy. */
int ws_fanout_create(const ws_sink *const *sinks, size_t n, const ws_launch *launch, ws_fanout **out);
void ws_fanout_destroy(ws_fanout *fanout);

/* OR of what the sinks want; whether any wants values of this block. */
unsigned ws_fanout_wants(const ws_fanout *fanout);
int ws_fanout_samples(const ws_fanout *fanout, uint64_t block);

/* Opens a range that starts at block `first`. Thread-safe. */
int ws_range_open(ws_fanout *fanout, uint64_t first, ws_range **out);

/* Delivery into a range: one thread at a time. Blocks go first, first+1, ...; each begun, fed, ended. */
int ws_range_block_begin(ws_range *range, uint64_t block);
int ws_range_events(ws_range *range, const ws_batch *batch);
int ws_range_values(ws_range *range, uint64_t block, const ws_value *value, size_t n);
int ws_range_block_end(ws_range *range, uint64_t block);

/* Gives the range back: it now covers [first, end). Merges it with finished neighbours. Thread-safe. */
int ws_range_close(ws_range *range, uint64_t end);

/* After all ranges are closed and cover every block: state of sink number i, owned by the fan-out. NULL when the
 * launch was cut short. */
void *ws_fanout_state(ws_fanout *fanout, size_t i);

#endif
