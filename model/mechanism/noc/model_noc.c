/* model_noc.c - `warpscape model noc`: latency, saturation and power of networks between SMs and memory, by closed
 * forms, beside a mesh. */
#include "base/options/options.h"
#include "base/status.h"
#include "model/mechanism/machine_traces.h"
#include "model/mechanism/mechanism.h"
#include "model/mechanism/noc/noc_loads.h"

#include "model/machine/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16, MOST_VARIANTS = MOST * MOST + 1 };

typedef struct request {
    const char *db, *traffic;
    ws_machine_asked machine;
    struct networks {
        const char *one[MOST];
        size_t count;
    } network;
    struct channels {
        uint32_t one[MOST];
        size_t count;
    } channel;
    struct loads {
        double one[MOST];
        size_t count;
    } load;
    size_t pattern; /* 1 + the word; 0: not given */
} request;

typedef struct run {
    const request *request;
    ws_noc_variant variant[MOST_VARIANTS]; /* the reference first */
    size_t variants;
    ws_work_rows cases;                /* of ws_noc_loads */
    ws_noc_point point[MOST_VARIANTS]; /* of a case */
    ws_frame *frame, *notes;           /* of the run */
} run;

/* Without a load: these parts of what the first of the networks to saturate carries. */
static const double parts[] = {0.1, 0.3, 0.5, 0.7, 0.9};
enum { PARTS = sizeof parts / sizeof *parts };

static const char *const patterns[] = {"many-to-few", "uniform", NULL};

static void take_network(const struct argp_state *state, void *member, char *name)
{
    struct networks *const to = member;
    size_t i = 0;
    while (ws_noc_name(i) && strcmp(ws_noc_name(i), name) != 0)
        i++;
    if (!ws_noc_name(i))
        argp_error(state, "--network: no closed form of '%s'; expected mesh, crossbar, bus, mwsr or swmr", name);
    if (to->count == MOST)
        argp_error(state, "--network is given more than %d times", MOST);
    to->one[to->count++] = name;
}

static void take_channel(const struct argp_state *state, void *member, char *arg)
{
    struct channels *const to = member;
    if (to->count == MOST)
        argp_error(state, "--channel is given more than %d times", MOST);
    to->one[to->count++] = (uint32_t)ws_argp_u64(state, "--channel", arg, 1, 4096);
}

static void take_pattern(const struct argp_state *state, void *member, char *arg)
{
    *(size_t *)member = 1 + ws_argp_choice(state, "--pattern", arg, patterns);
}

static void take_load(const struct argp_state *state, void *member, char *arg)
{
    struct loads *const to = member;
    if (to->count == MOST)
        argp_error(state, "--load is given more than %d times", MOST);
    to->one[to->count++] = ws_argp_double(state, "--load", arg, 1e-6, 1e6);
}

static const ws_option_row option_rows[] = {
    WS_OPTION_CONFIG("MACHINE", request, machine, "The machine: a name of data/configs, or a path [photonic-mwsr]"),
    WS_OPTION_SET(request, machine, "Set an option of the machine, such as network.loop=8; may be repeated"),
    WS_OPTION_TAKE("network", 'n', "NAME", request, network, take_network,
                   "A network in the place of the machine's: mesh, crossbar, bus, mwsr, swmr; may be given again [the "
                   "machine's]"),
    WS_OPTION_TAKE("channel", 0, "BYTES", request, channel, take_channel,
                   "Width of its channels; may be given again [the machine's]"),
    WS_OPTION_TAKE("pattern", 0, "many-to-few|uniform", request, pattern, take_pattern,
                   "Requests of all SMs to all L2 slices and their answers; or from any node to any [many-to-few]"),
    WS_OPTION_TAKE("load", 0, "BYTES", request, load, take_load,
                   "Total bytes of answers, with their lines, per network cycle; may be repeated [shares of the load "
                   "that all networks of the table carry]"),
    WS_OPTION_TEXT("traffic", 0, "FRAME", request, traffic,
                   "A load that was simulated: a frame of `warpscape sim --traffic'; a row for each workload"),
    WS_OPTION_TEXT("db", 'd', "FILE", request, db,
                   "A load from profiles: a results file (`--profile' of suite run, exec and replay); a row for each "
                   "workload"),
    {0},
};

