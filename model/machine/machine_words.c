/* machine_words.c - see machine_words.h. */
#include "model/machine/machine_words.h"

/* clang-format off */
#define TYPE(type) \
    const char *ws_##type##_word(ws_##type value) \
    { \
        static const char *const words[] = {
#define VALUE(name, word) word,
#define END(type, NAME) \
        }; \
        return words[value]; \
    }
/* clang-format on */
#include "model/machine/machine_words.def"
