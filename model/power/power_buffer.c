/* power_buffer.c - buffers of atomics beside L1s: lines of partial updates that are read and written.
 *
 * Joules are those of the study of such buffers, at its node (data/tech/lab_12nm.ini): they are not brought to another one. Their cells are those of the L1
 * that they are taken from, which leaks with all of them. */
#include "model/power/power_internal.h"

#include "model/sim/atomic.h"
#include "model/tech/lab.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const double pj = 1e-12;

int ws_power_add_buffer(ws_power_build *b)
{
    const ws_machine *const m = b->machine;
    uint64_t values[WS_ATOMIC_OPTIONS];
    const ws_atomic_ops *const rule = ws_atomic_of(m, values);
    if (!rule || !rule->lines)
        return WS_OK;
    char path[PATH_MAX];
    ws_lab_tech tech;
    const double taken = rule->lines(values), lines = taken > 0 ? taken : (double)INFINITY;
    int status = ws_power_tech_path(m, "lab_", "12nm", path);
    if (!status)
        status = ws_lab_tech_read(path, &tech);
    if (status)
        return status;
    const ws_lab_energy e = ws_lab_energy_of(&tech, lines, !strcmp(m->power_buffers, "linear"));
    status = ws_power_event(b, WS_COUNTER(updates_reads, 0), e.read_pj * pj, "a line of %g, %s: %g pJ", lines, m->power_buffers, e.read_pj);
    return status ? status : ws_power_event(b, WS_COUNTER(updates_writes, 0), e.write_pj * pj, "a line of %g, %s: %g pJ", lines, m->power_buffers, e.write_pj);
}
