/* server.c - see server.h. */
#include "model/control/server.h"

#include "base/frame.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int column_of(const ws_frame *frame, const char *path, const char *name, const char *unit, long *column)
{
    *column = ws_frame_find_column(frame, name);
    if (*column < 0)
        return ws_fail(WS_EINPUT, "%s: no column %s [%s]", path, name, unit);
    const char *const given = frame->column[*column].unit;
    if (*given && strcmp(given, unit))
        return ws_fail(WS_EINPUT, "%s: column %s is in %s, expected %s", path, name, given, unit);
    return WS_OK;
}

static int read_row(const ws_frame *frame, const char *path, size_t row, const long column[3], ws_load *load)
{
    const double *const value = frame->value + row * frame->columns;
    const char *const name = frame->label[row * frame->labels];
    *load = (ws_load){
        .power_w = value[column[0]], .ipc = value[column[1]], .memory_share = column[2] < 0 ? NAN : value[column[2]]};
    if (strlen(name) >= sizeof load->name)
        return ws_fail(WS_EINPUT, "%s: row %zu: '%s' is longer than the %zu characters of a name", path, row + 1, name,
                       sizeof load->name - 1);
    snprintf(load->name, sizeof load->name, "%s", name);
    if (!(load->power_w > 0 && isfinite(load->power_w)))
        return ws_fail(WS_EINPUT, "%s: row %zu (%s): power_w = %g, expected a power above 0 W", path, row + 1, name,
                       load->power_w);
    if (!(load->ipc > 0 && isfinite(load->ipc)))
        return ws_fail(WS_EINPUT, "%s: row %zu (%s): ipc = %g, expected a number above 0", path, row + 1, name,
                       load->ipc);
    if (load->memory_share < 0 || load->memory_share > 1)
        return ws_fail(WS_EINPUT, "%s: row %zu (%s): memory_share = %g, expected 0 to 1", path, row + 1, name,
                       load->memory_share);
    return WS_OK;
}

int ws_loads_read(const char *path, ws_load **out, size_t *count)
{
    ws_frame *frame;
    long column[3];
    int rc = ws_frame_load(path, &frame);
    if (rc)
        return rc;
    ws_load *const loads = calloc(frame->rows ? frame->rows : 1, sizeof *loads);
    if (!loads)
        rc = ws_fail(WS_EMEM, "out of memory");
    if (!rc)
        rc = column_of(frame, path, "power_w", "W", &column[0]);
    if (!rc)
        rc = column_of(frame, path, "ipc", "instr/cycle", &column[1]);
    column[2] = ws_frame_find_column(frame, "memory_share");
    if (!rc && !frame->rows)
        rc = ws_fail(WS_EINPUT, "%s: no loads", path);
    for (size_t i = 0; i < frame->rows && !rc; i++)
        rc = read_row(frame, path, i, column, &loads[i]);
    *count = frame->rows;
    *out = loads;
    if (rc)
        free(loads);
    ws_frame_destroy(frame);
    return rc;
}

int ws_loads_find(const ws_load *loads, size_t count, const char *path, const char *name, const ws_load **out)
{
    char known[512] = "";
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        if (!strcasecmp(loads[i].name, name)) {
            *out = &loads[i];
            return WS_OK;
        }
        if (length < sizeof known)
            length += (size_t)snprintf(known + length, sizeof known - length, "%s%s", i ? " " : "", loads[i].name);
    }
    return ws_fail(WS_ENOTFOUND, "workload %s has no power figures; %s has %s; --loads FILE gives others", name, path,
                   known);
}

/* Scales of a level against the nominal one. */
typedef struct scale {
    double core_dynamic, core_leakage, network_dynamic, network_leakage, clock;
} scale;

static scale scale_of(const ws_control *c, size_t level)
{
    const ws_level *const l = &c->level[level - 1], *const n = &c->level[c->chip_nominal_level - 1];
    const double core = l->core_voltage / n->core_voltage, network = l->network_voltage / n->network_voltage;
    return (scale){.core_dynamic = core * core * l->core_clock / n->core_clock,
                   .core_leakage = core,
                   .network_dynamic = network * network * l->network_clock / n->network_clock,
                   .network_leakage = network,
                   .clock = l->core_clock / n->core_clock};
}

static ws_operating_point point_at(const ws_control *c, const ws_load *load, double memory, size_t level,
                                   unsigned cores)
{
    const scale s = scale_of(c, level);
    const double on = (double)cores / c->chip_cores, leak = c->chip_leakage_share;
    const double core = load->power_w * c->chip_core_share, network = load->power_w * c->chip_network_share;
    const double rest = load->power_w - core - network;
    const double core_fixed = on * core * leak * s.core_leakage, core_active = (1 - leak) * on * core * s.core_dynamic;
    return (ws_operating_point){.level = (unsigned)level,
                                .cores = cores,
                                .fixed_w = rest + core_fixed + network * leak * s.network_leakage,
                                .active_w = core_active + (1 - leak) * network * s.network_dynamic,
                                .core_fixed_w = core_fixed,
                                .core_active_w = core_active,
                                .throughput = 1 / ((1 - memory) / (on * s.clock) + memory)};
}

/* The same from what a model says of the level. */
static ws_operating_point modelled_point(const ws_control *c, const ws_load *load, double memory, size_t level,
                                         unsigned cores)
{
    const double on = (double)cores / c->chip_cores, core_fixed = load->level[level - 1].core_fixed_w * on;
    const double core_active = load->level[level - 1].core_active_w * on;
    const double all = load->level[level - 1].ips / load->level[c->chip_nominal_level - 1].ips;
    return (ws_operating_point){
        .level = (unsigned)level,
        .cores = cores,
        .fixed_w = load->level[level - 1].fixed_w - load->level[level - 1].core_fixed_w + core_fixed,
        .active_w = load->level[level - 1].active_w - load->level[level - 1].core_active_w + core_active,
        .core_fixed_w = core_fixed,
        .core_active_w = core_active,
        .throughput = all / ((1 - memory) / on + memory)};
}

void ws_server_init(const ws_control *c, const ws_load *load, ws_server *server)
{
    const double idle = 1 - load->ipc / c->chip_peak_ipc;
    const double memory = isnan(load->memory_share) ? c->chip_memory_share * (idle > 0 ? idle : 0) : load->memory_share;
    ws_operating_point (*const at)(const ws_control *, const ws_load *, double, size_t, unsigned) =
        load->modelled ? modelled_point : point_at;
    size_t n = 0;
    server->point[n++] = (ws_operating_point){0};
    for (unsigned cores = 1; cores < c->chip_cores; cores++)
        server->point[n++] = at(c, load, memory, 1, cores);
    server->top[0] = 0;
    for (size_t level = 1; level <= c->levels; level++) {
        server->top[level] = n;
        server->point[n++] = at(c, load, memory, level, c->chip_cores);
    }
    for (size_t i = 1; i < n; i++)
        server->point[i].fixed_w += c->chip_host;
    server->points = n;
    server->host_w = c->chip_host;
    server->nominal_w = load->power_w + c->chip_host;
    server->nominal_ips = load->ipc * c->level[c->chip_nominal_level - 1].core_clock * 1e9;
}
