/* sizes.h - lists of sizes in options: "4,6,8,12". */
#ifndef WS_SIZES_H
#define WS_SIZES_H

#include <argp.h>
#include <stddef.h>

enum { WS_SIZES_MOST = 16 };

typedef struct ws_sizes {
    size_t size[WS_SIZES_MOST], sizes;
} ws_sizes;

/* Reads such a list; argp_error when it is none, naming the option `what`. */
void ws_sizes_parse(const struct argp_state *state, const char *what, const char *text, ws_sizes *out);

/* Those of 4, 6, 8, 12 that are below the number of rows; half of the rows when none is. */
void ws_sizes_usual(size_t rows, ws_sizes *out);

#endif
