/* Kernels whose instructions GPGPU-Sim 4.2 counted, too: see tests/golden/exec/counts.sh. counts.ptx is made from this by
 *
 *     nvcc -O2 -ptx -arch=compute_75 counts.cu        (nvcc 13.0) */
extern "C" __global__ void vecadd(const float *a, const float *b, float *c, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

extern "C" __global__ void naive(const float *a, const float *b, float *c, int n)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

extern "C" __global__ void tiled(const float *a, const float *b, float *c, int n)
{
    __shared__ float left[16][16], right[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
    float sum = 0;
    for (int m = 0; m < n / 16; m++) {
        left[ty][tx] = a[y * n + m * 16 + tx];
        right[ty][tx] = b[(m * 16 + ty) * n + x];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += left[ty][k] * right[k][tx];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

/* Each block adds 512 numbers: a tree in shared memory, then one atomic. */
extern "C" __global__ void reduce(const float *in, float *out, int n)
{
    __shared__ float part[256];
    const int t = threadIdx.x, i = blockIdx.x * 512 + t;
    float sum = i < n ? in[i] : 0;
    if (i + 256 < n)
        sum += in[i + 256];
    part[t] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half >>= 1) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        atomicAdd(out, part[0]);
}
