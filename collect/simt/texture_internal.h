/* texture_internal.h - what the files about textures share.
 *
 *   texture.c          the table of a device's textures
 *   texture_place.c    coordinates to texels: addressing modes, filter weights, faces of cubes
 *   texture_texel.c    formats: bytes to registers and back
 *   texture_run.c      tex, tld4 and txq of a warp;  surface_run.c: suld, sust, sured
 *   decode_texture.c   these instructions to uops */
#ifndef WS_TEXTURE_INTERNAL_H
#define WS_TEXTURE_INTERNAL_H

#include "collect/simt/simt_internal.h"
#include "collect/simt/texture.h"

/* Handles: above the code addresses, below the memory of devices, so that 32 bits hold them. */
#define TEXTURE_BASE 0x08000000u

enum { TEXELS_MOST = WS_EVENT_ADDRESSES };

typedef struct texture {
    ws_texture is;
    const char *name; /* of the variable; NULL for objects. Belongs to the module */
    uint64_t bytes;   /* from the first texel to the last */
    uint8_t kind;     /* ws_texture_kind */
    uint8_t texel_bytes;
    bool bound;
    bool floats; /* what a read gives are floats */
} texture;

/* NULL when the handle was never given, or its texture is gone. */
const texture *texture_find(const ws_device *device, uint64_t handle);
bool texture_is_handle(const ws_device *device, uint64_t handle); /* was given once */
int texture_add_variable(ws_device *device, const ws_variable *v, uint64_t *handle);
void texture_remove_variable(ws_device *device, uint64_t handle);
void textures_fini(ws_device *device);

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

/* Where an instruction's handle comes from. */
typedef struct handle_source {
    place at;
    bool wide;
    int32_t param; /* offset of a kernel parameter of an opaque type; -1: `at` counts */
} handle_source;

/* Facts of a tex, tld4, txq, suld, sust, sured or suq instruction. */
typedef struct texture_access {
    uint8_t op;   /* texture_op */
    uint8_t kind; /* ws_texture_kind that the handle has to name */
    uint8_t dims; /* coordinates that are not a layer: 1, 2, 3 */
    bool layered, cube;
    bool integer;       /* coordinates are whole numbers */
    bool has_sampler;
    bool formatted;     /* surfaces: x counts texels and values are converted, else bytes */
    uint8_t component;  /* tld4: channel */
    uint8_t query;      /* texture_query */
    uint8_t edge;       /* surface_edge */
    uint8_t sub;        /* sured: ws_sub */
    uint8_t type;       /* ws_type of an element of the result or of the data */
    uint8_t vec;        /* elements of it */
    uint8_t bytes;      /* surfaces: of an element */
    handle_source handle, sampler;
    place layer, coordinate[3], offset[3];
    bool has_offset;
    place resident; /* predicate that becomes true, because every texel is in memory; PLACE_NONE */
    place data[4];
    bool data_wide[4], sink[4];
    uint8_t bits[4];    /* for value sinks: 32, 64, 0 none */
    uint16_t number[4]; /* register numbers */
    uint32_t cache;     /* index of the per-worker span cache */
} texture_access;

/* Texels that a read touches. */
typedef struct footprint {
    unsigned n;
    uint64_t address[TEXELS_MOST]; /* of the nearest texel when it lies outside */
    bool inside[TEXELS_MOST];
    double weight[TEXELS_MOST];
} footprint;

typedef struct coordinates {
    double at[3];     /* as the instruction has them */
    int64_t whole[3]; /* the same when they are whole numbers */
    int64_t offset[3];
    uint32_t layer;
} coordinates;

/* The addressing mode that holds for a dimension: wrap and mirror only with normalized coordinates. */
ws_edge texture_edge(const ws_sampler *sampler, unsigned dim, bool integer);

/* linear: 2 texels along each dimension. */
void texture_place(const texture *t, const ws_sampler *sampler, const texture_access *a, coordinates *at, bool linear,
                   footprint *out);

/* One texel as four registers: floats as their bits when t->floats; channels that it lacks are 0, 0 and 1. */
void texel_read(const texture *t, uint64_t address, uint32_t value[4]);
/* One channel of the texels of some lanes. */
void texel_read_channel(const texture *t, const uint64_t address[WS_WARP], uint32_t lanes, unsigned channel,
                        uint32_t value[WS_WARP]);
void texel_border(const texture *t, const ws_sampler *sampler, uint32_t value[4]);
/* Surfaces with format: values of 32 bits to a texel. */
void texel_write(const texture *t, uint64_t address, const uint32_t value[4]);
uint32_t texel_half(float value);

uint64_t texture_handle(const warp *w, const handle_source *source, unsigned lane);
/* The texture behind a lane's handle, checked to be of this kind, bound and alive; NULL after a fault. */
const texture *texture_resolve(warp *w, const uop *u, const texture_access *a, unsigned lane);
/* One MEMORY event; address[groups][32]. */
bool texture_emit(warp *w, const uop *u, uint32_t exec, uint32_t active, const uint64_t *address, unsigned groups,
                  unsigned texel_bytes, bool first);
/* Reports the registers in data[] to value sinks; before[] was filled by texture_before. */
void texture_before(warp *w, const texture_access *a, uint64_t before[4][WS_WARP]);
bool texture_report(warp *w, const uop *u, const texture_access *a, uint32_t exec, uint64_t before[4][WS_WARP]);

bool surface_run(warp *w, const uop *u, uint32_t exec, uint32_t active);

#endif
