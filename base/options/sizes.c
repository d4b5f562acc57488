/* sizes.c - which sizes of subsets are looked at when nobody says? */
#include "base/options/sizes.h"

void ws_sizes_usual(size_t rows, ws_sizes *out)
{
    static const size_t usual[] = {4, 6, 8, 12};
    out->sizes = 0;
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        if (usual[i] < rows)
            out->size[out->sizes++] = usual[i];
    }
    if (!out->sizes)
        out->size[out->sizes++] = (rows + 1) / 2;
}
