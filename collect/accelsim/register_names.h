/* register_names.h - allocation of a launch's registers to the 255 registers of SASS.
 *
 * PTX has an unlimited number of registers. They are numbered in the order of the instructions. A register keeps its
 * number from its first to its last use in the text; then another one may get it. In a loop this may merge two
 * unrelated values but never separates a value: it affects times, not results. Elements of a vector get adjacent
 * numbers where possible, as in SASS. */
#ifndef WS_REGISTER_NAMES_H
#define WS_REGISTER_NAMES_H

#include "collect/trace/event.h"

enum { WS_SASS_REGISTERS = 255, WS_SASS_SOURCES = 4 }; /* limits of Accel-Sim's reader */

typedef struct ws_register_names {
    uint8_t dsts, srcs; /* at most 1, at most WS_SASS_SOURCES */
    uint8_t dst, src[WS_SASS_SOURCES];
} ws_register_names;

/* Fills names[launch->instrs], owned by the caller; *used: largest number of registers in use. WS_EMEM. */
int ws_register_names_make(const ws_launch *launch, ws_register_names *names, unsigned *used);

#endif
