/* Memory parts and address maps: the shipped files, maps by hand, there and back, and what is refused. */
#include "base/status.h"
#include "model/sim/memory/dram.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

static const struct {
    const char *file;
    double peak_gb; /* per second and channel */
    uint64_t bytes;
    uint32_t channels;
} shipped[] = {
    {"data/tech/dram_gddr3.ini", 6.4, 32ull << 20, 8},
    {"data/tech/dram_gddr5_gtx480.ini", 29.568, 256ull << 20, 6},
    {"data/tech/dram_gddr6_rtx2060.ini", 28.004, 256ull << 20, 12},
    {"data/tech/dram_hbm3_h100.ini", 83.808, 2ull << 30, 40},
    {"data/tech/dram_gddr5_8gb.ini", 95.952, 4ull << 30, 1},
    {"data/tech/dram_gddr6_8gb.ini", 387.878, 8ull << 30, 1},
    {"data/tech/dram_gddr5_3600.ini", 14.4, 128ull << 20, 6},
    {"data/tech/dram_stack_optical.ini", 51.2, 4ull << 30, 1},
    {"data/tech/dram_ddr4_3200.ini", 25.397, 16ull << 30, 1},
};
enum { SHIPPED = sizeof shipped / sizeof *shipped };

static ws_dram_part read_part(const char *file)
{
    ws_dram_part part;
    if (ws_dram_part_read(file, &part))
        fail_msg("%s", ws_message());
    return part;
}

static ws_dram_map parse_map(const char *text, const ws_dram_part *part, uint32_t channels)
{
    ws_dram_map map;
    if (ws_dram_map_parse(text, NULL, part, channels, &map))
        fail_msg("%s", ws_message());
    return map;
}

static void shipped_parts(void **state)
{
    (void)state;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < SHIPPED; i++) {
        const ws_dram_part part = read_part(shipped[i].file);
        assert_float_equal(ws_dram_part_peak(&part) / 1e9, shipped[i].peak_gb, 0.001);
        assert_int_equal(ws_dram_part_bytes(&part), shipped[i].bytes);
        uint32_t channels = strncmp(part.mapping, "dramid@", 7) ? 1 : shipped[i].channels;
        const ws_dram_map map = parse_map(part.mapping, &part, channels);
        for (int k = 0; k < 1000; k++) {
            const uint64_t any = gsl_rng_get(rng) % (shipped[i].bytes * channels);
            const uint64_t address = any - any % part.burst_bytes;
            ws_dram_place place;
            const uint32_t channel = ws_dram_map_place(&map, address, &place);
            assert_true(channel < channels && place.row < part.rows && place.column < part.columns);
            assert_int_equal(ws_dram_map_address(&map, channel, &place), address);
        }
    }
    gsl_rng_free(rng);
}

static const char small[] = "[part]\nclock = 1000 MHz\nbank_groups = 2\nbanks = 4\nrows = 16\ncolumns = 8\n"
                            "bus = 32 bits\n"
                            "burst = 8 beats\nrate = 4 beats/cycle\nmapping = R*4.G.B*2.C*3.S*5\n[timing]\n"
                            "tCL = 10 cycles\ntCWL = 5 cycles\ntRCDRD = 7 cycles\ntRCDWR = 6 cycles\ntRP = 8 cycles\n"
                            "tRAS = 19.5 ns\ntRC = 30 ns\ntRRDS = 3 cycles\ntRRDL = 4 cycles\ntCCDS = 2 cycles\n"
                            "tCCDL = 3 cycles\ntWR = 9 cycles\ntWTRS = 4 cycles\ntWTRL = 6 cycles\ntRTP = 5 cycles\n"
                            "tRTW = 1 cycles\ntREFI = 0 cycles\ntRFC = 1 cycles\n";

static void maps_by_hand(void **state)
{
    (void)state;
    ws_dram_part part;
    assert_int_equal(ws_dram_part_parse("s", small, strlen(small), &part), WS_OK);
    assert_int_equal(part.tRAS, 20); /* rounded up */
    assert_int_equal(part.tRC, 30);
    assert_int_equal(part.ranks, 1);
    assert_int_equal(part.burst_bytes, 32);
    assert_int_equal(part.burst_cycles, 2);
    ws_dram_place at;
    /* row 9, group 1, bank 2, column 5, byte 3 */
    ws_dram_map map = parse_map(part.mapping, &part, 1);
    assert_int_equal(ws_dram_map_place(&map, 9 << 11 | 1 << 10 | 2 << 8 | 5 << 5 | 3, &at), 0);
    assert_true(at.row == 9 && at.group == 1 && at.bank == 2 && at.column == 5 && at.rank == 0);
    /* Bits of one field need not lie together; channel bits in the string. */
    map = parse_map("00000000.RRRRGBCD.BCCSSSSS", &part, 2);
    assert_int_equal(ws_dram_map_place(&map, 0x5 << 12 | 1 << 10 | 1 << 8 | 0 << 7 | 3 << 5, &at), 1);
    assert_true(at.row == 5 && at.group == 0 && at.bank == 2 && at.column == 3);
    /* No G: the high B is the group. */
    map = parse_map("R*4.BC.CCBB.S*5", &part, 1);
    assert_int_equal(ws_dram_map_place(&map, 3 << 11 | 1 << 10 | 6 << 7 | 1 << 5, &at), 0);
    assert_true(at.row == 3 && at.group == 1 && at.bank == 1 && at.column == 6);
    /* Three channels above bit 8: the third block of 256 bytes is the first of channel 2. */
    map = parse_map("dramid@8;R*4.G.B*2.C*3.S*5", &part, 3);
    assert_int_equal(ws_dram_map_place(&map, 2 * 256 + 64, &at), 2);
    assert_true(at.row == 0 && at.group == 0 && at.bank == 0 && at.column == 2);
    assert_int_equal(ws_dram_map_place(&map, 4 * 256 + 64, &at), 1);
    assert_true(at.bank == 1 && at.column == 2);
}

