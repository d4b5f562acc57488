/* twomm.c - 2MM: two products of matrices, one after the other, that store all the time. Host side of twomm.cu. */
#include "data/workloads/harness/matrix.h"

static const harness_size input_sizes[] = {
    {"rows", "rows of the first matrix and the results", {32, 128, 512}, 1, 2048, 1},
    {"inner", "rows and columns of the others", {32, 128, 512}, 1, 2048, 1},
    {"pitch", "floats from a row to the next, in all", {512, 512, 512}, 1, 65536, 1},
    {0},
};

static void run(harness *h)
{
    const harness_dim block = HARNESS_DIM(32, 8);
    const long rows = harness_get_size(h, "rows"), inner = harness_get_size(h, "inner"),
               pitch = harness_get_size(h, "pitch");
    const harness_matrix a = harness_random_matrix(h, rows, inner, pitch, 0, 1),
                         b = harness_random_matrix(h, inner, inner, pitch, 0, 1);
    const harness_matrix d = harness_random_matrix(h, inner, inner, pitch, 0, 1);
    const harness_matrix c = harness_make_matrix(h, rows, inner, pitch), e = harness_make_matrix(h, rows, inner, pitch);

    harness_multiply(h, "mm2_product", block, &c, &a, &b);
    harness_multiply(h, "mm2_product", block, &e, &c, &d);
    harness_check_matrix(h, "A B", &c, harness_sum_tolerance(inner), 0);
    harness_check_matrix(h, "E", &e, 2 * harness_sum_tolerance(inner), 0);
}

HARNESS_WORKLOAD_OF("2MM", "data/workloads/twomm/twomm.ptx", run, input_sizes)
