/* power_shared.c - banks of words of shared memory, and the exchange between them and the lanes. */
#include "model/power/power_internal.h"

#include "model/machine/machine.h"
#include "model/machine/shared_kind.h"

enum { BITS = 32, BYTES = 4 };

/* `word_j` and `leakage_w`: in SRAM. */
static int add_magnetic(ws_power_build *b, const ws_cells *cells, double word_j, double leakage_w)
{
    const ws_machine *const m = b->machine;
    const ws_power_magnetic part = {.part = WS_MEMORY_SHARED,
                                    .bytes = m->sm_shared,
                                    .banks = m->shared_banks,
                                    .word = BYTES,
                                    .cells = *cells,
                                    .read_j = word_j,
                                    .write_j = word_j,
                                    .reads = WS_COUNTER(shared_cell_reads, 0),
                                    .lanes = WS_COUNTER(shared_cell_writes, 0),
                                    .parts = WS_COUNTER(shared_cell_parts, 0)};
    static const size_t section[] = {WS_COUNTER(shared_section_reads, 0), WS_COUNTER(shared_section_writes, 0)};
    ws_memory_ratios r;
    int status = ws_power_add_magnetic(b, &part, &r);
    for (unsigned i = 0; i < 2 && !status; i++)
        status =
            ws_power_event(b, section[i], word_j * r.section, "%.3g of a word of shared memory of SRAM", r.section);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(shared_section_lookups, 0), word_j * r.tag,
                                "a set's tags, %.3g of a word of shared memory of SRAM", r.tag);
    if (!status)
        status = ws_power_leak(b, WS_WHILE_SECTION, leakage_w * r.section_leakage,
                               "section of SRAM beside shared memory, off where no block or launch wants it");
    return status ? status : ws_power_leak_in_sms(b, leakage_w * r.leakage, "magnetic banks of shared memory of an SM");
}

int ws_power_add_shared(ws_power_build *b)
{
    const ws_machine *const m = b->machine;
    const uint64_t banks = m->shared_banks, bytes = m->sm_shared;
    const double way_m = b->energies->shared_way * ws_power_sm_side_m(b), way = BITS * way_m * b->wire;
    uint64_t values[WS_SHARED_OPTIONS];
    const ws_shared_memory_kind *const kind = ws_shared_memory_of(m, values);
    ws_array_result bank = {0};
    ws_cells cells;
    if (!bytes)
        return WS_OK;
    int status = ws_power_array(b, bytes / banks, BYTES, 0, &bank);
    if (!status && kind->cells) {
        kind->cells(values, &cells);
        return add_magnetic(b, &cells, bank.read_j + way, bank.leakage_w * (double)banks);
    }
    if (!status)
        status = ws_power_event(b, WS_COUNTER(shared_words, 0), bank.read_j + way,
                                "a word of a bank of %g KB, %.2f mm of wires", (double)bytes / (double)banks / 1024,
                                way_m * 1e3);
    /* With a unified L1 these are the same cells, which that component has. */
    if (status || m->l1_unified)
        return status;
    return ws_power_leak_in_sms(b, bank.leakage_w * (double)banks, "banks of shared memory of an SM");
}
