/* launch_value.c - see launch_value.h. */
#include "cli/launch/launch_value.h"

#include "base/bits.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 128 };

typedef struct float_shape {
    int exponent_bits, fraction_bits;
} float_shape;

/* Each type by its name, with what its values may be. */
static const struct {
    uint8_t type;
    const char *expected;
} types[] = {
    {WS_T_u8, "a value of type u8 (0 to 255)"},
    {WS_T_u16, "a value of type u16 (0 to 65535)"},
    {WS_T_u32, "a value of type u32 (0 to 4294967295)"},
    {WS_T_u64, "a value of type u64 (0 to 18446744073709551615)"},
    {WS_T_s8, "a value of type s8 (-128 to 127, or 0x00 to 0xff)"},
    {WS_T_s16, "a value of type s16 (-32768 to 32767, or 0x0000 to 0xffff)"},
    {WS_T_s32, "a value of type s32 (-2147483648 to 2147483647, or 8 hexadecimal digits)"},
    {WS_T_s64, "a value of type s64 (63 bits and a sign, or 16 hexadecimal digits)"},
    {WS_T_b8, "a value of 8 bits"},
    {WS_T_b16, "a value of 16 bits"},
    {WS_T_b32, "a value of 32 bits"},
    {WS_T_b64, "a value of 64 bits"},
    {WS_T_f16, "a value of type f16 (a number, inf, nan, or its bits as 0x3c00)"},
    {WS_T_bf16, "a value of type bf16 (a number, inf, nan, or its bits as 0x3f80)"},
    {WS_T_f32, "a value of type f32 (a number, inf, nan, or its bits as 0x3f800000)"},
    {WS_T_f64, "a value of type f64 (a number, inf, nan, or its bits as 0x3ff0000000000000)"},
};

ws_type ws_value_type(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const char *const word = ws_type_name(types[i].type);
        if (strlen(word) == length && memcmp(word, text, length) == 0)
            return types[i].type;
    }
    return WS_T_NONE;
}

static const char *expected(ws_type type)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].type == type)
            return types[i].expected;
    return "a value";
}

size_t ws_value_bytes(ws_type type)
{
    return ws_type_bits(type) / 8;
}

static bool is_float(ws_type type)
{
    return ws_type_kind_of(type) == WS_KIND_FLOAT;
}

static uint64_t cut(ws_type type, uint64_t bits)
{
    const unsigned n = ws_type_bits(type);
    return n < 64 ? bits & (((uint64_t)1 << n) - 1) : bits;
}

/* Rounds to nearest, ties to even, into a format of fewer bits; overflow is infinity, tiny values are subnormal. */
static uint64_t encode(float_shape shape, double value)
{
    const int f = shape.fraction_bits, bias = (1 << (shape.exponent_bits - 1)) - 1;
    const uint64_t infinity = (((uint64_t)1 << shape.exponent_bits) - 1) << f;
    const uint64_t sign = (uint64_t)(signbit(value) != 0) << (f + shape.exponent_bits);
    if (isnan(value))
        return infinity | (uint64_t)1 << (f - 1);
    const double magnitude = fabs(value);
    int exponent;
    frexp(magnitude, &exponent);
    exponent--; /* magnitude = 1.xxx * 2^exponent */
    if (magnitude == 0)
        return sign;
    if (isinf(value) || exponent > bias)
        return sign | infinity;
    const int lowest = exponent < 1 - bias ? 1 - bias : exponent;
    const double steps = nearbyint(ldexp(magnitude, f - lowest)); /* in units of the last place */
    const uint64_t number = (uint64_t)steps;                      /* a carry out of the fraction raises the exponent */
    const uint64_t bits = exponent < 1 - bias ? number : ((uint64_t)(exponent + bias - 1) << f) + number;
    return sign | (bits < infinity ? bits : infinity);
}

static double decode(float_shape shape, uint64_t bits)
{
    const int f = shape.fraction_bits, bias = (1 << (shape.exponent_bits - 1)) - 1;
    const uint64_t fraction = bits & (((uint64_t)1 << f) - 1);
    const int field = (int)(bits >> f & (((uint64_t)1 << shape.exponent_bits) - 1));
    const double sign = bits >> (f + shape.exponent_bits) & 1 ? -1 : 1;
    if (field == (1 << shape.exponent_bits) - 1)
        return fraction ? NAN : sign * INFINITY;
    if (field == 0)
        return sign * ldexp((double)fraction, 1 - bias - f);
    return sign * ldexp((double)(fraction | (uint64_t)1 << f), field - bias - f);
}

static const float_shape half = {5, 10}, brain = {8, 7};

double ws_value_to_double(ws_type type, uint64_t bits)
{
    switch (type) {
    case WS_T_f16:
        return decode(half, bits);
    case WS_T_bf16:
        return decode(brain, bits);
    case WS_T_f32:
        return ws_f32_from_bits((uint32_t)bits);
    case WS_T_f64:
        return ws_f64_from_bits(bits);
    case WS_T_s8:
        return (int8_t)bits;
    case WS_T_s16:
        return (int16_t)bits;
    case WS_T_s32:
        return (int32_t)bits;
    case WS_T_s64:
        return (double)(int64_t)bits;
    default:
        return (double)bits;
    }
}

