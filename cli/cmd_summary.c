/* cmd_summary.c - `warpscape summary`: what is wrong with kernels, where, and what to try. */
#include "cli/annotate/kernel_choice.h"
#include "cli/annotate/summary.h"
#include "cli/cli.h"

enum { MOST = 10 };

typedef struct request {
    const char *db;
    ws_kernel_choice choice;
    bool frame;
    uint64_t run, most; /* run: 0: those that are shown */
} request;

static const char *const format_words[] = {"text", "csv", NULL};
static const struct argp_option options[] = {
    {"db", 'd', "FILE", 0, "Results file [warpscape.db]", 0},
    {"most", 'n', "N", 0, "So many kernels of a workload, those with most instructions [10]", 0},
    {"format", 'f', "text|csv", 0, "For people, or a frame with a row for each finding [text]", 0},
    {"run", 'r', "N", 0, "Those of run N (see `warpscape runs') [of each workload the last run that counts]", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    request *const r = state->input;
    switch (key) {
    case 'd':
        r->db = arg;
        return 0;
    case 'n':
        r->most = ws_cli_u64(state, "--most", arg, 1, UINT32_MAX);
        return 0;
    case 'f':
        r->frame = ws_cli_choice(state, "--format", arg, format_words) == 1;
        return 0;
    case 'r':
        r->run = ws_cli_u64(state, "--run", arg, 1, INT64_MAX);
        return 0;
    case ARGP_KEY_ARG:
        if (!ws_kernel_choice_take(&r->choice, arg))
            argp_error(state, "a workload and a kernel at most; what is '%s'?", arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[WORKLOAD [KERNEL]]",
    .doc = "Says of the kernels of a results file, in a few lines each, which lines of the source execute most, what is wrong, where, and what to try.\v"
           "WORKLOAD is a name of `warpscape runs', or `.' for all; KERNEL a regular expression that some part of the kernel's name matches. "
           "`warpscape explain' says what a rule looks at; docs/kernels.md has an example.\n\n"
           "Example: warpscape run ./app && warpscape summary",
};

static bool is_wanted(void *context, const ws_summary_kernel *k)
{
    return ws_kernel_choice_has(context, k->workload, k->kernel, k->title);
}

static int print_frame(const ws_summary *summary, request *r, int argc, char **argv)
{
    ws_frame *frame = NULL;
    int status = ws_summary_frame(summary, is_wanted, &r->choice, &frame);
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
    int status = r->run ? ws_store_choose(store, (int64_t)r->run) : WS_OK;
    if (!status)
        status = ws_summary_make(store, &summary);
    if (status == WS_ENOTFOUND)
        status = ws_fail_context(status, "%s", r->db);
    if (!status && r->frame)
        status = print_frame(&summary, r, argc, argv);
    else if (!status && !ws_summary_print(&summary, r->most, is_wanted, &r->choice, stdout))
        status = ws_kernel_choice_refuse(&r->choice, r->db);
    ws_summary_fini(&summary);
    return status;
}

int ws_cmd_summary(int argc, char **argv)
{
    request r = {.db = "warpscape.db", .most = MOST};
    ws_store *store = NULL;
    ws_cli_parse(&argp, argc, argv, &r);
    int status = ws_kernel_choice_prepare(&r.choice);
    if (!status)
        status = ws_store_open(r.db, false, &store);
    if (!status)
        status = summarize(store, &r, argc, argv);
    ws_store_close(store);
    ws_kernel_choice_fini(&r.choice);
    return status;
}
