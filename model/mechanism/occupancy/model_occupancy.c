/* model_occupancy.c - `warpscape model occupancy`: warps resident in an SM, and what limits them. */
#include "base/options/frame_output.h"
#include "base/status.h"
#include "metrics/store/store.h"
#include "model/mechanism/machine_traces.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/occupancy/occupancy_table.h"

#include <stddef.h>

typedef struct request {
    ws_machine_asked machine;
    const char *db;
    uint64_t run;
    ws_frame_output output;
} request;

static const ws_option_row option_rows[] = {
    WS_OPTION_TEXT("db", 'd', "FILE", request, db, "Results file [warpscape.db]"),
    WS_OPTION_CONFIG("MACHINE", request, machine, "The machine: a name of data/configs, or a path [qv100]"),
    WS_OPTION_SET(request, machine, "Set an option of the machine, such as sm.registers=32768; may be repeated"),
    WS_OPTION_NUMBER("run", 'r', "N", request, run, 1, INT64_MAX,
                     "Launches of run N (see `warpscape runs') [of each workload the last run that counts]"),
    {0},
};

static const struct argp_child children[] = {{&ws_frame_output_argp, 0, NULL, 0}, {0}};
static const ws_options options = {
    .rows = option_rows,
    .refuse = "unexpected argument '%s': the results file is given by --db",
    .children = children,
    .child = {offsetof(request, output)},
    .doc = "Computes the occupancy of each kernel of a results file on a machine: the warps that an SM holds at once, "
           "the resource that limits them, and the registers, shared memory or threads of a CTA that would admit "
           "more; also waves of CTAs and the empty places of the last one.\v"
           "Registers are estimates of the assembler's choice, as `warpscape launches' shows them. "
           "docs/occupancy.md has the rules.\n\n"
           "Example:\n"
           "  warpscape suite run\n"
           "  warpscape model occupancy --config rtx3090 --format table",
};

static int make_frame(ws_prediction_run *run)
{
    const request *const q = run->request;
    ws_store *store = NULL;
    int status = ws_store_open_run(q->db, (int64_t)q->run, &store);
    if (!status) {
        status = ws_occupancy_table(store, run->machine, &run->frame);
        status = status == WS_ENOTFOUND ? ws_fail_context(status, "%s", q->db) : status;
    }
    ws_store_close(store);
    return status;
}

const ws_mechanism ws_mechanism_occupancy = {
    .options = &options,
    .asked = &(const request){.machine.choice.config = "qv100", .db = "warpscape.db", .output.definitions = true},
    .asked_bytes = sizeof(request),
    .traces = WS_NO_TRACES,
    WS_ON_MACHINE(request, machine),
    .model.finish = make_frame,
};
