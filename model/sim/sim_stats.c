/* sim_stats.c - from sums of counts to the columns of a report. */
#include "model/sim/sim_stats.h"

#include "model/occlusion.h"
#include "model/machine/machine.h"
#include "model/machine/package_coherence.h"
#include "model/sim/sm/scheduler.h"

#include <math.h>
#include <string.h>

static const ws_sim_stat rows[] = {
#define STAT(name, unit, value, meaning)  {#name, unit, meaning, false},
#define TOTAL(name, unit, value, meaning) {#name, unit, meaning, true},
#include "model/sim/sim_stats.def"
};
static const ws_sim_stat part_rows[] = {
#define PART(has, name, unit, value, meaning)       {#name, unit, meaning, false},
#define PART_TOTAL(has, name, unit, value, meaning) {#name, unit, meaning, true},
#include "model/sim/sim_stats.def"
};
enum { ROWS = sizeof rows / sizeof *rows, PARTS = sizeof part_rows / sizeof *part_rows, PER_MESSAGE = 2 };
enum { TYPES = WS_MESSAGE_SYNC }; /* those behind it are columns of machines that have them */

/* Columns of messages: how many, and their bytes on the network. */
static const char *const message_rows[WS_MESSAGE_COUNT][PER_MESSAGE] = {
#define MESSAGE(name, direction, fields, meaning) {"msg_" #name, "bytes_" #name},
#include "model/coherence/messages.def"
#undef MESSAGE
};

static bool classifies(const ws_machine *m)
{
    return m->l1_classify && !ws_machine_has_protocol(m);
}

static bool protects(const ws_machine *m)
{
    return ws_machine_plain_l1(m) && ws_machine_plain_l1(m)->protects;
}

static bool l1_tallies(const ws_machine *m, unsigned what)
{
    return ws_machine_plain_l1(m) && (ws_machine_plain_l1(m)->tallies & what);
}

static bool l2_tallies(const ws_machine *m, unsigned what)
{
    return ws_machine_plain_l2(m) && (ws_machine_plain_l2(m)->tallies & what);
}

static bool l2_bypasses(const ws_machine *m)
{
    return ws_machine_plain_l2(m) && ws_machine_plain_l2(m)->bypasses;
}

static bool follows(const ws_machine *m)
{
    return ws_machine_follows_sharing(m);
}

/* The CTA scheduler knows groups. */
static bool follows_groups(const ws_machine *m)
{
    const ws_cta_scheduler_ops *const ops = m->chip_cta_scheduler;
    return follows(m) && ops->group;
}

/* What comes into an L1 stays there a while. */
static bool follows_stays(const ws_machine *m)
{
    return follows(m) && !ws_machine_l1_bypasses(m);
}

/* L2s that keep lines of other chips, and agree otherwise than by giving them up. */
static bool agrees(const ws_machine *m)
{
    return ws_machine_keeps_remote(m) && !m->package_coherence->gives_up;
}

static bool sums_updates(const ws_machine *m)
{
    return m->package_atomic_buffer != 0;
}

static bool detects(const ws_machine *m)
{
    return ws_machine_detects_races(m);
}

static bool runs_ahead(const ws_machine *m)
{
    return ws_machine_runs_ahead(m);
}

static bool tells_waits(const ws_machine *m)
{
    return m->sm_waits != 0;
}

/* Traces do not say whether a compare-and-swap swapped. */
static double failed_swaps(const ws_sim_sums *d)
{
    return d->sm.swaps == d->sm.swaps_told ? (double)d->sm.swaps_failed : NAN;
}

/* Does its rule for atomics count updates? */
static bool updates(const ws_machine *m)
{
    return m->sm_atomics->counts;
}

static bool owns(const ws_machine *m)
{
    return ws_atomic_owns(m);
}

#define UPDATES(name) (d->sm.update_##name + d->l1.update_##name) /* of a buffer, or of the L1 */

static const ws_warp_scheduler_ops *scheduler_of(const ws_machine *m)
{
    return ws_warp_scheduler_ops_of(m->sm_scheduler);
}

