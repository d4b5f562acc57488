/* supply.c - what power does a plant of panels and turbines give, second by second, on days that a seed has drawn?
 *
 * Sun: the elevation gives a clear sky's irradiance; a correlated normal process decides how much clouds leave of it.
 * Wind: such a process, mapped to Weibull speeds, goes through the turbine's curve. The two are added, slow periods,
 * the peak hours and surges laid over them, and the sum is stretched to the mean and deviation of the class. */
#include "model/control/supply_internal.h"

#include "base/mix.h"
#include "base/status.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE = 4096, INNER_S = 60, SQUARINGS = 8 };
#define TABLE_SPAN    8.0 /* deviations of a normal number that a table covers on each side */
#define DAY_S         86400.0
#define STANDARD_W_M2 1000.0 /* irradiance at which panels give their installed power (IEC 60904-3) */

/* Streams of random numbers, one a process, so that a change of one leaves the others as they are. */
enum { SUN_STREAM = 1, WIND_STREAM, SLOW_STREAM, SURGE_STREAM };

static gsl_rng *open_stream(uint64_t seed, uint64_t stream)
{
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (rng)
        gsl_rng_set(rng, (unsigned long)(ws_mix(ws_mix(seed) + stream * WS_MIX_STEP) >> 32 | 1));
    return rng;
}

/* Exact steps of two Ornstein-Uhlenbeck processes; Gillespie, Exact numerical simulation of the Ornstein-Uhlenbeck
 * process and its integral (1996), equation 1.9. */
typedef struct normal {
    gsl_rng *rng;
    double slow, quick, slow_decay, quick_decay, slow_kick, quick_kick;
} normal;

static bool open_normal(normal *n, uint64_t seed, uint64_t stream, double step_s, double slow_s, double quick_s,
                        double quick_share)
{
    n->rng = open_stream(seed, stream);
    if (!n->rng)
        return false;
    n->slow_decay = exp(-step_s / slow_s);
    n->quick_decay = exp(-step_s / quick_s);
    n->slow_kick = sqrt((1 - quick_share) * -expm1(-2 * step_s / slow_s));
    n->quick_kick = sqrt(quick_share * -expm1(-2 * step_s / quick_s));
    n->slow = sqrt(1 - quick_share) * gsl_ran_gaussian_ziggurat(n->rng, 1);
    n->quick = sqrt(quick_share) * gsl_ran_gaussian_ziggurat(n->rng, 1);
    return true;
}

static double next_normal(normal *n)
{
    const double now = n->slow + n->quick;
    n->slow = n->slow * n->slow_decay + n->slow_kick * gsl_ran_gaussian_ziggurat(n->rng, 1);
    n->quick = n->quick * n->quick_decay + n->quick_kick * gsl_ran_gaussian_ziggurat(n->rng, 1);
    return now;
}

int ws_supply_normal_process(uint64_t seed, double step_s, double slow_s, double quick_s, double quick_share,
                             double *value, size_t count)
{
    normal n;
    if (!open_normal(&n, seed, WIND_STREAM, step_s, slow_s, quick_s, quick_share))
        return ws_fail(WS_EMEM, "no memory for random numbers");
    for (size_t i = 0; i < count; i++)
        value[i] = next_normal(&n);
    gsl_rng_free(n.rng);
    return WS_OK;
}

double ws_supply_weibull_speed(double z, double shape, double scale)
{
    const double exponential = z < 0 ? -log1p(-gsl_cdf_ugaussian_P(z)) : -log(gsl_cdf_ugaussian_Q(z));
    return scale * pow(exponential, 1 / shape);
}

/* Power grows as the cube of the speed up to the rated speed: Burton, Sharpe, Jenkins, Bossanyi, Wind Energy Handbook
 * (2001), chapter 3; with the constant that makes it start from 0 at cut-in. */
double ws_supply_turbine(double speed, double cut_in, double rated, double cut_out)
{
    if (!(speed > cut_in) || speed >= cut_out)
        return 0;
    const double low = cut_in * cut_in * cut_in;
    return speed >= rated ? 1 : (speed * speed * speed - low) / (rated * rated * rated - low);
}

/* Declination: Cooper, The absorption of radiation in solar stills (1969). Irradiance: Haurwitz, Insolation in relation
 * to cloudiness and cloud density (1945), in the form of Reno, Hansen, Stein, Global Horizontal Irradiance Clear Sky
 * Models (2012); its two constants are the class's. */
