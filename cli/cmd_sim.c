/* cmd_sim.c - `warpscape sim`: how long do launches take on a machine, and what limits them? They come from a trace, or
 * run in the engine at the same time: those of a launch file, or of built-in workloads. */
#include "cli/cli.h"
#include "base/data_folder.h"
#include "cli/launch/device_code.h"
#include "cli/launch/launch_run.h"
#include "model/mechanism/machine_traces.h"
#include "record/microbench/microbench.h"
#include "model/mechanism/power/power_frame.h"
#include "record/simulate/live_simulation.h"
#include "cli/sim_arguments.h"
#include "model/machine/machine_choice.h"
#include "record/start/sim_suite.h"
#include "model/mechanism/trace_files.h"
#include "collect/shape/shape.h"

#include "base/text.h"
#include "model/machine/kinds.h"
#include "model/machine/machine.h"
#include "model/sim/traffic_frame.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct request {
    ws_machine_asked machine;
    const char *trace, *checkpoint, *traffic, *loads, *activity, *power, *launches;
    const char *uses;     /* a file: what launches use on which chip */
    ws_launch_list *list; /* of file `launches`; NULL: all are simulated */
    ws_rest arguments;    /* FILE.wst; FILE.ptx and a launch file; abbreviations */
    size_t launch, scale;
    const char *sizes; /* of workloads; NULL: those of the scale */
    uint64_t every, max_cycles, livelock, seed, interval;
    double steady;
    const char *shape; /* names of rows; NULL: PTX is simulated as it is */
    uint32_t shape_rows;
    unsigned workers;
    const char *groups; /* of microbenchmarks; NULL: all */
    bool check, resume, repeated, options, strict, suite, microbench, shaped, has_scale, has_seed, has_livelock;
    bool wanted[WS_SUITE_MOST];
} request;

static const uint64_t EVERY = 10000000;

/* Launches that run while they are simulated happen once, in one order, and no part of them can be left out. */
static void check_live(const request *r, const struct argp_state *state)
{
    if (r->checkpoint || r->resume)
        argp_error(
            state,
            "--checkpoint is for traces: the memory accesses of a live launch cannot be repeated; write a trace first");
    if (r->launch)
        argp_error(state, "--launch is for traces: live, a launch needs the memory contents of earlier ones");
    if (r->steady > 0)
        argp_error(state, "--steady is for traces: live, memory would lack the results of the skipped part");
    if (r->repeated)
        argp_error(state, "--repeated is for traces: the memory accesses of a live launch cannot be repeated");
    if (r->workers)
        argp_error(state, "--workers is for traces: a live run has one order, hence one thread");
}

/* What goes with launches that run in the engine alone. */
static void check_not_live(const request *r, const struct argp_state *state)
{
    if (r->has_livelock)
        argp_error(state, "--livelock is for live runs: a trace fixes the iterations of every loop");
}

/* Microbenchmarks bring their kernels along, and print rows of their own. */
static void check_microbench(const request *r, const struct argp_state *state)
{
    if (r->arguments.count)
        argp_error(state, "--microbench has built-in kernels; what is '%s'?", r->arguments.argument[0]);
    if (r->uses || r->suite || r->options || r->launch || r->launches || r->steady > 0 || r->repeated || r->check ||
        r->workers || r->max_cycles || r->checkpoint || r->resume || r->every || r->traffic || r->loads ||
        r->activity || r->power || r->interval || r->has_scale || r->has_seed || r->has_livelock || r->sizes)
        argp_error(state, "--microbench only allows --config, --protocol, --set, --shape and --strict");
}

