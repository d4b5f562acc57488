/* weather_reference.c - WP: what do rain, snow and clouds of one column do? The scheme of weather.cu in double
 * precision, told in another way: every process is a transfer of water from one kind to another, which pays or takes
 * its heat, so that water is conserved by construction. Coefficients come from their definitions, as integrals over the
 * sizes. */
#include "weather_reference.h"

#include <math.h>
#include <stdbool.h>

/* Heat capacities and latent heats are those of the start of the step. */
typedef struct work {
    wp_column *c;
    double step; /* minor step, s */
    double heat[WP_LEVELS], boil[WP_LEVELS];
    double most[2][WP_LEVELS], over[2][WP_LEVELS]; /* saturation over water and ice, and humidity by it */
    double number[WP_LEVELS], size[WP_LEVELS];     /* of flakes, before they fall */
} work;

/* A level during the exchanges: rates by where they lead from and to, kg per kg and second. */
typedef struct state {
    work *w;
    int k;
    double cold; /* degrees below freezing at the start */
    double density, thin, vent;
    double hinder[2], missing[2];
    double rain_size, snow_size, number;
    double rate[WP_KINDS][WP_KINDS];
} state;

/* Heat that a kind has taken up since it was vapour, with the sign turned: what its condensation gave. */
static double latent(const work *w, int k, int kind)
{
    static const int phase[WP_KINDS] = {[WP_CLOUD] = 1, [WP_RAIN] = 1, [WP_ICE] = 2, [WP_SNOW] = 2};
    return phase[kind] == 0 ? 0 : phase[kind] == 1 ? w->boil[k] : (double)WP_L_SUBLIME;
}

static void move(work *w, int k, int from, int to, double amount, double heat)
{
    w->c->water[from][k] -= amount;
    w->c->water[to][k] += amount;
    w->c->t[k] += heat * amount / w->heat[k];
}

static void transfer(work *w, int k, int from, int to, double amount)
{
    move(w, k, from, to, amount, latent(w, k, to) - latent(w, k, from));
}

/* Clausius and Clapeyron with heat capacities that do not change: pressure of vapour over water (0) or ice (1). */
static double saturation_pressure(double t, int ice)
{
    const double x = ((ice ? WP_C_ICE : WP_C_WATER) - (double)WP_C_VAPOUR) / WP_R_VAPOUR;
    const double y = (ice ? WP_L_SUBLIME : WP_L_BOIL) / ((double)WP_R_VAPOUR * WP_T_TRIPLE);
    return WP_P_TRIPLE * pow(WP_T_TRIPLE / t, x) * exp((x + y) * (1 - WP_T_TRIPLE / t));
}

static double saturated(double t, double pressure, int ice)
{
    const double e = saturation_pressure(t, ice);
    return fmax(WP_EPSILON * e / (pressure - e), WP_NO_WATER);
}

static double viscosity(double t, double density)
{
    return 1.496e-6 * pow(t, 1.5) / (t + 120) / density;
}

static double diffusivity(double t, double pressure)
{
    return 8.794e-5 * pow(t, 1.81) / pressure;
}

static double conductivity(double t, double density)
{
    return 1.414e3 * viscosity(t, density) * density;
}

static double ventilation(double t, double pressure, double density)
{
    const double v = viscosity(t, density);
    return cbrt(v / diffusivity(t, pressure)) * pow(v, -0.5) * pow(WP_RHO_AIR / density, 0.25);
}

static double hindrance(double heat, double t, double pressure, double density, double most)
{
    return density * heat * heat / (conductivity(t, density) * WP_R_VAPOUR * t * t) +
           1 / (most * diffusivity(t, pressure));
}

/* 1 / lambda: mass is pi density N0 / lambda^4. */
static double rain_size(double rain, double density)
{
    return rain <= WP_LEAST_WATER ? WP_SLOPE_RAIN : pow(rain * density / (M_PI * WP_RHO_WATER * WP_N0_RAIN), 0.25);
}

static double snow_size(double snow, double density, double number)
{
    return snow <= WP_LEAST_WATER ? WP_SLOPE_SNOW
                                  : pow(snow * density / (M_PI * WP_RHO_SNOW * WP_N0_SNOW * number), 0.25);
}

