/* sim.c - runs a machine window by window: messages change sides, CTAs are given out, then all parts run a window.
 *
 * Within a window of port.cycles cycles no part can hear of what another does: an SM's message enters the network that
 * many cycles after it was sent, and an answer reaches its SM that many cycles after it was delivered. So the memory
 * side and all SMs run at the same time on as many threads as there are, and the result is always the same. */
#include "model/sim/sim_internal.h"

#include "base/status.h"
#include "model/sim/livelock.h"
#include "model/machine/machine.h"

#include <stdio.h>

static const uint64_t STALL_CYCLES = 10000000;

/* ------------------------------------------------------------------------------------------------ between windows */

/* What an SM keeps in its queue of sent messages is what the network has not taken: its port is full for so long. */
static int exchange(ws_sim *sim, uint32_t number)
{
    ws_sm *const sm = sim->sm[number];
    const uint32_t latency = sim->machine->port_cycles;
    const ws_coherence_message *message;
    uint64_t cycle;
    int status = WS_OK;
    const size_t room = sim->machine->port_packets;
    size_t taken = 0;
    while (!status && taken < ws_sm_sent(sm) && ws_memory_side_backlog(sim->side, number) < room) {
        message = ws_sm_sent_at(sm, taken++, &cycle);
        const uint64_t enters = cycle + latency;
        status = ws_memory_side_send(sim->side, number, message, enters > sim->now ? enters : sim->now);
    }
    ws_sm_take_sent(sm, taken);
    while (!status && ws_memory_side_receive(sim->side, number, &message, &cycle)) {
        ws_sm_bring(sm, message, ws_memory_side_hub(sim->side));
        status = ws_sm_deliver(sm, message, cycle + latency);
    }
    return status;
}

/* One SM after the other may access memory, when nothing is under way. */
static void pass_turn(ws_sim *sim)
{
    if (!sim->shared.one_at_a_time || ws_memory_side_inside(sim->side) || !ws_sm_is_quiet(sim->sm[sim->turn]))
        return;
    ws_sm_give_turn(sim->sm[sim->turn], false);
    for (uint32_t i = 1; i <= sim->sms; i++) {
        const uint32_t next = (sim->turn + i) % sim->sms;
        if (!ws_sm_wants_turn(sim->sm[next]))
            continue;
        sim->turn = next;
        ws_sm_give_turn(sim->sm[next], true);
        return;
    }
}

static ws_cta_sm about_sm(const ws_sm *sm)
{
    return (ws_cta_sm){.room = ws_sm_room(sm), .ctas = ws_sm_ctas(sm), .warps = ws_sm_warps(sm)};
}

static void tell_ends(ws_sim *sim)
{
    uint64_t cta;
    for (uint32_t i = 0; i < sim->sms; i++)
        while ((cta = ws_sm_take_ended(sim->sm[i])) != UINT64_MAX)
            sim->cta->ended(&sim->scheduler, cta, i);
}

static int start_cta(ws_sim *sim, ws_cta_choice c)
{
    if (c.sm >= sim->sms || !sim->about[c.sm].room || !ws_cta_set_has(&sim->left, c.cta))
        return ws_fail(WS_EVERIFY,
                       "chip.cta_scheduler %s starts block %llu on SM %u: it has already started, or there is no room",
                       sim->cta->name, (unsigned long long)c.cta, c.sm);
    int status = ws_cta_set_take(&sim->left, c.cta);
    if (!status)
        status = ws_sm_start_cta(sim->sm[c.sm], c.cta, sim->now);
    sim->given++;
    sim->next_block = (sim->next_block > sim->now ? sim->next_block : sim->now) + sim->machine->chip_dispatch;
    sim->about[c.sm] = about_sm(sim->sm[c.sm]);
    if (!status && sim->options.placed)
        sim->options.placed(sim->options.placed_context, c.cta, c.sm, ws_sim_ctas_done(sim));
    if (!status && sim->cta->started)
        sim->cta->started(&sim->scheduler, c.cta, c.sm);
    return status;
}

/* The blocks of a window start with it. */
static int give_out_ctas(ws_sim *sim)
{
    const uint64_t end = sim->now + sim->machine->port_cycles;
    int status = WS_OK;
    if (sim->stopped || (!sim->left.left && !sim->cta->ended) || sim->now < sim->began + sim->machine->chip_launch)
        return WS_OK;
    for (uint32_t i = 0; i < sim->sms; i++)
        sim->about[i] = about_sm(sim->sm[i]);
    if (sim->cta->ended)
        tell_ends(sim);
    ws_cta_choice choice;
    while (!status && sim->left.left && sim->next_block < end && sim->cta->choose(&sim->scheduler, &choice))
        status = start_cta(sim, choice);
    return status;
}

