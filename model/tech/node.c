/* node.c - what does a file of data/tech say about a technology node? */
#include "model/tech/node.h"

#include "base/fields.h"
#include "base/status.h"
#include "base/text.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const ws_field fields[] = {
#define FIELD(section, name, member, unit, least, most, meaning) \
    WS_FIELD_REAL(#section, #name, unit, least, most, meaning, ws_node, member),
#include "model/tech/node.def"
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof *fields };
static const double boltzmann_v_k = 8.617333e-5; /* k/q, volts for a kelvin: CODATA 2018 */
static const double inverter_p_to_n = 2, fanout = 4;

/* `off = 152 155 ... nA/um`, that rise. */
static int read_off(const ws_settings *file, ws_node *node)
{
    const ws_setting *const s = ws_settings_find(file, "current", "off");
    if (!s)
        return ws_fail(WS_EINPUT,
                       "%s: [current] lacks off (of transistors that are off, by width, at 300, 310 ... 400 K)",
                       file->file);
    const char *at = s->value;
    bool good = true;
    for (size_t i = 0; i < WS_NODE_TEMPERATURES && good; i++) {
        const size_t length = strcspn(at, " \t");
        double *const to = &node->off_na_um[i];
        good =
            length && ws_text_to_double(at, length, to) == WS_OK && isfinite(*to) && *to > 0 && (!i || *to >= to[-1]);
        at += length;
        at += strspn(at, " \t");
    }
    return good && !strcmp(at, "nA/um")
               ? WS_OK
               : ws_setting_fail(
                     file, s,
                     "expected eleven numbers above 0 that do not fall, for 300, 310 ... 400 K, and the unit nA/um");
}

static int read_node(const ws_settings *file, void *out)
{
    static const char *const others[] = {"current.off", NULL};
    *(ws_node *)out = (ws_node){0};
    const int status = ws_fields_read(file, fields, FIELDS, "a node", others, out);
    return status ? status : read_off(file, out);
}

int ws_node_parse(const char *file, const char *text, size_t length, ws_node *out)
{
    return ws_settings_take(file, text, length, read_node, out);
}

int ws_node_read(const char *path, ws_node *out)
{
    return ws_node_parse(path, NULL, 0, out);
}

double ws_node_feature(const ws_node *node)
{
    return node->feature_nm * 1e-9;
}

double ws_node_gate_capacitance(const ws_node *node)
{
    return node->gate_f_um * 1e-9 * ws_node_feature(node);
}

double ws_node_wire_capacitance(const ws_node *node)
{
    return node->wire_f_um * 1e-9;
}

double ws_node_off_current(const ws_node *node, double kelvin, double volts)
{
    const double step = (kelvin - WS_NODE_FIRST_K) / WS_NODE_STEP_K;
    const int last = WS_NODE_TEMPERATURES - 2, at = step < 0 ? 0 : step > last ? last : (int)step;
    const double low = node->off_na_um[at], ratio = node->off_na_um[at + 1] / low;
    const double nominal = low * pow(ratio, step - at) * 1e-3; /* nA/um is mA/m */
    return nominal * exp((volts - node->nominal_v) * node->dibl / (node->slope * boltzmann_v_k * kelvin));
}

double ws_node_fo4(const ws_node *node, double volts)
{
    const double load = fanout * node->gate_f_um * (1 + inverter_p_to_n) + node->drain_f_um * (1 + inverter_p_to_n);
    return log(2) * load * 1e-15 * volts / (node->on_ua_um * 1e-6);
}
