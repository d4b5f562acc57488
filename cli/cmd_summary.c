/* cmd_summary.c - `warpscape summary`: what is wrong with kernels, where, and what to try. */
#include "cli/annotate/summary.h"
#include "cli/cli.h"
#include "cli/kernel_request.h"
#include "model/mechanism/occupancy/occupancy_table.h"
#include "model/mechanism/roofline/remark.h"
#include "model/mechanism/roofline/roofline_table.h"
#include "model/machine/machine_choice.h"
#include "model/machine/machine_declared.h"

#include <string.h>

enum { MOST = 10 };

typedef struct request {
    ws_kernel_request kernels;
    const char *config; /* "none": no roofline */
    ws_machine *machine;
    ws_frame *roofs;     /* of kernels; NULL: none */
    ws_frame *occupancy; /* of kernels; NULL: none */
    uint64_t most;
} request;

static const ws_option_row option_rows[] = {
    WS_KERNEL_REQUEST_OPTIONS(request, kernels, "each finding"),
    WS_OPTION_TEXT("config", 'c', "MACHINE", request, config,
                   "Whose roofline and occupancy are shown: a name of data/configs, a path, or none [qv100]"),
    WS_OPTION_NUMBER("most", 'n', "N", request, most, 1, UINT32_MAX,
                     "Most kernels of a workload to show, those with most instructions [10]"),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .args_doc = WS_KERNEL_REQUEST_ARGS,
    .doc = "Summarises the kernels of a results file in a few lines each: the most executed source lines, problems, "
           "their lines, and remedies.\vWORKLOAD is a name of `warpscape runs', or `.' for all; KERNEL is a regular "
           "expression that matches a part of the kernel's name. `warpscape explain' defines a rule; docs/kernels.md "
           "has an example.\n\nExample:\n  warpscape run ./app\n  warpscape summary",
};

static bool is_wanted(void *context, const ws_summary_kernel *k)
{
    return ws_kernel_request_has(context, k->workload, k->kernel, k->title);
}

static int print_frame(const ws_summary *summary, request *r, int argc, char **argv)
{
    ws_frame *frame = NULL;
    bool any = false;
    for (size_t i = 0; i < summary->kernels; i++)
        any |= is_wanted(&r->kernels, &summary->kernel[i]);
    if (!any)
        return ws_kernel_request_refuse(&r->kernels);
    int status = ws_summary_frame(summary, is_wanted, &r->kernels, &frame);
    if (!status)
        status = ws_options_sign_frame(frame, argc, argv);
    if (!status)
        status = ws_frame_print(frame, r->kernels.format, true, stdout);
    ws_frame_destroy(frame);
    return status;
}

static void remark(void *context, const ws_summary_kernel *k, FILE *out)
{
    const request *const r = context;
    if (r->roofs)
        ws_roofline_remark(r->roofs, ws_machine_name(r->machine), k->workload, k->title, out);
    if (r->occupancy)
        ws_occupancy_remark(r->occupancy, ws_machine_name(r->machine), k->workload, k->title, out);
}

/* Launches without the counts or facts that these need have no rows there, and that is no failure. */
static int find_bounds(ws_store *store, request *r, ws_summary *summary)
{
    ws_roofline roofline;
    int status = ws_machine_choose(&(ws_machine_choice){.config = r->config}, &r->machine);
    if (status)
        return status;
    ws_roofline_init(r->machine, &roofline);
    status = ws_roofline_table(store, &roofline, WS_PER_KERNEL, &r->roofs);
    if (!status || status == WS_ENOTFOUND)
        status = ws_occupancy_table(store, r->machine, &r->occupancy);
    summary->remark = remark;
    summary->remark_context = r;
    return status == WS_ENOTFOUND ? WS_OK : status;
}

static int summarize(ws_store *store, request *r, int argc, char **argv)
{
    ws_summary summary = {0};
    int status = ws_summary_make(store, &summary);
    if (status == WS_ENOTFOUND)
        status = ws_fail_context(status, "%s", r->kernels.db);
    if (!status && !r->kernels.frame && strcmp(r->config, "none") != 0)
        status = find_bounds(store, r, &summary);
    if (!status && r->kernels.frame)
        status = print_frame(&summary, r, argc, argv);
    else if (!status && !ws_summary_print(&summary, r->most, is_wanted, &r->kernels, stdout))
        status = ws_kernel_request_refuse(&r->kernels);
    ws_summary_fini(&summary);
    return status;
}

WS_COMMAND(summary)
{
    request r = {.kernels = {.db = "warpscape.db"}, .config = "qv100", .most = MOST};
    ws_store *store;
    ws_options_parse(&options, argc, argv, &r);
    int status = ws_kernel_request_open(&r.kernels, &store);
    if (!status)
        status = summarize(store, &r, argc, argv);
    ws_store_close(store);
    ws_frame_destroy(r.occupancy);
    ws_frame_destroy(r.roofs);
    ws_machine_destroy(r.machine);
    ws_kernel_request_fini(&r.kernels);
    return status;
}
