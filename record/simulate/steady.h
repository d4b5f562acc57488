/* steady.h - may a launch be stopped, because all that is left of it will be as what was?
 *
 * A wave is as many CTAs as were resident at the same time. The launch is stopped, so that no further CTA begins, when
 *
 *   - a wave has ended, which found caches cold and is not looked at,
 *   - the warp instructions a cycle of the STEADY_WAVES waves that followed have a coefficient of variation of at most
 * the bound,
 *   - L2 is past its beginning: none of these waves read what the host left there, and the launch has missed as many
 * bytes as L2 holds, unless all of it will not. Before, reads and write-backs do not go to memory that will go there
 * later; and
 *   - more than a wave has not begun: of less, nothing would be saved.
 *
 * That is the criterion of Principal Kernel Projection (C. Avalos Baddouh, M. Khairy, R. Green, M. Payer, T. Rogers,
 * "Principal Kernel Analysis: A Tractable Methodology to Simulate Scaled GPU Workloads", MICRO 2021, section 3.2:
 * instructions a cycle vary little over a window, and a full wave of CTAs has ended), with waves in place of windows of
 * 3,000 cycles: CTAs that begin together also end together, so a part of a wave varies by where in the wave it is. CTAs
 * that run are run to their end; the tail of the launch is simulated, not projected.
 *
 * What is left is projected by its instructions, which a trace knows, at the rates of these waves: a launch whose later
 * CTAs have more to do takes longer. Half of the interval of a count is
 *
 *     left (t s √(1/w + 1/W) + |q - 1| r)
 *
 * for `left` instructions in W waves, where r is the mean and s the standard deviation of the count an instruction over
 * the w = STEADY_WAVES waves (at least r times the bound, as the waves were chosen for being alike), t is the 97.5 %
 * quantile of Student with w - 1 degrees of freedom, and q is instructions a CTA of what is left over those of the
 * waves: CTAs that are not of the same size promise nothing of one another. It is the interval of the mean of W waves
 * more, when waves are in no order. Launches of a program do the same things, so the halves of their intervals are
 * added, not their squares. */
#ifndef WS_STEADY_H
#define WS_STEADY_H

#include "model/sim/sim.h"

enum { STEADY_WAVES = 3, STEADY_PLACES = STEADY_WAVES + 1 };

typedef struct ws_steady_wave {
    uint64_t ctas;   /* that have ended */
    uint64_t copied; /* bytes in L2 that the host copied and nobody has read */
    ws_sim_sums sums;
} ws_steady_wave;

typedef struct ws_steady {
    double bound; /* 0: nobody asks */
    uint64_t wave, waves;
    ws_sim_sums began;                 /* at the start of the launch */
    ws_steady_wave end[STEADY_PLACES]; /* of the last waves, the newest at [waves % STEADY_PLACES] */
    bool stopped;
} ws_steady;

/* `began`: sums at the start of the launch. */
void ws_steady_begin(ws_steady *steady, double bound, const ws_sim_sums *began);
/* Now and then while a launch of so many CTAs runs; stops it. */
void ws_steady_look(ws_steady *steady, ws_sim *sim, uint64_t ctas);

/* What CTAs that did not begin, with so many warp instructions, would have added to what the launch did. */
void ws_steady_project(const ws_steady *steady, uint64_t instructions, ws_sim_sums *did);
/* Half of the interval of each column of ws_sim_stat_at, 0 where columns do not add up. WS_EMEM. */
int ws_steady_bound(const ws_steady *steady, const ws_machine *machine, uint64_t ctas, uint64_t instructions,
                    double *bound);

#endif
