/* text.c - which decimal digits does a double need, and which double does a text mean?
 *
 * Shortest digits: Giulietti, "The Schubfach way to render doubles" (2020). The interval of reals that round to the
 * double is scaled by a power of ten such that it holds one to ten or so integers; the shortest, then nearest of them
 * are the digits. Powers of ten come from a table of 126-bit values, and products are rounded to odd, which keeps every
 * comparison exact. */
#include "base/text.h"
#include "base/status.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 u128;

typedef struct power {
    uint64_t high, low;
} power;

enum { POWER_MIN = -292, DIGITS_MAX = 17, MANTISSA_BITS = 52, EXPONENT_MIN = -1074, FIXED_LEAST = -5, FIXED_MOST = 17 };

static const power powers[] = {
#define POWER(k, high, low) [(k) - POWER_MIN] = {high, low},
#include "base/pow10.def"
#undef POWER
};

typedef struct decimal { /* digits * 10^exponent */
    uint64_t digits;
    int exponent;
} decimal;

/* Floors of e * log10(2), log10(3/4 * 2^e) and k * log2(10), for the exponents of doubles; shifts of negative numbers
 * are arithmetic in gcc and clang. Constants: log10(2) * 2^41, log10(3/4) * 2^41 and log2(10) * 2^38, rounded. */
static int floor_log10_pow2(int e)
{
    return (int)(e * INT64_C(661971961083) >> 41);
}

static int floor_log10_three_quarters_pow2(int e)
{
    return (int)((e * INT64_C(661971961083) - INT64_C(274743187321)) >> 41);
}

static int floor_log2_pow10(int k)
{
    return (int)(k * INT64_C(913124641741) >> 38);
}

/* g * x / 2^127 rounded to odd: lost bits set the lowest one. g lies above its power by less than one, which moves the
 * product by less than 2^-63; so bits below that are no evidence of a loss and are not looked at. */
static uint64_t multiply_to_odd(power g, uint64_t x)
{
    const u128 low = (u128)g.low * x;
    const u128 sum = (u128)g.high * x + (uint64_t)(low >> 64);
    const uint64_t whole = (uint64_t)(sum >> 63);
    return whole | ((uint64_t)sum << 1 != 0);
}

static decimal shortest(uint64_t mantissa, int exponent)
{
    const bool even_gap = mantissa != UINT64_C(1) << MANTISSA_BITS || exponent == EXPONENT_MIN;
    const int k = even_gap ? floor_log10_pow2(exponent) : floor_log10_three_quarters_pow2(exponent);
    const int shift = exponent + floor_log2_pow10(-k) + 2;
    const power g = powers[-k - POWER_MIN];
    const uint64_t centre = mantissa << 2, outside = mantissa & 1; /* an odd mantissa does not own its borders */
    const uint64_t value = multiply_to_odd(g, centre << shift);
    const uint64_t lower = multiply_to_odd(g, (centre - (even_gap ? 2 : 1)) << shift) + outside;
    const uint64_t upper = multiply_to_odd(g, (centre + 2) << shift) - outside;
    const uint64_t s = value >> 2;
    if (s >= 10) {
        const uint64_t below = s / 10 * 10, above = below + 10;
        const bool below_fits = lower <= below << 2, above_fits = above << 2 <= upper;
        if (below_fits != above_fits)
            return (decimal){below_fits ? below : above, k};
    }
    const bool s_fits = lower <= s << 2, next_fits = (s + 1) << 2 <= upper;
    if (s_fits != next_fits)
        return (decimal){s_fits ? s : s + 1, k};
    const uint64_t middle = (2 * s + 1) << 1;
    return (decimal){value < middle || (value == middle && s % 2 == 0) ? s : s + 1, k};
}

static decimal decompose(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t fraction = bits & ((UINT64_C(1) << MANTISSA_BITS) - 1);
    const int biased = (int)(bits >> MANTISSA_BITS & 0x7ff);
    if (value == floor(value) && value < 0x1p53)
        return (decimal){(uint64_t)value, 0};
    return biased ? shortest(fraction | UINT64_C(1) << MANTISSA_BITS, biased - 1075) : shortest(fraction, EXPONENT_MIN);
}

static char *put_integer(char *at, unsigned value)
{
    char digits[12];
    size_t n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    while (n)
        *at++ = digits[--n];
    return at;
}

static char *put(char *at, const char *from, size_t n)
{
    memcpy(at, from, n);
    return at + n;
}

static char *put_zeros(char *at, int n)
{
    for (int i = 0; i < n; i++)
        *at++ = '0';
    return at;
}

/* digits[0..n) are significant; point counts the digits before the decimal point. */
static char *put_decimal(char *at, const char *digits, int n, int point)
{
    if (point > FIXED_MOST || point < FIXED_LEAST) {
        *at++ = digits[0];
        if (n > 1) {
            *at++ = '.';
            at = put(at, digits + 1, (size_t)(n - 1));
        }
        *at++ = 'e';
        *at++ = point > 0 ? '+' : '-';
        return put_integer(at, (unsigned)abs(point - 1));
    }
    if (point <= 0) {
        at = put(at, "0.", 2);
        at = put_zeros(at, -point);
        return put(at, digits, (size_t)n);
    }
    if (n <= point)
        return put_zeros(put(at, digits, (size_t)n), point - n);
    at = put(at, digits, (size_t)point);
    *at++ = '.';
    return put(at, digits + point, (size_t)(n - point));
}