static void bad_maps(void **state)
{
    (void)state;
    ws_dram_part part;
    assert_int_equal(ws_dram_part_parse("s", small, strlen(small), &part), WS_OK);
    static const struct {
        const char *text;
        uint32_t channels;
        const char *message;
    } bad[] = {
        {"R*4.G.B*2.C*3.S*5", 0, "0 channels"},
        {"R*3.G.B*2.C*3.S*5", 1, "has 3 row bits (R), the part needs 4"},
        {"R*4.B*4.C*3.S*5", 1, "has 0 bank group bits (G), the part needs 1"},
        {"R*4.B*2.C*3.S*5", 1, "has 0 bank group bits (G), the part needs 1"},
        {"R*4.G.B*2.C*3.S*5", 2, "has 0 channel bits (D), the part needs 1"},
        {"R*4.G.B*2.C*3.S*5", 3, "3 channels are no power of two; open the address map with dramid@N and a blank"},
        {"dramid@8;D.R*4.G.B*2.C*3.S*5", 3, "has 1 channel bits"},
        {"R*4.G.B*2.Q*3.S*5", 1, "at:1:1: address map 'R*4.G.B*2.Q*3.S*5', character 11: expected D K G"},
        {"R*4.G.B*2.C*3.S*55", 1, "expected 1 to 64 bits"},
        {"R*0.G.B*2.C*3.S*5", 1, "character 1: expected 1 to 64 bits"},
        {"dramid@;R", 3, "expected a bit number"},
        {"dramid@63;R", 3, "expected a bit number"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ws_dram_map map;
        assert_int_equal(ws_dram_map_parse(bad[i].text, "at:1:1", &part, bad[i].channels, &map), WS_EINPUT);
        if (!strstr(ws_message(), bad[i].message))
            fail_msg("'%s' does not say '%s'", ws_message(), bad[i].message);
    }
}

/* One defect each: a line of `small` is replaced. */
static void bad_parts(void **state)
{
    (void)state;
    static const struct {
        const char *line, *instead, *message;
    } bad[] = {
        {"banks = 4", "banks = 3", "s:4:9: banks = 3: expected a power of two"},
        {"banks = 4", "banks = 64", "ranks * bank_groups * banks = 128"},
        {"tCL = 10 cycles", "tCL = 0 cycles",
         "tCL = 0 cycles: expected a whole number from 1 to 1000 cycles (read command to first data)"},
        {"tCL = 10 cycles", "tCL = 10", "tCL = 10: expected the unit cycles or ns"},
        {"tCL = 10 cycles", "tCL = 10.5 cycles", "from 1 to 1000"},
        {"tCL = 10 cycles", "", "s: [timing] lacks tCL"},
        {"tCL = 10 cycles", "tCL = ten", "expected a number and its unit"},
        {"clock = 1000 MHz", "clock = 1 kHz", "expected the unit MHz or GHz"},
        {"clock = 1000 MHz", "clock = 0.5 MHz", "expected 1 to 100000 MHz"},
        {"clock = 1000 MHz", "", "lacks clock"},
        {"mapping = R*4.G.B*2.C*3.S*5", "", "lacks mapping"},
        {"bus = 32 bits", "bus = 24 bits", "power of two of bytes"},
        {"bus = 32 bits", "bus = 32", "expected the unit bits"},
        {"tRFC = 1 cycles", "tRFC = 1 cycles\ntXYZ = 1 cycles",
         "s:30:1: a memory part has no tXYZ in section [timing]"},
        {"tREFI = 0 cycles", "tREFI = 20 cycles", "leave no time between refreshes"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *const at = strstr(small, bad[i].line);
        assert_non_null(at);
        char text[2048];
        const int length =
            snprintf(text, sizeof text, "%.*s%s%s", (int)(at - small), small, bad[i].instead, at + strlen(bad[i].line));
        ws_dram_part part;
        assert_int_equal(ws_dram_part_parse("s", text, (size_t)length, &part), WS_EINPUT);
        if (!strstr(ws_message(), bad[i].message))
            fail_msg("'%s' does not say '%s'", ws_message(), bad[i].message);
    }
    ws_dram_part part;
    assert_int_equal(ws_dram_part_read("no/such.ini", &part), WS_EIO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_parts),
        cmocka_unit_test(maps_by_hand),
        cmocka_unit_test(bad_maps),
        cmocka_unit_test(bad_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
