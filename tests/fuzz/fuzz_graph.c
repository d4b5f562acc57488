/* fuzz_graph.c - graphs of DIMACS and MatrixMarket: whatever the bytes are, the file is refused, or all edges lie
 * within its nodes. */
#include "data/workloads/harness/graph_file.h"

#include <setjmp.h>

enum { NODES_MOST = 4096, BYTES_MOST = 1 << 26 }; /* a file may promise more edges than fit */

struct harness {
    jmp_buf refused;
    void *given;
};

void *harness_host(harness *h, size_t count, size_t size)
{
    if (count > BYTES_MOST / size)
        longjmp(h->refused, 1);
    return h->given = calloc(count ? count : 1, size);
}

void harness_refuse(harness *h, const char *format, ...)
{
    (void)format;
    longjmp(h->refused, 1);
}

bool harness_chose_size(const harness *h, const char *name)
{
    (void)h;
    (void)name;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static harness h;
    static harness_lines lines;
    if (!size)
        return 0;
    h.given = NULL;
    lines = (harness_lines){.h = &h, .path = "graph", .in = fmemopen((void *)(uintptr_t)data, size, "r")};
    if (!lines.in)
        abort();
    if (!setjmp(h.refused)) {
        const harness_edges list = harness_read_lines(&lines, NODES_MOST);
        for (size_t i = 0; i < list.edges; i++) {
            const harness_edge *const e = &list.edge[i];
            if (e->from < 0 || e->from >= list.nodes || e->to < 0 || e->to >= list.nodes ||
                (list.lengths ? e->length < 1 || e->length > HARNESS_LENGTH_MOST : e->length != 0))
                abort();
        }
    }
    free(h.given);
    free(lines.line);
    fclose(lines.in);
    return 0;
}
