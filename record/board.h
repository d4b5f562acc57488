/* board.h - memory that `warpscape run` and the processes of its program share: what has been done so far.
 *
 * It outlives a program that is killed, so nothing that was counted is lost with it. */
#ifndef WS_BOARD_H
#define WS_BOARD_H

#include "collect/cuda/recorder.h"

#include <stdatomic.h>

enum { WS_BOARD_PROCESSES = 256, WS_BOARD_KERNELS = 1024, WS_BOARD_TEXT = 256, WS_STRAY_KERNELS = 8 };

/* Accesses of kernels that a GPU treats otherwise: outside allocations, or misaligned; of the first so many kernels how
 * many each. */
typedef struct ws_strays {
    _Atomic uint64_t accesses, launches;
    struct {
        _Atomic uint64_t hash; /* of its name; 0: free */
        _Atomic uint64_t accesses;
        char name[WS_BOARD_TEXT];
    } kernel[WS_STRAY_KERNELS];
} ws_strays;

typedef struct ws_board_process {
    _Atomic int64_t pid;  /* 0: free */
    _Atomic int64_t open; /* 1 until it has said farewell */
    ws_copied copied;     /* since its last launch: a killed process leaves them here */
} ws_board_process;

typedef struct ws_board {
    uint64_t size;                /* of this struct: tells a library of another version */
    _Atomic uint64_t next_launch; /* number of the next launch of any process */
    _Atomic uint64_t processes, launches, measured, warp_instructions, thread_instructions;
    _Atomic uint64_t failed;                        /* launches that ended with a fault */
    _Atomic uint64_t told;                          /* not 0: somebody has written `failure`, or does */
    char failure[2 * WS_BOARD_TEXT];                /* why the first of them did */
    _Atomic uint64_t unkept;                        /* launches that ran, and that the results file could not take */
    _Atomic uint64_t h2d, d2h, d2d, filled;         /* up to the last launches */
    _Atomic uint64_t kernel_hash[WS_BOARD_KERNELS]; /* of the names seen; 0: free */
    ws_strays strays, misaligned;
    _Atomic uint64_t blocks_done, blocks, running; /* of the launch that runs; running: 1 while one does */
    char kernel[WS_BOARD_TEXT];                    /* its name; may be torn when two processes run at once */
    ws_board_process process[WS_BOARD_PROCESSES];
} ws_board;

/* Makes one; *fd is for the path of ws_board_path. */
int ws_board_create(ws_board **out, int *fd);
void ws_board_destroy(ws_board *board, int fd);

/* How processes find it: a file name. */
void ws_board_path(int fd, char *path, size_t size);

/* Joins as this process. *me is NULL when all places are taken. WS_EIO, WS_EVERSION. */
int ws_board_join(const char *path, ws_board **out, ws_board_process **me);
void ws_board_leave(ws_board *board);

/* Counts the name as seen; how many different ones were. */
void ws_board_note_kernel(ws_board *board, const char *name);
unsigned ws_board_kernels(const ws_board *board);

/* Counts a launch that made such accesses, of a kernel with this name in the program and for people. True when it is
 * the first of one of those kernels: then it is said. */
bool ws_strays_note(ws_strays *strays, const char *kernel, const char *title, uint64_t accesses);

#endif
