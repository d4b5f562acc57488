/* libor.c - LIB, host side: a random market, normal shocks, and the same paths in double precision with derivatives
 * in chosen directions carried forward. */
#include "data/workloads/harness/harness.h"

#include <math.h>

enum { RATES = 80, STEPS = 40, SWAPS = 15, THREADS = 64, WAYS = 3 }; /* the first three as in libor.cu */

/* How far a bond or a swap may be off: they are numbers near 1, or differences of such. Rates are near 0.05 and enter
 * times delta, so what 40 steps make of rounding at 2^-24 is hardly larger than that; some 3e-7 are seen. */
static const double ERROR = 1e-6;
static const double NOTIONAL = 100;

/* Goes to constant memory as it is. */
typedef struct market {
    int rates, steps, swaps;
    float delta, today[RATES], volatility[RATES];
    int length[SWAPS];
    float strike[SWAPS];
} market;

/* Numbers of a path with their derivatives in WAYS directions. */
typedef struct dual {
    double v, d[WAYS];
} dual;

/* What a path has to come to. `kinks` bounds how much each derivative may jump because an option is so near to
 * worthless that rounding decides. */
typedef struct outcome {
    dual value;
    double kinks[WAYS];
} outcome;

static market make_market(harness *h, int rates, int steps)
{
    static const int length[] = {4, 8, 20, 28, 40};
    static const float strike[] = {0.045f, 0.05f, 0.055f};
    market m = {.rates = rates, .steps = steps, .delta = 0.25f};
    for (int i = 0; i < rates; i++) {
        m.today[i] = (float)harness_uniform(h, 0.045, 0.055);
        m.volatility[i] = (float)harness_uniform(h, 0.15, 0.25);
    }
    for (int s = 0; s < SWAPS; s++)
        if (length[s / 3] <= rates - steps) {
            m.length[m.swaps] = length[s / 3];
            m.strike[m.swaps++] = strike[s % 3];
        }
    return m;
}

/* Normal numbers by G. Box and M. Muller, A Note on the Generation of Random Normal Deviates, 1958. */
static float *make_shocks(harness *h, size_t n)
{
    float *const z = harness_host(h, n, sizeof *z);
    for (size_t i = 0; i < n; i++) {
        const double radius = sqrt(-2 * log(1 - harness_uniform(h, 0, 1)));
        z[i] = (float)(radius * cos(harness_uniform(h, 0, 2 * M_PI)));
    }
    return z;
}

/* Divides by 1 + delta * rate. */
static dual discounted(dual x, dual rate, double delta)
{
    const double divisor = 1 + delta * rate.v;
    dual y = {.v = x.v / divisor};
    for (int w = 0; w < WAYS; w++)
        y.d[w] = (x.d[w] - y.v * delta * rate.d[w]) / divisor;
    return y;
}

/* A. Brace, D. Gatarek and M. Musiela, The Market Model of Interest Rate Dynamics, 1997, by Euler's steps of the
 * logarithm: rate i drifts by delta * volatility_i * (D - volatility_i / 2), with D the sum over n < j <= i of
 * delta * volatility_j * L_j / (1 + delta * L_j). */
static void walk(const market *m, const float *z, size_t paths, dual *rate)
{
    const double delta = m->delta;
    for (int n = 0; n < m->steps; n++) {
        dual drift = {0};
        for (int i = n + 1; i < m->rates; i++) {
            const double vol = m->volatility[i - n - 1];
            const double divisor = 1 + delta * rate[i].v;
            drift.v += delta * vol * rate[i].v / divisor;
            for (int w = 0; w < WAYS; w++)
                drift.d[w] += delta * vol * rate[i].d[w] / (divisor * divisor);
            const double growth = exp(delta * vol * (drift.v - vol / 2) + vol * sqrt(delta) * z[(size_t)n * paths]);
            rate[i].v *= growth;
            for (int w = 0; w < WAYS; w++)
                rate[i].d[w] = rate[i].d[w] * growth + rate[i].v * delta * vol * drift.d[w];
        }
    }
}

static void add_swap(outcome *o, dual bond, dual annuity, double strike)
{
    const double loss = bond.v + strike * annuity.v - 1;
    if (loss < 0)
        o->value.v -= NOTIONAL * loss;
    for (int w = 0; w < WAYS; w++) {
        const double slope = NOTIONAL * (bond.d[w] + strike * annuity.d[w]);
        if (loss < 0)
            o->value.d[w] -= slope;
        if (fabs(loss) < ERROR)
            o->kinks[w] += fabs(slope);
    }
}

