/* sim_make.c - makes a machine of the policies and caches that its configuration names, and takes it apart. */
#include "model/sim/sim_internal.h"

#include "base/status.h"
#include "model/sim/sim_activity.h"
#include "model/machine/machine.h"

#include <stdlib.h>
#include <string.h>

enum { ENDLESS_REGISTERS = 8192 }; /* of an SM, more than its warps write while a request is answered */

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
    const ws_shared_memory_kind *const kind = m->shared_memory;
    sim->shared.memory = ws_shared_memory_ops_of(kind);
    sim->shared.memory_setup = ws_shared_setup_of(m, sim->shared.memory_values);
    const int status =
        ws_option_resolve(kind->name, kind->options, NULL, m->shared.list, m->shared.count, sim->shared.memory_values);
    return status || !kind->check ? status : kind->check(sim->shared.memory_values, m->sm_shared);
}

/* What a warp scheduler asks of the L1 only plain ones do. */
static int check_scheduler(const ws_sim *sim)
{
    const ws_machine *const m = sim->machine;
    const char *const asks = sim->shared.scheduler->evicted ? "needs the blocks that the L1 evicts"
                             : sim->shared.reexecuted       ? "lets loads overtake each other on their way to the L1"
                                                            : NULL;
    if (!asks || !ws_machine_has_protocol(m))
        return WS_OK;
    return ws_fail(WS_EINPUT,
                   "machine %s: sm.scheduler %s %s, which coherence.protocol %s does not support; expected %s", m->name,
                   m->sm_scheduler->name, asks, ws_machine_protocol(m), WS_MACHINE_PLAIN);
}

static int choose_atomics(ws_sim *sim)
{
    const ws_machine *const m = sim->machine;
    const ws_atomic_kind *const rule = m->sm_atomics;
    int status = resolve(rule->name, rule->options, &m->atomics, &sim->shared.atomic_values);
    if (!status && rule->arrange)
        status = rule->arrange(sim->shared.atomic_values, &sim->shared.atomic_tags);
    if (status)
        return status;
    sim->atomics = ws_atomic_of(m, sim->shared.atomic_values);
    sim->shared.atomics = ws_atomic_ops_of(sim->atomics);
    sim->shared.split = ws_atomic_split_of(sim->atomics, sim->shared.atomic_values);
    return WS_OK;
}

