/* threemm.c - 3MM: two products of matrices and the product of both. Host side of threemm.cu. */
#include "data/workloads/harness/matrix.h"

static const harness_size input_sizes[] = {
    {"rows", "rows of the first matrix and the result", {32, 128, 384}, 1, 2048, 1},
    {"inner", "rows and columns of the others", {32, 128, 384}, 1, 2048, 1},
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
    const harness_matrix c = harness_random_matrix(h, inner, inner, pitch, 0, 1),
                         d = harness_random_matrix(h, inner, inner, pitch, 0, 1);
    const harness_matrix e = harness_make_matrix(h, rows, inner, pitch),
                         f = harness_make_matrix(h, inner, inner, pitch);
    const harness_matrix g = harness_make_matrix(h, rows, inner, pitch);

    harness_multiply(h, "mm3_product", block, &e, &a, &b);
    harness_multiply(h, "mm3_product", block, &f, &c, &d);
    harness_multiply(h, "mm3_product", block, &g, &e, &f);
    harness_check_matrix(h, "A B", &e, harness_sum_tolerance(inner), 0);
    harness_check_matrix(h, "C D", &f, harness_sum_tolerance(inner), 0);
    harness_check_matrix(h, "G", &g, 3 * harness_sum_tolerance(inner), 0);
}

HARNESS_WORKLOAD_OF("3MM", "data/workloads/threemm/threemm.ptx", run, input_sizes)
