/* noc.c - checks of a load, what all forms share, and the load that is too much. */
#include "model/noc/noc_internal.h"

#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int (*solve)(ws_noc_problem *problem);
} forms[] = {
#define FORM(name, summary) {#name, ws_noc_solve_##name},
#include "model/noc/noc_forms.def"
#undef FORM
};
enum { FORMS = sizeof forms / sizeof *forms };

/* So little that nobody waits for anybody; how near the search for saturation comes, in parts of it. */
static const double NEXT_TO_NOTHING = 1e-9, NEAR = 1e-4;

const char *ws_noc_name(size_t index)
{
    return index < FORMS ? forms[index].name : NULL;
}

static int check(const char *kind, const ws_noc_shape *shape, const ws_noc_traffic *traffic)
{
    double rate = 0;
    for (size_t i = 0; i < traffic->flows; i++) {
        const ws_noc_flow *const f = &traffic->flow[i];
        if (f->from >= shape->nodes || f->to >= shape->nodes)
            return ws_fail(WS_EINPUT,
                           "network %s: packets from node %" PRIu32 " to node %" PRIu32 ", but there are %" PRIu32
                           " nodes",
                           kind, f->from, f->to, shape->nodes);
        if (!f->flits || !(f->rate >= 0) || !isfinite(f->rate))
            return ws_fail(WS_EINPUT,
                           "network %s: %g packets a cycle of %" PRIu32 " flits from node %" PRIu32 " to node %" PRIu32,
                           kind, f->rate, f->flits, f->from, f->to);
        rate += f->rate;
    }
    if (!(traffic->dispersion >= 1) || !isfinite(traffic->dispersion))
        return ws_fail(WS_EINPUT, "network %s: arrivals have a dispersion of %g, expected 1 or more", kind,
                       traffic->dispersion);
    return rate > 0 ? WS_OK : ws_fail(WS_EINPUT, "network %s: no packets", kind);
}

static void add(ws_noc_time *sum, const ws_noc_time *t, double weight)
{
    sum->queue += weight * t->queue;
    sum->token += weight * t->token;
    sum->serialization += weight * t->serialization;
    sum->flight += weight * t->flight;
    sum->convert += weight * t->convert;
}

/* Packets a cycle of a flow that the network takes. */
static double goes(const ws_noc_problem *p, size_t i)
{
    const ws_noc_flow *const f = &p->traffic->flow[i];
    return f->rate * (p->carried ? p->carried[f->from] : 1);
}

static void finish(const ws_noc_problem *p, ws_noc_result *out)
{
    double rate = 0;
    *out = (ws_noc_result){.latency = INFINITY, .busiest = p->busiest, .utilization = p->utilization};
    if (p->saturated)
        return;
    for (size_t i = 0; i < p->traffic->flows; i++)
        rate += goes(p, i);
    for (size_t i = 0; i < p->traffic->flows; i++) {
        ws_noc_time time = p->each[i];
        time.queue = p->carried && isinf(time.queue) ? 0 : time.queue;
        add(&out->mean, &time, goes(p, i) / rate);
    }
    out->latency = ws_noc_sum(&out->mean);
}

int ws_noc_carry(const char *kind, const ws_noc_shape *shape, const ws_noc_traffic *traffic, double *carried,
                 ws_noc_time *each, ws_noc_result *out)
{
    size_t form = 0;
    while (form < FORMS && strcmp(forms[form].name, kind) != 0)
        form++;
    if (form == FORMS)
        return ws_fail(WS_EINPUT, "no closed form of a network '%s'", kind);
    int status = check(kind, shape, traffic);
    if (status)
        return status;
    ws_noc_problem p = {.shape = shape,
                        .traffic = traffic,
                        .carried = carried,
                        .each = each ? each : calloc(traffic->flows, sizeof *p.each)};
    status = p.each ? forms[form].solve(&p) : ws_fail(WS_EMEM, "out of memory");
    if (!status)
        finish(&p, out);
    if (!each)
        free(p.each);
    return status;
}

int ws_noc_solve(const char *kind, const ws_noc_shape *shape, const ws_noc_traffic *traffic, ws_noc_time *each,
                 ws_noc_result *out)
{
    return ws_noc_carry(kind, shape, traffic, NULL, each, out);
}

/* The load, so many times, without bursts: an idle network is one in which packets are alone, and a batch of its own
 * would count as load. */
static int scaled(const ws_noc_traffic *traffic, double times, ws_noc_flow **flow, ws_noc_traffic *out)
{
    *flow = malloc(traffic->flows * sizeof **flow);
    if (!*flow)
        return ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < traffic->flows; i++) {
        (*flow)[i] = traffic->flow[i];
        (*flow)[i].rate *= times;
    }
    *out = (ws_noc_traffic){.flow = *flow, .flows = traffic->flows, .dispersion = 1};
    return WS_OK;
}

static double rate_of(const ws_noc_traffic *traffic)
{
    double rate = 0;
    for (size_t i = 0; i < traffic->flows; i++)
        rate += traffic->flow[i].rate;
    return rate;
}

static int solve_scaled(const char *kind, const ws_noc_shape *shape, const ws_noc_traffic *traffic, double times,
                        ws_noc_result *out)
{
    ws_noc_flow *flow;
    ws_noc_traffic load;
    int status = scaled(traffic, times, &flow, &load);
    if (status)
        return status;
    status = ws_noc_solve(kind, shape, &load, NULL, out);
    free(flow);
    return status;
}

int ws_noc_idle(const char *kind, const ws_noc_shape *shape, const ws_noc_traffic *traffic, ws_noc_result *out)
{
    const double rate = rate_of(traffic);
    return solve_scaled(kind, shape, traffic, rate > 0 ? NEXT_TO_NOTHING / rate : 1, out);
}

int ws_noc_saturation(const char *kind, const ws_noc_shape *shape, const ws_noc_traffic *traffic, double *times)
{
    ws_noc_result idle, at = {.latency = 0};
    int status = ws_noc_idle(kind, shape, traffic, &idle);
    const double most = status ? 0 : shape->nodes / rate_of(traffic); /* a packet a cycle and node */
    double low = 0, high = most;
    while (!status && high - low > NEAR * high) {
        const double middle = (low + high) / 2;
        status = solve_scaled(kind, shape, traffic, middle, &at);
        *(at.latency < WS_NOC_SATURATED * idle.latency ? &low : &high) = middle;
    }
    *times = low;
    return status;
}
