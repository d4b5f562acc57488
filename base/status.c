/* status.c - the last error message of each thread (the one piece of global state the library keeps). */
#include "base/status.h"

#include "base/c_locale.h"
#include "base/demangle.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_BYTES = 2048 };

static _Thread_local char message[MESSAGE_BYTES];

/* The message of a thread, whatever its length: where a kernel's name has thousands of characters the cause is behind them. What is
 * formatted may be the last message. */
static void keep(const char *format, va_list args, const char *before)
{
    char *text = NULL, *whole = NULL;
    va_list again;
    va_copy(again, args);
    const locale_t before_this = ws_c_locale_enter();
    if (vasprintf(&text, format, args) < 0)
        text = NULL;
    if (text && before && asprintf(&whole, "%s: %s", text, before) < 0)
        whole = NULL;
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
