/* network_drive.c - see network_drive.h. Sources are Poisson processes, of batches if asked for: times between them are
 * exponential. */
#include "model/sim/network/network_drive.h"

#include "base/grow.h"
#include "base/status.h"

#include <gsl/gsl_randist.h>
#include <stdlib.h>

typedef struct waiting {
    uint64_t created;
    uint32_t to, bytes;
} waiting;

/* Flows of one source, and what it created that the network has no room for yet. */
typedef struct source {
    const ws_network_flow **flow;
    double *upto; /* [flows]: rates so far */
    size_t flows;
    double next; /* time of the next batch */
    waiting *queue;
    size_t first, end, room;
} source;

typedef struct drive {
    ws_network *net;
    const ws_network_load_plan *plan;
    gsl_rng *rng;
    source *source;
    uint32_t sources;
    uint64_t marked, arrived;
    double latency;
} drive;

static double rate_of(const source *s)
{
    return s->flows ? s->upto[s->flows - 1] : 0;
}

static double gap(const drive *d, const source *s)
{
    return gsl_ran_exponential(d->rng, d->plan->batch / rate_of(s));
}

static bool is_marked(const drive *d, uint64_t created)
{
    return created >= d->plan->warm_up && created < d->plan->warm_up + d->plan->measure;
}

static int create_packet(drive *d, source *s, uint64_t now)
{
    const double at = gsl_rng_uniform(d->rng) * rate_of(s);
    size_t low = 0, high = s->flows - 1;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (s->upto[middle] > at)
            high = middle;
        else
            low = middle + 1;
    }
    if (WS_GROW(s->queue, s->room, s->end, 1))
        return WS_EMEM;
    s->queue[s->end++] = (waiting){now, s->flow[low]->to, s->flow[low]->bytes};
    d->marked += is_marked(d, now);
    return WS_OK;
}

static int create_batches(drive *d, source *s, uint64_t now)
{
    int status = WS_OK;
    while (s->flows && s->next < (double)now + 1 && !status) {
        const unsigned packets = d->plan->batch > 1 ? gsl_ran_geometric(d->rng, 1 / d->plan->batch) : 1;
        for (unsigned i = 0; i < packets && !status; i++)
            status = create_packet(d, s, now);
        s->next += gap(d, s);
    }
    return status;
}

static void inject(drive *d, uint32_t node)
{
    source *const s = &d->source[node];
    for (; s->first < s->end; s->first++) {
        const waiting *const w = &s->queue[s->first];
        const ws_packet packet = {.tag = w->created, .source = node, .destination = w->to, .bytes = w->bytes};
        if (!ws_network_has_room(d->net, node, w->bytes) || !ws_network_inject(d->net, &packet))
            return;
    }
    s->first = s->end = 0;
}

static void take(drive *d)
{
    const uint64_t *const arrivals = ws_network_arrivals(d->net);
    for (uint32_t word = 0; word < (d->sources + 63) / 64; word++)
        for (uint64_t rest = arrivals[word]; rest; rest &= rest - 1) {
            ws_packet packet;
            while (ws_network_eject(d->net, word * 64 + (uint32_t)__builtin_ctzll(rest), &packet)) {
                if (!is_marked(d, packet.tag))
                    continue;
                d->arrived++;
                d->latency += (double)(packet.delivered - packet.tag);
            }
        }
}

static int run(drive *d)
{
    int status = WS_OK;
    const uint64_t to = d->plan->warm_up + d->plan->measure;
    for (uint64_t now = 0; !status && (now < to || (d->arrived < d->marked && now < d->plan->give_up)); now++) {
        for (uint32_t n = 0; n < d->sources && !status; n++) {
            status = create_batches(d, &d->source[n], now);
            inject(d, n);
        }
        ws_network_step(d->net, now + 1);
        take(d);
    }
    return status;
}

static int add_flow(source *s, const ws_network_flow *flow, size_t most)
{
    if (!s->flow) {
        s->flow = calloc(most, sizeof *s->flow);
        s->upto = calloc(most, sizeof *s->upto);
    }
    if (!s->flow || !s->upto)
        return ws_fail(WS_EMEM, "out of memory");
    s->flow[s->flows] = flow;
    s->upto[s->flows] = rate_of(s) + flow->rate;
    s->flows++;
    return WS_OK;
}

static int make_sources(drive *d)
{
    const ws_network_load_plan *const p = d->plan;
    size_t *const count = calloc(d->sources, sizeof *count);
    int status = count ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < p->flows && !status; i++)
        count[p->flow[i].from] += p->flow[i].rate > 0;
    for (size_t i = 0; i < p->flows && !status; i++)
        if (p->flow[i].rate > 0)
            status = add_flow(&d->source[p->flow[i].from], &p->flow[i], count[p->flow[i].from]);
    for (uint32_t n = 0; n < d->sources && !status; n++)
        d->source[n].next = d->source[n].flows ? gap(d, &d->source[n]) : 0;
    free(count);
    return status;
}

int ws_network_drive(ws_network *net, const ws_network_load_plan *plan, ws_network_measured *out)
{
    drive d = {.net = net, .plan = plan, .rng = gsl_rng_alloc(gsl_rng_mt19937), .sources = ws_network_nodes(net)};
    d.source = calloc(d.sources, sizeof *d.source);
    int status = d.source && d.rng ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    if (!status) {
        gsl_rng_set(d.rng, plan->seed);
        status = make_sources(&d);
    }
    if (!status)
        status = run(&d);
    for (uint32_t n = 0; d.source && n < d.sources; n++) {
        free(d.source[n].flow);
        free(d.source[n].upto);
        free(d.source[n].queue);
    }
    free(d.source);
    if (d.rng)
        gsl_rng_free(d.rng);
    *out = (ws_network_measured){.latency = d.arrived ? d.latency / (double)d.arrived : 0,
                                 .packets = d.arrived,
                                 .drained = d.arrived == d.marked};
    return status;
}
