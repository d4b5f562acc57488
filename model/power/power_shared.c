/* power_shared.c - banks of words of shared memory, and the exchange between them and the lanes. */
#include "model/power/power_internal.h"

enum { BITS = 32, BYTES = 4 };

int ws_power_add_shared(ws_power_build *b)
{
    const ws_machine *const m = b->machine;
    const uint64_t banks = m->shared_banks, bytes = m->sm_shared;
    const double way = BITS * b->energies->shared_way * 1e-3 * b->wire;
    ws_array_result bank = {0};
    if (!bytes)
        return WS_OK;
    int status = ws_power_array(b, bytes / banks, BYTES, 0, &bank);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(shared_words, 0), bank.read_j + way, "a word of a bank of %g KB, %g mm of wires",
                                (double)bytes / (double)banks / 1024, b->energies->shared_way);
    /* With a unified L1 these are the same cells, which that component has. */
    if (status || m->l1_unified)
        return status;
    return ws_power_leak_in_sms(b, bank.leakage_w * (double)banks, "banks of shared memory of an SM");
}
