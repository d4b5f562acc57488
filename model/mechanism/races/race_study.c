/* race_study.c - see race_study.h. Each launch goes through three replays, one without race detection, then through the
 * closed forms. */
#include "model/mechanism/races/race_study.h"

#include "base/status.h"
#include "model/coherence/log_replay.h"
#include "model/coherence/race_signature.h"
#include "model/mechanism/races/race_form.h"
#include "model/coherence/traffic_activity.h"
#include "model/machine/closed_machine.h"
#include "model/machine/machine.h"
#include "model/mechanism/ratio.h"
#include "model/mechanism/trace_take.h"
#include "model/power/power.h"

#include <math.h>
#include <stdlib.h>

const char *const ws_race_set_names[WS_RACE_SETS] = {[WS_RACE_FILTERS] = "filter", [WS_RACE_EXACT] = "exact"};

enum { SINK_LOG, SINK_PROFILE, SINKS };
static const char without[] = "noncoherent"; /* the same caches, and nobody tells them of stores */

/* A replay, and what it had done before this launch. */
typedef struct replay {
    ws_coherence_replay *of;
    uint64_t now;
    ws_coherence_traffic sum, before;
} replay;

typedef struct study {
    const ws_race_study_options *options;
    ws_race_study *out;
    ws_closed_machine closed;
    ws_closed_form *form;
    ws_profiler *profiler;
    ws_power *power; /* NULL: nobody said of which chip */
    replay with[WS_RACE_SETS], plain;
    ws_race_ages *ages[WS_RACE_SETS];
    ws_race_aged launch[WS_RACE_SETS]; /* of the launch that is looked at */
    double waited[WS_RACE_SETS];       /* cycles of SMs that wait for each answer, all launches */
    size_t log_limit;
    ws_activity time; /* of all launches: what leaks */
} study;

/* ------------------------------------------------------------------------------------------------ made and freed */

static int create_replay(const study *s, const char *protocol, bool exact, replay *out)
{
    ws_coherence_config config = s->closed.coherence;
    if (config.race.ahead) { /* nothing is under way when an access is replayed: few signatures need to be kept */
        config.race.ahead = false;
        config.race.slots = config.race.depth + ws_coherence_defaults.race.slots;
    }
    config.protocol = protocol;
    config.race.exact |= exact;
    out->now = 1;
    return ws_coherence_replay_create(&config, &s->closed.sizes, &out->of);
}

static int create_form(study *s)
{
    ws_closed_machine timed = s->closed;
    timed.coherence.protocol = without;
    return ws_closed_form_create(&timed, &s->form);
}

static int begin(study *s)
{
    const ws_machine *const m = s->options->machine;
    if (m->coherence_race_store_epoch)
        return ws_fail(
            WS_EUNSUPPORTED,
            "configuration %s: coherence.race_store_epoch is 1, and traces are replayed line by line; expected 0",
            m->name);
    if (!ws_machine_detects_races(m))
        return ws_fail(WS_EUNSUPPORTED,
                       "configuration %s: coherence.protocol = %s detects no races; give drd, drd-spec or drd-ideal",
                       m->name, ws_machine_protocol(m));
    int status = ws_closed_machine_of(m, ws_machine_protocol(m), &s->closed);
    if (!status)
        status = create_form(s);
    for (int i = 0; i < WS_RACE_SETS && !status; i++)
        status = create_replay(s, ws_machine_protocol(m), i == WS_RACE_EXACT, &s->with[i]);
    for (int i = 0; i < WS_RACE_SETS && !status; i++)
        status = ws_race_ages_create(s->closed.coherence.sms, &s->ages[i]);
    if (!status)
        status = create_replay(s, without, false, &s->plain);
    if (!status)
        status = ws_profiler_create(&s->profiler);
    if (!status && ws_machine_has_chip(m))
        status = ws_power_create(m, &(ws_power_options){0}, &s->power);
    return status;
}

static void end(study *s)
{
    for (int i = 0; i < WS_RACE_SETS; i++) {
        ws_coherence_replay_destroy(s->with[i].of);
        ws_race_ages_destroy(s->ages[i]);
    }
    ws_coherence_replay_destroy(s->plain.of);
    ws_closed_form_destroy(s->form);
    ws_profiler_destroy(s->profiler);
    ws_power_destroy(s->power);
}

/* ------------------------------------------------------------------------------------------------ a launch */

#define IN_LAUNCH(replay, member) ((double)((replay)->sum.member - (replay)->before.member))

static double capacity_of(const study *s)
{
    const ws_race_config *const r = &s->closed.coherence.race;
    return r->capacity ? r->capacity : r->bits / 8.0;
}

static int replay_launch(const study *s, replay *r, const ws_access_log *log, uint32_t residents)
{
    r->before = r->sum;
    const int status = ws_log_replay(r->of, log, s->closed.coherence.sms, residents, &r->now);
    if (!status)
        ws_coherence_replay_sum(r->of, &r->sum);
    return status;
}

