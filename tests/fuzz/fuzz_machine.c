/* fuzz_machine.c - can any bytes break the readers of configurations, ours and GPGPU-Sim's? */
#include "base/status.h"
#include "model/machine/machine.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ws_machine *machine;
    if (ws_machine_parse("data", "fuzz", (const char *)data, size, &machine)) {
        if (!*ws_message())
            abort();
        return 0;
    }
    if (ws_machine_check(machine))
        abort();
    if (machine->l1_line != machine->l2_line || machine->sm_threads % 32 || !machine->chip_sms)
        abort();
    ws_machine_destroy(machine);
    return 0;
}
