/* sizes.h - lists of sizes of subsets. */
#ifndef WS_SIZES_H
#define WS_SIZES_H

#include <stddef.h>

enum { WS_SIZES_MOST = 16 };

typedef struct ws_sizes {
    size_t size[WS_SIZES_MOST], sizes;
} ws_sizes;

/* Those of 4, 6, 8, 12 that are below the number of rows; half of the rows when none is. */
void ws_sizes_usual(size_t rows, ws_sizes *out);

#endif
