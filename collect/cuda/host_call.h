/* host_call.h - which call of the program made something? Return addresses of the calling thread, and what they are in words. */
#ifndef WS_HOST_CALL_H
#define WS_HOST_CALL_H

#include <stddef.h>

enum { WS_HOST_FRAMES = 4 };

/* Return addresses, innermost first, from the first that lies in neither this library nor a CUDA runtime; NULL ends them. */
typedef struct ws_host_call {
    void *frame[WS_HOST_FRAMES];
} ws_host_call;

/* Of the calling thread. Costs some microseconds. */
void ws_host_call_here(ws_host_call *out);

/* "fill+0x1f (app+0x11a3), called by main+0x40 (app+0x1240)": function and bytes behind its start, then file and address in it for
 * `addr2line -e app`; of a file without such a symbol the latter alone; "" when nothing is known. Functions named cuda... are passed over: wrappers
 * of CUDA's headers, and runtimes that are part of the program. */
void ws_host_call_words(const ws_host_call *call, char *text, size_t size);

#endif
