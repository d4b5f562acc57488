/* lstm.cu - a step of a layer of long short-term memory (S. Hochreiter, J. Schmidhuber, Long Short-Term Memory, 1997; with the forget gate of
 * F. Gers, J. Schmidhuber, F. Cummins, 2000). See harness/cells.cuh. */
#include "../harness/cells.cuh"

enum gate { INPUT, FORGET, CANDIDATE, OUTPUT, GATES };

/* input: of this step, samples one behind the other, as units before and after, and memory. */
KERNEL lstm_step(const float *from_input, const float *from_units, const float *bias, const float *input, const float *before, float *after,
                 float *memory, int inputs, int units)
{
    const int sample = blockIdx.y, unit = blockIdx.x * CELL_THREADS + threadIdx.x;
    float sum[GATES];

#pragma unroll
    for (int gate = 0; gate < GATES; gate++)
        sum[gate] = unit < units ? bias[gate * units + unit] : 0;
    add_products<GATES>(from_input, input + sample * inputs, inputs, units, unit, sum);
    add_products<GATES>(from_units, before + sample * units, units, units, unit, sum);
    if (unit >= units)
        return;
    float *const cell = &memory[sample * units + unit];
    *cell = sigmoid(sum[FORGET]) * *cell + sigmoid(sum[INPUT]) * tanhf(sum[CANDIDATE]);
    after[sample * units + unit] = sigmoid(sum[OUTPUT]) * tanhf(*cell);
}
