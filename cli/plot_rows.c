/* plot_rows.c - which rows of a frame does a figure draw, where it cannot draw all? */
#include "cli/plot_rows.h"

#include "base/status.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <stdlib.h>

static int choose(size_t most, ws_frame **frame)
{
    const size_t rows = (*frame)->rows;
    size_t *const all = malloc(rows * sizeof *all), *const chosen = malloc(most * sizeof *chosen);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937); /* its default seed is a constant; GSL_RNG_SEED is not read */
    ws_frame *sample = NULL;
    int status = all && chosen && rng ? WS_OK : ws_fail(WS_EMEM, "out of memory");
    for (size_t i = 0; i < rows && !status; i++)
        all[i] = i;
    if (!status) {
        gsl_rng_set(rng, 1);
        gsl_ran_choose(rng, chosen, most, all, rows, sizeof *all);
        status = ws_frame_pick_rows(*frame, chosen, most, &sample);
    }
    if (!status) {
        ws_frame_destroy(*frame);
        *frame = sample;
    }
    free(all);
    free(chosen);
    gsl_rng_free(rng);
    return status;
}

int ws_plot_sample(size_t most, ws_frame **frame, char *note, size_t size)
{
    const size_t rows = (*frame)->rows;
    if (!most || rows <= most)
        return WS_OK;
    snprintf(note, size, "A random sample of %zu of %zu rows.", most, rows);
    return choose(most, frame);
}
