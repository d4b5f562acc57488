/* weather.c - WP, host side: a model's domain with storms, one or more time steps of microphysics, and the comparison
 * with the reference of weather_reference.c, column by column. */
#include "data/workloads/harness/harness.h"
#include "data/workloads/weather/weather_reference.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Fields that the kernel reads and writes; the water kinds follow theta in the order of WP_VAPOUR ... */
enum { THETA, WATER, EXNER = WATER + WP_KINDS, DENSITY, PRESSURE, THICKNESS, FIELDS };
enum { RAIN_SUM, RAIN_STEP, SNOW_SUM, SNOW_STEP, FROZEN, GROUNDS };

static const double SECONDS = 180;                                      /* a time step: two minor ones */
static const double GROUND_PRESSURE = 1e5, GRAVITY = 9.81, TOP = 15400; /* Pa, m/s2, m */

/* What single precision may be off after a step. T: a few ulp of 3e-5 K for each process. Water: saturation is known to
 * some 1e-6 of up to 0.02 kg/kg, and adjustment to it leaves that error in the droplets. */
static const double CLOSE_T = 5e-4, CLOSE_WATER = 1e-7, CLOSE_GROUND = 2e-5, RELATIVE = 1e-4;

/* Rates jump where air freezes, droplets begin to join, or another sub-step is needed. A column near such a place
 * may land on its other side: a few may be this many times further off. Seeds 1 to 8 have none or one such column
 * of 4,402. */
static const double FAR = 100, FAR_COLUMNS = 0.002;

typedef struct domain {
    int columns, rows, levels, steps;
    double growth; /* of the levels' thickness: the lowest have some 200 m, so that rain needs sub-steps */
    size_t ground, cells;
    float *field[FIELDS];
} domain;

static size_t cell(const domain *d, int i, int j, int k)
{
    return ((size_t)j * (size_t)d->levels + (size_t)k) * (size_t)d->columns + (size_t)i;
}

typedef struct storm {
    double x, y, radius, strength;
} storm;

enum { STORMS = 6 };

/* How deep in a storm a column is: 0 to 1. */
static double storminess(const storm *s, double x, double y)
{
    double most = 0;
    for (int n = 0; n < STORMS; n++) {
        const double r = hypot(x - s[n].x, y - s[n].y) / s[n].radius;
        most = fmax(most, s[n].strength * exp(-r * r));
    }
    return most < 0.1 ? 0 : most;
}

/* 1 well inside heights low to high, down to 0 a kilometre outside. */
static double layer(double z, double low, double high)
{
    return fmin(1, fmax(0, fmin(z - low, high - z) / 1000 + 1));
}

/* Kinds of water at height z; `wet` is the vapour of saturated air. Dynamics leave small negative values, so here
 * too. */
static void fill_water(harness *h, domain *d, size_t at, double z, double storminess_here, double wet)
{
    const double s = storminess_here;
    const double most[WP_KINDS] = {
        [WP_VAPOUR] = wet * (0.7 + 0.3 * s) * layer(z, 0, 12000),
        [WP_CLOUD] = 2e-3 * s * layer(z, 2000, 10500),
        [WP_ICE] = 6e-4 * s * layer(z, 5500, 12000),
        [WP_RAIN] = 3e-3 * s * layer(z, 0, 4500),
        [WP_SNOW] = 2e-3 * s * layer(z, 3000, 9000),
    };
    for (int kind = 0; kind < WP_KINDS; kind++) {
        const double low = kind == WP_VAPOUR ? 0.9 : -0.02;
        d->field[WATER + kind][at] = (float)(most[kind] * harness_uniform(h, low, kind == WP_VAPOUR ? 1.04 : 1));
    }
}

/* Saturation for the input alone: Bolton's fit of 1980. */
static double wet_air(double t, double pressure)
{
    const double e = 611.2 * exp(17.67 * (t - WP_T_FREEZE) / (t - 29.65));
    return WP_EPSILON * e / (pressure - e);
}

