/* noc_variant.c - see noc_variant.h. */
#include "model/mechanism/noc/noc_variant.h"

#include "base/status.h"
#include "model/machine/network_kind.h"
#include "model/time_bounds.h"
#include "model/machine/machine.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REFERENCE_BYTES = 16, CHANNEL_TEXT = 96 };
static const double KHZ = 1e3;

/* --- Machines --- */

/* Is it about networks? A reference does not have their options, but the same nodes. */
static bool of_network(const char *setting)
{
    if (!strncmp(setting, "network.cluster", strlen("network.cluster")))
        return false;
    return !strncmp(setting, "network.", strlen("network.")) || !strncmp(setting, "reply.", strlen("reply."));
}

static void set_channel(char text[CHANNEL_TEXT], uint32_t channel)
{
    snprintf(text, CHANNEL_TEXT, "network.flit_bytes=%" PRIu32 " bytes\nreply.flit_bytes=%" PRIu32 " bytes", channel,
             channel);
}

/* The networks must be possible, and the power known if there is a chip. */
static int finish(ws_noc_variant *v)
{
    const ws_network_plan *const requests = &v->machine->shape.network[WS_REQUESTS];
    const int status = ws_machine_check(v->machine);
    if (status)
        return status;
    if (v->machine->package_chips > 1)
        return ws_fail(
            WS_EUNSUPPORTED,
            "configuration %s has %u chips, and closed forms are of the networks of one: give --set package.chips=1",
            v->machine->name, v->machine->package_chips);
    v->name = requests->kind->name;
    v->channel = requests->flit_bytes;
    return ws_machine_has_chip(v->machine) ? ws_power_create(v->machine, &(ws_power_options){0}, &v->power) : WS_OK;
}

/* Which network it is comes first, for it takes the options of another along; how wide it is comes last. */
int ws_noc_variant_init(ws_noc_variant *v, const ws_machine_choice *choice, const char *network, uint32_t channel)
{
    ws_machine_choice with = *choice;
    char kind[64], width[CHANNEL_TEXT];
    *v = (ws_noc_variant){.name = ""};
    snprintf(kind, sizeof kind, "network.kind=%s\nreply.kind=" WS_MACHINE_SAME, network ? network : "");
    set_channel(width, channel);
    with.first = network ? kind : NULL;
    with.more = channel ? width : NULL;
    const int status = ws_machine_choose(&with, &v->machine);
    return status ? status : finish(v);
}

int ws_noc_variant_init_reference(ws_noc_variant *v, const ws_machine_choice *choice)
{
    ws_machine_choice with = *choice;
    char width[CHANNEL_TEXT], mesh[CHANNEL_TEXT + 64];
    const char **const nodes = malloc((choice->settings + 1) * sizeof *nodes);
    *v = (ws_noc_variant){.name = ""};
    if (!nodes)
        return ws_fail(WS_EMEM, "out of memory");
    with.setting = nodes;
    with.settings = 0;
    for (size_t i = 0; i < choice->settings; i++)
        if (!of_network(choice->setting[i]))
            nodes[with.settings++] = choice->setting[i];
    set_channel(width, REFERENCE_BYTES);
    snprintf(mesh, sizeof mesh, "network.kind=mesh\nreply.kind=" WS_MACHINE_SAME "\n%s", width);
    with.more = mesh;
    const int status = ws_machine_choose(&with, &v->machine);
    free(nodes);
    return status ? status : finish(v);
}

void ws_noc_variant_fini(ws_noc_variant *v)
{
    ws_power_destroy(v->power);
    ws_machine_destroy(v->machine);
}

/* --- One load on one network --- */

int ws_noc_uniform_flows(const ws_machine *m, unsigned d, const ws_noc_messages *messages, size_t count,
                         ws_noc_flow **flow, size_t *flows)
{
    const uint32_t nodes = ws_machine_nodes(m);
    const uint32_t width = m->shape.network[d].flit_bytes;
    *flows = 0;
    *flow = malloc(count * nodes * nodes * sizeof **flow);
    if (!*flow)
        return ws_fail(WS_EMEM, "out of memory");
    for (uint32_t a = 0; a < nodes; a++)
        for (uint32_t b = 0; b < nodes; b++)
            for (size_t i = 0; i < count && a != b; i++)
                if (messages[i].rate > 0)
                    (*flow)[(*flows)++] = (ws_noc_flow){a, b, (messages[i].bytes + width - 1) / width,
                                                        messages[i].rate / nodes / (nodes - 1)};
    return WS_OK;
}

