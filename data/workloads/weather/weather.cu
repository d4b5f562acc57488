/* weather.cu - WP: how do clouds, rain and snow form, fall and melt in the columns of a weather model in a time step?
 * Bulk microphysics of five kinds of water (vapour, cloud water, cloud ice, rain, snow) as in the WSM5 scheme of
 * S.-Y. Hong, J. Dudhia and S.-H. Chen (2004), which the suite of Bakhoda et al. (2009) has as WP after J. Michalakes'
 * kernel; code of our own. physics.h cites the papers that the names in brackets mean.
 *
 * A thread a column, all levels in turn, from the ground (level 0) to the top. Fields of the model stay in global
 * memory, what a level's step needs later is in local memory. Long steps are divided into minor ones; each is:
 * saturation at the start, fall of rain and snow (with melting) in as many sub-steps as the fastest of the column
 * needs, fall of ice crystals in theirs, then the exchanges between the five kinds at every level, and last saturation
 * adjustment. */
#include "../harness/device.h"
#include "physics.h"

/* What follows from physics.h; G is the gamma function. */
#define FALL_RAIN    2502.94933f /* A G(4 + B) / 6 */
#define FALL_SNOW    20.0712893f
#define MASS_RAIN    2.51327412e10f /* pi density N0 */
#define MASS_SNOW    628318531.0f
#define EVAPORATE_1  39207076.3f /* 2 pi N0 0.78, and 2 pi N0 0.31 sqrt(A) G((5 + B) / 2) */
#define EVAPORATE_2  826199160.0f
#define SUBLIME_1    5200000.0f /* 4 N0 0.65, and 4 N0 0.44 sqrt(A) G((5 + B) / 2) */
#define SUBLIME_2    18688707.0f
#define COLLECT_RAIN 2.48313071e10f /* pi N0 A G(3 + B) / 4 */
#define COLLECT_SNOW 55474324.1f
#define CLOUD_MOST   5.02654825e-4f /* mass of droplets of WP_DROPLET_RADIUS [HDC 16] */
#define CLOUD_JOINS  6.7738954f
#define ICE_MOST     8.125e-5f     /* kg per m3 */
#define FREEZE_RAIN  1.5791367e14f /* 20 pi^2 rate N0 density [LFO 45] */
#define WATER_POWER  5.07712305f   /* exponents of the pressure of vapour over water and ice */
#define WATER_EXP    24.9041275f
#define ICE_POWER    0.562391681f
#define ICE_EXP      23.1651768f
#define PI           3.14159265f

/* A column of the model's fields: level k is at [k * stride]. Water: kg per kg of air. */
struct column {
    float *vapour, *cloud, *ice, *rain, *snow;
    const float *density, *pressure, *thickness;
    int levels, stride;
};

/* Slope of a distribution of sizes, 1 / lambda, and its powers B, 2, 3. */
struct sizes {
    float one, fall, two, three;
};

/* What a thread keeps of its column. */
struct profile {
    float t[WP_LEVELS];                               /* temperature */
    float heat[WP_LEVELS], boil[WP_LEVELS];           /* heat capacity, latent heat of vapour */
    float most_water[WP_LEVELS], most_ice[WP_LEVELS]; /* vapour at saturation over water; below freezing over ice */
    float over_water[WP_LEVELS], over_ice[WP_LEVELS]; /* humidity relative to these */
    float thin[WP_LEVELS];                            /* fall is faster in thin air: sqrt(rho0 / rho) */
    float rain_rate[WP_LEVELS], snow_rate[WP_LEVELS], ice_rate[WP_LEVELS]; /* fall speed over thickness */
    float snow_one[WP_LEVELS], snow_fall[WP_LEVELS], snow_number[WP_LEVELS];
};

struct fallen {
    float rain, snow; /* kg per m2 */
};

DEVICE float power(float x, float y)
{
    return expf(logf(x) * y);
}
DEVICE float fourth_root(float x)
{
    return sqrtf(sqrtf(x));
}

/* Vapour at saturation for a pressure of vapour: kg per kg. */
DEVICE float mixed(float vapour, float pressure)
{
    return fmaxf(WP_EPSILON * vapour / (pressure - vapour), WP_NO_WATER);
}

DEVICE float pressure_over_water(float t)
{
    const float r = WP_T_TRIPLE / t;
    return WP_P_TRIPLE * expf(logf(r) * WATER_POWER + WATER_EXP * (1.0f - r));
}

