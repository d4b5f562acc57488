/* status.c - the last error message of each thread (the one piece of global state the library keeps). */
#include "base/status.h"

#include "base/c_locale.h"
#include "base/demangle.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_BYTES = 2048 };

static _Thread_local char message[MESSAGE_BYTES];

/* What follows of a message behind the context that it begins with; NULL: it begins with another one. */
static const char *behind(const char *before, const char *context, size_t length)
{
    const bool same = length > 0 && !strncmp(before, context, length) && before[length] == ':';
    return same ? before + length : NULL;
}

/* "context: message". What a message begins with already, all of the context or as much of it as stands before a ": ",
 * is said once. */
static char *in_context(const char *context, const char *before)
{
    char *whole = NULL;
    char shown[MESSAGE_BYTES] = "";
    if (asprintf(&whole, "%s:", context) < 0)
        return NULL;
    ws_demangle_message(shown, sizeof shown, whole); /* as it stands in messages */
    free(whole);
    const size_t length = strlen(shown);
    if (length && behind(before, shown, length - 1))
        return strdup(before);
    const char *cause = before;
    for (const char *end = strstr(shown, ": "); end; end = strstr(end + 1, ": ")) {
        const char *const rest = behind(before, shown, (size_t)(end - shown));
        if (rest && rest[1] == ' ')
            cause = rest + strlen(": ");
    }
    return asprintf(&whole, "%s: %s", context, cause) < 0 ? NULL : whole;
}

/* The message of a thread, whatever its length: where a kernel's name has thousands of characters the cause is behind
 * them. What is formatted may be the last message. */
static void keep(const char *format, va_list args, const char *before)
{
    char *text = NULL, *whole = NULL;
    va_list again;
    va_copy(again, args);
    const locale_t before_this = ws_c_locale_enter();
    if (vasprintf(&text, format, args) < 0)
        text = NULL;
    if (text && before)
        whole = in_context(text, before);
    if (text)
        ws_demangle_message(message, sizeof message, whole ? whole : text);
    else
        vsnprintf(message, sizeof message, format, again);
    ws_c_locale_leave(before_this);
    va_end(again);
    free(whole);
    free(text);
}

int ws_fail(int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    keep(format, args, NULL);
    va_end(args);
    return code;
}

int ws_fail_context(int code, const char *format, ...)
{
    char before[MESSAGE_BYTES];
    memcpy(before, message, sizeof before);
    va_list args;
    va_start(args, format);
    keep(format, args, before);
    va_end(args);
    return code;
}

const char *ws_message(void)
{
    return message;
}

const char *ws_phrase(int code)
{
    static const char *const phrases[] = {
#define STATUS(name, phrase) phrase,
#include "base/status.def"
#undef STATUS
    };
    int index = -code;
    return index >= 0 && index < WS_STATUS_COUNT ? phrases[index] : "unknown failure";
}
