/* chiplet_machine.c - see chiplet_machine.h. */
#include "model/mechanism/chiplets/chiplet_machine.h"

#include "base/status.h"
#include "model/machine/closed_machine.h"
#include "model/machine/machine.h"
#include "model/placement/cta_scheduler.h"
#include "model/machine/package_coherence.h"

#include <string.h>

static int refuse(const ws_machine *m, const char *what, const char *expected)
{
    return ws_fail(WS_EUNSUPPORTED, "machine %s: %s; expected %s", m->name, what, expected);
}

static int check(const ws_machine *m)
{
    const struct {
        bool is;
        const char *what, *expected;
    } rows[] = {
        {m->package_chips < 2, "package.chips is 1", "2 or more"},
        {ws_machine_has_protocol(m), "coherence.protocol orders writes", "none: plain caches"},
        {!ws_machine_keeps_remote(m), "l2.side is memory", "requester: each chip has an L2 for its own SMs"},
        {m->l2_sector != m->l2_line, "l2.sector is not l2.line", "whole lines"},
        {m->l1_sector != m->l1_line, "l1.sector is not l1.line", "whole lines"},
        {ws_machine_invalidates(m), "l1.fence is not keep", "keep: walks do not stop at fences"},
        {m->l1_unified != 0, "l1.unified is not 0", "0: an L1 of a fixed size"},
        {m->l2_write_allocate != WS_WRITE_ALLOCATE_LAZY, "l2.write_allocate is not lazy",
         "lazy: stores that miss keep their words"},
        {m->l1_write != WS_WRITE_THROUGH && m->l1_write != WS_WRITE_EVICT, "l1.write is not through or evict",
         "an L1 that stores go through"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].is)
            return refuse(m, rows[i].what, rows[i].expected);
    return WS_OK;
}

/* Memory is read when somebody wants a word that nobody has written, then all of the line. *fetched: it is. */
static int know_line(ws_chiplet_machine *c, uint64_t line, bool reads, uint32_t mask, bool *fetched)
{
    uint32_t *const known = ws_table_put(&c->lines, line);
    if (!known)
        return WS_EMEM;
    const uint32_t all = c->walk.line < 128 ? (1u << c->walk.line / 4) - 1 : UINT32_MAX;
    *fetched = reads && (*known & all) != all;
    c->read_first += *fetched;
    *known |= *fetched ? UINT32_MAX : mask;
    return WS_OK;
}

static int find_home(void *context, ws_chiplet_request *r)
{
    ws_chiplet_machine *const c = context;
    uint32_t slice;
    bool fetched = false;
    int status = know_line(c, r->line, r->kind != WS_CHIPLET_STORE, r->mask, &fetched);
    if (!status)
        status = ws_homes_slice(&c->homes, r->line, r->chiplet, &slice);
    if (status)
        return status;
    r->home = slice / c->homes.map.slices;
    r->slice = ws_slice_map_slice(&c->copies, r->line);
    r->part = slice % c->homes.map.slices % c->machine->memory_channels;
    r->memory = fetched || !c->machine->l3_size ? c->memory_cycles : 0;
    return WS_OK;
}

static uint64_t whole(double cycles)
{
    return (uint64_t)(cycles + 0.5);
}

/* By whose times accesses are put in order: the policy that the machine has. */
static ws_chiplet_policy pace_of(const ws_machine *m)
{
    const ws_chiplet_policy_ops *const has = m->package_coherence;
    for (unsigned i = 0; i < WS_CHIPLET_POLICIES; i++)
        if (ws_chiplet_policy_of((ws_chiplet_policy)i) == has)
            return (ws_chiplet_policy)i;
    return WS_CHIPLET_BOUNDARY;
}

int ws_chiplet_machine_of(const ws_machine *m, ws_chiplet_machine *c)
{
    ws_closed_machine rates;
    *c = (ws_chiplet_machine){.machine = m, .lines = WS_TABLE(uint32_t)};
    int status = check(m);
    if (!status)
        status = ws_closed_machine_rates(m, &rates);
    if (status)
        return status;
    const uint32_t slices = ws_machine_chip_slices(m);
    const double core = m->chip_core_clock;
    const ws_network_plan *const link = &m->shape.link;
    const double way = link->latency ? link->latency : 1; /* cycles; not every network says it */
    c->homes = ws_homes_of(m->package_home, m->shape.home_map);
    c->copies = m->shape.slice_map;
    c->table = ws_package_table_of(m);
    c->dispatches = m->chip_cta_scheduler->by_chip;
    c->core_hz = m->chip_core_clock * 1e3;
    c->link_bytes = m->shape.link_bytes;
    c->memory_cycles = whole(rates.memory_cycles);
    c->walk = (ws_chiplet_walk_machine){
        .chiplets = m->package_chips,
        .sms = m->chip_sms,
        .line = m->l2_line,
        .l1 = ws_machine_l1_choice(m),
        .l1_sets = m->l1_sets,
        .l1_ways = m->l1_ways,
        .l1_enabled = m->l1_enabled,
        .l1_flush = m->l1_flush,
        .l1_keeps_stores = m->l1_write == WS_WRITE_THROUGH,
        .l1_cycles = m->l1_latency,
        .l2_cycles = whole(rates.l2_cycles),
        .l2 = {.lines = (uint64_t)slices * m->l2_sets * m->l2_ways,
               .read_alloc = m->package_remote_read,
               .store_back = m->package_remote_store == WS_REMOTE_STORE_BACK,
               .slices = slices,
               .slice = {.queue = m->l2_queue,
                         .reads = m->l2_mshrs,
                         .merges = m->l2_merges,
                         .sends = m->port_packets,
                         .period = (uint32_t)whole(core / m->chip_l2_clock)},
               .l3_cycles = whole(m->l3_size ? m->l3_latency * core / m->chip_l2_clock : 0),
               .pace = pace_of(m),
               .probes = c->table.probes,
               .directory = ws_package_directory_of(m),
               .header_bytes = WS_CHIPLET_HEADER,
               .flit_bytes = WS_CHIPLET_FLIT,
               .link_cycles = whole(way * core / m->link_clock),
               .link_places = link->room},
        .home = find_home,
        .context = c,
    };
    return WS_OK;
}

void ws_chiplet_machine_fini(ws_chiplet_machine *c)
{
    ws_homes_fini(&c->homes);
    ws_table_fini(&c->lines);
}
