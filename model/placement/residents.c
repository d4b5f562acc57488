/* residents.c - see residents.h. */
#include "model/placement/residents.h"

#include "base/status.h"
#include "model/machine/machine.h"

static ws_cta_need need_of(const ws_launch *launch)
{
    return (ws_cta_need){launch->warps_per_block, launch->registers, launch->shared_bytes};
}

uint64_t ws_residents_registers(const ws_machine *machine, const ws_launch *launch)
{
    const ws_sm_capacity room = ws_machine_capacity(machine);
    const ws_cta_need need = need_of(launch);
    return ws_residency_registers(&room, &need);
}

uint64_t ws_residents_shared(const ws_machine *machine, const ws_launch *launch)
{
    const ws_sm_capacity room = ws_machine_capacity(machine);
    const ws_cta_need need = need_of(launch);
    return ws_residency_shared(&room, &need);
}

int ws_residents_check(const ws_machine *m, const ws_launch *launch)
{
    const uint32_t threads = launch->warps_per_block * WS_WARP;
    if (threads > m->sm_threads)
        return ws_fail(WS_EINPUT, "kernel %s: a block has %u threads, an SM of %s has room for %u ([sm] threads)",
                       launch->kernel, threads, m->name, m->sm_threads);
    if (ws_residents_shared(m, launch) > m->sm_shared)
        return ws_fail(WS_EINPUT, "kernel %s: a block has %u bytes of shared memory, an SM of %s has %u ([sm] shared)",
                       launch->kernel, (unsigned)ws_residents_shared(m, launch), m->name, m->sm_shared);
    if (ws_residents_registers(m, launch) > m->sm_registers)
        return ws_fail(WS_EINPUT, "kernel %s: a block has %llu registers, an SM of %s has %u ([sm] registers)",
                       launch->kernel, (unsigned long long)ws_residents_registers(m, launch), m->name, m->sm_registers);
    if (!ws_residents_of(m, launch)) /* the sum fits, but a warp must lie in one part */
        return ws_fail(
            WS_EINPUT,
            "kernel %s: a block has %u warps of %llu registers, the registers of an SM of %s hold fewer warps "
            "in %u equal parts ([sm] register_parts)",
            launch->kernel, launch->warps_per_block,
            (unsigned long long)ws_residents_registers(m, launch) / launch->warps_per_block, m->name,
            m->sm_register_parts);
    return WS_OK;
}

ws_resident_limit ws_residents_limits(const ws_machine *machine, const ws_launch *launch,
                                      uint64_t ctas[WS_RESIDENT_LIMITS])
{
    const ws_sm_capacity room = ws_machine_capacity(machine);
    const ws_cta_need need = need_of(launch);
    return ws_residency_limits(&room, &need, ctas);
}

int ws_residents_check_together(const ws_machine *machine, const ws_launch *launch)
{
    uint64_t ctas[WS_RESIDENT_LIMITS];
    const int status = ws_residents_check(machine, launch);
    if (status)
        return status;
    const ws_resident_limit limit = ws_residents_limits(machine, launch, ctas);
    if (launch->blocks <= ctas[limit] * ws_machine_sms(machine))
        return WS_OK;
    return ws_fail(WS_EINPUT,
                   "kernel %s: a cooperative launch of %llu blocks; %s has room for %llu at the same time, "
                   "%llu on each of %u SMs ([sm] %s is short)",
                   launch->kernel, (unsigned long long)launch->blocks, machine->name,
                   (unsigned long long)ctas[limit] * ws_machine_sms(machine), (unsigned long long)ctas[limit],
                   ws_machine_sms(machine), ws_resident_limit_table[limit].name);
}

uint64_t ws_residents_of(const ws_machine *machine, const ws_launch *launch)
{
    uint64_t ctas[WS_RESIDENT_LIMITS];
    return ctas[ws_residents_limits(machine, launch, ctas)];
}

int ws_residents_places(const ws_machine *machine, const ws_launch *launch, uint32_t *places)
{
    const int status = ws_residents_check(machine, launch);
    *places = status ? 0 : (uint32_t)ws_residents_of(machine, launch);
    return status;
}
