/* fuzz_elf.c - can any bytes break the look at a program that `warpscape run` takes? */
#include "record/start/elf_look.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ws_elf_facts facts;
    char text[32];
    ws_elf_look(data, size, &facts);
    if (!memchr(facts.runtime, '\0', sizeof facts.runtime) || (facts.damaged && !facts.is_elf))
        abort();
    if (!*ws_elf_machine_name(facts.machine, text, sizeof text))
        abort();
    return 0;
}
