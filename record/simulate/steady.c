/* steady.c - see steady.h. */
#include "record/simulate/steady.h"

#include "base/status.h"
#include "model/sim/sim_stats.h"
#include "model/machine/machine.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double quantile = 0.975;

void ws_steady_begin(ws_steady *s, double bound, const ws_sim_sums *began)
{
    *s = (ws_steady){.bound = bound, .began = *began};
}

/* The end of the wave that is so many before the newest. */
static const ws_steady_wave *end_of_wave(const ws_steady *s, uint64_t before)
{
    return &s->end[(s->waves - before) % STEADY_PLACES];
}

/* What wave `before` did; with `waves` more than one, these up to it. */
static ws_sim_sums sums_of(const ws_steady *s, uint64_t before, uint64_t waves)
{
    ws_sim_sums did;
    ws_sim_sums_subtract(&end_of_wave(s, before)->sums, &end_of_wave(s, before + waves)->sums, &did);
    return did;
}

/* Mean and standard deviation. */
static void describe(const double rate[STEADY_WAVES], double *mean, double *deviation)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < STEADY_WAVES; i++)
        sum += rate[i] / STEADY_WAVES;
    for (int i = 0; i < STEADY_WAVES; i++)
        squares += (rate[i] - sum) * (rate[i] - sum);
    *mean = sum;
    *deviation = sqrt(squares / (STEADY_WAVES - 1));
}

static bool is_steady(const ws_steady *s)
{
    double rate[STEADY_WAVES], mean, deviation;
    for (uint64_t i = 0; i < STEADY_WAVES; i++) {
        const ws_sim_sums did = sums_of(s, i, 1);
        rate[i] = (double)did.sm.warp_instructions / (double)did.cycles;
    }
    describe(rate, &mean, &deviation);
    return mean > 0 && deviation <= s->bound * mean;
}

/* Does L2 do in these waves what it will do in those that are left? `done` of `ctas` have ended. */
static bool is_filled(const ws_steady *s, const ws_sim *sim, uint64_t done, uint64_t ctas)
{
    const ws_steady_wave *const now = end_of_wave(s, 0);
    const double missed = (double)(now->sums.l2.misses - s->began.l2.misses) * ws_sim_machine(sim)->l2_sector;
    const double capacity = (double)ws_memory_side_capacity(ws_sim_memory_side(sim));
    return now->copied == end_of_wave(s, STEADY_WAVES)->copied &&
           (missed >= capacity || missed * (double)ctas < capacity * (double)done);
}

void ws_steady_look(ws_steady *s, ws_sim *sim, uint64_t ctas)
{
    const uint64_t done = ws_sim_ctas_done(sim), given = ws_sim_given(sim);
    if (s->stopped || !(s->bound > 0))
        return;
    if (given - done > s->wave)
        s->wave = given - done;
    if (!s->wave || done - end_of_wave(s, 0)->ctas < s->wave)
        return;
    ws_steady_wave *const end = &s->end[++s->waves % STEADY_PLACES];
    end->ctas = done;
    end->copied = ws_memory_side_copied(ws_sim_memory_side(sim));
    ws_sim_sum(sim, &end->sums);
    if (s->waves <= STEADY_WAVES || ctas - given <= s->wave || !is_filled(s, sim, done, ctas) || !is_steady(s))
        return;
    s->stopped = true;
    ws_sim_stop(sim);
}

void ws_steady_project(const ws_steady *s, uint64_t instructions, ws_sim_sums *did)
{
    const ws_sim_sums waves = sums_of(s, 0, STEADY_WAVES);
    ws_sim_sums_add(did, &waves, (double)instructions / (double)waves.sm.warp_instructions);
}

/* Of one count, in so many instructions that are left; `values` of a wave are [columns]. */
static double bound_of(const ws_steady *s, const double *values, size_t columns, const double count[STEADY_WAVES],
                       double instructions, double unlike)
{
    double rate[STEADY_WAVES], mean, deviation, all = 0;
    for (size_t i = 0; i < STEADY_WAVES; i++) {
        rate[i] = values[i * columns] / count[i];
        all += count[i];
    }
    describe(rate, &mean, &deviation);
    const double waves = instructions / (all / STEADY_WAVES), t = gsl_cdf_tdist_Pinv(quantile, STEADY_WAVES - 1);
    return instructions * (t * fmax(deviation, s->bound * mean) * sqrt(1.0 / STEADY_WAVES + 1 / waves) + unlike * mean);
}

int ws_steady_bound(const ws_steady *s, const ws_machine *machine, uint64_t ctas, uint64_t instructions, double *bound)
{
    const size_t columns = ws_sim_stat_count(machine);
    double *const values = calloc(STEADY_WAVES * columns, sizeof *values), count[STEADY_WAVES];
    if (!values)
        return ws_fail(WS_EMEM, "no memory for results");
    for (size_t i = 0; i < STEADY_WAVES; i++) {
        const ws_sim_sums did = sums_of(s, i, 1);
        count[i] = (double)did.sm.warp_instructions;
        ws_sim_stat_values(&did, machine, values + i * columns);
    }
    const double seen = (double)sums_of(s, 0, STEADY_WAVES).sm.warp_instructions /
                        (double)(end_of_wave(s, 0)->ctas - end_of_wave(s, STEADY_WAVES)->ctas);
    const double unlike = fabs((double)instructions / (double)ctas / seen - 1);
    for (size_t c = 0; c < columns; c++) {
        const ws_sim_stat stat = ws_sim_stat_at(machine, c);
        const bool known = !stat.adds_up || !strcmp(stat.name, "warp_instructions");
        bound[c] = known ? 0 : bound_of(s, values + c, columns, count, (double)instructions, unlike);
    }
    free(values);
    return WS_OK;
}
