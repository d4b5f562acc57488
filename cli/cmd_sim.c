/* cmd_sim.c - `warpscape sim`: how long do the launches of a trace take on a machine, and what limits them? */
#include "cli/cli.h"
#include "cli/data_folder.h"
#include "cli/simulation.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SETTINGS = 256 };

typedef struct request {
    const char *config, *protocol, *trace, *checkpoint;
    const char *setting[MOST_SETTINGS];
    size_t settings;
    size_t launch;
    uint64_t every, max_cycles;
    unsigned workers;
    bool check, resume, options;
} request;

enum { KEY_CHECK = 0x100, KEY_CHECKPOINT, KEY_EVERY, KEY_RESUME, KEY_MAX, KEY_OPTIONS, KEY_LAUNCH };
static const uint64_t EVERY = 10000000;

static const struct argp_option options[] = {
    {"config", 'c', "MACHINE", 0, "A file of data/configs by its name, or a path; files of GPGPU-Sim are read too [gtsc]", 0},
    {"protocol", 'p', "NAME", 0, "Coherence protocol; none: plain caches [what the machine says]", 0},
    {"set", 's', "OPTION=VALUE", 0, "Set an option of the machine, such as l1.ways=8; may be repeated", 0},
    {"options", KEY_OPTIONS, NULL, 0, "Print the options of the machine with their values and meanings, simulate nothing", 0},
    {"launch", KEY_LAUNCH, "N", 0, "Simulate only launch N of the trace [all]", 0},
    {"check", KEY_CHECK, NULL, 0, "Let values travel and hold every load against the memory model; needs a protocol", 0},
    {"workers", 'j', "N", 0, "Threads; the result does not depend on them [1]", 0},
    {"max-cycles", KEY_MAX, "N", 0, "Give up a launch after so many core cycles [no limit]", 0},
    {"checkpoint", KEY_CHECKPOINT, "FILE", 0, "Keep the state in this file now and then, and when interrupted", 0},
    {"every", KEY_EVERY, "CYCLES", 0, "Core cycles between checkpoints [10000000]", 0},
    {"resume", KEY_RESUME, NULL, 0, "Go on from the checkpoint; the end is as without the interruption", 0},
    {0},
};

