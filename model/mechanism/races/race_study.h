/* race_study.h - race detection on the accesses of a trace: by functional replay, and by closed forms.
 *
 * The replay is that of all protocols (model/coherence/replay.h): it has the counts of the simulator for one order of
 * accesses, and no time. The closed forms are those of model/mechanism/races/race_form.h and race_ages.h; they take the
 * numbers of stores, races and units from the replay. Time is the estimate of the same caches without race detection
 * (model/coherence/closed_form.h). */
#ifndef WS_RACE_STUDY_H
#define WS_RACE_STUDY_H

#include "collect/wst/wst.h"
#include "model/mechanism/races/race_ages.h"
#include "model/coherence/replay.h"
#include "model/machine/machine_declared.h"

/* Signatures are filters, or exact sets. */
enum { WS_RACE_FILTERS, WS_RACE_EXACT, WS_RACE_SETS };
extern const char *const ws_race_set_names[WS_RACE_SETS];

/* Expectations of closed forms; sums over launches except for ratios. */
typedef struct ws_race_predicted {
    ws_race_aged aged;
    double random_forced; /* epochs from full signatures if all SMs stored alike, at random */
    double mistaken;      /* false positive rate of look-ups */
    double bytes;         /* network bytes beyond those of caches without it */
    double detector_reads, detector_writes, filter_reads; /* units */
    double detector_j, filter_j;
    double slowdown; /* of SMs that wait for each answer of the detector */
} ws_race_predicted;

typedef struct ws_race_outcome {
    ws_coherence_traffic did;    /* by replay */
    double added_bytes;          /* on the network, relative to a replay without race detection */
    double detector_j, filter_j; /* of the replay's counts, in the estimated time; NaN: no chip given */
    ws_race_predicted form;
} ws_race_outcome;

typedef struct ws_race_study {
    ws_race_outcome with[WS_RACE_SETS];
    double launches, cycles; /* of launches; estimated, without race detection */
} ws_race_study;

typedef struct ws_race_study_options {
    const ws_machine *machine; /* with a protocol that detects races */
    double hidden;             /* share of the round trip to the detector, for the slowdown: 0 to 1 */
} ws_race_study_options;

/* Processes every launch of the trace. WS_EUNSUPPORTED for a protocol without race detection, and as
 * ws_closed_machine_of; WS_EINTERRUPTED. */
int ws_race_study_trace(ws_trace *trace, const ws_race_study_options *options, ws_race_study *out);

#endif
