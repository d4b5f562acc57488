/* closed_form.c - counts of messages from the bins of a profile; bytes, and bounds on time, from the counts. */
#include "model/coherence/closed_form_internal.h"

#include "base/status.h"
#include "model/time_bounds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned traits;
} forms[] = {
#define CLOSED_FORM(name, traits) {name, traits},
#include "model/coherence/closed_forms.def"
#undef CLOSED_FORM
};
/* Least ratio of the clock to the form: a form that exceeds the clock overstates queues, and not on other machines
 * alike. */
static const double LEAST_RATIO = 0.8;

enum { FORMS = sizeof forms / sizeof forms[0], WORD = 4, RUNGS_AROUND = 4 };

#define UP     true
#define DOWN   true
#define MEMORY false
static const bool on_network[] = {
#define MESSAGE(name, direction, fields, meaning) direction,
#include "model/coherence/messages.def"
#undef MESSAGE
};
#undef UP
#undef DOWN
#define DOWN false
#define UP   true
static const bool goes_up[] = {
#define MESSAGE(name, direction, fields, meaning) direction,
#include "model/coherence/messages.def"
#undef MESSAGE
};
#undef UP
#undef DOWN
#undef MEMORY

static const ws_message_type owner_messages[WS_OWNER_MESSAGES] = {
    [WS_OWNER_READ] = WS_MESSAGE_READ,
    [WS_OWNER_OWN] = WS_MESSAGE_OWN,
    [WS_OWNER_PUT] = WS_MESSAGE_PUT,
    [WS_OWNER_TAKEN] = WS_MESSAGE_TAKEN,
    [WS_OWNER_NONE] = WS_MESSAGE_NONE,
    [WS_OWNER_CLEAN] = WS_MESSAGE_CLEAN,
    [WS_OWNER_DATA] = WS_MESSAGE_DATA,
    [WS_OWNER_FILL] = WS_MESSAGE_FILL,
    [WS_OWNER_FILL_OWN] = WS_MESSAGE_FILL_OWN,
    [WS_OWNER_GRANT] = WS_MESSAGE_GRANT,
    [WS_OWNER_INVALIDATE] = WS_MESSAGE_INVALIDATE,
    [WS_OWNER_FETCH] = WS_MESSAGE_FETCH,
};

static size_t find_form(const char *protocol)
{
    size_t i = 0;
    while (i < FORMS && strcmp(forms[i].name, protocol) != 0)
        i++;
    return i;
}

bool ws_closed_form_knows(const char *protocol)
{
    return find_form(protocol) < FORMS;
}

int ws_closed_form_create(const ws_closed_machine *machine, ws_closed_form **out)
{
    *out = NULL;
    const size_t i = find_form(machine->coherence.protocol);
    ws_coherence *coherence;
    if (machine->coherence.chips > 1)
        return ws_fail(WS_EUNSUPPORTED,
                       "closed forms know machines of one chip, this one has %u ([package] chips); replay traces "
                       "(`warpscape model coherence --tier 2') or simulate them (`warpscape sim')",
                       machine->coherence.chips);
    const int status = ws_coherence_create(&machine->coherence, &coherence);
    if (status)
        return status;
    ws_closed_form *const f = i < FORMS ? calloc(1, sizeof *f) : NULL;
    if (!f) {
        ws_coherence_destroy(coherence);
        return i < FORMS ? ws_fail(WS_EMEM, "no memory for a closed form")
                         : ws_fail(WS_EUNSUPPORTED,
                                   "there is no closed form for protocol `%s`: replay traces (`warpscape model "
                                   "coherence --tier 2') or simulate them (`warpscape sim')",
                                   machine->coherence.protocol);
    }
    f->machine = *machine;
    f->coherence = coherence;
    f->traits = forms[i].traits;
    f->sequential = ws_coherence_is_sequential(forms[i].name);
    f->ways = (double)machine->coherence.l1_sets * machine->coherence.l1_ways / WS_PROFILE_SETS;
    *out = f;
    return WS_OK;
}

void ws_closed_form_shorten(ws_closed_form *form, unsigned wait, double cycles)
{
    form->machine.wait_cycles[wait] -= cycles;
}

void ws_closed_form_destroy(ws_closed_form *form)
{
    if (!form)
        return;
    ws_coherence_destroy(form->coherence);
    free(form);
}

void ws_closed_form_remark(const ws_closed_machine *machine, char *text, size_t size)
{
    const uint32_t most = ws_profile_sms[WS_PROFILE_SMS - 1], sms = machine->coherence.sms;
    *text = '\0';
    if (sms > most)
        snprintf(text, size,
                 "profiles are of at most %u SMs, this machine has %u: copies of launches with more than %u blocks are "
                 "predicted "
                 "as on %u",
                 most, sms, most, most);
}