static int predict_launch(study *s, int set, const ws_access_log *log, uint32_t residents)
{
    const ws_coherence_config *const g = &s->closed.coherence;
    const replay *const r = &s->with[set];
    ws_race_predicted *const p = &s->out->with[set].form;
    ws_race_aged *const aged = &s->launch[set];
    const double stores = IN_LAUNCH(r, races.store_syncs), races = IN_LAUNCH(r, races.race_syncs);
    const double units = fmax(1, ws_part(IN_LAUNCH(r, races.detector_writes), stores * (g->sms - 1)));
    const ws_race_ages_machine machine = {.sms = g->sms,
                                          .residents = residents,
                                          .sets = g->l1_sets,
                                          .ways = g->l1_ways,
                                          .hits = g->race.hits,
                                          .depth = g->race.depth,
                                          .units = units,
                                          .capacity = capacity_of(s),
                                          .races = races};
    const ws_race_form at_random = {.sms = g->sms, /* SMs that store alike */
                                    .store_syncs = stores,
                                    .race_syncs = races,
                                    .units = units,
                                    .capacity = machine.capacity};
    ws_race_syncs random;
    *aged = (ws_race_aged){0};
    int status = ws_race_ages_add(s->ages[set], log, &machine, aged);
    if (!status)
        status = ws_race_form_syncs(&at_random, &random);
    if (status)
        return status;
    if (!g->race.depth)
        aged->signatures = 0; /* SMs have no use for them */
#define ADD(member) p->aged.member += aged->member;
    /* clang-format off */
    ADD(loads) ADD(misses) ADD(expired) ADD(filtered) ADD(random_expired) ADD(random_filtered)
    ADD(checks) ADD(writes) ADD(forced) ADD(signatures)
    /* clang-format on */
#undef ADD
            p->random_forced += random.forced;
    p->detector_writes += stores * (g->sms - 1) * units;
    return WS_OK;
}

static int see_log(study *s, const ws_launch *launch, const ws_access_log *log)
{
    const ws_traffic_profile shape = {.warps_per_block = launch->warps_per_block,
                                      .registers = launch->registers,
                                      .shared_bytes = launch->shared_bytes};
    const uint32_t residents = ws_closed_form_residents(&s->closed, &shape);
    int status = replay_launch(s, &s->plain, log, residents);
    for (int i = 0; i < WS_RACE_SETS && !status; i++) {
        status = replay_launch(s, &s->with[i], log, residents);
        if (!status)
            status = predict_launch(s, i, log, residents);
    }
    s->out->launches++;
    return status;
}

/* To the detector, which a request need not pass L2 for, and back. */
static double trip_of(const study *s)
{
    const ws_machine *const m = s->options->machine;
    const double l2 = (double)m->l2_latency * m->chip_core_clock / m->chip_l2_clock;
    return s->closed.l2_cycles - l2 + s->closed.coherence.race.latency;
}

/* SMs that have a block wait for each of their requests, one after the other. */
static void see_time(study *s, const ws_launch *launch, const ws_closed_result *time)
{
    const double sms = fmin((double)launch->blocks, s->closed.coherence.sms), trip = trip_of(s);
    const double cycles = s->closed.launch_cycles + time->cycles;
    for (int i = 0; i < WS_RACE_SETS; i++) {
        const ws_race_aged *const a = &s->launch[i];
        const double requests = (a->misses + a->expired + a->checks + a->writes) / sms;
        s->waited[i] += cycles * ws_race_form_slowdown(requests, trip, s->options->hidden, cycles);
    }
    s->out->cycles += cycles;
}

static int see_profile(study *s, const ws_launch *launch, const void *state)
{
    ws_traffic_profile *const profile = malloc(sizeof *profile);
    ws_closed_result one = {0};
    ws_activity did = {0};
    int status = profile ? ws_profiler_finish(s->profiler, launch, state, profile) : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        status = ws_closed_form_add(s->form, launch->kernel, profile, &one);
    if (!status) {
        ws_launch_activity(&s->closed, profile, &one, &did);
        s->time.core_cycles[0] += did.core_cycles[0];
        s->time.sm_busy_cycles[0] += did.sm_busy_cycles[0];
        s->time.sm_idle_cycles[0] += did.sm_idle_cycles[0];
        see_time(s, launch, &one);
    }
    free(profile);
    return status;
}

static int take(void *context, const ws_launch *launch, size_t sink, void *state)
{
    study *const s = context;
    return sink == SINK_LOG ? see_log(s, launch, state) : see_profile(s, launch, state);
}

/* ------------------------------------------------------------------------------------------------ all launches */

