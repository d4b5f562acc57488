/* chiplet_energy.c - see chiplet_energy.h. */
#include "model/mechanism/chiplets/chiplet_energy.h"

#include "base/status.h"
#include "model/power/power.h"
#include "model/machine/machine.h"

#include <math.h>

int ws_chiplet_costs_of(const ws_machine *m, ws_chiplet_costs *out)
{
    static const double pj = 1e-12;
    ws_lab_tech t;
    *out = (ws_chiplet_costs){NAN, NAN, NAN, NAN, NAN, NAN};
    if (!ws_machine_has_printed_accesses(m))
        return WS_OK;
    const int status = ws_power_read_accesses(m, &t);
    if (status)
        return status;
    const bool l3 = m->l3_size;
    *out = (ws_chiplet_costs){.l2_read_j = t.l2_read * pj,
                              .l2_write_j = t.l2_write * pj,
                              .message_j = t.network_message * pj,
                              .home_read_j = (l3 ? t.l3_read : t.memory_access) * pj,
                              .home_write_j = (l3 ? t.l3_write : t.memory_access) * pj,
                              .memory_j = l3 ? (t.memory_access + t.l3_write) * pj : 0};
    return WS_OK;
}

ws_chiplet_energy ws_chiplet_energy_of(const ws_chiplet_costs *c, const ws_chiplet_counts *n, uint64_t lines)
{
    const double written_back = (double)(n->flushed + n->victims), fetches = (double)n->fetches,
                 through = (double)n->through;
    const double loads = (double)n->loads, stores = (double)n->stores, atomics = (double)n->atomics;
    const double remote = (double)(n->remote_fetches + n->remote_through + n->remote_victims + n->remote_atomics +
                                   n->invalidations + n->evictions);
    return (ws_chiplet_energy){
        .l2_j = (loads + atomics + written_back) * c->l2_read_j + (stores + fetches) * c->l2_write_j,
        .network_j = (loads + stores + atomics + remote) * c->message_j,
        .home_j = (fetches + atomics) * c->home_read_j + (written_back + through + atomics) * c->home_write_j +
                  (double)lines * c->memory_j,
    };
}
