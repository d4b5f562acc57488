/* machine_word.h - words of machines that tests make by hand. */
#ifndef WS_TEST_MACHINE_WORD_H
#define WS_TEST_MACHINE_WORD_H

#include "model/machine/machine_internal.h"

#include <stdint.h>

/* machine_word(m, l1_write, "back"): as a file would set it; there is such a word. */
#define machine_word(machine, option, word) \
    do { \
        assert_true(ws_machine_take(machine, WS_MACHINE_ROW_##option, word)); \
    } while (0)
#define machine_word_of(machine, option) ws_machine_word(machine, WS_MACHINE_ROW_##option)

/* Gives a machine that ws_machine_defaults began, without a file, its shape. Fails as ws_machine_settle. */
static inline int machine_settle(const ws_machine *made)
{
    static ws_machine_storage nothing_given;
    ws_machine *const machine = (ws_machine *)(uintptr_t)made;
    if (!machine->storage)
        machine->storage = &nothing_given;
    if (!machine->folder)
        machine->folder = "data/tech";
    return ws_machine_settle(machine);
}

#endif