size_t ws_text_from_double(double value, char text[WS_NUMBER_BYTES])
{
    char *at = text;
    if (isnan(value)) {
        at = put(at, "NA", 2);
    } else {
        if (signbit(value))
            *at++ = '-';
        const double magnitude = fabs(value);
        if (isinf(magnitude)) {
            at = put(at, "Inf", 3);
        } else {
            decimal d = magnitude == 0 ? (decimal){0, 0} : decompose(magnitude);
            for (; d.digits && d.digits % 10 == 0; d.exponent++)
                d.digits /= 10;
            char digits[24];
            int n = 0;
            for (uint64_t rest = d.digits; n == 0 || rest; rest /= 10, n++)
                digits[sizeof digits - 1 - (size_t)n] = (char)('0' + rest % 10);
            at = put_decimal(at, digits + sizeof digits - n, n, n + d.exponent);
        }
    }
    *at = '\0';
    return (size_t)(at - text);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool equals(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncasecmp(text, word, length) == 0;
}

/* Missing values and infinities by name. */
static bool read_word(const char *text, size_t length, double *value)
{
    if (length == 0 || equals(text, length, "NA") || equals(text, length, "NaN")) {
        *value = NAN;
        return true;
    }
    const bool sign = text[0] == '-' || text[0] == '+';
    if (!equals(text + sign, length - sign, "Inf") && !equals(text + sign, length - sign, "Infinity"))
        return false;
    *value = text[0] == '-' ? -INFINITY : INFINITY;
    return true;
}

typedef struct scan { /* what a decimal text holds */
    uint64_t digits;  /* the significant ones, when there are at most 19 */
    size_t count;     /* of significant digits */
    long exponent;    /* of ten, for `digits` as a whole number */
    bool negative;
} scan;

static bool scan_decimal(const char *text, size_t length, scan *s)
{
    const char *at = text, *const end = text + length;
    bool any = false, point = false;
    *s = (scan){0};
    if (at < end && (*at == '-' || *at == '+'))
        s->negative = *at++ == '-';
    for (; at < end && (is_digit(*at) || (*at == '.' && !point)); at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        any = true;
        if (s->count || *at != '0') {
            s->count++;
            s->digits = s->digits * 10 + (uint64_t)(*at - '0');
        }
        s->exponent -= point;
    }
    if (!any)
        return false;
    if (at == end)
        return true;
    if (*at != 'e' && *at != 'E')
        return false;
    at++;
    const bool down = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (at == end)
        return false;
    long written = 0;
    for (; at < end && is_digit(*at); at++)
        if (written < 1000000)
            written = written * 10 + (*at - '0');
    s->exponent += down ? -written : written;
    return at == end;
}

/* The C library's correctly rounded reader, in the C locale, for what the fast path cannot do exactly. */
static int read_slowly(const char *text, size_t length, double *value)
{
    char small[128];
    char *copy = length < sizeof small ? small : malloc(length + 1);
    const locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    int rc = WS_EMEM;
    if (copy && c) {
        memcpy(copy, text, length);
        copy[length] = '\0';
        *value = strtod_l(copy, NULL, c);
        rc = isinf(*value) ? WS_EINPUT : WS_OK;
    }
    if (c)
        freelocale(c);
    if (copy != small)
        free(copy);
    return rc;
}

int ws_text_to_double(const char *text, size_t length, double *value)
{
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const long exact = (long)(sizeof ten / sizeof ten[0]);
    for (; length && (*text == ' ' || *text == '\t'); length--)
        text++;
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        length--;
    if (read_word(text, length, value))
        return WS_OK;
    scan s;
    if (!scan_decimal(text, length, &s))
        return WS_EINPUT;
    /* Both operands are exact doubles, so the one operation rounds correctly (Clinger 1990). */
    if (s.count <= 19 && s.digits <= UINT64_C(1) << 53 && s.exponent > -exact && s.exponent < exact) {
        const double magnitude =
            s.exponent < 0 ? (double)s.digits / ten[-s.exponent] : (double)s.digits * ten[s.exponent];
        *value = s.negative ? -magnitude : magnitude;
        return WS_OK;
    }
    return read_slowly(text, length, value);
}

int ws_text_to_size(const char *text, size_t max, size_t *value)
{
    size_t sum = 0;
    if (!*text)
        return WS_EINPUT;
    for (; *text; text++) {
        const size_t digit = (size_t)(*text - '0');
        if (!is_digit(*text) || digit > max || sum > (max - digit) / 10)
            return WS_EINPUT;
        sum = sum * 10 + digit;
    }
    *value = sum;
    return WS_OK;
}
