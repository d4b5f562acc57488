/* threemm.c - 3MM: two products of matrices and the product of both. Host side of threemm.cu. */
#include "data/workloads/harness/matrix.h"

enum { WIDTH = 32, HEIGHT = 8 }; /* of a block */

static const harness_size input_sizes[] = {
    {"rows", "rows of the first matrix and the result", {32, 128, 384}, 1, 2048, 1},
    {"inner", "rows and columns of the others", {32, 128, 384}, 1, 2048, 1},
    {"pitch", "floats from a row to the next, in all", {512, 512, 512}, 1, 65536, 1},
    {0},
};

static void multiply(harness *h, const harness_matrix *c, const harness_matrix *a, const harness_matrix *b)
{
    CUdeviceptr d_a = a->device, d_b = b->device, d_c = c->device;
    int rows = (int)c->rows, inner = (int)a->columns, columns = (int)c->columns, pitch = (int)c->pitch;
    HARNESS_LAUNCH(h, harness_kernel(h, "mm3_product"),
                   HARNESS_DIM(harness_blocks(columns, WIDTH), harness_blocks(rows, HEIGHT)),
                   HARNESS_DIM(WIDTH, HEIGHT), 0, &d_a, &d_b, &d_c, &rows, &inner, &columns, &pitch);
    harness_multiply_on_cpu(h, c, a, b);
}

static void run(harness *h)
{
    const long rows = harness_get_size(h, "rows"), inner = harness_get_size(h, "inner"),
               pitch = harness_get_size(h, "pitch");
    const harness_matrix a = harness_random_matrix(h, rows, inner, pitch, 0, 1),
                         b = harness_random_matrix(h, inner, inner, pitch, 0, 1);
    const harness_matrix c = harness_random_matrix(h, inner, inner, pitch, 0, 1),
                         d = harness_random_matrix(h, inner, inner, pitch, 0, 1);
    const harness_matrix e = harness_make_matrix(h, rows, inner, pitch),
                         f = harness_make_matrix(h, inner, inner, pitch);
    const harness_matrix g = harness_make_matrix(h, rows, inner, pitch);

    multiply(h, &e, &a, &b);
    multiply(h, &f, &c, &d);
    multiply(h, &g, &e, &f);
    harness_check_matrix(h, "A B", &e, harness_sum_tolerance(inner), 0);
    harness_check_matrix(h, "C D", &f, harness_sum_tolerance(inner), 0);
    harness_check_matrix(h, "G", &g, 3 * harness_sum_tolerance(inner), 0);
}

HARNESS_WORKLOAD_OF("3MM", "data/workloads/threemm/threemm.ptx", run, input_sizes)
