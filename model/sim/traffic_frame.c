/* traffic_frame.c - the frames that networks keep, by node and type of access.
 *
 * Frames as in N. Goswami, "Power Performance Co-Optimization of Throughput Architecture Using Emerging Technologies"
 * (2013), section 3.2. A packet is counted where it enters and where it leaves: requests at the SM and at the L2 slice,
 * replies the other way round. */
#include "model/sim/traffic_frame.h"

#include "base/status.h"
#include "model/sim/network/traffic.h"
#include "model/machine/machine.h"

#include <inttypes.h>

static const char *const kind_names[] = {
#define KIND(name, meaning) #name,
#include "model/sim/network/traffic_kinds.def"
#undef KIND
};

enum { FRAME, BEGIN, CYCLES, BYTES, RATE, COLUMNS };
enum { ALL = WS_TRAFFIC_KINDS };

/* One node in one frame, as a source or a destination. */
typedef struct cell {
    const ws_network *net;
    uint32_t node;
    bool in;
    size_t frame;
} cell;

static uint64_t bytes_of(const cell *c, int kind)
{
    if (kind != ALL)
        return ws_network_frame_bytes(c->net, c->node, (uint32_t)kind, c->in, c->frame);
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < WS_TRAFFIC_KINDS; i++)
        bytes += ws_network_frame_bytes(c->net, c->node, i, c->in, c->frame);
    return bytes;
}

typedef struct writer {
    const ws_sim *sim;
    const ws_memory_side *side;
    const char *workload, *launch;
    ws_frame *frame; /* NULL while rows are counted */
    size_t rows;
    int status;
} writer;

static void write_row(writer *w, const cell *c, const char *node, bool reply, int kind)
{
    const uint64_t bytes = bytes_of(c, kind);
    if (w->status || (!bytes && kind != ALL))
        return;
    const size_t row = w->rows++;
    if (!w->frame)
        return;
    const char *const label[] = {w->workload, w->launch, node, kind == ALL ? "all" : kind_names[kind],
                                 reply ? "reply" : "request"};
    for (size_t i = 0; i < sizeof label / sizeof *label && !w->status; i++)
        w->status = ws_frame_set_label(w->frame, row, i, label[i]);
    const uint64_t length = ws_network_frame_cycles(c->net), begin = c->frame * length, now = ws_network_now(c->net);
    const uint64_t cycles = now - begin < length ? now - begin : length;
    double *const value = w->frame->value + row * COLUMNS;
    value[FRAME] = (double)c->frame;
    value[BEGIN] = (double)begin;
    value[CYCLES] = (double)cycles;
    value[BYTES] = (double)bytes;
    value[RATE] = (double)bytes / (double)cycles;
}

/* A frame that has just begun holds nothing yet. */
static size_t frames_of(const ws_network *net)
{
    const size_t frames = ws_network_frames(net);
    return ws_network_now(net) > (frames - 1) * ws_network_frame_cycles(net) ? frames : frames - 1;
}

/* What node `number` put into a network (`in`), or got out of it. */
static void write_frames(writer *w, const ws_network *net, uint32_t number, const char *node, bool in, bool reply)
{
    for (size_t frame = 0; frame < frames_of(net); frame++) {
        const cell c = {net, number, in, frame};
        write_row(w, &c, node, reply, ALL);
        for (int kind = 0; kind < WS_TRAFFIC_KINDS; kind++)
            write_row(w, &c, node, reply, kind);
    }
}

/* SMs that share a node are one. */
static void write_node(writer *w, bool of_slice, uint32_t number)
{
    char node[24];
    uint32_t chip;
    const uint32_t cluster = of_slice ? 0 : ws_sim_machine(w->sim)->network_cluster;
    if (cluster && number % cluster)
        return;
    const uint32_t at = ws_memory_side_node(w->side, of_slice, number, &chip);
    snprintf(node, sizeof node, "%s%" PRIu32,
             of_slice  ? "l2_"
             : cluster ? "cluster"
                       : "sm",
             cluster ? number / cluster : number);
    for (ws_direction d = 0; d < WS_DIRECTIONS; d++)
        write_frames(w, ws_memory_side_network(w->side, chip, d), at, node, of_slice == (d == WS_REPLIES),
                     d == WS_REPLIES);
}

/* What a chip sends to the others. */
static void write_chip(writer *w, uint32_t number)
{
    char node[24];
    snprintf(node, sizeof node, "chip%" PRIu32, number);
    for (ws_direction d = 0; d < WS_DIRECTIONS; d++)
        if (ws_memory_side_link(w->side, d))
            write_frames(w, ws_memory_side_link(w->side, d), number, node, true, d == WS_REPLIES);
}

static void write_all(writer *w)
{
    const ws_machine *const m = ws_sim_machine(w->sim);
    w->rows = 0;
    for (uint32_t i = 0; i < ws_machine_sms(m); i++)
        write_node(w, false, i);
    for (uint32_t i = 0; i < ws_machine_slices(m); i++)
        write_node(w, true, i);
    for (uint32_t i = 0; i < m->package_chips; i++)
        write_chip(w, i);
}

int ws_traffic_frame(const ws_sim *sim, const char *workload, const char *launch, ws_frame **out)
{
    static const char *const labels[] = {"workload", "launch", "node", "kind", "direction"};
    static const char *const columns[COLUMNS][2] = {{"frame", ""},
                                                    {"begin", "network cycles"},
                                                    {"cycles", "network cycles"},
                                                    {"bytes", "bytes"},
                                                    {"bytes_per_cycle", "bytes/network cycle"}};
    writer w = {.sim = sim, .side = ws_sim_memory_side(sim), .workload = workload, .launch = launch};
    write_all(&w);
    w.frame = ws_frame_create(w.rows, COLUMNS, sizeof labels / sizeof *labels, labels);
    w.status = w.frame ? WS_OK : ws_fail(WS_EMEM, "no memory for a frame");
    for (size_t i = 0; i < COLUMNS && !w.status; i++)
        w.status = ws_frame_set_column(w.frame, i, columns[i][0], columns[i][1], "");
    if (!w.status)
        write_all(&w);
    const ws_machine *const m = ws_sim_machine(sim);
    if (!w.status)
        w.status = ws_frame_note(w.frame, WS_MACHINE_NOTE ", network clock %.9g MHz, core clock %.9g MHz", m->name,
                                 ws_machine_protocol(m), m->chip_network_clock / 1000.0, m->chip_core_clock / 1000.0);
    if (w.status) {
        ws_frame_destroy(w.frame);
        return w.status;
    }
    *out = w.frame;
    return WS_OK;
}
