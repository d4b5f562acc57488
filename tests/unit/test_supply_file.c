/* Measured supplies: the forms of NREL's files, units, gaps, conservation of energy, and what is refused. */
#include "base/status.h"
#include "model/control/supply_file.h"
#include "tests/unit/close.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_rng.h>

static ws_supply_plant read_plant(void)
{
    ws_supply_plant plant;
    if (ws_supply_plant_read("data/tech/plant.ini", &plant))
        fail_msg("%s", ws_message());
    return plant;
}

static ws_supply parse(const char *text, const ws_supply_options *options, ws_supply_report *report)
{
    const ws_supply_plant plant = read_plant();
    ws_supply supply;
    if (ws_supply_parse("data/some.csv", text, strlen(text), &plant, options, &supply, report))
        fail_msg("%s", ws_message());
    return supply;
}

static double energy(const ws_supply *supply)
{
    double sum = 0;
    for (size_t i = 0; i < supply->count; i++)
        sum += supply->power_w[i] * supply->step_s;
    return sum;
}

static const ws_supply_options plain = {0};

static void time_and_power(void **state)
{
    (void)state;
    static const char *const forms[] = {
        "time_s,power_w\n0,10\n60,20\n120,0\n",
        "# a comment\n\ntime_s,power_w\r\n0,10\r\n60,20\r\n120,0\r\n",
        "\xef\xbb\xbftime (min);Power [kW]\n0;0.01\n1;0.02\n2;0\n",
        "\"Time\",\"PV output (MW)\"\n\"2010-05-17 00:00\",0.00001\n2010-05-17 00:01:00,2e-5\n2010-05-17T00:02Z,0\n",
        "Time\tpower_kw\n2011/12/31 23:59\t.01\n2012/01/01 00:00\t.02\n1/1/2012 00:01\t0",
        "date,time,other,power_w\n2/28/2012,23:58,x,10\n2/28/2012,23:59,,20\n2/28/2012,24:00,y,0\n",
    };
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        ws_supply_report report;
        ws_supply supply = parse(forms[f], &plain, &report);
        assert_int_equal(supply.count, 3);
        assert_string_equal(supply.name, "some");
        assert_true(supply.step_s == 60 && report.file_step_s == 60 && report.rows == 3 && report.gaps == 0);
        assert_close(supply.power_w[0], 10, 1e-12);
        assert_close(supply.power_w[1], 20, 1e-12);
        assert_close(supply.power_w[2], 0, 0);
        ws_supply_fini(&supply);
    }
    /* Days between two dates: leap years, and centuries that are none. */
    static const struct {
        const char *from, *to;
        double days;
    } dates[] = {{"2012-02-28", "2012-03-02", 3},
                 {"2011-02-28", "2011-03-01", 1},
                 {"1900-02-28", "1900-03-01", 1},
                 {"2000-02-29", "2000-03-01", 1},
                 {"1999-12-31", "2001-01-01", 367}};
    for (size_t d = 0; d < sizeof dates / sizeof *dates; d++) {
        char text[128];
        snprintf(text, sizeof text, "Time,power_w\n%s,1\n%s,2\n", dates[d].from, dates[d].to);
        ws_supply_report report;
        ws_supply supply = parse(text, &plain, &report);
        assert_close(report.file_step_s, dates[d].days * 86400, 0);
        ws_supply_fini(&supply);
    }
    ws_supply supply = parse("Hour,Wind power (kW)\n0,1\n1,3\n", &plain, NULL); /* as HOMER writes hours of the year */
    assert_true(supply.count == 2 && supply.step_s == 3600 && supply.power_w[1] == 3000);
    ws_supply_fini(&supply);
}

static const char nsrdb[] =
    "Source,Location ID,City,Local Time Zone,DHI Units,GHI Units,Temperature Units,Wind Speed Units\n"
    "NSRDB,145809,-,-7,w/m2,w/m2,c,m/s\n"
    "Year,Month,Day,Hour,Minute,DHI,Clearsky GHI,GHI,Temperature,Wind Speed\n"
    "2015,2,28,23,0,0,900,0,10,6\n"
    "2015,2,28,23,30,0,900,400,10,12\n"
    "2015,3,1,0,0,0,900,800,20,30\n";

