/* power_detector.c - the detector of races: each address that is put into the signature of an SM, each that is looked
 * up. */
#include "model/power/power_internal.h"
#include "model/machine/machine.h"

int ws_power_add_detector(ws_power_build *b)
{
    const unsigned bits = b->machine->coherence_race_bits;
    ws_race_costs c;
    int status = ws_power_race_costs(b, &c);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(race_writes, WS_ACTIVITY_DETECTOR), c.detector_write_j,
                                "an address, into one of %u signatures of %u bits", b->machine->chip_sms, bits);
    if (!status)
        status = ws_power_event(b, WS_COUNTER(race_reads, WS_ACTIVITY_DETECTOR), c.detector_read_j,
                                "an address, in signatures of %u bits", bits);
    return status ? status
                  : ws_power_leak(b, WS_WHILE_RUNNING, c.detector_leakage_w, "%u signatures of %u bits",
                                  b->machine->chip_sms, bits);
}
