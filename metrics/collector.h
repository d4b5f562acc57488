/* collector.h - metric families of a set, as sinks for the engine, and their counters after each launch. */
#ifndef WS_COLLECTOR_H
#define WS_COLLECTOR_H

#include "base/bytes.h"
#include "metrics/metric.h"

typedef struct ws_collector ws_collector;

/* Creates a collector. set: "study", "modern", "all" or NULL for both, "machines", "synchronization" (see
 * metric_layout.h). Returns WS_EINPUT for any other name. */
int ws_collector_create(const char *set, ws_collector **out);
void ws_collector_destroy(ws_collector *collector);

/* Removes the families that need values, for replays without values. Call before ws_collector_sinks. */
void ws_collector_drop_values(ws_collector *collector);

/* Arguments of ws_run: the sinks, and the function for ws_run.collect, with the collector as its context. */
const ws_sink *const *ws_collector_sinks(const ws_collector *collector, size_t *n);
int ws_collector_collect(void *collector, const ws_launch *launch, size_t sink, void *state);

/* Return family i, in the order of sinks, and its counters after a launch, valid until the next launch. */
const ws_metric *ws_collector_metric(const ws_collector *collector, size_t i);
const double *ws_collector_counters(const ws_collector *collector, size_t i);

/* Sets the profile of a launch: opaque data of a model, stored with the counters in the results file. Call after each
 * launch; the collector copies the data, which are valid until the next launch. Returns WS_OK or WS_EMEM. */
int ws_collector_set_profile(ws_collector *collector, const void *data, size_t length);
const void *ws_collector_profile(const ws_collector *collector, size_t *length); /* NULL: none */

/* Sets the counts of each instruction of the launch, from ws_instructions_finish. Call after each launch with such
 * counts. The caller keeps ownership, and the data must stay valid until the launch is stored. */
void ws_collector_set_listing(ws_collector *collector, const ws_bytes *code, const ws_bytes *counts);
bool ws_collector_listing(const ws_collector *collector, const ws_bytes **code,
                          const ws_bytes **counts); /* false: none */

#endif
