/* scheduler_rows.h - numbers of the options of each row of warp_schedulers.def. */
#ifndef WS_SCHEDULER_ROWS_H
#define WS_SCHEDULER_ROWS_H

#include "model/machine/scheduler_kind.h"

/* Options of each, WS_SCHEDULER_<kind>_<option>, in the order of its table. */
/* clang-format off */
#define WARP_SCHEDULER(name, word, summary) enum {
#define OPTION(kind, name, ...) WS_SCHEDULER_##kind##_##name,
#define END(kind) WS_SCHEDULER_##kind##_END };
/* clang-format on */
#include "model/machine/warp_schedulers.def"

/* Rows of warp_schedulers.def. */
enum {
#define WARP_SCHEDULER(name, ...) WS_SCHEDULER_##name,
#include "model/machine/warp_schedulers.def"
};

#endif
