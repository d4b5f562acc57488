/* twomm.c - 2MM: two products of matrices, one after the other, that store all the time. Host side of twomm.cu. */
#include "data/workloads/harness/matrix.h"

enum { WIDTH = 32, HEIGHT = 8 }; /* of a block */

static const harness_size input_sizes[] = {
    {"rows", "rows of the first matrix and the results", {32, 128, 512}, 1, 2048, 1},
    {"inner", "rows and columns of the others", {32, 128, 512}, 1, 2048, 1},
    {"pitch", "floats from a row to the next, in all", {512, 512, 512}, 1, 65536, 1},
    {0},
};

static void multiply(harness *h, const harness_matrix *c, const harness_matrix *a, const harness_matrix *b)
{
    CUdeviceptr d_a = a->device, d_b = b->device, d_c = c->device;
    int rows = (int)c->rows, inner = (int)a->columns, columns = (int)c->columns, pitch = (int)c->pitch;
    HARNESS_LAUNCH(h, harness_kernel(h, "mm2_product"),
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
    const harness_matrix d = harness_random_matrix(h, inner, inner, pitch, 0, 1);
    const harness_matrix c = harness_make_matrix(h, rows, inner, pitch), e = harness_make_matrix(h, rows, inner, pitch);

    multiply(h, &c, &a, &b);
    multiply(h, &e, &c, &d);
    harness_check_matrix(h, "A B", &c, harness_sum_tolerance(inner), 0);
    harness_check_matrix(h, "E", &e, 2 * harness_sum_tolerance(inner), 0);
}

HARNESS_WORKLOAD_OF("2MM", "data/workloads/twomm/twomm.ptx", run, input_sizes)
