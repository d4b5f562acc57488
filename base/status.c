/* status.c - the last error message of each thread (the one piece of global state the library keeps). */
#include "base/status.h"

#include "base/c_locale.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 2048 };

static _Thread_local char message[MESSAGE_BYTES];

int ws_fail(int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const locale_t before = ws_c_locale_enter();
    vsnprintf(message, sizeof message, format, args);
    ws_c_locale_leave(before);
    va_end(args);
    return code;
}

int ws_fail_context(int code, const char *format, ...)
{
    char before[MESSAGE_BYTES];
    memcpy(before, message, sizeof before);
    va_list args;
    va_start(args, format);
    const locale_t before_this = ws_c_locale_enter();
    int n = vsnprintf(message, sizeof message, format, args);
    ws_c_locale_leave(before_this);
    va_end(args);
    if (n < 0 || n >= MESSAGE_BYTES)
        n = MESSAGE_BYTES - 1;
    snprintf(message + n, sizeof message - (size_t)n, ": %s", before);
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
