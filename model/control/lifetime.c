/* lifetime.c - which part of a die's life do its thermal cycles use up? */
#include "model/control/lifetime.h"

#include "base/fields.h"

#include <math.h>
#include <string.h>

static const ws_field fields[] = {
    WS_FIELD_REAL("fatigue", "cycles", "", 1, 1e15, "cycles to failure at the reference range", ws_fatigue, cycles),
    WS_FIELD_REAL("fatigue", "reference", "K", 1e-3, 1e3, "range of those cycles", ws_fatigue, reference_k),
    WS_FIELD_REAL("fatigue", "exponent", "", 0.5, 12, "q of N_f = C dT^-q", ws_fatigue, exponent),
    WS_FIELD_REAL("fatigue", "elastic", "K", 0, 1e3, "largest range of a cycle without damage", ws_fatigue, elastic_k),
    WS_FIELD_REAL("fatigue", "bin", "K", 1e-3, 100, "width of a bin of the histogram", ws_fatigue, bin_k),
};
enum { FIELDS = sizeof fields / sizeof *fields };

static int read_law(const ws_settings *file, void *out)
{
    ws_fatigue *const law = out;
    memset(law, 0, sizeof *law);
    return ws_fields_read(file, fields, FIELDS, "a law of fatigue", NULL, law);
}

int ws_fatigue_parse(const char *file, const char *text, size_t length, ws_fatigue *out)
{
    return ws_settings_take(file, text, length, read_law, out);
}

int ws_fatigue_read(const char *path, ws_fatigue *out)
{
    return ws_settings_take(path, NULL, 0, read_law, out);
}

double ws_fatigue_cycles(const ws_fatigue *law, double range_k)
{
    if (range_k <= law->elastic_k)
        return INFINITY;
    const double ratio = law->reference_k / range_k, square = ratio * ratio;
    return law->cycles * (law->exponent == 4 ? square * square : pow(ratio, law->exponent)); /* pow is half the time */
}

static void see(void *context, double range, double mean, double count)
{
    (void)mean;
    ws_lifetime *const life = context;
    const double wear = count / ws_fatigue_cycles(&life->law, range), place = range / life->law.bin_k;
    const size_t bin = place < WS_LIFETIME_BINS - 1 ? (size_t)place : WS_LIFETIME_BINS - 1;
    life->damage += wear;
    life->cycles += count;
    life->largest_k = range > life->largest_k ? range : life->largest_k;
    life->count[bin] += count;
    life->wear[bin] += wear;
}

void ws_lifetime_init(ws_lifetime *life, const ws_fatigue *law)
{
    memset(life, 0, sizeof *life);
    life->law = *law;
    ws_rainflow_init(&life->flow, see, life);
}

void ws_lifetime_add(ws_lifetime *life, double temperature_k)
{
    life->flow.context = life; /* so that a copy counts for itself */
    ws_rainflow_add(&life->flow, temperature_k);
}

void ws_lifetime_finish(ws_lifetime *life)
{
    life->flow.context = life;
    ws_rainflow_finish(&life->flow);
}

double ws_lifetime_mtbf_s(const ws_lifetime *life, double observed_s)
{
    return life->damage > 0 ? observed_s / life->damage : INFINITY;
}

double ws_lifetime_relative(double mtbf_s, double base_mtbf_s)
{
    return isinf(mtbf_s) && isinf(base_mtbf_s) ? 1 : mtbf_s / base_mtbf_s;
}
