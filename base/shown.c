/* shown.c - which bytes of a text are letters, and which would a terminal obey? */
#include "base/shown.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ESCAPED_BYTES = 8, LETTER_BYTES = 4 };

/* The Unicode Standard 15.0, table 3-7. */
size_t ws_letter_bytes(const char *text)
{
    const unsigned char *const at = (const unsigned char *)text;
    static const struct {
        unsigned char first, last, least, most; /* first byte from, to; second byte from, to */
        size_t length;
    } forms[] = {
        {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3},
        {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4},
        {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
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

/* Writes the next letter, or what stands for it, with a NUL; `*used` bytes of the text. Returns the length of what is
 * written. */
static size_t show_next(const char *text, char out[ESCAPED_BYTES + LETTER_BYTES], size_t *used)
{
    const unsigned char *const at = (const unsigned char *)text;
    const size_t length = ws_letter_bytes(text);
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

char *ws_shown_copy(const char *text)
{
    const size_t size = ws_shown(NULL, 0, text) + 1;
    char *const copy = malloc(size);
    if (copy)
        ws_shown(copy, size, text);
    return copy;
}

void ws_show_line(FILE *out, const char *format, ...)
{
    char *text = NULL, *line = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    const size_t length = text ? ws_shown(NULL, 0, text) : 0;
    line = text ? malloc(length + 2) : NULL;
    if (line) {
        ws_shown(line, length + 1, text);
        memcpy(line + length, "\n", 2);
    }
    fputs(line ? line : "out of memory\n", out); /* in one piece: other threads write too */
    free(line);
    free(text);
}

/* ---------------------------------------------------------------- streams */

typedef struct stream {
    int fd;
    char held[LETTER_BYTES]; /* the beginning of a letter whose end has not come yet */
    size_t holds;
} stream;

static int write_all(int fd, const char *text, size_t size)
{
    while (size) {
        const ssize_t n = write(fd, text, size);
        if (n < 0 && errno != EINTR)
            return -1;
        text += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}

/* Bytes at the end of a text that may be the beginning of a letter. */
static size_t open_end(const char *text, size_t size)
{
    for (size_t n = 1; n < LETTER_BYTES && n <= size; n++) {
        const unsigned char c = (unsigned char)text[size - n];
        const size_t wanted = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC2 ? 2 : 0;
        if (wanted > n)
            return n;
        if ((c & 0xC0) != 0x80)
            return 0;
    }
    return 0;
}

/* What is written of a stretch of text without its open end; a NUL in it is shown too. */
static int write_shown(int fd, const char *text, size_t size)
{
    char *out = malloc(ESCAPED_BYTES * size + 1);
    size_t length = 0;
    if (!out) {
        errno = ENOMEM;
        return -1;
    }
    for (size_t at = 0, used; at < size; at += used) {
        used = 1;
        if (text[at] == '\n' || text[at] == '\t')
            out[length++] = text[at];
        else
            length += show_next(text + at, out + length, &used);
    }
    const int failed = write_all(fd, out, length);
    free(out);
    return failed;
}

/* Returns `size`, or 0 for a failure, as fopencookie() wants it. */
static ssize_t stream_write(void *cookie, const char *text, size_t size)
{
    stream *const s = cookie;
    char *const whole = malloc(s->holds + size + 1); /* a NUL behind: letters are looked at beyond their first byte */
    if (!whole) {
        errno = ENOMEM;
        return 0;
    }
    memcpy(whole, s->held, s->holds);
    memcpy(whole + s->holds, text, size);
    const size_t bytes = s->holds + size;
    whole[bytes] = '\0';
    s->holds = open_end(whole, bytes);
    memcpy(s->held, whole + bytes - s->holds, s->holds);
    whole[bytes - s->holds] = '\0';
    const int failed = write_shown(s->fd, whole, bytes - s->holds);
    free(whole);
    return failed ? 0 : (ssize_t)size;
}

static int stream_close(void *cookie)
{
    stream *const s = cookie;
    char end[LETTER_BYTES + 1] = "";
    memcpy(end, s->held, s->holds);
    const int failed = write_shown(s->fd, end, s->holds);
    free(s);
    return failed;
}

FILE *ws_shown_stream(int fd)
{
    stream *const s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->fd = fd;
    FILE *const file = fopencookie(s, "w", (cookie_io_functions_t){.write = stream_write, .close = stream_close});
    if (!file) {
        free(s);
        return NULL;
    }
#ifdef __SANITIZE_ADDRESS__
    __lsan_ignore_object(s); /* its own fopencookie() keeps the only pointer where its search for leaks does not look */
#endif
    return file;
}