static bool is_idle(const ws_sim *sim)
{
    if (sim->left.left && !sim->stopped)
        return false;
    for (uint32_t i = 0; i < sim->sms; i++)
        if (ws_sm_ctas(sim->sm[i]) || ws_sm_waiting(sim->sm[i]))
            return false;
    return ws_memory_side_inside(sim->side) == 0;
}

/* At first L1s, which may send to L2; then L2s that keep lines of other chips. */
static int flush(ws_sim *sim)
{
    int status = WS_OK;
    if (sim->flushed == FLUSHED_L1) {
        sim->flushed = FLUSHED_ALL;
        return ws_memory_side_flush(sim->side, sim->now);
    }
    bool drained = true;
    for (uint32_t i = 0; i < sim->sms; i++)
        drained &= ws_sm_drain(sim->sm[i], sim->now);
    if (!drained)
        return WS_OK; /* comes back when that is gone */
    for (uint32_t i = 0; i < sim->sms && !status && sim->machine->l1_flush; i++)
        status = ws_sm_flush(sim->sm[i], sim->now);
    if (sim->machine->l1_flush)
        ws_memory_side_note_flush(sim->side);
    sim->flushed = ws_memory_side_keeps_copies(sim->side) ? FLUSHED_L1 : FLUSHED_ALL;
    return status;
}

/* Before the first block starts: L2s of several chips agree on what the launches before left in them, and what they
 * write back for that arrives. Only then can the launch be acknowledged and enabled, which takes chip.launch. */
