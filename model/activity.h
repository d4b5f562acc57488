/* activity.h - activity counters of a machine's components, the shared input of reports, intervals and energy.
 *
 * The simulator fills all counters (model/sim/sim_activity.h). A functional replay of events fills the rows that need
 * no clock, with the same numbers (model/sim/activity_sink.h). Coherence models fill those of caches, networks and
 * memory, by replay of accesses or from profiles (model/coherence/traffic_activity.h). All counters are sums: add them
 * for two launches, subtract them for an interval. */
#ifndef WS_ACTIVITY_H
#define WS_ACTIVITY_H

#include "base/frame.h"
#include "model/operation.h"

enum {
    WS_ACTIVITY_BANKS = 64, /* most banks of registers */
    WS_ACTIVITY_CACHES = 5, /* L1, texture and constant caches of all SMs; L2; L3 */
    WS_ACTIVITY_L1 = 0,
    WS_ACTIVITY_TEXTURE = 1,
    WS_ACTIVITY_CONSTANT = 2,
    WS_ACTIVITY_L2 = 3,
    WS_ACTIVITY_L3 = 4,
    WS_ACTIVITY_DIRECTIONS = 4, /* request, reply, request link, reply link */
    WS_ACTIVITY_TABLES =
        3, /* race detection: filters of all SMs, the detector, tables of renamed registers of all SMs */
    WS_ACTIVITY_FILTER = 0,
    WS_ACTIVITY_DETECTOR = 1,
    WS_ACTIVITY_RENAMING = 2,
};

typedef struct ws_activity {
#define ACTIVITY(component, name, width, instances, knows, unit, meaning) uint64_t component##_##name[width];
#include "model/activity.def"
#undef ACTIVITY
} ws_activity;

void ws_activity_add(ws_activity *sum, const ws_activity *more);
/* Stores after - before. `difference` may alias either. */
void ws_activity_subtract(const ws_activity *after, const ws_activity *before, ws_activity *difference);

/* Sources of activity. */
typedef enum ws_activity_source {
    WS_ACTIVITY_SIMULATION = 1 << 0,
    WS_ACTIVITY_EVENTS = 1 << 1,
    WS_ACTIVITY_TRAFFIC = 1 << 2,
} ws_activity_source;

/* Row of activity.def; ws_activity_row_at() returns false after the last. */
typedef struct ws_activity_row {
    const char *component, *name, *unit, *meaning;
    size_t width, at;            /* elements; index of the first among the uint64_t of a ws_activity */
    unsigned known;              /* ws_activity_source bits of the sources that know it */
    const char *const *instance; /* names of the elements; NULL: numbered, or a single one */
} ws_activity_row;
bool ws_activity_row_at(size_t index, ws_activity_row *row);

/* Collects activity for a frame. */
typedef struct ws_activity_report ws_activity_report;
/* Creates an empty report, which the caller destroys. Counters that the source does not know are left out. WS_EMEM. */
int ws_activity_report_create(ws_activity_source source, ws_activity_report **out);
void ws_activity_report_destroy(ws_activity_report *report); /* accepts NULL */
/* Adds a stretch of `cycles` cycles that starts at `begin`, or a whole launch. With traffic, it adds a workload under
 * the protocol `kernel`. Names are copied. */
int ws_activity_report_add(ws_activity_report *report, const char *workload, const char *kernel, size_t launch,
                           uint64_t begin, uint64_t cycles, const ws_activity *did);
/* Adds the stretches of such a frame (below). WS_EINPUT for a frame with other columns or labels, or with a counter
 * that activity.def does not have. */
int ws_activity_report_read(ws_activity_report *report, const ws_frame *frame);
/* Stretch of a report; ws_activity_report_at() returns false after the last. Names live as long as the report. */
typedef struct ws_activity_stretch {
    const char *workload, *kernel;
    size_t launch;
    uint64_t begin, cycles;
    const ws_activity *did;
} ws_activity_stretch;
bool ws_activity_report_at(const ws_activity_report *report, size_t index, ws_activity_stretch *out);
/* Creates a frame with the labels workload, kernel (of traffic: protocol), launch, component, instance, counter, unit
 * and the columns begin, cycles, value. It has one row for each nonzero counter and for each counter without instances.
 * The caller frees it with ws_frame_destroy. */
int ws_activity_report_frame(const ws_activity_report *report, ws_frame **out);

#endif