/* What the arguments are: a trace, a PTX file and a launch file, or workloads. */
static void check_arguments(request *r, const struct argp_state *state)
{
    if (r->suite) {
        if (r->uses && r->arguments.count != 1)
            argp_error(state, "--arguments needs one trace, launch file or workload; name one workload with --suite");
        if (r->traffic)
            argp_error(state, "--traffic needs one trace or launch file, not --suite");
        if (r->loads)
            argp_error(state, "--loads needs one trace or launch file, not --suite");
        if (r->interval)
            argp_error(state, "--interval needs one trace or launch file, not --suite");
        for (int i = 0; i < r->arguments.count; i++)
            ws_suite_want(state, r->arguments.argument[i], r->wanted);
        if (r->sizes && !r->arguments.count)
            argp_error(state, "--size applies to workloads with such sizes; name them");
        check_live(r, state);
        return;
    }
    if (r->has_scale || r->has_seed || r->sizes)
        argp_error(state, "--scale, --seed and --size need --suite");
    if (r->options && !r->arguments.count)
        return;
    if (!r->arguments.count)
        argp_error(state, "which trace file?");
    if (r->arguments.count > 2)
        argp_error(state, "a trace file, or a PTX file and a launch file; what is '%s'?", r->arguments.argument[2]);
    if (r->arguments.count == 2)
        check_live(r, state);
    else {
        check_not_live(r, state);
        r->trace = r->arguments.argument[0];
    }
}

static void settle(const struct argp_state *state, void *asked)
{
    request *const r = asked;
    if (r->shaped && !r->shape)
        r->shape = "all";
    if (r->shaped && ws_shape_parse(r->shape, &r->shape_rows))
        argp_error(state, "--shape: %s", ws_message());
    if (r->microbench) {
        check_microbench(r, state);
        return;
    }
    check_arguments(r, state);
    if (r->resume && !r->checkpoint)
        argp_error(state, "--resume needs --checkpoint FILE");
    if (r->every && !r->checkpoint)
        argp_error(state, "--every needs --checkpoint FILE");
    if (r->steady > 0 && (r->checkpoint || r->activity || r->power || r->traffic || r->loads || r->check))
        argp_error(state, "--steady extrapolates only the totals of launches: not with --checkpoint, --activity, "
                          "--power, --traffic, --loads or --check");
    if (r->launches && r->launch)
        argp_error(state, "--launch selects one launch, --launches a list: give one of them");
    if (r->checkpoint && r->launch)
        argp_error(state, "--checkpoint is for whole traces, not with --launch");
    if ((r->activity || r->power || r->loads) && r->checkpoint)
        argp_error(state, "--%s excludes --checkpoint", r->activity ? "activity" : r->power ? "power" : "loads");
    if (r->interval && !r->activity && !r->power)
        argp_error(state, "--interval needs --activity FILE or --power FILE");
    if (r->repeated && (r->checkpoint || r->steady > 0 || r->traffic))
        argp_error(state, "--repeated counts the second run of a launch: not with --checkpoint, --steady or --traffic");
    if (r->check && r->checkpoint)
        argp_error(state, "--check excludes --checkpoint");
}

