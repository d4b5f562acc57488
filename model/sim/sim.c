/* sim.c - runs a machine window by window: messages change sides, CTAs are given out, then all parts run a window.
 *
 * Within a window of port.cycles cycles no part can hear of what another does: an SM's message enters the network that
 * many cycles after it was sent, and an answer reaches its SM that many cycles after it was delivered. So the memory side
 * and all SMs run at the same time on as many threads as there are, and the result is always the same. */
#include "model/sim/sim.h"

#include "base/status.h"
#include "base/thread.h"
#include "collect/trace/update.h"
#include "collect/trace/waits.h"
#include "model/sim/sim_activity.h"
#include "model/sim/carveout.h"
#include "model/sim/livelock.h"
#include "model/sim/sim_warm_internal.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORKERS = 64, SPINS = 2000 };
static const uint64_t STALL_CYCLES = 10000000, SAMPLE_CYCLES = 4096;

typedef struct worker {
    struct ws_sim *sim;
    pthread_t thread;
} worker;

struct ws_sim {
    const ws_machine *machine;
    ws_sim_options options;
    ws_sm_shared shared;
    ws_level l2, l3;
    uint32_t settling;      /* SETTLED once the launch's blocks may start */
    uint64_t settle_cycles; /* ... so long after all is written back that has to be */
    ws_memory_checker *checker;
    ws_memory_side *side;
    ws_sm **sm;
    uint32_t sms;
    const ws_cta_scheduler_ops *cta;
    ws_cta_scheduler scheduler;
    uint64_t *cta_values;
    ws_cta_sm *about; /* SMs, for it */
    ws_decoded *decoded;
    uint16_t *wait_loop;
    uint32_t l1_ways; /* 0: as they were made */
    /* What changes: */
    ws_cta_set left; /* CTAs that have not started */
    uint64_t now, given, began, cycles, progress_at, progress_count;
    uint64_t look_at; /* when to look whether warps only wait */
    uint64_t next_block; /* no block starts before this cycle */
    uint32_t turn; /* SM that may access memory, where they do so one at a time */
    uint32_t flushed; /* at the end of a launch: nothing, L1s, all */
    ws_sharing_counts sharing;
    ws_cta_spread spread;
    uint64_t sample_at, samples; /* of what L1s hold: the next one, and how many the launch has had */
    ws_sharing_monitor **monitor; /* [sms] those of the SMs; NULL: there are none */
    bool running;
    bool collected; /* the launch is in `sharing` */
    bool stopped; /* no further CTA of the launch is given out */
    bool spent; /* a launch did not end: what is inside would go on in the next one */
    /* Threads: they wait for `round` to change, take parts (0 is the memory side, then SMs) until none is left. */
    worker worker[MOST_WORKERS];
    unsigned workers;
    _Atomic uint64_t round;
    _Atomic uint32_t part, finished;
    _Atomic bool stop;
    uint64_t until;
    _Atomic int status;
    char message[1024];
    pthread_mutex_t lock;
};

/* ------------------------------------------------------------------------------------------------ threads */

static void note_failure(ws_sim *sim, int status)
{
    pthread_mutex_lock(&sim->lock);
    if (!atomic_load(&sim->status)) {
        atomic_store(&sim->status, status);
        snprintf(sim->message, sizeof sim->message, "%s", ws_message());
    }
    pthread_mutex_unlock(&sim->lock);
}

static void run_parts(ws_sim *sim)
{
    for (;;) {
        const uint32_t part = atomic_fetch_add_explicit(&sim->part, 1, memory_order_relaxed);
        if (part > sim->sms)
            return;
        const int status = part ? ws_sm_run(sim->sm[part - 1], sim->now, sim->until)
                                : ws_memory_side_run(sim->side, sim->now, sim->until);
        if (status)
            note_failure(sim, status);
    }
}

/* Waits a little actively, then lets others run. */
static void pause_for(unsigned *spins)
{
    if (++*spins > SPINS)
        sched_yield();
}

static void *work(void *context)
{
    worker *const w = context;
    ws_sim *const sim = w->sim;
    uint64_t seen = 0;
    for (;;) {
        unsigned spins = 0;
        while (atomic_load_explicit(&sim->round, memory_order_acquire) == seen) {
            if (atomic_load(&sim->stop))
                return NULL;
            pause_for(&spins);
        }
        seen++;
        run_parts(sim);
        atomic_fetch_add_explicit(&sim->finished, 1, memory_order_release);
    }
}