static double snow_number(double t)
{
    return fmin(exp(fmax(WP_N0_SNOW_COLD * (WP_T_FREEZE - t), 0)), WP_N0_SNOW_MOST / WP_N0_SNOW);
}

/* Mean fall speed, weighted by mass: A / lambda^B G(4 + B) / G(4). */
static double fall_speed(double a, double b, double size, double density)
{
    return a * pow(size, b) * tgamma(4 + b) / 6 * sqrt(WP_RHO_AIR / density);
}

static double crystals(double ice, double density)
{
    return fmin(fmax(WP_ICE_NUMBER * pow(density * fmax(ice, WP_NO_WATER), 0.75), WP_ICE_NUMBER_LEAST),
                WP_ICE_NUMBER_MOST);
}

static double crystal_speed(double diameter)
{
    return WP_ICE_FALL * pow(diameter, WP_ICE_FALL_POWER);
}

/* Growth of a distribution of sizes by diffusion with ventilation: the integral of
 * N0 D (f1 + f2 Re^1/2 Sc^1/3) exp(-lambda D). */
static double diffusion(double n0, double f1, double f2, double a, double b, double size, double vent)
{
    return n0 * (f1 * pow(size, 2) + f2 * vent * sqrt(a) * tgamma((5 + b) / 2) * pow(size, (5 + b) / 2));
}

static double flake_growth(double number, double size, double vent)
{
    return 4 * diffusion(WP_N0_SNOW * number, 0.65, 0.44, WP_A_SNOW, WP_B_SNOW, size, vent);
}

/* Volume swept a second by all drops or flakes: integral of pi / 4 D^2 A D^B N0 exp(-lambda D). */
static double swept(double n0, double a, double b, double size)
{
    return M_PI / 4 * n0 * a * tgamma(3 + b) * pow(size, 3 + b);
}

/* Speed of each level over its thickness in *rate; returns how many sub-steps keep that below 1. */
static int sub_steps(const wp_column *c, double step, const double *speed, double *rate)
{
    int steps = 1;
    for (int k = 0; k < c->levels; k++) {
        rate[k] = speed[k] / c->thickness[k];
        const int need = (int)(rate[k] * step + 1);
        steps = need > steps ? need : steps;
    }
    return steps;
}

/* Levels give what falls to the one below, all at the same time; returns what comes to the ground. */
static double fall(wp_column *c, int kind, const double *rate, double step)
{
    double *q = c->water[kind], flux[WP_LEVELS + 1] = {0};
    for (int k = 0; k < c->levels; k++)
        flux[k] = rate[k] * step * q[k] * c->density[k] * c->thickness[k];
    for (int k = 0; k < c->levels; k++)
        q[k] += (flux[k + 1] - flux[k]) / (c->density[k] * c->thickness[k]);
    return flux[0];
}

static void melt_snow(work *w, double step)
{
    const wp_column *c = w->c;
    for (int k = 0; k < c->levels; k++) {
        const double warm = c->t[k] - WP_T_FREEZE, snow = c->water[WP_SNOW][k], density = c->density[k];
        if (warm <= 0 || snow <= 0)
            continue;
        const double vent = ventilation(c->t[k], c->pressure[k], density);
        const double rate = M_PI / 2 * conductivity(c->t[k], density) * warm / (WP_L_MELT * density) *
                            flake_growth(w->number[k], w->size[k], vent);
        move(w, k, WP_SNOW, WP_RAIN, fmin(rate * step, snow), -WP_L_MELT);
    }
}

