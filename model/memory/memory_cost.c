/* memory_cost.c - what organisations share: ratios to SRAM, shares of bits, of times, of distances. */
#include "model/memory/memory_internal.h"

#include "base/status.h"

#include <math.h>

enum { TAG_BYTES = 4, SAMPLES = 8 };

/* ------------------------------------------------------------------------------------------------ setups */

int ws_memory_array(const ws_memory_setup *s, const ws_cell *cell, uint64_t bytes, ws_array_result *out)
{
    const ws_memory_chip *const c = s->chip;
    const uint32_t banks = c->part[s->part].banks;
    const ws_array_shape shape = {.bytes = bytes / banks, .word = c->part[s->part].word};
    const int status = ws_array_evaluate(c->node, cell, &shape, c->volts, c->kelvin, out);
    out->area_m2 *= banks;
    out->leakage_w *= banks;
    return status;
}

int ws_memory_magnetic(ws_memory_setup *s)
{
    const ws_memory_chip *const c = s->chip;
    const ws_memory_tech *const t = c->tech;
    ws_array_result sram = {0}, stt = {0};
    if (!c->part[s->part].bytes)
        return WS_OK;
    int status = ws_memory_array(s, c->sram, c->part[s->part].bytes, &sram);
    if (!status)
        status = ws_memory_array(s, c->stt, c->part[s->part].bytes, &stt);
    if (status)
        return status;
    s->magnetic = true;
    s->activate_j = stt.activate_j;
    s->read = c->arrays ? stt.read_j / sram.read_j : 1 - t->read_saved;
    s->write = c->arrays ? stt.write_j / sram.write_j : t->write_stt / t->write_sram;
    s->compare = c->arrays ? stt.read_j / sram.write_j : t->read_compare / t->write_sram;
    s->leakage = stt.leakage_w / sram.leakage_w;
    s->area_m2 = stt.area_m2;
    s->read_cycles *= s->part == WS_MEMORY_REGISTERS ? t->latency_register_read
                      : s->part == WS_MEMORY_SHARED  ? t->latency_shared_read
                                                     : 1;
    s->write_cycles *= s->part == WS_MEMORY_REGISTERS ? t->latency_register_write
                       : s->part == WS_MEMORY_SHARED  ? t->latency_shared_write
                                                      : 1;
    return WS_OK;
}

int ws_memory_section(ws_memory_setup *s, uint64_t bytes, uint32_t tags)
{
    const ws_memory_chip *const c = s->chip;
    const ws_array_shape lookup = {.bytes = bytes / WS_RECENCY_LINE * TAG_BYTES, .word = TAG_BYTES, .ways = tags};
    ws_array_result part = {0}, section = {0}, tag = {0};
    int status = ws_memory_array(s, c->sram, c->part[s->part].bytes, &part);
    if (!status)
        status = ws_memory_array(s, c->sram, bytes, &section);
    if (!status && tags)
        status = ws_array_evaluate(c->node, c->sram, &lookup, c->volts, c->kelvin, &tag);
    if (status)
        return status;
    s->section = section.write_j / part.write_j;
    s->tag = tag.read_j / part.write_j;
    s->section_leakage = (section.leakage_w + tag.leakage_w) / part.leakage_w;
    s->area_m2 += section.area_m2 + tag.area_m2;
    return WS_OK;
}

int ws_memory_buffers(ws_memory_setup *s, uint32_t waiting)
{
    const ws_memory_chip *const c = s->chip;
    const uint32_t address = (uint32_t)c->tech->coalesce_address, word = WS_MEMORY_WORD / 8;
    const ws_array_shape lane = {.bytes = (uint64_t)waiting * word, .word = word},
                         bank = {.bytes = (uint64_t)waiting * address, .word = address},
                         search = {.bytes = bank.bytes, .word = address, .ways = waiting};
    ws_array_result part = {0}, content = {0}, addresses = {0}, all = {0};
    int status = ws_memory_array(s, c->sram, c->part[s->part].bytes, &part);
    if (!status)
        status = ws_array_evaluate(c->node, c->sram, &lane, c->volts, c->kelvin, &content);
    if (!status)
        status = ws_array_evaluate(c->node, c->sram, &bank, c->volts, c->kelvin, &addresses);
    if (!status)
        status = ws_array_evaluate(c->node, c->sram, &search, c->volts, c->kelvin, &all);
    if (status)
        return status;
    /* In: all addresses are looked at. */
    const double in = WS_WARP * content.write_j + addresses.write_j + all.read_j,
                 out = WS_WARP * content.read_j + addresses.read_j;
    const uint32_t banks = c->part[s->part].banks;
    s->waiting = waiting;
    s->section = c->tech->coalesce_pass * (in + out) / 2 / part.write_j;
    s->section_leakage = (WS_WARP * content.leakage_w + banks * addresses.leakage_w) / part.leakage_w;
    return WS_OK;
}