double ws_supply_clear_sky(const ws_supply_class *type, double day, double hour)
{
    const double radian = M_PI / 180, latitude = type->latitude_deg * radian;
    const double declination = 23.45 * radian * sin(2 * M_PI * (284 + day) / 365);
    const double turn = (hour - 12) * 15 * radian;
    const double height = sin(latitude) * sin(declination) + cos(latitude) * cos(declination) * cos(turn);
    return height > 0 ? type->clear_sky_w_m2 * height * exp(-type->extinction / height) : 0;
}

/* Clouds come and go as the process crosses the quantile of their cover; the index has two humps, as measured:
 * Suehrcke, McCormick, The frequency distribution of instantaneous insolation values (1988). */
double ws_supply_cloud_index(const ws_supply_class *type, double z)
{
    const double clear = gsl_cdf_ugaussian_P((z - gsl_cdf_ugaussian_Pinv(type->cover)) / type->edge);
    return type->cloudy_index + (type->clear_index - type->cloudy_index) * clear;
}

/* Slow periods or surges: they begin and end by chance, and ramp up and down in a tenth of their mean length. */
typedef struct event {
    gsl_rng *rng;
    double step_s, gap_s, length_s, height, ramp; /* means; ramp: part of the way that is gone in a step */
    double left_s, target, level;                 /* until it begins (target 0) or ends */
    bool random_height;
} event;

static bool open_event(event *e, uint64_t seed, uint64_t stream, double step_s, double per_day, double length_s)
{
    *e = (event){.step_s = step_s, .length_s = length_s};
    if (per_day <= 0)
        return true;
    e->rng = open_stream(seed, stream);
    e->gap_s = DAY_S / per_day;
    e->ramp = -expm1(-step_s / (length_s / 10));
    e->left_s = e->rng ? gsl_ran_exponential(e->rng, e->gap_s) : 0;
    return e->rng;
}

static double next_event(event *e)
{
    if (!e->rng)
        return 0;
    e->level += e->ramp * (e->target - e->level);
    e->left_s -= e->step_s;
    if (e->left_s > 0)
        return e->level;
    const bool begins = e->target == 0;
    e->target = !begins ? 0 : e->random_height ? gsl_ran_exponential(e->rng, e->height) : e->height;
    e->left_s = gsl_ran_exponential(e->rng, begins ? e->length_s : e->gap_s);
    return e->level;
}

enum { DAY_MINUTES = 1440 };

/* One realisation of a class. */
typedef struct plant {
    const ws_supply_class *type;
    normal sky, wind;
    event slow, surge;
    double index[TABLE + 1], output[TABLE + 1];         /* over normal numbers -TABLE_SPAN..TABLE_SPAN */
    double sun[DAY_MINUTES + 1], peak[DAY_MINUTES + 1]; /* over the minutes of the day */
    double step_s, now_s;
    size_t day; /* that `sun` is of; 0 is none */
} plant;

static double look_up(const double *table, size_t last, double place)
{
    if (place <= 0)
        return table[0];
    if (place >= (double)last)
        return table[last];
    const size_t at = (size_t)place;
    return table[at] + (place - (double)at) * (table[at + 1] - table[at]);
}

static double look_up_normal(const double *table, double z)
{
    return look_up(table, TABLE, (z + TABLE_SPAN) * (TABLE / (2 * TABLE_SPAN)));
}

static void fill_tables(plant *p)
{
    const ws_supply_class *const t = p->type;
    for (int i = 0; i <= TABLE; i++) {
        const double z = (double)i * (2 * TABLE_SPAN / TABLE) - TABLE_SPAN;
        if (t->sun_share > 0)
            p->index[i] = ws_supply_cloud_index(t, z);
        if (t->wind_share > 0)
            p->output[i] = ws_supply_turbine(ws_supply_weibull_speed(z, t->weibull_shape, t->weibull_scale), t->cut_in,
                                             t->rated, t->cut_out);
    }
    for (int minute = 0; minute <= DAY_MINUTES && t->peak_gain > 0; minute++) {
        const double apart = fabs(minute / 60.0 - t->peak_hour), hours = fmin(apart, 24 - apart) / t->peak_width_h;
        p->peak[minute] = t->peak_gain * exp(-hours * hours / 2);
    }
}