/* Panel: 2 m2 of 20 %, -0.4 %/K; cells at air + (45 - 20) / 800 G. */
static void nsrdb_files(void **state)
{
    (void)state;
    ws_supply_report report;
    ws_supply supply = parse(nsrdb, &plain, &report);
    assert_string_equal(report.columns, "GHI, Temperature");
    assert_true(supply.count == 3 && supply.step_s == 1800 && supply.power_w[0] == 0);
    assert_close(supply.power_w[1], 0.4 * 400 * (1 - 0.004 * (10 + 12.5 - 25)), 1e-9);
    assert_close(supply.power_w[2], 0.4 * 800 * (1 - 0.004 * (20 + 25 - 25)), 1e-9);
    ws_supply_fini(&supply);
    /* The turbine of 400 W: cube between 3 and 12 m/s, stands still at 30. */
    supply = parse(nsrdb, &(ws_supply_options){.column = "wind speed"}, &report);
    assert_string_equal(report.columns, "Wind Speed");
    assert_close(supply.power_w[0], 400 * (216 - 27.0) / (1728 - 27), 1e-9);
    assert_true(supply.power_w[1] == 400 && supply.power_w[2] == 0);
    ws_supply_fini(&supply);
    supply = parse(nsrdb, &(ws_supply_options){.hybrid = 1}, &report);
    assert_close(supply.power_w[1], 400 + 0.4 * 400 * (1 + 0.004 * 2.5), 1e-9);
    assert_string_equal(report.columns, "GHI, Wind Speed, Temperature");
    ws_supply_fini(&supply);
}

static void midc_and_wind_toolkit(void **state)
{
    (void)state;
    ws_supply_report report;
    ws_supply supply =
        parse("DATE (MM/DD/YYYY),MST,Direct CHP1-1 [W/m^2],Global CMP22 (vent/cor) [W/m^2],"
              "Tower Dry Bulb Temp [deg C],Peak Wind Speed @ 6ft [m/s],Avg Wind Speed @ 6ft [m/s]\n"
              "05/17/2012,00:00,1,-1.5,25,9,1\n05/17/2012,00:01,1,100,22,9,2\n05/17/2012,00:02,1,200,18.75,9,3\n",
              &plain, &report);
    assert_string_equal(report.columns, "Global CMP22 (vent/cor) [W/m^2], Tower Dry Bulb Temp [deg C]");
    assert_true(report.negative == 1 && supply.power_w[0] == 0);
    assert_close(supply.power_w[1], 0.4 * 100 * (1 - 0.004 * 0.125), 1e-9);
    assert_close(supply.power_w[2], 0.4 * 200, 1e-9);
    ws_supply_fini(&supply);
    /* Power law from 20 m to the hub at 80 m: 4^0.143 times the speed. */
    supply = parse("SiteID,1234,Longitude,-105.2\nYear,Month,Day,Hour,Minute,wind speed at 20m (m/s),power (n)\n"
                   "2012,1,1,0,0,5,1\n2012,1,1,0,5,20,1\n",
                   &(ws_supply_options){.column = "wind speed at 20m (m/s)"}, &report);
    const double speed = 5 * pow(4, 0.143);
    assert_close(supply.power_w[0], 400 * (pow(speed, 3) - 27) / (1728 - 27), 1e-9);
    assert_true(supply.step_s == 300 && supply.power_w[1] == 400 * (20 * pow(4, 0.143) < 25));
    ws_supply_fini(&supply);
    supply = parse("time_s,wind speed @ 262.4672ft [mph]\n0,0\n10,13.42\n", &plain, NULL); /* 80 m, 6.0 m/s */
    assert_close(supply.power_w[1], 400 * (pow(13.42 * 0.44704, 3) - 27) / (1728 - 27), 1e-4);
    ws_supply_fini(&supply);
}