/* A standard atmosphere, a little warmer or colder from column to column; levels grow thicker with height. */
static void fill_column(harness *h, domain *d, int i, int j, double storminess_here)
{
    const double ground = harness_uniform(h, 294, 300), growth = d->growth;
    double pressure = GROUND_PRESSURE, z = 0;
    double dz = TOP * (growth - 1) / (pow(growth, d->levels) - 1);
    for (int k = 0; k < d->levels; k++, dz *= growth) {
        const size_t at = cell(d, i, j, k);
        const double t = fmax(ground - 6.5e-3 * (z + dz / 2) + harness_uniform(h, -0.3, 0.3), 215);
        pressure *= exp(-GRAVITY * dz / 2 / (WP_R_DRY * t));
        const double exner = pow(pressure / GROUND_PRESSURE, WP_R_DRY / WP_C_DRY);
        d->field[EXNER][at] = (float)exner;
        d->field[THETA][at] = (float)(t / exner);
        d->field[PRESSURE][at] = (float)pressure;
        d->field[DENSITY][at] = (float)(pressure / (WP_R_DRY * t));
        d->field[THICKNESS][at] = (float)dz;
        fill_water(h, d, at, z + dz / 2, storminess_here, wet_air(t, pressure));
        pressure *= exp(-GRAVITY * dz / 2 / (WP_R_DRY * t));
        z += dz;
    }
}

static domain make_domain(harness *h)
{
    domain d = {.columns = (int)harness_pick(h, 9, 23, 71),
                .rows = (int)harness_pick(h, 5, 22, 62),
                .levels = (int)harness_pick(h, 10, 23, WP_LEVELS),
                .steps = (int)harness_pick(h, 1, 2, 1),
                .growth = (double)harness_pick(h, 135, 110, 108) / 100};
    d.ground = (size_t)d.columns * (size_t)d.rows;
    d.cells = d.ground * (size_t)d.levels;
    for (int f = 0; f < FIELDS; f++)
        d.field[f] = harness_host(h, d.cells, sizeof *d.field[f]);
    storm s[STORMS];
    for (int n = 0; n < STORMS; n++)
        s[n] = (storm){.x = harness_uniform(h, 0, d.columns),
                       .y = harness_uniform(h, 0, d.rows),
                       .radius = harness_uniform(h, 0.1, 0.2) * (d.columns + d.rows) / 2,
                       .strength = harness_uniform(h, 0.4, 1)};
    for (int j = 0; j < d.rows; j++)
        for (int i = 0; i < d.columns; i++)
            fill_column(h, &d, i, j, storminess(s, i, j));
    return d;
}

static wp_column take_column(const domain *d, int i, int j)
{
    wp_column c = {.levels = d->levels};
    for (int k = 0; k < d->levels; k++) {
        const size_t at = cell(d, i, j, k);
        c.t[k] = (double)d->field[THETA][at] * d->field[EXNER][at];
        for (int kind = 0; kind < WP_KINDS; kind++)
            c.water[kind][k] = d->field[WATER + kind][at];
        c.density[k] = d->field[DENSITY][at];
        c.pressure[k] = d->field[PRESSURE][at];
        c.thickness[k] = d->field[THICKNESS][at];
    }
    return c;
}

/* What a column is compared by: T and water at each level, and what came to the ground. */
enum { VALUES = WP_LEVELS * (1 + WP_KINDS) + 2 };

static int values_of(const wp_column *c, double *v, double *close)
{
    int n = 0;
    for (int k = 0; k < c->levels; k++) {
        close[n] = CLOSE_T;
        v[n++] = c->t[k];
        for (int kind = 0; kind < WP_KINDS; kind++) {
            close[n] = CLOSE_WATER + RELATIVE * fabs(c->water[kind][k]);
            v[n++] = c->water[kind][k];
        }
    }
    close[n] = CLOSE_GROUND + RELATIVE * c->rain;
    v[n++] = c->rain;
    close[n] = CLOSE_GROUND + RELATIVE * c->snow;
    v[n++] = c->snow;
    return n;
}

/* Compares the device's column with its reference; returns whether it is far off. */
static bool check_column(harness *h, const domain *before, const domain *after, float *const ground[GROUNDS], int i,
                         int j)
{
    double want[VALUES], got[VALUES], close[VALUES], unused[VALUES];
    wp_column c = take_column(before, i, j);
    for (int step = 0; step < before->steps; step++)
        wp_reference(&c, SECONDS);
    const int n = values_of(&c, want, close);
    const size_t at = (size_t)j * (size_t)before->columns + (size_t)i;
    c = take_column(after, i, j);
    c.rain = ground[RAIN_SUM][at];
    c.snow = ground[SNOW_SUM][at];
    values_of(&c, got, unused);
    bool far = false;
    for (int v = 0; v < n; v++) {
        const double off = fabs(got[v] - want[v]);
        if (!(off <= FAR * close[v]))
            harness_wrong(h, "column %d, %d: value %d is %.9g, not %.9g", i, j, v, got[v], want[v]);
        far |= off > close[v];
    }
    return far;
}

