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

/* When each register is ready, and the instruction that writes it. */
typedef struct register_state {
    uint32_t ready, issued;
    uint8_t on;
} register_state;

static uint8_t class_of(const ws_instr *in)
{
    if (in->cls != WS_CLASS_MEMORY)
        return (uint8_t)(in->work * WS_NUMBERS + ws_instr_timed_as(in));
    switch (in->space) {
    case WS_SPACE_SHARED:
        return WS_CHAIN_SHARED;
    case WS_SPACE_CONST:
    case WS_SPACE_PARAM:
        return WS_CHAIN_CONSTANT;
    case WS_SPACE_GLOBAL:
    case WS_SPACE_LOCAL:
    case WS_SPACE_GENERIC:
        return WS_CHAIN_READY;
    default:
        return WS_CHAIN_TEXTURE;
    }
}

/* In program order. Either result may be NULL. */
static int follow(const ws_launch *launch, uint32_t *cycles, ws_chain_wait *wait)
{
    register_state *const state = calloc(ws_launch_registers(launch) + 1u, sizeof *state);
    if (!state)
        return ws_fail(WS_EMEM, "no memory for the registers of a launch");
    uint32_t last = 0;
    for (size_t i = 0; i < launch->instrs; i++) {
        const ws_instr *const in = &launch->instr[i];
        const register_state *from = NULL;
        uint32_t issue = last + 1;
        for (unsigned k = 0; k < in->srcs; k++)
            if (state[in->src[k]].ready > issue) {
                from = &state[in->src[k]];
                issue = from->ready;
            }
        if (wait)
            wait[i] = from ? (ws_chain_wait){.passed = last + 1 - from->issued, .on = from->on}
                           : (ws_chain_wait){.on = WS_CHAIN_READY};
        const register_state result = {
            .ready = issue + cycles_of(in) + WS_TIME_REGISTERS, .issued = issue, .on = class_of(in)};
        for (unsigned k = 0; k < in->dsts; k++)
            state[in->dst[k]] = result;
        last = issue;
        if (cycles)
            cycles[i + 1] = issue;
    }
    free(state);
    return WS_OK;
}

int ws_instruction_chain(const ws_launch *launch, uint32_t *cycles, uint16_t *slack)
{
    cycles[0] = 0;
    const int status = follow(launch, cycles, NULL);
    for (size_t i = 0; i < launch->instrs && !status; i++)
        slack[i] = launch->instr[i].cls == WS_CLASS_MEMORY ? slack_of(launch, cycles, i) : 0;
    return status;
}

int ws_instruction_waits(const ws_launch *launch, ws_chain_wait *wait)
{
    return follow(launch, NULL, wait);
}
