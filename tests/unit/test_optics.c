/* Light on a chip: counts of rings, losses and watts against the numbers of the study that the parameters are from
 * (Goswami, 2013, section 4), by hand where it has none. */
#include "base/status.h"
#include "model/tech/optics.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ws_optics optics(void)
{
    ws_optics o;
    if (ws_optics_read("data/tech/optics.ini", &o))
        fail_msg("%s", ws_message());
    o.length_mm = 40; /* for which the study's watts are right */
    return o;
}

/* 16 nodes, 32 bytes, 5 GHz. */
static ws_optics_shape shape(ws_optics_kind kind, uint32_t directions)
{
    return (ws_optics_shape){
        .kind = kind, .nodes = 16, .bits = 256, .wavelengths = 64, .directions = directions, .clock_hz = 5e9};
}

static ws_optics_crossbar crossbar(const ws_optics *o, const ws_optics_shape *s)
{
    ws_optics_crossbar c;
    if (ws_optics_crossbar_of(o, s, &c))
        fail_msg("%s", ws_message());
    return c;
}

static void near(double value, double expected, double within)
{
    if (!(fabs(value / expected - 1) <= within))
        fail_msg("%g, expected %g within %g %%", value, expected, 100 * within);
}

static void rings(void **state)
{
    (void)state;
    const ws_optics o = optics();
    ws_optics_shape s = shape(WS_OPTICS_MWSR, 1);
    ws_optics_crossbar c = crossbar(&o, &s);
    assert_int_equal(c.modulators, 3840);
    assert_int_equal(c.detectors, 256);
    assert_int_equal(c.arbitration_rings, 240 + 16);
    assert_int_equal(c.rings, 65792);
    s.directions = 2;
    c = crossbar(&o, &s);
    assert_int_equal(c.rings, 131584);
    assert_int_equal(c.guides, 128);
    near(c.total_bits, 40.96e12, 1e-12);
    near(c.channel_bits / 8, 160e9, 1e-12);
    s.kind = WS_OPTICS_SWMR;
    c = crossbar(&o, &s);
    assert_int_equal(c.modulators, 256);
    assert_int_equal(c.detectors, 15 * 256);
    assert_int_equal(c.arbitration_rings, 0);
}

static void watts(void **state)
{
    (void)state;
    ws_optics o = optics();
    ws_optics_shape s = shape(WS_OPTICS_MWSR, 1);
    near(ws_optics_loss(&o, 0.04, 1024), 7.92, 1e-3);
    ws_optics_crossbar c = crossbar(&o, &s);
    near(c.laser_w, 0.317, 2e-3);
    near(c.laser_w * 0.4 / pow(10, c.loss_db / 10), 20.48e-3, 1e-9); /* at the detectors */
    /* All readers of a channel want as much. */
    s.kind = WS_OPTICS_SWMR;
    near(crossbar(&o, &s).laser_w, 15 * c.laser_w, 1e-12);
    s.kind = WS_OPTICS_MWSR;
    o.length_mm = 80;
    near(crossbar(&o, &s).loss_db, 13.1, 3e-3);
    near(crossbar(&o, &s).laser_w, 1.05, 1e-2);
    o.length_mm = 40;
    o.through_db = 1e-2;
    o.modulator_db = 1;
    near(crossbar(&o, &s).loss_db, 17.6, 5e-3);
    near(crossbar(&o, &s).laser_w, 2.97, 5e-3);
    s.directions = 2;
    near(crossbar(&o, &s).heating_w, 2.63, 2e-3);
    near(crossbar(&o, &s).heating_w / o.span_k, 0.1316, 1e-3);
    /* 20.48 Tb/s a direction, all of them modulated. */
    near(crossbar(&o, &s).total_bits * crossbar(&o, &s).bit_j / 2, 4.1, 2e-3);
    near(78.1e6 * 8 * crossbar(&o, &s).bit_j, 125e-6, 1e-2);     /* BFS of table 7-13 */
    near(o.length_mm / crossbar(&o, &s).guide_cycles, 17, 1e-2); /* of light in a cycle */
}

