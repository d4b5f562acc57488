/* mrifhd.cu - MRIF: what image do the measured samples of k-space make? The vector F^H d of a non-Cartesian magnetic
 * resonance reconstruction. After mri-fhd of Parboil; code of our own.
 *
 * FHD(x) = sum over samples k of conj(phi(k)) d(k) exp(2 pi i k.x) at every voxel x. mrif_product makes the weights
 * from basis phi and data d, a thread a sample; the host puts samples and weights in constant memory, chunk by chunk,
 * and mrif_sum adds each chunk, a thread a voxel. */
#include "../harness/device.h"

enum {
    CHUNK = 512, /* samples that constant memory holds at once */
    UNROLL = 4
};

struct mrif_sample {
    float x, y, z; /* place in k-space */
    float re, im;  /* weight */
};

__constant__ mrif_sample mrif_samples[CHUNK];

KERNEL mrif_product(const float *__restrict__ phi_re, const float *__restrict__ phi_im,
                    const float *__restrict__ data_re, const float *__restrict__ data_im,
                    float *__restrict__ product_re, float *__restrict__ product_im, uint samples)
{
    const uint k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < samples) {
        const float a = phi_re[k], b = phi_im[k], c = data_re[k], d = data_im[k];
        product_re[k] = a * c + b * d;
        product_im[k] = a * d - b * c;
    }
}

struct voxel {
    float x, y, z, re, im;
};

DEVICE void add_sample(voxel *v, const mrif_sample *s)
{
    const float angle = 6.2831853071795865f * (s->x * v->x + s->y * v->y + s->z * v->z);
    const float cosine = __cosf(angle), sine = __sinf(angle);
    v->re += s->re * cosine - s->im * sine;
    v->im += s->im * cosine + s->re * sine;
}

/* Adds `samples` of them, the first few alone so that the rest is a multiple of UNROLL. */
KERNEL mrif_sum(const float *__restrict__ x, const float *__restrict__ y, const float *__restrict__ z,
                float *__restrict__ real, float *__restrict__ imaginary, uint samples)
{
    const uint i = blockIdx.x * blockDim.x + threadIdx.x;
    voxel v = {x[i], y[i], z[i], real[i], imaginary[i]};
    uint k = 0;
#pragma unroll 1
    for (; k < samples % UNROLL; k++)
        add_sample(&v, &mrif_samples[k]);
#pragma unroll 1
    for (; k < samples; k += UNROLL)
#pragma unroll
        for (uint j = 0; j < UNROLL; j++)
            add_sample(&v, &mrif_samples[k + j]);
    real[i] = v.re;
    imaginary[i] = v.im;
}
