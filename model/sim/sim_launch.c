/* sim_launch.c - launches of a simulated machine: do their CTAs fit, what changes when they begin and end, what they
 * leave when nobody simulates them. */
#include "model/sim/sim_internal.h"

#include "base/status.h"
#include "collect/trace/update.h"
#include "collect/trace/waits.h"
#include "model/machine/carveout.h"
#include "model/machine/machine.h"
#include "model/placement/residents.h"
#include "model/sim/sim_warm_internal.h"

#include <stdlib.h>
#include <string.h>

uint32_t ws_sim_slots(const ws_machine *machine)
{
    return ws_machine_sms(machine) * machine->sm_blocks;
}

/* Blocks of the launch that an SM holds at a time, at most. */
static uint64_t residents_of(const ws_sim *sim, const ws_launch *launch)
{
    const uint64_t share = (launch->blocks + sim->sms - 1) / sim->sms, fit = sim->shared.most_ctas;
    return share < fit ? share : fit;
}

/* The L1s get what the blocks of the launch leave them of the memory of an SM. */
static int set_l1_size(ws_sim *sim, const ws_launch *launch)
{
    const ws_level *const l1 = &sim->shared.cache[WS_SM_DATA];
    if (!sim->machine->l1_unified || !l1->ops->sizes)
        return WS_OK;
    const uint32_t ways =
        ws_carveout_ways(sim->machine, residents_of(sim, launch) * ws_residents_shared(sim->machine, launch));
    if (ways == sim->l1_ways)
        return WS_OK;
    const int status = l1->ops->sizes->resize(l1->shared, ways);
    for (uint32_t i = 0; i < sim->sms && !status; i++)
        ws_sm_resized(sim->sm[i]);
    sim->l1_ways = ways;
    return status;
}

/* A trace with values has those of a sample of blocks only. */
static int refuse_blind(const ws_sim *sim, const ws_launch *launch)
{
    const char *const option = ws_sim_looks_at_values(sim->machine);
    return ws_fail(WS_EUNSUPPORTED,
                   "kernel %s: %s = %s needs the values that %s, which a trace does not keep; run the launch live, "
                   "from its PTX or with --suite",
                   launch->kernel, option,
                   *option == 'r' ? sim->machine->registers_file->name : sim->machine->shared_memory->name,
                   *option == 'r' ? "registers get" : "shared memory gets (width, ewt)");
}

/* What shared memory may know of a launch before it runs. */
static void tell_shared_memory(ws_sim *sim, const ws_launch *launch)
{
    ws_shared_setup *const s = &sim->shared.memory_setup;
    s->block_bytes = launch->shared_bytes;
    s->blocks = sim->shared.most_ctas;
    s->text_writes = s->text_accesses = 0;
    for (uint32_t i = 0; i < launch->instrs; i++) {
        const ws_instr *const instr = &launch->instr[i];
        const bool shared = instr->cls == WS_CLASS_MEMORY && instr->space == WS_SPACE_SHARED;
        s->text_accesses += shared;
        s->text_writes += shared && instr->access != WS_ACCESS_LOAD;
    }
    sim->shared.section_on = sim->shared.memory->is_on && sim->shared.memory->is_on(s);
}

int ws_sim_begin(ws_sim *sim, ws_source *source)
{
    const ws_launch *const launch = source->launch;
    int status = ws_residents_check(sim->machine, launch);
    if (status)
        return status;
    if (sim->shared.wants_values && !source->ops->give_values)
        return refuse_blind(sim, launch);
    if (sim->spent)
        return ws_fail(WS_EVERIFY, "kernel %s: the launch before it did not end; make a new machine for it",
                       launch->kernel);
    free(sim->wait_loop);
    sim->wait_loop = NULL;
    free(sim->decoded);
    sim->decoded = calloc(launch->instrs ? launch->instrs : 1, sizeof *sim->decoded);
    if (!sim->decoded)
        return ws_fail(WS_EMEM, "no memory for the instructions of a launch");
    sim->shared.launch = launch;
    sim->shared.most_ctas = (uint32_t)ws_residents_of(sim->machine, launch);
    sim->shared.cta_registers = (uint32_t)ws_residents_registers(sim->machine, launch);
    sim->shared.source = source;
    sim->shared.decoded = sim->decoded;
    status = ws_decode_launch(launch, sim->machine, sim->decoded, &sim->shared.registers);
    if (!status)
        status = set_l1_size(sim, launch);
    if (!status)
        status = ws_launch_wait_loops(launch, &sim->wait_loop);
    sim->shared.wait_loop = sim->wait_loop;
    sim->look_at = sim->now + sim->options.wait_cycles;
    tell_shared_memory(sim, launch);
    for (uint32_t i = 0; i < sim->sms && !status; i++)
        status = ws_sm_begin_launch(sim->sm[i]);
    if (status)
        return status;
    memset(sim->scheduler.state, 0, sim->cta->state_size(sim->sms));
    status = ws_cta_set_fill(&sim->left, source->ctas);
    if (status)
        return status;
    sim->scheduler.view.grid = launch->grid;
    sim->scheduler.view.ctas = source->ctas;
    ws_cta_spread_begin(&sim->spread, source->ctas, launch->grid[0],
                        sim->cta->group ? sim->cta->group(&sim->scheduler) : 0);
    sim->given = 0;
    sim->began = sim->progress_at = sim->now;
    sim->next_block = sim->began + sim->machine->chip_launch;
    sim->settling = ws_memory_side_keeps_copies(sim->side) ? UNSETTLED : SETTLED;
    sim->running = sim->spent = true;
    sim->flushed = FLUSHED_NOTHING;
    sim->sample_at = sim->now + SIM_SAMPLE_CYCLES;
    sim->samples = 0;
    sim->collected = false;
    sim->stopped = false;
    ws_memory_side_sum_updates(sim->side, !ws_update_is_launch_ordered(launch));
    status = ws_memory_side_warm(sim->side, launch);
    if (status)
        return status;
    if (sim->shared.wants_values)
        source->ops->give_values(source);
    return WS_OK;
}

/* NULL when caches are to stay as they are. */
static ws_memory_side *warmed_side(const ws_sim *sim)
{
    return ws_machine_has_protocol(sim->machine) || ws_memory_side_keeps_copies(sim->side) ? NULL : sim->side;
}

int ws_sim_warm(ws_sim *sim, ws_source *source)
{
    uint64_t instructions;
    if (sim->running)
        return ws_fail(WS_EVERIFY, "a launch is under way: caches are warmed between launches");
    const int status = ws_memory_side_warm(sim->side, source->launch);
    return status ? status : warmed_side(sim) ? sim_warm(sim->side, sim->machine, source, NULL, &instructions) : WS_OK;
}

void ws_sim_stop(ws_sim *sim)
{
    sim->stopped = true;
}

uint64_t ws_sim_given(const ws_sim *sim)
{
    return sim->given;
}

int ws_sim_warm_rest(ws_sim *sim, ws_source *source, uint64_t *instructions)
{
    if (sim->running)
        return ws_fail(WS_EVERIFY, "a launch is under way: caches are warmed between launches");
    return sim_warm(warmed_side(sim), sim->machine, source, &sim->left, instructions);
}

int ws_sim_end(ws_sim *sim)
{
    if (!sim->running)
        return WS_OK;
    const int status = ws_memory_side_end_launch(sim->side);
    sim->cycles += sim->now - sim->began;
    sim->running = false;
    sim->shared.source = NULL;
    return status;
}