/* Typical years take each month from another year, and years often come without their leap day: time goes on. */
static void calendars_that_jump(void **state)
{
    (void)state;
    ws_supply_report report;
    ws_supply supply =
        parse("Year,Month,Day,Hour,Minute,power (W)\n2003,1,31,22,0,1\n2003,1,31,23,0,2\n1998,2,1,0,0,3\n"
              "1998,2,1,1,0,4\n",
              &plain, &report);
    assert_true(supply.count == 4 && supply.power_w[2] == 3 && report.jumps == 1 && report.gaps == 0);
    ws_supply_fini(&supply);
    /* 24:00 ends a day, a leap year is followed by one that is none. */
    supply = parse("Date (MM/DD/YYYY),Time,power (W)\n02/28/2000,23:00,1\n02/28/2000,24:00,2\n03/01/2007,01:00,3\n"
                   "03/01/2007,02:00,4\n",
                   &plain, &report);
    assert_true(supply.count == 4 && supply.power_w[3] == 4 && report.jumps == 1 && report.gaps == 0);
    ws_supply_fini(&supply);
    supply = parse("time,power_w\n2016-02-28 22:00,1\n2016-02-28 23:00,2\n2016-03-01 00:00,3\n2016-03-01 01:00,5\n",
                   &plain, &report);
    assert_true(supply.count == 4 && supply.power_w[2] == 3 && report.jumps == 1 && report.gaps == 0);
    ws_supply_fini(&supply);
}

/* Missing rows and cells are filled by a straight line, and counted. */
static void gaps(void **state)
{
    (void)state;
    ws_supply_report report;
    ws_supply supply = parse("time_h,power_w\n0,10\n1,\n2,-9999\n3,40\n4,50\n5,NaN\n6,null\n", &plain, &report);
    assert_true(report.missing_cells == 4 && report.missing_rows == 0 && report.gaps == 2 && report.rows == 7);
    assert_true(report.longest_gap_s == 7200 && report.filled_s == 14400);
    static const double cells[] = {10, 17.5, 32.5, 40, 50, 50, 50};
    for (size_t i = 0; i < 7; i++)
        assert_close(supply.power_w[i], cells[i], 1e-9);
    ws_supply_fini(&supply);
    supply = parse("time_h,power_w\n0,NA\n1,10\n2,20\n5,20\n6,30\n7,0\n", &plain, &report);
    assert_true(report.missing_rows == 2 && report.missing_cells == 1 && report.gaps == 2 && supply.count == 8);
    static const double rows[] = {10, 10, 20, 20, 20, 20, 30, 0};
    for (size_t i = 0; i < 8; i++)
        assert_close(supply.power_w[i], rows[i], 1e-9);
    ws_supply_fini(&supply);
    /* A longer gap is refused, or accepted by who asks for it. */
    static const char wide[] = "time_h,power_w\n0,10\n1,10\n2,10\n6,50\n";
    supply = parse(wide, &(ws_supply_options){.gap_s = 3 * 3600}, &report);
    assert_close(energy(&supply), 3600 * (30 + 3 * 30 + 50), 1e-6);
    ws_supply_fini(&supply);
    const ws_supply_plant plant = read_plant();
    assert_int_equal(ws_supply_parse("f", wide, strlen(wide), &plant, &plain, &supply, &report), WS_EINPUT);
    assert_string_equal(ws_message(),
                        "f:5:1: nothing was measured for 10800 s before this row; gaps of up to 7200 s are filled");
}

/* Whatever the step, and however uneven the rows are, the energy is that of the rows. */
static void energy_is_conserved(void **state)
{
    (void)state;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    for (int round = 0; round < 60; round++) {
        char text[16384];
        int length = snprintf(text, sizeof text, "time_s,power_w\n");
        double time = 1e9, last = 0, before = 0, expected = 0;
        for (int i = 0; i < 200; i++) {
            const double interval = 60 + (round % 2 ? (double)gsl_rng_uniform_int(rng, 20) : 0);
            const double power = (double)gsl_rng_uniform_int(rng, 1000);
            length += snprintf(text + length, sizeof text - (size_t)length, "%.0f,%.0f\n", time, power);
            expected += i ? before * (time - last) : 0;
            last = time;
            before = power;
            time += interval;
        }
        ws_supply_report report;
        ws_supply base = parse(text, &plain, &report); /* the last row lasts a median interval */
        const double end = last - 1e9 + report.file_step_s;
        expected += before * report.file_step_s;
        static const double steps[] = {1, 7, 60, 61.7, 3600};
        for (size_t s = 0; s < 5; s++) {
            ws_supply supply = parse(text, &(ws_supply_options){.step_s = steps[s]}, NULL);
            /* What does not fill a step at the end is left off: at most a step at the last row's power. */
            const double rest = end - (double)supply.count * steps[s];
            assert_true(rest > -1e-6 && rest < steps[s]);
            if (rest <= report.file_step_s)
                assert_close(energy(&supply) + rest * before, expected, 1e-9 * expected);
            ws_supply_fini(&supply);
        }
        ws_supply scaled = parse(text, &(ws_supply_options){.step_s = 60, .scale_mean_w = 135}, NULL);
        assert_close(energy(&scaled) / ((double)scaled.count * 60), 135, 1e-9);
        ws_supply_fini(&scaled);
        ws_supply_fini(&base);
    }
    gsl_rng_free(rng);
}

