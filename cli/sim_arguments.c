/* sim_arguments.c - see sim_arguments.h. */
#include "cli/sim_arguments.h"

#include "base/status.h"
#include "model/mechanism/chiplets/chiplet_arguments.h"
#include "cli/launch/launch_run.h"
#include "model/chiplets/argument_file.h"
#include "model/chiplets/range_log.h"
#include "model/machine/machine.h"
#include "model/machine/package_coherence.h"
#include "model/placement/cta_scheduler.h"

#include <stdio.h>

/* Do blocks go to chips as time has it? What is measured then tells what a launch uses, not where. */
static bool go_anywhere(const ws_machine *m)
{
    return !m->chip_cta_scheduler->by_chip;
}

/* Whether the machine asks. */
static int check(const char *file, const ws_machine *m, bool *asks)
{
    *asks = m->package_coherence->by_table;
    return *asks || !file
               ? WS_OK
               : ws_fail(WS_EINPUT, "--arguments: package.coherence of %s is %s; expected cpcoh, which uses them",
                         m->name, m->package_coherence->name);
}

int ws_sim_arguments_of_trace(const char *file, const ws_machine *machine, ws_trace *trace, ws_chiplet_kernels *out)
{
    bool asks;
    *out = (ws_chiplet_kernels){0};
    const int status = check(file, machine, &asks);
    return status || !asks ? status
                           : ws_chiplet_arguments(trace, file, machine->package_chips, go_anywhere(machine), out);
}

/* Nobody reads its report; expectations are those of the run that is simulated. */
static int run_before(const ws_script *script, const ws_module *module, ws_range_program *program, uint32_t chiplets)
{
    const ws_range_log_options how_to_log = {.chiplets = chiplets};
    const ws_sink sink = ws_range_log_sink(&how_to_log), *const sinks[] = {&sink};
    ws_listeners listeners = {.sink = sinks, .n = 1, .collect = ws_range_program_take, .context = program};
    ws_script_result result = {0};
    FILE *const nowhere = fopen("/dev/null", "w");
    if (!nowhere)
        return ws_fail(WS_EIO, "/dev/null cannot be opened");
    const ws_script_options how = {.workers = 1, .out = nowhere, .listeners = &listeners};
    const int status = ws_script_run(script, module, &how, &result);
    fclose(nowhere);
    return status ? ws_fail_context(status, "run before the simulation, for what launches use") : WS_OK;
}

int ws_sim_arguments_of_script(const char *file, const ws_machine *machine, const ws_script *script,
                               const ws_module *module, ws_chiplet_kernels *out)
{
    ws_range_program *program;
    bool asks;
    *out = (ws_chiplet_kernels){0};
    int status = check(file, machine, &asks);
    if (status || !asks)
        return status;
    if (file)
        return ws_argument_file_read(file, machine->package_chips, out);
    status = ws_range_program_create(machine->package_chips, go_anywhere(machine), &program);
    if (status)
        return status;
    status = run_before(script, module, program, machine->package_chips);
    if (!status)
        status = ws_range_program_kernels(program, out);
    ws_range_program_destroy(program);
    return status;
}

int ws_sim_arguments_check(const char *file, const ws_machine *machine, bool *measure)
{
    ws_chiplet_kernels kernels = {0};
    bool asks;
    int status = check(file, machine, &asks);
    if (!status && file)
        status = ws_argument_file_read(file, machine->package_chips, &kernels);
    ws_chiplet_kernels_fini(&kernels);
    *measure = asks && !file;
    return status;
}

int ws_sim_arguments_save(void *context, const char *path, const char *file)
{
    const ws_machine *const machine = context;
    ws_chiplet_kernels kernels = {0};
    ws_trace *trace;
    int status = ws_trace_open(path, &trace);
    if (status)
        return status;
    status = ws_chiplet_arguments(trace, NULL, machine->package_chips, go_anywhere(machine), &kernels);
    if (!status)
        status = ws_argument_file_save(file, &kernels, machine->package_chips);
    ws_chiplet_kernels_fini(&kernels);
    ws_trace_close(trace);
    return status;
}
