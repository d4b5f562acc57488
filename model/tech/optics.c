/* optics.c - counts of rings, decibels, watts. */
#include "model/tech/optics.h"

#include "base/fields.h"
#include "base/status.h"

#include <math.h>

static const ws_field fields[] = {
#define FIELD(section, name, member, unit, least, most, meaning) \
    WS_FIELD_REAL(#section, #name, unit, least, most, meaning, ws_optics, member),
#include "model/tech/optics.def"
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof *fields };
static const double light_m_s = 299792458, cm = 1e-2, mm = 1e-3, km = 1e3, percent = 1e-2, ps = 1e-12;

static int read_optics(const ws_settings *file, void *out)
{
    *(ws_optics *)out = (ws_optics){0};
    return ws_fields_read(file, fields, FIELDS, "optics", NULL, out);
}

int ws_optics_parse(const char *file, const char *text, size_t length, ws_optics *out)
{
    return ws_settings_take(file, text, length, read_optics, out);
}

int ws_optics_read(const char *path, ws_optics *out)
{
    return ws_optics_parse(path, NULL, 0, out);
}

double ws_optics_loss(const ws_optics *o, double length_m, double rings)
{
    return o->coupler_db + o->splitter_db * o->stages + o->guide_db_cm * length_m / cm + o->through_db * rings +
           o->modulator_db + o->drop_db + o->detector_db;
}

static int check(const ws_optics_shape *s)
{
    if (s->nodes < 2)
        return ws_fail(WS_EINPUT, "an optical crossbar of %u nodes: at least 2 are expected", s->nodes);
    if (!s->bits || !s->wavelengths || s->bits % s->wavelengths)
        return ws_fail(WS_EINPUT,
                       "channels of %u bits do not fill waveguides of %u wavelengths: choose a width that is a "
                       "multiple, or another number of wavelengths",
                       s->bits, s->wavelengths);
    return WS_OK;
}

static double length_m(const ws_optics *o)
{
    return o->length_mm * mm;
}

/* A ring of a tuned wavelength stands at each node on its guide, and light passes those of all wavelengths. */
static double rings_passed(const ws_optics_shape *s)
{
    return (double)s->nodes * s->wavelengths;
}

/* A wavelength's light reaches one reader, or all others; each gets what its detector needs. */
static int set_light(const ws_optics *o, const ws_optics_shape *s, ws_optics_crossbar *c)
{
    const double readers = s->kind == WS_OPTICS_MWSR ? 1 : s->nodes - 1;
    c->loss_db = ws_optics_loss(o, length_m(o), rings_passed(s));
    c->light_w = readers * o->sensitivity_uw * 1e-6 * pow(10, c->loss_db / 10);
    c->laser_w = c->light_w * s->bits * s->nodes * s->directions / (o->efficiency * percent);
    return c->light_w <= o->limit_mw * 1e-3
               ? WS_OK
               : ws_fail(WS_EINPUT,
                         "a loss of %.1f dB to %g reader%s requires %.3g mW of each wavelength, waveguides take %g "
                         "([laser] limit): shorten the way ([guide] length), lose less at rings ([loss] through), or "
                         "have fewer nodes",
                         c->loss_db, readers, readers > 1 ? "s" : "", c->light_w * 1e3, o->limit_mw);
}

int ws_optics_crossbar_of(const ws_optics *o, const ws_optics_shape *s, ws_optics_crossbar *c)
{
    *c = (ws_optics_crossbar){0};
    const int status = check(s);
    if (status)
        return status;
    const bool tokens = s->kind == WS_OPTICS_MWSR;
    const uint64_t own = s->bits, foreign = (uint64_t)(s->nodes - 1) * s->bits, nodes = s->nodes;
    c->guides = (uint64_t)(s->bits / s->wavelengths) * nodes * s->directions;
    c->modulators = tokens ? foreign : own;
    c->detectors = tokens ? own : foreign;
    c->arbitration_rings =
        tokens ? nodes * nodes : 0; /* a token a channel: each other node may take it, its own gives it */
    c->rings = (nodes * (c->modulators + c->detectors) + c->arbitration_rings) * s->directions;
    c->channel_bits = s->bits * s->clock_hz;
    c->total_bits = c->channel_bits * s->nodes * s->directions;
    c->heating_w = (double)c->rings * o->heating_uw_k * 1e-6 * o->span_k;
    c->bit_j = (o->modulation_fj + o->electrical_fj) * 1e-15;
    c->token_j = tokens ? o->arbitration_fj * 1e-15 : 0;
    c->guide_cycles = length_m(o) * o->index / light_m_s * s->clock_hz;
    return set_light(o, s, c);
}

int ws_optics_links_of(const ws_optics *o, const ws_optics_group *groups, size_t count, uint32_t room,
                       ws_optics_links *links)
{
    double lights = 0, most = 0; /* detectors that get light, of all wavelengths and of one */
    *links = (ws_optics_links){0};
    for (size_t i = 0; i < count; i++) {
        const ws_optics_group *const g = &groups[i];
        links->modulators += (uint64_t)g->wavelengths * g->writers;
        links->detectors += (uint64_t)g->wavelengths * g->readers;
        lights += (double)g->wavelengths * g->readers;
        most = g->wavelengths && g->readers > most ? g->readers : most;
    }
    links->rings = links->modulators + links->detectors;
    links->loss_db = ws_optics_loss(o, o->fibre_guide_mm * mm, 2.0 * room) + (o->fibre_couplers - 1) * o->coupler_db +
                     o->fibre_db_km * o->fibre_mm * mm / km;
    const double detector_w = o->sensitivity_uw * 1e-6 * pow(10, links->loss_db / 10);
    links->light_w = most * detector_w;
    links->laser_w = lights * detector_w / (o->efficiency * percent);
    links->heating_w = (double)links->rings * o->heating_uw_k * 1e-6 * o->span_k;
    links->bit_j = (o->modulation_fj + o->electrical_fj) * 1e-15;
    links->flight_ps = (o->fibre_mm * o->fibre_index + o->fibre_guide_mm * o->index) * mm / light_m_s / ps;
    if (links->light_w <= o->limit_mw * 1e-3)
        return WS_OK;
    return ws_fail(WS_EINPUT,
                   "a loss of %.1f dB to %g readers requires %.3g mW of each wavelength, waveguides take %g ([laser] "
                   "limit): shorten the way, lose less, or have more of them for fewer readers",
                   links->loss_db, most, links->light_w * 1e3, o->limit_mw);
}
