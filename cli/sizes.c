/* sizes.c - which sizes of subsets are asked for? */
#include "cli/sizes.h"

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

void ws_sizes_parse(const struct argp_state *state, const char *what, const char *text, ws_sizes *out)
{
    enum { MOST_SIZE = 1000000 };
    char *copy = strdup(text), *rest = copy;
    out->sizes = 0;
    for (char *word; rest && (word = strsep(&rest, ","));) {
        if (out->sizes == WS_SIZES_MOST)
            argp_error(state, "%s takes %d sizes at most", what, WS_SIZES_MOST);
        out->size[out->sizes++] = ws_cli_u64(state, what, word, 1, MOST_SIZE);
    }
    free(copy);
}

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
