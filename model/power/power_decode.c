/* power_decode.c - decoders of instructions, and control words on their way to the lanes.
 *
 * A control word is as wide as the instruction. Each of its bits is a gate of the opcode's bits, in both polarities
 * (GPUWattch's gtx480 description has 9 bits), and a flip-flop; there is a decoder for each instruction that a cycle
 * issues. */
#include "model/power/power_internal.h"
#include "model/machine/machine.h"

enum { BITS = 8, POLARITIES = 2 };

static double word_bits(const ws_power_build *b)
{
    return BITS * (double)b->machine->fetch_instruction;
}

static double gates(const ws_power_build *b)
{
    return word_bits(b) * POLARITIES * b->energies->decode_opcode;
}

ws_power_size ws_power_decode_size(const ws_power_build *b)
{
    const double decoders = (double)b->machine->sm_schedulers * b->machine->sm_issue;
    const double flipflops = decoders * word_bits(b);
    return (ws_power_size){flipflops, decoders * gates(b) + flipflops * b->energies->logic_flipflop};
}

int ws_power_add_decode(ws_power_build *b)
{
    const double bits = word_bits(b), way = b->energies->decode_way * ws_power_sm_side_m(b);
    const int status = ws_power_instructions(
        b, ws_power_switched(b, gates(b) * b->energies->wire_swing) + bits * (ws_power_latched(b) + way * b->wire),
        "%g bits of gates of %g bits, flip-flops, %.2f mm of wires", bits, b->energies->decode_opcode, way * 1e3);
    return status ? status : ws_power_leak_of(b, ws_power_decode_size(b), "decoders of an SM");
}