static int settle(ws_sim *sim)
{
    int status = WS_OK;
    if (sim->settling == UNSETTLED) {
        const ws_launch *const launch = sim->shared.launch;
        const ws_chiplet_kernel *const kernel =
            sim->options.arguments ? ws_chiplet_kernels_find(sim->options.arguments, launch->sequence) : NULL;
        status = ws_memory_side_begin_launch(sim->side, kernel, launch->blocks, sim->now, &sim->settle_cycles);
        sim->settling = SETTLING;
    }
    if (status || ws_memory_side_inside(sim->side))
        return status;
    const uint64_t from = sim->now + sim->settle_cycles;
    ws_memory_side_settled(sim->side, from - sim->began);
    sim->next_block = from + sim->machine->chip_launch;
    sim->settling = SETTLED;
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ what SMs share */

/* What L1s hold is looked at each SIM_SAMPLE_CYCLES, in launches that are shorter once, at their end. In cycles that
 * are skipped nothing changes. */
static int sample_sharing(ws_sim *sim)
{
    int status = WS_OK;
    const bool last = !sim->samples && !sim->flushed && is_idle(sim);
    for (; !status && (last ? !sim->samples : sim->now >= sim->sample_at); sim->sample_at += SIM_SAMPLE_CYCLES) {
        status = ws_sharing_sample(sim->monitor, sim->sms, &sim->sharing);
        sim->samples++;
    }
    return status;
}

/* CTAs that ended since the last window. */
static int sum_groups(ws_sim *sim)
{
    uint64_t cta, cycles;
    int status = WS_OK;
    for (uint32_t i = 0; i < sim->sms; i++)
        while (!status && ws_sharing_take_ended(sim->monitor[i], &cta, &cycles))
            status = ws_cta_spread_add(&sim->spread, cta, cycles);
    return status;
}

static int collect_sharing(ws_sim *sim)
{
    const bool wanted = sim->monitor && !sim->collected;
    sim->collected = true;
    if (!wanted)
        return WS_OK;
    const int status = sum_groups(sim);
    ws_sharing_add_spread(&sim->spread, &sim->sharing);
    return status ? status : ws_sharing_collect(sim->monitor, sim->sms, &sim->sharing);
}

/* ------------------------------------------------------------------------------------------------ deadlock */

static void say_nothing(void *context, const char *line)
{
    (void)context;
    (void)line;
}

static int report_deadlock(const ws_sim *sim, const char *why)
{
    void (*const say)(void *, const char *) = sim->options.say ? sim->options.say : say_nothing;
    uint32_t warps = 0;
    for (uint32_t i = 0; i < sim->sms; i++) {
        ws_sm_explain(sim->sm[i], say, sim->options.context);
        warps += ws_sm_warps(sim->sm[i]);
    }
    ws_memory_side_explain(sim->side, say, sim->options.context);
    return ws_fail(WS_EVERIFY, "deadlock in cycle %llu of kernel %s: %s; %u warps wait", (unsigned long long)sim->now,
                   sim->shared.launch->kernel, why, warps);
}

/* The first cycle in which anything can happen. */
static uint64_t next_time(const ws_sim *sim)
{
    if (sim->options.every_cycle)
        return sim->now;
    uint64_t next = ws_memory_side_next_time(sim->side, sim->now);
    for (uint32_t i = 0; i < sim->sms && next > sim->now; i++) {
        const uint64_t own = ws_sm_next_time(sim->sm[i]);
        next = own < next ? own : next;
    }
    if (sim->left.left && sim->now < sim->next_block)
        next = sim->next_block < next ? sim->next_block : next;
    return next;
}

static int watch_progress(ws_sim *sim)
{
    const uint64_t instructions = ws_sim_instructions(sim);
    if (instructions != sim->progress_count || sim->given == 0) {
        sim->progress_count = instructions;
        sim->progress_at = sim->now;
        return WS_OK;
    }
    char why[128];
    const uint64_t limit = sim->options.stall_cycles ? sim->options.stall_cycles : STALL_CYCLES;
    if (sim->now - sim->progress_at < limit)
        return WS_OK;
    snprintf(why, sizeof why, "no instruction was issued for %llu cycles", (unsigned long long)limit);
    return report_deadlock(sim, why);
}

/* Warps that wait in loops do issue, so that is not what watch_progress sees. */
static int watch_waits(ws_sim *sim)
{
    const uint64_t limit = sim->options.wait_cycles;
    uint64_t passed = sim->began;
    uint32_t ctas = 0;
    for (uint32_t i = 0; i < sim->sms; i++) {
        const uint64_t own = ws_sm_passed_at(sim->sm[i]);
        passed = own > passed ? own : passed;
        ctas += ws_sm_ctas(sim->sm[i]);
    }
    sim->look_at = (ctas ? passed : sim->now) + limit;
    if (sim->now < sim->look_at)
        return WS_OK;
    void (*const say)(void *, const char *) = sim->options.say ? sim->options.say : say_nothing;
    return ws_livelock_report(sim->sm, sim->sms, sim->shared.launch, sim->now, limit, sim->left.left, say,
                              sim->options.context);
}

/* ------------------------------------------------------------------------------------------------ running */

int ws_sim_run(ws_sim *sim, uint64_t until, bool *done)
{
    const uint32_t window = sim->machine->port_cycles;
    int status = WS_OK;
    *done = false;
    while (!status && sim->now < until) {
        if (sim->monitor)
            status = sample_sharing(sim);
        if (sim->monitor && !status)
            status = sum_groups(sim);
        for (uint32_t i = 0; i < sim->sms && !status; i++)
            status = exchange(sim, i);
        if (!status && sim->settling)
            status = settle(sim);
        if (!status && !sim->settling)
            status = give_out_ctas(sim);
        if (status)
            break;
        pass_turn(sim);
        if (is_idle(sim)) {
            *done = sim->flushed == FLUSHED_ALL;
            sim->spent = !*done;
            if (*done) {
                status = collect_sharing(sim);
                break;
            }
            status = flush(sim); /* may send dirty lines */
            continue;
        }
        /* Windows begin at multiples of their length, so that where a run begins and ends changes nothing. */
        const uint64_t next = next_time(sim);
        if (next == WS_NEVER)
            return report_deadlock(sim, sim->left.left && ws_sim_ctas_done(sim) == sim->given
                                            ? "its cta_scheduler starts none of the blocks that are left"
                                            : "nothing can happen any more");
        const uint64_t begin = next > sim->now ? next - next % window : sim->now;
        if (begin > sim->now) {
            const uint64_t to = until < begin ? until + (window - until % window) % window : begin;
            status = sim_workers_run(sim, to);
            sim->now = to;
            continue;
        }
        status = sim_workers_run(sim, sim->now + window);
        sim->now += window;
        if (!status)
            status = watch_progress(sim);
        if (!status && sim->wait_loop && sim->options.wait_cycles && sim->now >= sim->look_at)
            status = watch_waits(sim);
    }
    return status;
}
