/* fatbin.h - reader of nvcc's fat binaries, and loader of their PTX modules.
 *
 * A *fat binary* is the unit that a program registers. It has one *part*, or, after device linking (nvcc -rdc=true),
 * one per source file. A part is a container whose *images* are the same code for different architectures: PTX, machine
 * code (cubin), or code for the linker's optimiser (LTO). Only PTX can be used here. docs/cuda-details.md describes the
 * layout. */
#ifndef WS_FATBIN_H
#define WS_FATBIN_H

#include "base/arena.h"
#include "base/bytes.h"
#include "collect/ptx/module_declared.h"

typedef enum ws_fatbin_kind { WS_FATBIN_PTX = 1, WS_FATBIN_CUBIN = 2, WS_FATBIN_LTO = 8 } ws_fatbin_kind;
typedef enum ws_fatbin_packing { WS_FATBIN_STORED, WS_FATBIN_LZ4, WS_FATBIN_ZSTD } ws_fatbin_packing;

typedef struct ws_fatbin_image {
    unsigned kind;                         /* a ws_fatbin_kind, or an undocumented number */
    unsigned packing;                      /* ws_fatbin_packing */
    uint32_t architecture;                 /* 75 of sm_75 */
    uint32_t version_major, version_minor; /* of PTX: ISA version */
    uint32_t part;
    uint64_t flags;                   /* as stored */
    uint64_t offset;                  /* offset of its header in the container */
    const uint8_t *payload;           /* points into the opened data */
    size_t stored_bytes;              /* of the payload */
    uint64_t bytes;                   /* unpacked size */
    const char *identifier, *options; /* source file and options recorded by the compiler; "" if missing */
} ws_fatbin_image;

typedef struct ws_fatbin {
    const char *name; /* name in messages */
    const ws_fatbin_image *image;
    uint32_t images;
    uint32_t parts;
    bool linked; /* made by device linking: the parts are modules to link */
    ws_arena *arena;
} ws_fatbin;

/* Returns whether image begins like a fat binary or its wrapper. Reads up to 4 bytes, and stops at a NUL. */
bool ws_fatbin_begins(const void *image);

/* Opens a container, or a wrapper that points to containers in the memory of this process. `bytes` is the size of
 * image, or 0 if unknown: then sizes in the headers are trusted as far as memory is readable. The memory is borrowed
 * until ws_fatbin_close. WS_EINPUT names the offset and the defect; a fat binary without images is valid. The name is
 * copied. */
int ws_fatbin_open(const char *name, const void *image, size_t bytes, ws_fatbin **out);
void ws_fatbin_close(ws_fatbin *fatbin);

/* Opens consecutive containers as a linked fat binary: the content of the section __nv_relfatbin. */
int ws_fatbin_open_parts(const char *name, const void *data, size_t bytes, ws_fatbin **out);

/* Returns the PTX image of a part for the highest known architecture (collect/ptx/target.def), not above `most` unless
 * that is 0. WS_EUNSUPPORTED if none exists; the message lists the images and describes how to build with PTX. */
int ws_fatbin_choose(const ws_fatbin *fatbin, uint32_t part, uint32_t most, const ws_fatbin_image **out);

/* Returns the unpacked bytes of an image, NUL-terminated; the caller frees them. */
int ws_fatbin_unpack(const ws_fatbin *fatbin, const ws_fatbin_image *image, char **bytes, size_t *length);

/* Returns the module of the selected image (ws_fatbin_choose), or of all parts, linked. The caller destroys it; it does
 * not depend on the fat binary. */
int ws_fatbin_load(const ws_fatbin *fatbin, uint32_t most, ws_module **out);

/* PTX text of a module, and its name in messages. */
typedef struct ws_fatbin_part {
    const char *name, *text;
    size_t length;
} ws_fatbin_part;

/* Appends a container to an empty `out`. ws_fatbin_open reads it as a linked fat binary with these parts; other
 * programs cannot use it. */
int ws_fatbin_write(const ws_fatbin_part *part, uint32_t parts, ws_bytes *out);

/* Return "PTX", "cubin" ...; "stored", "LZ4" ... */
const char *ws_fatbin_kind_name(unsigned kind);
const char *ws_fatbin_packing_name(unsigned packing);

#endif