static bool open_plant(plant *p, const ws_supply_class *t, uint64_t seed, double step_s)
{
    *p = (plant){.type = t, .step_s = step_s};
    bool good = true;
    if (t->sun_share > 0)
        good = open_normal(&p->sky, seed, SUN_STREAM, step_s, t->sun_weather_s, t->passing_s, t->passing_share);
    if (good && t->wind_share > 0)
        good = open_normal(&p->wind, seed, WIND_STREAM, step_s, t->wind_weather_s, t->gust_s, t->gust_share);
    good = good && open_event(&p->slow, seed, SLOW_STREAM, step_s, t->slow_per_day, t->slow_s) &&
           open_event(&p->surge, seed, SURGE_STREAM, step_s, t->surge_per_day, t->surge_s);
    p->slow.height = 1 - t->slow_factor;
    p->surge.height = t->surge_height;
    p->surge.random_height = true;
    fill_tables(p);
    return good;
}

static void close_plant(plant *p)
{
    gsl_rng *const list[] = {p->sky.rng, p->wind.rng, p->slow.rng, p->surge.rng};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (list[i])
            gsl_rng_free(list[i]);
}

static double sun_now(plant *p, double minute)
{
    const size_t day = 1 + (size_t)(p->now_s / DAY_S);
    if (day != p->day) {
        p->day = day;
        const double of_year = fmod(p->type->first_day - 1 + (double)(day - 1), 365) + 1;
        for (int i = 0; i <= DAY_MINUTES; i++)
            p->sun[i] = ws_supply_clear_sky(p->type, of_year, i / 60.0) / STANDARD_W_M2;
    }
    const double clear = look_up(p->sun, DAY_MINUTES, minute), z = next_normal(&p->sky);
    return clear > 0 ? clear * look_up_normal(p->index, z) : 0;
}

/* Power in the middle of the next step, in parts of the installed power. */
static double next_power(plant *p)
{
    const ws_supply_class *const t = p->type;
    p->now_s += p->step_s / 2;
    const double minute = fmod(p->now_s, DAY_S) / 60;
    double power = 0;
    if (t->sun_share > 0)
        power += t->sun_share * sun_now(p, minute);
    if (t->wind_share > 0)
        power += t->wind_share * look_up_normal(p->output, next_normal(&p->wind));
    power *= (1 + look_up(p->peak, DAY_MINUTES, minute)) * (1 - next_event(&p->slow));
    p->now_s += p->step_s / 2;
    return power + next_event(&p->surge);
}

typedef struct moments {
    double least, most, m1, m2, m3, m4; /* m: means of the powers of (value - least) / (most - least) */
} moments;

static moments find_moments(const double *value, size_t count)
{
    moments m = {.least = value[0], .most = value[0]};
    for (size_t i = 1; i < count; i++) {
        m.least = value[i] < m.least ? value[i] : m.least;
        m.most = value[i] > m.most ? value[i] : m.most;
    }
    const double scale = m.most > m.least ? 1 / (m.most - m.least) : 0;
    for (size_t i = 0; i < count; i++) {
        const double u = (value[i] - m.least) * scale, square = u * u;
        m.m1 += u;
        m.m2 += square;
        m.m3 += square * u;
        m.m4 += square * square;
    }
    m.m1 /= (double)count;
    m.m2 /= (double)count;
    m.m3 /= (double)count;
    m.m4 /= (double)count;
    return m;
}

/* value = offset + factor (u + bend u^2), u from 0 to 1 in place of least to most. */
static void stretch(double *value, size_t count, const moments *m, double offset, double factor, double bend)
{
    const double scale = 1 / (m->most - m->least);
    for (size_t i = 0; i < count; i++) {
        const double u = (value[i] - m->least) * scale;
        value[i] = offset + factor * (u + bend * u * u);
    }
}

/* Where the least value can stay at or above zero, the map is a straight line: a firm part and a part that varies.
 * Where it cannot, the series begins at zero and is bent upwards, u + k u^2: the mean of the squares over the square
 * of the mean has to be R = 1 + (deviation / mean)^2, which is a quadratic equation in k with one positive root.
 * Should even u^2 vary too little (k infinite), the series is squared and all begins again. */
int ws_supply_match(double *value, size_t count, double mean, double deviation)
{
    const double ratio = 1 + deviation / mean * (deviation / mean);
    for (int round = 0; round < SQUARINGS; round++) {
        const moments m = find_moments(value, count);
        const double variance = m.m2 - m.m1 * m.m1;
        if (deviation == 0) {
            for (size_t i = 0; i < count; i++)
                value[i] = mean;
            return WS_OK;
        }
        if (!(variance > 1e-18))
            break;
        const double slope = deviation / sqrt(variance);
        if (mean - slope * m.m1 >= 0) {
            stretch(value, count, &m, mean - slope * m.m1, slope, 0);
            return WS_OK;
        }
        const double a = m.m4 - ratio * m.m2 * m.m2, b = m.m3 - ratio * m.m1 * m.m2, c = m.m2 - ratio * m.m1 * m.m1;
        if (a > 0) {
            const double root = sqrt(b * b - a * c), bend = b > 0 ? -c / (b + root) : (root - b) / a;
            stretch(value, count, &m, 0, mean / (m.m1 + bend * m.m2), bend);
            return WS_OK;
        }
        for (size_t i = 0; i < count; i++) {
            const double u = (value[i] - m.least) / (m.most - m.least);
            value[i] = u * u;
        }
    }
    return ws_fail(WS_ENUMERIC, "no transformation gives a mean of %g W and a deviation of %g W; take a longer trace",
                   mean, deviation);
}

