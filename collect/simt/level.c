/* level.c - the vector level of memory accesses, matrices and textures follows the one of lane arithmetic. */
#include "collect/simt/access_level.h"
#include "collect/simt/matrix_internal.h"
#include "collect/simt/texture_internal.h"

#include <string.h>

#ifdef WS_HAS_avx512
#define AVX512(of) of##avx512
#else
#define AVX512(of) of##plain
#endif
#ifdef WS_HAS_avx2
#define AVX2(of) of##avx2
#else
#define AVX2(of) of##plain
#endif
#define CHOOSE(of) \
    do { \
        const char *const level = ws_lanes_level(); \
        return !strcmp(level, "avx512") ? &AVX512(of) : !strcmp(level, "avx2") ? &AVX2(of) : &of##plain; \
    } while (0)

const access_level *access_level_get(void)
{
    CHOOSE(ws_access_level_);
}

const matrix_level *matrix_level_get(void)
{
    CHOOSE(ws_matrix_level_);
}

const texture_level *texture_level_get(void)
{
    CHOOSE(ws_texture_level_);
}
