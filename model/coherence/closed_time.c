/* closed_time.c - demand of a launch on a machine, for launch_time.h. */
#include "model/coherence/closed_form_internal.h"

#include "model/instruction_times.h"

#include <math.h>

void ws_closed_units(const ws_closed_machine *m, const ws_launch_work *w, double *cycles)
{
    double instructions = 0, lanes = 0;
    for (unsigned i = 0; i < WS_UNITS; i++) {
        cycles[i] = 0;
        instructions += i == WS_UNIT_NONE ? 0 : (double)w->instructions[i];
        lanes += i == WS_UNIT_NONE ? 0 : (double)w->lanes[i];
    }
    const double idle = lanes > 0 ? instructions * WS_WARP / lanes : 1; /* a warp takes a unit for all its lanes */
    for (unsigned i = 0; i < WS_OPERATIONS; i++)
        cycles[m->unit[i]] += (double)w->operations[i] * m->unit_cycles[i] * (i < WS_OPERATION_other ? idle : 1);
}

/* Returns the mean cycles between instructions of a lone warp without dependences: a unit that is still busy with the
 * previous instruction delays the next. */
static double gap_of(const ws_closed_machine *m, const ws_traffic_profile *p)
{
    double unit[WS_UNITS], gap = 1;
    ws_closed_units(m, &p->work, unit);
    for (unsigned i = 0; i < WS_UNITS && p->total.instructions; i++) {
        const double of = (double)p->work.instructions[i], share = of / (double)p->total.instructions;
        gap += of > 0 ? share * share * fmax(0, unit[i] * m->schedulers / of - 1) : 0;
    }
    return fmax(gap, m->pipeline_cycles);
}

/* Returns the cycles of all warps for instructions and their waits for results, without global memory. */
static double dependence_of(const ws_closed_machine *m, const ws_traffic_profile *p)
{
    const ws_launch_work *const w = &p->work;
    const double gap = gap_of(m, p);
    double cycles = (double)p->total.instructions * gap;
    for (unsigned i = 0; i < WS_CHAIN_WAITS; i++)
        cycles += fmax(0, (double)w->waits[i] * m->wait_cycles[i] - (double)w->passed[i] * gap);
    return cycles + (double)w->taken * fmax(0, m->refill_cycles - 1);
}

/* Returns the mean wait of a group of loads with this latency, less the slack that hides it. Slack was measured with
 * the latencies of instruction_times.def; `pace` scales it to the machine. */
static double wait_of(const ws_closed_reuse *u, double latency, double pace)
{
    double wait = 0, groups = 0;
    for (unsigned i = 0; i < WS_PROFILE_SLACKS; i++) {
        const double from = i ? ws_profile_slack[i - 1] : 0,
                     to = i + 1 < WS_PROFILE_SLACKS ? ws_profile_slack[i] : 2 * from;
        wait += u->slack[i] * fmax(0, latency - (from + to) / 2 * pace);
        groups += u->slack[i];
    }
    return groups > 0 ? wait / groups : 0;
}

void ws_closed_profiled_waits(ws_closed_machine *m)
{
    static const double times[][WS_NUMBERS] = {
#define INSTRUCTION_TIME(work, integer, single, twice) [WS_WORK_##work] = {integer, single, single, twice},
#include "model/instruction_times.def"
#undef INSTRUCTION_TIME
    };
    for (unsigned i = 0; i < WS_CHAIN_SHARED; i++)
        m->wait_cycles[i] = times[i / WS_NUMBERS][i % WS_NUMBERS] + WS_TIME_REGISTERS;
    m->wait_cycles[WS_CHAIN_SHARED] = WS_TIME_SHARED_LOAD + WS_TIME_REGISTERS;
    m->wait_cycles[WS_CHAIN_CONSTANT] = WS_TIME_CONSTANT_LOAD + WS_TIME_REGISTERS;
    m->wait_cycles[WS_CHAIN_TEXTURE] = WS_TIME_TEXTURE_LOAD + WS_TIME_REGISTERS;
    m->refill_cycles = WS_TIME_REFILL;
}

/* Returns the waits of warps that perform accesses, including stores, one at a time. */
static double sequential_loads(const ws_closed_machine *m, const ws_traffic_profile *p, const ws_closed_result *one,
                               const ws_closed_reuse *u)
{
    const double lines = one->loads + one->stores + one->atomics, hits = lines > 0 ? one->l1_hits / lines : 0;
    const double far = u->groups > 0 ? fmin(u->far_groups / u->groups, 1 - hits) : 0;
    return (double)p->total.accesses * (hits * m->l1_cycles + (1 - hits) * m->l2_cycles + far * m->memory_cycles);
}

/* Returns the waits of all warps for groups of loads. */
static double group_loads(const ws_closed_form *f, const ws_traffic_profile *p, const ws_closed_result *one,
                          const ws_closed_reuse *u, double pace)
{
    const ws_closed_machine *const m = &f->machine;
    const double scale = ws_closed_scale((double)p->total.instructions, (double)p->kept.instructions);
    /* Expired copies miss. */
    const double live = one->l1_hits + one->expired > 0 ? one->l1_hits / (one->l1_hits + one->expired) : 1;
    const double all = u->groups * scale, joined = u->joined_groups * scale * live,
                 hits = u->hit_groups * scale * live - joined, far = fmin(u->far_groups * scale, all - hits);
    return hits * wait_of(u, m->l1_cycles, pace) + (all - hits - far) * wait_of(u, m->l2_cycles, pace) +
           far * wait_of(u, m->l2_cycles + m->memory_cycles, pace);
}

