/* mriq.cu - MRIQ: how does a set of samples of k-space blur an image? The matrix Q of a non-Cartesian magnetic
 * resonance reconstruction. After mri-q of Parboil; code of our own.
 *
 * Q(x) = sum over samples k of |phi(k)|^2 exp(2 pi i k.x) at every voxel x. mriq_magnitude makes the weights, a thread
 * a sample; the host puts samples and weights in constant memory, chunk by chunk, and mriq_sum adds each chunk, a
 * thread a voxel. */
#include "../harness/device.h"

enum {
    CHUNK = 1024, /* samples that fit in constant memory at once */
    UNROLL = 2
};

struct alignas(16) mriq_sample {
    float x, y, z; /* place in k-space */
    float weight;
};

__constant__ mriq_sample mriq_samples[CHUNK];

KERNEL mriq_magnitude(const float *__restrict__ real, const float *__restrict__ imaginary,
                      float *__restrict__ magnitude, uint samples)
{
    const uint k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < samples) {
        const float re = real[k], im = imaginary[k];
        magnitude[k] = re * re + im * im;
    }
}

struct voxel {
    float x, y, z, re, im;
};

DEVICE void add_sample(voxel *v, const mriq_sample *s)
{
    const float angle = 6.2831853071795865f * (s->x * v->x + s->y * v->y + s->z * v->z);
    v->re += s->weight * __cosf(angle);
    v->im += s->weight * __sinf(angle);
}

/* Adds `samples` of them, the first few alone so that the rest is a multiple of UNROLL. */
KERNEL mriq_sum(const float *__restrict__ x, const float *__restrict__ y, const float *__restrict__ z,
                float *__restrict__ real, float *__restrict__ imaginary, uint samples)
{
    const uint i = blockIdx.x * blockDim.x + threadIdx.x;
    voxel v = {x[i], y[i], z[i], real[i], imaginary[i]};
    uint k = 0;
#pragma unroll 1
    for (; k < samples % UNROLL; k++)
        add_sample(&v, &mriq_samples[k]);
#pragma unroll 1
    for (; k < samples; k += UNROLL)
#pragma unroll
        for (uint j = 0; j < UNROLL; j++)
            add_sample(&v, &mriq_samples[k + j]);
    real[i] = v.re;
    imaginary[i] = v.im;
}
