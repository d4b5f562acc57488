/* memory_model.c - parts under their organisations, and the time of a launch: see memory_model.h. */
#include "model/memory/memory_model.h"

#include "base/status.h"
#include "model/memory/organisation.h"
#include "model/time_bounds.h"

#include <math.h>
#include <stdlib.h>

enum { HALVINGS = 50 }; /* of a span of cycles, to below what a double tells apart */

static const double seconds_a_year = 365.25 * 24 * 3600;

struct ws_memory {
    ws_memory_chip chip;
    ws_memory_setup setup[WS_MEMORY_PARTS];
    const ws_memory_ops *ops[WS_MEMORY_PARTS];
    double scrub_share; /* of the time of the busiest banks, for scrubbing */
};

/* ------------------------------------------------------------------------------------------------ making */

static int prepare(ws_memory *m, ws_memory_part part, const char *organisation)
{
    ws_memory_setup *const s = &m->setup[part];
    ws_array_result array = {0};
    *s = (ws_memory_setup){.chip = &m->chip,
                           .part = part,
                           .read = 1,
                           .write = 1,
                           .leakage = 1,
                           .read_cycles = m->chip.part[part].read_cycles,
                           .write_cycles = m->chip.part[part].write_cycles,
                           .result_cycles = m->chip.part[part].write_cycles};
    int status = ws_organisation_parse(part, organisation, &m->ops[part], s->values);
    if (!status && m->chip.part[part].bytes)
        status = ws_memory_array(s, m->chip.sram, m->chip.part[part].bytes, &array);
    s->area_m2 = array.area_m2;
    s->activate_j = array.activate_j;
    s->port = part == WS_MEMORY_REGISTERS ? m->chip.register_port : 0;
    return status || !m->ops[part]->prepare ? status : m->ops[part]->prepare(s);
}

/* For how long a bank is busy with one row that is read and written. Banks of shared memory take an access each cycle,
 * but for writes that are slower than reads, as in model/sim/sm/load_store.c; those of registers are busy all the
 * while.
 */
static double row_cycles(const ws_memory_setup *s)
{
    if (s->part == WS_MEMORY_REGISTERS)
        return s->read_cycles + s->write_cycles;
    return 2 + ws_memory_busy(s->read_cycles, s->write_cycles);
}

/* Each row of a bank is read and written again. Read-only caches fetch again what they lose. */
static double scrub_share(const ws_memory *m, ws_memory_part part)
{
    const ws_memory_setup *const s = &m->setup[part];
    if (!s->magnetic || part == WS_MEMORY_READONLY || !m->chip.part[part].bytes)
        return 0;
    const double rows = (double)m->chip.part[part].bytes / m->chip.part[part].banks / m->chip.part[part].word;
    return rows * row_cycles(s) / (m->chip.scrub_s * m->chip.clock_hz);
}

static int check_scrub(ws_memory *m)
{
    const double scrub = m->chip.scrub_s, kept = m->chip.tech->cell_retention;
    if (scrub <= 0)
        return WS_OK;
    if (scrub > kept)
        return ws_fail(WS_EINPUT,
                       "scrubbing every %g s does not preserve data that decay in %g s; give an interval up to that",
                       scrub, kept);
    m->scrub_share = fmax(scrub_share(m, WS_MEMORY_REGISTERS), scrub_share(m, WS_MEMORY_SHARED));
    return m->scrub_share < 1
               ? WS_OK
               : ws_fail(WS_EINPUT,
                         "scrubbing every %g s keeps banks busy for %.3g of the time; give a longer interval", scrub,
                         m->scrub_share);
}

int ws_memory_create(const ws_memory_chip *chip, const char *const organisation[WS_MEMORY_PARTS], ws_memory **out)
{
    ws_memory *const m = *out = calloc(1, sizeof *m);
    if (!m)
        return ws_fail(WS_EMEM, "no memory for a model of memories");
    m->chip = *chip;
    int status = WS_OK;
    for (unsigned part = 0; part < WS_MEMORY_PARTS && !status; part++)
        status = prepare(m, (ws_memory_part)part, organisation[part]);
    if (!status)
        status = check_scrub(m);
    if (status) {
        ws_memory_destroy(m);
        *out = NULL;
    }
    return status;
}

void ws_memory_destroy(ws_memory *memory)
{
    free(memory);
}

/* ------------------------------------------------------------------------------------------------ time */

/* Blocks, one after the other, in one place of an SM. */
static double rounds_of(const ws_memory_launch *l)
{
    return fmax(1, ceil(ws_memory_ratio(l->blocks, l->busy_sms * l->residents)));
}