DEVICE float pressure_over_ice(float t)
{
    const float r = WP_T_TRIPLE / t;
    return WP_P_TRIPLE * expf(logf(r) * ICE_POWER + ICE_EXP * (1.0f - r));
}

DEVICE float diffusivity(float t, float pressure)
{
    return 8.794e-5f * power(t, 1.81f) / pressure;
}
DEVICE float viscosity(float t, float density)
{
    return 1.496e-6f * t * sqrtf(t) / ((t + 120.0f) * density);
}
DEVICE float conductivity(float t, float density)
{
    return 1.414e3f * viscosity(t, density) * density;
}

/* How heat and vapour hinder growth: the denominator of [HDC 9, 14]. */
DEVICE float hindrance(float latent, float pressure, float t, float density, float most)
{
    return density * latent * latent / (conductivity(t, density) * WP_R_VAPOUR * t * t) +
           1.0f / (most * diffusivity(t, pressure));
}

/* How fall helps it: Schmidt number and air's viscosity. */
DEVICE float ventilation(float pressure, float t, float density)
{
    const float v = viscosity(t, density);
    return power(v / diffusivity(t, pressure), 0.3333333f) / sqrtf(v) * fourth_root(WP_RHO_AIR / density);
}

DEVICE sizes rain_sizes(float rain, float density)
{
    sizes s;
    s.one = rain <= WP_LEAST_WATER ? WP_SLOPE_RAIN : fourth_root(rain * density / MASS_RAIN);
    s.fall = power(s.one, WP_B_RAIN);
    s.two = s.one * s.one;
    s.three = s.two * s.one;
    return s;
}

DEVICE float snow_number(float t)
{
    return fmaxf(fminf(expf(WP_N0_SNOW_COLD * (WP_T_FREEZE - t)), WP_N0_SNOW_MOST / WP_N0_SNOW), 1.0f);
}

DEVICE sizes snow_sizes(float snow, float density, float number)
{
    sizes s;
    s.one = snow <= WP_LEAST_WATER ? WP_SLOPE_SNOW : fourth_root(snow * density / (MASS_SNOW * number));
    s.fall = power(s.one, WP_B_SNOW);
    s.two = s.one * s.one;
    s.three = s.two * s.one;
    return s;
}

DEVICE float ice_number(float ice, float density)
{
    const float m = density * fmaxf(ice, WP_NO_WATER);
    return fminf(fmaxf(WP_ICE_NUMBER * fourth_root(m * m * m), WP_ICE_NUMBER_LEAST), WP_ICE_NUMBER_MOST);
}

/* Growth of all flakes per excess of humidity [HDC 14], and melting per excess of heat [LFO 32]. */
DEVICE float flakes(float one, float fall, float number, float vent)
{
    return number * (SUBLIME_1 * one * one + SUBLIME_2 * vent * one * one * sqrtf(one * fall));
}

/* Fields of the model as the dynamics left them: temperature, no water below zero. */
DEVICE void begin(const column &c, profile &a, const float *theta, const float *exner)
{
    for (int k = 0; k < c.levels; k++) {
        const int at = k * c.stride;
        a.t[k] = theta[at] * exner[at];
        if (c.cloud[at] < 0.0f)
            c.cloud[at] = 0.0f;
        if (c.ice[at] < 0.0f)
            c.ice[at] = 0.0f;
        if (c.rain[at] < 0.0f)
            c.rain[at] = 0.0f;
        if (c.snow[at] < 0.0f)
            c.snow[at] = 0.0f;
        const float vapour = fmaxf(c.vapour[at], WP_NO_WATER);
        a.heat[k] = WP_C_DRY * (1.0f - vapour) + WP_C_VAPOUR * vapour;
        a.boil[k] = WP_L_BOIL - (WP_C_WATER - WP_C_VAPOUR) * (a.t[k] - WP_T_FREEZE);
    }
}

DEVICE void saturation(const column &c, profile &a)
{
    for (int k = 0; k < c.levels; k++) {
        const int at = k * c.stride;
        const float t = a.t[k], pressure = c.pressure[at], vapour = c.vapour[at];
        const float water = pressure_over_water(t);
        a.most_water[k] = mixed(water, pressure);
        a.over_water[k] = fmaxf(vapour / a.most_water[k], WP_NO_WATER);
        a.most_ice[k] = mixed(t < WP_T_TRIPLE ? pressure_over_ice(t) : water, pressure);
        a.over_ice[k] = fmaxf(vapour / a.most_ice[k], WP_NO_WATER);
    }
}

