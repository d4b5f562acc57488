/* race_tech.c - costs of signatures by their size, and how many bits race detection keeps. */
#include "model/tech/race_tech.h"

#include "base/fields.h"
#include "base/status.h"

static const ws_field fields[] = {
#define FIELD(section, name, member, unit, least, most, meaning) \
    WS_FIELD_REAL(#section, #name, unit, least, most, meaning, ws_race_tech, member),
#include "model/tech/race_tech.def"
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof *fields, SIZES = 5, LEAST = 1024, MOST = LEAST << (SIZES - 1) };
static const double pj = 1e-12, mw = 1e-3;

static int read_race(const ws_settings *file, void *out)
{
    *(ws_race_tech *)out = (ws_race_tech){0};
    return ws_fields_read(file, fields, FIELDS, "race detection", NULL, out);
}

int ws_race_tech_parse(const char *file, const char *text, size_t length, ws_race_tech *out)
{
    return ws_settings_take(file, text, length, read_race, out);
}

int ws_race_tech_read(const char *path, ws_race_tech *out)
{
    return ws_race_tech_parse(path, NULL, 0, out);
}

/* On the line from the last size that is no larger to the next one. */
static double between(const double *of_size, uint32_t bits)
{
    unsigned i = 0;
    while (i + 2 < SIZES && bits >= (uint32_t)LEAST << (i + 1))
        i++;
    const double from = (double)((uint32_t)LEAST << i);
    return of_size[i] + (of_size[i + 1] - of_size[i]) * (bits - from) / from;
}

int ws_race_costs_of(const ws_race_tech *tech, uint32_t bits, uint32_t sms, ws_race_costs *out)
{
    if (bits < LEAST || bits > MOST)
        return ws_fail(WS_EINPUT, "signatures of %u bits: their costs are known from %d to %d bits", bits, LEAST, MOST);
    const double share = sms / tech->detector_sms;
#define ALL(name) \
    ((const double[]){tech->name##_1024, tech->name##_2048, tech->name##_4096, tech->name##_8192, tech->name##_16384})
    *out = (ws_race_costs){.filter_access_j = between(ALL(filter_access), bits) * pj,
                           .filter_leakage_w = between(ALL(filter_leakage), bits) * mw,
                           .detector_read_j = between(ALL(detector_read), bits) * pj * share,
                           .detector_write_j = between(ALL(detector_write), bits) * pj * share,
                           .detector_leakage_w = between(ALL(detector_leakage), bits) * mw * share,
                           .renaming_read_j = tech->renaming_read * pj,
                           .renaming_write_j = tech->renaming_write * pj,
                           .renaming_leakage_w = tech->renaming_leakage * mw};
#undef ALL
    return WS_OK;
}