/* What the networks do with a load, and for how many cycles. */
typedef struct step {
    const ws_noc_variant *variant;
    const ws_noc_load *load;
    double flits[WS_NOC_DIRECTIONS], packets[WS_NOC_DIRECTIONS], bytes[WS_NOC_DIRECTIONS],
        hops[WS_NOC_DIRECTIONS]; /* a cycle; of a flit */
    ws_noc_result idle[WS_NOC_DIRECTIONS], loaded[WS_NOC_DIRECTIONS];
    bool fullest;
    double saturation; /* of the fullest load alone, for it takes many solutions */
} step;

/* No packet comes sooner than through an idle network. Behind others it may wait for any time: the nearer the load to
 * what the network carries. */
static int check_latency(const char *kind, const ws_noc_result *idle, const ws_noc_result *loaded)
{
    const ws_time_work work = {.demand = {[WS_RESOURCE_requests] = {idle->latency, 1, 1}}, .waits = INFINITY};
    return isinf(loaded->latency) ? WS_OK : ws_time_check("noc", kind, loaded->latency, &work);
}

static int solve(step *s, unsigned d, const ws_noc_traffic *t)
{
    const ws_network_kind *const network = s->variant->machine->shape.network[d].kind;
    const char *const kind = network->name;
    const ws_noc_shape shape = ws_noc_machine_shape(s->variant->machine, d);
    double times = INFINITY;
    int status = ws_noc_solve(kind, &shape, t, NULL, &s->loaded[d]);
    if (!status)
        status = ws_noc_idle(kind, &shape, t, &s->idle[d]);
    if (!status)
        status = check_latency(kind, &s->idle[d], &s->loaded[d]);
    if (!status && s->fullest)
        status = ws_noc_saturation(kind, &shape, t, &times);
    s->saturation = fmin(s->saturation, times);
    s->hops[d] = network->medium == WS_MEDIUM_GRID ? (s->idle[d].mean.flight - shape.ends) / shape.router - 1 : 1;
    return status;
}

static int run_direction(step *s, unsigned d)
{
    const ws_noc_load *const l = s->load;
    const ws_noc_spread spread = {l->sm, l->slice};
    ws_noc_flow *flow = NULL;
    double share = 1;
    ws_noc_traffic t = {.dispersion = 1};
    int status = l->uniform
                     ? ws_noc_uniform_flows(s->variant->machine, d, l->messages[d], WS_NOC_SIZES, &flow, &t.flows)
                     : ws_noc_machine_flows(s->variant->machine, d, l->messages[d], WS_NOC_SIZES, &spread, &flow,
                                            &t.flows, &share);
    t.flow = flow;
    for (size_t i = 0; i < t.flows; i++) {
        s->packets[d] += flow[i].rate;
        s->flits[d] += flow[i].rate * flow[i].flits;
    }
    for (size_t i = 0; i < WS_NOC_SIZES; i++)
        s->bytes[d] += share * l->messages[d][i].rate * l->messages[d][i].bytes;
    if (!status && s->packets[d] > 0)
        status = solve(s, d, &t);
    free(flow);
    return status;
}

/* --- Power --- */

/* A second of it, as activity of which the power of networks is made. */
static void add_power(const step *s, ws_noc_point *out)
{
    static const ws_power_component component[WS_NOC_PARTS] = {[WS_NOC_LASER] = WS_POWER_laser,
                                                               [WS_NOC_HEATING] = WS_POWER_heating,
                                                               [WS_NOC_MODULATION] = WS_POWER_modulation,
                                                               [WS_NOC_ARBITRATION] = WS_POWER_arbitration,
                                                               [WS_NOC_ELECTRIC] = WS_POWER_network};
    const ws_machine *const m = s->variant->machine;
    const double cycles = m->chip_network_clock * KHZ;
    ws_activity did = {.core_cycles = {(uint64_t)(m->chip_core_clock * KHZ)}};
    ws_energy energy = {.seconds = 0};
    for (unsigned d = 0; d < WS_NOC_DIRECTIONS; d++) {
        did.network_packets[d] = (uint64_t)(s->packets[d] * cycles);
        did.network_bytes[d] = (uint64_t)(s->bytes[d] * cycles);
        did.network_flits[d] = (uint64_t)(s->flits[d] * cycles);
        did.network_hops[d] = (uint64_t)(s->flits[d] * s->hops[d] * cycles);
    }
    ws_power_energy(s->variant->power, &did, &energy);
    for (size_t i = 0; i < WS_NOC_PARTS; i++)
        out->watts[i] +=
            s->load->cycles * (energy.dynamic[component[i]] + energy.leakage[component[i]]) / energy.seconds;
}

