/* chiplet_prediction.c - see chiplet_prediction.h. Times are bounds: a launch issues an instruction a cycle and SM, or
 * moves its lines between L2s and homes at what the links of all chiplets carry both ways, whichever takes longer;
 * operations come before. */
#include "model/mechanism/chiplets/chiplet_prediction.h"

#include "base/grow.h"
#include "base/status.h"
#include "model/mechanism/trace_take.h"
#include "model/placement/residents.h"
#include "model/time_bounds.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ACCESSES = 1 << 23 }; /* of a launch: half a gigabyte */

typedef struct run {
    ws_chiplet_machine machine;
    ws_chiplet_walk *walk; /* NULL: operations alone */
    ws_cct *table;
    const ws_chiplet_kernels *kernels;
    ws_chiplet_prediction *out;
    ws_chiplet_costs costs;
    ws_chiplet_counts before[WS_CHIPLET_POLICIES]; /* what L2s had done before this launch */
} run;

void ws_chiplet_sums_add(ws_chiplet_sums *a, const ws_chiplet_sums *b)
{
#define SUM(member)          a->member += b->member;
#define MOST(member)         a->member = a->member > b->member ? a->member : b->member;
    /* clang-format off */
    SUM(launches) SUM(structures) SUM(written) SUM(acquires) SUM(releases) SUM(everything) SUM(merged) SUM(dirty)
    SUM(boundary_s) SUM(issue_s) SUM(traffic_s) SUM(time_s)
    SUM(energy.l2_j) SUM(energy.network_j) SUM(energy.home_j)
    MOST(structures_most) MOST(dirty_most)
    /* clang-format on */
#define COUNT(name, meaning) SUM(n.name)
#include "model/chiplets/l2_counts.def"
#undef COUNT
#undef MOST
#undef SUM
}

static ws_chiplet_counts difference(ws_chiplet_counts now, const ws_chiplet_counts *before)
{
#define COUNT(name, meaning) now.name -= before->name;
#include "model/chiplets/l2_counts.def"
#undef COUNT
    return now;
}

/* ------------------------------------------------------------------------------------------------ boundaries */

/* Lines that L2s write back go over their links side by side. */
static double flush_time(const run *r, const uint64_t *flushed)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < r->machine.walk.chiplets; i++)
        most = flushed[i] > most ? flushed[i] : most;
    return (double)most * r->machine.walk.line / r->machine.link_bytes;
}

static void note_flushed(const run *r, ws_chiplet_sums *s, const uint64_t *flushed)
{
    for (uint32_t i = 0; i < r->machine.walk.chiplets; i++) {
        s->dirty += (double)flushed[i];
        s->dirty_most = (double)flushed[i] > s->dirty_most ? (double)flushed[i] : s->dirty_most;
    }
    s->boundary_s += flush_time(r, flushed);
}

static void release(const run *r, ws_chiplet_policy p, uint32_t chiplets, ws_chiplet_sums *s)
{
    uint64_t flushed[WS_CHIPLETS_MOST] = {0};
    const ws_chiplet_policy_ops *const ops = ws_chiplet_policy_of(p);
    s->releases += ops->operates ? __builtin_popcount(chiplets) : 0;
    if (!r->walk)
        return;
    ws_chiplet_l2_release(ws_chiplet_walk_l2(r->walk), p, chiplets,
                          ops->by_table && r->machine.table.cct.release_empties, flushed);
    note_flushed(r, s, flushed);
}

static void acquire(const run *r, ws_chiplet_policy p, uint32_t chiplets, ws_chiplet_sums *s)
{
    s->acquires += __builtin_popcount(chiplets);
    if (r->walk)
        ws_chiplet_l2_acquire(ws_chiplet_walk_l2(r->walk), p, chiplets);
}

static uint32_t everyone(const run *r)
{
    return (1u << r->machine.walk.chiplets) - 1;
}

static double table_time(const run *r, ws_chiplet_policy p, const ws_cct_operations *o)
{
    return ws_chiplet_policy_of(p)->by_table
               ? ws_package_table_time(&r->machine.table, o->looked_up, o->acquires || o->releases)
               : 0;
}

