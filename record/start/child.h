/* child.h - runs a program whose launches are recorded (see record/record.c), and listens to what it says. */
#ifndef WS_CHILD_H
#define WS_CHILD_H

#include <stdbool.h>
#include <stdint.h>

enum { WS_CHILD_TEXT = 512 };

/* How far the program is. */
typedef struct ws_child_progress {
    uint64_t warp_instructions;   /* of the process so far */
    uint64_t blocks_done, blocks; /* of the kernel that runs */
    char kernel[WS_CHILD_TEXT];
} ws_child_progress;

typedef struct ws_child {
    const char *const *argv;        /* program and arguments, ends with NULL */
    const char *const *environment; /* "NAME=value" added, in place of those of `env`; ends with NULL */
    void (*progress)(void *context, const ws_child_progress *progress); /* several times a second; NULL: not wanted */
    void *context;
} ws_child;

typedef struct ws_child_result {
    bool interrupted; /* Ctrl-C: the program was told to end */
    int exit_status;  /* when it exited, else -1 */
    int signal;       /* that ended it, else 0 */
    double seconds;
    char message[WS_CHILD_TEXT]; /* the last line that it printed, on either stream; "" when none */
    char cause[WS_CHILD_TEXT];   /* what libcuda.so.1 printed, without "warpscape: ", as the last line or the one
                                    before it: why the program gave up. "" when none */
} ws_child_result;

/* Runs it to its end. It dies with this process, whatever happens to that. WS_EIO when it cannot be started. */
int ws_child_run(const ws_child *child, ws_child_result *result);

#endif
