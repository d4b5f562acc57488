/* power_buffer.c - buffers of atomics beside L1s: lines of partial updates that are read and written.
 *
 * Joules are those of the study of such buffers, at its node (data/tech/lab_12nm.ini): they are not brought to another
 * one. Their cells are those of the L1 that they are taken from, which leaks with all of them. */
#include "model/power/power_internal.h"

#include "model/machine/atomic_kind.h"
#include "model/tech/lab_tech.h"
#include "model/machine/machine.h"

#include <limits.h>
#include <math.h>

static const double pj = 1e-12;

/* A buffer of an SM, or of a chip: lines read and written. */
static int add_lines(ws_power_build *b, const ws_lab_tech *tech, double lines, const char *what, size_t reads,
                     size_t writes)
{
    const char *const how = ws_buffer_energy_word(b->machine->power_buffers);
    const ws_lab_energy e = ws_lab_energy_of(tech, lines, b->machine->power_buffers == WS_BUFFER_ENERGY_LINEAR);
    const int status =
        ws_power_event(b, reads, e.read_pj * pj, "a line of %g%s, %s: %g pJ", lines, what, how, e.read_pj);
    return status
               ? status
               : ws_power_event(b, writes, e.write_pj * pj, "a line of %g%s, %s: %g pJ", lines, what, how, e.write_pj);
}

int ws_power_add_buffer(ws_power_build *b)
{
    const ws_machine *const m = b->machine;
    uint64_t values[WS_ATOMIC_OPTIONS];
    const ws_atomic_kind *const rule = ws_atomic_of(m, values);
    const bool in_sms = rule->lines;
    if (!in_sms && !m->package_atomic_buffer)
        return WS_OK;
    char path[PATH_MAX];
    ws_lab_tech tech;
    const double taken = in_sms ? rule->lines(values) : 0;
    int status = ws_power_tech_path(m, "lab_", "12nm", path);
    if (!status)
        status = ws_lab_tech_read(path, &tech);
    if (!status && in_sms)
        status = add_lines(b, &tech, taken > 0 ? taken : (double)INFINITY, "", WS_COUNTER(updates_reads, 0),
                           WS_COUNTER(updates_writes, 0));
    if (!status && m->package_atomic_buffer)
        status = add_lines(b, &tech, m->package_atomic_buffer, " of a chip", WS_COUNTER(sums_reads, 0),
                           WS_COUNTER(sums_writes, 0));
    return status;
}