/* Of the table; each policy makes of it what it does. */
static int begin(const run *r, const ws_chiplet_kernel *k, ws_chiplet_launch *l, ws_cct_operations *table)
{
    const int status = ws_cct_launch(r->table, k, table);
    for (ws_chiplet_policy p = 0; p < WS_CHIPLET_POLICIES && !status; p++) {
        const ws_cct_operations o = ws_chiplet_policy_of(p)->launch(table, everyone(r));
        acquire(r, p, o.acquires, &l->policy[p]);
        release(r, p, o.releases, &l->policy[p]);
        l->policy[p].boundary_s += table_time(r, p, &o);
        l->policy[p].merged = o.merged;
    }
    return status;
}

static void end(const run *r, ws_chiplet_launch *l, const ws_cct_operations *table)
{
    for (ws_chiplet_policy p = 0; p < WS_CHIPLET_POLICIES; p++)
        release(r, p, ws_chiplet_policy_of(p)->launch(table, everyone(r)).end_releases, &l->policy[p]);
}

/* ------------------------------------------------------------------------------------------------ launches */

static int add_launch(run *r, const ws_chiplet_kernel *k, ws_chiplet_launch **out)
{
    ws_chiplet_prediction *const p = r->out;
    if (WS_GROW(p->launch, p->room, p->launches, 1))
        return ws_fail(WS_EMEM, "no memory for launches");
    ws_chiplet_launch *const l = *out = &p->launch[p->launches];
    *l = (ws_chiplet_launch){.kernel = strdup(k->name), .number = k->launch};
    if (!l->kernel)
        return ws_fail(WS_EMEM, "no memory for launches");
    p->launches++;
    double written = 0;
    for (size_t i = 0; i < k->arguments; i++)
        written += k->argument[i].writes;
    for (unsigned i = 0; i < WS_CHIPLET_POLICIES; i++) {
        ws_chiplet_sums *const s = &l->policy[i];
        s->launches = 1;
        s->structures = s->structures_most = (double)k->arguments;
        s->written = written;
        s->everything = 2.0 * r->machine.walk.chiplets;
    }
    return WS_OK;
}

static int time_launch(const run *r, ws_chiplet_launch *l, uint64_t cycles)
{
    int status = WS_OK;
    for (unsigned i = 0; i < WS_CHIPLET_POLICIES && !status; i++) {
        ws_chiplet_sums *const s = &l->policy[i];
        const double bytes = (double)s->n.home_flits * r->machine.walk.l2.flit_bytes;
        s->issue_s = (double)cycles / r->machine.core_hz;
        s->traffic_s = bytes / (2 * r->machine.link_bytes * r->machine.walk.chiplets);
        s->time_s = (s->issue_s > s->traffic_s ? s->issue_s : s->traffic_s) + s->boundary_s;
        const ws_time_work work = {
            .demand = {[WS_RESOURCE_issue] = {(double)cycles, 1, 1},
                       [WS_RESOURCE_answers] = {bytes, r->machine.link_bytes / r->machine.core_hz,
                                                2.0 * r->machine.walk.chiplets}},
            .waits = s->boundary_s * r->machine.core_hz};
        status = ws_time_check("chiplets", l->kernel, s->time_s * r->machine.core_hz, &work);
    }
    return status;
}

/* What L2s did since the last time, and what that costs; `lines` were read for the first time. */
static void take_counts(run *r, ws_chiplet_sums *policies, uint64_t lines)
{
    for (ws_chiplet_policy p = 0; p < WS_CHIPLET_POLICIES; p++) {
        ws_chiplet_sums *const s = &policies[p];
        if (r->walk) {
            const ws_chiplet_counts now = ws_chiplet_l2_counts(ws_chiplet_walk_l2(r->walk), p);
            s->n = difference(now, &r->before[p]);
            r->before[p] = now;
        }
        s->energy = ws_chiplet_energy_of(&r->costs, &s->n, lines);
    }
}

static int walk_launch(run *r, const ws_launch *launch, const ws_access_log *log, const ws_chiplet_kernel *k)
{
    ws_cct_operations o;
    ws_chiplet_launch *l;
    uint64_t cycles = 0;
    uint32_t places;
    const uint64_t read = r->machine.read_first;
    int status = ws_residents_places(r->machine.machine, launch, &places);
    if (!status)
        status = add_launch(r, k, &l);
    if (status)
        return status;
    ws_chiplet_l2_next(ws_chiplet_walk_l2(r->walk));
    status = begin(r, k, l, &o);
    if (!status)
        status = ws_chiplet_walk_run(r->walk, log, places, &cycles);
    if (status)
        return status;
    end(r, l, &o);
    take_counts(r, l->policy, r->machine.read_first - read);
    return time_launch(r, l, cycles);
}

