/* register_names.h - registers of a launch within the 255 of SASS.
 *
 * PTX has as many registers as a compiler likes. They are given numbers in the order of the instructions: a register
 * has its number from where it is named first to where it is named last, then another may have it. In a loop that may
 * tie two values that have nothing to do with each other, never untie two that have: times may differ, results do not
 * hang on it. Elements of a vector lie side by side where there is room, as in SASS. */
#ifndef WS_REGISTER_NAMES_H
#define WS_REGISTER_NAMES_H

#include "collect/trace/event.h"

enum { WS_SASS_REGISTERS = 255, WS_SASS_SOURCES = 4 }; /* that Accel-Sim's reader takes */

typedef struct ws_register_names {
    uint8_t dsts, srcs; /* at most 1, at most WS_SASS_SOURCES */
    uint8_t dst, src[WS_SASS_SOURCES];
} ws_register_names;

/* names[launch->instrs] is the caller's; *used: registers in use at most. WS_EMEM. */
int ws_register_names_make(const ws_launch *launch, ws_register_names *names, unsigned *used);

#endif
