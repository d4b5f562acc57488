/* libor.cu - LIB: what is a portfolio of options on interest rate swaps worth, and how does that depend on today's
 * rates? Monte Carlo paths of the LIBOR market model. After the program of M. Giles that the suite of Bakhoda et al.
 * (Analyzing CUDA Workloads Using a Detailed GPU Simulator, 2009) calls LIB; code of our own.
 *
 * A thread a path. lib_value walks the forward rates from maturity to maturity and prices the portfolio at the last
 * one. lib_greeks also keeps the rates of every step in local memory and goes back through them: the adjoint
 * of each step turns derivatives by its results into derivatives by its inputs (M. Giles and P. Glasserman,
 * Smoking Adjoints: Fast Monte Carlo Greeks, 2006), so all the derivatives cost little more than the value. */
#include "../harness/device.h"

enum { RATES = 80, STEPS = 40, SWAPS = 15 }; /* the most */

/* What all paths share. Rate n is paid from time n to n + 1, in units of `delta` years. */
struct lib_market {
    int rates, steps; /* how many forward rates; at how many of their maturities the path is taken */
    int swaps;
    float delta;
    float today[RATES];      /* the rates at the start of a path */
    float volatility[RATES]; /* of a rate that is 0, 1, ... steps from its maturity */
    int length[SWAPS];       /* of the swaps, in periods from the last step on */
    float strike[SWAPS];
};

__constant__ lib_market lib_m;

/* One step: rate i > n moves by its drift, which the rates from n + 1 to i make, and by its share of the shock. */
DEVICE void step(float *rate, float shock, int n)
{
    const float delta = lib_m.delta, root = sqrtf(delta) * shock;
    float drift = 0.0f;
    for (int i = n + 1; i < lib_m.rates; i++) {
        const float volatility = lib_m.volatility[i - n - 1], change = delta * volatility;
        drift += __fdividef(change * rate[i], 1.0f + delta * rate[i]);
        rate[i] *= __expf(change * drift + volatility * (root - 0.5f * change));
    }
}

/* The adjoint of step(): d_rate[] are derivatives by its results, and become derivatives by its inputs. */
DEVICE void step_back(float *d_rate, const float *before, const float *after, int n)
{
    const float delta = lib_m.delta;
    float by_drift = 0.0f;
    for (int i = lib_m.rates - 1; i > n; i--) {
        const float volatility = lib_m.volatility[i - n - 1];
        const float factor = __fdividef(delta, 1.0f + delta * before[i]);
        by_drift += volatility * after[i] * d_rate[i];
        d_rate[i] = d_rate[i] * __fdividef(after[i], before[i]) + by_drift * volatility * factor * factor;
    }
}

/* Prices of bonds that pay 1 after m + 1 periods from the last step on, and of payments of `delta` until then. */
DEVICE void price_bonds(const float *rate, float *bond, float *annuity)
{
    float b = 1.0f, a = 0.0f;
    for (int n = lib_m.steps, m = 0; n < lib_m.rates; n++, m++) {
        b = __fdividef(b, 1.0f + lib_m.delta * rate[n]);
        a += lib_m.delta * b;
        bond[m] = b;
        annuity[m] = a;
    }
}

/* Loss of the payer of swap s, in units of its notional; below 0 when the option is worth something. */
DEVICE float swap_value(int s, const float *bond, const float *annuity)
{
    const int m = lib_m.length[s] - 1;
    return bond[m] + lib_m.strike[s] * annuity[m] - 1.0f;
}

/* What 1 at the last step is worth today. */
DEVICE float discount(const float *rate)
{
    float b = 1.0f;
    for (int n = 0; n < lib_m.steps; n++)
        b = __fdividef(b, 1.0f + lib_m.delta * rate[n]);
    return b;
}

DEVICE float portfolio(const float *rate)
{
    float bond[RATES - STEPS], annuity[RATES - STEPS], value = 0.0f;
    price_bonds(rate, bond, annuity);
    for (int s = 0; s < lib_m.swaps; s++) {
        const float loss = swap_value(s, bond, annuity);
        if (loss < 0.0f)
            value -= 100.0f * loss;
    }
    return discount(rate) * value;
}

/* The same value, and its derivatives by all the rates of the end of the path. */
DEVICE float portfolio_greeks(const float *rate, float *d_rate)
{
    float bond[RATES - STEPS], annuity[RATES - STEPS], d_bond[RATES - STEPS], d_annuity[RATES - STEPS];
    const int periods = lib_m.rates - lib_m.steps;
    float value = 0.0f;
    price_bonds(rate, bond, annuity);
    for (int m = 0; m < periods; m++)
        d_bond[m] = d_annuity[m] = 0.0f;
    for (int s = 0; s < lib_m.swaps; s++) {
        const float loss = swap_value(s, bond, annuity);
        if (loss < 0.0f) {
            value -= 100.0f * loss;
            d_bond[lib_m.length[s] - 1] -= 100.0f;
            d_annuity[lib_m.length[s] - 1] -= 100.0f * lib_m.strike[s];
        }
    }
    const float today = discount(rate);
    value *= today;

    /* price_bonds() backwards; both carry what later bonds and annuities add. */
    float by_bond = 0.0f, by_annuity = 0.0f;
    for (int m = periods - 1; m >= 0; m--) {
        const int n = lib_m.steps + m;
        const float factor = __fdividef(1.0f, 1.0f + lib_m.delta * rate[n]);
        by_annuity += d_annuity[m];
        by_bond += d_bond[m] + lib_m.delta * by_annuity;
        d_rate[n] = -today * by_bond * bond[m] * lib_m.delta * factor;
        by_bond *= factor;
    }
    for (int n = 0; n < lib_m.steps; n++)
        d_rate[n] = -value * __fdividef(lib_m.delta, 1.0f + lib_m.delta * rate[n]);
    return value;
}

/* shock and greek: a row of `paths` values a step, and a rate. */
KERNEL lib_value(const float *__restrict__ shock, float *__restrict__ value, int paths)
{
    float rate[RATES], z[STEPS];
    for (int path = blockIdx.x * blockDim.x + threadIdx.x; path < paths; path += blockDim.x * gridDim.x) {
        for (int n = 0; n < lib_m.steps; n++)
            z[n] = shock[n * paths + path];
        for (int i = 0; i < lib_m.rates; i++)
            rate[i] = lib_m.today[i];
        for (int n = 0; n < lib_m.steps; n++)
            step(rate, z[n], n);
        value[path] = portfolio(rate);
    }
}

KERNEL lib_greeks(const float *__restrict__ shock, float *__restrict__ value, float *__restrict__ greek, int paths)
{
    float rate[RATES], d_rate[RATES], z[STEPS], history[(STEPS + 1) * RATES];
    for (int path = blockIdx.x * blockDim.x + threadIdx.x; path < paths; path += blockDim.x * gridDim.x) {
        for (int n = 0; n < lib_m.steps; n++)
            z[n] = shock[n * paths + path];
        for (int i = 0; i < lib_m.rates; i++)
            history[i] = rate[i] = lib_m.today[i];
        for (int n = 0; n < lib_m.steps; n++) {
            step(rate, z[n], n);
            for (int i = n + 1; i < lib_m.rates; i++)
                history[(n + 1) * RATES + i] = rate[i];
        }
        value[path] = portfolio_greeks(rate, d_rate);
        for (int n = lib_m.steps - 1; n >= 0; n--)
            step_back(d_rate, history + n * RATES, history + (n + 1) * RATES, n);
        for (int i = 0; i < lib_m.rates; i++)
            greek[i * paths + path] = d_rate[i];
    }
}
