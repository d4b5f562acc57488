/* lstm.c - LSTM: weights that all samples share, read again each step. Host side of lstm.cu. */
#include "data/workloads/harness/cells.h"

enum gate { INPUT, FORGET, CANDIDATE, OUTPUT, GATES };

static const harness_size input_sizes[] = {HARNESS_CELL_SIZES, {0}};

static double next(const double *of_input, const double *of_units, double was, double *memory)
{
    (void)was;
    *memory = harness_sigmoid(of_input[FORGET] + of_units[FORGET]) * *memory +
              harness_sigmoid(of_input[INPUT] + of_units[INPUT]) * tanh(of_input[CANDIDATE] + of_units[CANDIDATE]);
    return harness_sigmoid(of_input[OUTPUT] + of_units[OUTPUT]) * tanh(*memory);
}

static void run(harness *h)
{
    harness_cells c = harness_make_cells(h, GATES);
    const size_t n = (size_t)c.samples * (size_t)c.units;
    float *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);
    CUdeviceptr before = harness_upload(h, got, n * sizeof *got), after = harness_upload(h, got, n * sizeof *got);
    CUdeviceptr memory = harness_upload(h, got, n * sizeof *got);
    CUfunction step = harness_kernel(h, "lstm_step");

    for (int i = 0; i < c.steps; i++) {
        CUdeviceptr input = c.d_input + (size_t)i * (size_t)c.samples * (size_t)c.inputs * sizeof(float);
        HARNESS_LAUNCH(h, step, HARNESS_DIM((c.units + CELL_THREADS - 1) / CELL_THREADS, c.samples),
                       HARNESS_DIM(CELL_THREADS), 0, &c.d_from_input, &c.d_from_units, &c.d_bias, &input, &before,
                       &after, &memory, &c.inputs, &c.units);
        harness_swap(&before, &after);
    }
    harness_download(h, got, before, n * sizeof *got);
    harness_run_cells(h, &c, next, want);
    harness_check_floats(h, "unit", got, want, n, 0, harness_cells_tolerance(&c));
}

HARNESS_WORKLOAD_OF("LSTM", "data/workloads/lstm/lstm.ptx", run, input_sizes)