/* A result that comes later is waited for by the instruction that needs it; where that is not the next, what lies
 * between hides part of it. */
static double chain_of(const ws_launch_values *v)
{
    double waits = 0;
    for (unsigned i = 0; i < WS_VALUE_TIMES; i++)
        waits += (double)v->first_read[i] / fmax(1, ws_value_time_of(i));
    return waits;
}

static ws_memory_delays delays_of(const ws_memory *m, const ws_memory_launch *l)
{
    const ws_memory_setup *const s = &m->setup[WS_MEMORY_SHARED];
    ws_memory_delays d = {.read_cycles = s->read_cycles,
                          .busy_cycles = ws_memory_busy(s->read_cycles, s->write_cycles)};
    if (m->ops[WS_MEMORY_SHARED]->delays)
        m->ops[WS_MEMORY_SHARED]->delays(s, l, &d);
    return d;
}

/* Cycles by which the instructions of a block's warp, one after the other, take longer, in a launch of so many cycles.
 */
static double longer(const ws_memory *m, const ws_memory_launch *l, const ws_memory_delays *d, double cycles)
{
    const ws_memory_setup *const r = &m->setup[WS_MEMORY_REGISTERS];
    const double warps = l->blocks * l->warps_per_block, seen = (double)l->values->blocks * l->warps_per_block;
    const double registers = r->result_cycles + r->read_cycles - m->chip.part[WS_MEMORY_REGISTERS].write_cycles -
                             m->chip.part[WS_MEMORY_REGISTERS].read_cycles + ws_memory_port_delay(r, l, cycles);
    const double shared = d->read_cycles - m->chip.part[WS_MEMORY_SHARED].read_cycles;
    return registers * ws_memory_ratio(chain_of(l->values), seen) + shared * ws_memory_ratio(l->shared_loads, warps);
}

/* Cycles for which banks of shared memory are busy besides. */
static double more_banks(const ws_memory *m, const ws_memory_launch *l, const ws_memory_delays *d)
{
    const double before =
        ws_memory_busy(m->chip.part[WS_MEMORY_SHARED].read_cycles, m->chip.part[WS_MEMORY_SHARED].write_cycles);
    return fmax(0, d->busy_cycles - before) * ws_memory_ratio(l->shared_stores, l->busy_sms);
}

/* The estimate of the time is that of the busiest resource and of latency, one after the other (closed_form.h), so
 * latency that grows shows. Banks that are busy for longer show as far as no other resource is meanwhile. `cycles`: of
 * the launch, for how long rows wait. */
static double cycles_in(const ws_memory *m, const ws_memory_launch *l, double cycles)
{
    const ws_memory_delays d = delays_of(m, l);
    const double shown = fmax(0, 1 - ws_memory_ratio(l->bound, l->cycles)), more = more_banks(m, l, &d);
    const double all = l->cycles + rounds_of(l) * longer(m, l, &d, cycles) + shown * more;
    const double least = fmax(more > 0 ? l->shared_cycles + more : 0, fmin(l->bound, l->cycles));
    return fmax(all, least);
}

/* Rows wait for the longer the shorter the launch: the time that is that of its own waits, by bisection; no less than
 * the busiest bank of registers takes. */
static double cycles_of(const ws_memory *m, const ws_memory_launch *l)
{
    const double banks = m->chip.register_port ? ws_memory_bank_cycles(&m->setup[WS_MEMORY_REGISTERS], l) : 0;
    double low = fmax(banks, cycles_in(m, l, INFINITY)), high = fmax(low, cycles_in(m, l, low));
    for (unsigned i = 0; i < HALVINGS && m->chip.register_port; i++) {
        const double middle = (low + high) / 2;
        *(cycles_in(m, l, middle) > middle ? &low : &high) = middle;
    }
    return (m->chip.register_port ? high : cycles_in(m, l, l->cycles)) / (1 - m->scrub_share);
}

/* Cycles of ports of registers, each row after the other. */
static double ports_most(const ws_memory *m, const ws_memory_launch *l)
{
    const ws_memory_setup *const r = &m->setup[WS_MEMORY_REGISTERS];
    return m->chip.register_port ? (l->row_reads + l->row_writes) * (ws_memory_bank_wait_most(r, l) + WS_WARP) : 0;
}

/* At most each access of the parts follows the time in SRAM, at all that it takes; and scrubbing takes its share of
 * that. */
