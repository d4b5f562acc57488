/* test_linear.c - decompositions and products against their definitions, without memory, and from many threads. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/linear/linear.h"
#include "base/status.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void fill(double *value, size_t n, uint32_t state)
{
    for (size_t i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u; /* Numerical Recipes' generator */
        value[i] = (double)(state >> 8) / (1 << 24) - 0.5;
    }
}

/* Right singular vectors are orthonormal, and a maps each to length sigma; squares of sigma sum to those of a. */
static void decompose_one(size_t rows, size_t columns)
{
    const size_t k = rows < columns ? rows : columns;
    double *const a = malloc(rows * columns * sizeof *a), *const lost = malloc(rows * columns * sizeof *a);
    double *const sigma = malloc(k * sizeof *sigma), *const right = malloc(k * columns * sizeof *right);
    assert_true(a && lost && sigma && right);
    fill(a, rows * columns, (uint32_t)(rows + columns));
    memcpy(lost, a, rows * columns * sizeof *a);
    assert_int_equal(ws_linear_decompose(lost, rows, columns, sigma, right), WS_OK);
    double squares = 0, found = 0;
    for (size_t i = 0; i < rows * columns; i++)
        squares += a[i] * a[i];
    for (size_t p = 0; p < k; p++) {
        double length = 0;
        found += sigma[p] * sigma[p];
        assert_true(p == 0 || sigma[p] <= sigma[p - 1]);
        for (size_t i = 0; i < rows; i++) {
            double y = 0;
            for (size_t j = 0; j < columns; j++)
                y += a[i * columns + j] * right[p * columns + j];
            length += y * y;
        }
        assert_true(fabs(sqrt(length) - sigma[p]) < 1e-12 * sigma[0]);
        for (size_t q = 0; q <= p; q++) {
            double product = 0;
            for (size_t j = 0; j < columns; j++)
                product += right[p * columns + j] * right[q * columns + j];
            assert_true(fabs(product - (p == q)) < 1e-12);
        }
    }
    assert_true(fabs(found - squares) < 1e-12 * squares);
    free(a);
    free(lost);
    free(sigma);
    free(right);
}

static void test_decompose(void **state)
{
    (void)state;
    decompose_one(1, 1);
    decompose_one(3, 8);
    decompose_one(70, 41);
    decompose_one(41, 70);
}

/* To rounding those of the definition; equal vectors and rows to the bit, wherever they stand. */
static void test_products(void **state)
{
    (void)state;
    enum { MOST = 67, N = 11, K = 5 };
    static double vector[N * MOST], b[MOST * K], product[N * (N - 1) / 2], out[N * K];
    for (size_t length = 1; length <= MOST; length++) {
        fill(vector, N * length, (uint32_t)length);
        fill(b, length * K, 1);
        memcpy(vector + 7 * length, vector + 2 * length, length * sizeof *vector);
        assert_int_equal(ws_linear_inner_products(vector, N, length, product), WS_OK);
        assert_int_equal(ws_linear_multiply(vector, N, length, b, K, out), WS_OK);
        assert_memory_equal(out + 7 * K, out + 2 * K, K * sizeof *out);
        double full[N][N];
        for (size_t i = 0, p = 0; i < N; i++)
            for (size_t j = i + 1; j < N; j++, p++) {
                double sum = 0;
                for (size_t l = 0; l < length; l++)
                    sum += vector[i * length + l] * vector[j * length + l];
                assert_true(fabs(product[p] - sum) < 1e-14 * MOST);
                full[i][j] = full[j][i] = product[p];
            }
        for (size_t i = 0; i < N; i++)
            assert_true(i == 2 || i == 7 || full[i][2] == full[i][7]);
        for (size_t i = 0; i < N; i++)
            for (size_t c = 0; c < K; c++) {
                double sum = 0;
                for (size_t l = 0; l < length; l++)
                    sum += vector[i * length + l] * b[l * K + c];
                assert_true(fabs(out[i * K + c] - sum) < 1e-14 * MOST);
            }
    }
}

static void *decompose_often(void *unused)
{
    (void)unused;
    for (int i = 0; i < 5; i++)
        decompose_one(20, 30);
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    pthread_t thread[64];
    for (size_t i = 0; i < 64; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, decompose_often, NULL), 0);
    for (size_t i = 0; i < 64; i++)
        pthread_join(thread[i], NULL);
}

/* In a process that has not called OpenBLAS yet: it would wait for memory for ever. */
static void test_no_memory(void **state)
{
    (void)state;
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    skip(); /* they take more address space */
#endif
    const pid_t child = fork();
    if (child == 0) {
        double a[] = {1, 2, 3, 4}, sigma[2], right[4];
        setrlimit(RLIMIT_AS, &(struct rlimit){100 << 20, 100 << 20});
        _exit(ws_linear_decompose(a, 2, 2, sigma, right) == WS_EMEM &&
              ws_linear_multiply(a, 2, 2, a, 1, right) == WS_EMEM);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_decompose),
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
