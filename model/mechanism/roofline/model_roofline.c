/* model_roofline.c - `warpscape model roofline`: the bound of each kernel on a machine. */
#include "base/status.h"
#include "base/options/frame_output.h"
#include "model/mechanism/machine_traces.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/roofline/roofline_table.h"
#include "metrics/store/store.h"

#include <stddef.h>

typedef struct request {
    ws_machine_asked machine;
    const char *db;
    ws_per per;
    uint64_t run;
    bool roofs;
    ws_frame_output output;
} request;

static const ws_option_row option_rows[] = {
    WS_OPTION_TEXT("db", 'd', "FILE", request, db, "Results file [warpscape.db]"),
    WS_OPTION_CONFIG("MACHINE", request, machine, "The machine: a name of data/configs, or a path [qv100]"),
    WS_OPTION_SET(request, machine, "Set an option of the machine, such as chip.sms=40; may be repeated"),
    WS_OPTION_WORD("per", 'P', "LEVEL", request, per, ws_per_words, "One row per launch, kernel or workload [kernel]"),
    WS_OPTION_NUMBER("run", 'r', "N", request, run, 1, INT64_MAX,
                     "Those of run N (see `warpscape runs') [of each workload the last run that counts]"),
    WS_OPTION_FLAG("roofs", 0, request, roofs, "Instead: the roofs of the machine"),
    {0},
};

static const struct argp_child children[] = {{&ws_frame_output_argp, 0, NULL, 0}, {0}};
static const ws_options options = {
    .rows = option_rows,
    .refuse = "unexpected argument '%s': the results file is given by --db",
    .children = children,
    .child = {offsetof(request, output)},
    .doc = "Prints the part of a machine that bounds each kernel, the kernel's best speed, and its gain without that "
           "bound, from counts of a results file.\vNothing is simulated: the least time is that of issue, pipes, "
           "shared memory, caches and DRAM if each byte moves once. docs/roofline.md defines the counts.\n\nExample:\n "
           " warpscape suite run\n  warpscape model roofline --config rtx3090 --format table\n  warpscape model "
           "roofline | warpscape plot roofline - -o roof.svg",
};

/* ------------------------------------------------------------------------------------------------ rows */

static int read_rows(const request *q, const ws_roofline *roofline, ws_frame **out)
{
    ws_store *store = NULL;
    int status = ws_store_open_run(q->db, (int64_t)q->run, &store);
    if (!status) {
        status = ws_roofline_table(store, roofline, q->per, out);
        status = status == WS_ENOTFOUND ? ws_fail_context(status, "%s", q->db) : status;
    }
    ws_store_close(store);
    return status;
}

static int make_frame(ws_prediction_run *run)
{
    const request *const q = run->request;
    ws_roofline roofline;
    ws_roofline_init(run->machine, &roofline);
    return q->roofs ? ws_roofline_roofs(&roofline, &run->frame) : read_rows(q, &roofline, &run->frame);
}

const ws_mechanism ws_mechanism_roofline = {
    .options = &options,
    .asked =
        &(const request){
            .machine.choice.config = "qv100", .db = "warpscape.db", .per = WS_PER_KERNEL, .output.definitions = true},
    .asked_bytes = sizeof(request),
    .traces = WS_NO_TRACES,
    WS_ON_MACHINE(request, machine),
    .model.finish = make_frame,
};
