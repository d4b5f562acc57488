/* board.c - shared memory without a name, reached through its maker's list of open files. */
#include "record/board.h"

#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

static ws_board *map(int fd)
{
    void *const p = mmap(NULL, sizeof(ws_board), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return p == MAP_FAILED ? NULL : p;
}

int ws_board_create(ws_board **out, int *fd)
{
    *fd = memfd_create("warpscape", MFD_CLOEXEC);
    *out = *fd >= 0 && ftruncate(*fd, sizeof(ws_board)) == 0 ? map(*fd) : NULL;
    if (!*out) {
        const int reason = errno;
        if (*fd >= 0)
            close(*fd);
        return ws_fail(WS_EIO, "cannot make shared memory: %s", strerror(reason));
    }
    (*out)->size = sizeof(ws_board);
    return WS_OK;
}

void ws_board_destroy(ws_board *board, int fd)
{
    ws_board_leave(board);
    close(fd);
}

void ws_board_path(int fd, char *path, size_t size)
{
    snprintf(path, size, "/proc/%ld/fd/%d", (long)getpid(), fd);
}

int ws_board_join(const char *path, ws_board **out, ws_board_process **me)
{
    struct stat about;
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    *out = NULL;
    *me = NULL;
    if (fd < 0)
        return ws_fail(WS_EIO, "%s: cannot be opened: %s", path, strerror(errno));
    const bool fits = fstat(fd, &about) == 0 && about.st_size == (off_t)sizeof(ws_board);
    ws_board *const board = fits ? map(fd) : NULL;
    close(fd);
    if (!board || board->size != sizeof(ws_board)) {
        ws_board_leave(board);
        return ws_fail(WS_EVERSION, "%s: made by another version of warpscape", path);
    }
    for (unsigned i = 0; i < WS_BOARD_PROCESSES && !*me; i++) {
        int64_t nobody = 0;
        if (atomic_compare_exchange_strong(&board->process[i].pid, &nobody, (int64_t)getpid()))
            *me = &board->process[i];
    }
    if (*me)
        atomic_store(&(*me)->open, 1);
    atomic_fetch_add(&board->processes, 1);
    *out = board;
    return WS_OK;
}

void ws_board_leave(ws_board *board)
{
    if (board)
        munmap(board, sizeof *board);
}

void ws_board_note_kernel(ws_board *board, const char *name)
{
    const uint64_t hash = XXH64(name, strlen(name), 0) | 1;
    for (unsigned i = 0; i < WS_BOARD_KERNELS; i++) {
        uint64_t found = 0;
        if (atomic_compare_exchange_strong(&board->kernel_hash[(hash + i) % WS_BOARD_KERNELS], &found, hash) ||
            found == hash)
            return;
    }
}

unsigned ws_board_kernels(const ws_board *board)
{
    unsigned n = 0;
    for (unsigned i = 0; i < WS_BOARD_KERNELS; i++)
        n += atomic_load(&board->kernel_hash[i]) != 0;
    return n;
}

bool ws_strays_note(ws_strays *s, const char *kernel, const char *title, uint64_t accesses)
{
    const uint64_t hash = XXH64(kernel, strlen(kernel), 0) | 1;
    atomic_fetch_add(&s->accesses, accesses);
    atomic_fetch_add(&s->launches, 1);
    for (unsigned i = 0; i < WS_STRAY_KERNELS; i++) {
        uint64_t found = 0;
        const bool fresh = atomic_compare_exchange_strong(&s->kernel[i].hash, &found, hash);
        if (fresh)
            snprintf(s->kernel[i].name, sizeof s->kernel[i].name, "%s", title);
        if (!fresh && found != hash)
            continue;
        atomic_fetch_add(&s->kernel[i].accesses, accesses);
        return fresh;
    }
    return false;
}