static void check_request(const request *r, struct argp_state *state)
{
    if (!r->trace && !r->options)
        argp_error(state, "which trace file?");
    if (r->resume && !r->checkpoint)
        argp_error(state, "--resume needs --checkpoint FILE");
    if (r->every && !r->checkpoint)
        argp_error(state, "--every needs --checkpoint FILE");
    if (r->checkpoint && r->launch)
        argp_error(state, "--checkpoint is for whole traces, not with --launch");
    if (r->check && r->checkpoint)
        argp_error(state, "--check keeps no checkpoint");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    request *const r = state->input;
    switch (key) {
    case 'c':
        r->config = arg;
        return 0;
    case 'p':
        r->protocol = arg;
        return 0;
    case 's':
        if (r->settings == MOST_SETTINGS)
            argp_error(state, "more than %d settings; write a configuration file", MOST_SETTINGS);
        r->setting[r->settings++] = arg;
        return 0;
    case KEY_OPTIONS:
        r->options = true;
        return 0;
    case KEY_LAUNCH:
        r->launch = ws_cli_u64(state, "--launch", arg, 1, UINT32_MAX);
        return 0;
    case KEY_CHECK:
        r->check = true;
        return 0;
    case 'j':
        r->workers = (unsigned)ws_cli_u64(state, "--workers", arg, 1, 64);
        return 0;
    case KEY_MAX:
        r->max_cycles = ws_cli_u64(state, "--max-cycles", arg, 1, UINT64_MAX);
        return 0;
    case KEY_CHECKPOINT:
        r->checkpoint = arg;
        return 0;
    case KEY_EVERY:
        r->every = ws_cli_u64(state, "--every", arg, 1, UINT64_MAX);
        return 0;
    case KEY_RESUME:
        r->resume = true;
        return 0;
    case ARGP_KEY_ARG:
        if (r->trace)
            argp_error(state, "one trace file at a time; what is '%s'?", arg);
        r->trace = arg;
        return 0;
    case ARGP_KEY_END:
        check_request(r, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "FILE.wst",
    .doc = "Simulates the launches of a trace cycle by cycle and prints a row of statistics for each, as CSV.\v"
           "`warpscape exec --trace' and `suite run --trace' write trace files. Docs: docs/simulator.md.\n\n"
           "Ctrl-C prints what there is so far; with --checkpoint the run can go on later. A deadlock ends the run and says "
           "who waits for whom.\n\n"
           "Example: warpscape sim --config gtsc --protocol tc-weak vadd.wst",
};

/* ------------------------------------------------------------------------------------------------ the machine */

static int set_option(ws_machine *machine, const char *setting)
{
    const char *const equals = strchr(setting, '=');
    if (!equals || equals == setting)
        return ws_fail(WS_MISUSED, "--set needs OPTION=VALUE, not '%s'", setting);
    char *const name = strndup(setting, (size_t)(equals - setting));
    const int status = name ? ws_machine_set(machine, name, equals + 1) : ws_fail(WS_EMEM, "out of memory");
    free(name);
    return status;
}

static int read_machine(const request *r, ws_machine **out)
{
    char folder[4096];
    ws_machine *machine;
    int status = ws_cli_data_folder(folder, sizeof folder);
    if (!status)
        status = ws_machine_read(folder, r->config, &machine);
    if (status)
        return status;
    if (machine->ignored && *machine->ignored)
        fprintf(stderr, "warpscape sim: nothing corresponds to these options of %s: %s\n", r->config, machine->ignored);
    if (r->protocol)
        status = ws_machine_set(machine, "coherence.protocol", r->protocol);
    for (size_t i = 0; i < r->settings && !status; i++)
        status = set_option(machine, r->setting[i]);
    if (!status)
        status = ws_machine_check(machine);
    if (status)
        ws_machine_destroy(machine);
    else
        *out = machine;
    return status;
}

static void print_options(const ws_machine *m)
{
    puts("option,value,unit,meaning");
#define NUMBER(section, name, unit, fallback, least, most, meaning) \
    printf(#section "." #name ",%" PRIu32 "," unit ",\"" meaning "\"\n", m->section##_##name);
#define WORD(section, name, fallback, meaning) printf(#section "." #name ",%s,,\"" meaning "\"\n", m->section##_##name);
#include "model/sim/machine.def"
#undef NUMBER
#undef WORD
    const struct {
        const char *section;
        const ws_machine_options *list;
    } further[] = {{"network", &m->network}, {"memory", &m->memory}, {"scheduler", &m->scheduler},
                   {"registers", &m->registers}, {"cta", &m->cta}};
    for (size_t i = 0; i < sizeof further / sizeof *further; i++)
        for (size_t k = 0; k < further[i].list->count; k++)
            printf("%s.%s,%" PRIu64 ",,\"an option of what the section names\"\n", further[i].section,
                   further[i].list->list[k].name, further[i].list->list[k].value);
}

/* ------------------------------------------------------------------------------------------------ running */

/* The name that the trace's writer noted, else that of the file. */
static char *workload_of(const ws_trace *trace)
{
    static const char key[] = "workload=";
    for (const char *note = ws_trace_notes(trace); *note;) {
        const size_t n = strcspn(note, "\n");
        if (n > sizeof key - 1 && strncmp(note, key, sizeof key - 1) == 0)
            return strndup(note + sizeof key - 1, n - (sizeof key - 1));
        note += n + (note[n] == '\n');
    }
    const char *const slash = strrchr(ws_trace_path(trace), '/');
    return strdup(slash ? slash + 1 : ws_trace_path(trace));
}

static int run_one(ws_simulation *simulation, const char *workload, const request *r, ws_trace *trace,
                   const ws_machine *machine)
{
    ws_source *source;
    if (r->launch > ws_trace_launches(trace))
        return ws_fail(WS_EINPUT, "%s: there is no launch %zu, it has %zu", r->trace, r->launch, ws_trace_launches(trace));
    int status = ws_source_of_trace(trace, r->launch - 1, ws_sim_slots(machine), &source);
    if (status)
        return status;
    status = ws_simulation_launch(simulation, workload, source);
    source->ops->destroy(source);
    return status;
}

static int run(ws_simulation *simulation, const request *r, ws_trace *trace, const ws_machine *machine)
{
    char *const workload = workload_of(trace);
    if (!workload)
        return ws_fail(WS_EMEM, "out of memory");
    const int status = r->resume   ? ws_simulation_resume(simulation, workload, trace)
                       : r->launch ? run_one(simulation, workload, r, trace, machine)
                                   : ws_simulation_trace(simulation, workload, trace, 0);
    free(workload);
    return status;
}

/* What there is goes out, also of a run that ended early. */
static int print_result(const ws_simulation *simulation, int argc, char **argv)
{
    ws_frame *frame;
    int status = ws_simulation_frame(simulation, &frame);
    if (status)
        return status;
    status = ws_cli_sign(frame, argc, argv);
    if (!status && frame->rows)
        status = ws_frame_write(frame, stdout);
    ws_frame_destroy(frame);
    return status;
}

static int simulate(const request *r, const ws_machine *machine, int argc, char **argv)
{
    const ws_simulation_options how = {.workers = r->workers,
                                       .check = r->check,
                                       .max_cycles = r->max_cycles,
                                       .checkpoint = r->checkpoint,
                                       .checkpoint_every = r->every ? r->every : EVERY};
    ws_trace *trace = NULL;
    ws_simulation *simulation = NULL;
    char message[1024];
    int status = ws_trace_open(r->trace, &trace);
    if (!status)
        status = ws_simulation_create(machine, &how, &simulation);
    if (!status) {
        status = run(simulation, r, trace, machine);
        snprintf(message, sizeof message, "%s", ws_message());
        const int printed = print_result(simulation, argc, argv);
        status = status ? ws_fail(status, "%s", message) : printed;
    }
    ws_simulation_destroy(simulation);
    ws_trace_close(trace);
    return status;
}

int ws_cmd_sim(int argc, char **argv)
{
    request r = {.config = "gtsc"};
    ws_machine *machine;
    ws_cli_parse(&argp, argc, argv, &r);
    ws_interrupts_catch();
    int status = read_machine(&r, &machine);
    if (status)
        return status;
    if (r.options)
        print_options(machine);
    else
        status = simulate(&r, machine, argc, argv);
    ws_machine_destroy(machine);
    return status;
}