static void start_workers(ws_sim *sim)
{
    const unsigned wanted = sim->options.check || sim->options.record || !sim->options.workers ? 1
                            : sim->options.workers < MOST_WORKERS       ? sim->options.workers
                                                                        : MOST_WORKERS;
    sim->workers = 1;
    while (sim->workers < wanted && sim->workers <= sim->sms) {
        worker *const w = &sim->worker[sim->workers];
        w->sim = sim;
        if (ws_thread_start(&w->thread, work, w))
            break; /* fewer do it too */
        sim->workers++;
    }
}

static void stop_workers(ws_sim *sim)
{
    atomic_store(&sim->stop, true);
    for (unsigned i = 1; i < sim->workers; i++)
        pthread_join(sim->worker[i].thread, NULL);
    sim->workers = 1;
}

static int run_window(ws_sim *sim, uint64_t until)
{
    sim->until = until;
    atomic_store_explicit(&sim->part, 0, memory_order_relaxed);
    atomic_store_explicit(&sim->finished, 0, memory_order_relaxed);
    const bool together = sim->workers > 1 && (!sim->shared.source || sim->shared.source->ops->parallel);
    if (together)
        atomic_fetch_add_explicit(&sim->round, 1, memory_order_release);
    run_parts(sim);
    unsigned spins = 0;
    while (together && atomic_load_explicit(&sim->finished, memory_order_acquire) < sim->workers - 1)
        pause_for(&spins);
    const int status = atomic_load(&sim->status);
    return status ? ws_fail(status, "%s", sim->message) : WS_OK;
}

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

