/* register_file_ideal.c - every operand is there at once, every result can be read as soon as it is ready. */
#include "model/sim/sm/register_file_internal.h"

static size_t state_size(const uint64_t *values)
{
    (void)values;
    return 0;
}

static bool has_room(const void *state, const uint64_t *values, uint64_t now, uint64_t *again)
{
    (void)state, (void)values;
    *again = now;
    return true;
}

static uint64_t read_registers(void *state, const uint64_t *values, const ws_register_use *use, const uint16_t *reg,
                               unsigned n)
{
    (void)state, (void)values, (void)reg, (void)n;
    return use->cycle;
}

static uint64_t write_register(void *state, const uint64_t *values, const ws_register_use *use, uint16_t reg)
{
    (void)state, (void)values, (void)reg;
    return use->cycle;
}

static uint64_t idle(const uint64_t *values)
{
    (void)values;
    return 0;
}

const ws_register_file_ops ws_register_file_ideal = {
    .state_size = state_size,
    .has_room = has_room,
    .read = read_registers,
    .write = write_register,
    .idle = idle,
};
