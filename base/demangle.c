/* demangle.c - the demangler of GNU binutils, behind one function; and names in messages. */
#include "base/demangle.h"

#include "base/shown.h"

#include <libiberty/demangle.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST_DEEP = 4096,
    LONG_NAME = 256,     /* one more than a part of a path can have: folders and files keep their names */
    SHORT_NAME = 200,    /* what is left of a longer name */
    LONGEST_SHOWN = 2048 /* line of ws_show_message */
};

/* The library's own limit turns away names of more than 1,024 characters, which those of kernels made of templates
 * have. What it needs of the stack grows with the name: less than a megabyte for any of this length. */
static char *demangle(const char *name, int how)
{
    const int deep = strlen(name) <= LONGEST_DEEP ? DMGL_NO_RECURSE_LIMIT : 0;
    char *const text = cplus_demangle_v3(name, how | deep);
    return text ? text : strdup(name);
}

char *ws_demangle(const char *name)
{
    return demangle(name, DMGL_PARAMS | DMGL_ANSI);
}

char *ws_demangle_short(const char *name)
{
    return demangle(name, DMGL_ANSI);
}

/* Takes out the middle, between letters, where a text has more than `most` bytes. */
static void shorten(char *text, size_t most)
{
    static const char gap[] = " ... ";
    const size_t length = strlen(text), each = (most - (sizeof gap - 1)) / 2;
    if (length <= most)
        return;
    size_t head = each, tail = length - each;
    while (head && ((unsigned char)text[head] & 0xc0) == 0x80)
        head--;
    while (tail < length && ((unsigned char)text[tail] & 0xc0) == 0x80)
        tail++;
    memmove(text + head + sizeof gap - 1, text + tail, length - tail + 1);
    memcpy(text + head, gap, sizeof gap - 1);
}

static size_t name_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$");
}

/* Writes a name of `length` bytes; of a mangled one that is short enough only when it is what the message is about. */
static void put_name(FILE *out, const char *name, size_t length, bool is_subject)
{
    if (length > LONG_NAME || (is_subject && !strncmp(name, "_Z", 2))) {
        char *const mangled = strndup(name, length), *const text = mangled ? ws_demangle(mangled) : NULL;
        if (text) {
            shorten(text, SHORT_NAME);
            fputs(text, out);
        }
        free(text);
        free(mangled);
    } else {
        fwrite(name, 1, length, out);
    }
}

void ws_demangle_message(char *to, size_t size, const char *message)
{
    static const char subject[] = "kernel ";
    char *text = NULL;
    size_t bytes = 0;
    FILE *const out = open_memstream(&text, &bytes);
    for (const char *at = message; out && *at;) {
        const size_t length = name_length(at);
        const bool behind = at - message >= (ptrdiff_t)sizeof subject - 1 &&
                            !memcmp(at - (sizeof subject - 1), subject, sizeof subject - 1);
        if (length)
            put_name(out, at, length, behind && at[length] == ':');
        else
            putc(*at, out);
        at += length ? length : 1;
    }
    if (!out || fclose(out) || !text) {
        snprintf(to, size, "%s", message);
    } else {
        shorten(text, size - 1);
        memcpy(to, text, strlen(text) + 1);
    }
    free(text);
}

void ws_show_message(FILE *out, const char *message)
{
    char text[LONGEST_SHOWN];
    ws_demangle_message(text, sizeof text, message);
    ws_show_line(out, "warpscape: %s", text);
}