uint64_t ws_value_from_double(ws_type type, double value)
{
    switch (type) {
    case WS_T_f16:
        return encode(half, value);
    case WS_T_bf16:
        return encode(brain, value);
    case WS_T_f32:
        return ws_f32_bits((float)value);
    case WS_T_f64:
        return ws_f64_bits(value);
    default:
        break;
    }
    if (isnan(value))
        return 0;
    if (value < 0)
        return cut(type, value < -0x1p63 ? (uint64_t)INT64_MIN : (uint64_t)(int64_t)value);
    return cut(type, value < 0x1p64 ? (uint64_t)value : UINT64_MAX);
}

static bool is_hexadecimal(const char *text)
{
    text += *text == '-' || *text == '+';
    return text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

static bool parse_whole(ws_type type, const char *text, uint64_t *bits)
{
    const unsigned n = ws_type_bits(type);
    const uint64_t most = n < 64 ? ((uint64_t)1 << n) - 1 : UINT64_MAX;
    const ws_type_kind kind = ws_type_kind_of(type);
    const bool negative = *text == '-';
    const char *const digits = text + (negative || *text == '+');
    char *end;
    if (*digits < '0' || *digits > '9')
        return false;
    errno = 0;
    const uint64_t value = strtoull(digits, &end, is_hexadecimal(text) ? 16 : 10);
    if (errno || *end || end == digits)
        return false;
    if (negative && (kind == WS_KIND_UINT ? value > 0 : value > (most >> 1) + 1))
        return false;
    if (!negative && value > (kind == WS_KIND_SINT && !is_hexadecimal(text) ? most >> 1 : most))
        return false;
    *bits = cut(type, negative ? -value : value);
    return true;
}

static bool parse_float(ws_type type, const char *text, uint64_t *bits)
{
    const char *const digits = text + (*text == '-' || *text == '+');
    const bool is_word = strcmp(digits, "inf") == 0 || strcmp(digits, "nan") == 0;
    char *end;
    if (is_hexadecimal(text) && !strpbrk(text, "pP")) {
        static const uint8_t same_width[] = {WS_T_b8, WS_T_b16, WS_T_b32, WS_T_b64};
        return text == digits && parse_whole(same_width[__builtin_ctz(ws_type_bits(type)) - 3], text, bits);
    }
    if (!is_word && (*digits < '0' || *digits > '9') && *digits != '.')
        return false;
    if (type == WS_T_f32) { /* rounded once */
        *bits = ws_f32_bits(strtof(text, &end));
        return !*end;
    }
    *bits = ws_value_from_double(type, strtod(text, &end));
    return !*end;
}

const char *ws_value_parse(ws_type type, const char *text, size_t length, uint64_t *bits)
{
    char number[NUMBER_BYTES];
    *bits = 0;
    if (!length || length >= sizeof number)
        return expected(type);
    memcpy(number, text, length);
    number[length] = '\0';
    const bool is_decimal = !is_hexadecimal(number) && strpbrk(number, ".eEn"); /* n: inf, nan */
    ws_type as = type;
    if (is_decimal && type == WS_T_b32)
        as = WS_T_f32;
    if (is_decimal && type == WS_T_b64)
        as = WS_T_f64;
    const bool good = is_float(as) ? parse_float(as, number, bits) : parse_whole(as, number, bits);
    return good ? NULL : expected(type);
}

/* The fewest digits that give the same bits again; whole numbers of a usual size without an exponent. */
static void print_float(ws_type type, uint64_t bits, char *text)
{
    const double value = ws_value_to_double(type, bits);
    if (fabs(value) < 1e9 && value == trunc(value)) {
        snprintf(text, WS_VALUE_BYTES, "%.0f", value);
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        uint64_t back;
        snprintf(text, WS_VALUE_BYTES, "%.*g", digits, value);
        if (isnan(value) || (!ws_value_parse(type, text, strlen(text), &back) && back == bits))
            return;
    }
}

char *ws_value_print(ws_type type, uint64_t bits, char text[WS_VALUE_BYTES])
{
    const unsigned digits = ws_type_bits(type) / 4;
    switch (ws_type_kind_of(type)) {
    case WS_KIND_FLOAT:
        print_float(type, bits, text);
        if (isnan(ws_value_to_double(type, bits)))
            snprintf(text, WS_VALUE_BYTES, "nan");
        break;
    case WS_KIND_SINT:
        snprintf(text, WS_VALUE_BYTES, "%lld",
                 type == WS_T_s64 ? (long long)bits : (long long)ws_value_to_double(type, bits));
        break;
    case WS_KIND_BITS:
        snprintf(text, WS_VALUE_BYTES, "0x%0*llx", (int)digits, (unsigned long long)bits);
        break;
    default:
        snprintf(text, WS_VALUE_BYTES, "%llu", (unsigned long long)bits);
    }
    return text;
}

bool ws_value_same(ws_type type, uint64_t bits, uint64_t wanted, double within, double relative)
{
    if (bits == wanted)
        return true;
    const double a = ws_value_to_double(type, bits), b = ws_value_to_double(type, wanted);
    if (is_float(type) && (isnan(a) || isnan(b)))
        return isnan(a) && isnan(b);
    const double distance = fabs(a - b);
    return (within > 0 && distance <= within) || (relative > 0 && distance <= relative * fabs(b));
}

uint64_t ws_value_load(ws_type type, const void *memory)
{
    uint64_t bits = 0;
    memcpy(&bits, memory, ws_value_bytes(type));
    return bits;
}

void ws_value_store(ws_type type, void *memory, uint64_t bits)
{
    memcpy(memory, &bits, ws_value_bytes(type));
}
