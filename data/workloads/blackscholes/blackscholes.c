/* blackscholes.c - BS, host side: random options, and their prices by the formula in double precision with the exact
 * normal distribution (the device uses a polynomial and approximate exponentials). */
#include "data/workloads/harness/harness.h"

#include <math.h>

enum { THREADS = 128 };

static const float RATE = 0.02f, VOLATILITY = 0.30f;
/* Prices may be off by this part of spot + strike: 2^-22 relative from ex2.approx, as much absolute from lg2.approx,
 * 7.5e-8 from the polynomial, and a few roundings to float. */
static const double TOLERANCE = 2e-6;

static double normal_cdf(double d)
{
    return 0.5 * erfc(-d * M_SQRT1_2);
}

/* F. Black and M. Scholes, The Pricing of Options and Corporate Liabilities, 1973, equation 13. */
static void price(double spot, double strike, double years, double *call, double *put)
{
    const double rate = RATE, volatility = VOLATILITY;
    const double spread = volatility * sqrt(years);
    const double d1 = (log(spot / strike) + (rate + 0.5 * volatility * volatility) * years) / spread;
    const double d2 = d1 - spread;
    const double discounted = strike * exp(-rate * years);
    *call = spot * normal_cdf(d1) - discounted * normal_cdf(d2);
    *put = discounted * normal_cdf(-d2) - spot * normal_cdf(-d1);
}

static const harness_size input_sizes[] = {
    {"options", "options to price", {5000, 500000, 4000000}, 1, 16000000, 1},
    {"blocks", "thread blocks that stride over them", {8, 480, 480}, 1, 65535, 1},
    {0},
};

static void run(harness *h)
{
    const size_t n = (size_t)harness_get_size(h, "options");
    const long blocks = harness_get_size(h, "blocks");
    const size_t bytes = n * sizeof(float);
    const float *spot = harness_random_floats(h, n, 5, 30);
    const float *strike = harness_random_floats(h, n, 1, 100);
    const float *years = harness_random_floats(h, n, 0.25, 10);
    float *call = harness_host(h, n, sizeof *call);
    float *put = harness_host(h, n, sizeof *put);

    CUdeviceptr d_spot = harness_upload(h, spot, bytes), d_strike = harness_upload(h, strike, bytes);
    CUdeviceptr d_years = harness_upload(h, years, bytes);
    CUdeviceptr d_call = harness_device(h, bytes), d_put = harness_device(h, bytes);
    float rate = RATE, volatility = VOLATILITY;
    unsigned options = (unsigned)n;
    HARNESS_LAUNCH(h, harness_kernel(h, "bs_price"), HARNESS_DIM(blocks), HARNESS_DIM(THREADS), 0, &d_call, &d_put,
                   &d_spot, &d_strike, &d_years, &rate, &volatility, &options);
    harness_download(h, call, d_call, bytes);
    harness_download(h, put, d_put, bytes);

    for (size_t i = 0; i < n; i++) {
        const double allowed = TOLERANCE * (spot[i] + strike[i]);
        double right_call, right_put;
        price(spot[i], strike[i], years[i], &right_call, &right_put);
        if (!(fabs(call[i] - right_call) <= allowed))
            harness_wrong(h, "call[%zu] is %g, not %g", i, call[i], right_call);
        if (!(fabs(put[i] - right_put) <= allowed))
            harness_wrong(h, "put[%zu] is %g, not %g", i, put[i], right_put);
    }
}

HARNESS_WORKLOAD_OF("BS", "data/workloads/blackscholes/blackscholes.ptx", run, input_sizes)