static void precipitation(work *w)
{
    wp_column *c = w->c;
    double rain[WP_LEVELS], snow[WP_LEVELS], ice[WP_LEVELS];
    for (int k = 0; k < c->levels; k++) {
        const double density = c->density[k];
        w->number[k] = snow_number(c->t[k]);
        w->size[k] = snow_size(c->water[WP_SNOW][k], density, w->number[k]);
        rain[k] = fall_speed(WP_A_RAIN, WP_B_RAIN, rain_size(c->water[WP_RAIN][k], density), density);
        snow[k] = fall_speed(WP_A_SNOW, WP_B_SNOW, w->size[k], density);
    }
    const int for_rain = sub_steps(c, w->step, rain, rain), for_snow = sub_steps(c, w->step, snow, snow);
    const int steps = for_rain > for_snow ? for_rain : for_snow;
    for (int n = 0; n < steps; n++) {
        const double solid = fall(c, WP_SNOW, snow, w->step / steps);
        c->rain += solid + fall(c, WP_RAIN, rain, w->step / steps);
        c->snow += solid;
        melt_snow(w, w->step / steps);
    }
    for (int k = 0; k < c->levels; k++) {
        const double q = c->water[WP_ICE][k], mass = c->density[k] * q / crystals(q, c->density[k]);
        ice[k] = q <= 0 ? 0 : crystal_speed(fmax(fmin(WP_ICE_DIAMETER * sqrt(mass), WP_ICE_LARGEST), 1e-25));
    }
    const int ice_steps = sub_steps(c, w->step, ice, ice);
    for (int n = 0; n < ice_steps; n++) {
        const double solid = fall(c, WP_ICE, ice, w->step / ice_steps);
        c->rain += solid;
        c->snow += solid;
    }
}

/* Changes of phase that happen at once. */
static void melt_and_freeze(work *w, int k)
{
    double(*const q)[WP_LEVELS] = w->c->water;
    const double cold = WP_T_FREEZE - w->c->t[k], density = w->c->density[k];
    const double drop = rain_size(q[WP_RAIN][k], density);
    const double chance = WP_FREEZE_RATE * expm1(WP_FREEZE_COLD * cold);
    if (cold < 0)
        move(w, k, WP_ICE, WP_CLOUD, q[WP_ICE][k], -WP_L_MELT);
    if (cold > WP_ALL_FREEZES)
        transfer(w, k, WP_CLOUD, WP_ICE, q[WP_CLOUD][k]);
    if (cold > 0) {
        const double droplets = q[WP_CLOUD][k];
        transfer(w, k, WP_CLOUD, WP_ICE,
                 fmin(chance * density / (WP_RHO_WATER * WP_DROPLETS) * droplets * droplets * w->step, droplets));
        const double drops = 20 * M_PI * M_PI * chance * WP_N0_RAIN * WP_RHO_WATER / density * pow(drop, 7);
        transfer(w, k, WP_RAIN, WP_SNOW, fmin(drops * w->step, q[WP_RAIN][k]));
    }
}

static double between(double low, double x, double high)
{
    return fmin(fmax(x, low), high);
}

/* Net exchange with the vapour: the rate, up to half of what saturation lacks and to what others leave of that. */
static double vapour_rate(double rate, double missing, double used, double have)
{
    const double half = missing / 2, rest = missing - used;
    return rate < 0 ? between(fmax(-have, fmax(half, fmin(rest, 0))), rate, 0) : fmin(rate, fmin(half, fmax(rest, 0)));
}

static void set_vapour(state *s, int kind, double rate)
{
    s->rate[rate > 0 ? WP_VAPOUR : kind][rate > 0 ? kind : WP_VAPOUR] += fabs(rate);
}

static double q_of(const state *s, int kind)
{
    return s->w->c->water[kind][s->k];
}

/* Kessler's processes; returns the rate of vapour to rain. */
static double warm_rain(state *s)
{
    const double cloud = q_of(s, WP_CLOUD), rain = q_of(s, WP_RAIN), over = s->w->over[0][s->k];
    const double most_cloud = 4 * M_PI / 3 * WP_RHO_WATER * pow(WP_DROPLET_RADIUS, 3) * WP_DROPLETS / WP_RHO_AIR;
    if (cloud > most_cloud) {
        const double joins = 0.104 * WP_GRAVITY * WP_JOIN / (WP_VISCOSITY * cbrt(WP_DROPLETS * (double)WP_RHO_WATER)) *
                             pow(WP_RHO_AIR, 4.0 / 3) * pow(cloud, 7.0 / 3);
        s->rate[WP_CLOUD][WP_RAIN] += fmin(joins, cloud / s->w->step);
    }
    if (cloud > WP_NO_WATER && rain > WP_LEAST_WATER) {
        const double collects = swept(WP_N0_RAIN, WP_A_RAIN, WP_B_RAIN, s->rain_size) * s->thin * cloud;
        s->rate[WP_CLOUD][WP_RAIN] += fmin(collects, cloud / s->w->step);
    }
    if (rain <= 0)
        return 0;
    const double growth =
        2 * M_PI * diffusion(WP_N0_RAIN, 0.78, 0.31, WP_A_RAIN, WP_B_RAIN, s->rain_size, s->vent) / s->hinder[0];
    const double rate = vapour_rate((over - 1) * growth, s->missing[0], 0, rain / s->w->step);
    set_vapour(s, WP_RAIN, rate);
    return rate;
}

