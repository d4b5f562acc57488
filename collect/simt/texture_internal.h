/* texture_internal.h - shared declarations of the texture files.
 *
 *   texture.c          table of a device's textures
 *   texture_level.c    vector code of reads: addressing modes, filter weights, faces of cubes, formats
 *   texture_texel.c    formats: registers to bytes
 *   texture_run.c      tex, tld4 and txq of a warp;  surface_run.c: suld, sust, sured
 *   decode_texture.c   decoding of these instructions to uops */
#ifndef WS_TEXTURE_INTERNAL_H
#define WS_TEXTURE_INTERNAL_H

#include "collect/simt/simt_internal.h"
#include "collect/simt/texture.h"

/* Handles: above the code addresses and below device memory, so that they fit in 32 bits. */
#define TEXTURE_BASE 0x08000000u

enum { TEXELS_MOST = WS_EVENT_ADDRESSES };

typedef struct texture {
    ws_texture is;
    const char *name; /* name of the variable, owned by the module; NULL for objects */
    uint64_t bytes;   /* from the first texel to the last */
    uint8_t kind;     /* ws_texture_kind */
    uint8_t texel_bytes;
    bool bound;
    bool floats; /* reads return floats */
} texture;

/* Returns NULL for a handle that never existed or was destroyed. */
const texture *texture_find(const ws_device *device, uint64_t handle);
bool texture_is_handle(const ws_device *device, uint64_t handle); /* existed at some time */
int texture_add_variable(ws_device *device, const ws_variable *v, uint64_t *handle);
void texture_remove_variable(ws_device *device, uint64_t handle);
void texture_table_fini(ws_device *device);

typedef enum texture_op { TEXTURE_FETCH, TEXTURE_GATHER, SURFACE_LOAD, SURFACE_STORE, SURFACE_REDUCE } texture_op;
typedef enum texture_query {
    QUERY_NONE,
    QUERY_WIDTH,
    QUERY_HEIGHT,
    QUERY_DEPTH,
    QUERY_LAYERS,
    QUERY_DATA_TYPE,
    QUERY_ORDER,
    QUERY_NORMALIZED,
    QUERY_LEVELS,
    QUERY_SAMPLES
} texture_query;
typedef enum surface_edge { SURFACE_TRAP, SURFACE_CLAMP, SURFACE_ZERO } surface_edge;

/* Source of an instruction's handle. */
typedef struct handle_source {
    place at;
    bool wide;
    int32_t param; /* offset of a kernel parameter of an opaque type; -1: use `at` */
} handle_source;

/* Decoded tex, tld4, txq, suld, sust, sured or suq instruction. */
typedef struct texture_access {
    uint8_t op;   /* texture_op */
    uint8_t kind; /* required ws_texture_kind of the handle */
    uint8_t dims; /* coordinates except the layer: 1, 2, 3 */
    bool layered, cube;
    bool integer; /* coordinates are integers */
    bool has_sampler;
    bool formatted;    /* surfaces: x is in texels and values are converted; else x is in bytes */
    uint8_t component; /* tld4: channel */
    uint8_t query;     /* texture_query */
    uint8_t edge;      /* surface_edge */
    uint8_t sub;       /* sured: ws_sub */
    uint8_t type;      /* ws_type of an element of the result or data */
    uint8_t vec;       /* number of elements */
    uint8_t bytes;     /* surfaces: of an element */
    handle_source handle, sampler;
    place layer, coordinate[3], offset[3];
    bool has_offset;
    place resident; /* predicate set to true, because every texel is in memory; PLACE_NONE */
    place data[4];
    bool data_wide[4], sink[4];
    uint8_t bits[4];    /* for value sinks: 32, 64, 0 none */
    uint16_t number[4]; /* register numbers */
    uint32_t cache;     /* index of the per-worker span cache */
    const struct texture_level *level;
} texture_access;

/* Texels touched by a read, for all lanes. */
typedef struct footprint {
    unsigned n;
    uint64_t address[TEXELS_MOST][WS_WARP]; /* of the nearest texel for texels outside */
    int32_t inside[TEXELS_MOST][WS_WARP];   /* 0 or -1 */
    double weight[TEXELS_MOST][WS_WARP];
} footprint;

/* Registers with the coordinates of a read; NULL if the instruction lacks them. */
typedef struct texture_operands {
    const uint32_t *layer, *coordinate[3];
    const int32_t *offset[3];
} texture_operands;

/* Compiled once per instruction-set level. */
typedef struct texture_level {
    /* Executes tex and tld4 for all lanes: value[c] are the bits of channel c, for each channel bit in `wanted`.
     * Channels missing from the texels are 0, also alpha, as on an H200 (driver 580). */
    void (*fetch)(const texture *t, const ws_sampler *s, const texture_access *a, const texture_operands *from,
                  unsigned wanted, footprint *f, uint32_t value[4][WS_WARP]);
} texture_level;
const texture_level *texture_level_get(void);
extern const texture_level ws_texture_level_plain, ws_texture_level_avx2, ws_texture_level_avx512;

/* Formatted surface store: converts values of 32 bits to a texel. */
void texel_write(const texture *t, uint64_t address, const uint32_t value[4]);

/* Returns the texture of a lane's handle, checked to be of this kind, bound and alive; NULL after a fault. */
const texture *texture_resolve(warp *w, const uop *u, const texture_access *a, unsigned lane);
/* Emits one MEMORY event; address[groups][32]. */
bool texture_emit(warp *w, const uop *u, uint32_t exec, uint32_t active, const uint64_t *address, unsigned groups,
                  unsigned texel_bytes, bool first);
/* Reports the registers in data[] to value sinks; before[] was filled by texture_before. */
void texture_before(warp *w, const texture_access *a, uint64_t before[4][WS_WARP]);
bool texture_report(warp *w, const uop *u, const texture_access *a, uint32_t exec, uint64_t before[4][WS_WARP]);

bool surface_run(warp *w, const uop *u, uint32_t exec, uint32_t active);

#endif
