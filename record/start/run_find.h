/* run_find.h - which file is the program that somebody named, and can our libraries get in front of it? */
#ifndef WS_RUN_FIND_H
#define WS_RUN_FIND_H

#include "record/start/elf_look.h"

typedef struct ws_program {
    char *path;         /* to be freed */
    bool script;        /* begins with "#!" */
    ws_elf_facts facts; /* of one that is no script */
} ws_program;

/* Looks for it as a shell would. WS_ENOTFOUND: there is none; WS_EUNSUPPORTED, WS_EIO: it cannot be run here, with
 * the reason. `path` is set whenever there is a file. */
int ws_program_find(const char *name, ws_program *out);
void ws_program_fini(ws_program *program);

/* The folder with libcuda.so.1: beside this program in a build tree, beside its prefix when installed, or the one it
 * was built for. WS_ENOTFOUND. */
int ws_program_libraries(char *folder, size_t size);

/* The same folder by a name that can stand in LD_LIBRARY_PATH and LD_PRELOAD, where blanks, colons, semicolons and
 * dollars mean something else. That name is good while this process lives and *fd, -1 when none is needed, is open.
 * WS_EIO. */
int ws_program_loadable(const char *folder, char *name, size_t size, int *fd);

/* The same folder by such a name that is good for other processes, now and later: itself, or a link to it in the user's
 * folder of caches (XDG_CACHE_HOME, or .cache in HOME). WS_EIO without a place for the link. */
int ws_program_durable(const char *folder, char *name, size_t size);

/* An absolute name of a file, which may not exist: programs may work in other folders. WS_EIO. */
int ws_program_absolute(const char *path, char *name, size_t size);

/* Whether the folder has the versions of the CUDA runtime and driver that the program is linked to. WS_EUNSUPPORTED
 * names those that it has. */
int ws_program_check_libraries(const ws_program *program, const char *folder);

/* "libcudart.so.12, libcudart.so.13": the versions of a library (libcudart.so) in a folder. False: there are none. */
bool ws_program_versions(const char *folder, const char *library, char *text, size_t size);

#endif