static const ws_option_row option_rows[] = {
    WS_OPTION_CONFIG("MACHINE", request, machine,
                     "A file of data/configs by its name, or a path; also files of GPGPU-Sim [gtsc]"),
    WS_OPTION_TEXT("protocol", 'p', "NAME", request, machine.choice.protocol,
                   "Coherence protocol; none: plain caches [that of the machine]"),
    WS_OPTION_SET(request, machine, "Set an option of the machine, such as l1.ways=8; may be repeated"),
    WS_OPTION_FLAG("options", 0, request, options,
                   "Print the options of the machine with their values and meanings, without a simulation"),
    WS_OPTION_NUMBER("launch", 0, "N", request, launch, 1, UINT32_MAX, "Simulate only launch N of the trace [all]"),
    WS_OPTION_TEXT("launches", 0, "FILE", request, launches,
                   "Simulate only the launches listed in FILE (`warpscape sample' writes it), and estimate the total "
                   "of all launches"),
    WS_OPTION_TEXT("arguments", 0, "FILE", request, uses,
                   "With package.coherence cpcoh: data that launches use on each chip, see docs/chiplets.md [measured "
                   "in the trace; live, in a previous run of the engine]"),
    WS_OPTION_FLAG("repeated", 0, request, repeated,
                   "Simulate each launch twice in a row and count the second, as in a loop that repeats it: it finds "
                   "its own data in L2"),
    WS_OPTION_REAL("steady", 0, "PERCENT", request, steady, 0.01, 100, 100,
                   "Stop launches of a trace when the instructions per cycle of whole waves vary by at most this, and "
                   "extrapolate the rest [never]"),
    WS_OPTION_OPTIONAL("shape", "NAME,...", request, shape,
                       "Simulate an estimate of the assembler's output: all transformations, or the named ones "
                       "(docs/simulator.md) [PTX unchanged]"),
    WS_OPTION_GIVEN(request, shaped),
    WS_OPTION_FLAG("check", 0, request, check,
                   "Simulate values and check every load against the memory model; needs a protocol, or L2s of several "
                   "chips (package.coherence)"),
    WS_OPTION_NUMBER("workers", 'j', "N", request, workers, 1, 64,
                     "Threads; their number does not affect the result [1]"),
    WS_OPTION_NUMBER("max-cycles", 0, "N", request, max_cycles, 1, UINT64_MAX,
                     "Stop a launch after this number of core cycles [no limit]"),
    WS_OPTION_NUMBER("livelock", 0, "CYCLES", request, livelock, 0, UINT64_MAX / 2,
                     "End a live launch if all warps only wait in loops for others for this number of core cycles, and "
                     "report the words; 0: never [1000000]"),
    WS_OPTION_GIVEN(request, has_livelock),
    WS_OPTION_OUTPUT("checkpoint", 0, "FILE", request, checkpoint,
                     "Save the state in this file periodically, and on interruption"),
    WS_OPTION_NUMBER("every", 0, "CYCLES", request, every, 1, UINT64_MAX, "Core cycles between checkpoints [10000000]"),
    WS_OPTION_OUTPUT(
        "traffic", 0, "FILE", request, traffic,
        "Write the bytes that each node sent and received over time, by kind of access, as a second frame"),
    WS_OPTION_OUTPUT(
        "loads", 0, "FILE", request, loads,
        "Write the outcome of each load instruction (lines, hits, misses, full hits, waits) as a second frame"),
    WS_OPTION_OUTPUT("activity", 0, "FILE", request, activity,
                     "Write the activity of the machine's components in each launch (units, registers, caches, "
                     "networks, memory) as a second frame"),
    WS_OPTION_OUTPUT("power", 0, "FILE", request, power,
                     "Write the watts of each component of the machine's chip in each launch, as a second frame "
                     "(docs/power.md); with --launches also their weights, and an estimate of all launches"),
    WS_OPTION_NUMBER("interval", 0, "CYCLES", request, interval, 1, UINT32_MAX,
                     "With --activity or --power: length of stretches in core cycles [whole launches]"),
    WS_OPTION_OPTIONAL("microbench", "GROUP,...", request, groups,
                       "Measure latencies and throughputs of the machine with small kernels, next to published values "
                       "of its card [all groups]"),
    WS_OPTION_GIVEN(request, microbench),
    WS_OPTION_FLAG("suite", 0, request, suite, "Run the named built-in workloads, or all, on the machine"),
    WS_OPTION_WORD("scale", 0, "tiny|small|study", request, scale, ws_suite_scales,
                   "With --suite: size of the inputs [tiny]"),
    WS_OPTION_GIVEN(request, has_scale),
    WS_OPTION_NUMBER("seed", 0, "N", request, seed, 0, UINT64_MAX, "With --suite: seed of the inputs [1]"),
    WS_OPTION_GIVEN(request, has_seed),
    WS_OPTION_FILLED("size", 0, "NAME=N,...", request, sizes, "NAME=N",
                     "Sizes of the named workloads of --suite, as listed by their --help [those of the scale]"),
    WS_OPTION_FLAG("strict", 0, request, strict,
                   "Refuse a machine file with unsupported options, instead of listing their effects"),
    WS_OPTION_FLAG("resume", 0, request, resume,
                   "Continue from the checkpoint; the result is the same as without the interruption"),
    WS_REST_OF_ARGUMENTS(request, arguments),
    {0},
};

