/* fanout.h - delivery of the events of one launch to a set of sinks, shared by the engine's workers and trace replay.
 *
 * A range holds one state of every sink for a run of consecutive blocks. Complete, adjacent ranges are merged in block
 * order; see sink.h for the contract. */
#ifndef WS_FANOUT_H
#define WS_FANOUT_H

#include "collect/trace/sink.h"

typedef struct ws_fanout ws_fanout;
typedef struct ws_range ws_range;

/* Prepares the sinks for a launch; sinks[] and launch must outlive the fan-out. Destroy with ws_fanout_destroy. */
int ws_fanout_create(const ws_sink *const *sinks, size_t n, const ws_launch *launch, ws_fanout **out);
void ws_fanout_destroy(ws_fanout *fanout);

/* Return the OR of the kinds that the sinks want, and whether any sink wants values of this block. */
unsigned ws_fanout_wants(const ws_fanout *fanout);
int ws_fanout_samples(const ws_fanout *fanout, uint64_t block);

/* Opens a range that starts at block `first`. Thread-safe. */
int ws_range_open(ws_fanout *fanout, uint64_t first, ws_range **out);

/* Delivery into a range, by one thread at a time. Blocks are delivered in the order first, first+1, ...; each is begun,
 * fed and ended. */
int ws_range_block_begin(ws_range *range, uint64_t block);
int ws_range_events(ws_range *range, const ws_batch *batch);
int ws_range_values(ws_range *range, uint64_t block, const ws_value *value, size_t n);
int ws_range_block_end(ws_range *range, uint64_t block);

/* Closes the range, which now covers [first, end), and merges it with finished neighbours. Thread-safe. */
int ws_range_close(ws_range *range, uint64_t end);

/* Returns the state of sink number i, owned by the fan-out, after all ranges are closed and cover every block. Returns
 * NULL when the launch was cut short. */
void *ws_fanout_state(ws_fanout *fanout, size_t i);

#endif