static int take_log(void *context, const ws_launch *launch, size_t sink, void *state)
{
    run *const r = context;
    const ws_access_log *const log = state;
    const ws_chiplet_kernel *const k = ws_chiplet_kernels_find(r->kernels, launch->sequence);
    (void)sink;
    if (log->full || log->entries >= MOST_ACCESSES)
        return ws_fail(WS_ELIMIT, "launch %llu, kernel %s: more than %d accesses; take a smaller input, or simulate",
                       (unsigned long long)launch->sequence + 1, launch->kernel, MOST_ACCESSES);
    if (log->blocks != launch->blocks || !k)
        return ws_fail(WS_EINPUT, "launch %llu, kernel %s: %zu of its %llu blocks are in the trace",
                       (unsigned long long)launch->sequence + 1, launch->kernel, log->blocks,
                       (unsigned long long)launch->blocks);
    return walk_launch(r, launch, log, k);
}

/* The host wants to see what is still dirty. */
static void finish(run *r)
{
    ws_chiplet_sums *const s = r->out->end;
    const uint32_t left = ws_cct_finish(r->table);
    for (ws_chiplet_policy p = 0; p < WS_CHIPLET_POLICIES; p++) {
        const uint32_t chiplets = ws_chiplet_policy_of(p)->finish(left, everyone(r));
        release(r, p, chiplets, &s[p]);
        s[p].boundary_s += chiplets ? table_time(r, p, &(ws_cct_operations){.releases = chiplets}) : 0;
    }
    take_counts(r, s, 0);
    for (ws_chiplet_policy p = 0; p < WS_CHIPLET_POLICIES; p++)
        s[p].time_s = s[p].boundary_s;
    r->out->footprint = (double)r->machine.lines.used;
}

static int prepare(const ws_machine *machine, const ws_chiplet_kernels *kernels, ws_chiplet_prediction *out, run *r)
{
    *r = (run){.kernels = kernels, .out = out};
    *out = (ws_chiplet_prediction){0};
    int status = ws_chiplet_machine_of(machine, &r->machine);
    if (!status)
        status = ws_chiplet_costs_of(machine, &r->costs);
    return status ? status : ws_cct_create(&r->machine.table.cct, &r->table);
}

static void fini(run *r)
{
    ws_chiplet_walk_destroy(r->walk);
    ws_cct_destroy(r->table);
    ws_chiplet_machine_fini(&r->machine);
}

int ws_chiplet_predict(ws_trace *trace, const ws_machine *machine, const ws_chiplet_kernels *kernels,
                       ws_chiplet_prediction *out)
{
    static const size_t most = MOST_ACCESSES;
    run r;
    int status = prepare(machine, kernels, out, &r);
    if (!status)
        status = ws_chiplet_walk_create(&r.machine.walk, &r.walk);
    const ws_sink sink = ws_access_log_sink(&most);
    if (!status)
        status = ws_trace_take(trace, (const ws_sink *const[]){&sink}, 1, take_log, &r);
    if (!status)
        finish(&r);
    fini(&r);
    return status;
}

int ws_chiplet_count(const ws_machine *machine, const ws_chiplet_kernels *kernels, ws_chiplet_prediction *out)
{
    run r;
    int status = prepare(machine, kernels, out, &r);
    for (size_t i = 0; i < kernels->kernels && !status; i++) {
        ws_chiplet_launch *l;
        ws_cct_operations o;
        status = add_launch(&r, &kernels->kernel[i], &l);
        if (!status)
            status = begin(&r, &kernels->kernel[i], l, &o);
        if (!status)
            end(&r, l, &o);
        for (unsigned k = 0; k < WS_CHIPLET_POLICIES && !status; k++)
            l->policy[k].time_s = l->policy[k].boundary_s;
    }
    if (!status)
        finish(&r);
    fini(&r);
    return status;
}

void ws_chiplet_prediction_fini(ws_chiplet_prediction *p)
{
    for (size_t i = 0; i < p->launches; i++)
        free(p->launch[i].kernel);
    free(p->launch);
    *p = (ws_chiplet_prediction){0};
}