/* Water of the column and on the ground is what it was, up to the rounding of some 100 additions; and what the ground
 * says of its last step fits its sums. */
static void check_laws(harness *h, const domain *before, const domain *after, float *const ground[GROUNDS], int i,
                       int j)
{
    const size_t at = (size_t)j * (size_t)before->columns + (size_t)i;
    const wp_column first = take_column(before, i, j);
    wp_column last = take_column(after, i, j);
    last.rain = ground[RAIN_SUM][at];
    const double had = wp_column_water(&first), has = wp_column_water(&last);
    if (!(fabs(has - had) <= 3e-6 * had))
        harness_wrong(h, "column %d, %d: had %.9g kg of water, has %.9g", i, j, had, has);
    const double rain = ground[RAIN_STEP][at], snow = ground[SNOW_STEP][at];
    const bool all = before->steps > 1 || (ground[RAIN_SUM][at] == ground[RAIN_STEP][at] && //
                                           ground[SNOW_SUM][at] == ground[SNOW_STEP][at]);
    if (!all || !(rain >= snow && rain <= ground[RAIN_SUM][at] && snow <= ground[SNOW_SUM][at]) ||
        !(fabs(ground[FROZEN][at] - (rain > 0 ? snow / rain : 0)) <= 1e-6))
        harness_wrong(h, "column %d, %d: the step's rain and snow do not fit their sums", i, j);
}

static void step_on_device(harness *h, domain *d, float *const ground[GROUNDS])
{
    CUdeviceptr field[FIELDS], out[GROUNDS];
    for (int f = 0; f < FIELDS; f++)
        field[f] = harness_upload(h, d->field[f], d->cells * sizeof(float));
    for (int g = 0; g < GROUNDS; g++)
        out[g] = harness_upload(h, ground[g], d->ground * sizeof(float));
    const CUfunction kernel = harness_kernel(h, "wp_step");
    const harness_dim grid = HARNESS_DIM((d->columns + WP_SIDE - 1) / WP_SIDE, (d->rows + WP_SIDE - 1) / WP_SIDE);
    float seconds = (float)SECONDS;
    for (int step = 0; step < d->steps; step++)
        HARNESS_LAUNCH(h, kernel, grid, HARNESS_DIM(WP_SIDE, WP_SIDE), 0, &field[THETA], &field[EXNER],
                       &field[WATER + WP_VAPOUR], &field[WATER + WP_CLOUD], &field[WATER + WP_ICE],
                       &field[WATER + WP_RAIN], &field[WATER + WP_SNOW], &field[DENSITY], &field[PRESSURE],
                       &field[THICKNESS], &out[RAIN_SUM], &out[RAIN_STEP], &out[SNOW_SUM], &out[SNOW_STEP],
                       &out[FROZEN], &seconds, &d->columns, &d->rows, &d->levels);
    for (int f = 0; f < EXNER; f++)
        harness_download(h, d->field[f], field[f], d->cells * sizeof(float));
    for (int g = 0; g < GROUNDS; g++)
        harness_download(h, ground[g], out[g], d->ground * sizeof(float));
}

static void run(harness *h)
{
    const domain before = make_domain(h);
    domain after = before;
    float *ground[GROUNDS];
    for (int f = 0; f < EXNER; f++) {
        after.field[f] = harness_host(h, before.cells, sizeof(float));
        memcpy(after.field[f], before.field[f], before.cells * sizeof(float));
    }
    for (int g = 0; g < GROUNDS; g++)
        ground[g] = harness_host(h, before.ground, sizeof(float));
    step_on_device(h, &after, ground);
    size_t far = 0;
    for (int j = 0; j < before.rows; j++)
        for (int i = 0; i < before.columns; i++) {
            check_laws(h, &before, &after, ground, i, j);
            far += check_column(h, &before, &after, ground, i, j);
        }
    if ((double)far > fmax(1, FAR_COLUMNS * (double)before.ground))
        harness_wrong(h, "%zu of %zu columns are far from their reference", far, before.ground);
}

HARNESS_WORKLOAD("WP", "data/workloads/weather/weather.ptx", run)
