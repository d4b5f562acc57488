/* covariance.cu - the covariance of all pairs of variables, after PolyBench/GPU's covariance (S. Grauer-Gray et al., 2012); code of our own.
 *
 * cov_means, then cov_centre takes the mean from each sample, then cov_pairs: a thread a variable pairs it with itself, the next, the one
 * after that ..., so that the lanes' other variables are neighbours, too, but not from the beginning of a line on. */
#include "../harness/moments.cuh"

KERNEL cov_means(const float *table, float *mean, int samples, int variables, int pitch)
{
    const int variable = thread_number();
    if (variable < variables)
        mean[variable] = column_mean(table, variable, samples, pitch);
}

KERNEL cov_centre(float *table, const float *mean, int samples, int variables, int pitch)
{
    const int i = blockIdx.y * blockDim.y + threadIdx.y, variable = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < samples && variable < variables)
        table[i * pitch + variable] -= mean[variable];
}

KERNEL cov_pairs(const float *table, float *covariance, int samples, int variables, int pitch)
{
    const int variable = thread_number();
    if (variable >= variables)
        return;
#pragma unroll 1
    for (int other = variable; other < variables; other++) {
        const float c = column_dot(table, variable, other, samples, pitch) / (samples - 1);
        covariance[variable * variables + other] = c;
        covariance[other * variables + variable] = c;
    }
}
