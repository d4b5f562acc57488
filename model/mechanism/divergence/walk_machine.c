/* walk_machine.c - from options of a machine to the few numbers of a walk. */
#include "model/mechanism/divergence/walk_machine.h"

#include "base/status.h"
#include "model/machine/carveout.h"
#include "model/machine/closed_machine.h"
#include "model/machine/machine.h"
#include "model/machine/memory_stage_kind.h"
#include "model/machine/scheduler_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int check_machine(const ws_machine *m)
{
    const struct {
        const char *option;
        bool is_bad;
        const char *expected;
    } rules[] = {
        {"l1.enabled is 0", !m->l1_enabled, "1: a walk needs an L1"},
        {"l1.line is not 128", m->l1_line != WS_LOG_LINE, "128: logs have such lines"},
        {"l2.line is not l1.line", m->l2_line != m->l1_line, "lines of one size"},
        {"l1.sector is not l1.line", m->l1_sector != m->l1_line, "whole lines"},
        {"l1.unified is not 0", m->l1_unified != 0, "0: an L1 of a fixed size"},
        {"l1.fence is not keep", ws_machine_invalidates(m), "keep: they do not stop at fences"},
        {"coherence.protocol is not none", ws_machine_has_protocol(m), "none: plain caches"},
        {"l1.replacement depends on the sharers of a block", ws_machine_plain_l1(m) && ws_machine_plain_l1(m)->hears,
         "one that does not: they follow one SM after the other"},
        {"l2.replacement depends on the sharers of a block", ws_machine_plain_l2(m) && ws_machine_plain_l2(m)->tell,
         "one that does not: they follow one SM after the other"},
        {"package.chips is not 1", m->package_chips != 1, "1"},
    };
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].is_bad)
            return ws_fail(WS_EUNSUPPORTED, "configuration %s: %s; walks through caches expect %s", m->name,
                           rules[i].option, rules[i].expected);
    return WS_OK;
}

/* ------------------------------------------------------------------------------------------------ schedulers */

static void describe_gto(const uint64_t *values, ws_walk_scheduler *s)
{
    (void)values;
    s->order = WS_WALK_OLDEST;
}

static void describe_lrr(const uint64_t *values, ws_walk_scheduler *s)
{
    (void)values;
    s->order = WS_WALK_TURNS;
}

static void describe_swl(const uint64_t *values, ws_walk_scheduler *s)
{
    s->hold = WS_WALK_LIMIT;
    s->limit = (uint32_t)values[WS_SCHEDULER_swl_limit];
    s->together = values[WS_SCHEDULER_swl_scope] != 0;
    s->all = values[WS_SCHEDULER_swl_hold] != 0;
}

static void describe_ccws(const uint64_t *values, ws_walk_scheduler *s)
{
    s->hold = WS_WALK_LOCALITY;
    s->throttle = (uint32_t)values[WS_SCHEDULER_ccws_throttle];
    s->base = (uint32_t)values[WS_SCHEDULER_ccws_base];
}

static void describe_oaws(const uint64_t *values, ws_walk_scheduler *s)
{
    enum { PROTECTED_ONLY = 3 };
    static const ws_walk_hold modes[] = {WS_WALK_OCCLUSION, WS_WALK_LEARNED,
                                         WS_WALK_PROTECTED, [PROTECTED_ONLY] = WS_WALK_PROTECTED};
    s->hold = modes[values[WS_SCHEDULER_oaws_mode]];
    s->all = values[WS_SCHEDULER_oaws_mode] == PROTECTED_ONLY;
    s->percent = (uint32_t)values[WS_SCHEDULER_oaws_smr];
    s->most = (uint32_t)values[WS_SCHEDULER_oaws_clamp];
    s->rule = (ws_fcw_rule){.most_count = (uint32_t)values[WS_SCHEDULER_oaws_count],
                            .first = (uint32_t)values[WS_SCHEDULER_oaws_first],
                            .least = (uint32_t)values[WS_SCHEDULER_oaws_least],
                            .most = (uint32_t)values[WS_SCHEDULER_oaws_most]};
}

static int describe_scheduler(const ws_machine *m, ws_walk_scheduler *s)
{
    static const struct {
        size_t row;
        void (*describe)(const uint64_t *values, ws_walk_scheduler *s);
    } known[] = {
#define WALKED(name) {WS_SCHEDULER_##name, describe_##name},
#include "model/mechanism/divergence/walk_schedulers.def"
#undef WALKED
    };
    uint64_t values[WS_SCHEDULER_OPTIONS];
    char list[256] = "";
    *s = (ws_walk_scheduler){.order = WS_WALK_OLDEST};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const ws_warp_scheduler_kind *const kind = &ws_warp_scheduler_kinds[known[i].row];
        if (kind == m->sm_scheduler) {
            ws_option_choose(kind->options, m->scheduler.list, m->scheduler.count, values);
            known[i].describe(values, s);
            return WS_OK;
        }
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", kind->name);
    }
    return ws_fail(WS_EUNSUPPORTED, "configuration %s: sm.scheduler is %s; walks know %s", m->name,
                   m->sm_scheduler->name, list);
}

/* ------------------------------------------------------------------------------------------------ rates */

/* Cycles that so many bytes take at a port of the network. */
static double port_cycles(double flits_a_cycle, double flit_bytes, double bytes)
{
    return ceil(bytes / flit_bytes) / flits_a_cycle;
}

int ws_walk_machine_of(const ws_machine *m, ws_walk_machine *out)
{
    ws_closed_machine rates;
    int status = check_machine(m);
    *out = (ws_walk_machine){.sms = m->chip_sms};
    if (!status)
        status = describe_scheduler(m, &out->scheduler);
    if (!status)
        status = ws_closed_machine_rates(m, &rates);
    if (status)
        return status;
    const double request = ws_message_default_sizes.header_bytes, data = request + m->l1_line;
    out->room = ws_machine_capacity(m);
    out->schedulers = m->sm_schedulers;
    out->issue = m->sm_issue;
    out->queue = ws_memory_stage_room(m);
    out->l1 = ws_machine_l1_choice(m);
    out->l1_sets = m->l1_sets;
    out->l1_ways = m->l1_unified ? m->l1_ways : ws_carveout_ways(m, 0);
    out->mshrs = m->l1_mshrs;
    out->merges = m->l1_merges;
    out->ports = m->l1_ports;
    out->l1_cycles = m->l1_latency;
    out->on_fill = m->l1_allocate == WS_L1_ALLOCATE_FILL;
    out->keeps_stores = m->l1_write != WS_WRITE_EVICT && m->l1_write != WS_WRITE_LOCAL_BACK;
    out->flush = m->l1_flush;
    out->l2 = ws_machine_l2_choice(m);
    out->slices = ws_machine_slices(m);
    out->l2_sets = m->l2_sets;
    out->l2_ways = m->l2_ways;
    out->slice_map = m->shape.slice_map;
    out->l2_cycles = rates.l2_cycles;
    out->memory_cycles = rates.memory_cycles;
    out->request_cycles = port_cycles(rates.network_flits, rates.sizes.flit_bytes, request);
    out->line_cycles = port_cycles(rates.answer_flits, rates.sizes.flit_bytes, data);
    out->store_cycles = port_cycles(rates.network_flits, rates.sizes.flit_bytes, data);
    out->memory_line_cycles = m->l2_line * (double)out->slices / rates.memory_bytes;
    return WS_OK;
}