static uint64_t resident_of(const void *of, uint32_t sm, uint32_t index)
{
    return ws_sm_resident(((const ws_sim *)of)->sm[sm], index);
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
        return ws_fail(WS_EVERIFY, "chip.cta_scheduler %s starts block %llu on SM %u: it has started, or there is no room",
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

enum { FLUSHED_L1 = 1, FLUSHED_ALL };

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

enum { SETTLED, UNSETTLED, SETTLING };

/* Before the first block starts: L2s of several chips agree on what the launches before left in them, and what they write back for that arrives. */
static int settle(ws_sim *sim)
{
    int status = WS_OK;
    if (sim->settling == UNSETTLED) {
        const ws_launch *const launch = sim->shared.launch;
        const ws_chiplet_kernel *const kernel = sim->options.arguments ? ws_chiplet_kernels_find(sim->options.arguments, launch->sequence) : NULL;
        status = ws_memory_side_begin_launch(sim->side, kernel, launch->blocks, sim->now, &sim->settle_cycles);
        sim->settling = SETTLING;
    }
    if (status || ws_memory_side_inside(sim->side))
        return status;
    const uint64_t from = sim->now + sim->settle_cycles;
    ws_memory_side_settled(sim->side, from - sim->began);
    sim->next_block = from > sim->next_block ? from : sim->next_block;
    sim->settling = SETTLED;
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ what SMs share */

/* What L1s hold is looked at each SAMPLE_CYCLES, in launches that are shorter once, at their end. In cycles that are skipped nothing changes. */
static int sample_sharing(ws_sim *sim)
{
    int status = WS_OK;
    const bool last = !sim->samples && !sim->flushed && is_idle(sim);
    for (; !status && (last ? !sim->samples : sim->now >= sim->sample_at); sim->sample_at += SAMPLE_CYCLES) {
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
    return ws_livelock_report(sim->sm, sim->sms, sim->shared.launch, sim->now, limit, sim->left.left, say, sim->options.context);
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
            status = run_window(sim, to);
            sim->now = to;
            continue;
        }
        status = run_window(sim, sim->now + window);
        sim->now += window;
        if (!status)
            status = watch_progress(sim);
        if (!status && sim->wait_loop && sim->options.wait_cycles && sim->now >= sim->look_at)
            status = watch_waits(sim);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------ launches */

uint32_t ws_sim_slots(const ws_machine *machine)
{
    return ws_machine_sms(machine) * machine->sm_blocks;
}

/* Does one CTA fit an empty SM? */
static int check_fit(const ws_machine *m, const ws_launch *launch)
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

int ws_sim_check_together(const ws_machine *machine, const ws_launch *launch)
{
    const int status = check_fit(machine, launch);
    if (status)
        return status;
    const capacity c = capacity_of(machine, launch);
    if (launch->blocks <= c.blocks * ws_machine_sms(machine))
        return WS_OK;
    return ws_fail(WS_EINPUT, "kernel %s: a cooperative launch of %llu blocks; %s has room for %llu at the same time, "
                   "%llu on each of %u SMs ([sm] %s is short)",
                   launch->kernel, (unsigned long long)launch->blocks, machine->name,
                   (unsigned long long)c.blocks * ws_machine_sms(machine), (unsigned long long)c.blocks, ws_machine_sms(machine),
                   c.option);
}

int ws_sim_places(const ws_machine *machine, const ws_launch *launch, uint32_t *places)
{
    const int status = check_fit(machine, launch);
    *places = status ? 0 : (uint32_t)capacity_of(machine, launch).blocks;
    return status;
}

/* Blocks of the launch that an SM holds at a time, at most. */
static uint64_t residents_of(const ws_sim *sim, const ws_launch *launch)
{
    const uint64_t share = (launch->blocks + sim->sms - 1) / sim->sms, fit = capacity_of(sim->machine, launch).blocks;
    return share < fit ? share : fit;
}

/* The L1s get what the blocks of the launch leave them of the memory of an SM. */
static int set_l1_size(ws_sim *sim, const ws_launch *launch)
{
    const ws_level *const l1 = &sim->shared.cache[WS_SM_DATA];
    if (!sim->machine->l1_unified || !l1->ops->resize)
        return WS_OK;
    const uint32_t ways = ws_carveout_ways(sim->machine, residents_of(sim, launch) * launch->shared_bytes);
    if (ways == sim->l1_ways)
        return WS_OK;
    const int status = l1->ops->resize(l1->shared, ways);
    for (uint32_t i = 0; i < sim->sms && !status; i++)
        ws_sm_resized(sim->sm[i]);
    sim->l1_ways = ways;
    return status;
}

/* A trace with values has those of a sample of blocks only. */
static int refuse_blind(const ws_sim *sim, const ws_launch *launch)
{
    const char *const option = sim->options.file ? "registers.file" : ws_sim_looks_at_values(sim->machine);
    return ws_fail(WS_EUNSUPPORTED, "kernel %s: %s = %s looks at the values that %s, which a trace does not keep; run the launch live, from its PTX or with --suite",
                   launch->kernel, option, *option == 'r' ? sim->shared.file->name : sim->shared.memory->name,
                   *option == 'r' ? "registers get" : "shared memory gets (width, ewt)");
}

/* What shared memory may know of a launch before it runs. */
static void tell_shared_memory(ws_sim *sim, const ws_launch *launch)
{
    ws_shared_setup *const s = &sim->shared.memory_setup;
    s->block_bytes = launch->shared_bytes;
    s->blocks = (uint32_t)residents_of(sim, launch);
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
    int status = check_fit(sim->machine, launch);
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
    ws_cta_spread_begin(&sim->spread, source->ctas, launch->grid[0], sim->cta->group ? sim->cta->group(&sim->scheduler) : 0);
    sim->given = 0;
    sim->began = sim->progress_at = sim->now;
    sim->next_block = sim->began + sim->machine->chip_launch;
    sim->settling = ws_memory_side_keeps_copies(sim->side) ? UNSETTLED : SETTLED;
    sim->running = sim->spent = true;
    sim->flushed = 0;
    sim->sample_at = sim->now + SAMPLE_CYCLES;
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
    return strcmp(sim->machine->coherence_protocol, "none") || ws_memory_side_keeps_copies(sim->side) ? NULL : sim->side;
}

int ws_sim_warm(ws_sim *sim, ws_source *source)
{
    uint64_t instructions;
    if (sim->running)
        return ws_fail(WS_EVERIFY, "a launch is under way: caches are warmed between launches");
    const int status = ws_memory_side_warm(sim->side, source->launch);
    return status             ? status
           : warmed_side(sim) ? sim_warm(sim->side, sim->machine, source, NULL, &instructions) : WS_OK;
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

/* ------------------------------------------------------------------------------------------------ making one */

static int resolve(const char *owner, const ws_option *options, const ws_machine_options *given, uint64_t **values)
{
    *values = calloc(ws_option_count(options) + 1, sizeof **values);
    if (!*values)
        return ws_fail(WS_EMEM, "no memory for options");
    return ws_option_resolve(owner, options, NULL, given->list, given->count, *values);
}

static bool wants(bool (*asks)(const uint64_t *values), const uint64_t *values)
{
    return asks && asks(values);
}

static int choose_shared_memory(ws_sim *sim)
{
    const ws_machine *const m = sim->machine;
    sim->shared.memory = ws_shared_memory_of(m, sim->shared.memory_values, &sim->shared.memory_setup);
    if (!sim->shared.memory)
        return ws_fail(WS_EINPUT, "machine %s: there is no shared.memory = %s", m->name, m->shared_memory);
    const int status = ws_option_resolve(m->shared_memory, sim->shared.memory->options, NULL, m->shared.list, m->shared.count, sim->shared.memory_values);
    return status || !sim->shared.memory->configure ? status : sim->shared.memory->configure(&sim->shared.memory_setup);
}

/* What a warp scheduler asks of the L1 only plain ones do. */
static int check_scheduler(const ws_sim *sim)
{
    const ws_machine *const m = sim->machine;
    const char *const asks = sim->shared.scheduler->evicted ? "has to know which blocks the L1 gives up"
                             : sim->shared.reexecuted       ? "lets loads pass one another on their way to the L1"
                                                            : NULL;
    if (!asks || !ws_machine_has_protocol(m))
        return WS_OK;
    return ws_fail(WS_EINPUT, "machine %s: sm.scheduler %s %s, which does not go with coherence.protocol %s; expected %s", m->name,
                   m->sm_scheduler, asks, m->coherence_protocol, WS_MACHINE_PLAIN);
}

/* What the rule comes to with these values. */
static const ws_atomic_ops *rule_for(const ws_atomic_ops *rule, const uint64_t *values)
{
    const ws_atomic_ops *const other = rule->instead ? rule->instead(values) : NULL;
    return other ? other : rule;
}

static int find_policies(ws_sim *sim)
{
    const ws_machine *const m = sim->machine;
    sim->shared.scheduler = ws_warp_scheduler_find(m->sm_scheduler);
    sim->shared.file = sim->options.file ? sim->options.file : ws_register_file_find(m->registers_file);
    sim->shared.atomics = ws_atomic_find(m->sm_atomics);
    sim->shared.consistency = ws_machine_consistency(m);
    sim->shared.ahead = ws_machine_runs_ahead(m) ? m->coherence_race_registers : 0;
    sim->cta = sim->options.cta ? sim->options.cta : ws_cta_scheduler_find(m->chip_cta_scheduler);
    if (!sim->shared.scheduler || !sim->shared.file || !sim->shared.atomics || !sim->shared.consistency || !sim->cta)
        return ws_fail(WS_EINPUT, "machine %s: there is no scheduler, register file, atomics or cta_scheduler of a given name",
                       m->name);
    int status = resolve(m->sm_scheduler, sim->shared.scheduler->options, &m->scheduler, &sim->shared.scheduler_values);
    if (!status && sim->shared.scheduler->configure)
        status = sim->shared.scheduler->configure(sim->shared.scheduler_values);
    if (!status && sim->shared.scheduler->reexecutes)
        sim->shared.reexecuted = sim->shared.scheduler->reexecutes(sim->shared.scheduler_values);
    if (!status)
        status = check_scheduler(sim);
    if (!status)
        status = resolve(m->registers_file, sim->shared.file->options, &m->registers, &sim->shared.file_values);
    if (!status && sim->shared.file->configure)
        status = sim->shared.file->configure(sim->shared.file_values);
    if (!status && !strcmp(m->latency_from, "issue"))
        sim->shared.file_cycles = (uint32_t)sim->shared.file->idle(sim->shared.file_values);
    if (!status)
        status = choose_shared_memory(sim);
    sim->shared.wants_values = !status && (wants(sim->shared.file->wants_values, sim->shared.file_values) ||
                                           wants(sim->shared.memory->wants_values, sim->shared.memory_values));
    if (!status)
        status = resolve(m->sm_atomics, sim->shared.atomics->options, &m->atomics, &sim->shared.atomic_values);
    if (!status && sim->shared.atomics->arrange)
        status = sim->shared.atomics->arrange(sim->shared.atomic_values, &sim->shared.atomic_tags);
    if (!status)
        sim->shared.atomics = rule_for(sim->shared.atomics, sim->shared.atomic_values);
    if (!status)
        status = resolve(m->chip_cta_scheduler, sim->cta->options, &m->cta, &sim->cta_values);
    return status;
}

static int make_caches(ws_sim *sim)
{
    const ws_machine *const m = sim->machine;
    ws_sm_shared *const shared = &sim->shared;
    int status = ws_levels_create(m, sim->options.check, &shared->cache[WS_SM_DATA], &sim->l2, &sim->l3);
    if (!status)
        status = ws_plain_texture_create(m, &shared->cache[WS_SM_TEXTURE]);
    if (!status)
        status = ws_plain_constant_create(m, &shared->cache[WS_SM_CONSTANT]);
    if (sim->options.check && m->package_atomic_buffer) /* these are told how many operations they keep */
        shared->cache[WS_SM_DATA].words = m->l1_line / sizeof(uint32_t);
    const uint32_t words = shared->cache[WS_SM_DATA].words;
    shared->message_bytes = (offsetof(ws_coherence_message, data) + words * sizeof(uint32_t) + 7) & ~(size_t)7;
    const uint32_t latency[] = {m->l1_latency, m->texture_latency, m->constant_latency};
    const uint32_t line[] = {m->l1_line, m->texture_line, m->constant_line};
    memcpy(shared->latency, latency, sizeof latency);
    memcpy(shared->line, line, sizeof line);
    if (!status && sim->options.check && ws_machine_has_protocol(m))
        status = ws_memory_checker_create(sim->options.rule ? *sim->options.rule : ws_coherence_promise(m->coherence_protocol), ws_machine_sms(m), m->sm_threads / WS_WARP, words,
                                  &sim->checker);
    shared->checker = sim->checker;
    shared->banks = ws_register_banks(m);
    shared->watch_loads = sim->options.watch_loads;
    shared->every_cycle = sim->options.every_cycle;
    shared->record = sim->options.record;
    shared->record_context = sim->options.record_context;
    shared->one_at_a_time = sim->options.record != NULL;
    return status;
}

/* A buffer of atomics does not suit every machine. */
static int check_buffer(ws_sim *sim)
{
    const ws_machine *const m = sim->machine;
    if (sim->shared.atomics->owns && (m->package_chips > 1 || m->l1_unified))
        return ws_fail(WS_EINPUT, "machine %s: sm.atomics = %s: one chip whose L1s have one size; expected package.chips = 1 and l1.unified = 0", m->name, m->sm_atomics);
    if (sim->shared.atomics->in_l1 && (ws_machine_has_protocol(m) || !m->l1_flush))
        return ws_fail(WS_EINPUT, "machine %s: sm.atomics = %s keeps updates in lines of plain L1s that are emptied at the end of a launch; expected coherence.protocol = "
                       WS_MACHINE_PLAIN " and l1.flush = 1", m->name, m->sm_atomics);
    sim->shared.tells_updates = (sim->shared.atomics->in_l1 && !sim->shared.atomics->owns) || m->package_atomic_buffer;
    if (!sim->shared.atomics->state_size && !sim->shared.atomics->in_l1)
        return WS_OK;
    if (sim->shared.consistency->sequential)
        return ws_fail(WS_EINPUT, "machine %s: sm.atomics = %s keeps operations back, but under coherence.protocol = %s, "
                       "coherence.consistency = %s, a warp waits for each before the next; serial and combined keep none",
                       m->name, m->sm_atomics, m->coherence_protocol, sim->shared.consistency->name);
    if (sim->options.record)
        return ws_fail(WS_EUNSUPPORTED, "machine %s: sm.atomics = %s keeps operations back for a time, which a replay without time "
                       "cannot follow; serial and combined keep none", m->name, m->sm_atomics);
    sim->shared.by_warp = ws_coherence_is_physical(m->coherence_protocol) || ws_coherence_is_logical(m->coherence_protocol);
    return WS_OK;
}

static int find_monitors(ws_sim *sim)
{
    sim->monitor = calloc(sim->sms, sizeof(ws_sharing_monitor *));
    for (uint32_t i = 0; sim->monitor && i < sim->sms; i++)
        sim->monitor[i] = ws_sm_sharing(sim->sm[i]);
    return sim->monitor ? WS_OK : ws_fail(WS_EMEM, "no memory for a machine");
}

static int make_all(ws_sim *sim)
{
    const ws_machine *const m = sim->machine;
    int status = find_policies(sim);
    if (!status)
        status = make_caches(sim);
    if (!status)
        status = check_buffer(sim);
    if (!status)
        status = ws_memory_side_create(m, &sim->shared.cache[WS_SM_DATA], &sim->l2, &sim->l3,
                                       sim->shared.cache[WS_SM_DATA].words, sim->options.check, sim->checker, &sim->side);
    if (!status)
        ws_memory_side_skip(sim->side, !sim->options.every_cycle);
    sim->sms = ws_machine_sms(m);
    sim->sm = calloc(sim->sms, sizeof(ws_sm *));
    sim->about = calloc(sim->sms, sizeof *sim->about);
    sim->scheduler = (ws_cta_scheduler){
        .state = calloc(1, sim->cta ? sim->cta->state_size(sim->sms) + 1 : 1),
        .values = sim->cta_values,
        .view = {.left = &sim->left, .sm = sim->about, .sms = sim->sms, .chips = m->package_chips, .of = sim, .resident = resident_of}};
    if (!status && (!sim->sm || !sim->about || !sim->scheduler.state))
        status = ws_fail(WS_EMEM, "no memory for a machine");
    for (uint32_t i = 0; i < sim->sms && !status; i++)
        status = ws_sm_create(&sim->shared, i, &sim->sm[i]);
    return status || !ws_machine_follows_sharing(m) ? status : find_monitors(sim);
}

int ws_sim_create(const ws_machine *machine, const ws_sim_options *options, ws_sim **out)
{
    ws_sim *const sim = calloc(1, sizeof *sim);
    if (!sim)
        return ws_fail(WS_EMEM, "no memory for a machine");
    sim->machine = machine;
    sim->options = options ? *options : (ws_sim_options){0};
    sim->shared.machine = machine;
    sim->workers = 1;
    pthread_mutex_init(&sim->lock, NULL);
    const int status = make_all(sim);
    if (status) {
        ws_sim_destroy(sim);
        return status;
    }
    start_workers(sim);
    *out = sim;
    return WS_OK;
}

void ws_sim_destroy(ws_sim *sim)
{
    if (!sim)
        return;
    stop_workers(sim);
    for (uint32_t i = 0; sim->sm && i < sim->sms; i++)
        ws_sm_destroy(sim->sm[i]);
    ws_memory_side_destroy(sim->side);
    for (int i = 0; i < WS_SM_CACHES; i++)
        if (sim->shared.cache[i].ops)
            sim->shared.cache[i].ops->destroy(sim->shared.cache[i].shared);
    if (sim->l2.ops)
        sim->l2.ops->destroy(sim->l2.shared);
    if (sim->l3.ops)
        sim->l3.ops->destroy(sim->l3.shared);
    ws_memory_checker_destroy(sim->checker);
    pthread_mutex_destroy(&sim->lock);
    free(sim->shared.scheduler_values);
    free(sim->shared.file_values);
    free(sim->shared.atomic_values);
    free(sim->cta_values);
    free(sim->scheduler.state);
    free(sim->about);
    free(sim->monitor);
    ws_cta_spread_fini(&sim->spread);
    ws_cta_set_fini(&sim->left);
    free(sim->sm);
    free(sim->wait_loop);
    free(sim->decoded);
    free(sim);
}

/* ------------------------------------------------------------------------------------------------ looking in */

const char *ws_sim_looks_at_values(const ws_machine *m)
{
    uint64_t registers[WS_REGISTER_OPTIONS], values[WS_SHARED_OPTIONS];
    ws_shared_setup setup;
    const ws_register_file_ops *const file = ws_register_file_of(m, registers);
    const ws_shared_memory_ops *const memory = ws_shared_memory_of(m, values, &setup);
    if (file && wants(file->wants_values, registers))
        return "registers.file";
    return memory && wants(memory->wants_values, values) ? "shared.memory" : NULL;
}

uint64_t ws_sim_now(const ws_sim *sim)
{
    return sim->now;
}

uint64_t ws_sim_ctas_done(const ws_sim *sim)
{
    uint64_t resident = 0;
    for (uint32_t i = 0; i < sim->sms; i++)
        resident += ws_sm_ctas(sim->sm[i]);
    return sim->given - resident;
}

uint64_t ws_sim_instructions(const ws_sim *sim)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < sim->sms; i++)
        sum += ws_sm_sum(sim->sm[i])->warp_instructions;
    return sum;
}

uint32_t ws_sim_value(const ws_sim *sim, uint64_t block, unsigned word)
{
    return sim->checker ? ws_memory_checker_value(sim->checker, block, word) : 0;
}

uint64_t ws_sim_checked(const ws_sim *sim)
{
    return ws_memory_side_versions(sim->side) + (sim->checker ? ws_memory_checker_checked(sim->checker) : 0);
}

const ws_machine *ws_sim_machine(const ws_sim *sim)
{
    return sim->machine;
}

uint64_t ws_sim_cycles(const ws_sim *sim)
{
    return sim->cycles + (sim->running ? sim->now - sim->began : 0);
}

uint32_t ws_sim_sms(const ws_sim *sim)
{
    return sim->sms;
}

const ws_sm *ws_sim_sm(const ws_sim *sim, uint32_t number)
{
    return sim->sm[number];
}

const ws_memory_side *ws_sim_memory_side(const ws_sim *sim)
{
    return sim->side;
}

ws_load_use ws_sim_load_use(const ws_sim *sim, uint32_t pc)
{
    ws_load_use sum = {0};
    for (uint32_t i = 0; i < ws_sim_sms(sim); i++) {
        const ws_load_use *const of_sm = ws_sm_load_use(ws_sim_sm(sim, i));
        if (of_sm)
            ws_load_use_add(&sum, &of_sm[pc]);
    }
    return sum;
}

static void add_sm(ws_sm_counts *sum, const ws_sm_counts *more)
{
#define COUNT(name, unit, meaning) sum->name += more->name;
#include "model/sim/sm_counts.def"
#undef COUNT
}

static void add_ranks(ws_rank_counts *sum, const ws_rank_counts *more)
{
    for (unsigned rank = 0; rank < WS_SM_WARPS; rank++) {
        sum->issues[rank] += more->issues[rank];
        sum->loads[rank] += more->loads[rank];
        sum->mshrs[rank] += more->mshrs[rank];
    }
}

static void add_cache(ws_cache_counts *sum, ws_cache_counts more)
{
#define COUNT(name, meaning) sum->name += more.name;
#include "model/sim/cache_counts.def"
#undef COUNT
}

static void add_races(ws_race_counts *sum, ws_race_counts more)
{
#define COUNT(name, meaning) sum->name += more.name;
#include "model/coherence/race_counts.def"
#undef COUNT
}

#define SUM(to, more)  ((to) += (more))
#define MOST(to, more) ((to) = (more) > (to) ? (more) : (to))

static void add_memory(ws_dram_totals *sum, ws_dram_totals more)
{
#define COUNT(name, combine, meaning) combine(sum->name, more.name);
#include "model/sim/dram_counts.def"
#undef COUNT
}

/* Of several chips: all they carried, and the use of the one whose fullest node had the most. */
static void add_network(ws_network_totals *sum, ws_traffic_use *most, const ws_network *network)
{
    const ws_network_totals more = ws_network_sum(network);
    const ws_traffic_use use = ws_traffic_use_of(network);
#define COUNT(name, combine, meaning) combine(sum->name, more.name);
#include "model/sim/network_counts.def"
#undef COUNT
    const uint64_t load = use.channel_load > most->channel_load ? use.channel_load : most->channel_load;
    if (use.peak >= most->peak)
        *most = use;
    most->channel_load = load;
}

void ws_sim_sum(const ws_sim *sim, ws_sim_sums *sums)
{
    *sums = (ws_sim_sums){.cycles = ws_sim_cycles(sim), .sharing = sim->sharing, .package = ws_memory_side_agreed(sim->side)};
    for (uint32_t i = 0; i < sim->sms; i++) {
        add_sm(&sums->sm, ws_sm_sum(sim->sm[i]));
        add_ranks(&sums->ranks, ws_sm_ranks(sim->sm[i]));
        add_cache(&sums->l1, ws_sm_cache_counts(sim->sm[i], WS_SM_DATA));
        add_cache(&sums->texture, ws_sm_cache_counts(sim->sm[i], WS_SM_TEXTURE));
        add_cache(&sums->constant, ws_sm_cache_counts(sim->sm[i], WS_SM_CONSTANT));
    }
    for (uint32_t i = 0; i < ws_memory_side_slices(sim->side); i++)
        add_cache(&sums->l2, ws_memory_side_cache_counts(sim->side, i));
    for (uint32_t i = 0; i < ws_memory_side_channels(sim->side); i++)
        add_cache(&sums->l3, ws_memory_side_l3_counts(sim->side, i));
    for (int type = 0; type < WS_MESSAGE_COUNT; type++)
        sums->messages[type] =
            ws_memory_side_messages(sim->side, (ws_message_type)type, &sums->message_bytes[type]);
    sums->read_only_messages = ws_memory_side_read_only(sim->side, &sums->read_only_bytes);
    for (uint32_t i = 0; i < ws_memory_side_chips(sim->side); i++) {
        add_network(&sums->request, &sums->request_use, ws_memory_side_network(sim->side, i, WS_REQUESTS));
        add_network(&sums->reply, &sums->reply_use, ws_memory_side_network(sim->side, i, WS_REPLIES));
    }
    sums->request_stalls = ws_memory_side_stalls(sim->side, WS_REQUESTS);
    sums->reply_stalls = ws_memory_side_stalls(sim->side, WS_REPLIES);
    for (uint32_t i = 0; i < ws_memory_side_channels(sim->side); i++) {
        add_memory(&sums->memory, ws_memory_side_channel_sum(sim->side, i));
        sums->memory_cycles += ws_memory_side_memory_cycles(sim->side);
    }
    ws_memory_side_timestamps(sim->side, &sums->timestamp_resets, &sums->greatest_timestamp);
    add_races(&sums->races, ws_memory_side_races(sim->side));
    for (uint32_t i = 0; i < sim->sms; i++)
        add_races(&sums->races, ws_sm_races(sim->sm[i]));
}

/* ------------------------------------------------------------------------------------------------ checkpoints */

int ws_sim_save(const ws_sim *sim, ws_bytes *bytes)
{
    if (!sim->running || !sim->shared.source->ops->repeatable)
        return ws_fail(WS_EUNSUPPORTED, "a checkpoint needs a launch from a trace file: a live one cannot be repeated");
    if (sim->checker)
        return ws_fail(WS_EUNSUPPORTED, "a run that is checked keeps no checkpoint");
    const uint64_t numbers[] = {sim->now,         sim->given,          sim->began,      sim->cycles,    sim->flushed,
                                sim->progress_at, sim->progress_count, sim->next_block, sim->sample_at, sim->samples,
                                sim->settling, sim->settle_cycles};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        ws_bytes_add_varint(bytes, numbers[i]);
    ws_cta_set_save(&sim->left, bytes);
    ws_bytes_add(bytes, sim->scheduler.state, sim->cta->state_size(sim->sms));
    ws_bytes_add(bytes, &sim->sharing, sizeof sim->sharing);
    ws_cta_spread_save(&sim->spread, bytes);
    for (uint32_t i = 0; i < sim->sms; i++)
        ws_sm_save(sim->sm[i], bytes);
    ws_memory_side_save(sim->side, bytes);
    return bytes->failed ? ws_fail(WS_EMEM, "no memory for a checkpoint") : WS_OK;
}

int ws_sim_load(ws_sim *sim, ws_reader *reader)
{
    sim->now = ws_read_varint(reader);
    sim->given = ws_read_varint(reader);
    sim->began = ws_read_varint(reader);
    sim->cycles = ws_read_varint(reader);
    sim->flushed = (uint32_t)ws_read_varint(reader);
    sim->progress_at = ws_read_varint(reader);
    sim->progress_count = ws_read_varint(reader);
    sim->next_block = ws_read_varint(reader);
    sim->sample_at = ws_read_varint(reader);
    sim->samples = ws_read_varint(reader);
    sim->settling = (uint32_t)ws_read_varint(reader);
    sim->settle_cycles = ws_read_varint(reader);
    int status = ws_cta_set_load(&sim->left, sim->shared.source->ctas, reader);
    if (status)
        return status;
    const size_t size = sim->cta->state_size(sim->sms);
    const uint8_t *const from = ws_read_bytes(reader, size);
    if (!from)
        return ws_fail(WS_EINPUT, "the checkpoint is too short");
    memcpy(sim->scheduler.state, from, size);
    const uint8_t *const sharing = ws_read_bytes(reader, sizeof sim->sharing);
    if (!sharing)
        return ws_fail(WS_EINPUT, "the checkpoint is too short");
    memcpy(&sim->sharing, sharing, sizeof sim->sharing);
    status = ws_cta_spread_load(&sim->spread, reader);
    for (uint32_t i = 0; i < sim->sms && !status; i++)
        status = ws_sm_load(sim->sm[i], reader);
    return status ? status : ws_memory_side_load(sim->side, reader);
}
