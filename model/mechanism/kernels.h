/* kernels.h - kernels of workloads, each with what a mechanism keeps of all its launches. */
#ifndef WS_KERNELS_H
#define WS_KERNELS_H

#include <stddef.h>

typedef struct ws_kernel {
    char *workload, *mangled, *kernel; /* the latter as people write it */
    void *kept;                        /* bytes of ws_kernels, zeroed at first */
} ws_kernel;

/* Zeroed but for `bytes`: none yet. */
typedef struct ws_kernels {
    size_t bytes; /* of what is kept of a kernel */
    ws_kernel *one;
    size_t count, room;
    size_t first; /* kernels before it are not found again: those of traces that are over */
} ws_kernels;

/* What is kept of the kernel of that mangled name, which is added when it is new. NULL: no memory, with a message. */
void *ws_kernels_find(ws_kernels *kernels, const char *workload, const char *mangled);

/* Frees all; what `kept` owns is freed by the caller before. */
void ws_kernels_fini(ws_kernels *kernels);

#endif
