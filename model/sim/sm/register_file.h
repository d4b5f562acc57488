/* register_file.h - times of operand collection and register writes. An organisation is one file and one row of
 * register_files.def. It returns times instead of being stepped: banks are reserved for the cycles of their use. */
#ifndef WS_REGISTER_FILE_H
#define WS_REGISTER_FILE_H

#include "collect/trace/event.h"
#include "model/activity.h"
#include "model/machine/register_kind.h"

#include <stdbool.h>

/* Read or written registers of a warp. */
typedef struct ws_register_use {
    unsigned warp;
    uint32_t exec;         /* lanes that take part */
    uint64_t cycle;        /* issue of the reading instruction; or when the written result is available */
    const ws_value *value; /* of a write: old and new contents of the register; NULL: unknown (predicates, registers of
                              128 bits), or not needed */
    ws_activity *did;      /* if cells are counted */
} ws_register_use;

typedef struct ws_register_file_ops {
    size_t (*state_size)(const uint64_t *values); /* plain memory, initially zero */
    /* Returns whether a collector is free for an instruction that issues now. If not, *again is when to retry. */
    bool (*has_room)(const void *state, const uint64_t *values, uint64_t now, uint64_t *again);
    /* Reads registers reg[0..n); returns the cycle when all are available. */
    uint64_t (*read)(void *state, const uint64_t *values, const ws_register_use *use, const uint16_t *reg, unsigned n);
    /* Returns the cycle from which the result can be read. */
    uint64_t (*write)(void *state, const uint64_t *values, const ws_register_use *use, uint16_t reg);
    /* Returns the cycles that an idle file adds between the issue of an instruction and that of a dependent one. */
    uint64_t (*idle)(const uint64_t *values);
} ws_register_file_ops;

const ws_register_file_ops *ws_register_file_ops_of(const ws_register_file_kind *kind);

#endif