static const ws_options options = {
    .rows = option_rows,
    .settle = settle,
    .args_doc = "FILE.wst\nFILE.ptx LAUNCH\n--suite [ABBR...]\n--microbench",
    .doc = "Simulates launches cycle by cycle and prints a row of statistics for each, as CSV. They come from a trace "
           "file, or run live: those of a launch file, or of built-in workloads.\v`warpscape exec --trace' and `suite "
           "run --trace' write trace files. A trace fixes the path and the waits of every warp; a note names its "
           "waits. Live, the order of the simulated machine decides the values of loads, and results are checked. "
           "Docs: docs/simulator.md.\n\nCtrl-C prints the results so far; with --checkpoint the run can be continued. "
           "A deadlock ends the run with a list of the waiting warps.\n\nExample:\n  warpscape exec vadd.ptx "
           "vadd.launch --trace vadd.wst\n  warpscape sim --config gtsc --protocol tc-weak vadd.wst\n  warpscape sim "
           "--config gtsc --protocol mesi vadd.ptx vadd.launch\n  warpscape sim --config rtx2060 --suite --scale tiny "
           "MM BFW\n  warpscape sim --config qv100 --microbench=conflicts",
    .children = ws_argp_writes,
};

/* ------------------------------------------------------------------------------------------------ the machine */

/* What a file of GPGPU-Sim asks for and nothing here does, once for each option: what that costs. */
static int tell_ignored(const request *r, ws_machine *machine)
{
    if (!*machine->ignored)
        return WS_OK;
    if (r->strict) {
        const int length = (int)strcspn(machine->ignored, "\n");
        const int status = ws_fail(WS_EINPUT, "%s: unsupported option: %.*s%s; remove it, or simulate without --strict",
                                   r->machine.choice.config, length, machine->ignored,
                                   machine->ignored[length] ? " (and others)" : "");
        ws_machine_destroy(machine);
        return status;
    }
    fprintf(stderr, "warpscape sim: unsupported options of %s, with their effects (--strict refuses them):\n",
            r->machine.choice.config);
    for (const char *at = machine->ignored; *at; at += strcspn(at, "\n"), at += *at == '\n')
        fprintf(stderr, "  %.*s\n", (int)strcspn(at, "\n"), at);
    return WS_OK;
}

static int read_machine(const request *r, ws_machine **out)
{
    int status = ws_machine_choose(&r->machine.choice, out);
    if (!status)
        status = tell_ignored(r, *out);
    if (!status && *ws_machine_unfollowed(*out))
        fprintf(stderr, "warpscape sim: caches of %s have whole lines; they ignore %s\n", ws_machine_protocol(*out),
                ws_machine_unfollowed(*out));
    return status;
}

/* What was given, else what stands in the table; the network of replies has what that of requests has. */
static uint64_t value_of(const ws_machine *m, const char *list, const ws_option *option)
{
    const ws_machine_options *given;
    const char *section;
    for (size_t i = 0; (given = ws_machine_given(m, i, &section)); i++)
        if (!strcmp(section, list) && ws_given_find(given->list, given->count, option->name))
            return ws_given_find(given->list, given->count, option->name)->value;
    return strcmp(list, "reply") ? (uint64_t)option->fallback : value_of(m, "network", option);
}

/* Options of what the machine names of that kind. */
static void print_component(const ws_machine *m, const ws_kind *kind, const ws_option *option)
{
    for (; option && option->name; option++)
        printf("%s.%s,%" PRIu64 ",%s,\"%s: %s\"\n", kind->list, option->name, value_of(m, kind->list, option),
               option->unit, ws_machine_named(m, kind), option->meaning);
}

static void print_options(const ws_machine *m)
{
    puts("option,value,unit,meaning");
    const ws_machine_option *row;
    for (size_t i = 0; (row = ws_machine_option_row(i)); i++) {
        const char *const word = row->word ? ws_machine_word(m, i) : "", *const quote = strchr(word, ',') ? "\"" : "";
        printf("%s.%s,", row->section, row->option.name);
        if (row->word)
            printf("%s%s%s", quote, word, quote);
        else
            printf("%" PRIu32, ws_machine_number(m, i));
        printf(",%s,\"%s\"\n", row->option.unit, row->option.meaning);
    }
    const ws_kind *kind;
    for (size_t i = 0; (kind = ws_kind_at(i)); i++) {
        print_component(m, kind, kind->options ? kind->options(ws_machine_named(m, kind)) : NULL);
        print_component(m, kind, kind->common);
    }
}