/* The path of the shocks z[0], z[paths] ..., in the directions way[][]. */
static outcome follow(const market *m, const float *z, size_t paths, double way[WAYS][RATES])
{
    dual rate[RATES], bond = {.v = 1}, annuity = {0};
    outcome o = {0};
    for (int i = 0; i < m->rates; i++) {
        rate[i].v = m->today[i];
        for (int w = 0; w < WAYS; w++)
            rate[i].d[w] = way[w][i];
    }
    walk(m, z, paths, rate);
    for (int n = m->steps; n < m->rates; n++) {
        bond = discounted(bond, rate[n], m->delta);
        annuity.v += m->delta * bond.v;
        for (int w = 0; w < WAYS; w++)
            annuity.d[w] += m->delta * bond.d[w];
        for (int s = 0; s < m->swaps; s++)
            if (m->length[s] == n - m->steps + 1)
                add_swap(&o, bond, annuity, m->strike[s]);
    }
    for (int n = 0; n < m->steps; n++)
        o.value = discounted(o.value, rate[n], m->delta);
    return o;
}

/* Every rate up alike, the last one alone, and a direction at random. */
static void make_ways(harness *h, const market *m, double way[WAYS][RATES])
{
    for (int i = 0; i < m->rates; i++) {
        way[0][i] = 1;
        way[1][i] = i == m->rates - 1;
        way[2][i] = harness_uniform(h, -1, 1);
    }
}

typedef struct results {
    float *value, *value_with_greeks, *greek;
} results;

static results simulate(harness *h, const market *m, const float *z, size_t paths)
{
    const size_t rates = (size_t)m->rates, bytes = paths * sizeof(float);
    results r = {harness_host(h, paths, sizeof(float)), harness_host(h, paths, sizeof(float)),
                 harness_host(h, paths * rates, sizeof(float))};
    const harness_dim grid = HARNESS_DIM((paths - 1) / THREADS + 1), block = HARNESS_DIM(THREADS);
    int n = (int)paths;
    CUdeviceptr shock = harness_upload(h, z, bytes * (size_t)m->steps);
    CUdeviceptr value = harness_device(h, bytes), greek = harness_device(h, bytes * rates);
    harness_write(h, harness_symbol(h, "lib_m", sizeof *m), m, sizeof *m);

    HARNESS_LAUNCH(h, harness_kernel(h, "lib_value"), grid, block, 0, &shock, &value, &n);
    harness_download(h, r.value, value, bytes);
    HARNESS_LAUNCH(h, harness_kernel(h, "lib_greeks"), grid, block, 0, &shock, &value, &greek, &n);
    harness_download(h, r.value_with_greeks, value, bytes);
    harness_download(h, r.greek, greek, bytes * rates);
    return r;
}

static void check_value(harness *h, size_t path, const market *m, double got, double want)
{
    if (!(fabs(got - want) <= NOTIONAL * m->swaps * ERROR))
        harness_wrong(h, "the value of path %zu is %.9g, not %.9g", path, got, want);
}

/* The adjoint gives all derivatives; along a direction they have to add up to the derivative carried forward. */
static void check_greeks(harness *h, size_t path, size_t paths, const market *m, const float *greek,
                         const outcome *want, double way[WAYS][RATES])
{
    for (int w = 0; w < WAYS; w++) {
        double got = 0, size = 0;
        for (int i = 0; i < m->rates; i++) {
            got += way[w][i] * greek[(size_t)i * paths + path];
            size += fabs(way[w][i] * greek[(size_t)i * paths + path]);
        }
        if (!(fabs(got - want->value.d[w]) <= 10 * ERROR * size + NOTIONAL * m->swaps * ERROR + want->kinks[w]))
            harness_wrong(h, "the derivative of path %zu in direction %d is %.9g, not %.9g", path, w, got,
                          want->value.d[w]);
    }
}

static void run(harness *h)
{
    const market m = make_market(h, (int)harness_pick(h, 26, RATES, RATES), (int)harness_pick(h, 11, STEPS, STEPS));
    const size_t paths = (size_t)harness_pick(h, 100, 1000, 4096);
    const float *const z = make_shocks(h, paths * (size_t)m.steps);
    double way[WAYS][RATES];
    make_ways(h, &m, way);

    const results r = simulate(h, &m, z, paths);
    for (size_t path = 0; path < paths; path++) {
        const outcome want = follow(&m, z + path, paths, way);
        check_value(h, path, &m, r.value[path], want.value.v);
        check_value(h, path, &m, r.value_with_greeks[path], want.value.v);
        check_greeks(h, path, paths, &m, r.greek, &want, way);
    }
}

HARNESS_WORKLOAD("LIB", "data/workloads/libor/libor.ptx", run)
