/* atomic_rows.h - numbers of the options of each row of atomics.def. */
#ifndef WS_ATOMIC_ROWS_H
#define WS_ATOMIC_ROWS_H

#include "model/machine/atomic_kind.h"

/* Options of each, WS_ATOMIC_<kind>_<option>, in the order of its table. */
/* clang-format off */
#define ATOMIC(name, word, summary, ...) enum {
#define OPTION(kind, name, ...) WS_ATOMIC_##kind##_##name,
#define END(kind) WS_ATOMIC_##kind##_END };
/* clang-format on */
#include "model/machine/atomics.def"

/* Rows of atomics.def. */
enum {
#define ATOMIC(name, ...) WS_ATOMIC_##name,
#include "model/machine/atomics.def"
};

#endif
