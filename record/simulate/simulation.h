/* simulation.h - launches through a simulated machine, one row of statistics each; with checkpoints. */
#ifndef WS_SIMULATION_H
#define WS_SIMULATION_H

#include "base/frame.h"
#include "collect/wst/wst.h"
#include "model/sample/launch_list.h"
#include "model/sim/sim_stats.h"

/* Who does not say otherwise ends a live launch whose warps only wait for one another for so many core cycles. */
enum { WS_LIVELOCK_CYCLES = 1000000 };

/* Of estimates from a list of launches: of their intervals, and the note that says so (workload, number of listed
 * launches as size_t, file). */
#define WS_SIMULATION_CONFIDENCE 0.95
#define WS_SIMULATION_ESTIMATED \
    "%s: the total is estimated from %zu of its launches, those of %s; bounds are half of 95 %% intervals"

typedef struct ws_simulation_options {
    unsigned workers;
    bool check;
    bool live;            /* launches run in the engine, whose caller shows the progress */
    uint64_t max_cycles;  /* of each launch; 0: no limit */
    uint64_t wait_cycles; /* ws_sim_options.wait_cycles; of launches that are live */
    const ws_chiplet_kernels
        *arguments;            /* what launches use on which chip (ws_sim_options); NULL or empty: nobody knows */
    const char *argument_file; /* that they are of; NULL: they were measured */
    const char *checkpoint;    /* file to keep the state in, now and then and when interrupted; NULL: none */
    uint64_t checkpoint_every; /* core cycles */
    bool repeated;             /* each launch is simulated twice in a row, and counts the second time; traces alone */
    double steady;             /* stop launches whose instructions a cycle vary by no more (steady.h); 0: none */
    bool loads;                /* keep what became of each load instruction: ws_simulation_loads */
    bool activity;             /* keep what the parts of the machine did in each launch, */
    uint32_t
        shape; /* rows of collect/shape/shape.def: what an assembler makes of PTX; 0: none, simulate PTX as it is */
    uint64_t interval; /* in stretches of so many core cycles, rounded up to whole windows; 0: as a whole */
} ws_simulation_options;

typedef struct ws_simulation ws_simulation;

/* `machine` must outlive it. */
int ws_simulation_create(const ws_machine *machine, const ws_simulation_options *options, ws_simulation **out);
void ws_simulation_destroy(ws_simulation *simulation); /* accepts NULL */

/* Only the launches of `workload` that the list has are to be simulated, from now on; the frame then extrapolates.
 * `list` is borrowed. WS_ENOTFOUND when it has none. */
int ws_simulation_choose(ws_simulation *simulation, const ws_launch_list *list, const char *workload);
/* Whether launch `number`, from 1 on, is to be simulated. */
bool ws_simulation_wants(const ws_simulation *simulation, uint64_t number);
/* Of launches that are live: whether options.arguments are of this one. WS_EINPUT with both names. */
int ws_simulation_check_arguments(ws_simulation *simulation, const ws_launch *launch);
/* After the last of them: WS_EINPUT when arguments are of more launches. With a list nobody asks. */
int ws_simulation_check_used(const ws_simulation *simulation);

/* After the last launch: WS_EINPUT with FILE:LINE of a listed launch that has not been there. */
int ws_simulation_check_list(const ws_simulation *simulation);

/* Makes a source give what the simulation shapes its steps to, or leaves it as it is; who fails destroys it, and
 * *source is NULL. */
int ws_simulation_shape(const ws_simulation *simulation, ws_source **source);

/* Runs a launch and adds its row. When it is interrupted, fails, or runs into its limit, the row holds what it did so
 * far and says so in its last label; the status is that of the failure. */
int ws_simulation_launch(ws_simulation *simulation, const char *workload, ws_source *source);

/* Launch `index` of a trace. What was cut short is simulated as far as it goes; its row says so, and the status is
 * WS_EINPUT. */
int ws_simulation_trace_launch(ws_simulation *simulation, const char *workload, ws_trace *trace, size_t index);

/* All launches of a trace, from number `first` on. A file that breaks off is simulated up to where it does. */
int ws_simulation_trace(ws_simulation *simulation, const char *workload, ws_trace *trace, size_t first);

/* Goes on from a checkpoint, whose machine and trace must be the same: rows that were there come back, the launch that
 * was interrupted is run to its end, then the others. */
int ws_simulation_resume(ws_simulation *simulation, const char *workload, ws_trace *trace);

/* The machine as it is now: after a launch that did not end, the next one gets a new machine. */
ws_sim *ws_simulation_sim(ws_simulation *simulation);
const ws_machine *ws_simulation_machine(const ws_simulation *simulation);
/* Of the first row; "" when there is none. */
const char *ws_simulation_workload(const ws_simulation *simulation);
/* Core cycles since the simulation was made. */
uint64_t ws_simulation_now(const ws_simulation *simulation);

/* What the parts of the machine did (model/activity.h), with options.activity. The caller frees it. */
int ws_simulation_activity(const ws_simulation *simulation, ws_frame **out);
/* Such a frame of any simulation of the machine. */
int ws_simulation_activity_frame(const ws_machine *machine, const struct ws_activity_report *report, ws_frame **out);
/* The same as it was collected; the simulation's. NULL without options.activity. */
const struct ws_activity_report *ws_simulation_activity_report(const ws_simulation *simulation);

/* What became of load instructions (load_report.h), with options.loads. The caller frees it. */
int ws_simulation_loads(const ws_simulation *simulation, ws_frame **out);

/* The rows so far, and one "total" behind them when there are several. With a list, that is an estimate, from weights,
 * of what all launches would do, with half of its 95 % interval (model/sample/extrapolate.h) in a column NAME_bound
 * behind for each that adds up. The caller frees it. */
int ws_simulation_frame(const ws_simulation *simulation, ws_frame **out);

#endif