static int check_cycles(const ws_memory *m, const char *kernel, const ws_memory_launch *l, double cycles)
{
    const ws_memory_setup *const r = &m->setup[WS_MEMORY_REGISTERS];
    const ws_memory_delays d = delays_of(m, l);
    const double registers = (l->part[WS_MEMORY_REGISTERS].reads + l->part[WS_MEMORY_REGISTERS].writes) *
                                 (r->read_cycles + r->result_cycles) +
                             ports_most(m, l);
    const double shared = (l->shared_loads + l->shared_stores) * (d.read_cycles + d.busy_cycles),
                 share = 1 - m->scrub_share;
    const ws_time_work work = {.demand = {[WS_RESOURCE_units] = {fmin(l->bound, l->cycles), share, 1}},
                               .waits = (l->shared_cycles + registers + shared) / share,
                               .fixed = l->cycles / share};
    return ws_time_check("memory", kernel, cycles, &work);
}

/* ------------------------------------------------------------------------------------------------ a launch */

static void add_scrub(const ws_memory *m, ws_memory_part part, double seconds, ws_memory_sum *sum)
{
    const ws_memory_setup *const s = &m->setup[part];
    if (!s->magnetic || m->chip.scrub_s <= 0 || part == WS_MEMORY_READONLY)
        return;
    const double words = (double)m->chip.part[part].bytes / sizeof(uint32_t) * m->chip.sms;
    sum->scrub_j += seconds / m->chip.scrub_s * words *
                    (m->chip.part[part].read_j * s->read + m->chip.part[part].write_j * s->write);
    sum->wear += seconds / m->chip.scrub_s;
}

/* Whatever the organisation. */
static void add_writes(const ws_memory_launch *l, ws_memory_part part, ws_memory_sum *to)
{
    const ws_launch_values *const v = l->values;
    const ws_changed_bits *const bits = part == WS_MEMORY_REGISTERS ? &v->registers : &v->shared;
    double uses = 0;
    for (unsigned i = 0; i < WS_VALUE_USES; i++)
        uses += (double)v->uses[i];
    to->reads += l->part[part].reads;
    to->writes += l->part[part].writes;
    to->bits += l->part[part].writes * WS_MEMORY_WORD;
    if (part != WS_MEMORY_READONLY)
        to->same += l->part[part].writes * ws_memory_ratio((double)bits->same, (double)bits->writes);
    if (part == WS_MEMORY_REGISTERS)
        to->single += l->part[part].writes * ws_memory_ratio((double)v->uses[1], uses);
    if (part == WS_MEMORY_REGISTERS && v->text_writes) {
        to->text_writes += l->part[part].writes;
        to->once += l->part[part].writes * ws_memory_ratio((double)v->text_once, (double)v->text_writes);
    }
}

int ws_memory_add(const ws_memory *memory, const char *kernel, const ws_memory_launch *launch, ws_memory_result *sum)
{
    const double cycles = cycles_of(memory, launch), rounds = rounds_of(launch);
    const double warps = (double)launch->values->blocks * launch->warps_per_block;
    const double instructions = ws_memory_ratio((double)launch->values->instructions, warps);
    ws_memory_use use = {.launch = launch,
                         .seconds = cycles / memory->chip.clock_hz,
                         .instruction_cycles = ws_memory_ratio(cycles, rounds * instructions),
                         .busy_cycles = launch->busy_cycles + (cycles - launch->cycles) * launch->busy_sms,
                         .rounds = rounds};
    const double busy = launch->busy_cycles > 0 ? use.busy_cycles / launch->busy_cycles : 1;
    for (unsigned part = 0; part < WS_MEMORY_PARTS; part++) {
        ws_memory_sum *const to = &sum->part[part];
        use.leakage_j = launch->part[part].leakage_j * (launch->cycles > 0 ? cycles / launch->cycles : 1);
        use.busy_leakage_j = launch->part[part].busy_leakage_j * busy;
        add_writes(launch, (ws_memory_part)part, to);
        memory->ops[part]->add(&memory->setup[part], &use, to);
        add_scrub(memory, (ws_memory_part)part, use.seconds, to);
    }
    sum->cycles += cycles;
    sum->seconds += use.seconds;
    return check_cycles(memory, kernel, launch, cycles);
}

double ws_memory_area(const ws_memory *memory, ws_memory_part part)
{
    return memory->setup[part].area_m2 * memory->chip.sms;
}

uint32_t ws_memory_width(const ws_memory *memory, ws_memory_part part)
{
    return memory->setup[part].width;
}

double ws_memory_joules(const ws_memory_sum *sum)
{
    return sum->read_j + sum->write_j + sum->leakage_j + sum->scrub_j;
}

double ws_memory_years(const ws_memory *memory, const ws_memory_result *result, ws_memory_part part)
{
    const double wear = result->part[part].wear;
    return wear > 0 ? memory->chip.tech->cell_endurance / wear * result->seconds / seconds_a_year : INFINITY;
}
