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
int ws_verify_simulate_each(ws_trace *trace, const ws_machine *machine, ws_sim *sim, ws_verify_ended *ended, void *context);

/* The same with one access at a time, and a functional replay that takes accesses in that order: what both counted. WS_EVERIFY when it refuses one. */
int ws_verify_in_order(ws_trace *trace, const ws_machine *machine, ws_sim_sums *simulated, ws_coherence_traffic *replayed);

/* Comparisons as a frame, signed: labels, what was predicted, simulated, the error of it, its band, and whether it is within, 0 or 1; NaN where nobody judges.
 * The caller frees it with ws_frame_destroy, after failures, too. */
enum { WS_VERIFY_LABELS = 4 };
typedef struct ws_verify_row {
    const char *label[WS_VERIFY_LABELS];
    double predicted, simulated, error, band, within;
} ws_verify_row;
int ws_verify_frame(size_t rows, const char *const labels[WS_VERIFY_LABELS], int argc, char **argv, ws_frame **out);
int ws_verify_set_row(ws_frame *frame, size_t row, const ws_verify_row *values);

/* Closed forms of the machine's networks against the networks: prints a row for each comparison; WS_EVERIFY when an error is beyond its band, or the median one. */
typedef struct ws_verify_request {
    const char *folder, *config;
    const ws_trace_files *traces;
    double worst, median;
} ws_verify_request;
int ws_verify_network(const ws_verify_request *request, int argc, char **argv);

/* Closed forms of magnetic memories against simulations of the same machines: the profiles of a results file, and its workloads again. The same status. */
typedef struct ws_verify_memory_request {
    const char *config, *db;
    size_t scale; /* of ws_suite_scales */
    uint64_t seed;
    double worst, median;
} ws_verify_memory_request;
int ws_verify_memory(const ws_verify_memory_request *request, int argc, char **argv);

/* Walks through caches (model divergence) against simulations of the same machines: which mechanism helps which kernel. WS_EVERIFY when too few
 * pairs are in the order of the simulations. */
typedef struct ws_verify_divergence_request {
    const char *config;
    const ws_trace_files *traces;
} ws_verify_divergence_request;
int ws_verify_divergence(const ws_verify_divergence_request *request, int argc, char **argv);

/* Closed forms of barriers of the whole grid against live simulations. WS_EVERIFY when a count is another one, or a time is beyond the band. */
typedef struct ws_verify_sync_request {
    const char *config;
    double worst;
} ws_verify_sync_request;
int ws_verify_sync(const ws_verify_sync_request *request, int argc, char **argv);

/* Where CTAs run and what SMs share (model sharing) against simulations. WS_EVERIFY when a first wave is another one, or an error is beyond the band. */
typedef struct ws_verify_sharing_request {
    const char *config;
    const ws_trace_files *traces;
    double worst;
} ws_verify_sharing_request;
int ws_verify_sharing(const ws_verify_sharing_request *request, int argc, char **argv);

/* What race detection finds and costs (model races) against simulations. WS_EVERIFY when a replay in the order of a simulation counts something else, or an error of one in
 * its own order, or of a closed form, is beyond the band. */
typedef struct ws_verify_races_request {
    const char *config;
    const char *const *protocol; /* [protocols]; none: the machine's */
    size_t protocols;
    const ws_trace_files *traces;
    double worst;
} ws_verify_races_request;
int ws_verify_races(const ws_verify_races_request *request, int argc, char **argv);

#endif
