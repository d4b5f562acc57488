/* instruction_chain.c - registers of the instructions in a row, and when they are ready. */
#include "model/instruction_chain.h"

#include "base/status.h"
#include "model/instruction_times.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* By kind of work and numbers; moves and choices are integers', whatever they move. */
static uint32_t work_cycles(const ws_instr *in)
{
    static const uint16_t times[WS_WORKS][WS_NUMBERS] = {
#define INSTRUCTION_TIME(work, integer, single, twice) [WS_WORK_##work] = {integer, single, single, twice},
#include "model/instruction_times.def"
#undef INSTRUCTION_TIME
    };
    return times[in->work][ws_instr_timed_as(in)];
}

static uint32_t load_cycles(const ws_instr *in)
{
    switch (in->space) {
    case WS_SPACE_SHARED:
        return WS_TIME_SHARED_LOAD;
    case WS_SPACE_CONST:
    case WS_SPACE_PARAM:
        return WS_TIME_CONSTANT_LOAD;
    case WS_SPACE_GLOBAL:
    case WS_SPACE_LOCAL:
    case WS_SPACE_GENERIC:
        return 1;
    default:
        return WS_TIME_TEXTURE_LOAD;
    }
}

static uint32_t cycles_of(const ws_instr *in)
{
    return in->cls == WS_CLASS_MEMORY ? load_cycles(in) : work_cycles(in);
}

static bool reads(const ws_instr *reader, const ws_instr *writer)
{
    for (unsigned i = 0; i < reader->srcs; i++)
        for (unsigned k = 0; k < writer->dsts; k++)
            if (reader->src[i] == writer->dst[k])
                return true;
    return false;
}

static uint16_t slack_of(const ws_launch *launch, const uint32_t *cycles, size_t load)
{
    size_t i = load + 1;
    while (i + 1 < launch->instrs && i < load + WS_CHAIN_AHEAD && !reads(&launch->instr[i], &launch->instr[load]))
        i++;
    const uint32_t far = i < launch->instrs ? cycles[i + 1] - cycles[load + 1] : 0;
    return far < UINT16_MAX ? (uint16_t)far : UINT16_MAX;
}

int ws_instruction_chain(const ws_launch *launch, uint32_t *cycles, uint16_t *slack)
{
    uint32_t *const ready = calloc(ws_launch_registers(launch) + 1u, sizeof *ready);
    if (!ready)
        return ws_fail(WS_EMEM, "no memory for the registers of a launch");
    cycles[0] = 0;
    for (size_t i = 0; i < launch->instrs; i++) {
        const ws_instr *const in = &launch->instr[i];
        uint32_t issue = cycles[i] + 1;
        for (unsigned k = 0; k < in->srcs; k++)
            issue = ready[in->src[k]] > issue ? ready[in->src[k]] : issue;
        const uint32_t result = issue + cycles_of(in) + WS_TIME_REGISTERS;
        for (unsigned k = 0; k < in->dsts; k++)
            ready[in->dst[k]] = result;
        cycles[i + 1] = issue;
    }
    for (size_t i = 0; i < launch->instrs; i++)
        slack[i] = launch->instr[i].cls == WS_CLASS_MEMORY ? slack_of(launch, cycles, i) : 0;
    free(ready);
    return WS_OK;
}