/* Links to eight stacks: 64 wavelengths of reads, 32 of writes that two stacks share, 16 for commands that all hear, or
 * 16 for each. */
static void links(void **state)
{
    (void)state;
    ws_optics o = optics();
    const ws_optics_group sequential[] = {{64, 1, 1}, {32, 1, 2}, {16, 1, 8}},
                          concurrent[] = {{64, 1, 1}, {32, 1, 2}, {128, 1, 1}};
    ws_optics_links l;
    assert_int_equal(ws_optics_links_of(&o, sequential, 3, 64, &l), WS_OK);
    assert_int_equal(l.modulators, 112);
    assert_int_equal(l.detectors, 256);
    assert_int_equal(l.rings, 368);
    near(l.loss_db, 5 * 1 + 0.2 + 1.3 + 128 * 0.001 + 0.5 + 0.2e-4, 1e-9);
    near(l.laser_w, 256 * 5e-6 * pow(10, 0.7128) / 0.4, 1e-4); /* 16.5 mW */
    near(l.light_w, 8 * 5e-6 * pow(10, 0.7128), 1e-4);
    near(l.heating_w, 368 * 20e-6, 1e-9);
    near(l.bit_j, 200e-15, 1e-9);
    near(l.flight_ps, (146.8 + 35) / 0.299792458, 1e-9);
    const double laser = l.laser_w;
    assert_int_equal(ws_optics_links_of(&o, concurrent, 3, 64, &l), WS_OK);
    assert_int_equal(l.rings, 480);
    near(l.laser_w, laser, 1e-9); /* as much light: one listens where eight did, on eight times the wavelengths */
    near(l.light_w, 2 * 5e-6 * pow(10, 0.7128), 1e-4);
    o.fibre_couplers = 30;
    assert_int_equal(ws_optics_links_of(&o, sequential, 3, 64, &l), WS_EINPUT);
    assert_non_null(strstr(ws_message(), "to 8 readers requires"));
}

static void refuses(const ws_optics *o, const ws_optics_shape *s, const char *part)
{
    ws_optics_crossbar c;
    assert_int_equal(ws_optics_crossbar_of(o, s, &c), WS_EINPUT);
    if (!strstr(ws_message(), part))
        fail_msg("'%s' is not in: %s", part, ws_message());
}

static void refused(void **state)
{
    (void)state;
    ws_optics o = optics();
    ws_optics_shape s = shape(WS_OPTICS_SWMR, 2);
    s.bits = 96;
    refuses(&o, &s, "waveguides of 64 wavelengths");
    s.bits = 0;
    refuses(&o, &s, "waveguides of 64 wavelengths");
    s = shape(WS_OPTICS_SWMR, 2);
    s.nodes = 1;
    refuses(&o, &s, "at least 2");
    s = shape(WS_OPTICS_SWMR, 2);
    o.length_mm = 200; /* 28.7 dB, to 15 readers */
    refuses(&o, &s, "[laser] limit");
    s.kind = WS_OPTICS_MWSR;
    (void)crossbar(&o, &s);
    static const struct {
        const char *text, *part;
    } files[] = {
        {"[loss]\ncoupler = 1\n", "t:2:"},
        {"[loss]\ncoupler = -1 dB\n", "t:2:"},
        {"[loss]\nmirror = 1 dB\n", "mirror"},
        {"[loss]\ncoupler = 1 dB\n", "splitter"},
        {"", "coupler"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        ws_optics out;
        assert_int_equal(ws_optics_parse("t", files[i].text, strlen(files[i].text), &out), WS_EINPUT);
        if (!strstr(ws_message(), files[i].part))
            fail_msg("'%s' is not in: %s", files[i].part, ws_message());
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rings), cmocka_unit_test(watts), cmocka_unit_test(links),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
