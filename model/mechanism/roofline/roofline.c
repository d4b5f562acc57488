/* roofline.c - see roofline.h. */
#include "model/mechanism/roofline/roofline.h"

#include "base/status.h"
#include "model/machine/operation_times.h"
#include "model/time_bounds.h"
#include "model/machine/machine.h"

#include <math.h>
#include <string.h>

enum { SECTOR = WS_ROOFLINE_SECTOR, BANKS = 32, BANK_BYTES = 4, WARP = 32, KHZ = 1000 };

/* Distinct sectors are counted exactly up to this number, beyond with this standard error (metrics/distinct.h). */
static const double exact_sectors = 16384, sketch_error = 1.04 / 128, errors_aside = 5;

const ws_ceiling_row ws_ceiling_table[WS_CEILINGS] = {
#define CEILING(name, word, unit, per, work, rate, meaning) {#name, word, unit, meaning, WS_PER_##per},
#include "model/mechanism/roofline/ceilings.def"
#undef CEILING
};

/* ------------------------------------------------------------------------------------------------ rates */

static double sms(const ws_machine *m)
{
    return ws_machine_sms(m);
}

static double quickest(uint32_t a, uint32_t b, uint32_t c)
{
    return fmin(a, fmin(b, c));
}

static uint32_t or_sp(const ws_machine *m, uint32_t units)
{
    return units ? units : m->sm_sp_units;
}

/* Lanes a cycle: a warp takes 32 / lanes cycles to start, or what its instruction does. */
static double pipe(const ws_machine *m, uint32_t units, double initiation)
{
    return sms(m) * units * WARP / fmax(initiation, (double)WARP / m->sm_lanes);
}

/* Products may be of the SP units. */
static double integer_rate(const ws_machine *m)
{
    const double quick =
        fmin(quickest(m->initiation_int_add, m->initiation_int_max, m->initiation_int_mul), m->initiation_int_mad);
    const uint32_t own = or_sp(m, m->sm_int_units),
                   products = m->sm_products == WS_PRODUCTS_SP && m->sm_int_units ? m->sm_sp_units : 0;
    return pipe(m, own + products, quick);
}

static double l1_width(const ws_machine *m)
{
    const double ports = (double)m->l1_ports * m->l1_line;
    return m->l1_width ? fmin(ports, m->l1_width) : ports;
}

static double l2_width(const ws_machine *m)
{
    return m->l2_port ? m->l2_port : m->l2_line;
}

/* Cycles of an SM for a multiply-add of a product, on its tensor units, or on others where it has none for the kind. */
static void find_product_times(const ws_machine *m, double cycles[WS_MATRIX_KINDS_END])
{
    double all[WS_OPERATIONS];
    uint8_t unit[WS_OPERATIONS];
    ws_decode_operations(m, all, unit);
#define MATRIX_KIND(name, meaning) cycles[WS_MATRIX_##name] = all[WS_OPERATION_matrix_##name];
    WS_MATRIX_KINDS(MATRIX_KIND)
#undef MATRIX_KIND
}

/* Of halves that are summed as floats; a multiply-add is two. */
static double matrix_rate(const ws_machine *m)
{
    double cycles[WS_MATRIX_KINDS_END];
    find_product_times(m, cycles);
    return 2 * sms(m) / cycles[WS_MATRIX_mixed];
}

/* In multiply-adds of halves that are summed as floats. */
static double weighed(const ws_roofline *r, const ws_roofline_counts *c)
{
    double sum = 0;
    for (unsigned i = 0; i < WS_MATRIX_KINDS_END; i++)
        sum += c->product[i] * r->product[i];
    return sum;
}

void ws_roofline_init(const ws_machine *m, ws_roofline *out)
{
    const double rate[WS_CEILINGS] = {
#define CEILING(name, word, unit, per, work, rate, meaning) rate,
#include "model/mechanism/roofline/ceilings.def"
#undef CEILING
    };
    const double l2_bytes = (double)ws_machine_slices(m) * m->l2_sets * m->l2_ways * m->l2_line;
    *out = (ws_roofline){.machine = m, .l2_sectors = l2_bytes / SECTOR, .hertz = KHZ * (double)m->chip_core_clock};
    memcpy(out->rate, rate, sizeof rate);
    find_product_times(m, out->product);
    const double mixed = out->product[WS_MATRIX_mixed];
    for (unsigned i = 0; i < WS_MATRIX_KINDS_END; i++)
        out->product[i] /= mixed;
}

/* ------------------------------------------------------------------------------------------------ times */

void ws_roofline_add(ws_roofline_counts *sum, const ws_roofline_counts *counts)
{
    double *const to = (double *)sum; /* it has nothing else */
    const double *const from = (const double *)counts;
    for (size_t i = 0; i < sizeof *sum / sizeof *to; i++)
        to[i] += from[i];
}

ws_ceiling ws_roofline_times(const ws_roofline *r, const ws_roofline_counts *c, double cycle[WS_CEILINGS])
{
    const double work[WS_CEILINGS] = {
#define CEILING(name, word, unit, per, work, rate, meaning) work,
#include "model/mechanism/roofline/ceilings.def"
#undef CEILING
    };
    ws_ceiling most = WS_CEILING_issue;
    for (unsigned i = 0; i < WS_CEILINGS; i++) {
        cycle[i] = work[i] / r->rate[i];
        if (cycle[i] > cycle[most])
            most = (ws_ceiling)i;
    }
    return most;
}

/* A roof is above all times, and no launch needs longer than its roofs one after the other. */
int ws_roofline_check(const ws_roofline *r, const char *kernel, const ws_roofline_counts *launch, double cycles)
{
    double cycle[WS_CEILINGS], all = 0;
    ws_roofline_times(r, launch, cycle);
    for (unsigned i = 0; i < WS_CEILINGS; i++)
        all += i == WS_CEILING_issue || i == WS_CEILING_dram ? 0 : cycle[i];
    const ws_time_work work = {.demand = {[WS_RESOURCE_issue] = {launch->instructions, r->rate[WS_CEILING_issue], 1},
                                          [WS_RESOURCE_memory] = {launch->moved * SECTOR, r->rate[WS_CEILING_dram], 1}},
                               .waits = all};
    return ws_time_check("roofline", kernel, cycles, &work);
}

/* Do loads start with empty L1s, and stores leave them at once? */
static bool is_plain(const ws_machine *m)
{
    return !ws_machine_has_protocol(m) && m->l1_flush;
}

static bool writes_through(const ws_machine *m)
{
    return m->l1_write == WS_WRITE_THROUGH || m->l1_write == WS_WRITE_EVICT;
}

double ws_roofline_least(const ws_roofline *r, const ws_roofline_counts *launch)
{
    double cycle[WS_CEILINGS] = {0};
    ws_roofline_counts c = *launch;
    const double aside = c.touched > exact_sectors ? 1 - errors_aside * sketch_error : 1;
    /* Each sector was there at the start, is there at the end, or passed. */
    c.moved = fmax(0, c.touched * aside - 2 * r->l2_sectors);
    c.passing = is_plain(r->machine) ? c.read * aside + (writes_through(r->machine) ? c.stored : 0) : 0;
    c.asked = r->machine->l1_enabled ? c.asked : 0;
    const ws_ceiling bound = ws_roofline_times(r, &c, cycle);
    return cycle[bound];
}

double ws_roofline_operations(const ws_roofline_counts *c)
{
    double flop = c->single + c->twice + c->special;
    for (unsigned i = 0; i < WS_MATRIX_KINDS_END; i++)
        flop += 2 * c->product[i];
    return flop > 0 ? flop : c->integer;
}