/* --- Loads of a row --- */

static void add_times(ws_noc_time *sum, const ws_noc_time *t, double weight)
{
    sum->queue += weight * t->queue;
    sum->token += weight * t->token;
    sum->serialization += weight * t->serialization;
    sum->flight += weight * t->flight;
    sum->convert += weight * t->convert;
}

/* Sums of packets, and of cycles for what is a mean of time. */
static void add_way(const step *s, unsigned d, ws_noc_way *w)
{
    const double packets = s->packets[d] * s->load->cycles;
    const ws_noc_result *const r = &s->loaded[d];
    w->packets += packets;
    w->bytes += s->bytes[d] * s->load->cycles;
    if (packets <= 0)
        return;
    w->idle += packets * s->idle[d].latency;
    w->busiest += s->load->cycles * r->busiest;
    w->utilization += s->load->cycles * r->utilization;
    if (isinf(r->latency)) {
        w->beyond += packets;
        return;
    }
    w->latency += packets * r->latency;
    add_times(&w->part, &r->mean, packets);
}

static ws_noc_way mean_of(const ws_noc_way *w, double cycles, double clock_hz)
{
    const double carried = w->packets - w->beyond;
    ws_noc_way mean = {.latency = carried > 0 ? w->latency / carried : NAN,
                       .idle = w->packets > 0 ? w->idle / w->packets : NAN,
                       .busiest = w->busiest / cycles,
                       .utilization = w->utilization / cycles,
                       .packets = w->packets / cycles,
                       .bytes = w->bytes / cycles,
                       .beyond = w->packets > 0 ? w->beyond / w->packets : 0};
    if (mean.beyond > 0)
        mean.latency = NAN; /* a mean of those that get through would look like little */
    add_times(&mean.part, &w->part, isnan(mean.latency) ? NAN : 1 / carried);
    mean.nanoseconds = mean.latency / clock_hz * 1e9;
    return mean;
}

static void finish_point(const ws_noc_variant *v, double cycles, ws_noc_point *p)
{
    const double clock_hz = v->machine->chip_network_clock * KHZ;
    for (unsigned d = 0; d < WS_NOC_DIRECTIONS; d++)
        p->way[d] = mean_of(&p->way[d], cycles, clock_hz);
    const bool carried = p->way[0].beyond <= 0 && p->way[1].beyond <= 0;
    for (size_t i = 0; i < WS_NOC_PARTS; i++) {
        const bool known = v->power && (carried || i == WS_NOC_LASER ||
                                        i == WS_NOC_HEATING); /* nobody knows what is carried beyond saturation */
        p->watts[i] = known ? p->watts[i] / cycles : NAN;
        p->total += p->watts[i];
    }
}

static double bytes_of(const ws_noc_load *l)
{
    double bytes = 0;
    for (unsigned d = 0; d < WS_NOC_DIRECTIONS; d++)
        for (size_t i = 0; i < WS_NOC_SIZES; i++)
            bytes += l->messages[d][i].rate * l->messages[d][i].bytes;
    return bytes;
}

static size_t fullest_of(const ws_noc_load *load, size_t loads)
{
    size_t fullest = 0;
    for (size_t i = 1; i < loads; i++)
        fullest = bytes_of(&load[i]) > bytes_of(&load[fullest]) ? i : fullest;
    return fullest;
}

int ws_noc_variant_run(const ws_noc_variant *v, const ws_noc_load *load, size_t loads, ws_noc_point *out)
{
    double cycles = 0;
    const size_t fullest = fullest_of(load, loads);
    int status = WS_OK;
    *out = (ws_noc_point){.saturation = INFINITY};
    for (size_t i = 0; i < loads && !status; i++) {
        step s = {.variant = v, .load = &load[i], .fullest = i == fullest, .saturation = INFINITY};
        for (unsigned d = 0; d < WS_NOC_DIRECTIONS && !status; d++)
            status = run_direction(&s, d);
        for (unsigned d = 0; d < WS_NOC_DIRECTIONS; d++)
            add_way(&s, d, &out->way[d]);
        if (!status && v->power)
            add_power(&s, out);
        cycles += load[i].cycles;
        out->saturation = fmin(out->saturation, s.saturation);
    }
    finish_point(v, cycles, out);
    return status;
}
