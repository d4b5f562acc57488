/* cuda_test.h - what the programs of this folder are written against.
 *
 * They are CUDA programs: nvcc compiles them unchanged (nvcc -I. -cudart shared tests/cuda/NAME.cu). They are also C
 * programs when kernels are left out, so that gcc and the PTX beside them are enough to build them here.
 * tests/cuda/register.awk writes for the PTX what nvcc would generate for the host: stubs, the fat binary, and its
 * registration.
 *
 *     KERNEL(twice, (int *a, int n), { const int i = threadIdx.x; if (i < n) a[i] *= 2; })
 *     VARIABLE(__constant__, int, factor, )
 *     ...
 *     CHECK(cudaMemcpyToSymbol(SYMBOL(factor), &two, sizeof two, 0, cudaMemcpyHostToDevice));
 *     LAUNCH(twice, D3(1, 1, 1), D3(32, 1, 1), 0, 0)(a, 32);
 */
#ifndef WS_CUDA_TEST_H
#define WS_CUDA_TEST_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __CUDACC__

#define KERNEL(name, parameters, ...) extern "C" __global__ void name parameters __VA_ARGS__
#define DEVICE_CODE(...)              __VA_ARGS__
#define VARIABLE(space, type, name, array) \
    extern "C" { \
    space type name array; \
    }
#define MANAGED_VARIABLE(type, name) \
    extern "C" { \
    __managed__ type name; \
    }
#define MANAGED(name)                               (name)
#define SYMBOL(name)                                (name)
#define LAUNCH(kernel, grid, block, shared, stream) kernel<<<grid, block, shared, stream>>>
#define D3(x, y, z)                                 dim3(x, y, z)

#else

#include "collect/cudart/cudart.h"

#define KERNEL(name, parameters, ...) void name parameters;
#define DEVICE_CODE(...)
#define VARIABLE(space, type, name, array) extern type name array;
#define MANAGED_VARIABLE(type, name)       extern type *name;
#define MANAGED(name)                      (*name)
#define SYMBOL(name)                       (&name)
#define LAUNCH(kernel, grid, block, shared, stream) \
    __cudaPushCallConfiguration(grid, block, shared, stream) ? (void)0 : kernel
#define D3(x, y, z) ((dim3){x, y, z})

#endif

/* Ends the program unless the call gives this error. */
#define GIVES(wanted, call) \
    do { \
        const cudaError_t result_ = (call); \
        if (result_ != (wanted)) { \
            printf("%s:%d: %s: %s, not %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(result_), #wanted); \
            exit(1); \
        } \
    } while (0)
#define CHECK(call) GIVES(cudaSuccess, call)

/* Ends the program unless it is so. */
#define EXPECT(condition) \
    do { \
        if (!(condition)) { \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

#endif
