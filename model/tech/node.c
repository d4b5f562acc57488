/* node.c - see node.h. */
#include "model/tech/node.h"

#include "base/fields.h"
#include "base/status.h"

#include <glob.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Boltzmann's constant over the charge of an electron, V/K (SI, exact since 2019). */
static const double volts_per_kelvin = 8.617333262e-5;

static const ws_field fields[] = {
#define FIELD(section, key, member, unit, least, most, meaning) \
    WS_FIELD_REAL(#section, #key, unit, least, most, meaning, ws_node, member),
#include "model/tech/node.def"
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof *fields };

static int check_together(const ws_settings *file, const ws_node *node)
{
    for (size_t i = 1; i < WS_NODE_KELVINS; i++)
        if (node->off_a_m[i] < node->off_a_m[i - 1])
            return ws_fail(WS_EINPUT, "%s: [off] falls from %zu to %zu K; expected a current that rises with the temperature",
                           file->file, WS_NODE_KELVIN_LEAST + WS_NODE_KELVIN_STEP * (i - 1),
                           WS_NODE_KELVIN_LEAST + WS_NODE_KELVIN_STEP * i);
    if (node->threshold_v >= node->vdd_v)
        return ws_fail(WS_EINPUT, "%s: the threshold of %g V must be less than the supply of %g V", file->file,
                       node->threshold_v, node->vdd_v);
    if (node->stt.high_ohm <= node->stt.low_ohm)
        return ws_fail(WS_EINPUT, "%s: [stt] high = %g ohm must be more than low = %g ohm", file->file, node->stt.high_ohm,
                       node->stt.low_ohm);
    return WS_OK;
}

static int read_node(const ws_settings *file, void *out)
{
    memset(out, 0, sizeof(ws_node));
    const int rc = ws_fields_read(file, fields, FIELDS, "a technology node", out);
    return rc ? rc : check_together(file, out);
}

int ws_node_parse(const char *file, const char *text, size_t length, ws_node *out)
{
    return ws_settings_take(file, text, length, read_node, out);
}

int ws_node_read(const char *path, ws_node *out)
{
    return ws_settings_take(path, NULL, 0, read_node, out);
}

/* "12nm, 16nm and 22nm"; glob sorts. */
static int no_such_node(const char *folder, const char *name)
{
    char pattern[PATH_MAX], list[400] = "";
    glob_t found = {0};
    snprintf(pattern, sizeof pattern, "%s/node_*.ini", folder);
    const size_t count = glob(pattern, 0, NULL, &found) ? 0 : found.gl_pathc;
    for (size_t i = 0, used = 0; i < count && used < sizeof list; i++) {
        const char *const at = strstr(strrchr(found.gl_pathv[i], '/'), "node_") + strlen("node_");
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.*s", !i ? "" : i + 1 < count ? ", " : " and ",
                                 (int)(strlen(at) - strlen(".ini")), at);
    }
    globfree(&found);
    return ws_fail(WS_ENOTFOUND, "%s is no technology node; those of %s are %s", name, folder, *list ? list : "none");
}

int ws_node_find(const char *folder, const char *name, ws_node *out)
{
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof path, "%s/node_%s.ini", folder, name);
    if (length >= (int)sizeof path || strchr(name, '/') || access(path, F_OK))
        return no_such_node(folder, name);
    return ws_node_read(path, out);
}

/* The currents of two neighbouring rows, drawn as a line in a logarithmic picture. */
static double nominal_off(const ws_node *node, double kelvin)
{
    const double row = (kelvin - WS_NODE_KELVIN_LEAST) / WS_NODE_KELVIN_STEP;
    const size_t at = (size_t)fmin(fmax(row, 0), WS_NODE_KELVINS - 2);
    return node->off_a_m[at] * pow(node->off_a_m[at + 1] / node->off_a_m[at], row - (double)at);
}

double ws_node_off_current(const ws_node *node, double kelvin, double volts)
{
    const double thermal_v = volts_per_kelvin * kelvin;
    const double drain = expm1(-volts / thermal_v) / expm1(-node->vdd_v / thermal_v);
    return nominal_off(node, kelvin) * drain * exp(node->dibl * (volts - node->vdd_v) / (node->swing * thermal_v));
}

double ws_node_gate(const ws_node *node)
{
    return node->gate_f_m + node->fringe_f_m;
}

double ws_node_switch_energy(const ws_node *node, double volts)
{
    return ws_node_gate(node) * node->size_m * (1 + node->p_to_n) * volts * volts;
}
