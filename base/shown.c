/* shown.c - which bytes of a text are letters, and which would a terminal obey? */
#include "base/shown.h"

#include <stdint.h>
#include <string.h>

enum { ESCAPED_BYTES = 8, LETTER_BYTES = 4 };

/* Bytes of the well-formed UTF-8 letter at `at`, 0 when there is none (The Unicode Standard 15.0, table 3-7). */
static size_t letter_length(const unsigned char *at)
{
    static const struct {
        unsigned char first, last, least, most; /* first byte from, to; second byte from, to */
        size_t length;
    } forms[] = {
        {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3},
        {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
    };
    if (*at < 0x80)
        return 1;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (*at < forms[i].first || *at > forms[i].last)
            continue;
        if (at[1] < forms[i].least || at[1] > forms[i].most)
            return 0;
        for (size_t k = 2; k < forms[i].length; k++)
            if ((at[k] & 0xC0) != 0x80) /* the NUL at the end is none either */
                return 0;
        return forms[i].length;
    }
    return 0;
}

static int is_control(const unsigned char *at)
{
    return *at < 0x20 || *at == 0x7F || (*at == 0xC2 && at[1] < 0xA0);
}

/* Writes the next letter, or what stands for it, with a NUL; `*used` bytes of the text. Returns the length of what is written. */
static size_t show_next(const char *text, char out[ESCAPED_BYTES + LETTER_BYTES], size_t *used)
{
    const unsigned char *const at = (const unsigned char *)text;
    const size_t length = letter_length(at);
    *used = length ? length : 1;
    if (length && !is_control(at)) {
        memcpy(out, text, length);
        out[length] = '\0';
        return length;
    }
    static const char plain[] = "\n\r\t", words[] = "nrt";
    const char *const word = length == 1 ? strchr(plain, *text) : NULL;
    if (word)
        return (size_t)sprintf(out, "\\%c", words[word - plain]);
    if (length == 2) /* C1: both bytes are told, as they stand in the text */
        return (size_t)sprintf(out, "\\x%02x\\x%02x", at[0], at[1]);
    return (size_t)sprintf(out, "\\x%02x", *at);
}

size_t ws_shown(char *to, size_t size, const char *text)
{
    size_t total = 0, kept = 0;
    int full = 0;
    for (size_t used; *text; text += used) {
        char next[ESCAPED_BYTES + LETTER_BYTES];
        const size_t n = show_next(text, next, &used);
        full = full || kept + n >= size;
        if (!full) {
            memcpy(to + kept, next, n);
            kept += n;
        }
        total += n;
    }
    if (size)
        to[kept] = '\0';
    return total;
}

void ws_show(FILE *out, const char *text)
{
    for (size_t used; *text; text += used) {
        char next[ESCAPED_BYTES + LETTER_BYTES];
        fwrite(next, 1, show_next(text, next, &used), out);
    }
}
