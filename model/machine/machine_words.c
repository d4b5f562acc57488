/* machine_words.c - see machine_words.h. */
#include "model/machine/machine_words.h"

#define TYPE(type) \
    const char *ws_##type##_word(ws_##type value) \
    { \
        static const char *const words[] = {
#define VALUE(name, word) word,
#define END(type, NAME) \
    } \
    ; \
    return words[value]; \
    }
#include "model/machine/machine_words.def"
