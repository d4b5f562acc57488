/* gru.c - GRU: as LSTM, with three gates and no memory beside the units. Host side of gru.cu. */
#include "data/workloads/harness/cells.h"

enum gate { UPDATE, RESET, CANDIDATE, GATES };

static const harness_size input_sizes[] = {HARNESS_CELL_SIZES, {0}};

static double next(const double *of_input, const double *of_units, double was, double *memory)
{
    (void)memory;
    const double update = harness_sigmoid(of_input[UPDATE] + of_units[UPDATE]),
                 reset = harness_sigmoid(of_input[RESET] + of_units[RESET]);
    return (1 - update) * tanh(of_input[CANDIDATE] + reset * of_units[CANDIDATE]) + update * was;
}

static void run(harness *h)
{
    harness_cells c = harness_make_cells(h, GATES);
    const size_t n = (size_t)c.samples * (size_t)c.units;
    float *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);
    CUdeviceptr before = harness_upload(h, got, n * sizeof *got), after = harness_upload(h, got, n * sizeof *got);
    CUfunction step = harness_kernel(h, "gru_step");

    for (int i = 0; i < c.steps; i++) {
        CUdeviceptr input = c.d_input + (size_t)i * (size_t)c.samples * (size_t)c.inputs * sizeof(float);
        HARNESS_LAUNCH(h, step, HARNESS_DIM((c.units + CELL_THREADS - 1) / CELL_THREADS, c.samples),
                       HARNESS_DIM(CELL_THREADS), 0, &c.d_from_input, &c.d_from_units, &c.d_bias, &input, &before,
                       &after, &c.inputs, &c.units);
        harness_swap(&before, &after);
    }
    harness_download(h, got, before, n * sizeof *got);
    harness_run_cells(h, &c, next, want);
    harness_check_floats(h, "unit", got, want, n, 0, harness_cells_tolerance(&c));
}

HARNESS_WORKLOAD_OF("GRU", "data/workloads/gru/gru.ptx", run, input_sizes)
