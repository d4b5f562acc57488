/* sizes.h - lists of subset sizes. */
#ifndef WS_SIZES_H
#define WS_SIZES_H

#include <stddef.h>

enum { WS_SIZES_MOST = 16 };

typedef struct ws_sizes {
    size_t size[WS_SIZES_MOST], sizes;
} ws_sizes;

/* Sets the default sizes: those of 4, 6, 8, 12 below the number of rows, or else half of the rows. */
void ws_sizes_usual(size_t rows, ws_sizes *out);

#endif
