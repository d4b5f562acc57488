/* machine_word.h - words of machines that tests make by hand. */
#ifndef WS_TEST_MACHINE_WORD_H
#define WS_TEST_MACHINE_WORD_H

#include "model/machine/machine_internal.h"

/* machine_word(m, l1_write, "back"): as a file would set it; there is such a word. */
#define machine_word(machine, option, word) \
    do { \
        assert_true(ws_machine_take(machine, WS_MACHINE_ROW_##option, word)); \
    } while (0)
#define machine_word_of(machine, option) ws_machine_word(machine, WS_MACHINE_ROW_##option)

#endif