static int find_policies(ws_sim *sim)
{
    const ws_machine *const m = sim->machine;
    const ws_register_file_kind *const file = m->registers_file;
    sim->shared.scheduler = ws_warp_scheduler_ops_of(m->sm_scheduler);
    sim->shared.file = ws_register_file_ops_of(file);
    sim->shared.stage = ws_memory_stage_ops_of(ws_memory_stage_of(m, sim->shared.stage_values));
    sim->shared.consistency = ws_consistency_ops_of(ws_machine_consistency(m));
    sim->shared.endless = ws_machine_runs_ahead(m) && !ws_machine_races_cost(m);
    sim->shared.ahead = sim->shared.endless        ? ENDLESS_REGISTERS
                        : ws_machine_runs_ahead(m) ? m->coherence_race_registers
                                                   : 0;
    sim->shared.places = ws_machine_places(m);
    sim->cta = sim->options.cta ? sim->options.cta : m->chip_cta_scheduler;
    int status = resolve(m->sm_scheduler->name, m->sm_scheduler->options, &m->scheduler, &sim->shared.scheduler_values);
    if (!status && sim->shared.scheduler->configure)
        status = sim->shared.scheduler->configure(sim->shared.scheduler_values);
    if (!status && sim->shared.scheduler->reexecutes)
        sim->shared.reexecuted = sim->shared.scheduler->reexecutes(sim->shared.scheduler_values);
    if (!status)
        status = check_scheduler(sim);
    if (!status)
        status = resolve(file->name, file->options, &m->registers, &sim->shared.file_values);
    if (!status && file->check)
        status = file->check(sim->shared.file_values);
    if (!status && m->latency_from == WS_LATENCY_FROM_ISSUE)
        sim->shared.file_cycles = (uint32_t)sim->shared.file->idle(sim->shared.file_values);
    if (!status)
        status = choose_shared_memory(sim);
    sim->shared.wants_values = !status && (wants(file->wants_values, sim->shared.file_values) ||
                                           wants(m->shared_memory->wants_values, sim->shared.memory_values));
    if (!status)
        status = choose_atomics(sim);
    if (!status)
        status = resolve(m->chip_cta_scheduler->name, sim->cta->options, &m->cta, &sim->cta_values);
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
        status = ws_memory_checker_create(sim->options.rule ? *sim->options.rule : m->coherence_protocol->promise,
                                          ws_machine_sms(m), m->sm_threads / WS_WARP, words, &sim->checker);
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
    if (sim->atomics->owns && (m->package_chips > 1 || m->l1_unified))
        return ws_fail(WS_EINPUT,
                       "machine %s: sm.atomics = %s: one chip whose L1s have one size; expected package.chips = 1 and "
                       "l1.unified = 0",
                       m->name, m->sm_atomics->name);
    if (sim->atomics->in_l1 && (ws_machine_has_protocol(m) || !m->l1_flush))
        return ws_fail(WS_EINPUT,
                       "machine %s: sm.atomics = %s keeps updates in lines of plain L1s that are emptied at the end of "
                       "a launch; expected coherence.protocol = " WS_MACHINE_PLAIN " and l1.flush = 1",
                       m->name, m->sm_atomics->name);
    if (ws_atomic_takes_any(m) && (ws_machine_has_protocol(m) || m->package_atomic_buffer))
        return ws_fail(WS_EINPUT,
                       "machine %s: atomics.any = 1 merges atomics that do not commute, which neither a protocol nor a "
                       "buffer of a chip can follow; expected coherence.protocol = " WS_MACHINE_PLAIN
                       " and package.atomic_buffer = 0",
                       m->name);
    sim->shared.tells_updates = (sim->atomics->in_l1 && !sim->atomics->owns) || m->package_atomic_buffer;
    if (!sim->shared.atomics->state_size && !sim->atomics->in_l1)
        return WS_OK;
    if (ws_machine_consistency(m)->sequential)
        return ws_fail(
            WS_EINPUT,
            "machine %s: sm.atomics = %s keeps operations back, but under coherence.protocol = %s, "
            "coherence.consistency = %s, a warp waits for each before the next; serial and combined keep none",
            m->name, m->sm_atomics->name, ws_machine_protocol(m), ws_machine_consistency(m)->name);
    if (sim->options.record)
        return ws_fail(WS_EUNSUPPORTED,
                       "machine %s: sm.atomics = %s delays operations, which a replay without time does not support; "
                       "serial and combined do not",
                       m->name, m->sm_atomics->name);
    sim->shared.by_warp = m->coherence_protocol && m->coherence_protocol->lease != WS_LEASE_NONE;
    return WS_OK;
}

static uint64_t resident_of(const void *of, uint32_t sm, uint32_t index)
{
    return ws_sm_resident(((const ws_sim *)of)->sm[sm], index);
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
        status =
            ws_memory_side_create(m, &sim->shared.cache[WS_SM_DATA], &sim->l2, &sim->l3,
                                  sim->shared.cache[WS_SM_DATA].words, sim->options.check, sim->checker, &sim->side);
    if (!status)
        ws_memory_side_skip(sim->side, !sim->options.every_cycle);
    sim->sms = ws_machine_sms(m);
    sim->sm = calloc(sim->sms, sizeof(ws_sm *));
    sim->about = calloc(sim->sms, sizeof *sim->about);
    sim->scheduler = (ws_cta_scheduler){.state = calloc(1, sim->cta ? sim->cta->state_size(sim->sms) + 1 : 1),
                                        .values = sim->cta_values,
                                        .view = {.left = &sim->left,
                                                 .sm = sim->about,
                                                 .sms = sim->sms,
                                                 .chips = m->package_chips,
                                                 .of = sim,
                                                 .resident = resident_of}};
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
    sim_workers_start(sim);
    *out = sim;
    return WS_OK;
}

void ws_sim_destroy(ws_sim *sim)
{
    if (!sim)
        return;
    sim_workers_stop(sim);
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

const char *ws_sim_looks_at_values(const ws_machine *m)
{
    uint64_t registers[WS_REGISTER_OPTIONS], values[WS_SHARED_OPTIONS];
    if (wants(ws_register_file_of(m, registers)->wants_values, registers))
        return "registers.file";
    return wants(ws_shared_memory_of(m, values)->wants_values, values) ? "shared.memory" : NULL;
}