/* ------------------------------------------------------------------------------------------------ running */

static int run_one(ws_simulation *simulation, const char *workload, const request *r, ws_trace *trace)
{
    if (r->launch > ws_trace_launches(trace))
        return ws_fail(WS_EINPUT, "%s: there is no launch %zu, it has %zu", r->trace, r->launch,
                       ws_trace_launches(trace));
    return ws_simulation_trace_launch(simulation, workload, trace, r->launch - 1);
}

static int run(ws_simulation *simulation, const request *r, ws_trace *trace)
{
    char *const workload = ws_trace_workload(trace);
    if (!workload)
        return ws_fail(WS_EMEM, "out of memory");
    int status = r->list ? ws_simulation_choose(simulation, r->list, workload) : WS_OK;
    if (status) {
        free(workload);
        return status;
    }
    status = r->resume   ? ws_simulation_resume(simulation, workload, trace)
             : r->launch ? run_one(simulation, workload, r, trace)
                         : ws_simulation_trace(simulation, workload, trace, 0);
    free(workload);
    return status;
}

/* What there is goes out, also of a run that ended early. */
static int print_frame(ws_frame *frame, int argc, char **argv)
{
    int status = ws_options_sign_frame(frame, argc, argv);
    if (!status && frame->rows)
        status = ws_frame_write(frame, stdout);
    ws_frame_destroy(frame);
    return status;
}

static int save_frame(ws_frame *frame, const char *file, int argc, char **argv)
{
    int status = ws_options_sign_frame(frame, argc, argv);
    if (!status)
        status = ws_frame_save(frame, file);
    ws_frame_destroy(frame);
    return status;
}

/* A frame without weights is of the launches that a list chose, and says so. */
static int save_chosen(ws_frame *frame, const char *file, const request *r, int argc, char **argv)
{
    const int status =
        r->list ? ws_frame_note(
                      frame,
                      "launches: those selected by %s, each as simulated, unweighted; not an estimate of all launches",
                      r->launches)
                : WS_OK;
    if (!status)
        return save_frame(frame, file, argc, argv);
    ws_frame_destroy(frame);
    return status;
}

static int save_traffic(ws_simulation *simulation, const request *r, int argc, char **argv)
{
    char launch[24] = "";
    ws_frame *frame;
    if (r->launch)
        snprintf(launch, sizeof launch, "%zu", r->launch);
    const int status =
        ws_traffic_frame(ws_simulation_sim(simulation), ws_simulation_workload(simulation), launch, &frame);
    return status ? status : save_chosen(frame, r->traffic, r, argc, argv);
}

static int save_loads(const ws_simulation *simulation, const request *r, int argc, char **argv)
{
    ws_frame *frame;
    const int status = ws_simulation_loads(simulation, &frame);
    return status ? status : save_chosen(frame, r->loads, r, argc, argv);
}

static int save_activity(const ws_machine *machine, const ws_activity_report *report, const request *r, int argc,
                         char **argv)
{
    ws_frame *frame;
    const int status = ws_simulation_activity_frame(machine, report, &frame);
    return status ? status : save_chosen(frame, r->activity, r, argc, argv);
}

/* With a list the total is an estimate, if all of it was simulated. */
static int save_power(const ws_machine *machine, const ws_activity_report *report, bool whole, const request *r,
                      int argc, char **argv)
{
    ws_power *power;
    ws_power_table *table = NULL;
    ws_frame *frame = NULL;
    int status = ws_power_create(machine, &(ws_power_options){0}, &power);
    if (!status)
        status = ws_power_table_create(power, WS_POWER_ALL, false, &table);
    if (!status)
        status = ws_power_table_report(table, report);
    if (!status && r->list)
        status = ws_power_table_estimate(table, r->list, whole);
    if (!status)
        status = ws_power_table_frame(table, &frame);
    if (!status)
        status = save_frame(frame, r->power, argc, argv);
    ws_power_table_destroy(table);
    ws_power_destroy(power);
    return status;
}