/* The flakes' meeting with droplets; above freezing these become rain. */
static void snow_and_cloud(state *s)
{
    const double cloud = q_of(s, WP_CLOUD);
    if (cloud <= WP_NO_WATER || q_of(s, WP_SNOW) <= WP_LEAST_WATER)
        return;
    const double collects = swept(WP_N0_SNOW * s->number, WP_A_SNOW, WP_B_SNOW, s->snow_size) * s->thin * cloud;
    s->rate[WP_CLOUD][s->w->c->t[s->k] <= WP_T_FREEZE ? WP_SNOW : WP_RAIN] += fmin(collects, cloud / s->w->step);
}

static void crystals_and_snow(state *s, double diameter)
{
    const double ice = q_of(s, WP_ICE), size = s->snow_size, d = fmin(diameter, WP_ICE_LARGEST);
    if (q_of(s, WP_SNOW) > WP_LEAST_WATER && ice > WP_NO_WATER) {
        const double speed = fabs(fall_speed(WP_A_SNOW, WP_B_SNOW, size, s->density) - crystal_speed(d));
        const double area = 2 * pow(size, 3) + 2 * d * pow(size, 2) + d * d * size;
        s->rate[WP_ICE][WP_SNOW] += M_PI / 4 * ice * exp(-0.07 * s->cold) * WP_N0_SNOW * s->number * speed * area;
    }
    if (ice > 0)
        s->rate[WP_ICE][WP_SNOW] += fmax(0, (ice - WP_ICE_MASS * pow(WP_ICE_LARGEST, 8) / s->density) / s->w->step);
}

/* Crystals first, then flakes, then new crystals share what saturation over ice lacks. */
static void deposition(state *s, double used, double diameter)
{
    const double ice = q_of(s, WP_ICE), snow = q_of(s, WP_SNOW), missing = s->missing[1];
    const double excess = (s->w->over[1][s->k] - 1) / s->hinder[1];
    bool full = false;
    if (ice > 0) {
        const double rate =
            vapour_rate(4 * diameter * crystals(ice, s->density) * excess, missing, used, ice / s->w->step);
        set_vapour(s, WP_ICE, rate);
        used += rate;
        full = fabs(used) >= fabs(missing);
    }
    if (snow > 0 && !full) {
        const double rate =
            vapour_rate(flake_growth(s->number, s->snow_size, s->vent) * excess, missing, used, snow / s->w->step);
        set_vapour(s, WP_SNOW, rate);
        used += rate;
        full = fabs(used) >= fabs(missing);
    }
    if (missing > 0 && !full) {
        const double nuclei = 4.92e-11 * pow(1e3 * exp(0.1 * s->cold), 1.33) / s->density;
        const double rate = fmax(0, (nuclei - ice) / s->w->step);
        set_vapour(s, WP_ICE, fmin(fmin(rate, missing), fmax(missing - used, 0)));
    }
}

static void melting_evaporates(state *s)
{
    const double snow = q_of(s, WP_SNOW), over = s->w->over[0][s->k];
    if (snow > 0 && over < 1)
        set_vapour(
            s, WP_SNOW,
            fmax((over - 1) * flake_growth(s->number, s->snow_size, s->vent) / s->hinder[0], -snow / s->w->step));
}

/* What leaves a kind may not be more than it has; for crystals, with what comes to them. */
static void share(state *s, int kind, bool with_gain)
{
    double out = 0, have = q_of(s, kind) / s->w->step;
    for (int to = 0; to < WP_KINDS; to++) {
        out += s->rate[kind][to];
        have += with_gain ? s->rate[to][kind] : 0;
    }
    for (int to = 0; out > have && to < WP_KINDS; to++)
        s->rate[kind][to] *= have / out;
}

