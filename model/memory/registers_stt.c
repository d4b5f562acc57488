/* registers_stt.c - a register file of magnetic memory: written whole, or only where bits change, or with writes that
 * end early; with writes that wait in front of the banks and merge; with long-lived registers in SRAM. */
#include "model/memory/memory_internal.h"

#include "base/status.h"

#include <math.h>

enum { WIDTH, EARLY, COALESCE, WIDE, ENTRIES, LONG };
enum { BUFFERED_ACCESSES = 2 }; /* of a write that waits: into its buffer, and out */

static const ws_option options[] = {
    [WIDTH] =
        {"width", "bits", 0, 0, WS_MEMORY_WORD,
         "of an array: a register is read before it is written, and only arrays with a change are; 0: written whole"},
    [EARLY] = {"ewt", "", 0, 0, 1, "early write termination: the write of a bit ends if the cell already holds it"},
    [COALESCE] =
        {"coalesce", "", 0, 0, 1,
         "results wait in SRAM until their bank is free, merge with later ones, and are written with a wide port"},
    [WIDE] = {"wide", "words", 0, 0, WS_WARP, "of that port; 0: that of --tech"},
    [ENTRIES] = {"entries", "", 0, 0, 64, "most warp registers that wait; 0: that of --tech"},
    [LONG] = {"sram_long", "", 0, 0, 1,
              "registers whose data are needed for longer than a cell keeps them are in SRAM"},
    {NULL, NULL, 0, 0, 0, NULL},
};

static int prepare(ws_memory_setup *s)
{
    const ws_memory_chip *const c = s->chip;
    int status = ws_memory_set_width(s, s->values[WIDTH]);
    if (!status && !s->values[COALESCE] && (s->values[WIDE] || s->values[ENTRIES]))
        status = ws_fail(WS_EINPUT, "registers: %s requires coalesce", s->values[WIDE] ? "wide" : "entries");
    if (!status && s->values[WIDTH] && s->values[EARLY])
        status =
            ws_fail(WS_EINPUT, "registers: width reads before it writes, ewt instead of that: give one of the two");
    if (!status)
        status = ws_memory_magnetic(s);
    s->result_cycles = s->write_cycles + (s->values[WIDTH] ? s->read_cycles : 0);
    if (status || !s->values[COALESCE])
        return status;
    s->result_cycles = c->tech->coalesce_latency;
    s->port = (uint32_t)(s->values[WIDE] ? s->values[WIDE] : c->tech->coalesce_wide);
    if (WS_WARP % s->port)
        return ws_fail(WS_EINPUT,
                       "registers: wide = %u: ports of %u words do not make up a register of a warp, %d words: give 1, "
                       "2, 4, 8, 16 or 32",
                       s->port, s->port, WS_WARP);
    s->area_m2 += c->tech->coalesce_area * 1e-6;
    return ws_memory_buffers(s, (uint32_t)(s->values[ENTRIES] ? s->values[ENTRIES] : c->tech->coalesce_entries));
}

/* Of rows, or lanes, that are written again (WS_VALUE_TIMES), those whose former write still waits. Rows that come in
 * the cycle in which one leaves do not merge. */
static double merged(const ws_memory_setup *s, const ws_memory_use *use, const uint64_t *again, uint64_t writes)
{
    const double cycles = use->seconds * s->chip->clock_hz;
    const double wait =
        ws_memory_ratio(s->waiting ? ws_memory_bank_wait(s, use->launch, cycles) : 0, use->instruction_cycles);
    double all = 0;
    for (unsigned i = 0; i < WS_VALUE_TIMES; i++)
        all += (double)again[i];
    return s->values[COALESCE] ? ws_memory_ratio(all - ws_memory_beyond(again, wait), (double)writes) : 0;
}

/* Rows of long-lived data there are at a time, of those of the file: the sum of their lives over that of all warps'
 * (Little's law). */
static double long_rows(const ws_memory_setup *s, const ws_memory_use *use, double retention)
{
    const ws_launch_values *const v = use->launch->values;
    double lives = 0;
    for (unsigned i = 0; i < WS_VALUE_TIMES; i++)
        lives += ws_value_time_of(i) > retention ? (double)v->last_read[i] / WS_WARP * ws_value_time_of(i) : 0;
    const double of_warp = ws_memory_ratio(lives, (double)v->instructions);
    const double rows = of_warp * use->launch->warps_per_block * use->launch->residents;
    return fmin(1, rows * s->chip->part[s->part].word / (double)s->chip->part[s->part].bytes);
}

static void add(const ws_memory_setup *s, const ws_memory_use *use, ws_memory_sum *sum)
{
    const ws_memory_launch *const l = use->launch;
    const ws_launch_values *const v = l->values;
    const bool differs = s->values[WIDTH] || s->values[EARLY], in_sram = s->values[LONG];
    const double retention = ws_memory_retention(s, use);
    const double late = ws_memory_ratio(ws_memory_beyond(v->last_read, retention), (double)v->lane_writes);
    const double late_reads = ws_memory_ratio(ws_memory_beyond(v->long_reads, retention), (double)v->row_reads);
    const double kept = in_sram ? late : 0, kept_reads = in_sram ? late_reads : 0;
    const double written = (1 - kept) * (1 - merged(s, use, v->overwritten, v->lane_writes));
    const double cost = s->values[EARLY] ? ws_memory_terminated_cost(s, &v->registers)
                                         : ws_memory_write_cost(s, &v->registers, s->values[WIDTH]);
    const double buffered = s->values[COALESCE] ? BUFFERED_ACCESSES * s->section : 0;
    sum->read_j += l->part[s->part].read_j * (kept_reads + (1 - kept_reads) * s->read);
    sum->write_j += l->part[s->part].write_j * (kept + (1 - kept) * buffered + written * cost);
    const double sram = in_sram ? long_rows(s, use, retention) : 0;
    sum->leakage_j += use->leakage_j * (s->leakage + sram + (s->values[COALESCE] ? s->section_leakage : 0));
    sum->bits_written += l->part[s->part].writes * WS_MEMORY_WORD * written *
                         ws_memory_share_written(&v->registers, s->values[EARLY] ? 1 : s->values[WIDTH]);
    sum->cell_writes += l->part[s->part].writes * written;
    const double joined = merged(s, use, v->rewritten, v->row_writes);
    sum->coalesced += l->row_writes * joined;
    ws_memory_add_turns(s, l, joined, sum);
    sum->section_reads += l->part[s->part].reads * kept_reads;
    sum->section_writes += l->part[s->part].writes * kept;
    sum->decayed += in_sram || s->chip->scrub_s > 0 ? 0 : l->part[s->part].writes * late;
    sum->wear += use->rounds * (double)(differs ? v->hottest_row_changed : v->hottest_row);
}

const ws_memory_ops ws_memory_registers_stt = {
    .name = "stt", .part = WS_MEMORY_REGISTERS, .options = options, .prepare = prepare, .add = add};