/* The frames beside the first. `whole': all launches ended. */
static int save_report(const ws_machine *machine, const ws_activity_report *report, bool whole, const request *r,
                       int argc, char **argv)
{
    const int status = r->activity ? save_activity(machine, report, r, argc, argv) : WS_OK;
    return status || !r->power ? status : save_power(machine, report, whole, r, argc, argv);
}

static int print_result(ws_simulation *simulation, bool whole, const request *r, int argc, char **argv)
{
    ws_frame *frame;
    int status = ws_simulation_frame(simulation, &frame);
    if (!status)
        status = print_frame(frame, argc, argv);
    if (!status)
        status = save_report(ws_simulation_machine(simulation), ws_simulation_activity_report(simulation), whole, r,
                             argc, argv);
    if (!status && r->loads)
        status = save_loads(simulation, r, argc, argv);
    return status || !r->traffic ? status : save_traffic(simulation, r, argc, argv);
}

static int simulate_trace(const request *r, const ws_machine *machine, int argc, char **argv)
{
    ws_chiplet_kernels uses = {0};
    const ws_simulation_options how = {.workers = r->workers,
                                       .arguments = &uses,
                                       .loads = r->loads,
                                       .activity = r->activity || r->power,
                                       .interval = r->interval,
                                       .check = r->check,
                                       .steady = r->steady,
                                       .repeated = r->repeated,
                                       .shape = r->shape_rows,
                                       .max_cycles = r->max_cycles,
                                       .checkpoint = r->checkpoint,
                                       .checkpoint_every = r->every ? r->every : EVERY};
    ws_trace *trace = NULL;
    ws_simulation *simulation = NULL;
    char message[1024];
    int status = ws_trace_open(r->trace, &trace);
    if (!status)
        status = ws_sim_arguments_of_trace(r->uses, machine, trace, &uses);
    if (!status)
        status = ws_simulation_create(machine, &how, &simulation);
    if (!status) {
        status = run(simulation, r, trace);
        snprintf(message, sizeof message, "%s", ws_message());
        const int printed = print_result(simulation, !status, r, argc, argv);
        status = status ? ws_fail(status, "%s", message) : printed;
    }
    ws_simulation_destroy(simulation);
    ws_chiplet_kernels_fini(&uses);
    ws_trace_close(trace);
    return status;
}

/* ------------------------------------------------------------------------------------------------ live */

static int run_script(const request *r, const ws_script *script, const ws_module *module, ws_simulation *simulation)
{
    char *const workload = ws_text_stem(r->arguments.argument[0]);
    ws_live_simulation live = {.simulation = simulation, .workload = workload};
    const ws_launch_simulator simulator = {.simulate = ws_live_simulate, .wants = ws_live_wants, .context = &live};
    const ws_script_options how = {.workers = 1, .out = stderr, .simulator = &simulator};
    ws_script_result result = {0};
    int status = workload ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    if (!status && r->list)
        status = ws_simulation_choose(simulation, r->list, workload);
    if (!status)
        status = ws_script_run(script, module, &how, &result);
    if (!status)
        status = ws_simulation_check_list(simulation);
    if (!status)
        status = ws_simulation_check_used(simulation);
    if (!status && result.met + result.failed)
        fprintf(stderr, "sim: %" PRIu64 " passed, %" PRIu64 " failed\n", result.met, result.failed);
    if (!status && result.failed)
        status = ws_fail(WS_EVERIFY, "%s: %" PRIu64 " of %" PRIu64 " expectations are not met", script->file,
                         result.failed, result.met + result.failed);
    free(workload);
    return status;
}