/* Fall speeds of rain and snow; returns the number of sub-steps in which nothing falls through a whole level. */
DEVICE int fall_rates(const column &c, profile &a, float step)
{
    int steps = 1;
    for (int k = 0; k < c.levels; k++) {
        const int at = k * c.stride;
        const float density = c.density[at], thickness = c.thickness[at], thin = sqrtf(WP_RHO_AIR / density);
        const sizes rain = rain_sizes(c.rain[at], density);
        const float number = snow_number(a.t[k]);
        const sizes snow = snow_sizes(c.snow[at], density, number);
        a.thin[k] = thin;
        a.snow_number[k] = number;
        a.snow_one[k] = snow.one;
        a.snow_fall[k] = snow.fall;
        a.rain_rate[k] = FALL_RAIN * rain.fall * thin / thickness;
        a.snow_rate[k] = FALL_SNOW * snow.fall * thin / thickness;
        steps = max(steps, (int)(fmaxf(a.rain_rate[k], a.snow_rate[k]) * step + 1.0f));
    }
    return steps;
}

/* One sub-step of falling from each level to the next below, from the top down; what leaves level 0, kg per m2. */
DEVICE float fall(const column &c, float *water, const float *rate, float step)
{
    float from_above = 0.0f;
    for (int k = c.levels - 1; k >= 0; k--) {
        const int at = k * c.stride;
        const float mass = c.density[at] * c.thickness[at];
        const float leaves = rate[k] * step * water[at] * mass;
        water[at] = fmaxf(water[at] + (from_above - leaves) / mass, 0.0f);
        from_above = leaves;
    }
    return from_above;
}

/* Snow in air above freezing melts to rain and cools the air [LFO 32]. */
DEVICE void melt(const column &c, profile &a, float step)
{
    for (int k = c.levels - 1; k >= 0; k--) {
        const int at = k * c.stride;
        const float snow = c.snow[at], t = a.t[k];
        if (t > WP_T_FREEZE && snow > 0.0f) {
            const float density = c.density[at];
            const float vent = ventilation(c.pressure[at], t, density);
            const float rate = conductivity(t, density) / (WP_L_MELT * density) * (t - WP_T_FREEZE) * 0.5f * PI *
                               flakes(a.snow_one[k], a.snow_fall[k], a.snow_number[k], vent);
            const float melts = fminf(rate * step, snow);
            c.snow[at] = snow - melts;
            c.rain[at] += melts;
            a.t[k] = t - WP_L_MELT / a.heat[k] * melts;
        }
    }
}

/* Fall speed of crystals [HDC 5]; returns the number of sub-steps. */
DEVICE int ice_rates(const column &c, profile &a, float step)
{
    int steps = 1;
    for (int k = c.levels - 1; k >= 0; k--) {
        const int at = k * c.stride;
        const float ice = c.ice[at], density = c.density[at];
        if (ice <= 0.0f) {
            a.ice_rate[k] = 0.0f;
        } else {
            const float mass = density * ice / ice_number(ice, density);
            const float diameter = fmaxf(fminf(WP_ICE_DIAMETER * sqrtf(mass), WP_ICE_LARGEST), 1e-25f);
            a.ice_rate[k] = WP_ICE_FALL * power(diameter, WP_ICE_FALL_POWER) / c.thickness[at];
        }
        steps = max(steps, (int)(a.ice_rate[k] * step + 1.0f));
    }
    return steps;
}

DEVICE fallen precipitation(const column &c, profile &a, float step)
{
    fallen down = {0.0f, 0.0f};
    const int steps = fall_rates(c, a, step);
    const float part = step / (float)steps;
    for (int n = 0; n < steps; n++) {
        down.rain += fall(c, c.rain, a.rain_rate, part);
        down.snow += fall(c, c.snow, a.snow_rate, part);
        melt(c, a, part);
    }
    const int ice_steps = ice_rates(c, a, step);
    for (int n = 0; n < ice_steps; n++)
        down.snow += fall(c, c.ice, a.ice_rate, step / (float)ice_steps);
    return down;
}

/* One level in registers, between the fall and the next minor step. */
struct level {
    float t, vapour, cloud, ice, rain, snow;
    float density, pressure, heat, boil, cold; /* cold: degrees below freezing */
};

