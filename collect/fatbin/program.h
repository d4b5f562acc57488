/* program.h - device code in a file: PTX text, a fat binary, or a program, library or object file from nvcc. */
#ifndef WS_PROGRAM_H
#define WS_PROGRAM_H

#include "collect/fatbin/fatbin.h"

typedef struct ws_program {
    const char *path;
    ws_fatbin **fatbin; /* named "PATH", or "PATH#0", "PATH#1" ... if there are several; none for PTX text */
    uint32_t fatbins, fatbin_room;
    bool is_text;
    const void *data; /* content of the file */
    size_t bytes;
    bool is_mapped;
    ws_arena *arena;
} ws_program;

/* Opens a file. A program without device code and an archive are WS_EINPUT, GPU machine code is WS_EUNSUPPORTED; the
 * message suggests an alternative. The caller closes the program. */
int ws_program_open(const char *path, ws_program **out);
/* The same for a file in memory, which is borrowed until ws_program_close. */
int ws_program_view(const char *name, const void *data, size_t bytes, ws_program **out);
void ws_program_close(ws_program *program); /* accepts NULL */

/* Returns the module of the text, or of the first fat binary with PTX whose module `suits` accepts. A single module, or
 * any with NULL, is accepted. WS_ENOTFOUND if none is. `most` as for ws_fatbin_load. The caller destroys the module,
 * which does not depend on the program. */
int ws_program_load(const ws_program *program, uint32_t most, bool (*suits)(const ws_module *module, void *context),
                    void *context, ws_module **out);

#endif
