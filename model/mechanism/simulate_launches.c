/* simulate_launches.c - see simulate_launches.h. */
#include "model/mechanism/simulate_launches.h"

int ws_simulate_launches(ws_trace *trace, const ws_machine *machine, const ws_sim_options *options,
                         ws_verify_ended *ended, void *context, ws_sim_sums *sums)
{
    ws_sim *sim = NULL;
    int status = ws_sim_create(machine, options, &sim);
    if (!status)
        status = ws_verify_simulate_each(trace, machine, sim, ended, context);
    if (!status && sums)
        ws_sim_sum(sim, sums);
    ws_sim_destroy(sim);
    return status;
}
