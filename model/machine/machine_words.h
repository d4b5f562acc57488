/* machine_words.h - enumerations of the words of machine files: machine_words.def. */
#ifndef WS_MACHINE_WORDS_H
#define WS_MACHINE_WORDS_H

#include <stddef.h>

#define TYPE(type) \
    typedef enum ws_##type \
    {
#define VALUE(name, word) WS_##name,
#define END(type, NAME) \
    WS_##NAME##_WORDS \
    } \
    ws_##type;
#include "model/machine/machine_words.def"
#undef TYPE
#undef VALUE
#undef END

/* Returns the word of a value, which must be at least 0 and less than WS_<NAME>_WORDS. */
#define TYPE(type) const char *ws_##type##_word(ws_##type value);
#define VALUE(name, word)
#define END(type, NAME)
#include "model/machine/machine_words.def"
#undef TYPE
#undef VALUE
#undef END

#endif
