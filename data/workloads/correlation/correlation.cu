/* correlation.cu - the correlation of all pairs of variables, after PolyBench/GPU's correlation (S. Grauer-Gray et al., 2012); code of our
 * own. As covariance.cu, with samples divided by their deviation, and pairs of two different variables alone. */
#include "../harness/moments.cuh"

KERNEL cor_means(const float *table, float *mean, int samples, int variables, int pitch)
{
    const int variable = thread_number();
    if (variable < variables)
        mean[variable] = column_mean(table, variable, samples, pitch);
}

/* Deviations; what is as good as constant counts as one. */
KERNEL cor_deviations(const float *table, const float *mean, float *deviation, int samples, int variables, int pitch, float least)
{
    const int variable = thread_number();
    if (variable >= variables)
        return;
    const float middle = mean[variable];
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < samples; i++) {
        const float d = table[i * pitch + variable] - middle;
        sum += d * d;
    }
    const float root = sqrtf(sum / samples);
    deviation[variable] = root > least ? root : 1.0f;
}

/* Samples that have mean zero, and squares that add up to one. */
KERNEL cor_normalize(float *table, const float *mean, const float *deviation, int samples, int variables, int pitch)
{
    const int i = blockIdx.y * blockDim.y + threadIdx.y, variable = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < samples && variable < variables)
        table[i * pitch + variable] = (table[i * pitch + variable] - mean[variable]) / (sqrtf((float)samples) * deviation[variable]);
}

KERNEL cor_pairs(const float *table, float *correlation, int samples, int variables, int pitch)
{
    const int variable = thread_number();
    if (variable >= variables)
        return;
    correlation[variable * variables + variable] = 1.0f;
#pragma unroll 1
    for (int other = variable + 1; other < variables; other++) {
        const float c = column_dot(table, variable, other, samples, pitch);
        correlation[variable * variables + other] = c;
        correlation[other * variables + variable] = c;
    }
}