static bool forecasts(const ws_machine *m)
{
    return scheduler_of(m)->forecasts;
}

static bool reexecutes(const ws_machine *m)
{
    return scheduler_of(m)->reexecutes;
}

/* Which of the optional columns does the machine have? NULL: none. */
static void find_parts(const ws_machine *m, bool has[PARTS])
{
    memset(has, 0, PARTS * sizeof *has);
    if (!m)
        return;
#define PART(condition, name, unit, value, meaning) *has++ = (condition) != 0;
#include "model/sim/sim_stats.def"
}

size_t ws_sim_stat_count(const ws_machine *m)
{
    bool has[PARTS];
    size_t count = ROWS + PER_MESSAGE * TYPES;
    find_parts(m, has);
    for (size_t i = 0; i < PARTS; i++)
        count += has[i];
    return count;
}

static ws_sim_stat part_at(const ws_machine *m, size_t index)
{
    bool has[PARTS];
    size_t i = 0;
    find_parts(m, has);
    while (!has[i] || index--)
        i++;
    return part_rows[i];
}

ws_sim_stat ws_sim_stat_at(const ws_machine *m, size_t index)
{
    if (index < ROWS)
        return rows[index];
    if (index >= ROWS + PER_MESSAGE * TYPES)
        return part_at(m, index - ROWS - PER_MESSAGE * TYPES);
    const size_t type = (index - ROWS) / PER_MESSAGE, column = (index - ROWS) % PER_MESSAGE;
    return (ws_sim_stat){message_rows[type][column], column ? "bytes" : "messages",
                         ws_message_meaning((ws_message_type)type), true};
}

ws_sim_stat ws_sim_stat_of_any(size_t index)
{
    const size_t common = ROWS + PER_MESSAGE * TYPES;
    return index < common           ? ws_sim_stat_at(NULL, index)
           : index < common + PARTS ? part_rows[index - common]
                                    : (ws_sim_stat){0};
}

static double ratio(double a, double b)
{
    return b != 0 ? a / b : NAN;
}

/* A mean over CTAs. */
static double group_peak(const ws_sim_sums *d, uint64_t peak)
{
    return ratio(peak, d->sharing.ctas) / WS_CTA_SPREAD_SCALE;
}

static double accesses(const ws_cache_counts *c)
{
    return (double)(c->hits + c->misses + c->merged);
}

static double coherent_loads(const ws_sim_sums *d)
{
    return (double)(d->sm.coherent_0 + d->sm.coherent_1 + d->sm.coherent_2);
}

static double divergent_loads(const ws_sim_sums *d)
{
    const ws_sm_counts *const s = &d->sm;
    return (double)(s->divergent_0 + s->divergent_1 + s->divergent_2 + s->divergent_3_31 + s->divergent_32);
}

static double slots(const ws_sim_sums *d, uint64_t some)
{
    const ws_sm_counts *const s = &d->sm;
    return ratio((double)some,
                 (double)(s->issued + s->stall_empty + s->stall_fetch + s->stall_barrier + s->stall_memory +
                          s->stall_dependency + s->stall_unit + s->stall_load_store + s->stall_order));
}

/* Of the load/store unit's busy cycles. */
static double unit(const ws_sim_sums *d, uint64_t some)
{
    return ratio((double)some, (double)d->sm.load_store_busy);
}

/* Issues of the oldest so many warps of each scheduler. */
static double oldest(const ws_sim_sums *d, unsigned warps)
{
    uint64_t first = 0, all = 0;
    for (unsigned rank = 0; rank < WS_SM_WARPS; rank++) {
        first += rank < warps ? d->ranks.issues[rank] : 0;
        all += d->ranks.issues[rank];
    }
    return ratio((double)first, (double)all);
}

static ws_rank_trend mshrs_by_rank(const ws_sim_sums *d)
{
    return ws_rank_trend_of(d->ranks.loads, d->ranks.mshrs, WS_SM_WARPS);
}

