/* status.h - how calls fail: an int code, and one line of text that a user can act on.
 *
 * A function that can fail returns WS_OK (0) or a negative code from status.def. Before it returns the code it records
 * a message with ws_fail(). The library never prints and never exits; the program shows ws_message(). */
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

/* Records a printf-style message for this thread and returns `code`, so that one can write `return ws_fail(...)`. */
int ws_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "context: " before the message recorded last on this thread and returns `code` unchanged. A message that begins
 * with the context, or with what stands before a ": " of it, does not say that twice. */
int ws_fail_context(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The message recorded last on this thread; "" when there is none. Valid until the next call of ws_fail on it. */
const char *ws_message(void);

/* The phrase of a code, such as "out of memory". Never NULL. */
const char *ws_phrase(int code);

#endif
