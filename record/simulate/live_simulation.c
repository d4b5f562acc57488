/* live_simulation.c - see live_simulation.h. */
#include "record/simulate/live_simulation.h"

#include "model/placement/residents.h"
#include "record/simulate/live_source.h"
#include "model/machine/machine.h"

static uint64_t now(void *context)
{
    return ws_simulation_now(context);
}

bool ws_live_wants(void *context, uint64_t sequence)
{
    return ws_simulation_wants(((const ws_live_simulation *)context)->simulation, sequence + 1);
}

int ws_live_simulate(void *context, ws_stepper *stepper, const ws_launch *launch)
{
    const ws_live_simulation *const live = context;
    const ws_machine *const machine = ws_simulation_machine(live->simulation);
    const ws_stepper_clock clock = {
        .now = now, .context = live->simulation, .nanoseconds = 1e6 / (double)machine->chip_core_clock};
    ws_source *source;
    int status = ws_simulation_check_arguments(live->simulation, launch);
    if (!status)
        status = ws_source_of_stepper(stepper, ws_sim_slots(machine), &source);
    if (!status)
        status = ws_simulation_shape(live->simulation, &source);
    if (status)
        return status;
    if (ws_stepper_is_cooperative(stepper)) /* with the registers that it is shaped to need */
        status = ws_residents_check_together(machine, source->launch);
    ws_stepper_set_clock(stepper, &clock);
    if (!status)
        status = ws_simulation_launch(live->simulation, live->workload, source);
    ws_stepper_set_clock(stepper, NULL);
    source->ops->destroy(source);
    return status;
}
