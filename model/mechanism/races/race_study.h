/* race_study.h - what does race detection do with the accesses of a trace: by functional replay, and by closed forms
 * beside it?
 *
 * The replay is that of all protocols (model/coherence/replay.h), so it has the counts of the simulator for one order
 * of accesses, and no time. Closed forms are those of model/mechanism/races/race_form.h and race_ages.h: of the replay
 * they take how many stores, races and units there were. Time is the estimate of the same caches without race detection
 * (model/coherence/closed_form.h). */
#ifndef WS_RACE_STUDY_H
#define WS_RACE_STUDY_H

#include "collect/wst/wst.h"
#include "model/mechanism/races/race_ages.h"
#include "model/coherence/replay.h"
#include "model/machine/machine_declared.h"

/* Signatures are filters, or sets that make no mistakes. */
enum { WS_RACE_FILTERS, WS_RACE_EXACT, WS_RACE_SETS };
extern const char *const ws_race_set_names[WS_RACE_SETS];

/* Expected by closed forms; sums over launches but for ratios. */
typedef struct ws_race_predicted {
    ws_race_aged aged;
    double random_forced; /* epochs that full signatures would begin if all SMs stored alike, at random */
    double mistaken;      /* of look-ups of what is not there, those that find it */
    double bytes;         /* on the network besides those of caches without it */
    double detector_reads, detector_writes, filter_reads; /* units */
    double detector_j, filter_j;
    double slowdown; /* of SMs that wait for each answer of the detector */
} ws_race_predicted;

typedef struct ws_race_outcome {
    ws_coherence_traffic did;    /* by replay */
    double added_bytes;          /* on the network, over a replay without race detection */
    double detector_j, filter_j; /* of what the replay counts, in the estimated time; NaN: nobody said of which chip */
    ws_race_predicted form;
} ws_race_outcome;

typedef struct ws_race_study {
    ws_race_outcome with[WS_RACE_SETS];
    double launches, cycles; /* of launches; estimated, without race detection */
} ws_race_study;

typedef struct ws_race_study_options {
    const ws_machine *machine; /* its protocol detects races */
    double hidden;             /* of the way to the detector and back, for the slowdown: 0 to 1 */
} ws_race_study_options;

/* Every launch of the trace. WS_EUNSUPPORTED for a protocol that detects no races, and what ws_closed_machine_of
 * refuses; WS_EINTERRUPTED. */
int ws_race_study_trace(ws_trace *trace, const ws_race_study_options *options, ws_race_study *out);

#endif
