/* noc_loads.c - see noc_loads.h. */
#include "model/mechanism/noc/noc_loads.h"

#include "base/grow.h"
#include "base/status.h"
#include "model/mechanism/power/power_source.h"
#include "model/activity.h"
#include "model/machine/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REQUEST, REPLY };

void ws_noc_cases_free(ws_work_rows *cases)
{
    for (size_t i = 0; i < cases->count; i++) {
        const ws_noc_loads *const c = cases->row[i].kept;
        for (size_t k = 0; k < c->loads; k++) {
            free(c->load[k].sm);
            free(c->load[k].slice);
        }
        free(c->load);
    }
    ws_work_rows_fini(cases);
}

static int add_load(ws_noc_loads *c, ws_noc_load load)
{
    if (WS_GROW(c->load, c->room, c->loads, 1))
        return WS_EMEM;
    c->load[c->loads++] = load;
    return WS_OK;
}

/* Sizes of messages without and with data, no rates. */
static ws_noc_load sized(const ws_machine *m)
{
    const uint32_t header = ws_noc_machine_bytes(m, REQUEST), line = ws_noc_machine_bytes(m, REPLY);
    return (ws_noc_load){.messages = {{{header, 0}, {line, 0}}, {{header, 0}, {line, 0}}}, .cycles = 1};
}

int ws_noc_add_pattern(ws_work_rows *cases, const ws_machine *m, const char *name, bool uniform, double bytes)
{
    ws_noc_loads *const c = ws_work_rows_add(cases, name, "", 0);
    ws_noc_load load = sized(m);
    load.uniform = uniform;
    load.messages[REQUEST][0].rate = load.messages[REPLY][1].rate = bytes / load.messages[REPLY][1].bytes;
    return c ? add_load(c, load) : WS_EMEM;
}

/* ------------------------------------------------------------------------------------------------ profiles */

/* So many of each size that packets and bytes are right. */
static void split(ws_noc_load *load, unsigned d, double packets, double bytes)
{
    ws_noc_messages *const m = load->messages[d];
    const double with = fmax(0, fmin(packets, (bytes - packets * m[0].bytes) / (m[1].bytes - m[0].bytes)));
    m[0].rate = packets - with;
    m[1].rate = with;
}

static int add_workload(ws_work_rows *cases, const ws_machine *machine, const char *workload, const ws_activity *did)
{
    ws_noc_loads *const c = ws_work_rows_add(cases, workload, "", 0);
    ws_noc_load load = sized(machine);
    const double cycles = (double)did->core_cycles[0] * machine->chip_network_clock / machine->chip_core_clock;
    for (unsigned d = 0; d < WS_NOC_DIRECTIONS; d++)
        split(&load, d, (double)did->network_packets[d] / cycles, (double)did->network_bytes[d] / cycles);
    return c ? add_load(c, load) : WS_EMEM;
}

/* Launches of a workload are stretches that follow one another. */
static int add_stretches(ws_work_rows *cases, const ws_machine *machine, const ws_activity_report *report)
{
    ws_activity_stretch s, next;
    ws_activity sum = {.core_cycles = {0}};
    int status = WS_OK;
    for (size_t i = 0; !status && ws_activity_report_at(report, i, &s); i++) {
        ws_activity_add(&sum, s.did);
        if (ws_activity_report_at(report, i + 1, &next) && !strcmp(next.workload, s.workload))
            continue;
        if (sum.core_cycles[0] && sum.network_packets[REQUEST])
            status = add_workload(cases, machine, s.workload, &sum);
        sum = (ws_activity){.core_cycles = {0}};
    }
    return status;
}

int ws_noc_add_profiles(ws_work_rows *cases, const ws_machine *machine, const char *db, ws_frame *notes)
{
    ws_activity_report *report;
    int status = ws_activity_report_create(WS_ACTIVITY_SIMULATION, &report);
    if (status)
        return status;
    status = ws_power_from_profiles(machine, db, report, notes);
    if (!status)
        status = add_stretches(cases, machine, report);
    if (!status && !cases->count)
        status = ws_fail(WS_ENOTFOUND, "%s: no launch with a profile sends anything over a network", db);
    ws_activity_report_destroy(report);
    return status;
}

/* ------------------------------------------------------------------------------------------------ frames */

typedef struct reader {
    const ws_machine *machine;
    const ws_frame *frame;
    const char *path;
    size_t workload, node, kind, direction; /* label columns */
    size_t begin, cycles, bytes;            /* columns */
} reader;

static int find(const reader *r, const char *what, const char *name, long found, size_t *at)
{
    *at = (size_t)found;
    return found >= 0 ? WS_OK
                      : ws_fail(WS_EINPUT, "%s: no %s '%s': expected a frame of `warpscape sim --traffic'", r->path,
                                what, name);
}

static int find_columns(reader *r)
{
    static const struct {
        const char *name;
        bool is_label;
        size_t offset;
    } columns[] = {
        {"workload", true, offsetof(reader, workload)}, {"node", true, offsetof(reader, node)},
        {"kind", true, offsetof(reader, kind)},         {"direction", true, offsetof(reader, direction)},
        {"begin", false, offsetof(reader, begin)},      {"cycles", false, offsetof(reader, cycles)},
        {"bytes", false, offsetof(reader, bytes)},
    };
    int status = WS_OK;
    for (size_t i = 0; i < sizeof columns / sizeof *columns && !status; i++) {
        const char *const name = columns[i].name;
        void *const at = (char *)r + columns[i].offset;
        status = columns[i].is_label ? find(r, "label", name, ws_frame_find_label(r->frame, name), at)
                                     : find(r, "column", name, ws_frame_find_column(r->frame, name), at);
    }
    return status;
}

