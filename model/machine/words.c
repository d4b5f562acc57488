/* words.c - see words.h. */
#include "model/machine/words.h"

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
#include "model/machine/words.def"
