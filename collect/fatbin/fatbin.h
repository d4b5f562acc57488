/* fatbin.h - what a fat binary of nvcc holds, and the PTX module that comes out of it.
 *
 * A *fat binary* is what a program registers at once. It has *parts*: one, or, after device linking (nvcc -rdc=true),
 * one a source file. A part is a container whose *images* are the same code for different architectures: PTX, machine
 * code (cubin), or code for the linker's optimiser (LTO). Only PTX can be used here. docs/cuda-details.md describes the
 * layout.
 */
#ifndef WS_FATBIN_H
#define WS_FATBIN_H

#include "base/arena.h"
#include "base/bytes.h"
#include "collect/ptx/module_declared.h"

typedef enum ws_fatbin_kind { WS_FATBIN_PTX = 1, WS_FATBIN_CUBIN = 2, WS_FATBIN_LTO = 8 } ws_fatbin_kind;
typedef enum ws_fatbin_packing { WS_FATBIN_STORED, WS_FATBIN_LZ4, WS_FATBIN_ZSTD } ws_fatbin_packing;

typedef struct ws_fatbin_image {
    unsigned kind;                         /* a ws_fatbin_kind, or a number that nobody described */
    unsigned packing;                      /* ws_fatbin_packing */
    uint32_t architecture;                 /* 75 of sm_75 */
    uint32_t version_major, version_minor; /* of PTX: the ISA version */
    uint32_t part;
    uint64_t flags;                   /* as stored */
    uint64_t offset;                  /* of its header in the container */
    const uint8_t *payload;           /* points into what was opened */
    size_t stored_bytes;              /* of the payload */
    uint64_t bytes;                   /* unpacked */
    const char *identifier, *options; /* source file and options that the compiler noted; "" when it did not */
} ws_fatbin_image;

typedef struct ws_fatbin {
    const char *name; /* as messages name it */
    const ws_fatbin_image *image;
    uint32_t images;
    uint32_t parts;
    bool linked; /* made by device linking: the parts are modules to be linked */
    ws_arena *arena;
} ws_fatbin;

/* Whether image begins as a fat binary, or the wrapper of one, does. Looks at up to 4 bytes: those before a NUL. */
bool ws_fatbin_begins(const void *image);

/* Opens a container, or a wrapper that points to containers in the memory of this process. `bytes` is the size of
 * image, 0 when it is not known: then the sizes that the headers tell are believed as far as memory can be read. The
 * memory is borrowed until ws_fatbin_close. WS_EINPUT names the offset and what is wrong there; a fat binary without
 * any image is none of those. The name is copied. */
int ws_fatbin_open(const char *name, const void *image, size_t bytes, ws_fatbin **out);
void ws_fatbin_close(ws_fatbin *fatbin);

/* Opens containers one behind the other, as a linked fat binary: what stands in the section __nv_relfatbin. */
int ws_fatbin_open_parts(const char *name, const void *data, size_t bytes, ws_fatbin **out);

/* The PTX image of a part for the highest architecture that is known (collect/ptx/target.def); with `most` not 0, the
 * highest up to it. Without one: WS_EUNSUPPORTED, and the message tells what there is and how to build with PTX. */
int ws_fatbin_choose(const ws_fatbin *fatbin, uint32_t part, uint32_t most, const ws_fatbin_image **out);

/* The unpacked bytes of an image, followed by a NUL; the caller frees them. */
int ws_fatbin_unpack(const ws_fatbin *fatbin, const ws_fatbin_image *image, char **bytes, size_t *length);

/* The module: of the image that ws_fatbin_choose takes of the one part, or of those of all parts, linked. The caller
 * destroys it; it does not need the fat binary any more. */
int ws_fatbin_load(const ws_fatbin *fatbin, uint32_t most, ws_module **out);

/* PTX text of a module, and what messages call it. */
typedef struct ws_fatbin_part {
    const char *name, *text;
    size_t length;
} ws_fatbin_part;

/* Appends a container to an empty `out` that ws_fatbin_open reads as a linked fat binary with these parts; of no use to
 * other programs. */
int ws_fatbin_write(const ws_fatbin_part *part, uint32_t parts, ws_bytes *out);

/* "PTX", "cubin" ...; "stored", "LZ4" ... */
const char *ws_fatbin_kind_name(unsigned kind);
const char *ws_fatbin_packing_name(unsigned packing);

#endif