static void find_joules(const study *s, const ws_race_counts *counts, double *filter_j, double *detector_j)
{
    ws_activity did = s->time;
    ws_energy e = {0};
    *filter_j = *detector_j = NAN;
    if (!s->power)
        return;
    ws_race_activity(counts, &did);
    ws_power_energy(s->power, &did, &e);
    *filter_j = e.dynamic[WS_POWER_filter] + e.leakage[WS_POWER_filter];
    *detector_j = e.dynamic[WS_POWER_detector] + e.leakage[WS_POWER_detector];
}

/* What closed forms say of filters and of the detector, in whole numbers. */
static ws_race_counts counts_of(const ws_race_predicted *p)
{
    return (ws_race_counts){.filter_reads = (uint64_t)llround(p->filter_reads),
                            .signatures = (uint64_t)llround(p->aged.signatures),
                            .detector_reads = (uint64_t)llround(p->detector_reads),
                            .detector_writes = (uint64_t)llround(p->detector_writes)};
}

/* Mistakes of filters: of signatures as full as epochs leave them, by look-ups of as many units. */
static double mistakes_of(const study *s, const ws_coherence_traffic *did, bool exact)
{
    const ws_race_config *const r = &s->closed.coherence.race;
    const ws_race_counts *const c = &did->races;
    const double epochs = (double)(c->store_syncs + c->race_syncs + c->forced_syncs);
    return exact ? 0
                 : ws_race_form_mistaken(
                       &(ws_race_filter){.bits = r->bits,
                                         .hashes = r->hashes,
                                         .capacity = capacity_of(s),
                                         .entries = ws_part((double)c->entries, epochs),
                                         .units = ws_part((double)c->detector_reads, (double)c->probes)});
}

/* Answers of the detector ahead of data: to all requests where SMs stall for them, else to those that wait for memory.
 */
static double told_of(const study *s, const ws_race_predicted *p)
{
    if (!ws_machine_races_cost(s->options->machine))
        return 0;
    return ws_coherence_races_stall(s->closed.coherence.protocol) ? p->aged.misses + p->aged.expired + p->aged.writes
                                                                  : (double)s->plain.sum.messages[WS_MESSAGE_DRAM_READ];
}

/* Bytes on the network of a signature with the mean number of entries. */
static double signature_bytes(const ws_race_config *r, double entries)
{
    const ws_signature_shape shape = {.bits = r->bits};
    const double set = r->bits * ws_signature_fill(r->bits, r->hashes, entries);
    return ws_race_wire_bytes(r, ws_signature_run_bytes(&shape, set));
}

static void finish(const study *s, int set)
{
    ws_race_outcome *const o = &s->out->with[set];
    ws_race_predicted *const p = &o->form;
    const ws_race_config *const r = &s->closed.coherence.race;
    const ws_race_counts *const c = &o->did.races;
    o->did = s->with[set].sum;
    o->added_bytes = (double)o->did.network_bytes - (double)s->plain.sum.network_bytes;
    find_joules(s, c, &o->filter_j, &o->detector_j);
    const bool free_of_cost = !ws_machine_races_cost(s->options->machine);
    p->mistaken = mistakes_of(s, &o->did, set == WS_RACE_EXACT || r->exact || free_of_cost);
    const double each = ws_part((double)c->detector_reads, (double)c->probes), wrong = p->aged.filtered * p->mistaken;
    const ws_race_traffic traffic = {.refetches = p->aged.expired + wrong,
                                     .checks = p->aged.checks,
                                     .signatures = p->aged.signatures,
                                     .told = told_of(s, p)};
    p->bytes = ws_race_form_bytes(&traffic, s->closed.sizes.header_bytes, s->closed.sizes.block_bytes,
                                  free_of_cost ? 0 : signature_bytes(r, ws_part(p->aged.entries, p->aged.signatures)));
    p->detector_reads = (p->aged.misses + traffic.refetches + traffic.checks) * each;
    p->filter_reads = p->aged.filtered;
    const ws_race_counts expected = counts_of(p);
    find_joules(s, &expected, &p->filter_j, &p->detector_j);
    p->slowdown = ws_part(s->waited[set], s->out->cycles);
}

static int study_launches(study *s, ws_trace *trace)
{
    const ws_sink log = ws_access_log_sink(&s->log_limit),
                  *const sinks[SINKS] = {[SINK_LOG] = &log, [SINK_PROFILE] = ws_profiler_sink(s->profiler)};
    return ws_trace_take(trace, sinks, SINKS, take, s);
}

int ws_race_study_trace(ws_trace *trace, const ws_race_study_options *options, ws_race_study *out)
{
    study s = {.options = options, .out = out, .log_limit = UINT32_MAX - 1};
    *out = (ws_race_study){0};
    int status = begin(&s);
    if (!status)
        status = study_launches(&s, trace);
    for (int i = 0; i < WS_RACE_SETS && !status; i++)
        finish(&s, i);
    end(&s);
    return status;
}