static const char *label(const reader *r, size_t row, size_t at)
{
    return r->frame->label[row * r->frame->labels + at];
}

static double value(const reader *r, size_t row, size_t at)
{
    return r->frame->value[row * r->frame->columns + at];
}

/* The load of the row's workload that begins when the row's frame does. */
static int find_load(const reader *r, ws_noc_loads *c, size_t row, ws_noc_load **out)
{
    const double begin = value(r, row, r->begin);
    for (size_t i = c->loads; i-- > 0;)
        if (c->load[i].begin == begin) {
            *out = &c->load[i];
            return WS_OK;
        }
    ws_noc_load load = sized(r->machine);
    load.begin = begin;
    load.cycles = value(r, row, r->cycles);
    load.sm = calloc(r->machine->chip_sms, sizeof *load.sm);
    load.slice = calloc(r->machine->memory_channels * r->machine->l2_slices, sizeof *load.slice);
    const int status = load.sm && load.slice ? add_load(c, load) : ws_fail(WS_EMEM, "out of memory");
    if (status) {
        free(load.sm);
        free(load.slice);
        return status;
    }
    *out = &c->load[c->loads - 1];
    return WS_OK;
}

/* The number behind the name; -1: another name. */
static long number_of(const char *node, const char *name)
{
    const size_t length = strlen(name);
    char *end;
    if (strncmp(node, name, length) != 0 || node[length] < '0' || node[length] > '9')
        return -1;
    const long number = strtol(node + length, &end, 10);
    return *end ? -1 : number;
}

/* Messages that carry data: reads bring it back, the rest of what is no control brings it up; atomics both ways. */
static bool has_data(const char *kind, bool reply)
{
    const bool read = strstr(kind, "_read") != NULL, atomic = strstr(kind, "_atomic") != NULL;
    return strcmp(kind, "control") != 0 && (atomic || read == reply);
}

/* SMs put requests in: these rows say how many messages; what slices put in says how many answers. */
static void add_messages(const reader *r, size_t row, bool reply, ws_noc_load *load)
{
    ws_noc_messages *const m = &load->messages[reply][has_data(label(r, row, r->kind), reply)];
    m->rate += value(r, row, r->bytes) / m->bytes / load->cycles;
}

static int add_row(const reader *r, size_t row, ws_noc_load *load)
{
    const char *const node = label(r, row, r->node);
    const bool reply = !strcmp(label(r, row, r->direction), "reply"), all = !strcmp(label(r, row, r->kind), "all");
    const ws_machine *const m = r->machine;
    const long sm = number_of(node, "sm"), cluster = number_of(node, "cluster"), slice = number_of(node, "l2_");
    const bool from_slice = slice >= 0,
               known = from_slice     ? slice < (long)(m->memory_channels * m->l2_slices)
                       : cluster >= 0 ? m->network_cluster && cluster < (long)(m->chip_sms / m->network_cluster)
                                      : sm >= 0 && sm < (long)m->chip_sms;
    if (!known)
        return ws_fail(WS_EINPUT,
                       "%s: row %zu has node %s, which machine %s does not have; give the --config of the simulation",
                       r->path, row + 1, node, m->name);
    if (!all && from_slice == reply)
        add_messages(r, row, reply, load);
    if (!all)
        return WS_OK;
    const double bytes = value(r, row, r->bytes);
    if (from_slice)
        load->slice[slice] += bytes;
    for (uint32_t i = 0; !from_slice && i < (cluster >= 0 ? m->network_cluster : 1); i++)
        load->sm[(cluster >= 0 ? (uint32_t)cluster * m->network_cluster : (uint32_t)sm) + i] += bytes;
    return WS_OK;
}

static int read_rows(const reader *r, ws_work_rows *cases)
{
    int status = WS_OK;
    for (size_t row = 0; row < r->frame->rows && !status; row++) {
        ws_noc_loads *const c = ws_work_rows_find(cases, label(r, row, r->workload), "", 0, true);
        ws_noc_load *load = NULL;
        status = c ? WS_OK : WS_EMEM;
        if (!status && !(value(r, row, r->cycles) > 0 && value(r, row, r->bytes) >= 0))
            status = ws_fail(WS_EINPUT, "%s: row %zu has %g bytes in %g cycles", r->path, row + 1,
                             value(r, row, r->bytes), value(r, row, r->cycles));
        if (!status)
            status = find_load(r, c, row, &load);
        if (!status)
            status = add_row(r, row, load);
    }
    return status;
}

/* Weights that are all 0, of a frame in which nothing was sent or nothing arrived, become all alike. */
static void spread_evenly(double *weight, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += weight[i];
    for (uint32_t i = 0; i < count && sum <= 0; i++)
        weight[i] = 1;
}

static void spread_silence(const ws_work_rows *cases, const ws_machine *m)
{
    for (size_t i = 0; i < cases->count; i++) {
        const ws_noc_loads *const c = cases->row[i].kept;
        for (size_t k = 0; k < c->loads; k++) {
            spread_evenly(c->load[k].sm, m->chip_sms);
            spread_evenly(c->load[k].slice, m->memory_channels * m->l2_slices);
        }
    }
}

int ws_noc_add_traffic(ws_work_rows *cases, const ws_machine *machine, const char *path)
{
    ws_frame *frame;
    reader r = {.machine = machine, .path = path};
    int status = ws_frame_load(path, &frame);
    if (status)
        return status;
    r.frame = frame;
    status = find_columns(&r);
    if (!status)
        status = read_rows(&r, cases);
    if (!status && !cases->count)
        status = ws_fail(WS_EINPUT, "%s: no rows", path);
    if (!status)
        spread_silence(cases, machine);
    ws_frame_destroy(frame);
    return status;
}