/* Returns the waits of warps that stall at each atomic, for L2 or a buffer. */
static double stalls_of(const ws_closed_machine *m, const ws_traffic_profile *p, const ws_closed_result *one)
{
    const double lines = (double)(p->total.loads + p->total.stores + p->total.atomics);
    const double at_once = p->total.accesses ? fmax(1, lines / (double)p->total.accesses) : 1;
    return m->stalls ? (one->updates_kept * m->l1_cycles + (one->atomics - one->updates_kept) * m->l2_cycles) / at_once
                     : 0;
}

/* Misses of an instruction that fall into a set with fewer ways come in rounds, each a trip to L2, and hold up the L1.
 */
static double crowd_of(const ws_closed_form *f, const ws_traffic_profile *p, double misses, double trip)
{
    double cycles = 0;
    for (unsigned i = 0; i < WS_LOG_CROWDS && f->machine.crowded && f->ways > 0; i++) {
        const double most = ldexp(i > 1 ? 0.75 : 1, (int)i); /* of 2^(i-1)+1 to 2^i lines */
        const double rounds = most * misses / f->ways;
        cycles += rounds > 1 ? (double)p->crowds[i] * rounds * trip : 0;
    }
    return cycles;
}

static void add_units(const ws_closed_machine *m, const ws_traffic_profile *p, ws_time_launch *out)
{
    double unit[WS_UNITS];
    ws_closed_units(m, &p->work, unit);
    for (unsigned i = 0; i < WS_UNITS; i++)
        ws_time_add(out, WS_TIME_PART_units, false, unit[i] * m->schedulers, m->schedulers);
    ws_time_add(out, WS_TIME_PART_issue, false, (double)p->total.instructions * m->schedulers / m->issue,
                m->schedulers);
    ws_time_add(out, WS_TIME_PART_shared, false, (double)p->work.shared_passes / m->shared_passes, 1);
}

/* Adds the caches of textures and constants, which take a line a cycle and have few misses in flight. Returns the waits
 * for constants. */
static double add_fetches(const ws_closed_machine *m, const ws_traffic_profile *p, const ws_closed_result *one,
                          ws_time_launch *out)
{
    const double textures = one->fetch_misses[WS_LOG_TEXTURES], constants = one->fetch_misses[WS_LOG_CONSTANTS];
    ws_time_add(out, WS_TIME_PART_fetches, false,
                (double)p->work.constant_lines + constants * m->l2_cycles / WS_PROFILE_CONSTANT_MSHRS, 1);
    ws_time_add(out, WS_TIME_PART_fetches, false,
                (double)p->work.texture_lines + textures * m->l2_cycles / WS_PROFILE_MSHRS, 1);
    return constants * m->l2_cycles;
}

void ws_closed_launch(const ws_closed_form *f, const ws_traffic_profile *p, const ws_closed_result *one,
                      const ws_closed_reuse *u, ws_time_launch *out)
{
    const ws_closed_machine *const m = &f->machine;
    const double lines = one->loads + one->stores + one->atomics, reads = one->messages[WS_MESSAGE_READ];
    const double scale = ws_closed_scale((double)p->total.instructions, (double)p->kept.instructions);
    const double far = u->groups > 0 ? u->far_groups / u->groups : 0;
    const double camped = m->striped && u->requests > 0
                              ? fmax(1, u->busiest * ws_profile_slices[ws_closed_slicing(m->slices)] / u->requests)
                              : 1;
    ws_closed_machine measured = {.schedulers = 1};
    ws_closed_profiled_waits(&measured);
    const double dependence = dependence_of(m, p), profiled = dependence_of(&measured, p);
    *out = (ws_time_launch){.blocks = (double)p->blocks,
                            .warps_per_block = (double)p->warps_per_block,
                            .sms = m->coherence.sms,
                            .residents = ws_closed_form_residents(m, p),
                            .launch_cycles = m->launch_cycles,
                            .dispatch_cycles = m->dispatch_cycles,
                            .dependence = dependence};
    out->loads = one->stall_cycles + stalls_of(m, p, one) + add_fetches(m, p, one, out) +
                 (f->sequential ? sequential_loads(m, p, one, u)
                                : group_loads(f, p, one, u, profiled > 0 ? dependence / profiled : 1));
    add_units(m, p, out);
    ws_time_add(out, WS_TIME_PART_l1, false, lines / m->l1_ports, 1);
    ws_time_add(out, WS_TIME_PART_l1, false, reads * m->l2_cycles / m->mshrs, 1);
    ws_time_add(out, WS_TIME_PART_l1, false, m->holds ? u->held * scale * m->l2_cycles / WS_PROFILE_L2_CYCLES : 0, 1);
    ws_time_add(out, WS_TIME_PART_l1, false,
                crowd_of(f, p, one->loads > 0 ? reads / one->loads : 0, m->l2_cycles + far * m->memory_cycles), 1);
    const double up = ws_closed_flits_up(one) / m->network_flits,
                 down = (one->network_flits - ws_closed_flits_up(one)) / m->answer_flits;
    ws_time_add(out, WS_TIME_PART_network, false, up, 1);
    ws_time_add(out, WS_TIME_PART_network, false, down, 1);
    ws_time_add(out, WS_TIME_PART_network, true, up, fmax(1, m->slices / camped));
    ws_time_add(out, WS_TIME_PART_network, true, down, fmax(1, m->slices / camped));
    ws_time_add(out, WS_TIME_PART_memory, true,
                (one->memory_reads + one->memory_writes) * m->sizes.block_bytes / m->memory_bytes, 1);
}
