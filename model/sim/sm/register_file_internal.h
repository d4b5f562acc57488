/* register_file_internal.h - organisations of register_files.def. */
#ifndef WS_REGISTER_FILE_INTERNAL_H
#define WS_REGISTER_FILE_INTERNAL_H

#include "model/machine/register_rows.h"
#include "model/sim/sm/cell_writes.h"
#include "model/sim/sm/register_file.h"

#define REGISTER_FILE(name, ...) extern const ws_register_file_ops ws_register_file_##name;
#include "model/machine/register_files.def"

/* Banks with ports and collectors (register_file_banked.c), for organisations whose options begin with these. A write
 * occupies its bank for `cycles`. */
size_t ws_banked_state_size(const uint64_t *values);
bool ws_banked_has_room(const void *state, const uint64_t *values, uint64_t now, uint64_t *again);
uint64_t ws_banked_read(void *state, const uint64_t *values, const ws_register_use *use, const uint16_t *reg,
                        unsigned n);
/* The two halves of ws_banked_read: read the banks; hold a collector until all operands are available. */
uint64_t ws_banked_fetch(void *state, const uint64_t *values, const ws_register_use *use, const uint16_t *reg,
                         unsigned n);
void ws_banked_hold(void *state, const uint64_t *values, uint64_t there);
uint64_t ws_banked_idle(const uint64_t *values); /* a read and a write of all lanes */
/* Counts and returns the port turns of the write after the first; each takes an additional cycle. */
uint64_t ws_banked_more_turns(const uint64_t *values, const ws_register_use *use);
uint64_t ws_banked_write(void *state, const uint64_t *values, unsigned warp, uint16_t reg, uint64_t done,
                         uint64_t cycles);
unsigned ws_banked_bank(const uint64_t *values, unsigned warp, uint16_t reg);

#endif