/* Rates, kg per kg and second. Those that grow and shrink are positive for growth out of vapour. */
struct rates {
    float cloud_to_rain, rain_collects, snow_collects_cloud;
    float rain_grows, ice_grows, snow_grows, ice_appears;
    float ice_to_snow, snow_collects_ice;
};

/* Changes at once: ice melts, droplets all freeze below -40 degrees, and by chance above; so do drops [LFO 45]. */
DEVICE void melt_and_freeze(level &l, float slope, float step)
{
    const float melt_heat = l.cold < 0.0f ? WP_L_MELT : WP_L_SUBLIME - l.boil;
    if (l.cold < 0.0f && l.ice > 0.0f) {
        l.cloud += l.ice;
        l.t -= melt_heat / l.heat * l.ice;
        l.ice = 0.0f;
    }
    if (l.cold > WP_ALL_FREEZES && l.cloud > 0.0f) {
        l.ice += l.cloud;
        l.t += melt_heat / l.heat * l.cloud;
        l.cloud = 0.0f;
    }
    if (l.cold > 0.0f && l.cloud > 0.0f) {
        const float chance = WP_FREEZE_RATE * (expf(WP_FREEZE_COLD * l.cold) - 1.0f);
        const float freezes =
            fminf(chance * l.density / (WP_RHO_WATER * WP_DROPLETS) * l.cloud * l.cloud * step, l.cloud);
        l.ice += freezes;
        l.cloud -= freezes;
        l.t += melt_heat / l.heat * freezes;
    }
    if (l.cold > 0.0f && l.rain > 0.0f) {
        const float three = slope * slope * slope;
        const float freezes = fminf(
            FREEZE_RAIN / l.density * (expf(WP_FREEZE_COLD * l.cold) - 1.0f) * three * three * slope * step, l.rain);
        l.snow += freezes;
        l.rain -= freezes;
        l.t += melt_heat / l.heat * freezes;
    }
}

/* A change by the vapour takes at most half of what is missing to saturation, and of what others leave of that
 * (`rest`); and not more than there is. */
DEVICE float limited(float rate, float missing, float rest, float have)
{
    if (rate < 0.0f)
        return fmaxf(fmaxf(fmaxf(rate, missing * 0.5f), fminf(rest, 0.0f)), -have);
    return fminf(fminf(rate, missing * 0.5f), fmaxf(rest, 0.0f));
}

/* Rain: droplets join [HDC 16], drops collect droplets [LFO 51], evaporate or grow [HDC 14]. */
DEVICE void warm(const level &l, const sizes &rain, float thin, float over, float most, float hinder, float vent,
                 float step, rates &r)
{
    if (l.cloud > CLOUD_MOST)
        r.cloud_to_rain = fminf(CLOUD_JOINS * power(l.cloud, 7.0f / 3.0f), l.cloud / step);
    if (l.rain > WP_LEAST_WATER && l.cloud > WP_NO_WATER)
        r.rain_collects = fminf(COLLECT_RAIN * rain.three * rain.fall * l.cloud * thin, l.cloud / step);
    if (l.rain > 0.0f) {
        const float grows = EVAPORATE_1 * rain.two + EVAPORATE_2 * vent * rain.two * sqrtf(rain.one * rain.fall);
        const float missing = (fmaxf(l.vapour, WP_NO_WATER) - most) / step;
        const float rate = (over - 1.0f) * grows / hinder;
        r.rain_grows = limited(rate, missing, missing, l.rain / step);
    }
}

