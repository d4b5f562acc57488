/* atomic_serial.c - lanes that update one word go one after the other: the first of each word together, then the
 * second of each, and so on. So does GPGPU-Sim (warp_inst_t::memory_coalescing_arch_atomic, abstract_hardware_model.cc,
 * 2023): a lane whose bytes overlap with those of a request goes into the next one of that block. */
#include "model/sim/sm/atomic_internal.h"

#include "base/bits.h"

static int overlap(uint64_t a, uint64_t b, unsigned bytes)
{
    return a < b ? b - a < bytes : a - b < bytes;
}

unsigned ws_atomic_split_serial(const uint64_t address[32], uint32_t exec, unsigned bytes, unsigned line, ws_touch *out)
{
    uint32_t left = exec;
    unsigned count = 0;
    while (left && bytes) {
        uint32_t round = 0;
        WS_EACH_LANE (lane, left) {
            int taken = 0;
            WS_EACH_LANE (other, round)
                taken |= overlap(address[lane], address[other], bytes);
            if (!taken)
                round |= 1u << lane;
        }
        count += ws_coalesce(address, round, bytes, line, out + count);
        left &= ~round;
    }
    return count;
}

const ws_atomic_ops ws_atomic_serial = {
    .split = ws_atomic_split_serial,
};
