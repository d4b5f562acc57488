/* library_math.cu - functions of the mathematics library, in single and in double precision, as a compiler puts them into
 * a kernel.
 *
 *     clang-14 -x cuda --cuda-device-only --cuda-path=/nonexistent -nocudainc -nocudalib --cuda-gpu-arch=sm_70 \
 *         -Xclang -target-feature -Xclang +ptx64 -fms-extensions -O2 -S -I../../data/workloads/harness \
 *         -Xclang -mlink-builtin-bitcode -Xclang /usr/lib/clc/nvptx64--nvidiacl.bc -o library_math.ptx library_math.cu */
#include "device.h"

extern "C" __global__ void singles(const float *in, float *out)
{
    const float x = in[threadIdx.x];
    out[threadIdx.x] = expf(x);
    out[threadIdx.x + 32] = logf(x);
    out[threadIdx.x + 64] = sinf(x);
    out[threadIdx.x + 96] = tanhf(x);
}

extern "C" __global__ void doubles(const double *in, double *out)
{
    const double x = in[threadIdx.x];
    out[threadIdx.x] = exp(x);
    out[threadIdx.x + 32] = log(x);
    out[threadIdx.x + 64] = sin(x);
    out[threadIdx.x + 96] = tanh(x);
    out[threadIdx.x + 128] = pow(x, 0.3);
}
