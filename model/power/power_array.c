/* power_array.c - caches and leakage of logic, as components share them. */
#include "model/power/power_internal.h"
#include "model/machine/machine.h"

#include <math.h>

enum { BITS = 8 };

int ws_power_operations(ws_power_build *b, const ws_operation *operations, size_t count)
{
    int status = WS_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = ws_power_operation(b, operations[i]);
    return status;
}

double ws_power_transistors_leakage(const ws_power_build *b, double transistors)
{
    const ws_energies *const e = b->energies;
    const double width = e->logic_width * ws_node_feature(b->node),
                 current = ws_node_off_current(b->node, b->temperature_k, b->volts);
    return transistors * width * e->leakage_off * b->chip->stack * current * b->volts;
}

static double logic_leakage(const ws_power_build *b)
{
    return ws_power_transistors_leakage(b, b->chip->transistors);
}

double ws_power_sm_leakage(const ws_power_build *b)
{
    return logic_leakage(b) * b->chip->sm_share / b->chip->sms;
}

double ws_power_uncore_leakage(const ws_power_build *b)
{
    return logic_leakage(b) * (1 - b->chip->sm_share) / b->chip->channels * b->machine->memory_channels *
           b->machine->package_chips;
}

double ws_power_side_m(const ws_power_build *b)
{
    const ws_chip *const c = b->chip;
    const double sms = c->sm_share * b->machine->chip_sms / c->sms,
                 rest = (1 - c->sm_share) * b->machine->memory_channels / c->channels;
    return sqrt(c->area_mm2 * 1e-6 * (sms + rest));
}

int ws_power_array(const ws_power_build *b, uint64_t bytes, unsigned word, unsigned ways, ws_array_result *out)
{
    const ws_array_shape shape = {.bytes = bytes, .word = word, .ways = ways};
    return ws_array_evaluate(b->node, b->cell, &shape, b->volts, b->temperature_k, out);
}

static int leak_of_caches(ws_power_build *b, const ws_power_cache_shape *s, double watts)
{
    return s->in_sms ? ws_power_leak_in_sms(b, watts, "cells and what is around them in an SM")
                     : ws_power_leak(b, WS_WHILE_RUNNING, watts * s->copies,
                                     "cells and what is around them: %u of %.3g mW", s->copies, watts * 1e3);
}

int ws_power_add_cache(ws_power_build *b, const ws_power_cache_shape *s)
{
    const char *const what = "tags, %u of %u bytes of a line, %g KB in %u ways, %.2f mm of wires";
    const double kb = (double)s->bytes / 1024, way = BITS * s->sector * s->way_m * b->wire;
    ws_array_result tags = {0}, data = {0};
    ws_memory_ratios r;
    int status = ws_power_readonly_ratios(b, s->cells, &r);
    if (!status)
        status = ws_power_array(b, s->bytes / s->line * WS_TAG_BYTES, WS_TAG_BYTES, s->ways, &tags);
    if (!status)
        status = ws_power_array(b, s->bytes, s->sector, 0, &data);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(cache_tag_accesses, s->cache), tags.read_j * r.read,
                                "tags of %u ways of %g KB", s->ways, kb);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(cache_hits, s->cache), (data.read_j + way) * r.read, what, s->sector,
                                s->line, kb, s->ways, s->way_m * 1e3);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(cache_updates, s->cache), (data.write_j + way) * r.write, what, s->sector,
                                s->line, kb, s->ways, s->way_m * 1e3);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(cache_fills, s->cache), (data.write_j + data.read_j + way) * r.write,
                                what, s->sector, s->line, kb, s->ways, s->way_m * 1e3);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(cache_writebacks, s->cache), data.read_j * r.read,
                                "%u bytes read to be sent down", s->sector);
    return status ? status : leak_of_caches(b, s, (tags.leakage_w + data.leakage_w) * r.leakage);
}
