/* fuzz_list.c - can any bytes break the reader of lists of launches, and is what it accepts what extrapolation can work
 * with? */
#include "base/status.h"
#include "model/sample/extrapolate.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_list(const uint8_t *data, size_t size, ws_launch_list **list)
{
    FILE *const in = tmpfile();
    if (!in || fwrite(data, 1, size, in) != size)
        abort();
    rewind(in);
    const int status = ws_launch_list_read(in, "fuzz", list);
    fclose(in);
    return status;
}

/* Any numbers will do for what was simulated. */
static void extrapolate(const ws_listed_launch *first, size_t n)
{
    double *const value = malloc(n * sizeof *value), total, bound;
    if (!value)
        abort();
    for (size_t i = 0; i < n; i++)
        value[i] = 1 + (double)(i % 3);
    if (ws_extrapolate(first, n, value, 1, 0.95, &total, &bound) || isnan(bound) || bound < 0)
        abort();
    free(value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const workloads[] = {"A", "BFS", "", "64H"};
    ws_launch_list *list = NULL;
    if (read_list(data, size, &list) != WS_OK) {
        if (list || !*ws_message())
            abort();
        return 0;
    }
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++) {
        const ws_listed_launch *first;
        size_t n;
        if (ws_launch_list_of(list, workloads[i], &first, &n))
            continue;
        extrapolate(first, n);
        for (size_t k = 0; k < n; k++)
            if (ws_listed_find(first, n, first[k].number) != k || !(first[k].weight > 0))
                abort();
    }
    ws_launch_list_destroy(list);
    return 0;
}