/* Condensation or evaporation of droplets to saturation, one step of Newton. */
static void adjust(work *w, int k)
{
    wp_column *c = w->c;
    const double t = c->t[k], vapour = c->water[WP_VAPOUR][k], cloud = c->water[WP_CLOUD][k];
    const double most = saturated(t, c->pressure[k], 0);
    const double by_heat = most * w->boil[k] * w->boil[k] / (WP_R_VAPOUR * w->heat[k] * t * t);
    const double excess = (fmax(vapour, WP_NO_WATER) - most) / (1 + by_heat);
    transfer(w, k, WP_VAPOUR, WP_CLOUD, excess > 0 ? fmin(excess, fmax(vapour, 0)) : fmax(excess, -cloud));
}

static void exchanges(work *w, int k)
{
    wp_column *c = w->c;
    state s = {.w = w, .k = k, .cold = WP_T_FREEZE - c->t[k], .density = c->density[k]};
    s.number = snow_number(c->t[k]);
    melt_and_freeze(w, k);

    const double t = c->t[k];
    s.thin = sqrt(WP_RHO_AIR / s.density);
    s.vent = ventilation(t, c->pressure[k], s.density);
    s.rain_size = rain_size(q_of(&s, WP_RAIN), s.density);
    s.snow_size = snow_size(q_of(&s, WP_SNOW), s.density, s.number);
    const double heats[2] = {w->boil[k], WP_L_SUBLIME};
    for (int i = 0; i < 2; i++) {
        s.hinder[i] = hindrance(heats[i], t, c->pressure[k], s.density, w->most[i][k]);
        s.missing[i] = (fmax(q_of(&s, WP_VAPOUR), WP_NO_WATER) - w->most[i][k]) / w->step;
    }
    const double ice = q_of(&s, WP_ICE);
    const double diameter = WP_ICE_DIAMETER * sqrt(s.density * ice / crystals(ice, s.density));

    const double used = warm_rain(&s);
    snow_and_cloud(&s);
    if (s.cold > 0) {
        crystals_and_snow(&s, diameter);
        deposition(&s, used, diameter);
    } else {
        melting_evaporates(&s);
    }
    share(&s, WP_CLOUD, false);
    share(&s, WP_ICE, true);
    for (int from = 0; from < WP_KINDS; from++)
        for (int to = 0; to < WP_KINDS; to++)
            transfer(w, k, from, to, s.rate[from][to] * w->step);
    adjust(w, k);
    for (int kind = WP_CLOUD; kind < WP_KINDS; kind++) /* what rounding left */
        if (c->water[kind][k] <= (kind == WP_CLOUD || kind == WP_ICE ? WP_NO_WATER : 0))
            c->water[kind][k] = 0;
}

void wp_reference(wp_column *c, double seconds)
{
    work w = {.c = c};
    for (int k = 0; k < c->levels; k++) {
        for (int kind = WP_CLOUD; kind < WP_KINDS; kind++)
            c->water[kind][k] = fmax(c->water[kind][k], 0);
        const double vapour = fmax(c->water[WP_VAPOUR][k], WP_NO_WATER);
        w.heat[k] = WP_C_DRY + (WP_C_VAPOUR - WP_C_DRY) * vapour;
        w.boil[k] = WP_L_BOIL - (WP_C_WATER - WP_C_VAPOUR) * (c->t[k] - WP_T_FREEZE);
    }
    const int minor = (int)fmax(seconds / WP_LONGEST_STEP + 0.5, 1);
    w.step = seconds / minor;
    for (int n = 0; n < minor; n++) {
        for (int k = 0; k < c->levels; k++)
            for (int i = 0; i < 2; i++) {
                w.most[i][k] = saturated(c->t[k], c->pressure[k], i && c->t[k] < WP_T_TRIPLE);
                w.over[i][k] = fmax(c->water[WP_VAPOUR][k] / w.most[i][k], WP_NO_WATER);
            }
        precipitation(&w);
        for (int k = 0; k < c->levels; k++)
            exchanges(&w, k);
    }
}

double wp_column_water(const wp_column *c)
{
    double sum = c->rain;
    for (int k = 0; k < c->levels; k++)
        for (int kind = 0; kind < WP_KINDS; kind++)
            sum += fmax(c->water[kind][k], 0) * c->density[k] * c->thickness[k];
    return sum;
}
