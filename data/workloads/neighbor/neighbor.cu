/* neighbor.cu - NE: how far is each hurricane of a list from a place? A record of text a thread.
 *
 * Records are lines of RECORD characters. Latitude and longitude stand in fixed fields, in degrees with one decimal,
 * padded with blanks; the thread reads the digits itself. Distances are those in the plane of the two angles. */
#include "../harness/device.h"

enum {
    RECORD = 49,
    LATITUDE = 28, /* first character of the field */
    LONGITUDE = 34,
    FIELD = 5 /* characters of a field */
};

DEVICE float read_degrees(const char *text)
{
    int tenths = 0;
    bool negative = false;
    for (int i = 0; i < FIELD; i++) {
        const char c = text[i];
        if (c == '-')
            negative = true;
        else if (c >= '0' && c <= '9')
            tenths = 10 * tenths + (c - '0');
    }
    return (float)(negative ? -tenths : tenths) / 10.0f;
}

KERNEL ne_distances(const char *__restrict__ records, float *__restrict__ distance, int count, float latitude,
                    float longitude)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        const char *const record = records + i * RECORD;
        const float north = read_degrees(record + LATITUDE) - latitude;
        const float east = read_degrees(record + LONGITUDE) - longitude;
        distance[i] = sqrtf(north * north + east * east);
    }
}
