/* collector.h - the families of a set, as sinks for the engine, and their counters after each launch. */
#ifndef WS_COLLECTOR_H
#define WS_COLLECTOR_H

#include "base/bytes.h"
#include "metrics/metric.h"

typedef struct ws_collector ws_collector;

/* set: "study", "modern", "all" or NULL for both, "machines", "synchronization" (see metric_layout.h). WS_EINPUT for
 * another name. */
int ws_collector_create(const char *set, ws_collector **out);
void ws_collector_destroy(ws_collector *collector);

/* Leaves out the families that look at values, for replays that have none. Before the sinks are asked for. */
void ws_collector_drop_values(ws_collector *collector);

/* For ws_run: sinks, and the function to pass as ws_run.collect with the collector as its context. */
const ws_sink *const *ws_collector_sinks(const ws_collector *collector, size_t *n);
int ws_collector_collect(void *collector, const ws_launch *launch, size_t sink, void *state);

/* Families in sink order, and the counters of family i after a launch (valid until the next). */
const ws_metric *ws_collector_metric(const ws_collector *collector, size_t i);
const double *ws_collector_counters(const ws_collector *collector, size_t i);

/* What a model wants to know of the launch beside counters, kept with them in the results file: bytes that only the
 * model understands. Set after each launch; the collector copies. WS_EMEM. Valid until the next. */
int ws_collector_set_profile(ws_collector *collector, const void *data, size_t length);
const void *ws_collector_profile(const ws_collector *collector, size_t *length); /* NULL: none */

/* What each instruction of the launch did, as ws_instructions_finish has it. Set after each launch where somebody
 * looked; stays the caller's and is to last until the launch is stored. */
void ws_collector_set_listing(ws_collector *collector, const ws_bytes *code, const ws_bytes *counts);
bool ws_collector_listing(const ws_collector *collector, const ws_bytes **code,
                          const ws_bytes **counts); /* false: none */

#endif
