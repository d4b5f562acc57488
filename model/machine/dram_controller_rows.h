/* dram_controller_rows.h - numbers of the options of each row of dram_controllers.def. */
#ifndef WS_DRAM_CONTROLLER_ROWS_H
#define WS_DRAM_CONTROLLER_ROWS_H

#include "model/machine/dram_controller.h"

/* Options of each, WS_DRAM_<controller>_<option>, in the order of its table. */
/* clang-format off */
#define COMMON(name) enum {
#define CONTROLLER(name, word, summary) enum {
#define OPTION(controller, name, ...) WS_DRAM_##controller##_##name,
#define END(controller) WS_DRAM_##controller##_END };
/* clang-format on */
#include "model/machine/dram_controllers.def"

#endif
