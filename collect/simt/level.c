/* level.c - the vector level of memory accesses follows the one of lane arithmetic. */
#include "collect/simt/access_level.h"

#include <string.h>

const access_level *access_level_get(void)
{
    const char *level = ws_lanes_level();
#ifdef WS_HAS_avx512
    if (!strcmp(level, "avx512"))
        return &ws_access_level_avx512;
#endif
#ifdef WS_HAS_avx2
    if (!strcmp(level, "avx2"))
        return &ws_access_level_avx2;
#endif
    (void)level;
    return &ws_access_level_plain;
}
