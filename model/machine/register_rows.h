/* register_rows.h - numbers of the options of each row of register_files.def. */
#ifndef WS_REGISTER_ROWS_H
#define WS_REGISTER_ROWS_H

#include "model/machine/register_kind.h"

/* Options of each, WS_REGISTERS_<kind>_<option>, in the order of its table. */
/* clang-format off */
#define REGISTER_FILE(name, word, summary, ...) enum {
#define OPTION(kind, name, ...) WS_REGISTERS_##kind##_##name,
#define END(kind) WS_REGISTERS_##kind##_END };
/* clang-format on */
#include "model/machine/register_files.def"

/* Returns the cells of `stt`. */
static inline ws_cells ws_register_stt_cells(const uint64_t *values)
{
    return (ws_cells){.width = (uint32_t)values[WS_REGISTERS_stt_width],
                      .early = values[WS_REGISTERS_stt_ewt],
                      .waiting = (uint32_t)values[WS_REGISTERS_stt_coalesce]};
}

#endif
