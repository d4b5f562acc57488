/* register_file.h - when are the operands of an instruction collected, and when is its result written? One organisation
 * is one file and one row of register_files.def. It answers with times instead of being stepped: banks are reserved for
 * the cycles in which they are used. */
#ifndef WS_REGISTER_FILE_H
#define WS_REGISTER_FILE_H

#include "collect/trace/event.h"
#include "model/activity.h"
#include "base/option.h"
#include "model/sim/sm/cells.h"
#include "model/cycle.h"
#include "model/machine/machine_declared.h"

#include <stdbool.h>

/* The option of that name is how many banks there are, 64 at most; without it there are none. */
#define WS_REGISTER_BANKS "banks"

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
    const char *name, *summary;
    const ws_option *options; /* its own, given in [registers]; NULL: none */
    int (*configure)(const uint64_t *values);
    size_t (*state_size)(const uint64_t *values); /* plain memory, zero at first */
    /* Is a collector free for an instruction that issues now? If not, *again is when to ask. */
    bool (*has_room)(const void *state, const uint64_t *values, uint64_t now, uint64_t *again);
    /* Registers reg[0..n) are read: the cycle when all are there. */
    uint64_t (*read)(void *state, const uint64_t *values, const ws_register_use *use, const uint16_t *reg, unsigned n);
    /* The cycle from which the result can be read. */
    uint64_t (*write)(void *state, const uint64_t *values, const ws_register_use *use, uint16_t reg);
    /* Cycles that an idle file adds between the issue of an instruction and that of one that needs its result. */
    uint64_t (*idle)(const uint64_t *values);
    /* Does `write` look at values? Launches whose source has none are refused then. NULL: never. */
    bool (*wants_values)(const uint64_t *values);
    /* Its cells, where they are magnetic and it counts what happens to them; NULL: SRAM, or not told apart. */
    void (*cells)(const uint64_t *values, ws_cells *out);
    void (*form)(const uint64_t *values, ws_cells_form *out); /* where there are cells: for estimates */
} ws_register_file_ops;

/* That of the machine, its options in values[WS_REGISTER_OPTIONS]; NULL: there is none of that name. */
enum { WS_REGISTER_OPTIONS = 16 };
const ws_register_file_ops *ws_register_file_of(const ws_machine *machine, uint64_t values[WS_REGISTER_OPTIONS]);

const ws_register_file_ops *ws_register_file_find(const char *name);
const ws_register_file_ops *ws_register_file_at(size_t index);

#endif