void ws_sim_stat_values(const ws_sim_sums *d, const ws_machine *m, double *value)
{
#define STAT(name, unit, expression, meaning) *value++ = (double)(expression);
#include "model/sim/sim_stats.def"
    for (int type = 0; type < TYPES; type++) {
        *value++ = (double)d->messages[type];
        *value++ = (double)d->message_bytes[type];
    }
#define PART(has, name, unit, expression, meaning) \
    if (has) \
        *value++ = (double)(expression);
#include "model/sim/sim_stats.def"
}

/* ------------------------------------------------------------------------------------------------ sums of sums */

/* Members that are added up, all of them rows of uint64_t. */
/* clang-format off */
#define EACH_SUM(DO) \
    DO(cycles) DO(sm) DO(ranks) DO(l1) DO(texture) DO(constant) DO(l2) DO(l3) DO(messages) DO(message_bytes) \
    DO(read_only_messages) DO(read_only_bytes) DO(request_stalls) DO(reply_stalls) DO(memory_cycles) DO(sharing) \
    DO(timestamp_resets) DO(races) DO(package)
/* clang-format on */

static void subtract(uint64_t *difference, const uint64_t *before, size_t counts)
{
    for (size_t i = 0; i < counts; i++)
        difference[i] -= before[i];
}

void ws_sim_sums_subtract(const ws_sim_sums *after, const ws_sim_sums *before, ws_sim_sums *out)
{
    ws_sim_sums d = *after;
#define SUBTRACT(member) \
    subtract((uint64_t *)&d.member, (const uint64_t *)&before->member, sizeof d.member / sizeof(uint64_t));
    EACH_SUM(SUBTRACT)
#undef SUBTRACT
/* Of the greatest, that of `after`. */
#define SUM(name) d.name -= before->name;
#define MOST(name)
#define COUNT(name, combine, meaning) combine(request.name) combine(reply.name)
#include "model/sim/network/network_counts.def"
#undef COUNT
#define COUNT(name, combine, meaning) combine(memory.name)
#include "model/sim/memory/dram_counts.def"
#undef COUNT
#undef SUM
#undef MOST
    *out = d;
}

static uint64_t add_weighted(uint64_t sum, uint64_t more, double weight)
{
    const double value = (double)sum + weight * (double)more;
    return weight == 1 ? sum + more : value < 0x1p63 ? (uint64_t)llround(value) : UINT64_MAX;
}

static void add(uint64_t *sum, const uint64_t *more, size_t counts, double weight)
{
    for (size_t i = 0; i < counts; i++)
        sum[i] = add_weighted(sum[i], more[i], weight);
}

static void weigh_use(ws_traffic_use *sum, const ws_traffic_use *more)
{
    const uint64_t load = more->channel_load > sum->channel_load ? more->channel_load : sum->channel_load;
    if (more->peak >= sum->peak)
        *sum = *more;
    sum->channel_load = load;
}

void ws_sim_sums_add(ws_sim_sums *sum, const ws_sim_sums *more, double weight)
{
#define ADD(member) \
    add((uint64_t *)&sum->member, (const uint64_t *)&more->member, sizeof sum->member / sizeof(uint64_t), weight);
    EACH_SUM(ADD)
#undef ADD
#define SUM(name)                     sum->name = add_weighted(sum->name, more->name, weight);
#define MOST(name)                    sum->name = more->name > sum->name ? more->name : sum->name;
#define COUNT(name, combine, meaning) combine(request.name) combine(reply.name)
#include "model/sim/network/network_counts.def"
#undef COUNT
#define COUNT(name, combine, meaning) combine(memory.name)
#include "model/sim/memory/dram_counts.def"
#undef COUNT
    MOST(greatest_timestamp)
#undef SUM
#undef MOST
    sum->lease_least = more->lease_least; /* of the last one */
    sum->lease_most = more->lease_most;
    weigh_use(&sum->request_use, &more->request_use);
    weigh_use(&sum->reply_use, &more->reply_use);
}
