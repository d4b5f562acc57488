/* residents.c - see residents.h. */
#include "model/placement/residents.h"

#include "base/status.h"
#include "model/machine/machine.h"

int ws_residents_check(const ws_machine *m, const ws_launch *launch)
{
    const uint32_t threads = launch->warps_per_block * WS_WARP;
    if (threads > m->sm_threads)
        return ws_fail(WS_EINPUT, "kernel %s: a block has %u threads, an SM of %s has room for %u ([sm] threads)",
                       launch->kernel, threads, m->name, m->sm_threads);
    if (launch->shared_bytes > m->sm_shared)
        return ws_fail(WS_EINPUT, "kernel %s: a block has %u bytes of shared memory, an SM of %s has %u ([sm] shared)",
                       launch->kernel, launch->shared_bytes, m->name, m->sm_shared);
    if ((uint64_t)launch->registers * threads > m->sm_registers)
        return ws_fail(WS_EINPUT, "kernel %s: a block has %llu registers, an SM of %s has %u ([sm] registers)",
                       launch->kernel, (unsigned long long)launch->registers * threads, m->name, m->sm_registers);
    return WS_OK;
}

/* Blocks of one kind that an empty SM holds, and what holds no more. */
typedef struct capacity {
    uint64_t blocks;
    const char *option;
} capacity;

static capacity smaller(capacity a, uint64_t blocks, const char *option)
{
    return blocks < a.blocks ? (capacity){blocks, option} : a;
}

static capacity capacity_of(const ws_machine *m, const ws_launch *launch)
{
    const uint32_t threads = launch->warps_per_block * WS_WARP;
    const uint64_t registers = (uint64_t)launch->registers * threads;
    capacity c = smaller((capacity){m->sm_blocks, "blocks"}, m->sm_threads / threads, "threads");
    if (registers)
        c = smaller(c, m->sm_registers / registers, "registers");
    return launch->shared_bytes ? smaller(c, m->sm_shared / launch->shared_bytes, "shared") : c;
}

int ws_residents_check_together(const ws_machine *machine, const ws_launch *launch)
{
    const int status = ws_residents_check(machine, launch);
    if (status)
        return status;
    const capacity c = capacity_of(machine, launch);
    if (launch->blocks <= c.blocks * ws_machine_sms(machine))
        return WS_OK;
    return ws_fail(WS_EINPUT,
                   "kernel %s: a cooperative launch of %llu blocks; %s has room for %llu at the same time, "
                   "%llu on each of %u SMs ([sm] %s is short)",
                   launch->kernel, (unsigned long long)launch->blocks, machine->name,
                   (unsigned long long)c.blocks * ws_machine_sms(machine), (unsigned long long)c.blocks,
                   ws_machine_sms(machine), c.option);
}

uint64_t ws_residents_of(const ws_machine *machine, const ws_launch *launch)
{
    return capacity_of(machine, launch).blocks;
}

int ws_residents_places(const ws_machine *machine, const ws_launch *launch, uint32_t *places)
{
    const int status = ws_residents_check(machine, launch);
    *places = status ? 0 : (uint32_t)ws_residents_of(machine, launch);
    return status;
}
