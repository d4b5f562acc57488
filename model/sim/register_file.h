/* register_file.h - when are the operands of an instruction collected, and when is its result written? One organisation
 * is one file and one row of register_files.def. It answers with times instead of being stepped: banks are reserved for
 * the cycles in which they are used. */
#ifndef WS_REGISTER_FILE_H
#define WS_REGISTER_FILE_H

#include "collect/trace/event.h"
#include "model/option.h"
#include "model/sim/cycle.h"

#include <stdbool.h>

/* The option of that name is how many banks there are, 64 at most; without it there are none. */
#define WS_REGISTER_BANKS "banks"

typedef struct ws_register_file_ops {
    const char *name, *summary;
    const ws_option *options; /* its own, given in [registers] */
    int (*configure)(const uint64_t *values);
    size_t (*state_size)(const uint64_t *values); /* plain memory, zero at first */
    /* Is a collector free for an instruction that issues now? If not, *again is when to ask. */
    bool (*has_room)(const void *state, const uint64_t *values, uint64_t now, uint64_t *again);
    /* Registers reg[0..n) of the warp are read for an instruction that issues now: the cycle when all are there. */
    uint64_t (*read)(void *state, const uint64_t *values, unsigned warp, const uint16_t *reg, unsigned n, uint64_t now);
    /* The result is ready at `done`; the cycle from which it can be read. `value` is what the register held and holds; NULL: not
     * known (predicates, registers of 128 bits), or not asked for. */
    uint64_t (*write)(void *state, const uint64_t *values, unsigned warp, uint16_t reg, uint64_t done,
                      const ws_value *value);
    /* Cycles that an idle file adds between the issue of an instruction and that of one that needs its result. */
    uint64_t (*idle)(const uint64_t *values);
    /* `write` looks at values. Launches whose source has none are refused. */
    bool wants_values;
} ws_register_file_ops;

const ws_register_file_ops *ws_register_file_find(const char *name);
const ws_register_file_ops *ws_register_file_at(size_t index);

#endif