static void refused_tables(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "f:1:1: no header with a time in the first 10 lines"},
        {"0,10\n60,20\n", "f:1:1: no header with a time"},
        {"time_s\n0\n60\n", "f:1: no column of power (W, kW, MW), irradiance (W/m^2) or wind speed (m/s, mph)"},
        {"time_s,power_w\n0,10\n", "f:1:1: 1 rows of data after the header; expected two or more"},
        {"time_s,power_w\n0,10\n60,ten\n", "f:3:4: expected a number, found 'ten'"},
        {"time_s,power_w\n0,10\n60,Inf\n", "f:3:4: expected a number, found 'Inf'"},
        {"time_s,power_w\n0,10\n60,1e200\n", "f:3:4: 1e200 is beyond all measure"},
        {"time_s,power_w\n0,10\n60\n", "f:3:1: a row of 1 cells; the value is in cell 2"},
        {"time_s,power_w\n0,10\nlater,20\n", "f:3:1: expected a number, found 'later'"},
        {"time_s,power_w\n60,10\n0,20\n", "f:3:1: time runs backwards or stands still: -60 s after the row of line 2"},
        {"time_s,power_w\n60,10\n60,20\n", "f:3:1: time runs backwards or stands still: 0 s"},
        {"time_s,power_w\n0,-9999\n60,\n", "f:1:1: no row has a value of power_w"},
        {"time_s,power (hp)\n0,1\n60,2\n", "f:1:8: column 'power (hp)' has the unit 'hp'"},
        {"time_s,power (mW)\n0,1\n60,2\n", "f:1:8: column 'power (mW)' has the unit 'mW'"},
        {"time_s,power\n0,1\n60,2\n", "f:1:8: column 'power' has no unit; expected W, kW or MW"},
        {"time_s,wind speed (knots)\n0,1\n60,2\n", "f:1:8: column 'wind speed (knots)' has the unit 'knots'"},
        {"time_s,Global [Wh/m^2]\n0,1\n60,2\n", "has the unit 'Wh/m2'; expected W/m^2 or kW/m^2"},
        {"time_s,GHI,Temperature (F)\n0,1,2\n60,2,3\n", "has the unit 'F'; expected C"},
        {"time_s,wind speed (m/s)\n0,1\n60,-2\n", "f:3:4: a wind speed of -2 is below 0"},
        {"Time,power_w\n2010-02-29 00:00,1\n",
         "f:2:1: expected a time such as 2010-05-17 13:00, found '2010-02-29 00:00'"},
        {"Time,power_w\n1900-02-29 00:00,1\n", "expected a time such as"},
        {"Time,power_w\n2010-02-28 25:00,1\n", "expected a time such as"},
        {"Time,power_w\n17.5.2010 13:00,1\n", "expected a time such as"},
        {"DATE (MM/DD/YYYY),MST,power_w\n13/01/2010,00:00,1\n", "f:2:1: expected a date such as 5/17/2010 and a time"},
        {"Year,Month,Day,Hour,power_w\n2010,1,32,0,5\n", "expected a date and time that the calendar has"},
        {"Year,Month,Day,Hour,power_w\n2010,1,x,0,5\n",
         "f:2:8: expected a date and time that the calendar has, found 'x'"},
        {"Year,Month,Day,Hour,power_w\n2010,1\n", "f:2:1: a row of 2 cells; the time is in cell 3"},
        {"time_s,power_w\n0,1\n60,2\n120,3\n1e8,4\n", "f:5:1: nothing was measured for 9.99998e+07 s before this row"},
    };
    const ws_supply_plant plant = read_plant();
    ws_supply supply;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const int rc = ws_supply_parse("f", bad[i].text, strlen(bad[i].text), &plant, &plain, &supply, NULL);
        if (rc != WS_EINPUT || !strstr(ws_message(), bad[i].message))
            fail_msg("%d '%s' does not say '%s'", rc, ws_message(), bad[i].message);
        assert_null(supply.power_w);
    }
    assert_int_equal(ws_supply_parse("f", "a\0b", 3, &plant, &plain, &supply, NULL), WS_EINPUT);
    assert_int_equal(ws_supply_read("no/such.csv", &plant, &plain, &supply, NULL), WS_EIO);
}