/* Below freezing: crystals and flakes. */
DEVICE void cold(const level &l, const sizes &snow, float number, float thin, float over, float most, float hinder,
                 float vent, float step, rates &r)
{
    const float missing = (fmaxf(l.vapour, WP_NO_WATER) - most) / step;
    const float crystals = ice_number(l.ice, l.density);
    const float diameter = WP_ICE_DIAMETER * sqrtf(l.density * l.ice / crystals);
    bool saturated = false;
    if (l.snow > WP_LEAST_WATER && l.ice > WP_NO_WATER) { /* flakes collect crystals [HDC 10] */
        const float d = fminf(diameter, WP_ICE_LARGEST);
        const float difference = fabsf(FALL_SNOW * snow.fall * thin - WP_ICE_FALL * power(d, WP_ICE_FALL_POWER));
        const float area = 2.0f * snow.three + 2.0f * d * snow.two + d * d * snow.one;
        r.snow_collects_ice = 0.25f * PI * l.ice * expf(-0.07f * l.cold) * WP_N0_SNOW * number * difference * area;
    }
    if (l.ice > 0.0f) { /* [HDC 9] */
        const float rate = 4.0f * diameter * crystals * (over - 1.0f) / hinder;
        r.ice_grows = limited(rate, missing, missing - r.rain_grows, l.ice / step);
        saturated = fabsf(r.rain_grows + r.ice_grows) >= fabsf(missing);
    }
    if (l.snow > 0.0f && !saturated) { /* [HDC 14] */
        const float rate = (over - 1.0f) * flakes(snow.one, snow.fall, number, vent) / hinder;
        r.snow_grows = limited(rate, missing, missing - r.rain_grows - r.ice_grows, l.snow / step);
        saturated = fabsf(r.rain_grows + r.ice_grows + r.snow_grows) >= fabsf(missing);
    }
    if (missing > 0.0f && !saturated) { /* new crystals [HDC 7, 8] */
        const float rest = fmaxf(missing - r.rain_grows - r.ice_grows - r.snow_grows, 0.0f);
        const float nuclei = 4.92e-11f * power(1e3f * expf(0.1f * l.cold), 1.33f);
        r.ice_appears = fminf(fminf(fmaxf(0.0f, (nuclei / l.density - l.ice) / step), missing), rest);
    }
    if (l.ice > 0.0f) /* large ones are snow [HDC 12] */
        r.ice_to_snow = fmaxf(0.0f, (l.ice - ICE_MOST / l.density) / step);
}

/* What the rates would take may be more than there is of droplets and of crystals: they then share it. */
DEVICE void share(const level &l, float step, rates &r)
{
    const float cloud = (r.cloud_to_rain + r.rain_collects + r.snow_collects_cloud) * step;
    if (cloud > l.cloud) {
        const float part = l.cloud / cloud;
        r.cloud_to_rain *= part;
        r.rain_collects *= part;
        r.snow_collects_cloud *= part;
    }
    const float shrinks = fminf(r.ice_grows, 0.0f);
    const float ice = (r.ice_to_snow + r.snow_collects_ice - shrinks) * step;
    const float have = l.ice + (r.ice_grows - shrinks + r.ice_appears) * step;
    if (ice > have) {
        const float part = have / ice;
        r.ice_to_snow *= part;
        r.snow_collects_ice *= part;
        r.ice_grows += shrinks * (part - 1.0f);
    }
}

DEVICE void exchange(level &l, float step, const rates &r)
{
    const bool freezing = l.t <= WP_T_FREEZE;
    const float to_rain = r.cloud_to_rain + r.rain_collects;
    const float solid = r.ice_grows + r.snow_grows + r.ice_appears;
    const float aggregates = r.ice_to_snow + r.snow_collects_ice;
    const float on_snow = freezing ? r.snow_collects_cloud : 0.0f;
    const float off_snow = freezing ? 0.0f : r.snow_collects_cloud;
    l.vapour -= (r.rain_grows + solid) * step;
    l.cloud = fmaxf(l.cloud - (to_rain + r.snow_collects_cloud) * step, 0.0f);
    l.rain = fmaxf(l.rain + (to_rain + off_snow + r.rain_grows) * step, 0.0f);
    l.ice = fmaxf(l.ice + (r.ice_grows + r.ice_appears - aggregates) * step, 0.0f);
    l.snow = fmaxf(l.snow + (r.snow_grows + aggregates + on_snow) * step, 0.0f);
    l.t += (WP_L_SUBLIME * solid + l.boil * r.rain_grows + (WP_L_SUBLIME - l.boil) * on_snow) / l.heat * step;
}

/* Droplets condense until the air is saturated, or evaporate until it is or none are left: one step of Newton. */
DEVICE void adjust(level &l)
{
    const float most = mixed(pressure_over_water(l.t), l.pressure);
    const float slope = l.boil * l.boil / (WP_R_VAPOUR * l.heat) * most / (l.t * l.t);
    const float excess = (fmaxf(l.vapour, WP_NO_WATER) - most) / (1.0f + slope);
    float condenses = fminf(fmaxf(excess, 0.0f), fmaxf(l.vapour, 0.0f));
    if (l.cloud > 0.0f && excess < 0.0f)
        condenses = fmaxf(excess, -l.cloud);
    l.vapour -= condenses;
    l.cloud = fmaxf(l.cloud + condenses, 0.0f);
    l.t += condenses * l.boil / l.heat;
    if (l.cloud <= WP_NO_WATER)
        l.cloud = 0.0f;
    if (l.ice <= WP_NO_WATER)
        l.ice = 0.0f;
}

