/* neighbor.c - NE: what of a search is left to the device when text goes there in batches and only the distances are
 * computed there? Host side of neighbor.cu. */
#include "data/workloads/harness/harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD = 49, LATITUDE = 28, LONGITUDE = 34, FIELD = 5, NEAREST = 10 };

static const double here_latitude = 30, here_longitude = 90;

/* Farther than any place. */
static const float nowhere = 1e4F;

typedef struct neighbour {
    long record;
    float distance;
} neighbour;

/* One line about a storm: date, hour, number, name, place, speed and pressure; RECORD characters with its end. */
static void write_record(harness *h, char *at, long number)
{
    static const char *const names[] = {"ALBERTO", "BERYL",    "CHRIS",  "DEBBY",
                                        "ERNESTO", "FLORENCE", "GORDON", "HELENE"};
    enum { NAMES = sizeof names / sizeof *names, HOURS = 24, DAYS = 28, MONTHS = 12, YEARS = 60, STORMS = 30 };
    enum { FIRST_YEAR = 1950, SOUTHMOST = -600, LATITUDES = 1201, LONGITUDES = 3600, SLOWEST = 10, SPEEDS = 170 };
    enum { LOWEST = 880, PRESSURES = 120 };
    char line[RECORD + 1];
    const int year = FIRST_YEAR + (int)harness_integer(h, YEARS), month = 1 + (int)harness_integer(h, MONTHS);
    const int day = 1 + (int)harness_integer(h, DAYS), hour = (int)harness_integer(h, HOURS);
    const double latitude = (SOUTHMOST + (int)harness_integer(h, LATITUDES)) / 10.0;
    const double longitude = harness_integer(h, LONGITUDES) / 10.0;
    const int speed = SLOWEST + (int)harness_integer(h, SPEEDS), pressure = LOWEST + (int)harness_integer(h, PRESSURES);
    const int length =
        snprintf(line, sizeof line, "%4d %2d %2d %2d %2d %-9s  %5.1f %5.1f %4d %3d\n", year, month, day, hour,
                 (int)(number % STORMS), names[harness_integer(h, NAMES)], latitude, longitude, speed, pressure);
    if (length != RECORD)
        harness_wrong(h, "record %ld has %d characters instead of %d", number, length, RECORD);
    memcpy(at, line, RECORD);
}

static double read_field(const char *record, int first)
{
    char field[FIELD + 1] = "";
    memcpy(field, record + first, FIELD);
    return strtod(field, NULL);
}

/* As the original does: a record that is nearer than the farthest of those kept takes its place. */
static void keep_nearest(neighbour *kept, const float *distance, long first, long count)
{
    for (long i = 0; i < count; i++) {
        int farthest = 0;
        for (int k = 1; k < NEAREST; k++)
            if (kept[k].distance > kept[farthest].distance)
                farthest = k;
        if (distance[i] < kept[farthest].distance)
            kept[farthest] = (neighbour){first + i, distance[i]};
    }
}

static void search_on_device(harness *h, const char *records, long count, long batch, float *distance, neighbour *kept)
{
    CUdeviceptr d_records = harness_device(h, (size_t)batch * RECORD);
    CUdeviceptr d_distance = harness_device(h, (size_t)batch * sizeof *distance);
    const CUfunction kernel = harness_kernel(h, "ne_distances");
    float latitude = (float)here_latitude, longitude = (float)here_longitude;
    const long threads = harness_pick(h, 256, 256, 16); /* of a block */

    for (int k = 0; k < NEAREST; k++)
        kept[k] = (neighbour){-1, nowhere};
    for (long first = 0; first < count; first += batch) {
        int n = (int)(count - first < batch ? count - first : batch);
        harness_write(h, d_records, records + first * RECORD, (size_t)n * RECORD);
        HARNESS_LAUNCH(h, kernel, HARNESS_DIM((n + threads - 1) / threads), HARNESS_DIM(threads), 0, &d_records,
                       &d_distance, &n, &latitude, &longitude);
        harness_download(h, distance + first, d_distance, (size_t)n * sizeof *distance);
        keep_nearest(kept, distance + first, first, n);
    }
}

static int by_size(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Degrees are rounded to single precision, differences of them twice; then a square, a sum, a root: a few times 2^-24
 * of the angles, which are at most 360. */
static const double RELATIVE = 1e-6, ABSOLUTE = 360 * 0x1p-22;

/* Every kept record is one of the list and as far away as it says, none twice, and together they are the nearest. */
static void check_kept(harness *h, const neighbour *kept, const float *distance, long count)
{
    float got[NEAREST];
    for (int k = 0; k < NEAREST; k++) {
        if (kept[k].record < 0 || kept[k].record >= count || distance[kept[k].record] != kept[k].distance)
            harness_wrong(h, "neighbour %d is record %ld at distance %g", k, kept[k].record, kept[k].distance);
        for (int other = 0; other < k; other++)
            if (kept[other].record == kept[k].record)
                harness_wrong(h, "record %ld is a neighbour twice", kept[k].record);
        got[k] = kept[k].distance;
    }
    float *const sorted = harness_host(h, (size_t)count, sizeof *sorted);
    memcpy(sorted, distance, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    qsort(got, NEAREST, sizeof *got, by_size);
    harness_check_floats(h, "nearest", got, sorted, NEAREST, 0, 0);
}

static const harness_size input_sizes[] = {
    {"records", "storms", {1500, 500000, 60000}, 16, 10000000, 1},
    {"batch", "of them that are on the device at a time", {640, 16384, 15000}, 1, 1000000, 1},
    {0},
};

static void run(harness *h)
{
    const long count = harness_get_size(h, "records"), batch = harness_get_size(h, "batch");
    const size_t n = (size_t)count;
    char *const records = harness_host(h, n, RECORD);
    float *const got = harness_host(h, n, sizeof *got), *const want = harness_host(h, n, sizeof *want);
    neighbour kept[NEAREST];

    for (long i = 0; i < count; i++)
        write_record(h, records + i * RECORD, i);
    search_on_device(h, records, count, batch, got, kept);
    for (long i = 0; i < count; i++) {
        const char *const record = records + i * RECORD;
        want[i] =
            (float)hypot(read_field(record, LATITUDE) - here_latitude, read_field(record, LONGITUDE) - here_longitude);
    }
    harness_check_floats(h, "distance", got, want, n, RELATIVE, ABSOLUTE);
    check_kept(h, kept, got, count);
}

HARNESS_WORKLOAD_OF("NE", "data/workloads/neighbor/neighbor.ptx", run, input_sizes)
