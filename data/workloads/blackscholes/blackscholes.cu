/* blackscholes.cu - BS: what are European calls and puts worth by the formula of Black and Scholes? After the CUDA
 * SDK's BlackScholes; code of our own.
 *
 * A fixed grid strides over the options. Everything is arithmetic: loads of three inputs, two cumulative normal
 * distributions as a polynomial, stores of two prices. */
#include "../harness/device.h"

/* Cumulative normal distribution, Abramowitz and Stegun 26.2.17: the error is below 7.5e-8. */
DEVICE float normal_cdf(float d)
{
    const float density = 0.39894228040143267794f * __expf(-0.5f * d * d);
    const float k = __fdividef(1.0f, fmaf(0.2316419f, fabsf(d), 1.0f));
    float poly = 1.330274429f;
    poly = fmaf(poly, k, -1.821255978f);
    poly = fmaf(poly, k, 1.781477937f);
    poly = fmaf(poly, k, -0.356563782f);
    poly = fmaf(poly, k, 0.319381530f);
    float tail = density * poly * k;
    if (d > 0.0f)
        tail = 1.0f - tail;
    return tail;
}

KERNEL bs_price(float *__restrict__ call, float *__restrict__ put, const float *__restrict__ spot,
                const float *__restrict__ strike, const float *__restrict__ years, float rate, float volatility,
                uint options)
{
    const uint stride = gridDim.x * blockDim.x;
    for (uint i = blockIdx.x * blockDim.x + threadIdx.x; i < options; i += stride) {
        const float s = spot[i], x = strike[i], t = years[i];
        const float sqrt_t = sqrtf(t);
        const float d1 = __fdividef(__logf(__fdividef(s, x)) + (rate + 0.5f * volatility * volatility) * t,
                                    volatility * sqrt_t);
        const float d2 = d1 - volatility * sqrt_t;
        const float n1 = normal_cdf(d1), n2 = normal_cdf(d2);
        const float discounted = x * __expf(-rate * t);
        call[i] = s * n1 - discounted * n2;
        put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
    }
}
