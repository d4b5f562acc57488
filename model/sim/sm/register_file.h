/* register_file.h - when are the operands of an instruction collected, and when is its result written? One organisation
 * is one file and one row of register_files.def. It answers with times instead of being stepped: banks are reserved for
 * the cycles in which they are used. */
#ifndef WS_REGISTER_FILE_H
#define WS_REGISTER_FILE_H

#include "collect/trace/event.h"
#include "model/activity.h"
#include "model/machine/register_kind.h"

#include <stdbool.h>

/* Registers of a warp, read or written. */
typedef struct ws_register_use {
    unsigned warp;
    uint32_t exec;         /* lanes that take part */
    uint64_t cycle;        /* of the issue that reads; from which on the result that is written is there */
    const ws_value *value; /* of a write: what the register held and holds; NULL: not known (predicates, registers of
                              128 bits), or not asked for */
    ws_activity *did;      /* where cells are counted */
} ws_register_use;

typedef struct ws_register_file_ops {
    size_t (*state_size)(const uint64_t *values); /* plain memory, zero at first */
    /* Is a collector free for an instruction that issues now? If not, *again is when to ask. */
    bool (*has_room)(const void *state, const uint64_t *values, uint64_t now, uint64_t *again);
    /* Registers reg[0..n) are read: the cycle when all are there. */
    uint64_t (*read)(void *state, const uint64_t *values, const ws_register_use *use, const uint16_t *reg, unsigned n);
    /* The cycle from which the result can be read. */
    uint64_t (*write)(void *state, const uint64_t *values, const ws_register_use *use, uint16_t reg);
    /* Cycles that an idle file adds between the issue of an instruction and that of one that needs its result. */
    uint64_t (*idle)(const uint64_t *values);
} ws_register_file_ops;

const ws_register_file_ops *ws_register_file_ops_of(const ws_register_file_kind *kind);

#endif