static void check(const struct argp_state *state, const void *asked)
{
    const request *const r = asked;
    if (r->db && r->traffic)
        argp_error(state, "--db or --traffic, not both");
    if ((r->db || r->traffic) && (r->load.count || r->pattern))
        argp_error(state, "--load and --pattern exclude %s", r->db ? "--db" : "--traffic");
}

static bool is_uniform(const request *r)
{
    return r->pattern == 2;
}

static const ws_options options = {
    .rows = option_rows,
    .check = check,
    .refuse = "what is '%s'? Loads are given by --load, --traffic or --db",
    .doc = "Predicts the latency from SMs to memory and back, the capacity of the networks, and their power, without "
           "simulation, compared with a mesh of channels of 16 bytes.\vThe output has a row for each load and network. "
           "Loads are patterns, traffic of a simulation, or profiles. Loads above saturation have no latency. "
           "docs/noc.md has the formulas and their errors against the simulator.\n\nExample:\n  warpscape model noc "
           "--network mwsr --network swmr --channel 16 \\\n      --channel 32 --channel 64 --load 20",
};

/* ------------------------------------------------------------------------------------------------ networks */

static int add_variants(run *r)
{
    const request *const q = r->request;
    const size_t networks = q->network.count ? q->network.count : 1, channels = q->channel.count ? q->channel.count : 1;
    r->variants = 1;
    int status = ws_noc_variant_init_reference(&r->variant[0], &q->machine.choice);
    for (size_t i = 0; i < networks && !status; i++)
        for (size_t k = 0; k < channels && !status; k++)
            status = ws_noc_variant_init(&r->variant[r->variants++], &q->machine.choice,
                                         q->network.count ? q->network.one[i] : NULL,
                                         q->channel.count ? q->channel.one[k] : 0);
    return status;
}

/* --- Loads --- */

/* The smallest load, in bytes of answers, that any of the networks saturates at. */
static int least_saturation(const run *r, double *bytes)
{
    ws_work_rows one = {.bytes = sizeof(ws_noc_loads)};
    ws_noc_point point;
    int status = ws_noc_add_pattern(&one, r->variant[0].machine, "", is_uniform(r->request), 1);
    *bytes = INFINITY;
    for (size_t i = 0; i < r->variants && !status; i++) {
        const ws_noc_loads *const c = one.row[0].kept;
        status = ws_noc_variant_run(&r->variant[i], c->load, 1, &point);
        *bytes = fmin(*bytes, point.saturation);
    }
    ws_noc_cases_free(&one);
    return status;
}

static int add_patterns(run *r)
{
    const request *const q = r->request;
    double most = 1;
    int status = q->load.count ? WS_OK : least_saturation(r, &most);
    const size_t count = q->load.count ? q->load.count : PARTS;
    for (size_t i = 0; i < count && !status; i++)
        status = ws_noc_add_pattern(&r->cases, r->variant[0].machine, patterns[is_uniform(q)], is_uniform(q),
                                    q->load.count ? q->load.one[i] : parts[i] * most);
    return status;
}

/* Whoever measured did it on the machine as it is, not on another network. */
static int add_measured(run *r)
{
    ws_machine *machine;
    int status = ws_machine_choose(&r->request->machine.choice, &machine);
    if (status)
        return status;
    status = r->request->db ? ws_noc_add_profiles(&r->cases, machine, r->request->db, r->notes)
                            : ws_noc_add_traffic(&r->cases, machine, r->request->traffic);
    ws_machine_destroy(machine);
    return status;
}

