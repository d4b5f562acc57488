/* record_live.c - see record_live.h. */
#include "record/record_live.h"

#include "base/status.h"
#include "base/interrupt.h"
#include "base/misused.h"
#include "record/simulate/live_simulation.h"
#include "model/machine/machine_choice.h"
#include "collect/shape/shape.h"
#include "model/chiplets/argument_file.h"
#include "model/machine/machine.h"
#include "model/machine/package_coherence.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct ws_record_live {
    ws_machine *machine;
    ws_simulation *simulation;
    ws_live_simulation live;
    ws_launch_list *list;                         /* NULL: all launches are simulated */
    ws_chiplet_kernels uses;                      /* what launches use on which chip */
    char *workload, *rows, *activity, *arguments; /* all but the first: files, or NULL */
};

static const char *environment(const char *name)
{
    const char *const text = getenv(name);
    return text && *text ? text : NULL;
}

static int choose_machine(const char *config, ws_machine **out)
{
    const ws_machine_choice choice = {.config = config,
                                      .protocol = environment("WARPSCAPE_SIMULATE_PROTOCOL"),
                                      .more = environment("WARPSCAPE_SIMULATE_SET")};
    const int status = ws_machine_choose(&choice, out);
    if (status == WS_MISUSED)
        return ws_fail(WS_EINPUT, "environment variable WARPSCAPE_SIMULATE_SET: lines of OPTION=VALUE are needed");
    return status;
}

/* *cycles stays what it is when the variable is not set. */
static int read_cycles(const char *name, uint64_t *cycles)
{
    const char *const text = environment(name);
    char *end;
    errno = 0;
    if (!text)
        return WS_OK;
    *cycles = strtoull(text, &end, 10);
    return *end || errno || text[0] == '-'
               ? ws_fail(WS_EINPUT, "environment variable %s: expected a number of cycles, got '%s'", name, text)
               : WS_OK;
}

static int read_options(ws_simulation_options *options)
{
    const char *const shape = environment("WARPSCAPE_SIMULATE_SHAPE");
    *options = (ws_simulation_options){
        .live = true, .wait_cycles = WS_LIVELOCK_CYCLES, .check = environment("WARPSCAPE_SIMULATE_CHECK")};
    if (shape && ws_shape_parse(shape, &options->shape)) {
        char message[512];
        snprintf(message, sizeof message, "%s", ws_message());
        return ws_fail(WS_EINPUT, "environment variable WARPSCAPE_SIMULATE_SHAPE: %s", message);
    }
    const int status = read_cycles("WARPSCAPE_SIMULATE_MAX_CYCLES", &options->max_cycles);
    return status ? status : read_cycles("WARPSCAPE_SIMULATE_LIVELOCK", &options->wait_cycles);
}

/* Whoever is asked to end writes its rows first; a program that has its own way to end keeps it. */
static void catch_interrupts(void)
{
    struct sigaction now;
    if (sigaction(SIGTERM, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL)
        ws_interrupts_catch();
}

static void destroy(ws_record_live *l)
{
    ws_simulation_destroy(l->simulation);
    ws_launch_list_destroy(l->list);
    ws_chiplet_kernels_fini(&l->uses);
    ws_machine_destroy(l->machine);
    free(l->workload);
    free(l->rows);
    free(l->activity);
    free(l->arguments);
    free(l);
}

/* A file of arguments goes with machines that ask for them. */
static int read_arguments(ws_record_live *l, ws_simulation_options *how)
{
    const char *const file = environment("WARPSCAPE_SIMULATE_ARGUMENTS");
    const ws_machine *const m = l->machine;
    if (!file)
        return WS_OK;
    if (!m->package_coherence->by_table)
        return ws_fail(WS_EINPUT,
                       "environment variable WARPSCAPE_SIMULATE_ARGUMENTS: package.coherence of %s is %s; expected "
                       "cpcoh, which asks what launches use",
                       m->name, m->package_coherence->name);
    if (!(l->arguments = strdup(file)))
        return ws_fail(WS_EMEM, "out of memory");
    how->arguments = &l->uses;
    how->argument_file = l->arguments;
    return ws_argument_file_read(file, m->package_chips, &l->uses);
}

int ws_record_live_open(ws_record_live **out, const char *workload, ws_launch_simulator *simulator)
{
    const char *const config = environment("WARPSCAPE_SIMULATE"), *const rows = environment("WARPSCAPE_SIMULATE_ROWS");
    const char *const list = environment("WARPSCAPE_SIMULATE_LAUNCHES"), *const activity =
                                                                             environment("WARPSCAPE_SIMULATE_ACTIVITY");
    ws_simulation_options how;
    *out = NULL;
    if (!config)
        return WS_OK;
    ws_record_live *const l = calloc(1, sizeof *l);
    if (!l)
        return ws_fail(WS_EMEM, "out of memory");
    l->workload = strdup(workload);
    l->rows = rows ? strdup(rows) : NULL;
    l->activity = activity ? strdup(activity) : NULL;
    int status =
        l->workload && (l->rows || !rows) && (l->activity || !activity) ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = choose_machine(config, &l->machine);
    if (!status)
        status = read_options(&how);
    how.activity = activity != NULL;
    if (!status)
        status = read_arguments(l, &how);
    if (!status)
        status = ws_simulation_create(l->machine, &how, &l->simulation);
    if (!status && list)
        status = ws_launch_list_load(list, &l->list);
    if (!status && list)
        status = ws_simulation_choose(l->simulation, l->list, workload);
    if (status) {
        destroy(l);
        return status;
    }
    catch_interrupts();
    l->live = (ws_live_simulation){.simulation = l->simulation, .workload = l->workload};
    *simulator = (ws_launch_simulator){.simulate = ws_live_simulate, .wants = ws_live_wants, .context = &l->live};
    *out = l;
    return WS_OK;
}

/* `file` may be NULL. */
static int save(const ws_simulation *simulation, int (*make)(const ws_simulation *simulation, ws_frame **out),
                const char *file)
{
    ws_frame *frame = NULL;
    int status = file ? make(simulation, &frame) : WS_OK;
    if (!status && frame)
        status = ws_frame_save(frame, file);
    ws_frame_destroy(frame);
    return status;
}

int ws_record_live_close(ws_record_live *l)
{
    if (!l)
        return WS_OK;
    int status = save(l->simulation, ws_simulation_frame, l->rows);
    if (!status)
        status = save(l->simulation, ws_simulation_activity, l->activity);
    if (!status)
        status = ws_simulation_check_list(l->simulation);
    if (!status)
        status = ws_simulation_check_used(l->simulation);
    destroy(l);
    return status;
}
