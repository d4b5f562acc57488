/* cmd_summary.c - `warpscape summary`: what is wrong with kernels, where, and what to try. */
#include "cli/annotate/summary.h"
#include "cli/cli.h"
#include "cli/kernel_request.h"

enum { MOST = 10 };

typedef struct request {
    ws_kernel_request kernels;
    uint64_t most;
} request;

static const struct argp_option options[] = {
    WS_KERNEL_REQUEST_OPTIONS("each finding"),
    {"most", 'n', "N", 0, "So many kernels of a workload, those with most instructions [10]", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    request *const r = state->input;
    if (key != 'n')
        return ws_kernel_request_parse(&r->kernels, key, arg, state);
    r->most = ws_cli_u64(state, "--most", arg, 1, UINT32_MAX);
    return 0;
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = WS_KERNEL_REQUEST_ARGS,
    .doc = "Says of the kernels of a results file, in a few lines each, which lines of the source execute most, what is wrong, where, and what to try.\v"
           "WORKLOAD is a name of `warpscape runs', or `.' for all; KERNEL a regular expression that some part of the kernel's name matches. "
           "`warpscape explain' says what a rule looks at; docs/kernels.md has an example.\n\n"
           "Example:\n"
           "  warpscape run ./app\n"
           "  warpscape summary",
};

static bool is_wanted(void *context, const ws_summary_kernel *k)
{
    return ws_kernel_request_has(context, k->workload, k->kernel, k->title);
}

static int print_frame(const ws_summary *summary, request *r, int argc, char **argv)
{
    ws_frame *frame = NULL;
    int status = ws_summary_frame(summary, is_wanted, &r->kernels, &frame);
    if (!status)
        status = ws_cli_sign(frame, argc, argv);
    if (!status)
        status = ws_frame_write(frame, stdout);
    ws_frame_destroy(frame);
    return status;
}

static int summarize(ws_store *store, request *r, int argc, char **argv)
{
    ws_summary summary = {0};
    int status = ws_summary_make(store, &summary);
    if (status == WS_ENOTFOUND)
        status = ws_fail_context(status, "%s", r->kernels.db);
    if (!status && r->kernels.frame)
        status = print_frame(&summary, r, argc, argv);
    else if (!status && !ws_summary_print(&summary, r->most, is_wanted, &r->kernels, stdout))
        status = ws_kernel_request_refuse(&r->kernels);
    ws_summary_fini(&summary);
    return status;
}

int ws_cmd_summary(int argc, char **argv)
{
    request r = {.kernels = {.db = "warpscape.db"}, .most = MOST};
    ws_store *store;
    ws_cli_parse(&argp, argc, argv, &r);
    int status = ws_kernel_request_open(&r.kernels, &store);
    if (!status)
        status = summarize(store, &r, argc, argv);
    ws_store_close(store);
    ws_kernel_request_fini(&r.kernels);
    return status;
}