/* ------------------------------------------------------------------------------------------------ the table */

#define WS_COLUMNS "model/mechanism/noc/noc_columns.def"
#include "model/mechanism/column_names.def"

static int add_point(const run *r, size_t k, const char *const *label)
{
    const ws_noc_point *const p = &r->point[k], *const was = &r->point[0];
    const ws_noc_way *const up = &p->way[0], *const down = &p->way[1];
#include "model/mechanism/column_values.def"
    return ws_frame_add_row(r->frame, label, value);
}

static int note_beyond(const run *r, const char *workload, const ws_noc_variant *v, const ws_noc_point *p)
{
    const double beyond = fmax(p->way[0].beyond, p->way[1].beyond);
    if (beyond <= 0)
        return WS_OK;
    if (beyond < 1)
        return ws_frame_note(r->notes,
                             "above saturation: %s on %s of %u bytes, in frames with %.0f %% of the packets; its "
                             "latency there depends on their duration",
                             workload, v->name, v->channel, 100 * beyond);
    return ws_frame_note(
        r->notes, "beyond saturation: %s on %s of %u bytes carries %.3g times this load of %.4g bytes/network cycle",
        workload, v->name, v->channel, p->saturation, p->way[0].bytes + p->way[1].bytes);
}

static int add_row(const run *r, const char *workload, size_t k)
{
    const ws_noc_variant *const v = &r->variant[k];
    char channel[16];
    snprintf(channel, sizeof channel, "%u", v->channel);
    const char *const label[] = {workload, v->name, channel, k ? "" : "reference"};
    const int status = add_point(r, k, label);
    return status ? status : note_beyond(r, workload, v, &r->point[k]);
}

static int add_case(run *r, const ws_work_row *row)
{
    const ws_noc_loads *const c = row->kept;
    int status = WS_OK;
    for (size_t k = 0; k < r->variants && !status; k++)
        status = ws_noc_variant_run(&r->variant[k], c->load, c->loads, &r->point[k]);
    for (size_t k = 0; k < r->variants && !status; k++)
        status = add_row(r, row->workload, k);
    return status;
}

static int note_machine(const run *r)
{
    const ws_machine *const m = r->variant[1].machine;
    const int status =
        ws_frame_note(r->notes, "machine: %s, network clock %.9g MHz", m->name, m->chip_network_clock / 1000.0);
    return status || r->variant[1].power
               ? status
               : ws_frame_note(r->notes, "missing: watts, as the chip is not given; use --set power.chip=NAME");
}

static int open_variants(ws_prediction_run *of)
{
    run *const r = of->state;
    r->request = of->request;
    r->notes = of->notes;
    r->cases.bytes = sizeof(ws_noc_loads);
    const int status = add_variants(r);
    return status ? status : note_machine(r);
}

static int add_rows(ws_prediction_run *of)
{
    run *const r = of->state;
    r->frame = of->frame;
    int status = r->request->db || r->request->traffic ? add_measured(r) : add_patterns(r);
    for (size_t i = 0; i < r->cases.count && !status; i++)
        status = add_case(r, &r->cases.row[i]);
    return status;
}

static void close_variants(const ws_prediction_run *of)
{
    run *const r = of->state;
    for (size_t i = 0; i < r->variants; i++)
        ws_noc_variant_fini(&r->variant[i]);
    ws_noc_cases_free(&r->cases);
}

const ws_mechanism ws_mechanism_noc = {
    .options = &options,
    .asked = &(const request){.machine.choice.config = "photonic-mwsr"},
    .asked_bytes = sizeof(request),
    .traces = WS_NO_TRACES,
    .model.layout = {{"workload", "network", "channel", "role"}, columns, COLUMNS, "network"},
    .model.state_bytes = sizeof(run),
    .model.open = open_variants,
    .model.finish = add_rows,
    .model.close = close_variants,
    .subject = &ws_subject_noc,
};