static int check_request(const ws_supply_class *type, size_t count, double step_s)
{
    if (!(step_s >= 1 && step_s <= 3600))
        return ws_fail(WS_EINPUT, "a step of %g s; expected 1 to 3600 s", step_s);
    if ((double)count * step_s < DAY_S)
        return ws_fail(WS_EINPUT, "%zu steps of %g s; a trace of class %s lasts a day (86400 s) or longer", count,
                       step_s, type->name);
    if ((double)count * ceil(step_s / INNER_S) > WS_SUPPLY_MOST)
        return ws_fail(WS_EINPUT, "%zu steps of %g s; expected at most %d steps of a minute or less", count, step_s,
                       WS_SUPPLY_MOST);
    return WS_OK;
}

/* Steps of more than a minute are means of shorter ones. */
static int draw(const ws_supply_class *type, size_t count, double step_s, uint64_t seed, double *power)
{
    const size_t inner = (size_t)ceil(step_s / INNER_S);
    plant *const p = malloc(sizeof *p);
    if (!p)
        return ws_fail(WS_EMEM, "no memory for a supply");
    const bool good = open_plant(p, type, seed, step_s / (double)inner);
    for (size_t i = 0; good && i < count; i++) {
        double sum = 0;
        for (size_t k = 0; k < inner; k++)
            sum += next_power(p);
        power[i] = sum / (double)inner;
    }
    close_plant(p);
    free(p);
    return good ? WS_OK : ws_fail(WS_EMEM, "no memory for random numbers");
}

static int reserve(const char *name, size_t count, double step_s, ws_supply *out)
{
    *out = (ws_supply){.count = count, .step_s = step_s, .name = strdup(name)};
    out->power_w = malloc(count * sizeof *out->power_w);
    if (out->name && out->power_w)
        return WS_OK;
    ws_supply_fini(out);
    return ws_fail(WS_EMEM, "no memory for a supply of %zu steps", count);
}

int ws_supply_generate(const ws_supply_class *type, size_t count, double step_s, uint64_t seed, ws_supply *out)
{
    *out = (ws_supply){0};
    int rc = check_request(type, count, step_s);
    if (!rc)
        rc = reserve(type->name, count, step_s, out);
    if (!rc)
        rc = draw(type, count, step_s, seed, out->power_w);
    if (!rc)
        rc = ws_supply_match(out->power_w, count, type->mean_w, type->deviation_w);
    if (rc)
        ws_supply_fini(out);
    return rc;
}

int ws_supply_copy(const char *name, const double *power_w, size_t count, double step_s, ws_supply *out)
{
    *out = (ws_supply){0};
    if (!(step_s > 0 && step_s < INFINITY))
        return ws_fail(WS_EINPUT, "supply %s: a step of %g s; expected more than 0", name, step_s);
    if (!count)
        return ws_fail(WS_EINPUT, "supply %s has no steps", name);
    for (size_t i = 0; i < count; i++)
        if (!(power_w[i] >= 0 && power_w[i] < INFINITY))
            return ws_fail(WS_EINPUT, "supply %s, step %zu: %g W; expected 0 or more", name, i + 1, power_w[i]);
    const int rc = reserve(name, count, step_s, out);
    if (!rc)
        memcpy(out->power_w, power_w, count * sizeof *power_w);
    return rc;
}

void ws_supply_fini(ws_supply *supply)
{
    free(supply->power_w);
    free(supply->name);
    *supply = (ws_supply){0};
}

void ws_supply_statistics(const ws_supply *supply, double *mean_w, double *deviation_w)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < supply->count; i++)
        sum += supply->power_w[i];
    *mean_w = sum / (double)supply->count;
    for (size_t i = 0; i < supply->count; i++)
        squares += (supply->power_w[i] - *mean_w) * (supply->power_w[i] - *mean_w);
    *deviation_w = sqrt(squares / (double)supply->count);
}
