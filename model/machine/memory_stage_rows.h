/* memory_stage_rows.h - numbers of the options of each row of memory_stages.def. */
#ifndef WS_MEMORY_STAGE_ROWS_H
#define WS_MEMORY_STAGE_ROWS_H

#include "model/machine/memory_stage_kind.h"

/* Options of each, WS_STAGE_<kind>_<option>, in the order of its table. */
/* clang-format off */
#define MEMORY_STAGE(name, word, summary, ...) enum {
#define OPTION(kind, name, ...) WS_STAGE_##kind##_##name,
#define END(kind) WS_STAGE_##kind##_END };
/* clang-format on */
#include "model/machine/memory_stages.def"

#endif