static void refused_options(void **state)
{
    (void)state;
    static const char text[] = "time_s,power_w,Relative Humidity [%]\n0,0\n60,0\n120,0\n";
    static const struct {
        ws_supply_options options;
        const char *message;
    } bad[] = {
        {{.step_s = -1}, "a supply's step of -1 s"},
        {{.gap_s = NAN}, "gaps of up to nan s"},
        {{.scale_mean_w = -5}, "a mean of -5 W"},
        {{.scale_mean_w = 5}, "f: gives no power at all; no factor makes its mean 5 W"},
        {{.step_s = 1000}, "f: 180 s of data make 0 steps of 1000 s"},
        {{.step_s = 1e-9}, "expected 1 to 100000000"},
        {{.column = "power_kw"}, "f:1: no column is called 'power_kw'"},
        {{.column = "relative humidity [%]"},
         "f:1:16: column 'Relative Humidity [%]' is neither power (W, kW, MW) nor"},
    };
    const ws_supply_plant plant = read_plant();
    ws_supply supply;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const int rc = ws_supply_parse("f", text, strlen(text), &plant, &bad[i].options, &supply, NULL);
        if (rc != WS_EINPUT || !strstr(ws_message(), bad[i].message))
            fail_msg("%d '%s' does not say '%s'", rc, ws_message(), bad[i].message);
    }
}

/* A column by its own name, though another would be chosen and its name says nothing. */
static void named_columns(void **state)
{
    (void)state;
    static const char text[] =
        "time_s,power_w,Array 2 [kW],Direct CHP1 [W/m^2],Peak Wind Speed [m/s]\n0,1,2,3,12\n60,1,2,3,12\n";
    ws_supply supply = parse(text, &(ws_supply_options){.column = "array 2 [KW]"}, NULL);
    assert_true(supply.power_w[0] == 2000);
    ws_supply_fini(&supply);
    supply = parse(text, &(ws_supply_options){.column = "Direct CHP1 [W/m^2]"}, NULL);
    assert_close(supply.power_w[0], 3 * 0.4, 1e-12);
    ws_supply_fini(&supply);
    supply = parse(text, &(ws_supply_options){.column = "Peak Wind Speed [m/s]"}, NULL);
    assert_true(supply.power_w[0] == 400);
    ws_supply_fini(&supply);
}

static void refused_plants(void **state)
{
    (void)state;
    static const struct {
        const char *line, *instead, *message;
    } bad[] = {
        {"area = 2 m2", "area = 2 m", "p:8:8: area = 2 m: expected the unit m2"},
        {"efficiency = 0.2", "efficiency = 20", "expected 0.001 to 1 (part of the irradiance"},
        {"hub = 80 m\n", "", "p: [turbine] lacks hub (height of the hub)"},
        {"hub = 80 m\n", "hub = 80 m\nblades = 3\n", "a plant has no blades in section [turbine]"},
        {"rated = 12 m/s", "rated = 2 m/s", "[turbine] needs cut_in < rated < cut_out, not 3, 2, 25 m/s"},
    };
    FILE *const file = fopen("data/tech/plant.ini", "r");
    assert_non_null(file);
    char good[4096], text[4600];
    good[fread(good, 1, sizeof good - 1, file)] = '\0';
    fclose(file);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *const at = strstr(good, bad[i].line);
        assert_non_null(at);
        const int length =
            snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, bad[i].instead, at + strlen(bad[i].line));
        ws_supply_plant plant;
        assert_int_equal(ws_supply_plant_parse("p", text, (size_t)length, &plant), WS_EINPUT);
        if (!strstr(ws_message(), bad[i].message))
            fail_msg("'%s' does not say '%s'", ws_message(), bad[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_and_power),        cmocka_unit_test(nsrdb_files),
        cmocka_unit_test(midc_and_wind_toolkit), cmocka_unit_test(gaps),
        cmocka_unit_test(calendars_that_jump),   cmocka_unit_test(energy_is_conserved),
        cmocka_unit_test(refused_tables),        cmocka_unit_test(refused_options),
        cmocka_unit_test(named_columns),         cmocka_unit_test(refused_plants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