/* The report goes to stderr, the rows to stdout. */
static int simulate_script(const request *r, const ws_machine *machine, int argc, char **argv)
{
    ws_chiplet_kernels uses = {0};
    const ws_simulation_options how = {.check = r->check,
                                       .arguments = &uses,
                                       .argument_file = r->uses,
                                       .max_cycles = r->max_cycles,
                                       .wait_cycles = r->livelock,
                                       .live = true,
                                       .shape = r->shape_rows,
                                       .loads = r->loads,
                                       .activity = r->activity || r->power,
                                       .interval = r->interval};
    ws_module *module = NULL;
    ws_script *script = NULL;
    ws_simulation *simulation = NULL;
    char message[1024];
    int status = ws_device_code_load(r->arguments.argument[0], 0, r->arguments.argument[1], &script, &module);
    if (!status)
        status = ws_sim_arguments_of_script(r->uses, machine, script, module, &uses);
    if (!status)
        status = ws_simulation_create(machine, &how, &simulation);
    if (!status) {
        status = run_script(r, script, module, simulation);
        snprintf(message, sizeof message, "%s", ws_message());
        const int printed = print_result(simulation, !status, r, argc, argv);
        status = status ? ws_fail(status, "%s", message) : printed;
    }
    ws_simulation_destroy(simulation);
    ws_chiplet_kernels_fini(&uses);
    ws_script_destroy(script);
    ws_module_destroy(module);
    return status;
}

static int simulate_suite(const request *r, const ws_machine *machine, int argc, char **argv)
{
    ws_sim_suite_request how = {.machine = r->machine.choice,
                                .wanted = r->wanted,
                                .scale = r->scale,
                                .seed = r->seed,
                                .check = r->check,
                                .shape = r->shape,
                                .max_cycles = r->max_cycles,
                                .livelock = r->livelock,
                                .sizes = r->sizes,
                                .arguments = r->uses,
                                .list = r->list};
    char message[1024];
    ws_frame *frame = NULL;
    bool measure;
    int status = ws_sim_arguments_check(r->uses, machine, &measure);
    if (status)
        return status;
    if (measure) {
        how.measure = ws_sim_arguments_save;
        how.context = (void *)(uintptr_t)machine;
    }
    status = r->activity || r->power ? ws_activity_report_create(WS_ACTIVITY_SIMULATION, &how.activity) : WS_OK;
    if (!status)
        status = ws_sim_suite_run(&how, &frame);
    snprintf(message, sizeof message, "%s", ws_message());
    int printed = frame ? print_frame(frame, argc, argv) : WS_OK;
    if (!printed && how.activity && frame)
        printed = save_report(machine, how.activity, !status, r, argc, argv);
    ws_activity_report_destroy(how.activity);
    return status ? ws_fail(status, "%s", message) : printed;
}

/* data/published has what was measured of the card, if anything. */
static int run_microbench(const request *r, const ws_machine *machine, int argc, char **argv)
{
    ws_microbench_options how = {.groups = r->groups, .shape = r->shape_rows};
    char folder[PATH_MAX], file[PATH_MAX + NAME_MAX + 16], message[1024];
    ws_frame *frame = NULL;
    int status = ws_data_folder(folder, sizeof folder);
    if (status)
        return status;
    snprintf(file, sizeof file, "%s/published/%s.csv", folder, machine->name);
    how.published = access(file, F_OK) ? NULL : file;
    status = ws_microbench(machine, &how, &frame);
    snprintf(message, sizeof message, "%s", ws_message());
    const int printed = frame ? print_frame(frame, argc, argv) : WS_OK;
    return status ? ws_fail(status, "%s", message) : printed;
}

WS_COMMAND(sim)
{
    request r = {.machine.choice = {.config = "gtsc"}, .seed = 1, .livelock = WS_LIVELOCK_CYCLES};
    ws_machine *machine;
    ws_options_parse(&options, argc, argv, &r);
    ws_interrupts_catch();
    int status = read_machine(&r, &machine);
    if (status)
        return status;
    if (r.launches && !r.options)
        status = ws_launch_list_load(r.launches, &r.list);
    if (r.options)
        print_options(machine);
    else if (!status)
        status = r.microbench ? run_microbench(&r, machine, argc, argv)
                 : r.suite    ? simulate_suite(&r, machine, argc, argv)
                 : r.trace    ? simulate_trace(&r, machine, argc, argv)
                              : simulate_script(&r, machine, argc, argv);
    ws_launch_list_destroy(r.list);
    ws_machine_destroy(machine);
    return status;
}
