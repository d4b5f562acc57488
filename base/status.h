/* status.h - error reporting: an int code, and one line of text that a user can act on.
 *
 * A function that can fail returns WS_OK (0) or a negative code from status.def. It records a message with ws_fail()
 * before it returns the code. The library never prints and never exits; the program shows ws_message(). */
#ifndef WS_STATUS_H
#define WS_STATUS_H

enum {
#define STATUS(name, phrase) WS_STATUS_INDEX_##name,
#include "base/status.def"
#undef STATUS
    WS_STATUS_COUNT
};

enum {
#define STATUS(name, phrase) WS_##name = -WS_STATUS_INDEX_##name,
#include "base/status.def"
#undef STATUS
};

/* Records a printf-style message for this thread and returns `code`, for use as `return ws_fail(...)`. */
int ws_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "context: " before the last message of this thread and returns `code` unchanged. The context is not repeated if
 * the message already begins with it, or with its part before a ": ". */
int ws_fail_context(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the last message of this thread, or "". It is valid until the next call of ws_fail on this thread. */
const char *ws_message(void);

/* Returns the phrase of a code, such as "out of memory". Never NULL. */
const char *ws_phrase(int code);

#endif