/* All exchanges of level k. */
DEVICE void processes(const column &c, profile &a, int k, float step)
{
    const int at = k * c.stride;
    level l = {a.t[k],        c.vapour[at],   c.cloud[at], c.ice[at], c.rain[at],          c.snow[at],
               c.density[at], c.pressure[at], a.heat[k],   a.boil[k], WP_T_FREEZE - a.t[k]};
    rates r = {};
    melt_and_freeze(l, rain_sizes(l.rain, l.density).one, step);
    const sizes rain = rain_sizes(l.rain, l.density);
    const float number = snow_number(a.t[k]), thin = a.thin[k];
    const sizes snow = snow_sizes(l.snow, l.density, number);
    const float vent = ventilation(l.pressure, l.t, l.density);
    const float hinder_water = hindrance(l.boil, l.pressure, l.t, l.density, a.most_water[k]);
    const float hinder_ice = hindrance(WP_L_SUBLIME, l.pressure, l.t, l.density, a.most_ice[k]);

    warm(l, rain, thin, a.over_water[k], a.most_water[k], hinder_water, vent, step, r);
    if (l.snow > WP_LEAST_WATER && l.cloud > WP_NO_WATER) /* [LFO 24]: freezes on, or is shed above freezing */
        r.snow_collects_cloud = fminf(COLLECT_SNOW * number * snow.three * snow.fall * l.cloud * thin, l.cloud / step);
    if (l.cold > 0.0f)
        cold(l, snow, number, thin, a.over_ice[k], a.most_ice[k], hinder_ice, vent, step, r);
    else if (l.snow > 0.0f && a.over_water[k] < 1.0f) { /* melting snow evaporates [LFO 35] */
        const float rate = (a.over_water[k] - 1.0f) * flakes(snow.one, snow.fall, number, vent) / hinder_water;
        r.snow_grows = fmaxf(rate, -l.snow / step);
    }
    share(l, step, r);
    exchange(l, step, r);
    adjust(l);

    a.t[k] = l.t;
    c.vapour[at] = l.vapour;
    c.cloud[at] = l.cloud;
    c.ice[at] = l.ice;
    c.rain[at] = l.rain;
    c.snow[at] = l.snow;
}

/* Fields are [south to north][levels][west to east]. rain_sum and snow_sum: kg per m2 at the ground since the start, of
 * all and of frozen; rain_step and snow_step: of this step; frozen: the ratio of these. */
KERNEL __launch_bounds__(WP_SIDE *WP_SIDE)
    wp_step(float *__restrict__ theta, const float *__restrict__ exner, float *__restrict__ vapour,
            float *__restrict__ cloud, float *__restrict__ ice, float *__restrict__ rain, float *__restrict__ snow,
            const float *__restrict__ density, const float *__restrict__ pressure, const float *__restrict__ thickness,
            float *__restrict__ rain_sum, float *__restrict__ rain_step, float *__restrict__ snow_sum,
            float *__restrict__ snow_step, float *__restrict__ frozen, float step, int columns, int rows, int levels)
{
    const int i = (int)(blockIdx.x * WP_SIDE + threadIdx.x), j = (int)(blockIdx.y * WP_SIDE + threadIdx.y);
    if (i >= columns || j >= rows)
        return;
    const int first = j * levels * columns + i, at = j * columns + i;
    const column c = {vapour + first,  cloud + first,    ice + first,       rain + first, snow + first,
                      density + first, pressure + first, thickness + first, levels,       columns};
    profile a;
    begin(c, a, theta + first, exner + first);

    const int minor = max((int)(step / WP_LONGEST_STEP + 0.5f), 1);
    const float part = step / (float)minor;
    fallen sum = {0.0f, 0.0f};
    for (int n = 0; n < minor; n++) {
        saturation(c, a);
        const fallen down = precipitation(c, a, part);
        sum.rain += down.rain;
        sum.snow += down.snow;
        for (int k = 0; k < levels; k++)
            processes(c, a, k, part);
    }
    for (int k = 0; k < levels; k++)
        theta[first + k * columns] = a.t[k] / exner[first + k * columns];
    const float all = sum.rain + sum.snow;
    rain_sum[at] += all;
    rain_step[at] = all;
    snow_sum[at] += sum.snow;
    snow_step[at] = sum.snow;
    frozen[at] = all > 0.0f ? sum.snow / all : 0.0f;
}
