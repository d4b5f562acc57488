/* fuzz_dram_part.c - can any bytes break the reader of settings, the memory part made of them, or its address map? */
#include "base/status.h"
#include "model/sim/memory/dram.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ws_dram_part part;
    ws_dram_map map;
    ws_dram_place place;
    if (ws_dram_part_parse("fuzz", (const char *)data, size, &part)) {
        if (!*ws_message())
            abort();
        return 0;
    }
    if (ws_dram_map_parse(part.mapping, "fuzz", &part, 3, &map) &&
        ws_dram_map_parse(part.mapping, "fuzz", &part, 1, &map))
        return 0;
    const uint64_t address = ws_dram_part_bytes(&part) / 3 * 2;
    const uint32_t channel = ws_dram_map_place(&map, address, &place);
    if (place.row >= part.rows || place.bank >= part.banks || channel >= map.channels)
        abort();
    ws_dram_place again;
    const uint64_t back = ws_dram_map_address(&map, channel, &place);
    if (ws_dram_map_place(&map, back, &again) != channel || again.row != place.row)
        abort();
    return 0;
}