int ws_memory_ratios_of(const ws_memory_chip *chip, ws_memory_part part, const ws_memory_beside *beside,
                        ws_memory_ratios *out)
{
    const ws_memory_tech *const t = chip->tech;
    ws_memory_setup s = {.chip = chip, .part = part, .read = 1, .write = 1, .leakage = 1};
    int status = ws_memory_magnetic(&s);
    if (!status && beside->section_bytes)
        status = ws_memory_section(&s, beside->section_bytes, beside->tags);
    if (!status && beside->waiting)
        status = ws_memory_buffers(&s, beside->waiting);
    *out = (ws_memory_ratios){.read = s.read,
                              .write = s.write,
                              .compare = s.compare,
                              .watch = t->terminate_watch / t->write_sram,
                              .same = t->terminate_same / t->write_sram,
                              .leakage = s.leakage,
                              .section = s.section,
                              .tag = s.tag,
                              .section_leakage = s.section_leakage,
                              .activate_j = s.activate_j};
    return status;
}

int ws_memory_set_width(ws_memory_setup *s, uint64_t width)
{
    s->width = (uint32_t)width;
    return !width || (width <= WS_MEMORY_WORD && WS_MEMORY_WORD % width == 0)
               ? WS_OK
               : ws_fail(WS_EINPUT,
                         "%s: arrays of %llu bits do not make up a word of %d: width is 1, 2, 4, 8, 16 or 32",
                         ws_memory_part_names[s->part], (unsigned long long)width, WS_MEMORY_WORD);
}

double ws_memory_busy(double read_cycles, double write_cycles)
{
    return write_cycles > read_cycles ? write_cycles - read_cycles : 0;
}

/* ------------------------------------------------------------------------------------------------ bits */

double ws_memory_share_written(const ws_changed_bits *changed, uint64_t width)
{
    return width ? ws_memory_ratio((double)changed->written[__builtin_ctzll(width)], (double)changed->bits) : 1;
}

double ws_memory_write_cost(const ws_memory_setup *s, const ws_changed_bits *changed, uint64_t width)
{
    return ws_memory_share_written(changed, width) * s->write + (width ? s->compare : 0);
}

double ws_memory_terminated_cost(const ws_memory_setup *s, const ws_changed_bits *changed)
{
    const ws_memory_tech *const t = s->chip->tech;
    const double flips = ws_memory_share_written(changed, 1);
    return flips * s->write + (t->terminate_watch + (1 - flips) * t->terminate_same) / t->write_sram;
}

/* ------------------------------------------------------------------------------------------------ times, distances */

double ws_memory_beyond(const uint64_t *times, double limit)
{
    double sum = 0;
    for (unsigned i = 0; i < WS_VALUE_TIMES; i++) {
        const double from = i ? ldexp(0.5, (int)i) : 0;
        const double share = limit < from ? 1 : i ? 1 - log2(limit / from) : 0;
        sum += (double)times[i] * (share > 0 ? share : 0);
    }
    return sum;
}

double ws_memory_retention(const ws_memory_setup *s, const ws_memory_use *use)
{
    return use->instruction_cycles > 0 ? s->chip->tech->cell_retention * s->chip->clock_hz / use->instruction_cycles
                                       : INFINITY;
}

void ws_memory_forgets(const ws_memory_setup *s, const ws_memory_use *use, double share, ws_memory_sum *sum)
{
    const ws_launch_values *const v = use->launch->values;
    uint64_t writes = 0;
    for (unsigned i = 0; i < WS_RECENCY_BINS; i++)
        writes += v->recency.word_writes[i];
    const double late = ws_memory_ratio(ws_memory_beyond(v->shared_age, ws_memory_retention(s, use)), (double)writes);
    sum->decayed += s->chip->scrub_s > 0 ? 0 : share * late * use->launch->part[s->part].writes;
}

/* Fewer than `ways` of `others` lines fall into one of `sets`. */
static double fits(double others, double sets, uint64_t ways)
{
    if (sets <= 1)
        return others < (double)ways;
    const double p = 1 / sets;
    double term = others * log1p(-p), sum = 0;
    for (uint64_t k = 0; k < ways && (double)k <= others; k++) {
        sum += exp(term);
        term += log((others - (double)k) / (double)(k + 1)) + log(p) - log1p(-p);
    }
    return sum < 1 ? sum : 1;
}

double ws_memory_hits(unsigned bin, double residents, uint64_t sets, uint64_t ways)
{
    const double from = bin ? ldexp(1, (int)bin - 1) : 0;
    double sum = 0;
    if (bin == WS_RECENCY_BINS - 1 || !sets)
        return 0;
    for (unsigned i = 0; i < SAMPLES; i++) {
        const double distance = floor(from + from * i / SAMPLES) * residents;
        sum += fits(distance, (double)sets, ways);
    }
    return sum / SAMPLES;
}
