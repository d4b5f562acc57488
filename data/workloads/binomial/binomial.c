/* binomial.c - BN, host side: random options, their values on the same tree in double precision, and the limit that
 * the tree approaches. */
#include "data/workloads/harness/harness.h"

#include <math.h>

enum { TILE = 256, MAX_OPTIONS = 512 }; /* as in binomial.cu */

static const double RATE = 0.06, VOLATILITY = 0.10;
/* Part of spot + strike by which a value may be off: each level rounds a node two or three times at 6e-8, mostly with
 * opposite signs. */
static const double TOLERANCE = 2e-6;

typedef struct contract {
    double spot, strike, years;
} contract;

/* What the device reads, in the layout of binomial.cu. */
typedef struct option {
    float spot, strike, sway, up, down;
} option;

/* J. Cox, S. Ross and M. Rubinstein, Option Pricing: A Simplified Approach, 1979: each of `steps` steps multiplies the
 * price by exp(+sway) or exp(-sway); up and down are the risk-neutral probabilities, discounted by one step. */
static option make_option(const contract *c, int steps)
{
    const double step = c->years / steps, sway = VOLATILITY * sqrt(step), discount = exp(-RATE * step);
    const double p = (exp(RATE * step) - exp(-sway)) / (exp(sway) - exp(-sway));
    return (option){(float)c->spot, (float)c->strike, (float)sway, (float)(p * discount), (float)((1 - p) * discount)};
}

/* The same tree in double precision, from the same rounded probabilities, whose rounding `steps` levels compound. */
static double walk_tree(const option *o, int steps, double *level)
{
    for (int i = 0; i <= steps; i++)
        level[i] = fmax(o->spot * exp(o->sway * (2.0 * i - steps)) - o->strike, 0);
    for (int n = steps; n > 0; n--)
        for (int i = 0; i < n; i++)
            level[i] = o->up * level[i + 1] + o->down * level[i];
    return level[0];
}

/* The limit for infinitely many steps: the formula of Black and Scholes. */
static double limit(const contract *c)
{
    const double spread = VOLATILITY * sqrt(c->years);
    const double d1 = (log(c->spot / c->strike) + (RATE + 0.5 * VOLATILITY * VOLATILITY) * c->years) / spread;
    return c->spot * 0.5 * erfc(-d1 * M_SQRT1_2) -
           c->strike * exp(-RATE * c->years) * 0.5 * erfc((spread - d1) * M_SQRT1_2);
}

static void check(harness *h, int which, const contract *c, const option *o, int steps, float got, double *level)
{
    const double want = walk_tree(o, steps, level);
    if (!(fabs(got - want) <= TOLERANCE * (c->spot + c->strike)))
        harness_wrong(h, "value[%d] is %.9g, not %.9g", which, got, want);
    /* Prices of the last level lie a factor exp(2 sway) apart: the tree cannot miss its limit by more. */
    if (!(fabs(got - limit(c)) <= 2 * o->sway * c->spot))
        harness_wrong(h, "value[%d] is %.9g, far from the formula's %.9g", which, got, limit(c));
}

static void run(harness *h)
{
    const int count = (int)harness_pick(h, 4, 64, MAX_OPTIONS);
    const int steps = (int)harness_pick(h, 128, 512, 1024); /* multiples of FOLD in binomial.cu */
    contract *c = harness_host(h, (size_t)count, sizeof *c);
    option *o = harness_host(h, MAX_OPTIONS, sizeof *o);
    float *value = harness_host(h, (size_t)count, sizeof *value);
    double *level = harness_host(h, (size_t)steps + 1, sizeof *level);
    for (int i = 0; i < count; i++) {
        c[i].spot = harness_uniform(h, 5, 30);
        c[i].strike = harness_uniform(h, 1, 100);
        c[i].years = harness_uniform(h, 0.25, 10);
        o[i] = make_option(&c[i], steps);
    }

    harness_write(h, harness_symbol(h, "bn_options", MAX_OPTIONS * sizeof *o), o, MAX_OPTIONS * sizeof *o);
    unsigned n = (unsigned)steps, pitch = (unsigned)steps + 16;
    CUdeviceptr d_levels = harness_device(h, (size_t)count * pitch * sizeof(float));
    CUdeviceptr d_value = harness_device(h, (size_t)count * sizeof(float));
    HARNESS_LAUNCH(h, harness_kernel(h, "bn_value"), HARNESS_DIM(count), HARNESS_DIM(TILE), 0, &d_levels, &d_value, &n,
                   &pitch);
    harness_download(h, value, d_value, (size_t)count * sizeof(float));

    for (int i = 0; i < count; i++)
        check(h, i, &c[i], &o[i], steps, value[i], level);
}

HARNESS_WORKLOAD("BN", "data/workloads/binomial/binomial.ptx", run)
