/* gru.cu - a step of a layer of gated recurrent units (K. Cho et al., Learning Phrase Representations using RNN Encoder-Decoder, 2014, in the form
 * in which the reset gate scales the sum over former units). See harness/cells.cuh. */
#include "../harness/cells.cuh"

enum gate { UPDATE, RESET, CANDIDATE, GATES };

KERNEL gru_step(const float *from_input, const float *from_units, const float *bias, const float *input, const float *before, float *after, int inputs,
                int units)
{
    const int sample = blockIdx.y, unit = blockIdx.x * CELL_THREADS + threadIdx.x;
    float of_input[GATES], of_units[GATES];

#pragma unroll
    for (int gate = 0; gate < GATES; gate++) {
        of_input[gate] = unit < units ? bias[gate * units + unit] : 0;
        of_units[gate] = 0;
    }
    add_products<GATES>(from_input, input + sample * inputs, inputs, units, unit, of_input);
    add_products<GATES>(from_units, before + sample * units, units, units, unit, of_units);
    if (unit >= units)
        return;
    const float update = sigmoid(of_input[UPDATE] + of_units[UPDATE]), reset = sigmoid(of_input[RESET] + of_units[RESET]);
    const float candidate = tanhf(of_input[CANDIDATE] + reset * of_units[CANDIDATE]);
    after[sample * units + unit] = (1 - update) * candidate + update * before[sample * units + unit];
}