/* What lengthens a prediction is in profiles; how many stores and evictions meet a lease that runs is not. */
void ws_closed_form_lease_remark(const ws_closed_machine *machine, char *text, size_t size)
{
    *text = '\0';
    if (machine->coherence.prediction.on)
        snprintf(text, size,
                 "lengths of physical leases are predicted by slices of L2 (coherence.predict), here they are "
                 "coherence.lease_cycles, %u, throughout",
                 machine->coherence.lease);
}

/* ------------------------------------------------------------------------------------------------ rungs */

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint32_t ws_closed_form_residents(const ws_closed_machine *m, const ws_traffic_profile *p)
{
    uint64_t fit = ws_residency_of(&m->room, &(ws_cta_need){p->warps_per_block, p->registers, p->shared_bytes});
    if (p->warps_per_block)
        fit = least(fit, m->coherence.warps / p->warps_per_block);
    return fit ? (uint32_t)fit : 1;
}

/* Where `value` stands on a ladder that doubles or so: the rung below it and the share of the one above. */
static double place_on(const uint32_t *ladder, unsigned rungs, double value, unsigned *below)
{
    unsigned i = 0;
    while (i + 2 < rungs && value >= ladder[i + 1])
        i++;
    *below = i;
    const double share = log2(value / ladder[i]) / log2((double)ladder[i + 1] / ladder[i]);
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

typedef struct around {
    const ws_traffic_rung *rung[RUNGS_AROUND];
    double weight[RUNGS_AROUND];
} around;

static around rungs_around(const ws_traffic_profile *p, double sms, double residents)
{
    unsigned i, k;
    const double x = place_on(ws_profile_sms, WS_PROFILE_SMS, sms, &i);
    const double y = place_on(ws_profile_residents, WS_PROFILE_RESIDENTS, residents, &k);
    const ws_traffic_rung *const r = &p->rung[i * WS_PROFILE_RESIDENTS + k];
    return (around){.rung = {r, r + 1, r + WS_PROFILE_RESIDENTS, r + WS_PROFILE_RESIDENTS + 1},
                    .weight = {(1 - x) * (1 - y), (1 - x) * y, x * (1 - y), x * y}};
}

/* A row that was measured for each physical lease, at this one: straight between the logarithms. */
static double at_lease(const uint64_t value[WS_PROFILE_LEASES], double lease)
{
    unsigned i;
    const double share = place_on(ws_profile_lease, WS_PROFILE_LEASES, lease, &i);
    return (1 - share) * (double)value[i] + share * (double)value[i + 1];
}

/* How much longer the launch takes by what its fences cost: straight between the costs of profiles, from nothing on. */
static double dear_fences(const ws_closed_machine *m, const ws_traffic_rung *r)
{
    const uint64_t *const row = r->fence_cycles[m->fence_turns ? WS_FENCE_TURNS : WS_FENCE_BESIDE];
    double from = 0, to = ws_profile_fence[0], low = 0, high = (double)row[0];
    for (unsigned i = 1; i < WS_PROFILE_FENCES && m->fence_cycles > to; i++) {
        from = to;
        low = high;
        to = ws_profile_fence[i];
        high = (double)row[i];
    }
    return low + (high - low) * (m->fence_cycles - from) / (to - from);
}

/* ------------------------------------------------------------------------------------------------ one rung */

/* What part of the distances of a bin lies within so many ways. */
static double covered(unsigned bin, double ways)
{
    if (bin == WS_PROFILE_BINS - 1)
        return 0;
    const double from = bin ? ws_profile_edge[bin - 1] : 0, to = ws_profile_edge[bin];
    const double share = (ways - from) / (to - from);
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

/* Which of the profile's logical times. */
static unsigned logic_of(const ws_closed_form *f)
{
    return !f->machine.aging ? WS_LOGIC_ORDER : f->sequential ? WS_LOGIC_SC : WS_LOGIC_RC;
}

/* The order of accesses that the protocol makes. */
static unsigned pass_of(const ws_closed_form *f)
{
    if (!f->machine.aging)
        return WS_PASS_ORDER;
    if (f->traits & AGE)
        return f->traits & STRONG ? WS_PASS_STRONG : WS_PASS_WEAK;
    return f->traits & LOGICAL  ? f->sequential ? WS_PASS_SC : WS_PASS_LOGIC
           : f->traits & FENCES ? WS_PASS_PLAIN
                                : WS_PASS_ORDER;
}

/* The clock that the protocol's warps go by. */
static unsigned clock_of(const ws_closed_form *f)
{
    if (f->traits & LOGICAL)
        return f->sequential ? WS_CLOCK_SC : WS_CLOCK_RC;
    if (f->traits & OWNERS)
        return WS_CLOCK_OWN;
    return f->traits & FENCES ? WS_CLOCK_FENCED : f->traits & COPIES ? WS_CLOCK_PLAIN : WS_CLOCK_BARE;
}

/* Loads that come after the end of a physical lease, for each length. */
static const uint64_t *aged_row(const ws_closed_form *f, const ws_reuse_bin *b)
{
    const bool strong = f->traits & STRONG;
    if (f->machine.aging)
        return strong ? b->late + WS_PROFILE_LEASES : b->late;
    return strong ? b->gone : b->aged;
}

/* Loads that find their line within the ways of an L1, in the order that memory without time makes and in the one of
 * the protocol; those of the latter that may not read the copy, by cause. */
typedef struct near_loads {
    double ordered, absent, loads, flushed, aged, renewed, refilled;
} near_loads;

/* Fetches of a line by an L1 with the ways of the machine, per fetch by an unlimited one. Each is assumed to bring the
 * line's sectors as the first did. */
static double comings(const ws_closed_form *f, const ws_traffic_rung *r)
{
    double missed = 0;
    for (unsigned i = 0; i < WS_PROFILE_BINS; i++)
        missed += (1 - covered(i, f->ways)) * (double)r->bin[i].loads[WS_PASS_ORDER];
    const double first = (double)r->bin[WS_PROFILE_BINS - 1].loads[WS_PASS_ORDER];
    return first > 0 ? missed / first : 1;
}

static near_loads loads_within(const ws_closed_form *f, const ws_traffic_rung *r, double lease)
{
    near_loads n = {0};
    const double times = comings(f, r);
    for (unsigned i = 0; i < WS_PROFILE_BINS; i++) {
        const ws_reuse_bin *const b = &r->bin[i];
        const double share = covered(i, f->ways);
        n.ordered += share * (double)b->loads[WS_PASS_ORDER];
        n.absent += share * ((f->machine.sectored ? times * (double)b->partial : 0) +
                             (f->machine.evicts ? (double)b->stored : 0));
        n.loads += share * (double)b->loads[pass_of(f)];
        n.flushed += share * (double)(f->machine.aging ? b->flushed_late : b->flushed);
        n.aged += share * at_lease(aged_row(f, b), lease);
        n.renewed += share * (double)b->renewed[logic_of(f)];
        n.refilled += share * (double)b->refilled[logic_of(f)];
    }
    return n;
}

/* How many loads find their line is taken from one order for all protocols; of their own the part of these loads that
 * finds the copy ended. Of all of them, not distance by distance: a warp that waits comes back to copies that have
 * ended and are, by what others did meanwhile, further away, and in the one order as many loads may be that far away
 * without having waited. Independent causes are joined as such. */
static void add_ended(const ws_closed_form *f, const near_loads *n, ws_closed_reuse *u)
{
    double good = 1;
    u->tag_hits = fmax(0, n->ordered - n->absent);
    if (n->loads <= 0)
        return;
    if (f->traits & FENCES)
        good *= 1 - n->flushed / n->loads;
    if (f->traits & AGE)
        good *= 1 - n->aged / n->loads;
    if (f->traits & LOGICAL) {
        good *= 1 - (n->renewed + n->refilled) / n->loads;
        u->renewed = n->renewed * u->tag_hits / n->loads;
    }
    u->expired = u->tag_hits * (1 - good);
}

static void add_owners(const ws_closed_form *f, const ws_owner_counts *c, ws_closed_reuse *u)
{
    if (f->machine.aging)
        u->cycles = (double)c->cycles;
    for (unsigned m = 0; m < WS_OWNER_MESSAGES; m++)
        u->owner[m] = (double)c->always[m];
    for (unsigned i = 0; i < WS_PROFILE_BINS; i++) {
        const double share = covered(i, f->ways);
        for (unsigned m = 0; m < WS_OWNER_MESSAGES; m++)
            u->owner[m] += share * (double)c->near[i][m] + (1 - share) * (double)c->far[i][m];
    }
}

/* Between the sizes of the profile's buffers, by logarithms. */
static double at_lines(const uint64_t *of, double lines)
{
    unsigned i = 0;
    if (isinf(lines))
        return (double)of[WS_PROFILE_BUFFERS - 1];
    while (i + 2 < WS_PROFILE_BUFFERS && lines > ws_profile_buffer[i])
        i++;
    if (!i || lines >= ws_profile_buffer[i])
        return (double)of[i];
    const double share =
        log2(lines / ws_profile_buffer[i - 1]) / log2((double)ws_profile_buffer[i] / ws_profile_buffer[i - 1]);
    return (1 - share) * (double)of[i - 1] + share * (double)of[i];
}

/* Of a row by distance in a set: what lies within the ways of an L1. */
static double within_ways(const uint64_t row[WS_PROFILE_BINS], double ways)
{
    double sum = 0;
    for (unsigned i = 0; i < WS_PROFILE_BINS; i++)
        sum += covered(i, ways) * (double)row[i];
    return sum;
}

/* Of a row that was measured with L1s of each of the profile's ways: straight between them; `none` where there is no
 * way. */
static double at_ways(const uint64_t row[WS_PROFILE_BINS - 1], double none, double ways)
{
    double value = none;
    for (unsigned i = 0; i < WS_PROFILE_BINS - 1; i++)
        value += covered(i, ways) * ((double)row[i] - (i ? (double)row[i - 1] : none));
    return value;
}

/* Updates in lines of the L1: as parts of what comes; and loads find their data as often as beside these lines. */
static void add_beside(const ws_closed_form *f, const ws_traffic_rung *r, double alone, ws_closed_reuse *u)
{
    const double came = (double)r->update_requests;
    u->update_hits = within_ways(r->beside_updates, f->ways) / came;
    u->update_words = at_ways(r->beside_words, (double)r->update_asked, f->ways);
    u->update_reads = f->machine.fetches ? 1 - within_ways(r->beside_fetches, f->ways) / came : 0;
    const double share = alone > 0 ? within_ways(r->beside_loads[f->machine.fetches], f->ways) / alone : 1;
    double loads = 0, sectors = 0;
    for (unsigned i = 0; i < WS_PROFILE_BINS; i++) {
        loads += (double)r->bin[i].loads[WS_PASS_ORDER];
        sectors += (double)r->bin[i].sectors;
    }
    u->sectors += loads > 0 ? (1 - share) * u->tag_hits * sectors / loads : 0;
    u->tag_hits *= share;
    u->expired *= share;
}

/* Buffers of updates: as parts of what comes to them. `alone`: loads that find their line where updates lie elsewhere.
 */
static void add_sums(const ws_closed_form *f, const ws_traffic_rung *r, double alone, ws_closed_reuse *u)
{
    const double came = (double)r->update_requests, lines = f->machine.buffer_lines;
    if (!f->machine.sums || came == 0)
        return;
    if (f->machine.beside_data) {
        add_beside(f, r, alone, u);
    } else {
        u->update_hits = lines > 0 ? at_lines(r->update_hits, lines) / came : 0;
        u->update_words = lines > 0 ? at_lines(r->update_words, lines) : (double)r->update_asked;
    }
    u->update_words = u->update_hits < 1 ? u->update_words / (came * (1 - u->update_hits)) : 0;
}

unsigned ws_closed_slicing(double slices)
{
    unsigned at = 0;
    for (unsigned i = 1; i < WS_PROFILE_SLICINGS; i++)
        if (fabs(log2(ws_profile_slices[i] / slices)) < fabs(log2(ws_profile_slices[at] / slices)))
            at = i;
    return at;
}

static void add_groups(const ws_closed_form *f, const ws_traffic_rung *r, ws_closed_reuse *u)
{
    const ws_closed_machine *const m = &f->machine;
    const unsigned misses = (m->sectored ? WS_GROUP_PARTIAL : 0u) | (m->evicts ? WS_GROUP_STORED : 0u);
    const double times = m->sectored && f->traits & COPIES ? comings(f, r) : 1;
    double near = 0, hits = 0, sectors = 0;
    for (unsigned i = 0; i < WS_PROFILE_BINS; i++) {
        const double share = f->traits & COPIES ? covered(i, f->ways) : 0;
        u->groups += (double)r->groups[0][i];
        near += share * (double)r->groups[0][i];
        hits += share * (double)r->groups[misses][i];
        u->sectors += (1 - share) * (double)r->bin[i].sectors;
        sectors += share * (double)r->bin[i].new_sectors;
    }
    u->hit_groups = fmax(0, near - times * (near - hits));
    u->sectors += times * sectors;
    for (unsigned i = 0; i < WS_PROFILE_SLACKS; i++)
        u->slack[i] = (double)r->group_slack[i];
    u->far_groups = (double)r->groups_far;
    u->joined_groups = f->traits & COPIES ? fmin((double)r->groups_joined, u->hit_groups) : 0;
    u->requests = (double)r->requests;
    u->busiest = (double)r->busiest[ws_closed_slicing(m->slices)];
}

static ws_closed_reuse reuse_of(const ws_closed_form *f, const ws_traffic_rung *r, double lease)
{
    ws_closed_reuse u = {.jumps = (double)r->jumps,
                         .grown = r->last_ts ? (double)(r->last_ts - 1) : 0,
                         .l2_misses = (double)r->l2_misses,
                         .writebacks = (double)r->writebacks};
    for (unsigned kind = 0; kind < WS_LOG_FETCHED; kind++)
        u.fetch_misses[kind] = (double)r->fetch_misses[kind];
    const bool aging = f->machine.aging;
    add_groups(f, r, &u);
    u.held = f->traits & AGE ? at_lease(r->held + (f->traits & STRONG ? WS_CLOCK_STRONG : 0), lease)
                             : (double)r->held[clock_of(f)];
    if (f->traits & STRONG)
        u.store_wait = at_lease(aging ? r->late_wait + WS_PROFILE_LEASES : r->store_wait, lease);
    if (f->traits & FENCES_WAIT)
        u.fence_wait = at_lease(aging ? r->late_wait : r->fence_wait, lease);
    if (aging && f->traits & AGE)
        u.cycles = at_lease(r->late_cycles + (f->traits & STRONG ? WS_PROFILE_LEASES : 0), lease);
    if (aging && !(f->traits & (AGE | OWNERS)))
        u.cycles = (double)r->late_cycles[clock_of(f)];
    if (f->traits & OWNERS)
        add_owners(f, &r->owner[aging ? WS_OWNER_LATE : WS_OWNER_AT_ONCE], &u);
    if (aging)
        u.fence_cycles = dear_fences(&f->machine, r);
    if (!(f->traits & COPIES)) {
        add_sums(f, r, 0, &u);
        return u;
    }
    if (aging)
        u.joined = f->traits & AGE ? at_lease(r->joined + (f->traits & STRONG ? WS_CLOCK_STRONG : 0), lease)
                                   : (double)r->joined[clock_of(f)];
    u.young = at_lease(r->young, f->machine.l2_cycles);
    const near_loads within = loads_within(f, r, lease);
    add_ended(f, &within, &u);
    add_sums(f, r, within.ordered, &u);
    u.polls_renewed = f->traits & LOGICAL ? (double)r->polls_renewed[logic_of(f)] : 0;
    return u;
}

static ws_closed_reuse mean_reuse(const ws_closed_form *f, const around *a, double lease)
{
    ws_closed_reuse mean = {0};
    double *const into = (double *)&mean;
    for (unsigned i = 0; i < RUNGS_AROUND; i++) {
        if (a->weight[i] == 0)
            continue;
        const ws_closed_reuse u = reuse_of(f, a->rung[i], lease);
        const double *const from = (const double *)&u;
        for (size_t k = 0; k < sizeof u / sizeof *from; k++)
            into[k] += a->weight[i] * from[k];
    }
    return mean;
}

/* ------------------------------------------------------------------------------------------------ a launch */

static void send(const ws_closed_form *f, ws_closed_result *r, ws_message_type type, double n, uint32_t payload)
{
    const uint32_t bytes = ws_message_bytes(f->coherence, type, payload, &f->machine.sizes);
    const uint32_t flits = ws_message_flits(bytes, &f->machine.sizes);
    r->messages[type] += n;
    r->bytes[type] += n * bytes;
    r->flits[type] += n * flits;
    if (!on_network[type])
        return;
    r->network_bytes += n * bytes;
    r->network_flits += n * flits;
}

static void send_atomics(const ws_closed_form *f, ws_closed_result *r, double n, uint32_t words)
{
    send(f, r, WS_MESSAGE_ATOMIC, n, words * WORD);
    send(f, r, WS_MESSAGE_ATOMIC_ACK, n, words * WORD);
}

/* Of so many words, done at L2. */
static double atomics_of(const ws_closed_form *f, const ws_log_totals *t, uint32_t words)
{
    const bool sums = f->machine.sums;
    const uint64_t all = t->atomic_words[words] - (sums ? t->update_words[words] : 0),
                   again = t->again_words[words] - (sums ? t->again_updates[words] : 0);
    return (double)(all - (f->machine.combines ? again : 0));
}

static void send_stores(const ws_closed_form *f, const ws_log_totals *t, ws_closed_result *r)
{
    for (uint32_t words = 0; words <= WS_LOG_WORDS; words++) {
        const double stores = (double)t->store_words[words], atomics = atomics_of(f, t, words);
        if (stores > 0) {
            send(f, r, WS_MESSAGE_WRITE, stores, words * WORD);
            send(f, r, WS_MESSAGE_ACK, stores, 0);
        }
        if (atomics > 0)
            send_atomics(f, r, atomics, words);
    }
}

/* SMs sum updates up: what their buffers send, in messages of as many words as these have on average. */
static void send_sums(const ws_closed_form *f, const ws_closed_reuse *u, const ws_log_totals *t, ws_closed_result *r)
{
    double entries = 0;
    if (!f->machine.sums)
        return;
    for (uint32_t words = 0; words <= WS_LOG_WORDS; words++)
        entries += (double)t->update_words[words];
    r->update_hits = u->update_hits * (double)t->updates;
    r->update_messages = (double)t->updates - r->update_hits;
    r->updates_kept = entries;
    r->update_reads = u->update_reads * (double)t->updates;
    send(f, r, WS_MESSAGE_READ, r->update_reads, 0);
    send(f, r, WS_MESSAGE_FILL, r->update_reads, 0);
    const double below = floor(u->update_words), more = u->update_words - below;
    send_atomics(f, r, r->update_messages * (1 - more), (uint32_t)below);
    if (more > 0)
        send_atomics(f, r, r->update_messages * more, (uint32_t)below + 1);
}

static double greatest(double a, double b)
{
    return a > b ? a : b;
}

double ws_closed_flits_up(const ws_closed_result *one)
{
    double up = 0;
    for (int type = 0; type < WS_MESSAGE_COUNT; type++)
        up += goes_up[type] ? one->flits[type] : 0;
    return up;
}

/* Of the busiest unit of an SM; and shared memory's. */
static double unit_time(const ws_closed_machine *m, const ws_launch_work *w, double sms)
{
    double unit[WS_UNITS], busiest = (double)w->shared_passes / m->shared_passes;
    ws_closed_units(m, w, unit);
    for (unsigned i = 0; i < WS_UNITS; i++)
        busiest = greatest(busiest, unit[i]);
    return busiest / sms;
}

/* Sets the times of resources alone. */
static void set_alone(const ws_closed_form *f, const ws_traffic_profile *p, ws_closed_result *r)
{
    const ws_closed_machine *const m = &f->machine;
    const double sms = (double)least(m->coherence.sms, p->blocks ? p->blocks : 1);
    const double up = ws_closed_flits_up(r), ports = greatest(1, fmin(sms, m->slices));
    r->unit_cycles = unit_time(m, &p->work, sms);
    r->issue_cycles = (double)p->total.instructions / (sms * m->issue);
    r->l1_cycles = (r->loads + r->stores + r->atomics) / (sms * m->l1_ports);
    r->network_cycles = greatest(up / m->network_flits, (r->network_flits - up) / m->answer_flits) / ports;
    r->memory_cycles = (r->memory_reads + r->memory_writes) * m->sizes.block_bytes / m->memory_bytes;
}

/* Every access may send something, so all are scaled alike. */
static ws_closed_result predict_owners(const ws_closed_form *f, const ws_closed_reuse *u, double lines,
                                       const ws_closed_result *totals)
{
    ws_closed_result r = *totals;
    for (unsigned m = 0; m < WS_OWNER_MESSAGES; m++)
        send(f, &r, owner_messages[m], u->owner[m] * lines, 0);
    r.l1_hits = fmax(0, r.loads - r.messages[WS_MESSAGE_READ]);
    send(f, &r, WS_MESSAGE_DRAM_READ, u->l2_misses * lines, 0);
    send(f, &r, WS_MESSAGE_DRAM_FILL, u->l2_misses * lines, 0);
    send(f, &r, WS_MESSAGE_DRAM_WRITE, u->writebacks * lines, 0);
    r.l1_accesses = r.loads + r.stores + r.atomics;
    r.l2_accesses = r.messages[WS_MESSAGE_READ] + r.messages[WS_MESSAGE_OWN] + r.messages[WS_MESSAGE_PUT];
    r.memory_reads = u->l2_misses * lines;
    r.memory_writes = u->writebacks * lines;
    r.flit_hops = r.network_flits * f->machine.hops;
    return r;
}

/* A launch: its messages, and the counts behind them. */
typedef struct ws_closed_prediction {
    ws_closed_result result;
    ws_closed_reuse reuse;
    double cycles; /* of the profile's clock; 0: the form has none */
} ws_closed_prediction;

/* Reduces fills from lines to the sectors that loads bring. */
static void narrow_fills(const ws_closed_form *f, ws_closed_result *r, double sectors)
{
    const double fills = r->messages[WS_MESSAGE_FILL], block = f->machine.sizes.block_bytes;
    if (fills <= 0)
        return;
    const double bytes = r->bytes[WS_MESSAGE_FILL] - fills * block + fmin(fills * block, sectors * WS_PROFILE_SECTOR),
                 flits = fills * ceil(bytes / fills / f->machine.sizes.flit_bytes);
    r->network_bytes += bytes - r->bytes[WS_MESSAGE_FILL];
    r->network_flits += flits - r->flits[WS_MESSAGE_FILL];
    r->bytes[WS_MESSAGE_FILL] = bytes;
    r->flits[WS_MESSAGE_FILL] = flits;
}

static ws_closed_prediction predict(const ws_closed_form *f, const ws_traffic_profile *p, double lease)
{
    const uint32_t residents = ws_closed_form_residents(&f->machine, p);
    const around a = rungs_around(p, f->machine.coherence.sms, residents);
    const ws_closed_reuse u = mean_reuse(f, &a, lease);
    const ws_log_totals *const t = &p->total, *const k = &p->kept;
    const double scale = ws_closed_scale((double)(t->loads - t->polls), (double)(k->loads - k->polls));
    const double polls = ws_closed_scale((double)t->polls, (double)k->polls);
    const double stores = ws_closed_scale((double)(t->stores + t->atomics), (double)(k->stores + k->atomics));
    const double lines =
        ws_closed_scale((double)(t->loads + t->stores + t->atomics), (double)(k->loads + k->stores + k->atomics));
    const double cycles = u.cycles * ws_closed_scale((double)t->instructions, (double)k->instructions);
    ws_closed_result r = {.loads = (double)t->loads, .stores = (double)t->stores};
    r.fence_cycles = u.fence_cycles * ws_closed_scale((double)t->wide_fences, (double)k->wide_fences);
    for (uint32_t words = 0; words <= WS_LOG_WORDS; words++)
        r.atomics += atomics_of(f, t, words) + (f->machine.sums ? (double)t->update_words[words] : 0);
    r.l1_hits = (u.tag_hits - u.expired) * scale;
    r.expired = u.expired * scale;
    for (unsigned kind = 0; kind < WS_LOG_FETCHED; kind++)
        r.fetch_misses[kind] = u.fetch_misses[kind] * ws_closed_scale((double)t->fetches, (double)k->fetches);
    r.merged = fmin(u.young * scale, r.l1_hits);
    if (f->traits & OWNERS)
        return (ws_closed_prediction){predict_owners(f, &u, lines, &r), u, cycles};
    r.joined = fmin(u.joined * polls, (double)t->polls);
    const double lines_read = r.loads - r.l1_hits - r.joined, sectors = u.sectors * scale,
                 reads = f->machine.splits ? greatest(lines_read, sectors) : lines_read,
                 renewals = u.renewed * scale + u.polls_renewed * polls;
    send(f, &r, WS_MESSAGE_READ, reads, 0);
    send(f, &r, WS_MESSAGE_RENEW, renewals, 0);
    send(f, &r, WS_MESSAGE_FILL, reads - renewals, 0);
    if (f->machine.sectored)
        narrow_fills(f, &r, sectors);
    send_stores(f, t, &r);
    send_sums(f, &u, t, &r);
    send(f, &r, WS_MESSAGE_DRAM_READ, u.l2_misses * lines, 0);
    send(f, &r, WS_MESSAGE_DRAM_FILL, u.l2_misses * lines, 0);
    send(f, &r, WS_MESSAGE_DRAM_WRITE, u.writebacks * lines, 0);
    if (f->traits & LOGICAL)
        r.timestamps = u.grown * stores * (f->machine.coherence.lease + 1.0) / (WS_PROFILE_LEASE + 1.0);
    r.resets = floor(r.timestamps / (exp2(f->machine.coherence.timestamp_bits) - 1));
    r.stall_cycles = u.store_wait * stores + u.fence_wait * ws_closed_scale((double)t->fences, (double)k->fences);
    r.l1_accesses = f->traits & COPIES ? r.loads + r.stores + r.atomics : 0;
    r.l2_accesses = reads + r.stores + r.atomics - r.updates_kept + r.update_messages + r.update_reads;
    r.memory_reads = u.l2_misses * lines;
    r.memory_writes = u.writebacks * lines;
    r.flit_hops = r.network_flits * f->machine.hops;
    return (ws_closed_prediction){r, u, cycles};
}

/* Returns the time of the form, and sets its parts. */
static double take_time(const ws_closed_form *f, const ws_traffic_profile *p, ws_closed_prediction *one)
{
    ws_time_launch launch;
    ws_closed_launch(f, p, &one->result, &one->reuse, &launch);
    return ws_launch_time(&launch, one->result.part);
}

/* Returns the time of the launch, with the same protocol, on the machine of the profile's clocks. Its SMs combine no
 * updates. */
static double profiled_time(const ws_closed_form *f, const ws_traffic_profile *p, double lease)
{
    ws_closed_form measured = *f;
    ws_closed_machine *const m = &measured.machine;
    m->sums = m->combines = m->sectored = m->evicts = m->crowded = m->stalls = false;
    m->holds = m->striped = true;
    m->issue = m->schedulers = m->l1_ports = m->network_flits = m->answer_flits = 1;
    m->slices = WS_PROFILE_SLICES;
    m->mshrs = WS_PROFILE_MSHRS;
    m->l1_cycles = WS_PROFILE_HIT_CYCLES;
    m->l2_cycles = WS_PROFILE_L2_CYCLES;
    m->memory_cycles = WS_PROFILE_MEMORY_CYCLES;
    m->memory_bytes = INFINITY;
    m->shared_passes = INFINITY;
    m->pipeline_cycles = m->launch_cycles = m->dispatch_cycles = 0;
    m->sizes.flit_bytes = WS_PROFILE_FLIT_BYTES;
    for (unsigned i = 0; i < WS_OPERATIONS; i++)
        m->unit_cycles[i] = 0;
    ws_closed_profiled_waits(m);
    measured.ways = WS_PROFILE_WAYS;
    ws_closed_prediction there = predict(&measured, p, lease);
    return take_time(&measured, p, &there);
}

/* ------------------------------------------------------------------------------------------------ bounds */

/* No instruction takes longer than the slowest, behind the slowest. */
static double slowest_of(const ws_closed_machine *m)
{
    double most = greatest(ws_time_slowest(0), m->pipeline_cycles);
    for (unsigned i = 0; i < WS_CHAIN_WAITS; i++)
        most = greatest(most, m->wait_cycles[i] + m->refill_cycles);
    return most;
}

/* An access that waits for no other goes to memory; an owner is asked on its way, and ownership confirmed. Each access
 * may wait for the end of a lease, and each wide fence for its cost. */
static ws_time_work work_of(const ws_closed_form *f, const ws_traffic_profile *p, const ws_closed_result *one)
{
    const ws_closed_machine *const m = &f->machine;
    const ws_log_totals *const t = &p->total;
    const double sms = (double)least(m->coherence.sms, p->blocks ? p->blocks : 1),
                 ports = greatest(1, fmin(sms, m->slices));
    const double lines = one->loads + one->stores + one->atomics, up = ws_closed_flits_up(one),
                 trips = f->traits & OWNERS ? 3 : 1;
    const double leased = f->traits & AGE ? lines + (double)t->fences : 0;
    return (ws_time_work){
        .demand =
            {
                [WS_RESOURCE_issue] = {(double)t->instructions, m->issue, sms},
                [WS_RESOURCE_units] = {unit_time(m, &p->work, 1), 1, sms},
                [WS_RESOURCE_l1] = {lines, m->l1_ports, sms},
                [WS_RESOURCE_requests] = {up, m->network_flits, ports},
                [WS_RESOURCE_answers] = {one->network_flits - up, m->answer_flits, ports},
                [WS_RESOURCE_memory] = {(one->memory_reads + one->memory_writes) * m->sizes.block_bytes,
                                        m->memory_bytes, 1},
            },
        .instructions = (double)t->instructions,
        .instruction_cycles = slowest_of(m),
        .accesses = lines + (double)t->fetches,
        .access_cycles = m->l1_cycles + trips * m->l2_cycles + m->memory_cycles,
        .waits = leased * (m->coherence.lease + 1) + (double)t->wide_fences * m->fence_cycles,
        .fixed = m->launch_cycles + m->dispatch_cycles * (double)p->blocks};
}

/* Returns the ways of an L1 with the profile's number of sets and the capacity that the launch leaves. */
static double ways_of(const ws_closed_form *f, const ws_traffic_profile *p)
{
    const ws_closed_machine *const m = &f->machine;
    if (!m->l1_ways)
        return f->ways;
    const ws_cta_need need = {p->warps_per_block, p->registers, p->shared_bytes};
    const uint64_t used = ws_closed_form_residents(m, p) * ws_residency_shared(&m->room, &need);
    return (double)m->coherence.l1_sets * m->l1_ways(m->context, used) / WS_PROFILE_SETS;
}

/* Returns the time behind the first block. */
static double behind_launch(const ws_closed_prediction *p, double time)
{
    return time - p->result.part[WS_TIME_PART_launch];
}

/* Makes that time `cycles`, with its parts in proportion. Returns the whole. */
static double scale_time(ws_closed_prediction *p, double time, double cycles)
{
    const double own = behind_launch(p, time);
    for (unsigned i = 0; i < WS_TIME_PARTS && own > 0; i++)
        p->result.part[i] *= i == WS_TIME_PART_launch ? 1 : cycles / own;
    return p->result.part[WS_TIME_PART_launch] + cycles;
}

/* Keeps the time, and its parts, within the bounds. NaN stays: ws_time_check() refuses it. */
static void keep_bounds(const ws_time_work *work, ws_closed_result *one)
{
    double low = 0;
    for (unsigned r = 0; r < WS_TIME_RESOURCES; r++)
        low = greatest(low, ws_time_least(work, r));
    low += one->fence_cycles;
    const double high = ws_time_serial(work), kept = one->cycles < low ? low : one->cycles > high ? high : one->cycles;
    for (unsigned i = 0; i < WS_TIME_PARTS && one->cycles > 0; i++)
        one->part[i] *= kept / one->cycles;
    one->cycles = kept;
}

int ws_closed_form_add(const ws_closed_form *form, const char *kernel, const ws_traffic_profile *profile,
                       ws_closed_result *result)
{
    ws_closed_form f = *form; /* as it is for this kernel */
    f.ways = ways_of(form, profile);
    f.machine.sums = f.machine.sums && (!f.machine.sums_of || f.machine.sums_of(f.machine.context, kernel));
    const double lease = f.machine.coherence.lease;
    ws_closed_prediction p = predict(&f, profile, lease);
    double time = take_time(&f, profile, &p);
    if (p.cycles > 0) {
        const double there = profiled_time(&f, profile, lease), own = behind_launch(&p, time),
                     pace = there > 0 && own > 0 ? own / there : 1;
        /* A physical lease is one of fewer cycles of a faster machine, and so is a fence. The clock has the effects
         * that the form lacks: warps of unequal length, barriers, convoys. */
        f.machine.fence_cycles /= pace;
        p = predict(&f, profile, lease / pace);
        time = take_time(&f, profile, &p);
        time = scale_time(&p, time, fmax(p.cycles, LEAST_RATIO * there) * pace);
        p.result.fence_cycles *= pace;
    }
    ws_closed_result *const one = &p.result;
    one->cycles = time + one->fence_cycles;
    one->part[WS_TIME_PART_fences] = one->fence_cycles;
    set_alone(&f, profile, one);
    const ws_time_work work = work_of(form, profile, one);
    keep_bounds(&work, one);
    double *const into = (double *)result;
    const double *const from = (const double *)one;
    for (size_t i = 0; i < sizeof *one / sizeof *from; i++)
        into[i] += from[i];
    return ws_time_check(form->machine.coherence.protocol, kernel, one->cycles, &work);
}
