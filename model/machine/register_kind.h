/* register_kind.h - properties of register files (register_files.def). model/sim/sm implements their timing. */
#ifndef WS_REGISTER_KIND_H
#define WS_REGISTER_KIND_H

#include "collect/trace/event.h"
#include "base/option.h"
#include "model/machine/cells.h"
#include "model/machine/machine_declared.h"

enum { WS_REGISTERS_MOST_PORTS = 15, WS_REGISTERS_MOST_COLLECTORS = 64, WS_REGISTERS_MOST_ROW = 4 /* warps */ };

typedef struct ws_register_file_kind {
    const char *name, *summary;
    const ws_option *options; /* its options, given in [registers] */
    bool banked;              /* its options begin with those of `banked` */
    /* Checks that the values are consistent. WS_EINPUT; NULL: always. */
    int (*check)(const uint64_t *values);
    /* Returns whether writes depend on values. Launches whose source has none are then refused. NULL: never. */
    bool (*wants_values)(const uint64_t *values);
    /* Describes its cells if they are magnetic and their writes are counted; NULL: SRAM, or not distinguished. */
    void (*cells)(const uint64_t *values, ws_cells *out);
    void (*form)(const uint64_t *values, ws_cells_form *out); /* for estimates, if there are cells */
} ws_register_file_kind;

extern const ws_register_file_kind ws_register_file_kinds[]; /* in the order of register_files.def */
/* Return the row of that name, or NULL; the row at an index, or NULL past the last. */
const ws_register_file_kind *ws_register_file_kind_find(const char *name);
const ws_register_file_kind *ws_register_file_kind_at(size_t index);

/* Returns the machine's register file, with its options in values[WS_REGISTER_OPTIONS]; and its banks, at most 64. */
enum { WS_REGISTER_OPTIONS = 16 };
const ws_register_file_kind *ws_register_file_of(const ws_machine *machine, uint64_t values[WS_REGISTER_OPTIONS]);
uint32_t ws_register_banks(const ws_machine *machine);
/* Returns the operand collectors of an SM; 0: none. */
uint32_t ws_register_collectors(const ws_machine *machine);
/* Returns the words that the write port of a bank takes per cycle; 0: a whole warp register. */
uint32_t ws_register_port(const ws_machine *machine);

#endif
