/* verify.h - what the comparisons of `warpscape verify` share. */
#ifndef WS_VERIFY_H
#define WS_VERIFY_H

#include "base/frame.h"
#include "cli/trace_files.h"
#include "collect/wst/wst.h"
#include "model/coherence/replay.h"
#include "model/sim/sim.h"

/* All launches of a trace through a machine; a replay that follows it, if any, hears of their ends. WS_EINTERRUPTED. */
int ws_verify_simulate(ws_trace *trace, const ws_machine *machine, ws_sim *sim, ws_coherence_replay *replay);

/* The same; `ended` hears of the ends. */
typedef int ws_verify_ended(void *context, const ws_sim *sim, const ws_launch *launch);
int ws_verify_simulate_each(ws_trace *trace, const ws_machine *machine, ws_sim *sim, ws_verify_ended *ended,
                            void *context);

/* The same with one access at a time, and a functional replay that takes accesses in that order: what both counted.
 * WS_EVERIFY when it refuses one. */
int ws_verify_in_order(ws_trace *trace, const ws_machine *machine, ws_sim_sums *simulated,
                       ws_coherence_traffic *replayed);

/* Comparisons as a frame, signed: labels, what was predicted, simulated, the error of it, its band, and whether it is
 * within, 0 or 1; NaN where nobody judges. The caller frees it with ws_frame_destroy, after failures, too. */
enum { WS_VERIFY_LABELS = 4 };
typedef struct ws_verify_row {
    const char *label[WS_VERIFY_LABELS];
    double predicted, simulated, error, band, within;
} ws_verify_row;
int ws_verify_frame(size_t rows, const char *const labels[WS_VERIFY_LABELS], int argc, char **argv, ws_frame **out);
int ws_verify_set_row(ws_frame *frame, size_t row, const ws_verify_row *values);

/* What is wanted of a comparison; what does not go with it is 0. */
enum { WS_VERIFY_PROTOCOLS = 32 };
typedef struct ws_verify_request {
    const char *folder; /* of data */
    const char *config;
    const char *protocol[WS_VERIFY_PROTOCOLS]; /* [protocols]; none: all that are known, or the machine's */
    size_t protocols;
    unsigned tier; /* 0: both */
    bool energy;   /* joules, too */
    const ws_trace_files *traces;
    const char *file; /* the argument of the option that chose the comparison */
    size_t scale;     /* of ws_suite_scales */
    uint64_t seed;
    double worst, median; /* bands, in parts */
} ws_verify_request;

/* Each prints a frame, and a line on standard error that sums up. WS_EVERIFY when a count is not the one that it has to
 * be, an error is beyond its band, or too few pairs are in order. */
#define SUBJECT(name, argument, machine, worst, median, takes, what) \
    int ws_verify_##name(const ws_verify_request *request, int argc, char **argv);
#include "cli/verify_subjects.def"
#undef SUBJECT

#endif
