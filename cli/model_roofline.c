/* model_roofline.c - `warpscape model roofline`: which roof of a machine is over a kernel, and how far is it from the
 * others? */
#include "cli/cli.h"
#include "cli/frame_output.h"
#include "cli/machine_settings.h"
#include "cli/model.h"
#include "cli/roofline/counts.h"
#include "cli/roofline/table.h"
#include "record/simulate/machine_choice.h"
#include "metrics/store/store.h"

#include <math.h>

enum { KEY_ROOFS = 0x100 };

typedef struct request {
    ws_machine_choice machine;
    const char *setting[WS_MACHINE_SETTINGS_MOST];
    const char *db;
    ws_per per;
    uint64_t run;
    bool roofs;
    ws_frame_output output;
} request;

static const char *const per_words[] = {"launch", "kernel", "workload", NULL}; /* in the order of ws_per */
static const struct argp_option options[] = {
    {"db", 'd', "FILE", 0, "Results file [warpscape.db]", 0},
    {"config", 'c', "MACHINE", 0, "The machine: a name of data/configs, or a path [qv100]", 0},
    {"set", 's', "OPTION=VALUE", 0, "Set an option of the machine, such as chip.sms=40; may be repeated", 0},
    {"per", 'P', "LEVEL", 0, "One row per launch, kernel or workload [kernel]", 0},
    {"run", 'r', "N", 0, "Those of run N (see `warpscape runs') [of each workload the last run that counts]", 0},
    {"roofs", KEY_ROOFS, NULL, 0, "Instead: the roofs of the machine", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    request *const r = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &r->output;
        return 0;
    case 'd':
        r->db = arg;
        return 0;
    case 'c':
        r->machine.config = arg;
        return 0;
    case 's':
        ws_machine_settings_add(r->setting, &r->machine.settings, arg, state);
        return 0;
    case 'P':
        r->per = (ws_per)ws_cli_choice(state, "--per", arg, per_words);
        return 0;
    case 'r':
        r->run = ws_cli_u64(state, "--run", arg, 1, INT64_MAX);
        return 0;
    case KEY_ROOFS:
        r->roofs = true;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "what is '%s'? The results file is given by --db", arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_child children[] = {{&ws_frame_output_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .children = children,
    .doc = "Says which part of a machine bounds each kernel, how fast it could be at best, and what it would gain "
           "without that bound, from counts of a "
           "results file.\v"
           "Nothing is simulated: the least time is what issue, pipes, shared memory, caches and DRAM need for the "
           "work if each byte moves once. "
           "docs/roofline.md says what is counted.\n\n"
           "Example:\n"
           "  warpscape suite run\n"
           "  warpscape model roofline --config rtx3090 --format table\n"
           "  warpscape model roofline | warpscape plot roofline - -o roof.svg",
};

static int print_roofs(request *r, const ws_roofline *roofline, int argc, char **argv)
{
    ws_frame *frame;
    int status = ws_roofline_roofs(roofline, &frame);
    if (!status)
        status = ws_frame_output_print(&r->output, frame, argc, argv);
    ws_frame_destroy(frame);
    return status;
}

static int print_rows(request *r, const ws_roofline *roofline, int argc, char **argv)
{
    ws_store *store;
    ws_frame *frame = NULL;
    int status = ws_store_open(r->db, false, &store);
    if (!status && r->run)
        status = ws_store_choose(store, (int64_t)r->run);
    const bool open = !status;
    if (open)
        status = ws_roofline_table(store, roofline, r->per, &frame);
    if (open && status == WS_ENOTFOUND)
        status = ws_fail_context(status, "%s", r->db);
    if (!status)
        status = ws_frame_output_print(&r->output, frame, argc, argv);
    ws_frame_destroy(frame);
    ws_store_close(store);
    return status;
}

int ws_model_roofline(int argc, char **argv)
{
    request r = {.machine.config = "qv100", .db = "warpscape.db", .per = WS_PER_KERNEL, .output.definitions = true};
    r.machine.setting = r.setting;
    ws_cli_parse(&argp, argc, argv, &r);
    ws_machine *machine;
    ws_roofline roofline;
    int status = ws_machine_choose(&r.machine, &machine);
    if (status)
        return status;
    status = ws_roofline_create(machine, &roofline);
    if (!status)
        status = r.roofs ? print_roofs(&r, &roofline, argc, argv) : print_rows(&r, &roofline, argc, argv);
    ws_machine_destroy(machine);
    return status;
}
