/* register_kind.h - the facts of a register file: register_files.def. When operands are there is in model/sim/sm. */
#ifndef WS_REGISTER_KIND_H
#define WS_REGISTER_KIND_H

#include "collect/trace/event.h"
#include "base/option.h"
#include "model/machine/cells.h"
#include "model/machine/machine_declared.h"

enum { WS_REGISTERS_MOST_PORTS = 15, WS_REGISTERS_MOST_COLLECTORS = 64, WS_REGISTERS_MOST_ROW = 4 /* warps */ };

typedef struct ws_register_file_kind {
    const char *name, *summary;
    const ws_option *options; /* its own, given in [registers] */
    bool banked;              /* it begins with the options of `banked` */
    /* Do the values go together? WS_EINPUT; NULL: they do. */
    int (*check)(const uint64_t *values);
    /* Do writes look at values? Launches whose source has none are refused then. NULL: never. */
    bool (*wants_values)(const uint64_t *values);
    /* Its cells, where they are magnetic and it counts what happens to them; NULL: SRAM, or not told apart. */
    void (*cells)(const uint64_t *values, ws_cells *out);
    void (*form)(const uint64_t *values, ws_cells_form *out); /* where there are cells: for estimates */
} ws_register_file_kind;

extern const ws_register_file_kind ws_register_file_kinds[]; /* in the order of register_files.def */
/* The row of that name, or NULL; the row at an index, NULL behind the last. */
const ws_register_file_kind *ws_register_file_kind_find(const char *name);
const ws_register_file_kind *ws_register_file_kind_at(size_t index);

/* That of the machine, its options in values[WS_REGISTER_OPTIONS]; and how many banks it has, 64 at most. */
enum { WS_REGISTER_OPTIONS = 16 };
const ws_register_file_kind *ws_register_file_of(const ws_machine *machine, uint64_t values[WS_REGISTER_OPTIONS]);
uint32_t ws_register_banks(const ws_machine *machine);
/* Operand collectors of an SM; 0: the file has none. */
uint32_t ws_register_collectors(const ws_machine *machine);
/* Words that the write port of a bank takes in a cycle; 0: all of a register of a warp. */
uint32_t ws_register_port(const ws_machine *machine);

#endif
